/* What the window writes is what it shows when it is written, says truthfully what made it, and can be
 * computed again by the command line program. */
#include <gio/gio.h>
#include <math.h>
#include <string.h>

#include "app-fixture.h"
#include "ww-export-dialog.h"

static WwExportDialog *
open_dialog (Fixture *fixture, WwReportFormat format)
{
  fixture_activate (fixture, "win.export");
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) != NULL);
  adw_combo_row_set_selected (find_widget (find_window (WW_TYPE_EXPORT_DIALOG), "format_row"), format);
  return find_window (WW_TYPE_EXPORT_DIALOG);
}

/* Saves as `name`; the contents of `written`, which is what the file must be called. */
static char *
save_as (Fixture *fixture, WwExportDialog *dialog, const char *name, const char *written)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autofree char *found = g_build_filename (fixture->folder, written, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  char *contents = NULL;

  ww_export_dialog_save_to (dialog, file);
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) == NULL);
  g_file_get_contents (found, &contents, NULL, &error);
  g_assert_no_error (error);
  return contents;
}

static guint
count_rows (const char *csv)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += lines[i][0] != '#' && lines[i][0] != '\0';
  return n - 1; /* without the header */
}

/* "name: value" of the comment; NULL: not there. */
static char *
get_fact (const char *csv, const char *name)
{
  g_autofree char *start = g_strdup_printf ("\n# %s: ", name);
  const char *line = strstr (csv, start);

  if (line == NULL)
    return NULL;
  line += strlen (start);
  return g_strndup (line, strcspn (line, "\n"));
}

static void
test_export_is_live (Fixture *fixture, gconstpointer data)
{
  g_autofree char *csv = NULL, *points = NULL;
  WwCurve *curve;

  g_object_set (fixture->session, "trials", 40, NULL);
  ww_window_open_remembered_set (fixture->window);
  WAIT_FOR (ww_session_get_curve (fixture->session) != NULL
            && ww_session_get_curve (fixture->session)->n_points > 0);
  WwExportDialog *dialog = open_dialog (fixture, WW_REPORT_CSV);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, ==, curve->n_expected);
  csv = save_as (fixture, dialog, "live.csv", "live.csv");
  points = get_fact (csv, "points");
  g_assert_cmpuint (count_rows (csv), ==, curve->n_expected);
  g_assert_null (points);
}

/* A file of a curve that is not complete says so. */
static void
test_export_is_partial (Fixture *fixture, gconstpointer data)
{
  g_autofree char *csv = NULL, *points = NULL, *wanted = NULL, *json = NULL;
  WwCurve *curve;

  g_object_set (fixture->session, "trials", 400, "effort", WW_EFFORT_THOROUGH, NULL);
  ww_window_open_remembered_set (fixture->window);
  WAIT_FOR (ww_session_get_curve (fixture->session) != NULL
            && ww_session_get_curve (fixture->session)->n_points > 3);
  csv = save_as (fixture, open_dialog (fixture, WW_REPORT_CSV), "part.csv", "part.csv");
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, <, curve->n_expected);
  points = get_fact (csv, "points");
  wanted = g_strdup_printf ("%u of %zu measured", count_rows (csv), curve->n_expected);
  g_assert_cmpstr (points, ==, wanted);
  json = save_as (fixture, open_dialog (fixture, WW_REPORT_JSON), "part.json", "part.json");
  g_assert_nonnull (strstr (json, "\"points_expected\""));
}

/* A typed ending wins over the format, and a name without one gets it. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    WwReportFormat format;
    const char *name, *written, *start;
  } rows[] = {
    { WW_REPORT_CSV, "typed.svg", "typed.svg", "<?xml" }, { WW_REPORT_SVG, "typed.csv", "typed.csv", "# wordsway" },
    { WW_REPORT_PNG, "bare", "bare.png", "\x89PNG" },     { WW_REPORT_JSON, "v1.2", "v1.2.json", "{" },
    { WW_REPORT_PDF, "figure.", "figure.pdf", "%PDF" },   { WW_REPORT_SVG, "BIG.PDF", "BIG.PDF", "%PDF" },
    { WW_REPORT_CSV, ".svg", ".svg.csv", "# wordsway" },
  };

  fixture_finish_curve (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *contents = save_as (fixture, open_dialog (fixture, rows[i].format), rows[i].name,
                                           rows[i].written);

      g_assert_true (g_str_has_prefix (contents, rows[i].start));
    }
}

/* Nothing but what was typed is replaced without a question. */
static void
test_appended_name_asks (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = NULL, *there = fixture_write_file (fixture, "there.csv", "mine");
  g_autofree char *contents = NULL;
  g_autoptr (GFile) file = NULL;
  WwExportDialog *dialog;
  GtkWindow *question;

  path = g_strndup (there, strlen (there) - 4);
  file = g_file_new_for_path (path);
  fixture_finish_curve (fixture);
  dialog = open_dialog (fixture, WW_REPORT_CSV);
  ww_export_dialog_save_to (dialog, file);
  question = find_window (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (question);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (question), "cancel");
  gtk_window_destroy (question);
  g_file_get_contents (there, &contents, NULL, NULL);
  g_assert_cmpstr (contents, ==, "mine");
  gtk_window_close (GTK_WINDOW (dialog));
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) == NULL);
}

/* The dialog is as high as its rows, whatever the format was before. */
static void
test_dialog_height (Fixture *fixture, gconstpointer data)
{
  WwExportDialog *dialog;
  int figure, table;

  fixture_finish_curve (fixture);
  dialog = open_dialog (fixture, WW_REPORT_SVG);
  WAIT_FOR (gtk_widget_get_height (GTK_WIDGET (dialog)) > 300);
  figure = gtk_widget_get_height (GTK_WIDGET (dialog));
  adw_combo_row_set_selected (find_widget (dialog, "format_row"), WW_REPORT_CSV);
  WAIT_FOR (gtk_widget_get_height (GTK_WIDGET (dialog)) < figure - 100);
  table = gtk_widget_get_height (GTK_WIDGET (dialog));
  adw_combo_row_set_selected (find_widget (dialog, "format_row"), WW_REPORT_PNG);
  WAIT_FOR (gtk_widget_get_height (GTK_WIDGET (dialog)) > table + 100);
  gtk_window_close (GTK_WINDOW (dialog));
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) == NULL);
}

/* ---- The same numbers from the command line ---- */

/* The command that the provenance of a worst or random nudge stands for. */
static void
run_again (Fixture *fixture, const char *csv, const char *map, const char *output)
{
  g_autofree char *text = get_fact (csv, "text"), *n = get_fact (csv, "n"), *d = get_fact (csv, "d");
  g_autofree char *seed = get_fact (csv, "seed"), *radius = get_fact (csv, "radius");
  g_autofree char *effort = get_fact (csv, "effort"), *token = get_fact (csv, "nudged token");
  g_autofree char *length = get_fact (csv, "length"), *direction = get_fact (csv, "direction");
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GError) error = NULL;

  *strchr (token, ' ') = '\0';
  *strchr (length, ' ') = '\0';
  if (strchr (direction, ' ') != NULL)
    *strchr (direction, ' ') = '\0';
  g_test_message ("wordsway-cli nudge --map %s --token %s --direction %s --n %s --dims %s --seed %s --radius %s "
                  "--effort %s --length %s --text '%s'",
                  map, token, direction, n, d, seed, radius, effort, length, text);
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, WW_CLI_BINARY, "nudge", "--map", map, "--token",
                              token, "--direction", direction, "--n", n, "--dims", d, "--seed", seed, "--radius",
                              radius, "--effort", effort, "--length", length, "--text", text, "--output", output,
                              NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  g_assert_no_error (error);
}

/* The rows of one map: everything behind its name. */
static GPtrArray *
get_rows (const char *csv, const char *map)
{
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  g_autofree char *start = g_strconcat (map, ",", NULL);
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], start))
      g_ptr_array_add (rows, g_strdup (lines[i]));
  return rows;
}

static void
assert_same_weights (const char *window, const char *again, const char *map)
{
  g_autoptr (GPtrArray) shown = get_rows (window, map), computed = get_rows (again, map);

  g_assert_cmpuint (shown->len, >, 10);
  g_assert_cmpuint (shown->len, ==, computed->len);
  for (guint i = 0; i < shown->len; i++)
    {
      /* before, after, difference are the last three. */
      g_auto (GStrv) a = g_strsplit (shown->pdata[i], ",", -1), b = g_strsplit (computed->pdata[i], ",", -1);
      guint last = g_strv_length (a);

      g_assert_cmpuint (g_strv_length (b), ==, last);
      for (guint k = last - 3; k < last; k++)
        g_assert_cmpfloat (fabs (g_ascii_strtod (a[k], NULL) - g_ascii_strtod (b[k], NULL)), <, 1e-6);
    }
}

static void
check_nudge (Fixture *fixture, const char *effort)
{
  g_autofree char *csv = save_as (fixture, open_dialog (fixture, WW_REPORT_CSV), "nudge.csv", "nudge.csv");
  g_autofree char *output = g_build_filename (fixture->folder, "again.csv", NULL);
  g_autofree char *direction = get_fact (csv, "direction"), *maps = get_fact (csv, "maps");
  g_autofree char *found = get_fact (csv, "effort"), *k = get_fact (csv, "k"), *again = NULL;
  const char *map = g_str_has_suffix (direction, "relu-raf") ? "relu-raf" : "raf";

  g_assert_cmpstr (maps, ==, "rf, relu-raf, raf");
  g_assert_cmpstr (k, ==, "1024");
  if (effort != NULL)
    g_assert_cmpstr (found, ==, effort);
  run_again (fixture, csv, map, output);
  g_file_get_contents (output, &again, NULL, NULL);
  assert_same_weights (csv, again, map);
}

static gboolean
is_settled (Fixture *fixture)
{
  gboolean refining;

  g_object_get (fixture->session, "direction-refining", &refining, NULL);
  return !refining && ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE;
}

static void
test_nudge_again (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    guint direction, map, token;
    double length, radius;
  } rows[] = {
    { WW_DIRECTION_WORST, WW_MAP_SOFTMAX_RAF, 2, 1, 1 },
    { WW_DIRECTION_WORST, WW_MAP_RELU_RAF, 5, 0.4, 1 },
    { WW_DIRECTION_RANDOM, WW_MAP_SOFTMAX_RAF, 4, 0.8, 1 },
    { WW_DIRECTION_WORST, WW_MAP_SOFTMAX_RAF, 7, 0.25, 0.5 },
  };

  fixture_finish_nudge (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_object_set (fixture->session, "radius", rows[i].radius, NULL);
      g_object_set (fixture->session, "direction", rows[i].direction, "direction-map", rows[i].map, "token",
                    rows[i].token, "length", rows[i].length, NULL);
      wait_a_little ();
      WAIT_FOR (is_settled (fixture));
      check_nudge (fixture, NULL);
    }
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;
  ADD_TEST ("/export/live", test_export_is_live);
  ADD_TEST ("/export/partial", test_export_is_partial);
  ADD_TEST ("/export/names", test_names);
  ADD_TEST ("/export/appended-name-asks", test_appended_name_asks);
  ADD_TEST ("/export/dialog-height", test_dialog_height);
  ADD_TEST ("/export/nudge-again", test_nudge_again);
  return g_test_run ();
}

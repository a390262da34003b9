#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>

#include "ww-report.h"

#define N 3
#define D 4

/* A real nudge of a small context, seen through both attention maps and RF. */
typedef struct
{
  WwNudge *nudge;
  WwProvenance provenance;
  WwNudgeReport report;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (N, D, 3, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (D, 3, 0, NULL);
  g_autoptr (WwAttention) softmax = ww_attention_new (WW_MAP_SOFTMAX_RAF, x, w, NULL);
  g_autoptr (WwAttention) relu = ww_attention_new (WW_MAP_RELU_RAF, x, w, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 1, 32, 3, 0, NULL, NULL);
  const double delta[D] = { 0.5, -1, 0.25, 1 };
  g_autoptr (GError) error = NULL;

  fixture->nudge = ww_nudge_new (softmax, relu, rf, 1, delta, &error);
  g_assert_no_error (error);
  ww_provenance_init (&fixture->provenance);
  fixture->provenance.maps[0] = WW_MAP_SOFTMAX_RAF;
  fixture->provenance.n_maps = 1;
  fixture->provenance.token = 1;
  fixture->report = (WwNudgeReport) {
    .nudge = fixture->nudge,
    .provenance = &fixture->provenance,
    .direction = "random",
  };
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  ww_provenance_clear (&fixture->provenance);
  ww_nudge_unref (fixture->nudge);
}

static void
test_json (Fixture *fixture, gconstpointer data)
{
  g_autofree char *line = ww_nudge_report_to_json (&fixture->report);
  json_t *read = json_loads (line, JSON_REJECT_DUPLICATES, NULL);
  json_t *maps = NULL;
  json_t *softmax = NULL;

  g_assert_nonnull (read);
  g_assert_cmpuint (strcspn (line, "\n"), ==, strlen (line) - 1);
  g_assert_cmpstr (json_string_value (json_object_get (read, "direction")), ==, "random");
  g_assert_cmpint (json_integer_value (json_object_get (read, "token")), ==, 1);
  g_assert_cmpint (json_array_size (json_object_get (read, "delta")), ==, D);
  g_assert_cmpfloat_with_epsilon (json_number_value (json_object_get (read, "delta_norm")), sqrt (2.3125), 1e-12);

  maps = json_object_get (read, "maps");
  g_assert_cmpint (json_array_size (maps), ==, 3);
  softmax = json_array_get (maps, WW_MAP_SOFTMAX_RAF);
  g_assert_cmpstr (json_string_value (json_object_get (softmax, "map")), ==, "raf");
  for (gsize row = 0; row < N; row++)
    for (gsize column = 0; column < N; column++)
      {
        double before
          = json_number_value (json_array_get (json_array_get (json_object_get (softmax, "before"), row), column));
        double after
          = json_number_value (json_array_get (json_array_get (json_object_get (softmax, "after"), row), column));
        double difference = json_number_value (
          json_array_get (json_array_get (json_object_get (softmax, "difference"), row), column));

        g_assert_cmpfloat (before, ==, fixture->nudge->before[WW_MAP_SOFTMAX_RAF]->data[row * N + column]);
        g_assert_cmpfloat (difference, ==, after - before);
      }
  json_decref (read);
}

static void
test_csv (Fixture *fixture, gconstpointer data)
{
  g_autofree char *csv = ww_nudge_report_to_csv (&fixture->report);
  g_auto (GStrv) lines = g_strsplit (csv, "\n", -1);
  gsize i = 0;
  gsize n_rows = 0;

  while (g_str_has_prefix (lines[i], "# "))
    i++;
  g_assert_nonnull (strstr (csv, "# direction: random\n"));
  g_assert_nonnull (strstr (csv, "# change of rf: "));
  g_assert_cmpstr (lines[i++], ==,
                   "map,row,row_token,feature_change,column,column_token,before,after,difference");

  for (; lines[i][0] != '\0'; i++, n_rows++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", -1);
      gsize row = n_rows / N % N;
      WwMap map = n_rows < N * N ? WW_MAP_SOFTMAX_RAF : WW_MAP_RELU_RAF;

      g_assert_cmpuint (g_strv_length (fields), ==, 9);
      g_assert_cmpstr (fields[0], ==, ww_map_get_id (map));
      g_assert_cmpint (g_ascii_strtoll (fields[1], NULL, 10), ==, row);
      /* A row of zeros has no relative change: the field is empty. */
      if (isnan (fixture->nudge->feature_change[map][row]))
        g_assert_cmpstr (fields[3], ==, "");
      else
        g_assert_cmpfloat (g_ascii_strtod (fields[3], NULL), ==, fixture->nudge->feature_change[map][row]);
      g_assert_cmpfloat (g_ascii_strtod (fields[6], NULL), ==,
                         fixture->nudge->before[map]->data[n_rows % (N * N)]);
    }
  g_assert_cmpuint (n_rows, ==, 2 * N * N);
}

/* Labels with what a CSV field cannot hold bare. */
static void
test_csv_quotes (Fixture *fixture, gconstpointer data)
{
  WwToken list[N] = {
    { .text = (char *) ",", .display = (char *) ",", .has_row = TRUE },
    { .text = (char *) "\"", .display = (char *) "\"", .has_row = TRUE },
    { .text = (char *) "#a", .display = (char *) "#a", .has_row = TRUE },
  };
  WwTokens tokens = { .n = N, .tokens = list };
  g_autofree char *csv = NULL;

  fixture->report.tokens = &tokens;
  csv = ww_nudge_report_to_csv (&fixture->report);

  g_assert_nonnull (strstr (csv, "\nraf,0,\",\","));
  g_assert_nonnull (strstr (csv, "\nraf,1,\"\"\"\","));
  g_assert_nonnull (strstr (csv, "\nraf,2,\"#a\","));
}

/* The word, how far it is gone to, and that this is beyond the ball; on one line, whatever the word is. */
static void
test_toward (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lines = NULL;
  g_autofree char *line = NULL;
  json_t *read = NULL;

  fixture->report.toward = "a\nb";
  fixture->report.amount = 0.25;
  fixture->provenance.radius = 0.75; /* ||delta|| / sqrt (d) is 0.7603 */
  lines = ww_nudge_report_to_lines (&fixture->report);
  g_assert_nonnull (strstr (lines, "\ndirection: toward “a\\nb”\npart of the way: 0.25\n"));
  g_assert_nonnull (strstr (lines, "\nleaves the ball: yes\n"));

  line = ww_nudge_report_to_json (&fixture->report);
  read = json_loads (line, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (read);
  g_assert_cmpstr (json_string_value (json_object_get (read, "direction")), ==, "toward “a\nb”");
  g_assert_cmpstr (json_string_value (json_object_get (read, "toward")), ==, "a\nb");
  g_assert_cmpfloat (json_number_value (json_object_get (read, "amount")), ==, 0.25);
  g_assert_cmpfloat_with_epsilon (json_number_value (json_object_get (read, "length")), sqrt (2.3125 / D), 1e-12);
  g_assert_true (json_is_true (json_object_get (read, "leaves_ball")));
  json_decref (read);

  /* A nudge on the sphere has not left the ball. */
  fixture->provenance.radius = sqrt (2.3125 / D) * (1 - 1e-12);
  g_assert_false (ww_nudge_report_leaves_ball (&fixture->report));
}

static void
test_heatmaps (Fixture *fixture, gconstpointer data)
{
  WwPlotStyle style;

  ww_plot_style_init (&style);
  for (WwNudgeView view = WW_NUDGE_VIEW_BEFORE; view <= WW_NUDGE_VIEW_DIFFERENCE; view++)
    {
      WwHeatmapLayout layout;
      gsize row = 9, column = 9;
      g_autoptr (WwScene) scene
        = ww_nudge_report_get_heatmap (&fixture->report, WW_MAP_RELU_RAF, view, 300, 250, &style, &layout);

      g_assert_nonnull (scene);
      g_assert_cmpuint (layout.rows, ==, N);
      g_assert_true (ww_heatmap_layout_pick (&layout, layout.left + layout.width * 0.9,
                                             layout.top + layout.height * 0.1, &row, &column));
      g_assert_cmpuint (row, ==, 0);
      g_assert_cmpuint (column, ==, N - 1);
    }
}

/* A range given is used, and is widened where the nudge goes beyond it. */
static void
test_heatmap_range (Fixture *fixture, gconstpointer data)
{
  static const double ends[] = { 0, 1e-6, 40 };
  char *svg[G_N_ELEMENTS (ends)];
  WwPlotStyle style;

  ww_plot_style_init (&style);
  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr (WwScene) scene = NULL;
      g_autoptr (GBytes) bytes = NULL;

      fixture->report.change_max[WW_MAP_SOFTMAX_RAF] = ends[i];
      scene = ww_nudge_report_get_heatmap (&fixture->report, WW_MAP_SOFTMAX_RAF, WW_NUDGE_VIEW_DIFFERENCE,
                                           300, 250, &style, NULL);
      bytes = ww_scene_to_bytes (scene, WW_FIGURE_FORMAT_SVG, 300, NULL, NULL, NULL);
      g_assert_nonnull (bytes);
      svg[i] = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    }

  g_assert_cmpstr (svg[0], ==, svg[1]);
  g_assert_null (strstr (svg[0], ">40<"));
  g_assert_nonnull (strstr (svg[2], ">40<"));
  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    g_free (svg[i]);
}

/* Trained attention is one more row of the page, of the table and of the data. */
static void
test_trained (Fixture *fixture, gconstpointer data)
{
  g_autofree char *without = ww_nudge_report_to_csv (&fixture->report);
  g_autofree char *csv = NULL, *line = NULL, *svg = NULL, *of_head = NULL, *json_of_head = NULL;
  g_autoptr (WwScene) heatmap = NULL;
  g_autoptr (WwScene) page = NULL;
  g_autoptr (GBytes) bytes = NULL;
  WwHeatmapLayout layout;
  WwPlotStyle style;
  json_t *read;

  g_assert_null (strstr (without, "trained"));
  fixture->report.trained_before = fixture->nudge->before[WW_MAP_SOFTMAX_RAF];
  fixture->report.trained_after = fixture->nudge->after[WW_MAP_RELU_RAF];
  fixture->report.trained_name = "Block 1, mean of 2 heads";
  fixture->report.trained_block = 1;
  fixture->report.trained_head = WW_HEAD_MEAN;
  csv = ww_nudge_report_to_csv (&fixture->report);
  g_assert_nonnull (strstr (csv, "\ntrained,2,3,,0,1,"));
  g_assert_nonnull (strstr (csv, "# trained attention: layer 1, mean of the heads\n"));
  line = ww_nudge_report_to_json (&fixture->report);
  read = json_loads (line, JSON_REJECT_DUPLICATES, NULL);
  g_assert_cmpuint (json_array_size (json_object_get (json_object_get (read, "trained"), "after")), ==, N);
  g_assert_cmpint (json_integer_value (json_object_get (json_object_get (read, "trained"), "layer")), ==, 1);
  g_assert_cmpstr (json_string_value (json_object_get (json_object_get (read, "trained"), "head")), ==, "mean");
  json_decref (read);

  /* A head is named as the command line takes it: people count from 1, it from 0. */
  fixture->report.trained_name = "Block 1, head 2";
  fixture->report.trained_head = 1;
  of_head = ww_nudge_report_to_csv (&fixture->report);
  g_assert_nonnull (strstr (of_head, "# trained attention: layer 1, head 1 (counted from 0)\n"));
  json_of_head = ww_nudge_report_to_json (&fixture->report);
  read = json_loads (json_of_head, JSON_REJECT_DUPLICATES, NULL);
  g_assert_cmpint (json_integer_value (json_object_get (json_object_get (read, "trained"), "head")), ==, 1);
  json_decref (read);
  fixture->report.trained_name = "Block 1, mean of 2 heads";
  fixture->report.trained_head = WW_HEAD_MEAN;

  ww_plot_style_init (&style);
  heatmap = ww_nudge_report_get_trained_heatmap (&fixture->report, WW_NUDGE_VIEW_AFTER, 300, 250, &style, &layout);
  g_assert_nonnull (heatmap);
  g_assert_cmpuint (layout.rows, ==, N);
  page = ww_nudge_report_get_scene (&fixture->report, 600, 700, &style);
  bytes = ww_scene_to_bytes (page, WW_FIGURE_FORMAT_SVG, 300, NULL, NULL, NULL);
  svg = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_nonnull (strstr (svg, "Block 1, mean of 2 heads, difference"));
}

static void
test_bars (Fixture *fixture, gconstpointer data)
{
  WwPlotStyle style;
  WwBarsLayout layout;
  g_autoptr (WwScene) scene = NULL;

  ww_plot_style_init (&style);
  scene = ww_nudge_report_get_bars (&fixture->report, 300, 150, &style, &layout);

  g_assert_nonnull (scene);
  g_assert_cmpuint (layout.n_bars, ==, N);
}

/* The page has a panel for each view of each map, and what made it. */
static void
test_page (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("ww-report-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "nudge.svg", NULL);
  g_autofree char *svg = NULL;
  g_autoptr (GError) error = NULL;
  WwReportOptions options;
  static const char *const titles[] = {
    "softmax-RAF, before", "softmax-RAF, after", "softmax-RAF, difference", "ReLU-RAF, before",
    "ReLU-RAF, after",     "ReLU-RAF, difference", "Feature change per token", "direction: random",
    "norm of the nudge: ", "effort: normal",
  };

  ww_report_options_init (&options, WW_REPORT_SVG);
  options.width_cm = 18;
  options.height_cm = 16;
  g_assert_true (ww_nudge_report_write (&fixture->report, path, &options, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (titles); i++)
    g_assert_nonnull (strstr (svg, titles[i]));
  g_remove (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/nudge-report/json", Fixture, NULL, set_up, test_json, tear_down);
  g_test_add ("/nudge-report/csv", Fixture, NULL, set_up, test_csv, tear_down);
  g_test_add ("/nudge-report/csv-quotes", Fixture, NULL, set_up, test_csv_quotes, tear_down);
  g_test_add ("/nudge-report/toward", Fixture, NULL, set_up, test_toward, tear_down);
  g_test_add ("/nudge-report/heatmaps", Fixture, NULL, set_up, test_heatmaps, tear_down);
  g_test_add ("/nudge-report/heatmap-range", Fixture, NULL, set_up, test_heatmap_range, tear_down);
  g_test_add ("/nudge-report/trained", Fixture, NULL, set_up, test_trained, tear_down);
  g_test_add ("/nudge-report/bars", Fixture, NULL, set_up, test_bars, tear_down);
  g_test_add ("/nudge-report/page", Fixture, NULL, set_up, test_page, tear_down);

  return g_test_run ();
}

/* The window: pages, actions, states, undo, settings, files, names for a screen reader. */
#include <glib/gstdio.h>

#include "app-fixture.h"
#include "ww-window-private.h"
#include "ww-curve-view.h"
#include "ww-token-strip.h"

/* ---- Pages and what is drawn at the first start ---- */

static void
test_first_start (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);

  g_assert_cmpstr (ww_window_get_page (fixture->window), ==, "curves");
  fixture_finish_curve (fixture);
  g_assert_true (ww_curves_page_shows_figure (page));
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->n_points, ==, 3 * 3 * 2);
  WAIT_FOR (ww_figure_view_get_n_drawn (WW_FIGURE_VIEW (ww_curves_page_get_view (page))) > 0);
  g_assert_false (ww_session_get_can_undo (fixture->session));
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.page", "s",
                                             "perturb"));
  g_assert_cmpstr (ww_window_get_page (fixture->window), ==, "perturb");
  g_assert_true (ww_session_get_inputs (fixture->session) != NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.page", "s", "curves");
  g_assert_cmpstr (ww_window_get_page (fixture->window), ==, "curves");
}

static void
test_sidebar (Fixture *fixture, gconstpointer data)
{
  gboolean shown;

  fixture_activate (fixture, "win.sidebar");
  g_object_get (ww_window_get_curves_page (fixture->window), "sidebar", &shown, NULL);
  g_assert_false (shown);
  g_object_get (ww_window_get_perturb_page (fixture->window), "sidebar", &shown, NULL);
  g_assert_false (shown);
  g_assert_false (g_settings_get_boolean (fixture->settings, "sidebar"));
}

/* ---- States ---- */

static void
test_states (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);

  ww_window_open_remembered_set (fixture->window);
  WAIT_FOR (g_str_has_prefix (ww_curves_page_get_state_words (page), "Done: 18 points"));

  g_object_set (fixture->session, "trials", 1000u, NULL);
  WAIT_FOR (g_str_has_prefix (ww_curves_page_get_state_words (page), "Working"));
  g_assert_true (gtk_widget_get_visible (find_widget (page, "cancel_button")));
  WAIT_FOR (ww_session_get_curve (fixture->session)->n_points > 18);
  fixture_activate (fixture, "win.cancel");
  WAIT_FOR (g_str_has_prefix (ww_curves_page_get_state_words (page), "Stopped"));
  g_assert_true (ww_curves_page_shows_figure (page));

  g_object_set (fixture->session, "trials", 1u, NULL);
  WAIT_FOR (g_str_has_prefix (ww_curves_page_get_state_words (page), "Done: 9 points"));
  fixture_activate (fixture, "win.restart");
  WAIT_FOR (g_str_has_prefix (ww_curves_page_get_state_words (page), "Done: 9 points"));
}

static void
test_empty_text (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);

  ww_session_set_text (fixture->session, "");
  ww_window_open_remembered_set (fixture->window);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_EMPTY
            && ww_session_get_set_state (fixture->session) == WW_STATE_DONE
            && ww_session_get_curve_message (fixture->session) != NULL);
  g_assert_false (ww_curves_page_shows_figure (page));
  g_assert_cmpstr (adw_status_page_get_title (find_widget (page, "status")), ==,
                   "Nothing to Measure");
  g_assert_nonnull (adw_status_page_get_description (find_widget (page, "status")));

  fixture_activate (fixture, "win.start-over");
  WAIT_FOR (ww_curves_page_shows_figure (page));
}

static void
test_bad_set (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "bad.npy", "\x93NUMPY nothing more");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *remembered = NULL;
  WwSet *before;

  fixture_finish_curve (fixture);
  before = ww_session_get_set (fixture->session);
  ww_window_open_file (fixture->window, file);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_FAILED);
  g_assert_nonnull (strstr (ww_session_get_set_message (fixture->session), "bad.npy"));
  /* The old set stays, and with it the figure. */
  g_assert_true (ww_session_get_set (fixture->session) == before);
  g_assert_true (
    ww_curves_page_shows_figure (ww_window_get_curves_page (fixture->window)));
  remembered = g_settings_get_string (fixture->settings, "set-uri");
  g_assert_cmpstr (remembered, ==, "");
}

/* ---- Undo ---- */

static void
test_undo (Fixture *fixture, gconstpointer data)
{
  GtkSpinButton *trials = find_widget (fixture->window, "trials_spin");

  gtk_spin_button_set_value (trials, 7);
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->trials, ==, 7);
  g_assert_true (ww_session_get_can_undo (fixture->session));
  fixture_activate (fixture, "win.undo");
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->trials, ==, 2);
  g_assert_cmpfloat (gtk_spin_button_get_value (trials), ==, 2);
  fixture_activate (fixture, "win.redo");
  g_assert_cmpfloat (gtk_spin_button_get_value (trials), ==, 7);
}

/* What is typed into a number's entry, as if Return were pressed behind it. */
static void
type (gpointer entry, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  if (GTK_IS_SPIN_BUTTON (entry))
    gtk_spin_button_update (entry);
  else
    g_signal_emit_by_name (entry, "activate");
}

/* What is no number in range gives way to the number that there was. */
static void
test_junk_numbers (Fixture *fixture, gconstpointer data)
{
  static const char *const spins[]
    = { "n_min_spin", "n_max_spin", "n_points_spin", "trials_spin", "radius_spin", "depth_spin" };
  static const char *const junk[] = { "abc", "12abc", "", " ", "-5", "99999999999", "1e400", "nan", "0x" };

  for (guint i = 0; i < G_N_ELEMENTS (spins); i++)
    for (guint k = 0; k < G_N_ELEMENTS (junk); k++)
      {
        GtkSpinButton *spin = find_widget (fixture->window, spins[i]);
        double before = gtk_spin_button_get_value (spin);
        g_autofree char *shown = g_strdup (gtk_editable_get_text (GTK_EDITABLE (spin)));

        type (spin, junk[k]);
        g_test_message ("%s: “%s”", spins[i], junk[k]);
        g_assert_cmpfloat (gtk_spin_button_get_value (spin), ==, before);
        g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, shown);
      }
}

/* The shortest is never above the longest, and both are shown as they are. */
static void
test_from_and_to (Fixture *fixture, gconstpointer data)
{
  GtkSpinButton *from = find_widget (fixture->window, "n_min_spin");
  GtkSpinButton *to = find_widget (fixture->window, "n_max_spin");

  type (from, "400");
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->n_max, ==, 400);
  g_assert_cmpfloat (gtk_spin_button_get_value (to), ==, 400);
  type (to, "2");
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->n_min, ==, 2);
  g_assert_cmpfloat (gtk_spin_button_get_value (from), ==, 2);
  type (to, "50");
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->n_min, ==, 2);
}

/* All 64 bits, to the last digit, on both pages and in the settings. */
static void
test_seeds (Fixture *fixture, gconstpointer data)
{
  static const guint64 seeds[] = { 0, 1, G_GUINT64_CONSTANT (9007199254740993), G_MAXUINT64, G_MAXUINT64 - 1 };
  static const char *const junk[] = { "abc", "", "-1", "1.5", "18446744073709551616", "1e3" };
  GtkEntry *entry = find_widget (fixture->window, "seed_entry");

  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, seeds[i]);

      type (entry, text);
      g_assert_cmpuint (ww_session_get_inputs (fixture->session)->seed, ==, seeds[i]);
      g_assert_cmpuint (g_settings_get_uint64 (fixture->settings, "seed"), ==, seeds[i]);
      for (guint k = 0; k < G_N_ELEMENTS (junk); k++)
        {
          type (entry, junk[k]);
          g_assert_cmpuint (ww_session_get_inputs (fixture->session)->seed, ==, seeds[i]);
          g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, text);
        }
    }
}

static guint
count_toasts (gpointer root)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += (g_str_equal (G_OBJECT_TYPE_NAME (child), "AdwToastWidget") ? 1 : 0) + count_toasts (child);
  return n;
}

/* One message at a time, with all that is known about it; the next success takes it away. */
static void
test_messages (Fixture *fixture, gconstpointer data)
{
  g_autofree char *bad = fixture_write_file (fixture, "bad.txt", "one\ntwo \a");
  g_autofree char *worse = fixture_write_file (fixture, "worse.txt", "\xff");
  g_autofree char *good = fixture_write_file (fixture, "good.txt", "We like it.");
  g_autoptr (GFile) bad_file = g_file_new_for_path (bad);
  g_autoptr (GFile) worse_file = g_file_new_for_path (worse);
  g_autoptr (GFile) good_file = g_file_new_for_path (good);
  WwWindow *window = fixture->window;

  ww_window_open_text_file (window, bad_file);
  WAIT_FOR (window->toast != NULL);
  g_assert_nonnull (strstr (adw_toast_get_title (window->toast), "bad.txt"));
  g_assert_nonnull (strstr (window->toast_details, "line 2 (byte 8): found 0x07"));
  g_assert_cmpuint (adw_toast_get_timeout (window->toast), >, 0);
  ww_window_open_text_file (window, worse_file);
  WAIT_FOR (window->toast != NULL && strstr (adw_toast_get_title (window->toast), "worse.txt") != NULL);
  WAIT_FOR (count_toasts (window) == 1);
  ww_window_open_text_file (window, good_file);
  WAIT_FOR (window->toast == NULL);
  WAIT_FOR (count_toasts (window) == 0);
}

static void
test_new_seed (Fixture *fixture, gconstpointer data)
{
  guint64 seed = ww_session_get_inputs (fixture->session)->seed;

  for (int i = 0; i < 3 && ww_session_get_inputs (fixture->session)->seed == seed; i++)
    fixture_activate (fixture, "win.new-seed");
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->seed, !=, seed);
  g_assert_cmpuint (g_ascii_strtoull (gtk_editable_get_text (find_widget (fixture->window, "seed_entry")), NULL, 10),
                    ==, ww_session_get_inputs (fixture->session)->seed);
}

/* ---- Controls reach the session ---- */

static void
test_controls (Fixture *fixture, gconstpointer data)
{
  const WwInputs *inputs;
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);

  fixture_finish_curve (fixture);
  gtk_spin_button_set_value (find_widget (page, "n_min_spin"), 5);
  gtk_spin_button_set_value (find_widget (page, "n_max_spin"), 9);
  gtk_spin_button_set_value (find_widget (page, "n_points_spin"), 2);
  gtk_spin_button_set_value (find_widget (page, "radius_spin"), 0.5);
  gtk_spin_button_set_value (find_widget (page, "dims_spin"), 64);
  adw_combo_row_set_selected (find_widget (page, "token_row"), 1);
  adw_combo_row_set_selected (find_widget (page, "effort_row"), 1);
  adw_combo_row_set_selected (find_widget (page, "features_row"), 4);
  adw_combo_row_set_selected (find_widget (page, "normalisation_row"), 2);
  gtk_switch_set_active (find_widget (page, "special_switch"), FALSE);
  inputs = ww_session_get_inputs (fixture->session);
  g_assert_cmpuint (inputs->n_min, ==, 5);
  g_assert_cmpuint (inputs->n_max, ==, 9);
  g_assert_cmpuint (inputs->n_points, ==, 2);
  g_assert_cmpfloat (inputs->radius, ==, 0.5);
  g_assert_cmpuint (inputs->dims, ==, 64);
  g_assert_true (inputs->token_all);
  g_assert_cmpuint (inputs->effort, ==, WW_EFFORT_NORMAL);
  g_assert_cmpuint (inputs->features, ==, 0);
  g_assert_cmpuint (inputs->normalisation, ==, WW_NORMALISATION_CENTRE);
  g_assert_false (inputs->special);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->points[0].d, ==, 64);
}

static void
test_text_editor (Fixture *fixture, gconstpointer data)
{
  GtkTextBuffer *buffer
    = gtk_text_view_get_buffer (find_widget (fixture->window, "text_view"));
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  gtk_text_buffer_set_text (buffer, "The cat sat on the mat.", -1);
  g_assert_cmpstr (ww_session_get_text (fixture->session), ==, "The cat sat on the mat.");
  ww_session_set_text (fixture->session, "A dog.");
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_assert_cmpstr (text, ==, "A dog.");
}

static void
test_examples (Fixture *fixture, gconstpointer data)
{
  gsize n;
  const WwExampleText *examples = ww_example_texts_get (&n);

  g_assert_cmpuint (n, >=, 3);
  for (gsize i = 0; i < n; i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.example", "s",
                                  examples[i].id);
      g_assert_cmpstr (ww_session_get_text (fixture->session), ==, examples[i].text);
    }
}

/* ---- Files ---- */

static void
test_open_text (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path
    = fixture_write_file (fixture, "note.txt", "A short note about the sea.\n");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ww_window_open_file (fixture->window, file);
  WAIT_FOR (g_strcmp0 (ww_session_get_text (fixture->session), "A short note about the sea.\n")
            == 0);
}

static void
test_open_set (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "words.txt",
                                              "the 1 0 0.5\ncat 0 1 0.25\nsat 0.5 0.5 1\n"
                                              "on 1 1 0\nmat 0.2 0.3 0.4\n");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *uri = g_file_get_uri (file);
  g_autofree char *remembered = NULL;

  ww_session_set_text (fixture->session, "the cat sat on the mat");
  ww_window_open_file (fixture->window, file);
  fixture_confirm_preview ();
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 3);
  remembered = g_settings_get_string (fixture->settings, "set-uri");
  g_assert_cmpstr (remembered, ==, uri);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
}

static void
test_drop (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "dropped.txt", "Dropped from a folder.");

  g_assert_true (fixture_drop (fixture, path));
  WAIT_FOR (g_strcmp0 (ww_session_get_text (fixture->session), "Dropped from a folder.") == 0);
}

static void
test_open_from_command_line (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "given.txt", "Given on the command line.");
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_application_open (G_APPLICATION (fixture->application), &file, 1, "");
  /* The window that is there takes it: no second one. */
  g_assert_cmpuint (
    g_list_length (gtk_application_get_windows (GTK_APPLICATION (fixture->application))), ==, 1);
  WAIT_FOR (g_strcmp0 (ww_session_get_text (fixture->session), "Given on the command line.")
            == 0);
}

/* ---- Help ---- */

static void
test_about (Fixture *fixture, gconstpointer data)
{
  GtkWindow *window;

  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "about", NULL);
  window = find_window (ADW_TYPE_ABOUT_WINDOW);
  g_assert_nonnull (window);
  g_assert_cmpstr (adw_about_window_get_version (ADW_ABOUT_WINDOW (window)), ==, WW_VERSION);
  gtk_window_destroy (window);
}

/* A warning of GTK ends a test, as one of numbers of pages of negative width. */
static void
show_shortcuts (Fixture *fixture)
{
  GtkShortcutsWindow *shortcuts
    = gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (fixture->window));

  g_assert_nonnull (shortcuts);
  fixture_activate (fixture, "win.show-help-overlay");
  WAIT_FOR (gtk_widget_get_height (GTK_WIDGET (shortcuts)) > 0);
  gtk_window_close (GTK_WINDOW (shortcuts));
  WAIT_FOR (!gtk_widget_get_mapped (GTK_WIDGET (shortcuts)));
}

static void
test_shortcuts (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) actions
    = gtk_application_list_action_descriptions (GTK_APPLICATION (fixture->application));

  show_shortcuts (fixture);
  g_assert_cmpuint (g_strv_length (actions), >=, 13);
  fixture_activate (fixture, "win.edit-text");
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window))
                 == GTK_WIDGET (find_widget (fixture->window, "text_view")));
}

/* ---- Settings ---- */

static void
test_settings (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);
  WwWindow *second;
  guint view;
  gboolean y_log;

  gtk_spin_button_set_value (find_widget (page, "trials_spin"), 3);
  ww_session_set_text (fixture->session, "Remember me.");
  g_object_set (page, "y-log", TRUE, "hidden", 2u, NULL);
  g_object_set (ww_window_get_perturb_page (fixture->window), "view", 1u, NULL);
  ww_window_set_page (fixture->window, "perturb");
  gtk_window_destroy (GTK_WINDOW (fixture->window));

  second = ww_window_new (GTK_APPLICATION (fixture->application), fixture->settings);
  g_assert_cmpuint (ww_session_get_inputs (ww_window_get_session (second))->trials, ==, 3);
  g_assert_cmpstr (ww_session_get_text (ww_window_get_session (second)), ==, "Remember me.");
  g_assert_cmpstr (ww_window_get_page (second), ==, "perturb");
  g_object_get (ww_window_get_perturb_page (second), "view", &view, NULL);
  g_assert_cmpuint (view, ==, 1);
  g_object_get (ww_window_get_curves_page (second), "y-log", &y_log, "hidden", &view, NULL);
  g_assert_true (y_log);
  g_assert_cmpuint (view, ==, 2);
  g_assert_false (ww_session_get_can_undo (ww_window_get_session (second)));
  fixture->window = second;
}

static void
test_color_scheme (Fixture *fixture, gconstpointer data)
{
  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "color-scheme",
                                  g_variant_new_string ("dark"));
  g_assert_true (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "color-scheme",
                                  g_variant_new_string ("light"));
  g_assert_false (adw_style_manager_get_dark (adw_style_manager_get_default ()));
  g_action_group_activate_action (G_ACTION_GROUP (fixture->application), "color-scheme",
                                  g_variant_new_string ("system"));
}

/* ---- Leaving ---- */

static void
test_destroy_while_working (Fixture *fixture, gconstpointer data)
{
  WwSession *session = fixture->session;
  gint64 until;

  g_object_set (session, "trials", 1000u, "n-max", 200u, NULL);
  ww_window_open_remembered_set (fixture->window);
  WAIT_FOR (ww_session_get_curve_state (session) == WW_STATE_WORKING
            && ww_session_get_curve (session) != NULL);
  g_object_add_weak_pointer (G_OBJECT (session), (gpointer *) &session);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  fixture->window = NULL;
  WAIT_FOR (session == NULL);
  /* A late callback would meet freed memory here. */
  for (until = g_get_monotonic_time () + G_USEC_PER_SEC / 5; g_get_monotonic_time () < until;)
    wait_a_little ();
}

/* ---- Names ---- */

static gboolean
is_named (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  return gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL)
         || gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static gboolean
needs_name (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget) || GTK_IS_SPIN_BUTTON (widget)
         || GTK_IS_SWITCH (widget) || GTK_IS_SCALE (widget) || GTK_IS_TEXT_VIEW (widget)
         || WW_IS_FIGURE_VIEW (widget) || WW_IS_TOKEN_STRIP (widget);
}

/* Parts that GTK or libadwaita made inside their own widgets are theirs to name. */
static gboolean
is_ours (GtkWidget *widget)
{
  return gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)) != NULL
         || WW_IS_FIGURE_VIEW (widget);
}

static guint
check_names (GtkWidget *widget)
{
  guint n = 0;

  if (needs_name (widget) && is_ours (widget))
    {
      if (!is_named (widget))
        g_error ("%s %s has no accessible name", G_OBJECT_TYPE_NAME (widget),
                 gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)));
      n++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += check_names (child);
  return n;
}

static void
test_names (Fixture *fixture, gconstpointer data)
{
  fixture_finish_nudge (fixture);
  g_assert_cmpuint (check_names (GTK_WIDGET (fixture->window)), >, 30);
}

static void
test_icons (Fixture *fixture, gconstpointer data)
{
  GtkIconTheme *theme
    = gtk_icon_theme_get_for_display (gtk_widget_get_display (GTK_WIDGET (fixture->window)));
  static const char *const more[] = { "org.wordsway.Wordsway", "object-select-symbolic",
                                      "media-playback-start-symbolic",
                                      "media-playback-stop-symbolic", "dialog-warning-symbolic",
                                      "document-open-symbolic", "format-text-plaintext-symbolic",
                                      "ww-curves-symbolic", "ww-perturb-symbolic",
                                      "ww-dice-symbolic" };
  GtkImage *image;

  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    if (!gtk_icon_theme_has_icon (theme, more[i]))
      g_error ("the icon %s does not exist", more[i]);
  for (guint i = 0; (image = find_by_type (fixture->window, GTK_TYPE_IMAGE, i)) != NULL; i++)
    if (gtk_image_get_icon_name (image) != NULL
        && !gtk_icon_theme_has_icon (theme, gtk_image_get_icon_name (image)))
      g_error ("the icon %s does not exist", gtk_image_get_icon_name (image));
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;
  ADD_TEST ("/window/first-start", test_first_start);
  ADD_TEST ("/window/pages", test_pages);
  ADD_TEST ("/window/sidebar", test_sidebar);
  ADD_TEST ("/window/states", test_states);
  ADD_TEST ("/window/empty-text", test_empty_text);
  ADD_TEST ("/window/bad-set", test_bad_set);
  ADD_TEST ("/window/undo", test_undo);
  ADD_TEST ("/window/messages", test_messages);
  ADD_TEST ("/window/new-seed", test_new_seed);
  ADD_TEST ("/window/junk-numbers", test_junk_numbers);
  ADD_TEST ("/window/from-and-to", test_from_and_to);
  ADD_TEST ("/window/seeds", test_seeds);
  ADD_TEST ("/window/controls", test_controls);
  ADD_TEST ("/window/text-editor", test_text_editor);
  ADD_TEST ("/window/examples", test_examples);
  ADD_TEST ("/window/open-text", test_open_text);
  ADD_TEST ("/window/open-set", test_open_set);
  ADD_TEST ("/window/drop", test_drop);
  ADD_TEST ("/window/command-line", test_open_from_command_line);
  ADD_TEST ("/window/about", test_about);
  ADD_TEST ("/window/shortcuts", test_shortcuts);
  ADD_TEST ("/window/settings", test_settings);
  ADD_TEST ("/window/color-scheme", test_color_scheme);
  ADD_TEST ("/window/destroy-while-working", test_destroy_while_working);
  ADD_TEST ("/window/names", test_names);
  ADD_TEST ("/window/icons", test_icons);
  return g_test_run ();
}

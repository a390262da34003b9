/* Keys: one letter for one thing, and every shortcut where a person looks for it. */
#include "app-fixture.h"

#include <string.h>

#include "ww-export-dialog.h"
#include "ww-window-private.h"

/* ---- Mnemonics: letter -> what has it, in one place ---- */

static void
add_mnemonic (GHashTable *letters, guint letter, const char *label)
{
  const char *other = g_hash_table_lookup (letters, GUINT_TO_POINTER (letter));

  /* A switcher has its label twice, for wide and for narrow. */
  if (other != NULL && !g_str_equal (other, label))
    g_error ("“%s” and “%s” have one mnemonic", other, label);
  g_hash_table_insert (letters, GUINT_TO_POINTER (letter), g_strdup (label));
}

static GHashTable *
make_letters (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

/* Whether they are seen at the moment or not: controls come and go. */
static void
walk_widgets (GtkWidget *widget, GHashTable *letters)
{
  /* Its letters count while it is open, and then alone. */
  if (GTK_IS_POPOVER (widget))
    return;
  if (GTK_IS_LABEL (widget)
      && gtk_label_get_mnemonic_keyval (GTK_LABEL (widget)) != GDK_KEY_VoidSymbol)
    add_mnemonic (letters, gdk_keyval_to_lower (gtk_label_get_mnemonic_keyval (GTK_LABEL (widget))),
                  gtk_label_get_label (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    walk_widgets (child, letters);
}

static void
test_mnemonics_of_pages (Fixture *fixture, gconstpointer data)
{
  GtkWidget *pages[] = { GTK_WIDGET (ww_window_get_curves_page (fixture->window)),
                         GTK_WIDGET (ww_window_get_perturb_page (fixture->window)) };

  fixture_finish_nudge (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autoptr (GHashTable) letters = make_letters ();

      walk_widgets (find_widget (fixture->window, "header"), letters);
      walk_widgets (pages[i], letters);
      g_assert_cmpuint (g_hash_table_size (letters), >, 6);
    }
}

static void
walk_menu (GMenuModel *menu, GHashTable *letters)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *label = NULL;
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) submenu = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);

      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label))
        {
          const char *line = strchr (label, '_');

          if (line == NULL)
            g_error ("the menu item “%s” has no mnemonic", label);
          add_mnemonic (letters, g_unichar_tolower (g_utf8_get_char (line + 1)), label);
        }
      if (section != NULL)
        walk_menu (section, letters);
      if (submenu != NULL)
        {
          g_autoptr (GHashTable) own = make_letters ();

          walk_menu (submenu, own);
        }
    }
}

static void
test_mnemonics_of_the_menu (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) letters = make_letters ();

  walk_menu (gtk_menu_button_get_menu_model (find_widget (fixture->window, "menu_button")), letters);
  g_assert_cmpuint (g_hash_table_size (letters), >, 8);
}

/* Dialogs, as their templates have them. */
static void
test_mnemonics_of_dialogs (Fixture *fixture, gconstpointer data)
{
  static const char *const dialogs[] = { "ww-export-dialog.ui", "ww-preview-dialog.ui" };

  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      g_autofree char *path = g_strconcat ("/org/wordsway/Wordsway/ui/", dialogs[i], NULL);
      g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
      g_autoptr (GRegex) regex = g_regex_new ("translatable=\"(?:yes|1)\"[^>]*>([^<]*_[^<]*)<", 0, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;
      g_autoptr (GHashTable) letters = make_letters ();

      g_assert_nonnull (bytes);
      for (g_regex_match (regex, g_bytes_get_data (bytes, NULL), 0, &match); g_match_info_matches (match);
           g_match_info_next (match, NULL))
        {
          g_autofree char *label = g_match_info_fetch (match, 1);

          add_mnemonic (letters, g_unichar_tolower (g_utf8_get_char (strchr (label, '_') + 1)), label);
        }
      g_assert_cmpuint (g_hash_table_size (letters), >, 1);
    }
}

/* ---- Shortcuts ---- */

static gboolean
is_in_overlay (const char *accel)
{
  g_autoptr (GBytes) bytes = g_resources_lookup_data (
    "/org/wordsway/Wordsway/gtk/help-overlay.ui", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GRegex) regex = g_regex_new ("\"accelerator\">([^<]*)<", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  GdkModifierType mods, other_mods;
  guint key, other_key;

  g_assert_true (gtk_accelerator_parse (accel, &key, &mods));
  for (g_regex_match (regex, g_bytes_get_data (bytes, NULL), 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL))
    {
      g_autofree char *escaped = g_match_info_fetch (match, 1);
      g_autoptr (GString) text = g_string_new (escaped);
      g_auto (GStrv) accels = NULL;

      g_string_replace (text, "&lt;", "<", 0);
      g_string_replace (text, "&gt;", ">", 0);
      accels = g_strsplit (text->str, " ", -1);
      for (guint i = 0; accels[i] != NULL; i++)
        if (gtk_accelerator_parse (accels[i], &other_key, &other_mods) && other_key == key
            && other_mods == mods)
          return TRUE;
    }
  return FALSE;
}

static void
test_shortcuts_are_listed (Fixture *fixture, gconstpointer data)
{
  GtkApplication *application = GTK_APPLICATION (fixture->application);
  g_auto (GStrv) actions = gtk_application_list_action_descriptions (application);
  guint n = 0;

  for (guint i = 0; actions[i] != NULL; i++)
    {
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, actions[i]);

      for (guint a = 0; accels[a] != NULL; a++)
        {
          if (!is_in_overlay (accels[a]))
            g_error ("%s (%s) is not among the shortcuts", accels[a], actions[i]);
          n++;
        }
    }
  g_assert_cmpuint (n, >, 10);
}

/* F11 fills the screen with the page, and is in the menu, too. */
static void
test_full_screen (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) accels = gtk_application_get_accels_for_action (
    GTK_APPLICATION (fixture->application), "win.fullscreen");

  g_assert_cmpstr (accels[0], ==, "F11");
  fixture_activate (fixture, "win.fullscreen");
  fixture_finish_curve (fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)));
  gtk_window_unfullscreen (GTK_WINDOW (fixture->window));
}

/* ---- Tab ---- */

/* All that Tab comes to, until it has come round. */
static GHashTable *
walk_by_tab (GtkWindow *window)
{
  GHashTable *visited = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < 500; i++)
    {
      GtkWidget *focus;

      g_signal_emit_by_name (window, "move-focus", GTK_DIR_TAB_FORWARD);
      focus = gtk_window_get_focus (window);
      /* Past the last one there may be none, before it begins again. */
      if (focus != NULL && !g_hash_table_add (visited, focus))
        return visited;
    }
  g_error ("Tab does not come round");
}

static gboolean
is_control (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) || GTK_IS_TEXT (widget) || GTK_IS_TEXT_VIEW (widget) || GTK_IS_SWITCH (widget)
         || GTK_IS_CHECK_BUTTON (widget) || GTK_IS_RANGE (widget) || ADW_IS_COMBO_ROW (widget);
}

/* What can take the focus, and is seen, but was never come to. */
static void
check_visited (GtkWidget *widget, GHashTable *visited)
{
  if (!gtk_widget_get_mapped (widget) || !gtk_widget_is_sensitive (widget) || GTK_IS_POPOVER (widget))
    return;
  if (!gtk_widget_get_can_focus (widget))
    return;
  if (is_control (widget) && gtk_widget_get_focusable (widget) && !g_hash_table_contains (visited, widget))
    g_error ("Tab does not come to %s %s", G_OBJECT_TYPE_NAME (widget),
             gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_visited (child, visited);
}

static void
check_tab (gpointer window)
{
  g_autoptr (GHashTable) visited = walk_by_tab (window);

  g_assert_cmpuint (g_hash_table_size (visited), >, 4);
  check_visited (window, visited);
}

/* Enter at a choice opens its list, not what the dialog is there for. */
static void
check_enter (gpointer dialog, const char *name)
{
  GtkWidget *row = find_widget (dialog, name), *list;

  gtk_widget_grab_focus (row);
  g_signal_emit_by_name (dialog, "activate-default");
  WAIT_FOR ((list = find_open_list (row)) != NULL);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (dialog)));
  gtk_popover_popdown (GTK_POPOVER (list));
  WAIT_FOR (find_open_list (row) == NULL);
}

static void
test_tab (Fixture *fixture, gconstpointer data)
{
  fixture_finish_curve (fixture);
  check_tab (fixture->window);
  fixture_finish_nudge (fixture);
  check_tab (fixture->window);
  g_object_set (fixture->session, "swap-active", TRUE, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) == WW_STATE_DONE);
  check_tab (fixture->window);
  fixture_activate (fixture, "win.export");
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) != NULL
            && gtk_widget_get_mapped (find_window (WW_TYPE_EXPORT_DIALOG)));
  check_tab (find_window (WW_TYPE_EXPORT_DIALOG));
  check_enter (find_window (WW_TYPE_EXPORT_DIALOG), "format_row");
  gtk_window_close (find_window (WW_TYPE_EXPORT_DIALOG));
}

static gboolean
has_focus (gpointer window, const char *id)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  return focus != NULL
         && (focus == find_widget (window, id) || gtk_widget_is_ancestor (focus, find_widget (window, id)));
}

/* A preview begins at its answer, keeps the place of who chooses, and gives the window its own back. */
static void
test_focus_of_previews (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path
    = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "made", "folders", "usual", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WwPreviewDialog *dialog;
  GtkWidget *row;

  fixture_finish_curve (fixture);
  gtk_widget_grab_focus (find_widget (fixture->window, "trials_spin"));
  ww_window_open_file (fixture->window, file);
  WAIT_FOR ((dialog = fixture_find_preview ()) != NULL && ww_preview_dialog_get_state (dialog) == WW_STATE_DONE
            && gtk_widget_get_mapped (GTK_WIDGET (dialog)));
  WAIT_FOR (has_focus (dialog, "open_button"));
  check_tab (dialog);
  row = find_widget (dialog, "list_row");
  gtk_widget_grab_focus (row);
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), 1);
  WAIT_FOR (ww_preview_dialog_get_state (dialog) == WW_STATE_DONE);
  g_assert_true (has_focus (dialog, "list_row"));
  check_enter (dialog, "list_row");
  gtk_window_close (GTK_WINDOW (dialog));
  WAIT_FOR (fixture_find_preview () == NULL);
  g_assert_true (has_focus (fixture->window, "trials_spin"));
}

static gboolean
is_focus_in (Fixture *fixture, gpointer part)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  return focus != NULL && gtk_widget_get_mapped (focus) && gtk_widget_is_sensitive (focus)
         && !GTK_IS_SCROLLED_WINDOW (focus) && (focus == part || gtk_widget_is_ancestor (focus, part));
}

/* Whatever goes away with the focus leaves it at something that is seen. */
static void
test_focus_stays (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *curves = ww_window_get_curves_page (fixture->window);
  GtkWidget *panel = find_widget (curves, "source_panel"), *cancel = find_widget (curves, "cancel_button");
  g_autofree char *path
    = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints", "gpt2", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  fixture_finish_nudge (fixture);
  ww_window_set_page (fixture->window, "curves");
  g_assert_true (gtk_widget_grab_focus (find_widget (curves, "special_row")));
  ww_window_set_page (fixture->window, "perturb");
  WAIT_FOR (is_focus_in (fixture, ww_window_get_perturb_page (fixture->window)));
  ww_window_set_page (fixture->window, "curves");
  WAIT_FOR (is_focus_in (fixture, find_widget (curves, "special_row")));

  /* A button that vanishes as it is pressed. */
  g_object_set (fixture->session, "trials", 1000u, NULL);
  WAIT_FOR (gtk_widget_get_mapped (cancel));
  g_assert_true (gtk_widget_grab_focus (cancel));
  fixture_activate (fixture, "win.cancel");
  WAIT_FOR (is_focus_in (fixture, find_widget (curves, "restart_button")));
  /* One that has done all it can. */
  g_assert_true (gtk_widget_grab_focus (find_widget (fixture->window, "undo_button")));
  while (ww_session_get_can_undo (fixture->session))
    fixture_activate (fixture, "win.undo");
  WAIT_FOR (is_focus_in (fixture, find_widget (fixture->window, "redo_button")));
  /* A message that goes. */
  ww_window_show_toast (fixture->window, "Something to read", "And more of it.");
  check_tab (fixture->window);
  ww_window_dismiss_toast (fixture->window);
  WAIT_FOR (is_focus_in (fixture, fixture->window));
  /* A set without what the focus is at, and the one before it. */
  g_assert_true (gtk_widget_grab_focus (find_widget (panel, "special_switch")));
  ww_window_open_file (fixture->window, file);
  WAIT_FOR (!gtk_widget_get_visible (find_widget (panel, "special_switch")) && is_focus_in (fixture, panel));
  g_assert_true (gtk_widget_grab_focus (find_widget (panel, "sample_button")));
  fixture_activate (fixture, "win.open-sample");
  WAIT_FOR (!gtk_widget_get_visible (find_widget (panel, "sample_button")) && is_focus_in (fixture, panel));
  /* The controls, put away. */
  g_assert_true (gtk_widget_grab_focus (find_widget (curves, "trials_spin")));
  fixture_activate (fixture, "win.sidebar");
  WAIT_FOR (is_focus_in (fixture, fixture->window) && !is_focus_in (fixture, find_widget (curves, "sidebar")));
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;

  ADD_TEST ("/keys/mnemonics-of-pages", test_mnemonics_of_pages);
  ADD_TEST ("/keys/mnemonics-of-the-menu", test_mnemonics_of_the_menu);
  ADD_TEST ("/keys/mnemonics-of-dialogs", test_mnemonics_of_dialogs);
  ADD_TEST ("/keys/shortcuts-are-listed", test_shortcuts_are_listed);
  ADD_TEST ("/keys/tab", test_tab);
  ADD_TEST ("/keys/focus-of-previews", test_focus_of_previews);
  ADD_TEST ("/keys/focus-stays", test_focus_stays);
  ADD_TEST ("/keys/full-screen", test_full_screen);
  return g_test_run ();
}

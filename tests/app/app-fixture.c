#include "app-fixture.h"

#include <glib/gstdio.h>
#include <locale.h>

static gboolean
on_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* A source that fires keeps the loop from sleeping past the deadline. */
void
wait_a_little (void)
{
  guint source = g_timeout_add (10, on_tick, NULL);

  g_main_context_iteration (NULL, TRUE);
  g_source_remove (source);
}

static void
make_work_small (Fixture *fixture)
{
  g_settings_set_uint (fixture->settings, "n-min", 4);
  g_settings_set_uint (fixture->settings, "n-max", 12);
  g_settings_set_uint (fixture->settings, "n-points", 3);
  g_settings_set_uint (fixture->settings, "trials", 2);
  g_settings_set_uint (fixture->settings, "features", 1024);
  g_settings_set_uint (fixture->settings, "perturb-n", 16);
}

/* GTK starts once for a process, and so does the application. */
static WwApplication *
get_application (void)
{
  static WwApplication *application = NULL;
  g_autoptr (GError) error = NULL;

  if (application != NULL)
    return application;
  application = ww_application_new ();
  g_application_set_flags (G_APPLICATION (application),
                           G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, &error));
  g_assert_no_error (error);
  return application;
}

void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->folder = g_dir_make_tmp ("wordsway-test-XXXXXX", &error);
  g_assert_no_error (error);
  fixture->application = get_application ();
  fixture->settings = ww_app_settings_new ();
  g_assert_nonnull (fixture->settings);
  make_work_small (fixture);
  fixture->window = ww_window_new (GTK_APPLICATION (fixture->application), fixture->settings);
  fixture->session = ww_window_get_session (fixture->window);
  gtk_window_present (GTK_WINDOW (fixture->window));
  WAIT_FOR (gtk_widget_get_mapped (GTK_WIDGET (fixture->window)));
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) keys = NULL;
  g_autoptr (GSettingsSchema) schema = NULL;

  if (fixture->window != NULL)
    {
      WwWindow *window = fixture->window;

      g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
      gtk_window_destroy (GTK_WINDOW (window));
      /* Nothing may keep a window that is closed. */
      WAIT_FOR (window == NULL);
    }
  /* The memory backend lives as long as the process: each test starts from the defaults. */
  g_object_get (fixture->settings, "settings-schema", &schema, NULL);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i] != NULL; i++)
    g_settings_reset (fixture->settings, keys[i]);
  g_clear_object (&fixture->settings);
  remove_folder (fixture->folder);
  g_free (fixture->folder);
}

void
fixture_finish_curve (Fixture *fixture)
{
  ww_window_open_remembered_set (fixture->window);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
}

void
fixture_finish_nudge (Fixture *fixture)
{
  ww_window_open_remembered_set (fixture->window);
  ww_window_set_page (fixture->window, "perturb");
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
            && ww_session_get_nudge (fixture->session) != NULL);
}

static GtkWidget *
search (GtkWidget *widget, const char *id)
{
  if (g_strcmp0 (gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget)), id) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = search (child, id);

      if (found != NULL)
        return found;
    }
  return NULL;
}

gpointer
find_widget (gpointer root, const char *id)
{
  GtkWidget *found = search (GTK_WIDGET (root), id);

  if (found == NULL)
    g_error ("no widget %s in %s", id, G_OBJECT_TYPE_NAME (root));
  return found;
}

static GtkWidget *
search_type (GtkWidget *widget, GType type, guint *nth)
{
  if (g_type_is_a (G_OBJECT_TYPE (widget), type) && (*nth)-- == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = search_type (child, type, nth);

      if (found != NULL)
        return found;
    }
  return NULL;
}

gpointer
find_by_type (gpointer root, GType type, guint nth)
{
  return search_type (GTK_WIDGET (root), type, &nth);
}

GtkWidget *
find_open_list (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_open_list (child);
  return found;
}

void
fixture_activate (Fixture *fixture, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture->window), action, NULL));
}

gpointer
find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (windows, i);

      if (g_type_is_a (G_OBJECT_TYPE (window), type))
        return window; /* which GTK keeps */
    }
  return NULL;
}

WwPreviewDialog *
fixture_find_preview (void)
{
  return find_window (WW_TYPE_PREVIEW_DIALOG);
}

void
fixture_confirm_preview (void)
{
  WAIT_FOR (fixture_find_preview () != NULL
            && ww_preview_dialog_get_state (fixture_find_preview ()) == WW_STATE_DONE);
  g_signal_emit_by_name (find_widget (fixture_find_preview (), "open_button"), "clicked");
  WAIT_FOR (fixture_find_preview () == NULL);
}

gboolean
fixture_drop (Fixture *fixture, const char *path)
{
  g_autoptr (GListModel) controllers
    = gtk_widget_observe_controllers (GTK_WIDGET (fixture->window));
  GFile *file = g_file_new_for_path (path);
  g_auto (GValue) value = G_VALUE_INIT;
  gboolean accepted = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_array (&file, 1));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        g_signal_emit_by_name (controller, "drop", &value, 10.0, 10.0, &accepted);
    }
  g_object_unref (file);
  return accepted;
}

char *
fixture_write_file (Fixture *fixture, const char *name, const char *contents)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, contents, -1, &error);
  g_assert_no_error (error);
  return path;
}

gboolean
app_test_init (int *argc, char ***argv)
{
  setlocale (LC_ALL, "");
  g_test_init (argc, argv, NULL);
  if (gtk_init_check ())
    return TRUE;
  g_print ("1..0 # SKIP no display\n");
  return FALSE;
}

#include "ww-application.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "ww-app-settings.h"
#include "ww-benchmark.h"
#include "ww-compat.h"

/* Exit status of wrong usage, as on the command line. */
#define EXIT_USAGE 2

struct _WwApplication
{
  AdwApplication parent_instance;

  GSettings *settings; /* or NULL */
  gboolean benchmark_slider, benchmark_start;
};

G_DEFINE_FINAL_TYPE (WwApplication, ww_application, ADW_TYPE_APPLICATION)

/* ---- Actions ---- */

static void
on_quit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GList *windows = gtk_application_get_windows (user_data);

  /* Each window stops its work; the application ends with the last one. */
  for (GList *next; windows != NULL; windows = next)
    {
      next = windows->next;
      gtk_window_destroy (GTK_WINDOW (windows->data));
    }
  g_application_quit (user_data);
}

static void
on_about (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ww_compat_show_about (gtk_application_get_active_window (user_data));
}

static void
apply_color_scheme (const char *name)
{
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      g_str_equal (name, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                      : g_str_equal (name, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                   : ADW_COLOR_SCHEME_DEFAULT);
}

static void
on_color_scheme (GSimpleAction *action, GVariant *state, gpointer user_data)
{
  WwApplication *self = user_data;
  const char *name = g_variant_get_string (state, NULL);

  apply_color_scheme (name);
  if (self->settings != NULL)
    g_settings_set_string (self->settings, "color-scheme", name);
  g_simple_action_set_state (action, state);
}

static void
add_actions (WwApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "quit", .activate = on_quit },
    { .name = "about", .activate = on_about },
    { .name = "color-scheme",
      .parameter_type = "s",
      .state = "'system'",
      .change_state = on_color_scheme },
  };
  static const struct
  {
    const char *action;
    const char *keys[3];
  } accels[] = {
    { "app.quit", { "<Control>q" } },
    { "window.close", { "<Control>w" } },
    { "win.open", { "<Control>o" } },
    { "win.open-text", { "<Control>t" } },
    { "win.export", { "<Control>e" } },
    { "win.copy-figure", { "<Shift><Control>c" } },
    { "win.restart", { "<Control>r" } },
    { "win.new-seed", { "<Control>n" } },
    { "win.page::curves", { "<Control>1" } },
    { "win.page::perturb", { "<Control>2" } },
    { "win.fullscreen", { "F11" } },
    { "win.sidebar", { "F9" } },
    { "win.show-help-overlay", { "<Control>question", "F1" } },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action,
                                           accels[i].keys);
}

/* ---- Windows ---- */

/* The one in front, even where a dialog of it is active. */
static WwWindow *
ensure_window (WwApplication *self, gboolean *ret_is_new)
{
  *ret_is_new = FALSE;
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (WW_IS_WINDOW (l->data))
      return l->data;

  *ret_is_new = TRUE;
  return ww_window_new (GTK_APPLICATION (self), self->settings);
}

static void
ww_application_activate (GApplication *application)
{
  WwApplication *self = WW_APPLICATION (application);
  gboolean is_new;
  WwWindow *window = ensure_window (self, &is_new);

  if (self->benchmark_slider)
    ww_benchmark_slider (window);
  else if (self->benchmark_start)
    ww_benchmark_start (window);
  if (is_new)
    ww_window_open_remembered_set (window);
  gtk_window_present (GTK_WINDOW (window));
}

static void
ww_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  gboolean is_new;
  WwWindow *window = ensure_window (WW_APPLICATION (application), &is_new);

  /* A text needs a set to be read with; a set replaces this one as soon as it is complete. */
  if (is_new)
    ww_window_open_remembered_set (window);
  ww_window_open_file (window, files[0]);
  gtk_window_present (GTK_WINDOW (window));
}

static void
ww_application_startup (GApplication *application)
{
  WwApplication *self = WW_APPLICATION (application);

  G_APPLICATION_CLASS (ww_application_parent_class)->startup (application);
  gtk_window_set_default_icon_name (WW_APPLICATION_ID);
  /* A measurement starts from the defaults, whatever was used last. */
  if (!self->benchmark_slider && !self->benchmark_start)
    self->settings = ww_app_settings_new ();
  add_actions (self);
  if (self->settings != NULL)
    {
      g_autofree char *scheme = g_settings_get_string (self->settings, "color-scheme");

      g_action_group_change_action_state (G_ACTION_GROUP (self), "color-scheme",
                                          g_variant_new_string (scheme));
    }
}

/* ---- Command line ---- */

static void
explain_missing_display (void)
{
  const char *x = g_getenv ("DISPLAY"), *wayland = g_getenv ("WAYLAND_DISPLAY");

  g_printerr (_ ("wordsway: no display to open a window on (DISPLAY=%s, WAYLAND_DISPLAY=%s).\n"
                 "Without one, wordsway-cli does the same work:\n"
                 "  wordsway-cli curve --maps rf,relu-raf,raf --n 10:250:8 --output curve.svg\n"
                 "or give the window a screen of its own:\n"
                 "  xvfb-run -a dbus-run-session -- wordsway\n"),
              x != NULL ? x : "", wayland != NULL ? wayland : "");
}

static int
ww_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  WwApplication *self = WW_APPLICATION (application);

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("wordsway %s\n", WW_VERSION);
      return EXIT_SUCCESS;
    }
  self->benchmark_slider = g_variant_dict_contains (options, "benchmark-slider");
  self->benchmark_start = g_variant_dict_contains (options, "benchmark-start");
  if (self->benchmark_slider || self->benchmark_start)
    g_application_set_flags (application, G_APPLICATION_NON_UNIQUE);
  /* Before GTK's own start, which ends the program without a word of help. */
  if (!gtk_init_check ())
    {
      explain_missing_display ();
      return EXIT_USAGE;
    }
  return -1;
}

static void
add_options (GApplication *application)
{
  static const GOptionEntry entries[] = {
    { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
    { "benchmark-slider", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL,
      N_ ("Measure the time from a change of the slider to the drawn frame"), NULL },
    { "benchmark-start", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, NULL,
      N_ ("Measure the time from the window to its first and its last point"), NULL },
    { NULL },
  };

  g_application_add_main_option_entries (application, entries);
  g_application_set_option_context_parameter_string (application, _ ("[FILE]"));
  g_application_set_option_context_summary (
    application, _ ("Shows how far the features of a text move when one word is nudged.\n"
                    "FILE is an embedding set, a checkpoint folder or a text."));
}

/* ---- The object ---- */

WwApplication *
ww_application_new (void)
{
  return g_object_new (WW_TYPE_APPLICATION, "application-id", WW_APPLICATION_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN, "resource-base-path", "/org/wordsway/Wordsway",
                       NULL);
}

static void
ww_application_finalize (GObject *object)
{
  g_clear_object (&WW_APPLICATION (object)->settings);
  G_OBJECT_CLASS (ww_application_parent_class)->finalize (object);
}

static void
ww_application_class_init (WwApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ww_application_finalize;
  application_class->startup = ww_application_startup;
  application_class->activate = ww_application_activate;
  application_class->open = ww_application_open;
  application_class->handle_local_options = ww_application_handle_local_options;
}

static void
ww_application_init (WwApplication *self)
{
  add_options (G_APPLICATION (self));
}

#include <glib/gi18n.h>

#include "ww-export-dialog.h"
#include "ww-focus.h"
#include "ww-window-private.h"

#define MAX_FIRST_ROWS 250 /* as many as a curve has at first */

/* ---- Files ---- */

static void
open_set (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_window_choose_set (WW_WINDOW (widget));
}

static void
open_folder (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_window_choose_folder (WW_WINDOW (widget));
}

static void
open_text (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_window_choose_text (WW_WINDOW (widget));
}

static void
open_sample (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_window_open_sample (WW_WINDOW (widget));
}

static void
preview_set (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_window_preview_set (WW_WINDOW (widget));
}

static void
cancel_open (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_session_cancel_open (WW_WINDOW (widget)->session);
}

static void
use_example (GtkWidget *widget, const char *name, GVariant *parameter)
{
  const char *id = g_variant_get_string (parameter, NULL);
  gsize n;
  const WwExampleText *examples = ww_example_texts_get (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (examples[i].id, id))
      ww_session_set_text (WW_WINDOW (widget)->session, examples[i].text);
}

/* From an empty page: rows without words, by their numbers. */
static void
use_first_rows (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WwSession *session = WW_WINDOW (widget)->session;
  WwSet *set = ww_session_get_set (session);
  gsize n = set != NULL ? MIN (ww_set_get_n_entries (set), MAX_FIRST_ROWS) : 0;
  g_autoptr (GString) text = g_string_new (NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%s%" G_GSIZE_FORMAT, i > 0 ? " " : "", i);
  if (n > 0)
    ww_session_set_text (session, text->str);
}

/* From an empty or failed page: the sample with its example text always draws something. */
static void
start_over (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WwWindow *self = WW_WINDOW (widget);
  gsize n;
  const WwExampleText *examples = ww_example_texts_get (&n);

  g_object_set (self->session, "n-min", 10u, "n-max", 250u, "dims", 0u, NULL);
  if (n > 0)
    ww_session_set_text (self->session, examples[0].text);
  ww_window_open_sample (self);
}

/* ---- Measuring ---- */

static void
restart (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_session_restart_curve (WW_WINDOW (widget)->session);
}

static void
cancel (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WwSession *session = WW_WINDOW (widget)->session;

  /* What began last, and shows the least so far, is given up first. */
  if (ww_session_get_set_state (session) == WW_STATE_LOADING)
    ww_session_cancel_open (session);
  else
    ww_session_cancel_curve (session);
}

static void
new_seed (GtkWidget *widget, const char *name, GVariant *parameter)
{
  /* Short enough to be read aloud and typed again. */
  g_object_set (WW_WINDOW (widget)->session, "seed",
                (guint64) g_random_int_range (1, 100000), NULL);
}

static void
undo (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_session_undo (WW_WINDOW (widget)->session);
}

static void
redo (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_session_redo (WW_WINDOW (widget)->session);
}

/* ---- The view ---- */

static void
set_page (GtkWidget *widget, const char *name, GVariant *parameter)
{
  ww_window_set_page (WW_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

static void
edit_text (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WwWindow *self = WW_WINDOW (widget);

  ww_window_set_page (self, "curves");
  ww_curves_page_focus_text (self->curves_page);
}

/* ---- Figures ---- */

/* What the page in front shows, or NULL where it shows nothing yet. */
static WwExportSource *
get_export_source (GtkWindow *window)
{
  WwWindow *self = WW_WINDOW (window);

  if (g_strcmp0 (ww_window_get_page (self), "perturb") == 0)
    {
      WwShownNudge *shown = ww_perturb_page_get_shown (self->perturb_page);
      guint view;

      g_object_get (self->perturb_page, "view", &view, NULL);
      return shown != NULL && ww_perturb_page_shows_figure (self->perturb_page)
               ? ww_export_source_new_nudge (shown, view)
               : NULL;
    }
  return ww_export_source_new_curve (ww_curves_page_get_view (self->curves_page));
}

static void
on_exported (const char *title, const char *details, gpointer user_data)
{
  g_autoptr (WwWindow) self = user_data;

  if (title != NULL && !gtk_widget_in_destruction (GTK_WIDGET (self)))
    ww_window_show_toast (self, title, details);
}

static void
export_figure (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WwWindow *self = WW_WINDOW (widget);
  WwExportDialog *dialog = ww_export_dialog_new (GTK_WINDOW (self), get_export_source,
                                                 self->settings, on_exported, self);

  if (dialog == NULL)
    {
      ww_window_show_toast (self, _ ("There is no figure to export yet"), NULL);
      return;
    }
  g_object_ref (self); /* until on_exported */
  /* The preview follows the work that goes on behind it; the pages take a result before it does. */
  g_signal_connect_object (self->session, "notify::curve", G_CALLBACK (ww_export_dialog_refresh), dialog,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->session, "notify::nudge", G_CALLBACK (ww_export_dialog_refresh), dialog,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  ww_focus_keep (GTK_WINDOW (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
copy_figure (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WwWindow *self = WW_WINDOW (widget);
  g_autoptr (WwExportSource) source = get_export_source (GTK_WINDOW (self));
  g_autoptr (GdkTexture) texture = NULL;

  if (source != NULL)
    texture = ww_export_source_render (source, self->settings);
  if (texture == NULL)
    {
      ww_window_show_toast (self, _ ("There is no figure to copy yet"), NULL);
      return;
    }
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
  ww_window_show_toast (self, _ ("Figure copied"), NULL);
}

/* ---- Installing ---- */

void
ww_window_update_actions (WwWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean perturb = g_strcmp0 (ww_window_get_page (self), "perturb") == 0;
  WwCurve *curve = ww_session_get_curve (self->session);
  const WwOrigin *origin = ww_session_get_origin (self->session);
  gboolean loading = ww_session_get_set_state (self->session) == WW_STATE_LOADING;
  gboolean figure = perturb ? ww_session_get_nudge (self->session) != NULL
                            : curve != NULL && curve->n_points > 0;

  gtk_widget_action_set_enabled (widget, "win.undo", ww_session_get_can_undo (self->session));
  gtk_widget_action_set_enabled (widget, "win.redo", ww_session_get_can_redo (self->session));
  gtk_widget_action_set_enabled (
    widget, "win.cancel", loading || ww_session_get_curve_state (self->session) == WW_STATE_WORKING);
  gtk_widget_action_set_enabled (widget, "win.cancel-open", loading);
  gtk_widget_action_set_enabled (widget, "win.preview-set",
                                 origin != NULL && origin->file != NULL);
  gtk_widget_action_set_enabled (widget, "win.export", figure);
  gtk_widget_action_set_enabled (widget, "win.copy-figure", figure);
}

void
ww_window_install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    const char *type;
    GtkWidgetActionActivateFunc activate;
  } actions[] = {
    { "win.open", NULL, open_set },
    { "win.open-folder", NULL, open_folder },
    { "win.open-text", NULL, open_text },
    { "win.open-sample", NULL, open_sample },
    { "win.preview-set", NULL, preview_set },
    { "win.cancel-open", NULL, cancel_open },
    { "win.example", "s", use_example },
    { "win.start-over", NULL, start_over },
    { "win.first-rows", NULL, use_first_rows },
    { "win.restart", NULL, restart },
    { "win.cancel", NULL, cancel },
    { "win.new-seed", NULL, new_seed },
    { "win.undo", NULL, undo },
    { "win.redo", NULL, redo },
    { "win.page", "s", set_page },
    { "win.edit-text", NULL, edit_text },
    { "win.export", NULL, export_figure },
    { "win.copy-figure", NULL, copy_figure },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, actions[i].type,
                                     actions[i].activate);
  gtk_widget_class_install_property_action (widget_class, "win.fullscreen", "fullscreened");
  gtk_widget_class_install_property_action (widget_class, "win.sidebar", "sidebar");

  /* Bound to the window, not to the application: a text that has the focus comes first. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "win.undo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "win.redo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.cancel", NULL);
}

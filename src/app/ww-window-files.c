#include <glib/gi18n.h>

#include "ww-compat.h"
#include "ww-file-kind.h"
#include "ww-focus.h"
#include "ww-message.h"
#include "ww-window-private.h"

/* A preview that is not there by then shows that it is being made, and can be given up. */
#define SLOW_LOOK_MS 300

/* ---- Drag and drop ---- */

static gboolean
on_drop (WwWindow *self, const GValue *value)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));

  if (files == NULL)
    return FALSE;
  ww_window_open_file (self, G_FILE (files->data));
  if (files->next != NULL)
    ww_window_show_toast (self, _ ("Only the first file was opened"), NULL);
  return TRUE;
}

static void
add_drop_target (WwWindow *self, GtkWidget *widget)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  /* Before the text view, which would paste the file's name. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_object (target, "drop", G_CALLBACK (on_drop), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (target));
}

/* ---- Sets ---- */

static void
open_origin (WwWindow *self, const WwOrigin *origin, gboolean announces)
{
  self->announces = announces;
  ww_session_open_origin (self->session, origin);
}

static void
open_previewed (const WwOrigin *origin, gpointer user_data)
{
  open_origin (user_data, origin, FALSE);
}

void
ww_window_stop_looking (WwWindow *self)
{
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
  g_clear_pointer (&self->looked_at, ww_origin_free);
  g_clear_handle_id (&self->slow_source, g_source_remove);
}

/* A list that is down holds a grab, which GTK does not let go of when the list ends with its window. */
static void
close_lists (GtkWidget *widget)
{
  if (GTK_IS_POPOVER (widget) && gtk_widget_get_mapped (widget))
    gtk_popover_popdown (GTK_POPOVER (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    close_lists (child);
}

/* Whoever opens another set while one is being asked about has given that one up. What comes of the other would else
 * stand behind the question, out of reach. */
static void
give_up_preview (WwWindow *self)
{
  if (self->preview_dialog != NULL)
    {
      close_lists (GTK_WIDGET (self->preview_dialog));
      gtk_window_destroy (GTK_WINDOW (self->preview_dialog));
    }
  g_clear_weak_pointer (&self->preview_dialog);
}

/* Takes `preview`; NULL: the dialog makes it. */
static void
show_preview (WwWindow *self, const WwOrigin *origin, WwPreview *preview)
{
  WwPreviewDialog *dialog;

  give_up_preview (self);
  dialog = ww_preview_dialog_new (GTK_WINDOW (self), origin, preview, self->settings,
                                  open_previewed, G_OBJECT (self));
  g_set_weak_pointer (&self->preview_dialog, dialog);
  add_drop_target (self, GTK_WIDGET (dialog));
  ww_focus_keep (GTK_WINDOW (dialog));
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
wants_preview (WwWindow *self, const WwPreview *preview)
{
  return preview->guessed || preview->needs_choice
         || (self->settings != NULL && g_settings_get_boolean (self->settings, "always-preview"));
}

static void
on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  WwWindow *self = WW_WINDOW (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = ww_preview_look_finish (result, &error);
  g_autoptr (WwOrigin) origin = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  origin = g_steal_pointer (&self->looked_at);
  ww_window_stop_looking (self);
  if (preview != NULL && wants_preview (self, preview))
    show_preview (self, origin, g_steal_pointer (&preview));
  /* What is wrong with it, opening says as well, and in the place where it is looked for. */
  else
    open_origin (self, origin, TRUE);
}

static gboolean
on_slow (gpointer user_data)
{
  WwWindow *self = user_data;
  g_autoptr (WwOrigin) origin = g_steal_pointer (&self->looked_at);

  self->slow_source = 0;
  ww_window_stop_looking (self);
  show_preview (self, origin, NULL);
  ww_preview_dialog_set_only_in_doubt (self->preview_dialog);
  return G_SOURCE_REMOVE;
}

void
ww_window_open_set_file (WwWindow *self, GFile *file)
{
  ww_window_stop_looking (self);
  give_up_preview (self);
  self->looking = g_cancellable_new ();
  self->looked_at = ww_origin_new (file, NULL);
  self->slow_source = g_timeout_add (SLOW_LOOK_MS, on_slow, self);
  ww_preview_look_async (self, self->looked_at, self->looking, on_previewed, NULL);
}

void
ww_window_preview_set (WwWindow *self)
{
  const WwOrigin *origin = ww_session_get_origin (self->session);

  if (origin != NULL && origin->file != NULL)
    show_preview (self, origin, NULL);
}

void
ww_window_open_sample (WwWindow *self)
{
  g_autoptr (WwOrigin) origin = ww_origin_new_builtin (NULL);

  ww_window_stop_looking (self);
  give_up_preview (self);
  open_origin (self, origin, FALSE);
}

/* ---- Texts, and telling the two apart ---- */

typedef struct
{
  GFile *file;
  gboolean only_text; /* the user said that it is a text */
  guint number;       /* in the order in which they were asked for */
} Reading;

static void
reading_free (Reading *reading)
{
  g_object_unref (reading->file);
  g_free (reading);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  GError *error = NULL;
  char *text;

  if (ww_file_read_text (reading->file, cancellable, &text, &error))
    {
      if (text == NULL)
        error = ww_file_explain_no_text (reading->file, cancellable);
      /* What is no text may be a set, but not where only its size is against it. */
      if (text != NULL
          || (!reading->only_text && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE)))
        {
          g_clear_error (&error);
          g_task_return_pointer (task, text, g_free);
        }
      else
        g_task_return_error (task, error);
    }
  else
    g_task_return_error (task, error);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  WwWindow *self = WW_WINDOW (source);
  Reading *reading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *basename = g_file_get_basename (reading->file);
  g_autofree char *name = g_filename_display_name (basename);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  /* One that was asked for later, and was read sooner, has taken the place of this set. */
  if (text == NULL && reading->number < self->last_not_text)
    return;
  if (text == NULL)
    self->last_not_text = reading->number;
  if (error != NULL)
    {
      give_up_preview (self);
      /* Translators: %s is the name of a file. */
      g_autofree char *title = g_strdup_printf (reading->only_text
                                                  ? _ ("“%s” could not be read as a text")
                                                  : _ ("“%s” could not be opened"),
                                                name);
      g_autofree char *plain = ww_message_dup_plain (error->message);

      ww_window_show_toast (self, title, plain);
    }
  else if (text != NULL)
    {
      ww_session_set_text (self->session, text);
      ww_window_dismiss_toast (self);
      if (!reading->only_text)
        {
          g_autofree char *title = g_strdup_printf (_ ("“%s” is the text now"), name);

          ww_window_show_toast (self, title, NULL);
        }
    }
  else
    ww_window_open_set_file (self, reading->file);
}

static void
start_reading (WwWindow *self, GFile *file, gboolean only_text)
{
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, on_read, NULL);
  Reading *reading = g_new (Reading, 1);

  reading->file = g_object_ref (file);
  reading->only_text = only_text;
  reading->number = ++self->n_readings;
  g_task_set_task_data (task, reading, (GDestroyNotify) reading_free);
  g_task_run_in_thread (task, read_in_thread);
}

void
ww_window_open_text_file (WwWindow *self, GFile *file)
{
  start_reading (self, file, TRUE);
}

void
ww_window_open_file (WwWindow *self, GFile *file)
{
  g_return_if_fail (WW_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (file));

  start_reading (self, file, FALSE);
}

/* ---- Choosing ---- */

static void
on_set_chosen (GFile *file, gpointer user_data)
{
  g_autoptr (WwWindow) self = user_data;

  if (file != NULL)
    ww_window_open_set_file (self, file);
}

static void
on_text_chosen (GFile *file, gpointer user_data)
{
  g_autoptr (WwWindow) self = user_data;

  if (file != NULL)
    ww_window_open_text_file (self, file);
}

void
ww_window_choose_set (WwWindow *self)
{
  const WwOrigin *origin = ww_session_get_origin (self->session);
  g_autoptr (GFile) folder
    = origin != NULL && origin->file != NULL ? g_file_get_parent (origin->file) : NULL;

  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_SET, NULL, folder, on_set_chosen,
                         g_object_ref (self));
}

void
ww_window_choose_folder (WwWindow *self)
{
  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_FOLDER, NULL, NULL, on_set_chosen,
                         g_object_ref (self));
}

void
ww_window_choose_text (WwWindow *self)
{
  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_TEXT, NULL, NULL, on_text_chosen,
                         g_object_ref (self));
}

void
ww_window_take_drops (WwWindow *self)
{
  add_drop_target (self, GTK_WIDGET (self));
}

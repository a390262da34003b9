#include <glib/gi18n.h>

#include "ww-app-settings.h"
#include "ww-compat.h"
#include "ww-file-kind.h"
#include "ww-preview-dialog.h"
#include "ww-window-private.h"

/* ---- Sets ---- */

static void
open_chosen (GFile *file, const char *member, GFile *words, gpointer user_data)
{
  WwWindow *self = user_data;

  g_set_object (&self->opening, file);
  g_set_object (&self->opening_words, words);
  g_free (self->opening_member);
  self->opening_member = g_strdup (member);
  self->opening_builtin = FALSE;
  ww_session_open_chosen (self->session, file, member, words);
}

typedef struct
{
  GFile *file;
  guint serial;
  gboolean always; /* show it even where nothing has to be chosen */
} Looking;

static void
on_previewed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  WwWindow *self = WW_WINDOW (source);
  g_autofree Looking *looking = user_data;
  g_autoptr (GFile) file = looking->file;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = ww_preview_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      || looking->serial != self->open_serial)
    return;
  if (preview != NULL && (preview->needs_choice || looking->always))
    gtk_window_present (GTK_WINDOW (ww_preview_dialog_new (
      GTK_WINDOW (self), file, g_steal_pointer (&preview), open_chosen, G_OBJECT (self))));
  /* What is wrong with it, opening says as well, and in the place where it is looked for. */
  else
    open_chosen (file, NULL, NULL, self);
}

static void
look_at (WwWindow *self, GFile *file, gboolean always)
{
  Looking *looking = g_new (Looking, 1);

  looking->file = g_object_ref (file);
  looking->serial = ++self->open_serial;
  looking->always = always;
  ww_preview_async (self, file, NULL, NULL, self->cancellable, on_previewed, looking);
}

void
ww_window_open_set_file (WwWindow *self, GFile *file)
{
  look_at (self, file, FALSE);
}

void
ww_window_preview_set (WwWindow *self)
{
  if (self->opened != NULL)
    look_at (self, self->opened, TRUE);
}

void
ww_window_open_sample (WwWindow *self)
{
  g_clear_object (&self->opening);
  self->open_serial++;
  self->opening_builtin = TRUE;
  ww_session_open_builtin (self->session, NULL);
}

/* ---- Texts, and telling the two apart ---- */

typedef struct
{
  GFile *file;
  gboolean only_text; /* the user said that it is a text */
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
  g_autofree char *name = g_file_get_basename (reading->file);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    {
      g_autofree char *shown = g_filename_display_name (name);
      /* Translators: %s is the name of a file. */
      g_autofree char *title = g_strdup_printf (_ ("“%s” could not be read as a text"), shown);

      ww_window_show_toast (self, title, error->message);
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
  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_SET, NULL, on_set_chosen,
                         g_object_ref (self));
}

void
ww_window_choose_folder (WwWindow *self)
{
  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_FOLDER, NULL, on_set_chosen,
                         g_object_ref (self));
}

void
ww_window_choose_text (WwWindow *self)
{
  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_TEXT, NULL, on_text_chosen,
                         g_object_ref (self));
}

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

void
ww_window_add_drop_target (WwWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  /* Before the text view, which would paste the file's name. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (target), GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}

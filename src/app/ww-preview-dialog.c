#include "ww-preview-dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-compat.h"

#define MAX_VALUES 4 /* numbers of a row that are shown */

struct _WwPreviewDialog
{
  AdwWindow parent_instance;

  GtkWidget *open_button, *words_button, *rows_box;
  AdwPreferencesGroup *facts_group;
  AdwActionRow *format_row, *shape_row, *words_row;
  AdwComboRow *member_row;
  GtkLabel *problem;
  GtkGrid *rows;

  GFile *file, *words;
  char *member;
  WwPreview *preview;
  GCancellable *cancellable;
  gboolean updating;
  WwPreviewFunc func;
  GObject *user_data;
};

G_DEFINE_FINAL_TYPE (WwPreviewDialog, ww_preview_dialog, ADW_TYPE_WINDOW)

/* ---- A preview from a thread ---- */

typedef struct
{
  GFile *file, *words;
  char *member;
} Looking;

static void
looking_free (Looking *looking)
{
  g_object_unref (looking->file);
  g_clear_object (&looking->words);
  g_free (looking->member);
  g_free (looking);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Looking *looking = data;
  WwOpenOptions options = { .member = looking->member, .words = looking->words };
  GError *error = NULL;
  WwPreview *preview = ww_set_preview (looking->file, &options, cancellable, &error);

  if (preview != NULL)
    g_task_return_pointer (task, preview, (GDestroyNotify) ww_preview_free);
  else
    g_task_return_error (task, error);
}

void
ww_preview_async (gpointer            source,
                  GFile              *file,
                  const char         *member,
                  GFile              *words,
                  GCancellable       *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer            user_data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, user_data);
  Looking *looking = g_new0 (Looking, 1);

  looking->file = g_object_ref (file);
  looking->words = words != NULL ? g_object_ref (words) : NULL;
  looking->member = g_strdup (member);
  g_task_set_task_data (task, looking, (GDestroyNotify) looking_free);
  g_task_run_in_thread (task, look_in_thread);
}

WwPreview *
ww_preview_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- What is shown ---- */

static void
add_cell (WwPreviewDialog *self, int column, int row, const char *words, gboolean is_word)
{
  GtkWidget *label = gtk_label_new (words);

  gtk_label_set_xalign (GTK_LABEL (label), is_word ? 0 : 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, is_word);
  gtk_widget_add_css_class (label, is_word ? "heading" : "numeric");
  gtk_grid_attach (self->rows, label, column, row, 1, 1);
}

static void
show_rows (WwPreviewDialog *self)
{
  const WwMatrix *values = self->preview->values;
  gsize columns = values != NULL ? MIN (values->cols, MAX_VALUES) : 0;

  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (self->rows))) != NULL;)
    gtk_grid_remove (self->rows, child);
  gtk_widget_set_visible (self->rows_box, values != NULL);
  for (gsize r = 0; values != NULL && r < values->rows; r++)
    {
      if (r < self->preview->words->len)
        add_cell (self, 0, (int) r, g_ptr_array_index (self->preview->words, r), TRUE);
      for (gsize c = 0; c < columns; c++)
        {
          double value = values->data[r * values->cols + c];
          /* What rounds to nothing has no sign. */
          g_autofree char *number = g_strdup_printf ("%.4f", fabs (value) < 0.00005 ? 0.0 : value);

          add_cell (self, 1 + (int) c, (int) r, number, FALSE);
        }
      if (columns < values->cols)
        add_cell (self, 1 + (int) columns, (int) r, "…", FALSE);
    }
}

static char *
describe_shape (const WwPreview *preview)
{
  if (preview->dims == 0)
    return g_strdup ("–");
  if (preview->rows == 0)
    /* Translators: dimensions, and the type of the numbers. */
    return g_strdup_printf (_ ("d = %zu, %s"), preview->dims,
                            preview->type != NULL ? preview->type : "");
  return g_strdup_printf ("%zu × %zu, %s", preview->rows, preview->dims,
                          preview->type != NULL ? preview->type : "");
}

static void
show_candidates (WwPreviewDialog *self)
{
  GPtrArray *candidates = self->preview->candidates;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  gtk_widget_set_visible (GTK_WIDGET (self->member_row), candidates->len > 0);
  for (guint i = 0; i < candidates->len; i++)
    {
      const WwCandidate *candidate = g_ptr_array_index (candidates, i);

      gtk_string_list_take (names, g_strdup_printf ("%s  %s %s", candidate->id, candidate->shape,
                                                    candidate->type));
    }
  adw_combo_row_set_model (self->member_row, G_LIST_MODEL (names));
  adw_combo_row_set_selected (self->member_row, self->preview->chosen >= 0
                                                  ? (guint) self->preview->chosen
                                                  : GTK_INVALID_LIST_POSITION);
}

static void
show_preview (WwPreviewDialog *self)
{
  const WwPreview *preview = self->preview;
  g_autofree char *shape = describe_shape (preview);
  g_autofree char *name = g_markup_escape_text (preview->name, -1);
  g_autofree char *guess
    = g_markup_escape_text (preview->guess != NULL ? preview->guess : "", -1);

  self->updating = TRUE;
  adw_preferences_group_set_title (self->facts_group, name);
  adw_preferences_group_set_description (self->facts_group, guess);
  adw_action_row_set_subtitle (self->format_row, preview->format != NULL ? preview->format : "–");
  adw_action_row_set_subtitle (self->shape_row, shape);
  adw_action_row_set_subtitle (self->words_row, preview->words_from != NULL
                                                  ? preview->words_from
                                                  : _ ("None: the rows are a ready context"));
  gtk_widget_set_visible (self->words_button, preview->kind != WW_SET_KIND_CHECKPOINT);
  show_candidates (self);
  show_rows (self);
  gtk_label_set_text (self->problem, preview->problem != NULL ? preview->problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), preview->problem != NULL);
  gtk_widget_set_sensitive (self->open_button,
                            preview->problem == NULL && !preview->needs_choice);
  self->updating = FALSE;
}

/* ---- Other choices ---- */

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  WwPreviewDialog *self = WW_PREVIEW_DIALOG (source);
  g_autoptr (GError) error = NULL;
  WwPreview *preview = ww_preview_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (preview != NULL)
    {
      g_clear_pointer (&self->preview, ww_preview_free);
      self->preview = preview;
      show_preview (self);
      return;
    }
  /* What was shown before stays, with what is wrong with the new choice. */
  gtk_label_set_text (self->problem, error->message);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
  gtk_widget_set_sensitive (self->open_button, FALSE);
}

static void
look_again (WwPreviewDialog *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  gtk_widget_set_sensitive (self->open_button, FALSE);
  ww_preview_async (self, self->file, self->member, self->words, self->cancellable, on_looked,
                    NULL);
}

static void
on_member_selected (WwPreviewDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->member_row);

  if (self->updating || self->preview == NULL || selected >= self->preview->candidates->len)
    return;
  g_free (self->member);
  self->member
    = g_strdup (((WwCandidate *) g_ptr_array_index (self->preview->candidates, selected))->id);
  look_again (self);
}

static void
on_words_chosen (GFile *file, gpointer user_data)
{
  g_autoptr (WwPreviewDialog) self = user_data;

  if (file == NULL)
    return;
  g_set_object (&self->words, file);
  look_again (self);
}

static void
on_words_clicked (WwPreviewDialog *self)
{
  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_TEXT, NULL, on_words_chosen,
                         g_object_ref (self));
}

static void
on_open_clicked (WwPreviewDialog *self)
{
  self->func (self->file, self->member, self->words, self->user_data);
  gtk_window_close (GTK_WINDOW (self));
}

/* ---- The object ---- */

WwPreviewDialog *
ww_preview_dialog_new (GtkWindow    *parent,
                       GFile        *file,
                       WwPreview    *preview,
                       WwPreviewFunc func,
                       GObject      *user_data)
{
  WwPreviewDialog *self = g_object_new (WW_TYPE_PREVIEW_DIALOG, "transient-for", parent, NULL);

  self->file = g_object_ref (file);
  self->preview = preview;
  self->func = func;
  self->user_data = g_object_ref (user_data);
  show_preview (self);
  /* A suggestion is a choice that only has to be confirmed. */
  if (preview->needs_choice && preview->chosen >= 0)
    on_member_selected (self);
  return self;
}

static void
ww_preview_dialog_dispose (GObject *object)
{
  WwPreviewDialog *self = WW_PREVIEW_DIALOG (object);

  /* A thread that still looks may keep this object beyond the life of its parent. */
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->file);
  g_clear_object (&self->words);
  g_clear_object (&self->user_data);
  G_OBJECT_CLASS (ww_preview_dialog_parent_class)->dispose (object);
}

static void
ww_preview_dialog_finalize (GObject *object)
{
  WwPreviewDialog *self = WW_PREVIEW_DIALOG (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->preview, ww_preview_free);
  g_free (self->member);
  G_OBJECT_CLASS (ww_preview_dialog_parent_class)->finalize (object);
}

static void
ww_preview_dialog_class_init (WwPreviewDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_preview_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = ww_preview_dialog_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-preview-dialog.ui");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, open_button);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, words_button);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, rows_box);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, facts_group);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, format_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, shape_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, words_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, member_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, problem);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, rows);
}

static void
ww_preview_dialog_init (WwPreviewDialog *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->open_button, "clicked", G_CALLBACK (on_open_clicked), self);
  g_signal_connect_swapped (self->words_button, "clicked", G_CALLBACK (on_words_clicked), self);
  g_signal_connect_swapped (self->member_row, "notify::selected", G_CALLBACK (on_member_selected),
                            self);
}

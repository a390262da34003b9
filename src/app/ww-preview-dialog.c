#include "ww-preview-dialog.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-combo-names.h"
#include "ww-compat.h"
#include "ww-format-words.h"
#include "ww-message.h"
#include "ww-problem.h"
#include "ww-state-words.h"

#define MAX_VALUES 4 /* numbers of a row that are shown */

struct _WwPreviewDialog
{
  AdwWindow parent_instance;

  GtkWidget *open_button, *words_button, *rows_box, *facts_group, *state_box, *always_check;
  GtkSpinner *spinner;
  AdwPreferencesGroup *guess_group;
  AdwActionRow *format_row, *shape_row, *words_row, *others_row, *text_row, *remarks_row;
  AdwComboRow *member_row, *reading_row, *list_row, *column_row;
  GtkSpinButton *text_spin;
  GtkLabel *state_label;
  WwProblem *problem;
  GtkGrid *rows;

  WwOrigin *origin; /* as chosen so far */
  WwPreview *preview; /* NULL: none yet */
  GArray *members;    /* guint: which candidate each item of member_row is */
  WwState state;
  GCancellable *cancellable;
  gboolean offered;       /* a first look is over */
  gboolean only_in_doubt; /* and what it finds is opened where that is sure */
  gboolean updating; /* a control follows the preview: its change is no wish of the user */
  WwPreviewFunc func;
  GObject *user_data;
};

G_DEFINE_FINAL_TYPE (WwPreviewDialog, ww_preview_dialog, ADW_TYPE_WINDOW)

/* ---- States ---- */

static void
set_state (WwPreviewDialog *self, WwState state, const char *problem)
{
  gboolean looking = state == WW_STATE_LOADING;
  g_autofree char *plain = ww_message_dup_plain (problem);

  self->state = state;
  gtk_label_set_text (self->state_label, looking ? _ ("Looking into the file…")
                                                 : ww_state_get_name (state));
  gtk_widget_set_visible (self->state_box, looking);
  gtk_spinner_set_spinning (self->spinner, looking);
  gtk_widget_set_sensitive (self->open_button, state == WW_STATE_DONE);
  ww_problem_set_message (self->problem, plain);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, looking, -1);
}

/* Enter opens, unless the keyboard is at one of the choices. Before the first look is over there are none, and GTK puts
 * it at the first button. */
static void
offer_open (WwPreviewDialog *self)
{
  if ((gtk_window_get_focus (GTK_WINDOW (self)) == NULL || !self->offered)
      && gtk_widget_get_sensitive (self->open_button))
    gtk_window_set_focus (GTK_WINDOW (self), self->open_button);
  self->offered = self->state != WW_STATE_LOADING;
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
  const char *type = preview->type != NULL ? ww_format_get_type_words (preview->type) : "";

  if (preview->dims == 0)
    return g_strdup ("–");
  if (preview->rows == 0)
    /* Translators: dimensions, and the type of the numbers. */
    return g_strdup_printf (_ ("d = %zu, %s"), preview->dims, type);
  return g_strdup_printf ("%zu × %zu, %s", preview->rows, preview->dims, type);
}

/* "vectors  12 × 8 float32" */
static char *
describe_candidate (const WwCandidate *candidate)
{
  g_autoptr (GString) shape = g_string_new (candidate->shape);

  g_string_replace (shape, " x ", " × ", 0);
  return g_strchomp (g_strdup_printf ("%s  %s %s", candidate->id, shape->str,
                                      ww_format_get_type_words (candidate->type)));
}

/* Arrays that hold no rows are named as what they are. */
static void
show_others (WwPreviewDialog *self)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < self->preview->candidates->len; i++)
    {
      const WwCandidate *candidate = g_ptr_array_index (self->preview->candidates, i);
      g_autofree char *described = describe_candidate (candidate);

      if (!candidate->usable)
        g_string_append_printf (words, "%s%s%s%s", words->len > 0 ? "\n" : "", described,
                                *candidate->remark != '\0' ? ": " : "", candidate->remark);
    }
  adw_action_row_set_subtitle (self->others_row, words->str);
  gtk_widget_set_visible (GTK_WIDGET (self->others_row), words->len > 0);
}

static void
show_candidates (WwPreviewDialog *self)
{
  GPtrArray *candidates = self->preview->candidates;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = GTK_INVALID_LIST_POSITION;

  g_array_set_size (self->members, 0);
  for (guint i = 0; i < candidates->len; i++)
    {
      const WwCandidate *candidate = g_ptr_array_index (candidates, i);

      if (!candidate->usable)
        continue;
      if (self->preview->chosen == (int) i)
        selected = self->members->len;
      g_array_append_val (self->members, i);
      gtk_string_list_take (names, describe_candidate (candidate));
    }
  ww_combo_set_names (self->member_row, names);
  adw_combo_row_set_selected (self->member_row, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->member_row), self->members->len > 1);
}

static void
show_texts (WwPreviewDialog *self)
{
  gsize n = self->preview->n_texts;
  /* Translators: stands below “Text”, beside its number: text 2 of 5. */
  g_autofree char *words = g_strdup_printf (_ ("of %zu in the array"), n);

  gtk_widget_set_visible (GTK_WIDGET (self->text_row), n > 1);
  gtk_spin_button_set_range (self->text_spin, 1, (double) MAX (n, 1));
  gtk_spin_button_set_value (self->text_spin, (double) self->preview->text + 1);
  adw_action_row_set_subtitle (self->text_row, words);
}

static void
show_readings (WwPreviewDialog *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint n = 0, selected = 0;

  for (guint r = WW_READING_GUESSED + 1; r < WW_N_READINGS; r++)
    if ((self->preview->readings & (1u << r)) != 0)
      {
        if (self->preview->reading == (WwReading) r)
          selected = n;
        gtk_string_list_append (names, _ (ww_reading_get_title ((WwReading) r)));
        n++;
      }
  ww_combo_set_names (self->reading_row, names);
  adw_combo_row_set_selected (self->reading_row, n > 0 ? selected : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (GTK_WIDGET (self->reading_row), n > 1);
}

/* The lists beside the file, one from elsewhere, and none at all. */
static void
show_lists (WwPreviewDialog *self)
{
  const WwPreview *preview = self->preview;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = preview->lists->len, n = preview->lists->len;

  for (guint i = 0; i < preview->lists->len; i++)
    gtk_string_list_append (names, g_ptr_array_index (preview->lists, i));
  gtk_string_list_append (names, _ ("None: the rows are a ready context"));
  if (preview->list >= 0)
    selected = (guint) preview->list;
  else if (preview->list_name != NULL)
    {
      gtk_string_list_append (names, preview->list_name);
      selected = n + 1;
    }
  ww_combo_set_names (self->list_row, names);
  adw_combo_row_set_selected (self->list_row, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->list_row),
                          preview->takes_list && g_list_model_get_n_items (G_LIST_MODEL (names)) > 1);
  gtk_widget_set_visible (self->words_button, preview->takes_list);
}

/* Of a list that is a table, the column that holds the words. */
static void
show_columns (WwPreviewDialog *self)
{
  const WwPreview *preview = self->preview;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < preview->columns->len; i++)
    gtk_string_list_append (names, g_ptr_array_index (preview->columns, i));
  ww_combo_set_names (self->column_row, names);
  adw_combo_row_set_selected (self->column_row, preview->column >= 0 ? (guint) preview->column
                                                                     : GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (GTK_WIDGET (self->column_row), preview->columns->len > 1);
}

/* What would be said after opening, while there is still a choice; what stands above need not come again. */
static void
show_remarks (WwPreviewDialog *self)
{
  const WwPreview *preview = self->preview;
  g_auto (GStrv) guesses = g_strsplit (preview->guess != NULL ? preview->guess : "", "\n", -1);
  g_auto (GStrv) remarks = g_strsplit (preview->remarks != NULL ? preview->remarks : "", "\n", -1);
  g_autoptr (GString) others = g_string_new (NULL);
  g_autofree char *plain = NULL;

  for (guint i = 0; remarks[i] != NULL; i++)
    if (!g_strv_contains ((const char *const *) guesses, remarks[i]))
      g_string_append_printf (others, "%s%s", others->len > 0 ? "\n" : "", remarks[i]);
  plain = ww_message_dup_plain (others->str);
  adw_action_row_set_subtitle (self->remarks_row, plain);
  gtk_widget_set_visible (GTK_WIDGET (self->remarks_row), *plain != '\0');
}

static void
show_preview (WwPreviewDialog *self)
{
  const WwPreview *preview = self->preview;
  g_autofree char *shape = describe_shape (preview);
  g_autofree char *name = g_markup_escape_text (preview->name, -1);
  g_autofree char *format
    = ww_format_dup_words (preview->format != NULL ? preview->format : "–");
  g_autofree char *plain = ww_message_dup_plain (preview->guess != NULL ? preview->guess : "");
  g_autofree char *guess = g_markup_escape_text (plain, -1);

  self->updating = TRUE;
  adw_preferences_group_set_title (self->guess_group, name);
  adw_preferences_group_set_description (self->guess_group, guess);
  adw_action_row_set_subtitle (self->format_row, format);
  adw_action_row_set_subtitle (self->shape_row, shape);
  adw_action_row_set_subtitle (self->words_row, preview->words_from != NULL
                                                  ? preview->words_from
                                                  : _ ("None: the rows are a ready context"));
  gtk_widget_set_visible (self->facts_group, TRUE);
  show_candidates (self);
  show_others (self);
  show_texts (self);
  show_readings (self);
  show_lists (self);
  show_columns (self);
  show_remarks (self);
  show_rows (self);
  self->updating = FALSE;
  set_state (self, preview->problem != NULL ? WW_STATE_FAILED : WW_STATE_DONE, preview->problem);
}

/* ---- Looking ---- */

static gboolean
is_sure (WwPreviewDialog *self)
{
  return !self->preview->guessed && !self->preview->needs_choice && self->preview->problem == NULL
         && !gtk_check_button_get_active (GTK_CHECK_BUTTON (self->always_check));
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  WwPreviewDialog *self = WW_PREVIEW_DIALOG (source);
  g_autoptr (GError) error = NULL;
  WwPreview *preview = ww_preview_look_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (preview == NULL)
    {
      /* What was shown before stays, with what is wrong with the new choice. */
      set_state (self, WW_STATE_FAILED, error->message);
      return;
    }
  g_clear_pointer (&self->preview, ww_preview_free);
  self->preview = preview;
  show_preview (self);
  if (self->only_in_doubt && !self->offered && is_sure (self))
    gtk_widget_activate (self->open_button);
  else
    offer_open (self);
}

static void
look (WwPreviewDialog *self)
{
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  set_state (self, WW_STATE_LOADING, NULL);
  ww_preview_look_async (self, self->origin, self->cancellable, on_looked, NULL);
}

/* ---- Other choices ---- */

static void
on_member_selected (WwPreviewDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->member_row);
  const WwCandidate *candidate;

  if (self->updating || self->preview == NULL || selected >= self->members->len)
    return;
  candidate = g_ptr_array_index (self->preview->candidates,
                                 g_array_index (self->members, guint, selected));
  ww_origin_set_member (self->origin, candidate->id, 0);
  look (self);
}

/* A file that was chosen in a folder is opened by its own name from then on, so that what is in it can be
 * chosen, too. */
static void
enter_folder (WwPreviewDialog *self)
{
  const char *inside = self->preview->inside;
  g_autoptr (GFile) file = NULL;
  g_autofree char *member = NULL;
  gsize text;

  if (inside == NULL
      || g_file_query_file_type (self->origin->file, G_FILE_QUERY_INFO_NONE, NULL)
           != G_FILE_TYPE_DIRECTORY)
    return;
  file = g_file_resolve_relative_path (self->origin->file, inside);
  ww_origin_split_member (self->origin, &member, &text);
  g_set_object (&self->origin->file, file);
  if (g_strcmp0 (member, inside) == 0)
    ww_origin_set_member (self->origin, NULL, 0);
}

static void
on_text_chosen (WwPreviewDialog *self)
{
  g_autofree char *array = NULL;
  gsize before;

  if (self->updating || self->preview == NULL)
    return;
  enter_folder (self);
  ww_origin_split_member (self->origin, &array, &before);
  ww_origin_set_member (self->origin, array,
                        (gsize) gtk_spin_button_get_value_as_int (self->text_spin));
  look (self);
}

static void
on_reading_selected (WwPreviewDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->reading_row), n = 0;

  if (self->updating || self->preview == NULL)
    return;
  enter_folder (self);
  for (guint r = WW_READING_GUESSED + 1; r < WW_N_READINGS; r++)
    if ((self->preview->readings & (1u << r)) != 0 && n++ == selected)
      self->origin->reading = (WwReading) r;
  /* Lines with words of their own take no list. */
  ww_origin_set_words (self->origin, NULL, FALSE);
  look (self);
}

static void
on_list_selected (WwPreviewDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->list_row);
  g_autoptr (GFile) folder = NULL;
  g_autoptr (GFile) list = NULL;

  if (self->updating || self->preview == NULL || selected > self->preview->lists->len)
    return;
  enter_folder (self);
  folder = g_file_get_parent (self->origin->file);
  if (selected < self->preview->lists->len && folder != NULL)
    list = g_file_get_child (folder, g_ptr_array_index (self->preview->lists, selected));
  ww_origin_set_words (self->origin, list, list == NULL);
  look (self);
}

static void
on_column_selected (WwPreviewDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->column_row);

  if (self->updating || self->preview == NULL || selected >= self->preview->columns->len)
    return;
  enter_folder (self);
  ww_origin_set_column (self->origin, selected + 1);
  look (self);
}

static void
on_words_chosen (GFile *file, gpointer user_data)
{
  g_autoptr (WwPreviewDialog) self = user_data;

  if (file == NULL || self->origin == NULL || self->preview == NULL)
    return;
  enter_folder (self);
  ww_origin_set_words (self->origin, file, FALSE);
  look (self);
}

static void
on_words_clicked (WwPreviewDialog *self)
{
  const char *inside = self->preview != NULL ? self->preview->inside : NULL;
  g_autoptr (GFile) shown = inside != NULL
                              ? g_file_resolve_relative_path (self->origin->file, inside)
                              : g_object_ref (self->origin->file);
  g_autoptr (GFile) folder = g_file_get_parent (shown);

  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_OPEN_WORDS, NULL, folder, on_words_chosen,
                         g_object_ref (self));
}

/* What is only suggested is chosen now. */
static void
accept_suggestions (WwPreviewDialog *self)
{
  const WwPreview *preview = self->preview;
  const WwCandidate *chosen
    = preview->chosen >= 0 ? g_ptr_array_index (preview->candidates, (guint) preview->chosen) : NULL;
  g_autofree char *array = NULL;
  gsize text;

  enter_folder (self);
  if (!preview->needs_choice)
    return;
  ww_origin_split_member (self->origin, &array, &text);
  if (array == NULL && chosen != NULL && g_strcmp0 (chosen->id, preview->inside) != 0)
    array = g_strdup (chosen->id);
  if (text == 0 && preview->n_texts > 1)
    text = preview->text + 1;
  ww_origin_set_member (self->origin, array, text);
  if (self->origin->words == NULL && !self->origin->without_words && preview->list >= 0)
    {
      g_autoptr (GFile) folder = g_file_get_parent (self->origin->file);

      self->origin->words
        = g_file_get_child (folder, g_ptr_array_index (preview->lists, (guint) preview->list));
    }
  if (self->origin->reading == WW_READING_GUESSED)
    self->origin->reading = preview->reading;
}

static void
on_open_clicked (WwPreviewDialog *self)
{
  accept_suggestions (self);
  self->func (self->origin, self->user_data);
  gtk_window_close (GTK_WINDOW (self));
}

/* ---- The object ---- */

WwPreviewDialog *
ww_preview_dialog_new (GtkWindow      *parent,
                       const WwOrigin *origin,
                       WwPreview      *preview,
                       GSettings      *settings,
                       WwPreviewFunc   func,
                       GObject        *user_data)
{
  WwPreviewDialog *self = g_object_new (WW_TYPE_PREVIEW_DIALOG, "transient-for", parent, NULL);
  g_autofree char *name = ww_origin_dup_name (origin);
  g_autofree char *escaped = g_markup_escape_text (name != NULL ? name : "", -1);

  self->origin = ww_origin_copy (origin);
  self->preview = preview;
  self->func = func;
  self->user_data = g_object_ref (user_data);
  adw_preferences_group_set_title (self->guess_group, escaped);
  gtk_widget_set_visible (self->always_check, settings != NULL);
  if (settings != NULL)
    g_settings_bind (settings, "always-preview", self->always_check, "active",
                     G_SETTINGS_BIND_DEFAULT);
  if (preview != NULL)
    show_preview (self);
  else
    look (self);
  offer_open (self);
  return self;
}

void
ww_preview_dialog_set_only_in_doubt (WwPreviewDialog *self)
{
  g_return_if_fail (WW_IS_PREVIEW_DIALOG (self));

  self->only_in_doubt = TRUE;
}

WwState
ww_preview_dialog_get_state (WwPreviewDialog *self)
{
  g_return_val_if_fail (WW_IS_PREVIEW_DIALOG (self), WW_STATE_FAILED);

  return self->state;
}

static void
ww_preview_dialog_dispose (GObject *object)
{
  WwPreviewDialog *self = WW_PREVIEW_DIALOG (object);

  /* A thread that still looks may keep this object beyond the life of its parent. */
  gtk_window_set_transient_for (GTK_WINDOW (self), NULL);
  g_cancellable_cancel (self->cancellable);
  g_clear_pointer (&self->origin, ww_origin_free);
  g_clear_object (&self->user_data);
  G_OBJECT_CLASS (ww_preview_dialog_parent_class)->dispose (object);
}

static void
ww_preview_dialog_finalize (GObject *object)
{
  WwPreviewDialog *self = WW_PREVIEW_DIALOG (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->preview, ww_preview_free);
  g_array_unref (self->members);
  G_OBJECT_CLASS (ww_preview_dialog_parent_class)->finalize (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, open_button);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, words_button);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, rows_box);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, facts_group);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, state_box);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, always_check);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, spinner);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, guess_group);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, format_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, shape_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, words_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, others_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, text_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, remarks_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, member_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, reading_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, list_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, column_row);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, text_spin);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, state_label);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, problem);
  gtk_widget_class_bind_template_child (widget_class, WwPreviewDialog, rows);
}

static void
ww_preview_dialog_class_init (WwPreviewDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_preview_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = ww_preview_dialog_finalize;
  g_type_ensure (WW_TYPE_PROBLEM);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-preview-dialog.ui");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  bind_children (widget_class);
}

static void
ww_preview_dialog_init (WwPreviewDialog *self)
{
  self->cancellable = g_cancellable_new ();
  self->members = g_array_new (FALSE, FALSE, sizeof (guint));
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_window_set_default_widget (GTK_WINDOW (self), self->open_button);
  g_signal_connect_swapped (self->open_button, "clicked", G_CALLBACK (on_open_clicked), self);
  g_signal_connect_swapped (self->words_button, "clicked", G_CALLBACK (on_words_clicked), self);
  g_signal_connect_swapped (self->member_row, "notify::selected", G_CALLBACK (on_member_selected),
                            self);
  g_signal_connect_swapped (self->reading_row, "notify::selected",
                            G_CALLBACK (on_reading_selected), self);
  g_signal_connect_swapped (self->list_row, "notify::selected", G_CALLBACK (on_list_selected),
                            self);
  g_signal_connect_swapped (self->column_row, "notify::selected", G_CALLBACK (on_column_selected),
                            self);
  g_signal_connect_swapped (self->text_spin, "value-changed", G_CALLBACK (on_text_chosen), self);
}

#include "ww-word-row.h"

#include <glib/gi18n.h>

#include "ww-list-words.h"

#define MAX_COMPLETIONS 8

struct _WwWordRow
{
  GtkWidget parent_instance;

  AdwEntryRow *word_entry;
  GtkLabel *word_error;
  GtkWidget *completion_scroller;
  GtkListBox *completion_list;

  WwSession *session;
  gboolean updating; /* the entry follows the session */
  guint frames_to_wait; /* until what was shown last has a place */
};

G_DEFINE_FINAL_TYPE (WwWordRow, ww_word_row, GTK_TYPE_WIDGET)

static const char *
get_typed (WwWordRow *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->word_entry));
}

static const char *
get_word (WwWordRow *self)
{
  return ww_session_get_inputs (self->session)->toward_word;
}

/* ---- Kept in sight ---- */

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer unused)
{
  GtkWidget *scrolled;
  GtkAdjustment *adjustment;
  graphene_rect_t bounds;
  double top;

  if (--WW_WORD_ROW (widget)->frames_to_wait > 0)
    return G_SOURCE_CONTINUE;
  scrolled = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  if (scrolled == NULL || !gtk_widget_compute_bounds (widget, scrolled, &bounds))
    return G_SOURCE_REMOVE;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  top = gtk_adjustment_get_value (adjustment) + bounds.origin.y;
  gtk_adjustment_clamp_page (adjustment, top, top + bounds.size.height);
  return G_SOURCE_REMOVE;
}

/* What appears below the entry has its place only after the next layout, which comes after the callbacks of its
 * own frame: the page is scrolled in the frame behind that. */
static void
keep_in_sight (WwWordRow *self)
{
  if (self->frames_to_wait == 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
  self->frames_to_wait = 2;
}

/* ---- Completions ---- */

static void
close_completions (WwWordRow *self)
{
  gtk_widget_set_visible (self->completion_scroller, FALSE);
  ww_list_words_clear (self->completion_list);
}

static void
show_completions (WwWordRow *self)
{
  const char *typed = get_typed (self);
  g_auto (GStrv) words = NULL;

  close_completions (self);
  /* A word that is gone to already needs no completion. */
  if (*typed == '\0' || g_str_equal (typed, get_word (self)))
    return;

  words = ww_session_complete_word (self->session, typed, MAX_COMPLETIONS);
  for (guint i = 0; words[i] != NULL; i++)
    ww_list_words_append (self->completion_list, words[i], NULL, NULL);
  gtk_widget_set_visible (self->completion_scroller, words[0] != NULL);
  if (words[0] != NULL)
    keep_in_sight (self);
}

/* ---- What the session says of the word ---- */

/* The entry is marked and described by the sentence, so that a reader who stays in it hears why; the sentence is
 * an alert besides. */
static void
update_error (WwWordRow *self)
{
  gboolean failed = ww_session_get_part_state (self->session, WW_PART_WORD) == WW_STATE_FAILED;
  const char *message = failed ? ww_session_get_part_message (self->session, WW_PART_WORD) : NULL;
  GtkEditable *text = gtk_editable_get_delegate (GTK_EDITABLE (self->word_entry));
  GtkAccessible *accessible = GTK_ACCESSIBLE (text != NULL ? (gpointer) text : self->word_entry);

  gtk_label_set_text (self->word_error, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->word_error), failed);
  if (failed)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->word_entry), "error");
      gtk_accessible_update_state (accessible, GTK_ACCESSIBLE_STATE_INVALID,
                                   GTK_ACCESSIBLE_INVALID_TRUE, -1);
      gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      message != NULL ? message : "", -1);
      keep_in_sight (self);
      return;
    }
  gtk_widget_remove_css_class (GTK_WIDGET (self->word_entry), "error");
  gtk_accessible_reset_state (accessible, GTK_ACCESSIBLE_STATE_INVALID);
  gtk_accessible_reset_property (accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static void
show_word (WwWordRow *self)
{
  self->updating = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->word_entry), get_word (self));
  gtk_editable_set_position (GTK_EDITABLE (self->word_entry), -1);
  self->updating = FALSE;
  close_completions (self);
}

/* ---- The hand ---- */

static void
take (WwWordRow *self, const char *word)
{
  g_autofree char *stripped = g_strstrip (g_strdup (word));

  close_completions (self);
  if (*stripped != '\0')
    ww_session_go_toward (self->session, stripped);
}

static void
on_completion_activated (WwWordRow *self, GtkListBoxRow *row)
{
  g_autofree char *word = g_strdup (ww_list_words_get_word (row));

  self->updating = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->word_entry), word);
  self->updating = FALSE;
  ww_word_row_focus (self);
  take (self, word);
}

static void
on_applied (WwWordRow *self)
{
  take (self, get_typed (self));
}

static void
on_typed (WwWordRow *self)
{
  if (self->updating || self->session == NULL)
    return;
  ww_session_forget_word (self->session);
  show_completions (self);
}

static gboolean
is_first_completion (GtkWidget *widget)
{
  return GTK_IS_LIST_BOX_ROW (widget) && gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (widget)) == 0;
}

static gboolean
press_down (WwWordRow *self, gboolean in_list)
{
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (self->completion_list, 0);

  if (in_list)
    return GDK_EVENT_PROPAGATE;
  if (first == NULL)
    show_completions (self);
  first = gtk_list_box_get_row_at_index (self->completion_list, 0);
  if (first == NULL)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_grab_focus (GTK_WIDGET (first));
  return GDK_EVENT_STOP;
}

static gboolean
press_escape (WwWordRow *self, gboolean in_list)
{
  if (!ww_list_words_is_empty (self->completion_list))
    {
      if (in_list)
        ww_word_row_focus (self);
      close_completions (self);
      return GDK_EVENT_STOP;
    }
  if (g_str_equal (get_typed (self), get_word (self)))
    return GDK_EVENT_PROPAGATE;
  ww_session_forget_word (self->session);
  show_word (self);
  return GDK_EVENT_STOP;
}

gboolean
ww_word_row_press_key (WwWordRow *self, guint keyval, GdkModifierType state)
{
  GtkRoot *root;
  GtkWidget *focus;
  gboolean in_list;

  g_return_val_if_fail (WW_IS_WORD_ROW (self), GDK_EVENT_PROPAGATE);

  root = gtk_widget_get_root (GTK_WIDGET (self));
  focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  in_list = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->completion_list));
  if (self->session == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)))
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      return press_down (self, in_list);
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      if (!in_list || !is_first_completion (focus))
        return GDK_EVENT_PROPAGATE;
      ww_word_row_focus (self);
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
      return press_escape (self, in_list);
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static gboolean
on_key_pressed (WwWordRow *self, guint keyval, guint keycode, GdkModifierType state)
{
  return ww_word_row_press_key (self, keyval, state);
}

void
ww_word_row_focus (WwWordRow *self)
{
  g_return_if_fail (WW_IS_WORD_ROW (self));

  /* Without selecting all of it: what is typed may go on. */
  gtk_widget_grab_focus (GTK_WIDGET (self->word_entry));
  gtk_editable_set_position (GTK_EDITABLE (self->word_entry), -1);
}

/* ---- The object ---- */

void
ww_word_row_set_session (WwWordRow *self, WwSession *session)
{
  g_return_if_fail (WW_IS_WORD_ROW (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_object (session, "notify::toward-word", G_CALLBACK (show_word), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::word-state", G_CALLBACK (update_error), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::word-message", G_CALLBACK (update_error), self,
                           G_CONNECT_SWAPPED);
  show_word (self);
  update_error (self);
}

static void
ww_word_row_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&WW_WORD_ROW (object)->session);
  G_OBJECT_CLASS (ww_word_row_parent_class)->dispose (object);
}

static void
ww_word_row_class_init (WwWordRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_word_row_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-word-row.ui");
  gtk_widget_class_bind_template_child (widget_class, WwWordRow, word_entry);
  gtk_widget_class_bind_template_child (widget_class, WwWordRow, word_error);
  gtk_widget_class_bind_template_child (widget_class, WwWordRow, completion_scroller);
  gtk_widget_class_bind_template_child (widget_class, WwWordRow, completion_list);
}

static void
ww_word_row_init (WwWordRow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  /* Before the entry, which would take the arrows for itself. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_swapped (self->completion_list, "row-activated", G_CALLBACK (on_completion_activated),
                            self);
  g_signal_connect_swapped (self->word_entry, "apply", G_CALLBACK (on_applied), self);
  g_signal_connect_swapped (self->word_entry, "entry-activated", G_CALLBACK (on_applied), self);
  g_signal_connect_swapped (self->word_entry, "changed", G_CALLBACK (on_typed), self);
}

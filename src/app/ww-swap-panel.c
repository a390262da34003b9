#include "ww-swap-panel.h"

#include <glib/gi18n.h>

#define MAX_COMPLETIONS 8
#define MAX_SWAPS 20

struct _WwSwapPanel
{
  GtkWidget parent_instance;

  AdwEntryRow *word_row;
  AdwActionRow *swap_row;
  GtkSwitch *swap_switch;
  GtkSpinner *spinner;
  GtkLabel *heading;
  GtkWidget *list_scroller;
  GtkListBox *word_list;

  WwSession *session;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (WwSwapPanel, ww_swap_panel, GTK_TYPE_WIDGET)

/* ---- The list: completions of what is typed, else the strongest swaps ---- */

static void
clear_list (WwSwapPanel *self)
{
  for (GtkListBoxRow *row; (row = gtk_list_box_get_row_at_index (self->word_list, 0)) != NULL;)
    gtk_list_box_remove (self->word_list, GTK_WIDGET (row));
}

/* `number` may be NULL. */
static void
add_word (WwSwapPanel *self, const char *word, const char *number)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *left = gtk_label_new (word), *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (left), 0);
  gtk_label_set_ellipsize (GTK_LABEL (left), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (left, TRUE);
  gtk_box_append (GTK_BOX (box), left);
  if (number != NULL)
    {
      GtkWidget *right = gtk_label_new (number);

      gtk_widget_add_css_class (right, "numeric");
      gtk_widget_add_css_class (right, "dim-label");
      gtk_box_append (GTK_BOX (box), right);
    }
  gtk_widget_add_css_class (box, "word-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "word", g_strdup (word), g_free);
  gtk_list_box_append (self->word_list, row);
}

static gboolean
show_completions (WwSwapPanel *self)
{
  const char *typed = gtk_editable_get_text (GTK_EDITABLE (self->word_row));
  const WwInputs *inputs = ww_session_get_inputs (self->session);
  g_auto (GStrv) words = NULL;

  /* A word that is gone to already needs no completion. */
  if (*typed == '\0' || g_str_equal (typed, inputs->toward_word))
    return FALSE;
  words = ww_session_complete_word (self->session, typed, MAX_COMPLETIONS);
  if (words == NULL || words[0] == NULL)
    return FALSE;

  for (guint i = 0; words[i] != NULL; i++)
    add_word (self, words[i], NULL);
  gtk_label_set_text (self->heading, _ ("Words that begin so"));
  return TRUE;
}

static gboolean
show_swaps (WwSwapPanel *self)
{
  WwSwaps *swaps = ww_session_get_swaps (self->session);
  WwState state = ww_session_get_swap_state (self->session);
  g_autofree char *words = NULL;

  if (!gtk_switch_get_active (self->swap_switch))
    return FALSE;
  if (swaps == NULL)
    {
      const char *message = ww_session_get_swap_message (self->session);

      gtk_label_set_text (self->heading, state == WW_STATE_FAILED && message != NULL
                                           ? message
                                           : _ ("Trying every word…"));
      return TRUE;
    }

  for (gsize i = 0; i < MIN (swaps->n, MAX_SWAPS); i++)
    {
      g_autofree char *number = g_strdup_printf ("%.3f", swaps->words[i].change);

      add_word (self, swaps->words[i].word, number);
    }
  if (swaps->complete)
    /* Translators: the number of words of a set, the number of a token. */
    words = g_strdup_printf (_ ("Strongest of %zu words at token %zu"), swaps->n_entries,
                             swaps->token + 1);
  else
    /* Translators: a share in percent of the number of words of a set. */
    words = g_strdup_printf (_ ("%.0f %% of %zu words tried"), 100 * swaps->fraction,
                             swaps->n_entries);
  gtk_label_set_text (self->heading, words);
  return TRUE;
}

static void
update_list (WwSwapPanel *self)
{
  gboolean shown;

  clear_list (self);
  shown = show_completions (self) || show_swaps (self);
  gtk_widget_set_visible (GTK_WIDGET (self->heading), shown);
  gtk_widget_set_visible (self->list_scroller,
                          shown && gtk_list_box_get_row_at_index (self->word_list, 0) != NULL);
}

static void
update_swap_row (WwSwapPanel *self)
{
  WwState state = ww_session_get_swap_state (self->session);
  gboolean busy = state == WW_STATE_WORKING && gtk_switch_get_active (self->swap_switch);
  const char *map = ww_map_get_name ((WwMap) ww_session_get_inputs (self->session)->direction_map);
  /* Translators: the feature map whose change ranks the words. */
  g_autofree char *words = g_strdup_printf (_ ("By the change of %s"), map);

  adw_action_row_set_subtitle (self->swap_row, words);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_spinner_set_spinning (self->spinner, busy);
  update_list (self);
}

/* ---- The word ---- */

static void
go_toward (WwSwapPanel *self, const char *word)
{
  if (*word != '\0')
    ww_session_go_toward (self->session, word);
}

static void
on_row_activated (WwSwapPanel *self, GtkListBoxRow *row)
{
  g_autofree char *word = g_strdup (g_object_get_data (G_OBJECT (row), "word"));

  go_toward (self, word);
}

static void
on_word_applied (WwSwapPanel *self)
{
  g_autofree char *typed
    = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->word_row))));

  go_toward (self, typed);
}

static void
on_word_typed (WwSwapPanel *self)
{
  if (!self->updating && self->session != NULL)
    update_list (self);
}

static void
on_toward_word_changed (WwSwapPanel *self)
{
  self->updating = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->word_row),
                         ww_session_get_inputs (self->session)->toward_word);
  self->updating = FALSE;
  update_list (self);
}

static void
on_set_changed (WwSwapPanel *self)
{
  WwSet *set = ww_session_get_set (self->session);

  gtk_widget_set_visible (GTK_WIDGET (self),
                          set != NULL && ww_set_get_kind (set) != WW_SET_KIND_CONTEXT);
}

void
ww_swap_panel_focus_word (WwSwapPanel *self)
{
  g_return_if_fail (WW_IS_SWAP_PANEL (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->word_row));
}

/* ---- The object ---- */

void
ww_swap_panel_set_session (WwSwapPanel *self, WwSession *session)
{
  static const char *const swap_signals[]
    = { "notify::swaps", "notify::swap-state", "notify::swap-message", "notify::direction-map" };

  g_return_if_fail (WW_IS_SWAP_PANEL (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_object_bind_property (session, "swap-active", self->swap_switch, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  for (guint i = 0; i < G_N_ELEMENTS (swap_signals); i++)
    g_signal_connect_object (session, swap_signals[i], G_CALLBACK (update_swap_row), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::toward-word", G_CALLBACK (on_toward_word_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::set", G_CALLBACK (on_set_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->swap_switch, "notify::active", G_CALLBACK (update_swap_row), self,
                           G_CONNECT_SWAPPED);
  on_toward_word_changed (self);
  on_set_changed (self);
  update_swap_row (self);
}

static void
ww_swap_panel_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&WW_SWAP_PANEL (object)->session);
  G_OBJECT_CLASS (ww_swap_panel_parent_class)->dispose (object);
}

static void
ww_swap_panel_class_init (WwSwapPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_swap_panel_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-swap-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, word_row);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, swap_row);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, swap_switch);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, spinner);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, heading);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, list_scroller);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, word_list);
}

static void
ww_swap_panel_init (WwSwapPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->word_list, "row-activated", G_CALLBACK (on_row_activated), self);
  g_signal_connect_swapped (self->word_row, "apply", G_CALLBACK (on_word_applied), self);
  g_signal_connect_swapped (self->word_row, "entry-activated", G_CALLBACK (on_word_applied), self);
  g_signal_connect_swapped (self->word_row, "changed", G_CALLBACK (on_word_typed), self);
}

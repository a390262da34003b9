#include "ww-swap-panel.h"

#include <glib/gi18n.h>

#include "ww-list-words.h"
#include "ww-word-row.h"

#define MAX_SWAPS 20

struct _WwSwapPanel
{
  GtkWidget parent_instance;

  WwWordRow *word_row;
  AdwActionRow *swap_row;
  AdwComboRow *map_row;
  GtkSwitch *swap_switch;
  GtkSpinner *spinner;
  GtkLabel *heading;
  GtkWidget *list_scroller;
  GtkListBox *word_list;

  WwSession *session;
  gpointer listed; /* the swaps in the list: only to be compared with */
};

G_DEFINE_FINAL_TYPE (WwSwapPanel, ww_swap_panel, GTK_TYPE_WIDGET)

/* In the order of the list: attention first, as everywhere on the page. */
static const WwMap ranking_maps[]
  = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF, WW_MAP_RF, WW_MAP_DRF };

/* ---- The words ---- */

static void
add_words (WwSwapPanel *self, const WwSwaps *swaps)
{
  for (gsize i = 0; i < MIN (swaps->n, MAX_SWAPS); i++)
    {
      const WwSwapWord *swap = &swaps->words[i];
      g_autofree char *number = g_strdup_printf ("%.3f", swap->change);
      /* Translators: a word, a map, the relative change of its features. */
      g_autofree char *words = g_strdup_printf (_ ("“%s” changes %s by %.3f"), swap->word,
                                                ww_map_get_name (swaps->map), swap->change);

      ww_list_words_append (self->word_list, swap->word, number, words);
    }
}

/* A deep map by its size, too: another one ranks the words otherwise. */
static char *
describe_ranking (const WwSwaps *swaps)
{
  if (swaps->map == WW_MAP_DRF)
    /* Translators: DRF, its depth L, the width of its layers. */
    return g_strdup_printf (_ ("%s, L = %u, width %u"), ww_map_get_name (swaps->map),
                            swaps->inputs->depth, swaps->inputs->width);
  return g_strdup (ww_map_get_name (swaps->map));
}

static char *
describe_swaps (WwSwapPanel *self, const WwSwaps *swaps)
{
  const char *message = ww_session_get_part_message (self->session, WW_PART_SWAPS);
  g_autofree char *ranking = NULL;

  if (ww_session_get_part_state (self->session, WW_PART_SWAPS) == WW_STATE_FAILED)
    return g_strdup (message != NULL ? message : "");
  if (swaps == NULL)
    return g_strdup (_ ("Trying every word…"));
  if (!swaps->complete)
    /* Translators: a number of words so far, a share in percent of the work. */
    return g_strdup_printf (ngettext ("%zu word tried so far (%.0f %%)",
                                      "%zu words tried so far (%.0f %%)", swaps->n_ranked),
                            swaps->n_ranked, 100 * swaps->fraction);
  ranking = describe_ranking (swaps);
  /* Translators: a number of words, the number of a token, a map. */
  return g_strdup_printf (ngettext ("%zu word tried at token %zu, ranked by %s",
                                    "Strongest of %zu words at token %zu, ranked by %s",
                                    swaps->n_ranked),
                          swaps->n_ranked, swaps->token + 1, ranking);
}

/* The word that the token goes to, whichever way it was chosen. */
static void
mark_taken (WwSwapPanel *self)
{
  const WwInputs *inputs = ww_session_get_inputs (self->session);

  ww_list_words_mark (self->word_list,
                      inputs->direction == WW_DIRECTION_TOWARD ? inputs->toward_word : NULL);
}

static void
update_list (WwSwapPanel *self)
{
  WwSwaps *swaps = ww_session_get_swaps (self->session);
  WwState state = ww_session_get_part_state (self->session, WW_PART_SWAPS);
  gboolean active = gtk_switch_get_active (self->swap_switch);
  gboolean busy = active && state == WW_STATE_WORKING;
  g_autofree char *words = active ? describe_swaps (self, swaps) : g_strdup ("");

  ww_list_words_clear (self->word_list);
  if (active && swaps != NULL)
    add_words (self, swaps);
  mark_taken (self);
  if (swaps != self->listed)
    gtk_adjustment_set_value (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->list_scroller)), 0);
  self->listed = swaps;
  gtk_label_set_text (self->heading, words);
  if (state == WW_STATE_FAILED)
    gtk_widget_add_css_class (GTK_WIDGET (self->heading), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->heading), "error");
  gtk_widget_set_visible (GTK_WIDGET (self->heading), active && state != WW_STATE_EMPTY);
  gtk_widget_set_visible (self->list_scroller, !ww_list_words_is_empty (self->word_list));
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), busy);
  gtk_spinner_set_spinning (self->spinner, busy);
}

static void
on_row_activated (WwSwapPanel *self, GtkListBoxRow *row)
{
  g_autofree char *word = g_strdup (ww_list_words_get_word (row));

  ww_session_go_toward (self->session, word);
}

/* ---- What ranks them ---- */

static gboolean
map_to_selected (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  for (guint i = 0; i < G_N_ELEMENTS (ranking_maps); i++)
    if (ranking_maps[i] == g_value_get_uint (from))
      {
        g_value_set_uint (to, i);
        return TRUE;
      }
  return FALSE;
}

static gboolean
selected_to_map (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  guint selected = g_value_get_uint (from);

  if (selected >= G_N_ELEMENTS (ranking_maps))
    return FALSE;
  g_value_set_uint (to, ranking_maps[selected]);
  return TRUE;
}

static void
fill_map_row (WwSwapPanel *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ranking_maps); i++)
    gtk_string_list_append (names, ww_map_get_name (ranking_maps[i]));
  adw_combo_row_set_model (self->map_row, G_LIST_MODEL (names));
}

/* A ready context has no words. */
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

  ww_word_row_focus (self->word_row);
}

/* ---- The object ---- */

void
ww_swap_panel_set_session (WwSwapPanel *self, WwSession *session)
{
  static const char *const swap_signals[]
    = { "notify::swaps", "notify::swap-state", "notify::swap-message" };

  g_return_if_fail (WW_IS_SWAP_PANEL (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  ww_word_row_set_session (self->word_row, session);
  g_object_bind_property (session, "swap-active", self->swap_switch, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property_full (session, "swap-map", self->map_row, "selected",
                               G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, map_to_selected,
                               selected_to_map, NULL, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (swap_signals); i++)
    g_signal_connect_object (session, swap_signals[i], G_CALLBACK (update_list), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::set", G_CALLBACK (on_set_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::direction", G_CALLBACK (mark_taken), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::toward-word", G_CALLBACK (mark_taken), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->swap_switch, "notify::active", G_CALLBACK (update_list), self,
                           G_CONNECT_SWAPPED);
  on_set_changed (self);
  update_list (self);
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
  g_type_ensure (WW_TYPE_WORD_ROW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-swap-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, word_row);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, swap_row);
  gtk_widget_class_bind_template_child (widget_class, WwSwapPanel, map_row);
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
  fill_map_row (self);
  g_signal_connect_swapped (self->word_list, "row-activated", G_CALLBACK (on_row_activated), self);
}

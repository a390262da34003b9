#include "ww-head-row.h"

#include <glib/gi18n.h>

#include "ww-combo-names.h"

/* Places in the list. */
enum
{
  PLACE_OFF,
  PLACE_MEAN,
  PLACE_FIRST_HEAD,
};

struct _WwHeadRow
{
  AdwComboRow parent_instance;

  WwSession *session;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (WwHeadRow, ww_head_row, ADW_TYPE_COMBO_ROW)

static void
on_selected (WwHeadRow *self)
{
  guint selected = adw_combo_row_get_selected (ADW_COMBO_ROW (self));

  if (self->session == NULL || self->updating || selected == GTK_INVALID_LIST_POSITION)
    return;
  g_object_set (self->session, "head",
                selected == PLACE_OFF    ? WW_HEAD_NONE
                : selected == PLACE_MEAN ? WW_HEAD_MEAN
                                         : (int) (selected - PLACE_FIRST_HEAD),
                NULL);
}

static void
update_head (WwHeadRow *self)
{
  const WwInputs *inputs = ww_session_get_inputs (self->session);
  int head = ww_inputs_get_head (inputs);

  self->updating = TRUE;
  adw_combo_row_set_selected (ADW_COMBO_ROW (self), inputs->head == WW_HEAD_NONE ? PLACE_OFF
                                                    : head == WW_HEAD_MEAN
                                                      ? PLACE_MEAN
                                                      : PLACE_FIRST_HEAD + (guint) head);
  self->updating = FALSE;
}

/* Whether a block takes the layer in. */
static gboolean
is_input_of_block (WwHeadRow *self)
{
  const WwInputs *inputs = ww_session_get_inputs (self->session);
  gsize n_blocks = inputs->set != NULL ? ww_set_get_attention_layers (inputs->set) : 0;

  return inputs->layer >= 0 && (gsize) inputs->layer < n_blocks;
}

/* Which block, or why there is nothing to see of it. */
static void
update_subtitle (WwHeadRow *self)
{
  const WwInputs *inputs = ww_session_get_inputs (self->session);
  gboolean is_input = is_input_of_block (self);
  g_autofree char *words = NULL;

  if (ww_session_get_part_state (self->session, WW_PART_TRAINED) == WW_STATE_FAILED)
    words = g_strdup (ww_session_get_part_message (self->session, WW_PART_TRAINED));
  else
    /* Translators: the number of a block of a trained model. */
    words = is_input ? g_strdup_printf (_ ("Block %d"), inputs->layer + 1)
                     : g_strdup (_ ("No block takes this layer in"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), words);
}

/* Which heads there are. */
static void
update_heads (WwHeadRow *self)
{
  WwSet *set = ww_session_get_set (self->session);
  guint n_heads = set != NULL ? (guint) ww_set_get_attention_heads (set) : 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  gtk_widget_set_visible (GTK_WIDGET (self), n_heads > 0);
  gtk_string_list_append (names, _ ("Off"));
  gtk_string_list_append (names, _ ("Mean of heads"));
  for (guint i = 0; i < n_heads; i++)
    gtk_string_list_take (names, g_strdup_printf (_ ("Head %u"), i + 1));
  self->updating = TRUE;
  ww_combo_set_names (ADW_COMBO_ROW (self), names);
  self->updating = FALSE;
  update_head (self);
  update_subtitle (self);
  /* Last: a combo row makes itself sensitive when it gets a list. */
  gtk_widget_set_sensitive (GTK_WIDGET (self), is_input_of_block (self));
}

void
ww_head_row_set_session (WwHeadRow *self, WwSession *session)
{
  static const char *const signals[] = { "notify::set", "notify::layer" };

  g_return_if_fail (WW_IS_HEAD_ROW (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (session, signals[i], G_CALLBACK (update_heads), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::head", G_CALLBACK (update_head), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::trained-state", G_CALLBACK (update_subtitle), self,
                           G_CONNECT_SWAPPED);
  update_heads (self);
}

static void
ww_head_row_dispose (GObject *object)
{
  g_clear_object (&WW_HEAD_ROW (object)->session);
  G_OBJECT_CLASS (ww_head_row_parent_class)->dispose (object);
}

static void
ww_head_row_class_init (WwHeadRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ww_head_row_dispose;
}

static void
ww_head_row_init (WwHeadRow *self)
{
  g_signal_connect (self, "notify::selected", G_CALLBACK (on_selected), NULL);
}

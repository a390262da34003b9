#include "ww-shown-nudge.h"

#include <glib/gi18n.h>

#include "ww-app-provenance.h"

struct _WwShownNudge
{
  gatomicrefcount refs;
  WwNudge *nudge;
  WwTokens *tokens;
  WwSet *set;
  WwProvenance provenance;
  WwTrained trained;
  char *trained_name, *direction, *toward;
  WwNudgeReport report;
};

/* Goes into files, in English as all that they say. */
static char *
describe_direction (const WwInputs *inputs)
{
  switch (inputs->direction)
    {
    case WW_DIRECTION_RANDOM:
      return g_strdup ("random");
    case WW_DIRECTION_TOWARD:
      return NULL; /* the report has words for it */
    case WW_DIRECTION_WORST:
    default:
      return g_strdup_printf ("worst for %s", ww_map_get_id ((WwMap) inputs->direction_map));
    }
}

static void
take_trained (WwShownNudge *self, const WwTrained *trained, const WwInputs *inputs)
{
  guint n_heads;

  if (trained == NULL)
    return;
  n_heads = (guint) ww_set_get_attention_heads (inputs->set);
  self->trained = *trained;
  self->report.trained_before = ww_matrix_ref (trained->before);
  self->report.trained_after = ww_matrix_ref (trained->after);
  self->trained_name = trained->head == WW_HEAD_MEAN
                         /* Translators: a block of a trained model and the number of its heads. */
                         ? g_strdup_printf (_ ("Block %d, mean of %u heads"), trained->block,
                                            n_heads)
                         : g_strdup_printf (_ ("Block %d, head %d"), trained->block,
                                            trained->head + 1);
  self->report.trained_name = self->trained_name;
  self->report.trained_block = trained->block;
  self->report.trained_head = trained->head;
}

WwShownNudge *
ww_shown_nudge_new (WwSession *session)
{
  WwNudge *nudge = ww_session_get_nudge (session);
  const WwInputs *inputs = ww_session_get_nudge_inputs (session);
  WwTokens *tokens = ww_session_get_perturb_tokens (session);
  const WwNudgeRange *range = ww_session_get_nudge_range (session);
  WwShownNudge *self;

  if (nudge == NULL || inputs == NULL)
    return NULL;

  self = g_new0 (WwShownNudge, 1);
  g_atomic_ref_count_init (&self->refs);
  self->nudge = ww_nudge_ref (nudge);
  /* A token list of another text would put the wrong words beside the numbers. */
  if (tokens != NULL && tokens->n >= nudge->n)
    self->tokens = ww_tokens_head (tokens, nudge->n);
  g_set_object (&self->set, inputs->set);
  ww_app_provenance_of_nudge (nudge, inputs, &self->provenance);
  self->report.nudge = self->nudge;
  self->report.tokens = self->tokens;
  self->report.provenance = &self->provenance;
  self->direction = describe_direction (inputs);
  self->report.direction = self->direction;
  if (inputs->direction == WW_DIRECTION_TOWARD)
    self->report.toward = self->toward = g_strdup (inputs->toward_word);
  self->report.amount = inputs->amount;
  take_trained (self, ww_session_get_nudge_trained (session), inputs);
  memcpy (self->report.weight_max, range->weight, sizeof range->weight);
  memcpy (self->report.change_max, range->change, sizeof range->change);
  self->report.trained_weight_max = range->trained_weight;
  self->report.trained_change_max = range->trained_change;
  return self;
}

WwShownNudge *
ww_shown_nudge_ref (WwShownNudge *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ww_shown_nudge_unref (WwShownNudge *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ww_nudge_unref (self->nudge);
  g_clear_pointer (&self->tokens, ww_tokens_unref);
  g_clear_object (&self->set);
  ww_provenance_clear (&self->provenance);
  ww_trained_clear (&self->trained);
  g_free (self->trained_name);
  g_free (self->direction);
  g_free (self->toward);
  g_free (self);
}

WwSet *
ww_shown_nudge_get_set (const WwShownNudge *self)
{
  return self->set;
}

const WwNudge *
ww_shown_nudge_get_nudge (const WwShownNudge *self)
{
  return self->nudge;
}

const WwNudgeReport *
ww_shown_nudge_get_report (const WwShownNudge *self)
{
  return &self->report;
}

char *
ww_shown_nudge_dup_word (const WwShownNudge *self, gsize token)
{
  if (self->tokens != NULL && token < self->tokens->n)
    return g_strdup (self->tokens->tokens[token].display);
  return g_strdup_printf ("%zu", token + 1);
}

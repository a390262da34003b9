#include "ww-shown-nudge.h"

#include "ww-app-provenance.h"

struct _WwShownNudge
{
  gatomicrefcount refs;
  WwNudge *nudge;
  WwTokens *tokens;
  WwSet *set;
  WwProvenance provenance;
  WwNudgeReport report;
};

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
  self->report.direction = inputs->direction == WW_DIRECTION_RANDOM ? "random" : "worst";
  memcpy (self->report.weight_max, range->weight, sizeof range->weight);
  memcpy (self->report.change_max, range->change, sizeof range->change);
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

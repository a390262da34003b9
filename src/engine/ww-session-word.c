#include "ww-session-private.h"

/* What waits to be looked up is of no interest any more, nor what was said of it. */
void
ww_session_drop_word (WwSession *self)
{
  if (self->worker != NULL)
    ww_worker_cancel (self->worker, LANE_WORD);
  g_clear_pointer (&self->asked_word, g_free);
  ww_session_take_status (self, WW_PART_WORD, WW_STATE_EMPTY, NULL);
}

static void
go_toward (WwSession *self, const char *word)
{
  ww_history_begin_group (self->history);
  g_object_set (self, "toward-word", word, "amount", 1.0, "direction", WW_DIRECTION_TOWARD, NULL);
  ww_history_end_group (self->history);
}

void
ww_session_deliver_word (WwSession *self, gboolean finished, const GError *error)
{
  g_autofree char *word = NULL;

  if (error != NULL)
    {
      ww_session_take_status (self, WW_PART_WORD, WW_STATE_FAILED, error->message);
      return;
    }
  if (!finished)
    return;

  word = g_steal_pointer (&self->asked_word);
  go_toward (self, word);
  ww_session_take_status (self, WW_PART_WORD, WW_STATE_DONE, NULL);
}

/* ---- Public ---- */

void
ww_session_go_toward (WwSession *self, const char *word)
{
  WwJobContext context;
  const char *message;
  WwState state;

  g_return_if_fail (WW_IS_SESSION (self));
  g_return_if_fail (word != NULL);

  ww_session_update_now (self);
  /* Nothing to look it up in: the nudge will say so when its time has come. */
  if (!self->perturb_active || ww_session_get_obstacle (self, &state, &message))
    {
      go_toward (self, word);
      return;
    }

  context = ww_session_get_job_context (self);
  ww_session_drop_word (self);
  self->asked_word = g_strdup (word);
  ww_worker_post (self->worker, LANE_WORD, &ww_word_job, ww_word_request_new (&context, word));
  ww_session_take_status (self, WW_PART_WORD, WW_STATE_WORKING, NULL);
}

void
ww_session_forget_word (WwSession *self)
{
  g_return_if_fail (WW_IS_SESSION (self));

  ww_session_drop_word (self);
}

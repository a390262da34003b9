#include "ww-session-private.h"

#include <glib/gi18n-lib.h>

static void
set_state (WwSession *self, WwState state, const char *message)
{
  ww_session_take_status (self, WW_PART_SWAPS, state, message);
}

static void
take_swaps (WwSession *self, WwSwaps *swaps)
{
  ww_session_take_double (self, &self->swap_progress, swaps != NULL ? swaps->fraction : 0.0,
                          PROP_SWAP_PROGRESS);
  if (self->swaps == swaps)
    return;

  g_clear_pointer (&self->swaps, ww_swaps_unref);
  self->swaps = swaps != NULL ? ww_swaps_ref (swaps) : NULL;
  ww_session_notify (self, PROP_SWAPS);
}

/* Without a ranking that is complete, there is none. */
void
ww_session_stop_swap (WwSession *self)
{
  ww_worker_cancel (self->worker, LANE_SWAP);
  if (self->status[WW_PART_SWAPS].state == WW_STATE_DONE)
    return;

  self->swapping = -1;
  take_swaps (self, NULL);
  set_state (self, WW_STATE_EMPTY, NULL);
}

/* The words of the set, once somebody may want to type one. */
static void
update_words (WwSession *self)
{
  WwSet *set = self->inputs->set;
  WwJobContext context = ww_session_get_job_context (self);
  gboolean known = self->words != NULL && ww_entries_get_set (self->words) == set;

  if (known || self->wordless == set || ww_worker_is_busy (self->worker, LANE_WORDS))
    return;

  g_clear_pointer (&self->words, ww_entries_unref);
  ww_worker_post (self->worker, LANE_WORDS, &ww_words_job, ww_words_request_new (&context));
}

/* What a ranking is of. */
static gint64
make_key (const WwInputs *inputs)
{
  gboolean deep = inputs->swap_map == WW_MAP_DRF;
  gint64 key = inputs->swap_map;

  key = key * (WW_MAX_DEPTH + 1) + (deep ? inputs->depth : 0);
  key = key * (WW_MAX_WIDTH + 1) + (deep ? inputs->width : 0);
  return key * WW_MAX_ROWS + inputs->token;
}

void
ww_session_update_swap (WwSession *self)
{
  WwJobContext context = ww_session_get_job_context (self);
  gint64 key = make_key (self->inputs);

  update_words (self);
  if (!self->swap_active)
    {
      ww_session_stop_swap (self);
      return;
    }
  if (self->swapping == key)
    return;

  self->swapping = key;
  ww_worker_post (self->worker, LANE_SWAP, &ww_swap_job, ww_swap_request_new (&context));
  ww_session_take_double (self, &self->swap_progress, 0.0, PROP_SWAP_PROGRESS);
  set_state (self, WW_STATE_WORKING, NULL);
}

void
ww_session_forget_swaps (WwSession *self)
{
  ww_worker_cancel (self->worker, LANE_SWAP);
  self->swapping = -1;
  take_swaps (self, NULL);
  set_state (self, WW_STATE_EMPTY, NULL);
}

void
ww_session_deliver_words (WwSession *self, GPtrArray *results, const GError *error)
{
  WwEntries *words = results->len > 0 ? results->pdata[results->len - 1] : NULL;

  /* What fails once would fail again. */
  if (error != NULL)
    self->wordless = self->inputs->set;
  if (words == NULL || ww_entries_get_set (words) != self->inputs->set)
    return;

  g_clear_pointer (&self->words, ww_entries_unref);
  self->words = ww_entries_ref (words);
}

void
ww_session_deliver_swaps (WwSession *self, GPtrArray *results, const GError *error)
{
  if (results->len > 0)
    {
      WwSwaps *swaps = results->pdata[results->len - 1];

      take_swaps (self, swaps);
      set_state (self, swaps->complete ? WW_STATE_DONE : WW_STATE_WORKING, NULL);
    }
  if (error != NULL)
    {
      take_swaps (self, NULL);
      set_state (self, WW_STATE_FAILED, error->message);
    }
}

void
ww_session_set_swap_active (WwSession *self, gboolean active)
{
  if (self->swap_active == active)
    return;

  self->swap_active = active;
  ww_session_notify (self, PROP_SWAP_ACTIVE);
  ww_session_queue_update (self, DIRTY_SWAP);
}

void
ww_session_finalize_swap (WwSession *self)
{
  g_clear_pointer (&self->swaps, ww_swaps_unref);
  g_clear_pointer (&self->words, ww_entries_unref);
}

/* ---- Public ---- */

WwSwaps *
ww_session_get_swaps (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->swaps;
}

char **
ww_session_complete_word (WwSession *self, const char *prefix, gsize max)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);
  g_return_val_if_fail (prefix != NULL, NULL);

  if (self->words == NULL || ww_entries_get_set (self->words) != self->inputs->set)
    return g_new0 (char *, 1);

  return ww_entries_complete (self->words, prefix, max);
}

#include "ww-session-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define REFINE_AFTER_MS 300 /* a hand that rests so long has let go of the slider */

static void
set_state (WwSession *self, WwState state, const char *message)
{
  ww_session_take_status (self, WW_PART_NUDGE, state, message);
}

static void
take_nudge (WwSession *self, const WwNudgeResult *result, WwInputs *inputs)
{
  if (self->nudge == NULL && result == NULL)
    return;

  g_clear_pointer (&self->nudge, ww_nudge_result_free);
  ww_inputs_free (self->nudge_inputs);
  if (result != NULL)
    self->nudge = ww_nudge_result_copy (result);
  self->nudge_inputs = inputs;
  if (result == NULL)
    ww_session_take_status (self, WW_PART_TRAINED, WW_STATE_EMPTY, NULL);
  else if (result->trained_message != NULL)
    ww_session_take_status (self, WW_PART_TRAINED, WW_STATE_FAILED, result->trained_message);
  else
    ww_session_take_status (self, WW_PART_TRAINED,
                            result->trained.after != NULL ? WW_STATE_DONE : WW_STATE_EMPTY, NULL);
  ww_session_notify (self, PROP_NUDGE);
}

static void
set_refining (WwSession *self, gboolean refining)
{
  if (self->refining == refining)
    return;

  self->refining = refining;
  ww_session_notify (self, PROP_DIRECTION_REFINING);
}

static void
stop_refining (WwSession *self)
{
  if (self->refine != NULL)
    g_source_destroy (self->refine);
  g_clear_pointer (&self->refine, g_source_unref);
  ww_worker_cancel (self->worker, LANE_REFINE);
  set_refining (self, FALSE);
}

static void
stop_searching (WwSession *self)
{
  ww_worker_cancel (self->worker, LANE_DIRECTION);
  self->searching = -1;
}

static void
stop_readouts (WwSession *self)
{
  ww_worker_cancel (self->worker, LANE_READOUTS);
  self->readouts_of = -1;
}

/* ---- The worst directions known under the present base ---- */

static gint64
make_key (const WwTarget *target)
{
  return (gint64) target->map * WW_MAX_ROWS + (gint64) target->token;
}

static WwFound *
get_found (WwSession *self, WwMap map, gsize token)
{
  WwTarget target = { map, token };

  return g_hash_table_lookup (self->found, GSIZE_TO_POINTER ((gsize) make_key (&target)));
}

const WwFound *
ww_session_find (WwSession *self, WwMap map, gsize token)
{
  return get_found (self, map, token);
}

/* What the direction of the nudge is the worst for. */
static WwTarget
get_wanted (WwSession *self)
{
  return (WwTarget) { (WwMap) self->inputs->direction_map, self->inputs->token };
}

/* A longer search that found less changes how well the direction is known, not the direction. */
static void
store_found (WwSession *self, WwFound *found)
{
  WwTarget target = { found->map, found->token };
  WwFound *old = get_found (self, found->map, found->token);
  WwFound *best = old != NULL && old->ws > found->ws ? ww_found_confirm (old, found)
                                                     : ww_found_ref (found);

  g_hash_table_insert (self->found, GSIZE_TO_POINTER ((gsize) make_key (&target)), best);
  if (found->map != WW_MAP_RF)
    ww_session_confirm_sensitivity (self, best);
}

/* RF is searched under another V for the strip. */
WwFound *
ww_session_get_found (WwSession *self, const WwFound *found)
{
  return found->map != WW_MAP_RF ? get_found (self, found->map, found->token) : NULL;
}

/* The read-outs of the chosen token. */
static void
publish_found (WwSession *self)
{
  gboolean changed = FALSE;

  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    {
      WwFound *found = get_found (self, (WwMap) map, self->inputs->token);
      double ws = found != NULL ? found->ws : NAN;

      if (ws == self->found_ws[map] || (isnan (ws) && isnan (self->found_ws[map])))
        continue;
      self->found_ws[map] = ws;
      changed = TRUE;
    }

  if (!changed)
    return;

  self->n_found_changes++;
  ww_session_notify (self, PROP_FOUND_WS);
}

static void
publish_direction (WwSession *self)
{
  WwTarget wanted = get_wanted (self);
  gboolean worst = self->inputs->direction == WW_DIRECTION_WORST;
  WwFound *found = worst ? get_found (self, wanted.map, wanted.token) : NULL;
  guint64 evaluations = found != NULL ? found->evaluations : 0;

  ww_session_take_double (self, &self->direction_ws, found != NULL ? found->ws : NAN,
                          PROP_DIRECTION_WS);
  if (self->direction_evaluations != evaluations)
    {
      self->direction_evaluations = evaluations;
      ww_session_notify (self, PROP_DIRECTION_EVALUATIONS);
    }
  publish_found (self);
}

/* ---- A longer search, once the user pauses ---- */

static gboolean
refine (gpointer user_data)
{
  WwSession *self = user_data;
  WwJobContext context = ww_session_get_job_context (self);
  WwTarget target = get_wanted (self);

  g_clear_pointer (&self->refine, g_source_unref);
  ww_worker_post (self->worker, LANE_REFINE, &ww_search_job,
                  ww_search_request_new (&context, WW_EFFORT_NORMAL, FALSE, &target, 1));

  return G_SOURCE_REMOVE;
}

/* A longer search once the user pauses; one that runs for the same direction goes on. */
static void
arm_refine (WwSession *self, WwFound *found)
{
  WwTarget wanted = get_wanted (self);
  gint64 key = make_key (&wanted);

  if (found == NULL || found->effort != WW_EFFORT_QUICK)
    {
      stop_refining (self);
      return;
    }

  if (self->refine == NULL && self->refining && self->refine_key == key)
    return;

  stop_refining (self);
  self->refine_key = key;
  self->refine = g_timeout_source_new (REFINE_AFTER_MS);
  g_source_set_static_name (self->refine, "ww-session-refine");
  g_source_set_callback (self->refine, refine, self, NULL);
  g_source_attach (self->refine, self->context);
  set_refining (self, TRUE);
}

/* ---- The nudge ---- */

static void
post_nudge (WwSession *self, WwFound *found)
{
  WwJobContext context = ww_session_get_job_context (self);

  ww_worker_post (self->worker, LANE_NUDGE, &ww_nudge_job, ww_nudge_request_new (&context, found));
  ww_inputs_free (self->pending_nudge_inputs);
  self->pending_nudge_inputs = ww_inputs_copy (self->inputs);
  /* A nudge says which search found it; the effort that was asked for is that of curves. */
  if (found != NULL)
    self->pending_nudge_inputs->effort = found->by;
  set_state (self, WW_STATE_WORKING, NULL);
}

/* A quick search for the direction that is wanted; the nudge waits for it. */
static void
search_direction (WwSession *self)
{
  WwJobContext context = ww_session_get_job_context (self);
  WwTarget target = get_wanted (self);
  gint64 key = make_key (&target);

  ww_worker_cancel (self->worker, LANE_NUDGE);
  stop_readouts (self);
  stop_refining (self);
  set_state (self, WW_STATE_WORKING, NULL);
  if (self->searching == key)
    return;

  self->searching = key;
  ww_worker_post (self->worker, LANE_DIRECTION, &ww_search_job,
                  ww_search_request_new (&context, WW_EFFORT_QUICK, FALSE, &target, 1));
}

/* Quick searches for what is not known yet of the chosen token, behind the nudge. */
static void
update_readouts (WwSession *self)
{
  WwJobContext context = ww_session_get_job_context (self);
  gsize token = self->inputs->token;
  WwTarget targets[WW_N_SESSION_MAPS];
  gsize n = 0;

  if (self->readouts_of == (gint64) token)
    return;

  stop_readouts (self);
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    if (get_found (self, (WwMap) map, token) == NULL)
      targets[n++] = (WwTarget) { (WwMap) map, token };
  if (n == 0)
    return;

  self->readouts_of = (gint64) token;
  ww_worker_post (self->worker, LANE_READOUTS, &ww_search_job,
                  ww_search_request_new (&context, WW_EFFORT_QUICK, FALSE, targets, n));
}

/* Toward no word at all there is no nudge. */
static gboolean
wants_a_word (WwSession *self)
{
  g_autofree char *word = g_strstrip (g_strdup (self->inputs->toward_word));

  return self->inputs->direction == WW_DIRECTION_TOWARD && *word == '\0';
}

/* The other maps are still read out. */
static void
refuse_undefined (WwSession *self)
{
  g_autofree char *message
    /* Translators: %s is the name of a map, as "ReLU-RAF"; features are its values. */
    = g_strdup_printf (_("%s is undefined here: under these weights all of its features are zero."),
                       ww_map_get_name (get_wanted (self).map));

  ww_worker_cancel (self->worker, LANE_NUDGE);
  stop_searching (self);
  stop_refining (self);
  take_nudge (self, NULL, NULL);
  set_state (self, WW_STATE_FAILED, message);
  update_readouts (self);
}

static void
update_nudge (WwSession *self)
{
  WwFound *found = NULL;

  publish_direction (self);

  if (wants_a_word (self))
    {
      ww_worker_cancel (self->worker, LANE_NUDGE);
      stop_searching (self);
      stop_refining (self);
      take_nudge (self, NULL, NULL);
      set_state (self, WW_STATE_EMPTY, _("Type a word to go toward."));
      return;
    }

  if (self->inputs->direction == WW_DIRECTION_WORST)
    {
      WwTarget wanted = get_wanted (self);

      found = get_found (self, wanted.map, wanted.token);
      if (found == NULL)
        {
          search_direction (self);
          return;
        }
      if (isnan (found->ws))
        {
          refuse_undefined (self);
          return;
        }
    }

  stop_searching (self);
  post_nudge (self, found);
  update_readouts (self);
  arm_refine (self, found);
}

/* ---- The base: what all nudges share ---- */

static void
clamp_inputs (WwSession *self)
{
  gsize n = ww_inputs_get_perturb_rows (self->inputs);

  if (n > 0 && self->inputs->token >= n)
    {
      self->inputs->token = (guint) n - 1;
      ww_session_notify (self, PROP_TOKEN);
    }
  if (self->inputs->length > self->inputs->radius)
    {
      self->inputs->length = self->inputs->radius;
      ww_session_notify (self, PROP_LENGTH);
    }
}

/* Other rows: what is shown of the old ones does not fit beside the new tokens. */
static void
replace_perturb_tokens (WwSession *self)
{
  gsize n = ww_inputs_get_perturb_rows (self->inputs);
  gsize old_n = self->perturb_tokens != NULL ? self->perturb_tokens->n : 0;

  if (self->perturb_serial == self->context_serial && n == old_n)
    return;

  self->perturb_serial = self->context_serial;
  g_clear_pointer (&self->perturb_tokens, ww_tokens_unref);
  if (n > 0)
    self->perturb_tokens = ww_tokens_head (self->inputs->rows, n);
  ww_session_notify (self, PROP_PERTURB_TOKENS);
  take_nudge (self, NULL, NULL);
  ww_session_drop_word (self);
}

static void
replace_base (WwSession *self)
{
  ww_worker_cancel (self->worker, LANE_NUDGE);
  stop_searching (self);
  stop_readouts (self);
  stop_refining (self);
  ww_session_stop_strip (self);
  ww_session_forget_bounds (self);

  g_hash_table_remove_all (self->found);
  ww_session_forget_sensitivities (self);
  ww_session_forget_swaps (self);
  clamp_inputs (self);
  replace_perturb_tokens (self);
}

void
ww_session_update_perturb (WwSession *self, guint dirty)
{
  const char *message;
  WwState state;

  if (dirty & DIRTY_BASE)
    replace_base (self);

  if (ww_session_get_obstacle (self, &state, &message))
    {
      publish_direction (self);
      if (ww_session_stays_calm (self->status[WW_PART_NUDGE].state, state))
        return;
      if (state != WW_STATE_WORKING)
        take_nudge (self, NULL, NULL);
      set_state (self, state, message);
      return;
    }

  if (!self->perturb_active)
    {
      ww_worker_cancel (self->worker, LANE_NUDGE);
      stop_searching (self);
      stop_readouts (self);
      stop_refining (self);
      ww_session_stop_bounds (self);
      ww_session_stop_swap (self);
      ww_session_stop_strip (self);
      return;
    }

  if (dirty & (DIRTY_BASE | DIRTY_NUDGE))
    {
      update_nudge (self);
      ww_session_update_bounds (self);
    }
  ww_session_update_swap (self);
  ww_session_update_strip (self, dirty);
}

void
ww_session_perturb_pending (WwSession *self)
{
  WwState state = self->status[WW_PART_NUDGE].state;
  gboolean ended = state == WW_STATE_DONE || state == WW_STATE_FAILED;

  if (self->perturb_active && ended)
    set_state (self, WW_STATE_WORKING, NULL);
}

/* ---- Deliveries ---- */

/* The same search that choosing this token would start; RF is searched under another V there. */
static void
store_direction (WwSession *self, WwFound *found)
{
  if (found->map != WW_MAP_RF && get_found (self, found->map, found->token) == NULL)
    store_found (self, found);
}

static void
deliver_sensitivities (WwSession *self, GPtrArray *found, gboolean finished, const GError *error)
{
  WwTarget wanted = get_wanted (self);

  ww_session_store_sensitivities (self, found, finished, error);
  for (guint i = 0; i < found->len; i++)
    store_direction (self, found->pdata[i]);

  publish_found (self);
  if (self->searching >= 0 && get_found (self, wanted.map, wanted.token) != NULL)
    update_nudge (self);
}

void
ww_session_deliver_found (WwSession *self, guint lane, GPtrArray *found, gboolean finished,
                          const GError *error)
{
  if (lane == LANE_SENSITIVITY)
    {
      deliver_sensitivities (self, found, finished, error);
      return;
    }

  for (guint i = 0; i < found->len; i++)
    store_found (self, found->pdata[i]);

  if (lane == LANE_READOUTS)
    {
      /* One that failed would fail again at the next move of the slider. */
      if (finished && error == NULL)
        self->readouts_of = -1;
      publish_found (self);
      ww_session_update_bounds (self);
      return;
    }

  if (lane == LANE_REFINE && finished)
    set_refining (self, FALSE);
  if (lane == LANE_DIRECTION && finished)
    self->searching = -1;

  /* A refinement that fails leaves the direction that there is. */
  if (lane == LANE_DIRECTION && error != NULL)
    {
      take_nudge (self, NULL, NULL);
      set_state (self, WW_STATE_FAILED, error->message);
    }
  else if (found->len > 0)
    update_nudge (self);
}

void
ww_session_deliver_nudge (WwSession *self, GPtrArray *results, gboolean finished,
                          const GError *error)
{
  if (results->len > 0)
    {
      take_nudge (self, results->pdata[results->len - 1],
                  g_steal_pointer (&self->pending_nudge_inputs));
      set_state (self, WW_STATE_DONE, NULL);
    }
  else if (error != NULL)
    {
      take_nudge (self, NULL, NULL);
      set_state (self, WW_STATE_FAILED, error->message);
      /* Another set than the one that the word was found in: it is the word that does not fit. */
      if (g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS))
        ww_session_take_status (self, WW_PART_WORD, WW_STATE_FAILED, error->message);
    }
}

/* ---- Life ---- */

static void
found_destroy (gpointer data)
{
  ww_found_unref (data);
}

void
ww_session_init_perturb (WwSession *self)
{
  self->found = g_hash_table_new_full (NULL, NULL, NULL, found_destroy);
  self->searching = -1;
  self->readouts_of = -1;
  self->bounds_of = -1;
  self->strip_searching = -1;
  self->swapping = -1;
  self->visible_last = G_MAXSIZE;
  self->direction_ws = NAN;
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    self->found_ws[map] = self->bound_ws[map] = NAN;
}

void
ww_session_dispose_perturb (WwSession *self)
{
  if (self->refine != NULL)
    g_source_destroy (self->refine);
  g_clear_pointer (&self->refine, g_source_unref);
}

void
ww_session_finalize_perturb (WwSession *self)
{
  g_clear_pointer (&self->found, g_hash_table_unref);
  g_clear_pointer (&self->sensitivity, ww_sensitivity_unref);
  ww_session_forget_sensitivities (self);
  g_clear_pointer (&self->perturb_tokens, ww_tokens_unref);
  g_clear_pointer (&self->nudge, ww_nudge_result_free);
  g_clear_pointer (&self->nudge_inputs, ww_inputs_free);
  g_clear_pointer (&self->pending_nudge_inputs, ww_inputs_free);
  g_clear_pointer (&self->asked_word, g_free);
}

/* ---- Public ---- */

WwNudge *
ww_session_get_nudge (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->nudge != NULL ? self->nudge->nudge : NULL;
}

const WwTrained *
ww_session_get_nudge_trained (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->nudge != NULL && self->nudge->trained.after != NULL ? &self->nudge->trained : NULL;
}

const WwNudgeRange *
ww_session_get_nudge_range (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->nudge != NULL ? &self->nudge->range : NULL;
}

const WwInputs *
ww_session_get_nudge_inputs (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->nudge_inputs;
}

gboolean
ww_session_flush_nudge (WwSession *self, gint64 timeout_us)
{
  g_return_val_if_fail (WW_IS_SESSION (self), FALSE);

  ww_session_update_now (self);
  if (ww_worker_is_busy (self->worker, LANE_NUDGE))
    ww_worker_flush (self->worker, LANE_NUDGE, timeout_us);

  return self->status[WW_PART_NUDGE].state == WW_STATE_DONE;
}

WwTokens *
ww_session_get_perturb_tokens (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->perturb_tokens;
}

double
ww_session_get_direction_ws (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NAN);

  return self->direction_ws;
}

guint64
ww_session_get_direction_evaluations (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), 0);

  return self->direction_evaluations;
}

double
ww_session_get_found_ws (WwSession *self, WwMap map)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NAN);
  g_return_val_if_fail ((guint) map < WW_N_SESSION_MAPS, NAN);

  return self->found_ws[map];
}

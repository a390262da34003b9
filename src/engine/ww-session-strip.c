#include "ww-session-private.h"

#include <math.h>

void
ww_session_stop_strip (WwSession *self)
{
  ww_worker_cancel (self->worker, LANE_SENSITIVITY);
  self->strip_searching = -1;
  ww_session_take_status (self, WW_PART_STRIP, WW_STATE_EMPTY, NULL);
}

static void
publish_sensitivity (WwSession *self)
{
  guint map = self->inputs->sensitivity_map;

  g_clear_pointer (&self->sensitivity, ww_sensitivity_unref);
  if (self->ws[map] != NULL)
    self->sensitivity
      = ww_sensitivity_new ((WwMap) map, self->ws[map], self->ws_efforts[map], self->n_ws);
  ww_session_notify (self, PROP_SENSITIVITY);
}

void
ww_session_forget_sensitivities (WwSession *self)
{
  for (guint i = 0; i < WW_N_SESSION_MAPS; i++)
    {
      g_clear_pointer (&self->ws[i], g_free);
      g_clear_pointer (&self->ws_efforts[i], g_free);
    }
  if (self->sensitivity != NULL)
    publish_sensitivity (self);
}

static double *
get_or_make_ws (WwSession *self, guint map)
{
  if (self->ws[map] != NULL)
    return self->ws[map];

  self->n_ws = ww_inputs_get_perturb_rows (self->inputs);
  self->ws[map] = g_new (double, self->n_ws);
  self->ws_efforts[map] = g_new0 (WwEffort, self->n_ws);
  for (gsize i = 0; i < self->n_ws; i++)
    self->ws[map][i] = NAN;

  return self->ws[map];
}

static gboolean
is_visible (WwSession *self, gsize token)
{
  return token >= self->visible_first && token <= self->visible_last;
}

/* The tokens whose sensitivity is not known yet, those on screen first: GArray of WwTarget. */
static GArray *
make_order (WwSession *self, WwMap map, const double *ws)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (WwTarget));

  for (guint round = 0; round < 2; round++)
    for (gsize i = 0; i < self->n_ws; i++)
      if (isnan (ws[i]) && is_visible (self, i) == (round == 0))
        {
          WwTarget target = { map, i };

          g_array_append_val (order, target);
        }

  return order;
}

void
ww_session_update_strip (WwSession *self, guint dirty)
{
  guint map = self->inputs->sensitivity_map;
  g_autoptr (GArray) order = NULL;
  WwJobContext context = ww_session_get_job_context (self);

  if (self->strip_searching == (gint64) map && !(dirty & (DIRTY_BASE | DIRTY_STRIP)))
    return;

  order = make_order (self, (WwMap) map, get_or_make_ws (self, map));
  if (self->sensitivity == NULL || self->sensitivity->map != (WwMap) map)
    publish_sensitivity (self);

  ww_session_stop_strip (self);
  if (order->len == 0)
    {
      ww_session_take_status (self, WW_PART_STRIP, WW_STATE_DONE, NULL);
      return;
    }

  self->strip_searching = map;
  ww_session_take_status (self, WW_PART_STRIP, WW_STATE_WORKING, NULL);
  ww_worker_post (self->worker, LANE_SENSITIVITY, &ww_search_job,
                  ww_search_request_new (&context, WW_EFFORT_QUICK, TRUE,
                                         (const WwTarget *) (gpointer) order->data, order->len));
}

static void
keep_value (WwSession *self, const WwFound *found)
{
  self->ws[found->map][found->token] = isnan (found->ws) ? INFINITY : found->ws;
  self->ws_efforts[found->map][found->token] = found->effort;
}

void
ww_session_store_sensitivities (WwSession *self, GPtrArray *found, gboolean finished,
                                const GError *error)
{
  for (guint i = 0; i < found->len; i++)
    {
      WwFound *one = found->pdata[i];
      WwFound *known = ww_session_get_found (self, one);

      keep_value (self, known != NULL ? known : one);
    }

  if (found->len > 0)
    publish_sensitivity (self);
  /* What is known keeps its colour. */
  if (error != NULL)
    ww_session_take_status (self, WW_PART_STRIP, WW_STATE_FAILED, error->message);
  else if (finished)
    ww_session_take_status (self, WW_PART_STRIP, WW_STATE_DONE, NULL);
}

void
ww_session_confirm_sensitivity (WwSession *self, const WwFound *found)
{
  double *ws = self->ws[found->map];

  if (ws == NULL || found->token >= self->n_ws || isnan (ws[found->token])
      || (ws[found->token] == found->ws
          && self->ws_efforts[found->map][found->token] == found->effort))
    return;

  keep_value (self, found);
  if (self->sensitivity != NULL && self->sensitivity->map == found->map)
    publish_sensitivity (self);
}

/* ---- Public ---- */

WwSensitivity *
ww_session_get_sensitivity (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->sensitivity;
}

void
ww_session_set_visible_tokens (WwSession *self, gsize first, gsize last)
{
  g_return_if_fail (WW_IS_SESSION (self));

  if (self->visible_first == first && self->visible_last == last)
    return;

  self->visible_first = first;
  self->visible_last = last;
  ww_session_queue_update (self, DIRTY_STRIP);
}

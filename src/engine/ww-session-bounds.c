/* What no nudge of the chosen token can exceed, beside what was found: once the searches are done. */
#include "ww-session-private.h"

#include <math.h>

#include "ww-bound-jobs.h"

static void
take_bound (WwSession *self, WwMap map, double bound)
{
  if (bound == self->bound_ws[map] || (isnan (bound) && isnan (self->bound_ws[map])))
    return;

  self->bound_ws[map] = bound;
  self->n_found_changes++;
  ww_session_notify (self, PROP_FOUND_WS);
}

void
ww_session_stop_bounds (WwSession *self)
{
  ww_worker_cancel (self->worker, LANE_BOUNDS);
  self->bounds_of = -1;
}

void
ww_session_forget_bounds (WwSession *self)
{
  ww_session_stop_bounds (self);
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    take_bound (self, (WwMap) map, NAN);
}

void
ww_session_update_bounds (WwSession *self)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };
  WwJobContext context = ww_session_get_job_context (self);
  gsize token = self->inputs->token, n = 0;
  WwTarget targets[G_N_ELEMENTS (maps)];
  double found[G_N_ELEMENTS (maps)];

  if (self->bounds_of == (gint64) token)
    return;

  ww_session_forget_bounds (self);
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      const WwFound *best = ww_session_find (self, maps[i], token);

      /* Not before both are searched: a bound is worth little beside nothing. */
      if (best == NULL)
        return;
      if (isnan (best->ws))
        continue;
      targets[n] = (WwTarget) { maps[i], token };
      found[n++] = best->ws;
    }
  if (n == 0)
    return;

  self->bounds_of = (gint64) token;
  ww_worker_post (self->worker, LANE_BOUNDS, &ww_bound_job,
                  ww_bound_request_new (&context, targets, found, n));
}

void
ww_session_deliver_bounds (WwSession *self, GPtrArray *bounds)
{
  for (guint i = 0; i < bounds->len; i++)
    {
      const WwTokenBound *bound = bounds->pdata[i];

      if (bound->token == self->inputs->token)
        take_bound (self, bound->map, bound->bound);
    }
}

double
ww_session_get_bound_ws (WwSession *self, WwMap map)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NAN);
  g_return_val_if_fail ((guint) map < WW_N_SESSION_MAPS, NAN);

  return self->bound_ws[map];
}

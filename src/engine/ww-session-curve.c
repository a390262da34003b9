#include "ww-session-private.h"

#include <glib/gi18n-lib.h>

static void
take_curve (WwSession *self, WwCurve *curve)
{
  if (self->curve == NULL && curve == NULL)
    return;

  ww_curve_unref (self->curve);
  self->curve = curve;
  ww_session_notify (self, PROP_CURVE);
}

static void
set_state (WwSession *self, WwState state, const char *message)
{
  ww_session_take_message (self, &self->curve_message, message, PROP_CURVE_MESSAGE);
  ww_session_take_state (self, &self->curve_state, state, PROP_CURVE_STATE);
}

static void
set_progress (WwSession *self, double progress)
{
  ww_session_take_double (self, &self->curve_progress, progress, PROP_CURVE_PROGRESS);
}

/* Why the curve ends before n-max. */
static char *
make_remark (const WwInputs *inputs, guint rows)
{
  if (rows < inputs->rows->n)
    return g_strdup_printf (_("This layer has positions for %u tokens: the curve ends there."),
                            rows);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "The text has %u token: the curve ends there.",
                                       "The text has %u tokens: the curve ends there.", rows),
                          rows);
}

/* The context lengths of the present inputs, ascending. A text shorter than n-max ends the curve;
 * one that leaves nothing of the range asked for is shown from n = 2, so that even one sentence has
 * a curve. */
static GArray *
make_lengths (const WwInputs *inputs, char **ret_remark)
{
  gsize rows = inputs->synthetic ? WW_MAX_ROWS : ww_inputs_get_n_rows (inputs);
  gsize last = MIN (MAX (inputs->n_min, inputs->n_max), rows);
  gsize first = inputs->n_min;

  if (first > last || (first == last && inputs->n_max > rows))
    first = 2;

  *ret_remark = rows < inputs->n_max ? make_remark (inputs, (guint) rows) : NULL;

  return ww_curve_spaced_lengths (first, last, inputs->n_points);
}

static void
start (WwSession *self)
{
  g_autofree char *remark = NULL;
  WwJobContext context = ww_session_get_job_context (self);

  g_clear_pointer (&self->lengths, g_array_unref);
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->curve_inputs, ww_inputs_free);

  self->lengths = make_lengths (self->inputs, &remark);
  self->points = g_array_new (FALSE, FALSE, sizeof (WwCurvePoint));
  self->curve_inputs = ww_inputs_copy (self->inputs);

  ww_worker_post (self->worker, LANE_CURVE, &ww_curve_job,
                  ww_curve_request_new (&context, (const gsize *) (gpointer) self->lengths->data,
                                        self->lengths->len));
  set_progress (self, 0.0);
  set_state (self, WW_STATE_WORKING, remark);
}

void
ww_session_update_curve (WwSession *self)
{
  const char *message;
  WwState state;

  if (self->curve_stopped)
    return;

  if (self->inputs->synthetic || !ww_session_get_obstacle (self, &state, &message))
    {
      start (self);
      return;
    }

  ww_worker_cancel (self->worker, LANE_CURVE);
  set_progress (self, 0.0);
  if (ww_session_stays_calm (self->curve_state, state))
    return;
  if (state != WW_STATE_WORKING)
    take_curve (self, NULL);
  set_state (self, state, message);
}

void
ww_session_curve_pending (WwSession *self)
{
  gboolean ended = self->curve_state == WW_STATE_DONE || self->curve_state == WW_STATE_CANCELLED
                   || self->curve_state == WW_STATE_FAILED;

  if (!ended)
    return;

  set_progress (self, 0.0);
  set_state (self, WW_STATE_WORKING, NULL);
}

void
ww_session_deliver_curve (WwSession *self, GPtrArray *slices, gboolean finished,
                          const GError *error)
{
  gsize n_expected = self->points->len;

  for (guint i = 0; i < slices->len; i++)
    {
      WwSlice *slice = slices->pdata[i];

      g_array_append_val (self->points, slice->point);
      n_expected = slice->n_expected;
    }

  if (slices->len > 0)
    {
      take_curve (self, ww_curve_new ((const WwCurvePoint *) (gpointer) self->points->data,
                                      self->points->len, n_expected,
                                      (const gsize *) (gpointer) self->lengths->data,
                                      self->lengths->len, self->curve_inputs));
      set_progress (self, (double) self->points->len / (double) n_expected);
    }

  if (!finished)
    return;

  /* Points of other inputs under this failure would be taken for its results. */
  if (error != NULL && self->points->len == 0)
    take_curve (self, NULL);
  if (error != NULL)
    set_state (self, WW_STATE_FAILED, error->message);
  else
    set_state (self, WW_STATE_DONE, self->curve_message);
}

void
ww_session_finalize_curve (WwSession *self)
{
  g_clear_pointer (&self->curve, ww_curve_unref);
  g_clear_pointer (&self->curve_inputs, ww_inputs_free);
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->lengths, g_array_unref);
  g_clear_pointer (&self->curve_message, g_free);
}

/* ---- Public ---- */

void
ww_session_cancel_curve (WwSession *self)
{
  g_return_if_fail (WW_IS_SESSION (self));

  if (self->curve_state != WW_STATE_WORKING)
    return;

  self->curve_stopped = TRUE;
  ww_worker_cancel (self->worker, LANE_CURVE);
  set_state (self, WW_STATE_CANCELLED, self->curve_message);
}

void
ww_session_restart_curve (WwSession *self)
{
  g_return_if_fail (WW_IS_SESSION (self));

  self->curve_stopped = FALSE;
  ww_session_curve_pending (self);
  ww_session_queue_update (self, DIRTY_CURVE);
}

WwCurve *
ww_session_get_curve (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->curve;
}

WwState
ww_session_get_curve_state (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), WW_STATE_EMPTY);

  return self->curve_state;
}

double
ww_session_get_curve_progress (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), 0.0);

  return self->curve_progress;
}

const char *
ww_session_get_curve_message (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->curve_message;
}

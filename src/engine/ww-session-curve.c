#include "ww-session-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

static guint
count_bits (guint bits)
{
  guint n = 0;

  for (; bits != 0; bits &= bits - 1)
    n++;

  return n;
}

static gsize
count_points (WwSession *self, guint maps)
{
  return (gsize) count_bits (maps) * self->lengths->len * self->curve_inputs->trials;
}

/* Measurements of the running curve: its points, then the bounds. */
static gsize
count_steps (WwSession *self)
{
  return count_points (self, self->curve_inputs->maps)
         + count_points (self, ww_inputs_get_bounded_maps (self->curve_inputs));
}

static gsize
count_known_steps (WwSession *self, const GArray *points)
{
  guint bounded = ww_inputs_get_bounded_maps (self->curve_inputs);
  gsize n = points->len;

  for (guint i = 0; i < points->len; i++)
    {
      const WwCurvePoint *point = &g_array_index (points, WwCurvePoint, i);

      n += (bounded & WW_MAP_BIT (point->map)) != 0 && (!isnan (point->upper_bound) || isnan (point->ws));
    }

  return n;
}

/* Of the running curve, what is known. */
static GArray *
select_points (WwSession *self)
{
  return ww_point_store_select (self->measured, self->curve_inputs,
                                (const gsize *) (gpointer) self->lengths->data,
                                self->lengths->len);
}

static void
publish (WwSession *self, const GArray *points)
{
  take_curve (self, ww_curve_new ((const WwCurvePoint *) (gconstpointer) points->data, points->len,
                                  count_points (self, self->curve_inputs->maps),
                                  (const gsize *) (gpointer) self->lengths->data,
                                  self->lengths->len, self->curve_inputs));
}

static void
start (WwSession *self)
{
  g_autofree char *remark = NULL;
  g_autoptr (GArray) known = NULL;
  WwJobContext context = ww_session_get_job_context (self);
  gsize n_known;

  g_clear_pointer (&self->lengths, g_array_unref);
  g_clear_pointer (&self->curve_inputs, ww_inputs_free);

  self->lengths = make_lengths (self->inputs, &remark);
  self->curve_inputs = ww_inputs_copy (self->inputs);
  ww_point_store_prepare (self->measured, self->curve_inputs, self->context_serial);
  known = select_points (self);
  n_known = count_known_steps (self, known);

  if (known->len > 0)
    publish (self, known);
  set_progress (self, (double) n_known / (double) count_steps (self));
  if (n_known == count_steps (self))
    {
      ww_worker_cancel (self->worker, LANE_CURVE);
      set_state (self, WW_STATE_DONE, remark);
      return;
    }

  ww_worker_post (self->worker, LANE_CURVE, &ww_curve_job,
                  ww_curve_request_new (&context, (const gsize *) (gpointer) self->lengths->data,
                                        self->lengths->len, known));
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
  g_autoptr (GArray) known = NULL;
  guint n_measured = 0;

  for (guint i = 0; i < slices->len; i++)
    {
      const WwSlice *slice = slices->pdata[i];

      if (slice->done < 1)
        continue;
      ww_point_store_add (self->measured, &slice->point);
      n_measured++;
    }
  known = select_points (self);

  if (n_measured > 0)
    publish (self, known);
  if (slices->len > 0)
    {
      const WwSlice *last = slices->pdata[slices->len - 1];
      double n_steps = (double) count_steps (self);
      double progress = (n_steps - (double) last->n_left - 1 + last->done) / n_steps;

      /* A slice that was interrupted begins again. */
      if (last->done == 1 || progress > self->curve_progress)
        set_progress (self, progress);
    }

  if (!finished)
    return;

  /* Points of other inputs under this failure would be taken for its results. */
  if (error != NULL && known->len == 0)
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
  g_clear_pointer (&self->measured, ww_point_store_free);
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
  ww_point_store_clear (self->measured);
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

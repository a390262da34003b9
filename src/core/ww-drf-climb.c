/* Conjugate gradients on the sphere, for B starts at a time, through all layers.
 *
 * A step costs three passes: one back (vector-Jacobian product: the gradient), one forward with the units
 * as they are (Jacobian-vector product: the curvature along the great circle), one forward to the point
 * chosen. Between switching units the objective is quadratic in the nudge, so on the great circle through
 * D and P its maximum lies at tan (2 theta) = 2 B / (A - C), A = <g, D>, B = <g, P>, C = ||J P||^2; where
 * units switch too soon, theta is cut until the objective rises. The changes of the layers are those of
 * ww-drf-stage.h. */
#include "ww-drf-climb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-drf-stage.h"
#include "ww-private.h"
#include "ww-starts.h"

#define CUTS 3              /* of an angle that was too wide, within one step */
#define CUT 0.25
#define LEAST_REACH 1e-5    /* an angle at which single precision sees no rise */

struct _WwDrfClimb
{
  const WwDrf *drf; /* not owned: the workspace lives shorter */
  gsize d;
  double length;    /* radius of the ball */
  WwDrfStages layout;
  WwStarts starts;

  float *memory;                /* all arrays of floats below */
  float *low, *high;            /* units */
  float *trial_nudge;           /* width x d, unit rows */
  float *change, *trial_change; /* of all layers, width x units */
  float *pull, *next_pull;      /* what passes a layer, back or forth, width x widest */

  double *trial_value; /* width */
  double *before;      /* the objective before a step, width */
  double *theta;       /* width */
  double *reach;       /* no angle above it is tried: units switched too soon before, width */
  gsize *pending;      /* starts that still look for an angle, width */
};

static void
set_linear (gpointer data, gboolean linear)
{
  WwDrfClimb *climb = data;

  ww_drf_stages_fill (&climb->layout, climb->length, linear, climb->low, climb->high);
}

/* One block for all arrays of floats. Limits on depth, width and dimensions keep the sum far from
 * overflow. */
static gboolean
allocate_floats (WwDrfClimb *climb, gsize width, GError **error)
{
  gsize units = climb->layout.units, of_units = width * units, of_layer = width * climb->layout.widest;
  struct
  {
    float **array;
    gsize count;
  } arrays[] = {
    { &climb->low, units },
    { &climb->high, units },
    { &climb->trial_nudge, width * climb->d },
    { &climb->change, of_units },
    { &climb->trial_change, of_units },
    { &climb->pull, of_layer },
    { &climb->next_pull, of_layer },
  };
  gsize total = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    total += arrays[i].count;

  climb->memory = ww_try_alloc (total, 1, sizeof (float), error);
  if (climb->memory == NULL)
    return FALSE;

  total = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (arrays); i++)
    {
      *arrays[i].array = climb->memory + total;
      total += arrays[i].count;
    }

  return TRUE;
}

WwDrfClimb *
ww_drf_climb_new (const WwDrf *drf, double length, gsize width, GError **error)
{
  g_autoptr (WwDrfClimb) climb = g_new0 (WwDrfClimb, 1);

  climb->drf = drf;
  climb->d = drf->first->d;
  climb->length = length;
  ww_drf_stages_init (&climb->layout, drf);
  if (!ww_starts_init (&climb->starts, width, climb->d, error) || !allocate_floats (climb, width, error))
    return NULL;

  climb->trial_value = g_new0 (double, width);
  climb->before = g_new0 (double, width);
  climb->theta = g_new0 (double, width);
  climb->reach = g_new0 (double, width);
  climb->pending = g_new0 (gsize, width);
  ww_starts_add_rows (&climb->starts, climb->change, climb->layout.units * sizeof (float));
  ww_starts_add_rows (&climb->starts, climb->reach, sizeof (double));
  set_linear (climb, FALSE);
  return g_steal_pointer (&climb);
}

void
ww_drf_climb_free (WwDrfClimb *climb)
{
  if (climb == NULL)
    return;

  ww_starts_clear (&climb->starts);
  free (climb->memory);
  g_free (climb->trial_value);
  g_free (climb->before);
  g_free (climb->theta);
  g_free (climb->reach);
  g_free (climb->pending);
  g_free (climb);
}

/* The changes of all layers (active x units) and the objective for `nudges` (active x d). */
static gboolean
run_forward (const WwDrfClimb *climb, const float *nudges, gsize active, float *change, double *value,
             const WwCancel *cancel, GError **error)
{
  const WwDrfStages *layout = &climb->layout;
  const WwDrfStage *last = &layout->stages[layout->depth - 1];

  for (gsize l = 0; l < layout->depth; l++)
    {
      const WwDrfStage *stage = &layout->stages[l];
      const float *input = l == 0 ? nudges : change + layout->stages[l - 1].place;

      if (!ww_drf_stage_multiply_forth (stage, input, l == 0 ? climb->d : layout->units, active,
                                        change + stage->place, layout->units, cancel, error))
        return FALSE;
      for (gsize b = 0; b < active; b++)
        ww_drf_bend (change + b * layout->units + stage->place, climb->low + stage->place,
                     climb->high + stage->place, stage->rows);
    }

  for (gsize b = 0; b < active; b++)
    value[b] = ww_drf_squared_norm (change + b * layout->units + last->place, last->rows);

  return TRUE;
}

/* Keeps of the pulls of all active starts what belongs to units of one layer that are at work. */
static void
mask_layer (const WwDrfClimb *climb, const WwDrfStage *stage, gsize active)
{
  for (gsize b = 0; b < active; b++)
    ww_drf_mask (climb->pull + b * climb->layout.widest,
                 climb->change + b * climb->layout.units + stage->place, climb->high + stage->place,
                 stage->rows);
}

static void
swap_pulls (WwDrfClimb *climb)
{
  float *pull = climb->pull;

  climb->pull = climb->next_pull;
  climb->next_pull = pull;
}

/* gradient (active x d) of half the objective at the nudges, whose changes are known. */
static gboolean
run_back (WwDrfClimb *climb, gsize active, const WwCancel *cancel, GError **error)
{
  const WwDrfStages *layout = &climb->layout;
  const WwDrfStage *last = &layout->stages[layout->depth - 1];

  for (gsize b = 0; b < active; b++)
    memcpy (climb->pull + b * layout->widest, climb->change + b * layout->units + last->place,
            last->rows * sizeof (float));

  for (gsize l = layout->depth - 1; l > 0; l--)
    {
      mask_layer (climb, &layout->stages[l], active);
      if (!ww_drf_stage_multiply_back (&layout->stages[l], climb->pull, layout->widest, active,
                                       climb->next_pull, layout->widest, cancel, error))
        return FALSE;
      swap_pulls (climb);
    }

  mask_layer (climb, &layout->stages[0], active);
  return ww_drf_stage_multiply_back (&layout->stages[0], climb->pull, layout->widest, active,
                                     climb->starts.gradient, climb->d, cancel, error);
}

/* The directions of all active starts through the network with its units as they are: the last layer's
 * values end in climb->pull. */
static gboolean
push_directions (WwDrfClimb *climb, gsize active, const WwCancel *cancel, GError **error)
{
  const WwDrfStages *layout = &climb->layout;

  if (!ww_drf_stage_multiply_forth (&layout->stages[0], climb->starts.direction, climb->d, active,
                                    climb->pull, layout->widest, cancel, error))
    return FALSE;
  mask_layer (climb, &layout->stages[0], active);

  for (gsize l = 1; l < layout->depth; l++)
    {
      if (!ww_drf_stage_multiply_forth (&layout->stages[l], climb->pull, layout->widest, active,
                                        climb->next_pull, layout->widest, cancel, error))
        return FALSE;
      swap_pulls (climb);
      mask_layer (climb, &layout->stages[l], active);
    }

  return TRUE;
}

/* The angle at which the quadratic model of the great circle is largest. */
static double
model_angle (const WwDrfClimb *climb, gsize b, double along)
{
  const WwDrfStages *layout = &climb->layout;
  double rise = ww_starts_get_rise (&climb->starts, b);
  double curvature = ww_drf_squared_norm (climb->pull + b * layout->widest,
                                          layout->stages[layout->depth - 1].rows);

  return 0.5 * atan2 (2 * rise, along - curvature);
}

/* The trial of a start that rises becomes its place. */
static void
accept (WwDrfClimb *climb, gsize b, gsize trial)
{
  WwStarts *starts = &climb->starts;
  gsize at = b * climb->d, units = climb->layout.units;

  ww_conjugate_walk (climb->theta[b], starts->nudge + at, starts->direction + at,
                     starts->last_gradient + at, starts->nudge + at, climb->d);
  memcpy (climb->change + b * units, climb->trial_change + trial * units, units * sizeof (float));
  starts->value[b] = climb->trial_value[trial];
}

static void
set_trial (WwDrfClimb *climb, gsize b, gsize trial)
{
  const float *nudge = climb->starts.nudge + b * climb->d;
  const float *direction = climb->starts.direction + b * climb->d;
  float *place = climb->trial_nudge + trial * climb->d;
  float cosine = (float) cos (climb->theta[b]), sine = (float) sin (climb->theta[b]);

  for (gsize i = 0; i < climb->d; i++)
    place[i] = cosine * nudge[i] + sine * direction[i];
}

/* Tries the angles of the `count` pending starts and cuts those at which the objective does not rise. A
 * cut is remembered in reach, and theta is 0 where none helped. */
static gboolean
try_angles (WwDrfClimb *climb, gsize count, guint64 *evaluations, const WwCancel *cancel, GError **error)
{
  for (guint cut = 0; count > 0 && cut <= CUTS; cut++)
    {
      gsize left = 0;

      for (gsize t = 0; t < count; t++)
        set_trial (climb, climb->pending[t], t);
      if (!run_forward (climb, climb->trial_nudge, count, climb->trial_change, climb->trial_value, cancel,
                        error))
        return FALSE;

      *evaluations += count;
      for (gsize t = 0; t < count; t++)
        {
          gsize b = climb->pending[t];

          if (climb->trial_value[t] > climb->starts.value[b])
            {
              accept (climb, b, t);
              climb->reach[b] = cut == 0 ? MAX (climb->reach[b], 2 * climb->theta[b]) : climb->theta[b];
              continue;
            }
          climb->reach[b] = climb->theta[b] * CUT;
          climb->theta[b] = cut < CUTS ? climb->reach[b] : 0;
          climb->pending[left++] = b;
        }
      count = left;
    }

  return TRUE;
}

/* Whether start b is done after a step that gained little or more. A conjugate direction may be a poor
 * one: only a step along the gradient itself ends a climb, and only where it could go as far as it
 * wanted, or no further at all. */
static gboolean
is_done (WwDrfClimb *climb, gsize b, gboolean gained_little)
{
  WwConjugate *conjugate = &climb->starts.conjugate[b];
  gboolean free_to_go = climb->theta[b] > 0 && climb->theta[b] < climb->reach[b];

  conjugate->fresh = gained_little;
  return gained_little && conjugate->plain && (free_to_go || climb->reach[b] < LEAST_REACH);
}

/* One step of all active starts. ended[b] is set for those that gain no more. */
static gboolean
step (gpointer data, gsize active, double tolerance, guint64 *evaluations, const WwCancel *cancel,
      GError **error)
{
  WwDrfClimb *climb = data;
  WwStarts *starts = &climb->starts;
  double *before = climb->before;
  gsize count = 0;

  if (!run_back (climb, active, cancel, error))
    return FALSE;
  ww_starts_turn (starts, active, before);
  if (!push_directions (climb, active, cancel, error))
    return FALSE;

  for (gsize b = 0; b < active; b++)
    {
      if (starts->ended[b])
        continue;
      climb->theta[b] = MIN (model_angle (climb, b, before[b]), climb->reach[b]);
      climb->pending[count++] = b;
    }

  memcpy (before, starts->value, active * sizeof (double));
  if (!try_angles (climb, count, evaluations, cancel, error))
    return FALSE;

  for (gsize b = 0; b < active; b++)
    {
      double value = starts->value[b];

      if (!starts->ended[b])
        starts->ended[b] = is_done (climb, b, value - before[b] < tolerance * value);
    }

  return TRUE;
}

static gboolean
begin (gpointer data, gsize active, guint64 *evaluations, const WwCancel *cancel, GError **error)
{
  WwDrfClimb *climb = data;

  for (gsize b = 0; b < active; b++)
    climb->reach[b] = G_PI_2;

  *evaluations += active;
  return run_forward (climb, climb->starts.nudge, active, climb->change, climb->starts.value, cancel, error);
}

WwClimber
ww_drf_climb_get_climber (WwDrfClimb *climb)
{
  return (WwClimber) {
    .climb = climb,
    .starts = &climb->starts,
    .token = climb->drf->first->token,
    .x = climb->drf->first->x,
    .set_linear = set_linear,
    .begin = begin,
    .step = step,
  };
}

gboolean
ww_drf_climb_differentiate (WwDrfClimb *climb, const float *nudge, double *ret_value, float *ret_gradient,
                            GError **error)
{
  memcpy (climb->starts.nudge, nudge, climb->d * sizeof (float));
  if (!run_forward (climb, climb->starts.nudge, 1, climb->change, climb->starts.value, NULL, error)
      || !run_back (climb, 1, NULL, error))
    return FALSE;

  *ret_value = climb->starts.value[0] / 2;
  memcpy (ret_gradient, climb->starts.gradient, climb->d * sizeof (float));
  return TRUE;
}

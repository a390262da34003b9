/* The path of the solver of ww-bound-joint.h. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-bound-joint.h"
#include "ww-bound-lapack.h"

/* Temperatures in parts of the mean change of a row: at first, where the path of another slice is
 * joined, and from one to the next; the last is the caller's. */
#define FIRST_TEMPERATURE 1.0
#define CENTRAL_TEMPERATURE 0.3
#define COOLING 0.5

/* Newton steps from a guess, fewer where each costs more; half of that along the path of
 * another slice. */
#define MOST_STEPS 200
#define LEAST_STEPS 60
#define STEPS_TIMES_ROWS 20000

/* The diagonal is raised by this part at most when steps fail. */
#define MOST_DAMPING 1e4

#define TRIES 6
#define ARMIJO 1e-4

/* At the last temperature a step is the last that promises less than this part of the value. */
#define PRECISION 5e-5

/* A full step goes this part of the way to where a multiplier vanishes. */
#define TO_THE_EDGE 0.9

/* kappa times unit is not lowered further: it costs next to nothing then. */
#define LEAST_KAPPA 1e-4

/* kappa ranges over orders of magnitude, and may be of no use: its logarithm is moved instead. Turns
 * its derivatives into those by the logarithm. */
static void
rescale_kappa (WwBoundJoint *joint)
{
  gsize size = joint->size, at = 2 * joint->count;
  double kappa = joint->at[at];

  for (gsize k = 0; k < at; k++)
    joint->hessian[k * size + at] *= kappa;
  for (gsize k = at + 1; k < size; k++)
    joint->hessian[at * size + k] *= kappa;
  joint->hessian[at * size + at] *= kappa * kappa;
  joint->hessian[at * size + at] += fabs (joint->direction[at] *= kappa);
}

/* The direction -(H + damping diag H)^-1 gradient, and its slope; FALSE where H is not definite. A direction
 * need not be exact: single precision will do but where H is nearly singular. */
static gboolean
choose_direction (WwBoundJoint *joint, double damping, double *ret_slope)
{
  gsize size = joint->size, m = joint->count;
  double *direction = joint->direction, *kappa = &direction[2 * m];

  ww_bound_joint_bend (joint);
  for (gsize k = 0; k < size; k++)
    direction[k] = -joint->gradient[k];
  rescale_kappa (joint);
  for (gsize k = 0; k < size; k++)
    joint->hessian[k * size + k] *= 1 + 1e-9 + damping;
  double steepest = -*kappa;
  if (!ww_bound_solve_roughly (size, joint->hessian, joint->rough, direction))
    {
      if (!ww_bound_cholesky (size, joint->hessian))
        return FALSE;
      ww_bound_cholesky_solve (size, joint->hessian, direction);
    }
  *kappa = CLAMP (*kappa, -1, 1);
  *ret_slope = cblas_ddot (size, joint->gradient, 1, direction, 1)
               + (steepest - joint->gradient[2 * m]) * *kappa;
  return TRUE;
}

/* The longest step that keeps the multipliers positive. For softmax lambda_j counts if it is not
 * already far below the mean; ReLU drives many lambda_j to nothing, and they are held one by one. */
static double
longest_step (const WwBoundJoint *joint)
{
  gsize m = joint->count;
  double least = INFINITY, step = 1;

  if (joint->dual->rows->attention->map == WW_MAP_SOFTMAX_RAF)
    least = 0.02 * cblas_dasum (m, joint->at + m, 1) / m;
  for (gsize k = m; k < 2 * m + 2; k++)
    if (k != 2 * m && joint->direction[k] < 0 && joint->at[k] > (k < 2 * m ? least : 0))
      step = MIN (step, -TO_THE_EDGE * joint->at[k] / joint->direction[k]);
  return step;
}

static void
set_trial (WwBoundJoint *joint, double step)
{
  gsize m = joint->count;

  for (gsize k = 0; k < joint->size; k++)
    joint->trial[k] = joint->at[k] + step * joint->direction[k];
  joint->trial[2 * m] = MAX (joint->at[2 * m] * exp (step * joint->direction[2 * m]), LEAST_KAPPA);
  /* Below the second bound a row has no part in the eigenvalues, and rounding would reign. */
  for (gsize j = 0; j < m; j++)
    {
      double scale = joint->gram[j * m + j] + 1e-300;
      double least = MAX ((1 - TO_THE_EDGE) * joint->at[m + j], 1e-7 * joint->trial[2 * m + 1] / scale);

      joint->trial[m + j] = MAX (joint->trial[m + j], MIN (least, joint->at[m + j]));
    }
}

static double
measure_trial (WwBoundJoint *joint, double step)
{
  if (ww_cancel_is_raised (joint->cancel))
    return INFINITY;
  set_trial (joint, step);
  return ww_bound_joint_measure (joint, joint->trial);
}

/* Looks along the direction; returns the step taken or 0, and the value there. */
static double
search_line (WwBoundJoint *joint, double value, double slope, double *ret_value)
{
  double step = longest_step (joint);
  gboolean outside = FALSE, drawn_back = FALSE;

  for (guint k = 0; k < TRIES; k++)
    {
      double there = measure_trial (joint, step);

      if (!isfinite (there))
        {
          outside = TRUE;
          step *= 0.5;
        }
      else if (outside && !drawn_back)
        {
          /* Right at the barrier the next step would be bad. */
          drawn_back = TRUE;
          step *= 0.6;
        }
      else if (there <= value + ARMIJO * step * slope)
        {
          *ret_value = there;
          return step;
        }
      else
        step *= 0.5;
    }
  return 0;
}

static void
note_best (WwBoundJoint *joint, const double *multipliers, double *best)
{
  if (!(joint->exact < *best))
    return;
  *best = joint->exact;
  memcpy (joint->best, multipliers, joint->size * sizeof (double));
}

/* The smoothed value at `at` with its gradient. */
static double
evaluate (WwBoundJoint *joint)
{
  double value = ww_bound_joint_measure (joint, joint->at);

  return isfinite (value) && ww_bound_joint_differentiate (joint, joint->gradient) ? value : INFINITY;
}

/* Whether the present temperature has been followed far enough to go on to the next. */
static gboolean
is_central (const WwBoundJoint *joint, double step, double slope)
{
  return step >= 0.5 || (step > 0 && -slope < 0.5 * joint->temperature);
}

double
ww_bound_joint_improve (WwBoundJoint *joint, double *multipliers, double *central, gboolean cold,
                        double scale, double enough)
{
  gsize size = joint->size;
  gsize steps = CLAMP (STEPS_TIMES_ROWS / joint->count, LEAST_STEPS, MOST_STEPS) / (cold ? 1 : 2);
  double best = INFINITY, damping = 0, first = cold ? FIRST_TEMPERATURE : CENTRAL_TEMPERATURE;
  gboolean noted_central = FALSE;

  memcpy (joint->at, cold ? multipliers : central, size * sizeof (double));
  double row = MIN (scale, ww_bound_joint_value (joint, joint->at)) / (joint->dual->unit * joint->count);
  joint->temperature = row * first;
  double value = evaluate (joint);
  if (!isfinite (value))
    return INFINITY;
  note_best (joint, joint->at, &best);

  for (gsize k = 0; k < steps; k++)
    {
      double there = value, slope = 0;

      if (!choose_direction (joint, damping, &slope) || ww_cancel_is_raised (joint->cancel))
        break;
      double step = search_line (joint, value, slope, &there);

      if (step > 0)
        {
          note_best (joint, joint->trial, &best);
          memcpy (joint->at, joint->trial, size * sizeof (double));
          value = there;
          if (!ww_bound_joint_differentiate (joint, joint->gradient))
            break;
        }
      else
        value = evaluate (joint);
      damping = step < 0.1 ? MAX ((step > 0 ? 3 : 10) * damping, 1e-3) : step > 0.4 ? 0 : damping;
      row = MIN (row, best / (joint->dual->unit * joint->count));
      gboolean last = joint->temperature <= 1.2 * row * joint->coldest;
      if (best <= enough || damping > MOST_DAMPING || (last && step > 0 && slope > -PRECISION * value))
        break;

      gboolean move_on = !last && is_central (joint, step, slope);
      if (move_on && !noted_central && joint->temperature <= 1.2 * row * CENTRAL_TEMPERATURE)
        {
          memcpy (central, joint->at, size * sizeof (double));
          noted_central = TRUE;
        }
      if (move_on)
        value = ww_bound_joint_cool (joint, MAX (joint->temperature * COOLING, row * joint->coldest),
                                     joint->gradient);
    }
  memcpy (multipliers, joint->best, size * sizeof (double));
  if (cold && !noted_central)
    memcpy (central, joint->best, size * sizeof (double));
  return best;
}

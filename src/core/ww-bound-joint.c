#include "ww-bound-joint.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-bound-lapack.h"
#include "ww-private.h"

#define N_VECTORS 12

/* For the guess: steps of the power method, kappa times unit. */
#define POWER_STEPS 12
#define FIRST_KAPPA 10.0

/* In another slice than the one it was made for, a set of multipliers wants another g. It is looked for, at most
 * this often, where |D| exceeds what the ball allows by this part and that part of the bound is to be gained. */
#define G_TRIES 4
#define LEAST_EXCESS 0.2
#define LEAST_GAIN 1e-4

static gboolean
allocate (WwBoundJoint *joint, GError **error)
{
  gsize m = joint->count, size = joint->size;
  double **vectors[N_VECTORS] = { &joint->c, &joint->mu, &joint->lambda, &joint->root, &joint->v,
                                  &joint->v_mu, &joint->v_c, &joint->gv_mu, &joint->gv_c,
                                  &joint->moved, &joint->curve, &joint->work };
  double **points[] = { &joint->at, &joint->gradient, &joint->trial, &joint->direction, &joint->best };

  joint->gram = ww_try_alloc (m, m, sizeof (double), error);
  if (joint->gram == NULL)
    return FALSE;
  joint->factor = ww_try_alloc (m, m, sizeof (double), error);
  if (joint->factor == NULL)
    return FALSE;
  joint->hessian = ww_try_alloc (size + G_N_ELEMENTS (points), size, sizeof (double), error);
  if (joint->hessian == NULL)
    return FALSE;
  joint->rough = ww_try_alloc (size + 2, size, sizeof (float), error);
  if (joint->rough == NULL)
    return FALSE;
  joint->vectors = ww_try_alloc (N_VECTORS, m, sizeof (double), error);
  if (joint->vectors == NULL)
    return FALSE;
  for (gsize k = 0; k < N_VECTORS; k++)
    *vectors[k] = joint->vectors + k * m;
  for (gsize k = 0; k < G_N_ELEMENTS (points); k++)
    *points[k] = joint->hessian + (size + k) * size;
  return TRUE;
}

gboolean
ww_bound_joint_init (WwBoundJoint *joint, WwBoundDual *dual, double coldest,
                     const WwCancel *cancel, GError **error)
{
  const WwBoundRows *rows = dual->rows;
  gsize m = rows->count, d = rows->d;

  joint->dual = dual;
  joint->coldest = coldest;
  joint->cancel = cancel;
  joint->count = m;
  joint->size = 2 * m + 3;
  if (!allocate (joint, error))
    return FALSE;

  g_autoptr (WwMatrix) flat = ww_matrix_new (m, d, error);
  if (flat == NULL || ww_cancel_check (cancel, error))
    return FALSE;
  ww_bound_dual_project (dual, rows->u, flat->data, joint->c);
  cblas_dsyrk (CblasRowMajor, CblasUpper, CblasNoTrans, m, d, 1, flat->data, d, 0, joint->gram, m);
  return !ww_cancel_check (cancel, error);
}

void
ww_bound_joint_clear (WwBoundJoint *joint)
{
  free (joint->gram);
  free (joint->factor);
  free (joint->hessian);
  free (joint->rough);
  free (joint->vectors);
}

/* FALSE where a multiplier is not positive that has to be. */
static gboolean
unpack (WwBoundJoint *joint, const double *multipliers)
{
  gsize m = joint->count;
  double unit = joint->dual->unit;

  joint->kappa = multipliers[2 * m] / unit;
  joint->g = multipliers[2 * m + 1] * unit;
  joint->nu = multipliers[2 * m + 2];
  if (!(joint->kappa > 0 && joint->g > 0))
    return FALSE;
  for (gsize j = 0; j < m; j++)
    {
      if (!(multipliers[m + j] > 0))
        return FALSE;
      joint->mu[j] = multipliers[j] * unit;
      joint->lambda[j] = multipliers[m + j] * unit;
      joint->root[j] = sqrt (joint->lambda[j]);
    }
  return TRUE;
}

/* Unpacks the multipliers and factors P; FALSE outside of the domain. */
static gboolean
enter (WwBoundJoint *joint, const double *multipliers)
{
  gsize m = joint->count;

  if (!unpack (joint, multipliers))
    return FALSE;
  for (gsize j = 0; j < m; j++)
    {
      const double *gram = joint->gram + j * m;
      double *row = joint->factor + j * m, root = -joint->root[j];

      for (gsize k = j; k < m; k++)
        row[k] = root * joint->root[k] * gram[k];
      row[j] += joint->g;
    }
  return ww_bound_cholesky (m, joint->factor);
}

/* The maximum over the nudge. */
static double
maximise_parts (const WwBoundJoint *joint, const WwBoundNudge *parts, double *ret_tau)
{
  double R2 = joint->dual->rows->radius * joint->dual->rows->radius;
  double weight = (parts->g + parts->kappa * joint->dual->alpha2) * R2;

  return ww_bound_dual_largest (joint->dual, weight + 0.25 * parts->mm, parts->linear + 0.5 * parts->mc,
                                -weight + parts->square + 0.25 * parts->cc, ret_tau);
}

/* How far g is below its best, at which |D|^2 = R^2 (1 - tau^2), and about what would be gained there: 0 where it
 * is not far off. Taken for w / (g - g0)^2 with what is known of |D|^2 and its derivative, 1 / |D| is linear in
 * g; that is nearly true, and exact for one eigenvalue. */
static double
find_jump (const WwBoundJoint *joint, const WwBoundNudge *parts, double tau, double *ret_gain)
{
  double R = joint->dual->rows->radius, across2 = R * R * (1 - tau * tau) + 1e-300;
  double length2 = 0.25 * (parts->length0 + tau * (2 * parts->length1 + tau * parts->length2));
  double bend = 0.25 * (parts->bend0 + tau * (2 * parts->bend1 + tau * parts->bend2));
  double excess = sqrt (length2 / across2) - 1, gap = length2 / bend;

  *ret_gain = 0;
  if (!(excess > LEAST_EXCESS && bend > 0 && isfinite (gap * excess)))
    return 0;
  *ret_gain = across2 * gap * excess * excess;
  return gap * excess;
}

/* The parts and the maximum over the nudge, from v_mu = P^-1 r^-1 mu and v_c = P^-1 2 r c. Terms are
 * arranged so that nothing cancels: G is applied instead of (g - P) / r r. */
static double
maximise (WwBoundJoint *joint)
{
  gsize m = joint->count;
  WwBoundNudge parts = { .kappa = joint->kappa, .g = joint->g };

  for (gsize side = 0; side < 2; side++)
    {
      const double *v = side == 0 ? joint->v_mu : joint->v_c;

      for (gsize j = 0; j < m; j++)
        joint->work[j] = joint->root[j] * v[j];
      cblas_dsymv (CblasRowMajor, CblasUpper, m, 1, joint->gram, m, joint->work, 1, 0,
                   side == 0 ? joint->gv_mu : joint->gv_c, 1);
    }
  for (gsize j = 0; j < m; j++)
    {
      double lc = joint->lambda[j] * joint->c[j];

      parts.mm += joint->mu[j] * joint->gv_mu[j];
      parts.mc += joint->mu[j] * joint->gv_c[j];
      parts.cc += 2 * lc * joint->gv_c[j];
      parts.linear += joint->mu[j] * joint->c[j];
      parts.square += lc * joint->c[j];
      parts.length0 += joint->root[j] * joint->v_mu[j] * joint->gv_mu[j];
      parts.length1 += joint->root[j] * joint->v_mu[j] * joint->gv_c[j];
      parts.length2 += joint->root[j] * joint->v_c[j] * joint->gv_c[j];
    }
  joint->parts = parts;
  return maximise_parts (joint, &joint->parts, &joint->tau);
}

/* v_mu and v_c: P^-1 of the two parts of n, r^-1 mu and 2 r c, P being factored. */
static void
solve (WwBoundJoint *joint)
{
  gsize m = joint->count;

  for (gsize j = 0; j < m; j++)
    {
      joint->v_mu[j] = joint->mu[j] / joint->root[j];
      joint->v_c[j] = 2 * joint->root[j] * joint->c[j];
    }
  ww_bound_cholesky_solve (m, joint->factor, joint->v_mu);
  ww_bound_cholesky_solve (m, joint->factor, joint->v_c);
}

/* What is missing in the parts after maximise: the bends, from w = P^-1 v. */
static void
add_bends (WwBoundJoint *joint)
{
  gsize m = joint->count;
  WwBoundNudge *parts = &joint->parts;

  for (gsize side = 0; side < 2; side++)
    {
      double *w = joint->work;

      memcpy (w, side == 0 ? joint->v_mu : joint->v_c, m * sizeof (double));
      ww_bound_cholesky_solve (m, joint->factor, w);
      for (gsize j = 0; j < m; j++)
        {
          w[j] *= joint->root[j];
          if (side == 0)
            parts->bend0 += joint->gv_mu[j] * w[j];
          else
            {
              parts->bend1 += joint->gv_mu[j] * w[j];
              parts->bend2 += joint->gv_c[j] * w[j];
            }
        }
    }
}

/* The rows' part at the last point. */
static double
get_rows_exactly (const WwBoundJoint *joint)
{
  return ww_bound_nodes_exact (&joint->dual->nodes, joint->mu, joint->lambda, joint->kappa, joint->nu)
         + ww_bound_own_exact (&joint->dual->own, joint->kappa, joint->nu);
}

gboolean
ww_bound_joint_get_parts (WwBoundJoint *joint, const double *multipliers, WwBoundNudge *ret_parts)
{
  if (!enter (joint, multipliers))
    return FALSE;
  solve (joint);
  joint->nudge = maximise (joint);
  add_bends (joint);
  *ret_parts = joint->parts;
  return TRUE;
}

double
ww_bound_joint_value (WwBoundJoint *joint, double *multipliers)
{
  double *point = joint->trial, best = INFINITY, rest = 0, gain;
  double *g = point + 2 * joint->count + 1;
  WwBoundNudge parts;

  memcpy (point, multipliers, joint->size * sizeof (double));
  for (guint k = 0; k < G_TRIES && ww_bound_joint_get_parts (joint, point, &parts); k++)
    {
      if (k == 0)
        rest = get_rows_exactly (joint);
      if (joint->nudge < best)
        {
          best = joint->nudge;
          multipliers[2 * joint->count + 1] = *g;
        }
      double jump = find_jump (joint, &parts, joint->tau, &gain);
      if (gain <= LEAST_GAIN * best)
        break;
      *g += jump / joint->dual->unit;
    }
  return best + rest;
}

double
ww_bound_joint_carried_value (WwBoundJoint *joint, const WwBoundNudge *parts, double change, double scale,
                              double wanted, double *multipliers)
{
  double tau, gain;
  WwBoundNudge carried = {
    .mm = scale * (parts->mm - change * (2 * parts->mc - change * parts->cc)),
    .mc = scale * (parts->mc - change * parts->cc),
    .cc = scale * parts->cc,
    .linear = scale * (parts->linear - 2 * change * parts->square),
    .square = scale * parts->square,
    .length0 = parts->length0 - change * (2 * parts->length1 - change * parts->length2),
    .length1 = parts->length1 - change * parts->length2,
    .length2 = parts->length2,
    .bend0 = (parts->bend0 - change * (2 * parts->bend1 - change * parts->bend2)) / scale,
    .bend1 = (parts->bend1 - change * parts->bend2) / scale,
    .bend2 = parts->bend2 / scale,
    .kappa = parts->kappa,
    .g = scale * parts->g,
  };
  if (!unpack (joint, multipliers))
    return INFINITY;
  double value = maximise_parts (joint, &carried, &tau) + get_rows_exactly (joint);
  double jump = find_jump (joint, &carried, tau, &gain);
  if (gain <= LEAST_GAIN * value || value - gain >= wanted)
    return value;
  multipliers[2 * joint->count + 1] += jump / joint->dual->unit;
  return MIN (value, ww_bound_joint_value (joint, multipliers));
}

void
ww_bound_joint_carry (const WwBoundJoint *joint, double change, double scale, double *multipliers)
{
  gsize m = joint->count;

  for (gsize j = 0; j < m; j++)
    multipliers[j] -= 2 * multipliers[m + j] * change * joint->c[j];
  cblas_dscal (2 * m, scale, multipliers, 1);
  multipliers[2 * m + 1] *= scale;
}

/* About the largest eigenvalue of G, by some steps of the power method. */
static double
estimate_top (WwBoundJoint *joint)
{
  gsize m = joint->count;
  double *from = joint->v, *to = joint->work, top = 0;

  for (gsize j = 0; j < m; j++)
    from[j] = 1 + 0.5 * sin ((double) j);
  for (guint k = 0; k < POWER_STEPS; k++)
    {
      double norm = cblas_dnrm2 (m, from, 1);

      if (!(norm > 0))
        return top;
      cblas_dscal (m, 1 / norm, from, 1);
      cblas_dsymv (CblasRowMajor, CblasUpper, m, 1, joint->gram, m, from, 1, 0, to, 1);
      top = cblas_ddot (m, from, 1, to, 1);
      memcpy (from, to, m * sizeof (double));
    }
  return top;
}

void
ww_bound_joint_guess (WwBoundJoint *joint, double *ret_multipliers)
{
  gsize m = joint->count;
  double top = MAX (1.3 * estimate_top (joint), 1e-12), best = INFINITY, chosen = 0;
  double guess = ww_bound_dual_guess_lambda (joint->dual) / joint->dual->unit;

  for (gsize j = 0; j < m; j++)
    ret_multipliers[j] = 0;
  ret_multipliers[2 * m] = FIRST_KAPPA;
  ret_multipliers[2 * m + 2] = 0;
  for (gint power = -3; power <= 3; power++)
    {
      double lambda = ldexp (guess, power);

      for (gsize j = 0; j < m; j++)
        ret_multipliers[m + j] = lambda;
      ret_multipliers[2 * m + 1] = top * lambda;
      double value = ww_bound_joint_value (joint, ret_multipliers);
      if (value < best)
        {
          best = value;
          chosen = lambda;
        }
    }
  chosen = chosen > 0 ? chosen : guess;
  for (gsize j = 0; j < m; j++)
    ret_multipliers[m + j] = chosen;
  ret_multipliers[2 * m + 1] = top * chosen;
}

static void
set_gradient (WwBoundJoint *joint, double *ret)
{
  const WwBoundDual *dual = joint->dual;
  gsize m = joint->count;
  double unit = dual->unit, half = 0.5 * joint->temperature * unit;
  double across2 = dual->rows->radius * dual->rows->radius * (1 - joint->tau * joint->tau);
  double length2 = 0, trace = 0;

  for (gsize j = 0; j < m; j++)
    {
      double gv = joint->gv_mu[j] + joint->tau * joint->gv_c[j];
      double inverse = joint->factor[j * m + j];

      joint->v[j] = joint->v_mu[j] + joint->tau * joint->v_c[j];
      joint->moved[j] = joint->tau * joint->c[j] + 0.5 * gv;
      joint->curve[j] = joint->g * inverse - 1;
      length2 += 0.25 * joint->root[j] * joint->v[j] * gv;
      trace += inverse;
      ret[j] = joint->moved[j] - dual->states[j].xi;
      ret[m + j] = joint->moved[j] * joint->moved[j] - dual->states[j].xi2
                   + half * joint->curve[j] / joint->lambda[j];
    }
  ret[2 * m] = (dual->alpha2 * across2 - joint->sum.zeta2) / (unit * unit);
  ret[2 * m + 1] = across2 - length2 - half * (trace - m / joint->g);
  ret[2 * m + 2] = -joint->sum.zeta / unit;
}

/* The rows' part at the last point and the present temperature; returns the smoothed value / unit. */
static double
measure_rows (WwBoundJoint *joint)
{
  WwBoundDual *dual = joint->dual;
  double temperature = joint->temperature * dual->unit;

  ww_bound_nodes_sum (&dual->nodes, joint->mu, joint->lambda, joint->kappa, joint->nu, temperature,
                      dual->states, &joint->sum);
  ww_bound_own_add (&dual->own, joint->kappa, joint->nu, temperature, &joint->sum);
  joint->exact = joint->sum.exact + joint->nudge;
  return (joint->sum.smooth + joint->nudge
          - 0.5 * temperature * (joint->determinant - joint->count * log (joint->g)))
         / dual->unit;
}

double
ww_bound_joint_measure (WwBoundJoint *joint, const double *multipliers)
{
  gsize m = joint->count;

  if (!enter (joint, multipliers))
    return INFINITY;
  joint->determinant = 0;
  for (gsize j = 0; j < m; j++)
    joint->determinant += 2 * log (joint->factor[j * m + j]);
  solve (joint);
  joint->nudge = maximise (joint);
  return measure_rows (joint);
}

gboolean
ww_bound_joint_differentiate (WwBoundJoint *joint, double *ret_gradient)
{
  if (!ww_bound_cholesky_invert (joint->count, joint->factor))
    return FALSE;
  set_gradient (joint, ret_gradient);
  return TRUE;
}

double
ww_bound_joint_cool (WwBoundJoint *joint, double temperature, double *ret_gradient)
{
  joint->temperature = temperature;
  double value = measure_rows (joint);
  set_gradient (joint, ret_gradient);
  return value;
}

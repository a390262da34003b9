#include "ww-bound-dual.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-private.h"

static gboolean
allocate (WwBoundDual *dual, GError **error)
{
  gsize m = dual->rows->count;

  dual->axis = ww_try_alloc (1, dual->rows->d, sizeof (double), error);
  if (dual->axis == NULL)
    return FALSE;
  dual->mu = ww_try_alloc (4, m, sizeof (double), error);
  if (dual->mu == NULL)
    return FALSE;
  dual->mean = dual->mu + m;
  dual->moved = dual->mu + 2 * m;
  dual->spread = dual->mu + 3 * m;
  return TRUE;
}

gboolean
ww_bound_dual_init (WwBoundDual *dual, const WwBoundRows *rows, const WwCancel *cancel,
                    GError **error)
{
  gsize m = rows->count, d = rows->d;
  double R = rows->radius, sum = 0;

  dual->rows = rows;
  if (!allocate (dual, error))
    return FALSE;

  memcpy (dual->axis, rows->own, d * sizeof (double));
  for (gsize j = 0; j < m; j++)
    {
      cblas_daxpy (d, 1, rows->e + j * d, 1, dual->axis, 1);
      sum += rows->e_norm[j] * rows->e_norm[j];
    }
  double length = cblas_dnrm2 (d, dual->axis, 1);
  if (length > 0)
    cblas_dscal (d, 1 / length, dual->axis, 1);
  dual->unit = R * R + sum / m;

  double *along = dual->mean, *across = dual->moved;
  cblas_dgemv (CblasRowMajor, CblasNoTrans, m, d, R, rows->e, d, dual->axis, 1, 0, along, 1);
  for (gsize j = 0; j < m; j++)
    {
      double full = R * rows->e_norm[j];

      across[j] = sqrt (MAX (full * full - along[j] * along[j], 0) + 1e-14 * full * full);
    }
  return ww_bound_nodes_init (&dual->nodes, rows, along, across, error)
         && ww_bound_own_init (&dual->own, rows, dual->axis, cancel, error)
         && ww_bound_trust_init (&dual->trust, rows, dual->axis, cancel, error);
}

void
ww_bound_dual_clear (WwBoundDual *dual)
{
  ww_bound_nodes_clear (&dual->nodes);
  ww_bound_trust_clear (&dual->trust);
  ww_bound_own_clear (&dual->own);
  free (dual->axis);
  free (dual->mu);
}

void
ww_bound_dual_set_slice (WwBoundDual *dual, double t1, double t2)
{
  dual->t1 = t1;
  dual->t2 = t2;
  ww_bound_nodes_set_slice (&dual->nodes, t1, t2);
  ww_bound_own_set_slice (&dual->own, t1, t2);
}

gsize
ww_bound_dual_get_size (const WwBoundDual *dual)
{
  return dual->rows->count + WW_BOUND_EXTRA_MULTIPLIERS;
}

void
ww_bound_dual_guess (const WwBoundDual *dual, double *ret_multipliers)
{
  gsize m = dual->rows->count;
  double square = 0;

  for (gsize j = 0; j < m; j++)
    {
      double need = dual->rows->attention->map == WW_MAP_SOFTMAX_RAF
                      ? MAX (-dual->rows->score[j], 1)
                      : 0.3 * dual->rows->radius * dual->rows->u_norm[j];

      square += need * need / m;
      ret_multipliers[j] = 0;
    }
  ret_multipliers[m] = -log (square);
  ret_multipliers[m + 1] = 4;
  ret_multipliers[m + 2] = log (0.05);
  ret_multipliers[m + 3] = 0;
}

double
ww_bound_dual_evaluate (WwBoundDual *dual, const double *multipliers, double temperature,
                        double *ret_gradient, double *ret_exact)
{
  gsize m = dual->rows->count;
  double unit = dual->unit;

  dual->lambda = unit * exp (CLAMP (multipliers[m], -40, 40));
  dual->kappa = exp (CLAMP (multipliers[m + 1], -40, 40)) / unit;
  dual->excess = exp (CLAMP (multipliers[m + 2], -15, 40));
  dual->nu = multipliers[m + 3];
  dual->temperature = temperature * unit;
  for (gsize j = 0; j < m; j++)
    dual->mu[j] = unit * multipliers[j];
  ww_bound_nodes_sum (&dual->nodes, dual->mu, dual->lambda, dual->kappa, dual->nu,
                      dual->temperature, dual->mean, dual->spread, &dual->sum);
  ww_bound_own_add (&dual->own, dual->kappa, dual->nu, dual->temperature, &dual->sum);
  ww_bound_trust_evaluate (&dual->trust, dual->t1, dual->t2, dual->mu, dual->lambda, dual->kappa,
                           dual->excess, dual->temperature, dual->moved, &dual->value);

  for (gsize j = 0; j < m; j++)
    ret_gradient[j] = dual->moved[j] - dual->mean[j];
  ret_gradient[m] = (dual->value.lambda - dual->lambda * dual->sum.square) / unit;
  ret_gradient[m + 1] = (dual->value.kappa - dual->kappa * dual->sum.zeta2) / unit;
  ret_gradient[m + 2] = dual->value.excess / unit;
  ret_gradient[m + 3] = -dual->sum.zeta / unit;
  *ret_exact = dual->sum.exact + dual->value.value;
  return (dual->sum.smooth + dual->value.smooth) / unit;
}

void
ww_bound_dual_diagonal (WwBoundDual *dual, double *ret)
{
  gsize m = dual->rows->count;
  double unit = dual->unit, kappa = dual->kappa, lambda = dual->lambda;

  ww_bound_trust_diagonal (&dual->trust, lambda, dual->excess, ret);
  for (gsize j = 0; j < m; j++)
    ret[j] = unit * (ret[j] + dual->spread[j] / dual->temperature) + 1e-6;
  ret[m] = (lambda * lambda * dual->sum.square_spread / dual->temperature
            + lambda * dual->sum.square) / unit + 1e-3;
  ret[m + 1] = (kappa * kappa * dual->sum.zeta2_spread / dual->temperature + dual->value.kappa) / unit
               + 1e-3;
  ret[m + 2] = dual->value.excess_bend / unit + 1e-3;
  ret[m + 3] = (dual->sum.zeta_spread / dual->temperature + 0.5 * (m + 1) / kappa) / unit;
}

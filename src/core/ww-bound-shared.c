#include "ww-bound-shared.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-bound-lapack.h"
#include "ww-private.h"

/* Added to the largest eigenvalue, of which rounding may take some r times 1e-16. */
#define EIGEN_ALLOWANCE 1e-10

/* Rows multiplied between two looks at the flag. */
#define ROWS_PER_LOOK 128

/* Temperatures in parts of the mean change of a row, from a guess and from multipliers nearby. */
static const double cold_temperatures[] = { 0.1, 0.02, 0.004 };
#define COLD_EVALUATIONS 60
#define WARM_TEMPERATURE 0.004
#define WARM_EVALUATIONS 40
#define TOLERANCE 2e-5

static gboolean
allocate (WwBoundShared *shared, GError **error)
{
  gsize m = shared->count, r = shared->rank;

  shared->basis = ww_try_alloc (r, m, sizeof (double), error);
  if (shared->basis == NULL)
    return FALSE;
  shared->eigen = ww_try_alloc (4, r, sizeof (double), error);
  if (shared->eigen == NULL)
    return FALSE;
  shared->vectors = ww_try_alloc (6, shared->size, sizeof (double), error);
  if (shared->vectors == NULL)
    return FALSE;
  shared->bc = shared->eigen + r;
  shared->bmu = shared->eigen + 2 * r;
  shared->w = shared->eigen + 3 * r;
  shared->c = shared->vectors;
  shared->mu = shared->vectors + shared->size;
  shared->lambdas = shared->vectors + 2 * shared->size;
  shared->moved = shared->vectors + 3 * shared->size;
  shared->best = shared->vectors + 4 * shared->size;
  shared->gradient = shared->vectors + 5 * shared->size;
  shared->descent = ww_bound_descent_new (shared->size, error);
  return shared->descent != NULL;
}

/* B from the eigenvectors (rows of `vectors`, r x r) of the Gram matrix of `u` (m x d): for m <= d they
 * are Q with U' = Q sqrt (D) V^T, so that B = sqrt (D) Q^T; else they are V and B = V^T U'^T. */
static gboolean
set_basis (WwBoundShared *shared, const double *vectors, const double *u, gsize d, GError **error)
{
  gsize m = shared->count, r = shared->rank;

  for (gsize k = 0; k < r; k++)
    shared->eigen[k] = MAX (shared->eigen[k], 0);
  if (m > d)
    {
      for (gsize first = 0; first < m; first += ROWS_PER_LOOK)
        {
          if (ww_cancel_check (shared->cancel, error))
            return FALSE;
          cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, r, MIN (ROWS_PER_LOOK, m - first), d, 1, vectors, d,
                       u + first * d, d, 0, shared->basis + first, m);
        }
      return TRUE;
    }
  for (gsize k = 0; k < r; k++)
    for (gsize j = 0; j < m; j++)
      shared->basis[k * m + j] = sqrt (shared->eigen[k]) * vectors[k * m + j];
  return TRUE;
}

gboolean
ww_bound_shared_init (WwBoundShared *shared, WwBoundDual *dual, const WwCancel *cancel,
                      GError **error)
{
  const WwBoundRows *rows = dual->rows;
  gsize m = rows->count, d = rows->d, r = MIN (m, d);

  shared->dual = dual;
  shared->cancel = cancel;
  shared->count = m;
  shared->rank = r;
  shared->size = m + 4;
  if (!allocate (shared, error))
    return FALSE;

  g_autoptr (WwMatrix) flat = ww_matrix_new (m, d, error);
  g_autoptr (WwMatrix) square = flat != NULL ? ww_matrix_new (r, r, error) : NULL;
  if (square == NULL || ww_cancel_check (cancel, error))
    return FALSE;
  ww_bound_dual_project (dual, rows->u, flat->data, shared->c);
  if (!ww_bound_gram (m, d, flat->data, cancel, square->data, error)
      || !ww_bound_eigen (r, square->data, cancel, shared->eigen, error)
      || !set_basis (shared, square->data, flat->data, d, error))
    return FALSE;
  cblas_dgemv (CblasRowMajor, CblasNoTrans, r, m, 1, shared->basis, m, shared->c, 1, 0, shared->bc, 1);
  shared->c2 = cblas_ddot (m, shared->c, 1, shared->c, 1);

  /* Away from zero even where U' vanishes (d = 1) or all u_j do. */
  shared->top = shared->eigen[r - 1] * (1 + EIGEN_ALLOWANCE) + 1e-20 / (rows->radius * rows->radius);
  for (gsize j = 0; j < m; j++)
    shared->top += 1e-12 * rows->u_norm[j] * rows->u_norm[j];
  return TRUE;
}

void
ww_bound_shared_clear (WwBoundShared *shared)
{
  free (shared->basis);
  free (shared->eigen);
  free (shared->vectors);
  ww_bound_descent_free (shared->descent);
}

void
ww_bound_shared_guess (const WwBoundShared *shared, double *ret_multipliers)
{
  gsize m = shared->count;

  memset (ret_multipliers, 0, shared->size * sizeof (double));
  ret_multipliers[m] = log (ww_bound_dual_guess_lambda (shared->dual) / shared->dual->unit);
  ret_multipliers[m + 1] = 3;
  ret_multipliers[m + 2] = log (0.05);
}

/* The maximum over the nudge at g; leaves tau. */
static double
maximise (WwBoundShared *shared, double g)
{
  double lambda = shared->lambda, mm = 0, mc = 0, cc = 0;
  double R = shared->dual->rows->radius, weight = (g + shared->kappa * shared->dual->alpha2) * R * R;

  cblas_dgemv (CblasRowMajor, CblasNoTrans, shared->rank, shared->count, 1, shared->basis,
               shared->count, shared->mu, 1, 0, shared->bmu, 1);
  for (gsize k = 0; k < shared->rank; k++)
    {
      double m = shared->bmu[k], c = shared->bc[k], inverse = 1 / (g - lambda * shared->eigen[k]);

      mm += m * m * inverse;
      mc += m * c * inverse;
      cc += c * c * inverse;
    }
  double linear = cblas_ddot (shared->count, shared->mu, 1, shared->c, 1);
  return ww_bound_dual_largest (shared->dual, weight + 0.25 * mm, linear + lambda * mc,
                                -weight + lambda * (shared->c2 + lambda * cc), &shared->tau);
}

/* Adds the nudge's part of the gradient, and returns the barrier. */
static double
add_nudge (WwBoundShared *shared, double g, double *gradient)
{
  const WwBoundDual *dual = shared->dual;
  gsize m = shared->count, r = shared->rank;
  double lambda = shared->lambda, tau = shared->tau, unit = dual->unit;
  double half = 0.5 * shared->temperature * unit, across2 = dual->rows->radius * dual->rows->radius;
  double mixed = 0, squares = 0, length2 = 0, entropy = 0, by_g = 0, by_lambda = 0, bend = 0;

  across2 *= 1 - tau * tau;
  for (gsize k = 0; k < r; k++)
    {
      double eigen = shared->eigen[k], inverse = 1 / (g - lambda * eigen);
      double w = 0.5 * (shared->bmu[k] + 2 * lambda * tau * shared->bc[k]) * inverse;

      shared->w[k] = w;
      mixed += w * shared->bc[k];
      squares += eigen * w * w;
      length2 += w * w;
      bend += w * w * inverse;
      entropy -= log1p (-lambda * eigen / g);
      by_g -= lambda * eigen * inverse / g;
      by_lambda += eigen * inverse;
    }
  memcpy (shared->moved, shared->c, m * sizeof (double));
  cblas_dgemv (CblasRowMajor, CblasTrans, r, m, 1, shared->basis, m, shared->w, 1, tau, shared->moved,
               1);

  double slope = across2 - length2 + half * by_g, step = lambda * shared->top * shared->excess;
  cblas_daxpy (m, 1, shared->moved, 1, gradient, 1);
  gradient[m] += (lambda * (tau * (tau * shared->c2 + 2 * mixed) + squares + half * by_lambda)
                  + g * slope) / unit;
  gradient[m + 1] += shared->kappa * dual->alpha2 * across2 / unit;
  gradient[m + 2] += step * slope / unit;
  shared->excess_bend = (2 * bend * step * step + half * r / (1 + shared->excess)) / unit;
  return half * entropy;
}

double
ww_bound_shared_evaluate (WwBoundShared *shared, const double *multipliers, double *ret_gradient)
{
  WwBoundDual *dual = shared->dual;
  gsize m = shared->count;
  double unit = dual->unit;

  shared->lambda = unit * exp (CLAMP (multipliers[m], -40, 40));
  shared->kappa = exp (CLAMP (multipliers[m + 1], -40, 40)) / unit;
  shared->excess = exp (CLAMP (multipliers[m + 2], -15, 40));
  shared->nu = multipliers[m + 3];
  for (gsize j = 0; j < m; j++)
    {
      shared->mu[j] = unit * multipliers[j];
      shared->lambdas[j] = shared->lambda;
    }
  double g = shared->lambda * shared->top * (1 + shared->excess), nudge = maximise (shared, g);
  ww_bound_nodes_sum (&dual->nodes, shared->mu, shared->lambdas, shared->kappa, shared->nu,
                      shared->temperature * unit, dual->states, &shared->sum);
  ww_bound_own_add (&dual->own, shared->kappa, shared->nu, shared->temperature * unit, &shared->sum);

  shared->square = 0;
  for (gsize j = 0; j < m; j++)
    {
      ret_gradient[j] = -dual->states[j].xi;
      shared->square += dual->states[j].xi2;
    }
  ret_gradient[m] = -shared->lambda * shared->square / unit;
  ret_gradient[m + 1] = -shared->kappa * shared->sum.zeta2 / unit;
  ret_gradient[m + 2] = 0;
  ret_gradient[m + 3] = -shared->sum.zeta / unit;
  double barrier = add_nudge (shared, g, ret_gradient);
  shared->exact = shared->sum.exact + nudge;
  return (shared->sum.smooth + nudge + barrier) / unit;
}

/* About the diagonal of the second derivatives at the last point. */
static void
diagonal (double *ret, gpointer data)
{
  WwBoundShared *shared = data;
  const WwBoundDual *dual = shared->dual;
  gsize m = shared->count;
  double unit = dual->unit, lambda = shared->lambda, kappa = shared->kappa;
  double g = lambda * shared->top * (1 + shared->excess), bend = 0;

  for (gsize j = 0; j < m; j++)
    {
      ret[j] = unit * dual->states[j].mu_mu + 1e-6;
      bend += dual->states[j].lambda_lambda;
    }
  for (gsize k = 0; k < shared->rank; k++)
    {
      const double *row = shared->basis + k * m;
      double weight = 0.5 * unit / (g - lambda * shared->eigen[k]);

      for (gsize j = 0; j < m; j++)
        ret[j] += weight * row[j] * row[j];
    }
  ret[m] = (lambda * lambda * bend + lambda * shared->square) / unit + 1e-3;
  ret[m + 1] = (kappa * kappa * shared->sum.kappa_kappa + kappa * shared->sum.zeta2) / unit + 1e-3;
  ret[m + 2] = shared->excess_bend + 1e-3;
  ret[m + 3] = (shared->sum.nu_nu + 0.5 / kappa) / unit + 1e-6;
}

/* A raised flag makes every later value NaN, which ends the descent at once. */
static double
evaluate (const double *point, double *ret_gradient, gpointer data)
{
  WwBoundShared *shared = data;

  if (ww_cancel_is_raised (shared->cancel))
    return NAN;

  double value = ww_bound_shared_evaluate (shared, point, ret_gradient);
  if (shared->exact < shared->least)
    {
      shared->least = shared->exact;
      memcpy (shared->best, point, shared->size * sizeof (double));
    }
  return value;
}

void
ww_bound_shared_carry (const WwBoundShared *shared, double change, double scale, double *multipliers)
{
  gsize m = shared->count;
  double lambda = exp (multipliers[m]);

  for (gsize j = 0; j < m; j++)
    multipliers[j] = scale * (multipliers[j] - 2 * lambda * change * shared->c[j]);
  multipliers[m] += log (scale);
}

double
ww_bound_shared_value (WwBoundShared *shared, const double *multipliers)
{
  shared->temperature = WARM_TEMPERATURE;
  ww_bound_shared_evaluate (shared, multipliers, shared->gradient);
  return shared->exact;
}

double
ww_bound_shared_improve (WwBoundShared *shared, double *multipliers, gboolean cold, double scale)
{
  double row = scale / (shared->dual->unit * shared->count);

  shared->least = INFINITY;
  if (!cold)
    {
      shared->temperature = row * WARM_TEMPERATURE;
      ww_bound_descent_run (shared->descent, multipliers, WARM_EVALUATIONS, TOLERANCE, evaluate,
                            diagonal, shared);
    }
  for (gsize k = 0; cold && k < G_N_ELEMENTS (cold_temperatures); k++)
    {
      shared->temperature = row * cold_temperatures[k];
      ww_bound_descent_run (shared->descent, multipliers, COLD_EVALUATIONS, TOLERANCE, evaluate,
                            diagonal, shared);
      row = MIN (row, shared->least / (shared->dual->unit * shared->count));
    }
  if (isfinite (shared->least))
    memcpy (multipliers, shared->best, shared->size * sizeof (double));
  return shared->least;
}

#include "ww-bound-dual.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-bound-lapack.h"
#include "ww-private.h"

static void
set_axis (WwBoundDual *dual)
{
  const WwBoundRows *rows = dual->rows;
  gsize d = rows->d;
  double size = cblas_dnrm2 (d, rows->own, 1);

  memcpy (dual->axis, rows->own, d * sizeof (double));
  for (gsize j = 0; j < rows->count; j++)
    {
      cblas_daxpy (d, 1, rows->e + j * d, 1, dual->axis, 1);
      size += rows->e_norm[j];
    }

  double length = cblas_dnrm2 (d, dual->axis, 1);
  /* What is left of a sum that cancels is noise, along which the zeta would not sum to zero. */
  cblas_dscal (d, length > 1e-12 * size ? 1 / length : 0, dual->axis, 1);
}

void
ww_bound_dual_project (const WwBoundDual *dual, const double *source, double *ret, double *ret_along)
{
  gsize m = dual->rows->count, d = dual->rows->d;

  memcpy (ret, source, m * d * sizeof (double));
  cblas_dgemv (CblasRowMajor, CblasNoTrans, m, d, 1, source, d, dual->axis, 1, 0, ret_along, 1);
  cblas_dger (CblasRowMajor, m, d, -1, ret_along, 1, dual->axis, 1, ret, d);
  cblas_dscal (m, dual->rows->radius, ret_along, 1);
}

/* alpha^2 from the rows of E' (m + 1 x d), by the smaller of its two Gram matrices. */
static gboolean
set_alpha (WwBoundDual *dual, const double *e, const WwCancel *cancel, GError **error)
{
  gsize m = dual->rows->count + 1, d = dual->rows->d, r = MIN (m, d);
  g_autoptr (WwMatrix) square = ww_matrix_new (r, r, error);

  if (square == NULL)
    return FALSE;

  return ww_bound_gram (m, d, e, cancel, square->data, error)
         && ww_bound_largest_eigenvalue (r, square->data, cancel, &dual->alpha2, error);
}

gboolean
ww_bound_dual_init (WwBoundDual *dual, const WwBoundRows *rows, const WwCancel *cancel,
                    GError **error)
{
  gsize m = rows->count, d = rows->d;
  double R = rows->radius, sum = 0;

  dual->rows = rows;
  dual->axis = ww_try_alloc (1, d, sizeof (double), error);
  if (dual->axis == NULL)
    return FALSE;
  dual->states = ww_try_alloc (1, m, sizeof (WwBoundRowState), error);
  if (dual->states == NULL)
    return FALSE;
  set_axis (dual);
  for (gsize j = 0; j < m; j++)
    sum += rows->e_norm[j] * rows->e_norm[j];
  dual->unit = R * R + sum / m;

  g_autoptr (WwMatrix) e = ww_matrix_new (m + 1, d, error);
  g_autoptr (WwMatrix) parts = e != NULL ? ww_matrix_new (2, m, error) : NULL;
  if (parts == NULL || ww_cancel_check (cancel, error))
    return FALSE;
  double *along = parts->data, *across = along + m, *last = e->data + m * d;
  ww_bound_dual_project (dual, rows->e, e->data, along);
  memcpy (last, rows->own, d * sizeof (double));
  cblas_daxpy (d, -cblas_ddot (d, dual->axis, 1, last, 1), dual->axis, 1, last, 1);
  for (gsize j = 0; j < m; j++)
    across[j] = R * (cblas_dnrm2 (d, e->data + j * d, 1) + 1e-14 * rows->e_norm[j]);

  return ww_bound_nodes_init (&dual->nodes, rows, along, across, error)
         && !ww_cancel_check (cancel, error) && set_alpha (dual, e->data, cancel, error)
         && !ww_cancel_check (cancel, error)
         && ww_bound_own_init (&dual->own, rows, dual->axis, cancel, error);
}

void
ww_bound_dual_clear (WwBoundDual *dual)
{
  ww_bound_nodes_clear (&dual->nodes);
  ww_bound_own_clear (&dual->own);
  free (dual->axis);
  free (dual->states);
}

void
ww_bound_dual_set_slice (WwBoundDual *dual, double t1, double t2)
{
  dual->t1 = t1;
  dual->t2 = t2;
  ww_bound_nodes_set_slice (&dual->nodes, t1, t2);
  ww_bound_own_set_slice (&dual->own, t1, t2);
}

double
ww_bound_dual_guess_lambda (const WwBoundDual *dual)
{
  const WwBoundRows *rows = dual->rows;
  double square = 0;

  for (gsize j = 0; j < rows->count; j++)
    {
      double need = rows->attention->map == WW_MAP_SOFTMAX_RAF ? MAX (-rows->score[j], 1)
                                                               : 0.3 * rows->radius * rows->u_norm[j];

      square += need * need / rows->count;
    }
  return dual->unit / MAX (square, 1e-6);
}

double
ww_bound_dual_scale (const WwBoundDual *dual, double tau)
{
  const WwBoundRows *rows = dual->rows;
  double sum = 0;

  for (gsize j = 0; j < rows->count; j++)
    {
      double rest = 1 - rows->q[j], e = rest * rows->e_norm[j];

      sum += e * e + 2 * rest * tau * dual->nodes.along[j] + rows->radius * rows->radius;
    }
  return MAX (sum, 0.01 * dual->unit * rows->count);
}

double
ww_bound_dual_largest (const WwBoundDual *dual, double a0, double a1, double a2, double *ret_tau)
{
  double t1 = dual->t1, t2 = dual->t2;
  double at1 = a0 + t1 * (a1 + t1 * a2), at2 = a0 + t2 * (a1 + t2 * a2);
  double vertex = a2 < 0 ? -a1 / (2 * a2) : t1;

  *ret_tau = at1 > at2 ? t1 : t2;
  if (!(vertex > t1 && vertex < t2))
    return MAX (at1, at2);
  *ret_tau = vertex;
  return MAX (MAX (at1, at2), a0 - a1 * a1 / (4 * a2));
}

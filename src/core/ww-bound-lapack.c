#include "ww-bound-lapack.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"

#define POWER_STEPS 20

/* Added to the unit diagonal, of which rounding may take n times 6e-8. */
#define SINGLE_ALLOWANCE 3e-6f

/* Fortran's interface with 32-bit integers, as OpenBLAS is built by default. Row-major upper is
 * column-major lower. */
void dsyevd_ (const char *job, const char *triangle, const int *n, double *a, const int *lda,
              double *w, double *work, const int *lwork, int *iwork, const int *liwork, int *info);
void dpotrf_ (const char *triangle, const int *n, double *a, const int *lda, int *info);
void spotrf_ (const char *triangle, const int *n, float *a, const int *lda, int *info);
void dpotri_ (const char *triangle, const int *n, double *a, const int *lda, int *info);

gboolean
ww_bound_cholesky (gsize n, double *matrix)
{
  int size = (int) n, info = 0;

  dpotrf_ ("L", &size, matrix, &size, &info);
  return info == 0;
}

gboolean
ww_bound_cholesky_invert (gsize n, double *matrix)
{
  int size = (int) n, info = 0;

  dpotri_ ("L", &size, matrix, &size, &info);
  return info == 0;
}

gboolean
ww_bound_solve_roughly (gsize n, const double *matrix, float *room, double *side)
{
  float *scale = room + n * n, *x = scale + n;
  int size = (int) n, info = 0;

  for (gsize j = 0; j < n; j++)
    {
      scale[j] = (float) (1 / sqrt (matrix[j * n + j]));
      x[j] = (float) (side[j] * (double) scale[j]);
    }
  for (gsize j = 0; j < n; j++)
    {
      for (gsize k = j; k < n; k++)
        room[j * n + k] = (float) (matrix[j * n + k] * (double) scale[j] * (double) scale[k]);
      room[j * n + j] = 1 + SINGLE_ALLOWANCE;
    }
  spotrf_ ("L", &size, room, &size, &info);
  if (info != 0)
    return FALSE;

  cblas_strsv (CblasRowMajor, CblasUpper, CblasTrans, CblasNonUnit, n, room, n, x, 1);
  cblas_strsv (CblasRowMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, room, n, x, 1);
  for (gsize j = 0; j < n; j++)
    side[j] = (double) scale[j] * (double) x[j];
  return TRUE;
}

gboolean
ww_bound_eigen (gsize n, double *matrix, double *ret_values, GError **error)
{
  int size = (int) n, info = 0;
  double query_work = 0;
  int query_iwork = 0, ask = -1;

  dsyevd_ ("V", "L", &size, matrix, &size, ret_values, &query_work, &ask, &query_iwork, &ask, &info);
  int lwork = (int) query_work;
  double *work = ww_try_alloc (1, (gsize) lwork, sizeof (double), error);
  if (work == NULL)
    return FALSE;
  int *iwork = ww_try_alloc (1, (gsize) query_iwork, sizeof (int), error);
  if (iwork == NULL)
    {
      free (work);
      return FALSE;
    }
  dsyevd_ ("V", "L", &size, matrix, &size, ret_values, work, &lwork, iwork, &query_iwork, &info);
  free (work);
  free (iwork);
  if (info == 0)
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                       "The eigenvalues of the score directions cannot be computed");
  return FALSE;
}

/* About the largest absolute value of an eigenvalue, from below, by the power method. `from` and `to`
 * have room for n values. */
static double
estimate_norm (gsize n, const double *matrix, double *from, double *to)
{
  double norm = 0;

  for (gsize k = 0; k < n; k++)
    from[k] = 1 + 0.5 * sin ((double) k);
  for (guint step = 0; step < POWER_STEPS; step++)
    {
      double length = cblas_dnrm2 (n, from, 1);

      if (!(length > 0))
        return norm;
      cblas_dscal (n, 1 / length, from, 1);
      cblas_dsymv (CblasRowMajor, CblasUpper, n, 1, matrix, n, from, 1, 0, to, 1);
      norm = MAX (norm, cblas_dnrm2 (n, to, 1));
      memcpy (from, to, n * sizeof (double));
    }
  return norm;
}

gboolean
ww_bound_largest_eigenvalue (gsize n, const double *matrix, const WwCancel *cancel, double *ret_value,
                             GError **error)
{
  double *work = ww_try_alloc (n + 2, n, sizeof (double), error), frobenius = 0;

  if (work == NULL)
    return FALSE;

  for (gsize j = 0; j < n; j++)
    for (gsize k = j; k < n; k++)
      frobenius += (k > j ? 2 : 1) * matrix[j * n + k] * matrix[j * n + k];
  frobenius = sqrt (frobenius) * (1 + 1e-9);
  double estimate = estimate_norm (n, matrix, work + n * n, work + (n + 1) * n), value = frobenius;

  /* The Frobenius norm is a bound too, and ends the search. */
  for (double excess = 0.01; estimate * (1 + excess) < frobenius; excess *= 2)
    {
      double trial = estimate * (1 + excess);

      if (ww_cancel_check (cancel, error))
        {
          free (work);
          return FALSE;
        }
      for (gsize j = 0; j < n; j++)
        {
          for (gsize k = j; k < n; k++)
            work[j * n + k] = -matrix[j * n + k];
          work[j * n + j] += trial;
        }
      if (ww_bound_cholesky (n, work))
        {
          value = trial;
          break;
        }
      if (!(estimate > 0))
        break;
    }
  free (work);
  *ret_value = value * (1 + 1e-9);
  return TRUE;
}

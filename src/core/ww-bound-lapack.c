#include "ww-bound-lapack.h"

#include <cblas.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"

#define POWER_STEPS 20

/* Columns reduced, and vectors reflected back, between two looks at the flag; multiplications between two in a
 * product, some milliseconds. */
#define PANEL 32
#define PRODUCTS_PER_LOOK 50000000

/* Added to the unit diagonal, of which rounding may take n times 6e-8. */
#define SINGLE_ALLOWANCE 3e-6f

/* Fortran's interface with 32-bit integers, as OpenBLAS is built by default. Row-major upper is
 * column-major lower. */
void dlatrd_ (const char *triangle, const int *n, const int *nb, double *a, const int *lda, double *e, double *tau,
              double *w, const int *ldw);
void dsytd2_ (const char *triangle, const int *n, double *a, const int *lda, double *d, double *e, double *tau,
              int *info);
void dstedc_ (const char *job, const int *n, double *d, double *e, double *z, const int *ldz, double *work,
              const int *lwork, int *iwork, const int *liwork, int *info);
void dormtr_ (const char *side, const char *triangle, const char *trans, const int *m, const int *n, const double *a,
              const int *lda, const double *tau, double *c, const int *ldc, double *work, const int *lwork, int *info);
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

void
ww_bound_cholesky_solve (gsize n, const double *factor, double *side)
{
  cblas_dtrsv (CblasRowMajor, CblasUpper, CblasTrans, CblasNonUnit, n, factor, n, side, 1);
  cblas_dtrsv (CblasRowMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, factor, n, side, 1);
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

/* What an eigendecomposition needs beside the matrix. */
typedef struct
{
  double *vectors;           /* n x n */
  double *below, *tau;       /* n each */
  double *panel;             /* n x PANEL */
  double *work;
  int *iwork;
  int lwork, liwork;
} Eigen;

static void
eigen_clear (Eigen *eigen)
{
  free (eigen->vectors);
  free (eigen->below);
  free (eigen->work);
  free (eigen->iwork);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Eigen, eigen_clear)

static gboolean
eigen_init (Eigen *eigen, gsize n, GError **error)
{
  int size = (int) n, info = 0, ask = -1;
  double query_work = 0, unused = 0;

  dstedc_ ("I", &size, &unused, &unused, &unused, &size, &query_work, &ask, &eigen->liwork, &ask, &info);
  eigen->lwork = MAX ((int) query_work, PANEL * PANEL);
  eigen->vectors = ww_try_alloc (n, n, sizeof (double), error);
  if (eigen->vectors == NULL)
    return FALSE;
  eigen->below = ww_try_alloc (2 + PANEL, n, sizeof (double), error);
  if (eigen->below == NULL)
    return FALSE;
  eigen->tau = eigen->below + n;
  eigen->panel = eigen->tau + n;
  eigen->work = ww_try_alloc (1, (gsize) eigen->lwork, sizeof (double), error);
  if (eigen->work == NULL)
    return FALSE;
  eigen->iwork = ww_try_alloc (1, (gsize) eigen->liwork, sizeof (int), error);
  return eigen->iwork != NULL;
}

/* Reduction to a tridiagonal matrix by reflections, PANEL columns at a time: what dsytrd does in one go, during
 * which nobody could cancel. Column-major lower. */
static gboolean
reduce (Eigen *eigen, gsize n, double *matrix, const WwCancel *cancel, double *diagonal, GError **error)
{
  const int size = (int) n, panel = PANEL;
  int done = 0, info = 0;

  for (; size - done > 2 * PANEL; done += PANEL)
    {
      double *corner = matrix + (gsize) done * n + (gsize) done;
      double *rest = corner + (gsize) PANEL * n + PANEL;
      int left = size - done;

      if (ww_cancel_check (cancel, error))
        return FALSE;
      dlatrd_ ("L", &left, &panel, corner, &size, eigen->below + done, eigen->tau + done, eigen->panel, &left);
      cblas_dsyr2k (CblasColMajor, CblasLower, CblasNoTrans, left - PANEL, PANEL, -1, corner + PANEL, size,
                    eigen->panel + PANEL, left, 1, rest, size);
      for (int k = 0; k < PANEL; k++)
        {
          corner[(gsize) k * n + (gsize) k + 1] = eigen->below[done + k];
          diagonal[done + k] = corner[(gsize) k * n + (gsize) k];
        }
    }

  int left = size - done;
  dsytd2_ ("L", &left, matrix + (gsize) done * n + (gsize) done, &size, diagonal + done, eigen->below + done,
           eigen->tau + done, &info);
  g_warn_if_fail (info == 0);
  return !ww_cancel_check (cancel, error);
}

/* The vectors of the tridiagonal matrix become those of the matrix. */
static gboolean
reflect_back (Eigen *eigen, gsize n, const double *matrix, const WwCancel *cancel, GError **error)
{
  int size = (int) n, info = 0;

  for (int first = 0; first < size; first += PANEL)
    {
      int columns = MIN (PANEL, size - first);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      dormtr_ ("L", "L", "N", &size, &columns, matrix, &size, eigen->tau, eigen->vectors + (gsize) first * n, &size,
               eigen->work, &eigen->lwork, &info);
      g_warn_if_fail (info == 0);
    }
  return TRUE;
}

gboolean
ww_bound_eigen (gsize n, double *matrix, const WwCancel *cancel, double *ret_values, GError **error)
{
  g_auto (Eigen) eigen = { 0 };
  int size = (int) n, info = 0;

  if (!eigen_init (&eigen, n, error))
    return FALSE;
  if (!reduce (&eigen, n, matrix, cancel, ret_values, error))
    return FALSE;
  dstedc_ ("I", &size, ret_values, eigen.below, eigen.vectors, &size, eigen.work, &eigen.lwork, eigen.iwork,
           &eigen.liwork, &info);
  if (info != 0)
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                           _("The eigenvalues of the score directions cannot be computed"));
      return FALSE;
    }
  if (!reflect_back (&eigen, n, matrix, cancel, error))
    return FALSE;

  memcpy (matrix, eigen.vectors, n * n * sizeof (double));
  return TRUE;
}

gboolean
ww_bound_gram (gsize rows, gsize columns, const double *matrix, const WwCancel *cancel, double *ret,
               GError **error)
{
  gboolean wide = rows <= columns;
  gsize n = MIN (rows, columns), total = MAX (rows, columns);
  gsize stride = MAX (PRODUCTS_PER_LOOK / (n * n + 1), 1);

  for (gsize first = 0; first < total; first += stride)
    {
      gsize count = MIN (stride, total - first);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_dsyrk (CblasRowMajor, CblasUpper, wide ? CblasNoTrans : CblasTrans, n, count, 1,
                   wide ? matrix + first : matrix + first * columns, columns, first > 0, ret, n);
    }
  return TRUE;
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

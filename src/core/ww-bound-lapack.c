#include "ww-bound-lapack.h"

#include <stdlib.h>

#include "ww-private.h"

/* Fortran's interface with 32-bit integers, as OpenBLAS is built by default. Row-major upper is
 * column-major lower. */
void dsyevd_ (const char *job, const char *triangle, const int *n, double *a, const int *lda,
              double *w, double *work, const int *lwork, int *iwork, const int *liwork, int *info);
void dpotrf_ (const char *triangle, const int *n, double *a, const int *lda, int *info);
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
ww_bound_eigen (gsize n, double *matrix, gboolean vectors, double *ret_values, GError **error)
{
  int size = (int) n, info = 0;
  double query_work = 0;
  int query_iwork = 0, ask = -1;
  const char *job = vectors ? "V" : "N";

  dsyevd_ (job, "L", &size, matrix, &size, ret_values, &query_work, &ask, &query_iwork, &ask, &info);
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
  dsyevd_ (job, "L", &size, matrix, &size, ret_values, work, &lwork, iwork, &query_iwork, &info);
  free (work);
  free (iwork);
  if (info == 0)
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                       "The eigenvalues of the score directions cannot be computed");
  return FALSE;
}

#include "ww-matrix.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"
#include "ww-random.h"

typedef struct
{
  WwMatrix matrix; /* first, so that the public pointer is the private one */
  gatomicrefcount ref_count;
  gpointer memory; /* what matrix.data lies in */
} WwMatrixBox;

double
ww_dot (const double *a, const double *b, gsize count)
{
  double sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < count; i++)
    sum += a[i] * b[i];

  return sum;
}

WwMatrix *
ww_matrix_new (gsize rows, gsize cols, GError **error)
{
  WwMatrixBox *box;
  gsize entries, bytes;
  gpointer memory;
  double *data;

  if (rows == 0 || cols == 0)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("A matrix needs at least one row and one column, not %zu x %zu"), rows, cols);
      return NULL;
    }

  if (!g_size_checked_mul (&entries, rows, cols)
      || !g_size_checked_mul (&bytes, entries, sizeof (double))
      || bytes > G_MAXSSIZE)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("A matrix of %zu x %zu is too large to address"),
                   rows, cols);
      return NULL;
    }

  data = ww_try_alloc_zeroed (bytes, &memory);
  if (data == NULL)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                   _("Not enough memory for a matrix of %zu x %zu"),
                   rows, cols);
      return NULL;
    }

  box = g_new (WwMatrixBox, 1);
  box->matrix.rows = rows;
  box->matrix.cols = cols;
  box->matrix.data = data;
  box->memory = memory;
  g_atomic_ref_count_init (&box->ref_count);

  return &box->matrix;
}

WwMatrix *
ww_matrix_new_copy (gsize rows, gsize cols, const double *data, GError **error)
{
  WwMatrix *matrix;

  g_return_val_if_fail (data != NULL, NULL);

  matrix = ww_matrix_new (rows, cols, error);
  if (matrix != NULL)
    memcpy (matrix->data, data, rows * cols * sizeof (double));

  return matrix;
}

WwMatrix *
ww_matrix_ref (WwMatrix *matrix)
{
  g_return_val_if_fail (matrix != NULL, NULL);

  g_atomic_ref_count_inc (&((WwMatrixBox *) matrix)->ref_count);
  return matrix;
}

void
ww_matrix_unref (WwMatrix *matrix)
{
  WwMatrixBox *box = (WwMatrixBox *) matrix;

  if (box == NULL || !g_atomic_ref_count_dec (&box->ref_count))
    return;

  free (box->memory);
  g_free (box);
}

WwMatrix *
ww_matrix_head (const WwMatrix *matrix, gsize rows, gsize cols, GError **error)
{
  WwMatrix *head;

  g_return_val_if_fail (matrix != NULL, NULL);

  if (rows > matrix->rows || cols > matrix->cols)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("%zu x %zu entries were asked of a matrix of %zu x %zu"),
                   rows, cols, matrix->rows, matrix->cols);
      return NULL;
    }

  head = ww_matrix_new (rows, cols, error);
  if (head == NULL)
    return NULL;

  for (gsize r = 0; r < rows; r++)
    memcpy (head->data + r * cols, matrix->data + r * matrix->cols, cols * sizeof (double));

  return head;
}

static double
largest_magnitude (const double *values, gsize count)
{
  double largest = 0;

  for (gsize i = 0; i < count; i++)
    largest = MAX (largest, fabs (values[i]));

  return largest;
}

/* Values are divided by the largest magnitude first where their squares could leave the range of normal
 * numbers. */
double
ww_vector_norm (const double *values, gsize count)
{
  double largest = largest_magnitude (values, count);
  gboolean safe = largest > 1e-120 && largest < 1e120;
  double sum = 0;

  if (largest == 0)
    return 0;

  for (gsize i = 0; i < count; i++)
    {
      double value = safe ? values[i] : values[i] / largest;

      sum += value * value;
    }

  return safe ? sqrt (sum) : largest * sqrt (sum);
}

double
ww_matrix_norm (const WwMatrix *matrix)
{
  g_return_val_if_fail (matrix != NULL, 0);

  return ww_vector_norm (matrix->data, matrix->rows * matrix->cols);
}

gboolean
ww_matrix_check_finite (const WwMatrix *matrix, GError **error)
{
  g_return_val_if_fail (matrix != NULL, FALSE);

  for (gsize i = 0; i < matrix->rows * matrix->cols; i++)
    if (!isfinite (matrix->data[i]))
      {
        g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                     isnan (matrix->data[i])
                       ? _("The value in row %zu, column %zu (counted from 0) is not a number")
                       : _("The value in row %zu, column %zu (counted from 0) is infinite"),
                     i / matrix->cols, i % matrix->cols);
        return FALSE;
      }

  return TRUE;
}

void
ww_column_means_init (WwColumnMeans *means, const WwMatrix *x, double *values)
{
  gsize n = x->rows, d = x->cols;

  means->values = values;
  means->negligible = (4 + (double) n) * DBL_EPSILON * largest_magnitude (x->data, n * d);

  /* Each summand is divided at once, so that no sum can overflow. */
  memset (values, 0, d * sizeof (double));
  for (gsize r = 0; r < n; r++)
    for (gsize c = 0; c < d; c++)
      values[c] += x->data[r * d + c] / (double) n;
}

void
ww_column_means_subtract (const WwColumnMeans *means, double *row, gsize d)
{
  for (gsize c = 0; c < d; c++)
    row[c] -= means->values[c];

  if (largest_magnitude (row, d) <= means->negligible)
    memset (row, 0, d * sizeof (double));
}

static void
centre (WwMatrix *x)
{
  g_autofree double *values = g_new (double, x->cols);
  WwColumnMeans means;

  ww_column_means_init (&means, x, values);
  for (gsize r = 0; r < x->rows; r++)
    ww_column_means_subtract (&means, x->data + r * x->cols, x->cols);
}

/* By way of entries of at most 1, so that neither a tiny nor a huge row loses anything. */
gboolean
ww_scale_row (double *row, gsize d)
{
  double largest = largest_magnitude (row, d);
  double factor;

  if (largest == 0)
    return FALSE;

  for (gsize c = 0; c < d; c++)
    row[c] /= largest;

  factor = sqrt ((double) d) / ww_vector_norm (row, d);
  for (gsize c = 0; c < d; c++)
    row[c] *= factor;

  return TRUE;
}

WwMatrix *
ww_context_prepare (const WwMatrix *raw, gsize dims, WwNormalisation normalisation, GError **error)
{
  g_autoptr (WwMatrix) x = NULL;

  g_return_val_if_fail (raw != NULL, NULL);
  g_return_val_if_fail ((guint) normalisation < WW_N_NORMALISATIONS, NULL);

  if (raw->rows > WW_MAX_ROWS || (dims == 0 ? raw->cols : dims) > WW_MAX_DIMS)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("A context may have at most %d tokens of %d dimensions"), WW_MAX_ROWS, WW_MAX_DIMS);
      return NULL;
    }

  x = ww_matrix_head (raw, raw->rows, dims == 0 ? raw->cols : dims, error);
  if (x == NULL || !ww_matrix_check_finite (x, error))
    return NULL;

  if (normalisation == WW_NORMALISATION_NONE)
    return g_steal_pointer (&x);

  if (normalisation == WW_NORMALISATION_CENTRE)
    centre (x);

  for (gsize r = 0; r < x->rows; r++)
    if (!ww_scale_row (x->data + r * x->cols, x->cols))
      {
        g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_ROW,
                     normalisation == WW_NORMALISATION_CENTRE
                       ? _("Row %zu (counted from 0) is zero after centring and cannot be scaled to a norm")
                       : _("Row %zu (counted from 0) is zero and cannot be scaled to a norm"), r);
        return NULL;
      }

  return g_steal_pointer (&x);
}

WwMatrix *
ww_context_synthetic (gsize n, gsize d, guint64 seed, guint32 trial, GError **error)
{
  g_autoptr (WwMatrix) x = NULL;

  if (n == 0 || n > WW_MAX_ROWS || d == 0 || d > WW_MAX_DIMS)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("A synthetic context has 1 to %d tokens of 1 to %d dimensions, not %zu x %zu"),
                   WW_MAX_ROWS, WW_MAX_DIMS, n, d);
      return NULL;
    }

  x = ww_matrix_new (n, d, error);
  if (x == NULL)
    return NULL;

  /* Entry (r, c) has index r d + c, so more rows never change the earlier ones. No row is zero: the
   * smallest radius that Box-Muller can give is positive, and sine and cosine never vanish together;
   * with d = 1 the one exact zero of the sine has probability 2^-31 and is replaced. */
  ww_random_normal (seed, WW_PURPOSE_CONTEXT, trial, 0, n * d, 1, x->data);
  for (gsize r = 0; r < n; r++)
    if (!ww_scale_row (x->data + r * d, d))
      {
        x->data[r * d] = 1;
        ww_scale_row (x->data + r * d, d);
      }

  return g_steal_pointer (&x);
}

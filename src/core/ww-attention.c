#include "ww-attention-private.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* Largest number of multiplications between two looks at the cancel flag; some milliseconds. */
#define BLOCK_WORK 1e8

/* Rows of a nudge between two looks at the flag. */
#define ROWS_PER_LOOK 64

/* Below this total weight on the other tokens, their average cannot be read off the output without
 * losing half of the digits, and is summed directly. */
#define SMALL_REMAINDER 1e-5

void
ww_attention_normalise_row (WwMap map, double *row, gsize n)
{
  double sum = 0;

  if (map == WW_MAP_SOFTMAX_RAF)
    {
      double top = row[0];

      for (gsize l = 1; l < n; l++)
        top = MAX (top, row[l]);
      for (gsize l = 0; l < n; l++)
        row[l] = exp (row[l] - top);
    }
  else
    {
      for (gsize l = 0; l < n; l++)
        row[l] = MAX (row[l], 0);
    }

  for (gsize l = 0; l < n; l++)
    sum += row[l];
  if (sum == 0)
    return;
  for (gsize l = 0; l < n; l++)
    row[l] /= sum;
}

/* X W / sqrt (d), Z, A and phi of `count` rows from `first` on. */
static void
compute_rows (WwAttention *self, gsize first, gsize count)
{
  gsize n = self->x->rows, d = self->x->cols;
  double *xw = self->xw->data + first * d, *scores = self->scores->data + first * n;
  double *weights = self->weights->data + first * n;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, count, d, d, 1 / sqrt (d),
               self->x->data + first * d, d, self->w->data, d, 0, xw, d);
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, count, n, d, 1, xw, d, self->x->data, d, 0,
               scores, n);
  memcpy (weights, scores, count * n * sizeof (double));
  for (gsize j = 0; j < count; j++)
    ww_attention_normalise_row (self->map, weights + j * n, n);
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, count, d, n, 1, weights, n, self->x->data,
               d, 0, self->features->data + first * d, d);
}

static gsize
choose_height (gsize n, gsize d)
{
  return CLAMP (BLOCK_WORK / ((double) d * d + 2.0 * n * d), 1, n);
}

static gboolean
compute_features (WwAttention *self, const WwCancel *cancel, GError **error)
{
  gsize n = self->x->rows, d = self->x->cols, height = choose_height (n, d);

  self->xw = ww_matrix_new (n, d, error);
  if (self->xw == NULL)
    return FALSE;
  self->scores = ww_matrix_new (n, n, error);
  if (self->scores == NULL)
    return FALSE;
  self->weights = ww_matrix_new (n, n, error);
  if (self->weights == NULL)
    return FALSE;
  self->features = ww_matrix_new (n, d, error);
  if (self->features == NULL)
    return FALSE;

  for (gsize first = 0; first < n; first += height)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      compute_rows (self, first, MIN (height, n - first));
    }
  self->norm = ww_matrix_norm (self->features);
  if (isfinite (self->norm) && ww_matrix_check_finite (self->scores, NULL))
    return TRUE;
  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                       "The scores X W Xᵀ / √d overflow");
  return FALSE;
}

WwAttention *
ww_attention_new_cancellable (WwMap map, WwMatrix *x, WwMatrix *w, const WwCancel *cancel,
                              GError **error)
{
  g_return_val_if_fail (map == WW_MAP_SOFTMAX_RAF || map == WW_MAP_RELU_RAF, NULL);
  g_return_val_if_fail (x != NULL && w != NULL, NULL);

  if (w->rows != x->cols || w->cols != x->cols)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   "W is %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT ", but a context of %" G_GSIZE_FORMAT
                   " dimensions needs %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT,
                   w->rows, w->cols, x->cols, x->cols, x->cols);
      return NULL;
    }
  if (x->rows > WW_MAX_ROWS || x->cols > WW_MAX_DIMS)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   "The context is %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
                   "; at most %d x %d are supported",
                   x->rows, x->cols, WW_MAX_ROWS, WW_MAX_DIMS);
      return NULL;
    }
  if (!ww_matrix_check_finite (x, error) || !ww_matrix_check_finite (w, error))
    return NULL;

  g_autoptr (WwAttention) self = g_new0 (WwAttention, 1);
  self->ref_count = 1;
  self->map = map;
  self->x = ww_matrix_ref (x);
  self->w = ww_matrix_ref (w);
  if (!compute_features (self, cancel, error))
    return NULL;
  return g_steal_pointer (&self);
}

WwAttention *
ww_attention_new (WwMap map, WwMatrix *x, WwMatrix *w, GError **error)
{
  return ww_attention_new_cancellable (map, x, w, NULL, error);
}

WwAttention *
ww_attention_ref (WwAttention *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_int_inc (&self->ref_count);
  return self;
}

void
ww_attention_unref (WwAttention *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;

  ww_matrix_unref (self->x);
  ww_matrix_unref (self->w);
  ww_matrix_unref (self->xw);
  ww_matrix_unref (self->scores);
  ww_matrix_unref (self->weights);
  ww_matrix_unref (self->features);
  g_free (self);
}

WwMap
ww_attention_get_map (const WwAttention *self)
{
  return self->map;
}

WwMatrix *
ww_attention_get_x (const WwAttention *self)
{
  return self->x;
}

WwMatrix *
ww_attention_get_weights (const WwAttention *self)
{
  return self->weights;
}

WwMatrix *
ww_attention_get_features (const WwAttention *self)
{
  return self->features;
}

double
ww_attention_get_norm (const WwAttention *self)
{
  return self->norm;
}

/* What can be wrong with a nudge before anything is computed. */
static gboolean
check_nudge (const WwAttention *self, gsize token, const double *delta, gboolean relative,
             GError **error)
{
  if (token >= self->x->rows)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                   "Token %" G_GSIZE_FORMAT " does not exist: the context has %" G_GSIZE_FORMAT
                   " tokens, counted from 0",
                   token, self->x->rows);
      return FALSE;
    }
  for (gsize k = 0; k < self->x->cols; k++)
    if (!isfinite (delta[k]))
      {
        g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                     "Entry %" G_GSIZE_FORMAT " of the nudge is not a finite number", k);
        return FALSE;
      }
  if (relative && self->norm == 0)
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM,
                           "All features are zero, so there is no relative change");
      return FALSE;
    }
  return TRUE;
}

static gboolean
set_change (double change, double *ret_change, GError **error)
{
  if (!isfinite (change))
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                           "The features of the nudged context overflow");
      return FALSE;
    }
  *ret_change = change;
  return TRUE;
}

struct _WwAttentionDefinition
{
  const WwAttention *attention;
  gsize height;
  WwMatrix *x;      /* the context, n x d, of which one row is nudged for as long as it takes */
  WwMatrix *xw;     /* height x d */
  WwMatrix *scores; /* height x n, then the weights */
  WwMatrix *out;    /* height x d */
};

void
ww_attention_definition_free (WwAttentionDefinition *self)
{
  if (self == NULL)
    return;

  ww_matrix_unref (self->x);
  ww_matrix_unref (self->xw);
  ww_matrix_unref (self->scores);
  ww_matrix_unref (self->out);
  g_free (self);
}

WwAttentionDefinition *
ww_attention_definition_new (const WwAttention *attention, GError **error)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  g_autoptr (WwAttentionDefinition) self = g_new0 (WwAttentionDefinition, 1);

  self->attention = attention;
  self->height = choose_height (n, d);
  if ((self->x = ww_matrix_new_copy (n, d, attention->x->data, error)) == NULL
      || (self->xw = ww_matrix_new (self->height, d, error)) == NULL
      || (self->scores = ww_matrix_new (self->height, n, error)) == NULL
      || (self->out = ww_matrix_new (self->height, d, error)) == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

/* Squared change of the features of rows first ... first + count - 1. */
static double
compute_block (WwAttentionDefinition *blocks, gsize first, gsize count)
{
  const WwAttention *self = blocks->attention;
  gsize n = self->x->rows, d = self->x->cols;
  const double *old = self->features->data + first * d;
  double sum = 0;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, count, d, d, 1 / sqrt (d),
               blocks->x->data + first * d, d, self->w->data, d, 0, blocks->xw->data, d);
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, count, n, d, 1, blocks->xw->data, d,
               blocks->x->data, d, 0, blocks->scores->data, n);
  for (gsize j = 0; j < count; j++)
    ww_attention_normalise_row (self->map, blocks->scores->data + j * n, n);
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, count, d, n, 1, blocks->scores->data, n,
               blocks->x->data, d, 0, blocks->out->data, d);

  for (gsize k = 0; k < count * d; k++)
    sum += (blocks->out->data[k] - old[k]) * (blocks->out->data[k] - old[k]);
  return sum;
}

gboolean
ww_attention_definition_evaluate (WwAttentionDefinition *self, gsize token, const double *delta,
                                  const WwCancel *cancel, double *ret_change, GError **error)
{
  const WwAttention *attention = self->attention;
  gsize n = attention->x->rows, d = attention->x->cols;
  double *row = self->x->data + token * d, sum = 0;
  gboolean cancelled = FALSE;

  if (!check_nudge (attention, token, delta, TRUE, error))
    return FALSE;

  for (gsize k = 0; k < d; k++)
    row[k] += delta[k];
  for (gsize first = 0; first < n && !cancelled; first += self->height)
    {
      cancelled = ww_cancel_check (cancel, error);
      if (!cancelled)
        sum += compute_block (self, first, MIN (self->height, n - first));
    }
  memcpy (row, attention->x->data + token * d, d * sizeof (double));
  return !cancelled && set_change (sqrt (sum) / attention->norm, ret_change, error);
}

gboolean
ww_attention_evaluate_cancellable (const WwAttention *self, gsize token, const double *delta,
                                   const WwCancel *cancel, double *ret_change, GError **error)
{
  if (!check_nudge (self, token, delta, TRUE, error))
    return FALSE;

  g_autoptr (WwAttentionDefinition) definition = ww_attention_definition_new (self, error);
  return definition != NULL
         && ww_attention_definition_evaluate (definition, token, delta, cancel, ret_change, error);
}

gboolean
ww_attention_evaluate (const WwAttention *self, gsize token, const double *delta,
                       double *ret_change, GError **error)
{
  g_return_val_if_fail (self != NULL && delta != NULL && ret_change != NULL, FALSE);

  return ww_attention_evaluate_cancellable (self, token, delta, NULL, ret_change, error);
}

gsize
ww_attention_get_nudge_room (const WwAttention *self)
{
  gsize n = self->x->rows, d = self->x->cols;

  return 2 * d + 3 * n + MAX (n, d);
}

/* What the scores gain by a nudge: only row and column `token` change. With v = W delta and
 * v' = W^T delta, column: Z_j,token += x_j . v / sqrt (d); row: Z_token,l += x_l . v' / sqrt (d); the corner
 * gets both and delta . v / sqrt (d), which is returned. `moved` has room for 2 d values. */
static double
nudge_scores (const WwAttention *self, gsize token, const double *delta, double *moved,
              double *column, double *row)
{
  gsize n = self->x->rows, d = self->x->cols;
  double scale = 1 / sqrt (d);

  cblas_dgemv (CblasRowMajor, CblasNoTrans, d, d, scale, self->w->data, d, delta, 1, 0, moved, 1);
  cblas_dgemv (CblasRowMajor, CblasTrans, d, d, scale, self->w->data, d, delta, 1, 0, moved + d, 1);
  cblas_dgemv (CblasRowMajor, CblasNoTrans, n, d, 1, self->x->data, d, moved, 1, 0, column, 1);
  cblas_dgemv (CblasRowMajor, CblasNoTrans, n, d, 1, self->x->data, d, moved + d, 1, 0, row, 1);
  return cblas_ddot (d, delta, 1, moved, 1);
}

/* Squared change of the output of row j, whose weights go from `old` to `new`:
 * sum_l (new_l - old_l) x_l + new_token delta. `sum` has room for d values. */
static double
row_change_direct (const WwAttention *self, gsize token, const double *delta, const double *old,
                   const double *new, double *sum)
{
  gsize n = self->x->rows, d = self->x->cols;

  for (gsize k = 0; k < d; k++)
    sum[k] = new[token] * delta[k];
  for (gsize l = 0; l < n; l++)
    cblas_daxpy (d, new[l] - old[l], self->x->data + l * d, 1, sum, 1);
  return cblas_ddot (d, sum, 1, sum, 1);
}

/* The same where the row keeps its relative weights among the other tokens, in O(d): with `rest` the
 * total weight on the others, the change is (1 - rest_new / rest_old) (x_token - o_j) + p delta. */
static double
row_change_fast (const WwAttention *self, gsize token, gsize j, const double *delta,
                 double ratio, double p)
{
  gsize d = self->x->cols;
  const double *x = self->x->data + token * d, *o = self->features->data + j * d;
  double sum = 0;

  for (gsize k = 0; k < d; k++)
    {
      double change = (1 - ratio) * (x[k] - o[k]) + p * delta[k];

      sum += change * change;
    }
  return sum;
}

static double
row_change (const WwAttention *self, gsize token, gsize j, const double *delta, const double *new,
            double *scratch)
{
  gsize n = self->x->rows;
  const double *old = self->weights->data + j * n;
  double rest_old = 0, rest_new = 0;

  for (gsize l = 0; l < n; l++)
    if (l != token)
      {
        rest_old += old[l];
        rest_new += new[l];
      }
  if (j == token || rest_old < SMALL_REMAINDER)
    return row_change_direct (self, token, delta, old, new, scratch);
  return row_change_fast (self, token, j, delta, rest_new / rest_old, new[token]);
}

gboolean
ww_attention_measure_nudge (const WwAttention *self, gsize token, const double *delta, double *room,
                            const WwCancel *cancel, double *ret_weights, double *ret_feature_change,
                            double *ret_change, GError **error)
{
  gsize n = self->x->rows, d = self->x->cols;
  double *column = room + 2 * d, *row = column + n, *scores = row + n, *scratch = scores + n, sum = 0;

  if (!check_nudge (self, token, delta, ret_change != NULL, error))
    return FALSE;

  double corner = nudge_scores (self, token, delta, room, column, row);
  for (gsize j = 0; j < n; j++)
    {
      double norm = cblas_dnrm2 (d, self->features->data + j * d, 1);
      double *weights = ret_weights != NULL ? ret_weights + j * n : scores;

      if (j % ROWS_PER_LOOK == 0 && ww_cancel_check (cancel, error))
        return FALSE;
      memcpy (weights, self->scores->data + j * n, n * sizeof (double));
      weights[token] += column[j];
      if (j == token)
        {
          for (gsize l = 0; l < n; l++)
            weights[l] += row[l];
          weights[token] += corner;
        }
      ww_attention_normalise_row (self->map, weights, n);
      double change = row_change (self, token, j, delta, weights, scratch);
      if (ret_feature_change != NULL)
        ret_feature_change[j] = norm > 0 ? sqrt (change) / norm : NAN;
      sum += change;
    }

  double unused;
  return set_change (ret_change != NULL ? sqrt (sum) / self->norm : sqrt (sum),
                     ret_change != NULL ? ret_change : &unused, error);
}

gboolean
ww_attention_nudge (const WwAttention *self, gsize token, const double *delta,
                    WwMatrix **ret_weights, double *ret_feature_change, double *ret_change,
                    GError **error)
{
  g_return_val_if_fail (self != NULL && delta != NULL, FALSE);

  gsize n = self->x->rows;
  g_autoptr (WwMatrix) weights = ww_matrix_new (n, n, error);
  g_autoptr (WwMatrix) room = weights != NULL ? ww_matrix_new (2, n, error) : NULL;
  g_autoptr (WwMatrix) scratch
      = room != NULL ? ww_matrix_new (1, ww_attention_get_nudge_room (self), error) : NULL;
  double change = 0, *feature_change = room != NULL ? room->data : NULL;

  if (scratch == NULL
      || !ww_attention_measure_nudge (self, token, delta, scratch->data, NULL, weights->data,
                                      feature_change, ret_change != NULL ? &change : NULL, error))
    return FALSE;

  if (ret_change != NULL)
    *ret_change = change;
  if (ret_feature_change != NULL)
    memcpy (ret_feature_change, feature_change, n * sizeof (double));
  if (ret_weights != NULL)
    *ret_weights = g_steal_pointer (&weights);
  return TRUE;
}

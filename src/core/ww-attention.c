#include "ww-attention-private.h"

#include <cblas.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"

/* Largest number of multiplications between two looks at the cancel flag; some milliseconds. */
#define BLOCK_WORK 1e8

/* Below this total weight on the other tokens, their average cannot be read off the output without
 * losing half of the digits, and is summed directly. */
#define SMALL_REMAINDER 1e-5

/* *ret_top and *ret_sum: what the row was divided by, see WwAttention. */
static void
normalise (WwMap map, double *row, gsize n, double *ret_top, double *ret_sum)
{
  double top = 0, sum = 0;

  if (map == WW_MAP_SOFTMAX_RAF)
    {
      top = row[0];
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
  *ret_top = top;
  *ret_sum = sum;
  if (sum == 0)
    return;
  for (gsize l = 0; l < n; l++)
    row[l] /= sum;
}

void
ww_attention_normalise_row (WwMap map, double *row, gsize n)
{
  double top, sum;

  normalise (map, row, n, &top, &sum);
}

static gboolean
are_finite (const double *values, gsize count)
{
  for (gsize k = 0; k < count; k++)
    if (!isfinite (values[k]))
      return FALSE;
  return TRUE;
}

/* X W / sqrt (d), phi, and Z and A or what stands for them, of `count` rows from `first` on. `block` has room
 * for as many rows of Z where they are not kept. FALSE where a score overflows. */
static gboolean
compute_rows (WwAttention *self, gsize first, gsize count, double *block)
{
  gsize n = self->x->rows, d = self->x->cols;
  gboolean kept = self->scores != NULL;
  double *xw = self->xw->data + first * d, top, sum;
  double *scores = kept ? self->scores->data + first * n : block;
  double *weights = kept ? self->weights->data + first * n : block;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, count, d, d, 1 / sqrt (d),
               self->x->data + first * d, d, self->w->data, d, 0, xw, d);
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, count, n, d, 1, xw, d, self->x->data, d, 0,
               scores, n);
  if (!are_finite (scores, count * n))
    return FALSE;
  if (kept)
    memcpy (weights, scores, count * n * sizeof (double));
  for (gsize j = 0; j < count; j++)
    {
      normalise (self->map, weights + j * n, n, &top, &sum);
      if (!kept)
        {
          self->tops[first + j] = top;
          self->sums[first + j] = sum;
        }
    }
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, count, d, n, 1, weights, n, self->x->data,
               d, 0, self->features->data + first * d, d);
  return TRUE;
}

gsize
ww_attention_choose_height (gsize n, gsize d)
{
  return CLAMP (BLOCK_WORK / ((double) d * d + 2.0 * n * d), 1, MIN (n, d));
}

/* Room for what is kept; ret_block: for rows of scores on the way, where they are not. */
static gboolean
allocate_features (WwAttention *self, gboolean keep, WwMatrix **ret_block, GError **error)
{
  gsize n = self->x->rows, d = self->x->cols;

  if ((self->xw = ww_matrix_new (n, d, error)) == NULL
      || (self->features = ww_matrix_new (n, d, error)) == NULL)
    return FALSE;
  if (keep)
    return (self->scores = ww_matrix_new (n, n, error)) != NULL
           && (self->weights = ww_matrix_new (n, n, error)) != NULL;

  self->tops = ww_try_alloc (2, n, sizeof (double), error);
  if (self->tops == NULL)
    return FALSE;
  self->sums = self->tops + n;
  *ret_block = ww_matrix_new (ww_attention_choose_height (n, d), n, error);
  return *ret_block != NULL;
}

static gboolean
compute_features (WwAttention *self, gboolean keep, const WwCancel *cancel, GError **error)
{
  gsize n = self->x->rows, d = self->x->cols, height = ww_attention_choose_height (n, d);
  g_autoptr (WwMatrix) block = NULL;
  gboolean finite = TRUE;

  if (!allocate_features (self, keep, &block, error))
    return FALSE;

  for (gsize first = 0; first < n && finite; first += height)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      finite = compute_rows (self, first, MIN (height, n - first), block != NULL ? block->data : NULL);
    }
  self->norm = ww_matrix_norm (self->features);
  if (finite && isfinite (self->norm))
    return TRUE;
  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                       _("The scores X W Xᵀ / √d overflow"));
  return FALSE;
}

WwAttention *
ww_attention_new_keeping (WwMap map, WwMatrix *x, WwMatrix *w, gboolean keep, const WwCancel *cancel,
                          GError **error)
{
  g_return_val_if_fail (map == WW_MAP_SOFTMAX_RAF || map == WW_MAP_RELU_RAF, NULL);
  g_return_val_if_fail (x != NULL && w != NULL, NULL);

  if (w->rows != x->cols || w->cols != x->cols)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("W is %zu x %zu, but the context needs %zu x %zu"),
                   w->rows, w->cols, x->cols, x->cols);
      return NULL;
    }
  if (x->rows > WW_MAX_ROWS || x->cols > WW_MAX_DIMS)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("The context is %zu x %zu; at most %d x %d are supported"),
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
  if (!compute_features (self, keep, cancel, error))
    return NULL;
  return g_steal_pointer (&self);
}

WwAttention *
ww_attention_new_cancellable (WwMap map, WwMatrix *x, WwMatrix *w, const WwCancel *cancel,
                              GError **error)
{
  g_return_val_if_fail (x != NULL, NULL);

  return ww_attention_new_keeping (map, x, w, x->rows <= x->cols, cancel, error);
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
  free (self->tops);
  ww_matrix_unref (self->shown);
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
ww_attention_get_features (const WwAttention *self)
{
  return self->features;
}

double
ww_attention_get_norm (const WwAttention *self)
{
  return self->norm;
}

gboolean
ww_attention_check_token (const WwAttention *self, gsize token, GError **error)
{
  if (token < self->x->rows)
    return TRUE;

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
               g_dngettext (GETTEXT_PACKAGE,
                            "Token %zu does not exist: the context has %zu token, counted from 0",
                            "Token %zu does not exist: the context has %zu tokens, counted from 0",
                            self->x->rows),
               token, self->x->rows);
  return FALSE;
}

gboolean
ww_attention_check_norm (const WwAttention *self, GError **error)
{
  if (self->norm != 0)
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM,
                       _("All features are zero, so there is no relative change"));
  return FALSE;
}

/* What can be wrong with a nudge before anything is computed. */
static gboolean
check_nudge (const WwAttention *self, gsize token, const double *delta, gboolean relative,
             GError **error)
{
  if (!ww_attention_check_token (self, token, error))
    return FALSE;
  for (gsize k = 0; k < self->x->cols; k++)
    if (!isfinite (delta[k]))
      {
        g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                     _("Entry %zu (counted from 0) of the nudge is not a finite number"), k);
        return FALSE;
      }
  return !relative || ww_attention_check_norm (self, error);
}

static gboolean
set_change (double change, double *ret_change, GError **error)
{
  if (!isfinite (change))
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                           _("The features of the nudged context overflow"));
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
  self->height = ww_attention_choose_height (n, d);
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

/* What a nudge does to the scores, in parts of the room of ww_attention_measure_nudge. */
typedef struct
{
  const WwAttention *attention;
  gsize token;
  const double *delta;
  double *moved;   /* 2 d, free once the others are there */
  double *column;  /* n: what the scores on the token gain */
  double *row;     /* n: what the scores of the token gain */
  double corner;   /* what the score of the token on itself gains besides */
  double *new;     /* n: a row of weights */
  double *scratch; /* MAX (n, d) */
} Nudge;

/* Row j of scores becomes its weights after the nudge. */
static void
nudge_row (const Nudge *nudge, gsize j, double *row)
{
  gsize n = nudge->attention->x->rows;

  row[nudge->token] += nudge->column[j];
  if (j == nudge->token)
    {
      for (gsize l = 0; l < n; l++)
        row[l] += nudge->row[l];
      row[nudge->token] += nudge->corner;
    }
  ww_attention_normalise_row (nudge->attention->map, row, n);
}

/* Squared change of row j where rows are kept; `weights` gets those after. */
static double
change_of_kept_row (const Nudge *nudge, gsize j, double *weights)
{
  const WwAttention *self = nudge->attention;
  gsize n = self->x->rows;

  memcpy (weights, self->scores->data + j * n, n * sizeof (double));
  nudge_row (nudge, j, weights);
  return row_change (self, nudge->token, j, nudge->delta, weights, nudge->scratch);
}

/* The same from a row of scores that is made for it: O(n d). */
static double
change_of_made_row (const Nudge *nudge, gsize j)
{
  const WwAttention *self = nudge->attention;
  gsize n = self->x->rows;
  double *old = nudge->scratch;

  ww_attention_get_score_row (self, j, old);
  memcpy (nudge->new, old, n * sizeof (double));
  nudge_row (nudge, j, nudge->new);
  ww_attention_normalise_row (self->map, old, n);
  return row_change_direct (self, nudge->token, nudge->delta, old, nudge->new, nudge->moved);
}

/* The total weight of the tokens that have `others` together, beside a token of this score; in *ret_weight
 * that of the token. `others`: as ww_attention_sum_others. */
static double
share_row (WwMap map, double others, double score, double *ret_weight)
{
  double positive = MAX (score, 0);

  if (map == WW_MAP_SOFTMAX_RAF)
    {
      *ret_weight = 1 / (1 + exp (others - score));
      return 1 / (1 + exp (score - others));
    }
  /* Where the others have nothing, the token has all, or the row is zero: that counts as theirs, whose average
   * is zero too. */
  *ret_weight = positive > 0 ? positive / (others + positive) : 0;
  return others > 0 ? others / (others + positive) : positive == 0;
}

/* The same from what stands for a row that is not kept: O(d), except for the row of the token itself and for
 * those that look at hardly anything else. */
static double
change_of_unkept_row (const Nudge *nudge, gsize j)
{
  const WwAttention *self = nudge->attention;
  double score, others, old, new, rest_old, rest_new;

  if (j == nudge->token)
    return change_of_made_row (nudge, j);

  score = ww_attention_get_score (self, j, nudge->token);
  others = ww_attention_sum_others (self, nudge->token, j, score, nudge->scratch);
  rest_old = share_row (self->map, others, score, &old);
  if (rest_old < SMALL_REMAINDER)
    return change_of_made_row (nudge, j);
  rest_new = share_row (self->map, others, score + nudge->column[j], &new);
  return row_change_fast (self, nudge->token, j, nudge->delta, rest_new / rest_old, new);
}

/* All weights after the nudge, where rows are not kept. */
static gboolean
make_nudged_weights (const Nudge *nudge, const WwCancel *cancel, double *ret_weights, GError **error)
{
  gsize n = nudge->attention->x->rows;

  if (!ww_attention_copy_scores (nudge->attention, cancel, ret_weights, error))
    return FALSE;
  for (gsize j = 0; j < n; j++)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      nudge_row (nudge, j, ret_weights + j * n);
    }
  return TRUE;
}

gboolean
ww_attention_measure_nudge (const WwAttention *self, gsize token, const double *delta, double *room,
                            const WwCancel *cancel, double *ret_weights, double *ret_feature_change,
                            double *ret_change, GError **error)
{
  gsize n = self->x->rows, d = self->x->cols;
  gboolean kept = self->scores != NULL;
  Nudge nudge = { self, token, delta, room, room + 2 * d, room + 2 * d + n, 0, room + 2 * d + 2 * n,
                  room + 2 * d + 3 * n };
  double sum = 0;

  if (!check_nudge (self, token, delta, ret_change != NULL, error))
    return FALSE;

  nudge.corner = nudge_scores (self, token, delta, nudge.moved, nudge.column, nudge.row);
  if (!kept && ret_weights != NULL && !make_nudged_weights (&nudge, cancel, ret_weights, error))
    return FALSE;
  for (gsize j = 0; j < n; j++)
    {
      double norm = cblas_dnrm2 (d, self->features->data + j * d, 1), change;

      if (ww_cancel_check (cancel, error))
        return FALSE;
      change = kept ? change_of_kept_row (&nudge, j, ret_weights != NULL ? ret_weights + j * n : nudge.new)
                    : change_of_unkept_row (&nudge, j);
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
  g_autoptr (WwMatrix) weights = ret_weights != NULL ? ww_matrix_new (n, n, error) : NULL;
  g_autoptr (WwMatrix) room = NULL;
  g_autoptr (WwMatrix) scratch = NULL;
  double change = 0, *feature_change;

  if ((ret_weights != NULL && weights == NULL) || (room = ww_matrix_new (1, n, error)) == NULL
      || (scratch = ww_matrix_new (1, ww_attention_get_nudge_room (self), error)) == NULL)
    return FALSE;
  feature_change = room->data;
  if (!ww_attention_measure_nudge (self, token, delta, scratch->data, NULL,
                                   weights != NULL ? weights->data : NULL, feature_change, ret_change != NULL ? &change : NULL, error))
    return FALSE;

  if (ret_change != NULL)
    *ret_change = change;
  if (ret_feature_change != NULL)
    memcpy (ret_feature_change, feature_change, n * sizeof (double));
  if (ret_weights != NULL)
    *ret_weights = g_steal_pointer (&weights);
  return TRUE;
}

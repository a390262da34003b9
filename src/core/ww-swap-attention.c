#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-private.h"
#include "ww-swap-private.h"

/* Under this share of its old sum, what a row's sum loses to rounding counts. */
#define SMALL_SUM 1e-5
/* The same for row i, whose other tokens are found as a difference. */
#define SMALL_OTHERS 1e-3
/* A square that is left of a sum of larger terms keeps its digits down to this share of them. */
#define SMALL_SQUARE 1e-4
/* exp (69): a new score that outweighs the row by so much takes it whole, to the last bit. */
#define LARGEST_SHARE 1e30

typedef struct
{
  WwSwap parent;
  WwAttention *attention;

  /* For every row j. */
  double *level; /* n; softmax: log of the sum of exponentials; ReLU: 1 / sum, or 1 for a row of zeros */
  double *total; /* n; 1, or 0 for a row of zeros */
  double *o2;    /* n: |o_j|^2 */

  /* For every token i that is replaced, and every row j. */
  double *x2;    /* count: |x_i|^2 */
  double *share; /* count x n: q, row j's old weight on i */
  double *cross; /* count x n: x_i . o_j */
  double *gap;   /* count x n: |x_i - o_j|^2 */

  /* For every row y of a tile. */
  double *moved;       /* height x n: t_j, then r */
  double *outputs;     /* height x n: y . o_j */
  double *scores;      /* height x n: k_l, then e_l */
  double *turned;      /* height x d: y^T W / sqrt (d), then w */
  double *own;         /* height: the score of y on itself, then its e */
  double *sums;        /* height: sum of the e_l of the old tokens */
  double *y2, *w2;     /* height: |y|^2, |w|^2 */
  double *yx, *wx, *wo; /* height x count: y . x_i, w . x_i, w . o_i */
} WwSwapAttention;

static void
swap_attention_free (WwSwap *swap)
{
  WwSwapAttention *self = (WwSwapAttention *) swap;

  ww_attention_unref (self->attention);
  free (self->level);
  free (self->total);
  free (self->o2);
  free (self->x2);
  free (self->share);
  free (self->cross);
  free (self->gap);
  free (self->moved);
  free (self->outputs);
  free (self->scores);
  free (self->turned);
  free (self->own);
  free (self->sums);
  free (self->y2);
  free (self->w2);
  free (self->yx);
  free (self->wx);
  free (self->wo);
  g_free (self);
}

/* ret (rows x height) = a (rows x width) b (height x width)^T. */
static void
multiply_transposed (gsize rows, gsize height, gsize width, const double *a, const double *b,
                     double *ret)
{
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, rows, height, width, 1, a, width, b, width, 0,
               ret, height);
}

/* r of every row of the tile under every old row. */
WW_WIDEST_REGISTERS static void
share_relu (gsize n, const double *restrict level, double *restrict moved)
{
  for (gsize j = 0; j < n; j++)
    {
      double r = moved[j] > 0 ? moved[j] * level[j] : 0;

      moved[j] = r < LARGEST_SHARE ? r : LARGEST_SHARE;
    }
}

static void
share_softmax (gsize n, const double *level, double *moved)
{
  for (gsize j = 0; j < n; j++)
    moved[j] = MIN (exp (MIN (moved[j] - level[j], 700)), LARGEST_SHARE);
}

/* The weights of the new row before their division by the sum, on the scale of the largest. */
static void
weigh_own_row (WwSwapAttention *self, gsize t)
{
  gsize n = self->attention->x->rows;
  double *scores = self->scores + t * n, own = self->own[t], top = own, sum = 0;

  for (gsize l = 0; l < n; l++)
    top = MAX (top, scores[l]);
  if (self->attention->map == WW_MAP_SOFTMAX_RAF)
    {
      for (gsize l = 0; l < n; l++)
        scores[l] = exp (scores[l] - top);
      own = exp (own - top);
    }
  else
    {
      double scale = top > 0 ? 1 / top : 0;

      for (gsize l = 0; l < n; l++)
        scores[l] = MAX (scores[l], 0) * scale;
      own = MAX (own, 0) * scale;
    }
  for (gsize l = 0; l < n; l++)
    sum += scores[l];
  self->own[t] = own;
  self->sums[t] = sum;
}

/* Everything about a tile that does not depend on the token. */
static gboolean
prepare_tile (WwSwapAttention *self, gsize rows, const double *y, const WwCancel *cancel,
              GError **error)
{
  const WwAttention *attention = self->attention;
  gsize n = attention->x->rows, d = attention->x->cols;
  gsize first = self->parent.first, count = self->parent.count;

  multiply_transposed (rows, n, d, y, attention->xw->data, self->moved);
  multiply_transposed (rows, n, d, y, attention->features->data, self->outputs);
  multiply_transposed (rows, count, d, y, self->parent.x, self->yx);
  if (ww_cancel_check (cancel, error))
    return FALSE;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, d, d, 1 / sqrt (d), y, d,
               attention->w->data, d, 0, self->turned, d);
  multiply_transposed (rows, n, d, self->turned, attention->x->data, self->scores);
  for (gsize t = 0; t < rows; t++)
    {
      self->y2[t] = ww_dot (y + t * d, y + t * d, d);
      self->own[t] = ww_dot (self->turned + t * d, y + t * d, d);
      if (attention->map == WW_MAP_SOFTMAX_RAF)
        share_softmax (n, self->level, self->moved + t * n);
      else
        share_relu (n, self->level, self->moved + t * n);
      weigh_own_row (self, t);
    }
  if (ww_cancel_check (cancel, error))
    return FALSE;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, d, n, 1, self->scores, n,
               attention->x->data, d, 0, self->turned, d);
  for (gsize t = 0; t < rows; t++)
    {
      cblas_daxpy (d, self->own[t], y + t * d, 1, self->turned + t * d, 1);
      self->w2[t] = ww_dot (self->turned + t * d, self->turned + t * d, d);
    }
  multiply_transposed (rows, count, d, self->turned, self->parent.x, self->wx);
  multiply_transposed (rows, count, d, self->turned, attention->features->data + first * d, self->wo);
  return TRUE;
}

/* Sum of |change_j|^2 over `count` rows j from one on. `offset` is x_i . y - |x_i|^2. Adds to *ret_small the
 * number of rows whose s is small. One length of vectors in all clones keeps one order of summation. */
WW_WIDEST_REGISTERS static double
sum_rows (gsize count, const double *restrict r, const double *restrict q,
          const double *restrict total, const double *restrict gap, const double *restrict cross,
          const double *restrict outputs, double offset, double delta2, double *ret_small)
{
  double sum = 0, small = 0;

#pragma omp simd simdlen(8) reduction(+ : sum, small)
  for (gsize j = 0; j < count; j++)
    {
      double dr = r[j] - q[j], s = total[j] + dr, e = offset + (cross[j] - outputs[j]);

      sum += (dr * dr * gap[j] + r[j] * (2 * dr * e + r[j] * delta2)) / (s * s);
      small += s < SMALL_SUM ? 1.0 : 0.0;
    }
  *ret_small += small;
  return sum;
}

/* The same row by row, where some s is small. A row that looked at token i alone, or at nothing, and now
 * looks at nothing, is a zero row of the ReLU. FALSE where a sum has too few digits. */
static gboolean
sum_rows_with_care (const WwSwapAttention *self, gsize t, gsize i, double offset, double delta2,
                    double *ret_sum)
{
  gsize n = self->attention->x->rows, token = self->parent.first + i;
  const double *r = self->moved + t * n, *q = self->share + i * n;

  *ret_sum = 0;
  for (gsize j = 0; j < n; j++)
    {
      double unused = 0, s = self->total[j] + (r[j] - q[j]);

      if (j == token)
        continue;
      if (s >= SMALL_SUM)
        *ret_sum += sum_rows (1, r + j, q + j, self->total + j, self->gap + i * n + j,
                              self->cross + i * n + j, self->outputs + t * n + j, offset, delta2,
                              &unused);
      else if (self->attention->map == WW_MAP_RELU_RAF && r[j] == 0 && q[j] == self->total[j])
        *ret_sum += self->o2[j];
      else
        return FALSE;
    }
  return TRUE;
}

/* Squared change of the other rows. */
static gboolean
change_others (const WwSwapAttention *self, gsize t, gsize i, double delta2, double *ret_square)
{
  gsize n = self->attention->x->rows, token = self->parent.first + i, after = token + 1;
  const double *r = self->moved + t * n, *q = self->share + i * n, *gap = self->gap + i * n;
  const double *cross = self->cross + i * n, *outputs = self->outputs + t * n;
  double offset = self->yx[t * self->parent.count + i] - self->x2[i], small = 0;

  *ret_square = sum_rows (token, r, q, self->total, gap, cross, outputs, offset, delta2, &small)
                + sum_rows (n - after, r + after, q + after, self->total + after, gap + after,
                            cross + after, outputs + after, offset, delta2, &small);
  return small == 0 || sum_rows_with_care (self, t, i, offset, delta2, ret_square);
}

/* |(w - e x) / sum - o|^2 for d entries. */
WW_WIDEST_REGISTERS static double
square_of_change (gsize d, const double *restrict w, const double *restrict x,
                  const double *restrict o, double e, double scale)
{
  double square = 0;

#pragma omp simd simdlen(8) reduction(+ : square)
  for (gsize c = 0; c < d; c++)
    {
      double change = (w[c] - e * x[c]) * scale - o[c];

      square += change * change;
    }
  return square;
}

/* Squared change of row i. FALSE where its sum has too few digits. */
static gboolean
change_own (const WwSwapAttention *self, gsize t, gsize i, double *ret_square)
{
  const WwAttention *attention = self->attention;
  gsize n = attention->x->rows, d = attention->x->cols, at = t * self->parent.count + i;
  gsize token = self->parent.first + i;
  double e = self->scores[t * n + token], sum = self->sums[t] - e + self->own[t];
  double x2 = e * e * self->x2[i], o2 = sum * sum * self->o2[token];

  if (sum < SMALL_OTHERS * (self->sums[t] + self->own[t]) || !(sum > 0))
    {
      /* All others exactly zero: the new row looks at nothing. */
      *ret_square = self->o2[token];
      return attention->map == WW_MAP_RELU_RAF && self->own[t] == 0 && self->sums[t] == e;
    }

  *ret_square = self->w2[t] + x2 + o2 - 2 * e * self->wx[at] - 2 * sum * self->wo[at]
                + 2 * e * sum * self->cross[i * n + token];
  if (*ret_square > SMALL_SQUARE * (self->w2[t] + x2 + o2))
    *ret_square /= sum * sum;
  else
    *ret_square = square_of_change (d, self->turned + t * d, self->parent.x + i * d,
                                    attention->features->data + token * d, e, 1 / sum);
  return TRUE;
}

/* One pair of row and token by the incremental formulas for a nudge; NaN where the features overflow. */
static double
change_by_nudge (const WwSwapAttention *self, gsize i, const double *y, double *delta)
{
  gsize d = self->parent.d;
  double change;

  ww_swap_toward (self->parent.x + i * d, y, d, 1, delta);
  return ww_attention_nudge (self->attention, self->parent.first + i, delta, NULL, NULL, &change, NULL)
           ? change
           : NAN;
}

static double
change_of_pair (const WwSwapAttention *self, gsize t, gsize i, const double *y, double *delta)
{
  double x2 = self->x2[i], y2 = self->y2[t];
  double delta2 = y2 + x2 - 2 * self->yx[t * self->parent.count + i], others, own;

  if (isnan (y2))
    return NAN;
  if (delta2 > SMALL_SQUARE * (x2 + y2) && change_others (self, t, i, delta2, &others)
      && change_own (self, t, i, &own) && isfinite (others + own) && others + own >= 0)
    return sqrt (others + own) / self->attention->norm;
  return change_by_nudge (self, i, y, delta);
}

static gboolean
swap_attention_evaluate (WwSwap *swap, gsize rows, const double *y, const WwCancel *cancel,
                         double *ret_change, GError **error)
{
  WwSwapAttention *self = (WwSwapAttention *) swap;
  g_autofree double *delta = g_new (double, swap->d);

  if (!prepare_tile (self, rows, y, cancel, error))
    return FALSE;

  for (gsize t = 0; t < rows; t++)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      for (gsize i = 0; i < swap->count; i++)
        ret_change[t * swap->count + i] = change_of_pair (self, t, i, y + t * swap->d, delta);
    }
  return TRUE;
}

static gboolean
swap_attention_confirm (const WwSwap *swap, gsize token, gsize count, const double *deltas,
                        const WwCancel *cancel, double *ret_change, GError **error)
{
  const WwAttention *attention = ((const WwSwapAttention *) swap)->attention;

  for (gsize t = 0; t < count; t++)
    {
      GError *problem = NULL;

      if (ww_attention_evaluate_cancellable (attention, token, deltas + t * swap->d, cancel,
                                             &ret_change[t], &problem))
        continue;
      if (!g_error_matches (problem, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE))
        {
          g_propagate_error (error, problem);
          return FALSE;
        }
      g_error_free (problem);
      ret_change[t] = NAN;
    }
  return TRUE;
}

static const WwSwapClass swap_attention_class
  = { swap_attention_evaluate, swap_attention_confirm, swap_attention_free, 0 };

/* The sum of row j, kept as its logarithm or as its inverse. */
static void
set_level (WwSwapAttention *self, gsize j)
{
  const WwAttention *attention = self->attention;
  double sum = ww_attention_sum_row (attention, j);

  self->total[j] = 1;
  self->level[j] = sum;
  if (attention->map == WW_MAP_SOFTMAX_RAF)
    return;

  self->total[j] = sum > 0;
  self->level[j] = sum > 0 ? 1 / sum : 1;
}

/* Constants of token `i` and every row. */
static void
set_token (WwSwapAttention *self, gsize i)
{
  const WwAttention *attention = self->attention;
  gsize n = attention->x->rows, d = attention->x->cols, token = self->parent.first + i;
  const double *x = self->parent.x + i * d, *o = attention->features->data;

  self->x2[i] = ww_dot (x, x, d);
  for (gsize j = 0; j < n; j++)
    {
      double gap = self->x2[i] + self->o2[j] - 2 * self->cross[i * n + j];

      if (gap < SMALL_SQUARE * (self->x2[i] + self->o2[j]))
        gap = square_of_change (d, x, x, o + j * d, 0, 1);
      self->gap[i * n + j] = gap;
      self->share[i * n + j]
        = ww_attention_get_weight (attention, j, token, ww_attention_get_score (attention, j, token));
    }
}

static gboolean
set_constants (WwSwapAttention *self, const WwCancel *cancel, GError **error)
{
  const WwAttention *attention = self->attention;
  gsize n = attention->x->rows, d = attention->x->cols, count = self->parent.count;
  gsize height = ww_swap_choose_height ((double) n * d);
  const double *o = attention->features->data;

  for (gsize j = 0; j < n; j++)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      set_level (self, j);
      self->o2[j] = ww_dot (o + j * d, o + j * d, d);
    }
  for (gsize first = 0; first < count; first += height)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      multiply_transposed (MIN (height, count - first), n, d, self->parent.x + first * d, o,
                           self->cross + first * n);
    }
  for (gsize i = 0; i < count; i++)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      set_token (self, i);
    }
  return TRUE;
}

static gboolean
allocate_all (WwSwapAttention *self, GError **error)
{
  gsize n = self->attention->x->rows, d = self->parent.d;
  gsize count = self->parent.count, height = self->parent.height;
  const struct
  {
    double **array;
    gsize rows, cols;
  } arrays[] = {
    { &self->level, 1, n },          { &self->total, 1, n },        { &self->o2, 1, n },
    { &self->x2, 1, count },         { &self->share, count, n },    { &self->cross, count, n },
    { &self->gap, count, n },        { &self->moved, height, n },   { &self->outputs, height, n },
    { &self->scores, height, n },    { &self->turned, height, d },  { &self->own, 1, height },
    { &self->sums, 1, height },      { &self->y2, 1, height },      { &self->w2, 1, height },
    { &self->yx, height, count },    { &self->wx, height, count },  { &self->wo, height, count },
  };

  for (gsize a = 0; a < G_N_ELEMENTS (arrays); a++)
    {
      *arrays[a].array = ww_try_alloc (arrays[a].rows, arrays[a].cols, sizeof (double), error);
      if (*arrays[a].array == NULL)
        return FALSE;
    }
  return TRUE;
}

WwSwap *
ww_swap_new_attention (WwAttention *attention, gsize first, gsize count, const WwCancel *cancel,
                       GError **error)
{
  g_autoptr (WwSwap) swap = NULL;
  WwSwapAttention *self;

  g_return_val_if_fail (attention != NULL && count > 0, NULL);

  gsize n = attention->x->rows, d = attention->x->cols;
  gboolean all_exist = first < n && count <= n - first;
  if (!ww_attention_check_token (attention, all_exist ? first : MAX (first, n), error)
      || !ww_attention_check_norm (attention, error))
    return NULL;

  self = g_new0 (WwSwapAttention, 1);
  swap = &self->parent;
  *swap = (WwSwap) { &swap_attention_class, d, first, count,
                     ww_swap_choose_height ((4.0 * n + d + 2.0 * count) * d + 4.0 * n * count),
                     attention->x->data + first * d };
  self->attention = ww_attention_ref (attention);
  if (!allocate_all (self, error) || !set_constants (self, cancel, error))
    return NULL;

  return g_steal_pointer (&swap);
}

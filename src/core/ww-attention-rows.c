/* Scores and weights of one entry or row, whether the matrices are kept or not: see ww-attention-private.h.
 *
 * A score is X_l . xw_j. Of a row that is not kept, the largest score and the sum over the row say how much
 * of it any score is worth, and how much the other tokens have together. */
#include "ww-attention-private.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* Above this share of a row, what is left for the others would lose digits as a difference, and is summed. */
#define DOMINANT 0.9

/* No token, where all of a row is meant. */
#define NOBODY G_MAXSIZE

double
ww_attention_get_score (const WwAttention *self, gsize j, gsize l)
{
  gsize n = self->x->rows, d = self->x->cols;

  return self->scores != NULL ? self->scores->data[j * n + l]
                              : cblas_ddot (d, self->xw->data + j * d, 1, self->x->data + l * d, 1);
}

double
ww_attention_get_weight (const WwAttention *self, gsize j, gsize l, double score)
{
  if (self->weights != NULL)
    return self->weights->data[j * self->x->rows + l];
  if (self->map == WW_MAP_SOFTMAX_RAF)
    return MIN (exp (score - self->tops[j]) / self->sums[j], 1);
  return self->sums[j] > 0 ? MIN (MAX (score, 0) / self->sums[j], 1) : 0;
}

const double *
ww_attention_get_score_row (const WwAttention *self, gsize j, double *room)
{
  gsize n = self->x->rows, d = self->x->cols;

  if (self->scores != NULL)
    return self->scores->data + j * n;
  cblas_dgemv (CblasRowMajor, CblasNoTrans, n, d, 1, self->x->data, d, self->xw->data + j * d, 1, 0, room, 1);
  return room;
}

gboolean
ww_attention_copy_scores (const WwAttention *self, const WwCancel *cancel, double *ret_scores, GError **error)
{
  gsize n = self->x->rows, d = self->x->cols, height = ww_attention_choose_height (n, d);

  for (gsize first = 0; first < n; first += height)
    {
      gsize count = MIN (height, n - first);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      if (self->scores != NULL)
        memcpy (ret_scores + first * n, self->scores->data + first * n, count * n * sizeof (double));
      else
        cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, count, n, d, 1, self->xw->data + first * d, d,
                     self->x->data, d, 0, ret_scores + first * n, n);
    }
  return TRUE;
}

/* softmax: the log of the sum of exponentials, ReLU: the sum, over all tokens but one. */
static double
sum_scores (WwMap map, gsize n, const double *scores, gsize excluded)
{
  double top = -INFINITY, sum = 0;

  if (map == WW_MAP_RELU_RAF)
    {
      for (gsize l = 0; l < n; l++)
        sum += l != excluded ? MAX (scores[l], 0) : 0;
      return sum;
    }
  for (gsize l = 0; l < n; l++)
    top = l != excluded ? MAX (top, scores[l]) : top;
  for (gsize l = 0; l < n; l++)
    sum += l != excluded ? exp (scores[l] - top) : 0;
  return top + log (sum);
}

double
ww_attention_sum_row (const WwAttention *self, gsize j)
{
  gsize n = self->x->rows;

  if (self->scores != NULL)
    return sum_scores (self->map, n, self->scores->data + j * n, NOBODY);
  return self->map == WW_MAP_SOFTMAX_RAF ? self->tops[j] + log (self->sums[j]) : self->sums[j];
}

double
ww_attention_sum_others (const WwAttention *self, gsize token, gsize j, double score, double *room)
{
  gsize n = self->x->rows;

  if (self->scores == NULL)
    {
      gboolean softmax = self->map == WW_MAP_SOFTMAX_RAF;
      double sum = self->sums[j], own = softmax ? exp (score - self->tops[j]) : MAX (score, 0);

      if (own == 0 || own < DOMINANT * sum)
        return softmax ? self->tops[j] + log (sum - own) : sum - own;
    }
  return sum_scores (self->map, n, ww_attention_get_score_row (self, j, room), token);
}

void
ww_attention_add_others (const WwAttention *self, gsize token, gsize j, double others, double factor,
                         double *room, double *sum)
{
  gsize n = self->x->rows, d = self->x->cols;
  gboolean softmax = self->map == WW_MAP_SOFTMAX_RAF;
  const double *scores;

  if (!softmax && others == 0)
    return;

  scores = ww_attention_get_score_row (self, j, room);
  for (gsize l = 0; l < n; l++)
    {
      double weight = softmax ? exp (scores[l] - others) : MAX (scores[l], 0) / others;

      if (l != token && weight > 0)
        cblas_daxpy (d, factor * weight, self->x->data + l * d, 1, sum, 1);
    }
}

/* Two threads may both make it; the first to finish is heard, and it is the same to the last bit. */
WwMatrix *
ww_attention_get_weights (const WwAttention *attention, GError **error)
{
  WwAttention *self = (WwAttention *) attention;
  WwMatrix *shown;
  gsize n;

  g_return_val_if_fail (attention != NULL, NULL);

  if (self->weights != NULL)
    return self->weights;
  shown = g_atomic_pointer_get (&self->shown);
  if (shown != NULL)
    return shown;

  n = self->x->rows;
  shown = ww_matrix_new (n, n, error);
  if (shown == NULL)
    return NULL;
  ww_attention_copy_scores (self, NULL, shown->data, NULL);
  for (gsize j = 0; j < n; j++)
    ww_attention_normalise_row (self->map, shown->data + j * n, n);
  if (g_atomic_pointer_compare_and_exchange (&self->shown, NULL, shown))
    return shown;
  ww_matrix_unref (shown);
  return g_atomic_pointer_get (&self->shown);
}

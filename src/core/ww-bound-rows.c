#include "ww-bound-rows.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-private.h"

/* Below this total weight on the other tokens their average is summed directly: reading it off the
 * output would magnify rounding by the inverse. */
#define SMALL_REMAINDER 1e-3

static gboolean
allocate (WwBoundRows *rows, GError **error)
{
  gsize m = MAX (rows->count, 1), d = rows->d;

  rows->u = ww_try_alloc (m, d, sizeof (double), error);
  if (rows->u == NULL)
    return FALSE;
  rows->e = ww_try_alloc (m, d, sizeof (double), error);
  if (rows->e == NULL)
    return FALSE;
  rows->e_norm = ww_try_alloc (5, m, sizeof (double), error);
  if (rows->e_norm == NULL)
    return FALSE;
  rows->own = ww_try_alloc (2, d, sizeof (double), error);
  if (rows->own == NULL)
    return FALSE;
  rows->room = ww_try_alloc (1, rows->count + 1, sizeof (double), error);
  if (rows->room == NULL)
    return FALSE;

  rows->scratch = rows->own + d;
  rows->u_norm = rows->e_norm + m;
  rows->q = rows->e_norm + 2 * m;
  rows->score = rows->e_norm + 3 * m;
  rows->base = rows->e_norm + 4 * m;
  return TRUE;
}

/* Row `source` of the map becomes row j of the arrays. */
static void
prepare_row (WwBoundRows *rows, gsize j, gsize source)
{
  const WwAttention *attention = rows->attention;
  gsize d = rows->d;
  const double *output = attention->features->data + source * d;
  double *e = rows->e + j * d;
  double score = ww_attention_get_score (attention, source, rows->token);
  double others = ww_attention_sum_others (attention, rows->token, source, score, rows->room);

  memcpy (rows->u + j * d, attention->xw->data + source * d, d * sizeof (double));
  rows->score[j] = score;
  rows->base[j] = 0;
  if (attention->map == WW_MAP_RELU_RAF)
    rows->base[j] = others;
  else
    rows->score[j] -= others;
  rows->q[j] = ww_bound_rows_weight (rows, j, 0);

  if (1 - rows->q[j] < SMALL_REMAINDER)
    {
      memset (e, 0, d * sizeof (double));
      ww_attention_add_others (attention, rows->token, source, others, 1, rows->room, e);
      for (gsize k = 0; k < d; k++)
        e[k] = rows->x[k] - e[k];
    }
  else
    {
      for (gsize k = 0; k < d; k++)
        e[k] = (rows->x[k] - output[k]) / (1 - rows->q[j]);
    }
  rows->e_norm[j] = cblas_dnrm2 (d, e, 1);
  rows->u_norm[j] = cblas_dnrm2 (d, rows->u + j * d, 1);
}

gboolean
ww_bound_rows_init (WwBoundRows *rows, const WwAttention *attention, gsize token, double radius,
                    const WwCancel *cancel, GError **error)
{
  gsize n = attention->x->rows;

  rows->attention = attention;
  rows->token = token;
  rows->count = n - 1;
  rows->d = attention->x->cols;
  rows->radius = radius * sqrt (rows->d);
  rows->x = attention->x->data + token * rows->d;
  if (!allocate (rows, error))
    return FALSE;

  for (gsize source = 0, j = 0; source < n; source++)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      if (source != token)
        prepare_row (rows, j++, source);
    }
  for (gsize k = 0; k < rows->d; k++)
    rows->own[k] = rows->x[k] - attention->features->data[token * rows->d + k];
  return TRUE;
}

void
ww_bound_rows_clear (WwBoundRows *rows)
{
  free (rows->u);
  free (rows->e);
  free (rows->e_norm);
  free (rows->own);
  free (rows->room);
}

static double
sigmoid (double t)
{
  double small = exp (-fabs (t));

  return t > 0 ? 1 / (1 + small) : small / (1 + small);
}

double
ww_bound_rows_weight (const WwBoundRows *rows, gsize j, double xi)
{
  double t = rows->score[j] + xi;

  if (rows->attention->map == WW_MAP_SOFTMAX_RAF)
    return sigmoid (t);
  return t > 0 ? t / (rows->base[j] + t) : 0;
}

/* softmax: sigmoid (t + xi) - sigmoid (t) = q (1 - p) (exp (xi) - 1) for xi < 0, and by symmetry
 * p (1 - q) (1 - exp (-xi)) for xi > 0. ReLU: B (r' - r) / ((B + r') (B + r)). */
double
ww_bound_rows_weight_change (const WwBoundRows *rows, gsize j, double xi)
{
  double t = rows->score[j];

  if (rows->attention->map == WW_MAP_SOFTMAX_RAF)
    return xi < 0 ? sigmoid (t) * sigmoid (-t - xi) * expm1 (xi)
                  : -sigmoid (t + xi) * sigmoid (-t) * expm1 (-xi);

  double before = MAX (t, 0), after = MAX (t + xi, 0), base = rows->base[j];
  if (base == 0 || before == 0 || after == 0)
    return ww_bound_rows_weight (rows, j, xi) - rows->q[j];
  return base * (after - before) / ((base + after) * (base + before));
}

double
ww_bound_rows_farthest (const WwBoundRows *rows)
{
  const WwAttention *attention = rows->attention;
  gsize d = rows->d;
  const double *output = attention->features->data + rows->token * d;
  double largest = 0;

  for (gsize l = 0; l < rows->count + 1; l++)
    {
      const double *x = attention->x->data + l * d;
      double sum = 0;

      for (gsize k = 0; k < d && l != rows->token; k++)
        sum += (x[k] - output[k]) * (x[k] - output[k]);
      largest = MAX (largest, sum);
    }
  return largest;
}

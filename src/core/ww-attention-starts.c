#include "ww-attention-starts.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-random.h"

/* The stream of one start: d numbers for e, n for combinations, one for how many rows take part. */
#define STREAM_LENGTH (4 * (guint64) WW_MAX_DIMS)
#define STREAM_ROWS ((guint64) WW_MAX_DIMS)
#define STREAM_THRESHOLD (3 * (guint64) WW_MAX_DIMS)

static void
add_unit (gsize d, double factor, const double *direction, float *point)
{
  double norm = cblas_dnrm2 (d, direction, 1);

  if (!(norm > 0))
    return;
  for (gsize k = 0; k < d; k++)
    point[k] += factor / norm * direction[k];
}

/* The weights of the rows' directions u_j: the nudged row has none. */
static void
weigh_rows (WwStartFamily family, gsize n, gsize token, double threshold, double *weights)
{
  gsize best = token == 0 && n > 1 ? 1 : 0;

  weights[token] = 0;
  if (family == WW_START_SOME_ROWS)
    {
      /* Thresholds around 0.8 let a few to most of the rows take part. */
      for (gsize j = 0; j < n; j++)
        if (j != token)
          weights[j] = MAX (weights[j] - 0.8 - 0.7 * threshold, 0);
    }
  else if (family == WW_START_ONE_ROW)
    {
      for (gsize j = 0; j < n; j++)
        if (j != token && weights[j] > weights[best])
          best = j;
      memset (weights, 0, n * sizeof (double));
      weights[best] = best != token;
    }
}

void
ww_attention_start (const WwAttention *attention, gsize token, WwStartFamily family, guint64 seed,
                    guint32 trial, guint32 number, double *combination, float *ret_point)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  guint64 stream = number * STREAM_LENGTH;
  double *weights = combination, *direction = combination + n, threshold;

  memset (ret_point, 0, d * sizeof (float));
  ww_random_normal (seed, WW_PURPOSE_STARTS, trial, stream, d, 1, direction);
  add_unit (d, family == WW_START_PLAIN || family == WW_START_TILTED ? 1
               : family == WW_START_ONE_ROW                          ? 0.3
                                                                     : 1e-3,
            direction, ret_point);
  if (family != WW_START_PLAIN)
    add_unit (d, 0.5, attention->x->data + token * d, ret_point);
  if (family == WW_START_PLAIN || family == WW_START_TILTED)
    return;

  ww_random_normal (seed, WW_PURPOSE_STARTS, trial, stream + STREAM_ROWS, n, 1, weights);
  ww_random_normal (seed, WW_PURPOSE_STARTS, trial, stream + STREAM_THRESHOLD, 1, 1, &threshold);
  weigh_rows (family, n, token, threshold, weights);
  cblas_dgemv (CblasRowMajor, CblasTrans, n, d, 1, attention->xw->data, d, weights, 1, 0, direction,
               1);
  add_unit (d, 1, direction, ret_point);
}

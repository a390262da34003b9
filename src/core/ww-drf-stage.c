#include "ww-drf-stage.h"

#include <cblas.h>
#include <math.h>

#include "ww-private.h"

#define TILE_FLOPS 60000000 /* one product, at most: 1 ms, and 10 ms on a slow machine */
#define CHUNK 4096          /* summands in single precision before the sum goes on in double */

void
ww_drf_stages_init (WwDrfStages *stages, const WwDrf *drf)
{
  int exponent = ilogb (drf->first->unit);

  stages->stages[0] = (WwDrfStage) { .weights = drf->first->block, .rows = drf->first->k,
                                     .cols = drf->first->d, .u = drf->first->u, .exponent = exponent };
  stages->depth = drf->deep->n_layers + 1;
  stages->widest = stages->units = drf->first->k;

  for (gsize l = 1; l < stages->depth; l++)
    {
      const WwDrfLayer *layer = &drf->deep->layers[l - 1];

      exponent += layer->exponent;
      stages->stages[l] = (WwDrfStage) { .weights = layer->weights, .rows = layer->rows,
                                         .cols = layer->cols, .u = layer->u, .exponent = exponent,
                                         .place = stages->units };
      stages->units += layer->rows;
      stages->widest = MAX (stages->widest, layer->rows);
    }
}

void
ww_drf_stages_fill (const WwDrfStages *stages, double length, gboolean linear, float *ret_low,
                    float *ret_high)
{
  for (gsize l = 0; l < stages->depth; l++)
    {
      const WwDrfStage *stage = &stages->stages[l];
      float *low = ret_low + stage->place, *high = ret_high + stage->place;

      for (gsize r = 0; r < stage->rows; r++)
        {
          /* A pre-activation beyond single precision becomes infinite, which is the linear case again. */
          double u = ldexp (stage->u[r], -stage->exponent) / length;
          gboolean active = u > 0;

          low[r] = linear ? (active ? 0 : -INFINITY) : (float) MIN (u, 0);
          high[r] = linear ? (active ? INFINITY : 0) : (float) MAX (u, 0);
        }
    }
}

/* Rows of a layer that one product may take, so that the cancel flag is looked at in time. */
static gsize
tile_rows (const WwDrfStage *stage, gsize active)
{
  gsize rows = TILE_FLOPS / (2 * stage->cols * active);

  return CLAMP (rows, 16, stage->rows);
}

gboolean
ww_drf_stage_multiply_forth (const WwDrfStage *stage, const float *input, gsize input_step, gsize active,
                             float *output, gsize output_step, const WwCancel *cancel, GError **error)
{
  gsize tile = tile_rows (stage, active);

  for (gsize r = 0; r < stage->rows; r += tile)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) active, (int) MIN (tile, stage->rows - r),
                   (int) stage->cols, 1, input, (int) input_step, stage->weights + r * stage->cols,
                   (int) stage->cols, 0, output + r, (int) output_step);
    }

  return TRUE;
}

gboolean
ww_drf_stage_multiply_back (const WwDrfStage *stage, const float *input, gsize input_step, gsize active,
                            float *output, gsize output_step, const WwCancel *cancel, GError **error)
{
  gsize tile = tile_rows (stage, active);

  for (gsize r = 0; r < stage->rows; r += tile)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) active, (int) stage->cols,
                   (int) MIN (tile, stage->rows - r), 1, input + r, (int) input_step,
                   stage->weights + r * stage->cols, (int) stage->cols, r == 0 ? 0 : 1, output,
                   (int) output_step);
    }

  return TRUE;
}

WW_WIDEST_REGISTERS void
ww_drf_bend (float *change, const float *low, const float *high, gsize count)
{
  for (gsize i = 0; i < count; i++)
    {
      float moved = change[i] + low[i];
      float floor = -high[i];

      change[i] = moved > floor ? moved : floor;
    }
}

WW_WIDEST_REGISTERS void
ww_drf_mask (float *values, const float *change, const float *high, gsize count)
{
  for (gsize i = 0; i < count; i++)
    values[i] = change[i] > -high[i] ? values[i] : 0;
}

WW_WIDEST_REGISTERS static float
square_chunk (const float *values, gsize count)
{
  float sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < count; i++)
    sum += values[i] * values[i];

  return sum;
}

double
ww_drf_squared_norm (const float *values, gsize count)
{
  double total = 0;

  for (gsize c = 0; c < count; c += CHUNK)
    total += square_chunk (values + c, MIN (CHUNK, count - c));

  return total;
}

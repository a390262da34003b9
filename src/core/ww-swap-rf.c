#include <cblas.h>
#include <math.h>
#include <stdlib.h>

#include "ww-private.h"
#include "ww-rf-private.h"
#include "ww-swap-private.h"

/* Features taken at a time: their products with a tile stay in the second-level cache. */
#define FEATURES 512

typedef struct
{
  WwSwap parent;
  WwRf *rf;
  float *u;       /* k: u / unit */
  float *delta;   /* height x d */
  float *product; /* height x FEATURES */
} WwSwapRf;

static void
swap_rf_free (WwSwap *swap)
{
  WwSwapRf *self = (WwSwapRf *) swap;

  ww_rf_unref (self->rf);
  free (self->u);
  free (self->delta);
  free (self->product);
  g_free (self);
}

/* sum of (relu (u + moved) - relu (u))^2, in the order of ww_relu_change. Lanes are summed side by side,
 * so that the order does not depend on the width of the registers. */
WW_WIDEST_REGISTERS static double
sum_changes (gsize count, const float *restrict u, const float *restrict moved)
{
  enum { LANES = 16 };
  float lane[LANES] = { 0 };
  double sum = 0;
  gsize r = 0;

  for (; r + LANES <= count; r += LANES)
    for (gsize l = 0; l < LANES; l++)
      {
        float at = u[r + l];
        float up = moved[r + l] + (at < 0 ? at : 0), down = at > 0 ? -at : 0;
        float change = up > down ? up : down;

        lane[l] += change * change;
      }
  for (gsize l = 0; l < LANES; l++)
    sum += lane[l];
  for (; r < count; r++)
    {
      double change = ww_relu_change (u[r], moved[r]);

      sum += change * change;
    }
  return sum;
}

static gboolean
swap_rf_evaluate (WwSwap *swap, gsize rows, const double *y, const WwCancel *cancel,
                  double *ret_change, GError **error)
{
  WwSwapRf *self = (WwSwapRf *) swap;
  const WwRf *rf = self->rf;
  g_autofree double *sums = g_new0 (double, rows);

  for (gsize t = 0; t < rows; t++)
    for (gsize c = 0; c < swap->d; c++)
      self->delta[t * swap->d + c] = y[t * swap->d + c] - rf->x[c];

  for (gsize first = 0; first < rf->k; first += FEATURES)
    {
      gsize count = MIN (FEATURES, rf->k - first);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, rows, count, swap->d, 1, self->delta,
                   swap->d, rf->block + first * swap->d, swap->d, 0, self->product, FEATURES);
      for (gsize t = 0; t < rows; t++)
        sums[t] += sum_changes (count, self->u + first, self->product + t * FEATURES);
    }

  for (gsize t = 0; t < rows; t++)
    ret_change[t] = sqrt (sums[t]) * rf->unit / rf->norm;
  return TRUE;
}

static gboolean
swap_rf_confirm (const WwSwap *swap, gsize token, gsize count, const double *deltas,
                 const WwCancel *cancel, double *ret_change, GError **error)
{
  return ww_rf_evaluate_many (((const WwSwapRf *) swap)->rf, count, deltas, cancel, ret_change, error);
}

static const WwSwapClass swap_rf_class
  = { swap_rf_evaluate, swap_rf_confirm, swap_rf_free, WW_SWAP_SINGLE_MARGIN };

WwSwap *
ww_swap_new_rf (WwRf *rf, GError **error)
{
  g_autoptr (WwSwap) swap = NULL;
  WwSwapRf *self;

  g_return_val_if_fail (rf != NULL, NULL);

  if (!ww_rf_check_norm (rf, error))
    return NULL;

  self = g_new0 (WwSwapRf, 1);
  swap = &self->parent;
  *swap = (WwSwap) { &swap_rf_class, rf->d, rf->token, 1,
                     ww_swap_choose_height ((double) rf->d * FEATURES), rf->x };
  self->rf = ww_rf_ref (rf);
  self->u = ww_try_alloc (rf->k, 1, sizeof (float), error);
  if (self->u == NULL)
    return NULL;
  self->delta = ww_try_alloc (swap->height, rf->d, sizeof (float), error);
  if (self->delta == NULL)
    return NULL;
  self->product = ww_try_alloc (swap->height, FEATURES, sizeof (float), error);
  if (self->product == NULL)
    return NULL;

  for (gsize r = 0; r < rf->k; r++)
    self->u[r] = rf->u[r] / rf->unit;
  return g_steal_pointer (&swap);
}

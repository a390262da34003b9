#include <math.h>
#include <stdlib.h>

#include "ww-drf-stage.h"
#include "ww-private.h"
#include "ww-swap-private.h"

/* Below so many rows a tile would wait for the weights; a tile of a large network takes longer instead, and
 * is left at any time. */
#define LOWEST_TILE 32

typedef struct
{
  WwSwap parent;
  WwDrf *drf;
  WwDrfStages layout;
  float *low, *high;    /* units of all layers */
  float *delta;         /* height x d */
  float *change, *next; /* height x widest */
} WwSwapDrf;

static void
swap_drf_free (WwSwap *swap)
{
  WwSwapDrf *self = (WwSwapDrf *) swap;

  ww_drf_unref (self->drf);
  free (self->low);
  free (self->high);
  free (self->delta);
  free (self->change);
  free (self->next);
  g_free (self);
}

/* The changes of the last layer for the rows of self->delta end in self->change. */
static gboolean
pass_layers (WwSwapDrf *self, gsize rows, const WwCancel *cancel, GError **error)
{
  const WwDrfStages *layout = &self->layout;
  const float *input = self->delta;
  gsize step = self->parent.d;

  for (gsize l = 0; l < layout->depth; l++)
    {
      const WwDrfStage *stage = &layout->stages[l];
      float *output = self->next;

      if (!ww_drf_stage_multiply_forth (stage, input, step, rows, output, layout->widest, cancel, error))
        return FALSE;
      for (gsize t = 0; t < rows; t++)
        ww_drf_bend (output + t * layout->widest, self->low + stage->place, self->high + stage->place,
                     stage->rows);

      self->next = self->change;
      self->change = output;
      input = output;
      step = layout->widest;
    }

  return TRUE;
}

static gboolean
swap_drf_evaluate (WwSwap *swap, gsize rows, const double *y, const WwCancel *cancel,
                   double *ret_change, GError **error)
{
  WwSwapDrf *self = (WwSwapDrf *) swap;
  const WwDrfStage *last = &self->layout.stages[self->layout.depth - 1];
  double factor = ww_drf_get_factor (self->drf);

  for (gsize t = 0; t < rows; t++)
    for (gsize c = 0; c < swap->d; c++)
      self->delta[t * swap->d + c] = (float) (y[t * swap->d + c] - swap->x[c]);

  if (!pass_layers (self, rows, cancel, error))
    return FALSE;

  for (gsize t = 0; t < rows; t++)
    {
      double norm = sqrt (ww_drf_squared_norm (self->change + t * self->layout.widest, last->rows));

      ret_change[t] = ldexp (norm, last->exponent) * factor / ww_drf_get_norm (self->drf);
    }
  return TRUE;
}

static gboolean
swap_drf_confirm (const WwSwap *swap, gsize token, gsize count, const double *deltas,
                  const WwCancel *cancel, double *ret_change, GError **error)
{
  return ww_drf_evaluate_many (((const WwSwapDrf *) swap)->drf, count, deltas, cancel, ret_change, error);
}

static const WwSwapClass swap_drf_class
  = { swap_drf_evaluate, swap_drf_confirm, swap_drf_free, WW_SWAP_SINGLE_MARGIN };

static gboolean
allocate_all (WwSwapDrf *self, GError **error)
{
  gsize height = self->parent.height, widest = self->layout.widest;

  return (self->low = ww_try_alloc (self->layout.units, 1, sizeof (float), error)) != NULL
         && (self->high = ww_try_alloc (self->layout.units, 1, sizeof (float), error)) != NULL
         && (self->delta = ww_try_alloc (height, self->parent.d, sizeof (float), error)) != NULL
         && (self->change = ww_try_alloc (height, widest, sizeof (float), error)) != NULL
         && (self->next = ww_try_alloc (height, widest, sizeof (float), error)) != NULL;
}

WwSwap *
ww_swap_new_drf (WwDrf *drf, GError **error)
{
  g_autoptr (WwSwap) swap = NULL;
  WwSwapDrf *self;

  g_return_val_if_fail (drf != NULL, NULL);

  if (!ww_drf_check_norm (drf, error))
    return NULL;

  self = g_new0 (WwSwapDrf, 1);
  swap = &self->parent;
  self->drf = ww_drf_ref (drf);
  ww_drf_stages_init (&self->layout, drf);
  *swap = (WwSwap) { &swap_drf_class, ww_drf_get_dims (drf), ww_drf_get_token (drf), 1,
                     MAX (ww_swap_choose_height (ww_drf_count_weights (drf)), LOWEST_TILE),
                     drf->first->x };
  if (!allocate_all (self, error))
    return NULL;

  ww_drf_stages_fill (&self->layout, 1, FALSE, self->low, self->high);
  return g_steal_pointer (&swap);
}

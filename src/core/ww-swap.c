#include "ww-swap-private.h"

#include <math.h>
#include <stdlib.h>

#include "ww-private.h"

/* Multiplications of one tile: some milliseconds, and enough rows for the products to run at full
 * speed. */
#define TILE_WORK 1.5e8
#define HIGHEST_TILE 256

/* Numbers per array of tokens x tokens: 8 MB. */
#define MOST_PAIRS 1048576

gsize
ww_swap_choose_height (double work)
{
  return CLAMP (TILE_WORK / work, 1, HIGHEST_TILE);
}

gsize
ww_swap_choose_count (gsize n)
{
  g_return_val_if_fail (n > 0, 0);

  return CLAMP (MOST_PAIRS / n, 1, n);
}

void
ww_swap_free (WwSwap *self)
{
  if (self != NULL)
    self->class->free (self);
}

gsize
ww_swap_get_dims (const WwSwap *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->d;
}

gsize
ww_swap_get_first (const WwSwap *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->first;
}

gsize
ww_swap_get_count (const WwSwap *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->count;
}

gsize
ww_swap_get_height (const WwSwap *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->height;
}

static gboolean
is_usable (const double *y, gsize d)
{
  for (gsize c = 0; c < d; c++)
    if (!isfinite (y[c]))
      return FALSE;

  return TRUE;
}

/* Comparisons inside the kernels may hide a NaN. */
static void
blank_unusable (const WwSwap *self, gsize rows, const double *y, double *change)
{
  for (gsize t = 0; t < rows; t++)
    {
      gboolean usable = is_usable (y + t * self->d, self->d);

      for (gsize i = 0; i < self->count; i++)
        if (!usable || !isfinite (change[t * self->count + i]))
          change[t * self->count + i] = NAN;
    }
}

gboolean
ww_swap_evaluate (WwSwap *self, gsize rows, const double *y, const WwCancel *cancel,
                  double *ret_change, GError **error)
{
  g_return_val_if_fail (self != NULL && rows <= self->height, FALSE);
  g_return_val_if_fail (rows == 0 || (y != NULL && ret_change != NULL), FALSE);

  if (ww_cancel_check (cancel, error))
    return FALSE;
  if (rows == 0)
    return TRUE;
  if (!self->class->evaluate (self, rows, y, cancel, ret_change, error))
    return FALSE;

  blank_unusable (self, rows, y, ret_change);
  return TRUE;
}

gboolean
ww_swap_confirm (const WwSwap *self, gsize token, gsize rows, const double *y, const WwCancel *cancel,
                 double *ret_change, GError **error)
{
  const double *x;
  double *deltas;
  gboolean done;

  g_return_val_if_fail (self != NULL && y != NULL && ret_change != NULL && rows > 0, FALSE);
  g_return_val_if_fail (token >= self->first && token - self->first < self->count, FALSE);

  deltas = ww_try_alloc (rows, self->d, sizeof (double), error);
  if (deltas == NULL)
    return FALSE;

  x = self->x + (token - self->first) * self->d;
  for (gsize t = 0; t < rows; t++)
    ww_swap_toward (x, y + t * self->d, self->d, 1, deltas + t * self->d);
  done = self->class->confirm (self, token, rows, deltas, cancel, ret_change, error);
  free (deltas);
  return done;
}

double
ww_swap_toward (const double *x, const double *y, gsize d, double amount, double *ret_delta)
{
  g_return_val_if_fail (x != NULL && y != NULL && ret_delta != NULL && d > 0, NAN);

  for (gsize c = 0; c < d; c++)
    ret_delta[c] = amount * (y[c] - x[c]);
  return ww_vector_norm (ret_delta, d) / sqrt (d);
}

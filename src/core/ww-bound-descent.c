#include "ww-bound-descent.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"

#define MEMORY 10
#define ARMIJO 1e-4

struct _WwBoundDescent
{
  gsize size;
  double *arrays;    /* what the pointers below divide */
  double *gradient;
  double *direction;
  double *trial;
  double *trial_gradient;
  double *diagonal;
  double *steps;     /* MEMORY x size: differences of points */
  double *yields;    /* MEMORY x size: differences of gradients */
  double curvature[MEMORY];
  guint count;       /* pairs stored, ever */
};

WwBoundDescent *
ww_bound_descent_new (gsize size, GError **error)
{
  double *arrays = ww_try_alloc (5 + 2 * MEMORY, size, sizeof (double), error);

  if (arrays == NULL)
    return NULL;

  WwBoundDescent *self = g_new0 (WwBoundDescent, 1);
  self->size = size;
  self->arrays = arrays;
  self->gradient = arrays;
  self->direction = arrays + size;
  self->trial = arrays + 2 * size;
  self->trial_gradient = arrays + 3 * size;
  self->steps = arrays + 5 * size;
  self->diagonal = arrays + 4 * size;
  self->yields = arrays + (5 + MEMORY) * size;
  return self;
}

void
ww_bound_descent_free (WwBoundDescent *self)
{
  if (self == NULL)
    return;
  free (self->arrays);
  g_free (self);
}

/* Minus the inverse Hessian of the stored pairs times the gradient, by the two loops. */
static void
choose_direction (WwBoundDescent *self)
{
  gsize size = self->size;
  guint held = MIN (self->count, MEMORY);
  double alpha[MEMORY];

  for (gsize k = 0; k < size; k++)
    self->direction[k] = -self->gradient[k];
  for (guint back = 0; back < held; back++)
    {
      guint at = (self->count - 1 - back) % MEMORY;

      alpha[at] = cblas_ddot (size, self->steps + at * size, 1, self->direction, 1)
                  / self->curvature[at];
      cblas_daxpy (size, -alpha[at], self->yields + at * size, 1, self->direction, 1);
    }
  for (gsize k = 0; k < size; k++)
    self->direction[k] /= self->diagonal[k];
  for (guint back = held; back > 0; back--)
    {
      guint at = (self->count - back) % MEMORY;
      double beta = cblas_ddot (size, self->yields + at * size, 1, self->direction, 1)
                    / self->curvature[at];

      cblas_daxpy (size, alpha[at] - beta, self->steps + at * size, 1, self->direction, 1);
    }
}

/* Keeps the pair of the accepted step if it shows positive curvature. */
static void
remember (WwBoundDescent *self, const double *point)
{
  gsize size = self->size;
  guint at = self->count % MEMORY;
  double *step = self->steps + at * size, *yield = self->yields + at * size;

  for (gsize k = 0; k < size; k++)
    {
      step[k] = self->trial[k] - point[k];
      yield[k] = self->trial_gradient[k] - self->gradient[k];
    }
  self->curvature[at] = cblas_ddot (size, step, 1, yield, 1);
  if (self->curvature[at] > 1e-12 * cblas_ddot (size, yield, 1, yield, 1))
    self->count++;
}

void
ww_bound_descent_run (WwBoundDescent *self, double *point, guint evaluations, double tolerance,
                      WwBoundFunc func, WwBoundDiagonalFunc diagonal, gpointer user_data)
{
  gsize size = self->size;
  guint used = 1;
  double value = func (point, self->gradient, user_data);
  double step = 0;

  self->count = 0;
  diagonal (self->diagonal, user_data);
  while (used < evaluations)
    {
      choose_direction (self);
      double slope = cblas_ddot (size, self->gradient, 1, self->direction, 1);
      double there = INFINITY;

      if (!(slope < 0))
        break;
      step = 1;
      while (used < evaluations)
        {
          for (gsize k = 0; k < size; k++)
            self->trial[k] = point[k] + step * self->direction[k];
          there = func (self->trial, self->trial_gradient, user_data);
          used++;
          if (there <= value + ARMIJO * step * slope)
            break;
          double fitted = -slope * step * step / (2 * (there - value - slope * step));
          step = isfinite (fitted) ? CLAMP (fitted, 0.1 * step, 0.5 * step) : 0.1 * step;
        }
      if (!(there <= value + ARMIJO * step * slope))
        break;
      remember (self, point);
      memcpy (point, self->trial, size * sizeof (double));
      memcpy (self->gradient, self->trial_gradient, size * sizeof (double));
      double gain = value - there;
      value = there;
      if (gain < tolerance * fabs (value))
        break;
    }
}

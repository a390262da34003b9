#include "ww-conjugate.h"

#include <math.h>
#include <string.h>

#define CHUNK 4096            /* summands in single precision before the sum goes on in double */
#define SAME_DIRECTION 0.9995 /* cosine above which two starts have met */

static double
dot (const float *a, const float *b, gsize count)
{
  double total = 0;

  for (gsize c = 0; c < count; c += CHUNK)
    {
      gsize end = MIN (c + CHUNK, count);
      float sum = 0;

#pragma omp simd reduction(+ : sum)
      for (gsize i = c; i < end; i++)
        sum += a[i] * b[i];
      total += sum;
    }

  return total;
}

static void
scale_by (float *vector, gsize count, double factor)
{
  float f = (float) factor;

  for (gsize i = 0; i < count; i++)
    vector[i] *= f;
}

/* a += factor b */
static void
add_multiple (float *a, const float *b, gsize count, double factor)
{
  float f = (float) factor;

  for (gsize i = 0; i < count; i++)
    a[i] += f * b[i];
}

/* Makes a vector tangent to the sphere at `nudge`. Once is not enough: near a maximum the gradient is
 * almost along the nudge, and what rounding leaves of that part is not small beside the rest. */
static void
make_tangent (float *vector, const float *nudge, gsize d)
{
  for (guint pass = 0; pass < 2; pass++)
    add_multiple (vector, nudge, d, -dot (vector, nudge, d));
}

void
ww_conjugate_scale_to_unit (float *vector, gsize d)
{
  scale_by (vector, d, 1 / sqrt (dot (vector, vector, d)));
}

gboolean
ww_conjugate_turn (WwConjugate *conjugate, const float *nudge, float *gradient, float *last,
                   float *direction, gsize d)
{
  double full, squared, last_squared, mixed, norm, rise = 0;

  full = dot (gradient, gradient, d);
  make_tangent (gradient, nudge, d);
  squared = dot (gradient, gradient, d);
  if (!(squared > 1e-12 * full))
    return FALSE;

  last_squared = conjugate->fresh ? 0 : dot (last, last, d);
  mixed = conjugate->fresh ? 0 : dot (gradient, last, d);
  if (last_squared > 0 && squared > mixed)
    {
      scale_by (direction, d, conjugate->slope * (squared - mixed) / last_squared);
      add_multiple (direction, gradient, d, 1);
      rise = dot (direction, gradient, d);
    }

  /* A direction that does not rise, or none yet: the gradient. */
  if (!(rise > 0))
    memcpy (direction, gradient, d * sizeof (float));

  memcpy (last, gradient, d * sizeof (float));
  norm = sqrt (dot (direction, direction, d));
  if (!(norm > 0) || !isfinite (norm))
    return FALSE;

  conjugate->slope = norm;
  conjugate->plain = !(rise > 0);
  conjugate->fresh = FALSE;
  scale_by (direction, d, 1 / norm);

  /* A great circle through a direction that leans towards the nudge would leave the sphere. */
  make_tangent (direction, nudge, d);
  ww_conjugate_scale_to_unit (direction, d);
  return TRUE;
}

void
ww_conjugate_walk (double theta, const float *nudge, float *direction, float *last, float *new_nudge,
                   gsize d)
{
  float cosine = (float) cos (theta), sine = (float) sin (theta);

  for (gsize i = 0; i < d; i++)
    {
      float old = nudge[i];

      new_nudge[i] = cosine * old + sine * direction[i];
      direction[i] = cosine * direction[i] - sine * old;
    }

  add_multiple (last, new_nudge, d, -(float) dot (last, new_nudge, d));
}

static gboolean
is_ahead (const double *values, gsize other, gsize b)
{
  return values[other] > values[b] || (values[other] == values[b] && other < b);
}

gboolean
ww_conjugate_is_duplicate (const float *nudges, const double *values, gsize active, gsize d, gsize b)
{
  for (gsize other = 0; other < active; other++)
    if (other != b && is_ahead (values, other, b)
        && dot (nudges + other * d, nudges + b * d, d) > SAME_DIRECTION)
      return TRUE;

  return FALSE;
}

gsize
ww_conjugate_rank (const double *values, gsize active, gsize b)
{
  gsize ahead = 0;

  for (gsize other = 0; other < active; other++)
    if (is_ahead (values, other, b))
      ahead++;

  return ahead;
}

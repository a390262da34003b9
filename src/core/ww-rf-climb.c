/* Conjugate gradients on the sphere (Polak-Ribiere, restarted where they stop to rise), one great circle
 * a step, for B starts at a time.
 *
 * With D the nudges (B x d, unit rows) and Z = D V_i^T (B x k), a step costs one product with V_i (the
 * image of the new direction) and one with V_i^T (the gradient): everything along a great circle is
 * then a combination of two known images, cos (theta) Z + sin (theta) Z', so the best theta is found
 * without touching V_i again. Plain power steps are contained as the first direction, and need several
 * times as many products to the same value, since the spectrum of V_i has no gap at its edge.
 *
 * In units where the ball has radius 1, relu (u + z) - relu (u) = max (z + low, -high) with
 * low = min (u, 0), high = max (u, 0): one branch-free form without cancellation. high = inf, low = 0 on
 * the active rows and high = 0, low = -inf elsewhere make of it the linear problem of the singular
 * vector. */
#include "ww-rf-climb.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"
#include "ww-rf-private.h"
#include "ww-starts.h"

#define TILE_FLOPS 60000000  /* one product, at most: 1 ms, and 10 ms on a slow machine */
#define CHUNK 4096           /* summands in single precision before the sum goes on in double */
#define CIRCLE_TRIALS 4      /* points tried on a great circle */

struct _WwRfClimb
{
  const WwRf *rf; /* not owned: the workspace lives shorter */
  gsize k, d, tile_rows;
  float length;   /* radius of the ball in units of rf->unit */
  float *low, *high;               /* k */
  WwStarts starts;                 /* D among them: width x d */
  float *image, *direction_image;  /* Z and Z', width x k */
  float *pull;                     /* width x tile_rows: the residual on the rows that move */
};

static void
set_linear (gpointer data, gboolean linear)
{
  WwRfClimb *climb = data;
  const WwRf *rf = climb->rf;
  double scale = rf->unit * (double) climb->length;

  for (gsize r = 0; r < climb->k; r++)
    {
      gboolean active = rf->u[r] > 0;

      /* A pre-activation beyond single precision becomes infinite, which is the linear case again. */
      climb->low[r] = linear ? (active ? 0 : -INFINITY) : (float) (MIN (rf->u[r], 0) / scale);
      climb->high[r] = linear ? (active ? INFINITY : 0) : (float) (MAX (rf->u[r], 0) / scale);
    }
}

WwRfClimb *
ww_rf_climb_new (const WwRf *rf, double length, gsize width, GError **error)
{
  g_autoptr (WwRfClimb) climb = g_new0 (WwRfClimb, 1);
  gsize rows_of_tile = TILE_FLOPS / (2 * rf->d * width);

  climb->rf = rf;
  climb->k = rf->k;
  climb->d = rf->d;
  climb->tile_rows = CLAMP (rows_of_tile, 16, rf->k);
  climb->length = (float) length;

  if ((climb->low = ww_try_alloc (1, rf->k, sizeof (float), error)) == NULL
      || (climb->high = ww_try_alloc (1, rf->k, sizeof (float), error)) == NULL
      || !ww_starts_init (&climb->starts, width, rf->d, error)
      || (climb->image = ww_try_alloc (width, rf->k, sizeof (float), error)) == NULL
      || (climb->direction_image = ww_try_alloc (width, rf->k, sizeof (float), error)) == NULL
      || (climb->pull = ww_try_alloc (width, climb->tile_rows, sizeof (float), error)) == NULL)
    return NULL;

  ww_starts_add_rows (&climb->starts, climb->image, rf->k * sizeof (float));
  set_linear (climb, FALSE);
  return g_steal_pointer (&climb);
}

void
ww_rf_climb_free (WwRfClimb *climb)
{
  if (climb == NULL)
    return;

  free (climb->low);
  free (climb->high);
  ww_starts_clear (&climb->starts);
  free (climb->image);
  free (climb->direction_image);
  free (climb->pull);
  g_free (climb);
}

/* images (active x k) = nudges (active x d) V_i^T */
static gboolean
form_images (WwRfClimb *climb, const float *nudges, gsize active, float *images, const WwCancel *cancel,
             GError **error)
{
  for (gsize r = 0; r < climb->k; r += climb->tile_rows)
    {
      gsize rows = MIN (climb->tile_rows, climb->k - r);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) active, (int) rows, (int) climb->d, 1,
                   nudges, (int) climb->d, climb->rf->block + r * climb->d, (int) climb->d, 0,
                   images + r, (int) climb->k);
    }

  return TRUE;
}

/* change = max (z + low, -high); pull = change where the row moves with z, else 0. Returns the sum of
 * change^2. */
WW_WIDEST_REGISTERS static float
form_pull (const float *image, const float *low, const float *high, gsize count, float *pull)
{
  float sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < count; i++)
    {
      float moved = image[i] + low[i];
      float floor = -high[i];
      gboolean moves = moved > floor;
      float change = moves ? moved : floor;

      pull[i] = moves ? moved : 0;
      sum += change * change;
    }

  return sum;
}

/* gradient (active x d) of half the objective, and the objective itself. */
static gboolean
form_gradients (WwRfClimb *climb, gsize active, const WwCancel *cancel, GError **error)
{
  float *gradient = climb->starts.gradient;
  double *value = climb->starts.value;

  memset (gradient, 0, active * climb->d * sizeof (float));
  memset (value, 0, active * sizeof (double));

  for (gsize r = 0; r < climb->k; r += climb->tile_rows)
    {
      gsize rows = MIN (climb->tile_rows, climb->k - r);

      for (gsize b = 0; b < active; b++)
        for (gsize c = 0; c < rows; c += CHUNK)
          {
            if (c % (16 * CHUNK) == 0 && ww_cancel_check (cancel, error))
              return FALSE;
            value[b] += form_pull (climb->image + b * climb->k + r + c, climb->low + r + c,
                                   climb->high + r + c, MIN (CHUNK, rows - c),
                                   climb->pull + b * climb->tile_rows + c);
          }

      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) active, (int) climb->d, (int) rows,
                   1, climb->pull, (int) climb->tile_rows, climb->rf->block + r * climb->d,
                   (int) climb->d, 1, gradient, (int) climb->d);
    }

  return TRUE;
}

typedef struct
{
  double value, first, second; /* the objective, half its first and half its second derivative */
} CirclePoint;

/* Sums over a chunk at cos Z + sin Z'. */
WW_WIDEST_REGISTERS static void
add_circle_chunk (const float *image, const float *direction_image, const float *low, const float *high,
                  gsize count, float cosine, float sine, CirclePoint *point)
{
  float value = 0, first = 0, second = 0;

#pragma omp simd reduction(+ : value, first, second)
  for (gsize i = 0; i < count; i++)
    {
      float z = cosine * image[i] + sine * direction_image[i];
      float slope = cosine * direction_image[i] - sine * image[i];
      float moved = z + low[i];
      float floor = -high[i];
      gboolean moves = moved > floor;
      float change = moves ? moved : floor;
      float pull = moves ? moved : 0;

      value += change * change;
      first += pull * slope;
      second += (moves ? slope * slope : 0) - pull * z;
    }

  point->value += value;
  point->first += first;
  point->second += second;
}

static gboolean
evaluate_circle (const WwRfClimb *climb, gsize b, double theta, const WwCancel *cancel,
                 CirclePoint *ret_point, GError **error)
{
  const float *image = climb->image + b * climb->k;
  const float *direction_image = climb->direction_image + b * climb->k;

  memset (ret_point, 0, sizeof *ret_point);
  for (gsize r = 0; r < climb->k; r += CHUNK)
    {
      if (r % (16 * CHUNK) == 0 && ww_cancel_check (cancel, error))
        return FALSE;
      add_circle_chunk (image + r, direction_image + r, climb->low + r, climb->high + r,
                        MIN (CHUNK, climb->k - r), (float) cos (theta), (float) sin (theta), ret_point);
    }

  return TRUE;
}

/* The angle at which the objective is largest among a few Newton points on the great circle of start b,
 * kept between points that rise and points that fall. ret_theta is 0 where none beats the start. */
static gboolean
search_circle (const WwRfClimb *climb, gsize b, const WwCancel *cancel, double *ret_theta,
               double *ret_value, GError **error)
{
  double theta = 0, rising = 0, falling = G_PI_2, best = 0, best_value = -1;

  for (guint trial = 0; trial < CIRCLE_TRIALS; trial++)
    {
      CirclePoint point;
      double next;

      if (!evaluate_circle (climb, b, theta, cancel, &point, error))
        return FALSE;

      if (point.value > best_value)
        {
          best = theta;
          best_value = point.value;
        }

      if (point.first > 0)
        rising = theta;
      else
        falling = theta;

      next = theta - point.first / point.second;
      if (!(point.second < 0) || !(next > rising && next < falling))
        next = (rising + falling) / 2;
      theta = next;
    }

  *ret_theta = best;
  *ret_value = best_value;
  return TRUE;
}

/* Walks start b by theta along its great circle and carries direction and gradient along. */
static void
walk (WwRfClimb *climb, gsize b, double theta)
{
  WwStarts *starts = &climb->starts;
  gsize at = b * climb->d, k = climb->k;
  float *image = climb->image + b * k;
  const float *direction_image = climb->direction_image + b * k;
  float cosine = (float) cos (theta), sine = (float) sin (theta);

  ww_conjugate_walk (theta, starts->nudge + at, starts->direction + at, starts->last_gradient + at,
                     starts->nudge + at, climb->d);
  for (gsize r = 0; r < k; r++)
    image[r] = cosine * image[r] + sine * direction_image[r];
}

/* One step of all active starts. ended[b] is set for those that gain no more. */
static gboolean
step (gpointer data, gsize active, double tolerance, guint64 *evaluations, const WwCancel *cancel,
      GError **error)
{
  WwRfClimb *climb = data;
  WwStarts *starts = &climb->starts;

  if (!form_gradients (climb, active, cancel, error))
    return FALSE;
  ww_starts_turn (starts, active, NULL);
  if (!form_images (climb, starts->direction, active, climb->direction_image, cancel, error))
    return FALSE;

  for (gsize b = 0; b < active; b++)
    {
      WwConjugate *conjugate = &starts->conjugate[b];
      double theta, value;

      if (starts->ended[b])
        continue;
      if (!search_circle (climb, b, cancel, &theta, &value, error))
        return FALSE;

      /* A conjugate direction may be a poor one: only a step along the gradient itself ends a climb. */
      conjugate->fresh = theta == 0 || value - starts->value[b] < tolerance * value;
      starts->ended[b] = conjugate->fresh && conjugate->plain;
      if (theta > 0)
        walk (climb, b, theta);
      starts->value[b] = MAX (starts->value[b], value);
    }

  *evaluations += active;
  return TRUE;
}

/* The values come with the first step. */
static gboolean
begin (gpointer data, gsize active, guint64 *evaluations, const WwCancel *cancel, GError **error)
{
  WwRfClimb *climb = data;

  return form_images (climb, climb->starts.nudge, active, climb->image, cancel, error);
}

WwClimber
ww_rf_climb_get_climber (WwRfClimb *climb)
{
  return (WwClimber) {
    .climb = climb,
    .starts = &climb->starts,
    .token = climb->rf->token,
    .x = climb->rf->x,
    .set_linear = set_linear,
    .begin = begin,
    .step = step,
  };
}

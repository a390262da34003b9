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

#include "ww-conjugate.h"
#include "ww-private.h"
#include "ww-rf-private.h"

#define TILE_FLOPS 60000000  /* one product, at most: 1 ms, and 10 ms on a slow machine */
#define CHUNK 4096           /* summands in single precision before the sum goes on in double */
#define CIRCLE_TRIALS 4      /* points tried on a great circle */

struct _WwRfClimb
{
  const WwRf *rf; /* not owned: the workspace lives shorter */
  gsize k, d, width, tile_rows;
  float length;   /* radius of the ball in units of rf->unit */
  float *low, *high;               /* k */
  float *nudge;                    /* D, width x d */
  float *direction;                /* of the great circle, width x d, unit rows */
  float *gradient, *last_gradient; /* tangent to the sphere, width x d */
  float *image, *direction_image;  /* Z and Z', width x k */
  float *pull;                     /* width x tile_rows: the residual on the rows that move */
  double *value;                   /* width */
  WwConjugate *conjugate;          /* width */
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
  climb->width = width;
  climb->tile_rows = CLAMP (rows_of_tile, 16, rf->k);
  climb->length = (float) length;

  if ((climb->low = ww_try_alloc (1, rf->k, sizeof (float), error)) == NULL
      || (climb->high = ww_try_alloc (1, rf->k, sizeof (float), error)) == NULL
      || (climb->nudge = ww_try_alloc (width, rf->d, sizeof (float), error)) == NULL
      || (climb->direction = ww_try_alloc (width, rf->d, sizeof (float), error)) == NULL
      || (climb->gradient = ww_try_alloc (width, rf->d, sizeof (float), error)) == NULL
      || (climb->last_gradient = ww_try_alloc (width, rf->d, sizeof (float), error)) == NULL
      || (climb->image = ww_try_alloc (width, rf->k, sizeof (float), error)) == NULL
      || (climb->direction_image = ww_try_alloc (width, rf->k, sizeof (float), error)) == NULL
      || (climb->pull = ww_try_alloc (width, climb->tile_rows, sizeof (float), error)) == NULL
      || (climb->value = ww_try_alloc (width, 1, sizeof (double), error)) == NULL
      || (climb->conjugate = ww_try_alloc (width, 1, sizeof (WwConjugate), error)) == NULL)
    return NULL;

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
  free (climb->nudge);
  free (climb->direction);
  free (climb->gradient);
  free (climb->last_gradient);
  free (climb->image);
  free (climb->direction_image);
  free (climb->pull);
  free (climb->value);
  free (climb->conjugate);
  g_free (climb);
}

static float *
get_start (gpointer data, gsize index)
{
  WwRfClimb *climb = data;

  return climb->nudge + index * climb->d;
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
  memset (climb->gradient, 0, active * climb->d * sizeof (float));
  memset (climb->value, 0, active * sizeof (double));

  for (gsize r = 0; r < climb->k; r += climb->tile_rows)
    {
      gsize rows = MIN (climb->tile_rows, climb->k - r);

      for (gsize b = 0; b < active; b++)
        for (gsize c = 0; c < rows; c += CHUNK)
          {
            if (c % (16 * CHUNK) == 0 && ww_cancel_check (cancel, error))
              return FALSE;
            climb->value[b] += form_pull (climb->image + b * climb->k + r + c, climb->low + r + c,
                                          climb->high + r + c, MIN (CHUNK, rows - c),
                                          climb->pull + b * climb->tile_rows + c);
          }

      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) active, (int) climb->d, (int) rows,
                   1, climb->pull, (int) climb->tile_rows, climb->rf->block + r * climb->d,
                   (int) climb->d, 1, climb->gradient, (int) climb->d);
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
  gsize d = climb->d, k = climb->k;
  float *nudge = climb->nudge + b * d, *image = climb->image + b * k;
  const float *direction_image = climb->direction_image + b * k;
  float cosine = (float) cos (theta), sine = (float) sin (theta);

  ww_conjugate_walk (theta, nudge, climb->direction + b * d, climb->last_gradient + b * d, nudge, d);
  for (gsize r = 0; r < k; r++)
    image[r] = cosine * image[r] + sine * direction_image[r];
}

/* Start `to` takes over what start `from` has. */
static void
move_start (WwRfClimb *climb, gsize from, gsize to)
{
  gsize d = climb->d, k = climb->k;

  if (from == to)
    return;

  memcpy (climb->nudge + to * d, climb->nudge + from * d, d * sizeof (float));
  memcpy (climb->direction + to * d, climb->direction + from * d, d * sizeof (float));
  memcpy (climb->last_gradient + to * d, climb->last_gradient + from * d, d * sizeof (float));
  memcpy (climb->gradient + to * d, climb->gradient + from * d, d * sizeof (float));
  memcpy (climb->image + to * k, climb->image + from * k, k * sizeof (float));
  memcpy (climb->direction_image + to * k, climb->direction_image + from * k, k * sizeof (float));
  climb->value[to] = climb->value[from];
  climb->conjugate[to] = climb->conjugate[from];
}

/* Notes the value of start b if it is the best so far. */
static void
note_best (const WwRfClimb *climb, gsize b, double *best, double *best_value)
{
  if (climb->value[b] <= *best_value)
    return;

  *best_value = climb->value[b];
  for (gsize i = 0; i < climb->d; i++)
    best[i] = climb->nudge[b * climb->d + i];
}

/* One step of all active starts. ended[b] is set for those that gain no more. */
static gboolean
step (WwRfClimb *climb, gsize active, const WwClimbPlan *plan, gboolean *ended,
      const WwCancel *cancel, GError **error)
{
  if (!form_gradients (climb, active, cancel, error))
    return FALSE;

  for (gsize b = 0; b < active; b++)
    {
      gsize at = b * climb->d;

      ended[b] = !ww_conjugate_turn (&climb->conjugate[b], climb->nudge + at, climb->gradient + at,
                                     climb->last_gradient + at, climb->direction + at, climb->d);
      if (ended[b]) /* no direction, but a row that the product may read */
        memcpy (climb->direction + at, climb->nudge + at, climb->d * sizeof (float));
    }

  if (!form_images (climb, climb->direction, active, climb->direction_image, cancel, error))
    return FALSE;

  for (gsize b = 0; b < active; b++)
    {
      double theta, value;

      if (ended[b])
        continue;
      if (!search_circle (climb, b, cancel, &theta, &value, error))
        return FALSE;

      /* A conjugate direction may be a poor one: only a step along the gradient itself ends a climb. */
      climb->conjugate[b].fresh = theta == 0 || value - climb->value[b] < plan->tolerance * value;
      ended[b] = climb->conjugate[b].fresh && climb->conjugate[b].plain;
      if (theta > 0)
        walk (climb, b, theta);
      climb->value[b] = MAX (climb->value[b], value);
    }

  return TRUE;
}

static gboolean
prepare_starts (WwRfClimb *climb, gsize n_starts, const WwCancel *cancel, GError **error)
{
  for (gsize b = 0; b < n_starts; b++)
    {
      ww_conjugate_scale_to_unit (climb->nudge + b * climb->d, climb->d);
      climb->conjugate[b] = (WwConjugate) { .fresh = TRUE };
    }

  return form_images (climb, climb->nudge, n_starts, climb->image, cancel, error);
}

/* Drops starts that have ended, met a better one, or fallen behind; returns how many go on. */
static gsize
thin (WwRfClimb *climb, gsize active, gsize keep, gboolean *ended)
{
  gsize going = 0;

  for (gsize b = 0; b < active; b++)
    ended[b] = ended[b] || ww_conjugate_is_duplicate (climb->nudge, climb->value, active, climb->d, b)
               || ww_conjugate_rank (climb->value, active, b) >= keep;

  for (gsize b = 0; b < active; b++)
    if (!ended[b])
      move_start (climb, b, going++);

  return going;
}

static gboolean
run (gpointer data, gsize n_starts, const WwClimbPlan *plan, const WwCancel *cancel, double *ret_best,
     double *ret_value, guint64 *evaluations, GError **error)
{
  WwRfClimb *climb = data;
  g_autofree gboolean *ended = g_new0 (gboolean, n_starts);
  double best_value = -1;
  gsize active = n_starts;

  g_return_val_if_fail (n_starts > 0 && n_starts <= climb->width, FALSE);

  if (!prepare_starts (climb, n_starts, cancel, error))
    return FALSE;

  for (guint taken = 0; active > 0 && taken < plan->steps; taken++)
    {
      gsize keep = plan->thin_at > 0 && taken + 1 == plan->thin_at ? plan->thin_to : active;

      if (!step (climb, active, plan, ended, cancel, error))
        return FALSE;

      *evaluations += active;
      for (gsize b = 0; b < active; b++)
        note_best (climb, b, ret_best, &best_value);
      active = thin (climb, active, keep, ended);
    }

  *ret_value = best_value;
  return TRUE;
}

WwClimber
ww_rf_climb_get_climber (WwRfClimb *climb)
{
  return (WwClimber) {
    .climb = climb,
    .width = climb->width,
    .d = climb->d,
    .token = climb->rf->token,
    .x = climb->rf->x,
    .set_linear = set_linear,
    .get_start = get_start,
    .run = run,
  };
}

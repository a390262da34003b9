#include "ww-polish.h"

#include <cblas.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-sort.h"

/* Pairs of steps and gradient changes that the curvature is read from. */
#define MEMORY 10
/* A step must gain this share of what the slope promises. */
#define SUFFICIENT_GAIN 1e-4
#define SMALLEST_STEP 1e-10

/* One nudge that climbs. Arrays of d values unless said. */
typedef struct
{
  double *point, *gradient, *direction; /* gradient: its part along the sphere, times -1 */
  double *steps, *changes;              /* MEMORY x d each, a ring */
  double curvature[MEMORY];             /* 1 / (step . change) */
  gsize n_pairs, next_pair;
  double value, slope, step;
  gboolean active;
} Climber;

struct _WwPolish
{
  WwAttentionProblem *single; /* not owned */
  WwAttentionProblemDouble *exact; /* not owned, or NULL */
  gsize capacity, d, batch;
  double length;
  guint64 evaluations;
  Climber *climbers;
  double *memory;                  /* what the climbers' arrays point into */
  double *trials, *trial_gradients; /* capacity x d */
  double *trial_values;            /* capacity */
  float *single_trials, *single_gradients; /* batch x d */
  gsize *active;                   /* capacity */
};

void
ww_polish_free (WwPolish *self)
{
  if (self == NULL)
    return;

  g_free (self->climbers);
  g_free (self->memory);
  g_free (self->trials);
  g_free (self->trial_gradients);
  g_free (self->trial_values);
  g_free (self->single_trials);
  g_free (self->single_gradients);
  g_free (self->active);
  g_free (self);
}

static void
place_climbers (WwPolish *self)
{
  gsize d = self->d;

  for (gsize c = 0; c < self->capacity; c++)
    {
      Climber *climber = &self->climbers[c];
      double *memory = self->memory + c * (3 + 2 * MEMORY) * d;

      climber->point = memory;
      climber->gradient = memory + d;
      climber->direction = memory + 2 * d;
      climber->steps = memory + 3 * d;
      climber->changes = memory + (3 + MEMORY) * d;
    }
}

WwPolish *
ww_polish_new (WwAttentionProblem *problem, WwAttentionProblemDouble *exact, gsize capacity, double length,
               GError **error)
{
  g_autoptr (WwPolish) self = g_new0 (WwPolish, 1);
  gsize d = ww_attention_problem_get_dims (problem);

  self->single = problem;
  self->exact = exact;
  self->batch = MIN (capacity, ww_attention_problem_get_batch (problem));
  if (exact != NULL)
    self->batch = MIN (self->batch, ww_attention_problem_double_get_batch (exact));
  self->capacity = capacity;
  self->d = d;
  self->length = length;
  self->climbers = g_try_malloc0_n (capacity, sizeof (Climber));
  self->memory = g_try_malloc0_n (capacity * (3 + 2 * MEMORY) * d, sizeof (double));
  self->trials = g_try_malloc0_n (capacity * d, sizeof (double));
  self->trial_gradients = g_try_malloc0_n (capacity * d, sizeof (double));
  self->trial_values = g_try_malloc0_n (capacity, sizeof (double));
  self->single_trials = g_try_malloc0_n (self->batch * d, sizeof (float));
  self->single_gradients = g_try_malloc0_n (self->batch * d, sizeof (float));
  self->active = g_try_malloc0_n (capacity, sizeof (gsize));
  if (self->climbers == NULL || self->memory == NULL || self->trials == NULL
      || self->trial_gradients == NULL || self->trial_values == NULL
      || self->single_trials == NULL || self->single_gradients == NULL || self->active == NULL)
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                           _("Not enough memory to refine what the search found"));
      return NULL;
    }
  place_climbers (self);
  return g_steal_pointer (&self);
}

double *
ww_polish_get_point (WwPolish *self, gsize nudge)
{
  return self->climbers[nudge].point;
}

guint64
ww_polish_get_evaluations (const WwPolish *self)
{
  return self->evaluations;
}

static double
dot (const WwPolish *self, const double *a, const double *b)
{
  return cblas_ddot (self->d, a, 1, b, 1);
}

static void
project (const WwPolish *self, double *point)
{
  double norm = cblas_dnrm2 (self->d, point, 1);

  if (norm > 0)
    cblas_dscal (self->d, self->length / norm, point, 1);
}

/* Minus the part of `gradient` along the sphere at `point`: what a descent of minus the value sees. */
static void
make_tangent (const WwPolish *self, const double *point, double *gradient)
{
  double radial = dot (self, point, gradient) / (self->length * self->length);

  cblas_daxpy (self->d, -radial, point, 1, gradient, 1);
  cblas_dscal (self->d, -1, gradient, 1);
}

/* The quasi-Newton direction by the usual two loops over the remembered pairs. */
static void
choose_direction (const WwPolish *self, Climber *climber)
{
  double alpha[MEMORY], *direction = climber->direction;
  gsize d = self->d;

  memcpy (direction, climber->gradient, d * sizeof (double));
  for (gsize p = 0; p < climber->n_pairs; p++)
    {
      gsize at = (climber->next_pair + MEMORY - 1 - p) % MEMORY;

      alpha[at] = climber->curvature[at] * dot (self, climber->steps + at * d, direction);
      cblas_daxpy (d, -alpha[at], climber->changes + at * d, 1, direction, 1);
    }
  if (climber->n_pairs > 0)
    {
      gsize at = (climber->next_pair + MEMORY - 1) % MEMORY;
      const double *change = climber->changes + at * d;

      cblas_dscal (d, 1 / (climber->curvature[at] * dot (self, change, change)), direction, 1);
    }
  for (gsize p = climber->n_pairs; p-- > 0;)
    {
      gsize at = (climber->next_pair + MEMORY - 1 - p) % MEMORY;
      double beta = climber->curvature[at] * dot (self, climber->changes + at * d, direction);

      cblas_daxpy (d, alpha[at] - beta, climber->steps + at * d, 1, direction, 1);
    }
  cblas_dscal (d, -1, direction, 1);

  climber->slope = dot (self, direction, climber->gradient);
  if (climber->slope < 0)
    return;
  climber->n_pairs = 0;
  for (gsize k = 0; k < d; k++)
    direction[k] = -climber->gradient[k];
  climber->slope = dot (self, direction, climber->gradient);
}

/* A new direction and its first step: 1 once the curvature is known, before that a tenth of the
 * radius. No step may go further than the radius. */
static void
aim (const WwPolish *self, Climber *climber)
{
  choose_direction (self, climber);

  double norm = cblas_dnrm2 (self->d, climber->direction, 1);
  climber->step = climber->n_pairs > 0 ? 1 : 0.1 * self->length / norm;
  climber->step = MIN (climber->step, self->length / norm);
  climber->active = climber->slope < 0 && isfinite (climber->slope) && norm > 0;
}

/* Remembers the step from the old to the new point, if the curvature along it is positive. */
static void
remember (const WwPolish *self, Climber *climber, const double *point, const double *gradient)
{
  gsize d = self->d, at = climber->next_pair;
  double *step = climber->steps + at * d, *change = climber->changes + at * d;

  for (gsize k = 0; k < d; k++)
    {
      step[k] = point[k] - climber->point[k];
      change[k] = gradient[k] - climber->gradient[k];
    }
  double product = dot (self, step, change);
  if (product <= 1e-12 * dot (self, change, change))
    return;
  climber->curvature[at] = 1 / product;
  climber->next_pair = (at + 1) % MEMORY;
  climber->n_pairs = MIN (climber->n_pairs + 1, MEMORY);
}

/* Takes trial `c` if it gains enough, else halves the step. */
static void
judge_trial (WwPolish *self, Climber *climber, gsize c, double tolerance)
{
  gsize d = self->d;
  double *point = self->trials + c * d, *gradient = self->trial_gradients + c * d;
  double gain = self->trial_values[c] - climber->value;

  if (!(gain >= -SUFFICIENT_GAIN * climber->step * climber->slope))
    {
      climber->step *= 0.3;
      if (climber->step > SMALLEST_STEP)
        return;
      if (climber->n_pairs == 0)
        {
          climber->active = FALSE;
          return;
        }
      climber->n_pairs = 0;
      aim (self, climber);
      return;
    }

  make_tangent (self, point, gradient);
  remember (self, climber, point, gradient);
  memcpy (climber->point, point, d * sizeof (double));
  memcpy (climber->gradient, gradient, d * sizeof (double));
  climber->value = self->trial_values[c];
  aim (self, climber);
  if (gain < tolerance * fabs (climber->value))
    climber->active = FALSE;
}

/* The trials from `first` on, at most a batch of them. */
static void
evaluate_batch (WwPolish *self, const WwAttentionObjective *objective, gboolean exact, gsize first,
                gsize count)
{
  gsize at = first * self->d;

  if (exact)
    {
      ww_attention_problem_double_evaluate (self->exact, objective, count, self->trials + at,
                                            self->trial_values + first, self->trial_gradients + at);
      return;
    }

  for (gsize k = 0; k < count * self->d; k++)
    self->single_trials[k] = self->trials[at + k];
  ww_attention_problem_evaluate (self->single, objective, count, self->single_trials,
                                 self->trial_values + first, self->single_gradients);
  for (gsize k = 0; k < count * self->d; k++)
    self->trial_gradients[at + k] = self->single_gradients[k];
}

static gboolean
evaluate (WwPolish *self, const WwAttentionObjective *objective, gboolean exact, gsize count,
          const WwCancel *cancel, GError **error)
{
  for (gsize first = 0; first < count; first += self->batch)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      evaluate_batch (self, objective, exact, first, MIN (self->batch, count - first));
    }
  self->evaluations += count;

  /* Scores beyond the range of a float make no number, and no summit. */
  for (gsize c = 0; c < count; c++)
    if (isnan (self->trial_values[c]))
      self->trial_values[c] = -INFINITY;
  return TRUE;
}

static gboolean
begin (WwPolish *self, const WwAttentionObjective *objective, gboolean exact, const gsize *nudges,
       gsize count, const WwCancel *cancel, GError **error)
{
  gsize d = self->d;

  for (gsize c = 0; c < count; c++)
    {
      Climber *climber = &self->climbers[nudges[c]];

      project (self, climber->point);
      memcpy (self->trials + c * d, climber->point, d * sizeof (double));
    }
  if (!evaluate (self, objective, exact, count, cancel, error))
    return FALSE;
  for (gsize c = 0; c < count; c++)
    {
      Climber *climber = &self->climbers[nudges[c]];

      memcpy (climber->gradient, self->trial_gradients + c * d, d * sizeof (double));
      make_tangent (self, climber->point, climber->gradient);
      climber->value = self->trial_values[c];
      climber->n_pairs = climber->next_pair = 0;
      aim (self, climber);
    }
  return TRUE;
}

/* The trials of those among the nudges that still climb; how many. */
static gsize
make_trials (WwPolish *self, const gsize *nudges, gsize count)
{
  gsize d = self->d, n_active = 0;

  for (gsize c = 0; c < count; c++)
    {
      Climber *climber = &self->climbers[nudges[c]];
      double *trial = self->trials + n_active * d;

      if (!climber->active)
        continue;
      memcpy (trial, climber->point, d * sizeof (double));
      cblas_daxpy (d, climber->step, climber->direction, 1, trial, 1);
      project (self, trial);
      self->active[n_active++] = nudges[c];
    }
  return n_active;
}

gboolean
ww_polish_run (WwPolish *self, const WwAttentionObjective *objective, gboolean exact,
               const gsize *nudges, gsize count, guint max_steps, double tolerance,
               const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (count <= self->capacity && (!exact || self->exact != NULL), FALSE);

  if (!begin (self, objective, exact, nudges, count, cancel, error))
    return FALSE;
  for (guint s = 0; s < max_steps; s++)
    {
      gsize n_active = make_trials (self, nudges, count);

      if (n_active == 0)
        break;
      if (!evaluate (self, objective, exact, n_active, cancel, error))
        return FALSE;
      for (gsize a = 0; a < n_active; a++)
        judge_trial (self, &self->climbers[self->active[a]], a, tolerance);
    }
  return TRUE;
}

static int
compare_nudges (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const WwPolish *self = user_data;
  gsize i = *(const gsize *) a, k = *(const gsize *) b;
  double value = self->climbers[i].value, other = self->climbers[k].value;

  if (value != other)
    return value > other ? -1 : 1;
  return i < k ? -1 : i > k;
}

void
ww_polish_sort (const WwPolish *self, gsize *nudges, gsize count)
{
  ww_sort (nudges, count, compare_nudges, (gpointer) self);
}

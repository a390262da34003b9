#include "ww-ascent.h"

#include <cblas.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-sort.h"

/* A start whose steps had to be damped further than this stands on its summit. */
#define SMALLEST_MIX 1e-3

struct _WwAscent
{
  WwAttentionProblem *problem;
  gsize capacity, d, batch;
  double length;
  guint64 evaluations;
  double target;
  gboolean has_reached;
  gsize reached; /* the start that has */

  float *points;    /* capacity x d */
  float *gradients; /* capacity x d */
  double *values;   /* capacity */
  float *mix;       /* capacity: m */
  gsize *active;    /* capacity: the starts that still climb */

  float *trials;          /* batch x d */
  float *trial_gradients; /* batch x d */
  double *trial_values;   /* batch */
};

void
ww_ascent_free (WwAscent *self)
{
  if (self == NULL)
    return;

  g_free (self->points);
  g_free (self->gradients);
  g_free (self->values);
  g_free (self->mix);
  g_free (self->active);
  g_free (self->trials);
  g_free (self->trial_gradients);
  g_free (self->trial_values);
  g_free (self);
}

WwAscent *
ww_ascent_new (WwAttentionProblem *problem, gsize capacity, double length, GError **error)
{
  gsize d = ww_attention_problem_get_dims (problem);
  gsize batch = ww_attention_problem_get_batch (problem);
  g_autoptr (WwAscent) self = g_new0 (WwAscent, 1);

  self->problem = problem;
  self->capacity = capacity;
  self->d = d;
  self->batch = batch;
  self->length = length;
  self->target = INFINITY;
  if (capacity > G_MAXSIZE / d
      || (self->points = g_try_malloc0_n (capacity * d, sizeof (float))) == NULL
      || (self->gradients = g_try_malloc0_n (capacity * d, sizeof (float))) == NULL
      || (self->values = g_try_malloc0_n (capacity, sizeof (double))) == NULL
      || (self->mix = g_try_malloc0_n (capacity, sizeof (float))) == NULL
      || (self->active = g_try_malloc0_n (capacity, sizeof (gsize))) == NULL
      || (self->trials = g_try_malloc0_n (batch * d, sizeof (float))) == NULL
      || (self->trial_gradients = g_try_malloc0_n (batch * d, sizeof (float))) == NULL
      || (self->trial_values = g_try_malloc0_n (batch, sizeof (double))) == NULL)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                   g_dngettext (GETTEXT_PACKAGE,
                                "Not enough memory for a search with %zu start",
                                "Not enough memory for a search with %zu starts", capacity),
                   capacity);
      return NULL;
    }
  return g_steal_pointer (&self);
}

float *
ww_ascent_get_point (WwAscent *self, gsize start)
{
  return self->points + start * self->d;
}

guint64
ww_ascent_get_evaluations (const WwAscent *self)
{
  return self->evaluations;
}

void
ww_ascent_set_target (WwAscent *self, double target)
{
  self->target = target;
  self->has_reached = FALSE;
}

gboolean
ww_ascent_has_reached (const WwAscent *self, gsize *ret_start)
{
  if (self->has_reached && ret_start != NULL)
    *ret_start = self->reached;
  return self->has_reached;
}

static void
project (const WwAscent *self, float *point)
{
  double norm = cblas_dsdot (self->d, point, 1, point, 1);

  if (norm > 0 && isfinite (norm))
    {
      cblas_sscal (self->d, self->length / sqrt (norm), point, 1);
      return;
    }
  memset (point, 0, self->d * sizeof (float));
  point[0] = self->length;
}

void
ww_ascent_project (WwAscent *self, gsize start)
{
  project (self, self->points + start * self->d);
}

static void
evaluate (WwAscent *self, const WwAttentionObjective *objective, gsize count)
{
  ww_attention_problem_evaluate (self->problem, objective, count, self->trials,
                                 self->trial_values, self->trial_gradients);
  self->evaluations += count;
  /* Scores beyond the range of a float make no number, and no summit. */
  for (gsize c = 0; c < count; c++)
    if (isnan (self->trial_values[c]))
      self->trial_values[c] = -INFINITY;
}

/* What is climbed is never more than the map itself: no temperature, no smoothing, no stand-in. */
static gboolean
is_certain (const WwAttentionObjective *objective)
{
  return objective->capture == 0 && objective->beta == 1 && objective->smoothing == 0;
}

/* Keeps trial `c` as the new place of `start`. */
static void
accept (WwAscent *self, const WwAttentionObjective *objective, gsize start, gsize c)
{
  gsize d = self->d;

  if (self->trial_values[c] >= self->target && !self->has_reached && is_certain (objective))
    {
      self->has_reached = TRUE;
      self->reached = start;
    }

  memcpy (self->points + start * d, self->trials + c * d, d * sizeof (float));
  memcpy (self->gradients + start * d, self->trial_gradients + c * d, d * sizeof (float));
  self->values[start] = self->trial_values[c];
}

/* The trial point of `start` at place `c`. FALSE where the gradient leads nowhere. */
static gboolean
make_trial (WwAscent *self, gsize start, gsize c)
{
  gsize d = self->d;
  const float *gradient = self->gradients + start * d;
  float *trial = self->trials + c * d;
  double norm = sqrt (cblas_dsdot (d, gradient, 1, gradient, 1));

  memcpy (trial, self->points + start * d, d * sizeof (float));
  if (!(norm > 0) || !isfinite (norm))
    return FALSE;

  cblas_sscal (d, 1 - self->mix[start], trial, 1);
  cblas_saxpy (d, self->mix[start] * self->length / norm, gradient, 1, trial, 1);
  project (self, trial);
  return TRUE;
}

/* Takes or refuses trial `c`; TRUE if `start` goes on climbing. */
static gboolean
judge_trial (WwAscent *self, const WwAttentionObjective *objective, gsize start, gsize c,
             double tolerance)
{
  double gain = self->trial_values[c] - self->values[start];

  if (gain > 0)
    {
      accept (self, objective, start, c);
      self->mix[start] = MIN (1, 2 * self->mix[start]);
      return gain >= tolerance * fabs (self->values[start]);
    }
  self->mix[start] /= 4;
  return self->mix[start] >= SMALLEST_MIX;
}

/* One step of the active starts first ... first + count - 1; those that stop are marked. */
static void
step (WwAscent *self, const WwAttentionObjective *objective, gsize first, gsize count,
      double tolerance)
{
  gboolean moved[WW_ATTENTION_LARGEST_BATCH];

  for (gsize c = 0; c < count; c++)
    moved[c] = make_trial (self, self->active[first + c], c);
  evaluate (self, objective, count);
  for (gsize c = 0; c < count; c++)
    if (!moved[c] || !judge_trial (self, objective, self->active[first + c], c, tolerance))
      self->active[first + c] = G_MAXSIZE;
}

static gsize
drop_stopped (WwAscent *self, gsize n_active)
{
  gsize kept = 0;

  for (gsize a = 0; a < n_active; a++)
    if (self->active[a] != G_MAXSIZE)
      self->active[kept++] = self->active[a];
  return kept;
}

/* Values and gradients where the starts stand. */
static gboolean
begin (WwAscent *self, const WwAttentionObjective *objective, const gsize *starts, gsize n_starts,
       const WwCancel *cancel, GError **error)
{
  for (gsize first = 0; first < n_starts && !self->has_reached; first += self->batch)
    {
      gsize count = MIN (self->batch, n_starts - first);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      for (gsize c = 0; c < count; c++)
        memcpy (self->trials + c * self->d, self->points + starts[first + c] * self->d,
                self->d * sizeof (float));
      evaluate (self, objective, count);
      for (gsize c = 0; c < count; c++)
        {
          accept (self, objective, starts[first + c], c);
          self->mix[starts[first + c]] = 1;
          self->active[first + c] = starts[first + c];
        }
    }
  return TRUE;
}

gboolean
ww_ascent_run (WwAscent *self, const WwAttentionObjective *objective, const gsize *starts,
               gsize n_starts, guint max_steps, double tolerance, gsize enough,
               const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (n_starts <= self->capacity && self->batch <= WW_ATTENTION_LARGEST_BATCH, FALSE);

  gsize n_active = n_starts;

  if (!begin (self, objective, starts, n_starts, cancel, error))
    return FALSE;
  for (guint s = 0; s < max_steps && n_active > enough && !self->has_reached; s++)
    {
      /* Batches of equal size: a small rest would cost nearly as much as a full batch. */
      gsize n_batches = (n_active + self->batch - 1) / self->batch;
      gsize size = (n_active + n_batches - 1) / n_batches;

      for (gsize first = 0; first < n_active && !self->has_reached; first += size)
        {
          if (ww_cancel_check (cancel, error))
            return FALSE;
          step (self, objective, first, MIN (size, n_active - first), tolerance);
        }
      n_active = drop_stopped (self, n_active);
    }
  return TRUE;
}

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const WwAscent *self = user_data;
  gsize i = *(const gsize *) a, k = *(const gsize *) b;

  if (self->values[i] != self->values[k])
    return self->values[i] > self->values[k] ? -1 : 1;
  return i < k ? -1 : i > k;
}

void
ww_ascent_sort (const WwAscent *self, gsize *starts, gsize n_starts)
{
  ww_sort (starts, n_starts, compare_starts, (gpointer) self);
}

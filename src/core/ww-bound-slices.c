#include "ww-bound-slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-bound-descent.h"
#include "ww-private.h"

/* Slices at first, and most of all; the first divide [-1, 1] evenly. */
#define FIRST_SLICES 6
#define MOST_SLICES 96

/* A slice is split down to this width. Its bound exceeds the limit of infinitely thin slices by about
 * a third of its width, relatively. */
#define LEAST_WIDTH 0.02

/* Evaluations of one run of the descent: of a slice from the guess, at each temperature; from a
 * neighbour; from the slice that it is a part of. */
#define EVALUATIONS_FIRST 60
#define EVALUATIONS_NEXT 40
#define EVALUATIONS_PART 20

/* Temperatures as parts of the mean change of a row: the smoothing then costs about as much of the
 * whole. */
static const double temperatures[] = { 0.1, 0.02, 0.004 };

#define TOLERANCE 2e-5

typedef struct
{
  double t1, t2;
  double bound;
  double *multipliers;
} Slice;

typedef struct
{
  WwBoundDual *dual;
  WwBoundDescent *descent;
  const WwCancel *cancel;
  Slice slices[MOST_SLICES];
  gsize count;
  double *multipliers; /* MOST_SLICES x size */
  double *best;        /* size: the multipliers of the smallest exact value */
  double temperature;
  double exact;        /* the smallest of this run */
} Work;

static void
work_clear (Work *work)
{
  free (work->multipliers);
  ww_bound_descent_free (work->descent);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* A raised flag makes every later value NaN, which ends the descent at once. */
static double
evaluate (const double *point, double *ret_gradient, gpointer data)
{
  Work *work = data;
  double exact;

  if (ww_cancel_is_raised (work->cancel))
    return NAN;

  double value = ww_bound_dual_evaluate (work->dual, point, work->temperature, ret_gradient, &exact);
  if (exact < work->exact)
    {
      work->exact = exact;
      memcpy (work->best, point, ww_bound_dual_get_size (work->dual) * sizeof (double));
    }
  return value;
}

static void
diagonal (double *ret, gpointer data)
{
  Work *work = data;

  ww_bound_dual_diagonal (work->dual, ret);
}

/* Lowers the bound of a slice from where its multipliers are, at the temperatures from `first` on. */
static void
improve (Work *work, Slice *slice, gsize first, guint evaluations)
{
  gsize size = ww_bound_dual_get_size (work->dual);

  ww_bound_dual_set_slice (work->dual, slice->t1, slice->t2);
  work->exact = INFINITY;
  for (gsize k = first; k < G_N_ELEMENTS (temperatures); k++)
    {
      double scale = MIN (work->exact, slice->bound) / (work->dual->unit * (size + 1));

      work->temperature = temperatures[k] * scale;
      ww_bound_descent_run (work->descent, slice->multipliers, evaluations, TOLERANCE, evaluate,
                            diagonal, work);
    }
  if (work->exact < INFINITY)
    memcpy (slice->multipliers, work->best, size * sizeof (double));
  slice->bound = MIN (slice->bound, work->exact);
}

static gboolean
work_init (Work *work, WwBoundDual *dual, const WwCancel *cancel, GError **error)
{
  gsize size = ww_bound_dual_get_size (dual);

  work->dual = dual;
  work->cancel = cancel;
  work->multipliers = ww_try_alloc (MOST_SLICES + 1, size, sizeof (double), error);
  if (work->multipliers == NULL)
    return FALSE;
  work->best = work->multipliers + MOST_SLICES * size;
  for (gsize k = 0; k < MOST_SLICES; k++)
    work->slices[k].multipliers = work->multipliers + k * size;
  work->descent = ww_bound_descent_new (size, error);
  return work->descent != NULL;
}

/* The even slices, from the one that holds tau = 1/2, where the largest changes lie, outwards: each
 * begins with the multipliers of its neighbour. */
static void
divide (Work *work, double whole)
{
  gsize size = ww_bound_dual_get_size (work->dual), middle = FIRST_SLICES * 3 / 4;

  work->count = FIRST_SLICES;
  for (gsize k = 0; k < FIRST_SLICES; k++)
    {
      gsize at = k < FIRST_SLICES - middle ? middle + k : FIRST_SLICES - 1 - k;
      Slice *slice = &work->slices[at];

      slice->t1 = -1 + 2.0 * at / FIRST_SLICES;
      slice->t2 = -1 + 2.0 * (at + 1) / FIRST_SLICES;
      slice->bound = whole;
      if (k == 0)
        ww_bound_dual_guess (work->dual, slice->multipliers);
      else
        memcpy (slice->multipliers, work->slices[at > middle ? at - 1 : at + 1].multipliers,
                size * sizeof (double));
      improve (work, slice, k == 0 ? 0 : 1, k == 0 ? EVALUATIONS_FIRST : EVALUATIONS_NEXT);
    }
}

static Slice *
find_worst (Work *work)
{
  Slice *worst = work->slices;

  for (gsize k = 1; k < work->count; k++)
    if (work->slices[k].bound > worst->bound)
      worst = &work->slices[k];
  return worst;
}

/* The upper half becomes a new slice. */
static void
split (Work *work, Slice *slice)
{
  Slice *part = &work->slices[work->count++];
  double middle = 0.5 * (slice->t1 + slice->t2);

  memcpy (part->multipliers, slice->multipliers,
          ww_bound_dual_get_size (work->dual) * sizeof (double));
  part->bound = slice->bound;
  part->t1 = middle;
  part->t2 = slice->t2;
  slice->t2 = middle;
  improve (work, slice, G_N_ELEMENTS (temperatures) - 1, EVALUATIONS_PART);
  improve (work, part, G_N_ELEMENTS (temperatures) - 1, EVALUATIONS_PART);
}

gboolean
ww_bound_sliced (const WwBoundRows *rows, double enough, const WwCancel *cancel, double *ret_change2,
                 GError **error)
{
  double whole = MIN (ww_bound_triangle (rows), ww_bound_quadratic (rows));
  g_auto (WwBoundDual) dual = { 0 };
  g_auto (Work) work = { 0 };

  if (rows->count == 0)
    {
      *ret_change2 = whole;
      return TRUE;
    }
  if (!ww_bound_dual_init (&dual, rows, cancel, error) || !work_init (&work, &dual, cancel, error))
    return FALSE;

  divide (&work, whole);
  for (;;)
    {
      Slice *worst = find_worst (&work);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      if (worst->bound <= enough || worst->t2 - worst->t1 < LEAST_WIDTH || work.count == MOST_SLICES)
        {
          *ret_change2 = worst->bound;
          return TRUE;
        }
      split (&work, worst);
    }
}

#include "ww-bound-slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-bound-joint.h"
#include "ww-bound-shared.h"
#include "ww-private.h"

/* Slices at first, which divide [-1, 1] evenly, and most of all. */
#define FIRST_SLICES 6
#define MOST_SLICES 256

/* How far the bound is driven. Slices are split down to `width`: the bound exceeds the limit of
 * infinitely thin ones by about a quarter of that, relatively. Work ends when the worst slice is no more
 * than the part `close` above the level, and a path at the temperature `coldest`. */
typedef struct
{
  double width, close, coldest;
} Detail;

/* Up to this many rows everything is cheap. */
#define FEW_ROWS 128
static const Detail fine = { 0.0053, 1e-3, 0.01 };
static const Detail coarse = { 0.0105, 5e-3, 0.03 };

/* Sets of multipliers kept, and where tau was when the first was found: the largest changes lie near
 * tau = 1/2. */
#define MOST_SETS 20
#define FIRST_TAU 0.5

/* Another set is not worth its time where the last lowered the worst slice by less than this part. */
#define LEAST_GAIN 1e-3

/* How far below the level a slice may be brought: it cannot matter then. */
#define SLACK 0.005

typedef struct
{
  double t1, t2;
  double bound;
  gsize set;        /* whose multipliers gave the bound */
  gboolean settled; /* multipliers were optimised for this very slice */
} Slice;

/* The solver in use, the slices so far and the sets of multipliers found so far. */
typedef struct
{
  WwBoundDual *dual;
  Detail detail;
  gboolean is_joint;
  WwBoundJoint joint;
  WwBoundShared shared;
  gsize size;
  double *sets;     /* MOST_SETS x size, and one to try with */
  double *centrals; /* likewise: the points at which other slices join the path */
  double taus[MOST_SETS]; /* the middle of the slice that each was made for */
  WwBoundNudge parts[MOST_SETS]; /* what the joint solver keeps of each */
  gsize n_sets;
  Slice slices[MOST_SLICES];
  gsize count;
  double level; /* the largest bound for which multipliers were optimised: little is to be had below */
} Work;

static void
work_clear (Work *work)
{
  free (work->sets);
  free (work->centrals);
  ww_bound_joint_clear (&work->joint);
  ww_bound_shared_clear (&work->shared);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
work_init (Work *work, WwBoundDual *dual, const WwCancel *cancel, GError **error)
{
  work->dual = dual;
  work->detail = dual->rows->count <= FEW_ROWS ? fine : coarse;
  work->is_joint = dual->rows->count <= WW_BOUND_MOST_JOINT_ROWS;
  if (work->is_joint ? !ww_bound_joint_init (&work->joint, dual, work->detail.coldest, cancel, error)
                     : !ww_bound_shared_init (&work->shared, dual, cancel, error))
    return FALSE;
  work->size = work->is_joint ? work->joint.size : work->shared.size;
  work->sets = ww_try_alloc (MOST_SETS + 1, work->size, sizeof (double), error);
  if (work->sets == NULL)
    return FALSE;
  work->centrals = ww_try_alloc (MOST_SETS + 1, work->size, sizeof (double), error);
  return work->centrals != NULL;
}

/* By how much tau changes, and multipliers are to grow, from the slice of a set to another one. */
static double
get_change (const Work *work, const Slice *slice, gsize set)
{
  return 0.5 * (slice->t1 + slice->t2) - work->taus[set];
}

static double
get_scale (const Work *work, const Slice *slice, gsize set)
{
  return ww_bound_dual_scale (work->dual, slice->t2) / ww_bound_dual_scale (work->dual, work->taus[set]);
}

/* Copies a set (or its central point), carried to the middle of a slice; the scale is that of the end
 * where changes are larger, so that no row prefers to turn to the token there. */
static void
carry_set (const Work *work, const Slice *slice, const double *sets, gsize set, double *ret)
{
  double change = get_change (work, slice, set), scale = get_scale (work, slice, set);

  memcpy (ret, sets + set * work->size, work->size * sizeof (double));
  if (work->is_joint)
    ww_bound_joint_carry (&work->joint, change, scale, ret);
  else
    ww_bound_shared_carry (&work->shared, change, scale, ret);
}

/* Lowers the bound of a slice by the multipliers of a set, if they do. */
static void
try_set (Work *work, Slice *slice, gsize set)
{
  double *multipliers = work->sets + MOST_SETS * work->size;

  carry_set (work, slice, work->sets, set, multipliers);
  ww_bound_dual_set_slice (work->dual, slice->t1, slice->t2);
  double value = work->is_joint
                   ? ww_bound_joint_carried_value (&work->joint, &work->parts[set], get_change (work, slice, set),
                                                   get_scale (work, slice, set), slice->bound, multipliers)
                   : ww_bound_shared_value (&work->shared, multipliers);
  if (value < slice->bound)
    {
      slice->bound = value;
      slice->set = set;
    }
}

/* Optimises the set last added for a slice. */
static void
improve (Work *work, Slice *slice, gboolean cold, double enough)
{
  double *multipliers = work->sets + (work->n_sets - 1) * work->size;
  double *central = work->centrals + (work->n_sets - 1) * work->size;

  work->taus[work->n_sets - 1] = 0.5 * (slice->t1 + slice->t2);
  ww_bound_dual_set_slice (work->dual, slice->t1, slice->t2);
  double value = work->is_joint
                   ? ww_bound_joint_improve (&work->joint, multipliers, central, cold, slice->bound, enough)
                   : ww_bound_shared_improve (&work->shared, multipliers, cold, slice->bound);
  if (value < slice->bound)
    {
      slice->bound = value;
      slice->set = work->n_sets - 1;
    }
  slice->settled = TRUE;
  /* Where an interrupted path has left the domain, nothing can be made of the set any more. */
  if (work->is_joint && !ww_bound_joint_get_parts (&work->joint, multipliers, &work->parts[work->n_sets - 1]))
    work->parts[work->n_sets - 1] = (WwBoundNudge) { .g = INFINITY };
}

/* The first set, from a guess, at a thin slice that is none of the division. */
static void
begin (Work *work, double whole, double enough)
{
  Slice slice = { FIRST_TAU - 0.005, FIRST_TAU + 0.005, whole, 0, FALSE };

  work->n_sets = 1;
  ww_bound_dual_set_slice (work->dual, slice.t1, slice.t2);
  if (work->is_joint)
    ww_bound_joint_guess (&work->joint, work->sets);
  else
    ww_bound_shared_guess (&work->shared, work->sets);
  improve (work, &slice, TRUE, enough);
  work->level = slice.bound;

  work->count = FIRST_SLICES;
  for (gsize k = 0; k < FIRST_SLICES; k++)
    {
      work->slices[k] = (Slice) { -1 + 2.0 * k / FIRST_SLICES, -1 + 2.0 * (k + 1) / FIRST_SLICES,
                                  whole, 0, FALSE };
      try_set (work, &work->slices[k], 0);
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

/* The upper half becomes a new slice; both keep the bound of the whole until they have a better one. */
static void
split (Work *work, Slice *slice)
{
  Slice *part = &work->slices[work->count++];

  *part = *slice;
  slice->t2 = part->t1 = 0.5 * (slice->t1 + slice->t2);
  try_set (work, slice, slice->set);
  try_set (work, part, part->set);
}

/* A set of its own for the slice, from the one that served it so far; then all slices that are worse
 * than this one has become try it. Returns the relative gain. */
static double
settle (Work *work, Slice *slice, double enough)
{
  double before = slice->bound;

  carry_set (work, slice, work->sets, slice->set, work->sets + work->n_sets * work->size);
  carry_set (work, slice, work->centrals, slice->set, work->centrals + work->n_sets * work->size);
  work->n_sets++;
  improve (work, slice, FALSE, MAX (enough, (1 - SLACK) * work->level));
  work->level = MAX (work->level, slice->bound);
  for (gsize k = 0; k < work->count; k++)
    if (work->slices[k].bound > slice->bound)
      try_set (work, &work->slices[k], work->n_sets - 1);
  return 1 - slice->bound / before;
}

gboolean
ww_bound_sliced (const WwBoundRows *rows, double enough, const WwCancel *cancel, double *ret_change2,
                 GError **error)
{
  double whole = MIN (ww_bound_triangle (rows), ww_bound_quadratic (rows)), gain = 1;
  g_auto (WwBoundDual) dual = { 0 };
  g_auto (Work) work = { 0 };

  if (rows->count == 0)
    {
      *ret_change2 = whole;
      return TRUE;
    }
  if (!ww_bound_dual_init (&dual, rows, cancel, error) || !work_init (&work, &dual, cancel, error))
    return FALSE;

  begin (&work, whole, enough);
  for (;;)
    {
      Slice *worst = find_worst (&work);

      if (ww_cancel_check (cancel, error))
        return FALSE;
      if (worst->bound > enough && worst->t2 - worst->t1 > work.detail.width
          && work.count < MOST_SLICES)
        split (&work, worst);
      else if (worst->bound > enough && !worst->settled && work.n_sets < MOST_SETS
               && gain > LEAST_GAIN && worst->bound > (1 + work.detail.close) * work.level)
        gain = settle (&work, worst, enough);
      else
        {
          *ret_change2 = worst->bound;
          return TRUE;
        }
    }
}

#include "ww-sweep-plan.h"

#include <stdlib.h>

#include "ww-bound-slices.h"
#include "ww-climb-search.h"
#include "ww-private.h"

/* Slices behind the first one left that are looked at: a plan of a million points is made in no time. */
#define LOOK_AHEAD 1024
/* What every slice may take besides its arrays. */
#define OVERHEAD 2097152
/* Candidates of a batch in the search of attention, with what it keeps of each, at the most. */
#define BATCH 256

struct _WwSweepPlan
{
  const WwSweep *sweep; /* borrowed */
  guint64 budget, used;
  gsize n_slices;
  gsize first;     /* the first slice that nobody has, or n_slices */
  gsize n_running;
  guint8 *taken;   /* n_slices */
};

/* V_i in single precision, low, high and u, two images of each start, the change in double precision, and the
 * tiles of one product. */
static guint64
estimate_rf (guint64 d, guint64 k)
{
  return 4 * k * d + k * (8 + 3 * 8 + 8 * WW_CLIMB_MOST_STARTS) + 8 * WW_CLIMB_MOST_STARTS * (k + 8 * d);
}

/* The RF of the first layer; weights and u of the others; changes and trials of each start in all layers. */
static guint64
estimate_drf (guint64 d, guint64 depth, guint64 width)
{
  guint64 units = depth * width;

  return 4 * width * d + 4 * (depth - 1) * width * width + units * (3 * 8 + 2 * 4 * WW_CLIMB_MOST_STARTS)
         + 8 * WW_CLIMB_MOST_STARTS * (4 * width + 8 * d);
}

/* Arrays of n x d and d x d in double precision, scores and weights that are at most as large as n x d, and
 * batches of candidates. */
static guint64
estimate_attention (guint64 n, guint64 d)
{
  return 8 * (10 * n * d + 5 * d * d + 4 * n * MIN (n, d)) + 8 * BATCH * (3 * n + 8 * d);
}

/* The tight bound, for as many rows as are looked at together: two squares of them, and of their multipliers,
 * which are twice as many, one in double and one in single precision. What grows with n d is less than the search
 * had, which is over then. */
static guint64
estimate_tight_bound (guint64 n)
{
  guint64 rows = MIN (n, WW_BOUND_MOST_JOINT_ROWS);

  return rows * rows * (2 * 8 + 4 * (8 + 4));
}

guint64
ww_sweep_estimate_memory (const WwSweep *sweep, gsize slice)
{
  WwCurvePoint point;
  WwSweepSettings settings;
  guint64 context;

  ww_sweep_describe_slice (sweep, slice, &point);
  ww_sweep_get_settings (sweep, &settings);
  context = OVERHEAD + 16 * (guint64) point.n * point.d;
  switch (point.map)
    {
    case WW_MAP_RF:
      return context + estimate_rf (point.d, point.k);
    case WW_MAP_DRF:
      return context + estimate_drf (point.d, settings.depth, settings.width);
    case WW_MAP_RELU_RAF:
    case WW_MAP_SOFTMAX_RAF:
      return context + estimate_attention (point.n, point.d)
             + (settings.bound == WW_SWEEP_BOUND_TIGHT ? estimate_tight_bound (point.n) : 0);
    default:
      g_return_val_if_reached (context);
    }
}

WwSweepPlan *
ww_sweep_plan_new (const WwSweep *sweep, guint64 budget, GError **error)
{
  g_autoptr (WwSweepPlan) self = NULL;

  g_return_val_if_fail (sweep != NULL, NULL);

  self = g_new0 (WwSweepPlan, 1);
  self->sweep = sweep;
  self->budget = budget;
  self->n_slices = ww_sweep_get_n_slices (sweep);
  self->taken = ww_try_alloc (self->n_slices, 1, sizeof (guint8), error);
  if (self->taken == NULL)
    return NULL;

  for (gsize s = 0; s < self->n_slices; s++)
    self->taken[s] = FALSE;
  return g_steal_pointer (&self);
}

void
ww_sweep_plan_free (WwSweepPlan *self)
{
  if (self == NULL)
    return;

  free (self->taken);
  g_free (self);
}

gboolean
ww_sweep_plan_take (WwSweepPlan *self, gsize *ret_slice)
{
  gsize end;

  g_return_val_if_fail (self != NULL && ret_slice != NULL, FALSE);

  end = MIN (self->n_slices, self->first + LOOK_AHEAD);
  for (gsize slice = self->first; slice < end; slice++)
    {
      guint64 need;

      if (self->taken[slice])
        continue;
      need = ww_sweep_estimate_memory (self->sweep, slice);
      if (self->n_running > 0 && self->used + need > self->budget)
        continue;

      self->taken[slice] = TRUE;
      self->used += need;
      self->n_running++;
      while (self->first < self->n_slices && self->taken[self->first])
        self->first++;
      *ret_slice = slice;
      return TRUE;
    }

  return FALSE;
}

void
ww_sweep_plan_finish (WwSweepPlan *self, gsize slice)
{
  g_return_if_fail (self != NULL && slice < self->n_slices && self->taken[slice] && self->n_running > 0);

  self->used -= ww_sweep_estimate_memory (self->sweep, slice);
  self->n_running--;
}

gboolean
ww_sweep_plan_has_more (const WwSweepPlan *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->first < self->n_slices;
}

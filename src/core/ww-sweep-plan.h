/* Which slices of a sweep run side by side, so that all threads together stay within an amount of memory: a
 * slice of RF at k = n d may take hundreds of megabytes, and two of them twice that. No thread is started or
 * locked here: one plan belongs to all threads, and its calls come one at a time. */
#pragma once

#include "ww-sweep.h"

G_BEGIN_DECLS

/* What one slice takes at most while it runs, in bytes, the sweep itself left out: an upper estimate from the
 * sizes alone, O(n d + d^2 + k d). */
guint64 ww_sweep_estimate_memory (const WwSweep *sweep, gsize slice);

typedef struct _WwSweepPlan WwSweepPlan;

/* `sweep` is borrowed. `budget` in bytes; a slice that needs more by itself runs alone. WW_CORE_ERROR_MEMORY. */
WwSweepPlan *ww_sweep_plan_new (const WwSweep *sweep, guint64 budget, GError **error);
void ww_sweep_plan_free (WwSweepPlan *plan); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSweepPlan, ww_sweep_plan_free)

/* The first slice that nobody has and that fits beside those that run; later ones may overtake it while it does
 * not. FALSE: none does before one ends, or there is none any more. */
gboolean ww_sweep_plan_take (WwSweepPlan *plan, gsize *ret_slice);
/* One that was taken has ended. */
void ww_sweep_plan_finish (WwSweepPlan *plan, gsize slice);
/* Whether slices are left that nobody has. */
gboolean ww_sweep_plan_has_more (const WwSweepPlan *plan);

G_END_DECLS

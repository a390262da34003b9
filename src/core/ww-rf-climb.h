/* Many starts of the search for RF climbing side by side, in single precision. */
#pragma once

#include "ww-rf.h"

G_BEGIN_DECLS

/* How a batch climbs. */
typedef struct
{
  guint steps;      /* at most */
  double tolerance; /* a start ends when a step gains less than this, relative to its value */
  guint thin_at;    /* after this many steps only the best `thin_to` go on; 0: never */
  gsize thin_to;
} WwRfClimbPlan;

typedef struct _WwRfClimb WwRfClimb;

/* A workspace for up to `width` starts on `rf`, balls of radius `length`; nothing is allocated after. */
WwRfClimb *ww_rf_climb_new (const WwRf *rf, double length, gsize width, GError **error);
void ww_rf_climb_free (WwRfClimb *climb); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwRfClimb, ww_rf_climb_free)

/* What is climbed. TRUE: the sum of (V_i delta)^2 over the rows with u > 0, whose maximum is the top
 * right singular vector of those rows. FALSE: ||relu (u + V_i delta) - relu (u)||^2. */
void ww_rf_climb_set_linear (WwRfClimb *climb, gboolean linear);

/* The place of start `index` (< width): d entries to be filled before a run; any length but zero. */
float *ww_rf_climb_get_start (WwRfClimb *climb, gsize index);

/* Climbs from the first `n_starts` starts. ret_best: d entries, of norm 1, in double precision, and
 * ret_value the objective there (in a unit of its own, the same for one workspace). `evaluations` is
 * added to: one for each candidate whose forward product and gradient are formed. FALSE: cancelled. */
gboolean ww_rf_climb_run (WwRfClimb *climb, gsize n_starts, const WwRfClimbPlan *plan,
                          const WwCancel *cancel, double *ret_best, double *ret_value,
                          guint64 *evaluations, GError **error);

G_END_DECLS

/* Many starts of the search for RF climbing side by side, in single precision. */
#pragma once

#include "ww-climb-search.h"
#include "ww-rf.h"

G_BEGIN_DECLS

typedef struct _WwRfClimb WwRfClimb;

/* A workspace for up to `width` starts on `rf`, balls of radius `length`; nothing is allocated after. */
WwRfClimb *ww_rf_climb_new (const WwRf *rf, double length, gsize width, GError **error);
void ww_rf_climb_free (WwRfClimb *climb); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwRfClimb, ww_rf_climb_free)

/* The climb as the search sees it; it lives as long as `climb` and `rf`. The objective is
 * ||relu (u + V_i delta) - relu (u)||^2, and the linear one the sum of (V_i delta)^2 over the rows with
 * u > 0, both in units of (length rf->unit)^2. */
WwClimber ww_rf_climb_get_climber (WwRfClimb *climb);

G_END_DECLS

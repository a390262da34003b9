/* Many starts of the search for DRF climbing side by side, in single precision. */
#pragma once

#include "ww-climb-search.h"
#include "ww-drf.h"

G_BEGIN_DECLS

typedef struct _WwDrfClimb WwDrfClimb;

/* A workspace for up to `width` starts on `drf`, balls of radius `length`; nothing is allocated after. */
WwDrfClimb *ww_drf_climb_new (const WwDrf *drf, double length, gsize width, GError **error);
void ww_drf_climb_free (WwDrfClimb *climb); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwDrfClimb, ww_drf_climb_free)

/* The climb as the search sees it; it lives as long as `climb` and `drf`. The objective is
 * ||phi (X with the nudge) - phi (X)||^2 in a unit of the climb's own. */
WwClimber ww_drf_climb_get_climber (WwDrfClimb *climb);

/* For tests: half the objective at `nudge` (d entries, norm 1) and its gradient there. */
gboolean ww_drf_climb_differentiate (WwDrfClimb *climb, const float *nudge, double *ret_value,
                                     float *ret_gradient, GError **error);

G_END_DECLS

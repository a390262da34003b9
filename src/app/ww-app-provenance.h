/* What made the figure that the window shows, read from the inputs that its result carries, never
 * from what the controls say now: the one place that does it. `set_sha256` stays NULL: reading a
 * whole file is not for the main thread; export fills it in. */
#pragma once

#include "ww-provenance.h"
#include "ww-session.h"

G_BEGIN_DECLS

void ww_app_provenance_of_curve (const WwCurve *curve, WwProvenance *ret_provenance);
void ww_app_provenance_of_nudge (const WwNudge  *nudge,
                                 const WwInputs *inputs,
                                 WwProvenance   *ret_provenance);

G_END_DECLS

/* The curves of one sweep: legend that toggles maps, crosshair with the exact values. */
#pragma once

#include "ww-figure-view.h"
#include "ww-report.h"
#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_CURVE_VIEW (ww_curve_view_get_type ())
G_DECLARE_FINAL_TYPE (WwCurveView, ww_curve_view, WW, CURVE_VIEW, WwFigureView)

/* Properties: "x-log", "y-log" boolean; "hidden" uint, bit m is WwMap m; "readout" string (r): the
 * values under the crosshair in words, or what the keys do. */

void ww_curve_view_set_curve (WwCurveView *self, WwCurve *curve); /* NULL: nothing measured yet */
WwCurve *ww_curve_view_get_curve (WwCurveView *self);
const char *ww_curve_view_get_readout (WwCurveView *self);
/* Moves the crosshair to the measured length nearest to the one now shown, `steps` further. */
void ww_curve_view_move_crosshair (WwCurveView *self, int steps);
void ww_curve_view_clear_crosshair (WwCurveView *self);
void ww_curve_view_toggle_map (WwCurveView *self, WwMap map);
/* What export needs. The report points into the view: valid until the next change. */
void ww_curve_view_get_report (WwCurveView *self, WwCurveReport *ret_report);

G_END_DECLS

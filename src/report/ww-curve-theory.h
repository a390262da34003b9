/* The laws of RF and DRF as lines of a figure of curves. */
#pragma once

#include "ww-report.h"

G_BEGIN_DECLS

typedef struct
{
  WwMap map;
  gboolean finite; /* of the width at hand; else infinite width */
  gsize d;         /* of a finite law */
  char *label;
  gsize n_points;
  double *n, *ws;  /* n_points values each, ascending n */
} WwCurveLaw;

/* The laws of the maps that `report` shows; none where it does not ask for theory. `finely`: evaluated for
 * drawing, between the smallest and the largest n; else at each n of the curve. GPtrArray of WwCurveLaw. */
GPtrArray *ww_curve_theory_collect (const WwCurveReport *report, gboolean finely);

/* What ww-curve-report.c lends. Whether a map was asked for or measured; every d that was, ascending; the
 * name of a map with its depth, to be freed. */
gboolean ww_curve_report_has_map (const WwCurveReport *report, WwMap map);
GArray *ww_curve_report_collect_dims (const WwCurveReport *report);
char *ww_curve_report_name_map (const WwCurveReport *report, WwMap map);

G_END_DECLS

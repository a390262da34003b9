/* The laws of RF and DRF as lines of a figure of curves and as columns of its data. */
#pragma once

#include "ww-report.h"

G_BEGIN_DECLS

typedef struct
{
  WwMap map;
  WwLaw law;
  gsize d;         /* 0 at infinite width, where it makes no difference */
  char *label;     /* "RF, k = 4096 (F2)" */
  gboolean approximate; /* D2 of more layers than WW_D2_CLOSE_DEPTH */
  gsize n_points;
  double *n, *ws;  /* n_points values each, ascending n */
} WwCurveLaw;

/* The laws that `report` asks for, of the maps that it shows. `finely`: the closed forms evaluated for
 * drawing, between the smallest and the largest n; else at each n of the curve. WW_LAW_WEIGHTS has the median
 * over the trials at each n that was measured, in any case. NaN where a law does not hold; a line of a closed form
 * that holds nowhere is left out. GPtrArray of WwCurveLaw, law by law. */
GPtrArray *ww_curve_theory_collect (const WwCurveReport *report, gboolean finely);

/* "F2": the formula of a law for a map, see ww-theory.h. */
const char *ww_curve_theory_get_formula (WwLaw law, WwMap map);
/* Which dashes a law is drawn in: WwSeries.dashed. */
guint ww_curve_theory_get_dashes (WwLaw law);
/* What the legend says of a law: one entry for its lines of all maps and d among `laws`. To be freed. */
char *ww_curve_theory_name_key (const GPtrArray *laws, WwLaw law);

/* That D2 is left out, or from which n on it is drawn, in words; NULL: nothing is left out. To be freed. */
char *ww_curve_theory_describe_gaps (const WwCurveReport *report);

/* What a law says of a point that was measured; NaN: nothing. */
double ww_curve_theory_evaluate (const WwCurveReport *report, WwLaw law, const WwCurvePoint *point);

/* What ww-curve-report.c lends. Whether a map was asked for or measured; every d that was, ascending; the
 * name of a map with its depth, to be freed. */
gboolean ww_curve_report_has_map (const WwCurveReport *report, WwMap map);
GArray *ww_curve_report_collect_dims (const WwCurveReport *report);
char *ww_curve_report_name_map (const WwCurveReport *report, WwMap map);

G_END_DECLS

/* The certified upper bounds of a curve in words: which points have one. */
#pragma once

#include "ww-report.h"

G_BEGIN_DECLS

/* Whether bounds were asked for, or there are some. `ret_bounded`: the points that have one; `ret_n`: the
 * points of the attention maps that can have one. `visible`: those of hidden maps not counted. */
gboolean ww_curve_bounds_count (const WwCurveReport *report, gboolean visible, gsize *ret_bounded, gsize *ret_n);
/* What the figure says of its bounds; `drawn`: there is a line of them. NULL: nothing. To be freed. */
char *ww_curve_bounds_describe (const WwCurveReport *report, gboolean drawn);
/* "upper bounds: 34 of 120 points", a line of the provenance of files; NULL where none lack. To be freed. */
char *ww_curve_bounds_get_fact (const WwCurveReport *report);

G_END_DECLS

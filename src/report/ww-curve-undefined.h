/* What a figure of curves says about trials that have no word sensitivity. */
#pragma once

#include "ww-report.h"

G_BEGIN_DECLS

/* "2 of 40 trials undefined for ReLU-RAF: all features zero", a part for each shown map that has such
 * trials, in the caller's text domain; NULL: none has. */
char *ww_curve_report_describe_undefined (const WwCurveReport *report);

G_END_DECLS

/* Measurements of the window from inside, driving the real widgets. Each prints its result on
 * standard output and ends the application; exit status 1 is a measurement that never came. */
#pragma once

#include "ww-window.h"

G_BEGIN_DECLS

/* n = 128, d = 384, both heatmaps shown: median and 95th percentile of the time from a change of
 * the slider's adjustment to the end of the frame that shows its result. */
void ww_benchmark_slider (WwWindow *window);
/* From the window being mapped to the first points drawn and to the complete default curve, and the
 * largest resident size. */
void ww_benchmark_start (WwWindow *window);

G_END_DECLS

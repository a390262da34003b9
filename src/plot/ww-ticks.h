/* Where an axis has its ticks. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tick values for an axis: GArray of double, ascending, inside [min, max]. Linear: a step of 1, 2 or
 * 5 times a power of ten. Logarithmic (`min` above zero): powers of ten; over less than about two
 * decades also 2 and 5, or 3, times them; within one decade every multiple; and over less than a
 * factor of four a linear ladder. At most `about` of them (1 to 1000) and seldom less than a third
 * of that; none where the range is empty, not finite, or too narrow for its size. */
GArray *ww_ticks (double min, double max, gboolean logarithmic, guint about);

G_END_DECLS

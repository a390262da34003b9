/* Where an axis has its ticks. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tick values for an axis: GArray of double, ascending, inside [min, max]. Linear: a step of 1, 2 or
 * 5 times a power of ten. Logarithmic: powers of ten, and between them 2 and 5 times them, or finer,
 * as the range needs; `min` and `max` are then above zero. About `about` of them, never more than
 * twice as many; none where the range is empty or not finite. */
GArray *ww_ticks (double min, double max, gboolean logarithmic, guint about);

G_END_DECLS

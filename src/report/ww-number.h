/* Numbers as text that every program reads back to the same bits, in every locale. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WW_NUMBER_BUFFER_SIZE 32

/* The shortest of 15, 16 or 17 significant digits that reads back as `value`, with a dot whatever
 * the locale: "0.1", "1e-300". NaN is "nan", the infinities "inf" and "-inf". Returns `buffer`. */
const char *ww_number_format (char buffer[WW_NUMBER_BUFFER_SIZE], double value);
/* `value` with a fixed number of decimals and a dot; a zero never carries a minus sign. */
const char *ww_number_format_fixed (char buffer[WW_NUMBER_BUFFER_SIZE], double value, guint decimals);

G_END_DECLS

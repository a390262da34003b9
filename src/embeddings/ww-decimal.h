/* Decimal numbers in text, checked and independent of the locale. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  WW_DECIMAL_OK,
  WW_DECIMAL_NO_NUMBER,
  WW_DECIMAL_NON_FINITE, /* "nan", "inf", or beyond the largest float */
} WwDecimalResult;

/* The number that begins at `at`, as the nearest float (ties to even), and where it ends; what stands
 * there is for the caller to judge. Accepted: an optional sign, digits with or without a dot among
 * them, an optional exponent. Nothing is read at or behind `end`. */
WwDecimalResult ww_decimal_parse (const char *at, const char *end, const char **ret_stop,
                                  float *ret_value);
/* Whether the field from `at` to `end` as a whole is a number, finite or not. */
gboolean ww_decimal_is_number (const char *at, const char *end);

G_END_DECLS

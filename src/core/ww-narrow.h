/* Products of a few rows with a tall matrix in single precision. For up to WW_NARROW_ROWS rows the
 * general product of OpenBLAS spends most of its time on rearranging the tall matrix, which is read
 * once here, as it lies. All matrices are row-major. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WW_NARROW_ROWS 8

/* ret (rows x height, `stride` apart) = a (rows x width) b (height x width)^T. */
void ww_narrow_multiply_transposed (gsize rows, gsize height, gsize width, const float *a,
                                    const float *b, float *ret, gsize stride);

/* ret (rows x width) = add ret + a (rows x height, `stride` apart) b (height x width), `add` 0 or
 * 1. */
void ww_narrow_multiply (gsize rows, gsize height, gsize width, const float *a, gsize stride,
                         const float *b, gboolean add, float *ret);

G_END_DECLS

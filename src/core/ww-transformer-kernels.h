/* The elementwise half of a transformer's forward pass, in single precision: plain loops that the
 * compiler turns into vector code, with one fixed order of summation, so that every clone of a kernel
 * gives the same bits. */
#pragma once

#include "ww-transformer.h"

G_BEGIN_DECLS

/* Sums are kept in this many lanes whatever the width of the registers. */
#define WW_TRANSFORMER_LANES 16

/* Whether no value is a NaN or an infinity. */
gboolean ww_kernel_is_finite (gsize count, const float *values);

/* values[i] becomes f (values[i]), in place; all finite. */
void ww_kernel_activate (WwActivation activation, gsize count, float *values);

/* Softmax of the first `seen` of `count` finite scores, in place; the others become 0. */
void ww_kernel_softmax (gsize count, gsize seen, float *scores);

/* Each of `rows` rows of d values: (x - mean) / sqrt (variance + epsilon) * gain + shift. `x` and
 * `ret` may be the same. */
void ww_kernel_layer_norm (gsize rows, gsize d, const WwTransformerNorm *norm, float epsilon,
                           const float *x, float *ret);

/* Adds the d values of `bias` to each of `rows` rows. */
void ww_kernel_add_bias (gsize rows, gsize d, const float *bias, float *x);

G_END_DECLS

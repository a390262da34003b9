/* The values of a tensor as floats, for the weights of a model. */
#pragma once

#include "ww-safetensors.h"

G_BEGIN_DECLS

/* All values of a readable tensor, row-major, to `to`, which has room for them. What a float cannot hold
 * (a float64 beyond 3.4e38) counts as infinite. WW_SET_ERROR_NON_FINITE (tensor, row and column are named,
 * counted from 0), WW_SET_ERROR_READ. */
gboolean ww_tensor_read_floats (const WwTensor *tensor, float *to, GError **error);

G_END_DECLS

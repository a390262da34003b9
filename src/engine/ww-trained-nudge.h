/* A nudge seen through trained attention. */
#pragma once

#include "ww-compute.h"

G_BEGIN_DECLS

/* The weights of the block and head of `inputs` with the nudge `norm` `unit` (of X, d values) at
 * inputs->token, and without it. Nothing where `inputs` have no block. */
gboolean ww_trained_nudge (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                           const double *unit, double norm, const WwCancel *cancel,
                           WwTrained *ret_trained, GError **error);

G_END_DECLS

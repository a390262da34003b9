/* The certified upper bound beside what a search found. */
#pragma once

#include "ww-core.h"

G_BEGIN_DECLS

/* Sets result->upper_bound: of the token searched or, where all were, the largest over all tokens; and
 * ret_token_bound, the tight bound of result->token where all were searched, else NaN. Nothing for
 * WW_SWEEP_BOUND_NONE. */
gboolean ww_cli_bound_result (const WwAttention *attention, const WwSearchSettings *settings, WwSweepBound kind,
                              WwSearchResult *result, double *ret_token_bound, GError **error);

G_END_DECLS

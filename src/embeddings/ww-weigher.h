/* The trained attention of one block for a text of which one row moves, again and again: what the rows that stay
 * contribute is computed once. Used by one thread at a time. */
#pragma once

#include "ww-matrix.h"

G_BEGIN_DECLS

typedef struct _WwWeigher WwWeigher;

void ww_weigher_free (WwWeigher *weigher); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwWeigher, ww_weigher_free)

/* What ww_set_weigh_state gives for the state with row `row` replaced by `values` (d numbers): n x n, or heads
 * n x n, to the rounding of single precision, and exactly where the row is what it was. WW_SET_ERROR_NON_FINITE,
 * WW_CORE_ERROR_CANCELLED. */
WwMatrix *ww_weigher_weigh (WwWeigher *weigher, gsize row, const double *values, int head,
                            const WwCancel *cancel, GError **error);

G_END_DECLS

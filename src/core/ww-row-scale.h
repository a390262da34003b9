/* The normalisation of a context, applied to rows that are not in it: the words that could stand in
 * the place of one of its tokens. */
#pragma once

#include "ww-matrix.h"

G_BEGIN_DECLS

/* Immutable, shared. */
typedef struct _WwRowScale WwRowScale;

/* As ww_context_prepare (raw, dims, normalisation) treats the rows of `raw`, so a row of `raw` comes out
 * with the same bits. PAPER: cut to `dims` entries (0: all), scaled to norm sqrt (d). NONE: cut only.
 * CENTRE: the column means of `raw` are subtracted, then as PAPER; the means stay those of the context as
 * it is, since letting a new word move them would nudge every token and not one. WW_CORE_ERROR_SHAPE,
 * _NON_FINITE. */
WwRowScale *ww_row_scale_new (const WwMatrix *raw, gsize dims, WwNormalisation normalisation,
                              GError **error);
WwRowScale *ww_row_scale_ref (WwRowScale *scale);
void ww_row_scale_unref (WwRowScale *scale); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwRowScale, ww_row_scale_unref)

gsize ww_row_scale_get_raw_dims (const WwRowScale *scale); /* entries of a raw row */
gsize ww_row_scale_get_dims (const WwRowScale *scale);     /* d, entries of a row of the context */

/* One raw row into `ret_row` (d entries). FALSE, with `ret_row` filled with NaN, where the row has no
 * place in such a context: it is zero, or not finite. */
gboolean ww_row_scale_apply (const WwRowScale *scale, const double *raw, double *ret_row);

G_END_DECLS

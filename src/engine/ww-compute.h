/* What the worker keeps from one job to the next: the text's rows, X, W, the attention maps, RF of
 * the last tokens. Belongs to the worker thread while that runs. Nothing returned is owned by the
 * caller, and it lives until the next call with other inputs; take a reference to keep it. */
#pragma once

#include "ww-core.h"
#include "ww-entries.h"
#include "ww-inputs.h"
#include "ww-nudge-result.h"

G_BEGIN_DECLS

typedef struct _WwCompute WwCompute;

WwCompute *ww_compute_new (void);
void ww_compute_free (WwCompute *compute); /* NULL is fine */

/* `context_serial` stands for (set, rows of the text, layer): the session counts it up whenever one
 * of them changes. At least the first `n_rows` raw rows, n x all d; inputs->rows has as many. */
WwMatrix *ww_compute_get_raw (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                              gsize n_rows, const WwCancel *cancel, GError **error);
/* X: the first perturb_n rows, cut to d and normalised. */
WwMatrix *ww_compute_get_x (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                            const WwCancel *cancel, GError **error);
/* How X was cut and normalised, for rows that are not in it. */
WwRowScale *ww_compute_get_scale (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                                  const WwCancel *cancel, GError **error);
/* The words of the set. */
WwEntries *ww_compute_get_entries (WwCompute *compute, const WwInputs *inputs, const WwCancel *cancel,
                                   GError **error);
/* The row that `word` would have in the place of inputs->token: d values, cut and normalised like X.
 * WW_SET_ERROR_NO_TOKENS for a word that the set lacks, WW_CORE_ERROR_ZERO_ROW. */
gboolean ww_compute_read_word (WwCompute *compute, const char *word, const WwInputs *inputs,
                               guint64 context_serial, const WwCancel *cancel, double *ret_row,
                               GError **error);
/* One attention map of X under the W of (seed, trial 0). */
WwAttention *ww_compute_get_attention (WwCompute *compute, WwMap map, const WwInputs *inputs,
                                       guint64 context_serial, const WwCancel *cancel, GError **error);
/* RF of one token, u drawn: what a nudge of that token alone is seen through. */
WwRf *ww_compute_get_rf (WwCompute *compute, gsize token, const WwInputs *inputs,
                         guint64 context_serial, const WwCancel *cancel, GError **error);
/* V_i unit, for the RF that the function above gave last: with it a nudge along `unit` costs O(k)
 * at every length, where V_i itself would have to be drawn again. */
const double *ww_compute_get_projection (WwCompute *compute, WwRf *rf, const double *unit,
                                         const WwCancel *cancel, GError **error);
/* The trained weights of the context as it is, by the block and head of `inputs`, which have one. */
WwMatrix *ww_compute_get_trained (WwCompute *compute, const WwInputs *inputs,
                                  guint64 context_serial, const WwCancel *cancel, GError **error);
/* The same with the row of inputs->token replaced by `values`, raw, as many as the set has: the caller's to
 * unref. What the other rows contribute is kept from call to call. */
WwMatrix *ww_compute_weigh_moved (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                                  const double *values, const WwCancel *cancel, GError **error);
/* The colour range of the nudges along `unit` (d values) at `token`, up to the norm `full`; NULL: none
 * kept for those. The second function keeps one, in place of the last; both may be widened. */
WwNudgeRange *ww_compute_find_range (WwCompute *compute, gsize token, double full,
                                     const double *unit);
WwNudgeRange *ww_compute_keep_range (WwCompute *compute, gsize token, double full,
                                     const double *unit, const WwNudgeRange *range);
/* RF of one token under the V that all tokens share; the first call of a context takes O(k n d).
 * This one is the caller's to unref. */
WwRf *ww_compute_make_shared_rf (WwCompute *compute, gsize token, const WwInputs *inputs,
                                 guint64 context_serial, const WwCancel *cancel, GError **error);

G_END_DECLS

/* One nudge seen through all maps at once: what the Perturb page and `nudge` show. */
#pragma once

#include "ww-attention.h"
#include "ww-rf.h"

G_BEGIN_DECLS

/* Immutable, shared by reference count. Arrays are indexed by WwMap; the entries of maps that were
 * not asked for are NULL or NaN. */
typedef struct
{
  gsize n, d, token;
  double *delta;                       /* d */
  double delta_norm;
  double change[WW_N_MAPS];            /* ||phi(new) - phi(old)||_F / ||phi(old)||_F; NaN also where phi(old)
                                        * is zero and no relative change exists */
  double *feature_change[WW_N_MAPS];   /* n values per attention map, NaN where the token's old features are
                                        * zero; RF has none per token */
  WwMatrix *before[WW_N_MAPS];         /* n x n attention weights; NULL for RF */
  WwMatrix *after[WW_N_MAPS];
} WwNudge;

/* `softmax`, `relu`, `rf` may each be NULL, not all; those given share X and d, and `rf` is of
 * `token`. Errors as ww_attention_nudge and ww_rf_evaluate, but for WW_CORE_ERROR_ZERO_NORM: a map without
 * features is seen with the others, its change NaN. */
WwNudge *ww_nudge_new (const WwAttention *softmax, const WwAttention *relu, const WwRf *rf,
                       gsize token, const double *delta, GError **error);
WwNudge *ww_nudge_ref (WwNudge *nudge);
void ww_nudge_unref (WwNudge *nudge); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwNudge, ww_nudge_unref)

G_END_DECLS

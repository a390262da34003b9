/* softmax-RAF and ReLU-RAF (random attention features; Bombari & Mondelli, ICML 2024): the maps by
 * definition in double precision, the incremental evaluation of a nudge, and the search for the
 * word sensitivity. Letters: n tokens, d dimensions, X (n x d), W (d x d), A (n x n) attention
 * weights, phi = A X (n x d), delta (d). Only WW_MAP_SOFTMAX_RAF and WW_MAP_RELU_RAF are taken.
 *
 * Scores are Z = X W X^T / sqrt (d). softmax-RAF: A = softmax of each row of Z. ReLU-RAF: A =
 * relu (Z), each row divided by its sum, a sum of zero counting as 1. */
#pragma once

#include "ww-search.h"

G_BEGIN_DECLS

/* One context under one W: X, W, A and phi(X), in double precision. Immutable, shared. */
typedef struct _WwAttention WwAttention;

/* WW_CORE_ERROR_SHAPE (W is not d x d), _NON_FINITE (in X or W, or because the scores overflow),
 * _MEMORY. A zero ||phi(X)|| is no error here but is one (WW_CORE_ERROR_ZERO_NORM) for everything
 * relative. */
WwAttention *ww_attention_new (WwMap map, WwMatrix *x, WwMatrix *w, GError **error);
WwAttention *ww_attention_ref (WwAttention *attention);
void ww_attention_unref (WwAttention *attention); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwAttention, ww_attention_unref)

WwMap ww_attention_get_map (const WwAttention *attention);
WwMatrix *ww_attention_get_x (const WwAttention *attention);        /* n x d, not owned */
WwMatrix *ww_attention_get_features (const WwAttention *attention); /* phi, n x d, not owned */
double ww_attention_get_norm (const WwAttention *attention);        /* ||phi||_F */

/* A, n x n, not owned. For n > d it is made when first asked for (O(n^2 d)), and kept from then on: the rest
 * does without it. Any thread may ask. WW_CORE_ERROR_MEMORY. */
WwMatrix *ww_attention_get_weights (const WwAttention *attention, GError **error);

/* ||phi(X + e_token delta^T) - phi(X)||_F / ||phi(X)||_F by the plain definition, from scratch, in
 * double precision. O(n^2 d + n d^2). WW_CORE_ERROR_RANGE (token), _NON_FINITE, _ZERO_NORM. */
gboolean ww_attention_evaluate (const WwAttention *attention, gsize token, const double *delta,
                                double *ret_change, GError **error);

/* What a nudge does, by the incremental formulas in double precision: O(n d + d^2), and O(n d) more for each
 * row that looks at hardly anything but the token. ret_weights: A after (n x n, new), O(n^2 d) where n > d.
 * ret_feature_change: n values ||phi_j(new) - phi_j(old)|| / ||phi_j(old)|| (NaN where the old row is zero).
 * Any ret may be NULL; WW_CORE_ERROR_ZERO_NORM only where ret_change is asked. */
gboolean ww_attention_nudge (const WwAttention *attention, gsize token, const double *delta,
                             WwMatrix **ret_weights, double *ret_feature_change,
                             double *ret_change, GError **error);

/* The search for S(X; token). With settings->token WW_TOKEN_ALL: the full search at every token where that
 * takes no more than a few seconds; else every token is screened with few starts, and the best of them get the
 * full search, a tenth (at least 3) and as many more as take no longer than that. `func` (or NULL) hears of
 * each. With settings->target: it hears of the token once, when the target is reached, before that nudge is
 * evaluated by the definition.
 * Allocates once, before the loop. WW_CORE_ERROR_RANGE (token, radius), _ZERO_NORM, _MEMORY; _CANCELLED within
 * 20 ms of the flag. */
WwSearchResult *ww_attention_search (const WwAttention *attention, const WwSearchSettings *settings,
                                     const WwCancel *cancel, WwTokenFunc func, gpointer user_data,
                                     GError **error);

G_END_DECLS

/* Swapping a token for another word: ||phi(X with row i replaced by y) - phi(X)||_F / ||phi(X)||_F for
 * many rows y, a tile of them at a time, as matrix products. It is the nudge delta = y - x_i; nothing
 * bounds its length. Letters: n tokens, d dimensions, T rows of a tile, k features of RF.
 *
 * Attention maps, in double precision. A row y of the tile moves score (j, i) of every other token j to
 * t_j = y . (W^T x_j) / sqrt (d), and row i's own scores to k_l = y . (W x_l) / sqrt (d) and
 * y^T W y / sqrt (d); none of them depends on which token i is replaced, so one tile serves any number of
 * tokens. With o_j the old output of row j, q its old weight on token i and r = exp (t_j) (ReLU:
 * relu (t_j)) over the old sum of the row, the row's sum becomes s = 1 - q + r of what it was, and
 *
 *   change_j = ((r - q) (x_i - o_j) + r delta) / s,
 *
 * whose square needs only y . o_j, y . x_i and constants. With e_l the unnormalised new weights of row i
 * (e_i its own), w = sum over all l of the old tokens of e_l x_l + e y, row i's new output is
 * (w - e_i x_i) / (sum - e_i). One tile costs T (4 n + d) d multiplications, and T n more for each token.
 * Where this would lose digits (a word all but equal to the token; a sum that all but vanishes),
 * ww_attention_nudge evaluates the pair instead.
 *
 * RF, in single precision: relu (u + V_i delta), T k d multiplications. DRF: the same, and on through its
 * layers; the other tokens enter through u alone, so V_1 is never formed. */
#pragma once

#include "ww-attention.h"
#include "ww-drf.h"

G_BEGIN_DECLS

/* One context under one map, and room for a tile. Used by one thread at a time. */
typedef struct _WwSwap WwSwap;

/* Tokens first ... first + count - 1 at once. Memory 3 count n + T (d + 4 n). WW_CORE_ERROR_RANGE (tokens),
 * _ZERO_NORM, _MEMORY, _CANCELLED. */
WwSwap *ww_swap_new_attention (WwAttention *attention, gsize first, gsize count, const WwCancel *cancel,
                               GError **error);
/* The one token of `rf`. WW_CORE_ERROR_ZERO_NORM, _MEMORY. */
WwSwap *ww_swap_new_rf (WwRf *rf, GError **error);
/* The one token of `drf`. WW_CORE_ERROR_ZERO_NORM, _MEMORY. */
WwSwap *ww_swap_new_drf (WwDrf *drf, GError **error);
void ww_swap_free (WwSwap *swap); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSwap, ww_swap_free)

gsize ww_swap_get_dims (const WwSwap *swap);
gsize ww_swap_get_first (const WwSwap *swap); /* token */
gsize ww_swap_get_count (const WwSwap *swap); /* tokens; 1 for RF and DRF */
/* The most rows of one tile, chosen so that one takes some milliseconds (DRF of many weights: longer). */
gsize ww_swap_get_height (const WwSwap *swap);

/* The change for each of `rows` rows y (rows x d, normalised like the context) and each token:
 * ret_change, rows x count, row by row. Attention maps: to 1e-9 of it, or 1e-8 where it is smaller than
 * 1e-4; RF and DRF: to 1e-4. A value that is no finite number (a row with a NaN, an overflow)
 * is NaN and no error. WW_CORE_ERROR_CANCELLED, _MEMORY. */
gboolean ww_swap_evaluate (WwSwap *swap, gsize rows, const double *y, const WwCancel *cancel,
                           double *ret_change, GError **error);
/* The changes for `rows` rows and one token by the plain definition in double precision, for values that are
 * shown: those of ww_attention_evaluate, ww_rf_evaluate and ww_drf_evaluate, bit by bit, and NaN where these
 * find no finite number. Any number of rows; RF and DRF make their weights once for all of them.
 * WW_CORE_ERROR_CANCELLED, _MEMORY. */
gboolean ww_swap_confirm (const WwSwap *swap, gsize token, gsize rows, const double *y,
                          const WwCancel *cancel, double *ret_change, GError **error);

/* How many tokens of a context of n to take at once, so that what they need stays small. */
gsize ww_swap_choose_count (gsize n);

/* delta = amount (y - x), d entries: part of the way from a token to a word, 0 <= amount <= 1. Returns
 * ||delta|| / sqrt (d), which may exceed every radius of the search. */
double ww_swap_toward (const double *x, const double *y, gsize d, double amount, double *ret_delta);

G_END_DECLS

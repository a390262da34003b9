/* The objective of the search: ||phi(X + e_i delta^T) - phi(X)||_F^2 and its gradient for a batch of
 * nudges delta of one token i, from arrays prepared once per (X, W, i). One nudge costs 8 n d + d^2
 * multiplications in matrix products, in place of n^2 d + n d^2.
 *
 * Changing row i changes row i and column i of the scores. Letters: x_i the row, x' = x_i + delta;
 * for the other rows j, q_j and p_j the weight on token i before and after, a_j the average of the
 * other tokens under row j (a nudge does not change it), E_j = x_i - a_j, u_j = W^T x_j / sqrt (d),
 * t_j = the old score + u_j . delta. Old output (1 - q) a + q x_i, new (1 - p) a + p x', hence
 *
 *   change_j   = (p - q) E_j + p delta
 *   |change_j|^2 = (p - q)^2 |E_j|^2 + 2 (p - q) p (E_j . delta) + p^2 |delta|^2
 *   gradient   = (d/dp of that) p'(t_j) u_j + 2 (p - q) p E_j + 2 p^2 delta.
 *
 * softmax: p = 1 / (1 + exp (-(t_j - b_j))), b_j = log of the sum of the others' exponentials.
 * ReLU: p = r / (B_j + r), r = relu (t_j), B_j = sum of the others' ReLU scores; where all are zero
 * the output is zero, which is the same formula with a_j = 0.
 *
 * Row i: scores k0_l + K_l . delta on the others, K_l = W x_l / sqrt (d), and x'^T M x' on itself,
 * M = (W + W^T) / (2 sqrt (d)); weights w; change R = sum_l (w_l - w0_l) x_l + w_i delta;
 * d |R|^2 / d score_l = 2 w_l (g_l - mean g), g_l = x_l . R (the ReLU has relu' / sum for w_l).
 *
 * All is written in differences from the old state, so that small nudges keep their digits. */
#pragma once

#include "ww-attention.h"

G_BEGIN_DECLS

/* What is climbed. */
typedef struct
{
  double capture;   /* positive: instead of the change, row i's score on one token minus capture / 2
                     * times the sum of relu (score)^2 over its scores on all others; a ReLU row i that
                     * looks at that token alone */
  gsize captured;   /* which: 0 the token that is nudged, l the l-th of the others */
  double beta;      /* softmax, other rows: p = sigmoid (beta (t - b)); 1 is the map itself */
  double smoothing; /* ReLU: relu (t) replaced by (t + sqrt (t^2 + h^2)) / 2; 0 is the map itself */
  gboolean others_only; /* without |R|^2, the change of row i: never more than the whole change, and
                         * 4 n d multiplications in place of 8 n d + d^2 */
} WwAttentionObjective;

/* The same type for both precisions. `batch` is the largest count of one evaluation. Everything is
 * allocated here; what follows allocates nothing. WW_CORE_ERROR_MEMORY.
 *
 * _set_token prepares for a token (O(n d), rows with nearly all weight on it O(n d) each), as far as
 * objectives with `others_only` need it; _prepare_own does the rest, for all others (O(n d), the first
 * time n d^2; free where it is done already). FALSE only if cancelled, and then to be called again
 * before anything is evaluated.
 * _evaluate: delta (count x d), ret_value (count), ret_gradient (count x d) or NULL. */
#define WW_DECLARE_ATTENTION_PROBLEM(Type, stem, Real)                                             \
  typedef struct _##Type Type;                                                                     \
  Type *stem##_new (const WwAttention *attention, gsize batch, GError **error);                    \
  void stem##_free (Type *problem); /* NULL is fine */                                             \
  G_DEFINE_AUTOPTR_CLEANUP_FUNC (Type, stem##_free)                                                \
  gsize stem##_get_dims (const Type *problem);                                                     \
  gsize stem##_get_batch (const Type *problem);                                                    \
  gboolean stem##_set_token (Type *problem, gsize token, const WwCancel *cancel, GError **error);  \
  gboolean stem##_prepare_own (Type *problem, const WwCancel *cancel, GError **error);             \
  void stem##_evaluate (Type *problem, const WwAttentionObjective *objective, gsize count,         \
                        const Real *delta, double *ret_value, Real *ret_gradient);

WW_DECLARE_ATTENTION_PROBLEM (WwAttentionProblem, ww_attention_problem, float)
WW_DECLARE_ATTENTION_PROBLEM (WwAttentionProblemDouble, ww_attention_problem_double, double)

#define WW_ATTENTION_LARGEST_BATCH 32

/* How many nudges a batch may hold so that one evaluation stays well under 20 ms: at least 1, at
 * most `wanted` and the largest batch. */
gsize ww_attention_problem_choose_batch (const WwAttention *attention, gsize wanted);

G_END_DECLS

/* The elementwise half of the batched evaluation of nudges, in single precision for the search and
 * in double for its polish. Plain loops over padded arrays that the compiler turns into vector code; no
 * relaxed arithmetic, so every clone of a kernel gives the same bits. The formulas are derived in
 * ww-attention-problem.h. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Arrays that kernels walk are padded to a multiple of this many entries with values that
 * contribute nothing: a score of WW_KERNEL_PAD_SCORE, weights and norms of zero. */
#define WW_KERNEL_LANES 16
#define WW_KERNEL_PAD_SCORE (-1e15)

/* Under a smoothing h, the sum that a row of ReLU scores is divided by counts as this many h at least, as
 * if another token had that score. Without it, a row in which no other score is positive would give the
 * token all its weight however far below zero its score falls; with it, that weight tends to what the map
 * says as h falls, 0 below and 1 above, and its slope leads across. */
#define WW_KERNEL_FLOOR 0.3

#define WW_DECLARE_ATTENTION_KERNELS(suffix, Real)                                                 \
  /* exp of each value, kept above the smallest and below the largest normal number. */            \
  void ww_kernel_exp_##suffix (gsize count, const Real *x, Real *ret);                             \
                                                                                                   \
  /* The other rows under one nudge: u = U delta and e = E delta become the factors of U and E   */ \
  /* in the gradient. Returns the sum of squared changes; ret_p2: sum of p^2.                  */ \
  double ww_kernel_rows_softmax_##suffix (gsize count, const Real *t0, const Real *q,              \
                                          const Real *e2, Real beta, Real length2, Real *u,        \
                                          Real *e, Real *scratch, double *ret_p2);                 \
  double ww_kernel_rows_relu_##suffix (gsize count, const Real *t0, const Real *base,              \
                                       const Real *q, const Real *e2, Real smoothing, Real length2, \
                                       Real *u, Real *e, Real *scratch, double *ret_p2);           \
                                                                                                   \
  /* The nudged token's own row: k = K delta becomes d weight / d score up to the mean (see      */ \
  /* _own_slopes), ret_dw the change of the weights; own_* are those of the token itself.        */ \
  void ww_kernel_own_softmax_##suffix (gsize count, const Real *k0, const Real *w0, Real own_score, \
                                       Real *k, Real *ret_dw, Real *scratch, Real *ret_own_weight, \
                                       Real *ret_own_slope);                                       \
  void ww_kernel_own_relu_##suffix (gsize count, const Real *k0, const Real *w0, Real own_score,   \
                                    Real smoothing, Real *k, Real *ret_dw, Real *scratch,          \
                                    Real *ret_own_weight, Real *ret_own_slope);                    \
  /* g_l = x_l . R: k becomes 2 k_l (g_l - mean of g under the new weights). Returns the mean. */  \
  Real ww_kernel_own_slopes_##suffix (gsize count, const Real *w0, const Real *dw, const Real *g,  \
                                      Real own_weight, Real own_g, Real *k, Real *scratch);        \
                                                                                                   \
  /* Capture: returns half the sum of relu (k0 + k)^2; k becomes minus its derivative. */          \
  double ww_kernel_capture_##suffix (gsize count, const Real *k0, Real *k, Real *scratch);

WW_DECLARE_ATTENTION_KERNELS (f, float)
WW_DECLARE_ATTENTION_KERNELS (d, double)

G_END_DECLS

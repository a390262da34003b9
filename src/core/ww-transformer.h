/* The forward pass of a transformer encoder or decoder, block by block, in single precision. Vaswani et
 * al., NeurIPS 2017; LayerNorm behind each half (BERT, Devlin et al., NAACL 2019) or before it (GPT-2,
 * Radford et al., 2019).
 *
 *   n tokens; d hidden; H heads, each of d / H dimensions; m inner (of the feed-forward half)
 *   A_h = softmax by rows of (Q_h K_h^T s), Q = Z W_q^T + b_q and so on; causal: a token sees those
 *         before it and itself
 *   behind: X' = LN_1 (X + [A_h V_h] W_o^T + b_o), X'' = LN_2 (X' + f (X' W_1^T + b_1) W_2^T + b_2); Z = X
 *   before: X' = X + [A_h V_h] W_o^T + b_o, X'' = X' + f (LN_2 (X') W_1^T + b_1) W_2^T + b_2; Z = LN_1 (X)
 *
 * The weights are the caller's: a block is given when it is used and may be gone afterwards, so that a
 * model of many blocks needs the memory of one. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

typedef enum
{
  WW_ACTIVATION_GELU,      /* x Phi (x), Phi the normal distribution function */
  WW_ACTIVATION_GELU_TANH, /* its approximation with tanh */
  WW_ACTIVATION_RELU,
} WwActivation;

typedef struct
{
  gsize hidden, heads, inner; /* d, H (divides d), m */
  float epsilon;              /* added to the variance in LayerNorm */
  WwActivation activation;
  gboolean causal;
  gboolean norm_before;
} WwTransformerShape;

/* y = W x + b, `outputs` x `inputs`. */
typedef struct
{
  const float *weight; /* row-major, outputs x inputs; or inputs x outputs where `inputs_first` */
  const float *bias;   /* outputs */
  gsize stride;        /* from one row of `weight` to the next */
  gboolean inputs_first;
} WwTransformerLinear;

typedef struct
{
  const float *gain, *shift; /* d each */
} WwTransformerNorm;

typedef struct
{
  WwTransformerLinear query, key, value, output; /* d x d */
  WwTransformerLinear widen, narrow;             /* m x d, d x m */
  WwTransformerNorm attention_norm, feed_norm;   /* LN_1, LN_2 */
  float scale;                                   /* s: 1 / sqrt (d / H) as a rule */
} WwTransformerBlock;

/* In place of a head, which is counted from 0: what is written of the weights of a block. */
#define WW_HEAD_MEAN (-1) /* n x n, the mean over the heads */
#define WW_HEAD_ALL (-2)  /* H x n x n */
#define WW_HEAD_NONE (-3) /* nothing */

typedef struct _WwTransformer WwTransformer;

/* A state of n tokens, zero at first, with the memory that a block needs. WW_CORE_ERROR_SHAPE,
 * WW_CORE_ERROR_MEMORY. */
WwTransformer *ww_transformer_new (const WwTransformerShape *shape, gsize n, GError **error);
void ww_transformer_free (WwTransformer *transformer); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwTransformer, ww_transformer_free)

/* The state X, n x d, row-major: fill it in before the first block, read it after any. */
float *ww_transformer_get_state (WwTransformer *transformer);
/* X becomes LN (X): in front of the first block of BERT, behind the last of GPT-2. */
void ww_transformer_normalise (WwTransformer *transformer, const WwTransformerNorm *norm);

/* X becomes X''. `ret_weights` gets the attention weights of `head` (row: the token that looks), NULL with
 * WW_HEAD_NONE. WW_CORE_ERROR_NON_FINITE where a product overflows, WW_CORE_ERROR_CANCELLED soon after the flag;
 * the state is undefined then. */
gboolean ww_transformer_step (WwTransformer *transformer, const WwTransformerBlock *block, int head,
                              float *ret_weights, const WwCancel *cancel, GError **error);
/* The weights alone: X stays, and of the block only query, key, attention_norm (where it comes before) and
 * scale are used. */
gboolean ww_transformer_weigh (WwTransformer *transformer, const WwTransformerBlock *block, int head,
                               float *ret_weights, const WwCancel *cancel, GError **error);

/* The same as if row `row` of X were `values` (d), which the call leaves no trace of: the queries and keys of
 * the other rows are those of the last ww_transformer_weigh with this block, which must have been the last use.
 * Takes one row of each projection and the softmax. */
gboolean ww_transformer_weigh_moved (WwTransformer *transformer, const WwTransformerBlock *block, gsize row,
                                     const float *values, int head, float *ret_weights, const WwCancel *cancel,
                                     GError **error);

G_END_DECLS

/* What the searches may know of a WwAttention and nobody else. */
#pragma once

#include "ww-attention.h"

G_BEGIN_DECLS

struct _WwAttention
{
  int ref_count;
  WwMap map;
  WwMatrix *x;        /* n x d */
  WwMatrix *w;        /* d x d */
  WwMatrix *xw;       /* X W / sqrt (d), n x d: row j is the direction that row j's scores look along */
  WwMatrix *scores;   /* Z, n x n, or NULL */
  WwMatrix *weights;  /* A, n x n, or NULL */
  double *tops;       /* n, where these two are not kept: the largest score of each row (ReLU: 0), ... */
  double *sums;       /* n: ... and the sum of exp (score - top), or of relu (score) */
  WwMatrix *shown;    /* A where it is not kept and somebody asked for it */
  WwMatrix *features; /* phi, n x d */
  double norm;        /* ||phi||_F */
};

/* Scores and weights are kept where they are no larger than the context, n <= d. Longer contexts, for which
 * they would grow as n^2, keep what makes any entry from one product of two rows. */

/* As ww_attention_new, with products by blocks of rows between which the flag is polled. */
WwAttention *ww_attention_new_cancellable (WwMap map, WwMatrix *x, WwMatrix *w,
                                           const WwCancel *cancel, GError **error);

/* The same, with scores and weights kept or not as told. */
WwAttention *ww_attention_new_keeping (WwMap map, WwMatrix *x, WwMatrix *w, gboolean keep,
                                       const WwCancel *cancel, GError **error);

/* FALSE with WW_CORE_ERROR_RANGE where there is no such token, and with WW_CORE_ERROR_ZERO_NORM where all features
 * are zero. */
gboolean ww_attention_check_token (const WwAttention *attention, gsize token, GError **error);
gboolean ww_attention_check_norm (const WwAttention *attention, GError **error);

/* Rows of n scores that are multiplied between two looks at the cancel flag: at most d. */
gsize ww_attention_choose_height (gsize n, gsize d);

/* One entry of Z, and of A where that score is known already; O(d) where they are not kept. */
double ww_attention_get_score (const WwAttention *attention, gsize j, gsize l);
double ww_attention_get_weight (const WwAttention *attention, gsize j, gsize l, double score);

/* Row j of Z, which may be `room` (n); O(n d) where it is not kept. */
const double *ww_attention_get_score_row (const WwAttention *attention, gsize j, double *room);

/* All of Z, n x n. */
gboolean ww_attention_copy_scores (const WwAttention *attention, const WwCancel *cancel, double *ret_scores,
                                   GError **error);

/* Of row j the log of the sum of exponentials (softmax), or the sum of the positive scores (ReLU): of all
 * tokens, and of those besides `token`, on which the score is `score`. `room`: n values. O(1) where rows are
 * not kept, except for a token that has nearly all of the row: O(n d). */
double ww_attention_sum_row (const WwAttention *attention, gsize j);
double ww_attention_sum_others (const WwAttention *attention, gsize token, gsize j, double score,
                                double *room);

/* Adds `factor` times the average of those other tokens under row j, whose sum (ww_attention_sum_others) is
 * `others`, to the d values of `sum`; nothing where a ReLU row has none. O(n d). `room`: n values. */
void ww_attention_add_others (const WwAttention *attention, gsize token, gsize j, double others, double factor,
                              double *room, double *sum);

/* One row of scores turned into attention weights in place. */
void ww_attention_normalise_row (WwMap map, double *row, gsize n);

/* The plain definition of a nudge's change, again and again in the same memory, by blocks of rows between
 * which the flag is polled. The attention must outlive it. */
typedef struct _WwAttentionDefinition WwAttentionDefinition;

WwAttentionDefinition *ww_attention_definition_new (const WwAttention *attention, GError **error);
void ww_attention_definition_free (WwAttentionDefinition *definition); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwAttentionDefinition, ww_attention_definition_free)

/* As ww_attention_evaluate. */
gboolean ww_attention_definition_evaluate (WwAttentionDefinition *definition, gsize token,
                                           const double *delta, const WwCancel *cancel,
                                           double *ret_change, GError **error);

/* Once. */
gboolean ww_attention_evaluate_cancellable (const WwAttention *attention, gsize token,
                                            const double *delta, const WwCancel *cancel,
                                            double *ret_change, GError **error);

/* As ww_attention_nudge, allocating nothing: `room` is scratch for as many doubles as the first of these
 * says; ret_weights (n x n), ret_feature_change (n) and ret_change may be NULL, and the first two are
 * touched on failure. */
gsize ww_attention_get_nudge_room (const WwAttention *attention);
gboolean ww_attention_measure_nudge (const WwAttention *attention, gsize token, const double *delta,
                                     double *room, const WwCancel *cancel, double *ret_weights,
                                     double *ret_feature_change, double *ret_change, GError **error);

G_END_DECLS

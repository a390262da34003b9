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
  WwMatrix *scores;   /* Z, n x n */
  WwMatrix *weights;  /* A, n x n */
  WwMatrix *features; /* phi, n x d */
  double norm;        /* ||phi||_F */
};

/* As ww_attention_new, with products by blocks of rows between which the flag is polled. */
WwAttention *ww_attention_new_cancellable (WwMap map, WwMatrix *x, WwMatrix *w,
                                           const WwCancel *cancel, GError **error);

/* One row of scores turned into attention weights in place. */
void ww_attention_normalise_row (WwMap map, double *row, gsize n);

/* As ww_attention_evaluate, by blocks of rows between which the flag is polled. */
gboolean ww_attention_evaluate_cancellable (const WwAttention *attention, gsize token,
                                            const double *delta, const WwCancel *cancel,
                                            double *ret_change, GError **error);

/* As ww_attention_nudge. */
gboolean ww_attention_nudge_cancellable (const WwAttention *attention, gsize token,
                                         const double *delta, const WwCancel *cancel,
                                         WwMatrix **ret_weights, double *ret_feature_change,
                                         double *ret_change, GError **error);

G_END_DECLS

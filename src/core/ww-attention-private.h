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

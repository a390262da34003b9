/* The first steps of a BERT encoder, in double precision: the state that enters the first block, and
 * the attention weights of that block. Devlin et al., NAACL 2019; Vaswani et al., NeurIPS 2017.
 * DistilBERT (Sanh et al., arXiv:1910.01108) is the same without token types, under other names. */
#pragma once

#include "ww-tensor-files.h"

G_BEGIN_DECLS

typedef enum
{
  WW_BERT_PLAIN,
  WW_BERT_DISTILLED,
} WwBertFamily;

typedef struct
{
  WwBertFamily family;
  gsize hidden;    /* d */
  gsize heads;     /* each has d / heads dimensions */
  gsize positions; /* the longest text */
  double epsilon;  /* added to the variance in LayerNorm */
  gboolean absolute_positions; /* FALSE: another scheme, which is not computed here */
} WwBertConfig;

typedef struct _WwBert WwBert;

/* Finds what the files have of an embedding layer and a first block; what is missing is no error
 * except for the word embeddings. WW_SET_ERROR_MISSING, _SHAPE, _REFUSED, _NON_FINITE, _READ. */
WwBert *ww_bert_new (const WwTensorFiles *files, const WwBertConfig *config, GError **error);
void ww_bert_free (WwBert *bert); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwBert, ww_bert_free)

const WwTable *ww_bert_get_words (const WwBert *bert); /* V x d */
gboolean ww_bert_has_layer_0 (const WwBert *bert);
gboolean ww_bert_has_attention (const WwBert *bert);
gsize ww_bert_get_positions (const WwBert *bert); /* rows of the position table; 0: none */

/* n x d: row j is word + position j + type 0, then LayerNorm. */
WwMatrix *ww_bert_get_layer_0 (const WwBert *bert, const guint32 *ids, gsize n, GError **error);
/* n x n: softmax over each row of Q K^T / sqrt (d / heads), of one head or averaged (-1). */
WwMatrix *ww_bert_get_attention (const WwBert *bert, const WwMatrix *state, int head,
                                 GError **error);

G_END_DECLS

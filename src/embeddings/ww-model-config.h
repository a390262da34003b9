/* config.json of a transformer checkpoint: which family it is of, and its sizes. */
#pragma once

#include "ww-source.h"
#include "ww-transformer.h"

G_BEGIN_DECLS

/* BERT: Devlin et al., NAACL 2019. DistilBERT: Sanh et al., arXiv:1910.01108. RoBERTa: Liu et al.,
 * arXiv:1907.11692. GPT-2: Radford et al., 2019. */
typedef enum
{
  WW_FAMILY_BERT,
  WW_FAMILY_DISTILBERT,
  WW_FAMILY_ROBERTA,
  WW_FAMILY_GPT2,
  WW_FAMILY_NONE, /* a vocabulary without config.json */
} WwFamily;

const char *ww_family_get_name (WwFamily family); /* "BERT" */

typedef struct
{
  WwFamily family;
  gboolean guessed;     /* the file does not name the family */
  gsize hidden;         /* d */
  gsize heads;          /* each has d / heads dimensions */
  gsize blocks;         /* the tensors may hold fewer */
  gsize inner;          /* of the feed-forward half; 0: not said, the tensors tell */
  gsize vocabulary;     /* rows of the word embeddings */
  gsize positions;      /* rows of the position embeddings */
  gsize first_position; /* row of the first token: 0, in RoBERTa the padding's id + 1 */
  double epsilon;       /* added to the variance in LayerNorm */
  char *other_positions; /* name of a scheme that is not computed here; NULL: absolute positions, by a table */
  WwActivation activation;
  char *unknown_activation; /* its name, where it is one that is not computed here; else NULL */
  gboolean tied;            /* one table has the words that go in and those that come out */
  gboolean causal;          /* a token sees those before it and itself */
  gboolean scaled;          /* scores are divided by sqrt (d / heads) */
  gboolean scaled_by_block; /* and by the number of the block, from 1 on */
} WwModelConfig;

void ww_model_config_clear (WwModelConfig *config);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwModelConfig, ww_model_config_clear)

/* Reads config.json of the folder. WW_SET_ERROR_UNSUPPORTED for any other family, by name;
 * WW_SET_ERROR_MISSING, _NUMBER, _SHAPE with the key that is wrong. */
gboolean ww_model_config_read (GFile *folder, WwModelConfig *ret_config, GError **error);
/* The same from the content of the file. */
gboolean ww_model_config_parse (WwSource *source, WwModelConfig *ret_config, GError **error);

G_END_DECLS

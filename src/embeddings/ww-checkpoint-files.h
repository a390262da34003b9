/* The small files of a checkpoint folder: config.json, the vocabulary, the tokeniser's flags. */
#pragma once

#include "ww-bert.h"
#include "ww-wordpiece.h"

G_BEGIN_DECLS

typedef struct
{
  WwBertConfig bert;
  gsize layers; /* blocks, as config.json says; the tensors may hold fewer */
  gsize vocabulary;
} WwCheckpointConfig;

/* `folder` is where config.json is: the folder itself, or a part that modules.json names (as
 * sentence-transformers stores it). Free with g_object_unref. */
GFile *ww_checkpoint_find_folder (GFile *folder, GError **error);

/* WW_SET_ERROR_UNSUPPORTED for a family other than BERT and DistilBERT, by name. */
gboolean ww_checkpoint_read_config (GFile *folder, WwCheckpointConfig *ret_config, GError **error);
/* From vocab.txt, one piece a line, or from tokenizer.json where there is no vocab.txt. */
WwVocab *ww_checkpoint_read_vocab (GFile *folder, GError **error);
/* From tokenizer_config.json or tokenizer.json; without either, as BERT's own small models: lower
 * case, no accents. */
gboolean ww_checkpoint_read_flags (GFile *folder, WwWordPieceFlags *ret_flags, GError **error);

G_END_DECLS

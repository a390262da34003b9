/* A byte-level BPE tokeniser from its files. */
#pragma once

#include "ww-bpe.h"
#include "ww-jansson.h"
#include "ww-model-config.h"

G_BEGIN_DECLS

/* From the JSON of a tokenizer.json, whose "model" is BPE; `config` is that of tokenizer_config.json, or NULL. Sets
 * *ret_vocab, which the result borrows. WW_SET_ERROR_UNSUPPORTED, with the field, for what is done in another way
 * than known here. */
WwBpe *ww_bpe_from_tokenizer (WwSource *source, json_t *root, json_t *config, WwVocab **ret_vocab, GError **error);
/* From vocab.json and merges.txt; added_tokens.json and tokenizer_config.json are heard where they are
 * there. `family` decides what stands around a text. */
WwBpe *ww_bpe_from_folder (GFile *folder, WwFamily family, WwVocab **ret_vocab, GError **error);

G_END_DECLS

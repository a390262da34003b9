/* A WordPiece tokeniser from its files. */
#pragma once

#include "ww-jansson.h"
#include "ww-wordpiece.h"

G_BEGIN_DECLS

/* From the JSON of a tokenizer.json whose "model" is WordPiece; `config` is that of tokenizer_config.json, or NULL,
 * whose flags override those of the first. Sets *ret_vocab, which the result borrows. WW_SET_ERROR_UNSUPPORTED, with
 * the field, for what is done in another way than known here. */
WwWordPiece *ww_wordpiece_from_tokenizer (WwSource *source, json_t *root, json_t *config, WwVocab **ret_vocab,
                                          GError **error);
/* From a vocabulary with a piece on each line. `added` is the JSON of added_tokens.json; it and `config` may be
 * NULL. */
WwWordPiece *ww_wordpiece_from_list (WwSource *source, json_t *config, json_t *added, WwVocab **ret_vocab,
                                     GError **error);

G_END_DECLS

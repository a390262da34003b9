/* The parts of a tokeniser's files that its kinds share: added tokens, and what stands around a text. */
#pragma once

#include "ww-added.h"
#include "ww-jansson.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* One entry of the "added_tokens" of tokenizer.json, whose text the vocabulary has. WW_SET_ERROR_MALFORMED,
 * _MISSING, _TOO_LARGE with the number and the text of the entry. */
gboolean ww_added_parse (WwSource *source, json_t *entry, gsize number, const WwVocab *vocab, const char **ret_text,
                         WwAddedToken *ret_token, GError **error);

/* The added tokens of a folder without tokenizer.json, in the form of its "added_tokens": those of
 * added_tokens.json, and of tokenizer_config.json ("added_tokens_decoder"). Both may be NULL. */
json_t *ww_added_list (json_t *added, json_t *config);

/* "post_processor" of tokenizer.json. WW_SET_ERROR_UNSUPPORTED for kinds that do more than to put tokens around one
 * text, and for tokens of another type than 0. `ret_frame` is initialised. */
gboolean ww_token_frame_parse (WwSource *source, json_t *post, const WwVocab *vocab, WwTokenFrame *ret_frame, GError **error);

G_END_DECLS

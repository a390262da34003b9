/* The parts of a tokeniser's files that its kinds share: added tokens, and what stands around a text. */
#pragma once

#include "ww-added.h"
#include "ww-jansson.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* Gives a tokeniser one more of the tokens that are found in a text. FALSE without memory. */
typedef gboolean (*WwAddedFunc) (gpointer tokeniser, const char *text, const WwAddedToken *token);
/* The "added_tokens" of tokenizer.json, whose texts the vocabulary has, one after another; `list` may be NULL.
 * WW_SET_ERROR_MALFORMED, _UNSUPPORTED, _MISSING, _TOO_LARGE with the number of the entry. */
gboolean ww_added_parse_list (WwSource *source, json_t *list, const WwVocab *vocab, WwAddedFunc func,
                              gpointer tokeniser, GError **error);

/* The added tokens of a folder without tokenizer.json, in the form of its "added_tokens": those of
 * added_tokens.json, and of tokenizer_config.json ("added_tokens_decoder"). Both may be NULL. */
json_t *ww_added_list (json_t *added, json_t *config);

/* "post_processor" of tokenizer.json. WW_SET_ERROR_UNSUPPORTED for kinds that do more than to put tokens around one
 * text, and for tokens of another type than 0. `ret_frame` is initialised. */
gboolean ww_token_frame_parse (WwSource *source, json_t *post, const WwVocab *vocab, WwTokenFrame *ret_frame,
                               GError **error);

/* A value of tokenizer_config.json, and the only one that is followed. */
typedef struct
{
  const char *key, *value;
} WwFollowed;

/* Whether `config`, an object or NULL, says nothing but what is followed beside the vocabulary in `source`: a text for a
 * key of `followed` (up to a NULL key), plain or as the "content" of a token, is its value, WW_SET_ERROR_UNSUPPORTED; a
 * flag is true, false or null, WW_SET_ERROR_MALFORMED. */
gboolean ww_tokeniser_check_config (WwSource *source, json_t *config, const WwFollowed *followed,
                                    const char *const *flags, GError **error);

G_END_DECLS

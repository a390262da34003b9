/* The tokeniser of a model: WordPiece, byte-level BPE or SentencePiece by scores, whichever its files describe. */
#pragma once

#include "ww-bpe.h"
#include "ww-jansson.h"
#include "ww-model-config.h"
#include "ww-scored.h"
#include "ww-tokens.h"
#include "ww-vocab.h"
#include "ww-wordpiece.h"

G_BEGIN_DECLS

typedef struct _WwTokeniser WwTokeniser;

/* From tokenizer.json, from vocab.txt (one piece a line), or from vocab.json and merges.txt; flags from
 * tokenizer_config.json or tokenizer.json. `family` decides what stands around a text where no file says.
 * WW_SET_ERROR_MISSING, _MALFORMED, _UNSUPPORTED (another kind of tokeniser), _EMPTY, _TOO_LARGE. */
WwTokeniser *ww_tokeniser_open (GFile *folder, WwFamily family, GError **error);
/* From the content of a tokenizer.json alone. `config` is that of tokenizer_config.json, or NULL. */
WwTokeniser *ww_tokeniser_new_for_json (WwSource *source, json_t *tokenizer, json_t *config, GError **error);
/* Takes the vocabulary, and the one of the three that is not NULL, which borrows it. */
WwTokeniser *ww_tokeniser_new_take (WwVocab *vocab, WwWordPiece *wordpiece, WwBpe *bpe, WwScored *scored);
void ww_tokeniser_free (WwTokeniser *tokeniser); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwTokeniser, ww_tokeniser_free)

const WwVocab *ww_tokeniser_get_vocab (const WwTokeniser *tokeniser);
/* The files that it was opened from (WwSource), in the order of ww_set_get_list_name; for one caller to take, with
 * g_ptr_array_unref. NULL: it is from no folder, or they are taken. */
GPtrArray *ww_tokeniser_steal_files (WwTokeniser *tokeniser);
/* The lengths that its files name, as ww-token-limits.h has them; NULL: it is from no folder. */
GArray *ww_tokeniser_get_limits (const WwTokeniser *tokeniser);
const char *ww_tokeniser_get_name (const WwTokeniser *tokeniser); /* "WordPiece, lower-casing" */

/* As ww_wordpiece_tokenise, ww_bpe_tokenise and ww_scored_tokenise. */
WwTokens *ww_tokeniser_tokenise (const WwTokeniser *tokeniser, const char *text, gboolean special);
void ww_tokeniser_fill_token (const WwTokeniser *tokeniser, guint32 id, WwToken *ret_token);

G_END_DECLS

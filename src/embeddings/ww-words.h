/* Words of a text as a table of whole words has them: GloVe, word2vec, fastText. */
#pragma once

#include "ww-tokens.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* The entry for words that the table lacks: "<unk>", "[UNK]" or "<UNK>". */
gboolean ww_words_find_unknown (const WwVocab *vocab, guint32 *ret_id);

/* Splits at white space, then at punctuation, but keeps the longest stretch that the table has as a
 * word ("U.S.", "don't", "twenty-one"). A word is looked up as written, then in small letters, then
 * with a capital, then in capitals. `text` is valid UTF-8. */
WwTokens *ww_words_tokenise (const WwVocab *vocab, const char *text);

G_END_DECLS

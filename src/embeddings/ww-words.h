/* Words of a text as a table of whole words has them: GloVe, word2vec, fastText. */
#pragma once

#include "ww-tokens.h"
#include "ww-vocab.h"
#include "ww-whole-words.h"

G_BEGIN_DECLS

/* The entry for words that the table lacks: "<unk>", "[UNK]" or "<UNK>". */
gboolean ww_words_find_unknown (const WwVocab *vocab, guint32 *ret_id);

/* How a vocabulary of words and pieces of words marks where a word begins. */
typedef enum
{
  WW_WORD_MARKS_NONE,
  WW_WORD_MARKS_SPACE, /* U+2581 in front, as SentencePiece writes them */
  WW_WORD_MARKS_BYTES, /* every byte is a letter, the space one of them, as byte-level BPE writes them */
} WwWordMarks;

/* An entry as a person reads it, never empty. */
char *ww_words_dup_display (const char *word, WwWordMarks marks);
/* Which marks most of the first entries bear. */
WwWordMarks ww_words_guess_marks (const WwVocab *vocab);

/* The words that have white space in them or are of it (". . .", "New York", U+2028, but no mere spaces and line
 * breaks), which a text is searched for before it is split. NULL: there are none. Goes through the whole
 * vocabulary. */
WwWholeWords *ww_words_find_spaced (const WwVocab *vocab);

/* Takes the longest of the `spaced` words (NULL: none) wherever one stands between other words, written exactly so.
 * Splits what is left at white space, then at punctuation, but keeps the longest stretch that the table has as a
 * word ("U.S.", "don't", "twenty-one"). A word is looked up as written, then in small letters, then
 * with a capital, then in capitals. With marks, a word that is not known as a whole is split into the
 * longest pieces that are. `text` is valid UTF-8. */
WwTokens *ww_words_tokenise (const WwVocab *vocab, WwWordMarks marks, const WwWholeWords *spaced, const char *text);

G_END_DECLS

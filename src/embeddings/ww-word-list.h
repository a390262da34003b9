/* The list of words beside an array: STEM.words.txt, STEM.txt, STEM.tsv, STEM.json and the like. */
#pragma once

#include "ww-set-private.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* Looks beside `array`, by its name without the ending, for a list; without one, succeeds and leaves *ret_vocab NULL.
 * `rows` is how many words are expected (0: not known), which tells whether a table (.tsv) has a header line.
 * *ret_name: the list's file name. *ret_duplicates: words that came again. WW_SET_ERROR of reading and of JSON. */
gboolean ww_word_list_find (GFile *array, gsize rows, const WwOpening *opening, WwVocab **ret_vocab, char **ret_name,
                            gsize *ret_duplicates, GError **error);

/* What stands in place of the ending of an array in the name of its list, the surest first, NULL-terminated. */
const char *const *ww_word_list_get_endings (void);
/* Names of the files beside `array` that are called as lists of words usually are: behind its own name ("emb_words.txt"),
 * then of any array ("vocab.txt", "words.json"), which need not be its list. (char *) */
GPtrArray *ww_word_list_list_usual (GFile *array);
/* Names of the files beside `array` that may be its list of words, the likeliest first: by its name, and
 * the metadata of an Embedding Projector. (char *) */
GPtrArray *ww_word_list_list_beside (GFile *array);
gboolean ww_word_list_is_metadata (const char *name);
/* Whether a file is a list of words by its name alone: of any array, or that metadata. */
gboolean ww_word_list_is_name (const char *name);

/* The list in one file: .json (a list of words, or an object that gives each word its number, also as
 * the vocabulary inside a tokenizer.json), .tsv (one column, as ww-word-table.h finds it), .npy (an array of
 * text), anything else a word a line. What was read is noted in the opening. WW_SET_ERROR_MALFORMED with the number of
 * the word or line, _SHAPE for what is no list, _MISSING for a column that is not there, and the errors of reading. */
gboolean ww_word_list_read (WwSource *source, const char *name, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                            gsize *ret_duplicates, GError **error);
gboolean ww_word_list_load (GFile *list, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                            gsize *ret_duplicates, GError **error);

G_END_DECLS

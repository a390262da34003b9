/* One array of numbers as an embedding set: a table of word vectors where its words are known, else a
 * ready context, or one of several. */
#pragma once

#include "ww-choice.h"
#include "ww-npy-private.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

typedef struct
{
  GFile *file;        /* beside which a list of words may lie */
  WwSource *whole;    /* whose digest names the set */
  WwSource *source;   /* that holds the values, at the place that the header says */
  WwNpyHeader header; /* of numbers */
  const char *format; /* "NumPy array" */
  const char *member; /* the array's name among several; NULL: there is only this one */
  gboolean is_context; /* said to be a ready context, so that its rows are no table's */
  gsize text;         /* which of several contexts, from 1; 0: not said */
} WwArray;

/* Checks the axes, and chooses among several contexts. *ret_text: from 0. WW_SET_ERROR_SHAPE, _TOO_LARGE, _MISSING for
 * a text that is not there, _AMBIGUOUS where one has to be chosen. */
gboolean ww_array_choose_text (const WwArray *array, const WwOpening *opening, gsize *ret_text,
                               GError **error);
/* The rows of a text take no list of words: WW_SET_ERROR_UNSUPPORTED where one was given. */
gboolean ww_array_check_list_option (const WwArray *array, const WwOpening *opening, GError **error);
/* How many rows a context, or the table, has. */
gsize ww_array_get_rows (const WwArray *array);
/* The rows of one context, or all. */
WwTable *ww_array_make_table (const WwArray *array, gsize text);

/* Words for the rows of a table, from the options, or from beside the file; *ret_vocab stays NULL where
 * there are none. */
gboolean ww_array_find_words (GFile *file, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                              char **ret_name, gsize *ret_duplicates, GError **error);
/* A list that cannot be that of the array need not end the opening while somebody looks: another one can be chosen, or
 * none. */
void ww_array_ask_for_list (const WwOpening *opening);
/* Words from a file beside it that is called as lists of words are ("vocab.txt", "words.json"), where nothing else was
 * found: its name does not say that it belongs to the file, so that it must have as many words as there are rows. */
void ww_array_find_usual_list (GFile *file, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                               char **ret_name, gsize *ret_duplicates);
/* Whether rows without words, which nothing says to be a context, go by their numbers, from 0: where they are asked for
 * by them, or where there are more than a context has. The second is noted for the preview. */
gboolean ww_rows_go_by_numbers (gsize rows, const WwOpening *opening);
/* The remark of a set of which rows go by their numbers, though none was asked for by its own. */
void ww_array_warn_of_numbers (WwSet *set);
/* Whether there is a word for each row: WW_SET_ERROR_SHAPE. `list` names the words. */
gboolean ww_array_check_list (const WwArray *array, gsize rows, const WwVocab *vocab, const char *list, GError **error);
/* A remark of the set on words that came again in its list, if there are any. */
void ww_array_note_duplicates (WwSet *set, gsize duplicates);
/* A set of `table` and `vocab`, after the checks that belong to it. `list` names the words in messages. */
WwSet *ww_array_make_set (const WwArray *array, WwTable *table, WwVocab *vocab, const char *list,
                          gsize duplicates, const WwOpening *opening, GError **error);

G_END_DECLS

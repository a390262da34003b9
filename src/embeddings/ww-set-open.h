/* Opening with choices: which of several arrays is meant, where the words are, and what becomes of
 * words that a set lacks. */
#pragma once

#include "ww-set.h"

G_BEGIN_DECLS

/* What becomes of a word that the set lacks. It is marked as unknown in every case. */
typedef enum
{
  WW_UNKNOWN_VECTOR, /* it gets the set's vector for unknown words, and no row where there is none */
  WW_UNKNOWN_SKIP,   /* it gets no row */
  WW_UNKNOWN_RANDOM, /* it gets a row of standard normal numbers, made from the seed and the word: the
                      * same word has the same row everywhere. A checkpoint, which splits words into
                      * pieces and has a trained vector for what is left, takes that instead. */
} WwUnknown;
#define WW_N_UNKNOWNS 3

const char *ww_unknown_get_id (WwUnknown unknown); /* "vector", "skip", "random" */
gboolean ww_unknown_from_id (const char *id, WwUnknown *ret_unknown);

/* How the lines of a file of text are read. */
typedef enum
{
  WW_READING_GUESSED,  /* as they look */
  WW_READING_GLOVE,    /* a word and its numbers on each line */
  WW_READING_WORD2VEC, /* the same, below a line that says how many words and how many numbers there are */
  WW_READING_TENSORS,  /* only numbers: vectors whose words are in another file, or nowhere */
} WwReading;
#define WW_N_READINGS 4

const char *ww_reading_get_id (WwReading reading);    /* "guessed", "glove", "word2vec", "tensors" */
const char *ww_reading_get_title (WwReading reading); /* for people: untranslated, marked with N_() */
gboolean ww_reading_from_id (const char *id, WwReading *ret_reading); /* "guessed" is none that can be asked for */

/* All zero: everything is found out by looking. What has no effect on the file at hand is an error. */
typedef struct
{
  /* One of several arrays or files inside, by the id of its candidate (ww-preview.h): a tensor, a
   * member of an archive, "2" or "X:2" for the second text of an array of several. NULL: the one with
   * a usual name, or the only one, else WW_SET_ERROR_AMBIGUOUS. */
  const char *member;
  GFile *words;         /* the list of the words of the rows; NULL: looked for inside and beside */
  gboolean without_words; /* the rows are a ready context, whatever lies beside */
  WwUnknown unknown;
  guint64 seed; /* of the rows of WW_UNKNOWN_RANDOM */
  gboolean tokens_only; /* a vocabulary without weights will do: no rows are wanted */
  /* With tokens_only: whatever is there is wanted. Weights may not be damaged, and a vocabulary may be missing. */
  gboolean all_parts;
  WwReading reading; /* of a file of text */
  gboolean ids_only; /* rows are asked for by their numbers alone, so that a vocabulary may be missing */
  /* Of a list of words in several columns: the number of the one with the words, from 1, or its title. NULL: one
   * titled "word", "token", "label", "text" or "name", else the first that is not all numbers. */
  const char *column;
} WwOpenOptions;

/* As ww_set_open. `options` NULL: all zero. Further errors: WW_SET_ERROR_AMBIGUOUS with the list of
 * what there is, WW_SET_ERROR_MISSING for a member that is not there, WW_SET_ERROR_UNSUPPORTED for an option
 * that means nothing here. */
WwSet *ww_set_open_full (GFile *file, const WwOpenOptions *options, GCancellable *cancellable,
                         WwSetProgressFunc progress, gpointer user_data, GError **error);
/* As ww_set_open_argument. A built-in sample takes only `unknown` and `seed` of the options. */
WwSet *ww_set_open_argument_full (const char *set, const WwOpenOptions *options, GCancellable *cancellable,
                                  WwSetProgressFunc progress, gpointer user_data, GError **error);

/* As ww_set_tokenise, with another policy than the one given at opening time. */
WwTokens *ww_set_tokenise_full (WwSet *self, const char *text, gboolean special, WwUnknown unknown,
                                guint64 seed, GError **error);

G_END_DECLS

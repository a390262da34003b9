/* The entries of a set as words that a person can name, find and put in the place of a token. Immutable,
 * shared, usable from any thread. */
#pragma once

#include "ww-row-scale.h"
#include "ww-set.h"

G_BEGIN_DECLS

typedef struct _WwEntries WwEntries;

/* Reads through the whole vocabulary once: some tenths of a second for a table of a million words.
 * WW_SET_ERROR_UNSUPPORTED for a ready context, which has no words; WW_CORE_ERROR_CANCELLED, _MEMORY. */
WwEntries *ww_entries_new (WwSet *set, const WwCancel *cancel, GError **error);
WwEntries *ww_entries_ref (WwEntries *entries);
void ww_entries_unref (WwEntries *entries); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwEntries, ww_entries_unref)

WwSet *ww_entries_get_set (const WwEntries *entries); /* not owned */
gsize ww_entries_get_n (const WwEntries *entries);
/* As a person reads it, pieces inside a word with their mark ("##ing"); where several entries read alike, as
 * the vocabulary writes them. Unique unless the set has a word twice. */
const char *ww_entries_get_text (const WwEntries *entries, guint32 id);
/* Whether the entry can stand in a text: not the special tokens, the one for unknown words, and the
 * places that a vocabulary keeps free ("[unused7]"). */
gboolean ww_entries_is_candidate (const WwEntries *entries, guint32 id);

/* The entry that is `word`: as the vocabulary has it, or else what a text of this one word becomes, which
 * must be one token. WW_SET_ERROR_NO_TOKENS with what is wrong (unknown, several pieces, nothing). */
gboolean ww_entries_lookup (const WwEntries *entries, const char *word, guint32 *ret_id, GError **error);
/* At most `max` candidates that begin with `prefix`, whatever the case, those as written first, then short
 * ones before long ones, then by the order of the set: a NULL-terminated array. */
char **ww_entries_complete (const WwEntries *entries, const char *prefix, gsize max);

/* Whether `layer` is one whose rows belong to words: WW_LAYER_WORD, or 0 where the set has it. The state
 * behind a block depends on the whole text. WW_SET_ERROR_UNSUPPORTED. */
gboolean ww_entries_check_layer (const WwEntries *entries, int layer, GError **error);

/* Where the rows of candidates come from: a table, or layer 0 at one position of a text. */
typedef struct
{
  const WwEntries *entries;
  int layer;
  const guint32 *ids; /* of the tokens that are rows of the context; only for layer 0 */
  gsize position;     /* of the token that is replaced */
} WwEntryRows;

/* Raw rows of entries first ... first + count - 1 (count x dims of the set), NaN where an entry is no
 * candidate; a row has the same bits as in a context. `rows`: a WwEntryRows; a WwSwapReadFunc.
 * WW_SET_ERROR_READ, _NON_FINITE. */
gboolean ww_entries_read_rows (gsize first, gsize count, double *ret_raw, gpointer rows, GError **error);

/* The row that `word` would have in the place of the token that `rows` names, cut and scaled like the rows of
 * its context: one for each of the dims of `scale`. The errors of ww_entries_check_layer, _lookup and _read_rows;
 * WW_CORE_ERROR_ZERO_ROW where the row has no place in such a context. */
gboolean ww_entry_rows_read_word (const WwEntryRows *rows, const char *word, const WwRowScale *scale, double *ret_row,
                                  GError **error);

G_END_DECLS

/* An embedding set that is one table: with a word for each row, or a ready context without words. */
#pragma once

#include "ww-set-private.h"
#include "ww-table.h"
#include "ww-tokeniser.h"
#include "ww-vocab.h"
#include "ww-words.h"

G_BEGIN_DECLS

/* Takes `vocab` (NULL: a ready context, whose tokens are its rows) and `table`, which has at least as
 * many rows as there are words. `name` and `format` are copied, `source` is referenced. */
WwSet *ww_table_set_new (const char *name, const char *format, WwSource *source, WwVocab *vocab,
                         WwTable *table);
/* Words that the rows of a ready context stand for, to be shown; takes `labels`, one for each row. Only
 * before the set is handed out. */
void ww_table_set_take_labels (WwSet *set, WwVocab *labels);
/* How the entries of a sub-word vocabulary mark the beginning of a word; words of a text are looked up with
 * the mark first, and it is not shown. Only before the set is handed out. */
void ww_table_set_set_marks (WwSet *set, WwWordMarks marks);

/* The model's own tokeniser, whose ids are rows of the table, in place of looking words up; taken. NULL: there is
 * none, and where `why` is not NULL the set says that texts are cut in another way than the model's, and why. Only
 * before the set is handed out, for a set with words. */
void ww_table_set_take_tokeniser (WwSet *set, WwTokeniser *tokeniser, const char *why);

G_END_DECLS

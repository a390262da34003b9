/* An embedding set that is one table: with a word for each row, or a ready context without words. */
#pragma once

#include "ww-set-private.h"
#include "ww-table.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* Takes `vocab` (NULL: a ready context, whose tokens are its rows) and `table`, which has at least as
 * many rows as there are words. `name` and `format` are copied, `source` is referenced. */
WwSet *ww_table_set_new (const char *name, const char *format, WwSource *source, WwVocab *vocab,
                         WwTable *table);

G_END_DECLS

/* A list of words in several columns, as the metadata of an Embedding Projector: which of them holds the words. */
#pragma once

#include "ww-source.h"

G_BEGIN_DECLS

/* Why this column. */
typedef enum
{
  WW_COLUMN_ONLY,    /* there is no other */
  WW_COLUMN_ASKED,   /* somebody chose it */
  WW_COLUMN_TITLED,  /* its title is "word", "token" and the like */
  WW_COLUMN_TEXT,    /* it is the first that does not hold numbers alone */
  WW_COLUMN_FIRST,   /* all hold numbers */
} WwColumnReason;

typedef struct
{
  gboolean header;   /* the first line holds titles */
  GPtrArray *titles; /* of the columns (char *): out of the header, or "1", "2", ... */
  gsize column;      /* from 0 */
  WwColumnReason reason;
} WwWordTable;

void ww_word_table_clear (WwWordTable *table); /* all zero is fine */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwWordTable, ww_word_table_clear)

/* Looks at lines whose columns stand between tabs. `rows`: words that are expected (0: not known), which tells whether
 * there is a header. `asked`: the number of a column, from 1, or its title; NULL: it is found out. `source` is for
 * messages. WW_SET_ERROR_MISSING for a column that is not there. */
gboolean ww_word_table_find (WwSource *source, const char *text, gsize length, gsize rows, const char *asked,
                             WwWordTable *ret_table, GError **error);
/* Column `column` of a line, without its end; NULL: the line has fewer. */
const char *ww_word_table_get (const char *line, gsize line_length, gsize column, gsize *ret_length);

G_END_DECLS

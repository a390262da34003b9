/* The lines of a table in text, read through a window: words, and the numbers behind them. */
#pragma once

#include "ww-choice.h"
#include "ww-stream.h"
#include "ww-text-layout.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

/* Zero but for `source` and `opening` to begin with; nothing is owned but what ww_text_rows_clear frees. */
typedef struct
{
  WwSource *source;
  WwStream *stream;
  const WwOpening *opening;

  char *buffer;
  gsize length, capacity; /* bytes of `buffer` */
  gboolean at_end;        /* the stream holds nothing more */

  WwTextLayout layout; /* for the caller to set between begin and read */
  gsize line; /* number of the line at hand, from 1 */

  WwVocab *vocab;
  float *floats;
  gsize n_rows, floats_capacity;

  gsize n_duplicates, n_invalid, n_wordless;
  gsize n_quoted; /* of the rows: their words stand in double quotation marks */
  char *first_duplicate;
  gsize first_duplicate_line, first_invalid_line, first_wordless_line;
  gsize cut_line; /* the line that the end of the file cuts; 0: none */
} WwTextRows;

void ww_text_rows_clear (WwTextRows *rows);
/* Opens what is packed, and fills the window as far as it goes, at least with one whole line, without a byte-order
 * mark. The errors of ww_stream_open, and WW_SET_ERROR_TOO_LARGE for a line that is too long. */
gboolean ww_text_rows_begin (WwTextRows *rows, GError **error);
/* All rows, or for a preview the first ones. WW_SET_ERROR with line and column. */
gboolean ww_text_rows_read (WwTextRows *rows, GError **error);
/* Somebody only wants to see the first rows, and the file is longer than the first window. */
gboolean ww_text_rows_has_enough (const WwTextRows *rows);

G_END_DECLS

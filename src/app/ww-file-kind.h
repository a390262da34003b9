/* Tells a text from an embedding set by what is in it. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Texts larger than this are no texts for one context. */
#define WW_TEXT_FILE_MAX (1024 * 1024)

/* TRUE if `length` bytes, the whole file or its beginning, read as prose: UTF-8 without control
 * characters, and not lines of a word and numbers. */
gboolean ww_bytes_look_like_prose (const char *bytes, gsize length, gboolean whole);

/* Reads at most WW_TEXT_FILE_MAX bytes. `ret_text` is NULL where the file is no text, and then no
 * error is set. A folder is no text. */
gboolean ww_file_read_text (GFile        *file,
                            GCancellable *cancellable,
                            char        **ret_text,
                            GError      **error);
/* Why ww_file_read_text finds no text there: what it found, and where. G_IO_ERROR_MESSAGE_TOO_LARGE for
 * what would be one but for its size, else G_IO_ERROR_INVALID_DATA. */
GError *ww_file_explain_no_text (GFile *file, GCancellable *cancellable);

G_END_DECLS

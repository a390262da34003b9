/* Files that are either written whole or not touched at all. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WW_PLOT_ERROR (ww_plot_error_quark ())
GQuark ww_plot_error_quark (void);
typedef enum
{
  WW_PLOT_ERROR_SIZE,   /* a page or a bitmap that is empty or too large */
  WW_PLOT_ERROR_WRITE,  /* the file could not be written; the message says why */
  WW_PLOT_ERROR_FORMAT, /* an ending that names no format */
} WwPlotError;

/* Writes `length` bytes to a temporary name in the folder of `path`, flushes them to the disk and
 * renames: whatever goes wrong, the old file stays as it was and the temporary one is removed. A
 * symbolic link is followed and stays a link; an old file keeps its permissions. A path that names
 * something else than a file or a folder (a pipe, /dev/stdout) is written to directly. */
gboolean ww_write_file_atomically (const char *path, const char *data, gsize length, GError **error);

G_END_DECLS

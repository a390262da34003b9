/* Texts from files and from standard input. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* More than any context can use, and little enough to hold. */
#define WW_CLI_MAX_TEXT (16 * 1024 * 1024)

/* The text in the regular file `path`, or in standard input for "-": UTF-8, without a byte order
 * mark and without the line break at its end. WW_CLI_ERROR_FAILED names what is wrong and where. */
gboolean ww_cli_text_read (const char *path, char **ret_text, GError **error);

/* SHA-256 of a file, in hex. */
char *ww_cli_text_checksum (const char *path, GError **error);

G_END_DECLS

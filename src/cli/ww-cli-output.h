/* Where results go: the file named, or standard output for "-". What goes to standard output is made whole
 * first, so that a failure leaves nothing of it there, as it leaves no half file. */
#pragma once

#include "ww-matrix.h"

G_BEGIN_DECLS

/* NULL is not. */
gboolean ww_cli_is_standard_output (const char *path);

/* What to hand to a function that writes a file: `output` itself, or the name of a temporary one; NULL where
 * that cannot be made. */
char *ww_cli_output_begin (const char *output, GError **error);
/* Ends what was begun, takes `path`: where `written`, a temporary file is copied to standard output; it is
 * removed in any case. FALSE where `written` is, whose error `error` has then, or where copying fails. */
gboolean ww_cli_output_end (const char *output, char *path, gboolean written, GError **error);

/* As the functions of ww-npy.h. */
gboolean ww_cli_save (const char *output, const WwMatrix *matrix, GError **error);
gboolean ww_cli_save_stack (const char *output, const WwMatrix *matrix, gsize depth, GError **error);
gboolean ww_cli_save_vector (const char *output, const double *values, gsize n, GError **error);

G_END_DECLS

#include "ww-cli-output.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "ww-cli.h"
#include "ww-npy.h"

#define COPY_BYTES 65536

gboolean
ww_cli_is_standard_output (const char *path)
{
  return g_strcmp0 (path, "-") == 0;
}

char *
ww_cli_output_begin (const char *output, GError **error)
{
  char *path = NULL;
  int fd;

  if (!ww_cli_is_standard_output (output))
    return g_strdup (output);

  fd = g_file_open_tmp ("wordsway-XXXXXX", &path, error);
  if (fd < 0)
    return NULL;

  close (fd);
  return path;
}

/* Errors of standard output are found where it is flushed. */
static gboolean
copy_to_standard_output (const char *path, GError **error)
{
  FILE *file = g_fopen (path, "rb");
  g_autofree char *buffer = g_malloc (COPY_BYTES);
  gsize n = 0;
  gboolean failed;

  while (file != NULL && (n = fread (buffer, 1, COPY_BYTES, file)) > 0)
    if (fwrite (buffer, 1, n, stdout) < n)
      break;

  failed = file == NULL || ferror (file);
  if (failed)
    g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "The temporary file “%s” cannot be read: %s", path,
                 g_strerror (errno));
  if (file != NULL)
    fclose (file);

  return !failed && ww_cli_flush (error);
}

gboolean
ww_cli_output_end (const char *output, char *path, gboolean written, GError **error)
{
  g_autofree char *owned = path;

  if (!ww_cli_is_standard_output (output))
    return written;

  if (written)
    written = copy_to_standard_output (owned, error);
  g_unlink (owned);

  return written;
}

gboolean
ww_cli_save (const char *output, const WwMatrix *matrix, GError **error)
{
  char *path = ww_cli_output_begin (output, error);

  return path != NULL && ww_cli_output_end (output, path, ww_npy_save (path, matrix, error), error);
}

gboolean
ww_cli_save_stack (const char *output, const WwMatrix *matrix, gsize depth, GError **error)
{
  char *path = ww_cli_output_begin (output, error);

  return path != NULL && ww_cli_output_end (output, path, ww_npy_save_stack (path, matrix, depth, error), error);
}

gboolean
ww_cli_save_vector (const char *output, const double *values, gsize n, GError **error)
{
  char *path = ww_cli_output_begin (output, error);

  return path != NULL && ww_cli_output_end (output, path, ww_npy_save_vector (path, values, n, error), error);
}

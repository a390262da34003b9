#include "ww-cli-text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ww-cli.h"

static gboolean
fail (GError **error, const char *path, const char *problem)
{
  g_autofree char *name = g_str_equal (path, "-") ? g_strdup ("standard input") : g_filename_display_name (path);

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "“%s”: %s", name, problem);
  return FALSE;
}

/* A descriptor on the regular file `path`. Opened without waiting: a pipe that nobody writes to
 * would otherwise hold the program for ever. */
static int
open_regular (const char *path, GError **error)
{
  struct stat status;
  int descriptor = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

  if (descriptor < 0 || fstat (descriptor, &status) != 0)
    {
      fail (error, path, g_strerror (errno));
      if (descriptor >= 0)
        close (descriptor);
      return -1;
    }
  if (S_ISREG (status.st_mode))
    return descriptor;

  fail (error, path,
        S_ISDIR (status.st_mode) ? "is a folder, not a text file"
                                 : "is no regular file; a text from a pipe is read with --text-file -");
  close (descriptor);
  return -1;
}

/* Reads to the end of the file, or until `text` has more than the limit. */
static gboolean
read_bytes (int descriptor, const char *path, GString *text, GError **error)
{
  char buffer[8192];
  gssize n = 0;

  while (text->len <= WW_CLI_MAX_TEXT)
    {
      n = read (descriptor, buffer, sizeof buffer);
      if (n == 0)
        return TRUE;
      if (n < 0 && ww_cli_is_cancelled (error))
        return FALSE;
      if (n < 0 && errno != EINTR)
        return fail (error, path, g_strerror (errno));
      if (n > 0)
        g_string_append_len (text, buffer, n);
    }

  return fail (error, path, "is longer than 16 MiB, the limit for a text");
}

static gboolean
check_text (const GString *text, const char *path, GError **error)
{
  const char *end = NULL;
  g_autofree char *problem = NULL;

  if (text->len == 0)
    return fail (error, path, "is empty; expected a text");
  if (g_utf8_validate_len (text->str, text->len, &end))
    return TRUE;

  if (*end == '\0')
    problem = g_strdup_printf ("byte %" G_GSIZE_FORMAT " is NUL, which tokenisers treat differently: BERT's leave it"
                               " out, byte-level ones make a token of it. To convert:\n"
                               "  tr -d '\\000' < in.txt > out.txt", (gsize) (end - text->str));
  else
    problem = g_strdup_printf ("byte %" G_GSIZE_FORMAT " is no valid UTF-8; expected UTF-8", (gsize) (end - text->str));
  return fail (error, path, problem);
}

gboolean
ww_cli_text_read (const char *path, char **ret_text, GError **error)
{
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_input = g_str_equal (path, "-");
  int descriptor = is_input ? STDIN_FILENO : open_regular (path, error);
  gboolean done = FALSE;

  if (descriptor < 0)
    return FALSE;
  done = read_bytes (descriptor, path, text, error);
  if (!is_input)
    close (descriptor);
  if (!done || !check_text (text, path, error))
    return FALSE;

  if (g_str_has_prefix (text->str, byte_order_mark))
    g_string_erase (text, 0, strlen (byte_order_mark));
  /* The text itself is the same whether it came by --text or from a file with a last line. */
  while (text->len > 0 && strchr ("\r\n", text->str[text->len - 1]) != NULL)
    g_string_truncate (text, text->len - 1);

  *ret_text = g_strdup (text->str);
  return TRUE;
}

char *
ww_cli_text_checksum (const char *path, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guchar buffer[65536];
  gssize n = 0;
  int descriptor = open_regular (path, error);

  if (descriptor < 0)
    return NULL;

  while ((n = read (descriptor, buffer, sizeof buffer)) > 0)
    g_checksum_update (checksum, buffer, n);
  if (n < 0)
    fail (error, path, g_strerror (errno));
  close (descriptor);

  return n < 0 ? NULL : g_strdup (g_checksum_get_string (checksum));
}

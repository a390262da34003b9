#include "ww-file-kind.h"

#include <glib/gi18n.h>
#include <string.h>

/* With a decimal comma, too: the reader of sets has a sentence about it. */
static gboolean
is_number (const char *word)
{
  g_autofree char *dotted = g_strdelimit (g_strdup (word), ",", '.');
  char *end;

  g_ascii_strtod (dotted, &end);
  return end != dotted && *end == '\0';
}

/* "word 0.1 -0.2 ...", or the "rows dims" line that word2vec puts first: how many numbers; 0 where it is
 * neither. */
static guint
count_row_of_numbers (const char *line, gsize length)
{
  g_autofree char *copy = g_strndup (line, length);
  g_auto (GStrv) words = g_strsplit_set (g_strstrip (copy), " \t", -1);
  guint n_words = 0, n_numbers = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] == '\0')
        continue;
      n_words++;
      n_numbers += is_number (words[i]) ? 1 : 0;
    }
  return n_words >= 2 && n_numbers + 1 >= n_words ? n_numbers : 0;
}

static gsize
first_line_length (const char *bytes, gsize length)
{
  const char *newline = memchr (bytes, '\n', length);

  return newline != NULL ? (gsize) (newline - bytes) : length;
}

/* The first byte that no text has; `length` where there is none. */
static gsize
find_control (const char *bytes, gsize length)
{
  gsize i = 0;

  while (i < length && ((guchar) bytes[i] >= 0x20 || memchr ("\t\n\r\f", bytes[i], 4) != NULL))
    i++;
  return i;
}

static gsize
cut_to_whole_letters (const char *bytes, gsize length)
{
  const char *end;

  if (g_utf8_validate_len (bytes, length, &end))
    return length;
  /* A letter cut in two by the end of the buffer is no fault of the text. */
  return length - (gsize) (end - bytes) < 4 ? (gsize) (end - bytes) : 0;
}

gboolean
ww_bytes_look_like_prose (const char *bytes, gsize length, gboolean whole)
{
  if (length == 0 || (whole && !g_utf8_validate_len (bytes, length, NULL)))
    return FALSE;
  length = cut_to_whole_letters (bytes, length);
  if (length == 0)
    return FALSE;
  return find_control (bytes, length) == length
         && count_row_of_numbers (bytes, first_line_length (bytes, length)) == 0;
}

gboolean
ww_file_read_text (GFile *file, GCancellable *cancellable, char **ret_text, GError **error)
{
  g_autoptr (GFileInputStream) stream = NULL;
  g_autofree char *buffer = NULL;
  gsize length;

  /* Opening a FIFO would wait for a writer that never comes. */
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) != G_FILE_TYPE_REGULAR)
    {
      *ret_text = NULL;
      return TRUE;
    }
  stream = g_file_read (file, cancellable, error);
  if (stream == NULL)
    return FALSE;
  buffer = g_malloc (WW_TEXT_FILE_MAX + 2);
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), buffer, WW_TEXT_FILE_MAX + 1, &length,
                                cancellable, error))
    return FALSE;
  buffer[length] = '\0';
  *ret_text = length <= WW_TEXT_FILE_MAX && ww_bytes_look_like_prose (buffer, length, TRUE)
                ? g_steal_pointer (&buffer)
                : NULL;
  return TRUE;
}

static GError *
explain_place (const char *name, const char *bytes, gsize place, const char *what)
{
  guint line = 1;

  for (gsize i = 0; i < place; i++)
    line += bytes[i] == '\n' ? 1 : 0;
  return g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("“%s”, line %u (byte %zu): found 0x%02x, %s"), name,
                      line, place, (guint) (guchar) bytes[place], what);
}

static GError *
explain_bytes (const char *name, const char *bytes, gsize length, goffset size)
{
  const char *end = bytes;
  gsize control = find_control (bytes, length);
  guint n_numbers;

  if (length == 0)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("“%s” is empty"), name);
  if (!g_utf8_validate_len (bytes, cut_to_whole_letters (bytes, length), &end) || end == bytes)
    g_utf8_validate_len (bytes, length, &end);
  if ((gsize) (end - bytes) < MIN (control, length) && length <= WW_TEXT_FILE_MAX)
    return explain_place (name, bytes, (gsize) (end - bytes), _ ("which is not UTF-8"));
  if (control < length)
    return explain_place (name, bytes, control, _ ("a control character"));
  n_numbers = count_row_of_numbers (bytes, first_line_length (bytes, length));
  if (n_numbers > 0)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                        ngettext ("“%s”, line 1: found a row of %u number: that is an embedding set, open it as one",
                                  "“%s”, line 1: found a row of %u numbers: that is an embedding set, open it as one",
                                  n_numbers), name, n_numbers);
  if (!ww_bytes_look_like_prose (bytes, length, FALSE))
    return explain_place (name, bytes, (gsize) (end - bytes), _ ("which is not UTF-8"));
  return g_error_new (G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE,
                      _ ("“%s” has %zu bytes; a text has at most %d (1 MiB)"), name, (gsize) size,
                      WW_TEXT_FILE_MAX);
}

GError *
ww_file_explain_no_text (GFile *file, GCancellable *cancellable)
{
  g_autofree char *path = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (path != NULL ? path : "");
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GFileInfo) info = NULL;
  g_autofree char *buffer = NULL;
  GError *error = NULL;
  gsize length;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                            G_FILE_QUERY_INFO_NONE, cancellable, &error);
  if (info == NULL)
    return error;
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    return g_error_new (G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                        g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY ? _ ("“%s” is a folder")
                                                                                : _ ("“%s” is no regular file"),
                        name);
  stream = g_file_read (file, cancellable, &error);
  if (stream == NULL)
    return error;
  buffer = g_malloc (WW_TEXT_FILE_MAX + 2);
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), buffer, WW_TEXT_FILE_MAX + 1, &length, cancellable,
                                &error))
    return error;
  return explain_bytes (name, buffer, length, g_file_info_get_size (info));
}

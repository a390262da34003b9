#include "ww-file-kind.h"

#include <string.h>

static gboolean
is_number (const char *word)
{
  char *end;

  g_ascii_strtod (word, &end);
  return end != word && *end == '\0';
}

/* "word 0.1 -0.2 ...", or the "rows dims" line that word2vec puts first. */
static gboolean
is_row_of_numbers (const char *line, gsize length)
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
  return n_words >= 2 && n_numbers + 1 >= n_words;
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
  const char *newline;

  if (length == 0 || (whole && !g_utf8_validate_len (bytes, length, NULL)))
    return FALSE;
  length = cut_to_whole_letters (bytes, length);
  if (length == 0)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if ((guchar) bytes[i] < 0x20 && strchr ("\t\n\r\f", bytes[i]) == NULL)
      return FALSE;
  newline = memchr (bytes, '\n', length);
  return !is_row_of_numbers (bytes, newline != NULL ? (gsize) (newline - bytes) : length);
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

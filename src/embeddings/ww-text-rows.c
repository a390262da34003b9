#include "ww-text-rows.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "ww-decimal.h"

#define FIRST_BUFFER (1 << 20)
#define MAX_LINE_BYTES (16 * 1024 * 1024)
#define MAX_SHOWN 30

void
ww_text_rows_clear (WwTextRows *rows)
{
  ww_stream_free (rows->stream);
  ww_vocab_free (rows->vocab);
  g_free (rows->buffer);
  g_free (rows->floats);
  g_free (rows->first_duplicate);
}

/* Line, column in characters, and what stands there. */
static void
fail_at (WwTextRows *rows, const char *start, const char *at, const char *end, int code,
         const char *expected, GError **error)
{
  g_autofree char *before = g_utf8_make_valid (start, at - start);
  g_autofree char *found = g_utf8_make_valid (at, MIN (end - at, MAX_SHOWN));

  ww_source_set_error (rows->source, error, code,
                       _("line %zu, column %ld: \"%s\" %s"), rows->line,
                       g_utf8_strlen (before, -1) + 1, found, expected);
}

static gboolean
fail_memory (WwTextRows *rows, GError **error)
{
  ww_source_set_error (rows->source, error, WW_SET_ERROR_TOO_LARGE,
                       _("line %zu: not enough memory for more words"), rows->line);
  return FALSE;
}

/* Room for one row more. The first guess comes from the size of the file, so that most tables are
 * allocated once. */
static float *
reserve_row (WwTextRows *rows, gsize line_length)
{
  gsize n = rows->n_rows;

  if (n == rows->floats_capacity)
    {
      guint64 size = ww_source_get_size (rows->source);
      guint64 guess = n == 0 ? size / MAX (line_length, 1) + 16 : n + n / 2;
      gsize values, bytes;
      float *floats;

      if (!g_size_checked_mul (&values, (gsize) guess, rows->layout.dims)
          || !g_size_checked_mul (&bytes, values, sizeof (float)))
        return NULL;
      floats = g_try_realloc (rows->floats, bytes);
      if (floats == NULL)
        return NULL;
      rows->floats = floats;
      rows->floats_capacity = (gsize) guess;
    }

  return rows->floats + n * rows->layout.dims;
}

/* The numbers of a line from `at` on. TRUE if there are exactly d and nothing more; most lines are
 * read by this one pass. */
static gboolean
parse_numbers (WwTextRows *rows, const char *at, const char *end, float *row)
{
  for (gsize c = 0; c < rows->layout.dims; c++)
    {
      const char *stop;

      while (at < end && ww_text_layout_separates (&rows->layout, *at))
        at++;
      if (ww_decimal_parse (at, end, &stop, &row[c]) != WW_DECIMAL_OK
          || (stop < end && !ww_text_layout_separates (&rows->layout, *stop)))
        return FALSE;
      at = stop;
    }

  return at == end;
}

typedef enum
{
  LINE_GOOD,
  LINE_SHORT, /* too few numbers, or the last one is none: as the end of a cut file looks */
  LINE_BAD,
} LineResult;

/* The slow way, for words with separators in them and for lines with something wrong: the last d
 * fields are the numbers. Finds where the word ends, or says what is wrong first. */
static LineResult
find_word_end (WwTextRows *rows, const char *start, const char *end, const char **ret_word_end,
               GError **error)
{
  const WwTextLayout *layout = &rows->layout;
  const char *at = end, *bad = NULL, *bad_end = NULL;
  gboolean non_finite = FALSE;

  for (gsize c = layout->dims; c > 0; c--)
    {
      const char *field = ww_text_layout_field_start (layout, start, at), *stop = NULL;
      WwDecimalResult result;
      float value;

      if (field == start)
        {
          ww_source_set_error (rows->source, error, WW_SET_ERROR_SHAPE,
                               layout->wordless
                                 ? _("line %zu: %zu fields; %zu numbers were expected")
                                 : _("line %zu: %zu fields; a word and %zu numbers were expected"), rows->line,
                               layout->dims - c + (at > start), layout->dims + layout->wordless);
          return LINE_SHORT;
        }
      result = ww_decimal_parse (field, at, &stop, &value);
      if (result != WW_DECIMAL_OK || stop != at)
        {
          bad = field;
          bad_end = at;
          non_finite = result == WW_DECIMAL_NON_FINITE && stop == at;
        }
      at = ww_text_layout_trim (layout, start, field);
    }

  if (bad == NULL)
    {
      *ret_word_end = at;
      return LINE_GOOD;
    }
  fail_at (rows, start, bad, bad_end, non_finite ? WW_SET_ERROR_NON_FINITE : WW_SET_ERROR_NUMBER,
           non_finite ? _("is no finite number of single precision")
           : memchr (bad, ',', (gsize) (bad_end - bad)) != NULL
             ? _("is no number; with a decimal comma it must be written with a dot")
             : _("is no number"), error);
  return bad_end == end && !non_finite ? LINE_SHORT : LINE_BAD;
}

/* A word with a space may end in anything, but not in what looks like one more value of the vector:
 * then the line has too many numbers. */
static gboolean
check_word (WwTextRows *rows, const char *start, const char *word_end, GError **error)
{
  const char *last = ww_text_layout_field_start (&rows->layout, start, word_end), *stop;
  float value;

  if (last > start && ww_decimal_parse (last, word_end, &stop, &value) == WW_DECIMAL_OK
      && stop == word_end && memchr (last, '.', (gsize) (word_end - last)) != NULL)
    {
      ww_source_set_error (rows->source, error, WW_SET_ERROR_SHAPE,
                           _("line %zu: more than %zu numbers, as the other lines have"),
                           rows->line, rows->layout.dims);
      return FALSE;
    }
  last = memchr (start, '\0', (gsize) (word_end - start));
  if (last != NULL)
    {
      fail_at (rows, start, last, last, WW_SET_ERROR_MALFORMED, _("is a NUL byte inside a word"),
               error);
      return FALSE;
    }

  return TRUE;
}

static gboolean
append_word (WwTextRows *rows, const char *word, gsize length, GError **error)
{
  g_autofree char *valid = NULL;
  guint32 id;

  if (!g_utf8_validate_len (word, length, NULL))
    {
      if (rows->n_invalid++ == 0)
        rows->first_invalid_line = rows->line;
      valid = g_utf8_make_valid (word, (gssize) length);
      word = valid;
      length = strlen (valid);
    }
  if (ww_vocab_lookup (rows->vocab, word, length, &id))
    {
      if (rows->n_duplicates++ == 0)
        {
          rows->first_duplicate = g_strndup (word, length);
          rows->first_duplicate_line = rows->line;
        }
      return TRUE;
    }

  rows->n_quoted += length > 2 && word[0] == '"' && word[length - 1] == '"';
  rows->n_rows++;
  return ww_vocab_append (rows->vocab, word, length) != WW_VOCAB_FULL
         || fail_memory (rows, error);
}

static const char *
find_first_separator (const WwTextLayout *layout, const char *start, const char *end)
{
  if (!layout->tab)
    {
      const char *found = memchr (start, ' ', (gsize) (end - start));

      return found != NULL ? found : end;
    }

  while (start < end && !ww_text_layout_separates (layout, *start))
    start++;
  return start;
}

/* A line of a file without words: d numbers. */
static LineResult
parse_wordless (WwTextRows *rows, const char *start, const char *end, float *row, GError **error)
{
  const char *word_end;
  LineResult result;

  if (parse_numbers (rows, start, end, row))
    {
      rows->n_rows++;
      return LINE_GOOD;
    }

  /* With one field more in front, the way that finds what is wrong takes it for the word. */
  rows->layout.dims--;
  result = find_word_end (rows, start, end, &word_end, error);
  rows->layout.dims++;
  if (result == LINE_GOOD)
    {
      result = LINE_BAD;
      if (ww_text_layout_field_start (&rows->layout, start, word_end) == start)
        fail_at (rows, start, start, word_end, WW_SET_ERROR_NUMBER, _("is no number"), error);
      else
        ww_source_set_error (rows->source, error, WW_SET_ERROR_SHAPE,
                             _("line %zu: not the %zu numbers, and nothing else, that the first lines have"),
                             rows->line,
                             rows->layout.dims);
    }

  if (rows->opening->options->reading == WW_READING_GUESSED && rows->line > 1)
    ww_error_suggest (error, _("– the lines before it are nothing but numbers. If each line begins with a word, choose that"
                                " (command line: --read-as glove)"));
  return result;
}

static LineResult
parse_line (WwTextRows *rows, const char *start, const char *end, GError **error)
{
  const char *word_end;
  float *row;

  end = ww_text_layout_trim_line (start, end);
  if (end == start)
    return LINE_GOOD; /* an empty line holds nothing that could be lost */

  row = reserve_row (rows, (gsize) (end - start));
  if (row == NULL)
    {
      fail_memory (rows, error);
      return LINE_BAD;
    }

  if (rows->layout.wordless)
    return parse_wordless (rows, start, end, row, error);
  word_end = find_first_separator (&rows->layout, start, end);
  if (!parse_numbers (rows, word_end, end, row))
    {
      LineResult result = find_word_end (rows, start, end, &word_end, error);

      if (result != LINE_GOOD)
        return result;
      if (!check_word (rows, start, word_end, error))
        return LINE_BAD;
      parse_numbers (rows, word_end, end, row);
    }
  else if (memchr (start, '\0', (gsize) (word_end - start)) != NULL
           && !check_word (rows, start, word_end, error))
    return LINE_BAD;

  if (word_end == start)
    {
      if (rows->n_wordless++ == 0)
        rows->first_wordless_line = rows->line;
      return LINE_GOOD;
    }
  return append_word (rows, start, (gsize) (word_end - start), error) ? LINE_GOOD : LINE_BAD;
}

/* Fills the buffer as far as it goes. */
static gboolean
fill (WwTextRows *rows, GError **error)
{
  while (!rows->at_end && rows->length < rows->capacity)
    {
      gssize got = ww_stream_read (rows->stream, rows->buffer + rows->length,
                                   rows->capacity - rows->length, error);

      if (got < 0)
        return FALSE;
      rows->at_end = got == 0;
      rows->length += (gsize) got;
    }

  return TRUE;
}

/* A line longer than the buffer: a larger one, up to the limit. */
static gboolean
grow (WwTextRows *rows, GError **error)
{
  char *buffer;

  if (rows->capacity >= MAX_LINE_BYTES)
    {
      ww_source_set_error (rows->source, error, WW_SET_ERROR_TOO_LARGE,
                           _("line %zu has more than %d bytes"), rows->line + 1,
                           MAX_LINE_BYTES);
      return FALSE;
    }
  buffer = g_try_realloc (rows->buffer, rows->capacity * 2);
  if (buffer == NULL)
    return fail_memory (rows, error);

  rows->buffer = buffer;
  rows->capacity *= 2;
  return fill (rows, error);
}

/* The last line without a line break: it may be whole, or it may be where a copy was cut off. A cut
 * line is left out with a warning, so that the words before it can be used. */
static gboolean
parse_last_line (WwTextRows *rows, const char *start, const char *end, GError **error)
{
  g_autoptr (GError) local = NULL;
  LineResult result = parse_line (rows, start, end, &local);

  if (result == LINE_GOOD)
    return TRUE;
  if (result == LINE_SHORT && rows->n_rows > 0)
    {
      rows->cut_line = rows->line;
      return TRUE;
    }
  if (result == LINE_SHORT)
    local->code = WW_SET_ERROR_TRUNCATED;

  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

gboolean
ww_text_rows_has_enough (const WwTextRows *rows)
{
  return rows->opening->preview != NULL && !rows->at_end && rows->n_rows >= WW_PREVIEW_ROWS;
}

/* All whole lines of the buffer; what is left of it moves to the front. */
static gboolean
parse_buffer (WwTextRows *rows, GError **error)
{
  char *at = rows->buffer, *end = rows->buffer + rows->length, *newline;

  while (at < end && !ww_text_rows_has_enough (rows) && (newline = memchr (at, '\n', (gsize) (end - at))) != NULL)
    {
      rows->line++;
      if (rows->line == 1 && rows->layout.has_header)
        ;
      else if (parse_line (rows, at, newline, error) != LINE_GOOD)
        return FALSE;
      at = newline + 1;
    }
  if (rows->at_end && at < end)
    {
      rows->line++;
      if (!parse_last_line (rows, at, end, error))
        return FALSE;
      at = end;
    }

  rows->length = (gsize) (end - at);
  memmove (rows->buffer, at, rows->length);
  return TRUE;
}

gboolean
ww_text_rows_begin (WwTextRows *rows, GError **error)
{
  rows->stream = ww_stream_open (rows->source, rows->opening->options->member, rows->opening,
                                   error);
  if (rows->stream == NULL)
    return FALSE;

  rows->vocab = ww_vocab_new ();
  rows->capacity = FIRST_BUFFER;
  rows->buffer = g_malloc (rows->capacity);
  if (!fill (rows, error))
    return FALSE;
  while (!rows->at_end && memchr (rows->buffer, '\n', rows->length) == NULL)
    if (!grow (rows, error))
      return FALSE;

  if (rows->length >= 3 && memcmp (rows->buffer, "\xef\xbb\xbf", 3) == 0)
    {
      rows->length -= 3;
      memmove (rows->buffer, rows->buffer + 3, rows->length);
    }
  return TRUE;
}

gboolean
ww_text_rows_read (WwTextRows *rows, GError **error)
{
  for (;;)
    {
      gsize before = rows->length;

      if (!ww_opening_report (rows->opening, ww_stream_get_fraction (rows->stream), error)
          || !parse_buffer (rows, error))
        return FALSE;
      if (rows->at_end || ww_text_rows_has_enough (rows))
        break;
      if (rows->length == before && before == rows->capacity)
        {
          if (!grow (rows, error))
            return FALSE;
        }
      else if (!fill (rows, error))
        return FALSE;
    }

  if (rows->n_rows == 0)
    {
      ww_source_set_error (rows->source, error, WW_SET_ERROR_EMPTY,
                           _("%zu lines, but no word with its numbers"), rows->line);
      return FALSE;
    }
  return TRUE;
}

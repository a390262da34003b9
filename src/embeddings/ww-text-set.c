/* GloVe, word2vec and fastText tables as text: a word and its d numbers on each line. */
#include <string.h>

#include <glib/gi18n-lib.h>

#include "ww-array-set.h"
#include "ww-decimal.h"
#include "ww-projector.h"
#include "ww-stream.h"
#include "ww-table-set.h"
#include "ww-text-reading.h"

#define FIRST_BUFFER (1 << 20)
#define MAX_LINE_BYTES (16 * 1024 * 1024)
#define MAX_SHOWN 30

typedef struct
{
  GFile *file; /* beside which a list of words may lie */
  WwSource *source;
  WwStream *stream;
  const WwOpening *opening;

  char *buffer;
  gsize length, capacity; /* bytes of `buffer` */
  gboolean at_end;        /* the stream holds nothing more */

  WwTextLayout layout;
  gsize line; /* number of the line at hand, from 1 */

  WwVocab *vocab;
  float *floats;
  gsize rows, floats_capacity;

  gsize n_duplicates, n_invalid, n_wordless;
  char *first_duplicate;
  gsize first_duplicate_line, first_invalid_line, first_wordless_line;
  gsize cut_line; /* the line that the end of the file cuts; 0: none */
} Reader;

static void
reader_clear (Reader *reader)
{
  ww_stream_free (reader->stream);
  ww_vocab_free (reader->vocab);
  g_free (reader->buffer);
  g_free (reader->floats);
  g_free (reader->first_duplicate);
}

/* Line, column in characters, and what stands there. */
static void
fail_at (Reader *reader, const char *start, const char *at, const char *end, int code,
         const char *expected, GError **error)
{
  g_autofree char *before = g_utf8_make_valid (start, at - start);
  g_autofree char *found = g_utf8_make_valid (at, MIN (end - at, MAX_SHOWN));

  ww_source_set_error (reader->source, error, code,
                       _("line %zu, column %ld: \"%s\" %s"), reader->line,
                       g_utf8_strlen (before, -1) + 1, found, expected);
}

/* One sentence more for an error that another choice would have spared. */
static void
suggest (GError **error, const char *sentence)
{
  g_autofree char *message = NULL;

  if (error == NULL || *error == NULL)
    return;

  message = (*error)->message;
  (*error)->message = g_strjoin (" ", message, sentence, NULL);
}

static gboolean
fail_memory (Reader *reader, GError **error)
{
  ww_source_set_error (reader->source, error, WW_SET_ERROR_TOO_LARGE,
                       _("line %zu: not enough memory for more words"), reader->line);
  return FALSE;
}

/* Room for one row more. The first guess comes from the size of the file, so that most tables are
 * allocated once. */
static float *
reserve_row (Reader *reader, gsize line_length)
{
  gsize rows = reader->rows;

  if (rows == reader->floats_capacity)
    {
      guint64 size = ww_source_get_size (reader->source);
      guint64 guess = rows == 0 ? size / MAX (line_length, 1) + 16 : rows + rows / 2;
      gsize values, bytes;
      float *floats;

      if (!g_size_checked_mul (&values, (gsize) guess, reader->layout.dims)
          || !g_size_checked_mul (&bytes, values, sizeof (float)))
        return NULL;
      floats = g_try_realloc (reader->floats, bytes);
      if (floats == NULL)
        return NULL;
      reader->floats = floats;
      reader->floats_capacity = (gsize) guess;
    }

  return reader->floats + rows * reader->layout.dims;
}

/* The numbers of a line from `at` on. TRUE if there are exactly d and nothing more; most lines are
 * read by this one pass. */
static gboolean
parse_numbers (Reader *reader, const char *at, const char *end, float *row)
{
  for (gsize c = 0; c < reader->layout.dims; c++)
    {
      const char *stop;

      while (at < end && ww_text_layout_separates (&reader->layout, *at))
        at++;
      if (ww_decimal_parse (at, end, &stop, &row[c]) != WW_DECIMAL_OK
          || (stop < end && !ww_text_layout_separates (&reader->layout, *stop)))
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
find_word_end (Reader *reader, const char *start, const char *end, const char **ret_word_end,
               GError **error)
{
  const WwTextLayout *layout = &reader->layout;
  const char *at = end, *bad = NULL, *bad_end = NULL;
  gboolean non_finite = FALSE;

  for (gsize c = layout->dims; c > 0; c--)
    {
      const char *field = ww_text_layout_field_start (layout, start, at), *stop = NULL;
      WwDecimalResult result;
      float value;

      if (field == start)
        {
          ww_source_set_error (reader->source, error, WW_SET_ERROR_SHAPE,
                               layout->wordless
                                 ? _("line %zu: %zu fields; %zu numbers were expected")
                                 : _("line %zu: %zu fields; a word and %zu numbers were expected"), reader->line,
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
  fail_at (reader, start, bad, bad_end, non_finite ? WW_SET_ERROR_NON_FINITE : WW_SET_ERROR_NUMBER,
           non_finite ? _("is no finite number of single precision")
           : memchr (bad, ',', (gsize) (bad_end - bad)) != NULL
             ? _("is no number; with a decimal comma it must be written with a dot")
             : _("is no number"), error);
  return bad_end == end && !non_finite ? LINE_SHORT : LINE_BAD;
}

/* A word with a space may end in anything, but not in what looks like one more value of the vector:
 * then the line has too many numbers. */
static gboolean
check_word (Reader *reader, const char *start, const char *word_end, GError **error)
{
  const char *last = ww_text_layout_field_start (&reader->layout, start, word_end), *stop;
  float value;

  if (last > start && ww_decimal_parse (last, word_end, &stop, &value) == WW_DECIMAL_OK
      && stop == word_end && memchr (last, '.', (gsize) (word_end - last)) != NULL)
    {
      ww_source_set_error (reader->source, error, WW_SET_ERROR_SHAPE,
                           _("line %zu: more than %zu numbers, as the other lines have"),
                           reader->line, reader->layout.dims);
      return FALSE;
    }
  last = memchr (start, '\0', (gsize) (word_end - start));
  if (last != NULL)
    {
      fail_at (reader, start, last, last, WW_SET_ERROR_MALFORMED, _("is a NUL byte inside a word"),
               error);
      return FALSE;
    }

  return TRUE;
}

static gboolean
append_word (Reader *reader, const char *word, gsize length, GError **error)
{
  g_autofree char *valid = NULL;
  guint32 id;

  if (!g_utf8_validate_len (word, length, NULL))
    {
      if (reader->n_invalid++ == 0)
        reader->first_invalid_line = reader->line;
      valid = g_utf8_make_valid (word, (gssize) length);
      word = valid;
      length = strlen (valid);
    }
  if (ww_vocab_lookup (reader->vocab, word, length, &id))
    {
      if (reader->n_duplicates++ == 0)
        {
          reader->first_duplicate = g_strndup (word, length);
          reader->first_duplicate_line = reader->line;
        }
      return TRUE;
    }

  reader->rows++;
  return ww_vocab_append (reader->vocab, word, length) != WW_VOCAB_FULL
         || fail_memory (reader, error);
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
parse_wordless (Reader *reader, const char *start, const char *end, float *row, GError **error)
{
  const char *word_end;
  LineResult result;

  if (parse_numbers (reader, start, end, row))
    {
      reader->rows++;
      return LINE_GOOD;
    }

  /* With one field more in front, the way that finds what is wrong takes it for the word. */
  reader->layout.dims--;
  result = find_word_end (reader, start, end, &word_end, error);
  reader->layout.dims++;
  if (result == LINE_GOOD)
    {
      result = LINE_BAD;
      if (ww_text_layout_field_start (&reader->layout, start, word_end) == start)
        fail_at (reader, start, start, word_end, WW_SET_ERROR_NUMBER, _("is no number"), error);
      else
        ww_source_set_error (reader->source, error, WW_SET_ERROR_SHAPE,
                             _("line %zu: not the %zu numbers, and nothing else, that the first lines have"),
                             reader->line,
                             reader->layout.dims);
    }

  if (reader->opening->options->reading == WW_READING_GUESSED && reader->line > 1)
    suggest (error, _("(The lines before it are nothing but numbers. If each line begins with a word, choose that;"
                      " command line: --read-as glove.)"));
  return result;
}

static LineResult
parse_line (Reader *reader, const char *start, const char *end, GError **error)
{
  const char *word_end;
  float *row;

  end = ww_text_layout_trim (&reader->layout, start, end);
  if (end == start)
    return LINE_GOOD; /* an empty line holds nothing that could be lost */

  row = reserve_row (reader, (gsize) (end - start));
  if (row == NULL)
    {
      fail_memory (reader, error);
      return LINE_BAD;
    }

  if (reader->layout.wordless)
    return parse_wordless (reader, start, end, row, error);
  word_end = find_first_separator (&reader->layout, start, end);
  if (!parse_numbers (reader, word_end, end, row))
    {
      LineResult result = find_word_end (reader, start, end, &word_end, error);

      if (result != LINE_GOOD)
        return result;
      if (!check_word (reader, start, word_end, error))
        return LINE_BAD;
      parse_numbers (reader, word_end, end, row);
    }
  else if (memchr (start, '\0', (gsize) (word_end - start)) != NULL
           && !check_word (reader, start, word_end, error))
    return LINE_BAD;

  if (word_end == start)
    {
      if (reader->n_wordless++ == 0)
        reader->first_wordless_line = reader->line;
      return LINE_GOOD;
    }
  return append_word (reader, start, (gsize) (word_end - start), error) ? LINE_GOOD : LINE_BAD;
}

/* Fills the buffer as far as it goes. */
static gboolean
fill (Reader *reader, GError **error)
{
  while (!reader->at_end && reader->length < reader->capacity)
    {
      gssize got = ww_stream_read (reader->stream, reader->buffer + reader->length,
                                   reader->capacity - reader->length, error);

      if (got < 0)
        return FALSE;
      reader->at_end = got == 0;
      reader->length += (gsize) got;
    }

  return TRUE;
}

/* A line longer than the buffer: a larger one, up to the limit. */
static gboolean
grow (Reader *reader, GError **error)
{
  char *buffer;

  if (reader->capacity >= MAX_LINE_BYTES)
    {
      ww_source_set_error (reader->source, error, WW_SET_ERROR_TOO_LARGE,
                           _("line %zu has more than %d bytes"), reader->line + 1,
                           MAX_LINE_BYTES);
      return FALSE;
    }
  buffer = g_try_realloc (reader->buffer, reader->capacity * 2);
  if (buffer == NULL)
    return fail_memory (reader, error);

  reader->buffer = buffer;
  reader->capacity *= 2;
  return fill (reader, error);
}

/* The last line without a line break: it may be whole, or it may be where a copy was cut off. A cut
 * line is left out with a warning, so that the words before it can be used. */
static gboolean
parse_last_line (Reader *reader, const char *start, const char *end, GError **error)
{
  g_autoptr (GError) local = NULL;
  LineResult result = parse_line (reader, start, end, &local);

  if (result == LINE_GOOD)
    return TRUE;
  if (result == LINE_SHORT && reader->rows > 0)
    {
      reader->cut_line = reader->line;
      return TRUE;
    }
  if (result == LINE_SHORT)
    local->code = WW_SET_ERROR_TRUNCATED;

  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Somebody only wants to see the first rows, and the file is longer than the first buffer. */
static gboolean
has_enough (const Reader *reader)
{
  return reader->opening->preview != NULL && !reader->at_end && reader->rows >= WW_PREVIEW_ROWS;
}

/* All whole lines of the buffer; what is left of it moves to the front. */
static gboolean
parse_buffer (Reader *reader, GError **error)
{
  char *at = reader->buffer, *end = reader->buffer + reader->length, *newline;

  while (at < end && !has_enough (reader) && (newline = memchr (at, '\n', (gsize) (end - at))) != NULL)
    {
      reader->line++;
      if (reader->line == 1 && reader->layout.has_header)
        ;
      else if (parse_line (reader, at, newline, error) != LINE_GOOD)
        return FALSE;
      at = newline + 1;
    }
  if (reader->at_end && at < end)
    {
      reader->line++;
      if (!parse_last_line (reader, at, end, error))
        return FALSE;
      at = end;
    }

  reader->length = (gsize) (end - at);
  memmove (reader->buffer, at, reader->length);
  return TRUE;
}

/* Words in another file are for lines without words. */
static gboolean
check_list_option (Reader *reader, GError **error)
{
  const WwOpenOptions *options = reader->opening->options;

  if (reader->layout.wordless || (options->words == NULL && !options->without_words))
    return TRUE;

  ww_source_set_error (reader->source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("each line begins with its word, so a list of words (command line: --words) has no effect"));
  return FALSE;
}

/* Numbers that may be words are shown as they seem to be, but not loaded before somebody says so. */
static gboolean
check_unclear (Reader *reader, GError **error)
{
  if (!reader->layout.unclear)
    return TRUE;
  if (reader->opening->preview != NULL)
    {
      reader->opening->preview->needs_choice = TRUE;
      return TRUE;
    }

  ww_source_set_error (reader->source, error, WW_SET_ERROR_AMBIGUOUS,
                       _("nothing but whole numbers: the first on each line may be a word, or the lines may be vectors"
                         " without words. Choose one (command line: --read-as glove or --read-as tensors)"));
  return FALSE;
}

static gboolean
guess_layout (Reader *reader, GError **error)
{
  const WwOpenOptions *options = reader->opening->options;
  const WwTextHints hints = { options->reading, options->words != NULL || options->without_words
                                                  || ww_projector_has_list (reader->file) };

  if (!ww_text_layout_guess (reader->source, reader->buffer, reader->length, reader->at_end, &hints,
                             &reader->layout, error))
    return FALSE;
  if (reader->layout.dims <= WW_MAX_DIMS)
    return check_list_option (reader, error) && check_unclear (reader, error);

  ww_source_set_error (reader->source, error, WW_SET_ERROR_TOO_LARGE,
                       _("%zu numbers a line; at most %d are accepted"),
                       reader->layout.dims, WW_MAX_DIMS);
  return FALSE;
}

/* The first buffer decides how lines are built. */
static gboolean
begin (Reader *reader, GError **error)
{
  reader->stream = ww_stream_open (reader->source, reader->opening->options->member, reader->opening,
                                   error);
  if (reader->stream == NULL)
    return FALSE;

  reader->vocab = ww_vocab_new ();
  reader->capacity = FIRST_BUFFER;
  reader->buffer = g_malloc (reader->capacity);
  if (!fill (reader, error))
    return FALSE;
  while (!reader->at_end && memchr (reader->buffer, '\n', reader->length) == NULL)
    if (!grow (reader, error))
      return FALSE;

  if (reader->length >= 3 && memcmp (reader->buffer, "\xef\xbb\xbf", 3) == 0)
    {
      reader->length -= 3;
      memmove (reader->buffer, reader->buffer + 3, reader->length);
    }
  return guess_layout (reader, error);
}

static gboolean
read_rows (Reader *reader, GError **error)
{
  for (;;)
    {
      gsize before = reader->length;

      if (!ww_opening_report (reader->opening, ww_stream_get_fraction (reader->stream), error)
          || !parse_buffer (reader, error))
        return FALSE;
      if (reader->at_end || has_enough (reader))
        break;
      if (reader->length == before && before == reader->capacity)
        {
          if (!grow (reader, error))
            return FALSE;
        }
      else if (!fill (reader, error))
        return FALSE;
    }

  if (reader->rows == 0)
    {
      ww_source_set_error (reader->source, error, WW_SET_ERROR_EMPTY,
                           _("%zu lines, but no word with its numbers"), reader->line);
      return FALSE;
    }
  return TRUE;
}

/* What all fields being numbers leaves open, and how it was taken. */
static const char *
get_doubt (const Reader *reader)
{
  if (!reader->layout.doubtful)
    return NULL;

  return reader->layout.wordless
           ? _("The first number on each line is whole and none comes twice; it is taken for the first dimension of"
               " vectors without words. If it is a word, choose that (command line: --read-as glove)")
           : _("All words are whole numbers. If they are the first dimension of vectors without words, choose that"
               " (command line: --read-as tensors)");
}

static void
add_warnings (const Reader *reader, WwSet *set)
{
  gsize words = reader->rows + reader->n_duplicates + reader->n_wordless;

  if (reader->layout.doubtful)
    ww_set_add_warning (set, "%s", get_doubt (reader));

  if (reader->cut_line != 0)
    ww_set_add_warning (set, _("Line %zu is cut off by the end of the file; it was left out"), reader->cut_line);
  if (reader->layout.has_header && reader->layout.declared_words != words && !has_enough (reader))
    ww_set_add_warning (set, _("Line 1 announces %zu words, the file has %zu; it may be incomplete"),
                        reader->layout.declared_words,
                        words);
  if (reader->n_duplicates > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu duplicate word (\"%s\" on line %zu); the first was kept",
                                          "%zu duplicate words (\"%s\" on line %zu); the first of each was kept",
                                          reader->n_duplicates),
                        reader->n_duplicates, reader->first_duplicate, reader->first_duplicate_line);
  if (reader->n_invalid > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu word is not in UTF-8 (line %zu); unreadable bytes are shown as"
                                          " \"\357\277\275\"",
                                          "%zu words are not in UTF-8 (line %zu); unreadable bytes are shown as"
                                          " \"\357\277\275\"", reader->n_invalid),
                        reader->n_invalid, reader->first_invalid_line);
  if (reader->n_wordless > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu line has numbers but no word (line %zu); left out",
                                          "%zu lines have numbers but no word (line %zu); left out",
                                          reader->n_wordless),
                        reader->n_wordless, reader->first_wordless_line);
}

static WwTable *
take_table (Reader *reader)
{
  WwTable *table = g_new0 (WwTable, 1);
  float *floats;

  table->dtype = WW_DTYPE_F32;
  table->rows = reader->rows;
  table->cols = reader->layout.dims;
  floats = g_try_realloc (reader->floats, table->rows * table->cols * sizeof (float));
  table->floats = floats != NULL ? floats : reader->floats;
  reader->floats = NULL;
  return table;
}

static const char *
get_kind (const Reader *reader)
{
  return reader->layout.wordless ? "vectors in text" : reader->layout.has_header ? "word2vec text" : "GloVe text";
}

static WwSet *
make_set (Reader *reader, GFile *file)
{
  g_autofree char *name = ww_stream_dup_name (reader->stream, file);
  const char *packing = ww_stream_get_packing (reader->stream);
  g_autofree char *format = g_strdup_printf ("%s%s%s", get_kind (reader), packing != NULL ? ", " : "",
                                             packing != NULL ? packing : "");
  WwSet *set = ww_table_set_new (name, format, reader->source, g_steal_pointer (&reader->vocab),
                                 take_table (reader));

  add_warnings (reader, set);
  return set;
}

/* The words of a file of nothing but numbers are looked for beside it. */
static WwSet *
make_wordless_set (Reader *reader, GFile *file, GError **error)
{
  gsize duplicates = 0, rows = has_enough (reader) ? 0 : reader->rows;
  g_autofree char *list = NULL;

  g_clear_pointer (&reader->vocab, ww_vocab_free);
  if (!ww_projector_find_words (file, rows, reader->opening, &reader->vocab, &list, &duplicates, error))
    return NULL;

  if (has_enough (reader))
    {
      /* Only the first rows are there, so only their words. */
      WwVocab *all = reader->vocab;

      reader->vocab = all != NULL ? ww_vocab_dup_head (all, reader->rows) : NULL;
      ww_vocab_free (all);
    }
  else if (reader->vocab == NULL ? reader->rows > WW_MAX_ROWS
                                 : ww_vocab_get_size (reader->vocab) != reader->rows)
    {
      if (list == NULL)
        ww_source_set_error (reader->source, error, WW_SET_ERROR_MISSING,
                             _("%zu lines of numbers, but no list of words beside it; a context has at most %d rows"),
                             reader->rows, WW_MAX_ROWS);
      else
        ww_source_set_error (reader->source, error, WW_SET_ERROR_SHAPE,
                             _("%zu lines of numbers, but %s has %zu words; they must be as many"), reader->rows, list,
                             reader->vocab != NULL ? ww_vocab_get_size (reader->vocab) : 0);
      return NULL;
    }

  return make_set (reader, file);
}

static void
note_layout (const WwOpening *opening, const WwTextLayout *layout)
{
  if (layout->has_header)
    ww_opening_note_guess (opening, layout->tab
                                      ? _("Text with a word and %zu numbers on each line, between tabs, below a line"
                                          " with two counts.")
                                      : _("Text with a word and %zu numbers on each line, between spaces, below a"
                                          " line with two counts."), layout->dims);
  else
    ww_opening_note_guess (opening, layout->tab
                                      ? _("Text with a word and %zu numbers on each line, between tabs.")
                                      : _("Text with a word and %zu numbers on each line, between spaces."),
                           layout->dims);
}

static void
note (const Reader *reader)
{
  WwPreview *preview = reader->opening->preview;

  if (preview == NULL)
    return;

  preview->readings = reader->layout.readings;
  preview->reading = reader->layout.wordless     ? WW_READING_TENSORS
                     : reader->layout.has_header ? WW_READING_WORD2VEC
                                                 : WW_READING_GLOVE;
  if (reader->layout.doubtful)
    ww_opening_note_guess (reader->opening, "%s", get_doubt (reader));
  if (reader->layout.wordless)
    ww_opening_note_guess (reader->opening, _("Text with %zu numbers on each line and no words."),
                           reader->layout.dims);
  else
    {
      note_layout (reader->opening, &reader->layout);
      ww_opening_note_words (reader->opening, _("in the file"));
    }
  preview->type = g_strdup ("text");
  if (has_enough (reader))
    preview->rows = reader->layout.declared_words;
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL;
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  Reader reader = { probe->file, probe->source };
  WwSet *set = NULL;

  reader.opening = opening;
  if (begin (&reader, error) && read_rows (&reader, error))
    {
      note (&reader);
      set = reader.layout.wordless ? make_wordless_set (&reader, probe->file, error)
                                   : make_set (&reader, probe->file);
    }

  reader_clear (&reader);
  return set;
}

const WwReader ww_text_reader = { recognises, open_probe, WW_TAKES_ALL };

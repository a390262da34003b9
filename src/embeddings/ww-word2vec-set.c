/* word2vec's binary form: a line "words dimensions", then for each word its text, a space, and the values as
 * little-endian float32; the original C tool ends each with a line break, gensim does not. Plain files are
 * gone through once for the words, and values are read where they are when they are used; packed ones are
 * unpacked into memory. */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "ww-choice.h"
#include "ww-stream.h"
#include "ww-table-set.h"

#define WINDOW (1024 * 1024)
#define MAX_HEADER 64
#define MAX_WORD 4096
#define REPORT_EVERY 4096

/* Of so many words one, and no less, is doubtful where the bytes are cut at wrong places. Real files have few such
 * words in millions. */
#define DOUBTFUL_OF 4

typedef struct
{
  WwSource *source;
  WwStream *stream;
  const WwOpening *opening;

  guint8 *window;
  gsize length, at;
  guint64 start; /* of the window, in the unpacked bytes */
  gboolean at_end;

  gsize declared, dims;
  WwVocab *vocab;
  GArray *starts; /* guint64: where the values of each word are; NULL: they are in `floats` */
  float *floats;
  gsize capacity; /* rows of `floats` */

  gsize n_read; /* words, with those that are left out */
  gsize n_duplicates, n_invalid, n_wordless;
  gsize n_doubtful; /* words that are not in UTF-8, are empty, or have control characters */
  gsize n_control;        /* of them: with control characters */
  guint64 first_doubtful; /* where it begins */
  char *first_duplicate;
  gboolean cut, more;
} Reader;

static void
reader_clear (Reader *reader)
{
  ww_stream_free (reader->stream);
  g_free (reader->window);
  ww_vocab_free (reader->vocab);
  g_clear_pointer (&reader->starts, g_array_unref);
  g_free (reader->floats);
  g_free (reader->first_duplicate);
}

static guint64
tell (const Reader *reader)
{
  return reader->start + reader->at;
}

/* At least `bytes` (at most WINDOW) in the window from `at` on, as far as there are so many. */
static gboolean
fill (Reader *reader, gsize bytes, GError **error)
{
  if (reader->length - reader->at >= bytes || reader->at_end)
    return TRUE;

  memmove (reader->window, reader->window + reader->at, reader->length - reader->at);
  reader->start += reader->at;
  reader->length -= reader->at;
  reader->at = 0;
  while (reader->length < bytes && !reader->at_end)
    {
      gssize got = ww_stream_read (reader->stream, reader->window + reader->length, WINDOW - reader->length,
                                   error);

      if (got < 0)
        return FALSE;
      reader->at_end = got == 0;
      reader->length += (gsize) got;
    }

  return TRUE;
}

static gboolean
parse_count (const char *at, const char *end, gsize *ret_count)
{
  gsize count = 0;

  if (at == end || end - at > 15)
    return FALSE;
  for (; at < end; at++)
    {
      if (!g_ascii_isdigit (*at))
        return FALSE;
      count = count * 10 + (gsize) (*at - '0');
    }

  *ret_count = count;
  return TRUE;
}

/* "3000000 300" in a line of its own. *ret_length: with the line break. */
static gboolean
parse_header (const guint8 *bytes, gsize length, gsize *ret_words, gsize *ret_dims, gsize *ret_length)
{
  const char *text = (const char *) bytes;
  const char *end = memchr (text, '\n', MIN (length, MAX_HEADER));
  const char *space = end != NULL ? memchr (text, ' ', (gsize) (end - text)) : NULL;
  const char *stop = end;

  if (space == NULL)
    return FALSE;
  while (stop > space + 1 && (stop[-1] == ' ' || stop[-1] == '\r'))
    stop--;
  if (!parse_count (text, space, ret_words) || !parse_count (space + 1, stop, ret_dims))
    return FALSE;

  *ret_length = (gsize) (end - text) + 1;
  return TRUE;
}

static gboolean
read_header (Reader *reader, GError **error)
{
  gsize length = 0;

  if (!fill (reader, MAX_HEADER, error))
    return FALSE;
  if (!parse_header (reader->window, reader->length, &reader->declared, &reader->dims, &length))
    ww_source_set_error (reader->source, error, WW_SET_ERROR_MALFORMED,
                         _("byte 0: no line \"words dimensions\", as word2vec files begin with"));
  else if (reader->declared == 0 || reader->dims == 0)
    ww_source_set_error (reader->source, error, WW_SET_ERROR_EMPTY,
                         _("line 1 announces %zu words of %zu numbers"),
                         reader->declared, reader->dims);
  else if (reader->dims > WW_MAX_DIMS)
    ww_source_set_error (reader->source, error, WW_SET_ERROR_TOO_LARGE,
                         _("line 1 announces %zu numbers a word; at most %d are accepted"),
                         reader->dims, WW_MAX_DIMS);
  else
    {
      reader->at = length;
      return TRUE;
    }

  return FALSE;
}

static gboolean
fail_memory (Reader *reader, GError **error)
{
  ww_source_set_error (reader->source, error, WW_SET_ERROR_TOO_LARGE,
                       _("byte %" PRIu64 ": not enough memory for more words"), tell (reader));
  return FALSE;
}

/* Remembers the values at the window's place for the word that is appended next. */
static gboolean
keep_values (Reader *reader, GError **error)
{
  gsize row = ww_vocab_get_size (reader->vocab), bytes;

  if (reader->starts != NULL)
    {
      guint64 start = tell (reader);

      g_array_append_val (reader->starts, start);
      return TRUE;
    }
  if (row == reader->capacity)
    {
      gsize capacity = MAX (256, reader->capacity * 2);
      float *floats = NULL;

      if (g_size_checked_mul (&bytes, capacity, reader->dims * sizeof (float)))
        floats = g_try_realloc (reader->floats, bytes);
      if (floats == NULL)
        return fail_memory (reader, error);
      reader->floats = floats;
      reader->capacity = capacity;
    }

  for (gsize c = 0; c < reader->dims; c++)
    {
      guint32 bits;

      memcpy (&bits, reader->window + reader->at + 4 * c, sizeof bits);
      bits = GUINT32_FROM_LE (bits);
      memcpy (&reader->floats[row * reader->dims + c], &bits, sizeof bits);
    }
  return TRUE;
}

static gboolean
append_word (Reader *reader, const char *word, gsize length, GError **error)
{
  guint32 id;

  if (length == 0)
    {
      reader->n_wordless++;
      return TRUE;
    }
  if (ww_vocab_lookup (reader->vocab, word, length, &id))
    {
      if (reader->n_duplicates++ == 0)
        reader->first_duplicate = g_strndup (word, length);
      return TRUE;
    }

  return keep_values (reader, error)
         && (ww_vocab_append (reader->vocab, word, length) != WW_VOCAB_FULL || fail_memory (reader, error));
}

static gboolean
has_control (const char *word, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (g_ascii_iscntrl (word[i]) && word[i] != '\t')
      return TRUE;

  return FALSE;
}

static void
judge_word (Reader *reader, const char *word, gsize length)
{
  gboolean invalid = !g_utf8_validate_len (word, length, NULL), control = has_control (word, length);

  reader->n_invalid += invalid;
  reader->n_control += control;
  if ((invalid || control || length == 0) && reader->n_doubtful++ == 0)
    reader->first_doubtful = tell (reader);
}

/* One word and its values. *ret_cut: the file ends inside it. */
static gboolean
read_entry (Reader *reader, gboolean *ret_cut, GError **error)
{
  gsize bytes = reader->dims * sizeof (float), length;
  g_autofree char *word = NULL;
  const guint8 *space;

  *ret_cut = FALSE;
  if (!fill (reader, MAX_WORD + 2, error))
    return FALSE;
  while (reader->at < reader->length && (reader->window[reader->at] == '\n' || reader->window[reader->at] == '\r'))
    reader->at++;

  space = memchr (reader->window + reader->at, ' ', MIN (reader->length - reader->at, MAX_WORD));
  if (space == NULL)
    {
      *ret_cut = reader->length - reader->at < MAX_WORD;
      if (!*ret_cut)
        ww_source_set_error (reader->source, error, WW_SET_ERROR_MALFORMED,
                             _("byte %" PRIu64 ": no space within %d bytes, where word %zu should end; the"
                               " dimensions in line 1 may be wrong, the values of another kind than float32, or a"
                               " word before may have a space in it"),
                             tell (reader), MAX_WORD,
                             reader->n_read + 1);
      return *ret_cut;
    }

  length = (gsize) (space - (reader->window + reader->at));
  if (memchr (reader->window + reader->at, '\0', length) != NULL)
    {
      ww_source_set_error (reader->source, error, WW_SET_ERROR_MALFORMED,
                           _("byte %" PRIu64 ": a NUL byte in word %zu; the dimensions in line 1 may be wrong, the"
                             " values of another kind than float32, or a word before may have a space in it"),
                           tell (reader), reader->n_read + 1);
      return FALSE;
    }
  judge_word (reader, (const char *) reader->window + reader->at, length);
  word = g_utf8_make_valid ((const char *) reader->window + reader->at, (gssize) length);
  reader->at += length + 1;
  if (!fill (reader, bytes, error))
    return FALSE;
  if (reader->length - reader->at < bytes)
    {
      *ret_cut = TRUE;
      return TRUE;
    }
  if (!append_word (reader, word, strlen (word), error))
    return FALSE;

  reader->at += bytes;
  reader->n_read++;
  return TRUE;
}

static gboolean
has_more (Reader *reader)
{
  while (reader->at < reader->length && g_ascii_isspace (reader->window[reader->at]))
    reader->at++;

  return reader->at < reader->length;
}

/* Values of half the width, or words with spaces, shift all that comes after: then neither the words are words nor
 * does their number come out. Each alone may be in a file that is fine for the rest. */
static gboolean
check_words (Reader *reader, GError **error)
{
  gsize n_begun = reader->n_read + reader->cut;

  if ((!reader->cut && !reader->more) || reader->n_doubtful < 2 || reader->n_doubtful < n_begun / DOUBTFUL_OF)
    return TRUE;

  ww_source_set_error (reader->source, error, WW_SET_ERROR_MALFORMED,
                       _("byte %" PRIu64 ": what should be a word is no text, as %zu of %zu are not, and the file does not"
                         " end after the %zu words of %zu numbers that line 1 announces. Expected are float32 values (4"
                         " bytes each) and words without spaces"),
                       reader->first_doubtful, reader->n_doubtful, n_begun, reader->declared, reader->dims);
  return FALSE;
}

static gboolean
read_entries (Reader *reader, GError **error)
{
  gsize wanted = reader->declared;

  if (reader->opening->preview != NULL)
    wanted = MIN (wanted, WW_PREVIEW_ROWS);
  while (reader->n_read < wanted && !reader->cut)
    {
      if (reader->n_read % REPORT_EVERY == 0
          && !ww_opening_report (reader->opening, ww_stream_get_fraction (reader->stream), error))
        return FALSE;
      if (!read_entry (reader, &reader->cut, error))
        return FALSE;
    }
  if (ww_vocab_get_size (reader->vocab) == 0)
    {
      ww_source_set_error (reader->source, error, WW_SET_ERROR_TRUNCATED,
                           _("ends at byte %" PRIu64 ", before the first word with its %zu numbers is complete"),
                           reader->start + reader->length, reader->dims);
      return FALSE;
    }

  if (!reader->cut && !fill (reader, 16, error))
    return FALSE;
  reader->more = !reader->cut && wanted == reader->declared && has_more (reader);
  return check_words (reader, error);
}

static void
add_warnings (const Reader *reader, WwSet *set)
{
  if (reader->cut)
    ww_set_add_warning (set, _("Line 1 announces %zu words, the file ends after %zu; it is incomplete"),
                        reader->declared, reader->n_read);
  if (reader->more)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "The file goes on after the %zu word that line 1 announces; the rest was"
                                          " left out",
                                          "The file goes on after the %zu words that line 1 announces; the rest was"
                                          " left out", reader->declared),
                        reader->declared);
  if (reader->n_duplicates > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE, "%zu duplicate word (\"%s\"); the first was kept",
                                          "%zu duplicate words (\"%s\"); the first of each was kept",
                                          reader->n_duplicates),
                        reader->n_duplicates, reader->first_duplicate);
  if (reader->n_invalid > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu word is not in UTF-8; unreadable bytes are shown as"
                                          " \"\357\277\275\"",
                                          "%zu words are not in UTF-8; unreadable bytes are shown as"
                                          " \"\357\277\275\"", reader->n_invalid),
                        reader->n_invalid);
  if (reader->n_control > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu word has control characters in it. Where the word before it has a space"
                                          " in it, which this form cannot hold, both are wrong",
                                          "%zu words have control characters in them. Where the word before such a word"
                                          " has a space in it, which this form cannot hold, both are wrong",
                                          reader->n_control), reader->n_control);
  if (reader->n_wordless > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE, "%zu entry has numbers but no word; left out",
                                          "%zu entries have numbers but no word; left out", reader->n_wordless),
                        reader->n_wordless);
}

static WwSet *
make_set (Reader *reader, GFile *file, GError **error)
{
  g_autofree char *name = ww_stream_dup_name (reader->stream, file);
  const char *packing = ww_stream_get_packing (reader->stream);
  g_autofree char *format = g_strdup_printf ("word2vec binary%s%s", packing != NULL ? ", " : "",
                                             packing != NULL ? packing : "");
  g_autoptr (WwTable) table = g_new0 (WwTable, 1);
  WwSet *set;

  table->dtype = WW_DTYPE_F32;
  table->rows = ww_vocab_get_size (reader->vocab);
  table->cols = reader->dims;
  table->floats = g_steal_pointer (&reader->floats);
  if (reader->starts != NULL)
    {
      table->source = ww_source_ref (reader->source);
      table->row_starts = (guint64 *) (gpointer) g_array_free (g_steal_pointer (&reader->starts), FALSE);
    }
  if (reader->opening->preview == NULL && !ww_table_check (table, error))
    return NULL;

  set = ww_table_set_new (name, format, reader->source, g_steal_pointer (&reader->vocab),
                          g_steal_pointer (&table));
  add_warnings (reader, set);
  return set;
}

static void
note (const Reader *reader)
{
  if (reader->opening->preview == NULL)
    return;

  ww_opening_note_guess (reader->opening, _("word2vec in binary: a line \"%zu %zu\", then words and bytes that are"
                                            " no text."), reader->declared, reader->dims);
  ww_opening_note_words (reader->opening, _("in the file"));
  reader->opening->preview->rows = reader->declared;
}

/* Its header, and behind it bytes that no text has. */
static gboolean
looks_binary (const guint8 *head, gsize length)
{
  gsize words, dims, begin, controls = 0;

  if (!parse_header (head, length, &words, &dims, &begin))
    return FALSE;
  for (gsize i = begin; i < length; i++)
    controls += head[i] < 32 && head[i] != '\t' && head[i] != '\n' && head[i] != '\r';

  return memchr (head + begin, '\0', length - begin) != NULL || controls > (length - begin) / 100;
}

static gboolean
recognises (const WwProbe *probe)
{
  g_autoptr (WwStream) stream = NULL;
  guint8 head[WW_PROBE_BYTES];
  gsize length = 0;
  gssize got = 1;

  if (probe->source == NULL)
    return FALSE;
  if (looks_binary (probe->head, probe->head_length))
    return TRUE;

  stream = ww_stream_open (probe->source, probe->options->member, NULL, NULL);
  if (stream == NULL || ww_stream_get_packing (stream) == NULL)
    return FALSE;
  while (got > 0 && length < sizeof head)
    {
      got = ww_stream_read (stream, head + length, sizeof head - length, NULL);
      length += (gsize) MAX (got, 0);
    }
  return looks_binary (head, length);
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  Reader reader = { probe->source };
  WwSet *set = NULL;

  reader.opening = opening;
  reader.stream = ww_stream_open (probe->source, opening->options->member, opening, error);
  if (reader.stream == NULL)
    return NULL;

  /* The window holds the longest word and the longest row. */
  G_STATIC_ASSERT (WINDOW >= WW_MAX_DIMS * sizeof (float) + MAX_WORD);
  reader.window = g_malloc (WINDOW);
  reader.vocab = ww_vocab_new ();
  if (ww_stream_get_packing (reader.stream) == NULL)
    reader.starts = g_array_new (FALSE, FALSE, sizeof (guint64));
  if (read_header (&reader, error) && read_entries (&reader, error))
    {
      note (&reader);
      set = make_set (&reader, probe->file, error);
    }

  reader_clear (&reader);
  return set;
}

const WwReader ww_word2vec_reader = { recognises, open_probe, WW_TAKES_MEMBER };

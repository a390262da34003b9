/* GloVe, word2vec and fastText tables as text: a word and its d numbers on each line. */
#include <glib/gi18n-lib.h>

#include "ww-array-set.h"
#include "ww-projector.h"
#include "ww-table-set.h"
#include "ww-text-reading.h"
#include "ww-text-rows.h"

/* Words in another file are for lines without words. */
static gboolean
check_list_option (WwTextRows *rows, GError **error)
{
  const WwOpenOptions *options = rows->opening->options;

  if (rows->layout.wordless || (options->words == NULL && !options->without_words))
    return TRUE;

  ww_source_set_error (rows->source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("each line begins with its word, so a list of words (command line: --words) has no effect"));
  return FALSE;
}

/* Numbers that may be words are shown as they seem to be, but not loaded before somebody says so. */
static gboolean
check_unclear (WwTextRows *rows, GError **error)
{
  if (!rows->layout.unclear)
    return TRUE;
  if (rows->opening->preview != NULL)
    {
      rows->opening->preview->needs_choice = TRUE;
      return TRUE;
    }

  ww_source_set_error (rows->source, error, WW_SET_ERROR_AMBIGUOUS,
                       _("nothing but whole numbers: the first on each line may be a word, or the lines may be vectors"
                         " without words. Choose one (command line: --read-as glove or --read-as tensors)"));
  return FALSE;
}

/* The first lines decide how all are built. */
static gboolean
guess_layout (WwTextRows *rows, GFile *file, GError **error)
{
  const WwOpenOptions *options = rows->opening->options;
  const WwTextHints hints = { options->reading, options->words != NULL || options->without_words
                                                  || ww_projector_has_list (file) };

  if (!ww_text_layout_guess (rows->source, rows->buffer, rows->length, rows->at_end, &hints,
                             &rows->layout, error))
    return FALSE;
  if (rows->layout.dims <= WW_MAX_DIMS)
    return check_list_option (rows, error) && check_unclear (rows, error);

  ww_source_set_error (rows->source, error, WW_SET_ERROR_TOO_LARGE,
                       _("%zu numbers a line; at most %d are accepted"),
                       rows->layout.dims, WW_MAX_DIMS);
  return FALSE;
}

/* What all fields being numbers leaves open, and how it was taken. */
static const char *
get_doubt (const WwTextRows *rows)
{
  if (!rows->layout.doubtful)
    return NULL;

  return rows->layout.wordless
           ? _("The first number on each line is whole and none comes twice; it is taken for the first dimension of"
               " vectors without words. If it is a word, choose that (command line: --read-as glove)")
           : _("All words are whole numbers. If they are the first dimension of vectors without words, choose that"
               " (command line: --read-as tensors)");
}

static void
add_warnings (const WwTextRows *rows, WwSet *set)
{
  gsize words = rows->n_rows + rows->n_duplicates + rows->n_wordless;

  if (rows->layout.doubtful)
    ww_set_add_warning (set, "%s", get_doubt (rows));

  if (rows->cut_line != 0)
    ww_set_add_warning (set, _("Line %zu is cut off by the end of the file; it was left out"), rows->cut_line);
  if (rows->layout.has_header && rows->layout.declared_words > words && !ww_text_rows_has_enough (rows))
    ww_set_add_warning (set, _("Line 1 announces %zu words, the file has %zu; it may be incomplete"),
                        rows->layout.declared_words, words);
  else if (rows->layout.has_header && rows->layout.declared_words < words && !ww_text_rows_has_enough (rows))
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "Line 1 announces %zu word, the file has %zu; all of them were read",
                                          "Line 1 announces %zu words, the file has %zu; all of them were read",
                                          rows->layout.declared_words),
                        rows->layout.declared_words, words);
  if (rows->n_duplicates > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu duplicate word (\"%s\" on line %zu); the first was kept",
                                          "%zu duplicate words (\"%s\" on line %zu); the first of each was kept",
                                          rows->n_duplicates),
                        rows->n_duplicates, rows->first_duplicate, rows->first_duplicate_line);
  if (rows->n_invalid > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu word is not in UTF-8 (line %zu); unreadable bytes are shown as"
                                          " \"\357\277\275\"",
                                          "%zu words are not in UTF-8 (line %zu); unreadable bytes are shown as"
                                          " \"\357\277\275\"", rows->n_invalid),
                        rows->n_invalid, rows->first_invalid_line);
  if (rows->n_wordless > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu line has numbers but no word (line %zu); left out",
                                          "%zu lines have numbers but no word (line %zu); left out",
                                          rows->n_wordless),
                        rows->n_wordless, rows->first_wordless_line);
  /* Taken as they are: what is in the file is not guessed at, and a word in a text is looked up without the marks. */
  if (rows->n_quoted > 1 && rows->n_quoted == rows->n_rows)
    ww_set_add_warning (set, _("All words stand in double quotation marks, as R's write.table puts them; they are kept"
                               " as parts of the words, so that no plain word is found. Write the table with quote ="
                               " FALSE to have it without"));
}

static WwTable *
take_table (WwTextRows *rows)
{
  WwTable *table = g_new0 (WwTable, 1);
  float *floats;

  table->dtype = WW_DTYPE_F32;
  table->rows = rows->n_rows;
  table->cols = rows->layout.dims;
  floats = g_try_realloc (rows->floats, table->rows * table->cols * sizeof (float));
  table->floats = floats != NULL ? floats : rows->floats;
  rows->floats = NULL;
  return table;
}

static const char *
get_kind (const WwTextRows *rows)
{
  return rows->layout.wordless ? "vectors in text" : rows->layout.has_header ? "word2vec text" : "GloVe text";
}

static WwSet *
make_set (WwTextRows *rows, GFile *file)
{
  g_autofree char *name = ww_stream_dup_name (rows->stream, file);
  const char *packing = ww_stream_get_packing (rows->stream);
  g_autofree char *format = g_strdup_printf ("%s%s%s", get_kind (rows), packing != NULL ? ", " : "",
                                             packing != NULL ? packing : "");
  WwSet *set = ww_table_set_new (name, format, rows->source, g_steal_pointer (&rows->vocab),
                                 take_table (rows));

  add_warnings (rows, set);
  return set;
}

/* The words of a file of nothing but numbers are looked for beside it. */
static WwSet *
make_wordless_set (WwTextRows *rows, GFile *file, GError **error)
{
  gsize duplicates = 0, n = ww_text_rows_has_enough (rows) ? 0 : rows->n_rows;
  g_autofree char *list = NULL;
  WwSet *set;

  g_clear_pointer (&rows->vocab, ww_vocab_free);
  if (!ww_projector_find_words (file, n, rows->opening, &rows->vocab, &list, &duplicates, error))
    return NULL;
  if (rows->vocab == NULL && ww_rows_go_by_numbers (rows->n_rows, rows->opening))
    rows->vocab = ww_vocab_new_numbers (rows->n_rows);

  if (ww_text_rows_has_enough (rows))
    {
      /* Only the first rows are there, so only their words. */
      WwVocab *all = rows->vocab;

      rows->vocab = all != NULL ? ww_vocab_dup_head (all, rows->n_rows) : NULL;
      ww_vocab_free (all);
    }
  else if (rows->vocab != NULL && ww_vocab_get_size (rows->vocab) != rows->n_rows)
    {
      ww_source_set_error (rows->source, error, WW_SET_ERROR_SHAPE,
                           g_dngettext (GETTEXT_PACKAGE,
                                        "%zu lines of numbers, but %s has %zu word; they must be as many",
                                        "%zu lines of numbers, but %s has %zu words; they must be as many",
                                        ww_vocab_get_size (rows->vocab)),
                           rows->n_rows, list, ww_vocab_get_size (rows->vocab));
      return NULL;
    }

  set = make_set (rows, file);
  if (ww_set_goes_by_numbers (set) && !rows->opening->options->ids_only)
    ww_array_warn_of_numbers (set);
  ww_array_note_duplicates (set, duplicates);
  return set;
}

static void
note_layout (const WwOpening *opening, const WwTextLayout *layout)
{
  if (layout->has_header)
    ww_opening_note_guess (opening, layout->tab
                                      ? g_dngettext (GETTEXT_PACKAGE,
                                                     "Text with a word and %zu number on each line, between tabs,"
                                                     " below a line with two counts.",
                                                     "Text with a word and %zu numbers on each line, between tabs,"
                                                     " below a line with two counts.", layout->dims)
                                      : g_dngettext (GETTEXT_PACKAGE,
                                                     "Text with a word and %zu number on each line, between spaces,"
                                                     " below a line with two counts.",
                                                     "Text with a word and %zu numbers on each line, between spaces,"
                                                     " below a line with two counts.", layout->dims),
                           layout->dims);
  else
    ww_opening_note_guess (opening, layout->tab
                                      ? g_dngettext (GETTEXT_PACKAGE,
                                                     "Text with a word and %zu number on each line, between tabs.",
                                                     "Text with a word and %zu numbers on each line, between tabs.",
                                                     layout->dims)
                                      : g_dngettext (GETTEXT_PACKAGE,
                                                     "Text with a word and %zu number on each line, between spaces.",
                                                     "Text with a word and %zu numbers on each line, between spaces.",
                                                     layout->dims),
                           layout->dims);
}

static void
note (const WwTextRows *rows)
{
  WwPreview *preview = rows->opening->preview;

  if (preview == NULL)
    return;

  preview->readings = rows->layout.readings;
  preview->reading = rows->layout.wordless     ? WW_READING_TENSORS
                     : rows->layout.has_header ? WW_READING_WORD2VEC
                                                 : WW_READING_GLOVE;
  if (rows->layout.doubtful)
    ww_opening_note_guess (rows->opening, "%s", get_doubt (rows));
  if (rows->layout.wordless)
    ww_opening_note_guess (rows->opening, g_dngettext (GETTEXT_PACKAGE,
                                                       "Text with %zu number on each line and no words.",
                                                       "Text with %zu numbers on each line and no words.",
                                                       rows->layout.dims),
                           rows->layout.dims);
  else
    {
      note_layout (rows->opening, &rows->layout);
      ww_opening_note_words (rows->opening, _("in the file"));
    }
  preview->type = g_strdup ("text");
  if (ww_text_rows_has_enough (rows))
    preview->rows = rows->layout.declared_words;
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL;
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  WwTextRows rows = { probe->source };
  WwSet *set = NULL;

  rows.opening = opening;
  if (ww_text_rows_begin (&rows, error) && guess_layout (&rows, probe->file, error)
      && ww_text_rows_read (&rows, error))
    {
      note (&rows);
      set = rows.layout.wordless ? make_wordless_set (&rows, probe->file, error) : make_set (&rows, probe->file);
    }

  ww_text_rows_clear (&rows);
  return set;
}

const WwReader ww_text_reader = { recognises, open_probe, WW_TAKES_ALL };

#include "ww-array-set.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "ww-table-set.h"
#include "ww-word-list.h"

/* Words that a list may have too few or too many to be surely meant for the rows. */
#define MOST_APART 2

static gboolean
check_axes (const WwArray *array, GError **error)
{
  const WwNpyHeader *header = &array->header;
  g_autofree char *shape = ww_npy_header_dup_shape (header);

  if (header->n_axes == 0 || header->n_axes > 3)
    ww_source_set_error (array->source, error, WW_SET_ERROR_SHAPE,
                         _("an array with %u axes (%s); two are needed, rows and dimensions, or three for several"
                           " contexts"), header->n_axes, shape);
  else if (header->shape[header->n_axes - 1] > WW_MAX_DIMS)
    ww_source_set_error (array->source, error, WW_SET_ERROR_TOO_LARGE,
                         _("an array of %s; at most %d dimensions are accepted"), shape, WW_MAX_DIMS);
  else
    return TRUE;

  return FALSE;
}

/* "2", or "X:2" where the array has a name. */
static char *
dup_id (const WwArray *array, gsize text)
{
  return array->member != NULL
           ? g_strdup_printf ("%s:%" G_GSIZE_FORMAT, array->member, text + 1)
           : g_strdup_printf ("%" G_GSIZE_FORMAT, text + 1);
}

static gboolean
fail_choice (const WwArray *array, GError **error)
{
  gsize n = array->header.shape[0];
  g_autofree char *shape = ww_npy_header_dup_shape (&array->header);
  g_autofree char *first = dup_id (array, 0);

  ww_source_set_error (array->source, error, WW_SET_ERROR_AMBIGUOUS,
                       _("an array of %s, which is %zu contexts. Choose one, from %s on (command line: --member %s)"),
                       shape, n, first, first);
  return FALSE;
}

gboolean
ww_array_choose_text (const WwArray *array, const WwOpening *opening, gsize *ret_text,
                      GError **error)
{
  gsize n = array->header.n_axes == 3 ? array->header.shape[0] : 1;

  if (!check_axes (array, error))
    return FALSE;
  if (array->text > n)
    {
      ww_source_set_error (array->source, error, WW_SET_ERROR_MISSING,
                           g_dngettext (GETTEXT_PACKAGE, "text %zu was asked for; there is %zu",
                                        "text %zu was asked for; there are %zu", n), array->text, n);
      return FALSE;
    }
  if (array->text == 0 && n > 1 && opening->preview == NULL)
    return fail_choice (array, error);

  *ret_text = array->text > 0 ? array->text - 1 : 0;
  if (opening->preview != NULL)
    {
      opening->preview->n_texts = n;
      opening->preview->text = *ret_text;
      opening->preview->needs_choice |= array->text == 0 && n > 1;
    }
  if (n > 1)
    ww_opening_note_guess (opening, _("The array has three axes: texts, tokens and dimensions. Shown is text %zu of"
                                      " %zu."), *ret_text + 1, n);
  return TRUE;
}

gboolean
ww_array_check_list_option (const WwArray *array, const WwOpening *opening, GError **error)
{
  if (array->header.n_axes == 2 || opening->options->words == NULL)
    return TRUE;

  ww_source_set_error (array->source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("its rows are the tokens of a text and no table, so a list of words (command line: --words)"
                         " has no effect"));
  return FALSE;
}

gsize
ww_array_get_rows (const WwArray *array)
{
  return array->header.n_axes == 1 ? 1 : array->header.shape[array->header.n_axes - 2];
}

WwTable *
ww_array_make_table (const WwArray *array, gsize text)
{
  const WwNpyHeader *header = &array->header;
  gsize size = ww_dtype_get_size (header->dtype);
  WwTable *table = g_new0 (WwTable, 1);

  table->source = ww_source_ref (array->source);
  table->offset = header->data_offset;
  table->dtype = header->dtype;
  table->big_endian = header->big_endian;
  table->fortran = header->fortran && header->n_axes == 2;
  table->rows = ww_array_get_rows (array);
  table->cols = header->shape[header->n_axes - 1];
  if (header->n_axes == 3 && !header->fortran)
    table->offset += (guint64) text * table->rows * table->cols * size;
  else if (header->n_axes == 3)
    {
      /* The first axis runs fastest, the last one slowest. */
      table->col_step = (guint64) header->shape[0] * table->rows * size;
      table->row_starts = g_new (guint64, table->rows);
      for (gsize r = 0; r < table->rows; r++)
        table->row_starts[r] = table->offset + ((guint64) r * header->shape[0] + text) * size;
    }
  return table;
}

void
ww_array_ask_for_list (const WwOpening *opening)
{
  if (opening->preview != NULL)
    opening->preview->needs_choice = TRUE;
}

gboolean
ww_array_find_words (GFile *file, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                     char **ret_name, gsize *ret_duplicates, GError **error)
{
  const WwOpenOptions *options = opening->options;

  if (opening->preview != NULL)
    opening->preview->takes_list = TRUE;
  if (options->without_words)
    {
      ww_opening_note (opening, _("You chose to take the rows as a ready context, without words."));
      return TRUE;
    }
  if (options->words != NULL)
    {
      g_autofree char *name = g_file_get_basename (options->words);

      if (!ww_word_list_load (options->words, rows, opening, ret_vocab, ret_duplicates, error))
        {
          ww_opening_note_unread_list (opening, name);
          return FALSE;
        }
      *ret_name = g_steal_pointer (&name);
      ww_opening_note (opening, _("You chose the list of words."));
    }
  else if (!ww_word_list_find (file, rows, opening, ret_vocab, ret_name, ret_duplicates, error))
    {
      /* What lies beside a file need not belong to it, and nobody asked for it. */
      ww_error_suggest (error, _("– it was taken for the words because of its name; the rows can be had without words"
                                 " (command line: --words none)"));
      return FALSE;
    }

  if (*ret_name != NULL)
    ww_opening_note_list (opening, *ret_name, ww_vocab_get_size (*ret_vocab));
  if (*ret_name != NULL && rows > 0 && ww_vocab_get_size (*ret_vocab) != rows)
    ww_array_ask_for_list (opening);
  if (*ret_name != NULL && options->words == NULL)
    ww_opening_note_guess (opening, _("A list of words of the same name lies beside it."));
  return TRUE;
}

/* A word too few or too many is likely a title or an empty line, so that a person should see it; another count is that of
 * another table. */
static void
note_unfit (const WwOpening *opening, const char *name, gsize n, gsize rows)
{
  g_autofree char *words
    = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                    "The file %s beside it has %zu word for %zu rows, so it is not taken for its list of"
                                    " words.",
                                    "The file %s beside it has %zu words for %zu rows, so it is not taken for its list of"
                                    " words.", n), name, n, rows);

  if (MAX (n, rows) - MIN (n, rows) <= MOST_APART)
    ww_opening_note_guess (opening, "%s", words);
  else
    ww_opening_note (opening, "%s", words);
}

/* Whether the file `name` is a list of so many words; why not is noted. */
static gboolean
fits (GFile *folder, const char *name, gsize rows, const WwOpening *opening, WwVocab **ret_vocab, gsize *ret_duplicates)
{
  g_autoptr (GFile) list = g_file_get_child (folder, name);
  g_autoptr (WwVocab) vocab = NULL;
  gsize duplicates = 0;

  if (!ww_word_list_load (list, rows, opening, &vocab, &duplicates, NULL))
    return FALSE;
  if (ww_vocab_get_size (vocab) != rows)
    {
      if (opening->list != NULL)
        ww_used_list_clear (opening->list);
      note_unfit (opening, name, ww_vocab_get_size (vocab), rows);
      return FALSE;
    }

  *ret_vocab = g_steal_pointer (&vocab);
  *ret_duplicates = duplicates;
  return TRUE;
}

void
ww_array_find_usual_list (GFile *file, gsize rows, const WwOpening *opening, WwVocab **ret_vocab, char **ret_name,
                          gsize *ret_duplicates)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GPtrArray) names = ww_word_list_list_usual (file);

  if (opening->options->words != NULL || opening->options->without_words)
    return;

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (!fits (folder, name, rows, opening, ret_vocab, ret_duplicates))
        continue;
      ww_opening_note_list (opening, name, rows);
      ww_opening_note_guess (opening, _("The file %s beside it has as many words as there are rows."), name);
      *ret_name = g_strdup (name);
      return;
    }
}

gboolean
ww_array_check_list (const WwArray *array, gsize rows, const WwVocab *vocab, const char *list, GError **error)
{
  if (ww_vocab_get_size (vocab) == rows)
    return TRUE;

  ww_source_set_error (array->whole, error, WW_SET_ERROR_SHAPE,
                       g_dngettext (GETTEXT_PACKAGE,
                                    "the array has %zu rows, but the list of words %s has %zu word; they must be as"
                                    " many. Choose another list, or none (command line: --words FILE or --words none)",
                                    "the array has %zu rows, but the list of words %s has %zu words; they must be as"
                                    " many. Choose another list, or none (command line: --words FILE or --words none)",
                                    ww_vocab_get_size (vocab)),
                       rows, list, ww_vocab_get_size (vocab));
  return FALSE;
}

/* Rows that nothing says to be a context. */
static gboolean
may_be_table (const WwArray *array)
{
  return array->header.n_axes == 2 && !array->is_context;
}

static gboolean
check_fit (const WwArray *array, const WwTable *table, const WwVocab *vocab, const char *list,
           const WwOpening *opening, GError **error)
{
  if (vocab != NULL)
    return ww_array_check_list (array, table->rows, vocab, list, error);
  if (table->rows <= WW_MAX_ROWS || may_be_table (array) || opening->options->ids_only)
    return TRUE;

  ww_source_set_error (array->whole, error, WW_SET_ERROR_TOO_LARGE, _("%zu rows; a context has at most %d rows"),
                       table->rows, WW_MAX_ROWS);
  return FALSE;
}

gboolean
ww_rows_go_by_numbers (gsize rows, const WwOpening *opening)
{
  if (rows <= WW_MAX_ROWS)
    return opening->options->ids_only && !opening->options->without_words;

  ww_opening_note_words (opening, _("nowhere: the rows go by their numbers, from 0"));
  ww_opening_note_guess (opening, _("It has no list of words and more rows than the %d of a context, so that it is"
                                    " taken for a table."), WW_MAX_ROWS);
  return TRUE;
}

void
ww_array_warn_of_numbers (WwSet *set)
{
  ww_set_add_warning (set, _("There is no list of words beside the file; in place of words, rows go by their numbers,"
                             " from 0 on (command line: also --ids 12,7,105)"));
}

/* "contexts.npz, X, text 2": enough to find the same rows again. */
static char *
dup_name (const WwArray *array)
{
  g_autofree char *base = g_file_get_basename (array->file);
  GString *name = g_string_new (base);

  if (array->member != NULL)
    g_string_append_printf (name, ", %s", array->member);
  if (array->header.n_axes == 3 && array->header.shape[0] > 1)
    g_string_append_printf (name, ", text %" G_GSIZE_FORMAT, array->text);
  return g_string_free (name, FALSE);
}

void
ww_array_note_duplicates (WwSet *set, gsize duplicates)
{
  if (duplicates > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu word is in the list more than once; the first is used",
                                          "%zu words are in the list more than once; the first of each is used",
                                          duplicates), duplicates);
}

WwSet *
ww_array_make_set (const WwArray *array, WwTable *table, WwVocab *vocab, const char *list,
                   gsize duplicates, const WwOpening *opening, GError **error)
{
  g_autoptr (WwTable) owned_table = table;
  g_autoptr (WwVocab) owned_vocab = vocab;
  g_autofree char *name = dup_name (array);
  g_autofree char *format = NULL;
  WwWordMarks marks = WW_WORD_MARKS_NONE;
  WwSet *set;

  if (!check_fit (array, table, vocab, list, opening, error) || !ww_table_check (table, error))
    return NULL;

  /* A list may be that of a model's pieces. */
  if (vocab != NULL)
    marks = ww_words_guess_marks (vocab);
  if (vocab == NULL && may_be_table (array) && ww_rows_go_by_numbers (table->rows, opening))
    owned_vocab = ww_vocab_new_numbers (table->rows);
  format = g_strdup_printf ("%s %s", array->format, vocab != NULL         ? "table with a word list"
                                                    : owned_vocab != NULL ? "table without words"
                                                                          : "context");
  set = ww_table_set_new (name, format, array->whole, g_steal_pointer (&owned_vocab),
                          g_steal_pointer (&owned_table));
  ww_table_set_set_marks (set, marks);
  if (ww_set_goes_by_numbers (set) && !opening->options->ids_only)
    ww_array_warn_of_numbers (set);
  if (array->header.n_axes == 3)
    ww_set_set_texts (set, MAX (array->text, 1) - 1, array->header.shape[0]);
  if (array->header.n_axes == 1)
    ww_set_add_warning (set, _("The array has one axis only; it is taken as a context of one row"));
  ww_array_note_duplicates (set, duplicates);
  return set;
}

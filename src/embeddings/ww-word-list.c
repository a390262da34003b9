#include "ww-word-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-choice.h"
#include "ww-folder-names.h"
#include "ww-jansson.h"
#include "ww-npy-private.h"
#include "ww-text-layout.h"
#include "ww-word-table.h"

#define MAX_LIST_BYTES (1024 * 1024 * 1024)
#define MAX_LOOKED_INTO 65536 /* bytes of a list */

/* Longer endings first: what is named after words is more surely meant than any text. */
static const char *const endings[] = {
  ".words.txt", ".words.tsv", ".words.json", ".words.npy", ".vocab.txt", ".txt", ".tsv", ".json", NULL,
};
#define N_ENDINGS (G_N_ELEMENTS (endings) - 1)
#define N_SURE_ENDINGS 5 /* no other kind of file ends so */
#define PLAIN_NAME "vocab.txt"

/* What a list is usually called, by itself ("words.txt") or behind the name of its array ("emb_words.txt"). */
static const char *const usual_stems[] = { "vocab", "vocabulary", "words", "word", "labels" };
static const char *const usual_endings[] = { ".txt", ".tsv", ".json", ".npy" };

typedef struct
{
  const WwOpening *opening;
  WwSource *source;
  WwVocab *vocab;
  gsize duplicates;
} List;

static gboolean
append (List *list, const char *word, gsize length, GError **error)
{
  gsize number = ww_vocab_get_size (list->vocab) + 1;
  WwVocabResult result;

  if (memchr (word, '\0', length) != NULL || !g_utf8_validate (word, (gssize) length, NULL))
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                           _("word %zu is no UTF-8 text"), number);
      return FALSE;
    }
  if (length == 0)
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                           _("word %zu is empty"), number);
      return FALSE;
    }

  result = ww_vocab_append (list->vocab, word, length);
  if (result == WW_VOCAB_FULL)
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_TOO_LARGE,
                           _("no memory for word %zu"), number);
      return FALSE;
    }
  if (result == WW_VOCAB_DUPLICATE)
    list->duplicates++;
  return TRUE;
}

/* Which of several columns is read, for whoever looks or asks later. */
static void
note_column (const List *list, const WwWordTable *table)
{
  const WwOpening *opening = list->opening;
  const char *title = g_ptr_array_index (table->titles, table->column);

  if (opening->list != NULL && table->titles->len > 1)
    {
      g_free (opening->list->column);
      opening->list->column = g_strdup (title);
      opening->list->guessed = table->reason != WW_COLUMN_ASKED && table->column > 0;
    }
  if (opening->preview == NULL || table->titles->len <= 1)
    return;

  g_ptr_array_unref (opening->preview->columns);
  opening->preview->columns = g_ptr_array_ref (table->titles);
  opening->preview->column = (int) table->column;
  if (table->reason == WW_COLUMN_ASKED)
    ww_opening_note (opening, _("You chose the column “%s” of the list."), title);
  else if (table->reason == WW_COLUMN_TITLED)
    ww_opening_note_guess (opening, _("The words are in the column “%s”, by its title."), title);
  else if (table->reason == WW_COLUMN_TEXT)
    ww_opening_note_guess (opening, _("The words are in the column “%s”, the first that is not all numbers."), title);
  else
    ww_opening_note_guess (opening, _("The words are in the column “%s”, the first one; all hold numbers."), title);
}

static gboolean
append_line (List *list, const WwWordTable *table, const char *line, gsize length, gsize number, GError **error)
{
  gsize word_length;
  const char *word = ww_word_table_get (line, length, table->column, &word_length);

  if (word != NULL)
    return append (list, word, word_length, error);

  ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                       _("line %zu has no column “%s”, where the words are"), number,
                       (const char *) g_ptr_array_index (table->titles, table->column));
  return FALSE;
}

static gboolean
read_table (List *list, const char *at, const char *end, gsize rows, GError **error)
{
  g_auto (WwWordTable) table = { FALSE };

  if (!ww_word_table_find (list->source, at, (gsize) (end - at), rows, list->opening->options->column, &table, error))
    return FALSE;

  for (gsize number = 1; at < end; number++)
    {
      const char *line = at;
      gsize length = ww_line_get_length (at, end, &at);

      if ((number > 1 || !table.header) && !append_line (list, &table, line, length, number, error))
        return FALSE;
    }

  note_column (list, &table);
  return TRUE;
}

/* gzip, xz, zstd, bzip2. */
static gboolean
is_packed (const char *text, gsize length)
{
  static const char *const magics[] = { "\x1f\x8b", "\xfd\x37zXZ", "\x28\xb5\x2f\xfd", "BZh9" };

  for (gsize i = 0; i < G_N_ELEMENTS (magics); i++)
    if (length >= strlen (magics[i]) && memcmp (text, magics[i], strlen (magics[i])) == 0
        && !g_utf8_validate (text, (gssize) MIN (length, 64), NULL))
      return TRUE;

  return FALSE;
}

/* What is chosen or found as a list may be another kind of file. */
static gboolean
check_text (const List *list, const char *text, gsize length, gboolean tabbed, GError **error)
{
  const WwTextHints hints = { WW_READING_GUESSED, TRUE };
  gsize looked = MIN (length, MAX_LOOKED_INTO);
  WwTextLayout layout;

  if (looked >= 2 && (memcmp (text, "\xff\xfe", 2) == 0 || memcmp (text, "\xfe\xff", 2) == 0))
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_REFUSED, "%s",
                           _("text in UTF-16; UTF-8 was expected. To convert:\n  iconv -f UTF-16 -t UTF-8 in.txt > out.txt"));
      return FALSE;
    }
  if (is_packed (text, looked))
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_REFUSED, _("a list of words that is packed. Unpack it first"));
      return FALSE;
    }
  if (memchr (text, '\0', looked) != NULL)
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                           _("this is no list of words: byte %zu is a NUL. A text with a word a line, a .tsv, .json or .npy"
                             " of words was expected"), (gsize) ((const char *) memchr (text, '\0', looked) - text));
      return FALSE;
    }
  /* Two numbers may belong to a name, as in "Windows 3.1 95". */
  if (tabbed || !ww_text_layout_guess (list->source, text, looked, looked == length, &hints, &layout, NULL)
      || layout.wordless || layout.dims < 3)
    return TRUE;

  ww_source_set_error (list->source, error, WW_SET_ERROR_SHAPE,
                       _("this is no list of words but a table of vectors: %zu numbers stand behind the word on each line."
                         " Open it by itself, or give a list with a word a line"), layout.dims);
  return FALSE;
}

/* Blank lines behind the last word are no words. */
static const char *
skip_blank_end (const char *text, const char *end)
{
  while (end > text && end[-1] == '\n')
    {
      const char *before = end - (end - text > 1 && end[-2] == '\r' ? 2 : 1);

      if (before == text || before[-1] != '\n')
        break;
      end = before;
    }

  return end;
}

/* A plain list has no header, whatever its first word is, and no columns. */
static gboolean
read_lines (List *list, gboolean tabbed, gsize rows, GError **error)
{
  g_autofree char *text = NULL;
  const char *at, *end;
  gsize length;

  text = ww_source_read_all (list->source, MAX_LIST_BYTES, &length, error);
  if (text == NULL)
    return FALSE;

  at = g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text;
  end = text + length;
  if (!check_text (list, at, (gsize) (end - at), tabbed, error))
    return FALSE;
  if (tabbed)
    return read_table (list, at, end, rows, error);
  end = skip_blank_end (at, end);
  while (at < end)
    {
      const char *line = at;
      gsize line_length = ww_line_get_length (at, end, &at);

      if (!append (list, line, line_length, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_json_list (List *list, json_t *words, GError **error)
{
  json_t *word;
  size_t index;

  json_array_foreach (words, index, word)
    {
      if (!json_is_string (word))
        {
          ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                               _("entry %zu of the list (counted from 1) is no text"), index + 1);
          return FALSE;
        }
      if (!append (list, json_string_value (word), json_string_length (word), error))
        return FALSE;
    }

  return TRUE;
}

/* Words with their numbers, which must be 0 to one less than there are words. */
static gboolean
read_json_object (List *list, json_t *object, GError **error)
{
  gsize n = json_object_size (object);
  g_autofree const char **words = g_new0 (const char *, n + 1);
  const char *word;
  json_t *number;

  json_object_foreach (object, word, number)
    {
      json_int_t id = json_integer_value (number);

      if (!json_is_integer (number) || id < 0 || (guint64) id >= n || words[id] != NULL)
        {
          ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                               _("the word \"%.80s\" has no number of its own from 0 to %zu; a list of words was"
                                 " expected, or an object that gives each word its number"), word, n > 0 ? n - 1 : 0);
          return FALSE;
        }
      words[id] = word;
    }

  for (gsize i = 0; i < n; i++)
    if (!append (list, words[i], strlen (words[i]), error))
      return FALSE;

  return TRUE;
}

static gboolean
read_json (List *list, GError **error)
{
  g_autoptr (json_t) root = ww_json_load (list->source, MAX_LIST_BYTES, error);
  json_t *model, *vocab;

  if (root == NULL)
    return FALSE;
  if (json_is_array (root))
    return read_json_list (list, root, error);

  model = json_object_get (root, "model");
  vocab = json_object_get (model, "vocab");
  return read_json_object (list, json_is_object (vocab) ? vocab : root, error);
}

static gboolean
read_array (List *list, GError **error)
{
  WwNpyHeader header;
  WwVocab *vocab;

  if (!ww_npy_read_any_header (list->source, ww_source_get_size (list->source), &header, error))
    return FALSE;
  if (header.n_axes != 1)
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_SHAPE,
                           _("an array with %u axes; a list of words has one"), header.n_axes);
      return FALSE;
    }

  vocab = ww_npy_read_words (list->source, &header, 0, header.shape[0], FALSE, &list->duplicates, error);
  if (vocab == NULL)
    return FALSE;
  ww_vocab_free (list->vocab);
  list->vocab = vocab;
  return TRUE;
}

static gboolean
read_form (List *list, const char *name, gsize rows, GError **error)
{
  if (g_str_has_suffix (name, ".json"))
    return read_json (list, error);
  if (g_str_has_suffix (name, ".npy"))
    return read_array (list, error);

  return read_lines (list, g_str_has_suffix (name, ".tsv"), rows, error);
}

gboolean
ww_word_list_read (WwSource *source, const char *name, gsize rows, const WwOpening *opening, WwVocab **ret_vocab,
                   gsize *ret_duplicates, GError **error)
{
  List list = { opening, source };

  list.vocab = ww_vocab_new ();
  if (!read_form (&list, name, rows, error))
    {
      ww_vocab_free (list.vocab);
      return FALSE;
    }
  if (opening->list != NULL)
    {
      g_free (opening->list->name);
      g_clear_pointer (&opening->list->source, ww_source_unref);
      opening->list->name = g_strdup (name);
      opening->list->source = ww_source_ref (source);
    }

  *ret_vocab = list.vocab;
  *ret_duplicates = list.duplicates;
  return TRUE;
}

gboolean
ww_word_list_load (GFile *file, gsize rows, const WwOpening *opening, WwVocab **ret_vocab, gsize *ret_duplicates,
                   GError **error)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (WwSource) source = ww_source_open (file, error);

  return source != NULL && ww_word_list_read (source, name, rows, opening, ret_vocab, ret_duplicates, error);
}

gboolean
ww_word_list_find (GFile *array, gsize rows, const WwOpening *opening, WwVocab **ret_vocab, char **ret_name,
                   gsize *ret_duplicates, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (array);
  g_autofree char *base = g_file_get_basename (array);

  if (folder == NULL)
    return TRUE;

  for (gsize i = 0; i < N_ENDINGS; i++)
    {
      g_autofree char *name = ww_name_replace_ending (base, endings[i]);
      g_autoptr (GFile) file = g_file_get_child (folder, name);
      g_autoptr (GError) local = NULL;

      if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR
          || g_file_equal (file, array))
        continue;
      if (!ww_word_list_load (file, rows, opening, ret_vocab, ret_duplicates, &local))
        {
          /* The same table in text lies beside many an array. */
          if (g_str_has_suffix (name, ".txt") && g_error_matches (local, WW_SET_ERROR, WW_SET_ERROR_SHAPE))
            continue;
          ww_opening_note_unread_list (opening, name);
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      *ret_name = g_steal_pointer (&name);
      return TRUE;
    }

  return TRUE;
}

const char *const *
ww_word_list_get_endings (void)
{
  return endings;
}

gboolean
ww_word_list_is_metadata (const char *name)
{
  return strstr (name, "metadata") != NULL && g_str_has_suffix (name, ".tsv");
}

gboolean
ww_word_list_is_name (const char *name)
{
  for (gsize i = 0; i < N_SURE_ENDINGS; i++)
    if (g_str_has_suffix (name, endings[i]))
      return TRUE;

  return g_str_equal (name, PLAIN_NAME) || ww_word_list_is_metadata (name);
}

static gboolean
is_regular (GFile *folder, const char *name)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);

  return g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_REGULAR;
}

static gboolean
is_usual_name (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (usual_stems); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (usual_endings); j++)
      {
        g_autofree char *usual = g_strconcat (usual_stems[i], usual_endings[j], NULL);

        if (g_ascii_strcasecmp (name, usual) == 0)
          return TRUE;
      }

  return FALSE;
}

/* The name behind that of the array, "words.txt" for "emb_words.txt"; NULL: it belongs to another array, or to none. */
static const char *
skip_stem (const char *name, const char *stem)
{
  const char *rest = g_str_has_prefix (name, stem) ? name + strlen (stem) : "";

  return *rest != '\0' && strchr ("._- ", *rest) != NULL ? rest + 1 : NULL;
}

static gboolean
is_any (const char *name)
{
  return TRUE;
}

GPtrArray *
ww_word_list_list_usual (GFile *array)
{
  g_autoptr (GFile) folder = g_file_get_parent (array);
  g_autofree char *base = g_file_get_basename (array);
  g_autofree char *stem = ww_name_replace_ending (base, "");
  g_autoptr (GPtrArray) names = NULL;
  GPtrArray *own = g_ptr_array_new_with_free_func (g_free);

  if (folder == NULL)
    return own;

  names = ww_folder_list_names (folder, G_FILE_TYPE_REGULAR, is_any);
  for (int behind_stem = 1; behind_stem >= 0; behind_stem--)
    for (guint i = 0; i < names->len; i++)
      {
        const char *name = g_ptr_array_index (names, i);
        const char *rest = behind_stem ? skip_stem (name, stem) : name;

        if (rest != NULL && is_usual_name (rest) && !g_str_equal (name, base))
          g_ptr_array_add (own, g_strdup (name));
      }

  return own;
}

/* Appends what `names` does not have yet. */
static void
add_names (GPtrArray *names, const GPtrArray *more)
{
  for (guint i = 0; i < more->len; i++)
    if (!g_ptr_array_find_with_equal_func (names, more->pdata[i], g_str_equal, NULL))
      g_ptr_array_add (names, g_strdup (more->pdata[i]));
}

GPtrArray *
ww_word_list_list_beside (GFile *array)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GFile) folder = g_file_get_parent (array);
  g_autofree char *base = g_file_get_basename (array);
  g_autoptr (GPtrArray) usual = ww_word_list_list_usual (array);
  g_autoptr (GPtrArray) metadata = NULL;

  if (folder == NULL)
    return names;

  for (gsize i = 0; i < N_ENDINGS; i++)
    {
      g_autofree char *name = ww_name_replace_ending (base, endings[i]);

      if (!g_str_equal (name, base) && is_regular (folder, name))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
  metadata = ww_folder_list_names (folder, G_FILE_TYPE_REGULAR, ww_word_list_is_metadata);
  add_names (names, usual);
  add_names (names, metadata);
  return names;
}

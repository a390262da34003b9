#include "ww-word-list.h"

#include <string.h>

#include "ww-jansson.h"
#include "ww-set.h"

#define MAX_LIST_BYTES (1024 * 1024 * 1024)

/* Longer endings first: what is named after words is more surely meant than any text. */
static const char *const endings[] = {
  ".words.txt", ".words.tsv", ".words.json", ".vocab.txt", ".txt", ".tsv", ".json",
};

typedef struct
{
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
                           "word %" G_GSIZE_FORMAT " is no UTF-8 text", number);
      return FALSE;
    }
  if (length == 0)
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                           "word %" G_GSIZE_FORMAT " is empty", number);
      return FALSE;
    }

  result = ww_vocab_append (list->vocab, word, length);
  if (result == WW_VOCAB_FULL)
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_TOO_LARGE,
                           "no memory for word %" G_GSIZE_FORMAT, number);
      return FALSE;
    }
  if (result == WW_VOCAB_DUPLICATE)
    list->duplicates++;
  return TRUE;
}

static gsize
count_lines (const char *text, gsize length)
{
  gsize lines = 0;

  for (gsize i = 0; i < length; i++)
    lines += text[i] == '\n';

  return lines + (length > 0 && text[length - 1] != '\n');
}

/* The first column of each line. A table with several columns has a header line, unless counting
 * says otherwise; a plain list has none, whatever its first word is. */
static gboolean
read_lines (List *list, gboolean tabbed, gsize rows, GError **error)
{
  g_autofree char *text = NULL;
  const char *at, *end;
  gsize length;
  gboolean skip;

  text = ww_source_read_all (list->source, MAX_LIST_BYTES, &length, error);
  if (text == NULL)
    return FALSE;

  skip = tabbed && count_lines (text, length) == rows + 1;
  at = text;
  end = text + length;
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    at += 3;
  while (at < end)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *stop = newline != NULL ? newline : end;
      const char *tab = tabbed ? memchr (at, '\t', (gsize) (stop - at)) : NULL;
      gsize word = (gsize) ((tab != NULL ? tab : stop) - at);

      if (tab == NULL && word > 0 && at[word - 1] == '\r')
        word--;
      if (!skip && !append (list, at, word, error))
        return FALSE;
      skip = FALSE;
      at = newline != NULL ? newline + 1 : end;
    }

  return TRUE;
}

static gboolean
read_json (List *list, GError **error)
{
  g_autoptr (json_t) root = ww_json_load (list->source, MAX_LIST_BYTES, error);
  json_t *word;
  size_t index;

  if (root == NULL)
    return FALSE;
  if (!json_is_array (root))
    {
      ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                           "a JSON list of words was expected");
      return FALSE;
    }

  json_array_foreach (root, index, word)
    {
      if (!json_is_string (word))
        {
          ww_source_set_error (list->source, error, WW_SET_ERROR_MALFORMED,
                               "entry %zu of the list (counted from 1) is no text", index + 1);
          return FALSE;
        }
      if (!append (list, json_string_value (word), json_string_length (word), error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
read_list (GFile *file, const char *name, gsize rows, WwVocab **ret_vocab, gsize *ret_duplicates,
           GError **error)
{
  g_autoptr (WwSource) source = ww_source_open (file, error);
  g_autoptr (WwVocab) vocab = ww_vocab_new ();
  List list = { source, vocab };

  if (source == NULL)
    return FALSE;
  if (!(g_str_has_suffix (name, ".json") ? read_json (&list, error)
                                         : read_lines (&list, g_str_has_suffix (name, ".tsv"), rows,
                                                       error)))
    return FALSE;

  *ret_vocab = g_steal_pointer (&vocab);
  *ret_duplicates = list.duplicates;
  return TRUE;
}

gboolean
ww_word_list_find (GFile *array, gsize rows, WwVocab **ret_vocab, char **ret_name,
                   gsize *ret_duplicates, GError **error)
{
  g_autoptr (GFile) folder = g_file_get_parent (array);
  g_autofree char *base = g_file_get_basename (array);
  gsize stem = strlen (base);

  if (folder == NULL)
    return TRUE;
  if (g_str_has_suffix (base, ".npy"))
    stem -= strlen (".npy");

  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strdup_printf ("%.*s%s", (int) stem, base, endings[i]);
      g_autoptr (GFile) file = g_file_get_child (folder, name);

      if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR
          || g_file_equal (file, array))
        continue;
      if (!read_list (file, name, rows, ret_vocab, ret_duplicates, error))
        return FALSE;
      *ret_name = g_steal_pointer (&name);
      return TRUE;
    }

  return TRUE;
}

/* The files of tests/data/embeddings/made, which make-files.py writes, by its list: what must come out of each, or
 * which error with which words (and so which position) in its message. */
#include <stdlib.h>

#include "test-util.h"
#include "ww-set-open.h"

typedef struct
{
  char **fields; /* file, member, words, reading, result, says */
  guint line;
} Row;

enum
{
  FIELD_FILE, FIELD_MEMBER, FIELD_WORDS, FIELD_READING, FIELD_RESULT, FIELD_SAYS, N_FIELDS
};

static const struct
{
  const char *name;
  WwSetError code;
} codes[] = {
  { "NOT_FOUND", WW_SET_ERROR_NOT_FOUND }, { "EMPTY", WW_SET_ERROR_EMPTY },
  { "UNKNOWN", WW_SET_ERROR_UNKNOWN },     { "REFUSED", WW_SET_ERROR_REFUSED },
  { "TRUNCATED", WW_SET_ERROR_TRUNCATED }, { "MALFORMED", WW_SET_ERROR_MALFORMED },
  { "SHAPE", WW_SET_ERROR_SHAPE },         { "NUMBER", WW_SET_ERROR_NUMBER },
  { "NON_FINITE", WW_SET_ERROR_NON_FINITE }, { "TOO_LARGE", WW_SET_ERROR_TOO_LARGE },
  { "MISSING", WW_SET_ERROR_MISSING },     { "UNSUPPORTED", WW_SET_ERROR_UNSUPPORTED },
  { "AMBIGUOUS", WW_SET_ERROR_AMBIGUOUS },   { "NOT_A_FILE", WW_SET_ERROR_NOT_A_FILE },
};

static GFile *
made_file (const char *name)
{
  return g_file_new_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "made", name, NULL);
}

static void
check_error (const Row *row, const GError *error)
{
  const char *name = row->fields[FIELD_RESULT];

  for (gsize i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_str_equal (codes[i].name, name))
      {
        g_assert_error (error, WW_SET_ERROR, (int) codes[i].code);
        test_assert_position (error, row->fields[FIELD_FILE], row->fields[FIELD_SAYS]);
        test_assert_says (error, row->fields[FIELD_FILE], row->fields[FIELD_SAYS]);
        g_assert_true (g_utf8_validate (error->message, -1, NULL));
        return;
      }
  g_error ("files.tsv:%u: no error is called %s", row->line, name);
}

/* "words 12 8" */
static void
check_set (const Row *row, WwSet *set)
{
  g_auto (GStrv) facts = g_strsplit (row->fields[FIELD_RESULT], " ", 3);
  const char *warnings = ww_set_get_warnings (set), *says = row->fields[FIELD_SAYS];
  gboolean is_words = ww_set_get_kind (set) == WW_SET_KIND_WORDS;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  g_autoptr (WwMatrix) context = NULL;
  const guint32 ids[] = { 0, (guint32) ww_set_get_n_entries (set) - 1 };

  g_assert_cmpuint (g_strv_length (facts), ==, 3);
  g_assert_cmpstr (facts[0], ==, is_words ? "words" : "context");
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, strtoul (facts[1], NULL, 10));
  g_assert_cmpuint (ww_set_get_dims (set), ==, strtoul (facts[2], NULL, 10));
  if (*says == '\0')
    g_assert_cmpstr (warnings, ==, NULL);
  else if (warnings == NULL || strstr (warnings, says) == NULL)
    g_error ("files.tsv:%u: \"%s\" is missing in the warnings: %s", row->line, says, warnings);

  tokens = ww_set_tokens_from_ids (set, ids, 2, &error);
  g_assert_no_error (error);
  context = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < context->rows * context->cols; i++)
    g_assert_true (isfinite (context->data[i]));
}

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (GFile) file = made_file (row->fields[FIELD_FILE]);
  const char *words = row->fields[FIELD_WORDS];
  g_autoptr (GFile) list = *words != '\0' ? made_file (words) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  WwOpenOptions options = { NULL };

  if (*row->fields[FIELD_MEMBER] != '\0')
    options.member = row->fields[FIELD_MEMBER];
  if (*row->fields[FIELD_READING] != '\0')
    g_assert_true (ww_reading_from_id (row->fields[FIELD_READING], &options.reading));
  options.without_words = g_str_equal (words, "none");
  options.words = options.without_words ? NULL : list;
  set = ww_set_open_full (file, &options, NULL, NULL, NULL, &error);
  g_assert_true ((set == NULL) == (error != NULL));
  if (strchr (row->fields[FIELD_RESULT], ' ') == NULL)
    check_error (row, error);
  else
    {
      g_assert_no_error (error);
      check_set (row, set);
    }
}

static void
free_row (gpointer data)
{
  g_strfreev (((Row *) data)->fields);
  g_free (data);
}

static void
add_rows (GPtrArray *rows)
{
  g_autofree char *content = NULL, *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "made",
                                                             "files.tsv", NULL);
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  lines = g_strsplit (content, "\n", -1);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      Row *row = g_new0 (Row, 1);
      g_autofree char *name = NULL;

      row->fields = g_strsplit (lines[i], "\t", -1);
      row->line = i + 1;
      g_assert_cmpuint (g_strv_length (row->fields), ==, N_FIELDS);
      name = g_strdup_printf ("/made/%s%s%s%s%s%s%s", row->fields[FIELD_FILE],
                              *row->fields[FIELD_MEMBER] != '\0' ? "#" : "", row->fields[FIELD_MEMBER],
                              *row->fields[FIELD_WORDS] != '\0' ? "+" : "", row->fields[FIELD_WORDS],
                              *row->fields[FIELD_READING] != '\0' ? "=" : "", row->fields[FIELD_READING]);
      g_ptr_array_add (rows, row);
      g_test_add_data_func (name, row, test_row);
    }
  g_assert_cmpuint (rows->len, >, 200);
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (free_row);

  g_test_init (&argc, &argv, NULL);
  add_rows (rows);
  return g_test_run ();
}

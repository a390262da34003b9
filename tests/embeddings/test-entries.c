/* The entries of a set as words: look-up, completion, candidates and their rows. */
#include "ww-entries.h"
#include "ww-npy.h"

#include "test-util.h"

static const char *const words_text = "the 1 0 0\nThe 0 1 0\ntheatre 0 0 1\nthen 1 1 0\n<unk> 9 9 9\n"
                                      "\u00c4pfel 0 1 1\nnew_york 1 1 1\n##ing 2 0 0\n[unused7] 3 3 3\n";

static WwSet *
open_file (const char *name, const char *bytes, const WwMatrix *matrix)
{
  g_autofree char *folder = g_dir_make_tmp ("ww-entries-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  WwSet *set;

  g_assert_true (bytes != NULL ? g_file_set_contents (path, bytes, -1, &error)
                               : ww_npy_save (path, matrix, &error));
  set = ww_set_open (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_rmdir (folder);
  return set;
}

static void
assert_completes (WwEntries *entries, const char *prefix, gsize max, const char *expected)
{
  g_auto (GStrv) words = ww_entries_complete (entries, prefix, max);
  g_autofree char *found = g_strjoinv (" ", words);

  g_assert_cmpstr (found, ==, expected);
}

static void
test_completion (void)
{
  g_autoptr (WwSet) set = open_file ("words.txt", words_text, NULL);
  g_autoptr (WwEntries) entries = ww_entries_new (set, NULL, NULL);

  assert_completes (entries, "the", 10, "the then theatre The");
  assert_completes (entries, "The", 10, "The the then theatre");
  assert_completes (entries, "THE", 2, "the The");
  assert_completes (entries, "\u00e4p", 10, "\u00c4pfel");
  assert_completes (entries, "##", 10, "##ing");
  assert_completes (entries, "<", 10, ""); /* the unknown word is none to be chosen */
  assert_completes (entries, "[", 10, "");
  assert_completes (entries, "", 10, "");
  assert_completes (entries, "zzz", 10, "");
  assert_completes (entries, "the", 0, "");
  assert_completes (entries, "\xff", 10, "");
}

static void
test_lookup (void)
{
  static const struct
  {
    const char *word, *found, *says;
  } cases[] = {
    { "the", "the", NULL },       { "The", "The", NULL },     { " then ", "then", NULL },
    { "THEN", "then", NULL },     { "##ing", "##ing", NULL }, { "new_york", "new_york", NULL },
    { "\u00e4pfel", "\u00c4pfel", NULL },
    { "", NULL, "no word" },      { "  ", NULL, "no word" },  { "zebra", NULL, "zebra" },
    { "the then", NULL, "2 tokens" }, { "<unk>", NULL, "not in the set" }, { "[unused7]", NULL, "[unused7]" },
  };
  g_autoptr (WwSet) set = open_file ("words.txt", words_text, NULL);
  g_autoptr (WwEntries) entries = ww_entries_new (set, NULL, NULL);
  g_autoptr (GError) invalid = NULL;
  guint32 id = 99;

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (GError) error = NULL;

      id = 99;
      if (ww_entries_lookup (entries, cases[c].word, &id, &error))
        {
          g_assert_cmpstr (ww_entries_get_text (entries, id), ==, cases[c].found);
          continue;
        }
      g_assert_null (cases[c].found);
      g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NO_TOKENS);
      g_assert_cmpuint (id, ==, 99);
      test_assert_says (error, cases[c].word, cases[c].says);
    }

  g_assert_false (ww_entries_lookup (entries, "\xc3", &id, &invalid));
  g_assert_error (invalid, WW_SET_ERROR, WW_SET_ERROR_TEXT);
}

static void
test_rows_of_words (void)
{
  g_autoptr (WwSet) set = open_file ("words.txt", words_text, NULL);
  g_autoptr (WwEntries) entries = ww_entries_new (set, NULL, NULL);
  WwEntryRows rows = { entries, WW_LAYER_WORD, NULL, 0 };
  double raw[9 * 3];
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (ww_entries_get_n (entries), ==, 9);
  g_assert_true (ww_entries_get_set (entries) == set);
  g_assert_true (ww_entries_read_rows (0, 9, raw, &rows, &error));
  for (guint32 id = 0; id < 9; id++)
    g_assert_true (ww_entries_is_candidate (entries, id) == !isnan (raw[3 * id]));
  g_assert_false (ww_entries_is_candidate (entries, 4));
  g_assert_false (ww_entries_is_candidate (entries, 8));
  g_assert_cmpfloat (raw[3 * 7], ==, 2);
  g_assert_cmpfloat (raw[3 * 3 + 1], ==, 1);

  g_assert_true (ww_entries_check_layer (entries, WW_LAYER_WORD, NULL));
  g_assert_false (ww_entries_check_layer (entries, 0, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
}

/* A row is the one that the text with the word in it has. */
static void
assert_rows (WwEntries *entries, const guint32 *ids, gsize n, gsize position, int layer, guint32 first)
{
  gsize count = MIN (70, ww_entries_get_n (entries) - first);
  WwSet *set = ww_entries_get_set (entries);
  gsize d = ww_set_get_dims (set);
  WwEntryRows rows = { entries, layer, ids, position };
  g_autofree double *raw = g_new (double, count * d);
  g_autofree guint32 *changed = g_memdup2 (ids, n * sizeof *ids);

  g_assert_true (ww_entries_check_layer (entries, layer, NULL));
  g_assert_true (ww_entries_read_rows (first, count, raw, &rows, NULL));
  for (gsize t = 0; t < count; t += 7)
    {
      changed[position] = first + (guint32) t;
      if (!ww_entries_is_candidate (entries, changed[position]))
        {
          g_assert_true (isnan (raw[t * d]));
          continue;
        }

      g_autoptr (WwTokens) text = ww_set_tokens_from_ids (set, changed, n, NULL);
      g_autoptr (WwMatrix) context = ww_set_get_context (set, text, layer, NULL);
      g_assert_cmpmem (raw + t * d, d * sizeof (double), context->data + position * d, d * sizeof (double));
    }
}

static void
test_rows_of_sample (void)
{
  g_autoptr (WwSet) set = ww_set_open_builtin (NULL, NULL);
  g_autoptr (WwEntries) entries = ww_entries_new (set, NULL, NULL);
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "I love her much", TRUE, NULL);
  guint32 ids[6], love;

  g_assert_cmpuint (tokens->n, ==, 6);
  g_assert_true (ww_entries_lookup (entries, "Love", &love, NULL));
  g_assert_cmpuint (love, ==, tokens->tokens[2].id);
  for (gsize i = 0; i < 6; i++)
    {
      ids[i] = tokens->tokens[i].id;
      g_assert_true (ww_entries_is_candidate (entries, ids[i]) == !tokens->tokens[i].special);
    }

  for (gsize position = 0; position < 6; position += 2)
    {
      assert_rows (entries, ids, 6, position, WW_LAYER_WORD, love - 35);
      assert_rows (entries, ids, 6, position, 0, love - 35);
    }

  g_autoptr (GError) error = NULL;
  g_assert_false (ww_entries_check_layer (entries, 1, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
}

/* The other families have other positions; pieces of theirs that read alike are told apart. */
static void
test_tiny_models (void)
{
  static const char *const names[] = { "bert-plain", "roberta", "gpt2", "distilbert", "sentence-transformers" };
  gsize n_tried = 0;

  for (gsize m = 0; m < G_N_ELEMENTS (names); m++)
    {
      g_autoptr (GFile) folder = g_file_new_build_filename (WW_REFERENCE_DIR, "reference", "tiny-models", names[m], NULL);
      g_autoptr (GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = NULL;
      g_autoptr (WwEntries) entries = NULL;
      guint32 ids[7];

      if (!g_file_query_exists (folder, NULL))
        continue;
      n_tried++;
      set = ww_set_open (folder, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      entries = ww_entries_new (set, NULL, &error);
      g_assert_no_error (error);
      for (guint32 id = 0; id < ww_entries_get_n (entries); id++)
        g_assert_true (g_hash_table_add (texts, (gpointer) ww_entries_get_text (entries, id)));
      for (guint32 i = 0; i < 7; i++)
        ids[i] = i * 3 % ww_entries_get_n (entries);
      assert_rows (entries, ids, 7, 5, 0, 0);
    }
  if (n_tried == 0)
    g_test_skip ("the models are not here");
}

/* More words than are sorted in one go. */
static void
test_many_words (void)
{
  enum { WORDS = 20000 };
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < WORDS; i++)
    g_string_append_printf (lines, "w%u 1 %u\n", i * 7919 % WORDS, i);

  g_autoptr (WwSet) set = open_file ("many.txt", lines->str, NULL);
  g_autoptr (WwEntries) entries = ww_entries_new (set, NULL, NULL);
  for (guint i = 0; i < WORDS; i += 37)
    {
      g_autofree char *word = g_strdup_printf ("w%u", i);
      guint32 id;

      g_assert_true (ww_entries_lookup (entries, word, &id, &error));
      g_assert_cmpstr (ww_entries_get_text (entries, id), ==, word);
    }
  assert_completes (entries, "W1999", 3, "w1999 w19991 w19999"); /* then in the order of the set */
}

static void
test_refusals (void)
{
  const double values[] = { 1, 2, 3, 4 };
  g_autoptr (WwMatrix) matrix = ww_matrix_new_copy (2, 2, values, NULL);
  g_autoptr (WwSet) sample = ww_set_open_builtin (NULL, NULL);
  g_autoptr (WwSet) context = open_file ("x.npy", NULL, matrix);
  g_autoptr (GError) error = NULL;
  WwCancel cancel = { TRUE };

  g_assert_null (ww_entries_new (sample, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (ww_entries_new (context, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/entries/completion", test_completion);
  g_test_add_func ("/entries/lookup", test_lookup);
  g_test_add_func ("/entries/rows-of-words", test_rows_of_words);
  g_test_add_func ("/entries/rows-of-sample", test_rows_of_sample);
  g_test_add_func ("/entries/tiny-models", test_tiny_models);
  g_test_add_func ("/entries/many-words", test_many_words);
  g_test_add_func ("/entries/refusals", test_refusals);
  return g_test_run ();
}

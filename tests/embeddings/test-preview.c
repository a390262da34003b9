/* What a person sees of a file before it is opened, and what becomes of words that a set lacks. */
#include "test-util.h"
#include "ww-npz.h"
#include "ww-preview.h"
#include "ww-set-private.h"

typedef struct
{
  const char *file, *member, *words;
  const char *format, *type, *words_from; /* NULL: there is none */
  gsize rows, dims, candidates;
  int chosen;
  gboolean asks;
  const char *guess;      /* part of it */
  const char *first_word; /* NULL: no rows are shown */
} Case;

static const Case cases[] = {
  { "glove.txt", NULL, NULL, "GloVe text", "text", "in the file", 12, 8, 0, -1, FALSE, "a word and 8 numbers", "the" },
  { "word2vec-header.txt", NULL, NULL, "word2vec text", "text", "in the file", 12, 8, 0, -1, FALSE,
    "below a line with two counts", "the" },
  { "glove.txt.xz", NULL, NULL, "GloVe text, xz", "text", "in the file", 12, 8, 0, -1, FALSE, "spaces", "the" },
  { "glove-two-members.zip", NULL, NULL, "GloVe text, zip", "text", "in the file", 12, 4, 2, 0, TRUE,
    "Nothing tells which of 2 is meant", "the" },
  { "glove-two-members.zip", "tiny.8d.txt", NULL, "GloVe text, zip", "text", "in the file", 12, 8, 2, 1, FALSE,
    "You chose \"tiny.8d.txt\"", "the" },
  { "table-f4.npy", NULL, NULL, "NumPy table with a word list", "float32", "table-f4.words.txt, with 12 words", 12, 8,
    0, -1, FALSE, "A list of words of the same name", "the" },
  { "table-f4.npy", NULL, "none", "NumPy context", "float32", NULL, 12, 8, 0, -1, FALSE, "without words", "1" },
  { "table-i4.npy", NULL, NULL, "NumPy context", "int32", NULL, 12, 8, 0, -1, FALSE, "a ready context", "1" },
  { "context-3d.npy", NULL, NULL, "NumPy context", "float32", NULL, 6, 8, 0, -1, TRUE, "text 1 of 2", "1" },
  { "context-3d.npy", "2", NULL, "NumPy context", "float32", NULL, 6, 8, 0, -1, FALSE, "text 2 of 2", "1" },
  { "table-stored.npz", NULL, NULL, "NumPy archive table with a word list", "float32",
    "the array \"words\" of the same archive", 12, 8, 2, 0, FALSE, "Only \"vectors\" can be used", "the" },
  { "contexts-masked.npz", NULL, NULL, "NumPy archive context", "float32", "the array \"tokens\" of the same archive",
    6, 8, 3, 0, TRUE, "text 1 of 2", "the" },
  { "contexts-masked.npz", "X:2", NULL, "NumPy archive context", "float32", "the array \"tokens\" of the same archive",
    4, 8, 3, 0, FALSE, "The mask keeps 4 of 6 rows", "the" },
  { "bf16.safetensors", NULL, NULL, "safetensors context", "bfloat16", NULL, 12, 8, 1, 0, FALSE, "There is only", "1" },
  { "embd-q8_0.gguf", NULL, NULL, "GGUF table with words", "q8_0", "the list of 12 tokens in the file", 12, 32, 1, 0,
    FALSE, "version 3, bert", "the" },
  { "gensim.bin", NULL, NULL, "word2vec binary", "float32", "in the file", 12, 8, 0, -1, FALSE, "word2vec in binary",
    "the" },
  { "gensim.bin.gz", NULL, NULL, "word2vec binary, gzip", "float32", "in the file", 12, 8, 0, -1, FALSE, "\"12 8\"",
    "the" },
  { "projector-tensors.tsv", NULL, "projector-metadata-one-column.tsv", "vectors in text", "text",
    "projector-metadata-one-column.tsv, with 12 words", 12, 8, 0, -1, FALSE, "no words", "the" },
  { "projector-tensors.tsv", NULL, "projector-metadata-two-columns.tsv", "vectors in text", "text",
    "projector-metadata-two-columns.tsv, with 12 words", 12, 8, 0, -1, FALSE, "You chose the list", "the" },
  { "projector.bytes", NULL, NULL, "Embedding Projector bytes", "float32",
    "projector-metadata-two-columns.tsv, with 12 words", 12, 8, 0, -1, FALSE, "config beside it", "the" },
  { "projector_config.json", NULL, NULL, "Embedding Projector bytes", "float32",
    "projector-metadata-two-columns.tsv, with 12 words", 12, 8, 1, 0, FALSE, "config of the Embedding", "the" },
  { "checkpoints/bert-plain", NULL, NULL, "BERT checkpoint", NULL, "the vocabulary of the checkpoint", 0, 0, 0, -1, FALSE,
    "BERT checkpoint", "[PAD]" },
};

static void
check_rows (const Case *expected, const WwPreview *preview)
{
  g_assert_cmpstr (preview->problem, ==, NULL);
  g_assert_nonnull (preview->values);
  g_assert_cmpuint (preview->values->rows, ==, preview->words->len);
  g_assert_cmpuint (preview->values->rows, <=, WW_PREVIEW_ROWS);
  g_assert_cmpuint (preview->values->cols, ==, preview->dims);
  g_assert_cmpstr (g_ptr_array_index (preview->words, 0), ==, expected->first_word);
}

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autoptr (GFile) file = test_data_file (expected->file);
  g_autoptr (GFile) list = expected->words != NULL ? test_data_file (expected->words) : NULL;
  gboolean none = g_strcmp0 (expected->words, "none") == 0;
  WwOpenOptions options = { expected->member, none ? NULL : list, none };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = ww_set_preview (file, &options, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (preview->format, ==, expected->format);
  if (expected->type != NULL || expected->format == NULL)
    g_assert_cmpstr (preview->type, ==, expected->type);
  g_assert_cmpstr (preview->words_from, ==, expected->words_from);
  if (expected->rows > 0 || expected->format == NULL)
    {
      g_assert_cmpuint (preview->rows, ==, expected->rows);
      g_assert_cmpuint (preview->dims, ==, expected->dims);
    }
  g_assert_cmpuint (preview->candidates->len, ==, expected->candidates);
  g_assert_cmpint (preview->chosen, ==, expected->chosen);
  g_assert_true (preview->needs_choice == expected->asks);
  if (strstr (preview->guess, expected->guess) == NULL)
    g_error ("%s: \"%s\" is missing in: %s", expected->file, expected->guess, preview->guess);
  if (expected->first_word == NULL)
    g_assert_null (preview->values);
  else
    check_rows (expected, preview);
}

/* Whatever may be chosen opens, if it says that it is usable. */
static void
test_candidates (void)
{
  static const char *const files[] = { "glove-two-members.zip", "contexts-masked.npz",
                                       "table-stored.npz", "embd-f32.gguf", "f16.safetensors" };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GFile) file = test_data_file (files[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwPreview) preview = ww_set_preview (file, NULL, NULL, &error);
      guint opened = 0;

      g_assert_no_error (error);
      for (guint k = 0; k < preview->candidates->len; k++)
        {
          const WwCandidate *candidate = g_ptr_array_index (preview->candidates, k);
          const WwOpenOptions options = { candidate->id };
          g_autoptr (WwSet) set = ww_set_open_full (file, &options, NULL, NULL, NULL, &error);
          gboolean has_texts = g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_AMBIGUOUS);

          if (candidate->usable && set == NULL && !has_texts)
            g_error ("%s, %s: %s", files[i], candidate->id, error->message);
          opened += set != NULL || has_texts;
          g_clear_error (&error);
        }
      g_assert_cmpuint (opened, >, 0);
    }
}

/* A table of many megabytes costs its first rows only. */
static void
test_large (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-preview-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "large.txt", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = NULL;

  for (int i = 0; i < 200000; i++)
    g_string_append_printf (text, "w%d 0.125 -0.25 0.5\n", i);
  test_write_file (path, text->str, text->len);
  preview = ww_set_preview (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (preview->rows, ==, 0);
  g_assert_cmpuint (preview->dims, ==, 3);
  g_assert_cmpuint (preview->values->rows, ==, WW_PREVIEW_ROWS);
  g_assert_cmpstr (g_ptr_array_index (preview->words, 7), ==, "w7");
  g_unlink (path);
  g_rmdir (folder);
}

/* So does an array that is packed: 20 MB of zeros in 20 kB. */
static void
test_large_packed (void)
{
  g_autoptr (GFile) file = test_data_file ("made/npz/large-deflated.npz");
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = ww_set_preview (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (preview->rows, ==, 50000);
  g_assert_cmpuint (preview->dims, ==, 100);
  g_assert_cmpuint (preview->values->rows, ==, WW_PREVIEW_ROWS);
}

/* Row and column of what is no number show before the file is opened. */
static void
test_problems (void)
{
  g_autoptr (GFile) bad = test_data_file ("bad-nan.npy");
  g_autoptr (GFile) refused = test_data_file ("refuse-torch.pt");
  g_autoptr (GFile) missing = test_data_file ("no-such-file");
  g_autoptr (GError) error = NULL;

  g_assert_null (ww_set_preview (bad, NULL, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NON_FINITE);
  g_clear_error (&error);
  g_assert_null (ww_set_preview (refused, NULL, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_REFUSED);
  g_clear_error (&error);
  g_assert_null (ww_set_preview (missing, NULL, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_FOUND);
}

/* A list beside an array that does not fit is a question, also of the only array of a folder. */
static void
test_unfit_list (void)
{
  static const char *const names[] = { "made/folders/list-too-short/t.npy", "made/folders/list-too-short" };
  const WwOpenOptions none = { .without_words = TRUE };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = test_data_file (names[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwPreview) preview = ww_set_preview (file, NULL, NULL, &error);
      g_autoptr (WwPreview) without = ww_set_preview (file, &none, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (preview->needs_choice);
      g_assert_nonnull (strstr (preview->problem, "has 3 rows, but the list of words t.txt has 2 words"));
      g_assert_cmpstr (preview->inside, ==, i == 1 ? "t.npy" : NULL);
      g_assert_cmpuint (preview->lists->len, ==, 1);
      g_assert_cmpstr (g_ptr_array_index (preview->lists, 0), ==, "t.txt");
      g_assert_cmpint (preview->list, ==, 0);
      g_assert_false (without->needs_choice);
      g_assert_null (without->problem);
      g_assert_null (without->list_name);
    }
}

static WwSet *
open_with (const char *name, WwUnknown unknown, guint64 seed)
{
  g_autoptr (GFile) file = test_data_file (name);
  WwOpenOptions options = { NULL };
  g_autoptr (GError) error = NULL;
  WwSet *set;

  options.unknown = unknown;
  options.seed = seed;
  set = ww_set_open_full (file, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return set;
}

static WwMatrix *
get_rows (WwSet *set, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) all = ww_set_tokenise (set, text, TRUE, &error);
  g_autoptr (WwTokens) tokens = NULL;
  WwMatrix *rows;

  g_assert_no_error (error);
  tokens = ww_tokens_with_rows (all);
  rows = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->rows, ==, tokens->n);
  return rows;
}

static void
test_skip (void)
{
  g_autoptr (WwSet) set = open_with ("glove.txt", WW_UNKNOWN_SKIP, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "the zebra", TRUE, &error);
  g_autoptr (WwMatrix) rows = get_rows (set, "the zebra smile");

  g_assert_no_error (error);
  g_assert_true (tokens->tokens[1].unknown);
  g_assert_false (tokens->tokens[1].has_row);
  g_assert_cmpuint (rows->rows, ==, 2);
}

/* The same word has the same row in every text; other words and other seeds have others. */
static void
test_random (void)
{
  g_autoptr (WwSet) set = open_with ("glove.txt", WW_UNKNOWN_RANDOM, 7);
  g_autoptr (WwSet) other = open_with ("glove.txt", WW_UNKNOWN_RANDOM, 8);
  g_autoptr (WwMatrix) first = get_rows (set, "the zebra gnu smile");
  g_autoptr (WwMatrix) second = get_rows (set, "gnu the zebra");
  g_autoptr (WwMatrix) third = get_rows (other, "the zebra");
  gsize d = ww_set_get_dims (set), row = d * sizeof (double);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "the zebra", TRUE, &error);

  g_assert_true (tokens->tokens[1].unknown && tokens->tokens[1].has_row);
  g_assert_cmpuint (tokens->tokens[1].id, ==, WW_TOKEN_RANDOM_ROW);
  g_assert_cmpuint (first->rows, ==, 4);
  g_assert_cmpmem (first->data + d, row, second->data + 2 * d, row);
  g_assert_cmpmem (first->data + 2 * d, row, second->data, row);
  g_assert_cmpmem (first->data, row, third->data, row);
  g_assert_true (memcmp (first->data + d, first->data + 2 * d, row) != 0);
  g_assert_true (memcmp (first->data + d, third->data + d, row) != 0);
}

/* A checkpoint has a trained vector for what it does not know, and takes that. */
static void
test_checkpoint_policy (void)
{
  g_autoptr (WwSet) set = open_with ("checkpoints/bert-plain", WW_UNKNOWN_RANDOM, 7);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise_full (set, "the \U0001f993", FALSE, WW_UNKNOWN_RANDOM, 1, &error);
  g_autoptr (WwTokens) skipped = ww_set_tokenise_full (set, "the \U0001f993", FALSE, WW_UNKNOWN_SKIP, 1, &error);

  g_assert_no_error (error);
  g_assert_true (tokens->tokens[1].unknown && tokens->tokens[1].has_row);
  g_assert_cmpuint (tokens->tokens[1].id, <, ww_set_get_n_entries (set));
  g_assert_true (skipped->tokens[1].unknown && !skipped->tokens[1].has_row);
}

static void
test_policy_ids (void)
{
  for (guint i = 0; i < WW_N_UNKNOWNS; i++)
    {
      WwUnknown unknown = WW_N_UNKNOWNS;

      g_assert_true (ww_unknown_from_id (ww_unknown_get_id ((WwUnknown) i), &unknown));
      g_assert_cmpuint (unknown, ==, i);
    }
  g_assert_false (ww_unknown_from_id ("guess", NULL));
}

static void
test_npz_matrices (void)
{
  g_autoptr (GFile) file = test_data_file ("made/npz/two-arrays.npz");
  g_autoptr (GFile) stacked = test_data_file ("contexts-masked.npz");
  const char *const names[] = { "b", "a" }, *const lacking[] = { "a", "V1" }, *const stack[] = { "X" };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) matrices = ww_npz_load_matrices (file, names, 2, &error);
  const WwMatrix *first;

  g_assert_no_error (error);
  g_assert_cmpuint (matrices->len, ==, 2);
  first = g_ptr_array_index (matrices, 0);
  g_assert_cmpuint (first->rows, ==, 3);
  g_assert_cmpuint (first->cols, ==, 2);
  g_assert_cmpfloat (first->data[5], ==, 6);

  g_assert_null (ww_npz_load_matrices (file, lacking, 2, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING);
  test_assert_says (error, "two-arrays", "no array \"V1\"; there is \"a\", \"b\"");
  g_clear_error (&error);
  g_assert_null (ww_npz_load_matrices (stacked, stack, 1, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_SHAPE);
}

/* A set's name says which of several was taken: it is what a figure keeps of it. */
static void
test_names (void)
{
  static const struct
  {
    const char *file, *member, *name;
  } names[] = {
    { "glove.txt", NULL, "glove.txt" },
    { "glove-two-members.zip", "tiny.4d.txt", "glove-two-members.zip, tiny.4d.txt" },
    { "context-3d.npy", "2", "context-3d.npy, text 2" },
    { "contexts-masked.npz", "X:1", "contexts-masked.npz, X, text 1" },
    { "table-zip64.npz", NULL, "table-zip64.npz" },
    { "f32.safetensors", NULL, "f32.safetensors, embeddings" },
    { "embd-f16.gguf", NULL, "embd-f16.gguf, token_embd.weight" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = test_data_file (names[i].file);
      const WwOpenOptions options = { names[i].member };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = ww_set_open_full (file, &options, NULL, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (ww_set_get_name (set), ==, names[i].name);
    }
}

/* What tells a set from a text before either is read. */
static void
test_known_kinds (void)
{
  static const struct
  {
    const char *file;
    gboolean known;
  } kinds[] = {
    { "table-f4.npy", TRUE },   { "table-stored.npz", TRUE }, { "f32.safetensors", TRUE },
    { "embd-f32.gguf", TRUE },  { "gensim.bin", TRUE },       { "gensim.bin.gz", TRUE },
    { "projector.bytes", TRUE }, { "projector_config.json", TRUE }, { "refuse-torch.pt", TRUE },
    { "checkpoints/bert-plain", TRUE }, { "glove.txt", FALSE }, { "glove.txt.gz", FALSE },
    { "truth.json", FALSE },    { "bad-empty.safetensors", FALSE }, { "no-such-file", FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) file = test_data_file (kinds[i].file);

      if (ww_set_is_known_kind (file) != kinds[i].known)
        g_error ("%s", kinds[i].file);
    }
}

/* How the lines of a text may be read, and what is asked before they are. */
static void
test_readings (void)
{
  static const struct
  {
    const char *file;
    WwReading asked, shown;
    guint readings;
    gsize dims;
    gboolean asks;
  } texts[] = {
    { "glove.txt", WW_READING_GUESSED, WW_READING_GLOVE, 1u << WW_READING_GLOVE, 8, FALSE },
    { "word2vec-header.txt", WW_READING_GUESSED, WW_READING_WORD2VEC, 1u << WW_READING_WORD2VEC, 8, FALSE },
    { "table-f8.npy", WW_READING_GUESSED, WW_READING_GUESSED, 0, 8, FALSE },
    { "made/ambiguous/whole.txt", WW_READING_GUESSED, WW_READING_TENSORS,
      1u << WW_READING_GLOVE | 1u << WW_READING_TENSORS, 3, TRUE },
    { "made/ambiguous/whole.txt", WW_READING_GLOVE, WW_READING_GLOVE, 1u << WW_READING_GLOVE | 1u << WW_READING_TENSORS,
      2, FALSE },
    { "made/ambiguous/whole.txt", WW_READING_TENSORS, WW_READING_TENSORS,
      1u << WW_READING_GLOVE | 1u << WW_READING_TENSORS, 3, FALSE },
    { "made/ambiguous/first.txt", WW_READING_GUESSED, WW_READING_GLOVE,
      1u << WW_READING_GLOVE | 1u << WW_READING_TENSORS, 2, FALSE },
    { "made/ambiguous/first/tensors.tsv", WW_READING_GUESSED, WW_READING_TENSORS,
      1u << WW_READING_GLOVE | 1u << WW_READING_TENSORS, 3, FALSE },
    { "made/ambiguous/counts-of-one.txt", WW_READING_GUESSED, WW_READING_GLOVE,
      1u << WW_READING_GLOVE | 1u << WW_READING_WORD2VEC | 1u << WW_READING_TENSORS, 1, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GFile) file = test_data_file (texts[i].file);
      const WwOpenOptions options = { .reading = texts[i].asked };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwPreview) preview = ww_set_preview (file, &options, NULL, &error);

      g_assert_no_error (error);
      g_test_message ("%s, %s", texts[i].file, ww_reading_get_id (texts[i].asked));
      g_assert_cmpint (preview->reading, ==, texts[i].shown);
      g_assert_cmphex (preview->readings, ==, texts[i].readings);
      g_assert_cmpuint (preview->dims, ==, texts[i].dims);
      g_assert_cmpint (preview->needs_choice, ==, texts[i].asks);
    }
}

static void
test_folder (void)
{
  g_autoptr (GFile) two = test_data_file ("made/folders/two");
  g_autoptr (GFile) one = test_data_file ("made/projector/one");
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) several = ww_set_preview (two, NULL, NULL, &error);
  g_autoptr (WwPreview) single = NULL;

  g_assert_no_error (error);
  g_assert_true (several->needs_choice);
  g_assert_cmpuint (several->candidates->len, ==, 2);
  g_assert_cmpstr (((WwCandidate *) g_ptr_array_index (several->candidates, 1))->id, ==, "b.npy");

  single = ww_set_preview (one, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (single->needs_choice);
  g_assert_cmpstr (single->words_from, ==, "metadata.tsv, with 3 words");
  g_assert_nonnull (strstr (single->guess, "tensors.tsv"));
}

/* A list that cannot be read is a question, too: another one can be chosen, or none. */
static void
test_unread_list (void)
{
  g_autoptr (GFile) file = test_data_file ("made/npy/good.npy");
  g_autoptr (GFile) list = test_data_file ("made/words/latin-1.txt");
  WwOpenOptions options = { .words = list };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = ww_set_preview (file, &options, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (preview->needs_choice && preview->takes_list);
  g_assert_cmpstr (preview->list_name, ==, "latin-1.txt");
  g_assert_cmpstr (preview->words_from, ==, "latin-1.txt, which cannot be read");
  g_assert_nonnull (strstr (preview->problem, "no UTF-8"));
}

/* A list of a usual name that has a word too few is likely meant, and is asked about; one of another length is not. */
static void
test_usual_list_apart (void)
{
  static const struct
  {
    const char *words;
    gboolean guessed;
  } lists[] = { { "a\nb\n", TRUE }, { "a\nb\nc\n", TRUE }, { "a\nb\nc\nd\ne\nf\n", FALSE } };
  g_autofree char *folder = g_dir_make_tmp ("wordsway-XXXXXX", NULL);
  g_autofree char *array = g_build_filename (folder, "array.npy", NULL);
  g_autofree char *list = g_build_filename (folder, "words.txt", NULL);
  g_autoptr (GFile) good = test_data_file ("made/npy/good.npy");
  g_autoptr (GFile) file = g_file_new_for_path (array);

  g_assert_true (g_file_copy (good, file, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwPreview) preview = NULL;

      g_assert_true (g_file_set_contents (list, lists[i].words, -1, NULL));
      preview = ww_set_preview (file, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (preview->guessed == lists[i].guessed);
      g_assert_true ((strstr (preview->guess, "not taken for its list of words") != NULL) == (i != 1));
      g_assert_cmpstr (preview->list_name, ==, i == 1 ? "words.txt" : NULL);
    }

  g_assert_cmpint (g_unlink (array), ==, 0);
  g_assert_cmpint (g_unlink (list), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* More rows than a context has are those of a table, for which a list can be chosen. */
static void
test_more_rows_than_a_context (void)
{
  g_autoptr (GFile) file = test_data_file ("made/npy/too-many-rows.npy");
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = ww_set_preview (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (preview->problem, ==, NULL);
  g_assert_true (preview->guessed && preview->takes_list);
  g_assert_false (preview->needs_choice);
  g_assert_nonnull (strstr (preview->words_from, "numbers"));
  g_assert_nonnull (strstr (preview->guess, "taken for a table"));
  g_assert_nonnull (strstr (preview->remarks, "no list of words"));
  g_assert_cmpstr (g_ptr_array_index (preview->words, 0), ==, "0");
}

/* What opening remarks on is said before it, and of a file without fault nothing. */
static void
test_remarks (void)
{
  static const char *const files[]
    = { "glove-truncated.txt", "glove.txt", "glove-duplicate.txt", "glove-invalid-utf8.txt", "vector-1d.npy", "gensim.bin",
        "table-f4.npy", "embd-f32.gguf", "checkpoints/bert-plain", "made/npy/too-many-rows.npy" };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GFile) file = test_data_file (files[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwPreview) preview = ww_set_preview (file, NULL, NULL, &error);
      g_autoptr (WwSet) set = NULL;

      g_assert_no_error (error);
      set = ww_set_open_full (file, NULL, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (preview->remarks, ==, ww_set_get_warnings (set));
      g_assert_true (i > 0 || strstr (preview->remarks, "Line 12 is cut off") != NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/preview/%s/%s/%s", cases[i].file,
                                               cases[i].member != NULL ? cases[i].member : "-",
                                               cases[i].words != NULL ? cases[i].words : "-");

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/preview/candidates", test_candidates);
  g_test_add_func ("/preview/readings", test_readings);
  g_test_add_func ("/preview/folder", test_folder);
  g_test_add_func ("/preview/names", test_names);
  g_test_add_func ("/preview/known-kinds", test_known_kinds);
  g_test_add_func ("/preview/large", test_large);
  g_test_add_func ("/preview/large-packed", test_large_packed);
  g_test_add_func ("/preview/problems", test_problems);
  g_test_add_func ("/preview/unfit-list", test_unfit_list);
  g_test_add_func ("/preview/unread-list", test_unread_list);
  g_test_add_func ("/preview/usual-list-apart", test_usual_list_apart);
  g_test_add_func ("/preview/more-rows-than-a-context", test_more_rows_than_a_context);
  g_test_add_func ("/preview/remarks", test_remarks);
  g_test_add_func ("/unknown/skip", test_skip);
  g_test_add_func ("/unknown/random", test_random);
  g_test_add_func ("/unknown/checkpoint", test_checkpoint_policy);
  g_test_add_func ("/unknown/ids", test_policy_ids);
  g_test_add_func ("/npz/matrices", test_npz_matrices);
  return g_test_run ();
}

/* The built-in sample and small checkpoints against numbers from an independent implementation. */
#include <jansson.h>

#include "test-util.h"
#include "ww-npy.h"

static WwMatrix *
load_reference (const char *name)
{
  g_autoptr (GFile) file = g_file_new_build_filename (WW_TEST_DATA_DIR, "reference", name, NULL);
  g_autoptr (GError) error = NULL;
  WwMatrix *matrix = ww_npy_load (file, &error);

  g_assert_no_error (error);
  return matrix;
}

static WwSet *
open_sample (void)
{
  g_autoptr (GError) error = NULL;
  WwSet *set = ww_set_open_builtin (NULL, &error);

  g_assert_no_error (error);
  return set;
}

/* What is compiled in stays within 6,000,000 bytes. */
static void
test_sample_size (void)
{
  g_autofree char *folder = g_build_filename (WW_TEST_DATA_DIR, "..", "data", "sample", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  gint64 total = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      GStatBuf status;

      g_assert_cmpint (g_stat (path, &status), ==, 0);
      total += status.st_size;
    }
  g_assert_cmpint (total, >, 5000000);
  g_assert_cmpint (total, <=, 6000000);
}

static void
test_sample_facts (void)
{
  g_autoptr (WwSet) set = open_sample ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) layers = ww_set_get_layers (set);
  g_auto (GStrv) pairs = ww_set_describe (set);
  gboolean attention = FALSE;
  const char *digest;

  g_assert_cmpint (ww_set_get_kind (set), ==, WW_SET_KIND_CHECKPOINT);
  g_assert_cmpuint (ww_set_get_dims (set), ==, 384);
  g_assert_cmpuint (ww_set_get_n_entries (set), >, 5600);
  g_assert_cmpstr (ww_set_get_name (set), ==, "Sample (MiniLM)");
  g_assert_null (ww_set_get_warnings (set));
  g_assert_cmpuint (layers->len, ==, 2);
  g_assert_cmpint (g_array_index (layers, int, 0), ==, WW_LAYER_WORD);
  g_assert_cmpint (ww_set_get_default_layer (set), ==, 0);
  g_assert_cmpuint (ww_set_get_max_tokens (set, 0), ==, 512);
  g_assert_cmpuint (g_strv_length (pairs) % 2, ==, 0);
  for (gsize i = 0; pairs[i] != NULL; i += 2)
    attention = attention || (g_str_equal (pairs[i], "Trained attention")
                              && g_str_equal (pairs[i + 1], "block 1, 12 heads"));
  g_assert_true (attention);

  digest = ww_set_get_sha256 (set, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (digest), ==, 64);
  g_assert_true (digest == ww_set_get_sha256 (set, NULL, &error));
}

/* Half precision keeps 11 bits, so word vectors are off by at most 2^-11 of themselves, and what is
 * computed from them by a few times that. */
static void
test_sample_numbers (void)
{
  g_autoptr (WwSet) set = open_sample ();
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "I love her much", TRUE, &error);
  g_autoptr (WwMatrix) word = NULL, true_word = load_reference ("love-much.word.npy");
  g_autoptr (WwMatrix) layer = NULL, true_layer = load_reference ("love-much.layer-0.npy");
  g_autoptr (WwMatrix) heads = load_reference ("love-much.attention-1.npy");
  g_autoptr (WwMatrix) mean = NULL;
  g_autofree double *true_mean = g_new0 (double, 36);

  g_assert_no_error (error);
  g_assert_cmpuint (tokens->n, ==, 6);
  word = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < 6 * 384; i++)
    g_assert_cmpfloat (fabs (word->data[i] - true_word->data[i]), <=,
                       fabs (true_word->data[i]) / 2048 + 1e-7);
  layer = ww_set_get_context (set, tokens, 0, &error);
  g_assert_no_error (error);
  g_test_message ("layer 0 differs by %g", test_largest_difference (layer->data, true_layer->data, 6 * 384));
  g_assert_cmpfloat (test_largest_difference (layer->data, true_layer->data, 6 * 384), <, 4e-3);

  for (int head = 0; head < 12; head++)
    {
      g_autoptr (WwMatrix) one = ww_set_get_trained_attention (set, tokens, 1, head, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (test_largest_difference (one->data, heads->data + head * 36, 36), <, 2e-3);
      for (int i = 0; i < 36; i++)
        true_mean[i] += heads->data[head * 36 + i] / 12;
    }
  mean = ww_set_get_trained_attention (set, tokens, 1, -1, &error);
  g_assert_no_error (error);
  g_test_message ("mean attention differs by %g", test_largest_difference (mean->data, true_mean, 36));
  g_assert_cmpfloat (test_largest_difference (mean->data, true_mean, 36), <, 1e-3);
}

static void
test_sample_limits (void)
{
  g_autoptr (WwSet) set = open_sample ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (WwTokens) tokens = NULL, short_tokens = NULL;
  g_autoptr (WwMatrix) word = NULL, layer = NULL;
  const guint32 beyond = 1000000;

  for (int i = 0; i < 600; i++)
    g_string_append (text, "smile ");
  tokens = ww_set_tokenise (set, text->str, FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tokens->n, ==, 600);
  word = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  g_assert_no_error (error);

  g_assert_null (ww_set_get_context (set, tokens, 0, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
  test_assert_says (error, "layer 0", "512");
  g_clear_error (&error);
  short_tokens = ww_tokens_head (tokens, 512);
  layer = ww_set_get_context (set, short_tokens, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (layer->rows, ==, 512);

  g_assert_null (ww_set_get_context (set, tokens, 1, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (ww_set_get_trained_attention (set, short_tokens, 2, -1, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (ww_set_get_trained_attention (set, short_tokens, 1, 12, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (ww_set_tokens_from_ids (set, &beyond, 1, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (ww_set_open_builtin ("none such", &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_FOUND);
}

static void
test_sample_texts (void)
{
  g_autoptr (WwSet) set = open_sample ();
  static const struct
  {
    const char *text;
    WwSetError code;
  } bad[] = {
    { "", WW_SET_ERROR_NO_TOKENS },
    { " \n\t ", WW_SET_ERROR_NO_TOKENS },
    { "\u5317\u4eac", WW_SET_ERROR_NO_TOKENS },
    { "good \xff bad", WW_SET_ERROR_TEXT },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ww_set_tokenise (set, bad[i].text, TRUE, &error));
      g_assert_error (error, WW_SET_ERROR, (int) bad[i].code);
    }
}

/* A word of ASCII letters can always be spelled with the pieces of the sample. */
static void
test_sample_spelling (void)
{
  g_autoptr (WwSet) set = open_sample ();
  g_autoptr (GRand) random = g_rand_new_with_seed (5);

  for (int round = 0; round < 2000; round++)
    {
      char word[64];
      int length = g_rand_int_range (random, 1, 40);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokens) tokens = NULL;
      gsize covered = 0;

      for (int i = 0; i < length; i++)
        word[i] = (char) g_rand_int_range (random, 33, 127);
      word[length] = '\0';
      tokens = ww_set_tokenise (set, word, FALSE, &error);
      g_assert_no_error (error);
      for (gsize i = 0; i < tokens->n; i++)
        {
          g_assert_false (tokens->tokens[i].unknown);
          g_assert_cmpuint (tokens->tokens[i].start, ==, covered);
          covered = tokens->tokens[i].end;
        }
      g_assert_cmpuint (covered, ==, (gsize) length);
    }
}

/* Each example is known to the last word, no common word of it is spelled in pieces, and the
 * default one is long enough for the figure. */
static void
test_examples (void)
{
  g_autoptr (WwSet) set = open_sample ();
  gsize n;
  const WwExampleText *examples = ww_example_texts_get (&n);

  g_assert_cmpuint (n, ==, 4);
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, examples[i].text, TRUE, &error);
      gsize pieces = 0;

      g_assert_no_error (error);
      for (gsize k = 0; k < tokens->n; k++)
        {
          g_assert_false (tokens->tokens[k].unknown);
          pieces += g_str_has_prefix (tokens->tokens[k].text, "##");
        }
      g_assert_cmpuint (pieces * 50, <=, tokens->n);
      g_assert_cmpuint (tokens->n, <=, 512);
      if (i == 0)
        g_assert_cmpuint (tokens->n, >=, 330);
    }
}

static double *
load_layer (const char *folder, const char *name, gsize *ret_block)
{
  g_autofree char *path = g_build_filename ("checkpoints", folder, name, NULL);
  g_autoptr (GFile) file = test_data_file (path);
  WwNpyHeader header;
  double *values = test_load_array (file, &header);

  *ret_block = header.n_values / header.shape[0];
  return values;
}

static void
test_small_model (gconstpointer data)
{
  static const guint32 ids[] = { 2, 7, 8, 9, 10, 13, 14, 12, 5, 3 };
  const char *folder = data;
  /* One of them stores its weights in half precision, and so does its reference. */
  double tolerance = 2e-6;
  g_autofree char *path = g_build_filename ("checkpoints", folder, NULL);
  g_autoptr (GFile) file = test_data_file (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = ww_set_open (file, NULL, NULL, NULL, &error);
  g_autoptr (WwTokens) tokens = NULL;
  g_autoptr (WwMatrix) state = NULL;
  g_autofree double *hidden = NULL, *attention = NULL;
  gsize block;

  g_assert_no_error (error);
  g_assert_cmpstr (ww_set_get_name (set), ==, folder);
  tokens = ww_set_tokens_from_ids (set, ids, G_N_ELEMENTS (ids), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (tokens->tokens[0].text, ==, "[CLS]");
  g_assert_true (tokens->tokens[0].special);

  hidden = load_layer (folder, "hidden.npy", &block);
  state = ww_set_get_context (set, tokens, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (state->rows * state->cols, ==, block);
  g_assert_cmpfloat (test_largest_difference (state->data, hidden, block), <, tolerance);

  attention = load_layer (folder, "attention.npy", &block);
  for (int head = 0; head < 4; head++)
    {
      g_autoptr (WwMatrix) one = ww_set_get_trained_attention (set, tokens, 1, head, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (test_largest_difference (one->data, attention + head * 100, 100), <,
                         tolerance);
    }
}

/* The whole checkpoint that the sample is cut from, in single precision. */
static void
test_full_checkpoint (void)
{
  static const struct
  {
    const char *name, *text;
  } sentences[] = {
    { "love-much", "I love her much" },
    { "love-smile", "I love her smile" },
    { "park", "When the rain had stopped, the children ran back to the park and shouted at the ducks"
              " until the sun went down behind the houses." },
  };
  g_autoptr (GFile) folder = g_file_new_for_path (WW_REFERENCE_DIR "/data/minilm");
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  if (!g_file_query_exists (folder, NULL))
    {
      g_test_skip ("the full checkpoint all-MiniLM-L6-v2 is not on this computer");
      return;
    }

  set = ww_set_open (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      g_autofree char *prefix = g_build_filename (WW_REFERENCE_DIR, "reference", "checkpoint",
                                                  sentences[i].name, NULL);
      g_autofree char *hidden_path = g_strconcat (prefix, ".hidden.npy", NULL);
      g_autofree char *attention_path = g_strconcat (prefix, ".attention.npy", NULL);
      g_autoptr (GFile) hidden_file = g_file_new_for_path (hidden_path);
      g_autoptr (GFile) attention_file = g_file_new_for_path (attention_path);
      WwNpyHeader header;
      g_autofree double *hidden = test_load_array (hidden_file, &header);
      g_autofree double *attention = test_load_array (attention_file, &header);
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, sentences[i].text, TRUE, &error);
      g_autoptr (WwMatrix) state = ww_set_get_context (set, tokens, 0, &error);
      gsize n = header.shape[2];

      g_assert_no_error (error);
      g_assert_cmpuint (tokens->n, ==, n);
      g_assert_cmpfloat (test_largest_difference (state->data, hidden, n * 384), <, 2e-6);
      for (int head = 0; head < 12; head++)
        {
          g_autoptr (WwMatrix) one = ww_set_get_trained_attention (set, tokens, 1, head, &error);

          g_assert_no_error (error);
          g_assert_cmpfloat (test_largest_difference (one->data, attention + (gsize) head * n * n,
                                                      n * n), <, 2e-6);
        }
    }
}

/* A file chooser gives files: any of these leads to the same set. */
static void
test_member_files (void)
{
  static const char *const members[] = { "bert-plain/model.safetensors", "bert-plain/config.json", "bert-plain/vocab.txt",
                                         "bert-sharded/model.safetensors.index.json" };

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename ("checkpoints", members[i], NULL);
      g_autoptr (GFile) file = test_data_file (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = ww_set_open (file, NULL, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (ww_set_get_dims (set), ==, 16);
    }
}

static void
test_other_families (void)
{
  static const char *const families[] = { "roberta", "gpt2" };

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    {
      g_autofree char *path = g_build_filename ("checkpoints", families[i], NULL);
      g_autoptr (GFile) file = test_data_file (path);
      g_autoptr (GError) error = NULL;

      g_assert_null (ww_set_open (file, NULL, NULL, NULL, &error));
      g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
      test_assert_says (error, families[i], families[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/checkpoint/sample/size", test_sample_size);
  g_test_add_func ("/checkpoint/sample/facts", test_sample_facts);
  g_test_add_func ("/checkpoint/sample/numbers", test_sample_numbers);
  g_test_add_func ("/checkpoint/sample/limits", test_sample_limits);
  g_test_add_func ("/checkpoint/sample/texts", test_sample_texts);
  g_test_add_func ("/checkpoint/sample/spelling", test_sample_spelling);
  g_test_add_func ("/checkpoint/examples", test_examples);
  g_test_add_data_func ("/checkpoint/bert-plain", "bert-plain", test_small_model);
  g_test_add_data_func ("/checkpoint/bert-prefixed-gamma-beta", "bert-prefixed-gamma-beta",
                        test_small_model);
  g_test_add_data_func ("/checkpoint/bert-sharded", "bert-sharded", test_small_model);
  g_test_add_data_func ("/checkpoint/sentence-transformers", "sentence-transformers",
                        test_small_model);
  g_test_add_data_func ("/checkpoint/distilbert", "distilbert", test_small_model);
  g_test_add_func ("/checkpoint/full", test_full_checkpoint);
  g_test_add_func ("/checkpoint/member-files", test_member_files);
  g_test_add_func ("/checkpoint/other-families", test_other_families);
  return g_test_run ();
}

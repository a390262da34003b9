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
load_values (const char *folder, const char *name, WwNpyHeader *ret_header)
{
  g_autofree char *path = g_build_filename ("checkpoints", folder, name, NULL);
  g_autoptr (GFile) file = test_data_file (path);

  return test_load_array (file, ret_header);
}

/* The ids are a list, or stand beside the text that they belong to. */
static GArray *
load_ids (const char *folder, char **ret_text)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints", folder,
                                            "ids.json", NULL);
  json_t *root = json_load_file (path, 0, NULL);
  json_t *list = json_is_array (root) ? root : json_object_get (root, "ids");
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_assert_cmpuint (json_array_size (list), >, 0);
  for (size_t i = 0; i < json_array_size (list); i++)
    {
      guint32 id = (guint32) json_integer_value (json_array_get (list, i));

      g_array_append_val (ids, id);
    }
  *ret_text = g_strdup (json_string_value (json_object_get (root, "text")));
  json_decref (root);
  return ids;
}

static void
check_text (WwSet *set, const char *text, GArray *ids)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, text, TRUE, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (tokens->n, ==, ids->len);
  for (gsize i = 0; i < tokens->n; i++)
    g_assert_cmpuint (tokens->tokens[i].id, ==, g_array_index (ids, guint32, i));
}

/* All heads at once, each alone, their mean, and the same from the state that enters the block. */
static void
check_attention (WwSet *set, WwTokens *tokens, int layer, gsize heads, const double *truth, double tolerance)
{
  gsize count = tokens->n * tokens->n;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) all = ww_set_get_trained_attention (set, tokens, layer, WW_HEAD_ALL, &error);
  g_autoptr (WwMatrix) mean = ww_set_get_trained_attention (set, tokens, layer, WW_HEAD_MEAN, &error);
  g_autoptr (WwMatrix) state = ww_set_get_context (set, tokens, layer - 1, &error);
  g_autoptr (WwMatrix) again = ww_set_weigh_state (set, state, layer, WW_HEAD_ALL, NULL, &error);
  g_autofree double *true_mean = g_new0 (double, count);

  g_assert_no_error (error);
  g_assert_cmpuint (all->rows, ==, heads * tokens->n);
  g_assert_cmpuint (all->cols, ==, tokens->n);
  g_assert_cmpfloat (test_largest_difference (all->data, truth, heads * count), <, tolerance);
  g_assert_cmpmem (again->data, heads * count * sizeof (double), all->data, heads * count * sizeof (double));
  for (gsize head = 0; head < heads; head++)
    {
      g_autoptr (WwMatrix) one = ww_set_get_trained_attention (set, tokens, layer, (int) head, &error);

      g_assert_no_error (error);
      g_assert_cmpmem (one->data, count * sizeof (double), all->data + head * count, count * sizeof (double));
      for (gsize i = 0; i < count; i++)
        true_mean[i] += truth[head * count + i] / (double) heads;
    }
  g_assert_cmpfloat (test_largest_difference (mean->data, true_mean, count), <, tolerance);
}

/* One row moves after another, there and back: each time the weights are those of the whole state, and nothing
 * stays behind. */
static void
check_weigher (WwSet *set, WwTokens *tokens, int layer)
{
  static const double steps[] = { 0.3, 0, -1, 0.3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) state = ww_set_get_context (set, tokens, layer - 1, &error);
  g_autoptr (WwMatrix) before = ww_set_weigh_state (set, state, layer, WW_HEAD_ALL, NULL, &error);
  g_autoptr (WwWeigher) weigher = ww_set_new_weigher (set, state, layer, &error);
  gsize d = state->cols, count = before->rows * before->cols;

  g_assert_no_error (error);
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (steps); i++)
    {
      gsize row = i < G_N_ELEMENTS (steps) ? 0 : tokens->n - 1;
      double step = steps[i % G_N_ELEMENTS (steps)];
      g_autoptr (WwMatrix) moved = ww_matrix_new_copy (state->rows, d, state->data, NULL);
      g_autoptr (WwMatrix) whole = NULL, quick = NULL, mean = NULL, whole_mean = NULL;

      for (gsize c = 0; c < d; c++)
        moved->data[row * d + c] += step * (c % 3 == 0 ? 1 : -0.5);
      whole = ww_set_weigh_state (set, moved, layer, WW_HEAD_ALL, NULL, &error);
      whole_mean = ww_set_weigh_state (set, moved, layer, WW_HEAD_MEAN, NULL, &error);
      quick = ww_weigher_weigh (weigher, row, moved->data + row * d, WW_HEAD_ALL, NULL, &error);
      mean = ww_weigher_weigh (weigher, row, moved->data + row * d, WW_HEAD_MEAN, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (quick->rows, ==, whole->rows);
      /* One row and all rows take other products of BLAS: their scores, of size 20 or so, round apart by some
       * units of single precision, on each processor differently. */
      g_assert_cmpfloat (test_largest_difference (quick->data, whole->data, count), <=, 1e-5);
      g_assert_cmpfloat (test_largest_difference (mean->data, whole_mean->data, mean->rows * mean->cols), <=,
                         1e-5);
      if (step == 0)
        g_assert_cmpmem (quick->data, count * sizeof (double), before->data, count * sizeof (double));
      else
        g_assert_cmpfloat (test_largest_difference (quick->data, before->data, count), >, 0);
    }
}

/* A move that overflows is an error, and the next one is as if it had never been. */
static void
check_weigher_errors (WwSet *set, WwTokens *tokens)
{
  g_autoptr (WwMatrix) state = ww_set_get_context (set, tokens, 0, NULL);
  g_autoptr (WwWeigher) weigher = ww_set_new_weigher (set, state, 1, NULL);
  g_autoptr (WwMatrix) narrow = ww_matrix_head (state, state->rows, state->cols - 1, NULL);
  g_autoptr (WwMatrix) before = ww_set_weigh_state (set, state, 1, WW_HEAD_MEAN, NULL, NULL);
  g_autoptr (WwMatrix) moved = ww_matrix_new_copy (state->rows, state->cols, state->data, NULL);
  g_autoptr (WwMatrix) after = NULL, whole = NULL, quick = NULL;
  g_autofree double *huge = g_new (double, state->cols);
  g_autoptr (GError) error = NULL;
  WwCancel cancel = { TRUE };

  for (gsize c = 0; c < state->cols; c++)
    huge[c] = c % 2 == 0 ? 3e38 : -3e38;
  g_assert_null (ww_weigher_weigh (weigher, 1, state->data + state->cols, WW_HEAD_MEAN, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  memcpy (moved->data + state->cols, huge, state->cols * sizeof (double));
  whole = ww_set_weigh_state (set, moved, 1, WW_HEAD_MEAN, NULL, NULL); /* LayerNorm in front takes anything */
  quick = ww_weigher_weigh (weigher, 1, huge, WW_HEAD_MEAN, NULL, &error);
  g_assert_true ((whole == NULL) == (quick == NULL));
  g_assert_true (quick != NULL || g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_NON_FINITE));
  g_clear_error (&error);
  after = ww_weigher_weigh (weigher, 1, state->data + state->cols, WW_HEAD_MEAN, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (after->data, after->rows * after->cols * sizeof (double), before->data,
                   before->rows * before->cols * sizeof (double));
  g_assert_null (ww_set_new_weigher (set, narrow, 1, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ww_set_new_weigher (set, state, 99, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
}

/* Every state and every weight. `hidden`: (L + 1) x n x d, `attention`: L x H x n x n. */
static void
check_layers (WwSet *set, WwTokens *tokens, const double *hidden, const WwNpyHeader *hidden_header,
              const double *attention, const WwNpyHeader *attention_header, double tolerance)
{
  gsize block = hidden_header->shape[1] * hidden_header->shape[2];
  gsize heads = attention_header->shape[1];
  g_autoptr (GArray) layers = ww_set_get_layers (set);

  g_assert_cmpuint (hidden_header->shape[1], ==, tokens->n);
  g_assert_cmpuint (layers->len, ==, hidden_header->shape[0] + 1);
  g_assert_cmpuint (ww_set_get_attention_layers (set), ==, attention_header->shape[0]);
  g_assert_cmpuint (ww_set_get_attention_heads (set), ==, heads);
  for (gsize layer = 0; layer < hidden_header->shape[0]; layer++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) state = ww_set_get_context (set, tokens, (int) layer, &error);
      double found;

      g_assert_no_error (error);
      g_assert_cmpuint (state->rows * state->cols, ==, block);
      found = test_largest_difference (state->data, hidden + layer * block, block);
      g_test_message ("layer %" G_GSIZE_FORMAT " differs by %.2g", layer, found);
      g_assert_cmpfloat (found, <, layer == 0 ? 2e-6 : tolerance);
      if (layer == 0)
        continue;
      check_attention (set, tokens, (int) layer, heads,
                       attention + (layer - 1) * heads * tokens->n * tokens->n, tolerance);
      check_weigher (set, tokens, (int) layer);
    }
  check_weigher_errors (set, tokens);
}

static const struct
{
  const char *folder, *format, *tokeniser, *first;
} small_models[] = {
  { "bert-plain", "BERT checkpoint", "WordPiece, lower-casing", "[CLS]" },
  { "bert-prefixed-gamma-beta", "BERT checkpoint", "WordPiece, lower-casing", "[CLS]" },
  { "bert-sharded", "BERT checkpoint", "WordPiece, lower-casing", "[CLS]" },
  { "sentence-transformers", "BERT checkpoint", "WordPiece, lower-casing", "[CLS]" },
  { "distilbert", "DistilBERT checkpoint", "WordPiece, lower-casing", "[CLS]" },
  { "roberta", "RoBERTa checkpoint", "byte-level BPE", "<s>" },
  { "gpt2", "GPT-2 checkpoint", "byte-level BPE", "I" },
};

static const char *
find_pair (char **pairs, const char *name)
{
  for (gsize i = 0; pairs[i] != NULL; i += 2)
    if (g_str_equal (pairs[i], name))
      return pairs[i + 1];

  return NULL;
}

static void
test_small_model (gconstpointer data)
{
  gsize index = GPOINTER_TO_SIZE (data);
  const char *folder = small_models[index].folder;
  g_autofree char *path = g_build_filename ("checkpoints", folder, NULL);
  g_autoptr (GFile) file = test_data_file (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = ww_set_open (file, NULL, NULL, NULL, &error);
  g_autofree char *text = NULL;
  g_autoptr (GArray) ids = load_ids (folder, &text);
  g_autoptr (WwTokens) tokens = NULL;
  g_auto (GStrv) pairs = NULL;
  WwNpyHeader hidden_header, attention_header;
  g_autofree double *hidden = load_values (folder, "hidden.npy", &hidden_header);
  g_autofree double *attention = load_values (folder, "attention.npy", &attention_header);

  g_assert_no_error (error);
  g_assert_cmpstr (ww_set_get_name (set), ==, folder);
  g_assert_cmpstr (ww_set_get_format (set), ==, small_models[index].format);
  pairs = ww_set_describe (set);
  g_assert_cmpstr (find_pair (pairs, "Tokeniser"), ==, small_models[index].tokeniser);
  g_assert_cmpstr (find_pair (pairs, "Layers"), ==, "word, 0 to 2");
  g_assert_cmpstr (find_pair (pairs, "Trained attention"), ==, "blocks 1 to 2, 4 heads");
  g_assert_null (find_pair (pairs, "Lacking"));

  tokens = ww_set_tokens_from_ids (set, (const guint32 *) (gpointer) ids->data, ids->len, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (tokens->tokens[0].text, ==, small_models[index].first);
  g_assert_cmpint (tokens->tokens[0].special, ==, strlen (small_models[index].first) > 1);
  if (text != NULL)
    check_text (set, text, ids);
  check_layers (set, tokens, hidden, &hidden_header, attention, &attention_header, 2e-5);
}

/* The flag is looked at, and nothing is left behind. */
static void
test_cancelled (void)
{
  g_autoptr (GFile) file = test_data_file ("checkpoints/gpt2");
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = ww_set_open (file, NULL, NULL, NULL, &error);
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "the duck", TRUE, &error);
  WwCancel cancel = { 0 };

  g_assert_no_error (error);
  ww_cancel_set (&cancel, TRUE);
  g_assert_null (ww_set_get_context_cancellable (set, tokens, 2, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (ww_set_get_trained_attention_cancellable (set, tokens, 1, 0, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
}

/* The whole checkpoint that the sample is cut from. */
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
      WwNpyHeader hidden_header, attention_header;
      g_autofree double *hidden = test_load_array (hidden_file, &hidden_header);
      g_autofree double *attention = test_load_array (attention_file, &attention_header);
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, sentences[i].text, TRUE, &error);

      g_assert_no_error (error);
      check_layers (set, tokens, hidden, &hidden_header, attention, &attention_header, 1e-5);
    }
}

/* A file chooser gives files: any of these leads to the same set. */
static void
test_member_files (void)
{
  static const char *const members[] = { "bert-plain/model.safetensors", "bert-plain/config.json", "bert-plain/vocab.txt",
                                         "bert-sharded/model.safetensors.index.json",
                                         "gpt2/merges.txt", "roberta/vocab.json" };

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
  for (gsize i = 0; i < G_N_ELEMENTS (small_models); i++)
    {
      g_autofree char *name = g_strconcat ("/checkpoint/", small_models[i].folder, NULL);

      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_small_model);
    }
  g_test_add_func ("/checkpoint/cancelled", test_cancelled);
  g_test_add_func ("/checkpoint/full", test_full_checkpoint);
  g_test_add_func ("/checkpoint/member-files", test_member_files);
  return g_test_run ();
}

/* How long a person waits for a checkpoint: its first rows, a forward pass and giving it up, a long text cut into
 * tokens.
 * The checkpoints are made here, with random weights; where the vocabularies of the large models are at
 * hand, the tokenisers are timed with them, else with the small ones. */
#include "bench-util.h"
#include "test-util.h"
#include "ww-core.h"
#include "ww-tokeniser.h"

#define RUNS 15

typedef struct
{
  const char *name;
  gsize hidden, heads, inner, blocks, vocabulary, positions, tokens;
  int layer;
  double target; /* milliseconds */
} Case;

static const Case cases[] = {
  { "layer 0, 512 tokens, d = 768", 768, 12, 3072, 1, 30522, 512, 512, 0, 20 },
  { "6 layers, 256 tokens, d = 384", 384, 12, 1536, 6, 30522, 512, 256, 6, 150 },
  { "12 layers, 128 tokens, d = 768", 768, 12, 3072, 12, 30522, 512, 128, 12, 0 },
};

typedef struct
{
  GString *header;
  GArray *values; /* float */
  GRand *random;
} Writer;

static void
add_tensor (Writer *writer, const char *name, gsize rows, gsize cols)
{
  gsize begin = writer->values->len * sizeof (float), count = rows * MAX (cols, 1);

  for (gsize i = 0; i < count; i++)
    {
      float value = (float) (cols == 0 ? 1 : g_rand_double_range (writer->random, -0.06, 0.06));

      g_array_append_val (writer->values, value);
    }
  g_string_append_printf (writer->header, "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%" G_GSIZE_FORMAT,
                          writer->header->len > 1 ? "," : "", name, rows);
  if (cols > 0)
    g_string_append_printf (writer->header, ",%" G_GSIZE_FORMAT, cols);
  g_string_append_printf (writer->header, "],\"data_offsets\":[%" G_GSIZE_FORMAT ",%" G_GSIZE_FORMAT "]}", begin,
                          begin + count * sizeof (float));
}

static void
add_block (Writer *writer, const Case *shape, gsize block)
{
  const struct
  {
    const char *name;
    gsize rows, cols;
  } parts[] = {
    { "attention.self.query", shape->hidden, shape->hidden }, { "attention.self.key", shape->hidden, shape->hidden },
    { "attention.self.value", shape->hidden, shape->hidden },
    { "attention.output.dense", shape->hidden, shape->hidden }, { "attention.output.LayerNorm", shape->hidden, 0 },
    { "intermediate.dense", shape->inner, shape->hidden }, { "output.dense", shape->hidden, shape->inner },
    { "output.LayerNorm", shape->hidden, 0 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *weight = g_strdup_printf ("encoder.layer.%" G_GSIZE_FORMAT ".%s.weight", block, parts[i].name);
      g_autofree char *bias = g_strdup_printf ("encoder.layer.%" G_GSIZE_FORMAT ".%s.bias", block, parts[i].name);

      add_tensor (writer, weight, parts[i].rows, parts[i].cols);
      add_tensor (writer, bias, parts[i].rows, 0);
    }
}

static void
write_tensors (const char *folder, const Case *shape)
{
  Writer writer = { g_string_new ("{"), g_array_new (FALSE, FALSE, sizeof (float)), g_rand_new_with_seed (1) };
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_autoptr (GString) content = g_string_new (NULL);
  guint64 length;

  add_tensor (&writer, "embeddings.word_embeddings.weight", shape->vocabulary, shape->hidden);
  add_tensor (&writer, "embeddings.position_embeddings.weight", shape->positions, shape->hidden);
  add_tensor (&writer, "embeddings.token_type_embeddings.weight", 2, shape->hidden);
  add_tensor (&writer, "embeddings.LayerNorm.weight", shape->hidden, 0);
  add_tensor (&writer, "embeddings.LayerNorm.bias", shape->hidden, 0);
  for (gsize b = 0; b < shape->blocks; b++)
    add_block (&writer, shape, b);
  g_string_append_c (writer.header, '}');

  length = GUINT64_TO_LE (writer.header->len);
  g_string_append_len (content, (const char *) &length, sizeof length);
  g_string_append_len (content, writer.header->str, (gssize) writer.header->len);
  g_string_append_len (content, writer.values->data, (gssize) (writer.values->len * sizeof (float)));
  test_write_file (path, content->str, content->len);
  g_string_free (writer.header, TRUE);
  g_array_unref (writer.values);
  g_rand_free (writer.random);
}

static void
write_folder (const char *folder, const Case *shape)
{
  g_autofree char *config = g_strdup_printf (
    "{\"model_type\":\"bert\",\"hidden_size\":%" G_GSIZE_FORMAT ",\"num_attention_heads\":%" G_GSIZE_FORMAT
    ",\"num_hidden_layers\":%" G_GSIZE_FORMAT ",\"intermediate_size\":%" G_GSIZE_FORMAT
    ",\"vocab_size\":%" G_GSIZE_FORMAT ",\"max_position_embeddings\":%" G_GSIZE_FORMAT "}",
    shape->hidden, shape->heads, shape->blocks, shape->inner, shape->vocabulary, shape->positions);
  g_autofree char *config_path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *vocab_path = g_build_filename (folder, "vocab.txt", NULL);
  g_autoptr (GString) vocab = g_string_new ("[UNK]\n");

  for (gsize i = 1; i < shape->vocabulary; i++)
    g_string_append_printf (vocab, "w%" G_GSIZE_FORMAT "\n", i);
  test_write_file (config_path, config, strlen (config));
  test_write_file (vocab_path, vocab->str, vocab->len);
  write_tensors (folder, shape);
}

static void
time_case (const char *folder, const Case *shape)
{
  g_autofree guint32 *ids = g_new (guint32, shape->tokens);
  BenchTime best = { G_MAXDOUBLE, G_MAXDOUBLE };

  write_folder (folder, shape);
  for (gsize j = 0; j < shape->tokens; j++)
    ids[j] = (guint32) (1 + j * 7919 % (shape->vocabulary - 1));

  for (int run = 0; run < RUNS; run++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = ww_set_open_argument (folder, NULL, &error);
      g_autoptr (WwTokens) tokens = set != NULL ? ww_set_tokens_from_ids (set, ids, shape->tokens, &error) : NULL;
      BenchTime start = bench_now ();
      g_autoptr (WwMatrix) state = tokens != NULL ? ww_set_get_context (set, tokens, shape->layer, &error) : NULL;

      best = bench_best (best, bench_since (start));
      g_assert_no_error (error);
      g_assert_nonnull (state);
    }
  bench_print_time (shape->name, best, shape->target);
}

typedef struct
{
  WwCancel cancel;
  gint64 asked;
} Giving;

static gpointer
give_up (gpointer data)
{
  Giving *giving = data;

  g_usleep (30000);
  giving->asked = g_get_monotonic_time ();
  ww_cancel_set (&giving->cancel, TRUE);
  return NULL;
}

/* Of the last of the cases, which takes the longest: asked for while it runs. */
static void
time_giving_up (const char *folder, const Case *shape)
{
  g_autofree guint32 *ids = g_new0 (guint32, shape->tokens);
  BenchTime best = { G_MAXDOUBLE, G_MAXDOUBLE };

  for (int run = 0; run < RUNS; run++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = ww_set_open_argument (folder, NULL, &error);
      g_autoptr (WwTokens) tokens = ww_set_tokens_from_ids (set, ids, shape->tokens, &error);
      Giving giving = { 0 };
      GThread *thread = g_thread_new ("giving up", give_up, &giving);
      g_autoptr (WwMatrix) state = ww_set_get_context_cancellable (set, tokens, shape->layer, &giving.cancel, &error);
      gint64 end = g_get_monotonic_time ();

      g_thread_join (thread);
      g_assert_null (state);
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
      best.wall = MIN (best.wall, (double) (end - giving.asked) / G_USEC_PER_SEC);
    }
  best.processor = best.wall;
  bench_print_time ("giving up the pass of 12 layers", best, 50);
}

static void
time_tokeniser (const char *what, const char *large, const char *small, WwFamily family, double target)
{
  g_autofree char *path = g_file_test (large, G_FILE_TEST_EXISTS)
                            ? g_strdup (large)
                            : g_build_filename (WW_TEST_DATA_DIR, small, NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  BenchTime start = bench_now (), opened, best = { G_MAXDOUBLE, G_MAXDOUBLE };
  g_autoptr (WwTokeniser) tokeniser = ww_tokeniser_open (folder, family, &error);
  g_autoptr (GString) text = g_string_new (NULL);
  gsize n_examples, n_tokens = 0;
  const WwExampleText *examples = ww_example_texts_get (&n_examples);

  opened = bench_since (start);
  g_assert_no_error (error);
  for (gsize i = 0; text->len < 1000000; i++)
    g_string_append_printf (text, "%s ", examples[i % n_examples].text);
  for (int run = 0; run < 5; run++)
    {
      BenchTime before = bench_now ();
      g_autoptr (WwTokens) tokens = ww_tokeniser_tokenise (tokeniser, text->str, TRUE);

      best = bench_best (best, bench_since (before));
      n_tokens = tokens->n;
    }
  bench_print_speed (what, (double) text->len / 1e6, best, target);
  g_print ("  opened in %.1f ms; %.1f million tokens a second\n", 1e3 * opened.processor,
           (double) n_tokens / best.processor / 1e6);
}

int
main (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-bench-XXXXXX", NULL);
  static const char *const members[] = { "config.json", "vocab.txt", "model.safetensors" };

  ww_core_init ();
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    time_case (folder, &cases[i]);
  time_giving_up (folder, &cases[G_N_ELEMENTS (cases) - 1]);
  time_tokeniser ("WordPiece, 1 MB of English", WW_REFERENCE_DIR "/data/minilm", "../data/sample", WW_FAMILY_BERT, 20);
  time_tokeniser ("byte-level BPE, 1 MB of English", WW_REFERENCE_DIR "/data/gpt2-bpe",
                  "data/embeddings/checkpoints/gpt2", WW_FAMILY_GPT2, 10);

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (folder, members[i], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  return 0;
}

/* Every file of tests/data/embeddings, one line each: what must come out, or which error with which
 * words in its message. The good ones hold the table of truth.json. */
#include <float.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <glib/gstdio.h>
#include <jansson.h>
#include <unistd.h>

#include "test-util.h"
#include "ww-npy.h"

typedef enum
{
  EXACT,  /* the float32 values of truth.json */
  SHORT,  /* what "%.6g" leaves of them, read back as float32 */
  HALF,   /* the same to the precision of a float16 */
  BRAIN,  /* the same to the precision of a bfloat16 */
  BESIDE, /* the values of STEM.truth.npy */
  OTHER,  /* other values: only the shape is compared */
} Truth;

typedef struct
{
  const char *file;
  int code;         /* of WW_SET_ERROR; -1: it opens */
  const char *says; /* part of the error message, or of the warning ("": there is none) */
  WwSetKind kind;
  gsize rows, dims;
  Truth truth;
  gsize skip; /* entries of truth.json whose word is another one here */
} Case;

#define OPENS -1
#define WORDS WW_SET_KIND_WORDS
#define CONTEXT WW_SET_KIND_CONTEXT
#define E(name) WW_SET_ERROR_##name

static const Case cases[] = {
  /* GloVe and word2vec text. */
  { "glove.txt", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove-bom.txt", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove-crlf.txt", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove-no-final-newline.txt", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove-tabs.txt", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove-nbsp-nel.txt", OPENS, "", WORDS, 12, 8, SHORT, 3 },
  { "glove-numbers-as-words.txt", OPENS, "All words are whole numbers", WORDS, 12, 8, SHORT, 12 },
  { "glove-spaces-in-word.txt", OPENS, "", WORDS, 12, 8, SHORT, 2 },
  { "glove-invalid-utf8.txt", OPENS, "1 word is not in UTF-8 (line 1)", WORDS, 12, 8, SHORT, 1 },
  { "glove-duplicate.txt", OPENS, "1 duplicate word (\"smile\" on line 13)", WORDS, 12, 8, SHORT, 0 },
  { "glove-truncated.txt", OPENS, "Line 12 is cut off", WORDS, 11, 8, SHORT, 0 },
  { "word2vec-header.txt", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "gensim.txt", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "fasttext.vec", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  /* A count that lies: the words that are there can be used, and the person is told. */
  { "bad-header-count.txt", OPENS, "announces 17 words, the file has 12", WORDS, 12, 8, SHORT, 0 },
  { "bad-comma-decimals.txt", E (NUMBER), "line 1, column 5: \"-0,333191\"" },
  { "bad-inf.txt", E (NON_FINITE), "line 5, column 24: \"1e999\"" },
  { "bad-nan.txt", E (NON_FINITE), "line 5, column 24: \"nan\"" },
  { "bad-ragged.txt", E (SHAPE), "line 7: 7 fields; a word and 8 numbers" },
  /* The same, packed. */
  { "glove.txt.gz", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove.txt.bz2", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove.txt.xz", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove.txt.zst", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove-two-members.txt.gz", OPENS, "", WORDS, 12, 8, SHORT, 0 },
  { "glove-two-members.zip", E (AMBIGUOUS), "2 to choose from, and none is surely the one meant: \"tiny.4d.txt\" (476 bytes), \"tiny.8d.txt\"" },
  /* NumPy arrays. */
  { "table-f4.npy", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "table-f8.npy", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "table-v2.npy", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "table-v3.npy", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "table-f4-fortran.npy", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "table-f4-big-endian.npy", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "table-f2.npy", OPENS, "", CONTEXT, 12, 8, OTHER, 0 },
  { "table-i4.npy", OPENS, "", CONTEXT, 12, 8, OTHER, 0 },
  { "embd-f32.truth.npy", OPENS, "", CONTEXT, 12, 32, OTHER, 0 },
  { "embd-f16.truth.npy", OPENS, "", CONTEXT, 12, 32, OTHER, 0 },
  { "embd-bf16.truth.npy", OPENS, "", CONTEXT, 12, 32, OTHER, 0 },
  { "embd-q8_0.truth.npy", OPENS, "", CONTEXT, 12, 32, OTHER, 0 },
  { "vector-1d.npy", OPENS, "one axis only", CONTEXT, 1, 8, OTHER, 0 },
  { "context-3d.npy", E (AMBIGUOUS), "2 x 6 x 8, which is 2 contexts. Choose one, from 1 on" },
  { "words-unicode.npy", E (REFUSED), "text (type '<U12')" },
  { "bad-nan.npy", E (NON_FINITE), "row 4, column 2" },
  { "bad-zero-rows.npy", E (EMPTY), "0 x 8" },
  { "refuse-0d.npy", E (SHAPE), "0 axes" },
  { "refuse-bool.npy", E (REFUSED), "bool" },
  { "refuse-complex.npy", E (REFUSED), "complex" },
  { "refuse-object.npy", E (REFUSED), "allow_pickle=True" },
  { "refuse-structured.npy", E (REFUSED), "structured" },
  { "refuse-object.npz", E (REFUSED), "allow_pickle=True" },
  { "table-stored.npz", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "table-deflated.npz", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "table-zip64.npz", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "contexts-masked.npz", E (AMBIGUOUS), "which is 2 contexts. Choose one, from X:1 on" },
  /* Tensor files by themselves. */
  { "f64.safetensors", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "f32.safetensors", OPENS, "", CONTEXT, 12, 8, EXACT, 0 },
  { "f16.safetensors", OPENS, "", CONTEXT, 12, 8, HALF, 0 },
  { "bf16.safetensors", OPENS, "", CONTEXT, 12, 8, BRAIN, 0 },
  { "refuse-i8.safetensors", E (REFUSED), "values of type I8; F64, F32, F16 and BF16 are read" },
  { "bad-empty.safetensors", E (EMPTY), "empty" },
  { "bad-short.safetensors", E (TRUNCATED), "3 bytes" },
  { "bad-header-length.safetensors", E (TOO_LARGE), "byte 0" },
  { "bad-json.safetensors", E (MALFORMED), "byte 65: no valid JSON" },
  { "bad-duplicate-key.safetensors", E (MALFORMED), "byte 70: no valid JSON: duplicate" },
  { "bad-gap.safetensors", E (MALFORMED), "begins at byte 79 of the file, behind a gap" },
  { "bad-overlap.safetensors", E (MALFORMED), "begins at byte 146 of the file, inside the tensor before" },
  { "bad-negative.safetensors", E (MALFORMED), "none of them negative" },
  { "bad-overflow-shape.safetensors", E (TOO_LARGE), "beyond any memory" },
  { "bad-past-end.safetensors", E (TRUNCATED), "ends at byte 768 of the values; the file has 384" },
  { "bad-size.safetensors", E (SHAPE), "need" },
  /* Kinds that are known, but not read. */
  { "gensim.bin", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "gensim.bin.gz", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "word2vec-original-newlines.bin", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "embd-f32.gguf", OPENS, "no token for what is unknown", WORDS, 12, 32, BESIDE, 0 },
  { "embd-f16.gguf", OPENS, "no token for what is unknown", WORDS, 12, 32, BESIDE, 0 },
  { "embd-bf16.gguf", OPENS, "no token for what is unknown", WORDS, 12, 32, BESIDE, 0 },
  { "embd-q8_0.gguf", OPENS, "no token for what is unknown", WORDS, 12, 32, BESIDE, 0 },
  { "refuse-dict.pkl", E (REFUSED), "pickle" },
  { "refuse-gensim.kv", E (REFUSED), "gensim" },
  { "refuse-table.h5", E (REFUSED), "h5py" },
  { "refuse-table.parquet", E (REFUSED), "read_parquet" },
  { "refuse-torch.pt", E (REFUSED), "torch.load" },
  { "projector-tensors.tsv", E (AMBIGUOUS), "projector-metadata-one-column.tsv, projector-metadata-two-columns.tsv" },
  { "projector.bytes", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "projector_config.json", OPENS, "", WORDS, 12, 8, EXACT, 0 },
  { "projector-metadata-one-column.tsv", E (UNKNOWN), "Line 1 is" },
  { "projector-metadata-two-columns.tsv", E (UNKNOWN), "Line 1 is" },
  { "table-f4.words.txt", E (UNKNOWN), "Line 1 is" },
  { "table-f4.words.json", E (UNKNOWN), "Line 1 is" },
  { "truth.json", E (UNKNOWN), "Line 1 is" },
};

static json_t *truth;

static WwSet *
open_file (const char *name, GError **error)
{
  g_autoptr (GFile) file = test_data_file (name);

  return ww_set_open (file, NULL, NULL, NULL, error);
}

static WwMatrix *
get_all_rows (WwSet *set)
{
  gsize n = ww_set_get_n_entries (set);
  g_autofree guint32 *ids = g_new (guint32, n);
  g_autoptr (WwTokens) tokens = NULL;
  g_autoptr (GError) error = NULL;
  WwMatrix *rows;

  for (gsize i = 0; i < n; i++)
    ids[i] = (guint32) i;
  tokens = ww_set_tokens_from_ids (set, ids, n, &error);
  g_assert_no_error (error);
  rows = ww_set_get_context (set, tokens, ww_set_get_default_layer (set), &error);
  g_assert_no_error (error);
  return rows;
}

/* The rounded values lie at most half a unit of the last place away. */
static double
get_tolerance (Truth kind, double value)
{
  if (kind == HALF)
    return fabs (value) / 2048 + 1e-7;

  return kind == BRAIN ? fabs (value) / 256 : 0;
}

static void
check_against_truth (const WwMatrix *rows, Truth kind)
{
  json_t *all = json_object_get (truth, kind == SHORT ? "vectors_text_6g" : "vectors_float32");

  for (gsize r = 0; r < rows->rows; r++)
    for (gsize c = 0; c < rows->cols; c++)
      {
        double value = json_number_value (json_array_get (json_array_get (all, r), c));

        g_assert_cmpfloat_with_epsilon (rows->data[r * rows->cols + c], value,
                                        get_tolerance (kind, value) + DBL_MIN);
      }
}

static void
check_against_array (const WwMatrix *rows, const char *name)
{
  g_autofree char *stem = g_strndup (name, strcspn (name, "."));
  g_autofree char *array = g_strconcat (stem, ".truth.npy", NULL);
  g_autoptr (GFile) file = test_data_file (array);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) expected = ww_npy_load (file, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (rows->rows, ==, expected->rows);
  g_assert_cmpuint (rows->cols, ==, expected->cols);
  g_assert_cmpfloat (test_largest_difference (rows->data, expected->data, rows->rows * rows->cols), ==, 0);
}

static void
check_values (WwSet *set, const Case *expected)
{
  g_autoptr (WwMatrix) rows = get_all_rows (set);

  g_assert_cmpuint (rows->rows, ==, expected->rows);
  g_assert_cmpuint (rows->cols, ==, expected->dims);
  if (expected->truth == BESIDE)
    check_against_array (rows, expected->file);
  else if (expected->truth != OTHER)
    check_against_truth (rows, expected->truth);
}

/* Every word of the truth is found again, by its own row. */
static void
check_words (WwSet *set, const Case *expected)
{
  json_t *words = json_object_get (truth, "words");

  for (gsize i = expected->skip; i < expected->rows; i++)
    {
      const char *word = json_string_value (json_array_get (words, i));
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, word, TRUE, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (tokens->n, ==, 1);
      g_assert_cmpstr (tokens->tokens[0].text, ==, word);
      g_assert_cmpuint (tokens->tokens[0].id, ==, i);
    }
}

static void
test_case (gconstpointer data)
{
  const Case *expected = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = open_file (expected->file, &error);
  const char *warnings;

  if (expected->code != OPENS)
    {
      g_assert_null (set);
      g_assert_error (error, WW_SET_ERROR, expected->code);
      test_assert_says (error, expected->file, expected->says);
      test_assert_says (error, expected->file, expected->file);
      test_assert_position (error, expected->file, expected->says);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return;
    }

  g_assert_no_error (error);
  warnings = ww_set_get_warnings (set);
  if (*expected->says == '\0')
    g_assert_cmpstr (warnings, ==, NULL);
  else if (warnings == NULL || strstr (warnings, expected->says) == NULL)
    g_error ("\"%s\" is missing in the warnings: %s", expected->says, warnings);
  g_assert_cmpint (ww_set_get_kind (set), ==, expected->kind);
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, expected->rows);
  g_assert_cmpuint (ww_set_get_dims (set), ==, expected->dims);
  check_values (set, expected);
  if (expected->kind == WORDS)
    check_words (set, expected);
}

/* A file that is added without a line above is a test that is missing. */
static void
test_complete (void)
{
  g_autofree char *folder = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      gboolean listed = g_file_test (path, G_FILE_TEST_IS_DIR);

      for (gsize i = 0; i < G_N_ELEMENTS (cases) && !listed; i++)
        listed = g_str_equal (cases[i].file, name);
      if (!listed)
        g_error ("%s is in no line of the list", name);
    }
}

/* Words with traps in them, by their exact bytes. */
static void
test_odd_words (void)
{
  static const struct
  {
    const char *file;
    guint32 id;
    const char *word;
  } odd[] = {
    { "glove-nbsp-nel.txt", 0, "a\u00a0b" },
    { "glove-nbsp-nel.txt", 1, "c\302\205d" },
    { "glove-nbsp-nel.txt", 2, "\u2028" },
    { "glove-spaces-in-word.txt", 0, ". . ." },
    { "glove-spaces-in-word.txt", 1, "at name@domain.com" },
    { "glove-numbers-as-words.txt", 10, "10" },
    { "glove-invalid-utf8.txt", 0, "caf\ufffd" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = open_file (odd[i].file, &error);
      g_autoptr (WwTokens) tokens = NULL;

      g_assert_no_error (error);
      tokens = ww_set_tokens_from_ids (set, &odd[i].id, 1, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (tokens->tokens[0].text, ==, odd[i].word);
    }
}

/* Neither pipes nor devices nor folders are waited for. */
static void
test_no_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-files-XXXXXX", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo", NULL);
  const struct
  {
    const char *path;
    WwSetError code;
    const char *says;
  } odd[] = {
    { fifo, E (NOT_A_FILE), "named pipe" },
    { "/dev/zero", E (NOT_A_FILE), "device" },
    { folder, E (NOT_A_FILE), "config.json" },
    { "/no/such/file", E (NOT_FOUND), "/no/such/file" },
    { "", E (NOT_FOUND), "empty" },
  };

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ww_set_open_argument (odd[i].path, NULL, &error));
      g_assert_error (error, WW_SET_ERROR, (int) odd[i].code);
      test_assert_says (error, odd[i].path, odd[i].says);
    }
  g_unlink (fifo);
  g_rmdir (folder);
}

static void
test_argument (void)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "glove.txt", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) unset = ww_set_open_argument (NULL, NULL, &error);
  g_autoptr (WwSet) sample = ww_set_open_argument (ww_set_get_builtin_names ()[0], NULL, &error);
  g_autoptr (WwSet) file = ww_set_open_argument (path, NULL, &error);
  g_autofree char *bytes = NULL, *digest = NULL;
  gsize length;

  g_assert_no_error (error);
  g_assert_cmpstr (ww_set_get_sha256 (unset, NULL, &error), ==,
                   ww_set_get_sha256 (sample, NULL, &error));
  g_assert_cmpstr (ww_set_get_name (file), ==, "glove.txt");
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes, length);
  g_assert_cmpstr (ww_set_get_sha256 (file, NULL, &error), ==, digest);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GFile) file = test_data_file ("glove.txt");
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (ww_set_open (file, cancellable, NULL, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A list whose length is another: both counts are named. */
static void
test_word_list (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-files-XXXXXX", NULL);
  g_autofree char *array = g_build_filename (folder, "a.npy", NULL);
  static const struct
  {
    const char *ending, *content;
    int code;
    const char *says;
  } lists[] = {
    { ".txt", "x\ny\n", OPENS, "" },
    { ".txt", "x\r\ny", OPENS, "" },
    { ".txt", "x\nx\n", OPENS, "more than once" },
    { ".txt", "x\ny\nz\n", E (SHAPE), "2 rows, but the list of words a.txt has 3 words" },
    { ".txt", "x\n\ny\n", E (MALFORMED), "word 2 is empty" },
    { ".txt", "x\n\n", E (SHAPE), "2 rows, but the list of words a.txt has 1 word" },
    { ".txt", "\n", E (MALFORMED), "word 1 is empty" },
    { ".txt", "x\r\ny\r\n\r\n\n", OPENS, "" },
    { ".txt", "x\n\xff\n", E (MALFORMED), "word 2 is no UTF-8" },
    { ".tsv", "word\tcount\nx\t1\ny\t2\n", OPENS, "" },
    { ".tsv", "x\ny\n", OPENS, "" },
    { ".json", "[\"x\", \"y\"]", OPENS, "" },
    { ".json", "[\"x\", 2]", E (MALFORMED), "entry 2" },
    { ".json", "{\"y\": 1, \"x\": 0}", OPENS, "" },
    { ".json", "{\"model\": {\"vocab\": {\"y\": 1, \"x\": 0}}}", OPENS, "" },
    { ".json", "{\"x\": 0}", E (SHAPE), "has 1 word;" },
    { ".json", "{\"x\": 0, \"y\": 2}", E (MALFORMED), "\"y\" has no number of its own" },
    { ".json", "[\"x\",", E (MALFORMED), "line 1" },
    { ".words.txt", "x\ny\n", OPENS, "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      const double values[4] = { 1, 2, 3, 4 };
      g_autofree char *list = g_strdup_printf ("%s/a%s", folder, lists[i].ending);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) matrix = ww_matrix_new_copy (2, 2, values, NULL);
      g_autoptr (WwSet) set = NULL;
      g_autoptr (WwTokens) tokens = NULL;

      g_assert_true (ww_npy_save (array, matrix, NULL));
      g_assert_true (g_file_set_contents (list, lists[i].content, -1, NULL));
      set = ww_set_open_argument (array, NULL, &error);
      g_unlink (list);
      if (lists[i].code != OPENS)
        {
          g_assert_error (error, WW_SET_ERROR, lists[i].code);
          test_assert_says (error, lists[i].content, lists[i].says);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpint (ww_set_get_kind (set), ==, WORDS);
      tokens = ww_set_tokenise (set, "x", TRUE, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (tokens->tokens[0].id, ==, 0);
      if (*lists[i].says != '\0')
        g_assert_nonnull (strstr (ww_set_get_warnings (set), lists[i].says));
    }
  g_unlink (array);
  g_rmdir (folder);
}

typedef struct
{
  GCancellable *cancellable;
  double last;
  guint reports, stop_after; /* 0: never */
} Watch;

static void
watch (double fraction, gpointer data)
{
  Watch *seen = data;

  g_assert_cmpfloat (fraction, >=, seen->last);
  g_assert_cmpfloat (fraction, <=, 1);
  seen->last = fraction;
  if (++seen->reports == seen->stop_after)
    g_cancellable_cancel (seen->cancellable);
}

/* Long loads tell how far they are, and stop when they are told to. */
static void
test_progress (gconstpointer ending)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-files-XXXXXX", NULL);
  g_autofree char *path = g_strdup_printf ("%s/a.%s", folder, (const char *) ending);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Watch all = { cancellable }, some = { cancellable, 0, 0, 2 };
  g_autoptr (GString) content = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  if (g_str_equal (ending, "bin"))
    g_string_append (content, "100000 4\n");
  for (int i = 0; i < 100000; i++)
    if (g_str_equal (ending, "bin"))
      {
        g_string_append_printf (content, "w%d ", i);
        g_string_append_len (content, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
      }
    else
      g_string_append_printf (content, "w%d 0.125 -0.25 0.5 1 2 3 4 5\n", i);
  test_write_file (path, content->str, content->len);

  set = ww_set_open (file, cancellable, watch, &all, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (all.reports, >, 2);
  g_assert_cmpfloat (all.last, >, 0.5);
  g_assert_null (ww_set_open (file, cancellable, watch, &some, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (some.reports, ==, 2);
  g_unlink (path);
  g_rmdir (folder);
}

static gpointer
open_table (gpointer data)
{
  g_autoptr (GFile) file = test_data_file ("glove.txt");

  for (int i = 0; i < 20; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = ww_set_open (file, NULL, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (ww_set_get_n_entries (set), ==, 12);
    }

  return NULL;
}

static void
test_many_openers (void)
{
  GThread *threads[3];

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("opener", open_table, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "truth.json",
                                            NULL);

  g_test_init (&argc, &argv, NULL);
  truth = json_load_file (path, 0, NULL);
  g_assert_nonnull (truth);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("/files/", cases[i].file, NULL);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/files/complete", test_complete);
  g_test_add_func ("/files/odd-words", test_odd_words);
  g_test_add_func ("/files/no-files", test_no_files);
  g_test_add_func ("/files/argument", test_argument);
  g_test_add_func ("/files/cancelled", test_cancelled);
  g_test_add_func ("/files/word-list", test_word_list);
  g_test_add_data_func ("/files/progress/text", "txt", test_progress);
  g_test_add_data_func ("/files/progress/word2vec", "bin", test_progress);
  g_test_add_func ("/files/many-openers", test_many_openers);
  return g_test_run ();
}

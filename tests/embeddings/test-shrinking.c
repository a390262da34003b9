/* Files that become shorter while they are open, or while they are being read: an error in words each time, where a
 * mapping would end the program. And files that are not where they seem to be. */
#include <stdlib.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "test-util.h"
#include "ww-set-open.h"

typedef struct
{
  const char *files[4]; /* of tests/data/embeddings; the first is opened, and cut */
  const char *member;
  gboolean in_memory; /* all values are held: the set goes on as if nothing had happened */
} Case;

static const Case cases[] = {
  { { "table-f4.npy", "table-f4.words.txt" }, NULL, FALSE },
  { { "table-f8.npy" }, NULL, FALSE },
  { { "table-f2.npy" }, NULL, FALSE },
  { { "table-f4-big-endian.npy" }, NULL, FALSE },
  { { "table-f4-fortran.npy" }, NULL, FALSE },
  { { "context-3d.npy" }, "2", FALSE },
  { { "made/npy/texts-fortran.npy" }, "2", FALSE },
  { { "f64.safetensors" }, NULL, FALSE },
  { { "f32.safetensors" }, NULL, FALSE },
  { { "f16.safetensors" }, NULL, FALSE },
  { { "bf16.safetensors" }, NULL, FALSE },
  { { "made/safetensors/texts.safetensors" }, "2", FALSE },
  { { "made/safetensors/masked.safetensors" }, "X:2", FALSE },
  { { "gensim.bin" }, NULL, FALSE },
  { { "word2vec-original-newlines.bin" }, NULL, FALSE },
  { { "embd-f32.gguf" }, NULL, FALSE },
  { { "embd-f16.gguf" }, NULL, FALSE },
  { { "embd-bf16.gguf" }, NULL, FALSE },
  { { "embd-q8_0.gguf" }, NULL, FALSE },
  { { "projector.bytes", "projector_config.json", "projector-metadata-two-columns.tsv" }, NULL, FALSE },
  { { "made/npz/good.npz" }, NULL, FALSE },
  { { "made/npz/deflated.npz" }, NULL, TRUE },
  { { "contexts-masked.npz" }, "X:2", TRUE },
  { { "gensim.bin.gz" }, NULL, TRUE },
  { { "glove.txt" }, NULL, TRUE },
  { { "glove.txt.xz" }, NULL, TRUE },
  { { "projector-tensors.tsv", "projector-metadata-one-column.tsv" }, NULL, TRUE },
};

static char *
copy_file (const char *folder, const char *name)
{
  g_autofree char *from = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", name, NULL);
  g_autofree char *base = g_path_get_basename (name);
  g_autofree char *bytes = NULL;
  char *to = g_build_filename (folder, base, NULL);
  gsize length;

  g_assert_true (g_file_get_contents (from, &bytes, &length, NULL));
  test_write_file (to, bytes, length);
  return to;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
halve (const char *path)
{
  GStatBuf status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  g_assert_cmpint (truncate (path, status.st_size / 2), ==, 0);
}

static void
test_open (gconstpointer data)
{
  const Case *expected = data;
  g_autofree char *folder = g_dir_make_tmp ("wordsway-shrinking-XXXXXX", NULL), *path = NULL;
  const WwOpenOptions options = { expected->member };
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  g_autoptr (WwMatrix) before = NULL, after = NULL;
  guint32 last;

  for (gsize i = 0; i < G_N_ELEMENTS (expected->files) && expected->files[i] != NULL; i++)
    {
      g_autofree char *copy = copy_file (folder, expected->files[i]);

      if (i == 0)
        path = g_steal_pointer (&copy);
    }
  file = g_file_new_for_path (path);
  set = ww_set_open_full (file, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  last = (guint32) ww_set_get_n_entries (set) - 1;
  tokens = ww_set_tokens_from_ids (set, &last, 1, &error);
  before = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  g_assert_no_error (error);

  halve (path);
  after = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
  if (expected->in_memory)
    {
      g_assert_no_error (error);
      g_assert_cmpmem (after->data, after->cols * sizeof (double), before->data, before->cols * sizeof (double));
    }
  else
    {
      g_assert_null (after);
      g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_READ);
      test_assert_says (error, path, "changed meanwhile");
    }
  remove_folder (folder);
}

/* More than the readers take at once. */
#define MANY_WORDS 150000

static void
write_words (const char *path, const char *ending)
{
  g_autoptr (GString) content = g_string_new (NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  gboolean binary = strstr (ending, "bin") != NULL;

  if (binary)
    g_string_append_printf (content, "%d 4\n", MANY_WORDS);
  for (int i = 0; i < MANY_WORDS; i++)
    {
      const float row[4] = { (float) g_rand_double (random), (float) g_rand_double (random), 3, 4 };

      g_string_append_printf (content, "w%d ", i);
      if (binary)
        g_string_append_len (content, (const char *) row, sizeof row);
      else
        g_string_append_printf (content, "%.6g %.6g 3 4\n", (double) row[0], (double) row[1]);
    }
  if (g_str_has_suffix (ending, ".gz"))
    {
      g_autoptr (GConverter) packer = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 1));
      g_autofree char *packed = g_malloc (content->len + 1024);
      gsize read = 0, written = 0;

      g_assert_cmpint (g_converter_convert (packer, content->str, content->len, packed, content->len + 1024,
                                            G_CONVERTER_INPUT_AT_END, &read, &written, NULL), ==, G_CONVERTER_FINISHED);
      test_write_file (path, packed, written);
      return;
    }
  test_write_file (path, content->str, content->len);
}

static void
cut_at_first_report (double fraction, gpointer data)
{
  char **path = data;

  if (*path != NULL)
    g_assert_cmpint (truncate (*path, 4096), ==, 0);
  *path = NULL;
}

static void
test_loading (gconstpointer ending)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-shrinking-XXXXXX", NULL);
  g_autofree char *path = g_strdup_printf ("%s/a.%s", folder, (const char *) ending);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  char *to_cut = path;

  write_words (path, ending);
  g_assert_null (ww_set_open (file, NULL, cut_at_first_report, &to_cut, &error));
  g_assert_null (to_cut);
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_READ);
  test_assert_says (error, path, "changed meanwhile");
  remove_folder (folder);
}

/* A config of the Embedding Projector comes from somebody else: what it names lies in its own folder, also behind a
 * link. */
static void
test_links (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-links-XXXXXX", NULL);
  g_autofree char *outside = g_dir_make_tmp ("wordsway-outside-XXXXXX", NULL);
  g_autofree char *tensors = copy_file (outside, "made/projector/config/t.bytes");
  g_autofree char *config = copy_file (folder, "made/projector/config/config.json");
  g_autofree char *link = g_build_filename (folder, "t.bytes", NULL);
  g_autofree char *inside = NULL, *bytes = NULL;
  gsize length;
  g_autoptr (GFile) file = g_file_new_for_path (config);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  g_free (copy_file (folder, "made/projector/config/m.tsv"));
  g_assert_cmpint (symlink (tensors, link), ==, 0);
  g_assert_null (ww_set_open (file, NULL, NULL, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
  test_assert_says (error, config, "outside of this folder");
  g_clear_error (&error);

  /* A link that stays inside is as good as the file. */
  g_unlink (link);
  inside = g_build_filename (folder, "kept", NULL);
  g_assert_true (g_file_get_contents (tensors, &bytes, &length, NULL));
  test_write_file (inside, bytes, length);
  g_assert_cmpint (symlink ("kept", link), ==, 0);
  set = ww_set_open (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, 3);

  remove_folder (folder);
  remove_folder (outside);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strconcat ("/shrinking/open/", cases[i].files[0], NULL);

      g_test_add_data_func (name, &cases[i], test_open);
    }
  g_test_add_data_func ("/shrinking/loading/text", "txt", test_loading);
  g_test_add_data_func ("/shrinking/loading/gzip", "txt.gz", test_loading);
  g_test_add_data_func ("/shrinking/loading/word2vec", "bin", test_loading);
  g_test_add_data_func ("/shrinking/loading/word2vec-gzip", "bin.gz", test_loading);
  g_test_add_func ("/shrinking/links", test_links);
  return g_test_run ();
}

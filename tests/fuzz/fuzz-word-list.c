/* Lists of words beside an array, in their three forms. */
#include <glib/gstdio.h>

#include "fuzz-reader.h"
#include "ww-word-list.h"

static const char *const names[] = { "list.txt", "list.tsv", "list.json" };
static char *folder;

static void
remove_folder (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
make_folder (void)
{
  folder = g_strdup_printf ("%s/wordsway-fuzz-XXXXXX",
                            g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir ());
  if (g_mkdtemp (folder) == NULL)
    abort ();
  atexit (remove_folder);
}

static void
read_list (const char *name, const guint8 *data, gsize size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  gsize duplicates = 0;
  const WwOpenOptions options = { .column = size > 0 && data[0] % 2 == 0 ? "2" : NULL };
  const WwOpening opening = { NULL, NULL, NULL, &options, NULL, NULL };

  if (!g_file_set_contents_full (path, (const char *) data, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
    abort ();
  if (ww_word_list_load (file, 3, &opening, &vocab, &duplicates, &error) == (error != NULL))
    abort ();
  for (gsize i = 0; vocab != NULL && i < ww_vocab_get_size (vocab); i++)
    if (!g_utf8_validate (ww_vocab_get (vocab, i), -1, NULL))
      abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  if (folder == NULL)
    make_folder ();
  if (size > 0)
    read_list (names[data[0] % 3], data + 1, size - 1);
  return 0;
}

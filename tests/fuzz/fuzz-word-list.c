/* Lists of words beside an array, in their three forms. */
#include "fuzz-reader.h"
#include "ww-word-list.h"

static void
read_list (const char *folder, const char *name, const guint8 *data, gsize size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  gsize duplicates = 0;

  if (!g_file_set_contents (path, (const char *) data, (gssize) size, NULL))
    abort ();
  if (ww_word_list_load (file, 3, &vocab, &duplicates, &error) == (error != NULL))
    abort ();
  for (gsize i = 0; vocab != NULL && i < ww_vocab_get_size (vocab); i++)
    if (!g_utf8_validate (ww_vocab_get (vocab, i), -1, NULL))
      abort ();
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  static const char *const names[] = { "list.txt", "list.tsv", "list.json" };
  static char *folder;

  if (folder == NULL)
    folder = g_dir_make_tmp ("wordsway-fuzz-XXXXXX", NULL);
  if (size > 0)
    read_list (folder, names[data[0] % 3], data + 1, size - 1);
  return 0;
}

/* A whole checkpoint folder. The input is its files one after another, each behind a line "=== name"; they
 * are written to a folder in memory, and everything that the set offers is asked for. */
#define _GNU_SOURCE /* memmem */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "fuzz-util.h"
#include "ww-core.h"
#include "ww-set.h"

static const char *const members[] = {
  "config.json", "vocab.txt", "tokenizer_config.json", "tokenizer.json", "vocab.json", "merges.txt",
  "added_tokens.json", "model.safetensors", "model.safetensors.index.json", "a.safetensors", "modules.json",
};

static char *folder;

static void
remove_folder (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (folder, members[i], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static void
make_folder (void)
{
  folder = g_strdup_printf ("%s/ww-fuzz-XXXXXX",
                            g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir ());
  if (g_mkdtemp (folder) == NULL)
    g_error ("no folder");
  atexit (remove_folder);
  ww_core_init ();
}

static void
write_member (const char *member, const uint8_t *data, size_t size)
{
  g_autofree char *path = g_build_filename (folder, member, NULL);
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

  if (fd < 0 || write (fd, data, size) != (gssize) size)
    g_error ("cannot write");
  close (fd);
}

static void
write_files (const uint8_t *data, size_t size)
{
  static const char mark[] = "=== ";
  const uint8_t *end = data + size, *at = memmem (data, size, mark, strlen (mark));

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (folder, members[i], NULL);

      g_unlink (path);
    }
  while (at != NULL)
    {
      const uint8_t *name = at + strlen (mark);
      const uint8_t *newline = memchr (name, '\n', (size_t) (end - name));
      const uint8_t *content = newline != NULL ? newline + 1 : end;

      at = memmem (content, (size_t) (end - content), mark, strlen (mark));
      for (gsize i = 0; newline != NULL && i < G_N_ELEMENTS (members); i++)
        if (strlen (members[i]) == (size_t) (newline - name)
            && memcmp (members[i], name, strlen (members[i])) == 0)
          write_member (members[i], content, (size_t) ((at != NULL ? at : end) - content));
    }
}

static void
ask_everything (WwSet *set)
{
  g_autoptr (GArray) layers = ww_set_get_layers (set);
  g_auto (GStrv) pairs = ww_set_describe (set);
  guint32 ids[4];
  g_autoptr (WwTokens) tokens = NULL, words = NULL;

  if (g_strv_length (pairs) % 2 != 0)
    g_error ("a name without a value");
  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++)
    ids[i] = (guint32) (i * 3 % ww_set_get_n_entries (set));
  tokens = ww_set_tokens_from_ids (set, ids, G_N_ELEMENTS (ids), NULL);
  words = ww_set_tokenise (set, "I love the duck. [SEP]<s>", TRUE, NULL);
  /* A forward pass of a thousand blocks tells no more than one of three. */
  for (guint i = 0; tokens != NULL && i < MIN (layers->len, 5); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) state = ww_set_get_context (set, tokens, g_array_index (layers, int, i), &error);

      fuzz_check (state, error);
    }
  for (gsize layer = 1; tokens != NULL && layer <= MIN (ww_set_get_attention_layers (set), 3); layer++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) weights = ww_set_get_trained_attention (set, tokens, (int) layer, WW_HEAD_ALL, &error);

      fuzz_check (weights, error);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  if (folder == NULL)
    make_folder ();
  write_files (data, size);
  set = ww_set_open_argument (folder, NULL, &error);
  fuzz_check (set, error);
  if (set != NULL)
    ask_everything (set);
  return 0;
}

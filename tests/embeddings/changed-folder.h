/* A copy of one of the small checkpoints that a test may spoil. */
#pragma once

#include "test-util.h"

/* Every file that one of the small checkpoints has, and those that a test adds. */
static const char *const changed_members[] = {
  "config.json", "vocab.txt", "tokenizer_config.json", "model.safetensors", "vocab.json", "merges.txt",
  "tokenizer.json", "added_tokens.json", "sentence_bert_config.json", "sentence_roberta_config.json",
  "model.safetensors.index.json", "modules.json", "pytorch_model.bin",
};

static char *changed_folder;

static inline void
changed_folder_begin (void)
{
  changed_folder = g_dir_make_tmp ("wordsway-folders-XXXXXX", NULL);
}

static inline void
changed_folder_remove (const char *member)
{
  g_autofree char *path = g_build_filename (changed_folder, member, NULL);

  g_unlink (path);
}

static inline void
changed_folder_write (const char *member, const char *bytes, gsize length)
{
  g_autofree char *path = g_build_filename (changed_folder, member, NULL);

  test_write_file (path, bytes, length);
}

/* NULL where the checkpoint has no such file. */
static inline GString *
changed_folder_original (const char *base, const char *member)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints", base, member,
                                            NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  return g_file_get_contents (path, &bytes, &length, NULL) ? g_string_new_len (bytes, (gssize) length) : NULL;
}

/* The folder is the checkpoint `base` again. */
static inline void
changed_folder_restore (const char *base)
{
  for (gsize i = 0; i < G_N_ELEMENTS (changed_members); i++)
    {
      GString *bytes = changed_folder_original (base, changed_members[i]);

      if (bytes == NULL)
        changed_folder_remove (changed_members[i]);
      else
        {
          changed_folder_write (changed_members[i], bytes->str, bytes->len);
          g_string_free (bytes, TRUE);
        }
    }
}

/* `find` NULL: the whole member is replaced; `replacement` NULL: it is deleted. */
static inline void
changed_folder_change (const char *base, const char *member, const char *find, const char *replacement)
{
  GString *bytes;
  gssize place;
  char *at;

  if (replacement == NULL)
    {
      changed_folder_remove (member);
      return;
    }
  if (find == NULL)
    {
      changed_folder_write (member, replacement, strlen (replacement));
      return;
    }

  bytes = changed_folder_original (base, member);
  g_assert_nonnull (bytes);
  at = memmem (bytes->str, bytes->len, find, strlen (find));
  if (at == NULL)
    g_error ("\"%s\" is not in %s/%s", find, base, member);
  place = at - bytes->str;
  g_string_erase (bytes, place, (gssize) strlen (find));
  g_string_insert (bytes, place, replacement);
  changed_folder_write (member, bytes->str, bytes->len);
  g_string_free (bytes, TRUE);
}

static inline void
changed_folder_end (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (changed_members); i++)
    changed_folder_remove (changed_members[i]);
  g_rmdir (changed_folder);
  g_clear_pointer (&changed_folder, g_free);
}

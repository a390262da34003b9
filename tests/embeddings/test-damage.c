/* Damaged files: every prefix of every small file, and random changes of single bytes. Whatever comes
 * out is a set that can be used or an error in words; a sanitizer build turns the rest into failures. */
#include <stdlib.h>

#include "test-util.h"
#include "ww-preview.h"

/* Rounds of random changes per file; WORDSWAY_DAMAGE_ROUNDS asks for more. */
#define DEFAULT_ROUNDS 25

static char *folder;

static guint
get_rounds (void)
{
  const char *asked = g_getenv ("WORDSWAY_DAMAGE_ROUNDS");

  return asked != NULL ? (guint) strtoul (asked, NULL, 10) : DEFAULT_ROUNDS;
}

/* Everything that the program does with a set. */
static void
use (WwSet *set)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) pairs = ww_set_describe (set);
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "the word, I smile 1,000 word2 [UNK]", TRUE,
                                                 &error);
  g_autoptr (WwTokens) rows = NULL, head = NULL;
  g_autoptr (WwMatrix) context = NULL, attention = NULL;
  int layer = ww_set_get_default_layer (set);

  g_assert_cmpuint (g_strv_length (pairs) % 2, ==, 0);
  g_assert_cmpuint (ww_set_get_n_entries (set), >, 0);
  g_assert_cmpuint (ww_set_get_dims (set), >, 0);
  if (tokens == NULL)
    {
      g_assert_nonnull (error);
      return;
    }

  rows = ww_tokens_with_rows (tokens);
  head = ww_tokens_head (rows, ww_set_get_max_tokens (set, layer));
  for (gsize i = 0; i < head->n; i++)
    {
      g_assert_true (g_utf8_validate (head->tokens[i].text, -1, NULL));
      g_assert_cmpuint (head->tokens[i].id, <, ww_set_get_n_entries (set));
    }
  context = ww_set_get_context (set, head, layer, &error);
  g_assert_true ((context == NULL) == (error != NULL));
  if (context == NULL)
    return;
  g_assert_cmpuint (context->rows, ==, head->n);
  attention = ww_set_get_trained_attention (set, head, 1, -1, &error);
  g_assert_true ((attention == NULL) == (error != NULL));
}

static void
check_error (const GError *error)
{
  g_assert_true (error->domain == WW_SET_ERROR || error->domain == WW_CORE_ERROR);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (strlen (error->message), >, 10);
}

/* As a person does who looks first, and then chooses the last that there is to choose. */
static void
look_and_choose (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwPreview) preview = ww_set_preview (file, NULL, NULL, &error);
  g_autoptr (WwSet) set = NULL;
  WwOpenOptions options = { NULL };

  g_assert_true ((preview == NULL) == (error != NULL));
  if (preview == NULL)
    {
      check_error (error);
      return;
    }
  g_assert_true (g_utf8_validate (preview->guess, -1, NULL));
  if (preview->candidates->len == 0)
    return;

  options.member = ((WwCandidate *) g_ptr_array_index (preview->candidates, preview->candidates->len - 1))->id;
  set = ww_set_open_full (file, &options, NULL, NULL, NULL, &error);
  g_assert_true ((set == NULL) == (error != NULL));
  if (set != NULL)
    use (set);
  else
    check_error (error);
}

static void
open_and_use (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = ww_set_open_argument (path, NULL, &error);

  g_assert_true ((set == NULL) == (error != NULL));
  if (set != NULL)
    {
      use (set);
      return;
    }
  check_error (error);
}

/* One byte, a few bytes, a stretch doubled or cut out, a number blown up. */
static void
change (GRand *random, GString *bytes)
{
  gsize at = (gsize) g_rand_int_range (random, 0, (gint32) bytes->len);
  gssize length = g_rand_int_range (random, 1, 40);
  static const char *const pieces[] = { "9999999999999999999", "-1", "nan", "\xff\xff\xff\xff", "\n",
                                        " ", "{", "\"", "e99", "\0\0\0\0" };

  switch (g_rand_int_range (random, 0, 5))
    {
    case 0:
      bytes->str[at] ^= (char) (1 << g_rand_int_range (random, 0, 8));
      break;
    case 1:
      bytes->str[at] = (char) g_rand_int_range (random, 0, 256);
      break;
    case 2:
      g_string_insert (bytes, (gssize) at,
                       pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
      break;
    case 3:
      g_string_erase (bytes, (gssize) at,
                      MIN (length, (gssize) (bytes->len - at)));
      break;
    default:
      {
        gssize n = MIN (length, (gssize) (bytes->len - at));
        g_autofree char *copy = g_memdup2 (bytes->str + at, (gsize) n);

        g_string_insert_len (bytes, (gssize) at, copy, n);
      }
      break;
    }
}

static void
damage_at_random (const char *path, const char *bytes, gsize length, guint rounds)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (g_str_hash (path) ^ (guint32) length);

  for (guint i = 0; i < rounds && length > 0; i++)
    {
      g_autoptr (GString) damaged = g_string_new_len (bytes, (gssize) length);

      for (int n = g_rand_int_range (random, 1, 4); n > 0 && damaged->len > 0; n--)
        change (random, damaged);
      test_write_file (path, damaged->str, damaged->len);
      open_and_use (path);
      if (i % 4 == 0)
        look_and_choose (path);
    }
}

/* All prefixes of the smallest, and every so many of the others. */
static void
damage_by_cutting (const char *path, const char *bytes, gsize length, gsize steps)
{
  gsize step = MAX (1, length / steps);

  for (gsize n = 0; n < length; n += step)
    {
      test_write_file (path, bytes, n);
      open_and_use (path);
    }
}

static void
test_files (void)
{
  g_autofree char *from = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", NULL);
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *original = g_build_filename (from, name, NULL);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *bytes = NULL;
      gsize length;

      if (g_file_test (original, G_FILE_TEST_IS_DIR))
        continue;
      g_assert_true (g_file_get_contents (original, &bytes, &length, NULL));
      damage_by_cutting (path, bytes, length, get_rounds () > 100 ? 100000 : 100);
      damage_at_random (path, bytes, length, get_rounds ());
      g_unlink (path);
    }
}

static const char *const members[] = { "config.json", "vocab.txt", "tokenizer_config.json",
                                       "model.safetensors", "model.safetensors.index.json",
                                       "model-00001-of-00002.safetensors",
                                       "model-00002-of-00002.safetensors", "modules.json" };

static void
copy_members (const char *from, const char *to)
{
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *source = g_build_filename (from, members[i], NULL);
      g_autofree char *target = g_build_filename (to, members[i], NULL);
      g_autofree char *bytes = NULL;
      gsize length;

      if (g_file_get_contents (source, &bytes, &length, NULL))
        test_write_file (target, bytes, length);
    }
}

static void
damage_member (const char *copy, const char *member)
{
  g_autofree char *path = g_build_filename (copy, member, NULL);
  g_autofree char *bytes = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (g_str_hash (member));
  gsize length;

  if (!g_file_get_contents (path, &bytes, &length, NULL))
    return;

  for (gsize n = 0; n < length; n += MAX (1, length / 60))
    {
      test_write_file (path, bytes, n);
      open_and_use (copy);
    }
  for (guint i = 0; i < get_rounds () * 2; i++)
    {
      g_autoptr (GString) damaged = g_string_new_len (bytes, (gssize) length);

      change (random, damaged);
      test_write_file (path, damaged->str, damaged->len);
      open_and_use (copy);
    }
  g_unlink (path);
  open_and_use (copy);
  test_write_file (path, bytes, length);
}

static void
test_checkpoint (gconstpointer data)
{
  g_autofree char *from = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints",
                                            data, NULL);
  g_autofree char *copy = g_build_filename (folder, data, NULL);

  g_assert_cmpint (g_mkdir (copy, 0700), ==, 0);
  copy_members (from, copy);
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    damage_member (copy, members[i]);

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (copy, members[i], NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (copy), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  folder = g_dir_make_tmp ("wordsway-damage-XXXXXX", NULL);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/damage/files", test_files);
  g_test_add_data_func ("/damage/bert-plain", "bert-plain", test_checkpoint);
  g_test_add_data_func ("/damage/bert-sharded", "bert-sharded", test_checkpoint);
  g_test_add_data_func ("/damage/sentence-transformers", "sentence-transformers", test_checkpoint);
  g_test_add_data_func ("/damage/distilbert", "distilbert", test_checkpoint);
  status = g_test_run ();

  g_rmdir (folder);
  g_free (folder);
  return status;
}

/* The tokenisers of GGUF files: those of the small checkpoints, written as such files, give the same ids; pieces
 * with scores are joined as plain repetition joins them. */
#include <jansson.h>

#include "test-util.h"
#include "ww-gguf-tokeniser.h"
#include "ww-set-open.h"

#define KEY(name) "tokenizer.ggml." name

enum
{
  TYPE_U32 = 4,
  TYPE_I32 = 5,
  TYPE_F32 = 6,
  TYPE_BOOL = 7,
  TYPE_TEXT = 8,
  TYPE_ARRAY = 9,
};

/* The pairs of a file in the making. */
typedef struct
{
  GString *bytes;
  guint64 n;
} Pairs;

static void
put (GString *bytes, const void *value, gsize length)
{
  g_string_append_len (bytes, value, (gssize) length);
}

static void
put_32 (GString *bytes, guint32 value)
{
  value = GUINT32_TO_LE (value);
  put (bytes, &value, sizeof value);
}

static void
put_64 (GString *bytes, guint64 value)
{
  value = GUINT64_TO_LE (value);
  put (bytes, &value, sizeof value);
}

static void
put_text (GString *bytes, const char *text)
{
  put_64 (bytes, strlen (text));
  put (bytes, text, strlen (text));
}

static void
begin_pair (Pairs *pairs, const char *key, guint32 type)
{
  put_text (pairs->bytes, key);
  put_32 (pairs->bytes, type);
  pairs->n++;
}

static void
begin_array (Pairs *pairs, const char *key, guint32 type, gsize n)
{
  begin_pair (pairs, key, TYPE_ARRAY);
  put_32 (pairs->bytes, type);
  put_64 (pairs->bytes, n);
}

static void
add_text (Pairs *pairs, const char *key, const char *text)
{
  begin_pair (pairs, key, TYPE_TEXT);
  put_text (pairs->bytes, text);
}

static void
add_id (Pairs *pairs, const char *key, guint32 id)
{
  begin_pair (pairs, key, TYPE_U32);
  put_32 (pairs->bytes, id);
}

static void
add_flag (Pairs *pairs, const char *key, gboolean flag)
{
  begin_pair (pairs, key, TYPE_BOOL);
  g_string_append_c (pairs->bytes, flag ? 1 : 0);
}

static void
add_texts (Pairs *pairs, const char *key, GPtrArray *texts)
{
  begin_array (pairs, key, TYPE_TEXT, texts->len);
  for (guint i = 0; i < texts->len; i++)
    put_text (pairs->bytes, g_ptr_array_index (texts, i));
}

/* The whole file, with a table of `rows` rows of two values of the type `kind`. */
static GString *
end_file (Pairs *pairs, gsize rows, guint32 kind)
{
  GString *bytes = g_string_new ("GGUF");

  put_32 (bytes, 3);
  put_64 (bytes, 1);
  put_64 (bytes, pairs->n);
  put (bytes, pairs->bytes->str, pairs->bytes->len);
  put_text (bytes, "token_embd.weight");
  put_32 (bytes, 2);
  put_64 (bytes, 2);
  put_64 (bytes, rows);
  put_32 (bytes, kind);
  put_64 (bytes, 0);
  while (bytes->len % 32 != 0)
    g_string_append_c (bytes, '\0');
  for (gsize i = 0; i < 2 * rows; i++)
    {
      float value = (float) i;

      put (bytes, &value, sizeof value);
    }
  g_string_free (pairs->bytes, TRUE);
  return bytes;
}

static char *path;

static WwSet *
open_file (GString *bytes, gboolean tokens_only, GError **error)
{
  const WwOpenOptions options = { .tokens_only = tokens_only };

  test_write_file (path, bytes->str, bytes->len);
  g_string_free (bytes, TRUE);
  return ww_set_open_argument_full (path, &options, NULL, NULL, NULL, error);
}

static char *
dup_checkpoint_path (const char *name, const char *member)
{
  return g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints", name, member, NULL);
}

/* The pieces of a vocab.json in the order of their ids. */
static GPtrArray *
load_pieces (const char *name)
{
  g_autofree char *file = dup_checkpoint_path (name, "vocab.json");
  json_t *root = json_load_file (file, 0, NULL), *id;
  GPtrArray *pieces = g_ptr_array_new_with_free_func (g_free);
  const char *piece;

  g_assert_nonnull (root);
  g_ptr_array_set_size (pieces, (int) json_object_size (root));
  json_object_foreach (root, piece, id)
    pieces->pdata[json_integer_value (id)] = g_strdup (piece);
  json_decref (root);
  return pieces;
}

static GPtrArray *
load_lines (const char *name, const char *member, gboolean with_first)
{
  g_autofree char *file = dup_checkpoint_path (name, member);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = with_first ? 0 : 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    g_ptr_array_add (list, g_strdup (lines[i]));
  return list;
}

static GString *
make_gpt2 (const char *cut, guint32 kind)
{
  g_autoptr (GPtrArray) pieces = load_pieces ("gpt2"), merges = load_lines ("gpt2", "merges.txt", FALSE);
  Pairs pairs = { g_string_new (NULL) };

  add_text (&pairs, "general.architecture", "gpt2");
  add_text (&pairs, KEY ("model"), "gpt2");
  if (cut != NULL)
    add_text (&pairs, KEY ("pre"), cut);
  add_texts (&pairs, KEY ("tokens"), pieces);
  begin_array (&pairs, KEY ("token_type"), TYPE_I32, pieces->len);
  for (guint i = 0; i < pieces->len; i++)
    put_32 (pairs.bytes, g_str_equal (g_ptr_array_index (pieces, i), "<|endoftext|>") ? 3 : 1);
  add_texts (&pairs, KEY ("merges"), merges);
  add_id (&pairs, KEY ("bos_token_id"), 0);
  return end_file (&pairs, pieces->len, kind);
}

static void
check_reference (WwSet *set)
{
  g_autofree char *file = g_build_filename (WW_TEST_DATA_DIR, "reference", "byte-level-bpe.json", NULL);
  json_t *root = json_load_file (file, JSON_ALLOW_NUL, NULL), *entry;
  size_t index;

  json_array_foreach (root, index, entry)
    {
      json_t *text = json_object_get (entry, "text"), *ids = json_object_get (entry, "ids");
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokens) tokens = NULL;

      if (strlen (json_string_value (text)) != json_string_length (text))
        continue;
      tokens = ww_set_tokenise_any (set, json_string_value (text), TRUE, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (tokens->n, ==, json_array_size (ids));
      for (gsize i = 0; i < tokens->n; i++)
        g_assert_cmpuint (tokens->tokens[i].id, ==, (guint32) json_integer_value (json_array_get (ids, i)));
    }
  json_decref (root);
}

static void
test_gpt2 (void)
{
  static const char *const cuts[] = { "gpt-2", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = open_file (make_gpt2 (cuts[i], 0), FALSE, &error);
      g_autoptr (WwTokens) tokens = NULL;
      g_autoptr (WwMatrix) rows = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (ww_set_get_warnings (set), ==, NULL);
      check_reference (set);
      tokens = ww_set_tokenise (set, "the duck<|endoftext|>", TRUE, &error);
      g_assert_true (tokens->tokens[tokens->n - 1].special);
      rows = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
      g_assert_no_error (error);
      for (gsize j = 0; j < tokens->n; j++)
        g_assert_cmpfloat (rows->data[2 * j], ==, 2.0 * tokens->tokens[j].id);
    }
}

/* A cut that is not known: texts are still words, and the set says so. */
static void
test_unknown_cut (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = open_file (make_gpt2 ("tekken", 0), FALSE, &error);
  g_auto (GStrv) facts = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "tokenizer.ggml.pre is \"tekken\""));
  facts = ww_set_describe (set);
  g_assert_true (g_strv_contains ((const char *const *) facts,
                                  "whole words, or else the longest pieces (not the model's own tokeniser)"));
}

/* Values of a type that is not read: the tokens are there all the same. */
static void
test_packed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = open_file (make_gpt2 ("gpt-2", 12), FALSE, &error);

  g_assert_null (set);
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_REFUSED);
  g_clear_error (&error);
  set = open_file (make_gpt2 ("gpt-2", 12), TRUE, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "type Q4_K"));
  check_reference (set);
}

/* As the converters write it: a mark where a word begins, and none where it goes on. */
static GString *
make_bert (gboolean marked)
{
  g_autoptr (GPtrArray) pieces = load_lines ("bert-plain", "vocab.txt", TRUE);
  Pairs pairs = { g_string_new (NULL) };

  for (guint i = 0; marked && i < pieces->len; i++)
    {
      char *piece = g_ptr_array_index (pieces, i);

      if (*piece == '[')
        continue;
      pieces->pdata[i] = g_str_has_prefix (piece, "##") ? g_strdup (piece + 2) : g_strconcat ("\u2581", piece, NULL);
      g_free (piece);
    }
  add_text (&pairs, KEY ("model"), "bert");
  add_texts (&pairs, KEY ("tokens"), pieces);
  add_id (&pairs, KEY ("unknown_token_id"), 1);
  add_id (&pairs, KEY ("cls_token_id"), 2);
  add_id (&pairs, KEY ("seperator_token_id"), 3);
  return end_file (&pairs, pieces->len, 0);
}

static void
test_bert (void)
{
  static const char *const texts[] = { "I love her much", "LOVE ducks, zebra!", "[CLS] i\u0301 [SEP]x", "say", "ducksducks" };
  g_autofree char *folder = dup_checkpoint_path ("bert-plain", NULL);

  for (int marked = 0; marked < 2; marked++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) ours = open_file (make_bert (marked), FALSE, &error);
      g_autoptr (WwSet) theirs = ww_set_open_argument (folder, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (ww_set_get_warnings (ours), ==, NULL);
      for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
        {
          g_autoptr (WwTokens) a = ww_set_tokenise_any (ours, texts[i], TRUE, &error);
          g_autoptr (WwTokens) b = ww_set_tokenise_any (theirs, texts[i], TRUE, &error);

          g_assert_no_error (error);
          g_assert_cmpuint (a->n, ==, b->n);
          for (gsize j = 0; j < a->n; j++)
            {
              g_assert_cmpuint (a->tokens[j].id, ==, b->tokens[j].id);
              g_assert_cmpstr (a->tokens[j].text, ==, b->tokens[j].text);
            }
        }
    }
}

/* A vocabulary of pieces over a few letters, some with a space in front, with scores; bytes behind them. */
typedef struct
{
  GPtrArray *pieces;
  GArray *scores; /* float */
  GHashTable *ids;
} Scored;

#define FIRST_BYTE 3 /* behind <unk>, <s> and </s> */
#define FIRST_PIECE (FIRST_BYTE + 256)

static void
add_piece (Scored *scored, const char *piece, float score)
{
  if (g_hash_table_contains (scored->ids, piece))
    return;

  g_ptr_array_add (scored->pieces, g_strdup (piece));
  g_array_append_val (scored->scores, score);
  g_hash_table_insert (scored->ids, g_ptr_array_index (scored->pieces, scored->pieces->len - 1),
                       GUINT_TO_POINTER (scored->pieces->len - 1));
}

static void
scored_init (Scored *scored, GRand *random, gboolean inner_spaces)
{
  static const char *const letters[] = { "a", "b", "\u00e9", "\u2581" };

  *scored = (Scored) { g_ptr_array_new_with_free_func (g_free), g_array_new (FALSE, FALSE, sizeof (float)),
                       g_hash_table_new (g_str_hash, g_str_equal) };
  add_piece (scored, "<unk>", 0);
  add_piece (scored, "<s>", 0);
  add_piece (scored, "</s>", 0);
  for (guint byte = 0; byte < 256; byte++)
    {
      g_autofree char *piece = g_strdup_printf ("<0x%02X>", byte);

      add_piece (scored, piece, 0);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (letters); i++)
    add_piece (scored, letters[i], -1000 - (float) i);
  for (int i = 0; i < 60; i++)
    {
      g_autoptr (GString) piece = g_string_new (NULL);
      int length = g_rand_int_range (random, 2, 5);

      for (int k = 0; k < length; k++)
        g_string_append (piece, letters[g_rand_int_range (random, 0, k == 0 || inner_spaces ? 4 : 3)]);
      /* Few scores, so that many are equal and the leftmost pair has to go first. */
      add_piece (scored, piece->str, -(float) g_rand_int_range (random, 0, 12));
    }
}

static void
scored_clear (Scored *scored)
{
  g_hash_table_unref (scored->ids);
  g_ptr_array_unref (scored->pieces);
  g_array_unref (scored->scores);
}

static GString *
make_llama (const Scored *scored, int prefix_space)
{
  Pairs pairs = { g_string_new (NULL) };

  add_text (&pairs, KEY ("model"), "llama");
  add_texts (&pairs, KEY ("tokens"), scored->pieces);
  begin_array (&pairs, KEY ("scores"), TYPE_F32, scored->scores->len);
  put (pairs.bytes, scored->scores->data, scored->scores->len * sizeof (float));
  begin_array (&pairs, KEY ("token_type"), TYPE_I32, scored->pieces->len);
  for (guint i = 0; i < scored->pieces->len; i++)
    put_32 (pairs.bytes, i == 0 ? 2 : i < FIRST_BYTE ? 3 : i < FIRST_PIECE ? 6 : 1);
  add_id (&pairs, KEY ("bos_token_id"), 1);
  add_id (&pairs, KEY ("eos_token_id"), 2);
  add_id (&pairs, KEY ("unknown_token_id"), 0);
  if (prefix_space >= 0)
    add_flag (&pairs, KEY ("add_space_prefix"), prefix_space);
  return end_file (&pairs, scored->pieces->len, 0);
}

/* Again and again the best pair of neighbours, until there is none. */
static GArray *
join_plainly (const Scored *scored, const char *marked)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  gpointer id;

  for (const char *c = marked; *c != '\0'; c = g_utf8_next_char (c))
    g_ptr_array_add (parts, g_strndup (c, (gsize) (g_utf8_next_char (c) - c)));
  for (;;)
    {
      int best = -1;
      float best_score = 0;
      char *joined;

      for (guint i = 0; i + 1 < parts->len; i++)
        {
          g_autofree char *pair = g_strconcat (parts->pdata[i], parts->pdata[i + 1], NULL);
          float score;

          if (!g_hash_table_lookup_extended (scored->ids, pair, NULL, &id))
            continue;
          score = g_array_index (scored->scores, float, GPOINTER_TO_UINT (id));
          if (best < 0 || score > best_score)
            {
              best = (int) i;
              best_score = score;
            }
        }
      if (best < 0)
        break;
      joined = g_strconcat (parts->pdata[best], parts->pdata[best + 1], NULL);
      g_free (parts->pdata[best]);
      parts->pdata[best] = joined;
      g_ptr_array_remove_index (parts, (guint) best + 1);
    }

  for (guint i = 0; i < parts->len; i++)
    {
      const char *part = parts->pdata[i];
      gboolean known = g_hash_table_lookup_extended (scored->ids, part, NULL, &id);

      for (gsize k = 0; k < (known ? 1 : strlen (part)); k++)
        {
          guint32 one = known ? GPOINTER_TO_UINT (id) : (guint32) (FIRST_BYTE + (guint8) part[k]);

          g_array_append_val (ids, one);
        }
    }
  return ids;
}

static void
check_scored_text (WwSet *set, const Scored *scored, const char *text, gboolean prefix_space)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autofree char *joined = g_strjoinv ("\u2581", words);
  g_autofree char *marked = g_strconcat (prefix_space ? "\u2581" : "", joined, NULL);
  g_autoptr (GArray) ids = join_plainly (scored, marked);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise_any (set, text, TRUE, &error);
  gsize before = 0;

  g_assert_no_error (error);
  g_test_message ("%s", text);
  g_assert_cmpuint (tokens->n, ==, ids->len + 1);
  g_assert_cmpstr (tokens->tokens[0].text, ==, "<s>");
  for (guint i = 0; i < ids->len; i++)
    {
      const WwToken *token = &tokens->tokens[i + 1];

      g_assert_cmpuint (token->id, ==, g_array_index (ids, guint32, i));
      g_assert_cmpuint (token->start, >=, before);
      g_assert_cmpuint (token->end, <=, strlen (text));
      g_assert_cmpstr (token->display, !=, "");
      before = token->start;
    }
  g_assert_true (ids->len == 0 || tokens->tokens[tokens->n - 1].end == strlen (text));
}

static void
test_llama (void)
{
  static const char *const letters[] = { "a", "b", "\u00e9", " ", " ", "\u20ac", "x", "\u2581" };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (int round = 0; round < 40; round++)
    {
      int prefix_space = g_rand_int_range (random, -1, 2);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = NULL;
      Scored scored;

      scored_init (&scored, random, round % 2 == 1);
      set = open_file (make_llama (&scored, prefix_space), FALSE, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (ww_set_get_warnings (set), ==, NULL);
      for (int i = 0; i < 60; i++)
        {
          g_autoptr (GString) text = g_string_new (NULL);

          for (int k = g_rand_int_range (random, 1, 24); k > 0; k--)
            g_string_append (text, letters[g_rand_int_range (random, 0, G_N_ELEMENTS (letters))]);
          check_scored_text (set, &scored, text->str, prefix_space != 0);
        }
      scored_clear (&scored);
    }
}

/* A control token in a text, and the space that is made up behind it. */
static void
test_llama_special (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (4);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  Scored scored;

  scored_init (&scored, random, FALSE);
  add_piece (&scored, "\u2581a\u00e9b", 5);
  add_piece (&scored, "\u2581a", 4);
  add_piece (&scored, "\u2581a\u00e9", 4);
  set = open_file (make_llama (&scored, -1), FALSE, &error);
  g_assert_no_error (error);
  tokens = ww_set_tokenise (set, "a\u00e9b</s>a\u00e9b", TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tokens->n, ==, 4);
  g_assert_cmpstr (tokens->tokens[1].text, ==, "\u2581a\u00e9b");
  g_assert_cmpstr (tokens->tokens[1].display, ==, "a\u00e9b");
  g_assert_cmpuint (tokens->tokens[1].end, ==, 4);
  g_assert_true (tokens->tokens[2].special);
  g_assert_cmpstr (tokens->tokens[3].text, ==, "\u2581a\u00e9b");
  g_assert_cmpuint (tokens->tokens[3].start, ==, 8);
  scored_clear (&scored);
}

/* An empty piece, which has an id all the same. */
static void
test_empty_piece (void)
{
  static const char *const models[] = { "llama", "bert", "none" };

  for (gsize i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autoptr (GPtrArray) pieces = g_ptr_array_new ();
      Pairs pairs = { g_string_new (NULL) };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = NULL;
      g_autoptr (WwTokens) tokens = NULL;
      const guint32 id = 1;

      g_ptr_array_add (pieces, (char *) "[UNK]");
      g_ptr_array_add (pieces, (char *) "");
      add_text (&pairs, KEY ("model"), models[i]);
      add_texts (&pairs, KEY ("tokens"), pieces);
      begin_array (&pairs, KEY ("scores"), TYPE_F32, 2);
      put_64 (pairs.bytes, 0);
      set = open_file (end_file (&pairs, 2, 0), FALSE, &error);
      g_assert_no_error (error);
      tokens = ww_set_tokens_from_ids (set, &id, 1, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (tokens->tokens[0].text, ==, "");
      g_assert_cmpstr (tokens->tokens[0].display, ==, "\u2205");
    }
}

/* Megabytes of one letter, or of one word, take no longer than they must. */
static void
test_llama_long (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autofree char *text = g_strnfill (1000000, 'a');
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  Scored scored;

  scored_init (&scored, random, TRUE);
  set = open_file (make_llama (&scored, 1), FALSE, &error);
  g_assert_no_error (error);
  tokens = ww_set_tokenise (set, text, TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tokens->n, >, 200000);
  scored_clear (&scored);
}

/* Files that contradict themselves fall back to words, and say why. */
static void
test_contradictions (void)
{
  static const struct
  {
    const char *model, *says;
    gboolean score, types, id;
  } files[] = {
    { "llama", "there are no scores", FALSE, FALSE, FALSE },
    { "llama", "a score and a type for each", TRUE, FALSE, FALSE },
    { "gpt2", "there are no merges", FALSE, FALSE, FALSE },
    { "t5", "tokenizer.ggml.model is \"t5\"", FALSE, FALSE, FALSE },
    { "a\nb", "tokenizer.ggml.model is \"a b\"", FALSE, FALSE, FALSE },
    /* Cut in the middle of its last character. */
    { "12345678901234567890123456789012345678901234567890123456789\u00e9", "tokenizer.ggml.model is \"1234", FALSE, FALSE, FALSE },
    { "bert", "names a token 7 of 2", FALSE, FALSE, TRUE },
    { "llama", "a score and a type for each", FALSE, TRUE, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GPtrArray) pieces = g_ptr_array_new ();
      Pairs pairs = { g_string_new (NULL) };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = NULL;

      g_ptr_array_add (pieces, (char *) "ah");
      g_ptr_array_add (pieces, (char *) "be");
      add_text (&pairs, KEY ("model"), files[i].model);
      add_texts (&pairs, KEY ("tokens"), pieces);
      if (files[i].score)
        {
          begin_array (&pairs, KEY ("scores"), TYPE_F32, 1);
          put_32 (pairs.bytes, 0);
        }
      if (files[i].types)
        {
          begin_array (&pairs, KEY ("token_type"), TYPE_I32, 1);
          put_32 (pairs.bytes, 0);
        }
      if (files[i].id)
        add_id (&pairs, KEY ("bos_token_id"), 7);
      set = open_file (end_file (&pairs, 2, 0), FALSE, &error);
      g_assert_no_error (error);
      g_assert_nonnull (strstr (ww_set_get_warnings (set), files[i].says));
      g_assert_true (g_utf8_validate (ww_set_get_warnings (set), -1, NULL));
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-gguf-XXXXXX", NULL);
  int status;

  path = g_build_filename (folder, "x.gguf", NULL);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gguf-tokens/gpt2", test_gpt2);
  g_test_add_func ("/gguf-tokens/unknown-cut", test_unknown_cut);
  g_test_add_func ("/gguf-tokens/packed", test_packed);
  g_test_add_func ("/gguf-tokens/bert", test_bert);
  g_test_add_func ("/gguf-tokens/llama", test_llama);
  g_test_add_func ("/gguf-tokens/llama-special", test_llama_special);
  g_test_add_func ("/gguf-tokens/empty-piece", test_empty_piece);
  g_test_add_func ("/gguf-tokens/llama-long", test_llama_long);
  g_test_add_func ("/gguf-tokens/contradictions", test_contradictions);
  status = g_test_run ();
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
  return status;
}

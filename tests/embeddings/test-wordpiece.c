/* WordPiece against the reference tokeniser: hard strings, their ids and pieces. */
#include <jansson.h>

#include "test-util.h"
#include "ww-tokens-private.h"
#include "ww-wordpiece.h"

static json_t *
load_cases (void)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "reference", "wordpiece.json", NULL);
  json_t *root = json_load_file (path, JSON_ALLOW_NUL, NULL);

  g_assert_nonnull (root);
  return root;
}

static WwVocab *
load_vocab (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  WwVocab *vocab = ww_vocab_new ();

  if (!g_file_get_contents (path, &text, NULL, NULL))
    {
      ww_vocab_free (vocab);
      return NULL;
    }
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL && (lines[i][0] != '\0' || lines[i + 1] != NULL); i++)
    ww_vocab_append (vocab, lines[i], strlen (lines[i]));
  return vocab;
}

static const WwWordPieceFlags uncased = { TRUE, TRUE, TRUE };

/* With the five tokens that are usual, and two of them around a text. */
static WwWordPiece *
make_wordpiece (const WwVocab *vocab, WwWordPieceFlags flags)
{
  WwWordPiece *wordpiece = ww_wordpiece_new (vocab, flags);

  if (wordpiece != NULL)
    g_assert_true (ww_wordpiece_add_usual (wordpiece));
  return wordpiece;
}

/* A NUL ends a C string, so a text cannot hold one; what stands before and after it can be
 * tokenised without. */
static char *
dup_text (json_t *entry)
{
  json_t *text = json_object_get (entry, "text");
  GString *plain = g_string_new (NULL);

  for (size_t i = 0; i < json_string_length (text); i++)
    if (json_string_value (text)[i] != '\0')
      g_string_append_c (plain, json_string_value (text)[i]);

  return g_string_free (plain, FALSE);
}

static void
check_ids (const WwWordPiece *wordpiece, json_t *entry)
{
  g_autofree char *text = dup_text (entry);
  g_autoptr (WwTokens) tokens = ww_wordpiece_tokenise (wordpiece, text, TRUE);
  json_t *ids = json_object_get (entry, "ids"), *names = json_object_get (entry, "tokens");

  g_test_message ("%s", text);
  g_assert_cmpuint (tokens->n, ==, json_array_size (ids));
  for (gsize i = 0; i < tokens->n; i++)
    {
      g_assert_cmpstr (tokens->tokens[i].text, ==, json_string_value (json_array_get (names, i)));
      g_assert_cmpuint (tokens->tokens[i].id, ==,
                        (guint32) json_integer_value (json_array_get (ids, i)));
    }
}

static void
test_full_vocabulary (void)
{
  g_autoptr (WwVocab) vocab = load_vocab (WW_REFERENCE_DIR "/data/minilm/vocab.txt");
  g_autoptr (WwWordPiece) wordpiece = NULL;
  json_t *root, *entry;
  const char *name;
  size_t index;

  if (vocab == NULL)
    {
      g_test_skip ("the full vocabulary of all-MiniLM-L6-v2 is not on this computer");
      return;
    }

  g_assert_cmpuint (ww_vocab_get_size (vocab), ==, 30522);
  wordpiece = make_wordpiece (vocab, uncased);
  root = load_cases ();
  json_array_foreach (json_object_get (root, "wordpiece"), index, entry)
    check_ids (wordpiece, entry);
  json_object_foreach (json_object_get (root, "sentences"), name, entry)
    check_ids (wordpiece, entry);
  json_decref (root);
}

static gboolean
vocab_has_all (const WwVocab *vocab, json_t *names)
{
  json_t *name;
  size_t index;
  guint32 id;

  json_array_foreach (names, index, name)
    if (!ww_vocab_lookup (vocab, json_string_value (name), json_string_length (name), &id)
        || strcmp (json_string_value (name), "[UNK]") == 0)
      return FALSE;

  return TRUE;
}

/* Where the sample has all the pieces that the full vocabulary uses, it splits alike: what is the
 * longest piece of the larger vocabulary is the longest of the smaller one. */
static void
test_sample_vocabulary (void)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "..", "data", "sample", "vocab.txt",
                                            NULL);
  g_autoptr (WwVocab) vocab = load_vocab (path);
  g_autoptr (WwWordPiece) wordpiece = make_wordpiece (vocab, uncased);
  json_t *root = load_cases (), *entry;
  size_t index;
  guint checked = 0;

  json_array_foreach (json_object_get (root, "wordpiece"), index, entry)
    {
      g_autofree char *text = dup_text (entry);
      json_t *names = json_object_get (entry, "tokens");
      g_autoptr (WwTokens) tokens = NULL;

      if (!vocab_has_all (vocab, names))
        continue;
      checked++;
      tokens = ww_wordpiece_tokenise (wordpiece, text, TRUE);
      g_assert_cmpuint (tokens->n, ==, json_array_size (names));
      for (gsize i = 0; i < tokens->n; i++)
        g_assert_cmpstr (tokens->tokens[i].text, ==, json_string_value (json_array_get (names, i)));
    }
  json_decref (root);
  g_assert_cmpuint (checked, >=, 12);
}

static WwVocab *
make_vocab (const char *const *pieces)
{
  WwVocab *vocab = ww_vocab_new ();

  for (gsize i = 0; pieces[i] != NULL; i++)
    ww_vocab_append (vocab, pieces[i], strlen (pieces[i]));
  return vocab;
}

/* Which bytes of the text each token came from, what a person reads, and what is glued. */
static void
test_places (void)
{
  static const char *const pieces[] = { "[UNK]", "[CLS]", "[SEP]", "cafe", "smil", "##ing", "!", "a",
                                        "##", NULL };
  static const struct
  {
    const char *text, *display;
    gsize start, end;
    gboolean unknown, special, continues;
  } expected[] = {
    { "[CLS]", "[CLS]", 0, 0, FALSE, TRUE, FALSE },
    { "cafe", "cafe", 1, 7, FALSE, FALSE, FALSE },  /* e and a combining accent: bytes 4 to 7 */
    { "!", "!", 7, 8, FALSE, FALSE, TRUE },
    { "smil", "smil", 9, 13, FALSE, FALSE, FALSE },
    { "##ing", "ing", 13, 16, FALSE, FALSE, TRUE },
    { "[UNK]", "zzz", 17, 20, TRUE, FALSE, FALSE },
    { "[SEP]", "[SEP]", 21, 26, FALSE, TRUE, FALSE },
    { "[SEP]", "[SEP]", 0, 0, FALSE, TRUE, FALSE },
  };
  g_autoptr (WwVocab) vocab = make_vocab (pieces);
  g_autoptr (WwWordPiece) wordpiece = make_wordpiece (vocab, uncased);
  g_autoptr (WwTokens) tokens = ww_wordpiece_tokenise (wordpiece, " Cafe\u0301! SMILing zzz [SEP]",
                                                       TRUE);

  g_assert_cmpuint (tokens->n, ==, G_N_ELEMENTS (expected));
  for (gsize i = 0; i < tokens->n; i++)
    {
      const WwToken *token = &tokens->tokens[i];

      g_assert_cmpstr (token->text, ==, expected[i].text);
      g_assert_cmpstr (token->display, ==, expected[i].display);
      g_assert_cmpuint (token->start, ==, expected[i].start);
      g_assert_cmpuint (token->end, ==, expected[i].end);
      g_assert_cmpint (token->unknown, ==, expected[i].unknown);
      g_assert_cmpint (token->special, ==, expected[i].special);
      g_assert_cmpint (token->continues, ==, expected[i].continues);
      g_assert_true (token->has_row);
    }
}

static void
test_flags (void)
{
  static const char *const pieces[] = { "[UNK]", "Cafe", "Caf\u00e9", "caf\u00e9", "cafe", "\u5317",
                                        "##\u4eac", "\u4eac", NULL };
  static const struct
  {
    WwWordPieceFlags flags;
    const char *first, *last;
  } cases[] = {
    { { TRUE, TRUE, TRUE }, "cafe", "\u4eac" },
    { { TRUE, FALSE, TRUE }, "caf\u00e9", "\u4eac" },
    { { FALSE, FALSE, FALSE }, "Caf\u00e9", "##\u4eac" },
    { { FALSE, TRUE, FALSE }, "Cafe", "##\u4eac" },
  };
  g_autoptr (WwVocab) vocab = make_vocab (pieces);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WwWordPiece) wordpiece = make_wordpiece (vocab, cases[i].flags);
      g_autoptr (WwTokens) tokens = ww_wordpiece_tokenise (wordpiece, "Caf\u00e9 \u5317\u4eac", TRUE);

      g_assert_cmpuint (tokens->n, ==, 3);
      g_assert_cmpstr (tokens->tokens[0].text, ==, cases[i].first);
      g_assert_cmpstr (tokens->tokens[2].text, ==, cases[i].last);
    }
}

static void
test_without_unknown (void)
{
  static const char *const pieces[] = { "[CLS]", "a", NULL };
  g_autoptr (WwVocab) vocab = make_vocab (pieces);

  g_assert_null (make_wordpiece (vocab, uncased));
}

static void
test_heads_and_rows (void)
{
  static const char *const pieces[] = { "[UNK]", "a", "b", NULL };
  g_autoptr (WwVocab) vocab = make_vocab (pieces);
  g_autoptr (WwWordPiece) wordpiece = make_wordpiece (vocab, uncased);
  g_autoptr (WwTokens) tokens = ww_wordpiece_tokenise (wordpiece, "a b a", TRUE);
  g_autoptr (WwTokens) head = ww_tokens_head (tokens, 2), all = ww_tokens_head (tokens, 9);
  g_autoptr (WwTokens) rows = NULL;

  g_assert_cmpuint (head->n, ==, 2);
  g_assert_cmpstr (head->tokens[1].text, ==, "b");
  g_assert_cmpuint (all->n, ==, 3);
  tokens->tokens[0].has_row = FALSE;
  rows = ww_tokens_with_rows (tokens);
  g_assert_cmpuint (rows->n, ==, 2);
  g_assert_cmpstr (rows->tokens[0].text, ==, "b");
}

/* Any characters at all: tokens come in the order of the text, inside it, and never overlap. */
static void
test_any_text (void)
{
  static const gunichar firsts[] = { 0x20, 0x61, 0x300, 0x4e00, 0xac00, 0x5b, 0xe00,
                                     0x1f600, 0x1d400 };
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "..", "data", "sample", "vocab.txt",
                                            NULL);
  g_autoptr (WwVocab) vocab = load_vocab (path);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (int round = 0; round < 20000; round++)
    {
      const WwWordPieceFlags flags = { g_rand_boolean (random), g_rand_boolean (random),
                                       g_rand_boolean (random) };
      g_autoptr (WwWordPiece) wordpiece = make_wordpiece (vocab, flags);
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (WwTokens) tokens = NULL;
      gsize before = 0;

      for (int n = g_rand_int_range (random, 0, 30); n > 0; n--)
        {
          gunichar first = firsts[g_rand_int_range (random, 0, G_N_ELEMENTS (firsts))];

          g_string_append_unichar (text, first + (gunichar) g_rand_int_range (random, 0, 60));
        }
      tokens = ww_wordpiece_tokenise (wordpiece, text->str, FALSE);
      for (gsize i = 0; i < tokens->n; i++)
        {
          const WwToken *token = &tokens->tokens[i];

          g_assert_cmpstr (token->text, ==, ww_vocab_get (vocab, token->id));
          g_assert_true (g_utf8_validate (token->display, -1, NULL) && *token->display != '\0');
          g_assert_cmpuint (token->start, >=, before);
          g_assert_cmpuint (token->end, >=, token->start);
          g_assert_cmpuint (token->end, <=, text->len);
          /* Pieces of one source character (a decomposed Hangul syllable) share its bytes. */
          before = token->start;
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wordpiece/full-vocabulary", test_full_vocabulary);
  g_test_add_func ("/wordpiece/sample-vocabulary", test_sample_vocabulary);
  g_test_add_func ("/wordpiece/places", test_places);
  g_test_add_func ("/wordpiece/flags", test_flags);
  g_test_add_func ("/wordpiece/without-unknown", test_without_unknown);
  g_test_add_func ("/wordpiece/heads-and-rows", test_heads_and_rows);
  g_test_add_func ("/wordpiece/any-text", test_any_text);
  return g_test_run ();
}

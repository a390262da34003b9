/* Byte-level BPE against the reference tokeniser, and its pieces one by one. */
#include <jansson.h>

#include "test-util.h"
#include "ww-bpe-bytes.h"
#include "ww-bpe-split.h"
#include "ww-tokeniser.h"

static WwTokeniser *
open_folder (const char *path, WwFamily family)
{
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  WwTokeniser *tokeniser = ww_tokeniser_open (folder, family, &error);

  g_assert_no_error (error);
  return tokeniser;
}

static WwTokeniser *
open_small (const char *name, WwFamily family)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints", name, NULL);

  return open_folder (path, family);
}

static void
check_case (const WwTokeniser *tokeniser, json_t *entry)
{
  json_t *text = json_object_get (entry, "text");
  json_t *ids = json_object_get (entry, "ids"), *names = json_object_get (entry, "tokens");
  g_autoptr (WwTokens) tokens = ww_tokeniser_tokenise (tokeniser, json_string_value (text), FALSE);

  g_test_message ("%s", json_string_value (text));
  g_assert_cmpuint (tokens->n, ==, json_array_size (ids));
  for (gsize i = 0; i < tokens->n; i++)
    {
      g_assert_cmpuint (tokens->tokens[i].id, ==, (guint32) json_integer_value (json_array_get (ids, i)));
      if (names != NULL)
        g_assert_cmpstr (tokens->tokens[i].text, ==, json_string_value (json_array_get (names, i)));
    }
}

/* A text with a NUL cannot be given; it is passed over. */
static guint
check_file (const WwTokeniser *tokeniser, const char *path)
{
  json_t *root = json_load_file (path, JSON_ALLOW_NUL, NULL), *entry;
  size_t index;
  guint checked = 0;

  g_assert_nonnull (root);
  json_array_foreach (root, index, entry)
    {
      json_t *text = json_object_get (entry, "text");

      if (strlen (json_string_value (text)) != json_string_length (text))
        continue;
      check_case (tokeniser, entry);
      checked++;
    }
  json_decref (root);
  return checked;
}

static void
test_full_vocabulary (void)
{
  g_autoptr (WwTokeniser) tokeniser = NULL;

  if (!g_file_test (WW_REFERENCE_DIR "/data/gpt2-bpe/merges.txt", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the vocabulary of GPT-2 is not on this computer");
      return;
    }

  tokeniser = open_folder (WW_REFERENCE_DIR "/data/gpt2-bpe", WW_FAMILY_GPT2);
  g_assert_cmpuint (ww_vocab_get_size (ww_tokeniser_get_vocab (tokeniser)), ==, 50257);
  g_assert_cmpuint (check_file (tokeniser, WW_REFERENCE_DIR "/reference/checkpoint/byte-level-bpe.json"), >=, 40);
}

/* The same strings with the small vocabulary; its ids come from an independent implementation. */
static void
test_small_vocabulary (void)
{
  g_autoptr (WwTokeniser) tokeniser = open_small ("gpt2", WW_FAMILY_GPT2);
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "reference", "byte-level-bpe.json", NULL);

  g_assert_cmpuint (check_file (tokeniser, path), >=, 40);
}

/* Every byte is written as another character and read back. */
static void
test_bytes (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint byte = 0; byte < 256; byte++)
    {
      gunichar c = ww_bpe_byte_to_char ((guint8) byte);
      g_autoptr (GString) bytes = g_string_new (NULL);
      char piece[7] = { 0 };

      g_assert_true (g_unichar_isgraph (c));
      g_assert_true (g_hash_table_add (seen, GUINT_TO_POINTER (c)));
      g_unichar_to_utf8 (c, piece);
      g_assert_true (ww_bpe_decode (piece, bytes));
      g_assert_cmpuint (bytes->len, ==, 1);
      g_assert_cmpuint ((guint8) bytes->str[0], ==, byte);
    }
  g_assert_cmpuint (ww_bpe_byte_to_char (' '), ==, 0x120);
  g_assert_cmpuint (ww_bpe_byte_to_char (0xad), ==, 0x143);
}

static void
test_display (void)
{
  static const struct
  {
    const char *piece, *display;
  } cases[] = {
    { "\u0120world", "world" },   { "world", "world" },       { "\u0120caf\u00c3\u00a9", "caf\u00e9" },
    { "\u00c3", "\\xC3" },        { "\u0120", "\u2423" },     { "\u0120\u0120", "\u2423\u2423" },
    { "\u010a", "\u23ce" },       { "\u0109", "\u21e5" },     { "\u0120\u00c3", "\\xC3" },
    { "\u20ac", "\u20ac" },       { "<s>", "<s>" },           { "\u0100", "\\x00" },
    { "\u00c2\u0142", "\\u00a0" }, { "a\u0120b", "a\u2423b" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *display = ww_bpe_dup_display (cases[i].piece);

      g_assert_cmpstr (display, ==, cases[i].display);
    }
}

static void
test_split (void)
{
  static const struct
  {
    const char *text, *parts; /* parts joined with | */
  } cases[] = {
    { "Hello world", "Hello| world" },
    { "I'll don't o'clock 's", "I|'ll| don|'t| o|'|clock| '|s" },
    { "'re've'm'd'x", "'re|'ve|'m|'d|'|x" },
    { "a1b22 33", "a|1|b|22| 33" },
    { "wait...  what?!", "wait|...| | what|?!" },
    { "  x", " | x" },
    { "x  ", "x|  " },
    { "x \n y", "x| \n| y" },
    { "x\n\ny", "x|\n|\n|y" },
    { "\u00a0x", "\u00a0|x" },
    { "x\u2003 y", "x|\u2003| y" },
    { "\u00e9t\u00e9 \u4e2d\u6587\u3002", "\u00e9t\u00e9| \u4e2d\u6587|\u3002" },
    { "x\u00b2 \u2160\u0665", "x|\u00b2| \u2160\u0665" },
    { "e\u0301", "e|\u0301" },
    { " ", " " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) parts = g_string_new (NULL);
      gsize length = strlen (cases[i].text);

      for (gsize at = 0, part; at < length; at += part)
        {
          part = ww_bpe_split (WW_BPE_CUT_GPT2, cases[i].text + at, length - at, FALSE);
          g_assert_cmpuint (part, >, 0);
          g_string_append_printf (parts, "%s%.*s", at > 0 ? "|" : "", (int) part, cases[i].text + at);
        }
      g_assert_cmpstr (parts->str, ==, cases[i].parts);
    }

  g_assert_cmpuint (ww_bpe_split (WW_BPE_CUT_GPT2, "'s", 2, TRUE), ==, 1);
  g_assert_cmpuint (ww_bpe_split (WW_BPE_CUT_GPT2, "\nx", 2, TRUE), ==, 0);
  g_assert_cmpuint (ww_bpe_split (WW_BPE_CUT_GPT2, "\n\nx", 3, TRUE), ==, 1);
  g_assert_cmpuint (ww_bpe_split (WW_BPE_CUT_GPT2, "\n", 1, TRUE), ==, 1);
}

/* Where tokens stand, what is glued, what is special. */
static void
test_places (void)
{
  static const struct
  {
    const char *text, *display;
    gsize start, end;
    gboolean special, continues;
  } expected[] = {
    { "<s>", "<s>", 0, 0, TRUE, FALSE },
    { "\u0120the", "the", 1, 4, FALSE, FALSE },
    { "\u0120d", "d", 5, 6, FALSE, FALSE },
    { "u", "u", 6, 7, FALSE, TRUE },
    { "c", "c", 7, 8, FALSE, TRUE },
    { "k", "k", 8, 9, FALSE, TRUE },
    { "\u0120", "\u2423", 9, 10, FALSE, TRUE },
    { "</s>", "</s>", 10, 14, TRUE, TRUE },
    { ".", ".", 14, 15, FALSE, TRUE },
    { "</s>", "</s>", 0, 0, TRUE, FALSE },
  };
  g_autoptr (WwTokeniser) tokeniser = open_small ("roberta", WW_FAMILY_ROBERTA);
  g_autoptr (WwTokens) tokens = ww_tokeniser_tokenise (tokeniser, " the duck </s>.", TRUE);

  g_assert_cmpuint (tokens->n, ==, G_N_ELEMENTS (expected));
  for (gsize i = 0; i < tokens->n; i++)
    {
      const WwToken *token = &tokens->tokens[i];

      g_assert_cmpstr (token->text, ==, expected[i].text);
      g_assert_cmpstr (token->display, ==, expected[i].display);
      g_assert_cmpuint (token->start, ==, expected[i].start);
      g_assert_cmpuint (token->end, ==, expected[i].end);
      g_assert_cmpint (token->special, ==, expected[i].special);
      g_assert_cmpint (token->continues, ==, expected[i].continues);
      g_assert_false (token->unknown);
    }
}

/* Any text is written with pieces that, put together, are the text. */
static void
test_any_text (void)
{
  g_autoptr (WwTokeniser) tokeniser = open_small ("gpt2", WW_FAMILY_GPT2);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);

  for (int round = 0; round < 3000; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (GString) bytes = g_string_new (NULL);
      g_autoptr (WwTokens) tokens = NULL;
      int length = g_rand_int_range (random, 1, 60);

      while (length-- > 0)
        {
          int kind = g_rand_int_range (random, 0, 8);
          gunichar c = kind < 4   ? (gunichar) g_rand_int_range (random, 'a', 'i')
                       : kind < 6 ? (gunichar) " \n'\t.st"[g_rand_int_range (random, 0, 7)]
                                  : (gunichar) g_rand_int_range (random, 1, 0x3100);

          g_string_append_unichar (text, c);
        }
      tokens = ww_tokeniser_tokenise (tokeniser, text->str, TRUE);
      for (gsize i = 0; i < tokens->n; i++)
        {
          g_assert_true (ww_bpe_decode (tokens->tokens[i].text, bytes));
          g_assert_cmpstr (tokens->tokens[i].display, !=, "");
        }
      g_assert_cmpmem (bytes->str, bytes->len, text->str, text->len);
    }
}

/* A long run without a space must not take the square of its length. */
static void
test_long_word (void)
{
  g_autoptr (WwTokeniser) tokeniser = open_small ("gpt2", WW_FAMILY_GPT2);
  g_autofree char *text = g_strnfill (1000000, 'e');
  g_autoptr (WwTokens) tokens = ww_tokeniser_tokenise (tokeniser, text, FALSE);

  g_assert_cmpuint (tokens->n, >, 30000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bpe/full-vocabulary", test_full_vocabulary);
  g_test_add_func ("/bpe/small-vocabulary", test_small_vocabulary);
  g_test_add_func ("/bpe/bytes", test_bytes);
  g_test_add_func ("/bpe/display", test_display);
  g_test_add_func ("/bpe/split", test_split);
  g_test_add_func ("/bpe/places", test_places);
  g_test_add_func ("/bpe/any-text", test_any_text);
  g_test_add_func ("/bpe/long-word", test_long_word);
  return g_test_run ();
}

/* How a text is cut into the words of a table. */
#include "test-util.h"
#include "ww-words.h"

typedef struct
{
  const char *text;
  const char *expected; /* tokens joined by " | "; an unknown one has a question mark in front */
} Case;

static const char *const table[] = {
  "the", "u.s.", "don't", "twenty-one", "it", "'s", "do", "n't", ",", ".", "I", "Paris", "NATO",
  "smile", "\u5317\u4eac", "\u6b22\u8fce", "caf\u00e9", "New_York", "is", "!", "well", "-", "known",
  "3.5", "(", ")", NULL
};

static const Case cases[] = {
  { "the smile", "the | smile" },
  { "  the\n\tsmile  ", "the | smile" },
  { "the\u00a0smile", "the | smile" },
  { "The SMILE.", "the | smile | ." },
  { "paris, nato!", "Paris | , | NATO | !" },
  { "i smile", "I | smile" },
  { "U.S.", "u.s." },
  { "the U.S., it", "the | u.s. | , | it" },
  { "don't", "don't" },
  { "don\u2019t", "don't" },
  { "it's", "it | 's" },
  { "it\u2019s", "it | 's" },
  { "isn't", "is | n't" },
  { "doesn't", "?doesn | ?' | ?t" },
  { "twenty-one", "twenty-one" },
  { "well-known", "well | - | known" },
  { "(3.5)", "( | 3.5 | )" },
  { "New_York new_york", "New_York | ?new | ?_ | ?york" },
  { "\u5317\u4eac\u6b22\u8fce\u4f60", "\u5317\u4eac | \u6b22\u8fce | ?\u4f60" },
  { "CAF\u00c9", "caf\u00e9" },
  { "cafe\u0301!", "caf\u00e9 | !" },
  { "zebra the", "?zebra | the" },
  { "", "" },
};

static WwVocab *
make_vocab (const char *unknown)
{
  WwVocab *vocab = ww_vocab_new ();

  for (gsize i = 0; table[i] != NULL; i++)
    g_assert_cmpint (ww_vocab_append (vocab, table[i], strlen (table[i])), ==, WW_VOCAB_NEW);
  if (unknown != NULL)
    ww_vocab_append (vocab, unknown, strlen (unknown));
  return vocab;
}

static char *
join (WwTokens *tokens)
{
  GString *joined = g_string_new (NULL);

  for (gsize i = 0; i < tokens->n; i++)
    g_string_append_printf (joined, "%s%s%s", i > 0 ? " | " : "",
                            tokens->tokens[i].unknown ? "?" : "", tokens->tokens[i].text);

  return g_string_free (joined, FALSE);
}

static void
test_cases (void)
{
  g_autoptr (WwVocab) vocab = make_vocab (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WwTokens) tokens = ww_words_tokenise (vocab, WW_WORD_MARKS_NONE, NULL, cases[i].text);
      g_autofree char *found = join (tokens);

      g_assert_cmpstr (found, ==, cases[i].expected);
      for (gsize k = 0; k < tokens->n; k++)
        {
          const WwToken *token = &tokens->tokens[k];

          g_assert_cmpint (token->has_row, ==, !token->unknown);
          g_assert_cmpuint (token->start, <, token->end);
          g_assert_cmpuint (token->end, <=, strlen (cases[i].text));
          g_assert_true (k == 0 || token->start >= tokens->tokens[k - 1].end);
          g_assert_cmpint (token->continues, ==,
                           k > 0 && token->start == tokens->tokens[k - 1].end);
        }
    }
}

/* With a vector for unknown words, they are rows of the context, and still marked. */
static void
test_unknown_vector (void)
{
  static const char *const names[] = { "<unk>", "[UNK]", "<UNK>" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (WwVocab) vocab = make_vocab (names[i]);
      g_autoptr (WwTokens) tokens = ww_words_tokenise (vocab, WW_WORD_MARKS_NONE, NULL, "zebra");

      g_assert_cmpuint (tokens->n, ==, 1);
      g_assert_true (tokens->tokens[0].unknown);
      g_assert_true (tokens->tokens[0].has_row);
      g_assert_cmpuint (tokens->tokens[0].id, ==, ww_vocab_get_size (vocab) - 1);
      g_assert_cmpstr (tokens->tokens[0].display, ==, "zebra");
    }
}

/* Many words, found again by their bytes; and a long text without white space, which a search for the
 * longest word at every place would not finish before the program's time is up. */
static void
test_many (void)
{
  g_autoptr (WwVocab) vocab = ww_vocab_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (WwTokens) tokens = NULL;
  guint32 id;

  for (guint32 i = 0; i < 200000; i++)
    {
      char word[16];

      g_snprintf (word, sizeof word, "w%u", i * 7919u % 200000u);
      g_assert_cmpint (ww_vocab_append (vocab, word, strlen (word)), ==, WW_VOCAB_NEW);
    }
  g_assert_cmpint (ww_vocab_append (vocab, "w5", 2), ==, WW_VOCAB_DUPLICATE);
  for (guint32 i = 0; i < 200000; i++)
    {
      const char *word = ww_vocab_get (vocab, i);

      g_assert_true (ww_vocab_lookup (vocab, word, strlen (word), &id));
      g_assert_cmpuint (id, ==, i);
    }
  g_assert_false (ww_vocab_lookup (vocab, "w", 1, &id));

  for (int i = 0; i < 10000; i++)
    g_string_append (text, "a.");
  tokens = ww_words_tokenise (vocab, WW_WORD_MARKS_NONE, NULL, text->str);
  g_assert_cmpuint (tokens->n, ==, 20000);
}

/* Vocabularies of pieces that mark where words begin: by the model's marks, shown without them. */
static void
test_marks (void)
{
  static const struct
  {
    WwWordMarks marks;
    const char *pieces; /* between blanks */
    const char *text, *expected, *displayed;
  } marked[] = {
    { WW_WORD_MARKS_SPACE, "\u2581the \u2581d uck s \u2581duck <unk>", "the duck ducks zebra",
      "\u2581the | \u2581duck | \u2581duck | s | ?zebra", "the|duck|duck|s|zebra" },
    { WW_WORD_MARKS_SPACE, "\u2581the \u2581d uck s", "the ducks",
      "\u2581the | \u2581d | uck | s", "the|d|uck|s" },
    { WW_WORD_MARKS_BYTES, "\u0120the \u0120caf \u00c3\u00a9 s the", "the caf\u00e9s",
      "\u0120the | \u0120caf | \u00c3\u00a9 | s", "the|caf|\u00e9|s" },
    { WW_WORD_MARKS_NONE, "the duck", "the ducks", "the | ?ducks", "the|ducks" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (marked); i++)
    {
      g_auto (GStrv) pieces = g_strsplit (marked[i].pieces, " ", -1);
      g_autoptr (WwVocab) vocab = ww_vocab_new ();
      g_autoptr (WwTokens) tokens = NULL;
      g_autoptr (GString) displayed = g_string_new (NULL);
      g_autofree char *found = NULL;

      for (gsize k = 0; pieces[k] != NULL; k++)
        ww_vocab_append (vocab, pieces[k], strlen (pieces[k]));
      g_assert_cmpint (ww_words_guess_marks (vocab), ==, marked[i].marks);
      tokens = ww_words_tokenise (vocab, marked[i].marks, NULL, marked[i].text);
      found = join (tokens);
      g_assert_cmpstr (found, ==, marked[i].expected);
      for (gsize k = 0; k < tokens->n; k++)
        g_string_append_printf (displayed, "%s%s", k > 0 ? "|" : "", tokens->tokens[k].display);
      g_assert_cmpstr (displayed->str, ==, marked[i].displayed);
    }
}

/* Words with white space in them are found as they are written, between other words only; of several the longest. */
static void
test_spaced (void)
{
  static const char *const words[] = { "a", "b", ". . .", "at name@domain.com", "New York", "New York City", "x\u00a0y",
                                       "\u2028", "c\302\205d", " ", "New", "York", "." };
  static const struct
  {
    const char *text;
    const char *tokens; /* between bars */
  } texts[] = {
    { "a at name@domain.com b", "a|at name@domain.com|b" },
    { "(at name@domain.com)", "?(|at name@domain.com|?)" },
    { "a . . . b", "a|. . .|b" },
    { "a . . b", "a|.|.|b" },
    { "New York", "New York" },
    { "New York City", "New York City" },
    { "New York Citywide", "New York|?Citywide" },
    { "New Yorker", "New|?Yorker" },
    { "New  York", "New|York" },
    { "newNew York", "?newNew|York" },
    { "New York, a", "New York|?,|a" },
    { "x\u00a0y", "x\u00a0y" },
    { "a\u00a0b", "a|b" },
    { "a\u2028b", "a|\u2028|b" },
    { "c\302\205d", "c\302\205d" },
    { "a   b", "a|b" },
  };
  g_autoptr (WwVocab) vocab = ww_vocab_new ();
  g_autoptr (WwWholeWords) spaced = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    ww_vocab_append (vocab, words[i], strlen (words[i]));
  spaced = ww_words_find_spaced (vocab);
  g_assert_nonnull (spaced);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (WwTokens) tokens = ww_words_tokenise (vocab, WW_WORD_MARKS_NONE, spaced, texts[i].text);
      g_autoptr (GString) found = g_string_new (NULL);

      for (gsize k = 0; k < tokens->n; k++)
        g_string_append_printf (found, "%s%s%s", k > 0 ? "|" : "", tokens->tokens[k].unknown ? "?" : "",
                                tokens->tokens[k].text);
      g_assert_cmpstr (found->str, ==, texts[i].tokens);
    }
}

static void
test_no_spaced (void)
{
  g_autoptr (WwVocab) vocab = make_vocab (NULL);

  g_assert_null (ww_words_find_spaced (vocab));
}

/* Rows without words, in millions: each has its number, and those that nobody asks for cost nothing. */
static void
test_numbers (void)
{
  static const char *const strange[] = { "", "00", "01", "+1", "-1", "1 ", "1.0", "30000000", "4294967296", "99999999999",
                                         "one", "<unk>" };
  g_autoptr (WwVocab) vocab = ww_vocab_new_numbers (30000000);
  g_autoptr (WwTokens) tokens = ww_words_tokenise (vocab, WW_WORD_MARKS_NONE, NULL, "4095 4096 29999999 30000000");
  g_autofree char *found = join (tokens);
  guint32 id;

  g_assert_true (ww_vocab_is_numbers (vocab));
  g_assert_cmpuint (ww_vocab_get_size (vocab), ==, 30000000);
  for (gsize i = 0; i < 30000000; i += 1234567)
    {
      g_autofree char *expected = g_strdup_printf ("%zu", i);

      g_assert_cmpstr (ww_vocab_get (vocab, i), ==, expected);
      g_assert_true (ww_vocab_lookup (vocab, expected, strlen (expected), &id));
      g_assert_cmpuint (id, ==, i);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (strange); i++)
    g_assert_false (ww_vocab_lookup (vocab, strange[i], strlen (strange[i]), &id));

  g_assert_null (ww_words_find_spaced (vocab));
  g_assert_cmpstr (found, ==, "4095 | 4096 | 29999999 | ?30000000");
  g_assert_null (ww_vocab_new_numbers (G_MAXSIZE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/words/cases", test_cases);
  g_test_add_func ("/words/unknown-vector", test_unknown_vector);
  g_test_add_func ("/words/marks", test_marks);
  g_test_add_func ("/words/many", test_many);
  g_test_add_func ("/words/spaced", test_spaced);
  g_test_add_func ("/words/no-spaced", test_no_spaced);
  g_test_add_func ("/words/numbers", test_numbers);
  return g_test_run ();
}

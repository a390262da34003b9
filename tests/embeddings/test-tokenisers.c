/* tokenizer.json in many variants, against the ids that the tokenizers library of Hugging Face gives for the same
 * files and texts; and what only the other files of a folder say. */
#define _GNU_SOURCE /* memmem */
#include <jansson.h>

#include "changed-folder.h"
#include "ww-set-open.h"
#include "ww-tokeniser.h"

static WwTokeniser *
open_json (json_t *tokenizer, json_t *config, GError **error)
{
  g_autoptr (GBytes) none = g_bytes_new_static ("", 0);
  g_autoptr (WwSource) source = ww_source_new_for_bytes ("tokenizer.json", none);

  return ww_tokeniser_new_for_json (source, tokenizer, config, error);
}

static void
check_text (const WwTokeniser *tokeniser, const char *text, json_t *ids)
{
  g_autoptr (WwTokens) tokens = ww_tokeniser_tokenise (tokeniser, text, TRUE);
  gsize before = 0;

  g_test_message ("%s", text);
  g_assert_cmpuint (tokens->n, ==, json_array_size (ids));
  for (gsize i = 0; i < tokens->n; i++)
    {
      const WwToken *token = &tokens->tokens[i];

      g_assert_cmpuint (token->id, ==, (guint32) json_integer_value (json_array_get (ids, i)));
      if (token->end == 0)
        continue;
      g_assert_cmpuint (token->start, >=, before);
      g_assert_cmpuint (token->end, >=, token->start);
      g_assert_cmpuint (token->end, <=, strlen (text));
      before = token->start;
    }
}

/* One of the two files with what the case changes. */
static json_t *
dup_changed (json_t *root, json_t *entry)
{
  json_t *tokenizer = json_deep_copy (json_object_get (root, json_string_value (json_object_get (entry, "base"))));

  json_object_update (tokenizer, json_object_get (entry, "set"));
  json_object_update (json_object_get (tokenizer, "model"), json_object_get (entry, "model"));
  return tokenizer;
}

static void
test_reference (void)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "reference", "tokenisers.json", NULL);
  json_t *root = json_load_file (path, 0, NULL), *entry, *text;
  size_t index, number;
  guint checked = 0;

  g_assert_nonnull (root);
  json_array_foreach (json_object_get (root, "cases"), index, entry)
    {
      json_t *tokenizer = dup_changed (root, entry), *ids = json_object_get (entry, "ids");
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokeniser) tokeniser = open_json (tokenizer, NULL, &error);

      g_test_message ("case %" G_GSIZE_FORMAT, (gsize) index);
      g_assert_no_error (error);
      json_array_foreach (json_object_get (entry, "texts"), number, text)
        {
          check_text (tokeniser, json_string_value (text), json_array_get (ids, number));
          checked++;
        }
      json_decref (tokenizer);
    }
  json_decref (root);
  g_assert_cmpuint (checked, ==, 840);
}

#define PIECES "{\"[UNK]\": 0, \"[CLS]\": 1, \"[SEP]\": 2, \"to\": 3, \"@@ken\": 4, \"b\": 5, \"To\": 6, \"caf\\u00e9\": 7," \
               " \"cafe\": 8, \"<unk>\": 9}"
#define WORDPIECE(parts, model) "{\"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"}, " parts " \"model\": {\"type\":" \
                                " \"WordPiece\", " model " \"vocab\": " PIECES "}}"
#define UNCASED "\"normalizer\": {\"type\": \"BertNormalizer\", \"lowercase\": true, \"strip_accents\": null},"

typedef struct
{
  const char *json, *config; /* NULL: there is none */
  const char *text, *pieces; /* joined with | */
} Case;

static const Case cases[] = {
  { WORDPIECE (UNCASED, "\"continuing_subword_prefix\": \"@@\","), NULL, "Token b", "to|@@ken|b" },
  { WORDPIECE (UNCASED, "\"unk_token\": \"<unk>\","), NULL, "token b", "<unk>|b" },
  { WORDPIECE (UNCASED, "\"continuing_subword_prefix\": \"@@\", \"max_input_chars_per_word\": 4,"), NULL, "token b",
    "[UNK]|b" },
  { WORDPIECE (UNCASED, ""), NULL, "Caf\u00e9", "cafe" },
  { WORDPIECE (UNCASED, ""), "{\"strip_accents\": false}", "Caf\u00e9", "caf\u00e9" },
  { WORDPIECE (UNCASED, ""), "{\"do_lower_case\": false}", "To Caf\u00e9", "To|[UNK]" },
  { WORDPIECE (UNCASED, ""), "{\"do_lower_case\": false, \"strip_accents\": true}", "To cafe\u0301", "To|cafe" },
  { WORDPIECE (UNCASED, ""), "{}", "To", "to" },
  { WORDPIECE ("", ""), NULL, "To to", "To|to" },
  { WORDPIECE ("\"normalizer\": {\"type\": \"Lowercase\"},", ""), NULL, "Caf\u00e9", "caf\u00e9" },
  { WORDPIECE ("\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [{\"SpecialToken\": {\"id\":"
               " \"[CLS]\", \"type_id\": 0}}, {\"SpecialToken\": {\"id\": \"[SEP]\"}}, {\"Sequence\": {\"id\": \"A\"}}]},", ""),
    NULL, "b", "[CLS]|[SEP]|b" },
};

static void
test_flags (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      json_t *json = json_loads (cases[i].json, 0, NULL);
      json_t *config = cases[i].config != NULL ? json_loads (cases[i].config, 0, NULL) : NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokeniser) tokeniser = NULL;
      g_autoptr (WwTokens) tokens = NULL;
      g_autoptr (GString) pieces = g_string_new (NULL);

      g_assert_nonnull (json);
      tokeniser = open_json (json, config, &error);
      g_assert_no_error (error);
      tokens = ww_tokeniser_tokenise (tokeniser, cases[i].text, TRUE);
      for (gsize k = 0; k < tokens->n; k++)
        g_string_append_printf (pieces, "%s%s", k > 0 ? "|" : "", tokens->tokens[k].text);
      g_assert_cmpstr (pieces->str, ==, cases[i].pieces);
      if (i == 0)
        g_assert_cmpstr (tokens->tokens[1].display, ==, "ken");
      json_decref (json);
      json_decref (config);
    }
}

/* What is not followed is said with the name of the field. */
static void
test_refused (void)
{
  static const struct
  {
    const char *json;
    int code;
    const char *says;
  } refused[] = {
    { WORDPIECE ("\"post_processor\": {\"type\": \"Magic\"},", ""), WW_SET_ERROR_UNSUPPORTED, "\"post_processor\" is of the type \"Magic\"" },
    { WORDPIECE ("\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": []},", ""), WW_SET_ERROR_UNSUPPORTED,
      "\"single\" that does not hold the text" },
    { WORDPIECE ("\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [{\"Sequence\": {\"id\": \"A\","
                 " \"type_id\": 1}}]},", ""), WW_SET_ERROR_UNSUPPORTED, "\"type_id\" other than 0" },
    { WORDPIECE ("\"post_processor\": {\"type\": \"BertProcessing\", \"cls\": [\"<s>\", 1], \"sep\": [\"[SEP]\", 2]},", ""),
      WW_SET_ERROR_MISSING, "a token \"<s>\"" },
    { WORDPIECE ("\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [{\"SpecialToken\": {\"id\": \"X\"}},"
                 " {\"Sequence\": {\"id\": \"A\"}}], \"special_tokens\": {\"X\": {\"ids\": [10]}}},", ""),
      WW_SET_ERROR_MISSING, "an id that is not in the vocabulary" },
    { WORDPIECE ("\"added_tokens\": [{\"id\": 1, \"content\": \"[CLS]\"}, {\"id\": 3}],", ""), WW_SET_ERROR_MALFORMED,
      "each once" },
    { WORDPIECE ("\"added_tokens\": [{\"id\": 10, \"content\": \"\"}],", ""), WW_SET_ERROR_UNSUPPORTED, "1 to 256 bytes" },
    { WORDPIECE ("", "\"max_input_chars_per_word\": 0,"), WW_SET_ERROR_NUMBER, "max_input_chars_per_word" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      json_t *json = json_loads (refused[i].json, 0, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (json);
      g_assert_null (open_json (json, NULL, &error));
      g_assert_error (error, WW_SET_ERROR, refused[i].code);
      test_assert_says (error, refused[i].json, refused[i].says);
      json_decref (json);
    }
}

static WwSet *
open_tokens_only (GError **error)
{
  const WwOpenOptions options = { .tokens_only = TRUE };

  return ww_set_open_argument_full (changed_folder, &options, NULL, NULL, NULL, error);
}

static char *
join_pieces (WwSet *set, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwTokens) tokens = ww_set_tokenise (set, text, TRUE, &error);
  GString *pieces = g_string_new (NULL);

  g_assert_no_error (error);
  for (gsize i = 0; i < tokens->n; i++)
    g_string_append_printf (pieces, "%s%s", i > 0 ? "|" : "", tokens->tokens[i].text);
  return g_string_free (pieces, FALSE);
}

/* Tokens that were added to a vocabulary in a list of lines: in two files, both with ids behind the last piece. */
static void
test_added_files (void)
{
  static const char config[]
    = "{\"do_lower_case\": true, \"added_tokens_decoder\": {\"22\": {\"content\": \"<x>\", \"special\": true}}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autofree char *pieces = NULL;

  changed_folder_restore ("bert-plain");
  changed_folder_remove ("model.safetensors");
  changed_folder_write ("tokenizer_config.json", config, strlen (config));
  changed_folder_write ("added_tokens.json", "{\"NewWord\": 21}", strlen ("{\"NewWord\": 21}"));
  set = open_tokens_only (&error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, 23);
  pieces = join_pieces (set, "love NEWWORD <x>her");
  g_assert_cmpstr (pieces, ==, "[CLS]|love|NewWord|<x>|her|[SEP]");

  g_clear_object (&set);
  changed_folder_write ("added_tokens.json", "{\"NewWord\": 24}", strlen ("{\"NewWord\": 24}"));
  set = open_tokens_only (&error);
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
  test_assert_says (error, "added_tokens.json", "has an id that is another piece's, or leaves a gap");
}

/* Lower case that another program makes before the tokeniser, which minds case. */
static void
test_sentence_config (void)
{
  static const char lower[] = "{\"max_seq_length\": 128, \"do_lower_case\": true}";
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  changed_folder_restore ("bert-plain");
  changed_folder_write ("sentence_bert_config.json", lower, strlen (lower));
  set = ww_set_open_argument (changed_folder, NULL, &error);
  g_assert_no_error (error);
  changed_folder_write ("tokenizer_config.json", "{\"do_lower_case\": false}", strlen ("{\"do_lower_case\": false}"));
  g_clear_object (&set);
  set = ww_set_open_argument (changed_folder, NULL, &error);
  changed_folder_remove ("sentence_bert_config.json");
  g_assert_no_error (error);
  g_assert_true (ww_set_goes_by_numbers (set));
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "\"do_lower_case\" is true"));
}

/* A vocabulary alone: its tokens, and a sentence for all else. */
static void
test_without_weights (void)
{
  static const char *const members[] = { "config.json", "model.safetensors", "tokenizer_config.json" };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  g_autoptr (GArray) layers = NULL;
  g_autofree char *pieces = NULL;

  changed_folder_restore ("gpt2");
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    changed_folder_remove (members[i]);
  g_assert_null (ww_set_open_argument (changed_folder, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING);
  test_assert_says (error, "folder", "a vocabulary without config.json and weights");
  g_clear_error (&error);

  set = open_tokens_only (&error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "no vectors"));
  pieces = join_pieces (set, "the the");
  g_assert_cmpstr (pieces, ==, "t|he|\u0120the");
  layers = ww_set_get_layers (set);
  g_assert_cmpuint (layers->len, ==, 0);
  tokens = ww_set_tokenise (set, "the", TRUE, &error);
  g_assert_null (ww_set_get_context (set, tokens, WW_LAYER_WORD, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
  test_assert_says (error, "context", "a vocabulary without weights");
  g_clear_error (&error);
  g_assert_null (ww_set_get_trained_attention (set, tokens, 1, 0, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
}

/* A table by its usual name, with the files of its vocabulary beside it: the model's tokeniser, or a remark. */
static void
test_bare_table (void)
{
  g_autofree char *path = g_build_filename (changed_folder, "model.safetensors", NULL);
  g_autoptr (GString) vocab = changed_folder_original ("gpt2", "vocab.json");
  g_autofree char *unknown_cut = g_strdup_printf ("{\"pre_tokenizer\": {\"type\": \"Metaspace\"}, \"model\": {\"type\":"
                                                  " \"BPE\", \"merges\": [], \"vocab\": %s}}", vocab->str);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autofree char *pieces = NULL;

  changed_folder_restore ("gpt2");
  changed_folder_remove ("config.json");
  set = ww_set_open_argument (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ww_set_get_kind (set), ==, WW_SET_KIND_WORDS);
  g_assert_true (ww_set_spells_words (set));
  g_assert_cmpstr (ww_set_get_warnings (set), ==, NULL);
  pieces = join_pieces (set, "the duck said");
  g_assert_cmpstr (pieces, ==, "t|he|\u0120d|u|c|k|\u0120said");

  g_clear_object (&set);
  changed_folder_write ("tokenizer.json", unknown_cut, strlen (unknown_cut));
  set = ww_set_open_argument (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "own tokeniser is not followed"));
  g_assert_false (ww_set_spells_words (set));
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "\"pre_tokenizer\" is not followed (Metaspace)"));
}

/* Random rows are for words that a table lacks; a checkpoint says so and keeps its own vector. */
static void
test_random_rows (void)
{
  const WwOpenOptions options = { .unknown = WW_UNKNOWN_RANDOM, .seed = 3 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autoptr (WwTokens) tokens = NULL;

  changed_folder_restore ("bert-plain");
  set = ww_set_open_argument_full (changed_folder, &options, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "Random rows are for tables of words"));
  tokens = ww_set_tokenise (set, "love zzz", FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (tokens->tokens[1].unknown);
  g_assert_cmpuint (tokens->tokens[1].id, ==, 1);
}

/* The lengths at which other programs cut a text are named; nothing is cut or filled up by them. */
static void
test_lengths (void)
{
  static const struct
  {
    const char *base, *member, *bytes, *list; /* list NULL: nothing is said */
  } lengths[] = {
    { "bert-plain", "tokenizer_config.json", "{\"model_max_length\": 16}", NULL },
    { "bert-plain", "tokenizer_config.json", "{\"model_max_length\": 15}", "15 tokens (tokenizer_config.json)" },
    { "bert-plain", "tokenizer_config.json", "{\"model_max_length\": 1000000000000000019884624838656}", NULL },
    { "bert-plain", "tokenizer_config.json", "{\"model_max_length\": null}", NULL },
    { "bert-plain", "tokenizer_config.json", "{\"model_max_length\": \"8\"}", NULL },
    { "bert-plain", "tokenizer_config.json", "{\"model_max_length\": -8}", NULL },
    { "bert-plain", "sentence_bert_config.json", "{\"max_seq_length\": 8}", "8 tokens (sentence_bert_config.json)" },
    { "bert-plain", "sentence_bert_config.json", "{\"max_seq_length\": null, \"do_lower_case\": false}", NULL },
    { "roberta", "sentence_roberta_config.json", "{\"max_seq_length\": 1}", "1 token (sentence_roberta_config.json)" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = NULL;
      g_autofree char *note = NULL, *at_length = NULL, *expected = NULL;

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      changed_folder_restore (lengths[i].base);
      changed_folder_change (lengths[i].base, lengths[i].member, NULL, lengths[i].bytes);
      set = ww_set_open_argument (changed_folder, NULL, &error);
      g_assert_no_error (error);
      note = ww_set_dup_cut_note (set, 1000, 0);
      if (lengths[i].list == NULL)
        {
          g_assert_null (note);
          continue;
        }
      expected = g_strdup_printf ("The tokeniser's own files cut texts at %s; Wordsway keeps up to %" G_GSIZE_FORMAT
                                  " (the positions of the model)", lengths[i].list, ww_set_get_max_tokens (set, 0));
      g_assert_cmpstr (note, ==, expected);
      at_length = ww_set_dup_cut_note (set, g_ascii_strtoull (lengths[i].list, NULL, 10), 0);
      g_assert_null (at_length);
    }
}

/* Numbers that no integer holds stand in files of every kind; that they are there is no reason to refuse a set. */
static void
test_large_numbers (void)
{
  static const struct
  {
    const char *text, *says; /* says NULL: it is valid */
  } numbers[] = {
    { "{\"a\": 1000000000000000019884624838656}", NULL },
    { "[-1000000000000000019884624838656, 99999999999999999999]", NULL },
    { "[\"\\\"99999999999999999999\", 99999999999999999999]", NULL },
    { "[1.99999999999999999999, 0.5e10, 99999999999999999999.5, 99999999999999999999]", NULL },
    { "[99999999999999999999, x]", "line 1, column 24" },
    { "[1e999, 99999999999999999999]", "real number overflow" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (numbers[i].text, strlen (numbers[i].text));
      g_autoptr (WwSource) source = ww_source_new_for_bytes ("numbers", bytes);
      g_autoptr (GError) error = NULL;
      g_autoptr (json_t) root = ww_json_load (source, 1000, &error);

      g_test_message ("%s", numbers[i].text);
      if (numbers[i].says == NULL)
        g_assert_no_error (error);
      else
        {
          g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
          test_assert_says (error, "numbers", numbers[i].says);
        }
      if (i == 0)
        g_assert_cmpfloat_with_epsilon (json_number_value (json_object_get (root, "a")), 1e30, 1e15);
    }
}

int
main (int argc, char **argv)
{
  int status;

  changed_folder_begin ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tokenisers/reference", test_reference);
  g_test_add_func ("/tokenisers/flags", test_flags);
  g_test_add_func ("/tokenisers/refused", test_refused);
  g_test_add_func ("/tokenisers/added-files", test_added_files);
  g_test_add_func ("/tokenisers/sentence-config", test_sentence_config);
  g_test_add_func ("/tokenisers/without-weights", test_without_weights);
  g_test_add_func ("/tokenisers/bare-table", test_bare_table);
  g_test_add_func ("/tokenisers/random-rows", test_random_rows);
  g_test_add_func ("/tokenisers/lengths", test_lengths);
  g_test_add_func ("/tokenisers/large-numbers", test_large_numbers);
  status = g_test_run ();
  changed_folder_end ();
  return status;
}

/* Checkpoint folders that differ from a good one in a single place: what each says. */
#define _GNU_SOURCE /* memmem */
#include "changed-folder.h"
#include "ww-preview.h"

#define OPENS -1
#define E(name) WW_SET_ERROR_##name

typedef struct
{
  const char *member; /* the file that is changed */
  const char *find;   /* this is replaced; NULL: the whole file is */
  const char *replacement; /* NULL: the file is deleted */
  int code;           /* -1: opens */
  const char *says;   /* in the error or in the warnings */
} Case;

static const Case cases[] = {
  { "config.json", NULL, NULL, OPENS, "Only the table of word vectors can be had: there is no config.json" },
  { "config.json", NULL, "", E (EMPTY), "config.json: the file is empty" },
  { "config.json", NULL, "[]", E (MALFORMED), "JSON object" },
  { "config.json", NULL, "{", E (MALFORMED), "line 1, column 1" },
  { "config.json", NULL, "{\"a\": 1, \"a\": 2}", E (MALFORMED), "duplicate" },
  { "config.json", NULL, "{}", E (MISSING), "model_type" },
  { "config.json", "\"bert\"", "\"t5\"", OPENS, "Only the table of word vectors can be had: " },
  { "config.json", "\"hidden_size\": 16", "\"hidden_size\": 8", E (SHAPE), "rows of 8" },
  { "config.json", "\"hidden_size\": 16", "\"hidden_size\": 0", E (NUMBER), "\"hidden_size\" is 0" },
  { "config.json", "\"hidden_size\": 16", "\"hidden_size\": -1", E (NUMBER), "is -1" },
  { "config.json", "\"hidden_size\": 16", "\"hidden_size\": \"16\"", E (NUMBER), "is \"16\"" },
  { "config.json", "\"hidden_size\": 16", "\"hidden_size\": 1e9", E (NUMBER), "hidden_size" },
  { "config.json", "\"hidden_size\"", "\"size\"", E (MISSING), "\"hidden_size\" is missing" },
  { "config.json", "\"num_attention_heads\": 4", "\"num_attention_heads\": 3", E (SHAPE),
    "no multiple" },
  { "config.json", "\"layer_norm_eps\": 1e-12", "\"layer_norm_eps\": \"x\"", E (NUMBER),
    "layer_norm_eps" },
  { "config.json", "\"vocab_size\": 21", "\"vocab_size\": 20", E (SHAPE), "says 20" },
  { "vocab.txt", NULL, NULL, E (MISSING), "without vocab.txt" },
  { "vocab.txt", NULL, "", E (EMPTY), "vocab.txt" },
  { "vocab.txt", "say", "say\nmore", E (SHAPE), "22 pieces, the word embeddings have 21 rows" },
  { "vocab.txt", "say", "say\n\n\n", OPENS, "" },
  { "vocab.txt", "say", "\nsay", E (SHAPE), "22 pieces, the word embeddings have 21 rows" },
  { "vocab.txt", "\nsay", "", OPENS, "20 pieces for 21 rows" },
  { "vocab.txt", "[UNK]", "[unk]", E (MISSING), "[UNK]" },
  { "vocab.txt", "[CLS]", "\xff", E (MALFORMED), "line 3" },
  { "tokenizer_config.json", NULL, "{\"word_tokenizer_type\": \"mecab\"}", OPENS, "\"mecab\", which is not followed" },
  { "tokenizer_config.json", NULL, "{\"word_tokenizer_type\": \"basic\"}", OPENS, "" },
  { "tokenizer_config.json", NULL, "{\"do_basic_tokenize\": false}", OPENS, "\"do_basic_tokenize\"" },
  { "tokenizer_config.json", NULL, "{\"cls_token\": \"[SEP]\"}", OPENS, "\"cls_token\" in tokenizer_config.json is \"[SEP]\"" },
  { "tokenizer_config.json", NULL, "{\"unk_token\": {\"content\": \"[MASK]\"}}", OPENS, "\"unk_token\"" },
  { "tokenizer_config.json", NULL, "{\"sep_token\": 7}", OPENS, "\"sep_token\" in tokenizer_config.json is \"?\"" },
  { "tokenizer_config.json", NULL, "{\"cls_token\": {\"content\": \"[CLS]\"}, \"unk_token\": null}", OPENS, "" },
  { "tokenizer_config.json", NULL, "{\"do_lower_case\": \"no\"}", E (MALFORMED), "\"do_lower_case\" in tokenizer_config.json" },
  { "tokenizer_config.json", NULL, "[]", E (MALFORMED), "no JSON object" },
  { "tokenizer_config.json", NULL, "{", E (MALFORMED), "tokenizer_config.json" },
  { "tokenizer_config.json", NULL, NULL, OPENS, "" },
  { "model.safetensors", NULL, NULL, E (MISSING), "without model.safetensors" },
  { "model.safetensors", "\"embeddings.word_embeddings.weight\":{\"dtype\":\"F32\"",
    "\"embeddings.word_embeddings.weight\":{\"dtype\":\"I32\"", E (REFUSED), "I32" },
  { "model.safetensors", "embeddings.word_embeddings.weight", "embeddings.word_embeddinks.weight",
    E (MISSING), "embeddings.word_embeddings.weight" },
  { "model.safetensors", "embeddings.position_embeddings.weight",
    "embeddings.position_embeddinks.weight", OPENS, "Of the 2 layers that config.json names, 0 can be had: tensor" },
  { "config.json", "\"is_decoder\": false", "\"is_decoder\": true", OPENS, "a token sees only itself" },
  { "config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 5", OPENS,
    "Of the 5 layers that config.json names, 2 can be had: tensor \"encoder.layer.2." },
  { "config.json", "\"model_type\"", "\"model_typ\"", OPENS, "config.json has no \"model_type\"; by its other keys it is" },
  { "config.json", "\"model_type\": \"bert\"", "\"embedding_size\": 8", E (MISSING), "neither \"model_type\"" },
  { "config.json", "{", "\xef\xbb\xbf{", OPENS, "" },
  { "tokenizer_config.json", NULL, "\xef\xbb\xbf{}", OPENS, "" },
  { "tokenizer_config.json", NULL, "\xef\xbb\xbf{x", E (MALFORMED), "line 1, column 5" },
  { "config.json", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gelu_accurate\"", OPENS, "" },
  { "config.json", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gelu_python_tanh\"", OPENS, "" },
  { "config.json", "\"model_type\"", "\"position_embedding_type\": \"relative_key\",\"model_type\"", OPENS,
    "\"position_embedding_type\" is \"relative_key\" in config.json" },
  { "config.json", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"silu\"", OPENS,
    "Of the 2 layers that config.json names, 0 can be had: \"hidden_act\" is \"silu\"" },
};

#define BASE "bert-plain"

static void
restore (void)
{
  changed_folder_restore (BASE);
}

static void
apply (const Case *change)
{
  changed_folder_change (BASE, change->member, change->find, change->replacement);
}

static void
test_case (gconstpointer data)
{
  const Case *change = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  restore ();
  apply (change);
  set = ww_set_open_argument (changed_folder, NULL, &error);
  if (change->code != OPENS)
    {
      g_assert_null (set);
      g_assert_error (error, WW_SET_ERROR, change->code);
      test_assert_says (error, change->member, change->says);
      return;
    }

  g_assert_no_error (error);
  if (*change->says != '\0')
    g_assert_nonnull (strstr (ww_set_get_warnings (set), change->says));
  else
    g_assert_cmpstr (ww_set_get_warnings (set), ==, NULL);
}

/* Without positions, or with other ones than absolute ones, the word vectors are still there. */
static void
test_fewer_views (void)
{
  static const Case changes[] = {
    { "model.safetensors", "embeddings.position_embeddings.weight",
      "embeddings.position_embeddinks.weight" },
    { "config.json", "\"model_type\"", "\"position_embedding_type\": \"relative_key\",\"model_type\"" },
    { "model.safetensors", "embeddings.LayerNorm.bias", "embeddings.LayerNorn.bias" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSet) set = NULL;
      g_autoptr (GArray) layers = NULL;
      g_autoptr (WwTokens) tokens = NULL;
      g_autoptr (WwMatrix) words = NULL;

      restore ();
      apply (&changes[i]);
      set = ww_set_open_argument (changed_folder, NULL, &error);
      g_assert_no_error (error);
      layers = ww_set_get_layers (set);
      g_assert_cmpuint (layers->len, ==, 1);
      g_assert_cmpint (ww_set_get_default_layer (set), ==, WW_LAYER_WORD);
      tokens = ww_set_tokenise (set, "I love her", TRUE, &error);
      g_assert_no_error (error);
      words = ww_set_get_context (set, tokens, WW_LAYER_WORD, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (words->rows, ==, 5);

      g_assert_null (ww_set_get_context (set, tokens, 0, &error));
      g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
      g_clear_error (&error);
      g_assert_null (ww_set_get_trained_attention (set, tokens, 1, -1, &error));
      g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED);
    }
}

/* Of a model that is not computed there is still the table of its words, by their own tokeniser. */
static void
open_table (const char *base, const char *kind, const char *tensor, const char *other_tensor, gsize rows)
{
  g_autofree char *path = g_build_filename (changed_folder, "model.safetensors", NULL);
  const WwOpenOptions none = { NULL }, other = { other_tensor };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL, file = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  g_autoptr (WwPreview) preview = NULL;
  g_autoptr (GFile) folder = g_file_new_for_path (changed_folder);

  changed_folder_restore (base);
  changed_folder_change (base, "config.json", kind, "\"model_type\": \"llama\"");
  set = ww_set_open_argument (changed_folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (ww_set_get_name (set), tensor));
  g_assert_nonnull (strstr (ww_set_get_warnings (set), "a checkpoint of the family \"llama\""));
  g_assert_true (ww_set_spells_words (set));
  tokens = ww_set_tokenise (set, "love", TRUE, &error);
  g_assert_no_error (error);
  preview = ww_set_preview (folder, &none, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (preview->guessed);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;

  file = ww_set_open_argument (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (ww_set_get_name (file), ==, ww_set_get_name (set));
  /* Another tensor can be chosen, of the folder too. */
  g_clear_object (&set);
  set = ww_set_open_full (folder, &other, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, rows);
  g_assert_null (ww_set_get_warnings (set));
}

static void
test_table_of_other_family (void)
{
  open_table (BASE, "\"model_type\": \"bert\"", ", embeddings.word_embeddings.weight",
              "embeddings.position_embeddings.weight", 16);
  open_table ("gpt2", "\"model_type\": \"gpt2\"", "wte.weight", "wpe.weight", 32);
}

/* A table without a model, as sentence-transformers keeps it, and one whose name says nothing beside a tokeniser that
 * has a piece for each of its rows. */
static void
test_static_tables (void)
{
  static const char modules[] = "[{\"path\": \"\", \"type\": \"sentence_transformers.models.StaticEmbedding\"}]";
  const WwOpenOptions other = { "embeddings.word_embeddinks.weight" };
  g_autoptr (GFile) folder = g_file_new_for_path (changed_folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  restore ();
  changed_folder_remove ("config.json");
  changed_folder_write ("modules.json", modules, strlen (modules));
  set = ww_set_open_argument (changed_folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ww_set_spells_words (set));
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, 21);

  changed_folder_change (BASE, "model.safetensors", "embeddings.word_embeddings.weight", other.member);
  g_clear_object (&set);
  set = ww_set_open_full (folder, &other, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ww_set_spells_words (set));
  g_assert_cmpstr (ww_set_get_list_name (set), ==, "vocab.txt, tokenizer_config.json");
}

/* The last values of the file belong to some tensor of the second block; the first to the embeddings
 * or their LayerNorm: a NaN there is found when it is used, with row and column. */
static void
test_not_finite (void)
{
  g_autoptr (GString) bytes = changed_folder_original (BASE, "model.safetensors");
  g_autoptr (GFile) file = g_file_new_for_path (changed_folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  guint64 header;
  char *entry, *offsets;
  guint64 begin;
  const guint32 nan_bits = GUINT32_TO_LE (0x7fc00000), id = 8;

  memcpy (&header, bytes->str, sizeof header);
  entry = g_strstr_len (bytes->str + 8, (gssize) header, "embeddings.word_embeddings.weight");
  g_assert_nonnull (entry);
  offsets = strstr (entry, "\"data_offsets\":[") + strlen ("\"data_offsets\":[");
  begin = g_ascii_strtoull (offsets, NULL, 10);
  memcpy (bytes->str + 8 + header + begin + (id * 16 + 3) * 4, &nan_bits, sizeof nan_bits);

  restore ();
  changed_folder_write ("model.safetensors", bytes->str, bytes->len);
  set = ww_set_open (file, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  tokens = ww_set_tokens_from_ids (set, &id, 1, &error);
  g_assert_null (ww_set_get_context (set, tokens, 0, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NON_FINITE);
  test_assert_says (error, "nan", "row 8, column 3");
  test_assert_says (error, "nan", "\"embeddings.word_embeddings.weight\"");
}

/* A hundred thousand brackets must not end the program. */
static void
test_nested (void)
{
  g_autofree char *brackets = g_strnfill (100000, '[');
  g_autofree char *content = g_strconcat ("{\"a\":", brackets, NULL);
  g_autoptr (GError) error = NULL;

  restore ();
  changed_folder_write ("config.json", content, strlen (content));
  g_assert_null (ww_set_open_argument (changed_folder, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
  test_assert_says (error, "nested", "depth");
}

/* Weights that are there only as a pickle, and an index that points out of the folder. */
static void
test_other_weights (void)
{
  static const struct
  {
    const char *name, *content;
    int code;
    const char *says;
  } files[] = {
    { "pytorch_model.bin", "\x80\x02}q\1.", E (REFUSED),
      "('out', safe_serialization=True); T.from_pretrained('.').save_pretrained('out')" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"../model.safetensors\"}}",
      E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"..\"}}", E (MALFORMED),
      "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"/etc/passwd\"}}", E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"part/../../x\"}}", E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"part/..\"}}", E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"part/\"}}", E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"part/x\"}}", E (NOT_FOUND), "part/x" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"part\\\\x\"}}", E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"\"}}", E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": 5}}", E (MALFORMED), "same folder" },
    { "model.safetensors.index.json", "{\"weight_map\": {\"a\": \"none.safetensors\"}}",
      E (NOT_FOUND), "none.safetensors" },
    { "model.safetensors.index.json", "{\"weight_map\": {}}", E (MISSING), "weight_map" },
    { "model.safetensors.index.json", "{}", E (MISSING), "weight_map" },
    { "model.safetensors.index.json", "[1]", E (MISSING), "weight_map" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;

      restore ();
      changed_folder_remove ("model.safetensors");
      changed_folder_write (files[i].name, files[i].content, strlen (files[i].content));
      g_assert_null (ww_set_open_argument (changed_folder, NULL, &error));
      changed_folder_remove (files[i].name);
      g_assert_error (error, WW_SET_ERROR, files[i].code);
      test_assert_says (error, files[i].content, files[i].says);
    }
}

#define SHARD "model-00001-of-00002.safetensors"
#define OTHER_SHARD "model-00002-of-00002.safetensors"

/* A folder with the two shards of the small checkpoint, the first by whatever way `place` makes it. */
static GError *
open_shards (const char *folder, const char *target, gboolean is_folder)
{
  static const char *const members[] = { "config.json", "vocab.txt", "tokenizer_config.json",
                                         "model.safetensors.index.json", OTHER_SHARD };
  g_autofree char *shard = g_build_filename (folder, SHARD, NULL);
  GError *error = NULL;
  g_autoptr (WwSet) set = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (folder, members[i], NULL);
      GString *bytes = changed_folder_original ("bert-sharded", members[i]);

      test_write_file (path, bytes->str, bytes->len);
      g_string_free (bytes, TRUE);
    }
  if (is_folder)
    g_assert_cmpint (g_mkdir (shard, 0700), ==, 0);
  else
    g_assert_cmpint (symlink (target, shard), ==, 0);

  set = ww_set_open_argument (folder, NULL, &error);
  g_assert_true ((set == NULL) == (error != NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (folder, members[i], NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_remove (shard), ==, 0);
  return error;
}

/* A folder of links that all lead into one other folder is the checkpoint in that folder; only its index decides which
 * folder that is. */
static void
test_folder_of_links (void)
{
  static const char *const members[] = { "config.json", "vocab.txt", "model.safetensors.index.json", SHARD, OTHER_SHARD };
  g_autofree char *folder = g_dir_make_tmp ("wordsway-links-XXXXXX", NULL);
  g_autofree char *data = g_canonicalize_filename (WW_TEST_DATA_DIR, NULL);
  g_autofree char *index = g_build_filename (folder, members[2], NULL);
  GString *bytes = changed_folder_original ("bert-sharded", members[2]);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *link = g_build_filename (folder, members[i], NULL);
      g_autofree char *target = g_build_filename (data, "data", "embeddings", "checkpoints", "bert-sharded", members[i],
                                                  NULL);

      g_assert_cmpint (symlink (target, link), ==, 0);
    }
  set = ww_set_open_argument (folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_dims (set), ==, 16);

  g_unlink (index);
  test_write_file (index, bytes->str, bytes->len);
  g_string_free (bytes, TRUE);
  g_assert_null (ww_set_open_argument (folder, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
  test_assert_says (error, "links", "Put the files themselves there, in place of links");
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *link = g_build_filename (folder, members[i], NULL);

      g_unlink (link);
    }
  g_rmdir (folder);
}

/* Links: inside of the folder, out of it, to nothing, to a folder; and those of a cache of downloads. */
static void
test_shard_links (void)
{
  g_autofree char *outer = g_dir_make_tmp ("wordsway-shards-XXXXXX", NULL);
  g_autofree char *inner = g_build_filename (outer, "checkpoint", NULL);
  g_autofree char *inside = g_build_filename (inner, "first", NULL), *outside = g_build_filename (outer, "first", NULL);
  g_autofree char *blobs = g_build_filename (outer, "blobs", NULL);
  g_autofree char *snapshots = g_build_filename (outer, "snapshots", NULL);
  g_autofree char *snapshot = g_build_filename (snapshots, "0123", NULL), *blob = g_build_filename (blobs, "ab", NULL);
  GString *bytes = changed_folder_original ("bert-sharded", SHARD);
  GError *error;

  g_assert_true (g_mkdir (inner, 0700) == 0 && g_mkdir (blobs, 0700) == 0 && g_mkdir (snapshots, 0700) == 0
                 && g_mkdir (snapshot, 0700) == 0);
  test_write_file (inside, bytes->str, bytes->len);
  test_write_file (outside, bytes->str, bytes->len);
  test_write_file (blob, bytes->str, bytes->len);
  g_assert_no_error (open_shards (inner, "first", FALSE));
  g_assert_no_error (open_shards (snapshot, "../../blobs/ab", FALSE));

  error = open_shards (inner, "../first", FALSE);
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
  test_assert_says (error, "link", "\"" SHARD "\" is a link that leads out of the folder");
  g_clear_error (&error);
  error = open_shards (inner, "../blobs/ab", FALSE);
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
  g_clear_error (&error);
  error = open_shards (inner, "nothing", FALSE);
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_FOUND);
  g_clear_error (&error);
  error = open_shards (inner, NULL, TRUE);
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_A_FILE);
  g_clear_error (&error);

  g_string_free (bytes, TRUE);
  g_assert_true (g_unlink (inside) == 0 && g_unlink (outside) == 0 && g_unlink (blob) == 0);
  g_assert_true (g_rmdir (snapshot) == 0 && g_rmdir (snapshots) == 0 && g_rmdir (blobs) == 0 && g_rmdir (inner) == 0
                 && g_rmdir (outer) == 0);
}

/* A shard may lie in a folder below that of the index, which is in it and no link out of it. */
static void
test_shard_below (void)
{
  g_autofree char *outer = g_dir_make_tmp ("wordsway-below-XXXXXX", NULL);
  g_autofree char *inner = g_build_filename (outer, "checkpoint", NULL), *below = g_build_filename (inner, "w", NULL);
  g_autofree char *outside = g_build_filename (outer, "w", NULL), *first = g_build_filename (below, SHARD, NULL);
  g_autofree char *index = g_build_filename (inner, "model.safetensors.index.json", NULL);
  g_autoptr (GString) paths = changed_folder_original ("bert-sharded", "model.safetensors.index.json");
  g_autoptr (GString) bytes = changed_folder_original ("bert-sharded", SHARD);
  static const char *const members[] = { "config.json", "vocab.txt", "tokenizer_config.json", OTHER_SHARD };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  g_assert_true (g_mkdir (inner, 0700) == 0 && g_mkdir (below, 0700) == 0);
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (inner, members[i], NULL);
      g_autoptr (GString) member = changed_folder_original ("bert-sharded", members[i]);

      test_write_file (path, member->str, member->len);
    }
  test_write_file (first, bytes->str, bytes->len);
  g_string_replace (paths, SHARD, "w/" SHARD, 0);
  test_write_file (index, paths->str, paths->len);
  set = ww_set_open_argument (inner, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_dims (set), ==, 16);
  g_clear_object (&set);

  /* The same path, where the folder below is a link to one outside. */
  g_assert_true (g_rename (below, outside) == 0 && symlink ("../w", below) == 0);
  g_assert_null (ww_set_open_argument (inner, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
  test_assert_says (error, "w", "is a link that leads out of the folder");

  g_assert_true (g_unlink (below) == 0 && g_rename (outside, below) == 0 && g_unlink (first) == 0
                 && g_rmdir (below) == 0 && g_unlink (index) == 0);
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autofree char *path = g_build_filename (inner, members[i], NULL);

      g_unlink (path);
    }
  g_assert_true (g_rmdir (inner) == 0 && g_rmdir (outer) == 0);
}

/* The vocabulary in tokenizer.json alone, and its flags. */
static void
test_tokenizer_json (void)
{
  g_autoptr (GString) vocab = changed_folder_original (BASE, "vocab.txt");
  g_auto (GStrv) pieces = g_strsplit (g_strchomp (vocab->str), "\n", -1);
  g_autoptr (GString) json = g_string_new ("{\"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"},"
                                           " \"normalizer\": {\"type\": \"BertNormalizer\","
                                           " \"lowercase\": false}, \"model\":"
                                           " {\"type\": \"WordPiece\", \"vocab\": {");
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;
  g_autoptr (WwTokens) tokens = NULL;

  for (gsize i = 0; pieces[i] != NULL; i++)
    g_string_append_printf (json, "%s\"%s\": %" G_GSIZE_FORMAT, i > 0 ? ", " : "", pieces[i], i);
  g_string_append (json, "}}}");

  restore ();
  changed_folder_remove ("vocab.txt");
  changed_folder_remove ("tokenizer_config.json");
  changed_folder_write ("tokenizer.json", json->str, json->len);
  set = ww_set_open_argument (changed_folder, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_n_entries (set), ==, 21);
  tokens = ww_set_tokenise (set, "love LOVE ducks", FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tokens->n, ==, 4);
  g_assert_cmpstr (tokens->tokens[0].text, ==, "love");
  g_assert_true (tokens->tokens[1].unknown);
  g_assert_cmpstr (tokens->tokens[3].text, ==, "##s");

  /* The same id twice. */
  g_string_truncate (json, json->len - strlen ("20}}}"));
  g_string_append (json, "19}}}");
  changed_folder_write ("tokenizer.json", json->str, json->len);
  g_clear_object (&set);
  set = ww_set_open_argument (changed_folder, NULL, &error);
  changed_folder_remove ("tokenizer.json");
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MALFORMED);
}

/* Older sentence-transformers: the checkpoint is in a part of the folder. */
static void
test_modules (void)
{
  static const char good[] = "[{\"path\": \"0_Transformer\","
                             " \"type\": \"sentence_transformers.models.Transformer\"}]";
  static const char bad[] = "[{\"path\": \"../secret\","
                            " \"type\": \"sentence_transformers.models.Transformer\"}]";
  g_autofree char *outer = g_dir_make_tmp ("wordsway-folders-XXXXXX", NULL);
  g_autofree char *list = g_build_filename (outer, "modules.json", NULL);
  g_autofree char *part = g_build_filename (outer, "0_Transformer", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = NULL;

  restore ();
  g_assert_cmpint (symlink (changed_folder, part), ==, 0);
  test_write_file (list, good, strlen (good));
  set = ww_set_open_argument (outer, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_dims (set), ==, 16);
  g_clear_object (&set);
  set = ww_set_open_argument (list, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_set_get_dims (set), ==, 16);

  test_write_file (list, bad, strlen (bad));
  g_assert_null (ww_set_open_argument (outer, NULL, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING);
  g_unlink (list);
  g_unlink (part);
  g_assert_cmpint (g_rmdir (outer), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  changed_folder_begin ();
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdup_printf ("/folders/case-%02" G_GSIZE_FORMAT, i + 1);

      g_test_add_data_func (name, &cases[i], test_case);
    }
  g_test_add_func ("/folders/fewer-views", test_fewer_views);
  g_test_add_func ("/folders/table-of-other-family", test_table_of_other_family);
  g_test_add_func ("/folders/static-tables", test_static_tables);
  g_test_add_func ("/folders/not-finite", test_not_finite);
  g_test_add_func ("/folders/nested", test_nested);
  g_test_add_func ("/folders/other-weights", test_other_weights);
  g_test_add_func ("/folders/shard-links", test_shard_links);
  g_test_add_func ("/folders/shard-below", test_shard_below);
  g_test_add_func ("/folders/folder-of-links", test_folder_of_links);
  g_test_add_func ("/folders/tokenizer-json", test_tokenizer_json);
  g_test_add_func ("/folders/modules", test_modules);
  status = g_test_run ();

  changed_folder_end ();
  return status;
}

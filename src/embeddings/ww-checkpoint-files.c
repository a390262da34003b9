#include "ww-checkpoint-files.h"

#include <string.h>

#include "ww-jansson.h"
#include "ww-set.h"

#define MAX_CONFIG_BYTES (16 * 1024 * 1024)
#define MAX_VOCAB_BYTES (256 * 1024 * 1024)
#define MAX_HEADS 4096
#define MAX_BLOCKS 4096

/* NULL with an error, or NULL without one where the file does not exist. */
static WwSource *
open_child (GFile *folder, const char *name, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);

  return g_file_query_exists (file, NULL) ? ww_source_open (file, error) : NULL;
}

/* An object in a file of the folder; `*ret_object` stays NULL where there is no such file. */
static gboolean
load_optional (GFile *folder, const char *name, gsize limit, WwSource **ret_source,
               json_t **ret_root, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (WwSource) source = open_child (folder, name, &local);
  json_t *root;

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (source == NULL)
    return TRUE;

  root = ww_json_load (source, limit, error);
  if (root == NULL)
    return FALSE;

  *ret_root = root;
  if (ret_source != NULL)
    *ret_source = g_steal_pointer (&source);
  return TRUE;
}

static gboolean
has_config (GFile *folder)
{
  g_autoptr (GFile) config = g_file_get_child (folder, "config.json");

  return g_file_query_exists (config, NULL);
}

/* The path of the transformer among the modules of a sentence-transformers folder. */
static const char *
find_module_path (json_t *modules)
{
  json_t *module;
  size_t index;

  json_array_foreach (modules, index, module)
    {
      const char *type = ww_json_get_string (module, "type");
      const char *path = ww_json_get_string (module, "path");

      if (type != NULL && path != NULL && g_str_has_suffix (type, ".Transformer"))
        return path;
    }

  return NULL;
}

GFile *
ww_checkpoint_find_folder (GFile *folder, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (folder);
  g_autoptr (WwSource) source = NULL;
  g_autoptr (json_t) modules = NULL;
  g_autoptr (GFile) part = NULL;
  const char *path;

  if (has_config (folder))
    return g_object_ref (folder);
  if (!load_optional (folder, "modules.json", MAX_CONFIG_BYTES, &source, &modules, error))
    return NULL;
  if (modules == NULL)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_A_FILE,
                   "%s: a folder without config.json, so it is no checkpoint; choose a file, or the"
                   " folder that holds config.json, vocab.txt and model.safetensors", name);
      return NULL;
    }

  path = find_module_path (modules);
  if (path == NULL || *path == '\0' || strstr (path, "..") != NULL || strpbrk (path, "/\\") != NULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           "no Transformer module with the name of a folder beside this file");
      return NULL;
    }
  part = g_file_get_child (folder, path);
  if (!has_config (part))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           "the folder \"%.200s\" named here has no config.json", path);
      return NULL;
    }

  return g_steal_pointer (&part);
}

/* The families, by what config.json calls them, and what each calls its sizes. */
static const struct
{
  const char *type, *class_prefix;
  const char *hidden, *heads, *layers;
} families[] = {
  [WW_BERT_PLAIN] = { "bert", "Bert", "hidden_size", "num_attention_heads", "num_hidden_layers" },
  [WW_BERT_DISTILLED] = { "distilbert", "DistilBert", "dim", "n_heads", "n_layers" },
};

/* Old configurations lack the type, but name the class. */
static gboolean
find_family (WwSource *source, json_t *root, WwBertFamily *ret_family, GError **error)
{
  json_t *classes = json_object_get (root, "architectures");
  const char *class = json_string_value (json_array_get (classes, 0));
  const char *type = ww_json_get_string (root, "model_type");

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_strcmp0 (type, families[i].type) == 0
        || (type == NULL && class != NULL && g_str_has_prefix (class, families[i].class_prefix)))
      {
        *ret_family = (WwBertFamily) i;
        return TRUE;
      }

  if (type == NULL && class == NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                         "neither \"model_type\" nor \"architectures\" says what kind of model this"
                         " is; \"bert\" was expected");
  else
    ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                         "a checkpoint of the family \"%.60s\"; BERT and DistilBERT are read (for"
                         " example bert-base-uncased, or MiniLM of sentence-transformers)",
                         type != NULL ? type : class);
  return FALSE;
}

static gboolean
get_epsilon (WwSource *source, json_t *root, double *ret_epsilon, GError **error)
{
  json_t *value = json_object_get (root, "layer_norm_eps");
  double epsilon = value == NULL ? 1e-12 : json_number_value (value);

  if (value != NULL && (!json_is_number (value) || !(epsilon > 0) || epsilon > 1))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_NUMBER,
                           "\"layer_norm_eps\" must be a number above 0 and at most 1");
      return FALSE;
    }

  *ret_epsilon = epsilon;
  return TRUE;
}

static gboolean
parse_sizes (WwSource *source, json_t *root, WwCheckpointConfig *config, GError **error)
{
  gsize family = config->bert.family;

  return ww_json_get_size (source, root, families[family].hidden, 1, WW_MAX_DIMS,
                           &config->bert.hidden, error)
         && ww_json_get_size (source, root, "vocab_size", 1, G_MAXINT32, &config->vocabulary, error)
         && ww_json_get_size (source, root, families[family].heads, 1, MAX_HEADS,
                              &config->bert.heads, error)
         && ww_json_get_size (source, root, families[family].layers, 0, MAX_BLOCKS, &config->layers,
                              error)
         && ww_json_get_size (source, root, "max_position_embeddings", 1, WW_MAX_ROWS,
                              &config->bert.positions, error);
}

static gboolean
parse_config (WwSource *source, json_t *root, WwCheckpointConfig *config, GError **error)
{
  const char *positions = ww_json_get_string (root, "position_embedding_type");

  if (!find_family (source, root, &config->bert.family, error)
      || !parse_sizes (source, root, config, error)
      || !get_epsilon (source, root, &config->bert.epsilon, error))
    return FALSE;

  if (config->bert.hidden % config->bert.heads != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                           "\"%s\" %" G_GSIZE_FORMAT " is no multiple of \"%s\" %" G_GSIZE_FORMAT,
                           families[config->bert.family].hidden, config->bert.hidden,
                           families[config->bert.family].heads, config->bert.heads);
      return FALSE;
    }

  config->bert.absolute_positions = positions == NULL || strcmp (positions, "absolute") == 0;
  return TRUE;
}

gboolean
ww_checkpoint_read_config (GFile *folder, WwCheckpointConfig *ret_config, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, "config.json");
  g_autoptr (WwSource) source = ww_source_open (file, error);
  g_autoptr (json_t) root = NULL;
  WwCheckpointConfig config = { 0 };

  if (source == NULL)
    return FALSE;
  root = ww_json_load (source, MAX_CONFIG_BYTES, error);
  if (root == NULL)
    return FALSE;
  if (!json_is_object (root))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           "line 1: a JSON object was expected");
      return FALSE;
    }
  if (!parse_config (source, root, &config, error))
    return FALSE;

  *ret_config = config;
  return TRUE;
}

static gboolean
append_piece (WwSource *source, WwVocab *vocab, const char *piece, gsize length, GError **error)
{
  gsize line = ww_vocab_get_size (vocab) + 1;

  if (memchr (piece, '\0', length) != NULL || !g_utf8_validate (piece, (gssize) length, NULL))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           "line %" G_GSIZE_FORMAT ": the piece is no UTF-8 text", line);
      return FALSE;
    }
  if (ww_vocab_append (vocab, piece, length) == WW_VOCAB_FULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           "line %" G_GSIZE_FORMAT ": no memory for more pieces", line);
      return FALSE;
    }

  return TRUE;
}

static WwVocab *
read_vocab_text (WwSource *source, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (WwVocab) vocab = ww_vocab_new ();
  gsize length;
  const char *at, *end;

  text = ww_source_read_all (source, MAX_VOCAB_BYTES, &length, error);
  if (text == NULL)
    return NULL;

  for (at = text, end = text + length; at < end;)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *stop = newline != NULL ? newline : end;
      gsize piece = (gsize) (stop - at);

      if (piece > 0 && at[piece - 1] == '\r')
        piece--;
      if (!append_piece (source, vocab, at, piece, error))
        return NULL;
      at = newline != NULL ? newline + 1 : end;
    }

  if (ww_vocab_get_size (vocab) == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_EMPTY,
                           "the file is empty; one piece a line was expected");
      return NULL;
    }
  return g_steal_pointer (&vocab);
}

/* The pieces of {"piece": id, ...} in the order of their ids, which must be 0, 1, 2, ... */
static WwVocab *
order_pieces (WwSource *source, json_t *pieces, GError **error)
{
  gsize n = json_object_size (pieces);
  g_autofree const char **by_id = g_new0 (const char *, MAX (n, 1));
  g_autoptr (WwVocab) vocab = ww_vocab_new ();
  const char *piece;
  json_t *id;

  json_object_foreach (pieces, piece, id)
    {
      json_int_t number = json_integer_value (id);

      if (!json_is_integer (id) || number < 0 || (guint64) number >= n || by_id[number] != NULL)
        {
          ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                               "the ids of the %" G_GSIZE_FORMAT " pieces must be 0 to %"
                               G_GSIZE_FORMAT ", each once; that of \"%.60s\" is not", n, n - 1,
                               piece);
          return NULL;
        }
      by_id[number] = piece;
    }

  for (gsize i = 0; i < n; i++)
    if (!append_piece (source, vocab, by_id[i], strlen (by_id[i]), error))
      return NULL;

  return g_steal_pointer (&vocab);
}

static WwVocab *
read_vocab_json (GFile *folder, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  g_autoptr (json_t) root = NULL;
  json_t *model, *pieces;

  if (!load_optional (folder, "tokenizer.json", MAX_VOCAB_BYTES, &source, &root, error))
    return NULL;
  if (root == NULL)
    {
      g_autofree char *name = g_file_get_parse_name (folder);

      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
                   "%s: a BERT checkpoint without vocab.txt or tokenizer.json", name);
      return NULL;
    }

  model = json_object_get (root, "model");
  pieces = json_object_get (model, "vocab");
  if (g_strcmp0 (ww_json_get_string (model, "type"), "WordPiece") != 0
      || json_object_size (pieces) == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           "\"model\" holds no WordPiece vocabulary, which BERT needs");
      return NULL;
    }

  return order_pieces (source, pieces, error);
}

WwVocab *
ww_checkpoint_read_vocab (GFile *folder, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (WwSource) source = open_child (folder, "vocab.txt", &local);

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }

  return source != NULL ? read_vocab_text (source, error) : read_vocab_json (folder, error);
}

gboolean
ww_checkpoint_read_flags (GFile *folder, WwWordPieceFlags *ret_flags, GError **error)
{
  g_autoptr (json_t) config = NULL;
  g_autoptr (json_t) tokenizer = NULL;
  WwWordPieceFlags flags;
  json_t *object;
  gboolean full = FALSE;

  if (!load_optional (folder, "tokenizer_config.json", MAX_VOCAB_BYTES, NULL, &config, error))
    return FALSE;
  object = config;
  if (object == NULL)
    {
      if (!load_optional (folder, "tokenizer.json", MAX_VOCAB_BYTES, NULL, &tokenizer, error))
        return FALSE;
      object = json_object_get (tokenizer, "normalizer");
      full = TRUE;
    }

  flags.lower_case = ww_json_get_boolean (object, full ? "lowercase" : "do_lower_case", TRUE);
  flags.strip_accents = ww_json_get_boolean (object, "strip_accents", flags.lower_case);
  flags.split_chinese = ww_json_get_boolean (object, full ? "handle_chinese_chars"
                                                          : "tokenize_chinese_chars", TRUE);
  *ret_flags = flags;
  return TRUE;
}

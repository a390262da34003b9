#include "ww-checkpoint-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-set.h"

#define MAX_MODULES_BYTES (16 * 1024 * 1024)

gboolean
ww_checkpoint_open_child (GFile *folder, const char *name, WwSource **ret_source, GError **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  WwSource *source;

  if (!g_file_query_exists (file, NULL))
    return TRUE;

  source = ww_source_open (file, error);
  if (source == NULL)
    return FALSE;

  *ret_source = source;
  return TRUE;
}

gboolean
ww_checkpoint_load_json (GFile *folder, const char *name, gsize limit, WwSource **ret_source,
                         json_t **ret_root, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  json_t *root;

  if (!ww_checkpoint_open_child (folder, name, &source, error))
    return FALSE;
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

gboolean
ww_checkpoint_has_child (GFile *folder, const char *name)
{
  g_autoptr (GFile) child = g_file_get_child (folder, name);

  return g_file_query_exists (child, NULL);
}

const char *
ww_checkpoint_find_vocabulary (GFile *folder)
{
  static const char *const names[] = { "tokenizer.json", "vocab.txt", "vocab.json" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (ww_checkpoint_has_child (folder, names[i]))
      return names[i];

  return NULL;
}

gboolean
ww_checkpoint_has_vocabulary (GFile *folder)
{
  return ww_checkpoint_find_vocabulary (folder) != NULL;
}

gboolean
ww_checkpoint_has_weights (GFile *folder)
{
  return ww_checkpoint_has_child (folder, "model.safetensors")
         || ww_checkpoint_has_child (folder, "model.safetensors.index.json");
}

/* The name of a folder beside the file that names it. */
static gboolean
is_beside (const char *path)
{
  return *path != '\0' && strstr (path, "..") == NULL && strpbrk (path, "/\\") == NULL;
}

static gboolean
holds_model (GFile *folder, const char *path)
{
  g_autoptr (GFile) part = g_file_get_child (folder, path);

  return ww_checkpoint_has_child (part, "config.json")
         && (ww_checkpoint_has_weights (part) || ww_checkpoint_has_vocabulary (part));
}

/* The path of the transformer, or of the table of word vectors, among the modules of a sentence-transformers folder. Old
 * ones name the type after the family ("sentence_transformers.models.BERT"), and there may be types of the model's own:
 * else it is the first with the files of a checkpoint. */
static const char *
find_module_path (GFile *folder, json_t *modules)
{
  json_t *module;
  size_t index;

  json_array_foreach (modules, index, module)
    {
      const char *type = ww_json_get_string (module, "type");
      const char *path = ww_json_get_string (module, "path");

      if (type != NULL && path != NULL
          && (g_str_has_suffix (type, ".Transformer") || g_str_has_suffix (type, ".StaticEmbedding")))
        return path;
    }
  json_array_foreach (modules, index, module)
    {
      const char *path = ww_json_get_string (module, "path");

      if (path != NULL && is_beside (path) && holds_model (folder, path))
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

  if (ww_checkpoint_has_child (folder, "config.json"))
    return g_object_ref (folder);
  if (!ww_checkpoint_load_json (folder, "modules.json", MAX_MODULES_BYTES, &source, &modules, error))
    return NULL;
  if (modules == NULL && ww_checkpoint_has_vocabulary (folder) && !ww_checkpoint_has_weights (folder))
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
                   _("%s: a vocabulary without config.json and weights; its tokens can be shown (wordsway-cli"
                     " tokens), but a context takes a checkpoint or a table of vectors"), name);
      return NULL;
    }
  if (modules == NULL)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_A_FILE,
                   _("%s: a folder without config.json, so it is no checkpoint; choose a file, or the folder that"
                     " holds config.json, vocab.txt and model.safetensors"), name);
      return NULL;
    }

  path = find_module_path (folder, modules);
  if (path != NULL && *path == '\0' && ww_checkpoint_has_weights (folder))
    return g_object_ref (folder);
  if (path == NULL || !is_beside (path))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           _("no Transformer module with the name of a folder beside this file"));
      return NULL;
    }
  part = g_file_get_child (folder, path);
  if (!ww_checkpoint_has_child (part, "config.json") && !ww_checkpoint_has_weights (part))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           _("the folder \"%.200s\" named here has no config.json"), path);
      return NULL;
    }

  return g_steal_pointer (&part);
}

static gboolean
append_piece (WwSource *source, WwVocab *vocab, const char *piece, gsize length, GError **error)
{
  gsize line = ww_vocab_get_size (vocab) + 1;

  if (memchr (piece, '\0', length) != NULL || !g_utf8_validate (piece, (gssize) length, NULL))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           _("line %zu: the piece is no UTF-8 text"), line);
      return FALSE;
    }
  if (ww_vocab_append (vocab, piece, length) == WW_VOCAB_FULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("line %zu: no memory for more pieces"), line);
      return FALSE;
    }

  return TRUE;
}

WwVocab *
ww_checkpoint_read_vocab_text (WwSource *source, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (WwVocab) vocab = ww_vocab_new ();
  gsize length;
  const char *at, *end;

  text = ww_source_read_all (source, WW_MAX_VOCAB_BYTES, &length, error);
  if (text == NULL)
    return NULL;

  for (at = text, end = text + length; at < end;)
    {
      const char *piece = at;
      gsize piece_length = ww_line_get_length (at, end, &at);

      if (!append_piece (source, vocab, piece, piece_length, error))
        return NULL;
    }

  if (ww_vocab_get_size (vocab) == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_EMPTY,
                           _("the file is empty; one piece a line was expected"));
      return NULL;
    }
  return g_steal_pointer (&vocab);
}

/* Notes which piece has the id; FALSE where the id cannot be, or is another piece's. */
static gboolean
place_piece (const char **by_id, gsize n, const char *piece, json_t *id)
{
  json_int_t number = json_integer_value (id);

  if (piece == NULL || !json_is_integer (id) || number < 0 || (guint64) number >= n
      || (by_id[number] != NULL && strcmp (by_id[number], piece) != 0))
    return FALSE;

  by_id[number] = piece;
  return TRUE;
}

/* Pieces that come on top are those whose id the vocabulary does not reach. */
static gsize
count_on_top (json_t *added, gsize n_pieces)
{
  gsize count = 0;
  json_t *entry;
  size_t index;

  json_array_foreach (added, index, entry)
    if (json_integer_value (json_object_get (entry, "id")) >= (json_int_t) n_pieces)
      count++;

  return count;
}

static gboolean
place_pieces (WwSource *source, const char **by_id, gsize n, json_t *pieces, json_t *added, GError **error)
{
  const char *piece = NULL;
  json_t *id, *entry;
  size_t index;
  gboolean placed = TRUE;

  json_object_foreach (pieces, piece, id)
    if (!(placed = place_piece (by_id, n, piece, id)))
      break;
  if (placed)
    json_array_foreach (added, index, entry)
      {
        piece = ww_json_get_string (entry, "content");
        if (!(placed = place_piece (by_id, n, piece, json_object_get (entry, "id"))))
          break;
      }
  if (placed)
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                       _("the ids of the %zu pieces must be 0 to %zu, each once; that of \"%.60s\" is not"),
                       n, n - 1, piece != NULL ? piece : "?");
  return FALSE;
}

WwVocab *
ww_checkpoint_order_pieces (WwSource *source, json_t *pieces, json_t *added, GError **error)
{
  gsize n_pieces = json_object_size (pieces), n = n_pieces + count_on_top (added, n_pieces);
  g_autofree const char **by_id = g_try_new0 (const char *, MAX (n, 1));
  g_autoptr (WwVocab) vocab = ww_vocab_new ();

  if (by_id == NULL || n == 0)
    {
      ww_source_set_error (source, error, n == 0 ? WW_SET_ERROR_EMPTY : WW_SET_ERROR_TOO_LARGE,
                           n == 0 ? _("the vocabulary is empty") : _("no memory for the vocabulary"));
      return NULL;
    }
  if (!place_pieces (source, by_id, n, pieces, added, error))
    return NULL;

  for (gsize i = 0; i < n; i++)
    {
      if (by_id[i] == NULL)
        {
          ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                               _("of the %zu pieces none has the id %zu"), n, i);
          return NULL;
        }
      if (!append_piece (source, vocab, by_id[i], strlen (by_id[i]), error))
        return NULL;
    }

  return g_steal_pointer (&vocab);
}

#include "ww-bpe-files.h"

#include <string.h>

#include "ww-bpe-bytes.h"
#include "ww-checkpoint-files.h"
#include "ww-set.h"

static gboolean
fail_merge (WwSource *source, const char *unit, gsize number, WwBpeResult result, GError **error)
{
  static const char *const whats[] = {
    [WW_BPE_NO_LEFT] = "its left part is not in the vocabulary",
    [WW_BPE_NO_RIGHT] = "its right part is not in the vocabulary",
    [WW_BPE_NO_JOINED] = "what it makes is not in the vocabulary",
    [WW_BPE_FULL] = "no memory for more merges",
  };

  ww_source_set_error (source, error, result == WW_BPE_FULL ? WW_SET_ERROR_TOO_LARGE : WW_SET_ERROR_MISSING,
                       "%s %" G_GSIZE_FORMAT ": %s", unit, number, whats[result]);
  return FALSE;
}

/* "left right"; neither part holds a space, which the vocabulary writes in another way. */
static gboolean
add_merge_text (WwBpe *bpe, WwSource *source, const char *unit, gsize number, const char *text, gsize length,
                GError **error)
{
  const char *space = memchr (text, ' ', length);
  gsize left = space != NULL ? (gsize) (space - text) : 0;
  WwBpeResult result;

  if (left == 0 || left + 1 == length || memchr (space + 1, ' ', length - left - 1) != NULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           "%s %" G_GSIZE_FORMAT ": two pieces with a space between them were expected", unit,
                           number);
      return FALSE;
    }

  result = ww_bpe_add_merge (bpe, text, left, space + 1, length - left - 1);
  return result == WW_BPE_ADDED || fail_merge (source, unit, number, result, error);
}

static gboolean
add_merge_pair (WwBpe *bpe, WwSource *source, gsize number, json_t *pair, GError **error)
{
  const char *left = json_string_value (json_array_get (pair, 0));
  const char *right = json_string_value (json_array_get (pair, 1));
  WwBpeResult result;

  if (left == NULL || right == NULL || json_array_size (pair) != 2)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           "merge %" G_GSIZE_FORMAT " of \"merges\": two pieces were expected", number);
      return FALSE;
    }

  result = ww_bpe_add_merge (bpe, left, strlen (left), right, strlen (right));
  return result == WW_BPE_ADDED || fail_merge (source, "merge", number, result, error);
}

/* Strings in older files, pairs in newer ones. */
static gboolean
add_merges_json (WwBpe *bpe, WwSource *source, json_t *merges, GError **error)
{
  json_t *merge;
  size_t index;

  if (!json_is_array (merges))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING, "\"merges\" of \"model\" is missing or no list");
      return FALSE;
    }

  json_array_foreach (merges, index, merge)
    if (json_is_string (merge)
          ? !add_merge_text (bpe, source, "merge", index + 1, json_string_value (merge),
                             json_string_length (merge), error)
          : !add_merge_pair (bpe, source, index + 1, merge, error))
      return FALSE;

  return TRUE;
}

static gboolean
add_merges_text (WwBpe *bpe, WwSource *source, GError **error)
{
  gsize length, line = 0;
  g_autofree char *text = ww_source_read_all (source, WW_MAX_VOCAB_BYTES, &length, error);
  const char *at, *end;

  if (text == NULL)
    return FALSE;

  for (at = text, end = text + length; at < end;)
    {
      const char *newline = memchr (at, '\n', (gsize) (end - at));
      const char *stop = newline != NULL ? newline : end;
      gsize count = (gsize) (stop - at);

      line++;
      if (count > 0 && at[count - 1] == '\r')
        count--;
      if (count > 0 && !(line == 1 && g_str_has_prefix (at, "#version"))
          && !add_merge_text (bpe, source, "line", line, at, count, error))
        return FALSE;
      at = newline != NULL ? newline + 1 : end;
    }

  return TRUE;
}

static gboolean
check_bytes (const WwBpe *bpe, WwSource *source, GError **error)
{
  guint8 byte;
  char piece[7] = { 0 };

  if (ww_bpe_is_usable (bpe, &byte))
    return TRUE;

  g_unichar_to_utf8 (ww_bpe_byte_to_char (byte), piece);
  ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                       "the vocabulary has neither a piece \"%s\" for the byte 0x%02x nor one for unknown bytes;"
                       " byte-level BPE needs one", piece, (guint) byte);
  return FALSE;
}

static gboolean
get_id (const WwVocab *vocab, const char *piece, guint32 *ret_id)
{
  return piece != NULL && ww_vocab_lookup (vocab, piece, strlen (piece), ret_id);
}

/* The cutting of GPT-2, alone or in a sequence; anything else cuts in ways that are not followed here. */
static gboolean
find_byte_level (WwSource *source, json_t *pre, json_t **ret_byte_level, GError **error)
{
  json_t *parts = json_object_get (pre, "pretokenizers");
  const char *type = ww_json_get_string (pre, "type");

  if (g_strcmp0 (type, "Sequence") == 0 && json_array_size (parts) == 1)
    {
      pre = json_array_get (parts, 0);
      type = ww_json_get_string (pre, "type");
    }
  if (g_strcmp0 (type, "ByteLevel") == 0 && ww_json_get_boolean (pre, "use_regex", TRUE))
    {
      *ret_byte_level = pre;
      return TRUE;
    }

  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       "\"pre_tokenizer\" is %s%.60s; of the BPE tokenisers, those that cut as GPT-2 does"
                       " (\"ByteLevel\" alone) are read", type != NULL ? "" : "missing", type != NULL ? type : "");
  return FALSE;
}

static gboolean
check_normalizer (WwSource *source, json_t *root, GError **error)
{
  json_t *normalizer = json_object_get (root, "normalizer");
  const char *type = ww_json_get_string (normalizer, "type");

  if (normalizer == NULL || json_is_null (normalizer))
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       "\"normalizer\" is \"%.60s\"; a BPE tokeniser that changes the text first is not read",
                       type != NULL ? type : "?");
  return FALSE;
}

/* Marks inside words and other ways to join, of relatives of byte-level BPE. */
static gboolean
check_model (WwSource *source, json_t *model, GError **error)
{
  static const char *const marks[] = { "continuing_subword_prefix", "end_of_word_suffix" };
  static const char *const ways[] = { "byte_fallback", "ignore_merges" };
  const char *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (json_string_length (json_object_get (model, marks[i])) > 0)
      found = marks[i];
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    if (ww_json_get_boolean (model, ways[i], FALSE))
      found = ways[i];
  if (found == NULL)
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       "\"model\" has \"%s\"; BPE without it, as GPT-2 and RoBERTa have it, is read", found);
  return FALSE;
}

static gboolean
add_tokens_json (WwBpe *bpe, const WwVocab *vocab, WwSource *source, json_t *added, GError **error)
{
  json_t *entry;
  size_t index;

  json_array_foreach (added, index, entry)
    {
      WwBpeAdded token = { 0 };

      token.special = ww_json_get_boolean (entry, "special", FALSE);
      token.strip_left = ww_json_get_boolean (entry, "lstrip", FALSE);
      if (get_id (vocab, ww_json_get_string (entry, "content"), &token.id) && !ww_bpe_add_token (bpe, &token))
        {
          ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE, "no memory for the \"added_tokens\"");
          return FALSE;
        }
    }

  return TRUE;
}

/* First and last of the special tokens around the one text, where the file describes them. */
static void
set_frame_json (WwBpe *bpe, const WwVocab *vocab, json_t *post)
{
  json_t *single = json_object_get (post, "single");
  gsize n = json_array_size (single);
  const char *first, *last;
  guint32 first_id, last_id;

  if (g_strcmp0 (ww_json_get_string (post, "type"), "RobertaProcessing") == 0)
    {
      first = json_string_value (json_array_get (json_object_get (post, "cls"), 0));
      last = json_string_value (json_array_get (json_object_get (post, "sep"), 0));
    }
  else
    {
      first = ww_json_get_string (json_object_get (json_array_get (single, 0), "SpecialToken"), "id");
      last = n > 0 ? ww_json_get_string (json_object_get (json_array_get (single, n - 1), "SpecialToken"), "id")
                   : NULL;
    }

  ww_bpe_set_frame (bpe, get_id (vocab, first, &first_id) ? first_id : WW_BPE_NOTHING,
                    get_id (vocab, last, &last_id) ? last_id : WW_BPE_NOTHING);
}

/* The processing after the cut may be a sequence too. */
static json_t *
find_post_processor (json_t *root)
{
  json_t *post = json_object_get (root, "post_processor");
  json_t *parts = json_object_get (post, "processors"), *part;
  size_t index;

  json_array_foreach (parts, index, part)
    if (g_strcmp0 (ww_json_get_string (part, "type"), "ByteLevel") != 0)
      return part;

  return post;
}

WwBpe *
ww_bpe_from_tokenizer (WwSource *source, json_t *root, WwVocab **ret_vocab, GError **error)
{
  json_t *model = json_object_get (root, "model"), *added = json_object_get (root, "added_tokens");
  g_autoptr (WwVocab) vocab = NULL;
  g_autoptr (WwBpe) bpe = NULL;
  json_t *byte_level;
  guint32 unknown;

  if (!find_byte_level (source, json_object_get (root, "pre_tokenizer"), &byte_level, error)
      || !check_normalizer (source, root, error) || !check_model (source, model, error))
    return NULL;
  vocab = ww_checkpoint_order_pieces (source, json_object_get (model, "vocab"), added, error);
  if (vocab == NULL)
    return NULL;

  bpe = ww_bpe_new (vocab, ww_json_get_boolean (byte_level, "add_prefix_space", FALSE));
  if (!add_merges_json (bpe, source, json_object_get (model, "merges"), error)
      || !add_tokens_json (bpe, vocab, source, added, error))
    return NULL;
  if (get_id (vocab, ww_json_get_string (model, "unk_token"), &unknown))
    ww_bpe_set_unknown (bpe, unknown);
  set_frame_json (bpe, vocab, find_post_processor (root));
  if (!check_bytes (bpe, source, error))
    return NULL;

  *ret_vocab = g_steal_pointer (&vocab);
  return g_steal_pointer (&bpe);
}

/* {"<mask>": 50264} as [{"content": "<mask>", "id": 50264}]. */
static json_t *
list_added (json_t *added)
{
  json_t *list = json_array (), *id;
  const char *piece;

  json_object_foreach (added, piece, id)
    json_array_append_new (list, json_pack ("{s:s, s:O}", "content", piece, "id", id));

  return list;
}

/* What the two families have beside the pieces, as far as the vocabulary has it. */
static void
add_usual_tokens (WwBpe *bpe, const WwVocab *vocab, WwFamily family)
{
  static const char *const usual[] = { "<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>" };
  guint32 first, last, unknown;

  for (gsize i = 0; i < G_N_ELEMENTS (usual); i++)
    {
      WwBpeAdded token = { 0, TRUE, strcmp (usual[i], "<mask>") == 0 };

      if (get_id (vocab, usual[i], &token.id))
        ww_bpe_add_token (bpe, &token);
    }

  if (family == WW_FAMILY_GPT2)
    return;
  if (get_id (vocab, "<unk>", &unknown))
    ww_bpe_set_unknown (bpe, unknown);
  ww_bpe_set_frame (bpe, get_id (vocab, "<s>", &first) ? first : WW_BPE_NOTHING,
                    get_id (vocab, "</s>", &last) ? last : WW_BPE_NOTHING);
}

static gboolean
read_vocab (GFile *folder, WwSource **ret_source, WwVocab **ret_vocab, json_t **ret_added, GError **error)
{
  g_autoptr (json_t) pieces = NULL;
  g_autoptr (json_t) added = NULL;
  g_autoptr (json_t) list = NULL;

  if (!ww_checkpoint_load_json (folder, "vocab.json", WW_MAX_VOCAB_BYTES, ret_source, &pieces, error)
      || !ww_checkpoint_load_json (folder, "added_tokens.json", WW_MAX_VOCAB_BYTES, NULL, &added, error))
    return FALSE;

  list = list_added (added);
  *ret_vocab = ww_checkpoint_order_pieces (*ret_source, pieces, list, error);
  *ret_added = g_steal_pointer (&list);
  return *ret_vocab != NULL;
}

WwBpe *
ww_bpe_from_folder (GFile *folder, WwFamily family, WwVocab **ret_vocab, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  g_autoptr (WwSource) merges = NULL;
  g_autoptr (json_t) config = NULL;
  g_autoptr (json_t) added = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  g_autoptr (WwBpe) bpe = NULL;

  if (!read_vocab (folder, &source, &vocab, &added, error)
      || !ww_checkpoint_load_json (folder, "tokenizer_config.json", WW_MAX_VOCAB_BYTES, NULL, &config, error)
      || !ww_checkpoint_open_child (folder, "merges.txt", &merges, error))
    return NULL;
  if (merges == NULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           "there is no merges.txt beside this file; byte-level BPE needs both");
      return NULL;
    }

  bpe = ww_bpe_new (vocab, ww_json_get_boolean (config, "add_prefix_space", FALSE));
  if (!add_merges_text (bpe, merges, error) || !add_tokens_json (bpe, vocab, source, added, error))
    return NULL;
  add_usual_tokens (bpe, vocab, family);
  if (!check_bytes (bpe, source, error))
    return NULL;

  *ret_vocab = g_steal_pointer (&vocab);
  return g_steal_pointer (&bpe);
}

#include "ww-tokeniser-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-set.h"

static gboolean
find_id (const WwVocab *vocab, const char *piece, guint32 *ret_id)
{
  return piece != NULL && ww_vocab_lookup (vocab, piece, strlen (piece), ret_id);
}

static gboolean
parse_added (WwSource *source, json_t *entry, gsize number, const WwVocab *vocab, const char **ret_text,
             WwAddedToken *ret_token, GError **error)
{
  const char *text = ww_json_get_string (entry, "content");
  WwAddedToken token = { 0 };

  if (text == NULL || *text == '\0' || strlen (text) > WW_ADDED_MAX_BYTES)
    {
      ww_source_set_error (source, error, text == NULL ? WW_SET_ERROR_MALFORMED : WW_SET_ERROR_UNSUPPORTED,
                           _("entry %zu of \"added_tokens\" has no \"content\" of 1 to %d bytes"), number,
                           WW_ADDED_MAX_BYTES);
      return FALSE;
    }
  if (!find_id (vocab, text, &token.id))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           _("entry %zu of \"added_tokens\", \"%.60s\", is not in the vocabulary"), number,
                           text);
      return FALSE;
    }

  token.special = ww_json_get_boolean (entry, "special", FALSE);
  token.normalised = ww_json_get_boolean (entry, "normalized", !token.special);
  token.single_word = ww_json_get_boolean (entry, "single_word", FALSE);
  token.strip_left = ww_json_get_boolean (entry, "lstrip", FALSE);
  token.strip_right = ww_json_get_boolean (entry, "rstrip", FALSE);
  *ret_text = text;
  *ret_token = token;
  return TRUE;
}

gboolean
ww_added_parse_list (WwSource *source, json_t *list, const WwVocab *vocab, WwAddedFunc func, gpointer tokeniser,
                     GError **error)
{
  json_t *entry;
  size_t index;

  json_array_foreach (list, index, entry)
    {
      const char *text;
      WwAddedToken token;

      if (!parse_added (source, entry, index + 1, vocab, &text, &token, error))
        return FALSE;
      if (!func (tokeniser, text, &token))
        {
          ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE, _("no memory for the \"added_tokens\""));
          return FALSE;
        }
    }

  return TRUE;
}

json_t *
ww_added_list (json_t *added, json_t *config)
{
  json_t *decoder = json_object_get (config, "added_tokens_decoder");
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  json_t *list = json_array (), *entry;
  const char *key;

  json_object_foreach (decoder, key, entry)
    {
      const char *text = ww_json_get_string (entry, "content");
      json_t *copy = json_is_object (entry) ? json_copy (entry) : json_object ();
      guint64 id;

      if (text != NULL)
        g_hash_table_add (seen, (gpointer) text);
      if (g_ascii_string_to_unsigned (key, 10, 0, G_MAXINT32, &id, NULL))
        json_object_set_new (copy, "id", json_integer ((json_int_t) id));
      json_array_append_new (list, copy);
    }
  json_object_foreach (added, key, entry)
    if (!g_hash_table_contains (seen, key))
      json_array_append_new (list, json_pack ("{s:s, s:O}", "content", key, "id", entry));

  return list;
}

/* `sentence` is a whole one, translated. */
static gboolean
refuse (WwSource *source, const char *sentence, GError **error)
{
  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED, "%s", sentence);
  return FALSE;
}

static gboolean
append_name (WwSource *source, const char *name, const WwVocab *vocab, GArray *ids, GError **error)
{
  guint32 id;

  if (!find_id (vocab, name, &id))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           _("\"post_processor\" names a token \"%.60s\", which is not in the vocabulary"),
                           name != NULL ? name : "?");
      return FALSE;
    }

  g_array_append_val (ids, id);
  return TRUE;
}

/* What a name in a template stands for: ids by the list of the template, else the token of that name. */
static gboolean
append_special (WwSource *source, json_t *post, const char *name, const WwVocab *vocab, GArray *ids, GError **error)
{
  json_t *named = name != NULL ? json_object_get (json_object_get (post, "special_tokens"), name) : NULL;
  json_t *list = json_object_get (named, "ids");
  json_t *value;
  size_t index;

  if (list == NULL)
    return append_name (source, name, vocab, ids, error);

  json_array_foreach (list, index, value)
    {
      json_int_t number = json_integer_value (value);
      guint32 id = (guint32) number;

      if (!json_is_integer (value) || number < 0 || (guint64) number >= ww_vocab_get_size (vocab))
        {
          ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                               _("\"post_processor\" gives \"%.60s\" an id that is not in the vocabulary"), name);
          return FALSE;
        }
      g_array_append_val (ids, id);
    }

  return TRUE;
}

static gboolean
refuse_single (WwSource *source, GError **error)
{
  return refuse (source, _("\"post_processor\" has a \"single\" that does not hold the text \"A\" once"), error);
}

/* [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, ...] */
static gboolean
parse_template (WwSource *source, json_t *post, const WwVocab *vocab, WwTokenFrame *frame, GError **error)
{
  json_t *part, *single = json_object_get (post, "single");
  gboolean seen = FALSE;
  size_t index;

  json_array_foreach (single, index, part)
    {
      json_t *text = json_object_get (part, "Sequence"), *special = json_object_get (part, "SpecialToken");

      if (json_integer_value (json_object_get (text != NULL ? text : special, "type_id")) != 0)
        return refuse (source, _("\"post_processor\" has a \"type_id\" other than 0 for one text, which is not read"),
                       error);
      if (special != NULL)
        {
          if (!append_special (source, post, ww_json_get_string (special, "id"), vocab,
                               seen ? frame->behind : frame->before, error))
            return FALSE;
          continue;
        }
      if (seen || g_strcmp0 (ww_json_get_string (text, "id"), "A") != 0)
        return refuse_single (source, error);
      seen = TRUE;
    }

  return seen || refuse_single (source, error);
}

static gboolean
parse_pair (WwSource *source, json_t *post, const WwVocab *vocab, WwTokenFrame *frame, GError **error)
{
  const char *first = json_string_value (json_array_get (json_object_get (post, "cls"), 0));
  const char *last = json_string_value (json_array_get (json_object_get (post, "sep"), 0));

  return append_name (source, first, vocab, frame->before, error)
         && append_name (source, last, vocab, frame->behind, error);
}

gboolean
ww_token_frame_parse (WwSource *source, json_t *post, const WwVocab *vocab, WwTokenFrame *ret_frame, GError **error)
{
  const char *type = ww_json_get_string (post, "type");
  json_t *part;
  size_t index;

  /* The bytes of a text concern only where its pieces stand in it. */
  if (post == NULL || json_is_null (post) || g_strcmp0 (type, "ByteLevel") == 0)
    return TRUE;
  if (g_strcmp0 (type, "TemplateProcessing") == 0)
    return parse_template (source, post, vocab, ret_frame, error);
  if (g_strcmp0 (type, "BertProcessing") == 0 || g_strcmp0 (type, "RobertaProcessing") == 0)
    return parse_pair (source, post, vocab, ret_frame, error);
  if (g_strcmp0 (type, "Sequence") != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("\"post_processor\" is of the type \"%.60s\"; TemplateProcessing, BertProcessing,"
                             " RobertaProcessing and ByteLevel are read"), type != NULL ? type : "?");
      return FALSE;
    }

  /* Each would go around what the one before it has made; only one does in any file. */
  json_array_foreach (json_object_get (post, "processors"), index, part)
    if (g_strcmp0 (ww_json_get_string (part, "type"), "Sequence") == 0
        || (ret_frame->before->len + ret_frame->behind->len > 0
            && g_strcmp0 (ww_json_get_string (part, "type"), "ByteLevel") != 0))
      return refuse (source, _("\"post_processor\" is a sequence of several that put tokens around the text, which is not"
                               " read"), error);
    else if (!ww_token_frame_parse (source, part, vocab, ret_frame, error))
      return FALSE;

  return TRUE;
}

gboolean
ww_tokeniser_check_config (WwSource *source, json_t *config, const WwFollowed *followed, const char *const *flags,
                           GError **error)
{
  if (config != NULL && !json_is_object (config))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED, _("tokenizer_config.json beside it is no JSON object"));
      return FALSE;
    }

  for (; followed->key != NULL; followed++)
    {
      json_t *value = json_object_get (config, followed->key);
      const char *text = json_string_value (json_is_object (value) ? json_object_get (value, "content") : value);
      g_autofree char *base = NULL;

      if (value == NULL || json_is_null (value) || g_strcmp0 (text, followed->value) == 0)
        continue;
      base = g_path_get_basename (ww_source_get_name (source));
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("\"%s\" in tokenizer_config.json is \"%.60s\", which is not followed; beside %s, \"%s\""
                             " is"), followed->key, text != NULL ? text : "?", base, followed->value);
      return FALSE;
    }
  for (; *flags != NULL; flags++)
    {
      json_t *value = json_object_get (config, *flags);

      if (value == NULL || json_is_boolean (value) || json_is_null (value))
        continue;
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           _("\"%s\" in tokenizer_config.json beside it is neither true nor false"), *flags);
      return FALSE;
    }
  return TRUE;
}

#include "ww-bpe-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-bpe-bytes.h"
#include "ww-checkpoint-files.h"
#include "ww-set.h"
#include "ww-tokeniser-parts.h"

static gboolean
fail_merge (WwSource *source, const char *unit, gsize number, WwBpeResult result, GError **error)
{
  static const char *const whats[] = {
    [WW_BPE_NO_LEFT] = N_("its left part is not in the vocabulary"),
    [WW_BPE_NO_RIGHT] = N_("its right part is not in the vocabulary"),
    [WW_BPE_NO_JOINED] = N_("what it makes is not in the vocabulary"),
    [WW_BPE_FULL] = N_("no memory for more merges"),
  };

  ww_source_set_error (source, error, result == WW_BPE_FULL ? WW_SET_ERROR_TOO_LARGE : WW_SET_ERROR_MISSING,
                       "%s %" G_GSIZE_FORMAT ": %s", unit, number, _(whats[result]));
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
                           _("%s %zu: two pieces with a space between them were expected"), unit,
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
                           _("merge %zu of \"merges\": two pieces were expected"), number);
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
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING, _("\"merges\" of \"model\" is missing or no list"));
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
      const char *merge = at;
      gsize count = ww_line_get_length (at, end, &at);

      line++;
      if (count > 0 && !(line == 1 && g_str_has_prefix (merge, "#version"))
          && !add_merge_text (bpe, source, "line", line, merge, count, error))
        return FALSE;
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
                       _("the vocabulary has neither a piece \"%s\" for the byte 0x%02x nor one for unknown bytes;"
                         " byte-level BPE needs one"), piece, (guint) byte);
  return FALSE;
}

static gboolean
get_id (const WwVocab *vocab, const char *piece, guint32 *ret_id)
{
  return piece != NULL && ww_vocab_lookup (vocab, piece, strlen (piece), ret_id);
}

static gboolean
refuse_cut (WwSource *source, const char *what, GError **error)
{
  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("\"pre_tokenizer\" is not followed (%.200s); of the BPE tokenisers, those that cut as GPT-2,"
                         " StarCoder, Llama 3 or Qwen 2 do (\"ByteLevel\", alone or behind \"Digits\" or their"
                         " \"Split\") are read"), what);
  return FALSE;
}

/* What stands in front of the step for bytes: each digit alone, or a regular expression, which does all. */
static gboolean
read_first_cut (WwSource *source, json_t *step, json_t *byte_level, WwBpeOptions *options, GError **error)
{
  const char *type = ww_json_get_string (step, "type"), *behaviour = ww_json_get_string (step, "behavior");
  const char *pattern = ww_json_get_string (json_object_get (step, "pattern"), "Regex");
  gboolean by_regex = ww_json_get_boolean (byte_level, "use_regex", TRUE);
  g_autofree char *what = NULL;

  if (options->prefix_space)
    return refuse_cut (source, "Sequence: ByteLevel: add_prefix_space", error);
  if (g_strcmp0 (type, "Digits") == 0 && ww_json_get_boolean (step, "individual_digits", FALSE) && by_regex)
    {
      options->cut = WW_BPE_CUT_DIGITS;
      return TRUE;
    }
  if (g_strcmp0 (type, "Split") == 0 && !by_regex && g_strcmp0 (behaviour, "Isolated") == 0
      && !ww_json_get_boolean (step, "invert", FALSE) && ww_bpe_cut_from_pattern (pattern, &options->cut))
    return TRUE;

  what = pattern != NULL
           ? g_strdup_printf ("Sequence: %.40s: %.100s", type != NULL ? type : "?", pattern)
           : g_strdup_printf ("Sequence: %.40s", type != NULL ? type : "?");
  return refuse_cut (source, what, error);
}

static gboolean
read_cut (WwSource *source, json_t *pre, json_t *config, WwBpeOptions *options, GError **error)
{
  json_t *parts = json_object_get (pre, "pretokenizers"), *byte_level = pre;
  const char *type = ww_json_get_string (pre, "type");
  gsize n = json_array_size (parts);

  if (g_strcmp0 (type, "Sequence") == 0 && (n == 1 || n == 2))
    {
      byte_level = json_array_get (parts, n - 1);
      type = ww_json_get_string (byte_level, "type");
    }
  else
    n = 1;
  if (g_strcmp0 (type, "ByteLevel") != 0)
    return refuse_cut (source, type != NULL ? type : "null", error);

  /* What a person set in the second file overrides the first. */
  options->prefix_space = ww_json_get_boolean (config, "add_prefix_space",
                                               ww_json_get_boolean (byte_level, "add_prefix_space", FALSE));
  if (n == 2)
    return read_first_cut (source, json_array_get (parts, 0), byte_level, options, error);

  return ww_json_get_boolean (byte_level, "use_regex", TRUE)
         || refuse_cut (source, "ByteLevel: use_regex", error);
}

static gboolean
check_normalizer (WwSource *source, json_t *root, GError **error)
{
  json_t *normalizer = json_object_get (root, "normalizer");
  const char *type = ww_json_get_string (normalizer, "type");

  if (normalizer == NULL || json_is_null (normalizer)
      || (g_strcmp0 (type, "Sequence") == 0 && json_array_size (json_object_get (normalizer, "normalizers")) == 0))
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("\"normalizer\" is \"%.60s\"; a BPE tokeniser that changes the text first is not read"),
                       type != NULL ? type : "?");
  return FALSE;
}

/* Marks inside words and other ways to join, of relatives of byte-level BPE. */
static gboolean
check_model (WwSource *source, json_t *model, GError **error)
{
  static const char *const marks[] = { "continuing_subword_prefix", "end_of_word_suffix" };
  const char *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (marks); i++)
    if (json_string_length (json_object_get (model, marks[i])) > 0)
      found = marks[i];
  if (ww_json_get_boolean (model, "byte_fallback", FALSE))
    found = "byte_fallback";
  if (json_number_value (json_object_get (model, "dropout")) > 0)
    found = "dropout";
  if (found == NULL)
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("\"model\" has \"%s\"; BPE without it, as GPT-2 and RoBERTa have it, is read"), found);
  return FALSE;
}

static gboolean
add_token (gpointer bpe, const char *text, const WwAddedToken *token)
{
  return ww_bpe_add_token (bpe, token);
}

/* Bytes that the vocabulary lacks become the unknown token, each of them one. */
static gboolean
set_unknown_json (WwBpe *bpe, const WwVocab *vocab, WwSource *source, json_t *model, GError **error)
{
  guint8 byte;
  guint32 unknown;

  if (!get_id (vocab, ww_json_get_string (model, "unk_token"), &unknown))
    return check_bytes (bpe, source, error);
  if (!ww_bpe_is_usable (bpe, &byte) && ww_json_get_boolean (model, "fuse_unk", FALSE))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("\"model\" has \"fuse_unk\" and lacks the byte 0x%02x; BPE that joins unknown bytes is"
                             " not read"), (guint) byte);
      return FALSE;
    }

  ww_bpe_set_unknown (bpe, unknown);
  return TRUE;
}

WwBpe *
ww_bpe_from_tokenizer (WwSource *source, json_t *root, json_t *config, WwVocab **ret_vocab, GError **error)
{
  json_t *model = json_object_get (root, "model"), *added = json_object_get (root, "added_tokens");
  g_autoptr (WwVocab) vocab = NULL;
  g_autoptr (WwBpe) bpe = NULL;
  g_auto (WwTokenFrame) frame = { 0 };
  WwBpeOptions options = { WW_BPE_CUT_GPT2 };

  ww_token_frame_init (&frame);
  if (!read_cut (source, json_object_get (root, "pre_tokenizer"), config, &options, error)
      || !check_normalizer (source, root, error) || !check_model (source, model, error))
    return NULL;
  vocab = ww_checkpoint_order_pieces (source, json_object_get (model, "vocab"), added, error);
  if (vocab == NULL)
    return NULL;

  options.n_pieces = json_object_size (json_object_get (model, "vocab"));
  options.ignore_merges = ww_json_get_boolean (model, "ignore_merges", FALSE);
  bpe = ww_bpe_new (vocab, options);
  if (!add_merges_json (bpe, source, json_object_get (model, "merges"), error)
      || !ww_added_parse_list (source, added, vocab, add_token, bpe, error)
      || !set_unknown_json (bpe, vocab, source, model, error)
      || !ww_token_frame_parse (source, json_object_get (root, "post_processor"), vocab, &frame, error))
    return NULL;

  ww_bpe_set_frame (bpe, &frame);
  *ret_vocab = g_steal_pointer (&vocab);
  return g_steal_pointer (&bpe);
}

/* Whether texts get <s> and </s>. Where no config.json says what family it is, the vocabulary tells. */
static gboolean
is_framed (const WwVocab *vocab, WwFamily family)
{
  guint32 id;

  return family == WW_FAMILY_NONE ? get_id (vocab, "<s>", &id) && get_id (vocab, "</s>", &id)
                                  : family != WW_FAMILY_GPT2;
}

/* What else the classes of Python that read a vocab.json may be told. */
static gboolean
check_config (WwSource *source, json_t *config, gboolean framed, GError **error)
{
  static const WwFollowed followed[]
    = { { "cls_token", "<s>" }, { "sep_token", "</s>" }, { "unk_token", "<unk>" }, { NULL } };
  static const WwFollowed none[] = { { NULL } };
  static const char *const flags[] = { "add_prefix_space", "add_bos_token", NULL };

  return ww_tokeniser_check_config (source, config, framed ? followed : none, flags, error);
}

/* What the two families have beside the pieces, as far as the vocabulary has it. */
static void
add_usual_tokens (WwBpe *bpe, const WwVocab *vocab, WwFamily family, json_t *config)
{
  static const char *const usual[] = { "<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>" };
  g_auto (WwTokenFrame) frame = { 0 };
  guint32 first, last, unknown;

  ww_token_frame_init (&frame);
  for (gsize i = 0; i < G_N_ELEMENTS (usual); i++)
    {
      WwAddedToken token = { .special = TRUE, .strip_left = strcmp (usual[i], "<mask>") == 0 };

      if (get_id (vocab, usual[i], &token.id))
        ww_bpe_add_token (bpe, &token);
    }

  if (is_framed (vocab, family))
    {
      if (get_id (vocab, "<unk>", &unknown))
        ww_bpe_set_unknown (bpe, unknown);
      if (get_id (vocab, "<s>", &first))
        g_array_append_val (frame.before, first);
      if (get_id (vocab, "</s>", &last))
        g_array_append_val (frame.behind, last);
    }
  else if (ww_json_get_boolean (config, "add_bos_token", FALSE)
           && (get_id (vocab, ww_json_get_string (config, "bos_token"), &first)
               || get_id (vocab, "<|endoftext|>", &first)))
    g_array_append_val (frame.before, first);
  ww_bpe_set_frame (bpe, &frame);
}

WwBpe *
ww_bpe_from_folder (GFile *folder, WwFamily family, WwVocab **ret_vocab, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  g_autoptr (WwSource) merges = NULL;
  g_autoptr (json_t) pieces = NULL;
  g_autoptr (json_t) config = NULL;
  g_autoptr (json_t) added = NULL;
  g_autoptr (json_t) list = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  g_autoptr (WwBpe) bpe = NULL;
  WwBpeOptions options = { WW_BPE_CUT_GPT2 };

  if (!ww_checkpoint_load_json (folder, "vocab.json", WW_MAX_VOCAB_BYTES, &source, &pieces, error)
      || !ww_checkpoint_load_json (folder, "added_tokens.json", WW_MAX_VOCAB_BYTES, NULL, &added, error)
      || !ww_checkpoint_load_json (folder, "tokenizer_config.json", WW_MAX_VOCAB_BYTES, NULL, &config, error)
      || !ww_checkpoint_open_child (folder, "merges.txt", &merges, error))
    return NULL;
  if (merges == NULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           _("there is no merges.txt beside this file; byte-level BPE needs both"));
      return NULL;
    }
  list = ww_added_list (added, config);
  vocab = ww_checkpoint_order_pieces (source, pieces, list, error);
  if (vocab == NULL || !check_config (source, config, is_framed (vocab, family), error))
    return NULL;

  options.prefix_space = ww_json_get_boolean (config, "add_prefix_space", FALSE);
  bpe = ww_bpe_new (vocab, options);
  if (!add_merges_text (bpe, merges, error))
    return NULL;
  add_usual_tokens (bpe, vocab, family, config);
  if (!ww_added_parse_list (source, list, vocab, add_token, bpe, error) || !check_bytes (bpe, source, error))
    return NULL;

  *ret_vocab = g_steal_pointer (&vocab);
  return g_steal_pointer (&bpe);
}

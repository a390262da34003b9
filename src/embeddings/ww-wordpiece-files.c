#include "ww-wordpiece-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-checkpoint-files.h"
#include "ww-set.h"
#include "ww-tokeniser-parts.h"

/* The flags of the one file, or else those of the other; without any, as BERT's own small models: lower case, no
 * accents. */
static void
override_flags (json_t *object, const char *lower, const char *chinese, WwWordPieceFlags *flags)
{
  json_t *accents = json_object_get (object, "strip_accents");

  flags->lower_case = ww_json_get_boolean (object, lower, flags->lower_case);
  flags->split_chinese = ww_json_get_boolean (object, chinese, flags->split_chinese);
  flags->keep_controls = !ww_json_get_boolean (object, "clean_text", !flags->keep_controls);
  if (json_is_boolean (accents))
    flags->strip_accents = json_is_true (accents);
  else if (object != NULL)
    flags->strip_accents = flags->lower_case; /* not said, or null */
}

static gboolean
read_normalizer (WwSource *source, json_t *root, WwWordPieceFlags *flags, GError **error)
{
  json_t *normalizer = json_object_get (root, "normalizer");
  const char *type = ww_json_get_string (normalizer, "type");

  if (normalizer == NULL || json_is_null (normalizer) || g_strcmp0 (type, "Lowercase") == 0)
    {
      *flags = (WwWordPieceFlags) { .lower_case = type != NULL, .keep_controls = TRUE };
      return TRUE;
    }
  if (g_strcmp0 (type, "BertNormalizer") != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("\"normalizer\" is %.60s; for WordPiece, BertNormalizer, Lowercase or none is read"),
                           type != NULL ? type : "?");
      return FALSE;
    }

  override_flags (normalizer, "lowercase", "handle_chinese_chars", flags);
  return TRUE;
}

/* The flags of the second file are the arguments of a class that always normalises as BERT does; they are heard
 * where the first does not say otherwise. */
static void
override_by_config (json_t *config, gboolean normalises, WwWordPieceFlags *flags)
{
  gboolean strip_accents = flags->strip_accents;

  if (config == NULL || !normalises)
    return;

  override_flags (config, "do_lower_case", "tokenize_chinese_chars", flags);
  if (json_object_get (config, "strip_accents") == NULL && json_object_get (config, "do_lower_case") == NULL)
    flags->strip_accents = strip_accents;
}

static gboolean
read_model (WwSource *source, json_t *model, WwWordPieceFlags *flags, GError **error)
{
  json_t *most = json_object_get (model, "max_input_chars_per_word");

  flags->prefix = ww_json_get_string (model, "continuing_subword_prefix");
  flags->unknown = ww_json_get_string (model, "unk_token");
  if (flags->prefix != NULL && strlen (flags->prefix) > WW_WORDPIECE_MAX_PREFIX)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("\"continuing_subword_prefix\" is \"%.60s\"; a prefix of at most %d bytes is read"),
                           flags->prefix, WW_WORDPIECE_MAX_PREFIX);
      return FALSE;
    }
  if (most != NULL && !json_is_null (most))
    return ww_json_get_size (source, model, "max_input_chars_per_word", 1, G_MAXINT32, &flags->most_characters, error);

  return TRUE;
}

static WwWordPiece *
make (WwSource *source, const WwVocab *vocab, const WwWordPieceFlags *flags, GError **error)
{
  WwWordPiece *wordpiece = ww_wordpiece_new (vocab, *flags);

  if (wordpiece == NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                         _("the vocabulary has no piece %.60s, which WordPiece needs"),
                         flags->unknown != NULL ? flags->unknown : "[UNK]");
  return wordpiece;
}

static gboolean
set_memory_error (WwSource *source, GError **error)
{
  ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE, _("no memory for the tokens that stay whole"));
  return FALSE;
}

static gboolean
add_token (gpointer wordpiece, const char *text, const WwAddedToken *token)
{
  return ww_wordpiece_add_token (wordpiece, text, token);
}

/* Words that only the older tokeniser in plain Python knows; it looks for added tokens in another way, so that both
 * cannot be had. */
static gboolean
add_never_split (WwWordPiece *wordpiece, WwSource *source, json_t *config, GError **error)
{
  json_t *words = json_object_get (config, "never_split"), *entry;
  size_t index;

  if (json_array_size (words) > 0 && ww_wordpiece_has_normalised (wordpiece))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("\"never_split\" is given beside added tokens with \"normalized\"; one or the other is"
                             " read"));
      return FALSE;
    }
  json_array_foreach (words, index, entry)
    if (json_is_string (entry) && !ww_wordpiece_add_never_split (wordpiece, json_string_value (entry)))
      return set_memory_error (source, error);

  return TRUE;
}

static gboolean
check_cut (WwSource *source, json_t *root, GError **error)
{
  const char *type = ww_json_get_string (json_object_get (root, "pre_tokenizer"), "type");

  if (g_strcmp0 (type, "BertPreTokenizer") == 0)
    return TRUE;

  if (type == NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                         _("\"pre_tokenizer\" is missing; for WordPiece, BertPreTokenizer is read"));
  else
    ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                         _("\"pre_tokenizer\" is %.60s; for WordPiece, BertPreTokenizer is read"), type);
  return FALSE;
}

WwWordPiece *
ww_wordpiece_from_tokenizer (WwSource *source, json_t *root, json_t *config, WwVocab **ret_vocab, GError **error)
{
  json_t *model = json_object_get (root, "model"), *added = json_object_get (root, "added_tokens");
  WwWordPieceFlags flags = { .lower_case = TRUE, .strip_accents = TRUE, .split_chinese = TRUE };
  g_autoptr (WwWordPiece) wordpiece = NULL;
  g_autoptr (WwVocab) vocab = NULL;
  g_auto (WwTokenFrame) frame = { 0 };

  ww_token_frame_init (&frame);
  if (!check_cut (source, root, error) || !read_normalizer (source, root, &flags, error)
      || !read_model (source, model, &flags, error))
    return NULL;
  override_by_config (config, ww_json_get_string (json_object_get (root, "normalizer"), "type") != NULL, &flags);
  flags.n_pieces = json_object_size (json_object_get (model, "vocab"));
  vocab = ww_checkpoint_order_pieces (source, json_object_get (model, "vocab"), added, error);
  wordpiece = vocab != NULL ? make (source, vocab, &flags, error) : NULL;
  if (wordpiece == NULL || !ww_added_parse_list (source, added, vocab, add_token, wordpiece, error)
      || !add_never_split (wordpiece, source, config, error)
      || !ww_token_frame_parse (source, json_object_get (root, "post_processor"), vocab, &frame, error))
    return NULL;

  ww_wordpiece_set_frame (wordpiece, &frame);
  *ret_vocab = g_steal_pointer (&vocab);
  return g_steal_pointer (&wordpiece);
}

/* Pieces on top of the list, in the order of their ids. */
static gboolean
append_added (WwSource *source, WwVocab *vocab, json_t *list, GError **error)
{
  json_t *entry;
  size_t index;
  gsize before;

  do
    {
      before = ww_vocab_get_size (vocab);
      json_array_foreach (list, index, entry)
        {
          const char *text = ww_json_get_string (entry, "content");

          if (text != NULL && json_is_integer (json_object_get (entry, "id"))
              && json_integer_value (json_object_get (entry, "id")) == (json_int_t) ww_vocab_get_size (vocab)
              && ww_vocab_append (vocab, text, strlen (text)) == WW_VOCAB_FULL)
            return set_memory_error (source, error);
        }
    }
  while (ww_vocab_get_size (vocab) > before);

  json_array_foreach (list, index, entry)
    {
      json_int_t id = json_integer_value (json_object_get (entry, "id"));
      const char *text = ww_json_get_string (entry, "content");

      if (text == NULL || id < 0 || (guint64) id >= ww_vocab_get_size (vocab)
          || strcmp (ww_vocab_get (vocab, (gsize) id), text) != 0)
        {
          ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                               _("the added token \"%.60s\" has an id that is another piece's, or leaves a gap"
                                 " behind the %zu pieces"), text != NULL ? text : "?", before);
          return FALSE;
        }
    }
  return TRUE;
}

/* What else the classes of Python that read a vocab.txt may be told; a tokenizer.json leaves it aside. */
static gboolean
check_list_config (WwSource *source, json_t *config, GError **error)
{
  static const WwFollowed followed[]
    = { { "word_tokenizer_type", "basic" }, { "subword_tokenizer_type", "wordpiece" }, { "cls_token", "[CLS]" },
        { "sep_token", "[SEP]" },           { "unk_token", "[UNK]" },                  { NULL } };
  static const char *const flags[]
    = { "do_basic_tokenize", "do_lower_case", "strip_accents", "tokenize_chinese_chars", NULL };

  if (!ww_tokeniser_check_config (source, config, followed, flags, error))
    return FALSE;
  if (ww_json_get_boolean (config, "do_basic_tokenize", TRUE))
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("\"do_basic_tokenize\" in tokenizer_config.json is false, which is not followed"));
  return FALSE;
}

WwWordPiece *
ww_wordpiece_from_list (WwSource *source, json_t *config, json_t *added, WwVocab **ret_vocab, GError **error)
{
  WwWordPieceFlags flags = { .lower_case = TRUE, .strip_accents = TRUE, .split_chinese = TRUE };
  g_autoptr (WwVocab) vocab = ww_checkpoint_read_vocab_text (source, error);
  g_autoptr (json_t) list = ww_added_list (added, config);
  g_autoptr (WwWordPiece) wordpiece = NULL;

  if (vocab == NULL || !check_list_config (source, config, error))
    return NULL;
  flags.n_pieces = ww_vocab_get_size (vocab);
  if (!append_added (source, vocab, list, error))
    return NULL;
  override_by_config (config, TRUE, &flags);
  wordpiece = make (source, vocab, &flags, error);
  if (wordpiece == NULL)
    return NULL;
  if (!ww_wordpiece_add_usual (wordpiece))
    {
      set_memory_error (source, error);
      return NULL;
    }
  if (!ww_added_parse_list (source, list, vocab, add_token, wordpiece, error)
      || !add_never_split (wordpiece, source, config, error))
    return NULL;

  *ret_vocab = g_steal_pointer (&vocab);
  return g_steal_pointer (&wordpiece);
}

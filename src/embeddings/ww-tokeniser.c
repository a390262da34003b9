#include "ww-tokeniser.h"

#include <string.h>

#include "ww-bpe-files.h"
#include "ww-checkpoint-files.h"
#include "ww-set.h"
#include "ww-wordpiece.h"

struct _WwTokeniser
{
  WwVocab *vocab;
  WwWordPiece *wordpiece; /* one of the two is NULL */
  WwBpe *bpe;
  const char *name;
};

void
ww_tokeniser_free (WwTokeniser *tokeniser)
{
  if (tokeniser == NULL)
    return;

  ww_wordpiece_free (tokeniser->wordpiece);
  ww_bpe_free (tokeniser->bpe);
  ww_vocab_free (tokeniser->vocab);
  g_free (tokeniser);
}

/* From tokenizer_config.json, else from tokenizer.json; without either, as BERT's own small models: lower
 * case, no accents. */
static WwWordPieceFlags
read_flags (json_t *config, json_t *tokenizer)
{
  json_t *object = config != NULL ? config : json_object_get (tokenizer, "normalizer");
  gboolean full = config == NULL;
  WwWordPieceFlags flags;

  flags.lower_case = ww_json_get_boolean (object, full ? "lowercase" : "do_lower_case", TRUE);
  flags.strip_accents = ww_json_get_boolean (object, "strip_accents", flags.lower_case);
  flags.split_chinese = ww_json_get_boolean (object, full ? "handle_chinese_chars"
                                                          : "tokenize_chinese_chars", TRUE);
  return flags;
}

/* Words that stay whole: added tokens wherever they stand, "never_split" between white space. */
static gboolean
add_whole_words (WwWordPiece *wordpiece, json_t *config, json_t *tokenizer)
{
  json_t *entry;
  size_t index;

  json_array_foreach (json_object_get (tokenizer, "added_tokens"), index, entry)
    {
      const char *text = ww_json_get_string (entry, "content");

      if (text != NULL && !ww_wordpiece_add_whole (wordpiece, text, FALSE))
        return FALSE;
    }
  json_array_foreach (json_object_get (config, "never_split"), index, entry)
    if (json_is_string (entry) && !ww_wordpiece_add_whole (wordpiece, json_string_value (entry), TRUE))
      return FALSE;

  return TRUE;
}

/* `source` is where the vocabulary comes from. */
static gboolean
make_wordpiece (WwTokeniser *tokeniser, WwSource *source, json_t *config, json_t *tokenizer, GError **error)
{
  const char *prefix = ww_json_get_string (json_object_get (tokenizer, "model"), "continuing_subword_prefix");
  const WwWordPieceFlags flags = read_flags (config, tokenizer);

  if (prefix != NULL && strcmp (prefix, "##") != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           "\"continuing_subword_prefix\" is \"%.60s\"; WordPiece with \"##\" is read", prefix);
      return FALSE;
    }
  tokeniser->wordpiece = ww_wordpiece_new (tokeniser->vocab, flags);
  if (tokeniser->wordpiece == NULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           "the vocabulary has no piece [UNK], which WordPiece needs");
      return FALSE;
    }

  if (!add_whole_words (tokeniser->wordpiece, config, tokenizer))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE, "no memory for the tokens that stay whole");
      return FALSE;
    }
  tokeniser->name = flags.lower_case ? "WordPiece, lower-casing" : "WordPiece, cased";
  return TRUE;
}

static gboolean
make_from_json (WwTokeniser *tokeniser, WwSource *source, json_t *root, json_t *config, GError **error)
{
  json_t *model = json_object_get (root, "model");
  const char *type = ww_json_get_string (model, "type");

  /* Old files do not name the type, but only BPE has merges. */
  if (g_strcmp0 (type, "BPE") == 0 || (type == NULL && json_object_get (model, "merges") != NULL))
    {
      tokeniser->bpe = ww_bpe_from_tokenizer (source, root, &tokeniser->vocab, error);
      tokeniser->name = "byte-level BPE";
      return tokeniser->bpe != NULL;
    }
  if (g_strcmp0 (type, "WordPiece") != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           "\"model\" is of the type \"%.60s\"; WordPiece and byte-level BPE are read",
                           type != NULL ? type : "?");
      return FALSE;
    }

  tokeniser->vocab = ww_checkpoint_order_pieces (source, json_object_get (model, "vocab"),
                                                 json_object_get (root, "added_tokens"), error);
  return tokeniser->vocab != NULL && make_wordpiece (tokeniser, source, config, root, error);
}

WwTokeniser *
ww_tokeniser_new_for_json (WwSource *source, json_t *tokenizer, json_t *config, GError **error)
{
  g_autoptr (WwTokeniser) tokeniser = g_new0 (WwTokeniser, 1);

  return make_from_json (tokeniser, source, tokenizer, config, error) ? g_steal_pointer (&tokeniser) : NULL;
}

static gboolean
has_child (GFile *folder, const char *name)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);

  return g_file_query_exists (file, NULL);
}

/* A vocabulary of its own says which kind it is; else tokenizer.json has everything. */
static gboolean
open_files (WwTokeniser *tokeniser, GFile *folder, WwFamily family, GError **error)
{
  g_autoptr (WwSource) vocab = NULL;
  g_autoptr (WwSource) source = NULL;
  g_autoptr (json_t) tokenizer = NULL;
  g_autoptr (json_t) config = NULL;
  g_autofree char *name = NULL;

  if (!ww_checkpoint_open_child (folder, "vocab.txt", &vocab, error)
      || !ww_checkpoint_load_json (folder, "tokenizer.json", WW_MAX_VOCAB_BYTES, &source, &tokenizer, error)
      || !ww_checkpoint_load_json (folder, "tokenizer_config.json", WW_MAX_VOCAB_BYTES, NULL, &config, error))
    return FALSE;

  if (vocab != NULL)
    {
      tokeniser->vocab = ww_checkpoint_read_vocab_text (vocab, error);
      return tokeniser->vocab != NULL && make_wordpiece (tokeniser, vocab, config, tokenizer, error);
    }
  if (tokenizer != NULL)
    return make_from_json (tokeniser, source, tokenizer, config, error);
  if (has_child (folder, "vocab.json"))
    {
      tokeniser->bpe = ww_bpe_from_folder (folder, family, &tokeniser->vocab, error);
      tokeniser->name = "byte-level BPE";
      return tokeniser->bpe != NULL;
    }

  name = g_file_get_parse_name (folder);
  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
               "%s: a %s checkpoint without vocab.txt, tokenizer.json, or vocab.json and merges.txt", name,
               ww_family_get_name (family));
  return FALSE;
}

WwTokeniser *
ww_tokeniser_open (GFile *folder, WwFamily family, GError **error)
{
  g_autoptr (WwTokeniser) tokeniser = g_new0 (WwTokeniser, 1);

  return open_files (tokeniser, folder, family, error) ? g_steal_pointer (&tokeniser) : NULL;
}

const WwVocab *
ww_tokeniser_get_vocab (const WwTokeniser *tokeniser)
{
  return tokeniser->vocab;
}

const char *
ww_tokeniser_get_name (const WwTokeniser *tokeniser)
{
  return tokeniser->name;
}

WwTokens *
ww_tokeniser_tokenise (const WwTokeniser *tokeniser, const char *text, gboolean special)
{
  return tokeniser->bpe != NULL ? ww_bpe_tokenise (tokeniser->bpe, text, special)
                                : ww_wordpiece_tokenise (tokeniser->wordpiece, text, special);
}

void
ww_tokeniser_fill_token (const WwTokeniser *tokeniser, guint32 id, WwToken *ret_token)
{
  if (tokeniser->bpe != NULL)
    ww_bpe_fill_token (tokeniser->bpe, id, ret_token);
  else
    ww_wordpiece_fill_token (tokeniser->wordpiece, id, ret_token);
}

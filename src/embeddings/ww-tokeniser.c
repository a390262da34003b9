#include "ww-tokeniser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-bpe-files.h"
#include "ww-checkpoint-files.h"
#include "ww-set.h"
#include "ww-token-limits.h"
#include "ww-wordpiece-files.h"

struct _WwTokeniser
{
  WwVocab *vocab;
  WwWordPiece *wordpiece; /* one of the three is not NULL */
  WwBpe *bpe;
  WwScored *scored;
  const char *name;
  GPtrArray *files; /* WwSource; NULL: none, or they are taken */
  GArray *limits;   /* WwTokenLimit; NULL: it is from no folder */
};

void
ww_tokeniser_free (WwTokeniser *tokeniser)
{
  if (tokeniser == NULL)
    return;

  ww_wordpiece_free (tokeniser->wordpiece);
  ww_bpe_free (tokeniser->bpe);
  ww_scored_free (tokeniser->scored);
  ww_vocab_free (tokeniser->vocab);
  g_clear_pointer (&tokeniser->files, g_ptr_array_unref);
  g_clear_pointer (&tokeniser->limits, g_array_unref);
  g_free (tokeniser);
}

static gboolean
set_name (WwTokeniser *tokeniser)
{
  if (tokeniser->scored != NULL)
    tokeniser->name = "SentencePiece, by scores";
  else if (tokeniser->bpe != NULL)
    tokeniser->name = "byte-level BPE";
  else if (tokeniser->wordpiece != NULL)
    tokeniser->name = ww_wordpiece_is_lower_casing (tokeniser->wordpiece) ? "WordPiece, lower-casing"
                                                                          : "WordPiece, cased";
  return tokeniser->name != NULL;
}

WwTokeniser *
ww_tokeniser_new_take (WwVocab *vocab, WwWordPiece *wordpiece, WwBpe *bpe, WwScored *scored)
{
  WwTokeniser *tokeniser = g_new0 (WwTokeniser, 1);

  tokeniser->vocab = vocab;
  tokeniser->wordpiece = wordpiece;
  tokeniser->bpe = bpe;
  tokeniser->scored = scored;
  set_name (tokeniser);
  return tokeniser;
}

static gboolean
make_from_json (WwTokeniser *tokeniser, WwSource *source, json_t *root, json_t *config, GError **error)
{
  json_t *model = json_object_get (root, "model");
  const char *type = ww_json_get_string (model, "type");

  /* Old files do not name the type, but only BPE has merges. */
  if (g_strcmp0 (type, "BPE") == 0 || (type == NULL && json_object_get (model, "merges") != NULL))
    {
      tokeniser->bpe = ww_bpe_from_tokenizer (source, root, config, &tokeniser->vocab, error);
      return set_name (tokeniser);
    }
  if (g_strcmp0 (type, "WordPiece") != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("\"model\" is of the type \"%.60s\"; WordPiece and byte-level BPE are read"),
                           type != NULL ? type : "?");
      return FALSE;
    }

  tokeniser->wordpiece = ww_wordpiece_from_tokenizer (source, root, config, &tokeniser->vocab, error);
  return set_name (tokeniser);
}

WwTokeniser *
ww_tokeniser_new_for_json (WwSource *source, json_t *tokenizer, json_t *config, GError **error)
{
  g_autoptr (WwTokeniser) tokeniser = g_new0 (WwTokeniser, 1);

  return make_from_json (tokeniser, source, tokenizer, config, error) ? g_steal_pointer (&tokeniser) : NULL;
}

/* sentence-transformers has a step of its own in front of the tokeniser, and a length of its own. The first of these
 * files that is there is the one that it reads. */
static gboolean
read_sentence_config (WwTokeniser *tokeniser, GFile *folder, GError **error)
{
  static const char *const names[] = { "sentence_bert_config.json", "sentence_roberta_config.json",
                                       "sentence_distilbert_config.json" };
  g_autoptr (WwSource) source = NULL;
  g_autoptr (json_t) root = NULL;

  for (gsize i = 0; root == NULL && i < G_N_ELEMENTS (names); i++)
    {
      if (!ww_checkpoint_load_json (folder, names[i], WW_MAX_VOCAB_BYTES, &source, &root, error))
        return FALSE;
      ww_token_limits_add (tokeniser->limits, names[i], json_object_get (root, "max_seq_length"));
    }
  if (!ww_json_get_boolean (root, "do_lower_case", FALSE)
      || (tokeniser->wordpiece != NULL && ww_wordpiece_is_lower_casing (tokeniser->wordpiece)))
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                       _("\"do_lower_case\" is true for a tokeniser that minds case; that is not read"));
  return FALSE;
}

/* tokenizer.json has everything; else a vocabulary says by its name which kind it is. */
static gboolean
open_files (WwTokeniser *tokeniser, GFile *folder, WwFamily family, GError **error)
{
  g_autoptr (WwSource) vocab = NULL;
  g_autoptr (WwSource) source = NULL;
  g_autoptr (json_t) tokenizer = NULL;
  g_autoptr (json_t) config = NULL;
  g_autoptr (json_t) added = NULL;
  g_autofree char *name = NULL;

  if (!ww_checkpoint_open_child (folder, "vocab.txt", &vocab, error)
      || !ww_checkpoint_load_json (folder, "tokenizer.json", WW_MAX_VOCAB_BYTES, &source, &tokenizer, error)
      || !ww_checkpoint_load_json (folder, "added_tokens.json", WW_MAX_VOCAB_BYTES, NULL, &added, error)
      || !ww_checkpoint_load_json (folder, "tokenizer_config.json", WW_MAX_VOCAB_BYTES, NULL, &config, error))
    return FALSE;

  ww_token_limits_add (tokeniser->limits, "tokenizer.json",
                       json_object_get (json_object_get (tokenizer, "truncation"), "max_length"));
  ww_token_limits_add (tokeniser->limits, "tokenizer_config.json", json_object_get (config, "model_max_length"));
  if (tokenizer != NULL)
    return make_from_json (tokeniser, source, tokenizer, config, error);
  if (vocab != NULL)
    {
      tokeniser->wordpiece = ww_wordpiece_from_list (vocab, config, added, &tokeniser->vocab, error);
      return set_name (tokeniser);
    }
  if (ww_checkpoint_has_child (folder, "vocab.json"))
    {
      tokeniser->bpe = ww_bpe_from_folder (folder, family, &tokeniser->vocab, error);
      return set_name (tokeniser);
    }

  name = g_file_get_parse_name (folder);
  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
               _("%s: a checkpoint without vocab.txt, tokenizer.json, or vocab.json and merges.txt, which texts need; ids"
                 " can be given in place of a text (command line: --ids)"), name);
  return FALSE;
}

/* What open_files has read: with another of these the same weights are another set. */
static gboolean
collect_files (WwTokeniser *tokeniser, GFile *folder, GError **error)
{
  static const char *const of_json[] = { "tokenizer.json", "tokenizer_config.json", NULL };
  static const char *const of_list[] = { "vocab.txt", "added_tokens.json", "tokenizer_config.json", NULL };
  static const char *const of_bpe[] = { "vocab.json", "merges.txt", "added_tokens.json", "tokenizer_config.json", NULL };
  const char *const *names = ww_checkpoint_has_child (folder, of_json[0])   ? of_json
                             : ww_checkpoint_has_child (folder, of_list[0]) ? of_list
                                                                            : of_bpe;

  tokeniser->files = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_source_unref);
  for (gsize i = 0; names[i] != NULL; i++)
    {
      WwSource *source = NULL;

      if (!ww_checkpoint_open_child (folder, names[i], &source, error))
        return FALSE;
      if (source != NULL)
        g_ptr_array_add (tokeniser->files, source);
    }

  return TRUE;
}

WwTokeniser *
ww_tokeniser_open (GFile *folder, WwFamily family, GError **error)
{
  g_autoptr (WwTokeniser) tokeniser = g_new0 (WwTokeniser, 1);

  tokeniser->limits = g_array_new (FALSE, FALSE, sizeof (WwTokenLimit));
  if (!open_files (tokeniser, folder, family, error) || !read_sentence_config (tokeniser, folder, error)
      || !collect_files (tokeniser, folder, error))
    return NULL;

  return g_steal_pointer (&tokeniser);
}

const WwVocab *
ww_tokeniser_get_vocab (const WwTokeniser *tokeniser)
{
  return tokeniser->vocab;
}

GPtrArray *
ww_tokeniser_steal_files (WwTokeniser *tokeniser)
{
  return g_steal_pointer (&tokeniser->files);
}

GArray *
ww_tokeniser_get_limits (const WwTokeniser *tokeniser)
{
  return tokeniser->limits;
}

const char *
ww_tokeniser_get_name (const WwTokeniser *tokeniser)
{
  return tokeniser->name;
}

WwTokens *
ww_tokeniser_tokenise (const WwTokeniser *tokeniser, const char *text, gboolean special)
{
  if (tokeniser->bpe != NULL)
    return ww_bpe_tokenise (tokeniser->bpe, text, special);
  if (tokeniser->scored != NULL)
    return ww_scored_tokenise (tokeniser->scored, text, special);

  return ww_wordpiece_tokenise (tokeniser->wordpiece, text, special);
}

static void
fill_token (const WwTokeniser *tokeniser, guint32 id, WwToken *ret_token)
{
  if (tokeniser->bpe != NULL)
    ww_bpe_fill_token (tokeniser->bpe, id, ret_token);
  else if (tokeniser->scored != NULL)
    ww_scored_fill_token (tokeniser->scored, id, ret_token);
  else
    ww_wordpiece_fill_token (tokeniser->wordpiece, id, ret_token);
}

/* A vocabulary may have an empty piece; no text leads to it, but its id does. */
void
ww_tokeniser_fill_token (const WwTokeniser *tokeniser, guint32 id, WwToken *ret_token)
{
  fill_token (tokeniser, id, ret_token);
  if (*ret_token->display != '\0')
    return;

  g_free (ret_token->display);
  ret_token->display = g_strdup ("\u2205");
}

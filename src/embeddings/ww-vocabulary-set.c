#include "ww-vocabulary-set.h"

#include <glib/gi18n-lib.h>

#include "ww-checkpoint-files.h"
#include "ww-tokeniser.h"

#define WW_TYPE_VOCABULARY_SET (ww_vocabulary_set_get_type ())
G_DECLARE_FINAL_TYPE (WwVocabularySet, ww_vocabulary_set, WW, VOCABULARY_SET, WwSet)

struct _WwVocabularySet
{
  WwSet parent_instance;

  WwTokeniser *tokeniser;
};

G_DEFINE_FINAL_TYPE (WwVocabularySet, ww_vocabulary_set, WW_TYPE_SET)

static void
ww_vocabulary_set_finalize (GObject *object)
{
  ww_tokeniser_free (WW_VOCABULARY_SET (object)->tokeniser);

  G_OBJECT_CLASS (ww_vocabulary_set_parent_class)->finalize (object);
}

static WwTokens *
ww_vocabulary_set_tokenise (WwSet *set, const char *text, gboolean special, GError **error)
{
  return ww_tokeniser_tokenise (WW_VOCABULARY_SET (set)->tokeniser, text, special);
}

static void
ww_vocabulary_set_fill_token (WwSet *set, guint32 id, WwToken *ret_token)
{
  ww_tokeniser_fill_token (WW_VOCABULARY_SET (set)->tokeniser, id, ret_token);
}

static WwMatrix *
ww_vocabulary_set_get_context (WwSet *set, const guint32 *ids, gsize n, int layer, GError **error)
{
  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
               _("%s is a vocabulary without weights: it has tokens, but no vectors"), ww_set_get_name (set));
  return NULL;
}

static void
ww_vocabulary_set_describe (WwSet *set, GPtrArray *pairs)
{
  ww_set_add_pair (pairs, "Tokeniser", "%s", ww_tokeniser_get_name (WW_VOCABULARY_SET (set)->tokeniser));
}

static void
ww_vocabulary_set_class_init (WwVocabularySetClass *class)
{
  WwSetClass *set_class = WW_SET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = ww_vocabulary_set_finalize;
  set_class->tokenise = ww_vocabulary_set_tokenise;
  set_class->fill_token = ww_vocabulary_set_fill_token;
  set_class->get_context = ww_vocabulary_set_get_context;
  set_class->describe = ww_vocabulary_set_describe;
}

static void
ww_vocabulary_set_init (WwVocabularySet *self)
{
}

/* The file whose SHA-256 names the vocabulary. */
static WwSource *
open_named (GFile *folder, GError **error)
{
  const char *name = ww_checkpoint_find_vocabulary (folder);
  /* What is gone meanwhile is said to be missing. */
  g_autoptr (GFile) file = g_file_get_child (folder, name != NULL ? name : "tokenizer.json");

  return ww_source_open (file, error);
}

static WwSet *
make_set (GFile *file, WwSource *source, WwTokeniser *tokeniser)
{
  WwVocabularySet *self = g_object_new (WW_TYPE_VOCABULARY_SET, NULL);
  g_autofree char *name = g_file_get_basename (file);
  WwSetFacts facts = { WW_SET_KIND_CHECKPOINT, name, "vocabulary without weights" };

  self->tokeniser = tokeniser;
  facts.n_entries = ww_vocab_get_size (ww_tokeniser_get_vocab (tokeniser));
  facts.digested = &source;
  facts.n_digested = 1;
  ww_set_set_facts (WW_SET (self), &facts);
  ww_set_take_tokeniser_files (WW_SET (self), ww_tokeniser_steal_files (tokeniser));
  ww_set_set_token_limits (WW_SET (self), ww_tokeniser_get_limits (tokeniser));
  return WW_SET (self);
}

WwSet *
ww_vocabulary_set_open (GFile *folder, const char *why, GError **error)
{
  g_auto (WwModelConfig) config = { .family = WW_FAMILY_NONE };
  g_autoptr (WwTokeniser) tokeniser = NULL;
  g_autoptr (WwSource) source = NULL;
  WwSet *set;

  ww_model_config_read (folder, &config, NULL);
  tokeniser = ww_tokeniser_open (folder, config.family, error);
  source = tokeniser != NULL ? open_named (folder, error) : NULL;
  if (source == NULL)
    return NULL;

  set = make_set (folder, source, g_steal_pointer (&tokeniser));
  ww_set_add_warning (set, _("A vocabulary without weights: it has tokens, but no vectors%s%s"),
                      why != NULL ? ". " : "",
                      why != NULL ? why : "");
  return set;
}

WwSet *
ww_vocabulary_set_new_take (GFile *file, WwSource *source, WwTokeniser *tokeniser, const char *why)
{
  WwSet *set = make_set (file, source, tokeniser);

  ww_set_add_warning (set, _("The vectors are of the type %s, which is not read; the tokens are"), why);
  return set;
}

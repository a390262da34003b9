/* A transformer checkpoint as an embedding set: its tokeniser, its word vectors, the state that
 * enters its first block, and that block's attention. */
#include "ww-bert.h"
#include "ww-checkpoint-files.h"
#include "ww-set-private.h"

#define WW_TYPE_CHECKPOINT (ww_checkpoint_get_type ())
G_DECLARE_FINAL_TYPE (WwCheckpoint, ww_checkpoint, WW, CHECKPOINT, WwSet)

struct _WwCheckpoint
{
  WwSet parent_instance;

  WwCheckpointConfig config;
  WwWordPieceFlags flags;
  WwVocab *vocab;
  WwWordPiece *wordpiece;
  WwBert *bert;
};

G_DEFINE_FINAL_TYPE (WwCheckpoint, ww_checkpoint, WW_TYPE_SET)

static void
ww_checkpoint_finalize (GObject *object)
{
  WwCheckpoint *self = WW_CHECKPOINT (object);

  ww_bert_free (self->bert);
  ww_wordpiece_free (self->wordpiece);
  ww_vocab_free (self->vocab);

  G_OBJECT_CLASS (ww_checkpoint_parent_class)->finalize (object);
}

static WwTokens *
ww_checkpoint_tokenise (WwSet *set, const char *text, gboolean special, GError **error)
{
  return ww_wordpiece_tokenise (WW_CHECKPOINT (set)->wordpiece, text, special);
}

static void
ww_checkpoint_fill_token (WwSet *set, guint32 id, WwToken *ret_token)
{
  ww_wordpiece_fill_token (WW_CHECKPOINT (set)->wordpiece, id, ret_token);
}

static WwMatrix *
ww_checkpoint_get_context (WwSet *set, const guint32 *ids, gsize n, int layer, GError **error)
{
  WwCheckpoint *self = WW_CHECKPOINT (set);
  g_autoptr (WwMatrix) context = NULL;

  if (layer == 0)
    return ww_bert_get_layer_0 (self->bert, ids, n, error);

  context = ww_matrix_new (n, self->config.bert.hidden, error);
  if (context == NULL)
    return NULL;
  for (gsize j = 0; j < n; j++)
    if (!ww_table_read_row (ww_bert_get_words (self->bert), ids[j],
                            context->data + j * context->cols, error))
      return NULL;

  return g_steal_pointer (&context);
}

static gboolean
check_attention (WwCheckpoint *self, int layer, int head, GError **error)
{
  const char *name = ww_set_get_name (WW_SET (self));

  if (layer != 1 || !ww_bert_has_attention (self->bert))
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 "%s offers no trained attention of block %d; %s", name, layer,
                 ww_bert_has_attention (self->bert) ? "it offers that of block 1"
                                                    : "it has no query and key weights");
  else if (head < -1 || (head >= 0 && (gsize) head >= self->config.bert.heads))
    g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                 "%s has no head %d; its heads are 0 to %" G_GSIZE_FORMAT
                 ", and -1 is their mean", name, head, self->config.bert.heads - 1);
  else
    return TRUE;

  return FALSE;
}

static WwMatrix *
ww_checkpoint_get_trained_attention (WwSet *set, const guint32 *ids, gsize n, int layer, int head,
                                     GError **error)
{
  WwCheckpoint *self = WW_CHECKPOINT (set);
  g_autoptr (WwMatrix) state = NULL;

  if (!check_attention (self, layer, head, error))
    return NULL;
  state = ww_bert_get_layer_0 (self->bert, ids, n, error);
  if (state == NULL)
    return NULL;

  return ww_bert_get_attention (self->bert, state, head, error);
}

static void
ww_checkpoint_describe (WwSet *set, GPtrArray *pairs)
{
  WwCheckpoint *self = WW_CHECKPOINT (set);
  gboolean layer_0 = ww_bert_has_layer_0 (self->bert);
  gboolean attention = ww_bert_has_attention (self->bert);

  ww_set_add_pair (pairs, "Tokeniser", "WordPiece, %s",
                   self->flags.lower_case ? "lower-casing" : "cased");
  ww_set_add_pair (pairs, "Values", "%s",
                   ww_dtype_get_name (ww_bert_get_words (self->bert)->dtype));
  ww_set_add_pair (pairs, "Layers", "%s", layer_0 ? "word, 0" : "word");
  if (layer_0)
    ww_set_add_pair (pairs, "Longest text", "%" G_GSIZE_FORMAT " tokens",
                     ww_bert_get_positions (self->bert));
  if (attention)
    ww_set_add_pair (pairs, "Trained attention", "block 1, %" G_GSIZE_FORMAT " heads",
                     self->config.bert.heads);
  else
    ww_set_add_pair (pairs, "Trained attention", "none: no query and key weights of block 1");
}

static void
ww_checkpoint_class_init (WwCheckpointClass *class)
{
  WwSetClass *set_class = WW_SET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = ww_checkpoint_finalize;
  set_class->tokenise = ww_checkpoint_tokenise;
  set_class->fill_token = ww_checkpoint_fill_token;
  set_class->get_context = ww_checkpoint_get_context;
  set_class->get_trained_attention = ww_checkpoint_get_trained_attention;
  set_class->describe = ww_checkpoint_describe;
}

static void
ww_checkpoint_init (WwCheckpoint *self)
{
}

/* A piece without a row is an error; a row without a piece is usual, because tables are padded to
 * a round number. */
static gboolean
check_sizes (WwCheckpoint *self, GError **error)
{
  const WwTable *words = ww_bert_get_words (self->bert);
  gsize pieces = ww_vocab_get_size (self->vocab);

  if (words->rows != self->config.vocabulary)
    {
      ww_source_set_error (words->source, error, WW_SET_ERROR_SHAPE,
                           "the word embeddings have %" G_GSIZE_FORMAT " rows; \"vocab_size\" in"
                           " config.json says %" G_GSIZE_FORMAT, words->rows,
                           self->config.vocabulary);
      return FALSE;
    }
  if (pieces > words->rows)
    {
      ww_source_set_error (words->source, error, WW_SET_ERROR_SHAPE,
                           "the vocabulary has %" G_GSIZE_FORMAT " pieces, the word embeddings have"
                           " %" G_GSIZE_FORMAT " rows", pieces, words->rows);
      return FALSE;
    }
  if (pieces < words->rows)
    ww_set_add_warning (WW_SET (self),
                        "The vocabulary has %" G_GSIZE_FORMAT " pieces for %" G_GSIZE_FORMAT
                        " rows; the rows behind the last piece are not used", pieces, words->rows);
  return TRUE;
}

static gboolean
load (WwCheckpoint *self, GFile *folder, const char *name, GError **error)
{
  g_autoptr (WwTensorFiles) files = NULL;
  WwSetFacts facts = { WW_SET_KIND_CHECKPOINT, name };

  if (!ww_checkpoint_read_config (folder, &self->config, error)
      || !ww_checkpoint_read_flags (folder, &self->flags, error))
    return FALSE;
  self->vocab = ww_checkpoint_read_vocab (folder, error);
  if (self->vocab == NULL)
    return FALSE;
  self->wordpiece = ww_wordpiece_new (self->vocab, self->flags);
  if (self->wordpiece == NULL)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_MISSING,
                   "%s: the vocabulary has no piece [UNK], which WordPiece needs", name);
      return FALSE;
    }

  files = ww_tensor_files_open (folder, error);
  if (files == NULL)
    return FALSE;
  self->bert = ww_bert_new (files, &self->config.bert, error);
  if (self->bert == NULL || !check_sizes (self, error))
    return FALSE;

  facts.format = self->config.bert.family == WW_BERT_DISTILLED ? "DistilBERT checkpoint"
                                                               : "BERT checkpoint";
  facts.n_entries = ww_vocab_get_size (self->vocab);
  facts.dims = self->config.bert.hidden;
  if (ww_bert_has_layer_0 (self->bert))
    facts.max_positions = ww_bert_get_positions (self->bert);
  facts.digested = ww_tensor_files_get_sources (files, &facts.n_digested);
  ww_set_set_facts (WW_SET (self), &facts);
  return TRUE;
}

WwSet *
ww_checkpoint_open (GFile *folder, const char *name, GError **error)
{
  g_autoptr (WwCheckpoint) self = g_object_new (WW_TYPE_CHECKPOINT, NULL);
  g_autoptr (GFile) actual = ww_checkpoint_find_folder (folder, error);
  g_autofree char *base = g_file_get_basename (folder);

  if (actual == NULL || !load (self, actual, name != NULL ? name : base, error))
    return NULL;

  return WW_SET (g_steal_pointer (&self));
}

/* A folder, or one of the files of a checkpoint: a file chooser shows files, and a person picks the
 * largest. */
static gboolean
recognises (const WwProbe *probe)
{
  static const char *const members[] = { "config.json", "model.safetensors",
                                         "model.safetensors.index.json", "tokenizer.json",
                                         "tokenizer_config.json", "vocab.txt", NULL };
  g_autoptr (GFile) parent = NULL;
  g_autoptr (GFile) config = NULL;
  g_autofree char *name = NULL;

  if (probe->source == NULL)
    return TRUE;

  name = g_file_get_basename (probe->file);
  if (!g_strv_contains (members, name))
    return FALSE;
  parent = g_file_get_parent (probe->file);
  config = g_file_get_child (parent, "config.json");
  return g_file_query_exists (config, NULL);
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autoptr (GFile) folder = probe->source == NULL ? g_object_ref (probe->file)
                                                   : g_file_get_parent (probe->file);

  return ww_checkpoint_open (folder, NULL, error);
}

const WwReader ww_checkpoint_reader = { recognises, open_probe };

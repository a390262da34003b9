/* A transformer checkpoint as an embedding set: its tokeniser, its word vectors, the state that enters its
 * first block and that behind any block, and the attention of every block. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-checkpoint-files.h"
#include "ww-checkpoint-table.h"
#include "ww-choice.h"
#include "ww-digest.h"
#include "ww-model.h"
#include "ww-set-private.h"
#include "ww-tokeniser.h"
#include "ww-vocabulary-set.h"
#include "ww-words.h"

#define WW_TYPE_CHECKPOINT (ww_checkpoint_get_type ())
G_DECLARE_FINAL_TYPE (WwCheckpoint, ww_checkpoint, WW, CHECKPOINT, WwSet)

struct _WwCheckpoint
{
  WwSet parent_instance;

  WwTokeniser *tokeniser; /* NULL: there is none, or none that is followed */
  WwVocab *numbers;       /* then the rows' own, in place of pieces */
  char *why;              /* what of the tokeniser is not followed; NULL: it is, or there is none */
  WwModel *model;
};

G_DEFINE_FINAL_TYPE (WwCheckpoint, ww_checkpoint, WW_TYPE_SET)

static void
ww_checkpoint_finalize (GObject *object)
{
  WwCheckpoint *self = WW_CHECKPOINT (object);

  ww_model_free (self->model);
  ww_tokeniser_free (self->tokeniser);
  ww_vocab_free (self->numbers);
  g_free (self->why);

  G_OBJECT_CLASS (ww_checkpoint_parent_class)->finalize (object);
}

static WwTokens *
ww_checkpoint_tokenise (WwSet *set, const char *text, gboolean special, GError **error)
{
  const WwCheckpoint *self = WW_CHECKPOINT (set);

  return self->tokeniser != NULL ? ww_tokeniser_tokenise (self->tokeniser, text, special)
                                 : ww_words_tokenise (self->numbers, WW_WORD_MARKS_NONE, NULL, text);
}

static void
ww_checkpoint_fill_token (WwSet *set, guint32 id, WwToken *ret_token)
{
  const WwTokeniser *tokeniser = WW_CHECKPOINT (set)->tokeniser;

  if (tokeniser != NULL)
    ww_tokeniser_fill_token (tokeniser, id, ret_token);
  else
    *ret_token = (WwToken) { .id = id, .has_row = TRUE, .text = g_strdup_printf ("%u", id),
                             .display = g_strdup_printf ("%u", id) };
}

static WwMatrix *
ww_checkpoint_get_context (WwSet *set, const guint32 *ids, gsize n, int layer, GError **error)
{
  const WwModel *model = WW_CHECKPOINT (set)->model;

  return layer == WW_LAYER_WORD ? ww_model_get_word_rows (model, ids, n, error)
                                : ww_model_get_state (model, ids, n, layer, NULL, error);
}

static WwMatrix *
ww_checkpoint_get_state (WwSet *set, const guint32 *ids, gsize n, int layer, const WwCancel *cancel,
                         GError **error)
{
  return ww_model_get_state (WW_CHECKPOINT (set)->model, ids, n, layer, cancel, error);
}

static WwMatrix *
ww_checkpoint_get_trained_attention (WwSet *set, const guint32 *ids, gsize n, const WwMatrix *state, int layer,
                                     int head, const WwCancel *cancel, GError **error)
{
  const WwModel *model = WW_CHECKPOINT (set)->model;

  return state != NULL ? ww_model_weigh_state (model, state, layer, head, cancel, error)
                       : ww_model_get_attention (model, ids, n, layer, head, cancel, error);
}

static WwWeigher *
ww_checkpoint_new_weigher (WwSet *set, const WwMatrix *state, int layer, GError **error)
{
  return ww_model_new_weigher (WW_CHECKPOINT (set)->model, set, state, layer, error);
}

static gboolean
ww_checkpoint_get_row (WwSet *set, guint32 id, const guint32 *ids, gsize position, double *ret_row, GError **error)
{
  return ww_model_get_row (WW_CHECKPOINT (set)->model, id, ids, position, ret_row, error);
}

static void
describe_layers (const WwModel *model, GPtrArray *pairs)
{
  int layers = ww_model_get_layers (model);

  if (layers == WW_LAYER_WORD)
    ww_set_add_pair (pairs, "Layers", "word");
  else if (layers <= 1)
    ww_set_add_pair (pairs, "Layers", layers == 0 ? "word, 0" : "word, 0, 1");
  else
    ww_set_add_pair (pairs, "Layers", "word, 0 to %d", layers);
  if (layers != WW_LAYER_WORD)
    ww_set_add_pair (pairs, "Longest text", "%" G_GSIZE_FORMAT " tokens", ww_model_get_max_tokens (model));
}

static void
describe_attention (const WwModel *model, GPtrArray *pairs)
{
  gsize blocks = ww_model_get_attention_blocks (model), heads = ww_model_get_config (model)->heads;

  if (blocks == 0)
    ww_set_add_pair (pairs, "Trained attention", "none: %s",
                     ww_model_get_lack (model) != NULL ? ww_model_get_lack (model) : "no blocks");
  else if (blocks == 1)
    ww_set_add_pair (pairs, "Trained attention", "block 1, %" G_GSIZE_FORMAT " heads", heads);
  else
    ww_set_add_pair (pairs, "Trained attention", "blocks 1 to %" G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT " heads",
                     blocks, heads);
  if (ww_model_get_lack (model) != NULL)
    ww_set_add_pair (pairs, "Lacking", "%s", ww_model_get_lack (model));
}

static void
ww_checkpoint_describe (WwSet *set, GPtrArray *pairs)
{
  WwCheckpoint *self = WW_CHECKPOINT (set);

  ww_set_add_pair (pairs, "Family", "%s", ww_family_get_name (ww_model_get_config (self->model)->family));
  if (self->tokeniser != NULL)
    ww_set_add_pair (pairs, "Tokeniser", "%s", ww_tokeniser_get_name (self->tokeniser));
  ww_set_add_pair (pairs, "Values", "%s", ww_dtype_get_name (ww_model_get_words (self->model)->dtype));
  describe_layers (self->model, pairs);
  describe_attention (self->model, pairs);
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
  set_class->new_weigher = ww_checkpoint_new_weigher;
  set_class->describe = ww_checkpoint_describe;
  set_class->get_state = ww_checkpoint_get_state;
  set_class->get_row = ww_checkpoint_get_row;
}

static void
ww_checkpoint_init (WwCheckpoint *self)
{
}

/* Pieces of the vocabulary; rows, where there is none. Empty lines at the end of vocab.txt are pieces too, but of no
 * text, so that they need no row. */
static gsize
count_pieces (WwCheckpoint *self)
{
  gsize rows = ww_model_get_words (self->model)->rows, n;
  const WwVocab *vocab;

  if (self->tokeniser == NULL)
    return rows;

  vocab = ww_tokeniser_get_vocab (self->tokeniser);
  n = ww_vocab_get_size (vocab);
  while (n > rows && *ww_vocab_get (vocab, n - 1) == '\0')
    n--;
  return n;
}

/* A piece without a row is an error; a row without a piece is usual, because tables are padded to
 * a round number. */
static gboolean
check_sizes (WwCheckpoint *self, GError **error)
{
  const WwTable *words = ww_model_get_words (self->model);
  gsize vocabulary = ww_model_get_config (self->model)->vocabulary;
  gsize pieces = count_pieces (self);

  if (words->rows != vocabulary)
    {
      ww_source_set_error (words->source, error, WW_SET_ERROR_SHAPE,
                           _("the word embeddings have %zu rows; \"vocab_size\" in config.json says %zu"),
                           words->rows, vocabulary);
      return FALSE;
    }
  if (pieces > words->rows)
    {
      ww_source_set_error (words->source, error, WW_SET_ERROR_SHAPE,
                           _("the vocabulary has %zu pieces, the word embeddings have %zu rows"), pieces, words->rows);
      return FALSE;
    }
  if (pieces < words->rows)
    ww_set_add_warning (WW_SET (self),
                        _("The vocabulary has %zu pieces for %zu rows; the rows behind the last piece are not used"),
                        pieces, words->rows);
  return TRUE;
}

/* A vocabulary that lacks can be fetched, and damage be mended; of a tokeniser of another kind only the rows are left. */
static gboolean
load_tokeniser (WwCheckpoint *self, GFile *folder, WwFamily family, gboolean ids_only, GError **error)
{
  GError *found = NULL;

  if (ids_only && !ww_checkpoint_has_vocabulary (folder))
    return TRUE;

  self->tokeniser = ww_tokeniser_open (folder, family, &found);
  if (self->tokeniser != NULL)
    return TRUE;
  if (!g_error_matches (found, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED))
    {
      g_propagate_error (error, found);
      return FALSE;
    }

  self->why = g_strdup (found->message);
  g_error_free (found);
  return TRUE;
}

static gboolean
load_model (WwCheckpoint *self, GFile *folder, gboolean ids_only, GError **error)
{
  g_auto (WwModelConfig) config = { 0 };
  WwTensorFiles *files;

  if (!ww_model_config_read (folder, &config, error)
      || !load_tokeniser (self, folder, config.family, ids_only, error))
    return FALSE;
  files = ww_tensor_files_open (folder, error);
  if (files == NULL)
    return FALSE;

  self->model = ww_model_new (files, &config, error);
  return self->model != NULL && check_sizes (self, error);
}

/* Files that were not copied whole look like a smaller model. The built-in sample is one by intent. */
static void
warn_of_lack (WwCheckpoint *self)
{
  gsize blocks = ww_model_get_config (self->model)->blocks, layers = (gsize) MAX (ww_model_get_layers (self->model), 0);

  if (ww_model_get_lack (self->model) != NULL && layers < blocks)
    ww_set_add_warning (WW_SET (self), _("Of the %zu layers that config.json names, %zu can be had: %s"), blocks, layers,
                        ww_model_get_lack (self->model));
}

/* Of a family that mostly sees the whole text. */
static void
warn_of_decoder (WwCheckpoint *self)
{
  const WwModelConfig *config = ww_model_get_config (self->model);

  if (config->causal && config->family != WW_FAMILY_GPT2)
    ww_set_add_warning (WW_SET (self), _("\"is_decoder\" in config.json is true, so that a token sees only itself and"
                                         " those before it"));
}

static void
warn_of_guess (WwCheckpoint *self)
{
  if (ww_model_get_config (self->model)->guessed)
    ww_set_add_warning (WW_SET (self), _("config.json has no \"model_type\"; by its other keys it is taken for BERT's"));
}

/* A small file, so that it is not put off. */
static gboolean
digest_config (WwCheckpoint *self, GFile *folder, GError **error)
{
  g_autoptr (GPtrArray) sources = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_source_unref);
  g_autofree char *sha256 = NULL;
  WwSource *source = NULL;

  if (!ww_checkpoint_open_child (folder, "config.json", &source, error))
    return FALSE;
  if (source != NULL)
    g_ptr_array_add (sources, source);
  sha256 = ww_digest_sources (sources, NULL, error);
  if (sha256 == NULL)
    return FALSE;

  ww_set_set_config_sha256 (WW_SET (self), sha256);
  return TRUE;
}

static gboolean
load (WwCheckpoint *self, GFile *folder, const char *name, gboolean ids_only, gboolean is_builtin, GError **error)
{
  WwSetFacts facts = { WW_SET_KIND_CHECKPOINT, name };
  const WwModelConfig *config;
  g_autofree char *format = NULL;

  if (!load_model (self, folder, ids_only, error) || !digest_config (self, folder, error))
    return FALSE;

  if (!is_builtin)
    {
      warn_of_lack (self);
      warn_of_decoder (self);
      warn_of_guess (self);
    }
  config = ww_model_get_config (self->model);
  facts.format = format = g_strdup_printf ("%s checkpoint", ww_family_get_name (config->family));
  facts.n_entries = count_pieces (self);
  facts.dims = config->hidden;
  facts.max_positions = ww_model_get_max_tokens (self->model);
  facts.n_layers = (gsize) MAX (ww_model_get_layers (self->model), 0);
  facts.n_attention_layers = ww_model_get_attention_blocks (self->model);
  facts.n_heads = config->heads;
  facts.lack = ww_model_get_lack (self->model);
  facts.digested = ww_tensor_files_get_sources (ww_model_get_files (self->model), &facts.n_digested);
  ww_set_set_facts (WW_SET (self), &facts);
  if (self->tokeniser != NULL)
    {
      ww_set_take_tokeniser_files (WW_SET (self), ww_tokeniser_steal_files (self->tokeniser));
      ww_set_set_token_limits (WW_SET (self), ww_tokeniser_get_limits (self->tokeniser));
      return TRUE;
    }

  self->numbers = ww_vocab_new_numbers (facts.n_entries);
  if (self->numbers == NULL)
    {
      g_set_error_literal (error, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE, _("not enough memory for the list of tokens"));
      return FALSE;
    }
  ww_set_set_by_numbers (WW_SET (self));
  return TRUE;
}

WwSet *
ww_checkpoint_open (GFile *folder, const char *name, gboolean ids_only, GError **error)
{
  g_autoptr (WwCheckpoint) self = g_object_new (WW_TYPE_CHECKPOINT, NULL);
  g_autoptr (GFile) actual = ww_checkpoint_find_folder (folder, error);
  g_autofree char *base = g_file_get_basename (folder);

  if (actual == NULL || !load (self, actual, name != NULL ? name : base, ids_only, name != NULL, error))
    return NULL;

  return WW_SET (g_steal_pointer (&self));
}

/* A folder, or one of the files of a checkpoint: a file chooser shows files, and a person picks the
 * largest. A tokenizer.json is what its name says even without the rest. */
static gboolean
recognises (const WwProbe *probe)
{
  static const char *const members[] = { "config.json", "model.safetensors",
                                         "model.safetensors.index.json", "tokenizer.json",
                                         "tokenizer_config.json", "vocab.txt", "vocab.json",
                                         "merges.txt", "modules.json", NULL };
  g_autoptr (GFile) parent = NULL;
  g_autofree char *name = NULL;

  if (probe->source == NULL)
    return TRUE;

  name = g_file_get_basename (probe->file);
  if (!g_strv_contains (members, name))
    return FALSE;
  parent = g_file_get_parent (probe->file);
  if (ww_checkpoint_has_child (parent, "config.json") || g_str_equal (name, "tokenizer.json")
      || g_str_equal (name, "merges.txt") || g_str_equal (name, "modules.json"))
    return TRUE;

  return g_str_equal (name, "vocab.json") ? ww_checkpoint_has_child (parent, "merges.txt")
                                          : g_str_equal (name, "vocab.txt") && probe->options->tokens_only;
}

/* What a vocabulary can do without weights, where that is all that is wanted. */
static WwSet *
open_vocabulary (GFile *folder, GError *found, GError **error)
{
  g_autofree char *why = NULL;
  WwSet *set;

  if (g_error_matches (found, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !ww_checkpoint_has_vocabulary (folder))
    {
      g_propagate_error (error, found);
      return NULL;
    }

  why = ww_checkpoint_has_child (folder, "config.json") ? g_strdup (found->message) : NULL;
  set = ww_vocabulary_set_open (folder, why, error);
  g_error_free (found);
  return set;
}

/* Whether what keeps a folder from being a checkpoint is damage to weights that lie there, and no kind of model that is
 * not read. */
static gboolean
is_damaged (GFile *folder, const GError *found)
{
  return ww_checkpoint_has_child (folder, "config.json") && ww_checkpoint_has_weights (folder)
         && !g_error_matches (found, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED)
         && !g_error_matches (found, WW_SET_ERROR, WW_SET_ERROR_REFUSED)
         && !g_error_matches (found, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE);
}

/* A checkpoint that takes no text still has something to show. */
static void
warn_of_no_vocabulary (WwSet *set, const WwOpening *opening)
{
  if (!WW_IS_CHECKPOINT (set) || WW_CHECKPOINT (set)->tokeniser != NULL)
    return;
  ww_opening_note_words (opening, _("nowhere: the rows go by their numbers, from 0"));
  if (WW_CHECKPOINT (set)->why != NULL)
    ww_opening_note_guess (opening, _("A checkpoint, of which the tokeniser is of a kind that is not followed."));
  if (opening->options->ids_only)
    return;
  if (WW_CHECKPOINT (set)->why != NULL)
    ww_set_add_warning (set, _("The model's own tokeniser is not followed (%s). In place of a text, rows go by their"
                               " numbers (command line: also --ids 12,7,105)"), WW_CHECKPOINT (set)->why);
  else
    ww_set_add_warning (set, _("There is no vocabulary (vocab.txt, tokenizer.json, or vocab.json and merges.txt), which"
                               " texts need; ids can be given in place of a text (command line: --ids)"));
}

/* Options that the files of a checkpoint have no use for. */
static gboolean
check_options (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (probe->file);

  return ww_open_options_check (opening->options, 0, name, error);
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autoptr (GFile) folder = probe->source == NULL ? g_object_ref (probe->file)
                                                   : g_file_get_parent (probe->file);
  g_autoptr (GFile) part = ww_checkpoint_find_folder (folder, NULL);
  GFile *actual = part != NULL ? part : folder;
  g_autofree char *why = ww_checkpoint_dup_lack (actual);
  gboolean bare = opening->options->ids_only || opening->options->all_parts;
  GError *found = NULL;
  WwSet *set;

  if (why == NULL && !check_options (probe, opening, error))
    return NULL;

  set = why != NULL ? ww_checkpoint_open_table (actual, why, opening, &found)
                    : ww_checkpoint_open (folder, NULL, bare, &found);
  if (set != NULL)
    {
      warn_of_no_vocabulary (set, opening);
      return set;
    }
  if (!opening->options->tokens_only || (opening->options->all_parts && is_damaged (actual, found)))
    {
      g_propagate_error (error, found);
      return NULL;
    }

  return open_vocabulary (actual, found, error);
}

const WwReader ww_checkpoint_reader = { recognises, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };

/* An embedding set: whatever turns a text, or nothing at all, into a context. Opened by content,
 * never by name. Immutable once open; may be used from any thread. */
#pragma once

#include <gio/gio.h>

#include "ww-matrix.h"
#include "ww-tokens.h"
#include "ww-transformer.h"
#include "ww-weigher.h"

G_BEGIN_DECLS

#define WW_SET_ERROR (ww_set_error_quark ())
GQuark ww_set_error_quark (void);

/* Every message names the file, the position, what was found and what was expected. */
typedef enum
{
  WW_SET_ERROR_NOT_FOUND,   /* no such file, no such built-in sample */
  WW_SET_ERROR_NOT_A_FILE,  /* a FIFO, a device, a folder that is no checkpoint */
  WW_SET_ERROR_READ,        /* the system refused to read, or the file shrank while open */
  WW_SET_ERROR_EMPTY,       /* no bytes, no rows, no words */
  WW_SET_ERROR_UNKNOWN,     /* a content that no reader knows */
  WW_SET_ERROR_REFUSED,     /* a kind known but not read; the message has a recipe */
  WW_SET_ERROR_TRUNCATED,   /* ends before what its header promises */
  WW_SET_ERROR_MALFORMED,   /* breaks its format's own rules */
  WW_SET_ERROR_SHAPE,       /* ragged rows, shapes that do not fit, counts that lie */
  WW_SET_ERROR_NUMBER,      /* not a number where one must be */
  WW_SET_ERROR_NON_FINITE,  /* NaN or infinity: row and column named */
  WW_SET_ERROR_TOO_LARGE,   /* over a limit of the program */
  WW_SET_ERROR_MISSING,     /* a tensor, a key, a word list that should be there */
  WW_SET_ERROR_NO_TOKENS,   /* a text with no known token */
  WW_SET_ERROR_TEXT,        /* a text that is not UTF-8, or too long */
  WW_SET_ERROR_UNSUPPORTED, /* this set cannot do that (a layer it lacks, text for a bare context) */
  WW_SET_ERROR_AMBIGUOUS,   /* several arrays inside, and none of them is surely the one meant */
} WwSetError;

typedef enum
{
  WW_SET_KIND_CHECKPOINT, /* tokeniser and tensors of a transformer */
  WW_SET_KIND_WORDS,      /* a table of word vectors: GloVe, word2vec, .npy with a word list */
  WW_SET_KIND_CONTEXT,    /* a ready context (.npy n x d): it has rows but no words */
} WwSetKind;

#define WW_TYPE_SET (ww_set_get_type ())
G_DECLARE_DERIVABLE_TYPE (WwSet, ww_set, WW, SET, GObject)

typedef void (*WwSetProgressFunc) (double fraction, gpointer user_data); /* may run in any thread */

/* Opens a file or a checkpoint folder; blocking, meant for a worker thread. `progress` may be NULL.
 * Errors: WW_SET_ERROR, or G_IO_ERROR_CANCELLED. */
WwSet *ww_set_open (GFile *file, GCancellable *cancellable, WwSetProgressFunc progress,
                    gpointer user_data, GError **error);
/* `name` NULL: the default sample. */
WwSet *ww_set_open_builtin (const char *name, GError **error);
const char *const *ww_set_get_builtin_names (void); /* NULL-terminated; the first is the default */
/* What the command line calls SET: NULL, a built-in name, or a path. */
WwSet *ww_set_open_argument (const char *set, GCancellable *cancellable, GError **error);

WwSetKind ww_set_get_kind (WwSet *self);
const char *ww_set_get_name (WwSet *self);   /* for people: "GloVe 6B 100d.txt", "Sample (MiniLM)" */
const char *ww_set_get_format (WwSet *self); /* "BERT checkpoint", "GloVe text", ... */
/* Whether texts go through a model's own tokeniser: words are spelled with pieces, so that none is unknown as a whole
 * and gets a random row, and special tokens may stand around a text. So it is for every checkpoint, and for tables that
 * bring their tokeniser along. */
gboolean ww_set_spells_words (WwSet *self);
/* Whether the rows have no words, and go by their numbers from 0 on in place of them. */
gboolean ww_set_goes_by_numbers (WwSet *self);
/* Whether a word that the set lacks can be given a vector of the set's own; without one WW_UNKNOWN_VECTOR leaves it
 * out. */
gboolean ww_set_has_unknown_vector (WwSet *self);
gsize ww_set_get_n_entries (WwSet *self);    /* words or pieces, or rows of a context */
gsize ww_set_get_dims (WwSet *self);
/* What keeps the set from offering more layers; NULL: nothing does. */
const char *ww_set_get_lack (WwSet *self);
/* A file may hold several contexts: which of them this is, from 0, and how many there are (1). */
gsize ww_set_get_text (WwSet *self);
gsize ww_set_get_n_texts (WwSet *self);
/* Visible remarks on what was opened ("3 duplicate words; the first of each was kept"), one per line, and below one of
 * them perhaps the lines of a recipe, which are indented; NULL: none. */
const char *ww_set_get_warnings (WwSet *self);
/* SHA-256, in hex, of the file (of the tensor file for a checkpoint). Computed at the first call,
 * which reads the whole file; thread-safe. NULL with an error. */
const char *ww_set_get_sha256 (WwSet *self, GCancellable *cancellable, GError **error);
/* The same, with `progress` where it has to be computed. */
const char *ww_set_get_sha256_full (WwSet *self, GCancellable *cancellable, WwSetProgressFunc progress,
                                    gpointer user_data, GError **error);
/* SHA-256 of config.json, in hex, without which the weights of a checkpoint say nothing; NULL: the set has none. */
const char *ww_set_get_config_sha256 (WwSet *self);
/* The list of words in a file of its own, chosen or found beside the set: "metadata.tsv", or "metadata.tsv, column
 * label" where it has several. Of a checkpoint, or a table with the tokeniser of one, the files of the tokeniser, as far
 * as they are read and in this order: tokenizer.json, else vocab.txt, else vocab.json and merges.txt; but for
 * tokenizer.json then added_tokens.json; tokenizer_config.json: "vocab.txt, tokenizer_config.json". NULL: the words are
 * inside of the set, or there are none. */
const char *ww_set_get_list_name (WwSet *self);
/* SHA-256 of that file, or of those files one behind the other, in hex. Only for a set that has one. Reads it at the first call; thread-safe. NULL with an
 * error. */
const char *ww_set_get_list_sha256 (WwSet *self, GCancellable *cancellable, GError **error);
/* Name and value pairs, in a fixed order, for `wordsway-cli info` and the window: a NULL-terminated
 * array of 2 m strings; free with g_strfreev. */
char **ww_set_describe (WwSet *self);

/* Text to tokens. `special`: keep the special tokens that the set's tokeniser adds around a text.
 * WW_SET_KIND_CONTEXT: `text` is ignored and the tokens are the rows, "1", "2", ...
 * WW_SET_ERROR_TEXT, WW_SET_ERROR_NO_TOKENS (a text with nothing known in it). */
WwTokens *ww_set_tokenise (WwSet *self, const char *text, gboolean special, GError **error);
/* The same for a person to look at: a text with nothing known in it, or an empty one, is no error. */
WwTokens *ww_set_tokenise_any (WwSet *self, const char *text, gboolean special, GError **error);
/* Tokens from ids given directly. */
WwTokens *ww_set_tokens_from_ids (WwSet *self, const guint32 *ids, gsize n, GError **error);

/* Layer of a context: the raw word vectors; 0, the state that enters the first block (word +
 * position + type, then LayerNorm where the family has it); l, the state behind block l. */
#define WW_LAYER_WORD (-1)
/* The layers this set offers, ascending, e.g. { WW_LAYER_WORD, 0, 1, 2 }; its default is 0 where it
 * has it, else WW_LAYER_WORD. GArray of int. */
GArray *ww_set_get_layers (WwSet *self);
int ww_set_get_default_layer (WwSet *self);
/* The longest text in tokens that `layer` takes (a checkpoint has so many positions); longer ones are
 * WW_SET_ERROR_UNSUPPORTED there, so cut with ww_tokens_head first. WW_MAX_ROWS where nothing else
 * limits. */
gsize ww_set_get_max_tokens (WwSet *self, int layer);

/* A remark for a person who compares numbers: other programs cut a text of `n` tokens, those around it among them, at
 * fewer than `layer` takes here, because files of the tokeniser say so. NULL: they do not. Free with g_free. */
char *ww_set_dup_cut_note (WwSet *self, gsize n, int layer);

/* The rows of `tokens` that have one, in order: raw (before cut and normalisation), n x d. WW_SET_ERROR_UNSUPPORTED for
 * a layer that the set does not offer, for more tokens than it takes, and for tokens of another set; _NO_TOKENS where
 * none has a row; _TOO_LARGE, _NON_FINITE, _READ. */
WwMatrix *ww_set_get_context (WwSet *self, WwTokens *tokens, int layer, GError **error);
/* The same, given up soon after the flag with WW_CORE_ERROR_CANCELLED: layers from 1 on take a while. */
WwMatrix *ww_set_get_context_cancellable (WwSet *self, WwTokens *tokens, int layer, const WwCancel *cancel,
                                          GError **error);

/* Trained attention is there for blocks 1 (the first) to `layers`, each with `heads` heads; 0 where the
 * set has none. Block l turns layer l - 1 into layer l. */
gsize ww_set_get_attention_layers (WwSet *self);
gsize ww_set_get_attention_heads (WwSet *self);
/* The n x n weights of block `layer`: of one head, of the mean over heads (WW_HEAD_MEAN, which is -1), or
 * of all heads one below the other, heads n x n (WW_HEAD_ALL). WW_SET_ERROR_UNSUPPORTED where the set has
 * none. */
WwMatrix *ww_set_get_trained_attention (WwSet *self, WwTokens *tokens, int layer, int head,
                                        GError **error);
WwMatrix *ww_set_get_trained_attention_cancellable (WwSet *self, WwTokens *tokens, int layer, int head,
                                                    const WwCancel *cancel, GError **error);
/* The same for a given state that enters the block, n x d: a row of what ww_set_get_context gives for
 * layer - 1 may have been moved. Raw, not normalised. Takes one product per projection, no forward pass. */
WwMatrix *ww_set_weigh_state (WwSet *self, const WwMatrix *state, int layer, int head,
                              const WwCancel *cancel, GError **error);

/* The same again and again while one row of the state moves. WW_SET_ERROR_SHAPE for a state of another number of
 * columns than the dims of the set, and the errors of above. */
WwWeigher *ww_set_new_weigher (WwSet *self, const WwMatrix *state, int layer, GError **error);

/* Example texts that come with the program. */
typedef struct
{
  const char *id;    /* "park" */
  const char *title; /* untranslated, marked with N_() */
  const char *text;
} WwExampleText;
const WwExampleText *ww_example_texts_get (gsize *ret_n); /* the first is the default */

G_END_DECLS

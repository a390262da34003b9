/* What a kind of embedding set implements, and what a reader of files is. */
#pragma once

#include "ww-preview.h"
#include "ww-source.h"

G_BEGIN_DECLS

struct _WwSetClass
{
  GObjectClass parent_class;

  /* `text` is valid UTF-8 within the limit of length. */
  WwTokens *(*tokenise) (WwSet *self, const char *text, gboolean special, GError **error);
  /* `id` is below the number of entries. */
  void (*fill_token) (WwSet *self, guint32 id, WwToken *ret_token);
  /* `ids` are the entries of the tokens that have a row; `layer` is one that the set offers. */
  WwMatrix *(*get_context) (WwSet *self, const guint32 *ids, gsize n, int layer, GError **error);
  /* NULL where the kind has no attention. `layer` and `head` are ones that the set offers (WW_HEAD_MEAN
   * and WW_HEAD_ALL among them). `state`, where it is not NULL, is what enters the block in place of the
   * state that the ids lead to. */
  WwMatrix *(*get_trained_attention) (WwSet *self, const guint32 *ids, gsize n, const WwMatrix *state,
                                      int layer, int head, const WwCancel *cancel, GError **error);
  /* NULL where the kind has no attention; `layer` is one that the set offers. */
  WwWeigher *(*new_weigher) (WwSet *self, const WwMatrix *state, int layer, GError **error);
  /* Appends name and value pairs, newly allocated, behind the common ones. NULL: nothing to add. */
  void (*describe) (WwSet *self, GPtrArray *pairs);
  /* The state behind block `layer`, 1 or more. NULL where the kind has no blocks. */
  WwMatrix *(*get_state) (WwSet *self, const guint32 *ids, gsize n, int layer, const WwCancel *cancel,
                          GError **error);
  /* What row `position` of layer 0 would be if entry `id` stood there, behind ids[0] ... ids[position - 1]:
   * dims of the set, the same bits as from get_context. NULL where the kind has no layer 0. */
  gboolean (*get_row) (WwSet *self, guint32 id, const guint32 *ids, gsize position, double *ret_row,
                       GError **error);
};

/* What every set knows about itself; given once, before the set is handed out. */
typedef struct
{
  WwSetKind kind;
  const char *name, *format; /* copied */
  gsize n_entries, dims;
  gsize max_positions; /* tokens that layer 0 takes; 0: there is no layer 0 */
  WwSource *const *digested; /* whose SHA-256, taken as one file, names the set; referenced */
  gsize n_digested;
  gsize n_layers; /* behind layer 0 */
  gsize n_attention_layers, n_heads; /* of trained attention */
  const char *lack; /* why there are no more layers; copied, NULL: nothing is lacking */
} WwSetFacts;

void ww_set_set_facts (WwSet *self, const WwSetFacts *facts);
/* One remark more for ww_set_get_warnings; only before the set is handed out. */
void ww_set_add_warning (WwSet *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Which of how many texts the context is; only before the set is handed out. */
void ww_set_set_texts (WwSet *self, gsize text, gsize n_texts);
/* The policy of ww_set_tokenise; only before the set is handed out. */
void ww_set_set_unknown (WwSet *self, WwUnknown unknown, guint64 seed);
/* A set of words that are spelled with pieces, as in a checkpoint: what is unknown is no word of its own, and gets no
 * random row. Only before the set is handed out. */
void ww_set_set_spells (WwSet *self);
/* A set whose rows have no words; their numbers stand for them. Only before the set is handed out. */
void ww_set_set_by_numbers (WwSet *self);
/* A set of whole words, none of which stands for those that it lacks. Only before the set is handed out. */
void ww_set_set_lacks_unknown (WwSet *self);
/* Appends copies of both to an array of pairs. */
void ww_set_add_pair (GPtrArray *pairs, const char *name, const char *format, ...)
  G_GNUC_PRINTF (3, 4);

/* Copied; only before the set is handed out. */
void ww_set_set_config_sha256 (WwSet *self, const char *sha256);
/* The name and the sources (WwSource, referenced) for ww_set_get_list_name; only before the set is handed out. */
void ww_set_set_list (WwSet *self, const char *name, GPtrArray *sources);

/* What a reader is shown of a file before it decides. */
#define WW_PROBE_BYTES 4096
typedef struct
{
  GFile *file;
  WwSource *source;  /* NULL for a folder */
  const guint8 *head; /* the first bytes, with a NUL behind them */
  gsize head_length;
  const WwOpenOptions *options; /* never NULL */
} WwProbe;

/* A list of words in a file of its own, from which words of a set came. */
typedef struct
{
  char *name;       /* of the file; NULL: none was read */
  char *column;     /* title or number of its column; NULL: it has no columns to choose from */
  gboolean guessed; /* nobody chose that column, and it is not the first */
  WwSource *source;
} WwUsedList;
/* Hands what was read over to the set, which names it; only before the set is handed out. */
void ww_set_take_list (WwSet *self, WwUsedList *list);
/* The same for the files of a tokeniser (WwSource), taken; NULL: it has none. */
void ww_set_take_tokeniser_files (WwSet *self, GPtrArray *files);
/* GArray of WwTokenLimit, referenced; NULL: none. Only before the set is handed out. */
void ww_set_set_token_limits (WwSet *self, GArray *limits);
void ww_used_list_clear (WwUsedList *list);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwUsedList, ww_used_list_clear)

typedef struct
{
  GCancellable *cancellable;
  WwSetProgressFunc progress;
  gpointer user_data;
  const WwOpenOptions *options; /* never NULL */
  /* NULL: a set is wanted. Else its first rows are enough, and what was guessed and what there is to
   * choose from is noted here. */
  WwPreview *preview;
  WwUsedList *list; /* filled in by whoever reads a list of words; NULL: nobody asks */
} WwOpening;

/* A kind of file. Readers are asked in a fixed order; the first that recognises the content opens it
 * or says why not. A new format is one more of these, in the list of ww-set-open.c. */
typedef enum
{
  WW_TAKES_MEMBER = 1 << 0,
  WW_TAKES_WORDS = 1 << 1,
  WW_TAKES_READING = 1 << 2,
  WW_TAKES_ALL = WW_TAKES_MEMBER | WW_TAKES_WORDS | WW_TAKES_READING,
} WwTakes;

typedef struct
{
  gboolean (*recognises) (const WwProbe *probe);
  WwSet *(*open) (const WwProbe *probe, const WwOpening *opening, GError **error);
  WwTakes takes; /* the options that may have an effect; others are refused before it is opened */
} WwReader;

/* Refuses options that would be ignored: WW_SET_ERROR_UNSUPPORTED. `name`: of the file, for the message. */
gboolean ww_open_options_check (const WwOpenOptions *options, WwTakes takes, const char *name, GError **error);

extern const WwReader ww_folder_reader;     /* a folder that is no checkpoint */
extern const WwReader ww_checkpoint_reader; /* a folder, or a file of one beside the others */
extern const WwReader ww_npy_reader;
extern const WwReader ww_npz_reader;
extern const WwReader ww_safetensors_reader;      /* only where a tensor was asked for by name */
extern const WwReader ww_bare_safetensors_reader; /* outside of a checkpoint folder */
extern const WwReader ww_gguf_reader;
extern const WwReader ww_projector_reader;  /* the config, or the raw bytes, of an Embedding Projector */
extern const WwReader ww_word2vec_reader;   /* in binary, plain or packed */
extern const WwReader ww_text_reader;       /* plain or packed; asked last, recognises anything */
/* What stands in place of a file that Git did not download. */
#define WW_LFS_MAGIC "version https://git-lfs"
void ww_refused_set_lfs_error (WwSource *source, GError **error);
/* The same for what is packed in a file and begins with `head`, if it is of such a kind. FALSE: it is not. */
gboolean ww_refused_set_packed_error (WwSource *source, const void *head, gsize length, GError **error);

extern const WwReader ww_refused_reader;    /* kinds that are known but not read */

/* The first reader that recognises the file opens it. */
WwSet *ww_set_open_probe (GFile *file, const WwOpening *opening, GError **error);
/* Whether the first bytes (and for a few kinds the name) say that this is a set, or a kind that is refused with a
 * recipe. FALSE where only reading tells: a table of word vectors as text, plain or packed, or any other text. */
gboolean ww_set_is_known_kind (GFile *file);

/* A checkpoint folder by its GFile; `name` NULL: the folder's own. `ids_only`: it may lack a vocabulary, and then its
 * tokens are numbers. */
WwSet *ww_checkpoint_open (GFile *folder, const char *name, gboolean ids_only, GError **error);

/* The compiled-in sample and texts. Naming it is what links it: a static library drops an object that
 * nobody names. */
GResource *ww_embeddings_get_resource (void);

G_END_DECLS

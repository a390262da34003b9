/* A transformer in the files of a checkpoint: its word vectors, the state that enters its first block, the
 * state behind any block, and the attention of any block. Nothing but headers is read at opening time. The
 * first state is computed in double precision, blocks in single precision. */
#pragma once

#include "ww-model-config.h"
#include "ww-tensor-files.h"
#include "ww-weigher.h"

G_BEGIN_DECLS

typedef struct _WwModel WwModel;

/* Takes `files` (also where it fails) and the content of `config`, which is empty afterwards. Finds what
 * the files have; what is missing is no error except for the word embeddings, but limits the layers and is
 * named by ww_model_get_lack. WW_SET_ERROR_MISSING, _SHAPE, _REFUSED, _NON_FINITE, _READ. */
WwModel *ww_model_new (WwTensorFiles *files, WwModelConfig *config, GError **error);
void ww_model_free (WwModel *model); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwModel, ww_model_free)

const WwModelConfig *ww_model_get_config (const WwModel *model);
const WwTable *ww_model_get_words (const WwModel *model); /* V x d */
WwTensorFiles *ww_model_get_files (const WwModel *model);
gsize ww_model_get_max_tokens (const WwModel *model); /* that have a position; 0: no layer 0 */
/* The highest layer: WW_LAYER_WORD, 0, or the number of blocks that are complete. */
int ww_model_get_layers (const WwModel *model);
/* The blocks whose attention can be computed, from the first on: all that are complete and perhaps one
 * more. */
gsize ww_model_get_attention_blocks (const WwModel *model);
/* Why there are no more layers ("tensor \"...\" is missing"); NULL where nothing is lacking. */
const char *ww_model_get_lack (const WwModel *model);

/* n x d: row j is the vector of word ids[j]. */
WwMatrix *ww_model_get_word_rows (const WwModel *model, const guint32 *ids, gsize n, GError **error);
/* n x d: the state behind block `layer`; layer 0: word + position (+ type 0), then LayerNorm where the
 * family has it. `layer` is one that the model has. */
WwMatrix *ww_model_get_state (const WwModel *model, const guint32 *ids, gsize n, int layer,
                              const WwCancel *cancel, GError **error);
/* What row `position` of layer 0, below the most tokens, would be for word `id` behind the words ids[0] ...
 * ids[position - 1]: d values. */
gboolean ww_model_get_row (const WwModel *model, guint32 id, const guint32 *ids, gsize position, double *ret_row,
                           GError **error);
/* The attention weights of block `layer` (1 is the first): n x n of one head or of the mean over heads
 * (WW_HEAD_MEAN), or all heads one below the other, heads n x n (WW_HEAD_ALL). */
WwMatrix *ww_model_get_attention (const WwModel *model, const guint32 *ids, gsize n, int layer, int head,
                                  const WwCancel *cancel, GError **error);
/* The same for a state that enters the block, as ww_model_get_state (..., layer - 1) gives it. */
WwMatrix *ww_model_weigh_state (const WwModel *model, const WwMatrix *state, int layer, int head,
                                const WwCancel *cancel, GError **error);

/* The same again and again while one row of the state moves. The weigher keeps a reference to `owner`, a GObject
 * that keeps `model`. */
WwWeigher *ww_model_new_weigher (const WwModel *model, gpointer owner, const WwMatrix *state, int layer,
                                 GError **error);

G_END_DECLS

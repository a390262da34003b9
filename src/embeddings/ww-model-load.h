/* The weights of a block of WwModel, read when it is its turn, and the steps that all that pass a block share. */
#pragma once

#include "ww-model-private.h"
#include "ww-transformer.h"

G_BEGIN_DECLS

/* Room for the weights of any block of one model, and those of the last one read. Zero before. */
typedef struct
{
  float *values;
  gsize used;
  WwTransformerBlock block;
} WwLoadedBlock;

/* `attention_only`: only ww_loaded_block_load_attention will be called. WW_SET_ERROR_TOO_LARGE. */
gboolean ww_loaded_block_init (WwLoadedBlock *loaded, const WwModel *model, gboolean attention_only,
                               GError **error);
void ww_loaded_block_clear (WwLoadedBlock *loaded);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwLoadedBlock, ww_loaded_block_clear)

/* All of block `b` (from 0), or what its attention weights need. */
gboolean ww_loaded_block_load (WwLoadedBlock *loaded, const WwModel *model, gsize b, GError **error);
gboolean ww_loaded_block_load_attention (WwLoadedBlock *loaded, const WwModel *model, gsize b, GError **error);

WwTransformer *ww_model_new_transformer (const WwModel *model, gsize n, GError **error);
gboolean ww_model_check_state (const WwModel *model, const WwMatrix *state, GError **error);
void ww_model_fill_state (WwTransformer *transformer, const WwMatrix *state);

/* Room for the weights that are wanted of n tokens, *ret_rows x n. WW_SET_ERROR_TOO_LARGE. */
float *ww_model_try_new_weights (const WwModel *model, gsize n, int head, gsize *ret_rows, GError **error);
/* In double precision. WW_SET_ERROR_NON_FINITE with the number of the block, `layer`. */
WwMatrix *ww_model_widen (const float *values, gsize rows, gsize cols, int layer, GError **error);
/* Takes over the error of a step; one about numbers gets the number of the block (from 1). FALSE. */
gboolean ww_model_translate_error (GError *found, gsize block, GError **error);

G_END_DECLS

#include "ww-model-load.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ww-set.h"
#include "ww-tensor-read.h"

void
ww_loaded_block_clear (WwLoadedBlock *loaded)
{
  g_clear_pointer (&loaded->values, g_free);
}

static gsize
count_values (const WwTensor *tensor)
{
  return tensor != NULL && tensor->readable ? (gsize) (tensor->bytes / ww_dtype_get_size (tensor->dtype)) : 0;
}

static gsize
count_part (const WwModel *model, gsize b, WwModelPart part)
{
  const WwPartTensors *tensors = &model->blocks[b].parts[part];

  return count_values (tensors->weight) + count_values (tensors->bias);
}

/* What one block takes; each tensor lies in a file, so the sum is far from overflowing. */
static gsize
count_block (const WwModel *model, gsize b, gboolean attention_only)
{
  static const WwModelPart of_attention[] = { WW_PART_QUERY, WW_PART_KEY, WW_PART_ATTENTION_NORM };
  gsize count = 0;

  if (attention_only)
    for (gsize p = 0; p < G_N_ELEMENTS (of_attention); p++)
      count += count_part (model, b, of_attention[p]);
  else
    for (int part = 0; part < WW_N_PARTS; part++)
      count += count_part (model, b, (WwModelPart) part);

  return count;
}

gboolean
ww_loaded_block_init (WwLoadedBlock *loaded, const WwModel *model, gboolean attention_only, GError **error)
{
  gsize most = 1;

  for (gsize b = 0; b < model->n_blocks; b++)
    most = MAX (most, count_block (model, b, attention_only));

  loaded->values = g_try_new (float, most);
  if (loaded->values != NULL)
    return TRUE;

  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE,
               _("Not enough memory for the %zu weights of a block"), most);
  return FALSE;
}

static const float *
take_tensor (WwLoadedBlock *loaded, const WwTensor *tensor, GError **error)
{
  float *values = loaded->values + loaded->used;

  if (!ww_tensor_read_floats (tensor, values, error))
    return NULL;
  loaded->used += count_values (tensor);
  return values;
}

static gboolean
take_linear (WwLoadedBlock *loaded, const WwPartTensors *part, gboolean inputs_first, WwTransformerLinear *ret,
             GError **error)
{
  const float *weight = take_tensor (loaded, part->weight, error);
  const float *bias = weight != NULL ? take_tensor (loaded, part->bias, error) : NULL;

  if (bias == NULL)
    return FALSE;

  *ret = (WwTransformerLinear) { weight, bias, part->weight->shape[1], inputs_first };
  return TRUE;
}

static gboolean
take_norm (WwLoadedBlock *loaded, const WwPartTensors *part, WwTransformerNorm *ret, GError **error)
{
  ret->gain = take_tensor (loaded, part->weight, error);
  ret->shift = ret->gain != NULL ? take_tensor (loaded, part->bias, error) : NULL;
  return ret->shift != NULL;
}

/* Query, key and value: three tensors, or three groups of columns of one. */
static gboolean
take_projections (WwLoadedBlock *loaded, const WwModel *model, const WwBlockTensors *tensors, gboolean with_value,
                  GError **error)
{
  WwTransformerBlock *block = &loaded->block;
  gsize d = model->config.hidden;

  if (!ww_family_is_joint (model->config.family))
    return take_linear (loaded, &tensors->parts[WW_PART_QUERY], FALSE, &block->query, error)
           && take_linear (loaded, &tensors->parts[WW_PART_KEY], FALSE, &block->key, error)
           && (!with_value || take_linear (loaded, &tensors->parts[WW_PART_VALUE], FALSE, &block->value, error));

  if (!take_linear (loaded, &tensors->parts[WW_PART_QUERY], TRUE, &block->query, error))
    return FALSE;
  block->key = block->value = block->query;
  block->key.weight += d;
  block->key.bias += d;
  block->value.weight += 2 * d;
  block->value.bias += 2 * d;
  return TRUE;
}

/* What the weights of block `b` (from 0) need. */
static gboolean
load_attention (WwLoadedBlock *loaded, const WwModel *model, gsize b, gboolean with_value, GError **error)
{
  const WwBlockTensors *tensors = &model->blocks[b];
  const WwModelConfig *config = &model->config;
  double scale = config->scaled ? 1 / sqrt ((double) (config->hidden / config->heads)) : 1;

  loaded->used = 0;
  loaded->block.scale = (float) (config->scaled_by_block ? scale / (double) (b + 1) : scale);
  if (ww_family_has_norm_before (config->family)
      && !take_norm (loaded, &tensors->parts[WW_PART_ATTENTION_NORM], &loaded->block.attention_norm, error))
    return FALSE;

  return take_projections (loaded, model, tensors, with_value, error);
}

gboolean
ww_loaded_block_load_attention (WwLoadedBlock *loaded, const WwModel *model, gsize b, GError **error)
{
  return load_attention (loaded, model, b, FALSE, error);
}

gboolean
ww_loaded_block_load (WwLoadedBlock *loaded, const WwModel *model, gsize b, GError **error)
{
  const WwPartTensors *parts = model->blocks[b].parts;
  gboolean inputs_first = model->config.family == WW_FAMILY_GPT2;
  WwTransformerBlock *block = &loaded->block;

  return load_attention (loaded, model, b, TRUE, error)
         && take_linear (loaded, &parts[WW_PART_OUTPUT], inputs_first, &block->output, error)
         && take_linear (loaded, &parts[WW_PART_WIDEN], inputs_first, &block->widen, error)
         && take_linear (loaded, &parts[WW_PART_NARROW], inputs_first, &block->narrow, error)
         && (ww_family_has_norm_before (model->config.family)
             || take_norm (loaded, &parts[WW_PART_ATTENTION_NORM], &block->attention_norm, error))
         && take_norm (loaded, &parts[WW_PART_FEED_NORM], &block->feed_norm, error);
}

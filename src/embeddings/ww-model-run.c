/* The states and attention weights of a model: layer 0 in double precision, then block after block, each
 * read when it is its turn. */
#include <math.h>
#include <string.h>

#include "ww-model-private.h"
#include "ww-set.h"
#include "ww-tensor-read.h"

/* Room for the weights of one block. */
typedef struct
{
  float *values;
  gsize used;
  WwTransformerBlock block;
} Loaded;

static void
loaded_clear (Loaded *loaded)
{
  g_clear_pointer (&loaded->values, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loaded, loaded_clear)

static gsize
count_values (const WwTensor *tensor)
{
  return tensor != NULL && tensor->readable ? (gsize) (tensor->bytes / ww_dtype_get_size (tensor->dtype)) : 0;
}

/* The largest block decides; each tensor lies in a file, so the sum is far from overflowing. */
static gboolean
loaded_init (Loaded *loaded, const WwModel *model, GError **error)
{
  gsize most = 1;

  for (gsize b = 0; b < model->n_blocks; b++)
    {
      gsize count = 0;

      for (int part = 0; part < WW_N_PARTS; part++)
        count += count_values (model->blocks[b].parts[part].weight)
                 + count_values (model->blocks[b].parts[part].bias);
      most = MAX (most, count);
    }

  loaded->values = g_try_new (float, most);
  if (loaded->values != NULL)
    return TRUE;

  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE,
               "Not enough memory for the %" G_GSIZE_FORMAT " weights of a block", most);
  return FALSE;
}

static const float *
take_tensor (Loaded *loaded, const WwTensor *tensor, GError **error)
{
  float *values = loaded->values + loaded->used;

  if (!ww_tensor_read_floats (tensor, values, error))
    return NULL;
  loaded->used += count_values (tensor);
  return values;
}

static gboolean
take_linear (Loaded *loaded, const WwPartTensors *part, gboolean inputs_first, WwTransformerLinear *ret,
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
take_norm (Loaded *loaded, const WwPartTensors *part, WwTransformerNorm *ret, GError **error)
{
  ret->gain = take_tensor (loaded, part->weight, error);
  ret->shift = ret->gain != NULL ? take_tensor (loaded, part->bias, error) : NULL;
  return ret->shift != NULL;
}

/* Query, key and value: three tensors, or three groups of columns of one. */
static gboolean
take_projections (Loaded *loaded, const WwModel *model, const WwBlockTensors *tensors, gboolean with_value,
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
load_attention (Loaded *loaded, const WwModel *model, gsize b, gboolean with_value, GError **error)
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

static gboolean
load_block (Loaded *loaded, const WwModel *model, gsize b, GError **error)
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

static WwTransformer *
new_transformer (const WwModel *model, gsize n, GError **error)
{
  const WwModelConfig *config = &model->config;
  const WwTransformerShape shape = {
    .hidden = config->hidden,
    .heads = config->heads,
    .inner = MAX (config->inner, 1),
    .epsilon = (float) config->epsilon,
    .activation = config->activation,
    .causal = config->causal,
    .norm_before = ww_family_has_norm_before (config->family),
  };

  return ww_transformer_new (&shape, n, error);
}

static gboolean
normalise_finally (const WwModel *model, WwTransformer *transformer, GError **error)
{
  gsize d = model->config.hidden;
  g_autofree float *gain = g_new (float, d), *shift = g_new (float, d);
  const WwTransformerNorm norm = { gain, shift };

  if (!ww_tensor_read_floats (model->final_norm.weight, gain, error)
      || !ww_tensor_read_floats (model->final_norm.bias, shift, error))
    return FALSE;

  ww_transformer_normalise (transformer, &norm);
  return TRUE;
}

static gboolean
set_overflow_error (gsize block, GError **error)
{
  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NON_FINITE,
               "Block %" G_GSIZE_FORMAT " overflows: its weights and the text give no finite numbers", block);
  return FALSE;
}

/* The error of a step, with the number of the block where it is about numbers. */
static gboolean
translate_error (GError *found, gsize block, GError **error)
{
  if (!g_error_matches (found, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE))
    {
      g_propagate_error (error, found);
      return FALSE;
    }

  g_error_free (found);
  return set_overflow_error (block, error);
}

/* From layer 0 through `n_blocks` blocks. */
static gboolean
run_blocks (const WwModel *model, WwTransformer *transformer, Loaded *loaded, gsize n_blocks,
            const WwCancel *cancel, GError **error)
{
  for (gsize b = 0; b < n_blocks; b++)
    {
      GError *local = NULL;

      if (!load_block (loaded, model, b, error))
        return FALSE;
      if (!ww_transformer_step (transformer, &loaded->block, WW_HEAD_NONE, NULL, cancel, &local))
        return translate_error (local, b + 1, error);
    }

  return TRUE;
}

static WwMatrix *
widen (const float *values, gsize rows, gsize cols, int layer, GError **error)
{
  g_autoptr (WwMatrix) matrix = ww_matrix_new (rows, cols, error);

  if (matrix == NULL)
    return NULL;

  for (gsize i = 0; i < rows * cols; i++)
    {
      if (!isfinite (values[i]))
        {
          set_overflow_error ((gsize) layer, error);
          return NULL;
        }
      matrix->data[i] = (double) values[i];
    }

  return g_steal_pointer (&matrix);
}

static void
fill_state (WwTransformer *transformer, const WwMatrix *state)
{
  float *to = ww_transformer_get_state (transformer);

  for (gsize i = 0; i < state->rows * state->cols; i++)
    to[i] = (float) state->data[i];
}

static gboolean
read_named_row (const WwTable *table, const char *name, gsize row, double *to, GError **error)
{
  if (ww_table_read_row (table, row, to, error))
    return TRUE;

  g_prefix_error (error, "Tensor \"%.200s\" of ", name);
  return FALSE;
}

WwMatrix *
ww_model_get_word_rows (const WwModel *model, const guint32 *ids, gsize n, GError **error)
{
  g_autoptr (WwMatrix) rows = ww_matrix_new (n, model->config.hidden, error);

  if (rows == NULL)
    return NULL;
  for (gsize j = 0; j < n; j++)
    if (!read_named_row (model->words, model->words_name, ids[j], rows->data + j * rows->cols, error))
      return NULL;

  return g_steal_pointer (&rows);
}

/* y = (y - mean) / sqrt (variance + epsilon) * gain + shift, over the d entries of one row. */
static void
normalise_row (const WwModel *model, double *row)
{
  gsize d = model->config.hidden;
  double mean = 0, variance = 0, scale;

  for (gsize c = 0; c < d; c++)
    mean += row[c] / (double) d;
  for (gsize c = 0; c < d; c++)
    variance += (row[c] - mean) * (row[c] - mean) / (double) d;

  scale = 1 / sqrt (variance + model->config.epsilon);
  for (gsize c = 0; c < d; c++)
    row[c] = (row[c] - mean) * scale * model->gain->data[c] + model->shift->data[c];
}

/* RoBERTa passes over padding, which has a position of its own. */
static gboolean
is_padding (const WwModel *model, guint32 id)
{
  return model->config.first_position > 0 && id == model->config.first_position - 1;
}

/* The position of a word with `seen` words before it. */
static gsize
get_position (const WwModel *model, guint32 id, gsize seen)
{
  return is_padding (model, id) ? id : model->config.first_position + seen;
}

/* Turns a word vector into a row of layer 0. `position`: room for d values. */
static gboolean
enter_position (const WwModel *model, guint32 id, gsize seen, double *row, double *position, GError **error)
{
  gsize d = model->config.hidden;

  if (!read_named_row (model->positions, model->positions_name, get_position (model, id, seen), position, error))
    return FALSE;

  for (gsize c = 0; c < d; c++)
    row[c] += position[c] + (model->type != NULL ? model->type->data[c] : 0);
  if (model->gain != NULL)
    normalise_row (model, row);
  return TRUE;
}

static WwMatrix *
get_layer_0 (const WwModel *model, const guint32 *ids, gsize n, GError **error)
{
  gsize d = model->config.hidden, seen = 0;
  g_autoptr (WwMatrix) state = NULL;
  g_autofree double *position = NULL;

  if (n > ww_model_get_max_tokens (model))
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_UNSUPPORTED,
                   "The text has %" G_GSIZE_FORMAT " tokens; this checkpoint has positions for %"
                   G_GSIZE_FORMAT ". Shorten the text, or use the word vectors", n,
                   ww_model_get_max_tokens (model));
      return NULL;
    }

  state = ww_model_get_word_rows (model, ids, n, error);
  if (state == NULL)
    return NULL;

  position = g_new (double, d);
  for (gsize j = 0; j < n; j++)
    {
      if (!enter_position (model, ids[j], seen, state->data + j * d, position, error))
        return NULL;
      seen += !is_padding (model, ids[j]);
    }

  return g_steal_pointer (&state);
}

gboolean
ww_model_get_row (const WwModel *model, guint32 id, const guint32 *ids, gsize position, double *ret_row,
                  GError **error)
{
  g_autofree double *room = g_new (double, model->config.hidden);
  gsize seen = 0;

  g_return_val_if_fail (position < ww_model_get_max_tokens (model), FALSE);

  for (gsize j = 0; j < position; j++)
    seen += !is_padding (model, ids[j]);
  return read_named_row (model->words, model->words_name, id, ret_row, error)
         && enter_position (model, id, seen, ret_row, room, error);
}

WwMatrix *
ww_model_get_state (const WwModel *model, const guint32 *ids, gsize n, int layer, const WwCancel *cancel,
                    GError **error)
{
  g_autoptr (WwMatrix) state = NULL;
  g_autoptr (WwTransformer) transformer = NULL;
  g_auto (Loaded) loaded = { 0 };

  g_return_val_if_fail (layer >= 0 && layer <= ww_model_get_layers (model), NULL);

  state = get_layer_0 (model, ids, n, error);
  if (state == NULL || layer == 0)
    return g_steal_pointer (&state);

  transformer = new_transformer (model, n, error);
  if (transformer == NULL || !loaded_init (&loaded, model, error))
    return NULL;
  fill_state (transformer, state);
  if (!run_blocks (model, transformer, &loaded, (gsize) layer, cancel, error))
    return NULL;
  if ((gsize) layer == model->n_blocks && model->final_norm.weight != NULL
      && !normalise_finally (model, transformer, error))
    return NULL;

  return widen (ww_transformer_get_state (transformer), n, model->config.hidden, layer, error);
}

/* The weights of a block whose state is in the transformer. */
static WwMatrix *
weigh (const WwModel *model, WwTransformer *transformer, Loaded *loaded, gsize n, int layer, int head,
       const WwCancel *cancel, GError **error)
{
  gsize rows = n, count;
  g_autofree float *weights = NULL;
  GError *local = NULL;

  if ((head == WW_HEAD_ALL && !g_size_checked_mul (&rows, n, model->config.heads))
      || !g_size_checked_mul (&count, rows, n) || (weights = g_try_new (float, count)) == NULL)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE,
                   "Not enough memory for the attention weights of %" G_GSIZE_FORMAT " tokens", n);
      return NULL;
    }
  if (!load_attention (loaded, model, (gsize) layer - 1, FALSE, error))
    return NULL;
  if (!ww_transformer_weigh (transformer, &loaded->block, head, weights, cancel, &local))
    {
      translate_error (local, (gsize) layer, error);
      return NULL;
    }

  return widen (weights, rows, n, layer, error);
}

WwMatrix *
ww_model_get_attention (const WwModel *model, const guint32 *ids, gsize n, int layer, int head,
                        const WwCancel *cancel, GError **error)
{
  g_autoptr (WwMatrix) state = NULL;
  g_autoptr (WwTransformer) transformer = NULL;
  g_auto (Loaded) loaded = { 0 };

  g_return_val_if_fail (layer >= 1 && (gsize) layer <= model->n_attention, NULL);

  state = get_layer_0 (model, ids, n, error);
  if (state == NULL)
    return NULL;
  transformer = new_transformer (model, n, error);
  if (transformer == NULL || !loaded_init (&loaded, model, error))
    return NULL;
  fill_state (transformer, state);
  if (!run_blocks (model, transformer, &loaded, (gsize) layer - 1, cancel, error))
    return NULL;

  return weigh (model, transformer, &loaded, n, layer, head, cancel, error);
}

WwMatrix *
ww_model_weigh_state (const WwModel *model, const WwMatrix *state, int layer, int head, const WwCancel *cancel,
                      GError **error)
{
  g_autoptr (WwTransformer) transformer = NULL;
  g_auto (Loaded) loaded = { 0 };

  g_return_val_if_fail (layer >= 1 && (gsize) layer <= model->n_attention, NULL);

  if (state->cols != model->config.hidden)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_SHAPE,
                   "A state of %" G_GSIZE_FORMAT " columns; this checkpoint has %" G_GSIZE_FORMAT " dimensions",
                   state->cols, model->config.hidden);
      return NULL;
    }
  transformer = new_transformer (model, state->rows, error);
  if (transformer == NULL || !loaded_init (&loaded, model, error))
    return NULL;
  fill_state (transformer, state);

  return weigh (model, transformer, &loaded, state->rows, layer, head, cancel, error);
}

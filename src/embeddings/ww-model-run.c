/* The states and attention weights of a model: layer 0 in double precision, then block after block, each
 * read when it is its turn. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-model-load.h"
#include "ww-set.h"
#include "ww-tensor-read.h"

WwTransformer *
ww_model_new_transformer (const WwModel *model, gsize n, GError **error)
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
               _("Block %zu overflows: its weights and the text give no finite numbers"), block);
  return FALSE;
}

gboolean
ww_model_translate_error (GError *found, gsize block, GError **error)
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
run_blocks (const WwModel *model, WwTransformer *transformer, WwLoadedBlock *loaded, gsize n_blocks,
            const WwCancel *cancel, GError **error)
{
  for (gsize b = 0; b < n_blocks; b++)
    {
      GError *local = NULL;

      if (!ww_loaded_block_load (loaded, model, b, error))
        return FALSE;
      if (!ww_transformer_step (transformer, &loaded->block, WW_HEAD_NONE, NULL, cancel, &local))
        return ww_model_translate_error (local, b + 1, error);
    }

  return TRUE;
}

WwMatrix *
ww_model_widen (const float *values, gsize rows, gsize cols, int layer, GError **error)
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

void
ww_model_fill_state (WwTransformer *transformer, const WwMatrix *state)
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

  g_prefix_error (error, _("Tensor \"%.200s\" of "), name);
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
                   _("The text has %zu tokens; this checkpoint has positions for %zu. Shorten the text, or use the"
                     " word vectors"), n,
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
  g_auto (WwLoadedBlock) loaded = { 0 };

  g_return_val_if_fail (layer >= 0 && layer <= ww_model_get_layers (model), NULL);

  state = get_layer_0 (model, ids, n, error);
  if (state == NULL || layer == 0)
    return g_steal_pointer (&state);

  transformer = ww_model_new_transformer (model, n, error);
  if (transformer == NULL || !ww_loaded_block_init (&loaded, model, FALSE, error))
    return NULL;
  ww_model_fill_state (transformer, state);
  if (!run_blocks (model, transformer, &loaded, (gsize) layer, cancel, error))
    return NULL;
  if ((gsize) layer == model->n_blocks && model->final_norm.weight != NULL
      && !normalise_finally (model, transformer, error))
    return NULL;

  return ww_model_widen (ww_transformer_get_state (transformer), n, model->config.hidden, layer, error);
}

float *
ww_model_try_new_weights (const WwModel *model, gsize n, int head, gsize *ret_rows, GError **error)
{
  gsize rows = n, count;
  float *weights = NULL;

  if ((head == WW_HEAD_ALL && !g_size_checked_mul (&rows, n, model->config.heads))
      || !g_size_checked_mul (&count, rows, n) || (weights = g_try_new (float, count)) == NULL)
    {
      g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_TOO_LARGE,
                   _("Not enough memory for the attention weights of %zu tokens"), n);
      return NULL;
    }

  *ret_rows = rows;
  return weights;
}

/* The weights of a block whose state is in the transformer. */
static WwMatrix *
weigh (const WwModel *model, WwTransformer *transformer, WwLoadedBlock *loaded, gsize n, int layer, int head,
       const WwCancel *cancel, GError **error)
{
  gsize rows;
  g_autofree float *weights = ww_model_try_new_weights (model, n, head, &rows, error);
  GError *local = NULL;

  if (weights == NULL || !ww_loaded_block_load_attention (loaded, model, (gsize) layer - 1, error))
    return NULL;
  if (!ww_transformer_weigh (transformer, &loaded->block, head, weights, cancel, &local))
    {
      ww_model_translate_error (local, (gsize) layer, error);
      return NULL;
    }

  return ww_model_widen (weights, rows, n, layer, error);
}

WwMatrix *
ww_model_get_attention (const WwModel *model, const guint32 *ids, gsize n, int layer, int head,
                        const WwCancel *cancel, GError **error)
{
  g_autoptr (WwMatrix) state = NULL;
  g_autoptr (WwTransformer) transformer = NULL;
  g_auto (WwLoadedBlock) loaded = { 0 };

  g_return_val_if_fail (layer >= 1 && (gsize) layer <= model->n_attention, NULL);

  state = get_layer_0 (model, ids, n, error);
  if (state == NULL)
    return NULL;
  transformer = ww_model_new_transformer (model, n, error);
  if (transformer == NULL || !ww_loaded_block_init (&loaded, model, FALSE, error))
    return NULL;
  ww_model_fill_state (transformer, state);
  if (!run_blocks (model, transformer, &loaded, (gsize) layer - 1, cancel, error))
    return NULL;

  return weigh (model, transformer, &loaded, n, layer, head, cancel, error);
}

gboolean
ww_model_check_state (const WwModel *model, const WwMatrix *state, GError **error)
{
  if (state->cols == model->config.hidden)
    return TRUE;

  g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_SHAPE,
               _("A state of %zu columns; this checkpoint has %zu dimensions"),
               state->cols, model->config.hidden);
  return FALSE;
}

WwMatrix *
ww_model_weigh_state (const WwModel *model, const WwMatrix *state, int layer, int head, const WwCancel *cancel,
                      GError **error)
{
  g_autoptr (WwTransformer) transformer = NULL;
  g_auto (WwLoadedBlock) loaded = { 0 };

  g_return_val_if_fail (layer >= 1 && (gsize) layer <= model->n_attention, NULL);

  if (!ww_model_check_state (model, state, error))
    return NULL;
  transformer = ww_model_new_transformer (model, state->rows, error);
  if (transformer == NULL || !ww_loaded_block_init (&loaded, model, FALSE, error))
    return NULL;
  ww_model_fill_state (transformer, state);

  return weigh (model, transformer, &loaded, state->rows, layer, head, cancel, error);
}

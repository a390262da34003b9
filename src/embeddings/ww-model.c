#include "ww-model-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-set.h"

/* What each family calls its tensors. Those of layer norms are gain and shift, "weight" and "bias", in old
 * files "gamma" and "beta". */
static const struct
{
  const char *words, *positions, *types, *norm, *final_norm;
  const char *output; /* table of what the model says, which is mostly that of the words; with the whole name */
  const char *block; /* in front of the number */
  const char *parts[WW_N_PARTS];
} names[] = {
  [WW_FAMILY_BERT] = {
    "embeddings.word_embeddings", "embeddings.position_embeddings", "embeddings.token_type_embeddings",
    "embeddings.LayerNorm", NULL, "cls.predictions.decoder.weight", "encoder.layer.",
    { "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
      "intermediate.dense", "output.dense", "attention.output.LayerNorm", "output.LayerNorm" },
  },
  [WW_FAMILY_DISTILBERT] = {
    "embeddings.word_embeddings", "embeddings.position_embeddings", NULL, "embeddings.LayerNorm", NULL,
    "vocab_projector.weight", "transformer.layer.",
    { "attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "ffn.lin1", "ffn.lin2",
      "sa_layer_norm", "output_layer_norm" },
  },
  [WW_FAMILY_ROBERTA] = {
    "embeddings.word_embeddings", "embeddings.position_embeddings", "embeddings.token_type_embeddings",
    "embeddings.LayerNorm", NULL, "lm_head.decoder.weight", "encoder.layer.",
    { "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
      "intermediate.dense", "output.dense", "attention.output.LayerNorm", "output.LayerNorm" },
  },
  [WW_FAMILY_GPT2] = {
    "wte", "wpe", NULL, NULL, "ln_f", "lm_head.weight", "h.",
    { "attn.c_attn", NULL, NULL, "attn.c_proj", "mlp.c_fc", "mlp.c_proj", "ln_1", "ln_2" },
  },
};

gboolean
ww_family_is_joint (WwFamily family)
{
  return family == WW_FAMILY_GPT2;
}

gboolean
ww_family_has_norm_before (WwFamily family)
{
  return family == WW_FAMILY_GPT2;
}

void
ww_model_free (WwModel *model)
{
  if (model == NULL)
    return;

  ww_model_config_clear (&model->config);
  ww_table_free (model->words);
  ww_table_free (model->positions);
  g_free (model->words_name);
  g_free (model->positions_name);
  ww_matrix_unref (model->type);
  ww_matrix_unref (model->gain);
  ww_matrix_unref (model->shift);
  g_free (model->blocks);
  g_free (model->lack);
  ww_tensor_files_free (model->files);
  g_free (model);
}

static const WwTensor *
find (const WwModel *model, const char *prefix, const char *stem, const char *end)
{
  g_autofree char *full = g_strconcat (prefix, stem, end, NULL);

  return ww_tensor_files_find (model->files, full);
}

/* Also by the old name of a layer norm. */
static const WwTensor *
find_norm (const WwModel *model, const char *prefix, const char *stem, gboolean gain)
{
  const WwTensor *tensor = find (model, prefix, stem, gain ? ".weight" : ".bias");

  return tensor != NULL ? tensor : find (model, prefix, stem, gain ? ".gamma" : ".beta");
}

/* rows 0: any number. An absent tensor is no error and leaves *ret_table NULL. */
static gboolean
get_table (const WwTensor *tensor, gsize rows, gsize cols, WwTable **ret_table, GError **error)
{
  g_autoptr (WwTable) table = NULL;

  if (tensor == NULL)
    return TRUE;

  table = ww_tensor_get_table (tensor, error);
  if (table == NULL)
    return FALSE;
  if (table->cols != cols || (rows != 0 && table->rows != rows))
    {
      g_autofree char *shape = ww_tensor_dup_shape (tensor);

      if (rows == 0)
        ww_source_set_error (tensor->source, error, WW_SET_ERROR_SHAPE,
                             _("tensor \"%.200s\" is %s; by config.json rows of %zu were expected"), tensor->name,
                             shape, cols);
      else
        ww_source_set_error (tensor->source, error, WW_SET_ERROR_SHAPE,
                             _("tensor \"%.200s\" is %s; by config.json %zu rows of %zu were expected"),
                             tensor->name, shape, rows, cols);
      return FALSE;
    }

  if (ret_table != NULL)
    *ret_table = g_steal_pointer (&table);
  return TRUE;
}

static gboolean
get_row (const WwTensor *tensor, gsize cols, WwMatrix **ret_row, GError **error)
{
  g_autoptr (WwTable) table = NULL;
  g_autoptr (WwMatrix) row = NULL;

  if (!get_table (tensor, 0, cols, &table, error))
    return FALSE;
  if (table == NULL)
    return TRUE;

  row = ww_matrix_new (1, cols, error);
  if (row == NULL || !ww_table_read_row (table, 0, row->data, error))
    {
      g_prefix_error (error, _("Tensor \"%.200s\" of "), tensor->name);
      return FALSE;
    }

  *ret_row = g_steal_pointer (&row);
  return TRUE;
}

/* Where both tables are one, a file may hold it under the name of the other. */
static const WwTensor *
find_output (const WwModel *model)
{
  return model->config.tied ? ww_tensor_files_find (model->files, names[model->config.family].output) : NULL;
}

static gboolean
find_embeddings (WwModel *model, const char *prefix, GError **error)
{
  WwFamily family = model->config.family;
  const WwTensor *words = find (model, prefix, names[family].words, ".weight");
  gsize d = model->config.hidden;

  if (words == NULL)
    words = find_output (model);
  model->words_name = g_strdup (words->name);
  model->positions_name = g_strconcat (prefix, names[family].positions, ".weight", NULL);
  if (!get_table (words, 0, d, &model->words, error)
      || !get_table (find (model, prefix, names[family].positions, ".weight"), 0, d, &model->positions, error))
    return FALSE;
  if (names[family].types != NULL
      && !get_row (find (model, prefix, names[family].types, ".weight"), d, &model->type, error))
    return FALSE;
  if (names[family].norm == NULL)
    return TRUE;

  return get_row (find_norm (model, prefix, names[family].norm, TRUE), d, &model->gain, error)
         && get_row (find_norm (model, prefix, names[family].norm, FALSE), d, &model->shift, error);
}

/* Keeps the first thing that is missing. */
static void
note_lack (WwModel *model, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
note_lack (WwModel *model, const char *format, ...)
{
  va_list args;

  if (model->lack != NULL)
    return;
  va_start (args, format);
  model->lack = g_strdup_vprintf (format, args);
  va_end (args);
}

static gboolean
is_norm (WwModelPart part)
{
  return part == WW_PART_ATTENTION_NORM || part == WW_PART_FEED_NORM;
}

/* Outputs and inputs of a linear part. */
static void
get_part_sizes (const WwModel *model, WwModelPart part, gsize *ret_outputs, gsize *ret_inputs)
{
  gsize d = model->config.hidden, inner = model->config.inner;

  *ret_outputs = part == WW_PART_WIDEN ? inner : d;
  *ret_inputs = part == WW_PART_NARROW ? inner : d;
  if (part == WW_PART_QUERY && ww_family_is_joint (model->config.family))
    *ret_outputs = 3 * d;
}

static gboolean
check_part (const WwModel *model, WwModelPart part, const WwPartTensors *tensors, GError **error)
{
  gboolean inputs_first = model->config.family == WW_FAMILY_GPT2;
  gsize outputs, inputs;

  if (is_norm (part))
    return get_table (tensors->weight, 1, model->config.hidden, NULL, error)
           && get_table (tensors->bias, 1, model->config.hidden, NULL, error);

  get_part_sizes (model, part, &outputs, &inputs);
  return get_table (tensors->weight, inputs_first ? inputs : outputs, inputs_first ? outputs : inputs, NULL,
                    error)
         && get_table (tensors->bias, 1, outputs, NULL, error);
}

/* Where config.json does not say how wide the feed-forward half is, the first tensor does. */
static void
take_inner_from (WwModel *model, const WwTensor *widen)
{
  gsize axis = model->config.family == WW_FAMILY_GPT2 ? 1 : 0;

  if (model->config.inner == 0 && widen != NULL && widen->n_axes == 2)
    model->config.inner = widen->shape[axis];
}

static gboolean
find_part (WwModel *model, const char *prefix, gsize block, WwModelPart part, WwPartTensors *ret, GError **error)
{
  const char *part_name = names[model->config.family].parts[part];
  g_autofree char *stem = NULL;

  if (part_name == NULL)
    return TRUE;

  stem = g_strdup_printf ("%s%" G_GSIZE_FORMAT ".%s", names[model->config.family].block, block, part_name);
  ret->weight = is_norm (part) ? find_norm (model, prefix, stem, TRUE) : find (model, prefix, stem, ".weight");
  ret->bias = is_norm (part) ? find_norm (model, prefix, stem, FALSE) : find (model, prefix, stem, ".bias");
  if (ret->weight == NULL || ret->bias == NULL)
    note_lack (model, _("tensor \"%s%s.%s\" is missing"), prefix, stem, ret->weight == NULL ? "weight" : "bias");
  if (part == WW_PART_WIDEN)
    take_inner_from (model, ret->weight);

  return check_part (model, part, ret, error);
}

static gboolean
has_part (const WwModel *model, const WwBlockTensors *block, WwModelPart part)
{
  return names[model->config.family].parts[part] == NULL
         || (block->parts[part].weight != NULL && block->parts[part].bias != NULL);
}

static gboolean
has_attention (const WwModel *model, const WwBlockTensors *block)
{
  return has_part (model, block, WW_PART_QUERY) && has_part (model, block, WW_PART_KEY)
         && (!ww_family_has_norm_before (model->config.family) || has_part (model, block, WW_PART_ATTENTION_NORM));
}

static gboolean
is_complete (const WwModel *model, const WwBlockTensors *block)
{
  for (int part = 0; part < WW_N_PARTS; part++)
    if (!has_part (model, block, (WwModelPart) part))
      return FALSE;

  return model->config.unknown_activation == NULL;
}

/* Blocks count as far as all before them are complete, because a state goes through all of them. */
static gboolean
find_blocks (WwModel *model, const char *prefix, GError **error)
{
  model->n_blocks = model->config.blocks;
  model->blocks = g_new0 (WwBlockTensors, MAX (model->n_blocks, 1));

  for (gsize b = 0; b < model->n_blocks; b++)
    {
      WwBlockTensors *block = &model->blocks[b];

      for (int part = 0; part < WW_N_PARTS; part++)
        if (!find_part (model, prefix, b, (WwModelPart) part, &block->parts[part], error))
          return FALSE;
      if (model->n_complete == b && has_attention (model, block))
        model->n_attention = b + 1;
      if (model->n_complete == b && is_complete (model, block))
        model->n_complete = b + 1;
    }

  return TRUE;
}

static gboolean
find_final_norm (WwModel *model, const char *prefix, GError **error)
{
  const char *stem = names[model->config.family].final_norm;

  if (stem == NULL)
    return TRUE;

  model->final_norm.weight = find_norm (model, prefix, stem, TRUE);
  model->final_norm.bias = find_norm (model, prefix, stem, FALSE);
  if (!check_part (model, WW_PART_FEED_NORM, &model->final_norm, error))
    return FALSE;

  /* Without it the state behind the last block cannot be had. */
  if ((model->final_norm.weight == NULL || model->final_norm.bias == NULL)
      && model->n_complete == model->n_blocks && model->n_complete > 0)
    {
      note_lack (model, _("tensor \"%s%s.%s\" is missing"), prefix, stem,
                 model->final_norm.weight == NULL ? "weight" : "bias");
      model->n_complete--;
    }
  return TRUE;
}

static gboolean
has_layer_0 (const WwModel *model)
{
  return model->config.other_positions == NULL && model->positions != NULL
         && (names[model->config.family].norm == NULL || (model->gain != NULL && model->shift != NULL));
}

/* The prefix of this checkpoint is what stands before the name of the word embeddings, or else of the positions. */
static char *
find_prefix (const WwModel *model, GError **error)
{
  g_autofree char *name = g_strconcat (names[model->config.family].words, ".weight", NULL);
  g_autofree char *positions_name = g_strconcat (names[model->config.family].positions, ".weight", NULL);
  const WwTensor *words = ww_tensor_files_find_suffix (model->files, name);
  const WwTensor *positions = ww_tensor_files_find_suffix (model->files, positions_name);

  if (words == NULL && positions != NULL && find_output (model) != NULL)
    return g_strndup (positions->name, strlen (positions->name) - strlen (positions_name));
  if (words == NULL)
    {
      ww_source_set_error (ww_tensor_files_get_source (model->files), error, WW_SET_ERROR_MISSING,
                           _("no tensor \"%s\" among %zu; a %s checkpoint has one"), name,
                           ww_tensor_files_count (model->files), ww_family_get_name (model->config.family));
      return NULL;
    }

  return g_strndup (words->name, strlen (words->name) - strlen (name));
}

/* What keeps layer 0, and so everything behind it, from being had. */
static void
note_layer_0 (WwModel *model, const char *prefix)
{
  WwFamily family = model->config.family;

  if (model->config.other_positions != NULL)
    note_lack (model, _("\"position_embedding_type\" is \"%s\" in config.json, which is not computed here;"
                        " \"absolute\" is"), model->config.other_positions);
  else if (model->positions == NULL)
    note_lack (model, _("tensor \"%s%s.weight\" is missing"), prefix, names[family].positions);
  else if (names[family].norm != NULL && (model->gain == NULL || model->shift == NULL))
    note_lack (model, _("tensor \"%s%s.%s\" is missing"), prefix, names[family].norm,
               model->gain == NULL ? "weight" : "bias");
}

WwModel *
ww_model_new (WwTensorFiles *files, WwModelConfig *config, GError **error)
{
  g_autoptr (WwModel) model = g_new0 (WwModel, 1);
  g_autofree char *prefix = NULL;

  model->files = files;
  model->config = *config;
  *config = (WwModelConfig) { 0 };

  prefix = find_prefix (model, error);
  if (prefix == NULL || !find_embeddings (model, prefix, error))
    return NULL;
  note_layer_0 (model, prefix);
  if (model->config.unknown_activation != NULL)
    note_lack (model, _("%s in config.json, which is not computed here"), model->config.unknown_activation);
  if (!find_blocks (model, prefix, error) || !find_final_norm (model, prefix, error))
    return NULL;
  if (!has_layer_0 (model) || ww_model_get_max_tokens (model) == 0)
    model->n_complete = model->n_attention = 0;

  return g_steal_pointer (&model);
}

const WwModelConfig *
ww_model_get_config (const WwModel *model)
{
  return &model->config;
}

const WwTable *
ww_model_get_words (const WwModel *model)
{
  return model->words;
}

WwTensorFiles *
ww_model_get_files (const WwModel *model)
{
  return model->files;
}

gsize
ww_model_get_max_tokens (const WwModel *model)
{
  gsize rows;

  if (!has_layer_0 (model))
    return 0;

  rows = MIN (model->positions->rows, model->config.positions);
  return rows > model->config.first_position ? rows - model->config.first_position : 0;
}

int
ww_model_get_layers (const WwModel *model)
{
  return ww_model_get_max_tokens (model) == 0 ? WW_LAYER_WORD : (int) model->n_complete;
}

gsize
ww_model_get_attention_blocks (const WwModel *model)
{
  return model->n_attention;
}

const char *
ww_model_get_lack (const WwModel *model)
{
  return model->lack;
}

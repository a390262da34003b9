#include "ww-inputs.h"

#include "ww-sweep.h"
#include "ww-transformer.h"

#define SYNTHETIC_DIMS 384 /* as many as the sample has, so that the two curves compare */

G_DEFINE_BOXED_TYPE (WwInputs, ww_inputs, ww_inputs_copy, ww_inputs_free)

WwInputs *
ww_inputs_new (void)
{
  WwInputs *inputs = g_new0 (WwInputs, 1);

  inputs->text = g_strdup ("");
  inputs->special = TRUE;
  inputs->unknown = WW_UNKNOWN_VECTOR;
  inputs->unknown_seed = 1;
  inputs->normalisation = WW_NORMALISATION_PAPER;

  inputs->n_min = 10;
  inputs->n_max = 250;
  inputs->n_points = 8;
  inputs->trials = 5;
  inputs->seed = 1;
  inputs->effort = WW_EFFORT_QUICK;
  inputs->radius = 1.0;
  inputs->features = 4096;
  inputs->maps = WW_MAIN_MAP_BITS;
  inputs->depth = 4;
  inputs->width = 1024;
  inputs->bound = WW_SWEEP_BOUND_NONE;

  inputs->perturb_n = 128;
  inputs->length = 1.0;
  inputs->direction_map = WW_MAP_SOFTMAX_RAF;
  inputs->head = WW_HEAD_MEAN;
  inputs->sensitivity_map = WW_MAP_SOFTMAX_RAF;
  inputs->swap_map = WW_MAP_SOFTMAX_RAF;
  inputs->toward_word = g_strdup ("");
  inputs->amount = 1.0;

  return inputs;
}

WwInputs *
ww_inputs_copy (const WwInputs *inputs)
{
  WwInputs *copy = g_memdup2 (inputs, sizeof *inputs);

  copy->text = g_strdup (inputs->text);
  copy->toward_word = g_strdup (inputs->toward_word);
  if (copy->set != NULL)
    g_object_ref (copy->set);
  if (copy->rows != NULL)
    ww_tokens_ref (copy->rows);

  return copy;
}

void
ww_inputs_free (WwInputs *inputs)
{
  if (inputs == NULL)
    return;

  g_clear_object (&inputs->set);
  g_clear_pointer (&inputs->rows, ww_tokens_unref);
  g_free (inputs->text);
  g_free (inputs->toward_word);
  g_free (inputs);
}

gsize
ww_inputs_get_d (const WwInputs *inputs)
{
  gsize all = inputs->set != NULL ? ww_set_get_dims (inputs->set) : 0;

  if (inputs->synthetic && inputs->dims > 0)
    return inputs->dims;
  if (all == 0)
    return inputs->dims > 0 ? inputs->dims : SYNTHETIC_DIMS;

  return inputs->dims > 0 ? MIN (inputs->dims, all) : all;
}

gsize
ww_inputs_get_n_rows (const WwInputs *inputs)
{
  if (inputs->rows == NULL || inputs->set == NULL)
    return 0;

  return MIN (inputs->rows->n, ww_set_get_max_tokens (inputs->set, inputs->layer));
}

gsize
ww_inputs_get_perturb_rows (const WwInputs *inputs)
{
  return MIN (inputs->perturb_n, ww_inputs_get_n_rows (inputs));
}

WwUnknown
ww_inputs_get_unknown (const WwInputs *inputs)
{
  WwSetKind kind = inputs->set != NULL ? ww_set_get_kind (inputs->set) : WW_SET_KIND_CONTEXT;

  if (kind != WW_SET_KIND_CONTEXT
      && (inputs->unknown == WW_UNKNOWN_SKIP || !ww_set_spells_words (inputs->set)))
    return (WwUnknown) inputs->unknown;

  return WW_UNKNOWN_VECTOR;
}

guint
ww_inputs_get_bounded_maps (const WwInputs *inputs)
{
  if (inputs->bound == WW_SWEEP_BOUND_NONE)
    return 0;

  return inputs->maps & (WW_MAP_BIT (WW_MAP_SOFTMAX_RAF) | WW_MAP_BIT (WW_MAP_RELU_RAF));
}

guint32 *
ww_inputs_dup_ids (const WwInputs *inputs)
{
  return inputs->rows != NULL ? ww_tokens_dup_ids (inputs->rows) : NULL;
}

int
ww_inputs_get_block (const WwInputs *inputs)
{
  if (inputs->set == NULL || inputs->layer < 0 || inputs->head == WW_HEAD_NONE
      || (gsize) inputs->layer >= ww_set_get_attention_layers (inputs->set))
    return 0;

  return inputs->layer + 1;
}

int
ww_inputs_get_head (const WwInputs *inputs)
{
  gsize n_heads = inputs->set != NULL ? ww_set_get_attention_heads (inputs->set) : 0;

  return inputs->head >= 0 && (gsize) inputs->head < n_heads ? inputs->head : WW_HEAD_MEAN;
}

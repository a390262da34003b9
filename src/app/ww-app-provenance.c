#include "ww-app-provenance.h"

#include "ww-origin.h"
#include "ww-shown-maps.h"

/* The facts that both pages share. */
static void
fill_common (const WwInputs *inputs, WwProvenance *provenance)
{
  ww_provenance_init (provenance);
  provenance->normalisation = (WwNormalisation) inputs->normalisation;
  provenance->features = inputs->features;
  provenance->special = inputs->special;
  provenance->layer = inputs->layer;
  provenance->seed = inputs->seed;
  provenance->radius = inputs->radius;
  provenance->effort = (WwEffort) inputs->effort;
}

static void
add_map (WwProvenance *provenance, guint map)
{
  provenance->maps[provenance->n_maps++] = (WwMap) map;
}

static void
fill_source (const WwInputs *inputs, WwProvenance *provenance)
{
  const WwOrigin *origin;

  if (inputs->set == NULL)
    return;

  origin = ww_origin_of_set (inputs->set);
  ww_provenance_set_set (provenance, inputs->set, origin != NULL && origin->without_words,
                         origin != NULL ? origin->reading : WW_READING_GUESSED, ww_inputs_get_unknown (inputs),
                         inputs->unknown_seed);
  if (ww_set_get_kind (inputs->set) != WW_SET_KIND_CONTEXT)
    provenance->text = g_strdup (inputs->text);
}

static void
set_one (gsize **values, gsize *n_values, gsize value)
{
  *values = g_new (gsize, 1);
  (*values)[0] = value;
  *n_values = 1;
}

void
ww_app_provenance_of_curve (const WwCurve *curve, WwProvenance *ret_provenance)
{
  const WwInputs *inputs;

  g_return_if_fail (curve != NULL && curve->inputs != NULL);

  inputs = curve->inputs;
  fill_common (inputs, ret_provenance);
  for (guint m = 0; m < WW_N_MAPS; m++)
    if ((inputs->maps & WW_MAP_BIT (m)) != 0)
      add_map (ret_provenance, m);
  ret_provenance->depth = inputs->depth;
  ret_provenance->width = inputs->width;
  if (ww_inputs_get_bounded_maps (inputs) != 0)
    ret_provenance->bound = (WwSweepBound) inputs->bound;
  if (inputs->synthetic)
    ret_provenance->source = g_strdup ("synthetic");
  else
    fill_source (inputs, ret_provenance);
  ret_provenance->token = inputs->token_all ? WW_TOKEN_ALL : 0;
  ret_provenance->trials = inputs->trials;
  ret_provenance->lengths = g_memdup2 (curve->lengths, curve->n_lengths * sizeof (gsize));
  ret_provenance->n_lengths = curve->n_lengths;
  ret_provenance->n_points = curve->n_points;
  ret_provenance->n_expected = curve->n_expected;
  set_one (&ret_provenance->dims, &ret_provenance->n_dims, ww_inputs_get_d (inputs));
}

void
ww_app_provenance_of_nudge (const WwNudge  *nudge,
                            const WwInputs *inputs,
                            WwProvenance   *ret_provenance)
{
  g_return_if_fail (nudge != NULL && inputs != NULL);

  fill_common (inputs, ret_provenance);
  fill_source (inputs, ret_provenance);
  ret_provenance->token = nudge->token;
  ret_provenance->trials = 0;
  for (guint m = 0; m < WW_N_SHOWN_MAPS; m++)
    add_map (ret_provenance, m);
  set_one (&ret_provenance->lengths, &ret_provenance->n_lengths, nudge->n);
  set_one (&ret_provenance->dims, &ret_provenance->n_dims, nudge->d);
}

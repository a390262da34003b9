#include <string.h>

#include "ww-cli-context.h"
#include "ww-cli-options.h"
#include "ww-cli-output.h"
#include "ww-cli-weights.h"
#include "ww-cli.h"

/* phi (X) of RF: k values. V is made tile by tile, so a large k n d needs no memory of that size. */
static gboolean
write_rf (const WwCliWeightsOptions *options, const WwCliWeights *weights, const WwMatrix *x, const char *output,
          GError **error)
{
  g_autoptr (WwMatrix) v = NULL;
  g_autoptr (WwMatrix) phi = NULL;
  gsize k = 0;

  if (options->weights != NULL)
    {
      v = ww_cli_load_matrix (options->weights, error);
      phi = v != NULL ? ww_rf_features (x, v, error) : NULL;
      return phi != NULL && ww_cli_save_vector (output, phi->data, phi->rows, error);
    }

  if (!ww_cli_weights_get_features (weights, x, &k, error))
    return FALSE;
  phi = ww_matrix_new (k, 1, error);
  if (phi == NULL || !ww_rf_preactivations (x, k, weights->seed, 0, ww_cli_get_cancel (), phi->data, error))
    return FALSE;
  for (gsize i = 0; i < k; i++)
    phi->data[i] = MAX (phi->data[i], 0);

  return ww_cli_save_vector (output, phi->data, k, error);
}

/* phi (X) of DRF: as many values as the last layer has units. */
static gboolean
write_drf (const WwCliWeightsOptions *options, const WwCliWeights *weights, const WwMatrix *x, const char *output,
           GError **error)
{
  g_autoptr (GPtrArray) layers = NULL;
  g_autoptr (WwMatrix) phi = NULL;

  if (options->weights != NULL)
    {
      layers = ww_cli_weights_load_layers (options, error);
      if (layers != NULL)
        phi = ww_drf_features (x, (const WwMatrix *const *) layers->pdata, layers->len, error);
    }
  else
    phi = ww_drf_features_generated (x, weights->depth, weights->width, weights->seed, 0, ww_cli_get_cancel (), error);

  return phi != NULL && ww_cli_save_vector (output, phi->data, phi->rows, error);
}

/* phi (X) of an attention map: n x d. */
static gboolean
write_attention (const WwCliWeightsOptions *options, const WwCliWeights *weights, WwMatrix *x, const char *output,
                 GError **error)
{
  g_autoptr (WwMatrix) w = ww_cli_weights_load_w (options, weights, x, error);
  g_autoptr (WwAttention) attention = w != NULL ? ww_attention_new (weights->map, x, w, error) : NULL;

  return attention != NULL && ww_cli_save (output, ww_attention_get_features (attention), error);
}

static gboolean
run (const WwCliCommand *command, int argc, char **argv, GError **error)
{
  g_auto (WwCliContextOptions) context_options = { 0 };
  g_auto (WwCliWeightsOptions) weights_options = { 0 };
  g_auto (WwCliContext) context = { 0 };
  g_autofree char *output = NULL;
  g_autofree GOptionEntry *context_entries
    = ww_cli_context_options_get_entries (&context_options, WW_CLI_CONTEXT_FULL);
  g_autofree GOptionEntry *weights_entries = ww_cli_weights_options_get_entries (&weights_options, TRUE);
  const GOptionEntry entries[] = {
    { "output", 0, 0, G_OPTION_ARG_FILENAME, &output,
      "Where phi(X) goes: n x d values, for rf and drf a vector; - for standard output", "phi.npy" },
    { NULL },
  };
  const GOptionEntry *const tables[] = { weights_entries, context_entries, entries, NULL };
  WwCliWeights weights;

  if (!ww_cli_parse (command, tables, argc, argv, NULL, error)
      || !ww_cli_context_options_answer_list (&context_options, FALSE, error)
      || !ww_cli_weights_options_check (&weights_options, TRUE, &weights, error)
      || !ww_cli_require ("--output", output, error)
      || !ww_cli_context_options_check (&context_options, FALSE, error)
      || !ww_cli_check_output ("--output", output, error)
      || !ww_cli_context_load (&context_options, &context, error))
    return FALSE;

  if (weights.map == WW_MAP_RF)
    return write_rf (&weights_options, &weights, context.x, output, error);
  if (weights.map == WW_MAP_DRF)
    return write_drf (&weights_options, &weights, context.x, output, error);
  return write_attention (&weights_options, &weights, context.x, output, error);
}

const WwCliCommand ww_cli_features_command = {
  .name = "features",
  .summary = "Write the features phi(X) of a context",
  .help = "phi(X) by its definition, in double precision. The weights are read from --weights or\n"
          "drawn for --seed.\n"
          "\n"
          "Examples:\n"
          "  wordsway-cli features --map raf --text \"I love her much\" --output phi.npy\n"
          "  wordsway-cli features --map rf --context X.npy --seed 7 --features 512 --output phi.npy\n"
          "  wordsway-cli features --map drf --depth 4 --width 512 --text \"I love her much\" --output phi.npy",
  .run = run,
};

#include "ww-cli-weights.h"

#include "ww-cli-context.h"
#include "ww-cli-options.h"
#include "ww-cli.h"
#include "ww-npz.h"
#include "ww-set.h"

/* Random numbers of a first layer that are made for one value: some seconds. */
#define MAX_SHARED_WEIGHTS 2147483648.0

void
ww_cli_weights_options_clear (WwCliWeightsOptions *options)
{
  g_clear_pointer (&options->map, g_free);
  g_clear_pointer (&options->weights, g_free);
  g_clear_pointer (&options->seed, g_free);
  g_clear_pointer (&options->features, g_free);
  g_clear_pointer (&options->depth, g_free);
  g_clear_pointer (&options->width, g_free);
}

GOptionEntry *
ww_cli_weights_options_get_entries (WwCliWeightsOptions *options, gboolean rf)
{
  const GOptionEntry entries[] = {
    { "map", 0, 0, G_OPTION_ARG_FILENAME, &options->map,
      rf ? "Feature map: rf, relu-raf, raf (softmax) or drf (deep)" : "Attention map: raf (softmax) or relu-raf", "MAP" },
    { "weights", 0, 0, G_OPTION_ARG_FILENAME, &options->weights,
      rf ? "Weights: W (d x d), for rf V (k x nd), for drf an .npz with V1, V2, ..." : "Weights: W (d x d)", "W.npy" },
    { "seed", 0, 0, G_OPTION_ARG_FILENAME, &options->seed, "Seed of everything random (default: 1)", "S" },
    { "features", 0, 0, G_OPTION_ARG_FILENAME, &options->features,
      "Number of features of rf, or nd for the paper's n d (default: 4096)", "K" },
    { "depth", 0, 0, G_OPTION_ARG_FILENAME, &options->depth, "Layers of drf, 1 to 16 (default: 4)", "L" },
    { "width", 0, 0, G_OPTION_ARG_FILENAME, &options->width, "Units of each layer of drf (default: 1024)", "W" },
    { NULL },
  };
  gsize n_attention = 3;
  gsize n = rf ? G_N_ELEMENTS (entries) : n_attention;
  GOptionEntry *copy = g_new0 (GOptionEntry, n + 1);

  for (gsize i = 0; i < n; i++)
    copy[i] = entries[i];

  return copy;
}

/* An option of one map, given for another. */
static gboolean
check_belongs (const char *option, gboolean given, WwMap owner, WwMap map, GError **error)
{
  if (!given || map == owner)
    return TRUE;

  g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_USAGE, "%s is not for the map %s", option, ww_map_get_id (map));
  return FALSE;
}

gboolean
ww_cli_weights_options_check (const WwCliWeightsOptions *options, gboolean rf, WwCliWeights *ret_weights,
                              GError **error)
{
  WwCliWeights weights = { .seed = 1,
                           .features = WW_CLI_DEFAULT_FEATURES,
                           .depth = WW_CLI_DEFAULT_DEPTH,
                           .width = WW_CLI_DEFAULT_WIDTH };
  gboolean has_map = rf ? ww_cli_parse_map (options->map, &weights.map, error)
                        : ww_cli_parse_attention_map (options->map, &weights.map, error);

  if (!has_map || !ww_cli_parse_seed (options->seed, &weights.seed, error)
      || !ww_cli_parse_features (options->features, &weights.features, error)
      || !ww_cli_parse_network (options->depth, options->width, &weights.depth, &weights.width, error)
      || !ww_cli_exclude ("--weights", options->weights != NULL, "--seed", options->seed != NULL, error)
      || !ww_cli_exclude ("--weights", options->weights != NULL, "--features", options->features != NULL, error)
      || !ww_cli_exclude ("--weights", options->weights != NULL, "--depth", options->depth != NULL, error)
      || !ww_cli_exclude ("--weights", options->weights != NULL, "--width", options->width != NULL, error)
      || !check_belongs ("--features", options->features != NULL, WW_MAP_RF, weights.map, error)
      || !check_belongs ("--depth", options->depth != NULL, WW_MAP_DRF, weights.map, error)
      || !check_belongs ("--width", options->width != NULL, WW_MAP_DRF, weights.map, error))
    return FALSE;

  *ret_weights = weights;
  return TRUE;
}

gboolean
ww_cli_weights_get_features (const WwCliWeights *weights, const WwMatrix *x, gsize *ret_features, GError **error)
{
  gsize features = weights->features;

  /* Both factors are at most 65536, so their product fits. */
  if (features == WW_CLI_FEATURES_ND)
    features = x->rows * x->cols;
  if (features > WW_MAX_FEATURES)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED,
                   "n d = %" G_GSIZE_FORMAT " features are more than the limit of %d", features, WW_MAX_FEATURES);
      return FALSE;
    }

  *ret_features = features;
  return TRUE;
}

WwMatrix *
ww_cli_weights_load_w (const WwCliWeightsOptions *options, const WwCliWeights *weights, const WwMatrix *x,
                       GError **error)
{
  if (options->weights != NULL)
    return ww_cli_load_matrix (options->weights, error);

  return ww_random_w (x->cols, weights->seed, 0, error);
}

gboolean
ww_cli_weights_are_shared (const WwMatrix *x, gsize width)
{
  return (double) width * (double) x->rows * (double) x->cols <= MAX_SHARED_WEIGHTS;
}

WwRf *
ww_cli_weights_make_rf (const WwCliWeights *weights, const WwMatrix *x, gsize token, gsize k, const WwMatrix *v,
                        const double *u, GError **error)
{
  if (v != NULL)
    return ww_rf_new_from_weights (x, token, v, error);
  if (u != NULL || ww_cli_weights_are_shared (x, k))
    return ww_rf_new_generated (x, token, k, weights->seed, 0, u, ww_cli_get_cancel (), error);

  return ww_rf_new_drawn (x, token, k, weights->seed, 0, ww_cli_get_cancel (), error);
}

void
ww_cli_weights_explain_undefined (WwMap map, const WwMatrix *x, GError **error)
{
  if (error == NULL || !g_error_matches (*error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM))
    return;

  g_clear_error (error);
  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM,
               "%s is undefined here: with these weights all features of this context (n = %" G_GSIZE_FORMAT
               ", d = %" G_GSIZE_FORMAT ") are zero, so that there is no relative change",
               ww_map_get_name (map), x->rows, x->cols);
}

/* V<number> of an archive; `ret_missing` where there is none, which is no error. */
static WwMatrix *
load_layer (GFile *file, guint number, gboolean *ret_missing, GError **error)
{
  g_autofree char *name = g_strdup_printf ("V%u", number);
  const char *const names[] = { name };
  g_autoptr (GError) failure = NULL;
  g_autoptr (GPtrArray) matrices = ww_npz_load_matrices (file, names, 1, &failure);

  *ret_missing = g_error_matches (failure, WW_SET_ERROR, WW_SET_ERROR_MISSING);
  if (matrices == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }

  return ww_matrix_ref (g_ptr_array_index (matrices, 0));
}

GPtrArray *
ww_cli_weights_load_layers (const WwCliWeightsOptions *options, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (options->weights);
  g_autoptr (GPtrArray) layers = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_matrix_unref);
  g_autoptr (GError) first_gap = NULL;

  /* One further than there may be, so that too many are not taken for fewer; and on behind a gap, so that
   * a network without its middle is not taken for a shallow one. */
  for (guint number = 1; number <= WW_MAX_DEPTH + 1; number++)
    {
      gboolean missing = FALSE;
      g_autoptr (GError) failure = NULL;
      WwMatrix *layer = load_layer (file, number, &missing, &failure);

      if (layer == NULL && (!missing || number == 1))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }

      if (layer == NULL && first_gap == NULL)
        first_gap = g_steal_pointer (&failure);
      else if (layer != NULL && first_gap != NULL)
        {
          ww_matrix_unref (layer);
          g_propagate_error (error, g_steal_pointer (&first_gap));
          return NULL;
        }
      else if (layer != NULL)
        g_ptr_array_add (layers, layer);
    }

  return g_steal_pointer (&layers);
}

WwDrf *
ww_cli_weights_make_drf (const WwCliWeightsOptions *options, const WwCliWeights *weights, const WwMatrix *x,
                         gsize token, GError **error)
{
  gboolean all = token == WW_TOKEN_ALL;
  gsize at = all ? 0 : token;
  WwCancel *cancel = ww_cli_get_cancel ();
  g_autoptr (GPtrArray) layers = NULL;

  if (options->weights == NULL && (all || ww_cli_weights_are_shared (x, weights->width)))
    return ww_drf_new_generated (x, at, weights->depth, weights->width, weights->seed, 0, cancel, error);
  if (options->weights == NULL)
    return ww_drf_new_drawn (x, at, weights->depth, weights->width, weights->seed, 0, cancel, error);

  layers = ww_cli_weights_load_layers (options, error);
  if (layers == NULL)
    return NULL;

  return ww_drf_new_from_weights (x, at, (const WwMatrix *const *) layers->pdata, layers->len, cancel, error);
}

/* Where the random weights of a map come from: --weights, or --seed with --features. */
#pragma once

#include "ww-core.h"

G_BEGIN_DECLS

typedef struct
{
  char *map, *weights, *seed, *features, *depth, *width;
} WwCliWeightsOptions;

void ww_cli_weights_options_clear (WwCliWeightsOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwCliWeightsOptions, ww_cli_weights_options_clear)

/* Entries for --map, --weights, --seed and, where `rf` is offered (and DRF with it), --features, --depth and --width;
 * free with g_free. */
GOptionEntry *ww_cli_weights_options_get_entries (WwCliWeightsOptions *options, gboolean rf);

typedef struct
{
  WwMap map;
  guint64 seed;   /* 1 unless given */
  gsize features; /* k of RF; WW_CLI_FEATURES_ND: n d */
  gsize depth, width; /* of DRF */
} WwCliWeights;

/* Reads the options and refuses contradictions. `rf`: whether the subcommand has RF and DRF. */
gboolean ww_cli_weights_options_check (const WwCliWeightsOptions *options, gboolean rf, WwCliWeights *ret_weights,
                                       GError **error);

/* k for a context of n x d, at most WW_MAX_FEATURES. */
gboolean ww_cli_weights_get_features (const WwCliWeights *weights, const WwMatrix *x, gsize *ret_features,
                                      GError **error);
/* W (d x d) of an attention map: the file given, or drawn for the seed. */
WwMatrix *ww_cli_weights_load_w (const WwCliWeightsOptions *options, const WwCliWeights *weights, const WwMatrix *x,
                                 GError **error);
/* Whether the first layer of `width` units over X is one that ws generates whole, so that its value is that of
 * the features that the same seed gives elsewhere; above that it is drawn for the token alone, equal in
 * distribution. */
gboolean ww_cli_weights_are_shared (const WwMatrix *x, gsize width);
/* RF of one token: under `v` where it is given, else k features of the V that all tokens share, with its
 * pre-activations `u` where they are known; only where that would take too long, drawn for the token alone. */
WwRf *ww_cli_weights_make_rf (const WwCliWeights *weights, const WwMatrix *x, gsize token, gsize k,
                              const WwMatrix *v, const double *u, GError **error);
/* DRF of one token: under the layers of --weights where they are given, else under those that all tokens share,
 * and only where that would take too long drawn for the token alone. WW_TOKEN_ALL: of token 0, never drawn, so
 * that ww_drf_new_sibling makes the others. */
WwDrf *ww_cli_weights_make_drf (const WwCliWeightsOptions *options, const WwCliWeights *weights, const WwMatrix *x,
                                gsize token, GError **error);
/* Says in `error`, where it is WW_CORE_ERROR_ZERO_NORM, of which map and context. */
void ww_cli_weights_explain_undefined (WwMap map, const WwMatrix *x, GError **error);
/* The layers of DRF that a file gives: GPtrArray of WwMatrix, V1 first. */
GPtrArray *ww_cli_weights_load_layers (const WwCliWeightsOptions *options, GError **error);

G_END_DECLS

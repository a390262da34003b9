/* DRF: a deep fully connected network with random weights, phi = h_L with h_0 = vec (X) (row by row) and
 * h_l = relu (V_l h_{l-1}), V_1 (width x n d) iid N(0, 2/(n d)), V_l (width x width) iid N(0, 2/width).
 *
 * Of the first layer only V_i (width x d), the block of the nudged token, and V_1 vec (X) matter: it is
 * an RF with `width` features whose weights are sqrt (2) times as large, and every layer is positively
 * homogeneous, so depth 1 has the word sensitivity of the RF of the same seed and width. A token needs
 * memory width d + (depth - 1) width^2. */
#pragma once

#include "ww-rf.h"

G_BEGIN_DECLS

/* Weights after the first layer that a network made here may have: they are kept for the search, in 4 GB. */
#define WW_DRF_MOST_WEIGHTS (G_GUINT64_CONSTANT (1) << 30)

/* One token of one context under one network. Immutable, shared. */
typedef struct _WwDrf WwDrf;

/* The first layer drawn without forming V_1, as ww_rf_new_drawn: exact in distribution for one token.
 * `depth` 1 to WW_MAX_DEPTH, `width` 1 to WW_MAX_WIDTH, and no more than WW_DRF_MOST_WEIGHTS.
 * WW_CORE_ERROR_RANGE (token), _SHAPE, _NON_FINITE, _MEMORY, _CANCELLED. */
WwDrf *ww_drf_new_drawn (const WwMatrix *x, gsize token, gsize depth, gsize width, guint64 seed,
                         guint32 trial, const WwCancel *cancel, GError **error);
/* One and the same network for every token of a context: V_1 = sqrt (2) ww_random_v, made by tiles. */
WwDrf *ww_drf_new_generated (const WwMatrix *x, gsize token, gsize depth, gsize width, guint64 seed,
                             guint32 trial, const WwCancel *cancel, GError **error);
/* A network that the user gives: V_1 (any number of rows x n d), then each V_l with as many columns as
 * V_{l-1} has rows; the layers may differ in width. */
WwDrf *ww_drf_new_from_weights (const WwMatrix *x, gsize token, const WwMatrix *const *weights,
                                gsize n_weights, const WwCancel *cancel, GError **error);
/* Another token of the same context `x` under the same network, which is shared: only V_i is made anew.
 * Not for a drawn first layer, which knows its own token alone. */
WwDrf *ww_drf_new_sibling (const WwDrf *drf, const WwMatrix *x, gsize token, const WwCancel *cancel,
                           GError **error);
WwDrf *ww_drf_ref (WwDrf *drf);
void ww_drf_unref (WwDrf *drf); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwDrf, ww_drf_unref)

gsize ww_drf_get_depth (const WwDrf *drf);
gsize ww_drf_get_width (const WwDrf *drf); /* of the last layer: the number of features */
gsize ww_drf_get_dims (const WwDrf *drf);
gsize ww_drf_get_token (const WwDrf *drf);
double ww_drf_get_norm (const WwDrf *drf); /* ||phi(X)|| */

/* phi(X), width x 1, by the definition. */
WwMatrix *ww_drf_features (const WwMatrix *x, const WwMatrix *const *weights, gsize n_weights,
                           GError **error);
/* The same for the network of ww_drf_new_generated, no weight matrix ever whole. */
WwMatrix *ww_drf_features_generated (const WwMatrix *x, gsize depth, gsize width, guint64 seed,
                                     guint32 trial, const WwCancel *cancel, GError **error);

/* ||phi(X with x_i + delta) - phi(X)|| / ||phi(X)|| in double precision, the difference carried from
 * layer to layer without cancellation. */
gboolean ww_drf_evaluate (const WwDrf *drf, const double *delta, double *ret_change, GError **error);

/* The supremum over ||delta|| <= radius sqrt (d), from below: conjugate gradients on the sphere through
 * all layers, from +- the top right singular vector of the network's derivative, +- x_i and random
 * starts. settings->token is ignored. WW_CORE_ERROR_RANGE (radius), _ZERO_NORM, _MEMORY, _CANCELLED. */
WwSearchResult *ww_drf_search (const WwDrf *drf, const WwSearchSettings *settings,
                               const WwCancel *cancel, GError **error);
/* All tokens of a context under one network: each one searched in full where the effort is quick or that takes
 * no more than seconds, else screened with fewer starts, and then the full recipe on the best tenth, or as many
 * as take no more than that. `drf`: any token of a generated or given network on this `x`. */
WwSearchResult *ww_drf_search_all (const WwDrf *drf, const WwMatrix *x,
                                   const WwSearchSettings *settings, const WwCancel *cancel,
                                   WwTokenFunc func, gpointer user_data, GError **error);

G_END_DECLS

/* RF: phi = relu (V vec (X)), V (k x n d) iid N(0, 1/(n d)), vec row by row. Only
 * V_i (k x d), the block of the nudged token, and u = V vec (X) matter: phi(new) = relu (u + V_i
 * delta), so one token needs memory k d. */
#pragma once

#include "ww-search.h"

G_BEGIN_DECLS

/* One token of one context under one V: V_i and u. Immutable, shared. */
typedef struct _WwRf WwRf;

/* u drawn without forming V: V_i is the one of ww_random_v, and what the other tokens contribute,
 * V_{-i} vec (X_{-i}), is iid N(0, ||X_{-i}||^2 / (n d)) and independent of V_i, so it is drawn from
 * WW_PURPOSE_U. Exact in distribution for one token; memory k d. WW_CORE_ERROR_RANGE (token), _SHAPE,
 * _NON_FINITE, _MEMORY, _CANCELLED. */
WwRf *ww_rf_new_drawn (const WwMatrix *x, gsize token, gsize k, guint64 seed, guint32 trial,
                       const WwCancel *cancel, GError **error);
/* The V of ww_random_v, tile by tile, never whole: one and the same V for every token of a context.
 * `u` (k values from ww_rf_preactivations) or NULL to compute it here. */
WwRf *ww_rf_new_generated (const WwMatrix *x, gsize token, gsize k, guint64 seed, guint32 trial,
                           const double *u, const WwCancel *cancel, GError **error);
/* A V that the user gives (k x n d). */
WwRf *ww_rf_new_from_weights (const WwMatrix *x, gsize token, const WwMatrix *v, GError **error);
WwRf *ww_rf_ref (WwRf *rf);
void ww_rf_unref (WwRf *rf); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwRf, ww_rf_unref)

gsize ww_rf_get_features (const WwRf *rf); /* k */
gsize ww_rf_get_dims (const WwRf *rf);     /* d */
gsize ww_rf_get_token (const WwRf *rf);
double ww_rf_get_norm (const WwRf *rf);    /* ||relu (u)|| */

/* u = V vec (X), k values, V of ww_random_v by tiles. */
gboolean ww_rf_preactivations (const WwMatrix *x, gsize k, guint64 seed, guint32 trial,
                               const WwCancel *cancel, double *ret_u, GError **error);
/* phi(X), k x 1, for a given V. */
WwMatrix *ww_rf_features (const WwMatrix *x, const WwMatrix *v, GError **error);

/* ||relu (u + V_i delta) - relu (u)|| / ||relu (u)|| in double precision. */
gboolean ww_rf_evaluate (const WwRf *rf, const double *delta, double *ret_change, GError **error);
/* V_i direction, k values in double precision: what a nudge along `direction` adds to u, for one that
 * changes its length many times. WW_CORE_ERROR_MEMORY, _CANCELLED. */
gboolean ww_rf_project (const WwRf *rf, const double *direction, const WwCancel *cancel,
                        double *ret_projection, GError **error);
/* ww_rf_evaluate at delta = scale direction, from the projection of the direction: O(k). */
gboolean ww_rf_evaluate_projected (const WwRf *rf, const double *projection, double scale,
                                   double *ret_change, GError **error);

/* The supremum over ||delta|| <= radius sqrt (d), from below: conjugate gradients on the sphere from
 * +- the top right singular vector of the active rows of V_i, +- x_i and random starts.
 * settings->token is ignored: the WwRf has its own. WW_CORE_ERROR_RANGE (radius), _ZERO_NORM, _MEMORY,
 * _CANCELLED. */
WwSearchResult *ww_rf_search (const WwRf *rf, const WwSearchSettings *settings,
                              const WwCancel *cancel, GError **error);
/* All tokens of a context under one V, generated (v NULL) or given (k is then its number of rows): each one
 * searched in full where the effort is quick or that takes no more than seconds, else screened from the singular
 * vector alone, and then the full recipe on the best tenth, or as many as take no more than that. */
WwSearchResult *ww_rf_search_all (const WwMatrix *x, gsize k, const WwMatrix *v, guint64 weights_seed,
                                  guint32 weights_trial, const WwSearchSettings *settings,
                                  const WwCancel *cancel, WwTokenFunc func, gpointer user_data,
                                  GError **error);

G_END_DECLS

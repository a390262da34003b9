/* What the search for RF may know of a WwRf and nobody else. */
#pragma once

#include "ww-rf.h"

G_BEGIN_DECLS

struct _WwRf
{
  gatomicrefcount ref_count;
  gsize n, d, k;
  gsize token;
  double *x;    /* row `token` of X, d entries */
  double *u;    /* V vec (X), k entries */
  double whole; /* ||X|| */
  double norm;  /* ||relu (u)|| */
  double unit;  /* a power of two, so that V_i / unit is exact, of order 1 and safe in single precision */
  float *block; /* V_i / unit, k x d, for the search */

  /* Where V_i in double precision comes from: kept by nobody, made again row by row when needed. */
  WwMatrix *given; /* k x n d, or NULL: generated from seed and trial */
  guint64 seed;
  guint32 trial;
};

gboolean ww_rf_evaluate_cancellable (const WwRf *rf, const double *delta, const WwCancel *cancel,
                                     double *ret_change, GError **error);

/* The change at each of `count` nudges (count x d), with V_i made once for some of them; the bits of one do
 * not depend on the others. */
gboolean ww_rf_evaluate_many (const WwRf *rf, gsize count, const double *deltas, const WwCancel *cancel,
                              double *ret_change, GError **error);
/* What each of `count` nudges adds to u: count rows of k numbers, one every `step`; undefined on failure. */
gboolean ww_rf_project_many (const WwRf *rf, gsize count, const double *directions, gsize step,
                             const WwCancel *cancel, double *ret_projections, GError **error);

/* How many nudges through `units` units to keep in memory at once in double precision, of `count`. */
gsize ww_rf_choose_share (gsize units, gsize count);

/* relu (u + moved) - relu (u), without the cancellation that drowns a small nudge. */
double ww_relu_change (double u, double moved);

/* For loops over the entries of weights: looks at the cancel flag about once a millisecond, and is TRUE with
 * WW_CORE_ERROR_CANCELLED where it is up. `*done` counts on from call to call. */
gboolean ww_rf_poll_cancel (const WwCancel *cancel, gsize entries, gsize *done, GError **error);

/* FALSE with WW_CORE_ERROR_ZERO_NORM where relu (u) = 0: a relative change does not exist. */
gboolean ww_rf_check_norm (const WwRf *rf, GError **error);

/* Shapes, limits and finite values of a context and of its weights (`v` may be NULL): once per context,
 * since `v` can be large. */
gboolean ww_rf_check (const WwMatrix *x, gsize k, const WwMatrix *v, GError **error);

typedef enum
{
  WW_RF_WHOLE, /* u = V vec (X), given or computed here */
  WW_RF_DRAWN, /* u from V_i and noise */
} WwRfKind;

/* The constructor behind the public ones, for inputs that ww_rf_check has passed. `v` (k x n d) or NULL
 * for the V of (seed, trial); `u` (k values) or NULL. */
WwRf *ww_rf_build (WwRfKind kind, const WwMatrix *x, gsize token, gsize k, const WwMatrix *v,
                   guint64 seed, guint32 trial, const double *u, const WwCancel *cancel,
                   GError **error);

/* u = V vec (X) for `v` (k x n d), or for the V of (seed, trial) where `v` is NULL. */
gboolean ww_rf_apply (const WwMatrix *x, gsize k, const WwMatrix *v, guint64 seed, guint32 trial,
                      const WwCancel *cancel, double *ret_u, GError **error);

G_END_DECLS

/* A resumable sweep: the work behind a curve, cut into slices. One slice = one trial at one n (and
 * d) for one map; a slice is a pure function of its index, so slices run in any order on any thread
 * and give the same numbers. */
#pragma once

#include "ww-curve.h"
#include "ww-matrix.h"
#include "ww-search.h"

G_BEGIN_DECLS

/* Whether each point gets a certified upper bound; only softmax-RAF and ReLU-RAF have one. */
typedef enum
{
  WW_SWEEP_BOUND_NONE,
  WW_SWEEP_BOUND_QUICK, /* as WW_BOUND_QUICK */
  WW_SWEEP_BOUND_TIGHT, /* as WW_BOUND_TIGHT; where all tokens are searched, the largest of their quick
                         * bounds, since a tight one for each would take longer than anybody waits */
} WwSweepBound;

typedef struct
{
  WwMap maps[WW_N_MAPS];
  gsize n_maps;
  const gsize *lengths; /* context lengths n, any order, copied */
  gsize n_lengths;
  const gsize *dims;    /* dimensions d, copied */
  gsize n_dims;
  guint trials;
  guint64 seed;
  gsize token;          /* 0-based, or WW_TOKEN_ALL; must be < every n */
  double radius;
  WwEffort effort;
  gsize features;       /* k of RF; 0: the paper's k = n d */
  WwNormalisation normalisation;
  gsize depth, width;   /* of DRF; looked at only where it is among the maps */
  WwSweepBound bound;
} WwSweepSettings;

typedef struct _WwSweep WwSweep; /* immutable, shared by reference count */

/* `raw`: the text's rows before cut and normalisation (at least max n rows, max d columns), or NULL
 * for synthetic contexts (a fresh one each trial; settings->normalisation is then PAPER).
 * Validates everything before computing anything. Slices are ordered coarse first: trial by trial,
 * and within a trial the lengths such that ends come first and gaps are halved. */
WwSweep *ww_sweep_new (const WwSweepSettings *settings, const WwMatrix *raw, GError **error);
WwSweep *ww_sweep_ref (WwSweep *sweep);
void ww_sweep_unref (WwSweep *sweep); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSweep, ww_sweep_unref)

gsize ww_sweep_get_n_slices (const WwSweep *sweep);
/* As the sweep has them: lengths coarse first, dimensions ascending, no repeats; they live as long as it. */
void ww_sweep_get_settings (const WwSweep *sweep, WwSweepSettings *ret_settings);
/* Which point a slice is, without computing it: its token is the one asked for (or WW_TOKEN_ALL), its
 * values are NaN, its evaluations 0. */
void ww_sweep_describe_slice (const WwSweep *sweep, gsize slice, WwCurvePoint *ret_point);
/* Measures a point. A trial whose features are all zero has no relative change: it is no failure, and its
 * point has ws NaN (see ww_curve_count_undefined) and the token as ww_sweep_describe_slice gives it. */
gboolean ww_sweep_run_slice (const WwSweep *sweep, gsize slice, const WwCancel *cancel,
                             WwCurvePoint *ret_point, GError **error);
/* The same; `func` hears from within a slice that takes long, in the same thread. */
gboolean ww_sweep_run_slice_reporting (const WwSweep *sweep, gsize slice, WwProgressFunc func,
                                       gpointer func_data, const WwCancel *cancel,
                                       WwCurvePoint *ret_point, GError **error);

G_END_DECLS

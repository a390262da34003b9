/* The measured points of word sensitivity against context length, and what is read off them. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

typedef struct
{
  WwMap map;
  gsize d, n, k;      /* k: features of RF, width of DRF; 0 for the attention maps */
  guint trial;
  guint64 seed;       /* the visible seed of the whole curve */
  gsize token;        /* 0-based: the token at which `ws` was found; WW_TOKEN_ALL where an undefined
                       * trial was to look at all */
  double ws;          /* NaN: undefined, because all features are zero */
  double upper_bound; /* NaN: none computed */
  guint64 evaluations;
  double predicted;   /* by theory, from this trial's own weights; NaN (or 0): nothing, since it is of RF alone */
} WwCurvePoint;

/* Median and quartiles over the trials measured so far at one (map, d, n), those that are undefined left
 * out (also of `trials`); linear interpolation between order statistics. */
typedef struct
{
  gsize n;
  guint trials;
  double median, lower, upper;
  /* Certified: none of these trials exceeds it, the largest of their bounds; NaN where one of them has none
   * (yet). An undefined trial, which has nothing to bound, takes no bound away from the others. */
  double upper_bound;
  double predicted;   /* median of the predictions that there are; NaN: none */
} WwCurveSummary;

/* How many points of one map, over all d, have no word sensitivity; `ret_n` (or NULL): of how many. */
gsize ww_curve_count_undefined (const WwCurvePoint *points, gsize n_points, WwMap map, gsize *ret_n);

/* How many points of one map have a certified bound; `ret_n` (or NULL): of how many that are defined and so
 * can have one. Fewer than all where computing the bounds was stopped. */
gsize ww_curve_count_bounded (const WwCurvePoint *points, gsize n_points, WwMap map, gsize *ret_n);

/* GArray of WwCurveSummary, ascending n, for one map and d; empty if nothing was measured. */
GArray *ww_curve_summarise (const WwCurvePoint *points, gsize n_points, WwMap map, gsize d);

/* Least squares of log (median) on log (n): the exponent. FALSE with fewer than two distinct n or a
 * median that is not positive. */
gboolean ww_curve_fit_exponent (const WwCurveSummary *summaries, gsize n_summaries,
                                double *ret_exponent);

/* `count` context lengths evenly spaced in log n from `first` to `last`, rounded, no repeats:
 * GArray of gsize. One point is `first`. */
GArray *ww_curve_spaced_lengths (gsize first, gsize last, gsize count);

G_END_DECLS

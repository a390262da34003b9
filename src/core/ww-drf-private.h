/* What the search for DRF may know of a WwDrf and nobody else. */
#pragma once

#include "ww-drf.h"
#include "ww-rf-private.h"

G_BEGIN_DECLS

/* A layer from the second on. */
typedef struct
{
  gsize rows, cols;
  int exponent;      /* the weights below are V_l / 2^exponent, of a gain of order 1 */
  float *weights;    /* rows x cols, for the search */
  double *u;         /* V_l h_{l-1}, rows */
  WwMatrix *given;   /* V_l, or NULL: generated row by row where double precision is needed */
  guint64 first;     /* index of its first weight in the stream */
} WwDrfLayer;

/* What all tokens of a context share: immutable, by reference count. */
typedef struct
{
  gatomicrefcount ref_count;
  WwDrfLayer *layers; /* depth - 1 */
  gsize n_layers;
  guint64 seed;
  guint32 trial;
  double norm;        /* ||phi(X)|| */
} WwDrfDeep;

struct _WwDrf
{
  gatomicrefcount ref_count;
  WwRf *first;  /* the first layer, where generated without its factor sqrt (2) */
  gboolean drawn;
  WwDrfDeep *deep;
};

gboolean ww_drf_evaluate_cancellable (const WwDrf *drf, const double *delta, const WwCancel *cancel,
                                      double *ret_change, GError **error);

/* The change at each of `count` nudges (count x d), with the weights made once for some of them; the bits of
 * one do not depend on the others. */
gboolean ww_drf_evaluate_many (const WwDrf *drf, gsize count, const double *deltas, const WwCancel *cancel,
                               double *ret_change, GError **error);

/* Of V_i and the layers after it: what one nudge is multiplied with. */
double ww_drf_count_weights (const WwDrf *drf);

/* What the change of the features, as the layers that are kept give it, must be multiplied by: a generated
 * first layer is kept without its factor sqrt (2). */
double ww_drf_get_factor (const WwDrf *drf);

/* FALSE with WW_CORE_ERROR_ZERO_NORM where phi(X) = 0: a relative change does not exist. */
gboolean ww_drf_check_norm (const WwDrf *drf, GError **error);

G_END_DECLS

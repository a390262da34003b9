/* Counter-based random numbers: Philox 4x32-10 (Random123), keyed so that any tile of any array can
 * be made alone, in any order, on any thread, with the same bits everywhere. */
#pragma once

#include "ww-matrix.h"

G_BEGIN_DECLS

/* What the numbers are for: two purposes never share a stream. Values are part of the file format
 * ("the same seed"): append, never renumber. */
typedef enum
{
  WW_PURPOSE_W = 1,       /* attention weights W */
  WW_PURPOSE_V = 2,       /* RF weights V */
  WW_PURPOSE_U = 3,       /* RF pre-activations drawn without V */
  WW_PURPOSE_CONTEXT = 4, /* synthetic contexts */
  WW_PURPOSE_STARTS = 5,  /* starts of a search */
  WW_PURPOSE_DIRECTION = 6, /* the random direction of the Perturb page */
  WW_PURPOSE_DEEP = 7,    /* DRF weights from the second layer on */
  WW_PURPOSE_UNKNOWN = 8, /* rows of words that an embedding set lacks */
} WwPurpose;

/* scale * N(0,1) for the stream's entries first ... first + count - 1. Key: seed; counter: (index / 4
 * as 64 bits, trial, purpose). Normals by Box-Muller in double precision with -ffp-contract=off and
 * our own log and sincos, so the bits depend on no maths library. */
void ww_random_normal (guint64 seed, WwPurpose purpose, guint32 trial, guint64 first, gsize count,
                       double scale, double *ret);
void ww_random_normal_f (guint64 seed, WwPurpose purpose, guint32 trial, guint64 first, gsize count,
                         double scale, float *ret); /* the same numbers, rounded once */

/* W (d x d) iid N(0, 1/d), entry (r, c) at index r d + c. */
WwMatrix *ww_random_w (gsize d, guint64 seed, guint32 trial, GError **error);
/* V (k x n d) iid N(0, 1/(n d)), entry (r, c) at index r n d + c. Only for small sizes. */
WwMatrix *ww_random_v (gsize k, gsize n, gsize d, guint64 seed, guint32 trial, GError **error);
/* A direction of norm 1 in R^d. */
void ww_random_direction (gsize d, guint64 seed, guint32 trial, double *ret);

G_END_DECLS

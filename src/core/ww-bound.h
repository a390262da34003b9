/* Certified upper bounds of the word sensitivity of softmax-RAF and ReLU-RAF: numbers that no allowed
 * nudge can exceed, to stand beside the lower bound that a search finds. Own derivations, in the
 * comments of ww-bound-crude.c, ww-bound-dual.h and ww-bound-own.h. */
#pragma once

#include "ww-attention.h"

G_BEGIN_DECLS

typedef enum
{
  WW_BOUND_QUICK, /* triangle inequalities and one quadratic: O(n d), within a factor of a few */
  WW_BOUND_TIGHT, /* Lagrangian dual in slices, never above QUICK: O(min (n, d)^3) and up to a second */
} WwBoundEffort;

/* An upper bound of S(X; token) = sup ||phi(X + e_token delta^T) - phi(X)||_F / ||phi(X)||_F over
 * ||delta|| <= radius sqrt (d), 0 < radius <= WW_MAX_RADIUS. Rigorous up to rounding, for which 1e-9 of the
 * value is added. `found`: a value that some nudge reaches, or 0; parts of the ball whose bound is
 * below it are not refined, since they cannot matter. WW_CORE_ERROR_RANGE, _ZERO_NORM, _NON_FINITE,
 * _MEMORY, _CANCELLED (within 20 ms of the flag). */
gboolean ww_attention_bound (const WwAttention *attention, gsize token, double radius,
                             WwBoundEffort effort, double found, const WwCancel *cancel,
                             double *ret_bound, GError **error);

G_END_DECLS

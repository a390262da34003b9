/* The tight bound over the whole ball: the dual (ww-bound-dual.h) in slices of tau, the worst of which
 * are split until nothing is gained. */
#pragma once

#include "ww-bound-dual.h"

G_BEGIN_DECLS

/* Up to this many rows each has a lambda of its own (ww-bound-joint.h): an iteration then costs some 10 ms at
 * most. */
#define WW_BOUND_MOST_JOINT_ROWS 400

/* A bound of ||phi(X') - phi(X)||_F^2 over the ball. `enough`: slices whose bound is at most this are
 * not worked on any more. WW_CORE_ERROR_MEMORY, _NON_FINITE, _CANCELLED. */
gboolean ww_bound_sliced (const WwBoundRows *rows, double enough, const WwCancel *cancel,
                          double *ret_change2, GError **error);

G_END_DECLS

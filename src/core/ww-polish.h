/* The last climb of a few nudges: limited-memory quasi-Newton steps (L-BFGS) on the sphere
 * ||delta|| = length, in single or double precision. ReLU scores make ridges along which the steps of
 * WwAscent zigzag; with the curvature known, the climb follows them. All nudges step together, so
 * that their evaluations are matrix products. */
#pragma once

#include "ww-attention-problem.h"

G_BEGIN_DECLS

typedef struct _WwPolish WwPolish;

/* Room for `capacity` nudges. `problem` serves the climbs that need no more than single precision, `exact`
 * (or NULL: there will be none) those in double precision. Both must outlive the polish, and the caller sets
 * their token. WW_CORE_ERROR_MEMORY. */
WwPolish *ww_polish_new (WwAttentionProblem *problem, WwAttentionProblemDouble *exact, gsize capacity,
                         double length, GError **error);
void ww_polish_free (WwPolish *polish); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwPolish, ww_polish_free)

/* The d entries of a nudge, scaled to the sphere by the next run. */
double *ww_polish_get_point (WwPolish *polish, gsize nudge);
guint64 ww_polish_get_evaluations (const WwPolish *polish);

/* Up to `max_steps` evaluations of each of the `count` nudges that are listed, until a step gains less
 * than `tolerance` relative to the value; `exact`: evaluated in double precision. FALSE only if
 * cancelled. */
gboolean ww_polish_run (WwPolish *polish, const WwAttentionObjective *objective, gboolean exact,
                        const gsize *nudges, gsize count, guint max_steps, double tolerance,
                        const WwCancel *cancel, GError **error);

/* Sorts nudges by falling value (ties: by number). */
void ww_polish_sort (const WwPolish *polish, gsize *nudges, gsize count);

G_END_DECLS

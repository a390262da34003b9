/* Many starts climbing one objective on the sphere ||delta|| = length, in batches, by damped
 * Frank-Wolfe steps: a start at D with gradient g tries T = D + m (length g / |g| - D), pulled back
 * to the sphere, and accepts it if the value rises (then m doubles, up to 1), else m falls to a
 * quarter. */
#pragma once

#include "ww-attention-problem.h"

G_BEGIN_DECLS

typedef struct _WwAscent WwAscent;

/* Room for `capacity` starts; `problem` must outlive the ascent. WW_CORE_ERROR_MEMORY. */
WwAscent *ww_ascent_new (WwAttentionProblem *problem, gsize capacity, double length, GError **error);
void ww_ascent_free (WwAscent *ascent); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwAscent, ww_ascent_free)

/* The d entries of a start, to be written before the first run. */
float *ww_ascent_get_point (WwAscent *ascent, gsize start);
/* Scales a start to the sphere; a zero start becomes the first axis. */
void ww_ascent_project (WwAscent *ascent, gsize start);
/* Nudges evaluated so far, gradients included. */
guint64 ww_ascent_get_evaluations (const WwAscent *ascent);

/* From here on a run ends as soon as an evaluation finds this value: of the map itself, or of its rows
 * without the token's own, which is less. INFINITY (at first): none. */
void ww_ascent_set_target (WwAscent *ascent, double target);
/* Whether one did, and (unless NULL) the start that stands there. */
gboolean ww_ascent_has_reached (const WwAscent *ascent, gsize *ret_start);

/* Lets the given starts climb: each for at most `max_steps` steps, until an accepted step gains less
 * than `tolerance` relative to the value, or until no step rises; all together until `enough` or
 * fewer still climb. FALSE only if cancelled. */
gboolean ww_ascent_run (WwAscent *ascent, const WwAttentionObjective *objective,
                        const gsize *starts, gsize n_starts, guint max_steps, double tolerance,
                        gsize enough, const WwCancel *cancel, GError **error);

/* Sorts the starts by falling value (ties: by number). */
void ww_ascent_sort (const WwAscent *ascent, gsize *starts, gsize n_starts);

G_END_DECLS

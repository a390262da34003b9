/* What small problems get besides the recipes: a look at many nudges, and steps that need no gradient.
 *
 * Where tokens and dimensions are few, the largest change may stand where no climb leads: inside the ball,
 * on a kink of several ReLUs, or behind the jump of a row whose scores are all zero, which looks at the
 * token alone as soon as its score rises above zero. Evaluations are cheap there. So nudges are looked at
 * that raise or lower one row's score, or that of all rows without a score, and random ones, on the sphere
 * and inside; the best climb; and the best of all, the recipe's among them, go on by random steps whose
 * length falls where none of them rises. */
#pragma once

#include "ww-attention-recipes.h"

G_BEGIN_DECLS

/* Nudges that are looked at for n tokens in d dimensions; 0: the problem is not small. */
gsize ww_attention_scan_get_count (WwAttentionPlan plan, gsize n, gsize d);
/* The most of them that climb at a time. */
gsize ww_attention_scan_get_n_climbs (WwAttentionPlan plan);

/* Numbers that a scan keeps between its steps, for d dimensions. */
gsize ww_attention_scan_get_room (gsize d);

/* Improves run->best, the recipe's nudge at `token`. The run's exact problem is set to the token. FALSE only
 * if cancelled. */
gboolean ww_attention_scan_run (WwAttentionRun *run, gsize token, WwAttentionPlan plan, GError **error);

G_END_DECLS

/* The two recipes of the search, and what they share with the entry that runs them. */
#pragma once

#include "ww-ascent.h"
#include "ww-polish.h"
#include "ww-search.h"

G_BEGIN_DECLS

/* The memory of one search, whatever its token. */
typedef struct
{
  const WwAttention *attention;
  const WwSearchSettings *settings;
  const WwCancel *cancel;
  double length;               /* r sqrt (d) */
  double score_scale;          /* typical size of a score: the unit of smoothing */
  gsize n_starts;              /* what the ascent holds */
  WwAttentionProblem *problem; /* set to the token by the caller */
  WwAscent *ascent;
  WwPolish *polish;            /* ReLU only, set to the token by the recipe */
  gsize *starts;               /* n_starts: scratch */
  double *combination;         /* n + d: scratch */
  double *best;                /* d: the best nudge of the last recipe */
  double best_value;           /* its squared change, up to single precision */
} WwAttentionRun;

/* Starts of an effort. */
gsize ww_softmax_recipe_get_n_starts (WwEffort effort);
gsize ww_relu_recipe_get_n_starts (WwEffort effort);

/* Climb from `n_starts` starts to run->best. FALSE only if cancelled. */
gboolean ww_softmax_recipe_run (WwAttentionRun *run, gsize token, gsize n_starts, GError **error);
gboolean ww_relu_recipe_run (WwAttentionRun *run, gsize token, gsize n_starts, GError **error);

G_END_DECLS

/* The two recipes of the search, and what they share with the entry that runs them. */
#pragma once

#include "ww-ascent.h"
#include "ww-attention-private.h"
#include "ww-polish.h"
#include "ww-search.h"

G_BEGIN_DECLS

/* How much a recipe spends: the efforts, and less than any of them for one token of many. */
typedef enum
{
  WW_PLAN_SCREEN,
  WW_PLAN_QUICK,
  WW_PLAN_NORMAL,
  WW_PLAN_THOROUGH,
} WwAttentionPlan;
#define WW_N_PLANS 4

/* The memory of one search, whatever its token. */
typedef struct
{
  const WwAttention *attention;
  const WwSearchSettings *settings;
  const WwCancel *cancel;
  WwTokenFunc func;            /* or NULL */
  gpointer func_data;
  WwAttentionPlan plan;        /* the largest that memory is there for */
  double length;               /* r sqrt (d) */
  double target;               /* a squared change that is enough, INFINITY: none */
  double score_scale;          /* typical size of a score: the unit of smoothing */
  WwAttentionProblem *problem; /* set to the token by the caller */
  WwAscent *ascent;
  WwPolish *polish;            /* ReLU only */
  gsize n_starts;              /* what the ascent holds */
  gsize *starts;               /* n_starts: numbers of starts, scratch */
  WwAttentionDefinition *definition; /* of the change that is reported */
  double *room;                /* scratch of ww_attention_measure_nudge */
  double *combination;         /* n + d: scratch */
  float *direction;            /* d: scratch */
  float *multiples;            /* batch x d: scratch */
  gboolean has_reached;        /* the last recipe ended early, at the target */
  gboolean has_warm;
  double *warm;                /* d: the nudged row x' that did best at the token before */
  double *best;                /* d: the best nudge of the last recipe */
} WwAttentionRun;

/* Starts of a plan for n tokens in d dimensions. */
gsize ww_softmax_recipe_get_n_starts (WwAttentionPlan plan, gsize n, gsize d);
gsize ww_relu_recipe_get_n_starts (WwAttentionPlan plan, gsize n);
/* Nudges that a plan polishes, and whether it needs double precision for that. */
gsize ww_relu_recipe_get_n_polished (WwAttentionPlan plan);
gboolean ww_relu_recipe_is_exact (WwAttentionPlan plan);

/* Climb to run->best. FALSE only if cancelled. */
gboolean ww_softmax_recipe_run (WwAttentionRun *run, gsize token, WwAttentionPlan plan,
                                GError **error);
gboolean ww_relu_recipe_run (WwAttentionRun *run, gsize token, WwAttentionPlan plan,
                             GError **error);

/* The step to run->warm, scaled to the sphere, as start `start` of the ascent. */
void ww_attention_run_start_warm (WwAttentionRun *run, gsize token, gsize start);
/* The first `count` of run->starts, sorted: moves those that stand next to a better one to the back.
 * Returns how many stay in front. */
gsize ww_attention_run_drop_copies (WwAttentionRun *run, gsize count);

G_END_DECLS

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

/* Nudges that one plan hands to the next. */
#define WW_MOST_CARRIED 4

/* Nudged rows that screening takes from token to token. */
#define WW_MOST_POOLED 4

/* A larger plan follows the smaller ones, from starts of its own: the number of the first. */
#define WW_PLAN_FIRST_START(plan) ((guint32) (plan) << 20)

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
  WwAttentionProblemDouble *exact; /* or NULL: no plan needs it */
  gboolean has_exact;          /* it is set to the token */
  WwPolish *polish;            /* ReLU and small problems only */
  double *scan_room;           /* small problems only: what a scan keeps */
  guint64 n_evaluated;         /* nudges, besides those of the ascent and the polish */
  gsize n_starts;              /* what the ascent holds */
  gsize *starts;               /* n_starts: numbers of starts, scratch */
  WwAttentionDefinition *definition; /* of the change that is reported */
  double *room;                /* scratch of ww_attention_measure_nudge */
  double *combination;         /* n + d: scratch */
  float *direction;            /* d: scratch */
  float *multiples;            /* batch x d: scratch */
  gboolean has_reached;        /* the last recipe ended early, at the target */
  double from, span;           /* the part of all the work that the present token is */
  double all_expected;         /* nudges that all tokens together will evaluate */
  double expected;             /* nudges that it will evaluate, as far as can be told */
  guint64 counted;             /* nudges evaluated before it */
  gboolean pools;              /* what is found at a token is remembered for the next */
  guint pass;                  /* how often all tokens were screened */
  gboolean returns;            /* all tokens were screened before: no fresh starts */
  double *pool;                /* WW_MOST_POOLED x d: nudged rows x' that did best at the last token */
  gsize n_pooled;
  float *carried;              /* WW_MOST_CARRIED x d: the best nudges of the plan before */
  gsize n_carried;
  double *best;                /* d: the best nudge of the last recipe */
  double *found;               /* d: the best of all plans at this token */
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

/* Sets run->exact to the token, once. FALSE only if cancelled. */
gboolean ww_attention_run_prepare_exact (WwAttentionRun *run, gsize token, GError **error);

/* The step to row `member` of the pool, scaled to the sphere, as start `start` of the ascent. */
void ww_attention_run_start_warm (WwAttentionRun *run, gsize token, gsize member, gsize start);
/* The first `count` of run->starts, sorted: moves those that stand next to a better one to the back.
 * Returns how many stay in front. */
gsize ww_attention_run_drop_copies (WwAttentionRun *run, gsize count);

G_END_DECLS

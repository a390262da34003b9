/* The search over a ball by many starts that climb side by side, and the search over all tokens of a
 * context: what RF and DRF share. Both are benign (local maxima within a few per cent of each other, the
 * top singular vector of the active rows close to one), so starts are few and steps many. */
#pragma once

#include "ww-search.h"

G_BEGIN_DECLS

/* How a batch climbs. */
typedef struct
{
  guint steps;      /* at most */
  double tolerance; /* a start ends when a step gains less than this, relative to its value */
  guint thin_at;    /* after this many steps only the best `thin_to` go on; 0: never */
  gsize thin_to;
} WwClimbPlan;

/* How much is spent on one token. */
typedef struct _WwClimbRecipe WwClimbRecipe;
struct _WwClimbRecipe
{
  gsize linear_starts;  /* towards the singular vector; 0: that of the lower recipe */
  WwClimbPlan linear;
  gsize starts;         /* the first four: +- singular vector, +- x_i; the others random; the lower recipe's
                         * are among them and not climbed from again */
  WwClimbPlan plan;
  /* Then rounds of starts around the best nudge so far, near and far, while they gain: through many layers the
   * good maxima lie together. */
  guint rounds;
  gsize around;         /* starts of a round */
  const WwClimbRecipe *lower; /* done first, so that a longer search finds no less; or NULL */
};

/* A climb of some map: a workspace for up to `width` starts, and how it is used. */
typedef struct
{
  gpointer climb;
  gsize width;
  gsize d;
  gsize token;     /* the streams of random starts are numbered by it */
  const double *x; /* the row of that token, d entries */

  /* What is climbed. TRUE: the norm of what a nudge does to the features where no unit switches, whose
   * maximum is the top right singular vector of the map's derivative. FALSE: the map itself. */
  void (*set_linear) (gpointer climb, gboolean linear);
  /* The place of start `index` (< width): d entries to be filled before a run, any length but zero. */
  float *(*get_start) (gpointer climb, gsize index);
  /* Climbs from the first `n_starts` starts. ret_best: d entries of norm 1 in double precision, and
   * ret_value the objective there (in a unit of its own, the same for one climb). `evaluations` is added
   * to: one for each candidate whose features are formed. FALSE: cancelled. */
  gboolean (*run) (gpointer climb, gsize n_starts, const WwClimbPlan *plan, const WwCancel *cancel,
                   double *ret_best, double *ret_value, guint64 *evaluations, GError **error);
} WwClimber;

/* Runs a recipe: ret_delta (d entries) is the best nudge found, on the sphere of settings->radius
 * sqrt (d); ret_linear (or NULL) the largest value of the linear objective. FALSE: cancelled. */
gboolean ww_climb_search (const WwClimber *climber, const WwClimbRecipe *recipe,
                          const WwSearchSettings *settings, const WwCancel *cancel, double *ret_delta,
                          double *ret_linear, guint64 *evaluations, GError **error);

/* The full search at one token, or its screening with few starts. */
typedef WwSearchResult *(*WwClimbTokenSearch) (gsize token, gboolean screening, gpointer user_data,
                                               GError **error);

/* Every one of n tokens screened, then the full search at the best tenth (at least 3): the best result,
 * with per_token and all evaluations. `func` may be NULL. */
WwSearchResult *ww_climb_search_tokens (gsize n, WwClimbTokenSearch search, gpointer search_data,
                                        WwTokenFunc func, gpointer func_data, GError **error);

G_END_DECLS

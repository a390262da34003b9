/* The search over a ball by many starts that climb side by side, and the search over all tokens of a
 * context: what RF and DRF share. Both are benign (local maxima within a few per cent of each other, the
 * top singular vector of the active rows close to one), so starts are few and steps many. */
#pragma once

#include "ww-search.h"
#include "ww-starts.h"

G_BEGIN_DECLS

/* Starts that climb side by side, at the most: more of them gain no speed. */
#define WW_CLIMB_MOST_STARTS 32

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
                         * are among them */
  WwClimbPlan plan;
  gboolean anew;        /* whether the starts of the lower recipe climb once more, under this plan */
  /* Then rounds of starts around the best nudge so far, near and far, while they gain: through many layers the
   * good maxima lie together. */
  guint rounds;
  gsize around;         /* starts of a round */
  const WwClimbRecipe *lower; /* done first, so that a longer search finds no less; or NULL */
};

/* A recipe, its lower one, and so on: no more than so many. */
#define WW_CLIMB_MOST_RECIPES 3

/* The best nudge when each recipe was done, the lowest recipe first. A climb compares in single precision,
 * whose last digits may deceive it: whoever takes the best of all by the definition in double precision finds
 * with a longer search exactly as much as with the shorter one, or more. */
typedef struct
{
  gsize count;
  double *deltas; /* count x d, room for WW_CLIMB_MOST_RECIPES; on the sphere of settings->radius sqrt (d) */
} WwClimbFinds;

/* A climb of some map: a workspace for as many starts as `starts` has room for, and how they move. FALSE from
 * begin and step: cancelled. */
typedef struct
{
  gpointer climb;
  WwStarts *starts; /* its nudges are filled in before a climb begins, any length but zero */
  gsize token;      /* the streams of random starts are numbered by it */
  const double *x;  /* the row of that token, d entries */

  /* What is climbed. TRUE: the norm of what a nudge does to the features where no unit switches, whose
   * maximum is the top right singular vector of the map's derivative. FALSE: the map itself. */
  void (*set_linear) (gpointer climb, gboolean linear);
  /* The first `active` starts have become unit rows. Where their values are formed now, starts->value gets them
   * (in a unit of its own, the same for one climb), and `evaluations` is added to: one for each candidate
   * whose features are formed. */
  gboolean (*begin) (gpointer climb, gsize active, guint64 *evaluations, const WwCancel *cancel,
                     GError **error);
  /* One step of the active starts: nudges and values; starts->ended of those that gain less than `tolerance`,
   * relative to their value, or nothing at all. */
  gboolean (*step) (gpointer climb, gsize active, double tolerance, guint64 *evaluations,
                    const WwCancel *cancel, GError **error);
} WwClimber;

/* Runs a recipe: finds->deltas is the caller's array; ret_linear (or NULL) the largest value of the linear
 * objective. What a recipe finds depends on the width of the climber's starts, so let that be the same for
 * all. FALSE: cancelled. */
gboolean ww_climb_search (const WwClimber *climber, const WwClimbRecipe *recipe,
                          const WwSearchSettings *settings, const WwCancel *cancel, WwClimbFinds *finds,
                          double *ret_linear, guint64 *evaluations, GError **error);

/* The place of the largest of `count` values, the first of those that are equal. */
gsize ww_climb_choose (const double *values, gsize count);

/* The full search at one token, or its screening with few starts. */
typedef WwSearchResult *(*WwClimbTokenSearch) (gsize token, gboolean screening, gpointer user_data,
                                               GError **error);

/* How many tokens of a context get their full search within a few seconds of one core, where a step of the
 * recipe's starts costs `cost` multiplications for each. */
gsize ww_climb_count_affordable (const WwClimbRecipe *recipe, WwEffort effort, double cost);

/* The full search at every one of n tokens where so many are `affordable`. Else all are screened, and the
 * best of them get the full search: a tenth, at least 3, and as many as are affordable. The best result, with
 * per_token, in_full and all evaluations. `func` may be NULL; of `settings` it is progress that is told. */
WwSearchResult *ww_climb_search_tokens (gsize n, gsize affordable, WwClimbTokenSearch search,
                                        gpointer search_data, const WwSearchSettings *settings,
                                        WwTokenFunc func, gpointer func_data, GError **error);

G_END_DECLS

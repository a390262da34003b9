#include "ww-attention-run.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-attention-starts.h"

/* Starts climb under a raised temperature first (p = sigmoid (beta (t - b)), beta below 1), which
 * lets them see rows that they do not hold yet; the worse half is left behind after each stage. What
 * is found then breeds: nudges between two of the best, roughened, climb in turn. Measured against
 * many random starts, this reaches the same summits with a tenth of the evaluations. */
typedef struct
{
  gsize least_starts, most_starts;
  double work;       /* multiplications that the starts of one step may cost, between these two */
  gsize final_share; /* one of so many that were warm gets to climb at beta 1 */
  gsize n_generations, n_kids, n_parents;
} Plan;

/* Screening: fresh starts, the pool, and kids of the best of both. */
#define N_FRESH 4
#define N_SCREEN_KIDS 4
#define N_SCREENED (N_FRESH + WW_MOST_POOLED + N_SCREEN_KIDS)

static const Plan plans[WW_N_PLANS] = {
  [WW_PLAN_SCREEN] = { N_SCREENED, N_SCREENED, 0, 0, 0, N_SCREEN_KIDS, 3 },
  [WW_PLAN_QUICK] = { 16, 16, 0, 2, 1, 8, 4 },
  [WW_PLAN_NORMAL] = { 88, 208, 1.8e8, 2, 2, 24, 6 },
  [WW_PLAN_THOROUGH] = { 128, 672, 2.8e8, 2, 4, 32, 8 },
};

/* Where a target is set, so many starts go ahead, and look at the rows other than i alone: those are
 * cheap, and need nothing prepared that costs n d^2. What they leave out is one of the dozens of rows that
 * a nudge holds in the end: too much for the largest nudge, little for a good one. */
#define N_SCOUTS 6
#define SCOUT_STEPS 12

/* How much random direction a kid gets, relative to its parents. */
#define ROUGHNESS 0.4

gsize
ww_softmax_recipe_get_n_starts (WwAttentionPlan plan, gsize n, gsize d)
{
  const Plan *amounts = &plans[plan];
  double affordable = amounts->work / (8.0 * n * d + (double) d * d);

  return CLAMP (affordable, amounts->least_starts, amounts->most_starts);
}

/* Four families in turn. Where the token is one of few, its own row weighs much, and a fifth of the
 * starts are plain directions. */
static WwStartFamily
choose_family (gsize n, gsize start)
{
  static const WwStartFamily families[] = {
    WW_START_TILTED, WW_START_ONE_ROW, WW_START_SOME_ROWS, WW_START_ALL_ROWS
  };

  if (n <= 10 && start % 5 == 4)
    return WW_START_PLAIN;
  return families[start % G_N_ELEMENTS (families)];
}

/* The number of the first start of a token that is screened: others in every pass. */
static guint32
number_screening (const WwAttentionRun *run, gsize token)
{
  return N_SCREENED * (run->pass * run->attention->x->rows + token);
}

static void
place_starts (WwAttentionRun *run, gsize token, WwAttentionPlan plan, gsize n_starts)
{
  guint32 first = WW_PLAN_FIRST_START (plan) + (plan == WW_PLAN_SCREEN ? number_screening (run, token) : 0);

  for (gsize s = 0; s < n_starts; s++)
    {
      ww_attention_start (run->attention, token, choose_family (run->attention->x->rows, s),
                          run->settings->seed, run->settings->trial, first + s, run->combination,
                          ww_ascent_get_point (run->ascent, s));
      ww_ascent_project (run->ascent, s);
      run->starts[s] = s;
    }
}

/* One stage for `count` starts; sorts them. `others_only`: row i is not looked at. FALSE if cancelled,
 * or once a start has reached the target. */
static gboolean
climb (WwAttentionRun *run, gsize *starts, gsize count, double beta, gboolean others_only,
       guint max_steps, double tolerance, gsize enough, GError **error)
{
  const WwAttentionObjective objective = { .beta = beta, .others_only = others_only };

  if (!others_only && !ww_attention_problem_prepare_own (run->problem, run->cancel, error))
    return FALSE;

  if (!ww_ascent_run (run->ascent, &objective, starts, count, max_steps, tolerance, enough,
                      run->cancel, error)
      || ww_ascent_has_reached (run->ascent, NULL))
    return FALSE;
  ww_ascent_sort (run->ascent, starts, count);
  ww_attention_run_report (run);
  return TRUE;
}

/* Exchanges two lists of starts. */
static void
exchange (gsize *some, gsize *others, gsize count)
{
  for (gsize s = 0; s < count; s++)
    {
      gsize start = some[s];

      some[s] = others[s];
      others[s] = start;
    }
}

/* Kid `kid` of a generation at `start`: two of the parents added, and a random direction. `number`
 * is that of its random stream. */
static void
place_kid (WwAttentionRun *run, gsize token, gsize n_parents, gsize generation, gsize kid,
           guint32 number, gsize start)
{
  gsize d = run->attention->x->cols;
  gsize first = kid % n_parents, second = (kid / n_parents + 1 + first + generation) % n_parents;
  const float *parent = ww_ascent_get_point (run->ascent, run->starts[first]);
  const float *other = ww_ascent_get_point (run->ascent, run->starts[second]);
  float *point = ww_ascent_get_point (run->ascent, start);

  ww_attention_start (run->attention, token, WW_START_PLAIN, run->settings->seed,
                      run->settings->trial, number, run->combination, run->direction);
  memcpy (point, parent, d * sizeof (float));
  if (first != second)
    cblas_saxpy (d, 1, other, 1, point, 1);
  cblas_saxpy (d, ROUGHNESS * run->length, run->direction, 1, point, 1);
  ww_ascent_project (run->ascent, start);
}

/* Lets kids of the best `n_ranked` starts climb in the places of the worst; updates the ranking. */
static gboolean
breed (WwAttentionRun *run, gsize token, WwAttentionPlan plan, gsize n_starts, gsize generation,
       gsize *n_ranked, GError **error)
{
  const Plan *amounts = &plans[plan];
  gsize n_parents = MIN (amounts->n_parents, *n_ranked);
  gsize *kids = run->starts + n_starts - amounts->n_kids, kept = amounts->n_kids / 2;
  guint32 number = WW_PLAN_FIRST_START (plan) + n_starts + generation * amounts->n_kids;

  for (gsize k = 0; k < amounts->n_kids; k++)
    place_kid (run, token, n_parents, generation, k, number + k, kids[k]);
  if (!climb (run, kids, amounts->n_kids, 0.7, FALSE, 30, 1e-3, kept / 2, error)
      || !climb (run, kids, kept, 1, FALSE, 200, 1e-5, 0, error))
    return FALSE;

  exchange (run->starts + n_parents, kids, kept);
  ww_ascent_sort (run->ascent, run->starts, n_parents + kept);
  *n_ranked = ww_attention_run_drop_copies (run, n_parents + kept);
  return TRUE;
}

/* The best nudges, for the next plan. */
static void
hand_over (WwAttentionRun *run, gsize n_ranked)
{
  gsize d = run->attention->x->cols;

  run->n_carried = MIN (n_ranked, WW_MOST_CARRIED);
  for (gsize c = 0; c < run->n_carried; c++)
    memcpy (run->carried + c * d, ww_ascent_get_point (run->ascent, run->starts[c]), d * sizeof (float));
}

/* What one token gets of many. */
static gboolean
screen (WwAttentionRun *run, gsize token, GError **error)
{
  gsize n_fresh = run->returns ? 0 : N_FRESH, n_ranked = n_fresh + run->n_pooled;
  gsize *kids = run->starts + n_ranked, n_parents;

  for (gsize s = 0; s < run->n_pooled; s++)
    ww_attention_run_start_warm (run, token, s, run->starts[n_fresh + s]);
  if ((n_fresh > 0 && !climb (run, run->starts, n_fresh, 0.5, FALSE, 30, 1e-3, 1, error))
      || !climb (run, run->starts, n_ranked, 1, FALSE, 30, 1e-3, 0, error))
    return FALSE;
  n_parents = ww_attention_run_drop_copies (run, n_ranked);

  if (!run->returns)
    {
      n_parents = MIN (n_parents, plans[WW_PLAN_SCREEN].n_parents);
      for (gsize k = 0; k < N_SCREEN_KIDS; k++)
        place_kid (run, token, n_parents, 0, k, number_screening (run, token) + N_FRESH + k, kids[k]);
      if (!climb (run, kids, N_SCREEN_KIDS, 0.7, FALSE, 15, 1e-3, 1, error)
          || !climb (run, kids, N_SCREEN_KIDS / 2, 1, FALSE, 30, 1e-3, 0, error))
        return FALSE;
      exchange (run->starts + n_parents, kids, N_SCREEN_KIDS / 2);
      n_parents += N_SCREEN_KIDS / 2;
    }
  ww_ascent_sort (run->ascent, run->starts, n_parents);
  if (!climb (run, run->starts, 1, 1, FALSE, 50, 1e-5, 0, error))
    return FALSE;
  hand_over (run, ww_attention_run_drop_copies (run, n_parents));
  return TRUE;
}

/* The best nudges of the plan before join the `n_ranked` in front, in the places that follow. */
static gboolean
take_over (WwAttentionRun *run, gsize n_starts, gsize *n_ranked, GError **error)
{
  gsize d = run->attention->x->cols, count = MIN (run->n_carried, n_starts - *n_ranked);
  gsize *guests = run->starts + *n_ranked;

  for (gsize c = 0; c < count; c++)
    memcpy (ww_ascent_get_point (run->ascent, guests[c]), run->carried + c * d, d * sizeof (float));
  if (count > 0 && !climb (run, guests, count, 1, FALSE, 200, 1e-5, 0, error))
    return FALSE;
  *n_ranked += count;
  ww_ascent_sort (run->ascent, run->starts, *n_ranked);
  *n_ranked = ww_attention_run_drop_copies (run, *n_ranked);
  return TRUE;
}

/* The warm stages. Half of the starts begin hotter than the rest: each temperature loses summits that
 * the other finds. Returns how many starts are left in front, or 0 if cancelled. */
static gsize
anneal (WwAttentionRun *run, gsize n_starts, GError **error)
{
  gsize half = n_starts / 2, quarter = (half + 1) / 2;

  if (!climb (run, run->starts, half, 0.4, FALSE, 60, 3e-4, half / 8, error)
      || !climb (run, run->starts + half, n_starts - half, 0.6, FALSE, 60, 3e-4, half / 8,
                 error))
    return 0;

  exchange (run->starts + quarter, run->starts + half, quarter);
  return climb (run, run->starts, 2 * quarter, 0.75, FALSE, 30, 3e-4, quarter / 8, error)
           ? 2 * quarter : 0;
}

/* Cheap climbs to the target; where they end short of it, the starts are as before. */
static gboolean
send_scouts (WwAttentionRun *run, gsize token, WwAttentionPlan plan, gsize n_starts, GError **error)
{
  gsize count = MIN (N_SCOUTS, n_starts);

  if (!climb (run, run->starts, count, 0.5, TRUE, SCOUT_STEPS, 3e-3, 0, error)
      || !climb (run, run->starts, count, 1, TRUE, 60, 1e-4, 0, error))
    return FALSE;
  place_starts (run, token, plan, n_starts);
  return TRUE;
}

static gboolean
climb_and_breed (WwAttentionRun *run, gsize token, WwAttentionPlan plan, gsize n_starts,
                 GError **error)
{
  const Plan *amounts = &plans[plan];
  gsize n_ranked = anneal (run, n_starts, error) / amounts->final_share;

  if (n_ranked == 0 || !climb (run, run->starts, n_ranked, 1, FALSE, 200, 1e-5, 0, error))
    return FALSE;
  /* What the plan before found joins late, lest all end on its summit. */
  n_ranked = ww_attention_run_drop_copies (run, n_ranked);
  for (gsize g = 0; g < amounts->n_generations; g++)
    if ((g + 1 == amounts->n_generations && !take_over (run, n_starts, &n_ranked, error))
        || !breed (run, token, plan, n_starts, g, &n_ranked, error))
      return FALSE;
  if (!climb (run, run->starts, 1, 1, FALSE, 100, 1e-7, 0, error))
    return FALSE;
  hand_over (run, n_ranked);
  return TRUE;
}

gboolean
ww_softmax_recipe_run (WwAttentionRun *run, gsize token, WwAttentionPlan plan, GError **error)
{
  gsize n_starts = ww_softmax_recipe_get_n_starts (plan, run->attention->x->rows,
                                                   run->attention->x->cols);
  gboolean scouts = !isinf (run->target) && plan <= WW_PLAN_QUICK;
  gsize best = 0;

  ww_ascent_set_target (run->ascent, run->target);
  place_starts (run, token, plan, n_starts);
  if ((!scouts || send_scouts (run, token, plan, n_starts, error))
      && (plan == WW_PLAN_SCREEN ? screen (run, token, error)
                                 : climb_and_breed (run, token, plan, n_starts, error)))
    best = run->starts[0];
  else if (ww_ascent_has_reached (run->ascent, &best))
    run->has_reached = TRUE;
  else
    return FALSE;

  const float *point = ww_ascent_get_point (run->ascent, best);
  for (gsize k = 0; k < run->attention->x->cols; k++)
    run->best[k] = point[k];
  return TRUE;
}

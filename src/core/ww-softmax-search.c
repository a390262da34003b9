#include "ww-attention-recipes.h"

#include <cblas.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-attention-starts.h"

/* Starts climb under a raised temperature first (p = sigmoid (beta (t - b)), beta below 1), which
 * lets them see rows that they do not hold yet; the worse half is left behind after each stage. What
 * is found then breeds: nudges between two of the best, roughened, climb in turn. Measured against
 * many random starts, this reaches the same summits with a tenth of the evaluations. */
typedef struct
{
  gsize n_starts, n_generations, n_kids, n_parents;
} Plan;

static const Plan plans[WW_N_PLANS] = {
  [WW_PLAN_SCREEN] = { 6, 0, 0, 1 },
  [WW_PLAN_QUICK] = { 16, 1, 8, 4 },
  [WW_PLAN_NORMAL] = { 80, 2, 24, 6 },
  [WW_PLAN_THOROUGH] = { 192, 4, 32, 8 },
};

/* How much random direction a kid gets, relative to its parents. */
#define ROUGHNESS 0.4

gsize
ww_softmax_recipe_get_n_starts (WwAttentionPlan plan, gsize n)
{
  return plans[plan].n_starts;
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

static void
place_starts (WwAttentionRun *run, gsize token, gsize n_starts)
{
  for (gsize s = 0; s < n_starts; s++)
    {
      ww_attention_start (run->attention, token, choose_family (run->attention->x->rows, s),
                          run->settings->seed, run->settings->trial, s, run->combination,
                          ww_ascent_get_point (run->ascent, s));
      ww_ascent_project (run->ascent, s);
      run->starts[s] = s;
    }
  if (run->has_warm)
    ww_attention_run_start_warm (run, token, 0);
}

/* One stage for the first `count` of run->starts; sorts them. */
static gboolean
climb (WwAttentionRun *run, gsize *starts, gsize count, double beta, guint max_steps,
       double tolerance, GError **error)
{
  const WwAttentionObjective objective = { .beta = beta };

  if (!ww_ascent_run (run->ascent, &objective, starts, count, max_steps, tolerance, run->cancel,
                      error))
    return FALSE;
  ww_ascent_sort (run->ascent, starts, count);
  return TRUE;
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
breed (WwAttentionRun *run, gsize token, const Plan *plan, gsize generation, gsize *n_ranked,
       GError **error)
{
  gsize n_parents = MIN (plan->n_parents, *n_ranked);
  gsize *kids = run->starts + plan->n_starts - plan->n_kids, kept = plan->n_kids / 2;
  guint32 number = plan->n_starts + generation * plan->n_kids;

  for (gsize k = 0; k < plan->n_kids; k++)
    place_kid (run, token, n_parents, generation, k, number + k, kids[k]);
  if (!climb (run, kids, plan->n_kids, 0.7, 30, 1e-3, error)
      || !climb (run, kids, kept, 1, 200, 1e-5, error))
    return FALSE;

  for (gsize k = 0; k < kept; k++)
    {
      gsize start = run->starts[n_parents + k];

      run->starts[n_parents + k] = kids[k];
      kids[k] = start;
    }
  ww_ascent_sort (run->ascent, run->starts, n_parents + kept);
  *n_ranked = ww_attention_run_drop_copies (run, n_parents + kept);
  return TRUE;
}

gboolean
ww_softmax_recipe_run (WwAttentionRun *run, gsize token, WwAttentionPlan plan, GError **error)
{
  const Plan *amounts = &plans[plan];
  gsize n_starts = amounts->n_starts, n_ranked = MAX (n_starts / 4, 1);

  place_starts (run, token, n_starts);
  if (!climb (run, run->starts, n_starts, 0.5, 60, 3e-4, error)
      || !climb (run, run->starts, MAX (n_starts / 2, 1), 0.75, 30, 3e-4, error)
      || !climb (run, run->starts, n_ranked, 1, 200, plan == WW_PLAN_SCREEN ? 1e-4 : 1e-6, error))
    return FALSE;

  if (amounts->n_generations > 0)
    n_ranked = ww_attention_run_drop_copies (run, n_ranked);
  for (gsize g = 0; g < amounts->n_generations; g++)
    if (!breed (run, token, amounts, g, &n_ranked, error))
      return FALSE;
  if (amounts->n_generations > 0 && !climb (run, run->starts, 1, 1, 100, 1e-7, error))
    return FALSE;

  const float *best = ww_ascent_get_point (run->ascent, run->starts[0]);
  for (gsize k = 0; k < run->attention->x->cols; k++)
    run->best[k] = best[k];
  return TRUE;
}

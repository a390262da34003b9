#include "ww-climb-search.h"

#include <math.h>
#include <string.h>

#include "ww-random.h"
#include "ww-sort.h"

#define STARTS_PER_TOKEN 1024 /* stream positions set aside for the random starts of one token */
#define FIRST_AROUND 128      /* the first of them for starts around the best */
#define LEAST_GAIN 1e-4       /* of the objective: a round that gains less is the last */

/* What may be spent on the full searches of all tokens, in multiplications: a second to some seconds of one
 * core. A quick search costs no more than screening. */
static const double affordable[WW_N_EFFORTS] = {
  [WW_EFFORT_QUICK] = INFINITY,
  [WW_EFFORT_NORMAL] = 6e10,
  [WW_EFFORT_THOROUGH] = 1.8e11,
};

static float *
get_start (const WwClimber *climber, gsize place)
{
  return climber->starts->nudge + place * climber->starts->d;
}

/* A start in the climb's array from a vector in double precision, times `sign`; a zero vector stays
 * unused and FALSE is returned. */
static gboolean
set_start (float *start, const double *vector, gsize d, double sign)
{
  double norm = ww_vector_norm (vector, d);

  if (!(norm > 0))
    return FALSE;

  for (gsize i = 0; i < d; i++)
    start[i] = (float) (sign * vector[i] / norm);
  return TRUE;
}

/* The random start number `index` of this token: the same whatever else is tried. */
static void
set_random_start (const WwClimber *climber, gsize place, const WwSearchSettings *settings, gsize index)
{
  gsize d = climber->starts->d;
  guint64 number = (guint64) climber->token * STARTS_PER_TOKEN + index;
  float *start = get_start (climber, place);

  ww_random_normal_f (settings->seed, WW_PURPOSE_STARTS, settings->trial, number * d, d, 1, start);

  /* With one dimension the exact zero of the sine is possible. */
  if (d == 1 && start[0] == 0)
    start[0] = 1;
}

/* The first `n_starts` starts climb together: ret_best (d entries, norm 1) and the objective there. */
static gboolean
climb (const WwClimber *climber, gsize n_starts, const WwClimbPlan *plan, const WwCancel *cancel,
       double *ret_best, double *ret_value, guint64 *evaluations, GError **error)
{
  WwStarts *starts = climber->starts;
  double best_value = -1;
  gsize active = n_starts;

  ww_starts_begin (starts, n_starts);
  if (!climber->begin (climber->climb, n_starts, evaluations, cancel, error))
    return FALSE;

  ww_starts_note_best (starts, active, ret_best, &best_value);
  for (guint taken = 0; active > 0 && taken < plan->steps; taken++)
    {
      gsize keep = plan->thin_at > 0 && taken + 1 == plan->thin_at ? plan->thin_to : active;

      if (!climber->step (climber->climb, active, plan->tolerance, evaluations, cancel, error))
        return FALSE;

      ww_starts_note_best (starts, active, ret_best, &best_value);
      active = ww_starts_thin (starts, active, keep);
    }

  *ret_value = best_value;
  return TRUE;
}

/* The top right singular vector of the derivative, roughly: `ret_vector`, norm 1, and what the linear
 * objective is there. */
static gboolean
find_singular_vector (const WwClimber *climber, const WwClimbRecipe *recipe,
                      const WwSearchSettings *settings, const WwCancel *cancel, double *ret_vector,
                      double *ret_value, guint64 *evaluations, GError **error)
{
  for (gsize s = 0; s < recipe->linear_starts; s++)
    if (s > 0 || !set_start (get_start (climber, s), climber->x, climber->starts->d, 1))
      set_random_start (climber, s, settings, recipe->starts + s);

  climber->set_linear (climber->climb, TRUE);
  if (!climb (climber, recipe->linear_starts, &recipe->linear, cancel, ret_vector, ret_value, evaluations,
              error))
    return FALSE;

  climber->set_linear (climber->climb, FALSE);
  return TRUE;
}

static void
set_recipe_start (const WwClimber *climber, gsize place, const WwSearchSettings *settings, gsize index,
                  const double *singular)
{
  const double *vector = index < 2 ? singular : climber->x;
  float *start = get_start (climber, place);

  if (index >= 4 || !set_start (start, vector, climber->starts->d, index % 2 == 0 ? 1 : -1))
    set_random_start (climber, place, settings, index);
}

/* Starts around the best nudge: that itself, which climbs on, then at half its length from it, at as much, and
 * farther. */
static void
set_start_around (const WwClimber *climber, gsize place, const WwSearchSettings *settings, gsize index,
                  const double *best)
{
  static const double distances[] = { 0.5, 1, 2 };
  double length = ww_vector_norm (best, climber->starts->d);
  double step = length * distances[index % G_N_ELEMENTS (distances)] / sqrt ((double) climber->starts->d);
  float *start = get_start (climber, place);

  if (place == 0)
    step = 0;
  set_random_start (climber, place, settings, FIRST_AROUND + index);
  for (gsize i = 0; i < climber->starts->d; i++)
    start[i] = (float) (best[i] + step * start[i]);
}

/* What the climbs of one search share. */
typedef struct
{
  const WwClimber *climber;
  const WwSearchSettings *settings;
  const WwCancel *cancel;
  double *found;      /* d: of the last batch */
  double *best;       /* d, norm 1 */
  double value;       /* there */
  double linear;      /* the largest value of the linear problem */
  WwClimbFinds *finds;
  guint64 *evaluations;
} Search;

/* A batch whose starts are set. */
static gboolean
climb_batch (Search *search, gsize count, const WwClimbPlan *plan, GError **error)
{
  const WwClimber *climber = search->climber;
  double value;

  if (!climb (climber, count, plan, search->cancel, search->found, &value, search->evaluations, error))
    return FALSE;

  if (value > search->value)
    {
      search->value = value;
      memcpy (search->best, search->found, climber->starts->d * sizeof (double));
    }
  return TRUE;
}

static gboolean
climb_around (Search *search, const WwClimbRecipe *recipe, GError **error)
{
  gsize width = search->climber->starts->width;

  for (gsize round = 0; round < recipe->rounds; round++)
    {
      double before = search->value;

      for (gsize first = 0; first < recipe->around; first += width)
        {
          gsize count = MIN (width, recipe->around - first);

          for (gsize s = 0; s < count; s++)
            set_start_around (search->climber, s, search->settings, round * recipe->around + first + s,
                              search->best);
          if (!climb_batch (search, count, &recipe->plan, error))
            return FALSE;
        }

      if (search->value - before < LEAST_GAIN * search->value)
        break;
    }

  return TRUE;
}

/* Notes the best nudge so far, on the sphere: along a ray the features of RF only move away, and for DRF the
 * search is one over the sphere. */
static void
note_find (Search *search)
{
  gsize d = search->climber->starts->d;
  double *delta = search->finds->deltas + search->finds->count++ * d;
  double length = search->settings->radius * sqrt ((double) d) / ww_vector_norm (search->best, d);

  for (gsize i = 0; i < d; i++)
    delta[i] = length * search->best[i];
}

static gboolean
improve_singular_vector (Search *search, const WwClimbRecipe *recipe, double *singular, GError **error)
{
  double linear;

  if (!find_singular_vector (search->climber, recipe, search->settings, search->cancel, singular, &linear,
                             search->evaluations, error))
    return FALSE;

  search->linear = MAX (search->linear, linear);
  return TRUE;
}

static gboolean
run_recipe (Search *search, const WwClimbRecipe *recipe, double *singular, GError **error)
{
  const WwClimber *climber = search->climber;
  gsize done = recipe->lower != NULL && !recipe->anew ? recipe->lower->starts : 0;

  if (recipe->lower != NULL && !run_recipe (search, recipe->lower, singular, error))
    return FALSE;
  if (recipe->linear_starts > 0 && !improve_singular_vector (search, recipe, singular, error))
    return FALSE;

  for (gsize first = done; first < recipe->starts; first += climber->starts->width)
    {
      gsize count = MIN (climber->starts->width, recipe->starts - first);

      for (gsize s = 0; s < count; s++)
        set_recipe_start (climber, s, search->settings, first + s, singular);
      if (!climb_batch (search, count, &recipe->plan, error))
        return FALSE;
    }

  if (!climb_around (search, recipe, error))
    return FALSE;

  note_find (search);
  return TRUE;
}

gboolean
ww_climb_search (const WwClimber *climber, const WwClimbRecipe *recipe, const WwSearchSettings *settings,
                 const WwCancel *cancel, WwClimbFinds *finds, double *ret_linear, guint64 *evaluations,
                 GError **error)
{
  gsize d = climber->starts->d;
  g_autofree double *singular = g_new0 (double, d);
  g_autofree double *found = g_new0 (double, d);
  g_autofree double *best = g_new0 (double, d);
  Search search = { climber, settings, cancel, found, best, -1, 0, finds, evaluations };

  finds->count = 0;
  if (!run_recipe (&search, recipe, singular, error))
    return FALSE;

  if (ret_linear != NULL)
    *ret_linear = search.linear;
  return TRUE;
}

gsize
ww_climb_choose (const double *values, gsize count)
{
  gsize best = 0;

  for (gsize i = 1; i < count; i++)
    if (values[i] > values[best])
      best = i;

  return best;
}

/* Steps of one start each that a recipe takes at most, and in practice about half of them. */
static double
count_steps (const WwClimbRecipe *recipe)
{
  double starts = recipe->starts + (double) recipe->rounds * recipe->around;
  double thinned = recipe->plan.thin_at > 0 ? recipe->plan.thin_at : recipe->plan.steps;
  double steps = recipe->linear_starts * (double) recipe->linear.steps
                 + starts * thinned + recipe->plan.thin_to * (recipe->plan.steps - thinned);

  return steps / 2 + (recipe->lower != NULL ? count_steps (recipe->lower) : 0);
}

gsize
ww_climb_count_affordable (const WwClimbRecipe *recipe, WwEffort effort, double cost)
{
  return MIN (affordable[effort] / (count_steps (recipe) * cost), G_MAXINT);
}

/* What a search over all tokens knows. */
typedef struct
{
  WwClimbTokenSearch search;
  gpointer search_data;
  const WwSearchSettings *settings;
  WwTokenFunc func;
  gpointer func_data;
  gsize done, expected; /* searches, the screening among them */
  WwSearchResult *best; /* owned */
  double *per_token;    /* n values, owned */
  gboolean *in_full;    /* n values, owned */
  guint64 evaluations;
} AllTokens;

/* per_token and best are updated, the listeners hear. */
static gboolean
search_token (AllTokens *all, gsize token, gboolean screening, GError **error)
{
  g_autoptr (WwSearchResult) result = all->search (token, screening, all->search_data, error);

  if (result == NULL)
    return FALSE;

  all->evaluations += result->evaluations;
  all->per_token[token] = MAX (all->per_token[token], result->ws);
  all->in_full[token] |= !screening;
  /* Of two that found the same the later one, which looked more closely, knows more. */
  if (all->best == NULL || result->ws >= all->best->ws)
    {
      ww_search_result_free (all->best);
      all->best = g_steal_pointer (&result);
    }

  all->done++;
  if (all->func != NULL)
    all->func (token, all->per_token[token], all->func_data);
  if (all->settings->progress != NULL)
    all->settings->progress ((double) all->done / (double) all->expected, all->settings->progress_data);
  return TRUE;
}

static gboolean
search_each_token (AllTokens *all, gsize n, gboolean screening, GError **error)
{
  for (gsize token = 0; token < n; token++)
    if (!search_token (all, token, screening, error))
      return FALSE;

  return TRUE;
}

static gboolean
search_best_tokens (AllTokens *all, gsize n, gsize affordable_tokens, GError **error)
{
  gsize n_best = MIN (n, MAX (affordable_tokens, MAX (3, (n + 9) / 10)));
  g_autofree gsize *order = g_new (gsize, n);

  all->expected = n + n_best;
  if (!search_each_token (all, n, TRUE, error))
    return FALSE;

  for (gsize token = 0; token < n; token++)
    order[token] = token;
  ww_sort_places (order, n, all->per_token);
  for (gsize i = 0; i < n_best; i++)
    if (!search_token (all, order[i], FALSE, error))
      return FALSE;

  return TRUE;
}

WwSearchResult *
ww_climb_search_tokens (gsize n, gsize affordable_tokens, WwClimbTokenSearch search, gpointer search_data,
                        const WwSearchSettings *settings, WwTokenFunc func, gpointer func_data, GError **error)
{
  AllTokens all = { .search = search, .search_data = search_data, .settings = settings, .func = func,
                    .func_data = func_data, .expected = n };
  gboolean done;

  all.per_token = g_new0 (double, n);
  all.in_full = g_new0 (gboolean, n);
  if (affordable_tokens >= n)
    done = search_each_token (&all, n, FALSE, error);
  else
    done = search_best_tokens (&all, n, affordable_tokens, error);

  if (!done)
    {
      ww_search_result_free (all.best);
      g_free (all.per_token);
      g_free (all.in_full);
      return NULL;
    }

  all.best->evaluations = all.evaluations;
  all.best->n_tokens = n;
  all.best->per_token = all.per_token;
  all.best->in_full = all.in_full;
  return all.best;
}

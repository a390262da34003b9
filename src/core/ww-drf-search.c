#include "ww-drf-private.h"

#include <math.h>

#include "ww-climb-search.h"
#include "ww-drf-climb.h"

#define PASSES 4 /* through all layers in a step of one start: back, forth, and a trial or two */

static const WwClimbRecipe recipes[WW_N_EFFORTS] = {
  [WW_EFFORT_QUICK] = { 4, { 4, 1e-3, 0, 0 }, 8, { 16, 1e-4, 5, 4 } },
  [WW_EFFORT_NORMAL] = { .starts = 24, .plan = { 60, 1e-5, 15, 8 }, .rounds = 2, .around = 8,
                         .lower = &recipes[WW_EFFORT_QUICK] },
  [WW_EFFORT_THOROUGH] = { .starts = 48, .plan = { 400, 1e-7, 30, 8 }, .rounds = 4, .around = 16,
                           .lower = &recipes[WW_EFFORT_NORMAL] },
};

/* For every token of a long context, before the full recipe on the best. */
static const WwClimbRecipe screening = { 4, { 4, 1e-3, 0, 0 }, 8, { 16, 1e-4, 5, 4 }, .rounds = 1, .around = 8 };

static WwSearchResult *
search_with (const WwDrf *drf, const WwSearchSettings *settings, const WwClimbRecipe *recipe,
             const WwCancel *cancel, GError **error)
{
  gsize d = drf->first->d, best;
  g_autofree double *deltas = g_new (double, WW_CLIMB_MOST_RECIPES * d);
  WwClimbFinds finds = { 0, deltas };
  double changes[WW_CLIMB_MOST_RECIPES];
  g_autoptr (WwSearchResult) result = NULL;
  g_autoptr (WwDrfClimb) climb = NULL;
  WwClimber climber;

  if (!ww_drf_check_norm (drf, error) || ww_cancel_check (cancel, error))
    return NULL;

  /* As wide for every recipe: one does the same alone and as the lower one of another. */
  climb = ww_drf_climb_new (drf, settings->radius * sqrt ((double) d), WW_CLIMB_MOST_STARTS, error);
  if (climb == NULL)
    return NULL;

  result = g_new0 (WwSearchResult, 1);
  result->map = WW_MAP_DRF;
  result->token = drf->first->token;
  result->upper_bound = NAN;
  result->predicted = NAN;
  result->d = d;

  climber = ww_drf_climb_get_climber (climb);
  if (!ww_climb_search (&climber, recipe, settings, cancel, &finds, NULL, &result->evaluations, error)
      || !ww_drf_evaluate_many (drf, finds.count, deltas, cancel, changes, error))
    return NULL;

  best = ww_climb_choose (changes, finds.count);
  result->ws = changes[best];
  result->delta = g_memdup2 (deltas + best * d, d * sizeof (double));
  result->delta_norm = ww_vector_norm (result->delta, d);
  return g_steal_pointer (&result);
}

WwSearchResult *
ww_drf_search (const WwDrf *drf, const WwSearchSettings *settings, const WwCancel *cancel,
               GError **error)
{
  g_return_val_if_fail (drf != NULL && settings != NULL, NULL);
  g_return_val_if_fail ((guint) settings->effort < WW_N_EFFORTS, NULL);

  if (!ww_search_check_radius (settings->radius, error))
    return NULL;

  return search_with (drf, settings, &recipes[settings->effort], cancel, error);
}

/* What an all-token search knows. */
typedef struct
{
  const WwDrf *drf;
  const WwMatrix *x;
  const WwSearchSettings *settings;
  const WwCancel *cancel;
} AllTokens;

static WwSearchResult *
search_token (gsize token, gboolean screen, gpointer user_data, GError **error)
{
  const AllTokens *all = user_data;
  g_autoptr (WwDrf) drf = ww_drf_new_sibling (all->drf, all->x, token, all->cancel, error);

  if (drf == NULL)
    return NULL;

  return search_with (drf, all->settings, screen ? &screening : &recipes[all->settings->effort],
                      all->cancel, error);
}

WwSearchResult *
ww_drf_search_all (const WwDrf *drf, const WwMatrix *x, const WwSearchSettings *settings,
                   const WwCancel *cancel, WwTokenFunc func, gpointer user_data, GError **error)
{
  AllTokens all = { .drf = drf, .x = x, .settings = settings, .cancel = cancel };
  gsize count;

  g_return_val_if_fail (drf != NULL && x != NULL && settings != NULL && !drf->drawn, NULL);
  g_return_val_if_fail ((guint) settings->effort < WW_N_EFFORTS, NULL);

  if (!ww_search_check_radius (settings->radius, error))
    return NULL;

  count = ww_climb_count_affordable (&recipes[settings->effort], settings->effort,
                                     ww_drf_count_weights (drf) * PASSES);
  return ww_climb_search_tokens (x->rows, count, search_token, &all, settings, func, user_data, error);
}

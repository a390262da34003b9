#include "ww-rf-private.h"

#include <math.h>
#include <stdlib.h>

#include "ww-private.h"
#include "ww-rf-climb.h"
#include "ww-theory.h"

#define IMAGE_ENTRIES 33554432 /* of one array of images: 128 MB; very many features narrow the batch */
#define CIRCLE_COST 100        /* multiplications for each feature in a step, besides the two products */

/* The singular value is also what the prediction rests on: the best start alone goes on towards it. */
static const WwClimbRecipe recipes[WW_N_EFFORTS] = {
  [WW_EFFORT_QUICK] = { 4, { 16, 1e-4, 4, 1 }, 8, { 10, 1e-4, 5, 4 } },
  [WW_EFFORT_NORMAL] = { 8, { 30, 1e-5, 12, 1 }, 24, { 60, 1e-5, 15, 8 }, .anew = TRUE,
                         .lower = &recipes[WW_EFFORT_QUICK] },
  [WW_EFFORT_THOROUGH] = { 8, { 60, 1e-6, 0, 0 }, 64, { 400, 1e-7, 20, 16 }, .anew = TRUE,
                           .lower = &recipes[WW_EFFORT_NORMAL] },
};

/* For every token of a long context, before the full recipe on the best. Tokens differ by little more than a
 * hundredth, so it goes all the way up from both ends of the singular vector, and saves the other starts:
 * with many features these seldom end higher. */
static const WwClimbRecipe screening = { 2, { 30, 1e-5, 10, 1 }, 2, { 30, 1e-5, 0, 0 } };

/* The nudges that a recipe finds, and the largest norm of V_i delta on the active rows that any delta of that
 * length was found to have. */
static gboolean
run_recipe (const WwRf *rf, const WwSearchSettings *settings, const WwClimbRecipe *recipe,
            const WwCancel *cancel, WwClimbFinds *finds, double *ret_linear, guint64 *evaluations,
            GError **error)
{
  double length = settings->radius * sqrt ((double) rf->d);
  g_autoptr (WwRfClimb) climb = NULL;
  WwClimber climber;

  /* As wide for every recipe: one does the same alone and as the lower one of another. */
  climb = ww_rf_climb_new (rf, length, CLAMP (IMAGE_ENTRIES / rf->k, 8, WW_CLIMB_MOST_STARTS), error);
  if (climb == NULL)
    return FALSE;

  climber = ww_rf_climb_get_climber (climb);
  if (!ww_climb_search (&climber, recipe, settings, cancel, finds, ret_linear, evaluations, error))
    return FALSE;

  *ret_linear = sqrt (*ret_linear) * rf->unit * length;
  return TRUE;
}

static WwSearchResult *
search_with (const WwRf *rf, const WwSearchSettings *settings, const WwClimbRecipe *recipe,
             const WwCancel *cancel, GError **error)
{
  g_autofree double *deltas = g_new (double, WW_CLIMB_MOST_RECIPES * rf->d);
  WwClimbFinds finds = { 0, deltas };
  g_autoptr (WwSearchResult) result = NULL;
  double changes[WW_CLIMB_MOST_RECIPES], linear;
  gsize best;

  if (!ww_rf_check_norm (rf, error) || ww_cancel_check (cancel, error))
    return NULL;

  result = g_new0 (WwSearchResult, 1);
  result->map = WW_MAP_RF;
  result->token = rf->token;
  result->upper_bound = NAN;
  result->d = rf->d;

  if (!run_recipe (rf, settings, recipe, cancel, &finds, &linear, &result->evaluations, error)
      || !ww_rf_evaluate_many (rf, finds.count, deltas, cancel, changes, error))
    return NULL;

  best = ww_climb_choose (changes, finds.count);
  result->ws = changes[best];
  result->delta = g_memdup2 (deltas + best * rf->d, rf->d * sizeof (double));
  result->delta_norm = ww_vector_norm (result->delta, rf->d);
  result->predicted = ww_theory_rf_weights (rf, settings->radius, linear);
  return g_steal_pointer (&result);
}

WwSearchResult *
ww_rf_search (const WwRf *rf, const WwSearchSettings *settings, const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (rf != NULL && settings != NULL, NULL);
  g_return_val_if_fail ((guint) settings->effort < WW_N_EFFORTS, NULL);

  if (!ww_search_check_radius (settings->radius, error))
    return NULL;

  return search_with (rf, settings, &recipes[settings->effort], cancel, error);
}

/* What an all-token search knows. */
typedef struct
{
  const WwMatrix *x;
  const WwMatrix *v;
  gsize k;
  guint64 seed;
  guint32 trial;
  double *u;
  const WwSearchSettings *settings;
  const WwCancel *cancel;
} AllTokens;

static WwSearchResult *
search_token (gsize token, gboolean screen, gpointer user_data, GError **error)
{
  const AllTokens *all = user_data;
  g_autoptr (WwRf) rf = NULL;

  rf = ww_rf_build (WW_RF_WHOLE, all->x, token, all->k, all->v, all->seed, all->trial, all->u,
                    all->cancel, error);
  if (rf == NULL)
    return NULL;

  return search_with (rf, all->settings, screen ? &screening : &recipes[all->settings->effort],
                      all->cancel, error);
}

WwSearchResult *
ww_rf_search_all (const WwMatrix *x, gsize k, const WwMatrix *v, guint64 weights_seed,
                  guint32 weights_trial, const WwSearchSettings *settings, const WwCancel *cancel,
                  WwTokenFunc func, gpointer user_data, GError **error)
{
  AllTokens all = { .x = x, .v = v, .seed = weights_seed, .trial = weights_trial, .settings = settings,
                    .cancel = cancel };
  WwSearchResult *result = NULL;
  gsize count;

  g_return_val_if_fail (x != NULL && settings != NULL, NULL);
  g_return_val_if_fail ((guint) settings->effort < WW_N_EFFORTS, NULL);

  all.k = v != NULL ? v->rows : k;
  if (!ww_search_check_radius (settings->radius, error) || !ww_rf_check (x, all.k, v, error))
    return NULL;

  all.u = ww_try_alloc (all.k, 1, sizeof (double), error);
  if (all.u == NULL)
    return NULL;

  /* A step takes a product with V_i and one with its transpose, and looks at some points of a circle. */
  count = ww_climb_count_affordable (&recipes[settings->effort], settings->effort,
                                     (double) all.k * (2.0 * x->cols + CIRCLE_COST));
  if (ww_rf_apply (x, all.k, v, weights_seed, weights_trial, cancel, all.u, error))
    result = ww_climb_search_tokens (x->rows, count, search_token, &all, settings, func, user_data,
                                     error);
  free (all.u);
  return result;
}

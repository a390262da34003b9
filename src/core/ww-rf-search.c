#include "ww-rf-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"
#include "ww-random.h"
#include "ww-rf-climb.h"

#define WIDEST_BATCH 32        /* more starts side by side gain no speed */
#define IMAGE_ENTRIES 33554432 /* of one array of images: 128 MB; very many features narrow the batch */
#define STARTS_PER_TOKEN 1024  /* stream positions set aside for the random starts of one token */

/* How much is spent. RF is benign: local maxima lie within a few per cent of each other and the top
 * singular vector is close to one, so starts are few and steps many. */
typedef struct
{
  gsize linear_starts;        /* towards the singular vector */
  WwRfClimbPlan linear;
  gsize starts;               /* the first four: +- singular vector, +- x_i */
  WwRfClimbPlan plan;
} Recipe;

static const Recipe recipes[WW_N_EFFORTS] = {
  [WW_EFFORT_QUICK] = { 4, { 4, 1e-3, 0, 0 }, 8, { 10, 1e-4, 5, 4 } },
  [WW_EFFORT_NORMAL] = { 8, { 16, 1e-4, 0, 0 }, 24, { 60, 1e-5, 15, 8 } },
  [WW_EFFORT_THOROUGH] = { 8, { 60, 1e-6, 0, 0 }, 64, { 400, 1e-7, 0, 0 } },
};

/* For every token of an all-token search, before the full recipe on the best. */
static const Recipe screening = { 4, { 3, 1e-3, 0, 0 }, 4, { 6, 1e-3, 0, 0 } };

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
set_random_start (float *start, const WwRf *rf, const WwSearchSettings *settings, gsize index)
{
  guint64 place = (guint64) rf->token * STARTS_PER_TOKEN + index;

  ww_random_normal_f (settings->seed, WW_PURPOSE_STARTS, settings->trial, place * rf->d, rf->d, 1,
                      start);

  /* With one dimension the exact zero of the sine is possible. */
  if (rf->d == 1 && start[0] == 0)
    start[0] = 1;
}

/* The top right singular vector of the active rows of V_i, roughly: `ret_vector`, norm 1. */
static gboolean
find_singular_vector (const WwRf *rf, WwRfClimb *climb, const WwSearchSettings *settings,
                      const Recipe *recipe, const WwCancel *cancel, double *ret_vector,
                      guint64 *evaluations, GError **error)
{
  double value;

  for (gsize s = 0; s < recipe->linear_starts; s++)
    if (s > 0 || !set_start (ww_rf_climb_get_start (climb, s), rf->x, rf->d, 1))
      set_random_start (ww_rf_climb_get_start (climb, s), rf, settings, recipe->starts + s);

  ww_rf_climb_set_linear (climb, TRUE);
  if (!ww_rf_climb_run (climb, recipe->linear_starts, &recipe->linear, cancel, ret_vector, &value,
                        evaluations, error))
    return FALSE;

  ww_rf_climb_set_linear (climb, FALSE);
  return TRUE;
}

static void
set_recipe_start (const WwRf *rf, WwRfClimb *climb, gsize place, const WwSearchSettings *settings,
                  gsize index, const double *singular)
{
  float *start = ww_rf_climb_get_start (climb, place);
  const double *vector = index < 2 ? singular : rf->x;

  if (index >= 4 || !set_start (start, vector, rf->d, index % 2 == 0 ? 1 : -1))
    set_random_start (start, rf, settings, index);
}

/* Runs a recipe: ret_delta (d entries) is the best nudge found, of length `length`. */
static gboolean
run_recipe (const WwRf *rf, const WwSearchSettings *settings, const Recipe *recipe,
            const WwCancel *cancel, double *ret_delta, guint64 *evaluations, GError **error)
{
  double length = settings->radius * sqrt ((double) rf->d);
  gsize widest = MAX (recipe->starts, recipe->linear_starts);
  gsize width = MIN (widest, CLAMP (IMAGE_ENTRIES / rf->k, 8, WIDEST_BATCH));
  g_autoptr (WwRfClimb) climb = ww_rf_climb_new (rf, length, width, error);
  g_autofree double *singular = g_new0 (double, rf->d);
  g_autofree double *found = g_new (double, rf->d);
  double best_value = -1;

  if (climb == NULL
      || !find_singular_vector (rf, climb, settings, recipe, cancel, singular, evaluations, error))
    return FALSE;

  for (gsize first = 0; first < recipe->starts; first += width)
    {
      gsize count = MIN (width, recipe->starts - first);
      double value;

      for (gsize s = 0; s < count; s++)
        set_recipe_start (rf, climb, s, settings, first + s, singular);
      if (!ww_rf_climb_run (climb, count, &recipe->plan, cancel, found, &value, evaluations, error))
        return FALSE;

      if (value > best_value)
        {
          best_value = value;
          memcpy (ret_delta, found, rf->d * sizeof (double));
        }
    }

  /* Each term of the objective grows along a ray, so the best nudge lies on the sphere. */
  length /= ww_vector_norm (ret_delta, rf->d);
  for (gsize i = 0; i < rf->d; i++)
    ret_delta[i] *= length;

  return TRUE;
}

static WwSearchResult *
search_with (const WwRf *rf, const WwSearchSettings *settings, const Recipe *recipe,
             const WwCancel *cancel, GError **error)
{
  g_autoptr (WwSearchResult) result = NULL;

  if (!ww_rf_check_norm (rf, error) || ww_cancel_check (cancel, error))
    return NULL;

  result = g_new0 (WwSearchResult, 1);
  result->map = WW_MAP_RF;
  result->token = rf->token;
  result->upper_bound = NAN;
  result->d = rf->d;
  result->delta = g_new0 (double, rf->d);

  if (!run_recipe (rf, settings, recipe, cancel, result->delta, &result->evaluations, error)
      || !ww_rf_evaluate_cancellable (rf, result->delta, cancel, &result->ws, error))
    return NULL;

  result->delta_norm = ww_vector_norm (result->delta, rf->d);
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
  WwTokenFunc func;
  gpointer user_data;
  WwSearchResult *best; /* owned */
  double *per_token;    /* n values, owned */
  guint64 evaluations;
} AllTokens;

/* One token by one recipe: per_token and best are updated, the listener hears. */
static gboolean
search_token (AllTokens *all, gsize token, const Recipe *recipe, GError **error)
{
  g_autoptr (WwRf) rf = NULL;
  g_autoptr (WwSearchResult) result = NULL;

  rf = ww_rf_build (WW_RF_WHOLE, all->x, token, all->k, all->v, all->seed, all->trial, all->u,
                    all->cancel, error);
  if (rf == NULL)
    return FALSE;

  result = search_with (rf, all->settings, recipe, all->cancel, error);
  if (result == NULL)
    return FALSE;

  all->evaluations += result->evaluations;
  all->per_token[token] = MAX (all->per_token[token], result->ws);
  if (all->best == NULL || result->ws > all->best->ws)
    {
      ww_search_result_free (all->best);
      all->best = g_steal_pointer (&result);
    }

  if (all->func != NULL)
    all->func (token, all->per_token[token], all->user_data);
  return TRUE;
}

static int
compare_descending (gconstpointer first, gconstpointer second, gpointer user_data)
{
  const double *values = user_data;
  gsize a = *(const gsize *) first, b = *(const gsize *) second;

  if (values[a] != values[b])
    return values[a] > values[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static gboolean
search_tokens (AllTokens *all, GError **error)
{
  gsize n = all->x->rows;
  gsize n_best = MIN (n, MAX (3, (n + 9) / 10));
  g_autofree gsize *order = g_new (gsize, n);

  for (gsize token = 0; token < n; token++)
    {
      order[token] = token;
      if (!search_token (all, token, &screening, error))
        return FALSE;
    }

  g_qsort_with_data (order, (int) n, sizeof (gsize), compare_descending, all->per_token);
  for (gsize i = 0; i < n_best; i++)
    if (!search_token (all, order[i], &recipes[all->settings->effort], error))
      return FALSE;

  return TRUE;
}

WwSearchResult *
ww_rf_search_all (const WwMatrix *x, gsize k, const WwMatrix *v, guint64 weights_seed,
                  guint32 weights_trial, const WwSearchSettings *settings, const WwCancel *cancel,
                  WwTokenFunc func, gpointer user_data, GError **error)
{
  AllTokens all = { .x = x, .v = v, .seed = weights_seed,
                    .trial = weights_trial, .settings = settings, .cancel = cancel, .func = func,
                    .user_data = user_data };
  gboolean done;

  g_return_val_if_fail (x != NULL && settings != NULL, NULL);
  g_return_val_if_fail ((guint) settings->effort < WW_N_EFFORTS, NULL);

  all.k = v != NULL ? v->rows : k;
  if (!ww_search_check_radius (settings->radius, error) || !ww_rf_check (x, all.k, v, error))
    return NULL;

  all.u = ww_try_alloc (all.k, 1, sizeof (double), error);
  if (all.u == NULL)
    return NULL;

  all.per_token = g_new0 (double, x->rows);
  done = ww_rf_apply (x, all.k, v, weights_seed, weights_trial, cancel, all.u, error)
         && search_tokens (&all, error);
  free (all.u);

  if (!done)
    {
      ww_search_result_free (all.best);
      g_free (all.per_token);
      return NULL;
    }

  all.best->evaluations = all.evaluations;
  all.best->n_tokens = x->rows;
  all.best->per_token = all.per_token;
  return all.best;
}

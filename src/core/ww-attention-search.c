#include "ww-attention-recipes.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-sort.h"

/* When all tokens are searched: a tenth of them, and at least MIN_REFINED, get the full recipe. */
#define REFINED_SHARE 10
#define MIN_REFINED 3

/* Single precision may see that much more of a squared change than there is. */
#define TARGET_MARGIN 1e-5

/* In the end multiples of the best nudge between -1 and 1 are tried, on a grid that is refined
 * around the best SCALE_PASSES times: the climbs stay on the sphere, and where a ReLU switches off or
 * the space has one dimension the largest change may lie inside. */
#define N_SCALES 15
#define SCALE_PASSES 5

static void
run_clear (WwAttentionRun *run)
{
  ww_polish_free (run->polish);
  ww_ascent_free (run->ascent);
  ww_attention_problem_free (run->problem);
  g_free (run->starts);
  ww_attention_definition_free (run->definition);
  g_free (run->room);
  g_free (run->combination);
  g_free (run->direction);
  g_free (run->multiples);
  g_free (run->warm);
  g_free (run->best);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwAttentionRun, run_clear)

static gboolean
check_settings (const WwAttention *attention, const WwSearchSettings *settings, GError **error)
{
  if (settings->token != WW_TOKEN_ALL && settings->token >= attention->x->rows)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                   "Token %" G_GSIZE_FORMAT " does not exist: the context has %" G_GSIZE_FORMAT
                   " tokens, counted from 0",
                   settings->token, attention->x->rows);
      return FALSE;
    }
  if (!ww_search_check_radius (settings->radius, error))
    return FALSE;
  if (attention->norm == 0)
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM,
                           "All features are zero, so there is no relative change");
      return FALSE;
    }
  return TRUE;
}

static WwAttentionPlan
choose_plan (WwEffort effort)
{
  switch (effort)
    {
    case WW_EFFORT_QUICK:
      return WW_PLAN_QUICK;
    case WW_EFFORT_NORMAL:
      return WW_PLAN_NORMAL;
    case WW_EFFORT_THOROUGH:
    default:
      return WW_PLAN_THOROUGH;
    }
}

/* |X W / sqrt (d)| |X| / (n sqrt (d)), norms of matrices: the size of a score of two rows of typical
 * norms at a random angle; 1 for Gaussian W and rows of norm sqrt (d). */
static double
measure_scores (const WwAttention *attention)
{
  double n = attention->x->rows, d = attention->x->cols;
  double scale = ww_matrix_norm (attention->xw) * ww_matrix_norm (attention->x) / (n * sqrt (d));

  return scale > 0 && isfinite (scale) ? scale : 1;
}

/* The squared change that reaches the target, if there is one. */
static double
measure_target (const WwAttention *attention, const WwSearchSettings *settings)
{
  double change = settings->target * attention->norm;

  return settings->target > 0 && settings->token != WW_TOKEN_ALL ? change * change * (1 + TARGET_MARGIN)
                                                                 : INFINITY;
}

static gboolean
allocate_scratch (WwAttentionRun *run, GError **error)
{
  gsize n = run->attention->x->rows, d = run->attention->x->cols;
  gsize batch = ww_attention_problem_get_batch (run->problem);

  if ((run->starts = g_try_malloc0_n (run->n_starts, sizeof (gsize))) != NULL
      && (run->room = g_try_malloc0_n (ww_attention_get_nudge_room (run->attention), sizeof (double))) != NULL
      && (run->combination = g_try_malloc0_n (n + d, sizeof (double))) != NULL
      && (run->direction = g_try_malloc0_n (d, sizeof (float))) != NULL
      && (run->multiples = g_try_malloc0_n (batch * d, sizeof (float))) != NULL
      && (run->warm = g_try_malloc0_n (d, sizeof (double))) != NULL
      && (run->best = g_try_malloc0_n (d, sizeof (double))) != NULL)
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                       "Not enough memory for a search");
  return FALSE;
}

static gboolean
run_init (WwAttentionRun *run, const WwAttention *attention, const WwSearchSettings *settings,
          const WwCancel *cancel, GError **error)
{
  gsize n = attention->x->rows;
  gboolean softmax = attention->map == WW_MAP_SOFTMAX_RAF;

  run->attention = attention;
  run->settings = settings;
  run->cancel = cancel;
  run->plan = choose_plan (settings->effort);
  run->length = settings->radius * sqrt (attention->x->cols);
  run->target = measure_target (attention, settings);
  run->score_scale = measure_scores (attention);
  run->n_starts = softmax ? ww_softmax_recipe_get_n_starts (run->plan, n, attention->x->cols)
                          : ww_relu_recipe_get_n_starts (run->plan, n);

  gsize batch = ww_attention_problem_choose_batch (attention, run->n_starts);
  run->problem = ww_attention_problem_new (attention, batch, error);
  if (run->problem == NULL)
    return FALSE;
  run->ascent = ww_ascent_new (run->problem, run->n_starts, run->length, error);
  if (run->ascent == NULL)
    return FALSE;
  if (!softmax)
    {
      run->polish = ww_polish_new (attention, run->problem, ww_relu_recipe_is_exact (run->plan),
                                   ww_relu_recipe_get_n_polished (run->plan), run->length, error);
      if (run->polish == NULL)
        return FALSE;
    }
  run->definition = ww_attention_definition_new (attention, error);
  return run->definition != NULL && allocate_scratch (run, error);
}

static guint64
count_evaluations (const WwAttentionRun *run)
{
  return ww_ascent_get_evaluations (run->ascent)
         + (run->polish != NULL ? ww_polish_get_evaluations (run->polish) : 0);
}

/* Squared changes of `count` multiples of run->best, in single precision. */
static gboolean
evaluate_scales (WwAttentionRun *run, const double *scales, gsize count, double *ret_values,
                 GError **error)
{
  const WwAttentionObjective objective = { .beta = 1 };
  gsize d = run->attention->x->cols, batch = ww_attention_problem_get_batch (run->problem);

  for (gsize first = 0; first < count; first += batch)
    {
      gsize size = MIN (batch, count - first);

      if (ww_cancel_check (run->cancel, error))
        return FALSE;
      for (gsize c = 0; c < size; c++)
        for (gsize k = 0; k < d; k++)
          run->multiples[c * d + k] = scales[first + c] * run->best[k];
      ww_attention_problem_evaluate (run->problem, &objective, size, run->multiples,
                                     ret_values + first, NULL);
    }
  return TRUE;
}

/* The multiple of run->best that changes most. The whole nudge wins ties, and where it wins the
 * first grid, there is nothing to refine. */
static gboolean
choose_scale (WwAttentionRun *run, double *ret_scale, guint64 *evaluations, GError **error)
{
  double scales[N_SCALES + 1], values[N_SCALES + 1], width = 1, best = 1, best_value = -INFINITY;

  for (gsize p = 0; p < SCALE_PASSES && (p == 0 || best != 1); p++)
    {
      double centre = p == 0 ? 0 : best;

      for (gsize s = 0; s <= N_SCALES; s++)
        scales[s] = CLAMP (centre + width * (1 - 2.0 * s / N_SCALES), -1, 1);
      if (!evaluate_scales (run, scales, N_SCALES + 1, values, error))
        return FALSE;
      *evaluations += N_SCALES + 1;
      for (gsize s = 0; s <= N_SCALES; s++)
        if (values[s] > best_value * (1 + 1e-6) || best_value < 0)
          {
            best = scales[s];
            best_value = values[s];
          }
      width *= 2.0 / N_SCALES;
    }
  *ret_scale = best;
  return TRUE;
}

/* Scales a nudge down so that rounding cannot carry it over the radius. */
static void
keep_within (const WwAttentionRun *run, double *delta)
{
  gsize d = run->attention->x->cols;
  double norm = cblas_dnrm2 (d, delta, 1);

  if (norm > run->length)
    cblas_dscal (d, run->length / norm, delta, 1);
}

/* The recipe at one token; run->best is then the nudge and *ret_ws its change by the definition
 * (`exact`), or by the incremental formulas in double precision. */
static gboolean
search_token (WwAttentionRun *run, gsize token, WwAttentionPlan plan, gboolean exact,
              guint64 *evaluations, double *ret_ws, GError **error)
{
  gsize d = run->attention->x->cols;
  double scale = 1;

  if (!ww_attention_problem_set_token (run->problem, token, run->cancel, error))
    return FALSE;
  if (!(run->attention->map == WW_MAP_SOFTMAX_RAF
            ? ww_softmax_recipe_run (run, token, plan, error)
            : ww_relu_recipe_run (run, token, plan, error)))
    return FALSE;
  if (run->has_reached && run->func != NULL)
    run->func (token, run->settings->target, run->func_data);
  if (exact && !run->has_reached
      && (!ww_attention_problem_prepare_own (run->problem, run->cancel, error)
          || !choose_scale (run, &scale, evaluations, error)))
    return FALSE;
  cblas_dscal (d, scale, run->best, 1);
  keep_within (run, run->best);
  (*evaluations)++;
  return exact ? ww_attention_definition_evaluate (run->definition, token, run->best, run->cancel,
                                                   ret_ws, error)
               : ww_attention_measure_nudge (run->attention, token, run->best, run->room, run->cancel,
                                             NULL, NULL, ret_ws, error);
}

static WwSearchResult *
result_new (const WwAttentionRun *run, gsize n_tokens, GError **error)
{
  g_autoptr (WwSearchResult) result = g_new0 (WwSearchResult, 1);

  result->map = run->attention->map;
  result->upper_bound = NAN;
  result->ws = -INFINITY;
  result->d = run->attention->x->cols;
  result->delta = g_try_malloc0_n (result->d, sizeof (double));
  result->n_tokens = n_tokens;
  result->per_token = n_tokens > 0 ? g_try_malloc0_n (n_tokens, sizeof (double)) : NULL;
  if (result->delta == NULL || (n_tokens > 0 && result->per_token == NULL))
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                           "Not enough memory for the result of a search");
      return NULL;
    }
  return g_steal_pointer (&result);
}

/* Takes run->best at `token` if it beats what the result holds. */
static void
result_offer (WwSearchResult *result, const WwAttentionRun *run, gsize token, double ws)
{
  if (ws <= result->ws)
    return;

  result->token = token;
  result->ws = ws;
  memcpy (result->delta, run->best, result->d * sizeof (double));
  result->delta_norm = cblas_dnrm2 (result->d, result->delta, 1);
}

static int
compare_tokens (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const double *per_token = user_data;
  gsize i = *(const gsize *) a, k = *(const gsize *) b;

  if (per_token[i] != per_token[k])
    return per_token[i] > per_token[k] ? -1 : 1;
  return i < k ? -1 : i > k;
}

/* Every token with few starts, each warmed by what was found at the one before: the directions that
 * row i can raise and the scores it must lower are nearly the same for all i. */
static gboolean
screen_tokens (WwAttentionRun *run, WwSearchResult *result, guint64 *evaluations, GError **error)
{
  gsize d = result->d;

  for (gsize token = 0; token < result->n_tokens; token++)
    {
      double ws;

      if (!search_token (run, token, WW_PLAN_SCREEN, FALSE, evaluations, &ws, error))
        return FALSE;
      result->per_token[token] = ws;
      result_offer (result, run, token, ws);
      for (gsize k = 0; k < d; k++)
        run->warm[k] = run->attention->x->data[token * d + k] + run->best[k];
      run->has_warm = TRUE;
      if (run->func != NULL)
        run->func (token, ws, run->func_data);
    }
  run->has_warm = FALSE;
  return TRUE;
}

/* The full recipe on the first `count` of `order`. */
static gboolean
refine_tokens (WwAttentionRun *run, WwSearchResult *result, const gsize *order, gsize count,
               guint64 *evaluations, GError **error)
{
  for (gsize o = 0; o < count; o++)
    {
      gsize token = order[o];
      double ws;

      if (!search_token (run, token, run->plan, TRUE, evaluations, &ws, error))
        return FALSE;
      result->per_token[token] = MAX (result->per_token[token], ws);
      result_offer (result, run, token, ws);
      if (run->func != NULL)
        run->func (token, result->per_token[token], run->func_data);
    }
  return TRUE;
}

static WwSearchResult *
search_all (WwAttentionRun *run, GError **error)
{
  gsize n = run->attention->x->rows;
  g_autoptr (WwSearchResult) result = result_new (run, n, error);
  g_autofree gsize *order = g_try_malloc_n (n, sizeof (gsize));
  guint64 evaluations = 0;

  if (result == NULL)
    return NULL;
  if (order == NULL)
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                           "Not enough memory for a search");
      return NULL;
    }

  if (!screen_tokens (run, result, &evaluations, error))
    return NULL;
  for (gsize token = 0; token < n; token++)
    order[token] = token;
  ww_sort (order, n, compare_tokens, result->per_token);
  if (!refine_tokens (run, result, order, MIN (n, MAX (n / REFINED_SHARE, MIN_REFINED)),
                      &evaluations, error))
    return NULL;

  /* What won may have been screened only. */
  if (!ww_attention_definition_evaluate (run->definition, result->token, result->delta, run->cancel,
                                         &result->ws, error))
    return NULL;
  result->per_token[result->token] = result->ws;
  result->evaluations = count_evaluations (run) + evaluations + 1;
  return g_steal_pointer (&result);
}

static WwSearchResult *
search_one (WwAttentionRun *run, gsize token, GError **error)
{
  g_autoptr (WwSearchResult) result = result_new (run, 0, error);
  guint64 evaluations = 0;
  double ws;

  if (result == NULL || !search_token (run, token, run->plan, TRUE, &evaluations, &ws, error))
    return NULL;
  result_offer (result, run, token, ws);
  result->evaluations = count_evaluations (run) + evaluations;
  return g_steal_pointer (&result);
}

WwSearchResult *
ww_attention_search (const WwAttention *attention, const WwSearchSettings *settings,
                     const WwCancel *cancel, WwTokenFunc func, gpointer user_data, GError **error)
{
  g_return_val_if_fail (attention != NULL && settings != NULL, NULL);

  g_auto (WwAttentionRun) run = { .func = func, .func_data = user_data };

  if (!check_settings (attention, settings, error)
      || !run_init (&run, attention, settings, cancel, error))
    return NULL;
  return settings->token == WW_TOKEN_ALL ? search_all (&run, error)
                                         : search_one (&run, settings->token, error);
}

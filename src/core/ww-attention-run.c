#include "ww-attention-run.h"

#include <cblas.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-attention-scan.h"

/* Single precision may see that much more of a squared change than there is. */
#define TARGET_MARGIN 1e-5

/* Nudges that a full search evaluates per start, roughly. */
#define NUDGES_PER_START 50.0

/* In the end multiples of the best nudge between -1 and 1 are tried, on a grid that is refined
 * around the best SCALE_PASSES times: the climbs stay on the sphere, and where a ReLU switches off or
 * the space has one dimension the largest change may lie inside. */
#define N_SCALES 15
#define SCALE_PASSES 5

void
ww_attention_run_clear (WwAttentionRun *run)
{
  ww_polish_free (run->polish);
  ww_attention_problem_double_free (run->exact);
  ww_ascent_free (run->ascent);
  ww_attention_problem_free (run->problem);
  g_free (run->starts);
  ww_attention_definition_free (run->definition);
  g_free (run->room);
  g_free (run->combination);
  g_free (run->direction);
  g_free (run->multiples);
  g_free (run->pool);
  g_free (run->scan_room);
  g_free (run->carried);
  g_free (run->best);
  g_free (run->found);
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
  gboolean small = ww_attention_scan_get_count (run->plan, n, d) > 0;

  if ((run->starts = g_try_malloc0_n (run->n_starts, sizeof (gsize))) != NULL
      && (run->room = g_try_malloc0_n (ww_attention_get_nudge_room (run->attention), sizeof (double))) != NULL
      && (run->combination = g_try_malloc0_n (n + d, sizeof (double))) != NULL
      && (run->direction = g_try_malloc0_n (d, sizeof (float))) != NULL
      && (run->multiples = g_try_malloc0_n (batch * d, sizeof (float))) != NULL
      && (run->pool = g_try_malloc0_n (WW_MOST_POOLED * d, sizeof (double))) != NULL
      && (run->carried = g_try_malloc0_n (WW_MOST_CARRIED * d, sizeof (float))) != NULL
      && (run->best = g_try_malloc0_n (d, sizeof (double))) != NULL
      && (run->found = g_try_malloc0_n (d, sizeof (double))) != NULL
      && (!small || (run->scan_room = g_try_malloc0_n (ww_attention_scan_get_room (d), sizeof (double))) != NULL))
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                       _("Not enough memory for a search"));
  return FALSE;
}

/* What climbs in double precision, where the plan or the size of the problem asks for it. */
static gboolean
make_polish (WwAttentionRun *run, GError **error)
{
  gsize n = run->attention->x->rows, d = run->attention->x->cols;
  gboolean relu = run->attention->map == WW_MAP_RELU_RAF;
  gboolean small = ww_attention_scan_get_count (run->plan, n, d) > 0;
  gsize capacity = relu ? ww_relu_recipe_get_n_polished (run->plan) : 1;

  if (!relu && !small)
    return TRUE;
  if (small)
    capacity = MAX (capacity, ww_attention_scan_get_n_climbs (run->plan));
  if (small || ww_relu_recipe_is_exact (run->plan))
    {
      gsize batch = ww_attention_problem_choose_batch (run->attention, small ? WW_ATTENTION_LARGEST_BATCH : capacity);

      run->exact = ww_attention_problem_double_new (run->attention, batch, error);
      if (run->exact == NULL)
        return FALSE;
    }
  run->polish = ww_polish_new (run->problem, run->exact, capacity, run->length, error);
  return run->polish != NULL;
}

gboolean
ww_attention_run_init (WwAttentionRun *run, const WwAttention *attention, const WwSearchSettings *settings,
                       const WwCancel *cancel, GError **error)
{
  gsize n = attention->x->rows;

  run->attention = attention;
  run->settings = settings;
  run->cancel = cancel;
  run->plan = choose_plan (settings->effort);
  run->length = settings->radius * sqrt (attention->x->cols);
  run->target = measure_target (attention, settings);
  run->score_scale = measure_scores (attention);
  for (WwAttentionPlan plan = WW_PLAN_SCREEN; plan <= run->plan; plan++)
    run->n_starts = MAX (run->n_starts, attention->map == WW_MAP_SOFTMAX_RAF
                                          ? ww_softmax_recipe_get_n_starts (plan, n, attention->x->cols)
                                          : ww_relu_recipe_get_n_starts (plan, n));

  gsize batch = ww_attention_problem_choose_batch (attention, run->n_starts);
  run->problem = ww_attention_problem_new (attention, batch, error);
  if (run->problem == NULL)
    return FALSE;
  run->ascent = ww_ascent_new (run->problem, run->n_starts, run->length, error);
  if (run->ascent == NULL || !make_polish (run, error))
    return FALSE;
  run->definition = ww_attention_definition_new (attention, error);
  return run->definition != NULL && allocate_scratch (run, error);
}

guint64
ww_attention_run_count (const WwAttentionRun *run)
{
  return ww_ascent_get_evaluations (run->ascent) + run->n_evaluated
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
choose_scale (WwAttentionRun *run, double *ret_scale, GError **error)
{
  double scales[N_SCALES + 1], values[N_SCALES + 1], width = 1, best = 1, best_value = -INFINITY;

  for (gsize p = 0; p < SCALE_PASSES && (p == 0 || best != 1); p++)
    {
      double centre = p == 0 ? 0 : best;

      for (gsize s = 0; s <= N_SCALES; s++)
        scales[s] = CLAMP (centre + width * (1 - 2.0 * s / N_SCALES), -1, 1);
      if (!evaluate_scales (run, scales, N_SCALES + 1, values, error))
        return FALSE;
      run->n_evaluated += N_SCALES + 1;
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

double
ww_attention_run_estimate (const WwAttentionRun *run, WwAttentionPlan plan)
{
  gsize n = run->attention->x->rows, d = run->attention->x->cols;
  gboolean softmax = run->attention->map == WW_MAP_SOFTMAX_RAF;
  double nudges = 0;

  for (WwAttentionPlan p = WW_PLAN_QUICK; p <= plan; p++)
    nudges += NUDGES_PER_START
                * (softmax ? ww_softmax_recipe_get_n_starts (p, n, d) : ww_relu_recipe_get_n_starts (p, n))
              + 3 * ww_attention_scan_get_count (p, n, d);
  return nudges;
}

void
ww_attention_run_begin_part (WwAttentionRun *run, double from, double span, double expected)
{
  run->from = from;
  run->span = span;
  run->expected = expected;
  run->counted = ww_attention_run_count (run);
}

void
ww_attention_run_report (const WwAttentionRun *run)
{
  const WwSearchSettings *settings = run->settings;
  double share = (ww_attention_run_count (run) - run->counted) / run->expected;

  if (settings->progress != NULL)
    settings->progress (MIN (run->from + run->span * MIN (share, 1), 1), settings->progress_data);
}

/* One plan at the token that is set; run->best is then its nudge and *ret_ws the change of that. */
static gboolean
run_plan (WwAttentionRun *run, gsize token, WwAttentionPlan plan, double *ret_ws, GError **error)
{
  gsize d = run->attention->x->cols;
  double scale = 1;

  if (!(run->attention->map == WW_MAP_SOFTMAX_RAF
            ? ww_softmax_recipe_run (run, token, plan, error)
            : ww_relu_recipe_run (run, token, plan, error)))
    return FALSE;
  if (run->has_reached && run->func != NULL)
    run->func (token, run->settings->target, run->func_data);
  if (plan != WW_PLAN_SCREEN && !run->has_reached)
    {
      if (!ww_attention_problem_prepare_own (run->problem, run->cancel, error)
          || !choose_scale (run, &scale, error))
        return FALSE;
      cblas_dscal (d, scale, run->best, 1);
      if (ww_attention_scan_get_count (plan, run->attention->x->rows, d) > 0
          && (!ww_attention_run_prepare_exact (run, token, error)
              || !ww_attention_scan_run (run, token, plan, error)))
        return FALSE;
    }
  keep_within (run, run->best);
  run->n_evaluated++;
  return ww_attention_measure_nudge (run->attention, token, run->best, run->room, run->cancel, NULL, NULL,
                                     ret_ws, error);
}

/* The rows that the best nudges lead to. */
static void
fill_pool (WwAttentionRun *run, gsize token)
{
  gsize d = run->attention->x->cols;
  const double *x = run->attention->x->data + token * d;

  run->n_pooled = CLAMP (run->n_carried, 1, WW_MOST_POOLED);
  for (gsize p = 0; p < run->n_pooled; p++)
    for (gsize k = 0; k < d; k++)
      run->pool[p * d + k] = x[k] + (p == 0 ? run->best[k] : run->carried[p * d + k]);
}

gboolean
ww_attention_run_search (WwAttentionRun *run, gsize token, WwAttentionPlan plan, double *ret_ws,
                         GError **error)
{
  WwAttentionPlan first = MIN (plan, WW_PLAN_QUICK);
  gsize d = run->attention->x->cols;
  double best = -INFINITY, ws;

  if (!ww_attention_problem_set_token (run->problem, token, run->cancel, error))
    return FALSE;
  run->has_exact = FALSE;
  run->n_carried = 0;
  for (WwAttentionPlan p = first; p <= plan && !run->has_reached; p++)
    {
      if (!run_plan (run, token, p, &ws, error))
        return FALSE;
      if (ws <= best)
        continue;
      best = ws;
      memcpy (run->found, run->best, d * sizeof (double));
    }
  memcpy (run->best, run->found, d * sizeof (double));
  if (run->pools)
    fill_pool (run, token);
  *ret_ws = best;
  return TRUE;
}

gboolean
ww_attention_run_confirm (WwAttentionRun *run, gsize token, double *ret_ws, GError **error)
{
  return ww_attention_definition_evaluate (run->definition, token, run->best, run->cancel, ret_ws,
                                           error);
}

WwSearchResult *
ww_attention_run_make_result (const WwAttentionRun *run, gsize n_tokens, GError **error)
{
  g_autoptr (WwSearchResult) result = g_new0 (WwSearchResult, 1);

  result->map = run->attention->map;
  result->upper_bound = NAN;
  result->predicted = NAN;
  result->ws = -INFINITY;
  result->d = run->attention->x->cols;
  result->delta = g_try_malloc0_n (result->d, sizeof (double));
  result->n_tokens = n_tokens;
  result->per_token = n_tokens > 0 ? g_try_malloc0_n (n_tokens, sizeof (double)) : NULL;
  result->in_full = n_tokens > 0 ? g_try_malloc0_n (n_tokens, sizeof (gboolean)) : NULL;
  if (result->delta == NULL || (n_tokens > 0 && (result->per_token == NULL || result->in_full == NULL)))
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                           _("Not enough memory for the result of a search"));
      return NULL;
    }
  return g_steal_pointer (&result);
}

void
ww_attention_run_offer (const WwAttentionRun *run, WwSearchResult *result, gsize token, double ws)
{
  if (ws <= result->ws)
    return;

  result->token = token;
  result->ws = ws;
  memcpy (result->delta, run->best, result->d * sizeof (double));
  result->delta_norm = cblas_dnrm2 (result->d, result->delta, 1);
}

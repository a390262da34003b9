#include "ww-attention-recipes.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"

/* Starts with which every token is screened when all are searched, and how many tokens then get the
 * full recipe: a tenth, and at least MIN_REFINED. */
#define SCREENING_STARTS 8
#define SCREENING_STARTS_RELU 12
#define REFINED_SHARE 10
#define MIN_REFINED 3

/* Nudges that the ReLU recipe polishes. */
#define N_POLISHED 6

/* Fractions of the best nudge that are tried in the end. */
#define N_SCALES 32

static void
run_clear (WwAttentionRun *run)
{
  ww_polish_free (run->polish);
  ww_ascent_free (run->ascent);
  ww_attention_problem_free (run->problem);
  g_free (run->starts);
  g_free (run->combination);
  g_free (run->best);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwAttentionRun, run_clear)

static gsize
get_n_starts (WwMap map, WwEffort effort)
{
  return map == WW_MAP_SOFTMAX_RAF ? ww_softmax_recipe_get_n_starts (effort)
                                   : ww_relu_recipe_get_n_starts (effort);
}

/* |X W / sqrt (d)| |X| / (n sqrt (d)), norms of matrices: the size of a score of two rows of typical
 * norms at a random angle; 1 under the paper's normalisation. */
static double
measure_scores (const WwAttention *attention)
{
  double n = attention->x->rows, d = attention->x->cols;
  double scale = ww_matrix_norm (attention->xw) * ww_matrix_norm (attention->x) / (n * sqrt (d));

  return scale > 0 && isfinite (scale) ? scale : 1;
}

static gboolean
run_init (WwAttentionRun *run, const WwAttention *attention, const WwSearchSettings *settings,
          const WwCancel *cancel, GError **error)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  gsize n_starts = get_n_starts (attention->map, settings->effort);
  gsize batch = ww_attention_problem_choose_batch (attention, n_starts);

  run->attention = attention;
  run->settings = settings;
  run->cancel = cancel;
  run->length = settings->radius * sqrt (d);
  run->score_scale = measure_scores (attention);
  run->n_starts = n_starts;
  run->problem = ww_attention_problem_new (attention, batch, cancel, error);
  if (run->problem == NULL)
    return FALSE;
  run->ascent = ww_ascent_new (run->problem, n_starts, run->length, error);
  if (run->ascent == NULL)
    return FALSE;
  if (attention->map == WW_MAP_RELU_RAF)
    {
      run->polish = ww_polish_new (attention, N_POLISHED, run->length, cancel, error);
      if (run->polish == NULL)
        return FALSE;
    }
  run->starts = g_try_malloc0_n (n_starts, sizeof (gsize));
  run->combination = g_try_malloc0_n (n + d, sizeof (double));
  run->best = g_try_malloc0_n (d, sizeof (double));
  if (run->starts == NULL || run->combination == NULL || run->best == NULL)
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                           "Not enough memory for a search");
      return FALSE;
    }
  return TRUE;
}

static gboolean
run_recipe (WwAttentionRun *run, gsize token, gsize n_starts, GError **error)
{
  return run->attention->map == WW_MAP_SOFTMAX_RAF
             ? ww_softmax_recipe_run (run, token, n_starts, error)
             : ww_relu_recipe_run (run, token, n_starts, error);
}

static guint64
count_evaluations (const WwAttentionRun *run)
{
  return ww_ascent_get_evaluations (run->ascent)
         + (run->polish != NULL ? ww_polish_get_evaluations (run->polish) : 0);
}

/* Scales the best nudge so that rounding cannot carry it over the radius. */
static void
keep_within (const WwAttentionRun *run, double *delta)
{
  gsize d = run->attention->x->cols;
  double norm = cblas_dnrm2 (d, delta, 1);

  if (norm > run->length)
    cblas_dscal (d, run->length / norm, delta, 1);
}

static WwSearchResult *
result_new (const WwAttentionRun *run)
{
  WwSearchResult *result = g_new0 (WwSearchResult, 1);

  result->map = run->attention->map;
  result->upper_bound = NAN;
  result->d = run->attention->x->cols;
  result->delta = g_new0 (double, result->d);
  return result;
}

static WwSearchResult *
search_one (WwAttentionRun *run, gsize token, GError **error)
{
  g_autoptr (WwSearchResult) result = result_new (run);

  ww_attention_problem_set_token (run->problem, token);
  if (!run_recipe (run, token, run->n_starts, error))
    return NULL;
  keep_within (run, run->best);
  if (!ww_attention_evaluate_cancellable (run->attention, token, run->best, run->cancel,
                                          &result->ws, error))
    return NULL;
  result->token = token;
  memcpy (result->delta, run->best, result->d * sizeof (double));
  result->delta_norm = cblas_dnrm2 (result->d, result->delta, 1);
  result->evaluations = count_evaluations (run) + 1;
  return g_steal_pointer (&result);
}

WwSearchResult *
ww_attention_search (const WwAttention *attention, const WwSearchSettings *settings,
                     const WwCancel *cancel, WwTokenFunc func, gpointer user_data, GError **error)
{
  g_auto (WwAttentionRun) run = { 0 };

  if (!run_init (&run, attention, settings, cancel, error))
    return NULL;
  return search_one (&run, settings->token, error);
}

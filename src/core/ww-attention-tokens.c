#include "ww-attention-tokens.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-attention-scan.h"
#include "ww-sort.h"

/* A tenth of the tokens, and at least MIN_REFINED, get the full search in any case. */
#define REFINED_SHARE 10
#define MIN_REFINED 3

/* More of them as long as that costs no more than so many multiplications: half a second to a few seconds
 * of one core. */
static const double affordable[WW_N_PLANS] = { 0, 1.2e10, 4e10, 1.2e11 };

/* How often screening goes over all tokens, before it goes back: softmax, ReLU. */
static const guint n_passes[WW_N_PLANS][2] = { { 0, 0 }, { 1, 1 }, { 3, 2 }, { 6, 3 } };

/* Multiplications that a nudge costs beyond those of the matrix products. */
#define OVERHEAD 3000.0

/* Nudges that are evaluated where a token is screened, and where that is done on the way back. */
#define SCREENED_NUDGES 250.0
#define RETURN_NUDGES 40.0

static double
estimate_cost (const WwAttentionRun *run)
{
  gsize n = run->attention->x->rows, d = run->attention->x->cols;

  return ww_attention_run_estimate (run, run->plan) * (8.0 * n * d + (double) d * d + OVERHEAD);
}

/* How many tokens get the full search. */
static gsize
count_refined (const WwAttentionRun *run)
{
  gsize n = run->attention->x->rows, least = MIN (n, MAX (n / REFINED_SHARE, MIN_REFINED));
  double count = affordable[run->plan] / estimate_cost (run);

  return CLAMP (count, (double) least, (double) n);
}

static void
note (WwAttentionRun *run, WwSearchResult *result, gsize token, double ws)
{
  result->per_token[token] = MAX (result->per_token[token], ws);
  ww_attention_run_offer (run, result, token, ws);
  if (run->func != NULL)
    run->func (token, result->per_token[token], run->func_data);
}

/* The next part of the work is `nudges` long. */
static void
begin_part (WwAttentionRun *run, double nudges)
{
  ww_attention_run_begin_part (run, run->from + run->span, nudges / run->all_expected, nudges);
  ww_attention_run_report (run);
}

static gboolean
screen_token (WwAttentionRun *run, WwSearchResult *result, gsize token, GError **error)
{
  /* The first one fills the pool. */
  WwAttentionPlan plan = run->n_pooled == 0 ? WW_PLAN_QUICK : WW_PLAN_SCREEN;
  double ws;

  begin_part (run, run->returns ? RETURN_NUDGES : SCREENED_NUDGES);
  if (!ww_attention_run_search (run, token, plan, &ws, error))
    return FALSE;
  note (run, result, token, ws);
  return TRUE;
}

static gboolean
screen_tokens (WwAttentionRun *run, WwSearchResult *result, GError **error)
{
  gboolean relu = run->attention->map == WW_MAP_RELU_RAF;

  run->pools = TRUE;
  for (run->pass = 0; run->pass < n_passes[run->plan][relu]; run->pass++)
    for (gsize token = 0; token < result->n_tokens; token++)
      if (!screen_token (run, result, token, error))
        return FALSE;

  run->returns = !relu;
  for (gsize token = run->returns ? result->n_tokens : 0; token-- > 0;)
    if (!screen_token (run, result, token, error))
      return FALSE;
  run->pools = run->returns = FALSE;
  return TRUE;
}

/* The full search of the first `count` of `order`. */
static gboolean
refine_tokens (WwAttentionRun *run, WwSearchResult *result, const gsize *order, gsize count, GError **error)
{
  for (gsize o = 0; o < count; o++)
    {
      gsize token = order[o];
      double ws;

      begin_part (run, ww_attention_run_estimate (run, run->plan));
      if (!ww_attention_run_search (run, token, run->plan, &ws, error)
          || !ww_attention_run_confirm (run, token, &ws, error))
        return FALSE;
      result->in_full[token] = TRUE;
      note (run, result, token, ws);
    }
  return TRUE;
}

WwSearchResult *
ww_attention_search_tokens (WwAttentionRun *run, GError **error)
{
  gsize n = run->attention->x->rows, n_refined = count_refined (run);
  gboolean relu = run->attention->map == WW_MAP_RELU_RAF;
  g_autoptr (WwSearchResult) result = ww_attention_run_make_result (run, n, error);
  g_autofree gsize *order = g_try_malloc_n (n, sizeof (gsize));

  if (result == NULL)
    return NULL;
  if (order == NULL)
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                           _("Not enough memory for a search"));
      return NULL;
    }

  run->all_expected = n_refined * ww_attention_run_estimate (run, run->plan);
  if (n_refined < n)
    run->all_expected += n * (n_passes[run->plan][relu] * SCREENED_NUDGES + (relu ? 0 : RETURN_NUDGES));
  for (gsize token = 0; token < n; token++)
    order[token] = token;
  if (n_refined < n)
    {
      if (!screen_tokens (run, result, error))
        return NULL;
      ww_sort_places (order, n, result->per_token);
    }
  if (!refine_tokens (run, result, order, n_refined, error))
    return NULL;

  /* What won may have been screened only. */
  if (!ww_attention_definition_evaluate (run->definition, result->token, result->delta, run->cancel,
                                         &result->ws, error))
    return NULL;
  result->per_token[result->token] = result->ws;
  result->evaluations = ww_attention_run_count (run) + 1;
  return g_steal_pointer (&result);
}

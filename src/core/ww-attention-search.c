#include "ww-attention-run.h"

#include "ww-attention-private.h"
#include "ww-attention-tokens.h"

static gboolean
check_settings (const WwAttention *attention, const WwSearchSettings *settings, GError **error)
{
  return (settings->token == WW_TOKEN_ALL || ww_attention_check_token (attention, settings->token, error))
         && ww_search_check_radius (settings->radius, error) && ww_attention_check_norm (attention, error);
}

static WwSearchResult *
search_one (WwAttentionRun *run, gsize token, GError **error)
{
  g_autoptr (WwSearchResult) result = ww_attention_run_make_result (run, 0, error);
  double ws;

  ww_attention_run_begin_part (run, 0, 1, ww_attention_run_estimate (run, run->plan));
  if (result == NULL || !ww_attention_run_search (run, token, run->plan, &ws, error)
      || !ww_attention_run_confirm (run, token, &ws, error))
    return NULL;
  ww_attention_run_offer (run, result, token, ws);
  result->evaluations = ww_attention_run_count (run);
  return g_steal_pointer (&result);
}

WwSearchResult *
ww_attention_search (const WwAttention *attention, const WwSearchSettings *settings,
                     const WwCancel *cancel, WwTokenFunc func, gpointer user_data, GError **error)
{
  g_return_val_if_fail (attention != NULL && settings != NULL, NULL);

  g_auto (WwAttentionRun) run = { .func = func, .func_data = user_data };

  if (!check_settings (attention, settings, error)
      || !ww_attention_run_init (&run, attention, settings, cancel, error))
    return NULL;

  WwSearchResult *result = settings->token == WW_TOKEN_ALL ? ww_attention_search_tokens (&run, error)
                                                           : search_one (&run, settings->token, error);
  if (result != NULL && settings->progress != NULL)
    settings->progress (1, settings->progress_data);
  return result;
}

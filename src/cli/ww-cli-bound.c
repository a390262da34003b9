#include "ww-cli-bound.h"

#include <math.h>

#include "ww-cli.h"

/* The largest bound over all tokens. With tight bounds only those tokens are worth one whose quick bound,
 * which is never below it, could still be the largest: from the top down. */
static gboolean
bound_all (const WwAttention *attention, const WwSearchSettings *settings, WwSweepBound kind, double found,
           double *ret_bound, GError **error)
{
  gsize n = ww_attention_get_x (attention)->rows;
  g_autofree double *bounds = g_new (double, n);
  g_autofree gboolean *tight = g_new0 (gboolean, n);

  for (gsize i = 0; i < n; i++)
    if (!ww_attention_bound (attention, i, settings->radius, WW_BOUND_QUICK, found, ww_cli_get_cancel (), &bounds[i],
                             error))
      return FALSE;

  for (;;)
    {
      gsize top = 0;

      for (gsize i = 1; i < n; i++)
        if (bounds[i] > bounds[top])
          top = i;
      if (kind == WW_SWEEP_BOUND_QUICK || tight[top])
        {
          *ret_bound = bounds[top];
          return TRUE;
        }
      if (!ww_attention_bound (attention, top, settings->radius, WW_BOUND_TIGHT, found, ww_cli_get_cancel (),
                               &bounds[top], error))
        return FALSE;
      tight[top] = TRUE;
    }
}

gboolean
ww_cli_bound_result (const WwAttention *attention, const WwSearchSettings *settings, WwSweepBound kind,
                     WwSearchResult *result, double *ret_token_bound, GError **error)
{
  WwBoundEffort effort = kind == WW_SWEEP_BOUND_TIGHT ? WW_BOUND_TIGHT : WW_BOUND_QUICK;

  *ret_token_bound = NAN;
  if (kind == WW_SWEEP_BOUND_NONE)
    return TRUE;
  if (settings->token == WW_TOKEN_ALL)
    return bound_all (attention, settings, kind, result->ws, &result->upper_bound, error)
           && ww_attention_bound (attention, result->token, settings->radius, WW_BOUND_TIGHT, result->ws,
                                  ww_cli_get_cancel (), ret_token_bound, error);

  return ww_attention_bound (attention, result->token, settings->radius, effort, result->ws, ww_cli_get_cancel (),
                             &result->upper_bound, error);
}

#include "ww-attention-recipes.h"

#include "ww-attention-private.h"
#include "ww-attention-starts.h"

gsize
ww_softmax_recipe_get_n_starts (WwEffort effort)
{
  static const gsize n_starts[WW_N_EFFORTS] = { 16, 64, 256 };

  return n_starts[effort];
}

/* Four families in turn. Where the token is one of few, row i weighs much, and a fifth of the starts
 * are plain directions. */
static WwStartFamily
choose_family (gsize n, gsize start)
{
  static const WwStartFamily families[] = {
    WW_START_TILTED, WW_START_ONE_ROW, WW_START_SOME_ROWS, WW_START_ALL_ROWS
  };

  if (n <= 10 && start % 5 == 4)
    return WW_START_PLAIN;
  return families[start % G_N_ELEMENTS (families)];
}

gboolean
ww_softmax_recipe_run (WwAttentionRun *run, gsize token, gsize n_starts, GError **error)
{
  const WwAttentionObjective warm = { .beta = 0.5 }, exact = { .beta = 1 };

  for (gsize s = 0; s < n_starts; s++)
    {
      ww_attention_start (run->attention, token,
                          choose_family (run->attention->x->rows, s), run->settings->seed,
                          run->settings->trial, s, run->combination,
                          ww_ascent_get_point (run->ascent, s));
      ww_ascent_project (run->ascent, s);
      run->starts[s] = s;
    }

  if (!ww_ascent_run (run->ascent, &warm, run->starts, n_starts, 60, 1e-4, run->cancel, error)
      || !ww_ascent_run (run->ascent, &exact, run->starts, n_starts, 200, 1e-6, run->cancel, error))
    return FALSE;
  ww_ascent_sort (run->ascent, run->starts, n_starts);

  const float *best = ww_ascent_get_point (run->ascent, run->starts[0]);
  run->best_value = ww_ascent_get_value (run->ascent, run->starts[0]);
  for (gsize k = 0; k < run->attention->x->cols; k++)
    run->best[k] = best[k];
  return TRUE;
}

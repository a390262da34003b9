#include "ww-attention-recipes.h"

#include <cblas.h>
#include <math.h>

#include "ww-attention-private.h"
#include "ww-attention-starts.h"

#ifndef PSTEPS
#define PSTEPS 40
#define PTOL 1e-4
#define NPOL 6
#endif
gsize
ww_relu_recipe_get_n_starts (WwEffort effort)
{
  static const gsize n_starts[WW_N_EFFORTS] = { 24, 96, 288 };

  return n_starts[effort];
}

gboolean
ww_relu_recipe_run (WwAttentionRun *run, gsize token, gsize n_starts, GError **error)
{
  static const double widths[] = { 1, 0.3, 0.1, 0.03, 0.01, 0.003 };
  static const gsize first_width[3] = { 0, 1, 3 };
  const WwAttentionObjective capture = { .capture = 1 / run->score_scale };
  gsize third = n_starts / 3;

  for (gsize s = 0; s < n_starts; s++)
    {
      gsize f = s / third;
      ww_attention_start (run->attention, token, f == 0 ? (s % 2 ? WW_START_PLAIN : WW_START_TILTED) : s % 2 ? WW_START_PLAIN : WW_START_TILTED, run->settings->seed,
                          run->settings->trial, s, run->combination,
                          ww_ascent_get_point (run->ascent, s));
      ww_ascent_project (run->ascent, s);
      run->starts[s] = s;
    }
  if (!ww_ascent_run (run->ascent, &capture, run->starts + third, n_starts - third, 30, 1e-4, run->cancel, error))
    return FALSE;
  for (gsize f = 0; f < 3; f++)
    for (gsize h = first_width[f]; h < G_N_ELEMENTS (widths); h++)
      {
        const WwAttentionObjective o = { .smoothing = widths[h] * run->score_scale };
        if (!ww_ascent_run (run->ascent, &o, run->starts + f * third, third, PSTEPS, PTOL, run->cancel, error))
          return FALSE;
      }
  ww_ascent_sort (run->ascent, run->starts, n_starts);
  gsize d = run->attention->x->cols, count = 0;
  gsize chosen[16];
  for (gsize a = 0; a < n_starts && count < NPOL; a++)
    {
      const float *p = ww_ascent_get_point (run->ascent, run->starts[a]);
      gboolean same = FALSE;
      for (gsize b = 0; b < count; b++)
        same |= cblas_dsdot (d, p, 1, ww_ascent_get_point (run->ascent, chosen[b]), 1) > 0.99 * run->length * run->length;
      if (same)
        continue;
      for (gsize k = 0; k < d; k++)
        ww_polish_get_point (run->polish, count)[k] = p[k];
      chosen[count++] = run->starts[a];
    }
  ww_polish_set_token (run->polish, token);
  static const double fine[] = { 0.1, 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001 };
  for (gsize h = 0; h < G_N_ELEMENTS (fine); h++)
    {
      const WwAttentionObjective o = { .smoothing = fine[h] * run->score_scale };
      if (!ww_polish_run (run->polish, &o, count, 60, 1e-7, run->cancel, error))
        return FALSE;
    }
  gsize best = 0;
  for (gsize b = 1; b < count; b++)
    if (ww_polish_get_value (run->polish, b) > ww_polish_get_value (run->polish, best))
      best = b;
  run->best_value = ww_polish_get_value (run->polish, best);
  if (g_getenv ("WWV"))
    {
      for (gsize b = 0; b < count; b++)
        g_printerr ("  [%d f%d %.4f->%.4f]", (int) chosen[b], (int) (chosen[b] / third), sqrt (ww_ascent_get_value (run->ascent, chosen[b])) / run->attention->norm, sqrt (ww_polish_get_value (run->polish, b)) / run->attention->norm);
      g_printerr ("\n");
    }
  for (gsize k = 0; k < d; k++)
    run->best[k] = ww_polish_get_point (run->polish, best)[k];
  return TRUE;
}

#include "ww-attention-recipes.h"

#include <cblas.h>

#include "ww-attention-private.h"

/* Two nudges with a larger cosine than this are on their way to the same summit. */
#define SAME_SUMMIT 0.98

gboolean
ww_attention_run_prepare_exact (WwAttentionRun *run, gsize token, GError **error)
{
  if (!run->has_exact
      && (!ww_attention_problem_double_set_token (run->exact, token, run->cancel, error)
          || !ww_attention_problem_double_prepare_own (run->exact, run->cancel, error)))
    return FALSE;
  run->has_exact = TRUE;
  return TRUE;
}

void
ww_attention_run_start_warm (WwAttentionRun *run, gsize token, gsize member, gsize start)
{
  gsize d = run->attention->x->cols;
  const double *x = run->attention->x->data + token * d;
  float *point = ww_ascent_get_point (run->ascent, start);

  for (gsize k = 0; k < d; k++)
    point[k] = run->pool[member * d + k] - x[k];
  ww_ascent_project (run->ascent, start);
}

gsize
ww_attention_run_drop_copies (WwAttentionRun *run, gsize count)
{
  gsize d = run->attention->x->cols, kept = 0;
  double near = SAME_SUMMIT * run->length * run->length;

  for (gsize a = 0; a < count; a++)
    {
      gsize start = run->starts[a];
      const float *point = ww_ascent_get_point (run->ascent, start);
      gboolean copy = FALSE;

      for (gsize b = 0; b < kept && !copy; b++)
        copy = cblas_dsdot (d, point, 1, ww_ascent_get_point (run->ascent, run->starts[b]), 1) > near;
      if (copy)
        continue;
      run->starts[a] = run->starts[kept];
      run->starts[kept++] = start;
    }
  return kept;
}

#include "ww-nudge-result.h"

#include <math.h>

static void
include_map (const WwMatrix *before, const WwMatrix *after, double *weight, double *change)
{
  double largest_weight = *weight, largest_change = *change;

  for (gsize i = 0; i < before->rows * before->cols; i++)
    {
      largest_weight = MAX (largest_weight, MAX (before->data[i], after->data[i]));
      largest_change = MAX (largest_change, fabs (after->data[i] - before->data[i]));
    }

  *weight = largest_weight;
  *change = largest_change;
}

void
ww_nudge_range_include (WwNudgeRange *range, const WwNudge *nudge, const WwTrained *trained)
{
  for (guint map = 0; map < WW_N_MAPS; map++)
    if (nudge->before[map] != NULL && nudge->after[map] != NULL)
      include_map (nudge->before[map], nudge->after[map], &range->weight[map], &range->change[map]);

  if (trained->before != NULL && trained->after != NULL)
    include_map (trained->before, trained->after, &range->trained_weight, &range->trained_change);
}

void
ww_trained_clear (WwTrained *trained)
{
  g_clear_pointer (&trained->before, ww_matrix_unref);
  g_clear_pointer (&trained->after, ww_matrix_unref);
}

WwNudgeResult *
ww_nudge_result_new (WwNudge *nudge, const WwTrained *trained, const char *trained_message,
                     const WwNudgeRange *range)
{
  WwNudgeResult *result = g_new (WwNudgeResult, 1);

  result->nudge = ww_nudge_ref (nudge);
  result->trained = *trained;
  if (trained->before != NULL)
    ww_matrix_ref (trained->before);
  if (trained->after != NULL)
    ww_matrix_ref (trained->after);
  result->trained_message = g_strdup (trained_message);
  result->range = *range;

  return result;
}

WwNudgeResult *
ww_nudge_result_copy (const WwNudgeResult *result)
{
  return ww_nudge_result_new (result->nudge, &result->trained, result->trained_message, &result->range);
}

void
ww_nudge_result_free (WwNudgeResult *result)
{
  if (result == NULL)
    return;

  ww_nudge_unref (result->nudge);
  ww_trained_clear (&result->trained);
  g_free (result->trained_message);
  g_free (result);
}

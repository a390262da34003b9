#include "ww-nudge-result.h"

#include <math.h>

static void
include_map (WwNudgeRange *range, const WwNudge *nudge, guint map)
{
  const WwMatrix *before = nudge->before[map], *after = nudge->after[map];
  double weight = range->weight[map], change = range->change[map];

  for (gsize i = 0; i < before->rows * before->cols; i++)
    {
      weight = MAX (weight, MAX (before->data[i], after->data[i]));
      change = MAX (change, fabs (after->data[i] - before->data[i]));
    }

  range->weight[map] = weight;
  range->change[map] = change;
}

void
ww_nudge_range_include (WwNudgeRange *range, const WwNudge *nudge)
{
  for (guint map = 0; map < WW_N_MAPS; map++)
    if (nudge->before[map] != NULL && nudge->after[map] != NULL)
      include_map (range, nudge, map);
}

WwNudgeResult *
ww_nudge_result_new (WwNudge *nudge, const WwNudgeRange *range)
{
  WwNudgeResult *result = g_new (WwNudgeResult, 1);

  result->nudge = ww_nudge_ref (nudge);
  result->range = *range;

  return result;
}

void
ww_nudge_result_free (WwNudgeResult *result)
{
  if (result == NULL)
    return;

  ww_nudge_unref (result->nudge);
  g_free (result);
}

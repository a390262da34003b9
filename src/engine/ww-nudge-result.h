/* A nudge with what its colours stand for. */
#pragma once

#include "ww-core.h"

G_BEGIN_DECLS

/* The largest weight and the largest |change of a weight| of each attention map among the nudges
 * along one direction: that of full length, and whatever a shorter one has shown beyond it. Colours
 * that keep their meaning while the length changes show the map grow; colours scaled to each nudge
 * would not. 0 where there is no such map. */
typedef struct
{
  double weight[WW_N_MAPS], change[WW_N_MAPS];
} WwNudgeRange;

/* Widens `range` by what `nudge` shows. */
void ww_nudge_range_include (WwNudgeRange *range, const WwNudge *nudge);

typedef struct
{
  WwNudge *nudge;
  WwNudgeRange range;
} WwNudgeResult;

WwNudgeResult *ww_nudge_result_new (WwNudge *nudge, const WwNudgeRange *range); /* refs and copies */
void ww_nudge_result_free (WwNudgeResult *result); /* NULL is fine */

G_END_DECLS

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
  double trained_weight, trained_change; /* of the trained attention */
} WwNudgeRange;

/* The trained weights of the block that takes the context in, before and after the nudge, n x n. The
 * block sees the rows as the set has them, not normalised; the nudge is scaled as the row was. */
typedef struct
{
  int block, head;
  WwMatrix *before, *after; /* NULL: none */
} WwTrained;

/* Widens `range` by what `nudge` and `trained` show. */
void ww_nudge_range_include (WwNudgeRange *range, const WwNudge *nudge, const WwTrained *trained);

typedef struct
{
  WwNudge *nudge;
  WwTrained trained;
  char *trained_message; /* why there is no trained attention where some was wanted, or NULL */
  WwNudgeRange range;
} WwNudgeResult;

void ww_trained_clear (WwTrained *trained);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwTrained, ww_trained_clear)

/* Refs and copies. */
WwNudgeResult *ww_nudge_result_new (WwNudge *nudge, const WwTrained *trained,
                                    const char *trained_message, const WwNudgeRange *range);
WwNudgeResult *ww_nudge_result_copy (const WwNudgeResult *result);
void ww_nudge_result_free (WwNudgeResult *result); /* NULL is fine */

G_END_DECLS

/* The strongest of many swaps, in order, however many there were. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

typedef struct
{
  guint32 index; /* row of the table */
  double change;
} WwSwapEntry;

typedef struct _WwSwapRanking WwSwapRanking;

/* Keeps the `top` largest. WW_CORE_ERROR_MEMORY. */
WwSwapRanking *ww_swap_ranking_new (gsize top, GError **error);
void ww_swap_ranking_free (WwSwapRanking *ranking); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSwapRanking, ww_swap_ranking_free)

/* A NaN is no swap and is left out. Amortised O(log top). */
void ww_swap_ranking_add (WwSwapRanking *ranking, guint32 index, double change);
/* How many swaps were added, the forgotten ones among them. */
gsize ww_swap_ranking_get_n_added (const WwSwapRanking *ranking);
/* Largest first; of equal ones, that with the smaller index. Valid until the next call. */
WwSwapEntry *ww_swap_ranking_get (WwSwapRanking *ranking, gsize *ret_n);
/* Keeps the `top` largest from here on, for entries that were changed in place; NaN takes one out. */
void ww_swap_ranking_cut (WwSwapRanking *ranking, gsize top);

G_END_DECLS

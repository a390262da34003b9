#include "ww-swap-ranking.h"

#include <math.h>
#include <stdlib.h>

#include "ww-private.h"

/* Entries gather behind the ones that are kept until there are as many again; then all are sorted and
 * the weaker half forgotten. */
struct _WwSwapRanking
{
  gsize top, n, n_added;
  WwSwapEntry *entries; /* 2 top */
  double least;         /* of the ones kept, once `top` are: weaker ones need not gather */
};

WwSwapRanking *
ww_swap_ranking_new (gsize top, GError **error)
{
  WwSwapRanking *self;
  WwSwapEntry *entries;

  g_return_val_if_fail (top > 0, NULL);

  entries = ww_try_alloc (top, 2, sizeof (WwSwapEntry), error);
  if (entries == NULL)
    return NULL;

  self = g_new0 (WwSwapRanking, 1);
  self->top = top;
  self->entries = entries;
  self->least = -INFINITY;
  return self;
}

void
ww_swap_ranking_free (WwSwapRanking *self)
{
  if (self == NULL)
    return;

  free (self->entries);
  g_free (self);
}

static int
compare_entries (const void *a, const void *b)
{
  const WwSwapEntry *left = a, *right = b;

  if (left->change != right->change)
    return left->change > right->change ? -1 : 1;
  return (left->index > right->index) - (left->index < right->index);
}

static void
sort_and_forget (WwSwapRanking *self)
{
  qsort (self->entries, self->n, sizeof (WwSwapEntry), compare_entries);
  self->n = MIN (self->n, self->top);
  if (self->n == self->top)
    self->least = self->entries[self->top - 1].change;
}

void
ww_swap_ranking_add (WwSwapRanking *self, guint32 index, double change)
{
  g_return_if_fail (self != NULL);

  if (isnan (change))
    return;
  self->n_added++;
  if (change < self->least)
    return;

  self->entries[self->n++] = (WwSwapEntry) { index, change };
  if (self->n == 2 * self->top)
    sort_and_forget (self);
}

gsize
ww_swap_ranking_get_n_added (const WwSwapRanking *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_added;
}

WwSwapEntry *
ww_swap_ranking_get (WwSwapRanking *self, gsize *ret_n)
{
  g_return_val_if_fail (self != NULL && ret_n != NULL, NULL);

  sort_and_forget (self);
  *ret_n = self->n;
  return self->entries;
}

void
ww_swap_ranking_cut (WwSwapRanking *self, gsize top)
{
  g_return_if_fail (self != NULL && top > 0 && top <= self->top);

  gsize kept = 0;

  for (gsize e = 0; e < self->n; e++)
    if (!isnan (self->entries[e].change))
      self->entries[kept++] = self->entries[e];
  self->n = kept;
  self->top = top;
  sort_and_forget (self);
}

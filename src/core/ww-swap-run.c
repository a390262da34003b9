#include "ww-swap-run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"
#include "ww-swap-private.h"

struct _WwSwapRun
{
  WwSwap *swap; /* borrowed */
  WwRowScale *scale;
  gsize n_rows;
  WwSwapReadFunc read;
  gpointer user_data;
  gsize top;

  gsize next;      /* row */
  gsize confirmed; /* tokens whose strongest swaps are confirmed */

  /* Of the token whose turn it is then. */
  gboolean begun;
  WwSwapEntry *strongest; /* n_strongest, as they were ranked; the first n_definite by the definition */
  gsize n_strongest, n_definite;

  double *raw;      /* height x raw dims */
  double *y;        /* height x d */
  double *change;   /* height x count */
  double *definite; /* height */
  WwSwapRanking **rankings; /* one per token */
};

void
ww_swap_run_free (WwSwapRun *self)
{
  if (self == NULL)
    return;

  for (gsize i = 0; i < ww_swap_get_count (self->swap); i++)
    ww_swap_ranking_free (self->rankings[i]);
  g_free (self->rankings);
  ww_row_scale_unref (self->scale);
  free (self->raw);
  free (self->y);
  free (self->change);
  free (self->definite);
  g_free (self->strongest);
  g_free (self);
}

static gboolean
allocate_all (WwSwapRun *self, GError **error)
{
  gsize height = ww_swap_get_height (self->swap), count = ww_swap_get_count (self->swap);

  self->raw = ww_try_alloc (height, ww_row_scale_get_raw_dims (self->scale), sizeof (double), error);
  if (self->raw == NULL)
    return FALSE;
  self->y = ww_try_alloc (height, ww_swap_get_dims (self->swap), sizeof (double), error);
  if (self->y == NULL)
    return FALSE;
  self->change = ww_try_alloc (height, count, sizeof (double), error);
  if (self->change == NULL)
    return FALSE;
  self->definite = ww_try_alloc (height, 1, sizeof (double), error);
  if (self->definite == NULL)
    return FALSE;

  for (gsize i = 0; i < count; i++)
    {
      self->rankings[i] = ww_swap_ranking_new (self->top + self->swap->class->margin, error);
      if (self->rankings[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

WwSwapRun *
ww_swap_run_new (WwSwap *swap, WwRowScale *scale, gsize n_rows, WwSwapReadFunc read,
                 gpointer user_data, gsize top, GError **error)
{
  g_autoptr (WwSwapRun) self = NULL;

  g_return_val_if_fail (swap != NULL && scale != NULL && read != NULL && top > 0, NULL);
  g_return_val_if_fail (ww_row_scale_get_dims (scale) == ww_swap_get_dims (swap), NULL);
  g_return_val_if_fail (n_rows <= G_MAXUINT32, NULL);

  self = g_new0 (WwSwapRun, 1);
  self->swap = swap;
  self->scale = ww_row_scale_ref (scale);
  self->n_rows = n_rows;
  self->read = read;
  self->user_data = user_data;
  self->top = MIN (top, MAX (n_rows, 1));
  self->rankings = g_new0 (WwSwapRanking *, ww_swap_get_count (swap));
  return allocate_all (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Rows first ... first + count - 1, normalised. */
static gboolean
read_rows (WwSwapRun *self, gsize first, gsize count, double *ret_y, GError **error)
{
  gsize raw_dims = ww_row_scale_get_raw_dims (self->scale), d = ww_swap_get_dims (self->swap);

  if (!self->read (first, count, self->raw, self->user_data, error))
    return FALSE;
  for (gsize t = 0; t < count; t++)
    ww_row_scale_apply (self->scale, self->raw + t * raw_dims, ret_y + t * d);
  return TRUE;
}

static gboolean
rank_tile (WwSwapRun *self, const WwCancel *cancel, GError **error)
{
  gsize rows = MIN (ww_swap_get_height (self->swap), self->n_rows - self->next);
  gsize count = ww_swap_get_count (self->swap);

  if (!read_rows (self, self->next, rows, self->y, error)
      || !ww_swap_evaluate (self->swap, rows, self->y, cancel, self->change, error))
    return FALSE;

  for (gsize t = 0; t < rows; t++)
    for (gsize i = 0; i < count; i++)
      ww_swap_ranking_add (self->rankings[i], self->next + t, self->change[t * count + i]);
  self->next += rows;
  return TRUE;
}

/* The strongest entries of the token whose turn it is; how many are shown by the plain definition. */
static void
begin_token (WwSwapRun *self)
{
  gsize n, share = MAX (WW_SWAP_CONFIRMED / ww_swap_get_count (self->swap), 1) + self->swap->class->margin;
  const WwSwapEntry *entries = ww_swap_ranking_get (self->rankings[self->confirmed], &n);

  self->begun = TRUE;
  self->n_strongest = MIN (n, share);
  self->strongest = g_memdup2 (entries, self->n_strongest * sizeof *entries);
  self->n_definite = 0;
}

/* All of them have their values: into the ranking, which has not changed meanwhile. One that the definition
 * cannot evaluate is NaN and left out. */
static void
finish_token (WwSwapRun *self)
{
  WwSwapRanking *ranking = self->rankings[self->confirmed];
  gsize n;
  WwSwapEntry *entries = ww_swap_ranking_get (ranking, &n);

  if (self->n_strongest > 0)
    memcpy (entries, self->strongest, self->n_strongest * sizeof *entries);
  ww_swap_ranking_cut (ranking, self->top);
  g_clear_pointer (&self->strongest, g_free);
  self->begun = FALSE;
  self->confirmed++;
}

/* A tile of the strongest entries of one token by the plain definition. */
static gboolean
confirm_tile (WwSwapRun *self, const WwCancel *cancel, GError **error)
{
  gsize d = ww_swap_get_dims (self->swap), token = ww_swap_get_first (self->swap) + self->confirmed;
  WwSwapEntry *entries;
  gsize rows;

  if (!self->begun)
    begin_token (self);
  entries = self->strongest + self->n_definite;
  rows = MIN (ww_swap_get_height (self->swap), self->n_strongest - self->n_definite);

  for (gsize t = 0; t < rows; t++)
    if (!read_rows (self, entries[t].index, 1, self->y + t * d, error))
      return FALSE;
  if (rows > 0 && !ww_swap_confirm (self->swap, token, rows, self->y, cancel, self->definite, error))
    return FALSE;

  for (gsize t = 0; t < rows; t++)
    entries[t].change = self->definite[t];
  self->n_definite += rows;
  if (self->n_definite == self->n_strongest)
    finish_token (self);
  return TRUE;
}

gboolean
ww_swap_run_step (WwSwapRun *self, const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (ww_cancel_check (cancel, error))
    return FALSE;
  if (self->next < self->n_rows)
    return rank_tile (self, cancel, error);

  return ww_swap_run_is_done (self) || confirm_tile (self, cancel, error);
}

gboolean
ww_swap_run_is_done (const WwSwapRun *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->next == self->n_rows && self->confirmed == ww_swap_get_count (self->swap);
}

gsize
ww_swap_run_get_n_ranked (const WwSwapRun *self, gsize i)
{
  g_return_val_if_fail (self != NULL && i < ww_swap_get_count (self->swap), 0);

  return ww_swap_ranking_get_n_added (self->rankings[i]);
}

double
ww_swap_run_get_fraction (const WwSwapRun *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_rows > 0 ? (double) self->next / self->n_rows : 1;
}

const WwSwapEntry *
ww_swap_run_get_entries (WwSwapRun *self, gsize i, gsize *ret_n)
{
  const WwSwapEntry *entries;
  gsize n;

  g_return_val_if_fail (self != NULL && ret_n != NULL, NULL);
  g_return_val_if_fail (i < ww_swap_get_count (self->swap), NULL);

  entries = ww_swap_ranking_get (self->rankings[i], &n);
  *ret_n = MIN (n, self->top);
  return entries;
}

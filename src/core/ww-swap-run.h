/* All rows of a table as swaps of one or more tokens: read, normalised, evaluated and ranked tile by
 * tile, by a command in one go or by a worker between more urgent things. */
#pragma once

#include "ww-row-scale.h"
#include "ww-swap.h"
#include "ww-swap-ranking.h"

G_BEGIN_DECLS

/* Where the rows come from: `count` raw rows from row `first` on into ret_raw (count x the raw dims of
 * the scale). A row that is no candidate is filled with NaN. */
typedef gboolean (*WwSwapReadFunc) (gsize first, gsize count, double *ret_raw, gpointer user_data,
                                    GError **error);

/* How many of the strongest swaps are evaluated again by the plain definition: the tokens of a run share
 * them, but each has one. */
#define WW_SWAP_CONFIRMED 256

typedef struct _WwSwapRun WwSwapRun;

/* `swap` is borrowed and outlives the run; `scale` has the dims of `swap`. Keeps the `top` strongest of
 * `n_rows` rows for each token. WW_CORE_ERROR_MEMORY. */
WwSwapRun *ww_swap_run_new (WwSwap *swap, WwRowScale *scale, gsize n_rows, WwSwapReadFunc read,
                            gpointer user_data, gsize top, GError **error);
void ww_swap_run_free (WwSwapRun *run); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSwapRun, ww_swap_run_free)

/* The next piece of work: a tile of rows, some milliseconds; when all are done, a tile of the strongest swaps
 * of one token by the plain definition. Does nothing when the run is done. WW_CORE_ERROR_CANCELLED, _MEMORY, and what
 * `read` reports; the run can be continued after a cancelled step. */
gboolean ww_swap_run_step (WwSwapRun *run, const WwCancel *cancel, GError **error);
gboolean ww_swap_run_is_done (const WwSwapRun *run);
double ww_swap_run_get_fraction (const WwSwapRun *run); /* 0 ... 1 */
/* How many rows so far were candidates with a finite change at token first + i. */
gsize ww_swap_run_get_n_ranked (const WwSwapRun *run, gsize i);

/* The strongest swaps so far of token first + i, largest first; owned by the run, until the next step.
 * When the run is done, the first WW_SWAP_CONFIRMED / count values, at least one, are those of the plain
 * definition in double precision. */
const WwSwapEntry *ww_swap_run_get_entries (WwSwapRun *run, gsize i, gsize *ret_n);

G_END_DECLS

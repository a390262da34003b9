/* What the maps implement for WwSwap. */
#pragma once

#include "ww-swap.h"

G_BEGIN_DECLS

/* The margin of a map that ranks in single precision: words whose changes differ by less than its rounding are
 * few. */
#define WW_SWAP_SINGLE_MARGIN 8

typedef struct
{
  gboolean (*evaluate) (WwSwap *swap, gsize rows, const double *y, const WwCancel *cancel,
                        double *ret_change, GError **error);
  /* ret_change: NaN where the definition gives no finite number. */
  gboolean (*confirm) (const WwSwap *swap, gsize token, gsize count, const double *deltas,
                       const WwCancel *cancel, double *ret_change, GError **error);
  void (*free) (WwSwap *swap);
  gsize margin; /* places by which rounding may move a row in a ranking */
} WwSwapClass;

struct _WwSwap
{
  const WwSwapClass *class;
  gsize d, first, count, height;
  const double *x; /* count x d: the rows that are replaced; owned by the map */
};

/* How many rows of `work` multiplications each make one tile. */
gsize ww_swap_choose_height (double work);

G_END_DECLS

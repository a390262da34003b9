#include "ww-bound.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ww-attention-private.h"
#include "ww-bound-rows.h"
#include "ww-bound-slices.h"

/* What rounding can take away, relative to the bound and to ||phi||. The bounds are sums of squares and
 * products in double precision, good to some d times 1e-16 of their size, d at most 65,536. Where a
 * system P v = n is nearly singular, its computed solution is that of (P + E) v = n with |E| some
 * m times 1e-16 of |P| (Cholesky factors are backward stable); since P + E is at most P + |E|, the
 * value is at least the bound at g + |E| less |E| R^2, which again is such a part of it. The second term
 * covers the rounding of ||phi(X') - phi(X)|| by whoever evaluates it. */
#define ROUNDING 1e-9
#define ROUNDING_OF_FEATURES 1e-12

gboolean
ww_attention_bound (const WwAttention *attention, gsize token, double radius, WwBoundEffort effort,
                    double found, const WwCancel *cancel, double *ret_bound, GError **error)
{
  g_return_val_if_fail (attention != NULL && ret_bound != NULL, FALSE);

  g_auto (WwBoundRows) rows = { 0 };

  if (!ww_attention_check_token (attention, token, error) || !ww_search_check_radius (radius, error)
      || !ww_attention_check_norm (attention, error)
      || !ww_bound_rows_init (&rows, attention, token, radius, cancel, error))
    return FALSE;

  double change2 = MIN (ww_bound_triangle (&rows), ww_bound_quadratic (&rows));
  double enough = found > 0 ? found * attention->norm * found * attention->norm : 0;
  if (effort == WW_BOUND_TIGHT && isfinite (change2)
      && !ww_bound_sliced (&rows, enough, cancel, &change2, error))
    return FALSE;

  double bound = sqrt (change2) / attention->norm;

  bound = bound * (1 + ROUNDING) + ROUNDING_OF_FEATURES;
  if (!isfinite (bound))
    {
      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                           _("The bound of the word sensitivity overflows"));
      return FALSE;
    }
  *ret_bound = bound;
  return TRUE;
}

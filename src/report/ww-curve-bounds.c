#include "ww-curve-bounds.h"

#include <glib/gi18n-lib.h>

gboolean
ww_curve_bounds_count (const WwCurveReport *report, gboolean visible, gsize *ret_bounded, gsize *ret_n)
{
  static const WwMap maps[] = { WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF };

  *ret_bounded = *ret_n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    if (!visible || !report->hidden[maps[i]])
      {
        gsize n;

        *ret_bounded += ww_curve_count_bounded (report->points, report->n_points, maps[i], &n);
        *ret_n += n;
      }

  return *ret_bounded > 0 || (report->provenance->bound != WW_SWEEP_BOUND_NONE && *ret_n > 0);
}

char *
ww_curve_bounds_describe (const WwCurveReport *report, gboolean drawn)
{
  gsize bounded, n;

  if (!ww_curve_bounds_count (report, TRUE, &bounded, &n))
    return NULL;
  if (bounded == n)
    return g_strdup (_("thin line: certified upper bound, which no trial exceeds"));
  if (!drawn)
    /* Translators: of all points of the curve, how many have a bound; the number of all decides on the plural. */
    return g_strdup_printf (ngettext ("certified upper bounds: %zu of %zu point has one, too few for a line",
                                      "certified upper bounds: %zu of %zu points have one, too few for a line", n),
                            bounded, n);

  /* Translators: of all points of the curve, how many have a bound; the number of all decides on the plural. */
  return g_strdup_printf (ngettext ("thin line: certified upper bound, where all trials have one "
                                    "(%zu of %zu point has)",
                                    "thin line: certified upper bound, where all trials have one "
                                    "(%zu of %zu points have)", n),
                          bounded, n);
}

char *
ww_curve_bounds_get_fact (const WwCurveReport *report)
{
  gsize bounded, n;

  if (!ww_curve_bounds_count (report, FALSE, &bounded, &n) || bounded == n)
    return NULL;

  return g_strdup_printf ("upper bounds: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " points", bounded, n);
}

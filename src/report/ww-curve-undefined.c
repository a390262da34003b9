#include "ww-curve-undefined.h"

#include <glib/gi18n-lib.h>

#include "ww-curve-theory.h"

/* Over all d of a figure, since its note speaks of the figure. */
static char *
describe_map (const WwCurveReport *report, WwMap map)
{
  g_autofree char *name = NULL;
  gsize measured, undefined = ww_curve_count_undefined (report->points, report->n_points, map, &measured);

  if (undefined == 0)
    return NULL;

  name = ww_curve_report_name_map (report, map);
  /* Translators: a count, the trials that there are (which decide on the plural), the name of a map. */
  return g_strdup_printf (ngettext ("%u of %u trial undefined for %s: all features zero",
                                    "%u of %u trials undefined for %s: all features zero", measured),
                          (guint) undefined, (guint) measured, name);
}

char *
ww_curve_report_describe_undefined (const WwCurveReport *report)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  g_return_val_if_fail (report != NULL && report->provenance != NULL, NULL);

  for (guint map = 0; map < WW_N_MAPS; map++)
    {
      char *part = report->hidden[map] ? NULL : describe_map (report, (WwMap) map);

      if (part != NULL)
        g_ptr_array_add (parts, part);
    }
  if (parts->len == 0)
    return NULL;

  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("; ", (char **) parts->pdata);
}

#include "ww-search.h"

#include <glib/gi18n-lib.h>
#include <math.h>

gboolean
ww_search_check_radius (double radius, GError **error)
{
  if (isfinite (radius) && radius > 0 && radius <= WW_MAX_RADIUS)
    return TRUE;

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
               _("The radius must be above 0 and at most %d, not %g"), WW_MAX_RADIUS, radius);
  return FALSE;
}

void
ww_search_result_free (WwSearchResult *result)
{
  if (result == NULL)
    return;

  g_free (result->delta);
  g_free (result->per_token);
  g_free (result->in_full);
  g_free (result);
}

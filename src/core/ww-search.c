#include "ww-search.h"

void
ww_search_result_free (WwSearchResult *result)
{
  if (result == NULL)
    return;

  g_free (result->delta);
  g_free (result->per_token);
  g_free (result);
}

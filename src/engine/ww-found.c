#include "ww-found.h"

#include <math.h>

typedef struct
{
  WwFound found; /* first, so that the public pointer is the private one */
  gatomicrefcount ref_count;
} FoundBox;

WwFound *
ww_found_ref (WwFound *found)
{
  g_return_val_if_fail (found != NULL, NULL);

  g_atomic_ref_count_inc (&((FoundBox *) found)->ref_count);
  return found;
}

void
ww_found_unref (WwFound *found)
{
  if (found == NULL || !g_atomic_ref_count_dec (&((FoundBox *) found)->ref_count))
    return;

  g_free (found->unit);
  g_free (found);
}

WwFound *
ww_found_new (const WwSearchResult *result, const WwTarget *target, WwEffort effort)
{
  FoundBox *box = g_new0 (FoundBox, 1);

  box->found.map = target->map;
  box->found.token = target->token;
  box->found.effort = effort;
  box->found.by = effort;
  box->found.ws = result->ws;
  box->found.evaluations = result->evaluations;
  box->found.d = result->d;
  box->found.unit = g_new0 (double, result->d);
  for (gsize i = 0; i < result->d && result->delta_norm > 0.0; i++)
    box->found.unit[i] = result->delta[i] / result->delta_norm;
  g_atomic_ref_count_init (&box->ref_count);

  return &box->found;
}

WwFound *
ww_found_new_undefined (const WwTarget *target, WwEffort effort)
{
  FoundBox *box = g_new0 (FoundBox, 1);

  box->found.map = target->map;
  box->found.token = target->token;
  box->found.effort = effort;
  box->found.by = effort;
  box->found.ws = NAN;
  g_atomic_ref_count_init (&box->ref_count);

  return &box->found;
}

WwFound *
ww_found_confirm (const WwFound *found, const WwFound *longer)
{
  FoundBox *box = g_new0 (FoundBox, 1);

  box->found = *found;
  box->found.unit = g_memdup2 (found->unit, found->d * sizeof *found->unit);
  box->found.effort = MAX (found->effort, longer->effort);
  box->found.evaluations = found->evaluations + longer->evaluations;
  g_atomic_ref_count_init (&box->ref_count);

  return &box->found;
}

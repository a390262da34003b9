#include "ww-types.h"

#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (ww-core-error-quark, ww_core_error)

static const char *const map_ids[WW_N_MAPS] = { "rf", "relu-raf", "raf", "drf" };
static const char *const map_names[WW_N_MAPS] = { "RF", "ReLU-RAF", "softmax-RAF", "DRF" };
static const char *const effort_ids[WW_N_EFFORTS] = { "quick", "normal", "thorough" };
static const char *const normalisation_ids[WW_N_NORMALISATIONS] = { "paper", "none", "centre" };

/* The position of `id` in `ids`, or -1. */
static int
find_id (const char *id, const char *const *ids, int n_ids)
{
  if (id == NULL)
    return -1;

  for (int i = 0; i < n_ids; i++)
    if (g_str_equal (id, ids[i]))
      return i;

  return -1;
}

const char *
ww_map_get_id (WwMap map)
{
  g_return_val_if_fail ((guint) map < WW_N_MAPS, NULL);

  return map_ids[map];
}

const char *
ww_map_get_name (WwMap map)
{
  g_return_val_if_fail ((guint) map < WW_N_MAPS, NULL);

  return map_names[map];
}

gboolean
ww_map_from_id (const char *id, WwMap *ret_map)
{
  int found = find_id (id, map_ids, WW_N_MAPS);

  if (found < 0)
    return FALSE;

  *ret_map = (WwMap) found;
  return TRUE;
}

const char *
ww_effort_get_id (WwEffort effort)
{
  g_return_val_if_fail ((guint) effort < WW_N_EFFORTS, NULL);

  return effort_ids[effort];
}

gboolean
ww_effort_from_id (const char *id, WwEffort *ret_effort)
{
  int found = find_id (id, effort_ids, WW_N_EFFORTS);

  if (found < 0)
    return FALSE;

  *ret_effort = (WwEffort) found;
  return TRUE;
}

const char *
ww_normalisation_get_id (WwNormalisation normalisation)
{
  g_return_val_if_fail ((guint) normalisation < WW_N_NORMALISATIONS, NULL);

  return normalisation_ids[normalisation];
}

gboolean
ww_normalisation_from_id (const char *id, WwNormalisation *ret_normalisation)
{
  int found = find_id (id, normalisation_ids, WW_N_NORMALISATIONS);

  if (found < 0)
    return FALSE;

  *ret_normalisation = (WwNormalisation) found;
  return TRUE;
}

gboolean
ww_cancel_check (const WwCancel *cancel, GError **error)
{
  if (!ww_cancel_is_raised (cancel))
    return FALSE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED, _("The computation was cancelled"));
  return TRUE;
}

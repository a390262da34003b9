#include "test-util.h"

#include "ww-core.h"

static void
test_ids (void)
{
  static const char *const maps[] = { "rf", "relu-raf", "raf", "drf" };
  static const char *const names[] = { "RF", "ReLU-RAF", "softmax-RAF", "DRF" };
  static const char *const efforts[] = { "quick", "normal", "thorough" };
  static const char *const normalisations[] = { "paper", "none", "centre" };

  for (int i = 0; i < WW_N_MAPS; i++)
    {
      WwMap map = WW_MAP_RF;

      g_assert_cmpstr (ww_map_get_id ((WwMap) i), ==, maps[i]);
      g_assert_cmpstr (ww_map_get_name ((WwMap) i), ==, names[i]);
      g_assert_true (ww_map_from_id (maps[i], &map));
      g_assert_cmpint (map, ==, i);
    }
  for (int i = 0; i < WW_N_EFFORTS; i++)
    {
      WwEffort effort = WW_EFFORT_QUICK;

      g_assert_cmpstr (ww_effort_get_id ((WwEffort) i), ==, efforts[i]);
      g_assert_true (ww_effort_from_id (efforts[i], &effort));
      g_assert_cmpint (effort, ==, i);
    }
  for (int i = 0; i < WW_N_NORMALISATIONS; i++)
    {
      WwNormalisation normalisation = WW_NORMALISATION_PAPER;

      g_assert_cmpstr (ww_normalisation_get_id ((WwNormalisation) i), ==, normalisations[i]);
      g_assert_true (ww_normalisation_from_id (normalisations[i], &normalisation));
      g_assert_cmpint (normalisation, ==, i);
    }
}

/* An unknown word leaves the result as it was. */
static void
test_unknown_ids (void)
{
  static const char *const words[] = { "", "RF", "raf ", "softmax-RAF", "DRF", "quick!", "Paper", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      WwMap map = WW_MAP_SOFTMAX_RAF;
      WwEffort effort = WW_EFFORT_THOROUGH;
      WwNormalisation normalisation = WW_NORMALISATION_CENTRE;

      g_assert_false (ww_map_from_id (words[i], &map));
      g_assert_false (ww_effort_from_id (words[i], &effort));
      g_assert_false (ww_normalisation_from_id (words[i], &normalisation));
      g_assert_cmpint (map, ==, WW_MAP_SOFTMAX_RAF);
      g_assert_cmpint (effort, ==, WW_EFFORT_THOROUGH);
      g_assert_cmpint (normalisation, ==, WW_NORMALISATION_CENTRE);
    }
}

static void
test_cancel (void)
{
  g_autoptr (GError) error = NULL;
  WwCancel cancel = { 0 };

  g_assert_false (ww_cancel_is_raised (NULL));
  g_assert_false (ww_cancel_check (NULL, &error));
  g_assert_false (ww_cancel_check (&cancel, &error));
  g_assert_no_error (error);

  ww_cancel_set (&cancel, TRUE);
  g_assert_true (ww_cancel_is_raised (&cancel));
  g_assert_true (ww_cancel_check (&cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_assert_true (ww_cancel_check (&cancel, NULL));

  ww_cancel_set (&cancel, FALSE);
  g_assert_false (ww_cancel_is_raised (&cancel));
}

static void
test_result_free (void)
{
  WwSearchResult *result = g_new0 (WwSearchResult, 1);

  result->delta = g_new0 (double, 3);
  result->per_token = g_new0 (double, 2);
  ww_search_result_free (result);
  ww_search_result_free (NULL);
  g_assert_cmpuint (ww_core_error_quark (), ==, WW_CORE_ERROR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/types/ids", test_ids);
  g_test_add_func ("/types/unknown-ids", test_unknown_ids);
  g_test_add_func ("/types/cancel", test_cancel);
  g_test_add_func ("/types/result-free", test_result_free);

  return g_test_run ();
}

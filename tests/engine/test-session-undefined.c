/* Contexts without features: one map is undefined, everything else works on. */
#include "session-fixture.h"

/* In one dimension every row is 1 or -1; all are 1 here, so that ReLU-RAF is undefined wherever W < 0. The
 * seed has the other sign in its second trial. */
static guint64
find_seed (gboolean undefined)
{
  for (guint64 seed = 1; seed < 100; seed++)
    {
      g_autoptr (WwMatrix) first = ww_random_w (1, seed, 0, NULL);
      g_autoptr (WwMatrix) second = ww_random_w (1, seed, 1, NULL);

      if ((first->data[0] < 0) == undefined && (second->data[0] < 0) != undefined)
        return seed;
    }

  g_assert_not_reached ();
}

static void
set_up_narrow (Fixture *fixture, gconstpointer data)
{
  set_up_empty (fixture, data);
  g_assert_true (g_file_set_contents (fixture->path, "4 1\na 1\nb 2\nc 3\nd 4\n", -1, NULL));
  g_object_set (fixture->session, "text", "a b c d", "n-min", 2, "n-max", 4, "n-points", 3, "trials", 6,
                "features", 64, "seed", find_seed (TRUE), NULL);
  open_path (fixture, fixture->path);
}

static void
wait_curve (Fixture *fixture)
{
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE
            || ww_session_get_curve_state (fixture->session) == WW_STATE_FAILED);
  g_assert_cmpint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_DONE);
}

static void
test_curve (Fixture *fixture, gconstpointer data)
{
  const WwCurve *curve;
  gsize n = 0, undefined;

  wait_curve (fixture);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, ==, curve->n_expected);
  g_assert_cmpuint (curve->n_points, ==, 3 * 3 * 6);
  undefined = ww_curve_count_undefined (curve->points, curve->n_points, WW_MAP_RELU_RAF, &n);
  g_assert_cmpuint (n, ==, 18);
  g_assert_cmpuint (undefined, >=, 3);
  g_assert_cmpuint (undefined, <, 18);
  g_assert_cmpuint (ww_curve_count_undefined (curve->points, curve->n_points, WW_MAP_SOFTMAX_RAF, NULL), ==, 0);

  /* Undefined points have no bound and are not waited for. */
  g_object_set (fixture->session, "bound", WW_SWEEP_BOUND_QUICK, NULL);
  wait_curve (fixture);
  g_assert_cmpfloat (ww_session_get_curve_progress (fixture->session), ==, 1.0);
  curve = ww_session_get_curve (fixture->session);
  for (gsize i = 0; i < curve->n_points; i++)
    if (curve->points[i].map != WW_MAP_RF)
      g_assert_cmpint (isnan (curve->points[i].upper_bound), ==, isnan (curve->points[i].ws));

  /* Everything is known: asked again, it is there at once. */
  g_object_set (fixture->session, "bound", WW_SWEEP_BOUND_NONE, NULL);
  wait_curve (fixture);
  g_object_set (fixture->session, "bound", WW_SWEEP_BOUND_QUICK, NULL);
  wait_curve (fixture);
  g_assert_cmpfloat (ww_session_get_curve_progress (fixture->session), ==, 1.0);
}

static void
test_perturb (Fixture *fixture, gconstpointer data)
{
  const WwNudge *nudge;
  WwSensitivity *sensitivity;

  g_object_set (fixture->session, "perturb-active", TRUE, "direction-map", WW_MAP_SOFTMAX_RAF, "sensitivity-map",
                WW_MAP_RELU_RAF, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE);
  nudge = ww_session_get_nudge (fixture->session);
  g_assert_nonnull (nudge->after[WW_MAP_RELU_RAF]);
  g_assert_true (isnan (nudge->change[WW_MAP_RELU_RAF]));
  g_assert_true (isfinite (nudge->change[WW_MAP_SOFTMAX_RAF]));
  g_assert_true (isfinite (nudge->change[WW_MAP_RF]));

  /* The read-outs of the other maps come, behind the one that has none. */
  WAIT_FOR (isfinite (ww_session_get_found_ws (fixture->session, WW_MAP_SOFTMAX_RAF))
            && isfinite (ww_session_get_found_ws (fixture->session, WW_MAP_RF)));
  g_assert_true (isnan (ww_session_get_found_ws (fixture->session, WW_MAP_RELU_RAF)));

  /* Every token of the strip is known, to be undefined. */
  WAIT_FOR ((sensitivity = ww_session_get_sensitivity (fixture->session)) != NULL
            && sensitivity->n_known == sensitivity->n);
  g_assert_cmpuint (sensitivity->n, ==, 4);
  for (gsize i = 0; i < 4; i++)
    g_assert_true (isinf (sensitivity->ws[i]));
}

/* There is no worst direction for a map without features; another seed has one again. */
static void
test_worst (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "perturb-active", TRUE, "direction-map", WW_MAP_RELU_RAF, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_FAILED);
  g_assert_nonnull (strstr (ww_session_get_part_message (fixture->session, WW_PART_NUDGE), "ReLU-RAF"));
  WAIT_FOR (isfinite (ww_session_get_found_ws (fixture->session, WW_MAP_RF)));

  g_object_set (fixture->session, "direction", WW_DIRECTION_RANDOM, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE);

  g_object_set (fixture->session, "direction", WW_DIRECTION_WORST, "seed", find_seed (FALSE), NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE);
  g_assert_true (isfinite (ww_session_get_nudge (fixture->session)->change[WW_MAP_RELU_RAF]));
}

int
main (int argc, char **argv)
{
  const SessionCase cases[] = {
    { "/session/undefined/curve", set_up_narrow, test_curve },
    { "/session/undefined/perturb", set_up_narrow, test_perturb },
    { "/session/undefined/worst", set_up_narrow, test_worst },
  };

  return run_cases (argc, argv, cases, G_N_ELEMENTS (cases));
}

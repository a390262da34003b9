/* Which maps a curve has, DRF among them, upper bounds, and what is not measured twice. */
#include "session-fixture.h"

#define MAIN_POINTS (3 * 3 * 2) /* maps, lengths, trials of the fixture */

static void
wait_curve (Fixture *fixture)
{
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
}

static guint
count_map (const WwCurve *curve, WwMap map)
{
  guint n = 0;

  for (gsize i = 0; i < curve->n_points; i++)
    n += curve->points[i].map == map;

  return n;
}

static const WwCurvePoint *
find_point (const WwCurve *curve, WwMap map, gsize n, guint trial)
{
  for (gsize i = 0; i < curve->n_points; i++)
    if (curve->points[i].map == map && curve->points[i].n == n && curve->points[i].trial == trial)
      return &curve->points[i];

  return NULL;
}

/* How many points there were at each change of the curve. */
static void
count_changes (WwSession *session, GParamSpec *pspec, gpointer user_data)
{
  GArray *sizes = user_data;
  gsize n = ww_session_get_curve (session)->n_points;

  g_array_append_val (sizes, n);
}

static void
test_drf (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gsize));
  const WwCurve *curve;
  const WwCurvePoint *point;
  g_autoptr (WwMatrix) raw = NULL;
  g_autoptr (WwTokens) head = NULL;
  g_autoptr (WwMatrix) x = NULL;
  g_autoptr (WwDrf) drf = NULL;
  g_autoptr (WwSearchResult) result = NULL;
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_QUICK, .seed = 1, .trial = 1 };
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);

  g_signal_connect (fixture->session, "notify::curve", G_CALLBACK (count_changes), sizes);
  g_object_set (fixture->session, "maps", WW_ALL_MAP_BITS, "depth", 2, "width", 32, NULL);
  wait_curve (fixture);
  g_signal_handlers_disconnect_by_data (fixture->session, sizes);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, ==, MAIN_POINTS + 6);
  g_assert_cmpuint (curve->n_expected, ==, curve->n_points);
  g_assert_cmpuint (count_map (curve, WW_MAP_DRF), ==, 6);
  /* The other maps were there from the first change on. */
  g_assert_cmpuint (g_array_index (sizes, gsize, 0), >=, MAIN_POINTS);

  point = find_point (curve, WW_MAP_DRF, 20, 1);
  g_assert_nonnull (point);
  g_assert_cmpuint (point->k, ==, 32);
  head = ww_tokens_head (inputs->rows, 20);
  raw = ww_set_get_context (inputs->set, head, inputs->layer, NULL);
  x = ww_context_prepare (raw, 0, WW_NORMALISATION_PAPER, NULL);
  drf = ww_drf_new_drawn (x, 0, 2, 32, 1, 1, NULL, NULL);
  result = ww_drf_search (drf, &settings, NULL, NULL);
  g_assert_nonnull (result);
  g_assert_cmpfloat (point->ws, ==, result->ws);

  /* Another depth touches DRF alone. */
  g_object_set (fixture->session, "depth", 3, NULL);
  wait_curve (fixture);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, ==, MAIN_POINTS + 6);
  g_assert_cmpfloat (find_point (curve, WW_MAP_DRF, 20, 1)->ws, !=, result->ws);
  g_assert_cmpuint (curve->inputs->depth, ==, 3);
}

static void
test_fewer_maps (Fixture *fixture, gconstpointer data)
{
  const WwCurve *curve;

  g_object_set (fixture->session, "maps", WW_MAP_BIT (WW_MAP_SOFTMAX_RAF), NULL);
  wait_curve (fixture);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, ==, MAIN_POINTS / 3);
  g_assert_cmpuint (count_map (curve, WW_MAP_SOFTMAX_RAF), ==, curve->n_points);
  g_assert_cmpuint (curve->n_expected, ==, curve->n_points);

  ww_session_undo (fixture->session);
  wait_curve (fixture);
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->maps, ==, WW_MAIN_MAP_BITS);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->n_points, ==, MAIN_POINTS);
}

/* More trials keep those that there are; a new seed keeps nothing, and neither does a restart. */
static void
test_points_are_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (WwCurve) before = ww_curve_ref (ww_session_get_curve (fixture->session));
  const WwCurve *curve;

  g_signal_connect (fixture->session, "notify::curve", G_CALLBACK (count_changes), sizes);
  g_object_set (fixture->session, "trials", 3, NULL);
  wait_curve (fixture);
  g_assert_cmpuint (g_array_index (sizes, gsize, 0), >=, MAIN_POINTS);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, ==, MAIN_POINTS / 2 * 3);
  for (gsize i = 0; i < before->n_points; i++)
    {
      const WwCurvePoint *old = &before->points[i];

      g_assert_cmpfloat (find_point (curve, old->map, old->n, old->trial)->ws, ==, old->ws);
    }

  g_signal_handlers_disconnect_by_data (fixture->session, sizes);

  g_object_set (fixture->session, "seed", (guint64) 5, NULL);
  wait_curve (fixture);
  curve = ww_session_get_curve (fixture->session);
  for (gsize i = 0; i < curve->n_points; i++)
    g_assert_cmpuint (curve->points[i].seed, ==, 5);

  ww_session_restart_curve (fixture->session);
  g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_WORKING);
  wait_curve (fixture);
}

static guint
count_bounds (const WwCurve *curve)
{
  guint n = 0;

  for (gsize i = 0; i < curve->n_points; i++)
    {
      const WwCurvePoint *point = &curve->points[i];

      if (isnan (point->upper_bound))
        continue;
      g_assert_true (point->map == WW_MAP_SOFTMAX_RAF || point->map == WW_MAP_RELU_RAF);
      g_assert_cmpfloat (point->upper_bound, >=, point->ws);
      n++;
    }

  return n;
}

static void
test_bounds (Fixture *fixture, gconstpointer data)
{
  double quick, tight;

  g_assert_cmpuint (count_bounds (ww_session_get_curve (fixture->session)), ==, 0);

  g_object_set (fixture->session, "bound", WW_SWEEP_BOUND_QUICK, NULL);
  wait_curve (fixture);
  g_assert_cmpuint (count_bounds (ww_session_get_curve (fixture->session)), ==, MAIN_POINTS / 3 * 2);
  g_assert_cmpfloat (ww_session_get_curve_progress (fixture->session), ==, 1);
  quick = find_point (ww_session_get_curve (fixture->session), WW_MAP_SOFTMAX_RAF, 20, 0)->upper_bound;

  g_object_set (fixture->session, "bound", WW_SWEEP_BOUND_TIGHT, NULL);
  wait_curve (fixture);
  g_assert_cmpuint (count_bounds (ww_session_get_curve (fixture->session)), ==, MAIN_POINTS / 3 * 2);
  tight = find_point (ww_session_get_curve (fixture->session), WW_MAP_SOFTMAX_RAF, 20, 0)->upper_bound;
  g_assert_cmpfloat (tight, <=, quick);

  /* None shown where none is asked for, and there again at once. */
  g_object_set (fixture->session, "bound", WW_SWEEP_BOUND_NONE, NULL);
  wait_curve (fixture);
  g_assert_cmpuint (count_bounds (ww_session_get_curve (fixture->session)), ==, 0);
  g_object_set (fixture->session, "bound", WW_SWEEP_BOUND_TIGHT, NULL);
  g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_DONE);
  g_assert_cmpuint (count_bounds (ww_session_get_curve (fixture->session)), ==, MAIN_POINTS / 3 * 2);
}

/* The points come first. */
static void
test_bounds_come_last (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "seed", (guint64) 3, "bound", WW_SWEEP_BOUND_QUICK, NULL);
  WAIT_FOR (ww_session_get_curve (fixture->session)->inputs->seed == 3
            && count_bounds (ww_session_get_curve (fixture->session)) > 0);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->n_points, ==, MAIN_POINTS);
  wait_curve (fixture);
}

int
main (int argc, char **argv)
{
  static const SessionCase cases[] = {
    { "/session/maps/drf", set_up_ready, test_drf },
    { "/session/maps/fewer", set_up_ready, test_fewer_maps },
    { "/session/maps/points-are-kept", set_up_ready, test_points_are_kept },
    { "/session/maps/bounds", set_up_ready, test_bounds },
    { "/session/maps/bounds-come-last", set_up_ready, test_bounds_come_last },
  };

  return run_cases (argc, argv, cases, G_N_ELEMENTS (cases));
}

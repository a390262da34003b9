/* The session's curves and nudges against straight calls of core, and what happens in between. */
#include "session-fixture.h"

static void
wait_curve (Fixture *fixture)
{
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
}

static void
wait_nudge (Fixture *fixture)
{
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE);
}

static void
activate (Fixture *fixture)
{
  g_object_set (fixture->session, "perturb-active", TRUE, NULL);
  wait_nudge (fixture);
}

/* The raw rows of the session's text. */
static WwMatrix *
get_raw (Fixture *fixture)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  WwMatrix *raw = ww_set_get_context (inputs->set, inputs->rows, inputs->layer, NULL);

  g_assert_nonnull (raw);
  return raw;
}

/* ---- Curves ---- */

/* The same points, in the same order, as a straight run over all slices. */
static void
assert_curve_is_straight (Fixture *fixture)
{
  const WwCurve *curve = ww_session_get_curve (fixture->session);
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  g_autoptr (WwMatrix) raw = inputs->synthetic ? NULL : get_raw (fixture);
  g_autoptr (WwSweep) sweep = NULL;
  gsize d = ww_inputs_get_d (inputs);
  WwSweepSettings settings = {
    .maps = { WW_MAP_RF, WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF },
    .n_maps = 3,
    .lengths = curve->lengths,
    .n_lengths = curve->n_lengths,
    .dims = &d,
    .n_dims = 1,
    .trials = inputs->trials,
    .seed = inputs->seed,
    .token = inputs->token_all ? WW_TOKEN_ALL : 0,
    .radius = inputs->radius,
    .effort = (WwEffort) inputs->effort,
    .features = inputs->features,
    .normalisation = (WwNormalisation) inputs->normalisation,
  };

  sweep = ww_sweep_new (&settings, raw, NULL);
  g_assert_nonnull (sweep);
  g_assert_cmpuint (curve->n_points, ==, ww_sweep_get_n_slices (sweep));
  g_assert_cmpuint (curve->n_points, ==, 3 * curve->n_lengths * inputs->trials);
  g_assert_cmpuint (curve->n_expected, ==, curve->n_points);
  for (gsize i = 0; i < curve->n_points; i++)
    {
      WwCurvePoint point;

      g_assert_true (ww_sweep_run_slice (sweep, i, NULL, &point, NULL));
      g_assert_cmpuint (curve->points[i].map, ==, point.map);
      g_assert_cmpuint (curve->points[i].n, ==, point.n);
      g_assert_cmpuint (curve->points[i].trial, ==, point.trial);
      g_assert_cmpuint (curve->points[i].token, ==, point.token);
      g_assert_cmpfloat (curve->points[i].ws, ==, point.ws);
    }
}

static void
test_curve (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->n_lengths, ==, 3);
  g_assert_cmpfloat (ww_session_get_curve_progress (fixture->session), ==, 1.0);
  g_assert_null (ww_session_get_curve_message (fixture->session));
  assert_curve_is_straight (fixture);
}

static void
test_curve_of_all_tokens (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "token-all", TRUE, "n-points", 2, "trials", 1, NULL);
  wait_curve (fixture);
  assert_curve_is_straight (fixture);
}

static void
test_curve_of_other_inputs (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "dims", 7, "radius", 0.5, "seed", (guint64) 9, "features", 32,
                "effort", WW_EFFORT_NORMAL, "normalisation", WW_NORMALISATION_CENTRE, NULL);
  wait_curve (fixture);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->points[0].d, ==, 7);
  assert_curve_is_straight (fixture);
}

static void
test_curve_without_a_set (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "synthetic", TRUE, "dims", 16, "n-max", 40, "n-points", 3,
                "trials", 2, "features", 64, NULL);
  wait_curve (fixture);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->points[0].d, ==, 16);
  assert_curve_is_straight (fixture);
}

static void
test_curve_ends_with_the_text (Fixture *fixture, gconstpointer data)
{
  const WwCurve *curve;

  g_object_set (fixture->session, "n-max", 250, NULL);
  wait_curve (fixture);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->lengths[0], ==, 4);
  g_assert_cmpuint (curve->lengths[curve->n_lengths - 1], ==, 20);
  g_assert_nonnull (strstr (ww_session_get_curve_message (fixture->session), "20"));

  /* Shorter than n-min: a curve all the same. */
  ww_session_set_text (fixture->session, "w1 w2 w3 w4");
  g_object_set (fixture->session, "n-min", 10, NULL);
  wait_curve (fixture);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->lengths[0], ==, 2);
  g_assert_cmpuint (curve->lengths[curve->n_lengths - 1], ==, 4);
}

static void
test_cancel_and_restart_curve (Fixture *fixture, gconstpointer data)
{
  WwCurve *curve;

  g_object_set (fixture->session, "trials", 400, NULL);
  WAIT_FOR (ww_session_get_curve (fixture->session)->n_expected == 3 * 3 * 400);
  ww_session_cancel_curve (fixture->session);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_CANCELLED);
  curve = ww_session_get_curve (fixture->session);
  g_assert_cmpuint (curve->n_points, <, curve->n_expected);
  run_ready ();
  g_assert_true (ww_session_get_curve (fixture->session) == curve);

  g_object_set (fixture->session, "trials", 2, NULL);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_WORKING);
  wait_curve (fixture);
  ww_session_restart_curve (fixture->session);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_WORKING);
  wait_curve (fixture);
  assert_curve_is_straight (fixture);
}

/* Never a point of other inputs among the new ones, and the old curve until the first of them. */
static void
assert_one_seed (WwSession *session, GParamSpec *pspec, gpointer user_data)
{
  const WwCurve *curve = ww_session_get_curve (session);
  guint *n_curves = user_data;

  g_assert_nonnull (curve);
  for (gsize i = 0; i < curve->n_points; i++)
    g_assert_cmpuint (curve->points[i].seed, ==, curve->inputs->seed);
  (*n_curves)++;
}

static void
test_changes_while_working (Fixture *fixture, gconstpointer data)
{
  guint n_curves = 0;

  g_signal_connect (fixture->session, "notify::curve", G_CALLBACK (assert_one_seed), &n_curves);
  for (guint64 seed = 2; seed <= 30; seed++)
    {
      g_object_set (fixture->session, "seed", seed, NULL);
      g_assert_nonnull (ww_session_get_curve (fixture->session));
      for (int i = 0; i < 3; i++)
        g_main_context_iteration (NULL, FALSE);
    }
  wait_curve (fixture);
  g_signal_handlers_disconnect_by_data (fixture->session, &n_curves);

  g_assert_cmpuint (n_curves, >=, 1);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->inputs->seed, ==, 30);
  assert_curve_is_straight (fixture);
}

static void
test_failed_curve (Fixture *fixture, gconstpointer data)
{
  /* All of the rows are equal: centred, they are zero. */
  g_object_set (fixture->session, "normalisation", WW_NORMALISATION_CENTRE, NULL);
  ww_session_set_text (fixture->session, "w1 w1 w1 w1 w1 w1");
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_FAILED);
  g_assert_nonnull (ww_session_get_curve_message (fixture->session));
  g_assert_null (ww_session_get_curve (fixture->session));

  ww_session_set_text (fixture->session, "w1 w2 w3 w4 w5 w6");
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_WORKING);
  wait_curve (fixture);
}

/* ---- Nudges ---- */

static void
assert_nudge_is (const WwNudge *nudge, const WwNudge *expected)
{
  g_assert_cmpuint (nudge->n, ==, expected->n);
  g_assert_cmpuint (nudge->d, ==, expected->d);
  g_assert_cmpuint (nudge->token, ==, expected->token);
  g_assert_cmpmem (nudge->delta, nudge->d * sizeof (double), expected->delta,
                   expected->d * sizeof (double));
  g_assert_cmpfloat (nudge->change[WW_MAP_SOFTMAX_RAF], ==, expected->change[WW_MAP_SOFTMAX_RAF]);
  g_assert_cmpfloat (nudge->change[WW_MAP_RELU_RAF], ==, expected->change[WW_MAP_RELU_RAF]);
  /* By the projection of the direction: the same up to rounding. */
  g_assert_cmpfloat_with_epsilon (nudge->change[WW_MAP_RF], expected->change[WW_MAP_RF], 1e-12);
}

/* What core says of the session's inputs; `direction` of norm 1. */
static WwNudge *
make_straight_nudge (Fixture *fixture, const double *direction)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  g_autoptr (WwMatrix) raw = get_raw (fixture);
  g_autoptr (WwMatrix) x = ww_context_prepare (raw, 0, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (x->cols, inputs->seed, 0, NULL);
  g_autoptr (WwAttention) softmax = ww_attention_new (WW_MAP_SOFTMAX_RAF, x, w, NULL);
  g_autoptr (WwAttention) relu = ww_attention_new (WW_MAP_RELU_RAF, x, w, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, inputs->token, inputs->features, inputs->seed, 0, NULL,
                                         NULL);
  g_autofree double *delta = g_new (double, x->cols);
  double norm = inputs->length * sqrt ((double) x->cols);
  WwNudge *nudge;

  for (gsize i = 0; i < x->cols; i++)
    delta[i] = norm * direction[i];
  nudge = ww_nudge_new (softmax, relu, rf, inputs->token, delta, NULL);
  g_assert_nonnull (nudge);

  return nudge;
}

static void
test_no_work_before_the_page (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "length", 0.3, "token", 2, NULL);
  run_ready ();
  g_assert_null (ww_session_get_nudge (fixture->session));
  g_assert_null (ww_session_get_sensitivity (fixture->session));
  g_assert_cmpuint (ww_session_get_perturb_tokens (fixture->session)->n, ==, 20);

  activate (fixture);
  g_assert_nonnull (ww_session_get_nudge (fixture->session));
}

static void
test_random_nudge (Fixture *fixture, gconstpointer data)
{
  double direction[FIXTURE_DIMS];
  g_autoptr (WwNudge) expected = NULL;

  g_object_set (fixture->session, "direction", WW_DIRECTION_RANDOM, "token", 4, "length", 0.7,
                NULL);
  activate (fixture);
  ww_random_direction (FIXTURE_DIMS, 1, 0, direction);
  expected = make_straight_nudge (fixture, direction);
  assert_nudge_is (ww_session_get_nudge (fixture->session), expected);
  g_assert_true (isnan (ww_session_get_direction_ws (fixture->session)));
}

static void
test_no_length_no_change (Fixture *fixture, gconstpointer data)
{
  const WwNudge *nudge;

  g_object_set (fixture->session, "length", 0.0, NULL);
  activate (fixture);
  nudge = ww_session_get_nudge (fixture->session);
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    g_assert_cmpfloat_with_epsilon (nudge->change[map], 0.0, 1e-12);
}

/* Colours keep their meaning while the length changes: those of the full length. */
static void
test_range_of_a_direction (Fixture *fixture, gconstpointer data)
{
  static const double lengths[] = { 0.0, 0.25, 0.8, 1.0 };
  WwNudgeRange range, other;

  g_object_set (fixture->session, "direction", WW_DIRECTION_RANDOM, "token", 3, "length", 0.5,
                NULL);
  activate (fixture);
  range = *ww_session_get_nudge_range (fixture->session);
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      const WwNudgeRange *now;

      g_object_set (fixture->session, "length", lengths[i], NULL);
      wait_nudge (fixture);
      now = ww_session_get_nudge_range (fixture->session);
      for (guint map = 0; map < WW_N_MAPS; map++)
        {
          g_assert_cmpfloat (now->weight[map], >=, range.weight[map]);
          g_assert_cmpfloat (now->weight[map], <=, 1.05 * range.weight[map]);
          g_assert_cmpfloat (now->change[map], >=, range.change[map]);
          g_assert_cmpfloat (now->change[map], <=, 1.05 * range.change[map]);
        }
    }
  g_assert_cmpfloat (range.change[WW_MAP_SOFTMAX_RAF], >, 0);
  g_assert_cmpfloat (range.weight[WW_MAP_RELU_RAF], >, 0);
  g_assert_cmpfloat (range.weight[WW_MAP_RF], ==, 0);

  g_object_set (fixture->session, "token", 4, NULL);
  wait_nudge (fixture);
  other = *ww_session_get_nudge_range (fixture->session);
  g_assert_cmpfloat (other.change[WW_MAP_SOFTMAX_RAF], !=, range.change[WW_MAP_SOFTMAX_RAF]);
}

static gboolean
is_refining (Fixture *fixture)
{
  gboolean refining;

  g_object_get (fixture->session, "direction-refining", &refining, NULL);
  return refining;
}

/* The worst direction: at full length the nudge does what the search found; a longer search follows
 * and never finds less. */
static void
test_worst_nudge (Fixture *fixture, gconstpointer data)
{
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    {
      double found;

      g_object_set (fixture->session, "direction-map", map, "token", 1 + map, NULL);
      activate (fixture);
      WAIT_FOR (!isnan (ww_session_get_direction_ws (fixture->session)));
      wait_nudge (fixture);
      found = ww_session_get_direction_ws (fixture->session);
      g_assert_cmpfloat_with_epsilon (ww_session_get_nudge (fixture->session)->change[map], found,
                                      1e-6 * found);
      g_assert_cmpuint (ww_session_get_direction_evaluations (fixture->session), >, 0);

      WAIT_FOR (!is_refining (fixture));
      wait_nudge (fixture);
      g_assert_cmpfloat (ww_session_get_direction_ws (fixture->session), >=, found);
      g_assert_cmpfloat_with_epsilon (ww_session_get_nudge (fixture->session)->change[map],
                                      ww_session_get_direction_ws (fixture->session), 1e-6 * found);
    }
}

/* The read-outs of the chosen token come for all maps. */
static void
test_found_of_all_maps (Fixture *fixture, gconstpointer data)
{
  activate (fixture);
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    WAIT_FOR (ww_session_get_found_ws (fixture->session, (WwMap) map) > 0.0);
  g_assert_cmpfloat (ww_session_get_found_ws (fixture->session, WW_MAP_SOFTMAX_RAF), ==,
                     ww_session_get_direction_ws (fixture->session));

  g_object_set (fixture->session, "token", 7, NULL);
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    WAIT_FOR (ww_session_get_found_ws (fixture->session, (WwMap) map) > 0.0);
}

/* Bounds follow what was found, the rough one first; another token has others, and so has another radius. */
static void
test_bounds_of_token (Fixture *fixture, gconstpointer data)
{
  const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };
  double first[G_N_ELEMENTS (maps)];

  activate (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      WAIT_FOR (!isnan (ww_session_get_bound_ws (fixture->session, maps[i])));
      first[i] = ww_session_get_bound_ws (fixture->session, maps[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      /* The tight one replaces it. */
      WAIT_FOR (ww_session_get_bound_ws (fixture->session, maps[i]) < 0.97 * first[i]
                || first[i] < 1.5 * ww_session_get_found_ws (fixture->session, maps[i]));
      g_assert_cmpfloat (ww_session_get_bound_ws (fixture->session, maps[i]), >=,
                         ww_session_get_found_ws (fixture->session, maps[i]));
    }
  g_assert_true (isnan (ww_session_get_bound_ws (fixture->session, WW_MAP_RF)));

  g_object_set (fixture->session, "token", 5, NULL);
  wait_nudge (fixture);
  WAIT_FOR (!isnan (ww_session_get_bound_ws (fixture->session, WW_MAP_RELU_RAF)));
  g_assert_cmpfloat (ww_session_get_bound_ws (fixture->session, WW_MAP_RELU_RAF), !=, first[1]);

  g_object_set (fixture->session, "radius", 0.4, NULL);
  ww_session_flush_nudge (fixture->session, 0);
  g_assert_true (isnan (ww_session_get_bound_ws (fixture->session, WW_MAP_SOFTMAX_RAF)));
  WAIT_FOR (ww_session_get_bound_ws (fixture->session, WW_MAP_SOFTMAX_RAF) > 0);
}

static void
count_nudges (WwSession *session, GParamSpec *pspec, gpointer user_data)
{
  guint *n = user_data;

  (*n)++;
}

/* A thousand moves of the slider in one breath: few results, the last of them exact. */
static void
test_slider_is_coalesced (Fixture *fixture, gconstpointer data)
{
  double direction[FIXTURE_DIMS];
  g_autoptr (WwNudge) expected = NULL;
  guint n_nudges = 0;

  g_object_set (fixture->session, "direction", WW_DIRECTION_RANDOM, NULL);
  activate (fixture);
  g_signal_connect (fixture->session, "notify::nudge", G_CALLBACK (count_nudges), &n_nudges);
  for (int i = 0; i <= 1000; i++)
    g_object_set (fixture->session, "length", i / 1000.0 * 0.9, NULL);
  wait_nudge (fixture);
  g_assert_cmpuint (n_nudges, ==, 1);

  /* The same with a main loop that runs in between. */
  for (int i = 1000; i >= 0; i--)
    {
      g_object_set (fixture->session, "length", 0.1 + i / 1000.0 * 0.8, NULL);
      g_main_context_iteration (NULL, FALSE);
    }
  wait_nudge (fixture);
  g_signal_handlers_disconnect_by_data (fixture->session, &n_nudges);
  g_assert_cmpuint (n_nudges, <, 500);

  g_assert_cmpfloat (ww_session_get_nudge_inputs (fixture->session)->length, ==, 0.1);
  ww_random_direction (FIXTURE_DIMS, 1, 0, direction);
  expected = make_straight_nudge (fixture, direction);
  assert_nudge_is (ww_session_get_nudge (fixture->session), expected);
}

static void
test_flush (Fixture *fixture, gconstpointer data)
{
  activate (fixture);
  for (int i = 1; i <= 20; i++)
    {
      g_object_set (fixture->session, "length", i / 40.0, NULL);
      g_assert_true (ww_session_flush_nudge (fixture->session, 10 * G_USEC_PER_SEC));
      g_assert_cmpfloat (ww_session_get_nudge_inputs (fixture->session)->length, ==, i / 40.0);
    }

  /* A direction that is not known is not waited for. */
  g_object_set (fixture->session, "token", 9, "direction-map", WW_MAP_RF, NULL);
  if (!ww_session_flush_nudge (fixture->session, 0))
    wait_nudge (fixture);
  g_assert_cmpuint (ww_session_get_nudge (fixture->session)->token, ==, 9);
}

/* Other rows: the nudge of the old ones is gone before the new tokens are there to be seen. */
static void
assert_rows_fit (WwSession *session, GParamSpec *pspec, gpointer user_data)
{
  const WwNudge *nudge = ww_session_get_nudge (session);
  const WwTokens *tokens = ww_session_get_perturb_tokens (session);

  if (nudge != NULL)
    {
      g_assert_nonnull (tokens);
      g_assert_cmpuint (nudge->n, ==, tokens->n);
    }
}

static void
test_other_rows (Fixture *fixture, gconstpointer data)
{
  activate (fixture);
  g_signal_connect (fixture->session, "notify", G_CALLBACK (assert_rows_fit), NULL);
  ww_session_set_text (fixture->session, "w5 w6 w7 w8 w9");
  wait_nudge (fixture);
  g_assert_cmpuint (ww_session_get_nudge (fixture->session)->n, ==, 5);
  g_object_set (fixture->session, "perturb-n", 3, NULL);
  wait_nudge (fixture);
  g_assert_cmpuint (ww_session_get_nudge (fixture->session)->n, ==, 3);
  ww_session_set_text (fixture->session, "w5");
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_EMPTY);
  g_assert_null (ww_session_get_nudge (fixture->session));
  g_assert_nonnull (ww_session_get_part_message (fixture->session, WW_PART_NUDGE));
  g_signal_handlers_disconnect_by_func (fixture->session, assert_rows_fit, NULL);
}

/* ---- The strip ---- */

/* Whatever the first results are, none of an unseen token comes before all that are seen. */
static void
assert_seen_first (WwSession *session, GParamSpec *pspec, gpointer user_data)
{
  const WwSensitivity *sensitivity = ww_session_get_sensitivity (session);
  gboolean seen_known = TRUE, unseen_known = FALSE;

  for (gsize i = 0; i < sensitivity->n; i++)
    if (i >= 8 && i <= 11)
      seen_known = seen_known && !isnan (sensitivity->ws[i]);
    else
      unseen_known = unseen_known || !isnan (sensitivity->ws[i]);
  g_assert_true (seen_known || !unseen_known);
}

static void
test_strip (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WwMatrix) raw = get_raw (fixture);
  g_autoptr (WwMatrix) x = ww_context_prepare (raw, 0, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (x->cols, 1, 0, NULL);

  ww_session_set_visible_tokens (fixture->session, 8, 11);
  g_signal_connect (fixture->session, "notify::sensitivity", G_CALLBACK (assert_seen_first), NULL);
  activate (fixture);
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    {
      const WwSensitivity *sensitivity;

      g_object_set (fixture->session, "sensitivity-map", map, NULL);
      WAIT_FOR (ww_session_get_sensitivity (fixture->session)->map == (WwMap) map
                && ww_session_get_sensitivity (fixture->session)->n_known == 20);
      sensitivity = ww_session_get_sensitivity (fixture->session);
      for (gsize i = 0; i < 20; i++)
        g_assert_cmpfloat (sensitivity->ws[i], >, 0.0);
      if (map != WW_MAP_RF)
        {
          g_autoptr (WwAttention) attention = ww_attention_new ((WwMap) map, x, w, NULL);
          WwSearchSettings settings = { 13, 1.0, WW_EFFORT_QUICK, 1, 0 };
          g_autoptr (WwSearchResult) result = ww_attention_search (attention, &settings, NULL, NULL,
                                                                   NULL, NULL);

          g_assert_cmpfloat (sensitivity->ws[13], ==, result->ws);
        }
    }
  g_signal_handlers_disconnect_by_func (fixture->session, assert_seen_first, NULL);
}

static void
count_steps_within (WwSession *session, GParamSpec *pspec, gpointer user_data)
{
  double progress = ww_session_get_curve_progress (session);
  guint *n = user_data;

  *n += progress > 0.0 && progress < 1.0;
}

/* The bar moves while a curve of one point is on its way. */
static void
test_progress_within_slice (Fixture *fixture, gconstpointer data)
{
  guint n = 0;

  g_signal_connect (fixture->session, "notify::curve-progress", G_CALLBACK (count_steps_within), &n);
  g_object_set (fixture->session, "synthetic", TRUE, "dims", 256, "n-min", 120, "n-max", 120, "n-points", 1,
                "trials", 1, "token-all", TRUE, "maps", WW_MAP_BIT (WW_MAP_SOFTMAX_RAF), NULL);
  wait_curve (fixture);
  g_assert_cmpuint (n, >, 1);
  g_assert_cmpfloat (ww_session_get_curve_progress (fixture->session), ==, 1.0);
  g_signal_handlers_disconnect_by_func (fixture->session, count_steps_within, &n);
}

/* The strip takes over what a longer search of a token finds, and says how long each was. */
static void
test_strip_follows_found (Fixture *fixture, gconstpointer data)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

  for (guint m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      const WwSensitivity *sensitivity;
      gsize token = 5 + m;

      g_object_set (fixture->session, "sensitivity-map", maps[m], "direction-map", maps[m], "token",
                    (guint) token, NULL);
      activate (fixture);
      WAIT_FOR (ww_session_get_sensitivity (fixture->session)->map == maps[m]
                && ww_session_get_sensitivity (fixture->session)->n_known == 20);
      WAIT_FOR (!is_refining (fixture));

      sensitivity = ww_session_get_sensitivity (fixture->session);
      g_assert_cmpfloat (sensitivity->ws[token], ==,
                         ww_session_get_found_ws (fixture->session, maps[m]));
      g_assert_cmpint (sensitivity->efforts[token], >, WW_EFFORT_QUICK);
      g_assert_cmpint (sensitivity->efforts[token + 3], ==, WW_EFFORT_QUICK);
    }
}

/* A strip that has much to do does not stop the curve: both end, in whatever order. */
static void
test_strip_and_curve_share (Fixture *fixture, gconstpointer data)
{
  activate (fixture);
  g_object_set (fixture->session, "seed", (guint64) 8, "trials", 4, NULL);
  wait_curve (fixture);
  WAIT_FOR (ww_session_get_sensitivity (fixture->session)->n_known == 20);
  assert_curve_is_straight (fixture);
}

/* ---- Endings ---- */

static void
test_dispose_while_working (Fixture *fixture, gconstpointer data)
{
  gint64 begun;

  g_object_set (fixture->session, "perturb-active", TRUE, "trials", 1000, "effort",
                WW_EFFORT_THOROUGH, "seed", (guint64) 4, NULL);
  WAIT_FOR (ww_session_get_curve (fixture->session)->inputs->seed == 4);
  begun = g_get_monotonic_time ();
  g_assert_finalize_object (g_steal_pointer (&fixture->session));
  g_test_message ("disposed in %.1f ms", (double) (g_get_monotonic_time () - begun) / 1000.0);
  /* The cancel flag is polled every 20 ms; the rest is what a busy machine may add. */
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 2 * G_USEC_PER_SEC);
}

static void
test_dispose_while_loading (Fixture *fixture, gconstpointer data)
{
  ww_session_open_builtin (fixture->session, NULL);
  g_assert_finalize_object (g_steal_pointer (&fixture->session));
}

/* ---- The sample, as a new user meets it ---- */

static void
test_sample (Fixture *fixture, gconstpointer data)
{
  gsize n_texts;
  const WwExampleText *texts = ww_example_texts_get (&n_texts);

  g_assert_cmpuint (n_texts, >, 0);
  g_object_set (fixture->session, "text", texts[0].text, "n-max", 20, "n-points", 2, "trials", 1,
                "features", 256, "perturb-n", 16, NULL);
  ww_session_open_builtin (fixture->session, NULL);
  wait_curve (fixture);
  assert_curve_is_straight (fixture);

  activate (fixture);
  g_assert_cmpuint (ww_session_get_nudge (fixture->session)->n, ==, 16);
  g_assert_cmpfloat (ww_session_get_nudge (fixture->session)->change[WW_MAP_SOFTMAX_RAF], >, 0.0);
}

int
main (int argc, char **argv)
{
  static const SessionCase cases[] = {
    { "/session/curve", set_up_ready, test_curve },
    { "/session/curve-of-all-tokens", set_up_ready, test_curve_of_all_tokens },
    { "/session/curve-of-other-inputs", set_up_ready, test_curve_of_other_inputs },
    { "/session/curve-without-a-set", set_up_empty, test_curve_without_a_set },
    { "/session/curve-ends-with-the-text", set_up_ready, test_curve_ends_with_the_text },
    { "/session/cancel-and-restart-curve", set_up_ready, test_cancel_and_restart_curve },
    { "/session/changes-while-working", set_up_ready, test_changes_while_working },
    { "/session/failed-curve", set_up_ready, test_failed_curve },
    { "/session/no-work-before-the-page", set_up_ready, test_no_work_before_the_page },
    { "/session/random-nudge", set_up_ready, test_random_nudge },
    { "/session/range-of-a-direction", set_up_ready, test_range_of_a_direction },
    { "/session/no-length-no-change", set_up_ready, test_no_length_no_change },
    { "/session/worst-nudge", set_up_ready, test_worst_nudge },
    { "/session/found-of-all-maps", set_up_ready, test_found_of_all_maps },
    { "/session/bounds-of-token", set_up_ready, test_bounds_of_token },
    { "/session/slider-is-coalesced", set_up_ready, test_slider_is_coalesced },
    { "/session/flush", set_up_ready, test_flush },
    { "/session/other-rows", set_up_ready, test_other_rows },
    { "/session/strip", set_up_ready, test_strip },
    { "/session/progress-within-slice", set_up_ready, test_progress_within_slice },
    { "/session/strip-follows-found", set_up_ready, test_strip_follows_found },
    { "/session/strip-and-curve-share", set_up_ready, test_strip_and_curve_share },
    { "/session/dispose-while-working", set_up_ready, test_dispose_while_working },
    { "/session/dispose-while-loading", set_up_ready, test_dispose_while_loading },
    { "/session/sample", set_up_empty, test_sample },
  };

  return run_cases (argc, argv, cases, G_N_ELEMENTS (cases));
}

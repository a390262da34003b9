#include "test-util.h"

#include "ww-core.h"

static const struct
{
  const char *name;
  double norm, published, best;
} cases[] = {
  { "gauss-n10-d64", 15.846508385, 0.456815851, 0.456815851 },
  { "gauss-n40-d192", 15.683535623, 0.285199813, 0.291564301 },
  { "text-n20-d100", 16.422862623, 0.334494268, 0.335234578 },
};

static gboolean
load_case (const char *name, WwMatrix **ret_x, WwMatrix **ret_v)
{
  g_autofree char *x_name = g_strconcat (name, ".X.npy", NULL);
  g_autofree char *v_name = g_strconcat (name, ".V.npy", NULL);

  *ret_x = test_reference_load (x_name);
  *ret_v = test_reference_load (v_name);
  if (*ret_x != NULL && *ret_v != NULL)
    return TRUE;

  g_test_skip ("the large reference arrays are not here");
  return FALSE;
}

static void
test_features (gconstpointer data)
{
  gsize index = GPOINTER_TO_SIZE (data);
  g_autofree char *phi_name = g_strconcat (cases[index].name, ".rf.phi.npy", NULL);
  g_autoptr (WwMatrix) x = NULL;
  g_autoptr (WwMatrix) v = NULL;
  g_autoptr (WwMatrix) expected = NULL;
  g_autoptr (WwMatrix) phi = NULL;
  g_autoptr (GError) error = NULL;
  double largest = 0, scale = 0;

  if (!load_case (cases[index].name, &x, &v))
    return;

  expected = test_reference_load (phi_name);
  g_assert_nonnull (expected);
  phi = ww_rf_features (x, v, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (phi->rows, ==, v->rows);
  g_assert_cmpuint (phi->cols, ==, 1);

  for (gsize r = 0; r < phi->rows; r++)
    {
      largest = MAX (largest, fabs (phi->data[r] - expected->data[r]));
      scale = MAX (scale, fabs (expected->data[r]));
    }
  g_assert_cmpfloat (largest, <=, 1e-12 * scale);
  g_assert_cmpfloat (fabs (ww_matrix_norm (phi) / cases[index].norm - 1), <, 1e-9);
}

static void
test_reference_ws (gconstpointer data)
{
  gsize index = GPOINTER_TO_SIZE (data);
  g_autoptr (WwMatrix) x = NULL;
  g_autoptr (WwMatrix) v = NULL;
  g_autoptr (WwRf) rf = NULL;
  g_autoptr (GError) error = NULL;

  if (!load_case (cases[index].name, &x, &v))
    return;

  rf = ww_rf_new_from_weights (x, 0, v, &error);
  g_assert_no_error (error);
  for (int effort = 0; effort < WW_N_EFFORTS; effort++)
    for (guint64 seed = 0; seed < 4; seed++)
      {
        WwSearchSettings settings = { .radius = 1, .effort = (WwEffort) effort, .seed = seed };
        gint64 begin = g_get_monotonic_time ();
        g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, &error);
        double limit = sqrt ((double) x->cols) * (1 + 1e-6), again;

        g_assert_no_error (error);
        g_test_message ("%s %s seed %d: %.9f, %.5f of the best, %u evaluations, %.1f ms", cases[index].name,
                        ww_effort_get_id ((WwEffort) effort), (int) seed, result->ws,
                        result->ws / cases[index].best, (guint) result->evaluations,
                        (double) (g_get_monotonic_time () - begin) / 1e3);
        g_assert_cmpfloat (test_norm (result->delta, result->d), <=, limit);
        g_assert_cmpfloat (result->delta_norm, <=, limit);
        g_assert_true (ww_rf_evaluate (rf, result->delta, &again, &error));
        g_assert_cmpfloat (again, ==, result->ws);

        if (effort == WW_EFFORT_QUICK)
          g_assert_cmpfloat (result->ws, >=, 0.96 * cases[index].best);
        if (effort == WW_EFFORT_NORMAL)
          {
            g_assert_cmpfloat (result->ws, >=, 0.98 * cases[index].best);
            g_assert_cmpfloat (result->ws, >=, 0.999 * cases[index].published);
          }
        if (effort == WW_EFFORT_THOROUGH)
          g_assert_cmpfloat (result->ws, >=, 0.999 * cases[index].best);
      }
}

/* The nudged features from scratch, by the definition alone. */
static double
change_by_definition (const WwMatrix *x, const WwMatrix *v, gsize token, const double *delta)
{
  g_autoptr (WwMatrix) moved = ww_matrix_new_copy (x->rows, x->cols, x->data, NULL);
  g_autoptr (WwMatrix) before = ww_rf_features (x, v, NULL);
  g_autoptr (WwMatrix) after = NULL;

  for (gsize c = 0; c < x->cols; c++)
    moved->data[token * x->cols + c] += delta[c];
  after = ww_rf_features (moved, v, NULL);

  for (gsize r = 0; r < before->rows; r++)
    after->data[r] -= before->data[r];
  return ww_matrix_norm (after) / ww_matrix_norm (before);
}

/* Given, generated and drawn are one and the same where they must be. */
static void
test_sources_agree (void)
{
  const gsize n = 5, d = 9, k = 70;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 4, 0, &error);
  g_autoptr (WwMatrix) v = ww_random_v (k, n, d, 6, 3, &error);
  double u[70], delta[9];

  g_assert_true (ww_rf_preactivations (x, k, 6, 3, NULL, u, &error));
  for (gsize token = 0; token < n; token++)
    {
      g_autoptr (WwRf) given = ww_rf_new_from_weights (x, token, v, &error);
      g_autoptr (WwRf) generated = ww_rf_new_generated (x, token, k, 6, 3, NULL, NULL, &error);
      g_autoptr (WwRf) with_u = ww_rf_new_generated (x, token, k, 6, 3, u, NULL, &error);
      g_autoptr (WwRf) drawn = ww_rf_new_drawn (x, token, k, 6, 3, NULL, &error);
      double change, other, far_given, far_drawn;

      g_assert_no_error (error);
      g_assert_cmpuint (ww_rf_get_features (given), ==, k);
      g_assert_cmpuint (ww_rf_get_dims (given), ==, d);
      g_assert_cmpuint (ww_rf_get_token (given), ==, token);
      g_assert_cmpfloat (ww_rf_get_norm (given), ==, ww_rf_get_norm (generated));
      g_assert_cmpfloat (ww_rf_get_norm (given), ==, ww_rf_get_norm (with_u));
      g_assert_cmpfloat (ww_rf_get_norm (given), !=, ww_rf_get_norm (drawn));

      ww_random_direction (d, 1, (guint32) token, delta);
      g_assert_true (ww_rf_evaluate (given, delta, &change, &error));
      g_assert_cmpfloat (fabs (change / change_by_definition (x, v, token, delta) - 1), <, 1e-12);
      g_assert_true (ww_rf_evaluate (generated, delta, &other, &error));
      g_assert_cmpfloat (other, ==, change);
      g_assert_true (ww_rf_evaluate (with_u, delta, &other, &error));
      g_assert_cmpfloat (other, ==, change);

      /* A nudge so long that u no longer counts shows V_i alone: drawn has the same. */
      for (gsize c = 0; c < d; c++)
        delta[c] *= 1e9;
      g_assert_true (ww_rf_evaluate (given, delta, &far_given, &error));
      g_assert_true (ww_rf_evaluate (drawn, delta, &far_drawn, &error));
      far_given *= ww_rf_get_norm (given);
      far_drawn *= ww_rf_get_norm (drawn);
      g_assert_cmpfloat (fabs (far_drawn / far_given - 1), <, 1e-7);
    }
}

/* A direction projected once stands for all its lengths, and for its negative. */
static void
test_projection (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (5, 9, 4, 0, &error);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 2, 70, 6, 3, NULL, &error);
  WwCancel cancel = { 1 };
  double direction[9], delta[9], projection[70], projected, whole;

  ww_random_direction (9, 1, 0, direction);
  g_assert_true (ww_rf_project (rf, direction, NULL, projection, &error));
  for (double scale = -4; scale <= 4; scale += 0.5)
    {
      for (gsize c = 0; c < 9; c++)
        delta[c] = scale * direction[c];
      g_assert_true (ww_rf_evaluate_projected (rf, projection, scale, &projected, &error));
      g_assert_true (ww_rf_evaluate (rf, delta, &whole, &error));
      g_assert_cmpfloat (fabs (projected - whole), <=, 1e-13 * whole);
    }

  /* Enough entries that the flag is looked at. */
  g_autoptr (WwRf) large = ww_rf_new_drawn (x, 2, 100000, 6, 3, NULL, &error);
  g_autofree double *untouched = g_new0 (double, 100000);
  g_assert_false (ww_rf_project (large, direction, &cancel, untouched, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  for (gsize r = 0; r < 100000; r++)
    g_assert_cmpfloat (untouched[r], ==, 0);
}

/* Only ratios matter: a context or weights of extreme size give the same search. */
static void
test_scales (void)
{
  static const double scales[] = { 1e-250, 1e-30, 1e30, 1e150 };
  const gsize n = 4, d = 12, k = 50;
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 4, 0, &error);
  g_autoptr (WwMatrix) v = ww_random_v (k, n, d, 6, 3, &error);
  g_autoptr (WwRf) rf = ww_rf_new_from_weights (x, 1, v, &error);
  g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autoptr (WwMatrix) scaled_v = ww_matrix_new_copy (k, n * d, v->data, NULL);
      g_autoptr (WwMatrix) scaled_x = ww_matrix_new_copy (n, d, x->data, NULL);
      g_autoptr (WwRf) same = NULL;
      g_autoptr (WwRf) other = NULL;
      g_autoptr (WwSearchResult) same_result = NULL;
      g_autoptr (WwSearchResult) other_result = NULL;

      for (gsize e = 0; e < k * n * d; e++)
        scaled_v->data[e] *= scales[i];
      for (gsize e = 0; e < n * d; e++)
        scaled_x->data[e] *= scales[i];

      same = ww_rf_new_from_weights (x, 1, scaled_v, &error);
      same_result = ww_rf_search (same, &settings, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (fabs (same_result->ws / result->ws - 1), <, 1e-4);

      /* A ball that is tiny beside the context, or the other way round. */
      other = ww_rf_new_from_weights (scaled_x, 1, v, &error);
      other_result = ww_rf_search (other, &settings, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (isfinite (other_result->ws));
      g_assert_cmpfloat (other_result->ws * scales[i], >, 0.5 * result->ws);
      g_assert_cmpfloat (other_result->ws * scales[i], <, 4 * result->ws);
    }
}

/* Tripling the radius can only help; the nudge always fills its ball. */
static void
test_radius (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (6, 20, 2, 0, &error);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 2, 300, 2, 0, NULL, &error);
  double last = 0;

  for (double radius = 0.01; radius <= 100; radius *= 10)
    {
      WwSearchSettings settings = { .radius = radius, .effort = WW_EFFORT_NORMAL };
      g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (result->ws, >, last);
      g_assert_cmpfloat (fabs (result->delta_norm / (radius * sqrt (20)) - 1), <, 1e-12);
      g_assert_cmpint (result->map, ==, WW_MAP_RF);
      g_assert_cmpuint (result->token, ==, 2);
      g_assert_cmpuint (result->evaluations, >, 8);
      g_assert_true (isnan (result->upper_bound));
      g_assert_null (result->per_token);
      last = result->ws;
    }
}

static void
test_smallest (void)
{
  const double one[] = { 2 }, positive[] = { 0.5 };
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_QUICK };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_matrix_new_copy (1, 1, one, NULL);
  g_autoptr (WwMatrix) v = ww_matrix_new_copy (1, 1, positive, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_from_weights (x, 0, v, &error);
  g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, &error);

  /* relu (0.5 (2 + delta)) with |delta| <= 1: both ends change it by a half. */
  g_assert_no_error (error);
  g_assert_cmpfloat (result->ws, ==, 0.5);
  g_assert_cmpfloat (result->delta_norm, ==, 1);
}

static void
test_zero_norm (void)
{
  const double rows[] = { 1, 2, 3, 4 };
  const double negative[] = { -1, -1, -1, -1 }, others_only[] = { 0, 0, 1, 1 };
  const double delta[] = { 1, 0 };
  double change = 42;
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_QUICK };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_matrix_new_copy (2, 2, rows, NULL);
  g_autoptr (WwMatrix) dead = ww_matrix_new_copy (1, 4, negative, NULL);
  g_autoptr (WwMatrix) blind = ww_matrix_new_copy (1, 4, others_only, NULL);
  g_autoptr (WwRf) dead_rf = ww_rf_new_from_weights (x, 0, dead, &error);
  g_autoptr (WwRf) blind_rf = ww_rf_new_from_weights (x, 0, blind, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (ww_rf_get_norm (dead_rf), ==, 0);
  g_assert_false (ww_rf_evaluate (dead_rf, delta, &change, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
  g_assert_cmpfloat (change, ==, 42);
  g_clear_error (&error);
  g_assert_null (ww_rf_search (dead_rf, &settings, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
  g_clear_error (&error);

  /* Weights that do not see the token: nothing moves, and that is an answer. */
  g_autoptr (WwSearchResult) result = ww_rf_search (blind_rf, &settings, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (result->ws, ==, 0);
  g_assert_cmpfloat (result->delta_norm, <=, sqrt (2) * (1 + 1e-6));
}

static void
test_bad_input (void)
{
  static const double bad_radius[] = { 0, -1, NAN, INFINITY, 100.5 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (3, 4, 1, 0, NULL);
  g_autoptr (WwMatrix) v = ww_random_v (5, 3, 4, 1, 0, NULL);
  g_autoptr (WwMatrix) narrow = ww_random_v (5, 1, 11, 1, 0, NULL);
  g_autoptr (WwMatrix) other_n = ww_random_v (5, 4, 4, 1, 0, NULL);
  g_autoptr (WwMatrix) hole = ww_random_v (5, 3, 4, 1, 0, NULL);
  g_autoptr (WwMatrix) huge = ww_random_v (5, 3, 4, 1, 0, NULL);
  double u[5] = { 42, 42, 42, 42, 42 };

  hole->data[17] = INFINITY;
  g_assert_null (ww_rf_new_from_weights (x, 0, hole, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_assert_nonnull (strstr (error->message, "row 1, column 5"));
  g_clear_error (&error);

  for (gsize i = 0; i < 60; i++)
    huge->data[i] = 1.7e308;
  g_assert_null (ww_rf_features (x, huge, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_clear_error (&error);

  g_assert_null (ww_rf_new_from_weights (x, 3, v, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (ww_rf_new_from_weights (x, 0, narrow, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ww_rf_features (x, other_n, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ww_rf_new_drawn (x, 0, 0, 1, 0, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_false (ww_rf_preactivations (x, WW_MAX_FEATURES + 1, 1, 0, NULL, u, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_assert_cmpfloat (u[0], ==, 42);
  g_clear_error (&error);

  g_autoptr (WwRf) rf = ww_rf_new_from_weights (x, 0, v, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (bad_radius); i++)
    {
      WwSearchSettings settings = { .radius = bad_radius[i] };

      g_assert_null (ww_rf_search (rf, &settings, NULL, &error));
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
      g_clear_error (&error);
      g_assert_null (ww_rf_search_all (x, 5, NULL, 1, 0, &settings, NULL, NULL, NULL, &error));
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
      g_clear_error (&error);
    }
}

static void
test_cancelled (void)
{
  WwSearchSettings settings = { .radius = 1 };
  WwCancel cancel = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (30, 400, 1, 0, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, 2000, 1, 0, &cancel, &error);
  g_autofree double *u = g_new0 (double, 2000);

  g_assert_no_error (error);
  ww_cancel_set (&cancel, TRUE);

  g_assert_null (ww_rf_search (rf, &settings, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (ww_rf_new_drawn (x, 0, 2000, 1, 0, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (ww_rf_new_generated (x, 0, 2000, 1, 0, NULL, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (ww_rf_preactivations (x, 2000, 1, 0, &cancel, u, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (ww_rf_search_all (x, 2000, NULL, 1, 0, &settings, &cancel, NULL, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
}

typedef struct
{
  double ws[30];
  guint calls[30];
} Heard;

static void
hear (gsize token, double ws, gpointer user_data)
{
  Heard *heard = user_data;

  g_assert_cmpuint (token, <, 30);
  g_assert_cmpfloat (ws, >=, heard->ws[token]);
  heard->ws[token] = ws;
  heard->calls[token]++;
}

/* A short context: every token has what its own search finds, to the last bit; one V for all. */
static void
test_all_tokens (void)
{
  const gsize n = 30, d = 24, k = 200;
  WwSearchSettings settings = { .token = WW_TOKEN_ALL, .radius = 1, .effort = WW_EFFORT_NORMAL };
  Heard heard = { 0 };
  double largest = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 3, 0, NULL);
  g_autoptr (WwMatrix) v = ww_random_v (k, n, d, 5, 1, NULL);
  g_autoptr (WwSearchResult) generated = ww_rf_search_all (x, k, NULL, 5, 1, &settings, NULL, hear,
                                                           &heard, &error);
  g_autoptr (WwSearchResult) given = ww_rf_search_all (x, 0, v, 0, 0, &settings, NULL, NULL, NULL,
                                                       &error);
  g_autoptr (WwRf) rf = NULL;
  double change;

  g_assert_no_error (error);
  g_assert_cmpuint (generated->n_tokens, ==, n);
  g_assert_cmpuint (given->n_tokens, ==, n);
  g_assert_cmpmem (generated->per_token, n * sizeof (double), given->per_token, n * sizeof (double));

  for (gsize token = 0; token < n; token++)
    {
      g_autoptr (WwRf) one = ww_rf_new_generated (x, token, k, 5, 1, NULL, NULL, &error);
      g_autoptr (WwSearchResult) full = ww_rf_search (one, &settings, NULL, &error);

      g_assert_true (generated->in_full[token]);
      g_assert_cmpfloat (generated->per_token[token], ==, full->ws);
      g_assert_cmpfloat (heard.ws[token], ==, full->ws);
      g_assert_cmpuint (heard.calls[token], ==, 1);
      largest = MAX (largest, generated->per_token[token]);
    }
  g_assert_cmpfloat (generated->ws, ==, largest);
  g_assert_cmpfloat (generated->per_token[generated->token], ==, generated->ws);

  rf = ww_rf_new_from_weights (x, generated->token, v, &error);
  g_assert_true (ww_rf_evaluate (rf, generated->delta, &change, &error));
  g_assert_cmpfloat (fabs (change / generated->ws - 1), <, 1e-12);
}

/* The same question has the same answer, to the last bit. */
static void
test_repeatable (void)
{
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL, .seed = 3, .trial = 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (8, 33, 1, 0, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, 500, 1, 0, NULL, &error);
  g_autoptr (WwRf) again = ww_rf_ref (rf);
  g_autoptr (WwSearchResult) first = ww_rf_search (rf, &settings, NULL, &error);
  g_autoptr (WwSearchResult) second = ww_rf_search (again, &settings, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (first->delta, 33 * sizeof (double), second->delta, 33 * sizeof (double));
  g_assert_cmpfloat (first->ws, ==, second->ws);
  g_assert_cmpuint (first->evaluations, ==, second->evaluations);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *features = g_strconcat ("/rf/features/", cases[i].name, NULL);
      g_autofree char *ws = g_strconcat ("/rf/reference/", cases[i].name, NULL);

      g_test_add_data_func (features, GSIZE_TO_POINTER (i), test_features);
      g_test_add_data_func (ws, GSIZE_TO_POINTER (i), test_reference_ws);
    }

  g_test_add_func ("/rf/sources-agree", test_sources_agree);
  g_test_add_func ("/rf/projection", test_projection);
  g_test_add_func ("/rf/scales", test_scales);
  g_test_add_func ("/rf/radius", test_radius);
  g_test_add_func ("/rf/smallest", test_smallest);
  g_test_add_func ("/rf/zero-norm", test_zero_norm);
  g_test_add_func ("/rf/bad-input", test_bad_input);
  g_test_add_func ("/rf/cancelled", test_cancelled);
  g_test_add_func ("/rf/all-tokens", test_all_tokens);
  g_test_add_func ("/rf/repeatable", test_repeatable);

  return g_test_run ();
}

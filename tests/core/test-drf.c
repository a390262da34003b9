#include "test-util.h"

#include "ww-drf-climb.h"

/* A network of layers of different widths, its entries of order 1 / sqrt (inputs). */
typedef struct
{
  WwMatrix *weights[4];
  gsize depth;
} Network;

static void
network_init (Network *network, gsize n, gsize d, const gsize *widths, gsize depth, double scale)
{
  gsize inputs = n * d;

  network->depth = depth;
  for (gsize l = 0; l < depth; l++)
    {
      network->weights[l] = ww_matrix_new (widths[l], inputs, NULL);
      ww_random_normal (77, WW_PURPOSE_DEEP, (guint32) l + 900, 0, widths[l] * inputs,
                        scale * sqrt (2 / (double) inputs), network->weights[l]->data);
      inputs = widths[l];
    }
}

static void
network_clear (Network *network)
{
  for (gsize l = 0; l < network->depth; l++)
    ww_matrix_unref (network->weights[l]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Network, network_clear)

static const WwMatrix *const *
network_get (const Network *network)
{
  return (const WwMatrix *const *) network->weights;
}

/* The features by the definition, one loop inside the other. */
static WwMatrix *
features_by_definition (const WwMatrix *x, const Network *network)
{
  WwMatrix *h = ww_matrix_new_copy (x->rows * x->cols, 1, x->data, NULL);

  for (gsize l = 0; l < network->depth; l++)
    {
      const WwMatrix *v = network->weights[l];
      WwMatrix *next = ww_matrix_new (v->rows, 1, NULL);

      for (gsize r = 0; r < v->rows; r++)
        {
          double sum = 0;

          for (gsize c = 0; c < v->cols; c++)
            sum += v->data[r * v->cols + c] * h->data[c];
          next->data[r] = MAX (sum, 0);
        }
      ww_matrix_unref (h);
      h = next;
    }

  return h;
}

static double
change_by_definition (const WwMatrix *x, const Network *network, gsize token, const double *delta)
{
  g_autoptr (WwMatrix) moved = ww_matrix_new_copy (x->rows, x->cols, x->data, NULL);
  g_autoptr (WwMatrix) before = features_by_definition (x, network);
  g_autoptr (WwMatrix) after = NULL;

  for (gsize c = 0; c < x->cols; c++)
    moved->data[token * x->cols + c] += delta[c];
  after = features_by_definition (moved, network);

  for (gsize r = 0; r < before->rows; r++)
    after->data[r] -= before->data[r];
  return ww_matrix_norm (after) / ww_matrix_norm (before);
}

/* The network that a seed means: V_1 = sqrt (2) V of RF, then the stream of the deeper layers. */
static void
network_init_generated (Network *network, gsize n, gsize d, gsize width, gsize depth, guint64 seed,
                        guint32 trial)
{
  network->depth = depth;
  network->weights[0] = ww_random_v (width, n, d, seed, trial, NULL);
  for (gsize e = 0; e < width * n * d; e++)
    network->weights[0]->data[e] *= G_SQRT2;

  for (gsize l = 1; l < depth; l++)
    {
      network->weights[l] = ww_matrix_new (width, width, NULL);
      ww_random_normal (seed, WW_PURPOSE_DEEP, trial, (l - 1) * width * width, width * width,
                        sqrt (2 / (double) width), network->weights[l]->data);
    }
}

static void
assert_same (const WwMatrix *a, const WwMatrix *b, double tolerance)
{
  double scale = ww_matrix_norm (b) / sqrt ((double) b->rows);

  g_assert_cmpuint (a->rows, ==, b->rows);
  g_assert_cmpuint (a->cols, ==, 1);
  for (gsize r = 0; r < a->rows; r++)
    g_assert_cmpfloat (fabs (a->data[r] - b->data[r]), <=, tolerance * scale);
}

static void
test_features (void)
{
  const gsize widths[] = { 30, 7, 51, 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (5, 9, 4, 0, &error);

  for (gsize depth = 1; depth <= 4; depth++)
    {
      g_auto (Network) network = { 0 };
      g_auto (Network) generated = { 0 };
      g_autoptr (WwMatrix) expected = NULL;
      g_autoptr (WwMatrix) phi = NULL;
      g_autoptr (WwMatrix) expected_generated = NULL;
      g_autoptr (WwMatrix) phi_generated = NULL;

      network_init (&network, 5, 9, widths, depth, 1);
      expected = features_by_definition (x, &network);
      phi = ww_drf_features (x, network_get (&network), depth, &error);
      g_assert_no_error (error);
      assert_same (phi, expected, 1e-13);

      network_init_generated (&generated, 5, 9, 40, depth, 6, 3);
      expected_generated = features_by_definition (x, &generated);
      phi_generated = ww_drf_features_generated (x, depth, 40, 6, 3, NULL, &error);
      g_assert_no_error (error);
      assert_same (phi_generated, expected_generated, 1e-13);
      g_assert_cmpfloat (ww_matrix_norm (phi_generated), >, 0);
    }
}

/* Given, generated, drawn and shared are one and the same where they must be. */
static void
test_sources_agree (void)
{
  const gsize n = 5, d = 9, width = 70;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 4, 0, &error);

  for (gsize depth = 1; depth <= 4; depth++)
    {
      g_auto (Network) network = { 0 };
      g_autoptr (WwDrf) one = ww_drf_new_generated (x, 0, depth, width, 6, 3, NULL, &error);

      network_init_generated (&network, n, d, width, depth, 6, 3);
      for (gsize token = 0; token < n; token++)
        {
          g_autoptr (WwDrf) given
            = ww_drf_new_from_weights (x, token, network_get (&network), depth, NULL, &error);
          g_autoptr (WwDrf) generated = ww_drf_new_generated (x, token, depth, width, 6, 3, NULL, &error);
          g_autoptr (WwDrf) sibling = ww_drf_new_sibling (one, x, token, NULL, &error);
          g_autoptr (WwDrf) of_given = ww_drf_new_sibling (given, x, token, NULL, &error);
          double delta[9], change, other;

          g_assert_no_error (error);
          g_assert_cmpuint (ww_drf_get_depth (given), ==, depth);
          g_assert_cmpuint (ww_drf_get_width (generated), ==, width);
          g_assert_cmpuint (ww_drf_get_dims (sibling), ==, d);
          g_assert_cmpuint (ww_drf_get_token (sibling), ==, token);
          g_assert_cmpfloat (fabs (ww_drf_get_norm (given) / ww_drf_get_norm (generated) - 1), <, 1e-13);
          g_assert_cmpfloat (ww_drf_get_norm (sibling), ==, ww_drf_get_norm (generated));

          for (gsize size = 0; size < 3; size++)
            {
              ww_random_direction (d, 1, (guint32) token, delta);
              for (gsize c = 0; c < d; c++)
                delta[c] *= (double[]) { 0.1, 3, 50 }[size];
              g_assert_true (ww_drf_evaluate (given, delta, &change, &error));
              g_assert_cmpfloat (fabs (change / change_by_definition (x, &network, token, delta) - 1), <,
                                 1e-12);
              g_assert_true (ww_drf_evaluate (of_given, delta, &other, &error));
              g_assert_cmpfloat (other, ==, change);
              g_assert_true (ww_drf_evaluate (generated, delta, &other, &error));
              g_assert_cmpfloat (fabs (other / change - 1), <, 1e-12);
              change = other;
              g_assert_true (ww_drf_evaluate (sibling, delta, &other, &error));
              g_assert_cmpfloat (other, ==, change);
            }
        }
    }
}

/* One layer is RF, drawn or whole, whatever the factor sqrt (2). */
static void
test_depth_one (void)
{
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_THOROUGH };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (6, 20, 2, 0, &error);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 2, 300, 2, 0, NULL, &error);
  g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 2, 1, 300, 2, 0, NULL, &error);
  g_autoptr (WwSearchResult) by_rf = ww_rf_search (rf, &settings, NULL, &error);
  g_autoptr (WwSearchResult) by_drf = ww_drf_search (drf, &settings, NULL, &error);
  double change;

  g_assert_no_error (error);
  g_assert_cmpfloat (fabs (ww_drf_get_norm (drf) / ww_rf_get_norm (rf) - G_SQRT2), <, 1e-14);
  g_assert_true (ww_drf_evaluate (drf, by_rf->delta, &change, &error));
  g_assert_cmpfloat (fabs (change / by_rf->ws - 1), <, 1e-13);
  g_test_message ("RF %.6f with %u evaluations, DRF %.6f with %u", by_rf->ws, (guint) by_rf->evaluations,
                  by_drf->ws, (guint) by_drf->evaluations);
  g_assert_cmpfloat (by_drf->ws, >=, 0.995 * by_rf->ws);
  g_assert_cmpint (by_drf->map, ==, WW_MAP_DRF);
}

/* A direction's difference quotient against the vector-Jacobian product of the climb. */
static void
test_gradient (void)
{
  const gsize widths[] = { 60, 45, 80, 50 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (4, 16, 4, 0, &error);

  for (gsize depth = 1; depth <= 4; depth++)
    for (guint32 trial = 0; trial < 10; trial++)
      {
        g_auto (Network) network = { 0 };
        g_autoptr (WwDrf) drf = NULL;
        g_autoptr (WwDrfClimb) climb = NULL;
        double nudge[16], direction[16], delta[16], value, ahead, behind, slope = 0, unit;
        const double length = 4, step = 1e-5;
        float single[16], gradient[16];

        network_init (&network, 4, 16, widths, depth, 1);
        drf = ww_drf_new_from_weights (x, 1, network_get (&network), depth, NULL, &error);
        climb = ww_drf_climb_new (drf, length, 1, &error);
        g_assert_no_error (error);
        ww_random_direction (16, 8, trial, nudge);
        ww_random_direction (16, 9, trial, direction);
        for (gsize c = 0; c < 16; c++)
          single[c] = (float) nudge[c];
        g_assert_true (ww_drf_climb_differentiate (climb, single, &value, gradient, &error));

        for (gsize c = 0; c < 16; c++)
          {
            slope += (double) gradient[c] * direction[c];
            delta[c] = length * (nudge[c] + step * direction[c]);
          }
        ahead = change_by_definition (x, &network, 1, delta);
        for (gsize c = 0; c < 16; c++)
          delta[c] = length * (nudge[c] - step * direction[c]);
        behind = change_by_definition (x, &network, 1, delta);
        for (gsize c = 0; c < 16; c++)
          delta[c] = length * nudge[c];

        /* The climb has a unit of its own: only the ratio of slope and value means anything. */
        unit = value / (pow (change_by_definition (x, &network, 1, delta), 2) / 2);
        g_assert_cmpfloat (unit, >, 0);
        g_assert_cmpfloat (fabs ((ahead * ahead - behind * behind) / 2 / (2 * step) - slope / unit), <,
                           1e-4 * 2 * value / unit);
      }
}

/* A plain ascent in double precision by difference quotients, from the nudge that was found and from
 * elsewhere: the search is at a maximum, and no other one is much higher. */
static double
climb_by_definition (const WwMatrix *x, const Network *network, gsize token, double *delta, double length)
{
  gsize d = x->cols;
  double value = change_by_definition (x, network, token, delta), pace = 0.3;

  for (guint taken = 0; taken < 300 && pace > 1e-7; taken++)
    {
      double gradient[8], trial[8], norm = 0, now;

      for (gsize c = 0; c < d; c++)
        {
          memcpy (trial, delta, d * sizeof (double));
          trial[c] += 1e-7;
          gradient[c] = (change_by_definition (x, network, token, trial) - value) / 1e-7;
        }
      for (gsize c = 0; c < d; c++)
        trial[c] = delta[c] + pace * length * gradient[c] / test_norm (gradient, d);
      norm = test_norm (trial, d);
      for (gsize c = 0; c < d; c++)
        trial[c] *= length / norm;

      now = change_by_definition (x, network, token, trial);
      if (now > value)
        memcpy (delta, trial, d * sizeof (double));
      pace *= now > value ? 1.2 : 0.4;
      value = MAX (value, now);
    }

  return value;
}

static void
test_maximum (void)
{
  const gsize n = 4, d = 8, widths[] = { 40, 30, 35 };
  double length = sqrt ((double) d);
  g_autoptr (GError) error = NULL;

  for (guint32 trial = 0; trial < 6; trial++)
    {
      gsize depth = 1 + trial % 3;
      WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_THOROUGH };
      g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 4, trial, &error);
      g_auto (Network) network = { 0 };
      g_autoptr (WwDrf) drf = NULL;
      g_autoptr (WwSearchResult) result = NULL;
      double best = 0, delta[8], again;

      network_init (&network, n, d, widths, depth, 1);
      drf = ww_drf_new_from_weights (x, 1, network_get (&network), depth, NULL, &error);
      result = ww_drf_search (drf, &settings, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (fabs (result->delta_norm / length - 1), <, 1e-12);
      g_assert_true (ww_drf_evaluate (drf, result->delta, &again, &error));
      g_assert_cmpfloat (again, ==, result->ws);

      memcpy (delta, result->delta, sizeof delta);
      g_assert_cmpfloat (climb_by_definition (x, &network, 1, delta, length), <, result->ws * (1 + 1e-4));
      for (guint32 start = 0; start < 12; start++)
        {
          ww_random_direction (d, 5, start, delta);
          for (gsize c = 0; c < d; c++)
            delta[c] *= length;
          best = MAX (best, climb_by_definition (x, &network, 1, delta, length));
        }
      g_test_message ("depth %u: %.6f, by plain ascents %.6f", (guint) depth, result->ws, best);
      g_assert_cmpfloat (result->ws, >=, 0.999 * best);
    }
}

/* Efforts and depths at a working size. */
static void
test_efforts (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (10, 96, 3, 0, &error);

  for (gsize depth = 2; depth <= 8; depth *= 2)
    {
      g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 0, depth, 512, 3, 0, NULL, &error);
      double ws[WW_N_EFFORTS];

      for (int effort = 0; effort < WW_N_EFFORTS; effort++)
        {
          WwSearchSettings settings = { .radius = 1, .effort = (WwEffort) effort };
          gint64 begin = g_get_monotonic_time ();
          g_autoptr (WwSearchResult) result = ww_drf_search (drf, &settings, NULL, &error);

          g_assert_no_error (error);
          ws[effort] = result->ws;
          g_test_message ("depth %u, %s: %.6f, %u evaluations, %.1f ms", (guint) depth,
                          ww_effort_get_id ((WwEffort) effort), result->ws, (guint) result->evaluations,
                          (double) (g_get_monotonic_time () - begin) / 1e3);
          g_assert_cmpfloat (result->delta_norm, <=, sqrt (96) * (1 + 1e-6));
        }
      g_assert_cmpfloat (ws[WW_EFFORT_QUICK], >=, 0.95 * ws[WW_EFFORT_THOROUGH]);
      g_assert_cmpfloat (ws[WW_EFFORT_NORMAL], >=, 0.99 * ws[WW_EFFORT_THOROUGH]);
    }
}

/* Through many layers there are many maxima, some of them far below the best: against thorough searches from
 * other starts; and more effort never finds less. */
static void
test_deep_maxima (void)
{
  static const gsize depths[] = { 1, 4, 8, 12, 16 };
  gsize n_close = 0, n_cases = 0;

  for (gsize l = 0; l < G_N_ELEMENTS (depths); l++)
    for (guint64 seed = 1; seed <= 2; seed++)
      {
        g_autoptr (WwMatrix) x = ww_context_synthetic (5, 32, seed, 0, NULL);
        g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 0, depths[l], 64, seed, 0, NULL, NULL);
        double ws[WW_N_EFFORTS], best = 0;

        for (int i = 0; i < WW_N_EFFORTS + 3; i++)
          {
            WwSearchSettings settings = { .radius = 1, .effort = (WwEffort) MIN (i, WW_EFFORT_THOROUGH),
                                          .seed = i < WW_N_EFFORTS ? seed : 1000 + (guint64) i };
            g_autoptr (WwSearchResult) result = ww_drf_search (drf, &settings, NULL, NULL);

            if (i < WW_N_EFFORTS)
              ws[i] = result->ws;
            best = MAX (best, result->ws);
          }
        g_test_message ("depth %u: quick %.4f, normal %.4f, thorough %.4f of %.4f", (guint) depths[l],
                        ws[WW_EFFORT_QUICK] / best, ws[WW_EFFORT_NORMAL] / best,
                        ws[WW_EFFORT_THOROUGH] / best, best);
        g_assert_cmpfloat (ws[WW_EFFORT_NORMAL], >=, ws[WW_EFFORT_QUICK] * (1 - 1e-5));
        g_assert_cmpfloat (ws[WW_EFFORT_THOROUGH], >=, ws[WW_EFFORT_NORMAL] * (1 - 1e-5));
        g_assert_cmpfloat (ws[WW_EFFORT_NORMAL], >=, 0.95 * best);
        g_assert_cmpfloat (ws[WW_EFFORT_THOROUGH], >=, 0.97 * best);
        n_close += ws[WW_EFFORT_THOROUGH] >= 0.99 * best;
        n_cases++;
      }
  g_assert_cmpuint (n_close, >=, n_cases - 1);
}

/* Only ratios matter: weights of extreme size give the same search. */
static void
test_scales (void)
{
  static const double scales[] = { 1e-60, 1e-30, 1e30, 1e60 };
  const gsize widths[] = { 40, 30, 50 };
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (4, 12, 4, 0, &error);
  double expected = 0;

  for (gsize i = 0; i <= G_N_ELEMENTS (scales); i++)
    {
      g_auto (Network) network = { 0 };
      g_autoptr (WwDrf) drf = NULL;
      g_autoptr (WwSearchResult) result = NULL;

      network_init (&network, 4, 12, widths, 3, i == 0 ? 1 : scales[i - 1]);
      drf = ww_drf_new_from_weights (x, 1, network_get (&network), 3, NULL, &error);
      result = ww_drf_search (drf, &settings, NULL, &error);
      g_assert_no_error (error);
      if (i == 0)
        expected = result->ws;
      g_assert_cmpfloat (fabs (result->ws / expected - 1), <, 1e-4);
    }
}

static void
test_same_bits (void)
{
  WwSearchSettings settings = { .radius = 0.7, .effort = WW_EFFORT_NORMAL, .seed = 5, .trial = 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (6, 40, 2, 0, &error);
  g_autoptr (WwSearchResult) first = NULL;

  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 3, 3, 200, 9, 1, NULL, &error);
      g_autoptr (WwSearchResult) result = ww_drf_search (drf, &settings, NULL, &error);

      g_assert_no_error (error);
      if (first == NULL)
        {
          first = g_steal_pointer (&result);
          continue;
        }
      g_assert_cmpfloat (result->ws, ==, first->ws);
      g_assert_cmpuint (result->evaluations, ==, first->evaluations);
      g_assert_cmpmem (result->delta, 40 * sizeof (double), first->delta, 40 * sizeof (double));
    }
}

static void
hear_token (gsize token, double ws, gpointer user_data)
{
  double *heard = user_data;

  g_assert_cmpfloat (ws, >=, heard[token]);
  heard[token] = ws;
}

static void
test_all_tokens (void)
{
  const gsize n = 12;
  double heard[12] = { 0 }, largest = 0;
  WwSearchSettings settings = { .token = WW_TOKEN_ALL, .radius = 1, .effort = WW_EFFORT_NORMAL };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, 24, 2, 0, &error);
  g_autoptr (WwDrf) drf = ww_drf_new_generated (x, 5, 3, 150, 9, 1, NULL, &error);
  g_autoptr (WwSearchResult) result
    = ww_drf_search_all (drf, x, &settings, NULL, hear_token, heard, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (result->n_tokens, ==, n);
  for (gsize token = 0; token < n; token++)
    {
      g_autoptr (WwDrf) sibling = ww_drf_new_sibling (drf, x, token, NULL, &error);
      g_autoptr (WwSearchResult) alone = ww_drf_search (sibling, &settings, NULL, &error);

      g_assert_cmpfloat (result->per_token[token], ==, heard[token]);
      g_assert_true (result->in_full[token]);
      g_assert_cmpfloat (result->per_token[token], ==, alone->ws);
      largest = MAX (largest, alone->ws);
    }
  g_assert_cmpfloat (result->ws, ==, result->per_token[result->token]);
  g_assert_cmpfloat (result->ws, ==, largest);
}

typedef struct
{
  WwCancel cancel;
  gint64 delay;
  gint64 raised;
} Alarm;

static gpointer
raise_later (gpointer data)
{
  Alarm *alarm = data;

  g_usleep ((gulong) alarm->delay);
  alarm->raised = g_get_monotonic_time ();
  ww_cancel_set (&alarm->cancel, TRUE);
  return NULL;
}

/* Raised while the network is made, and while it is searched: gone soon. The bound of 20 ms holds on a
 * quiet machine; here others may run beside. */
static void
test_cancel (void)
{
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_THOROUGH };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (8, 256, 2, 0, &error);
  g_autoptr (WwDrf) whole = ww_drf_new_drawn (x, 0, 4, 2048, 1, 0, NULL, &error);

  for (guint i = 0; i < 6; i++)
    {
      Alarm alarm = { .delay = 3000 + 7000 * i };
      GThread *thread = g_thread_new ("alarm", raise_later, &alarm);
      gint64 late;

      if (i % 2 == 0)
        g_assert_null (ww_drf_new_drawn (x, 0, 8, 2048, 1, 0, &alarm.cancel, &error));
      else
        g_assert_null (ww_drf_search (whole, &settings, &alarm.cancel, &error));
      late = g_get_monotonic_time ();
      g_thread_join (thread);
      late -= alarm.raised;
      g_test_message ("%s: gone after %.1f ms", i % 2 == 0 ? "making" : "searching", (double) late / 1e3);
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
      g_clear_error (&error);
      g_assert_cmpint (late, <, 300000);
    }
}

#define REFUSED(expression, code) \
  G_STMT_START \
    { \
      g_assert_null (expression); \
      g_assert_error (error, WW_CORE_ERROR, code); \
      g_clear_error (&error); \
    } \
  G_STMT_END

static void
test_bad_input (void)
{
  const gsize widths[] = { 10, 7, 5, 3 };
  WwSearchSettings settings = { .radius = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (3, 4, 1, 0, NULL);
  g_auto (Network) good = { 0 };
  g_auto (Network) bad = { 0 };
  double delta[4] = { 1 }, change = 42;

  REFUSED (ww_drf_new_drawn (x, 0, 0, 5, 0, 0, NULL, &error), WW_CORE_ERROR_SHAPE);
  REFUSED (ww_drf_new_drawn (x, 0, 17, 5, 0, 0, NULL, &error), WW_CORE_ERROR_SHAPE);
  REFUSED (ww_drf_new_drawn (x, 0, 2, 0, 0, 0, NULL, &error), WW_CORE_ERROR_SHAPE);
  REFUSED (ww_drf_new_generated (x, 0, 2, WW_MAX_WIDTH + 1, 0, 0, NULL, &error), WW_CORE_ERROR_SHAPE);

  /* 4.03 billion weights, 16 GB: refused before any is made. */
  REFUSED (ww_drf_new_drawn (x, 0, 16, WW_MAX_WIDTH, 0, 0, NULL, &error), WW_CORE_ERROR_SHAPE);
  REFUSED (ww_drf_new_generated (x, 0, 16, WW_MAX_WIDTH, 0, 0, NULL, &error), WW_CORE_ERROR_SHAPE);
  REFUSED (ww_drf_new_generated (x, 3, 2, 5, 0, 0, NULL, &error), WW_CORE_ERROR_RANGE);
  REFUSED (ww_drf_features_generated (x, 0, 5, 0, 0, NULL, &error), WW_CORE_ERROR_SHAPE);
  REFUSED (ww_drf_features (x, NULL, 0, &error), WW_CORE_ERROR_SHAPE);

  network_init (&good, 3, 4, widths, 4, 1);
  network_init (&bad, 3, 4, widths, 4, 1);
  bad.weights[2]->data[3] = NAN;
  REFUSED (ww_drf_new_from_weights (x, 0, network_get (&bad), 4, NULL, &error), WW_CORE_ERROR_NON_FINITE);
  bad.weights[2]->data[3] = 0;
  bad.weights[0]->data[3] = INFINITY;
  REFUSED (ww_drf_features (x, network_get (&bad), 4, &error), WW_CORE_ERROR_NON_FINITE);

  /* Layers in the wrong order do not fit. */
  const WwMatrix *wrong[] = { good.weights[0], good.weights[2], good.weights[1] };
  REFUSED (ww_drf_new_from_weights (x, 0, wrong, 3, NULL, &error), WW_CORE_ERROR_SHAPE);
  const WwMatrix *no_first[] = { good.weights[1], good.weights[2] };
  REFUSED (ww_drf_new_from_weights (x, 0, no_first, 2, NULL, &error), WW_CORE_ERROR_SHAPE);

  /* Overflow on the way. */
  for (gsize l = 0; l < 4; l++)
    for (gsize e = 0; e < bad.weights[l]->rows * bad.weights[l]->cols; e++)
      bad.weights[l]->data[e] = 1e200;
  g_autoptr (WwMatrix) ones = ww_matrix_new (3, 4, NULL);
  for (gsize e = 0; e < 12; e++)
    ones->data[e] = 1;
  REFUSED (ww_drf_new_from_weights (ones, 0, network_get (&bad), 4, NULL, &error),
           WW_CORE_ERROR_NON_FINITE);

  /* Features that are all zero have no relative change. */
  for (gsize e = 0; e < 3 * 5; e++)
    good.weights[3]->data[e] = 0;
  g_autoptr (WwDrf) dead = ww_drf_new_from_weights (x, 0, network_get (&good), 4, NULL, &error);
  g_assert_no_error (error);
  REFUSED (ww_drf_search (dead, &settings, NULL, &error), WW_CORE_ERROR_ZERO_NORM);
  g_assert_false (ww_drf_evaluate (dead, delta, &change, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
  g_clear_error (&error);
  g_assert_cmpfloat (change, ==, 42);

  g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 0, 2, 50, 0, 0, NULL, &error);
  settings.radius = 0;
  REFUSED (ww_drf_search (drf, &settings, NULL, &error), WW_CORE_ERROR_RANGE);
}

/* One token of one dimension, one unit. */
static void
test_smallest (void)
{
  const double one[] = { 2 }, positive[] = { 0.5 };
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_QUICK };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_matrix_new_copy (1, 1, one, NULL);
  g_autoptr (WwMatrix) v = ww_matrix_new_copy (1, 1, positive, NULL);
  const WwMatrix *weights[] = { v, v, v };
  g_autoptr (WwDrf) drf = ww_drf_new_from_weights (x, 0, weights, 3, NULL, &error);
  g_autoptr (WwSearchResult) result = ww_drf_search (drf, &settings, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (result->ws, ==, 0.5);
  g_assert_cmpfloat (result->delta_norm, ==, 1);
}

int
main (int argc, char **argv)
{
  ww_core_init ();
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/drf/features", test_features);
  g_test_add_func ("/drf/sources-agree", test_sources_agree);
  g_test_add_func ("/drf/depth-one", test_depth_one);
  g_test_add_func ("/drf/gradient", test_gradient);
  g_test_add_func ("/drf/maximum", test_maximum);
  g_test_add_func ("/drf/efforts", test_efforts);
  g_test_add_func ("/drf/deep-maxima", test_deep_maxima);
  g_test_add_func ("/drf/scales", test_scales);
  g_test_add_func ("/drf/same-bits", test_same_bits);
  g_test_add_func ("/drf/all-tokens", test_all_tokens);
  g_test_add_func ("/drf/cancel", test_cancel);
  g_test_add_func ("/drf/bad-input", test_bad_input);
  g_test_add_func ("/drf/smallest", test_smallest);

  return g_test_run ();
}

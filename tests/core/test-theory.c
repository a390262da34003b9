#include "test-util.h"

/* The closed form of RF for r = 1, written out. */
static double
rf_by_closed_form (double n)
{
  double root = sqrt (n - 1);

  return sqrt (1 / n - 2 / G_PI * (root / n - (1 + 1 / n) * atan (root / (n + 1))));
}

static void
test_infinite_values (void)
{
  static const struct
  {
    double n;
    gsize depth;
    double ws;
  } values[] = {
    { 2, 1, .6992 },  { 10, 1, .3090 }, { 50, 1, .1395 }, { 90, 1, .1043 }, { 100, 1, .0990 },
    { 150, 1, .0810 }, { 80, 1, .1105 }, { 10, 2, .3022 }, { 10, 4, .2898 }, { 10, 8, .2690 },
    { 50, 2, .1375 }, { 50, 4, .1339 }, { 50, 8, .1272 }, { 80, 2, .1093 }, { 80, 4, .1069 },
    { 80, 8, .1024 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpfloat (fabs (ww_theory_drf_infinite (values[i].n, 1, values[i].depth) - values[i].ws), <,
                       5.1e-5);

  for (double n = 2; n < 3000; n *= 1.3)
    g_assert_cmpfloat (fabs (ww_theory_rf_infinite (n, 1) / rf_by_closed_form (n) - 1), <, 1e-9);
}

/* S = n^-1/2 (1 - L / (3 pi sqrt n) + ...), and for one layer the next term, -1 / (18 pi^2 n). */
static void
test_expansion (void)
{
  for (double n = 1e4; n < 1e9; n *= 10)
    {
      double root = sqrt (n);

      g_assert_cmpfloat (fabs (root * ww_theory_rf_infinite (n, 1)
                               - (1 - 1 / (3 * G_PI * root) - 1 / (18 * G_PI * G_PI * n))), <,
                         0.45 / (n * root) + 1e-12);
      for (gsize depth = 1; depth <= 16; depth++)
        g_assert_cmpfloat (fabs (root * ww_theory_drf_infinite (n, 1, depth)
                                 - (1 - (double) depth / (3 * G_PI * root))), <,
                           (double) (depth * depth) / n);
    }
}

/* One token: doubling X doubles every feature. A vanishing ball moves nothing. */
static void
test_limits (void)
{
  for (gsize depth = 1; depth <= 16; depth++)
    {
      g_assert_cmpfloat (fabs (ww_theory_drf_infinite (1, 1, depth) - 1), <, 1e-12);
      g_assert_cmpfloat (fabs (ww_theory_drf_infinite (1, 2.5, depth) - 2.5), <, 1e-12);
      g_assert_cmpfloat (ww_theory_drf_infinite (20, 0, depth), ==, 0);
      g_assert_cmpfloat (fabs (ww_theory_drf_infinite (20, 1e-6, depth) / (1e-6 / sqrt (20)) - 1), <, 1e-5);
    }
  for (gsize depth = 2; depth <= 16; depth++)
    g_assert_cmpfloat (ww_theory_drf_infinite (30, 1, depth), <, ww_theory_drf_infinite (30, 1, depth - 1));
}

/* No direction of the nudge beats the token's own, at any depth: the kernel on a grid of directions. */
static void
test_maximiser (void)
{
  for (gsize depth = 1; depth <= 8; depth *= 2)
    for (double n = 2; n <= 150; n *= 4.1)
      {
        double best = ww_theory_drf_infinite (n, 1, depth);

        for (double turn = -1; turn <= 1; turn += 0.05)
          {
            double reach = 1 / sqrt (n), along = 1 + turn * reach / sqrt (n);
            double rho = sqrt (1 + reach * reach + 2 * turn * reach / sqrt (n)), c = along / rho;

            for (gsize l = 0; l < depth; l++)
              c = (sqrt (MAX (1 - c * c, 0)) + (G_PI - acos (MIN (c, 1))) * c) / G_PI;
            g_assert_cmpfloat (sqrt (MAX (1 + rho * rho - 2 * rho * c, 0)), <, best + 1e-7);
          }
      }
}

/* Wider networks approach the infinite one, and a product of one layer is the edge of one. */
static void
test_finite_forms (void)
{
  g_assert_cmpfloat (fabs (ww_theory_rf_finite (50, 1, 192, 1e14) / ww_theory_rf_infinite (50, 1) - 1), <,
                     1e-5);
  g_assert_cmpfloat (fabs (ww_theory_drf_finite (50, 1, 192, 1e14, 4) / ww_theory_drf_infinite (50, 1, 4) - 1),
                     <, 0.005);
  g_assert_cmpfloat (fabs (ww_theory_drf_finite (50, 1, 192, 1000, 1) / ww_theory_rf_edge (50, 1, 192, 1000)
                           - 1), <, 1e-12);
  for (double k = 64; k < 1e6; k *= 2)
    {
      g_assert_cmpfloat (ww_theory_rf_finite (50, 1, 192, k), >, ww_theory_rf_finite (50, 1, 192, 2 * k));
      g_assert_cmpfloat (ww_theory_rf_finite (50, 1, 192, k), <, ww_theory_rf_edge (50, 1, 192, k));
    }
  g_assert_true (isnan (ww_theory_rf_finite (50, 1, 192, 2)));
  g_assert_true (isfinite (ww_theory_rf_finite (1, 1, 1, 3)));
}

/* What a search finds, averaged over weights. The scatter from weights to weights is mostly that of
 * ||phi||, whose mean square is known: taken out of each value, it leaves a far smaller error of the
 * mean, and the comparison is one with the law instead of one with the dice. */
typedef struct
{
  double mean, error; /* of the mean */
} Sampled;

static void
sample (Sampled *sampled, const double *values, guint count)
{
  double sum = 0, squares = 0;

  for (guint t = 0; t < count; t++)
    sum += values[t];
  sampled->mean = sum / count;
  for (guint t = 0; t < count; t++)
    squares += (values[t] - sampled->mean) * (values[t] - sampled->mean);
  sampled->error = sqrt (squares / (count - 1) / count);
}

/* Errors of the laws against the sampled supremum, in per cent, as derived: for F1 and F2 of the mean, for
 * F3 of the worst weights. */
static const struct
{
  gsize k, d, n;
  double edge, finite, instance;
  guint trials;
} rf_rows[] = {
  { 1024, 192, 10, 2.0, 1.1, 1.7, 10 }, { 1024, 192, 50, 0.9, 0.0, 1.3, 10 },
  { 1024, 384, 50, 0.7, 0.0, 1.2, 6 },  { 4096, 192, 10, 1.6, 1.1, 0.8, 4 },
  { 4096, 192, 150, 0.8, 0.3, 0.4, 4 }, { 4096, 384, 150, 0.3, -0.1, 0.2, 3 },
  { 16384, 192, 50, 0.2, 0.0, 0.3, 2 }, { 9600, 192, 50, 0.1, -0.2, 0.6, 3 },
};

static void
test_rf_laws (gconstpointer data)
{
  gsize row = GPOINTER_TO_SIZE (data);
  gsize k = rf_rows[row].k, d = rf_rows[row].d, n = rf_rows[row].n;
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL };
  double ws[16], worst = 0, edge, finite, slack;
  Sampled sampled;

  for (guint trial = 0; trial < rf_rows[row].trials; trial++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 11, trial, &error);
      g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, k, 11, trial, NULL, &error);
      g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, &error);

      g_assert_no_error (error);
      ws[trial] = result->ws * ww_rf_get_norm (rf) / sqrt ((double) k / 2);
      worst = MAX (worst, fabs (result->predicted / result->ws - 1));
    }

  sample (&sampled, ws, rf_rows[row].trials);
  edge = ww_theory_rf_edge ((double) n, 1, (double) d, (double) k) / sampled.mean - 1;
  finite = ww_theory_rf_finite ((double) n, 1, (double) d, (double) k) / sampled.mean - 1;
  slack = 3 * sampled.error / sampled.mean + 0.005;
  g_test_message ("k %u, d %u, n %u: found %.4f (%.4f), edge %+.2f %%, finite %+.2f %%, instance at most %.2f %%",
                  (guint) k, (guint) d, (guint) n, sampled.mean, sampled.error, 100 * edge, 100 * finite,
                  100 * worst);
  g_assert_cmpfloat (fabs (edge - rf_rows[row].edge / 100), <, slack);
  g_assert_cmpfloat (fabs (finite - rf_rows[row].finite / 100), <, slack);
  g_assert_cmpfloat (worst, <, 1.3 * rf_rows[row].instance / 100 + 0.004);
}

/* D2 is good to some 3 per cent up to 4 layers, and at 8 to 5 to 12, where it lies below what is found. */
static const struct
{
  gsize depth, k, d, n;
  guint trials;
  double slack;
} drf_rows[] = {
  { 2, 1024, 192, 10, 8, 0.02 }, { 2, 1024, 384, 50, 6, 0.02 }, { 4, 1024, 192, 10, 8, 0.02 },
  { 4, 1024, 384, 50, 4, 0.02 }, { 2, 1600, 32, 50, 4, 0.03 },  { 8, 1600, 32, 50, 4, 0.07 },
  { 8, 1024, 384, 50, 3, 0.12 },
};

static void
test_drf_law (gconstpointer data)
{
  gsize row = GPOINTER_TO_SIZE (data);
  gsize depth = drf_rows[row].depth, k = drf_rows[row].k, d = drf_rows[row].d, n = drf_rows[row].n;
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_QUICK };
  double ws[16], raw[16], law;
  Sampled sampled, sampled_raw;

  for (guint trial = 0; trial < drf_rows[row].trials; trial++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 11, trial, &error);
      g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 0, depth, k, 11, trial, NULL, &error);
      g_autoptr (WwSearchResult) result = ww_drf_search (drf, &settings, NULL, &error);

      g_assert_no_error (error);
      raw[trial] = result->ws;
      ws[trial] = result->ws * ww_drf_get_norm (drf) / sqrt ((double) k);
    }

  sample (&sampled, ws, drf_rows[row].trials);
  sample (&sampled_raw, raw, drf_rows[row].trials);
  law = ww_theory_drf_finite ((double) n, 1, (double) d, (double) k, depth);
  g_test_message ("depth %u, k %u, d %u, n %u: found %.4f (%.4f), raw %.4f (%.4f), law %.4f", (guint) depth,
                  (guint) k, (guint) d, (guint) n, sampled.mean, sampled.error, sampled_raw.mean,
                  sampled_raw.error, law);
  g_assert_cmpfloat (fabs (law / sampled.mean - 1), <, drf_rows[row].slack + 3 * sampled.error / sampled.mean);
}

/* Where D2 may be held against what is found. */
static void
test_drf_law_holds (void)
{
  static const struct
  {
    gsize depth;
    double k, d, n, radius;
    gboolean holds;
  } rows[] = {
    { 1, 8, 64, 1, 1, TRUE },      { 2, 8, 64, 1, 100, TRUE },   { 3, 128, 64, 4, 1, TRUE },
    { 4, 127, 64, 4, 1, FALSE },   { 4, 128, 64, 3, 1, FALSE },  { 4, 128, 64, 4, 0.1, TRUE },
    { 5, 1024, 64, 9, 1, FALSE },  { 5, 1024, 64, 10, 1, TRUE }, { 8, 1024, 64, 39, 2, FALSE },
    { 8, 1024, 64, 40, 2, TRUE },  { 9, 1024, 64, 1000, 1, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (ww_theory_drf_finite_holds (rows[i].n, rows[i].radius, rows[i].d, rows[i].k, rows[i].depth), ==,
                     rows[i].holds);
}

/* What a search predicts from its weights hardly depends on how long it looks: the singular value is found
 * within few steps. */
static void
test_effort_of_prediction (void)
{
  static const struct
  {
    gsize n, d, k;
  } sizes[] = { { 20, 192, 1024 }, { 50, 384, 4096 }, { 5, 16, 300 }, { 100, 64, 6400 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint trial = 0; trial < 3; trial++)
      {
        g_autoptr (WwMatrix) x = ww_context_synthetic (sizes[i].n, sizes[i].d, 3, trial, NULL);
        g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, sizes[i].k, 3, trial, NULL, NULL);
        double predicted[WW_N_EFFORTS];

        for (guint effort = 0; effort < WW_N_EFFORTS; effort++)
          {
            WwSearchSettings settings = { .radius = 0.7, .effort = (WwEffort) effort };
            g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, NULL);

            g_assert_nonnull (result);
            predicted[effort] = result->predicted;
          }
        g_test_message ("n %u, d %u, k %u: thorough %.6f, normal %+.4f %%, quick %+.4f %%", (guint) sizes[i].n,
                        (guint) sizes[i].d, (guint) sizes[i].k, predicted[2],
                        100 * (predicted[1] / predicted[2] - 1), 100 * (predicted[0] / predicted[2] - 1));
        g_assert_cmpfloat (fabs (predicted[WW_EFFORT_NORMAL] / predicted[WW_EFFORT_THOROUGH] - 1), <, 5e-4);
        g_assert_cmpfloat (fabs (predicted[WW_EFFORT_QUICK] / predicted[WW_EFFORT_THOROUGH] - 1), <, 5e-3);
      }
}

/* Names go there and back, and each law knows its maps. */
static void
test_law_names (void)
{
  static const struct
  {
    const char *id;
    WwLaw law;
  } others[] = { { "f1", WW_LAW_EDGE }, { "f2", WW_LAW_FINITE }, { "d2", WW_LAW_FINITE }, { "f3", WW_LAW_WEIGHTS } };
  WwLaw law;

  for (guint i = 0; i < WW_N_LAWS; i++)
    {
      g_assert_true (ww_law_from_id (ww_law_get_id ((WwLaw) i), &law));
      g_assert_cmpuint (law, ==, i);
      g_assert_true (ww_law_applies ((WwLaw) i, WW_MAP_RF));
      g_assert_false (ww_law_applies ((WwLaw) i, WW_MAP_SOFTMAX_RAF));
      g_assert_cmpint (ww_law_applies ((WwLaw) i, WW_MAP_DRF), ==, i == WW_LAW_INFINITE || i == WW_LAW_FINITE);
    }
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_assert_true (ww_law_from_id (others[i].id, &law));
      g_assert_cmpint (law, ==, others[i].law);
    }
  g_assert_false (ww_law_from_id ("", &law));
  g_assert_false (ww_law_from_id ("f4", &law));
}

/* Rows of any length that a double has: nothing overflows to infinity or underflows to zero, and the search
 * agrees. */
static void
test_extreme_rows (void)
{
  static const double scales[] = { 1e-290, 1e-200, 1e-100, 1e-29, 1e-8, 1, 1e8, 1e29, 1e100, 1e200, 1e290 };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) x = ww_context_synthetic (5, 8, 4, 0, &error);
      WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_QUICK };
      double ws = 0;

      for (gsize j = 0; j < x->rows * x->cols; j++)
        x->data[j] *= scales[i];
      g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, 2000, 4, 0, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, &error);
      g_assert_no_error (error);
      ws = result->predicted;
      g_test_message ("rows of norm sqrt(d) times %g: predicted %g, found %g", scales[i], ws, result->ws);
      g_assert_cmpfloat (fabs (ws / result->ws - 1), <, 0.06);
    }

  for (gsize depth = 1; depth <= 16; depth *= 2)
    for (double reach = 1e-28; reach < 1e29; reach *= 1e14)
      for (double share = 0; share <= 1; share += 0.5)
        {
          double inside = ww_theory_infinite (share, reach, depth);
          double outside = ww_theory_infinite (share, reach * (reach < 1 ? 1e-4 : 1e4), depth);

          if (reach < 1e-10 || reach > 1e10)
            g_assert_cmpfloat (fabs (inside / outside * (reach < 1 ? 1e-4 : 1e4) - 1), <, 1e-9);
        }
}

int
main (int argc, char **argv)
{
  ww_core_init ();
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/theory/infinite-values", test_infinite_values);
  g_test_add_func ("/theory/expansion", test_expansion);
  g_test_add_func ("/theory/limits", test_limits);
  g_test_add_func ("/theory/maximiser", test_maximiser);
  g_test_add_func ("/theory/finite-forms", test_finite_forms);
  g_test_add_func ("/theory/extreme-rows", test_extreme_rows);
  g_test_add_func ("/theory/effort-of-prediction", test_effort_of_prediction);
  g_test_add_func ("/theory/law-names", test_law_names);
  g_test_add_func ("/theory/drf-law-holds", test_drf_law_holds);
  for (gsize row = 0; row < G_N_ELEMENTS (rf_rows); row++)
    {
      g_autofree char *path = g_strdup_printf ("/theory/rf-laws/%u-%u-%u", (guint) rf_rows[row].k,
                                               (guint) rf_rows[row].d, (guint) rf_rows[row].n);

      g_test_add_data_func (path, GSIZE_TO_POINTER (row), test_rf_laws);
    }
  for (gsize row = 0; row < G_N_ELEMENTS (drf_rows); row++)
    {
      g_autofree char *path = g_strdup_printf ("/theory/drf-law/%u-%u-%u-%u", (guint) drf_rows[row].depth,
                                               (guint) drf_rows[row].k, (guint) drf_rows[row].d,
                                               (guint) drf_rows[row].n);

      g_test_add_data_func (path, GSIZE_TO_POINTER (row), test_drf_law);
    }

  return g_test_run ();
}

#include "test-util.h"

#include "ww-core.h"

static WwCurvePoint
point (WwMap map, gsize d, gsize n, guint trial, double ws)
{
  return (WwCurvePoint) { .map = map, .d = d, .n = n, .trial = trial, .ws = ws };
}

static void
test_summarise (void)
{
  const WwCurvePoint points[] = {
    point (WW_MAP_RF, 8, 40, 0, 0.2),         point (WW_MAP_RF, 8, 10, 0, 4),
    point (WW_MAP_SOFTMAX_RAF, 8, 10, 0, 99), point (WW_MAP_RF, 8, 10, 1, 1),
    point (WW_MAP_RF, 16, 10, 0, 77),         point (WW_MAP_RF, 8, 10, 2, 2),
    point (WW_MAP_RF, 8, 10, 3, 8),           point (WW_MAP_RF, 8, 20, 0, NAN),
  };
  g_autoptr (GArray) summaries = ww_curve_summarise (points, G_N_ELEMENTS (points), WW_MAP_RF, 8);
  g_autoptr (GArray) none = ww_curve_summarise (points, G_N_ELEMENTS (points), WW_MAP_RELU_RAF, 8);
  g_autoptr (GArray) empty = ww_curve_summarise (NULL, 0, WW_MAP_RF, 8);

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (empty->len, ==, 0);
  g_assert_cmpuint (summaries->len, ==, 2);

  const WwCurveSummary *first = &g_array_index (summaries, WwCurveSummary, 0);
  const WwCurveSummary *second = &g_array_index (summaries, WwCurveSummary, 1);

  /* 1 2 4 8: positions 0.75, 1.5 and 2.25 between the order statistics. */
  g_assert_cmpuint (first->n, ==, 10);
  g_assert_cmpuint (first->trials, ==, 4);
  g_assert_cmpfloat (first->lower, ==, 1.75);
  g_assert_cmpfloat (first->median, ==, 3);
  g_assert_cmpfloat (first->upper, ==, 5);

  g_assert_cmpuint (second->n, ==, 40);
  g_assert_cmpuint (second->trials, ==, 1);
  g_assert_cmpfloat (second->lower, ==, 0.2);
  g_assert_cmpfloat (second->median, ==, 0.2);
  g_assert_cmpfloat (second->upper, ==, 0.2);
}

static void
test_undefined (void)
{
  const WwCurvePoint points[] = {
    point (WW_MAP_RELU_RAF, 8, 10, 0, NAN), point (WW_MAP_RELU_RAF, 8, 10, 1, 3),
    point (WW_MAP_RELU_RAF, 8, 10, 2, 1),   point (WW_MAP_RELU_RAF, 8, 20, 0, NAN),
    point (WW_MAP_RELU_RAF, 8, 40, 0, 1),   point (WW_MAP_RELU_RAF, 4, 10, 0, NAN),
    point (WW_MAP_RF, 8, 10, 0, 5),
  };
  gsize n_points = G_N_ELEMENTS (points), n;
  g_autoptr (GArray) summaries = ww_curve_summarise (points, n_points, WW_MAP_RELU_RAF, 8);
  const WwCurveSummary *first = &g_array_index (summaries, WwCurveSummary, 0);
  double exponent;

  g_assert_cmpuint (ww_curve_count_undefined (points, n_points, WW_MAP_RELU_RAF, &n), ==, 3);
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpuint (ww_curve_count_undefined (points, n_points, WW_MAP_RF, NULL), ==, 0);
  g_assert_cmpuint (ww_curve_count_undefined (NULL, 0, WW_MAP_RF, &n), ==, 0);
  g_assert_cmpuint (n, ==, 0);

  /* The quartiles are those of the defined trials, and a length without any is no point of the curve. */
  g_assert_cmpuint (summaries->len, ==, 2);
  g_assert_cmpuint (first->trials, ==, 2);
  g_assert_cmpfloat (first->median, ==, 2);
  g_assert_true (ww_curve_fit_exponent (first, summaries->len, &exponent));
  g_assert_cmpfloat_with_epsilon (exponent, -0.5, 1e-12);
}

static double
bound_of (const WwCurvePoint *points, gsize n)
{
  g_autoptr (GArray) summaries = ww_curve_summarise (points, n, WW_MAP_SOFTMAX_RAF, 8);

  g_assert_cmpuint (summaries->len, ==, 1);
  return g_array_index (summaries, WwCurveSummary, 0).upper_bound;
}

/* The largest of the bounds, in whatever order; none where a trial that is defined has none. */
static void
test_bounds (void)
{
  static const double bounds[] = { 8, 12, 9, 5, NAN, INFINITY, 6.5 };
  WwCurvePoint points[G_N_ELEMENTS (bounds)];
  gsize n;

  for (guint i = 0; i < G_N_ELEMENTS (bounds); i++)
    {
      points[i] = point (WW_MAP_SOFTMAX_RAF, 8, 10, i, 1 + i);
      points[i].upper_bound = bounds[i];
    }

  g_assert_cmpfloat (bound_of (points, 1), ==, 8);
  g_assert_cmpfloat (bound_of (points, 4), ==, 12);
  g_assert_true (isnan (bound_of (points, 5)));
  g_assert_true (isnan (bound_of (points + 4, 1)));
  g_assert_true (isnan (bound_of (points + 5, 1)));
  /* 6.5 is below the 7 that was found, and certifies nothing. */
  g_assert_true (isnan (bound_of (points + 6, 1)));
  g_assert_cmpuint (ww_curve_count_bounded (points, G_N_ELEMENTS (points), WW_MAP_SOFTMAX_RAF, &n), ==, 4);
  g_assert_cmpuint (n, ==, 7);
  g_assert_cmpuint (ww_curve_count_bounded (points, G_N_ELEMENTS (points), WW_MAP_RELU_RAF, NULL), ==, 0);

  /* Nothing is to be bounded where nothing is defined. */
  points[4].ws = NAN;
  g_assert_cmpfloat (bound_of (points, 5), ==, 12);
  g_assert_cmpuint (ww_curve_count_bounded (points, 5, WW_MAP_SOFTMAX_RAF, &n), ==, 4);
  g_assert_cmpuint (n, ==, 4);
}

/* No value found in any trial lies above the line. */
static void
test_bounds_of_trials (void)
{
  static const WwMap maps[] = { WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF };
  static const gsize lengths[] = { 4, 9, 15 }, dims[] = { 12 };
  const WwSweepSettings settings = {
    .maps = { WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF }, .n_maps = 2, .lengths = lengths, .n_lengths = 3,
    .dims = dims, .n_dims = 1, .trials = 5, .seed = 3, .radius = 1, .effort = WW_EFFORT_QUICK,
    .bound = WW_SWEEP_BOUND_TIGHT, .depth = 2, .width = 8, .features = 16,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, &error);
  WwCurvePoint points[30];
  guint compared = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (ww_sweep_get_n_slices (sweep), ==, G_N_ELEMENTS (points));
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      g_assert_true (ww_sweep_run_slice (sweep, i, NULL, &points[i], &error));
      g_assert_no_error (error);
    }

  for (guint m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (GArray) summaries = ww_curve_summarise (points, G_N_ELEMENTS (points), maps[m], 12);

      for (guint s = 0; s < summaries->len; s++)
        for (guint i = 0; i < G_N_ELEMENTS (points); i++)
          {
            const WwCurveSummary *summary = &g_array_index (summaries, WwCurveSummary, s);

            if (points[i].map != maps[m] || points[i].n != summary->n || isnan (points[i].ws))
              continue;
            g_assert_cmpfloat (summary->upper_bound, >=, points[i].ws);
            g_assert_cmpfloat (summary->upper_bound, >=, points[i].upper_bound);
            compared++;
          }
    }
  g_assert_cmpuint (compared, >=, 25);
}

static void
test_exponent (void)
{
  WwCurveSummary summaries[] = { { 10, 1, 0, 0, 0 }, { 50, 1, 0, 0, 0 }, { 250, 1, 0, 0, 0 } };
  double exponent = 42;

  for (gsize i = 0; i < 3; i++)
    summaries[i].median = 3 * pow ((double) summaries[i].n, -0.5);
  g_assert_true (ww_curve_fit_exponent (summaries, 3, &exponent));
  g_assert_cmpfloat (fabs (exponent + 0.5), <, 1e-14);

  /* The middle point of three evenly spaced ones does not turn the line. */
  summaries[1].median *= 7;
  g_assert_true (ww_curve_fit_exponent (summaries, 3, &exponent));
  g_assert_cmpfloat (fabs (exponent + 0.5), <, 1e-14);

  exponent = 42;
  g_assert_false (ww_curve_fit_exponent (summaries, 1, &exponent));
  g_assert_false (ww_curve_fit_exponent (NULL, 0, &exponent));
  summaries[1].n = 10;
  g_assert_false (ww_curve_fit_exponent (summaries, 2, &exponent));
  summaries[1].n = 50;
  summaries[1].median = 0;
  g_assert_false (ww_curve_fit_exponent (summaries, 3, &exponent));
  summaries[1].median = NAN;
  g_assert_false (ww_curve_fit_exponent (summaries, 3, &exponent));
  g_assert_cmpfloat (exponent, ==, 42);

  /* Two lengths as long and as close as they come. */
  summaries[0] = (WwCurveSummary) { WW_MAX_ROWS - 1, 1, 2, 2, 2 };
  summaries[1] = (WwCurveSummary) { WW_MAX_ROWS, 1, 2, 2, 2 };
  g_assert_true (ww_curve_fit_exponent (summaries, 2, &exponent));
  g_assert_cmpfloat (exponent, ==, 0);
}

static void
test_lengths (void)
{
  static const struct
  {
    gsize first, last, count, length;
    gsize values[10];
  } table[] = {
    { 10, 250, 8, 8, { 10, 16, 25, 40, 63, 100, 158, 250 } },
    { 1, 5, 20, 5, { 1, 2, 3, 4, 5 } },
    { 7, 7, 4, 1, { 7 } },
    { 3, 90, 1, 1, { 3 } },
    { 10, 40, 3, 3, { 10, 20, 40 } },
    { 2, 3, 2, 2, { 2, 3 } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GArray) lengths = ww_curve_spaced_lengths (table[i].first, table[i].last, table[i].count);

      g_assert_cmpuint (lengths->len, ==, table[i].length);
      for (guint j = 0; j < lengths->len; j++)
        g_assert_cmpuint (g_array_index (lengths, gsize, j), ==, table[i].values[j]);
    }

  g_autoptr (GArray) all = ww_curve_spaced_lengths (1, 300, G_MAXSIZE);
  g_assert_cmpuint (all->len, ==, 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/curve/summarise", test_summarise);
  g_test_add_func ("/curve/undefined", test_undefined);
  g_test_add_func ("/curve/bounds", test_bounds);
  g_test_add_func ("/curve/bounds-of-trials", test_bounds_of_trials);
  g_test_add_func ("/curve/exponent", test_exponent);
  g_test_add_func ("/curve/lengths", test_lengths);

  return g_test_run ();
}

/* What theory says about RF, against what is drawn and found here: the law of one nudge for very many
 * features, the supremum for finitely many, and that drawing u without V changes no distribution. */
#include <stdlib.h>

#include "test-util.h"

#include "ww-core.h"

/* Infinitely many features, rows of norm sqrt (d), a nudge of norm sqrt (d) parallel to the token, which
 * is the worst one; from the kernel E relu (v.x) relu (v.x') = |x| |x'| (sin t + (pi - t) cos t) / (2 pi n d)
 * with t the angle between x and x'. */
static double
infinite_width (double n)
{
  return sqrt (1 / n - 2 / G_PI * (sqrt (n - 1) / n - (1 + 1 / n) * atan (sqrt (n - 1) / (n + 1))));
}

static void
test_closed_form (void)
{
  static const struct
  {
    gsize n;
    double ws; /* as printed in tables, four digits */
  } table[] = { { 2, 0.6992 }, { 10, 0.3090 }, { 50, 0.1395 }, { 90, 0.1043 }, { 100, 0.0990 },
                { 150, 0.0810 } };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const gsize d = 6, k = 200000;
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) x = ww_context_synthetic (table[i].n, d, 1, (guint32) i, &error);
      g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 1, k, 2, (guint32) i, NULL, &error);
      double change;

      g_assert_no_error (error);
      g_assert_cmpfloat (fabs (infinite_width ((double) table[i].n) - table[i].ws), <, 6e-5);

      /* Doubling the token. Each squared sum is a mean over k features with relative deviation of at
       * most sqrt (5 / k): 0.5 %. */
      g_assert_true (ww_rf_evaluate (rf, x->data + d, &change, &error));
      g_assert_cmpfloat (fabs (change / table[i].ws - 1), <, 0.015);

      /* ||relu (u)||^2 has mean k / 2 for rows of norm sqrt (d). */
      g_assert_cmpfloat (fabs (ww_rf_get_norm (rf) / sqrt (k / 2.0) - 1), <, 0.01);
    }
}

/* S_k = S_inf (1 + sqrt (2 d / k)), the largest singular value of the k / 2 active rows; and the same with
 * the mean of the Tracy-Widom law for its fluctuation. */
static void
test_finite_width (void)
{
  static const struct
  {
    gsize k, d, n;
    guint seeds;
    double first_order, with_edge; /* relative tolerance of the two laws; the first is asymptotic */
  } table[] = {
    { 1024, 192, 10, 8, 0.035, 0.03 },
    { 1024, 192, 50, 8, 0.025, 0.02 },
    { 4096, 192, 50, 3, 0.02, 0.02 },
    { 20000, 20, 20, 4, 0.025, 0.02 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      double k = (double) table[i].k, d = (double) table[i].d, m = k / 2;
      double a = sqrt (m - 1) + sqrt (d), b = cbrt (1 / sqrt (m - 1) + 1 / sqrt (d));
      double limit = infinite_width ((double) table[i].n), mean = 0;
      double first_order = limit * (1 + sqrt (2 * d / k));
      double with_edge = limit * sqrt ((a * a - 1.2065 * a * b) / m);

      for (guint seed = 0; seed < table[i].seeds; seed++)
        {
          WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL, .seed = seed };
          g_autoptr (GError) error = NULL;
          g_autoptr (WwMatrix) x = ww_context_synthetic (table[i].n, table[i].d, seed, 0, &error);
          g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, table[i].k, seed, 0, NULL, &error);
          g_autoptr (WwSearchResult) result = ww_rf_search (rf, &settings, NULL, &error);

          g_assert_no_error (error);
          /* In units of the norm expected, since its own scatter says nothing about the nudge. */
          mean += result->ws * ww_rf_get_norm (rf) / sqrt (m) / table[i].seeds;
        }

      g_test_message ("k %d d %d n %d: found %.4f, first order %+.2f %%, with edge %+.2f %%",
                      (int) k, (int) d, (int) table[i].n, mean, 100 * (first_order / mean - 1),
                      100 * (with_edge / mean - 1));
      g_assert_cmpfloat (fabs (first_order / mean - 1), <, table[i].first_order);
      g_assert_cmpfloat (fabs (with_edge / mean - 1), <, table[i].with_edge);
    }
}

/* Few features against many: what effort quick leaves on the table at the size of the default figure. */
static void
test_quick_is_close (void)
{
  double mean = 0;

  for (guint seed = 0; seed < 4; seed++)
    {
      WwSearchSettings quick = { .radius = 1, .effort = WW_EFFORT_QUICK, .seed = seed };
      WwSearchSettings thorough = { .radius = 1, .effort = WW_EFFORT_THOROUGH, .seed = seed };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) x = ww_context_synthetic (50, 384, seed, 0, &error);
      g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, 2048, seed, 0, NULL, &error);
      g_autoptr (WwSearchResult) fast = ww_rf_search (rf, &quick, NULL, &error);
      g_autoptr (WwSearchResult) best = ww_rf_search (rf, &thorough, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpfloat (fast->ws, <=, best->ws);
      g_assert_cmpfloat (fast->ws, >, 0.96 * best->ws);
      mean += fast->ws / best->ws / 4;
    }

  g_test_message ("quick finds %.4f of thorough", mean);
  g_assert_cmpfloat (mean, >, 0.975);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The two-sample statistic of Kolmogorov and Smirnov times sqrt (count / 2): 1.95 is exceeded once in a
 * thousand where both samples have one law. Sorts both. */
static double
two_sample_statistic (double *a, double *b, gsize count)
{
  double largest = 0;

  qsort (a, count, sizeof (double), compare_doubles);
  qsort (b, count, sizeof (double), compare_doubles);
  for (gsize i = 0, j = 0; i < count && j < count;)
    {
      if (a[i] <= b[j])
        i++;
      else
        j++;
      largest = MAX (largest, fabs ((double) i - (double) j) / (double) count);
    }

  return largest * sqrt ((double) count / 2);
}

static void
test_drawn_law (void)
{
  enum { COUNT = 800 };
  const gsize d = 8, k = 40;
  g_autofree double *drawn_ws = g_new (double, COUNT);
  g_autofree double *drawn_norm = g_new (double, COUNT);
  g_autofree double *whole_ws = g_new (double, COUNT);
  g_autofree double *whole_norm = g_new (double, COUNT);
  g_autofree double *other_ws = g_new (double, COUNT);
  g_autoptr (WwMatrix) x = ww_context_synthetic (6, d, 1, 0, NULL);
  g_autoptr (WwMatrix) longer = ww_context_synthetic (8, d, 1, 0, NULL);
  double ws_statistic, norm_statistic, control;

  for (guint32 trial = 0; trial < COUNT; trial++)
    {
      WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_QUICK, .trial = trial };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwRf) drawn = ww_rf_new_drawn (x, 2, k, 100, trial, NULL, &error);
      g_autoptr (WwRf) whole = ww_rf_new_generated (x, 2, k, 200, trial, NULL, NULL, &error);
      g_autoptr (WwRf) other = ww_rf_new_drawn (longer, 2, k, 300, trial, NULL, &error);
      g_autoptr (WwSearchResult) drawn_result = ww_rf_search (drawn, &settings, NULL, &error);
      g_autoptr (WwSearchResult) whole_result = ww_rf_search (whole, &settings, NULL, &error);
      g_autoptr (WwSearchResult) other_result = ww_rf_search (other, &settings, NULL, &error);

      g_assert_no_error (error);
      drawn_ws[trial] = drawn_result->ws;
      whole_ws[trial] = whole_result->ws;
      other_ws[trial] = other_result->ws;
      drawn_norm[trial] = ww_rf_get_norm (drawn);
      whole_norm[trial] = ww_rf_get_norm (whole);
    }

  ws_statistic = two_sample_statistic (drawn_ws, whole_ws, COUNT);
  norm_statistic = two_sample_statistic (drawn_norm, whole_norm, COUNT);
  control = two_sample_statistic (drawn_ws, other_ws, COUNT);
  g_test_message ("Kolmogorov-Smirnov: WS %.2f, norm %.2f, another law %.2f", ws_statistic,
                  norm_statistic, control);
  g_assert_cmpfloat (ws_statistic, <, 1.95);
  g_assert_cmpfloat (norm_statistic, <, 1.95);
  g_assert_cmpfloat (control, >, 4); /* the statistic does see a law that differs */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/rf-law/closed-form", test_closed_form);
  g_test_add_func ("/rf-law/finite-width", test_finite_width);
  g_test_add_func ("/rf-law/quick-is-close", test_quick_is_close);
  g_test_add_func ("/rf-law/drawn-law", test_drawn_law);

  return g_test_run ();
}

/* Where axes have their ticks, and what the labels say. */
#include <math.h>
#include <string.h>

#include "ww-axis-private.h"
#include "ww-plot.h"

typedef struct
{
  double min, max;
  gboolean logarithmic;
  guint about;
  const char *expected;
} Row;

static const Row table[] = {
  { 0, 1, FALSE, 6, "0 0.2 0.4 0.6 0.8 1" },
  { 0, 1, FALSE, 11, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1" },
  { 0, 0.3, FALSE, 4, "0 0.1 0.2 0.3" },
  { -1, 1, FALSE, 5, "-1 -0.5 0 0.5 1" },
  { -0.0199, 0.0199, FALSE, 5, "-0.01 0 0.01" },
  { 0, 250, FALSE, 6, "0 50 100 150 200 250" },
  { 10, 250, FALSE, 5, "50 100 150 200 250" },
  { 1e6, 1.0001e6, FALSE, 5, "1000000 1000050 1000100" },
  { 3.1, 4, FALSE, 1, "4" },
  { 10, 250, TRUE, 6, "10 20 50 100 200" },
  { 10, 250, TRUE, 3, "10 30 100" },
  { 10, 250, TRUE, 2, "10 100" },
  { 8, 300, TRUE, 6, "10 20 50 100 200" },
  { 0.05, 2, TRUE, 6, "0.05 0.1 0.2 0.5 1 2" },
  { 1, 1000, TRUE, 6, "1 10 100 1000" },
  { 1e-6, 1e6, TRUE, 7, "1e-06 0.0001 0.01 1 100 10000 1000000" },
  { 1, 9, TRUE, 9, "1 2 3 4 5 6 7 8 9" },
  { 1, 9, TRUE, 4, "1 2 5" },
  { 20, 50, TRUE, 7, "20 25 30 35 40 45 50" },
  { 2, 5, TRUE, 4, "2 3 4 5" },
  { 1, 1, FALSE, 5, "" },
  { 2, 1, FALSE, 5, "" },
  { 0, 1, TRUE, 5, "" },
  { -1, 1, TRUE, 5, "" },
};

static char *
join (const GArray *ticks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ticks->len; i++)
    {
      char buffer[G_ASCII_DTOSTR_BUF_SIZE];
      g_ascii_formatd (buffer, sizeof buffer, "%.10g", g_array_index (ticks, double, i));
      g_string_append_printf (text, "%s%s", i > 0 ? " " : "", buffer);
    }
  return g_string_free (text, FALSE);
}

static void
test_table (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr (GArray) ticks = ww_ticks (table[i].min, table[i].max, table[i].logarithmic, table[i].about);
      g_autofree char *found = join (ticks);
      g_assert_cmpstr (found, ==, table[i].expected);
    }
}

static void
test_not_finite (void)
{
  const double bad[] = { NAN, INFINITY, -INFINITY };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    for (guint logarithmic = 0; logarithmic < 2; logarithmic++)
      {
        g_autoptr (GArray) low = ww_ticks (bad[i], 1, logarithmic, 5);
        g_autoptr (GArray) high = ww_ticks (1, bad[i], logarithmic, 5);
        g_assert_cmpuint (low->len, ==, 0);
        g_assert_cmpuint (high->len, ==, 0);
      }
}

static void
assert_ordered_inside (const GArray *ticks, double min, double max, guint about)
{
  g_assert_cmpuint (ticks->len, <=, about);
  for (guint i = 0; i < ticks->len; i++)
    {
      double value = g_array_index (ticks, double, i);
      g_assert_cmpfloat (value, >=, min);
      g_assert_cmpfloat (value, <=, max);
      if (i > 0)
        g_assert_cmpfloat (value, >, g_array_index (ticks, double, i - 1));
    }
}

/* The first digit of a number that has but one. */
static double
mantissa (double value)
{
  double scaled = value / pow (10, floor (log10 (value) + 1e-9));

  return round (scaled * 1e6) / 1e6;
}

static void
test_linear_properties (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 5000; i++)
    {
      double size = pow (10, g_rand_double_range (random, -12, 12));
      double min = g_rand_double_range (random, -3, 3) * size;
      double max = min + g_rand_double_range (random, 0.01, 4) * size;
      guint about = (guint) g_rand_int_range (random, 3, 15);
      g_autoptr (GArray) ticks = ww_ticks (min, max, FALSE, about);

      assert_ordered_inside (ticks, min, max, about);
      g_assert_cmpuint (ticks->len, >=, MAX (1, about / 3));
      for (guint k = 1; k < ticks->len; k++)
        {
          double step = g_array_index (ticks, double, k) - g_array_index (ticks, double, k - 1);
          double first = g_array_index (ticks, double, 1) - g_array_index (ticks, double, 0);
          double digit = mantissa (first);
          g_assert_cmpfloat_with_epsilon (step, first, first * 1e-6);
          g_assert_true (digit == 1 || digit == 2 || digit == 5 || digit == 10);
        }
    }
}

static void
test_logarithmic_properties (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (guint i = 0; i < 5000; i++)
    {
      double min = pow (10, g_rand_double_range (random, -30, 30));
      double max = min * pow (10, g_rand_double_range (random, 0.65, 40));
      guint about = (guint) g_rand_int_range (random, 2, 15);
      g_autoptr (GArray) ticks = ww_ticks (min, max, TRUE, about);

      assert_ordered_inside (ticks, min, max, about);
      g_assert_cmpuint (ticks->len, >=, 1);
      for (guint k = 0; k < ticks->len; k++)
        {
          double digit = mantissa (g_array_index (ticks, double, k));
          g_assert_cmpfloat_with_epsilon (digit, round (digit), 1e-6);
        }
    }
}

typedef struct
{
  WwScale scale;
  guint about;
  const char *labels, *multiplier;
} LabelRow;

static const LabelRow labels[] = {
  { { 0, 1, FALSE }, 6, "0.0 0.2 0.4 0.6 0.8 1.0", NULL },
  { { -2, 2, FALSE }, 5, "−2 −1 0 1 2", NULL },
  { { 0, 4e-6, FALSE }, 5, "0 1 2 3 4", "×10^-6" },
  { { 0, 2e7, FALSE }, 5, "0.0 0.5 1.0 1.5 2.0", "×10^7" },
  { { 10, 250, TRUE }, 6, "10 20 50 100 200", NULL },
  { { 0.05, 2, TRUE }, 6, "0.05 0.1 0.2 0.5 1 2", NULL },
  { { 1e-4, 1, TRUE }, 5, "10^-4 10^-3 10^-2 10^-1 10^0", NULL },
  { { 1e-6, 1e-5, TRUE }, 3, "10^-6 3×10^-6 10^-5", NULL },
  { { 20, 50, TRUE }, 4, "20 30 40 50", NULL },
};

static void
test_labels (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_autoptr (WwAxis) axis = ww_axis_new (&labels[i].scale, labels[i].about);
      g_autofree char *found = NULL;

      g_ptr_array_add (axis->labels, NULL);
      found = g_strjoinv (" ", (char **) axis->labels->pdata);
      g_assert_cmpstr (found, ==, labels[i].labels);
      g_assert_cmpstr (axis->multiplier, ==, labels[i].multiplier);
    }
}

static void
test_minor (void)
{
  WwScale scale = { 10, 250, TRUE };
  g_autoptr (WwAxis) axis = ww_axis_new (&scale, 6);

  g_assert_cmpuint (axis->minor->len, ==, 11);
  g_assert_cmpfloat (g_array_index (axis->minor, double, 10), ==, 200);
}

static void
test_scale (void)
{
  WwScale scale;

  /* Nothing to show. */
  ww_scale_init (&scale, TRUE, INFINITY, -INFINITY, 0.1, NAN, NAN);
  g_assert_cmpfloat (scale.min, >, 0);
  g_assert_cmpfloat (scale.max, >, scale.min);
  /* All values equal, and far too large. */
  for (guint logarithmic = 0; logarithmic < 2; logarithmic++)
    {
      const double values[] = { 1e-308, 1e-300, 1, 1e17, 1e300, 1.7e308 };
      for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
        {
          ww_scale_init (&scale, logarithmic, values[i], values[i], 0.05, NAN, NAN);
          g_assert_true (isfinite (scale.min) && isfinite (scale.max));
          g_assert_cmpfloat (scale.max, >, scale.min);
        }
    }
  ww_scale_init (&scale, FALSE, -1.7e308, 1.7e308, 0.05, NAN, NAN);
  g_assert_true (isfinite (scale.min) && isfinite (scale.max));
  g_assert_cmpfloat_with_epsilon (ww_scale_to_unit (&scale, 0), 0.5, 1e-9);
  /* Fixed ends hold; unusable ones do not count. */
  ww_scale_init (&scale, TRUE, 5, 50, 0.05, 1, 100);
  g_assert_cmpfloat (scale.min, ==, 1);
  g_assert_cmpfloat (scale.max, ==, 100);
  ww_scale_init (&scale, TRUE, 5, 50, 0, -1, NAN);
  g_assert_cmpfloat_with_epsilon (scale.min, 5, 1e-9);
  /* Beyond all the data. */
  ww_scale_init (&scale, FALSE, 5, 50, 0, 100, NAN);
  g_assert_cmpfloat (scale.min, ==, 100);
  g_assert_cmpfloat (scale.max, >, 100);
}

static void
test_scale_round_trip (void)
{
  const WwScale scales[] = { { -3, 7, FALSE }, { 1e-5, 1e5, TRUE }, { 10, 250, TRUE } };

  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    for (double unit = 0; unit <= 1; unit += 0.125)
      g_assert_cmpfloat_with_epsilon (ww_scale_to_unit (&scales[i], ww_scale_from_unit (&scales[i], unit)),
                                      unit, 1e-12);
  g_assert_true (isnan (ww_scale_to_unit (&scales[1], 0)));
  g_assert_true (isnan (ww_scale_to_unit (&scales[1], -1)));
  g_assert_true (isnan (ww_scale_to_unit (&scales[0], NAN)));
  g_assert_true (isnan (ww_scale_to_unit (&scales[0], INFINITY)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/ticks/table", test_table);
  g_test_add_func ("/plot/ticks/not-finite", test_not_finite);
  g_test_add_func ("/plot/ticks/linear-properties", test_linear_properties);
  g_test_add_func ("/plot/ticks/logarithmic-properties", test_logarithmic_properties);
  g_test_add_func ("/plot/ticks/labels", test_labels);
  g_test_add_func ("/plot/ticks/minor", test_minor);
  g_test_add_func ("/plot/ticks/scale", test_scale);
  g_test_add_func ("/plot/ticks/scale-round-trip", test_scale_round_trip);
  return g_test_run ();
}

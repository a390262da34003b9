#include <math.h>

#include "test-locale.h"
#include "ww-number.h"

static void
test_shortest (void)
{
  static const struct
  {
    double value;
    const char *text;
  } rows[] = {
    { 0, "0" },
    { 1, "1" },
    { 0.1, "0.1" },
    { -2.5, "-2.5" },
    { 0.1 + 0.2, "0.30000000000000004" },
    { 1.0 / 3.0, "0.3333333333333333" },
    { 1e-300, "1e-300" },
    { 123456789012345680.0, "1.2345678901234568e+17" },
    { G_MAXDOUBLE, "1.7976931348623157e+308" },
    { 4.9406564584124654e-324, "4.94065645841247e-324" },
    { NAN, "nan" },
    { INFINITY, "inf" },
    { -INFINITY, "-inf" },
  };
  char buffer[WW_NUMBER_BUFFER_SIZE];

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_cmpstr (ww_number_format (buffer, rows[i].value), ==, rows[i].text);
      if (isfinite (rows[i].value))
        g_assert_true (g_ascii_strtod (buffer, NULL) == rows[i].value);
    }
}

/* Any bits of a finite double come back. */
static void
test_round_trip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  char buffer[WW_NUMBER_BUFFER_SIZE];
  guint checked = 0;

  for (guint i = 0; i < 20000; i++)
    {
      union
      {
        guint64 bits;
        double value;
      } any = { .bits = ((guint64) g_rand_int (rand) << 32) | g_rand_int (rand) };

      if (!isfinite (any.value))
        continue;
      ww_number_format (buffer, any.value);
      g_assert_true (g_ascii_strtod (buffer, NULL) == any.value);
      checked++;
    }

  g_assert_cmpuint (checked, >, 19000);
}

static void
test_fixed (void)
{
  static const struct
  {
    double value;
    guint decimals;
    const char *text;
  } rows[] = {
    { -0.5, 2, "-0.50" }, { -0.004, 2, "0.00" }, { 0, 2, "0.00" },      { -0.005001, 2, "-0.01" },
    { 12.345, 0, "12" },  { 1e20, 2, "1e+20" },  { NAN, 2, "nan" },     { -0.0, 0, "0" },
    { 2.0 / 3, 9, "0.666666667" },
  };
  char buffer[WW_NUMBER_BUFFER_SIZE];

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (ww_number_format_fixed (buffer, rows[i].value, rows[i].decimals), ==, rows[i].text);
}

static void
test_comma_locale (void)
{
  char buffer[WW_NUMBER_BUFFER_SIZE];

  if (!test_locale_use_comma ())
    return;

  g_assert_cmpstr (ww_number_format (buffer, 0.1), ==, "0.1");
  g_assert_cmpstr (ww_number_format (buffer, 1.0 / 3.0), ==, "0.3333333333333333");
  g_assert_cmpstr (ww_number_format_fixed (buffer, -0.5, 2), ==, "-0.50");
  setlocale (LC_ALL, "C");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/number/shortest", test_shortest);
  g_test_add_func ("/number/round-trip", test_round_trip);
  g_test_add_func ("/number/fixed", test_fixed);
  g_test_add_func ("/number/comma-locale", test_comma_locale);

  return g_test_run ();
}

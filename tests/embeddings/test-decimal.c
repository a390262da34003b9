/* The parser of numbers against the C library, digit by digit. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "ww-decimal.h"

/* strtof rounds correctly in the C library that the tests run with, and the locale here is C. */
static void
check (const char *text)
{
  const char *stop = NULL;
  char *expected_stop;
  float value = 0, expected = strtof (text, &expected_stop);
  WwDecimalResult result = ww_decimal_parse (text, text + strlen (text), &stop, &value);

  if (!isfinite (expected))
    {
      g_assert_cmpint (result, ==, WW_DECIMAL_NON_FINITE);
      return;
    }
  if (result != WW_DECIMAL_OK || memcmp (&value, &expected, sizeof value) != 0)
    g_error ("%s: %.9g (%d) instead of %.9g", text, (double) value, (int) result,
             (double) expected);
  g_assert_true (stop == expected_stop);
}

static void
test_plain (void)
{
  static const char *const texts[] = {
    "0", "-0", "+0", "1", "-1", "0.1", ".5", "5.", "-.25", "+3", "00012", "0.000000", "1e3", "1E+3",
    "1e-3", "123456789", "16777217", "16777219", "0.1e1", "1e22", "1e23", "-1e-22", "1e38",
    "3.4028235e38", "3.4028236e38", "1e-45", "7e-46", "1.1754944e-38", "1.17549429e-38", "1e-400",
    "0e999999999999", "0.30000000000000000000000000000000000000000001", "12345678901234567890123",
    "0.00000000000000000000000000000000000000000000000001e50", "-0.33319079875946045",
    "2.665 x", "1e", "1e+", "1.5e-x", "7-8",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    check (texts[i]);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text;
    WwDecimalResult result;
  } texts[] = {
    { "", WW_DECIMAL_NO_NUMBER },        { "-", WW_DECIMAL_NO_NUMBER },
    { ".", WW_DECIMAL_NO_NUMBER },       { "e5", WW_DECIMAL_NO_NUMBER },
    { "x1", WW_DECIMAL_NO_NUMBER },      { ",5", WW_DECIMAL_NO_NUMBER },
    { " 1", WW_DECIMAL_NO_NUMBER },      { "--1", WW_DECIMAL_NO_NUMBER },
    { "nan", WW_DECIMAL_NON_FINITE },    { "-NaN", WW_DECIMAL_NON_FINITE },
    { "inf", WW_DECIMAL_NON_FINITE },    { "-Infinity", WW_DECIMAL_NON_FINITE },
    { "1e39", WW_DECIMAL_NON_FINITE },   { "-1e999999", WW_DECIMAL_NON_FINITE },
    { "3.4028236e38", WW_DECIMAL_NON_FINITE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *stop;
      float value = 42;

      g_assert_cmpint (ww_decimal_parse (texts[i].text, texts[i].text + strlen (texts[i].text),
                                         &stop, &value), ==, texts[i].result);
      g_assert_cmpfloat (value, ==, 42);
    }
}

/* Nothing at or behind the end is looked at, wherever the end is. */
static void
test_bounds (void)
{
  const char text[] = "-12.5e-3";

  for (gsize n = 0; n < strlen (text); n++)
    {
      g_autofree char *exact = g_memdup2 (text, n + 1);
      g_autofree char *copy = g_strndup (text, n);
      const char *stop;
      char *expected_stop;
      float value = 0, expected = strtof (copy, &expected_stop);
      WwDecimalResult result = ww_decimal_parse (exact, exact + n, &stop, &value);

      if (expected_stop == copy)
        g_assert_cmpint (result, ==, WW_DECIMAL_NO_NUMBER);
      else
        {
          g_assert_cmpfloat (value, ==, expected);
          g_assert_cmpuint ((gsize) (stop - exact), ==, (gsize) (expected_stop - copy));
        }
    }
}

static void
print_value (char *text, gsize size, int style, double value)
{
  switch (style)
    {
    case 0:
      snprintf (text, size, "%.6g", value);
      break;
    case 1:
      snprintf (text, size, "%f", value);
      break;
    case 2:
      snprintf (text, size, "%e", value);
      break;
    default:
      snprintf (text, size, "%.*g", style, value);
      break;
    }
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (17);
  char text[512];

  for (int i = 0; i < 300000; i++)
    {
      double size = g_rand_int_range (random, 0, 4) == 0 ? g_rand_double_range (random, -46, 39)
                                                         : g_rand_double_range (random, -4, 2);
      double value = (g_rand_double (random) * 2 - 1) * pow (10, size);

      print_value (text, sizeof text, g_rand_int_range (random, 0, 22), value);
      check (text);
    }
}

/* The middle between two floats, written out exactly, and its neighbours in the last digits: where
 * rounding by way of double goes wrong. */
static void
test_middles (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (18);
  char text[256];

  for (int i = 0; i < 100000; i++)
    {
      guint32 bits = g_rand_int (random) & 0x7fffffff;
      float below, above;
      double middle;
      gsize length;

      memcpy (&below, &bits, sizeof below);
      if (!isfinite (below) || fabs ((double) below) > 1e20)
        continue;
      above = nextafterf (below, FLT_MAX);
      middle = ((double) below + (double) above) / 2;
      snprintf (text, sizeof text, "%.*g", g_rand_int_range (random, 15, 40), middle);
      check (text);
      /* One step in the last digit, up or down. */
      length = strcspn (text, "e");
      if (text[length - 1] >= '1' && text[length - 1] <= '8')
        {
          text[length - 1] += g_rand_boolean (random) ? 1 : -1;
          check (text);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/decimal/plain", test_plain);
  g_test_add_func ("/decimal/refused", test_refused);
  g_test_add_func ("/decimal/bounds", test_bounds);
  g_test_add_func ("/decimal/random", test_random);
  g_test_add_func ("/decimal/middles", test_middles);
  return g_test_run ();
}

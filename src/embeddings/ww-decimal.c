#define _GNU_SOURCE /* strtof_l */
#include "ww-decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS 19 /* any 19 digits fit 64 bits */
#define MAX_POWER 22  /* 10^22 is the last power of ten that is exact in double */
#define MAX_EXPONENT 100000
#define SHORT_TEXT 128

static const double powers[MAX_POWER + 1] = {
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* What the characters say, before it is a float: mantissa * 10^exponent. */
typedef struct
{
  guint64 mantissa;
  int exponent;
  int n_digits;   /* without leading zeros */
  gboolean negative;
  const char *start, *stop;
} Decimal;

static gboolean
match (const char *at, const char *end, const char *word, const char **ret_stop)
{
  gsize length = strlen (word);

  if ((gsize) (end - at) < length || g_ascii_strncasecmp (at, word, length) != 0)
    return FALSE;

  *ret_stop = at + length;
  return TRUE;
}

/* Digits up to the first other character; those beyond the 19th are counted but not added. */
static const char *
scan_digits (const char *at, const char *end, Decimal *decimal, gboolean behind_dot)
{
  for (; at < end; at++)
    {
      unsigned digit = (unsigned) (guchar) *at - '0';

      if (digit > 9)
        break;
      if (decimal->n_digits < MAX_DIGITS)
        {
          decimal->mantissa = decimal->mantissa * 10 + digit;
          decimal->exponent -= behind_dot;
        }
      else
        decimal->exponent += !behind_dot;
      decimal->n_digits += decimal->mantissa != 0;
    }

  return at;
}

/* An exponent that lacks its digits is no exponent: the number ends before it. */
static const char *
scan_exponent (const char *at, const char *end, Decimal *decimal)
{
  const char *digits = at + 1;
  gboolean negative;
  int value = 0;

  if (at >= end || (*at != 'e' && *at != 'E'))
    return at;
  negative = digits < end && *digits == '-';
  if (digits < end && (*digits == '-' || *digits == '+'))
    digits++;
  if (digits >= end || !g_ascii_isdigit (*digits))
    return at;

  for (; digits < end && g_ascii_isdigit (*digits); digits++)
    value = MIN (value * 10 + (*digits - '0'), MAX_EXPONENT);
  decimal->exponent += negative ? -value : value;
  return digits;
}

static gboolean
scan (const char *at, const char *end, Decimal *decimal)
{
  const char *digits, *stop;
  gsize n;

  decimal->start = at;
  decimal->negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+'))
    at++;

  digits = at;
  stop = scan_digits (at, end, decimal, FALSE);
  n = (gsize) (stop - digits);
  if (stop < end && *stop == '.')
    {
      const char *fraction = stop + 1;

      stop = scan_digits (fraction, end, decimal, TRUE);
      n += (gsize) (stop - fraction);
    }
  if (n == 0)
    return FALSE;

  decimal->stop = scan_exponent (stop, end, decimal);
  return TRUE;
}

/* Rounds mantissa * 10^exponent to float by way of double. The double is off by at most 2 units in
 * its last place (mantissa and product are rounded once each), so that the float is the nearest one
 * unless the double lies that close to the middle between two floats; then FALSE, and nothing is
 * known. A double has 29 bits more than a float. */
static gboolean
round_directly (const Decimal *decimal, float *ret_value)
{
  double value = (double) decimal->mantissa;
  guint64 bits;
  guint32 below;

  if (decimal->n_digits > MAX_DIGITS || decimal->exponent < -MAX_POWER
      || decimal->exponent > MAX_POWER)
    return FALSE;

  if (decimal->exponent < 0)
    value /= powers[-decimal->exponent];
  else
    value *= powers[decimal->exponent];
  /* Below the smallest normal float, fewer bits are kept. */
  if (value != 0 && (value < (double) FLT_MIN || value > (double) FLT_MAX / 2))
    return FALSE;

  memcpy (&bits, &value, sizeof bits);
  below = (guint32) (bits & 0x1fffffff);
  if (below >= 0x10000000 - 3 && below <= 0x10000000 + 3)
    return FALSE;

  *ret_value = (float) (decimal->negative ? -value : value);
  return TRUE;
}

static locale_t c_locale;

static void
make_c_locale (void)
{
  c_locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
}

/* The rare cases, by the C library, in the C locale whatever the user's is. */
static float
round_slowly (const Decimal *decimal)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  gsize length = (gsize) (decimal->stop - decimal->start);
  char buffer[SHORT_TEXT];
  g_autofree char *allocated = NULL;
  char *text = buffer;

  pthread_once (&once, make_c_locale);
  if (length >= SHORT_TEXT)
    text = allocated = g_malloc (length + 1);
  memcpy (text, decimal->start, length);
  text[length] = '\0';
  return strtof_l (text, NULL, c_locale);
}

WwDecimalResult
ww_decimal_parse (const char *at, const char *end, const char **ret_stop, float *ret_value)
{
  Decimal decimal = { 0 };
  float value;

  if (!scan (at, end, &decimal))
    {
      if (at < end && (*at == '-' || *at == '+'))
        at++;
      if (match (at, end, "infinity", ret_stop) || match (at, end, "inf", ret_stop)
          || match (at, end, "nan", ret_stop))
        return WW_DECIMAL_NON_FINITE;
      return WW_DECIMAL_NO_NUMBER;
    }

  *ret_stop = decimal.stop;
  if (!round_directly (&decimal, &value))
    value = round_slowly (&decimal);
  if (!isfinite (value))
    return WW_DECIMAL_NON_FINITE;

  *ret_value = value;
  return WW_DECIMAL_OK;
}

gboolean
ww_decimal_is_number (const char *at, const char *end)
{
  const char *stop = at;
  float value;

  return ww_decimal_parse (at, end, &stop, &value) != WW_DECIMAL_NO_NUMBER && stop == end;
}

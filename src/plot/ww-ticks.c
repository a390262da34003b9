#include "ww-ticks.h"

#include <math.h>

/* Powers of ten beyond this are left alone: their neighbours are no longer whole multiples. */
#define MAX_EXPONENT 300

/* mantissa * 10^exponent, correctly rounded where 10^|exponent| is exact: 3e-1 is 0.3 and not
 * 0.30000000000000004. */
static double
decimal (double mantissa, int exponent)
{
  return exponent < 0 ? mantissa / pow (10, -exponent) : mantissa * pow (10, exponent);
}

/* Multiples of mantissa * 10^exponent from min to max; their number, or G_MAXUINT if that is not
 * sensible. `ret_first` is the first multiple. */
static guint
count_multiples (double min, double max, double mantissa, int exponent, double *ret_first)
{
  double step = decimal (mantissa, exponent);
  double first = ceil (min / step - 1e-9);
  double last = floor (max / step + 1e-9);

  if (!isfinite (first) || !isfinite (last) || fabs (first) > 1e13 || fabs (last) > 1e13
      || last - first > 1e6)
    return G_MAXUINT;
  while (first <= last && decimal (first * mantissa, exponent) < min)
    first++;
  while (last >= first && decimal (last * mantissa, exponent) > max)
    last--;
  *ret_first = first;
  return (guint) (last - first + 1);
}

static void
add_linear (GArray *ticks, double min, double max, guint about)
{
  static const double mantissas[] = { 1, 2, 5 };
  double rough = max / about - min / about;
  int exponent;

  if (!(rough > 1e-300) || !isfinite (rough))
    return;
  exponent = (int) floor (log10 (rough)) - 1;
  for (guint i = 0; i < 24; i++)
    {
      double mantissa = mantissas[i % 3];
      int power = exponent + (int) (i / 3);
      double first = 0;
      guint n = count_multiples (min, max, mantissa, power, &first);

      if (n > about)
        continue;
      for (guint k = 0; k < n; k++)
        {
          /* Adding zero turns a negative zero into a plain one. */
          double value = decimal ((first + k) * mantissa, power) + 0.0;
          g_array_append_val (ticks, value);
        }
      return;
    }
}

/* Adds mantissas[0..n) times every `stride`th power of ten inside [min, max]. */
static void
add_decades (GArray *ticks, double min, double max, const double *mantissas, guint n, int stride)
{
  int first = (int) floor (log10 (min)) - 1;
  int last = (int) ceil (log10 (max)) + 1;

  for (int exponent = MAX (first, -MAX_EXPONENT); exponent <= MIN (last, MAX_EXPONENT); exponent++)
    for (guint i = 0; i < n; i++)
      {
        double value = decimal (mantissas[i], exponent);
        if (exponent % stride == 0 && value >= min && value <= max)
          g_array_append_val (ticks, value);
      }
}

/* The finest of the sets that has no more than `about` ticks. */
static void
add_logarithmic (GArray *ticks, double min, double max, guint about)
{
  static const double mantissas[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
  static const struct { double mantissas[3]; guint n; } between[] = { { { 1, 2, 5 }, 3 }, { { 1, 3 }, 2 } };
  static const int strides[] = { 1, 2, 3, 5, 10, 20, 50, 100, 200, 500 };
  double decades = log10 (max) - log10 (min);

  /* Less than a factor of four is hardly bent: a linear ladder reads better there. */
  if (decades < 0.6)
    {
      add_linear (ticks, min, max, about);
      return;
    }
  if (decades < 0.97)
    add_decades (ticks, min, max, mantissas, G_N_ELEMENTS (mantissas), 1);
  for (guint i = 0; i < G_N_ELEMENTS (between) && decades < 2.35; i++)
    {
      if (ticks->len > 0 && ticks->len <= about)
        break;
      g_array_set_size (ticks, 0);
      add_decades (ticks, min, max, between[i].mantissas, between[i].n, 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (strides) && (ticks->len == 0 || ticks->len > about); i++)
    {
      g_array_set_size (ticks, 0);
      add_decades (ticks, min, max, mantissas, 1, strides[i]);
      if (ticks->len > 0 || i == 0)
        continue;
      /* The wider stride misses the range altogether. */
      add_decades (ticks, min, max, mantissas, 1, strides[i - 1]);
      g_array_set_size (ticks, MIN (ticks->len, about));
    }
}

GArray *
ww_ticks (double min, double max, gboolean logarithmic, guint about)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (double));

  about = CLAMP (about, 1, 1000);
  if (!isfinite (min) || !isfinite (max) || !(min < max) || (logarithmic && min <= 0))
    return ticks;
  if (logarithmic)
    add_logarithmic (ticks, min, max, about);
  else
    add_linear (ticks, min, max, about);
  return ticks;
}

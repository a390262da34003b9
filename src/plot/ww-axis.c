#include "ww-axis-private.h"

#include <math.h>
#include <string.h>

#include "ww-ticks.h"

#define MINUS "\xe2\x88\x92"
#define TIMES "\xc3\x97"

double
ww_scale_to_unit (const WwScale *scale, double value)
{
  if (!isfinite (value))
    return NAN;
  if (!scale->logarithmic)
    return (value / 2 - scale->min / 2) / (scale->max / 2 - scale->min / 2);
  if (value <= 0)
    return NAN;
  return (log (value) - log (scale->min)) / (log (scale->max) - log (scale->min));
}

double
ww_scale_from_unit (const WwScale *scale, double unit)
{
  if (!scale->logarithmic)
    return scale->min * (1 - unit) + scale->max * unit;
  return exp (log (scale->min) * (1 - unit) + log (scale->max) * unit);
}

static gboolean
usable (gboolean logarithmic, double value)
{
  return isfinite (value) && (!logarithmic || value > 0);
}

/* The smallest length that an axis at these values may have and still tell them apart. */
static void
widen (gboolean logarithmic, double *low, double *high)
{
  double size = fmax (fabs (*low), fabs (*high));

  if (logarithmic)
    {
      if (log (*high) - log (*low) > 1e-6)
        return;
      *low /= 1.5;
      *high *= 1.5;
    }
  else if (*high / 2 - *low / 2 <= size * 1e-9 || *high - *low < 1e-290)
    {
      double add = size > 1e-280 ? size * 0.1 : 1;
      *low -= add;
      *high += add;
    }
}

/* Far enough from the largest and smallest numbers that sums and quotients stay finite. */
static double
keep_finite (gboolean logarithmic, double value)
{
  const double limit = 1e300;

  return CLAMP (value, logarithmic ? 1 / limit : -limit, limit);
}

static double
below (gboolean logarithmic, double end)
{
  return logarithmic ? end / 10 : end - fabs (end) - 1;
}

static double
above (gboolean logarithmic, double end)
{
  return logarithmic ? end * 10 : end + fabs (end) + 1;
}

void
ww_scale_init (WwScale *scale, gboolean logarithmic, double low, double high, double margin,
               double fixed_min, double fixed_max)
{
  gboolean has_min = usable (logarithmic, fixed_min);
  gboolean has_max = usable (logarithmic, fixed_max);

  if (!usable (logarithmic, low) || !usable (logarithmic, high) || low > high)
    {
      low = has_min ? fixed_min : has_max ? below (logarithmic, fixed_max) : logarithmic ? 0.1 : 0;
      high = has_max ? fixed_max : has_min ? above (logarithmic, fixed_min) : 1;
      margin = 0;
    }
  low = has_min ? fixed_min : low;
  high = has_max ? fixed_max : high;
  if (low > high)
    {
      /* A fixed end beyond all the data: the other end follows. */
      if (has_max && !has_min)
        low = below (logarithmic, high);
      else
        high = above (logarithmic, low);
    }
  low = keep_finite (logarithmic, low);
  high = keep_finite (logarithmic, high);
  widen (logarithmic, &low, &high);
  *scale = (WwScale) { low, high, logarithmic };
  /* Without a margin the ends stay what they are, to the last bit: ticks may lie on them. */
  if (!has_min && margin > 0)
    low = keep_finite (logarithmic, ww_scale_from_unit (scale, -margin));
  if (!has_max && margin > 0)
    high = keep_finite (logarithmic, ww_scale_from_unit (scale, 1 + margin));
  /* Quantities that are never below zero get no negative piece of axis. */
  if (!logarithmic && !has_min && scale->min >= 0 && low < 0)
    low = 0;
  *scale = (WwScale) { low, high, logarithmic };
}

/* "-" becomes a minus sign. */
static char *
with_minus (const char *number)
{
  return number[0] == '-' ? g_strconcat (MINUS, number + 1, NULL) : g_strdup (number);
}

static char *
format_fixed (double value, int decimals)
{
  char format[8], buffer[512];

  g_snprintf (format, sizeof format, "%%.%df", CLAMP (decimals, 0, 15));
  g_ascii_formatd (buffer, sizeof buffer, format, value + 0.0);
  return with_minus (buffer);
}

/* The fewest decimals that show `value` as a tick is known to be: a short decimal fraction. */
static int
decimals_needed (double value)
{
  for (int decimals = 0; decimals < 12; decimals++)
    {
      double scaled = fabs (value) * pow (10, decimals);
      if (fabs (scaled - round (scaled)) <= 1e-7 * fmax (1, scaled * 1e-6))
        return decimals;
    }
  return 12;
}

static int
exponent_of (double value)
{
  return value == 0 ? 0 : (int) floor (log10 (fabs (value)) + 1e-9);
}

static double
shifted (double value, int exponent)
{
  return exponent < 0 ? value * pow (10, -exponent) : value / pow (10, exponent);
}

/* Linear: the same number of decimals everywhere, and very large or small numbers without their
 * common power of ten, which is written once at the end of the axis. */
static void
label_linear (WwAxis *axis)
{
  double largest = 0;
  int exponent, decimals = 0;

  for (guint i = 0; i < axis->values->len; i++)
    largest = fmax (largest, fabs (g_array_index (axis->values, double, i)));
  exponent = exponent_of (largest);
  if (exponent > -4 && exponent < 5)
    exponent = 0;
  for (guint i = 0; i < axis->values->len; i++)
    decimals = MAX (decimals,
                    decimals_needed (shifted (g_array_index (axis->values, double, i), exponent)));
  for (guint i = 0; i < axis->values->len; i++)
    g_ptr_array_add (axis->labels,
                     format_fixed (shifted (g_array_index (axis->values, double, i), exponent), decimals));
  if (exponent != 0)
    axis->multiplier = g_strdup_printf (TIMES "10^%d", exponent);
}

/* Logarithmic: plain numbers as long as they are short, else powers of ten. */
static void
label_logarithmic (WwAxis *axis)
{
  gboolean powers = TRUE;
  double first = g_array_index (axis->values, double, 0);
  double last = g_array_index (axis->values, double, axis->values->len - 1);
  gboolean wide = first < 0.9e-3 || last > 1.1e4 || (last > 900 && first < 0.9e-1);

  for (guint i = 0; i < axis->values->len; i++)
    {
      double value = g_array_index (axis->values, double, i);
      powers = powers && fabs (shifted (value, exponent_of (value)) - 1) < 1e-9;
    }
  for (guint i = 0; i < axis->values->len; i++)
    {
      double value = g_array_index (axis->values, double, i);
      int exponent = exponent_of (value);

      if (!wide)
        g_ptr_array_add (axis->labels, format_fixed (value, decimals_needed (value)));
      else if (powers)
        g_ptr_array_add (axis->labels, g_strdup_printf ("10^%d", exponent));
      else
        {
          double mantissa = shifted (value, exponent);
          g_autofree char *number = format_fixed (mantissa, decimals_needed (mantissa));
          g_ptr_array_add (axis->labels, g_strdup_printf ("%s" TIMES "10^%d", number, exponent));
        }
    }
}

/* The places 2 to 9 of every decade; they show at a glance that the axis is logarithmic. */
static void
add_minor (WwAxis *axis)
{
  double low = log10 (axis->scale.min), high = log10 (axis->scale.max);

  if (high - low > 8)
    return;
  for (int exponent = (int) floor (low); exponent <= (int) floor (high); exponent++)
    for (guint mantissa = 1; mantissa <= 9; mantissa++)
      {
        double value = exponent < 0 ? mantissa / pow (10, -exponent) : mantissa * pow (10, exponent);
        if (value >= axis->scale.min && value <= axis->scale.max)
          g_array_append_val (axis->minor, value);
      }
}

WwAxis *
ww_axis_new (const WwScale *scale, guint about)
{
  WwAxis *axis = g_new0 (WwAxis, 1);
  /* A bent linear ladder (see ww_ticks) is labelled like a linear one. */
  gboolean ladder = !scale->logarithmic || scale->max < scale->min * pow (10, 0.6);

  axis->scale = *scale;
  axis->values = ww_ticks (scale->min, scale->max, scale->logarithmic, about);
  axis->labels = g_ptr_array_new_with_free_func (g_free);
  axis->minor = g_array_new (FALSE, FALSE, sizeof (double));
  if (axis->values->len > 0 && ladder)
    label_linear (axis);
  else if (axis->values->len > 0)
    label_logarithmic (axis);
  if (scale->logarithmic)
    add_minor (axis);
  return axis;
}

void
ww_axis_free (WwAxis *axis)
{
  if (axis == NULL)
    return;
  g_array_unref (axis->values);
  g_ptr_array_unref (axis->labels);
  g_array_unref (axis->minor);
  g_free (axis->multiplier);
  g_free (axis);
}

double
ww_axis_get_label_width (const WwAxis *axis, const WwFont *font)
{
  double width = 0;

  for (guint i = 0; i < axis->labels->len; i++)
    {
      WwTextExtents extents;
      ww_text_measure (font, axis->labels->pdata[i], TRUE, &extents);
      width = fmax (width, extents.width);
    }
  return width;
}

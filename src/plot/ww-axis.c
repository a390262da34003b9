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

static const double end_mantissas[] = { 1, 2, 3, 5, 7, 10 };

static double
scaled (double mantissa, int exponent)
{
  return exponent < 0 ? mantissa / pow (10, -exponent) : mantissa * pow (10, exponent);
}

static gboolean
is_integer (double value)
{
  return fabs (value - round (value)) <= 1e-9 * fmax (1, fabs (value));
}

/* The next place for a label at or beyond `value` on a logarithmic axis. */
static double
nice_above (double value, gboolean integers)
{
  int exponent = (int) floor (log10 (value));

  for (guint i = 0; i < G_N_ELEMENTS (end_mantissas); i++)
    {
      double end = scaled (end_mantissas[i], exponent);
      if (end >= value * (1 - 1e-9) && (!integers || is_integer (end)))
        return end;
    }
  return value;
}

static double
nice_below (double value, gboolean integers)
{
  int exponent = (int) floor (log10 (value) + 1e-9);

  for (guint i = G_N_ELEMENTS (end_mantissas); i-- > 0;)
    {
      double end = scaled (end_mantissas[i], exponent);
      if (end <= value * (1 + 1e-9) && (!integers || is_integer (end)))
        return end;
    }
  return value;
}

/* A linear ladder goes on to its next rung. */
static void
find_rungs (const WwScale *scale, double low, double high, double *ret_low, double *ret_high)
{
  g_autoptr (GArray) ticks = ww_ticks (scale->min, scale->max, scale->logarithmic, 6);
  double step;

  *ret_low = low;
  *ret_high = high;
  if (ticks->len < 2)
    return;
  step = g_array_index (ticks, double, 1) - g_array_index (ticks, double, 0);
  *ret_low = floor (low / step + 1e-9) * step;
  *ret_high = ceil (high / step - 1e-9) * step;
}

/* Less than a factor of four is labelled like a linear axis, see ww_ticks. */
static gboolean
is_ladder (const WwScale *scale)
{
  return !scale->logarithmic || scale->max < scale->min * pow (10, 0.6);
}

void
ww_scale_enclose (WwScale *scale, double low, double high, double fixed_min, double fixed_max,
                  gboolean integers)
{
  double nice_low = low, nice_high = high;

  if (!usable (scale->logarithmic, low) || !usable (scale->logarithmic, high) || low > high
      || fabs (low) > 1e290 || fabs (high) > 1e290 || (scale->logarithmic && low < 1e-290))
    return;
  if (is_ladder (scale))
    find_rungs (scale, low, high, &nice_low, &nice_high);
  else
    {
      nice_low = nice_below (low, integers);
      nice_high = nice_above (high, integers);
    }
  if (!usable (scale->logarithmic, fixed_min) && usable (scale->logarithmic, nice_low))
    scale->min = fmin (scale->min, nice_low);
  if (!usable (scale->logarithmic, fixed_max) && usable (scale->logarithmic, nice_high))
    scale->max = fmax (scale->max, nice_high);
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

static gboolean
is_power (double value)
{
  return fabs (shifted (value, exponent_of (value)) - 1) < 1e-9;
}

/* Logarithmic: plain numbers as long as they are short, else powers of ten. */
static void
label_logarithmic (WwAxis *axis)
{
  double first = g_array_index (axis->values, double, 0);
  double last = g_array_index (axis->values, double, axis->values->len - 1);
  gboolean wide = first < 0.9e-3 || last > 1.1e4 || (last > 900 && first < 0.9e-1);

  for (guint i = 0; i < axis->values->len; i++)
    {
      double value = g_array_index (axis->values, double, i);
      int exponent = exponent_of (value);

      if (!wide)
        g_ptr_array_add (axis->labels, format_fixed (value, decimals_needed (value)));
      else if (is_power (value))
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
        double value = scaled (mantissa, exponent);
        if (value >= axis->scale.min && value <= axis->scale.max)
          g_array_append_val (axis->minor, value);
      }
}

static void
make_labels (WwAxis *axis)
{
  g_ptr_array_set_size (axis->labels, 0);
  g_clear_pointer (&axis->multiplier, g_free);
  if (axis->values->len == 0)
    return;
  if (is_ladder (&axis->scale))
    label_linear (axis);
  else
    label_logarithmic (axis);
}

static void
drop_fractions (GArray *values)
{
  for (guint i = values->len; i-- > 0;)
    if (!is_integer (g_array_index (values, double, i)))
      g_array_remove_index (values, i);
}

WwAxis *
ww_axis_new_integers (const WwScale *scale, guint about)
{
  WwAxis *axis = ww_axis_new (scale, about);

  drop_fractions (axis->values);
  drop_fractions (axis->minor);
  make_labels (axis);
  return axis;
}

static gboolean
is_near (const WwAxis *axis, double value, double other, double apart)
{
  return fabs (ww_scale_to_unit (&axis->scale, value) - ww_scale_to_unit (&axis->scale, other)) < apart;
}

/* `last`: at the upper end. */
static void
add_end (WwAxis *axis, double end, gboolean last, double apart)
{
  while (axis->values->len > 0)
    {
      guint next = last ? axis->values->len - 1 : 0;
      double value = g_array_index (axis->values, double, next);

      if (!(last ? end > value * (1 + 1e-9) : end < value * (1 - 1e-9)))
        return;
      if (!is_near (axis, value, end, apart))
        break;
      if (is_power (value) || axis->values->len < 3)
        return;
      g_array_remove_index (axis->values, next);
    }
  g_array_insert_val (axis->values, last ? axis->values->len : 0, end);
}

void
ww_axis_add_ends (WwAxis *axis, gboolean integers, double apart)
{
  double low, high;

  if (is_ladder (&axis->scale) || axis->scale.min < 1e-290 || axis->scale.max > 1e290)
    return;
  low = nice_above (axis->scale.min, integers);
  high = nice_below (axis->scale.max, integers);
  if (high >= axis->scale.min * (1 - 1e-9))
    add_end (axis, high, TRUE, apart);
  if (low <= axis->scale.max * (1 + 1e-9) && low < high)
    add_end (axis, low, FALSE, apart);
  make_labels (axis);
}

WwAxis *
ww_axis_new (const WwScale *scale, guint about)
{
  WwAxis *axis = g_new0 (WwAxis, 1);

  axis->scale = *scale;
  axis->values = ww_ticks (scale->min, scale->max, scale->logarithmic, about);
  axis->labels = g_ptr_array_new_with_free_func (g_free);
  axis->minor = g_array_new (FALSE, FALSE, sizeof (double));
  make_labels (axis);
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

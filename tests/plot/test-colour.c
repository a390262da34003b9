/* Palette, colour maps and styles: contrasts and distances, not tastes. */
#include <math.h>

#include "ww-plot.h"

static double
distance (WwColour a, WwColour b)
{
  double p[3], q[3];

  ww_colour_to_oklab (a, p);
  ww_colour_to_oklab (b, q);
  return sqrt ((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
               + (p[2] - q[2]) * (p[2] - q[2]));
}

static double
to_linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
from_linear (double c)
{
  c = CLAMP (c, 0, 1);
  return c <= 0.0031308 ? 12.92 * c : 1.055 * pow (c, 1 / 2.4) - 0.055;
}

typedef enum
{
  FULL_SIGHT,
  NO_RED_CONES,
  NO_GREEN_CONES,
  N_SIGHTS
} Sight;

/* How a colour looks without one kind of cone (Vienot, Brettel and Mollon 1999, in linear sRGB). */
static WwColour
seen_with (Sight sight, WwColour colour)
{
  static const double matrices[N_SIGHTS][3][3] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 0.11238, 0.88762, 0 }, { 0.11238, 0.88762, 0 }, { 0.00401, -0.00401, 1 } },
    { { 0.29275, 0.70725, 0 }, { 0.29275, 0.70725, 0 }, { -0.02234, 0.02234, 1 } },
  };
  const double rgb[3] = { to_linear (colour.red), to_linear (colour.green), to_linear (colour.blue) };
  double seen[3];

  for (guint i = 0; i < 3; i++)
    seen[i] = from_linear (matrices[sight][i][0] * rgb[0] + matrices[sight][i][1] * rgb[1]
                           + matrices[sight][i][2] * rgb[2]);
  return (WwColour) { seen[0], seen[1], seen[2], 1 };
}

typedef void (*StyleFunc) (const WwPlotStyle *style);

static void
for_each_style (StyleFunc func)
{
  const char *const *names = ww_plot_style_get_names ();

  for (gsize i = 0; names[i] != NULL; i++)
    {
      WwPlotStyle style;
      g_assert_true (ww_plot_style_from_name (names[i], &style));
      func (&style);
    }
}

static void
check_contrast (const WwPlotStyle *style)
{
  for (guint i = 0; i < WW_PALETTE_SIZE; i++)
    g_assert_cmpfloat (ww_colour_contrast (ww_plot_palette (style, i), style->background), >=, 3);
  g_assert_cmpfloat (ww_colour_contrast (style->foreground, style->background), >=, 7);
  g_assert_cmpfloat (ww_colour_contrast (style->faint, style->background), >=, 4.5);
  /* A grid that is there, but only just. */
  g_assert_cmpfloat (ww_colour_contrast (style->grid, style->background), >, 1.1);
  g_assert_cmpfloat (ww_colour_contrast (style->grid, style->background), <, 2);
}

static void
test_contrast (void)
{
  const WwColour white = { 1, 1, 1, 1 }, black = { 0, 0, 0, 1 };

  g_assert_cmpfloat_with_epsilon (ww_colour_contrast (white, black), 21, 1e-9);
  g_assert_cmpfloat_with_epsilon (ww_colour_contrast (black, white), 21, 1e-9);
  for_each_style (check_contrast);
}

/* The curves of the four maps stay apart in every sight. */
static void
check_colour_blind (const WwPlotStyle *style)
{
  for (guint sight = 0; sight < N_SIGHTS; sight++)
    for (guint i = 0; i < 4; i++)
      for (guint k = 0; k < i; k++)
        {
          double apart = distance (seen_with ((Sight) sight, ww_plot_palette (style, i)),
                                   seen_with ((Sight) sight, ww_plot_palette (style, k)));
          g_test_message ("dark %d sight %u colours %u and %u: %.3f", style->dark, sight, i, k, apart);
          g_assert_cmpfloat (apart, >, 0.09);
        }
}

static void
test_colour_blind (void)
{
  for_each_style (check_colour_blind);
}

static void
check_palette_distinct (const WwPlotStyle *style)
{
  for (guint i = 0; i < WW_PALETTE_SIZE; i++)
    for (guint k = 0; k < i; k++)
      g_assert_cmpfloat (distance (ww_plot_palette (style, i), ww_plot_palette (style, k)), >, 0.055);
  g_assert_cmpfloat (distance (ww_plot_palette (style, 1), ww_plot_palette (style, 1 + WW_PALETTE_SIZE)), ==, 0);
}

static void
test_palette_distinct (void)
{
  for_each_style (check_palette_distinct);
}

/* Equal steps of the value are equal steps to the eye, and lightness goes one way. */
static void
check_sequential (const WwPlotStyle *style)
{
  const guint n = 64;
  double smallest = INFINITY, largest = 0;
  double way = ww_colour_luminance (ww_heatmap_colour (style, FALSE, 0, 1, 1))
               - ww_colour_luminance (ww_heatmap_colour (style, FALSE, 0, 1, 0));

  for (guint i = 0; i < n; i++)
    {
      WwColour a = ww_heatmap_colour (style, FALSE, 0, 1, i / (double) n);
      WwColour b = ww_heatmap_colour (style, FALSE, 0, 1, (i + 1) / (double) n);
      smallest = fmin (smallest, distance (a, b));
      largest = fmax (largest, distance (a, b));
      g_assert_cmpfloat ((ww_colour_luminance (b) - ww_colour_luminance (a)) * way, >, 0);
    }
  g_assert_cmpfloat (largest, <, 1.15 * smallest);
  g_assert_cmpfloat (distance (ww_heatmap_colour (style, FALSE, 0, 1, 0),
                               ww_heatmap_colour (style, FALSE, 0, 1, 1)), >, 0.6);
  /* Low values recede into the page. */
  g_assert_cmpfloat (ww_colour_contrast (ww_heatmap_colour (style, FALSE, 0, 1, 0), style->background), <, 1.3);
  g_assert_cmpfloat (ww_colour_contrast (ww_heatmap_colour (style, FALSE, 0, 1, 1), style->background), >, 7);
}

static void
test_sequential (void)
{
  for_each_style (check_sequential);
}

static void
check_diverging (const WwPlotStyle *style)
{
  WwColour zero = ww_heatmap_colour (style, TRUE, -2, 2, 0);
  WwColour low = ww_heatmap_colour (style, TRUE, -2, 2, -2);
  WwColour high = ww_heatmap_colour (style, TRUE, -2, 2, 2);
  double lab[3];

  ww_colour_to_oklab (zero, lab);
  g_assert_cmpfloat (hypot (lab[1], lab[2]), <, 0.004);
  if (style->dark)
    g_assert_cmpfloat (lab[0], <, 0.4);
  else
    g_assert_cmpfloat (lab[0], >, 0.9);
  g_assert_cmpfloat (low.blue, >, low.red);
  g_assert_cmpfloat (high.red, >, high.blue);
  g_assert_cmpfloat (distance (low, high), >, 0.25);
  /* Both sides leave zero alike. */
  for (guint i = 1; i <= 8; i++)
    {
      double down = distance (zero, ww_heatmap_colour (style, TRUE, -2, 2, -0.25 * i));
      double up = distance (zero, ww_heatmap_colour (style, TRUE, -2, 2, 0.25 * i));
      g_assert_cmpfloat (fabs (down - up), <, 0.12 * fmax (down, up));
    }
}

static void
test_diverging (void)
{
  for_each_style (check_diverging);
}

static gboolean
same (WwColour a, WwColour b)
{
  return distance (a, b) < 1e-12;
}

static void
test_values (void)
{
  WwPlotStyle style;

  ww_plot_style_init (&style);
  /* Beyond the ends. */
  g_assert_true (same (ww_heatmap_colour (&style, FALSE, 0, 1, 7), ww_heatmap_colour (&style, FALSE, 0, 1, 1)));
  g_assert_true (same (ww_heatmap_colour (&style, FALSE, 0, 1, -INFINITY), ww_heatmap_colour (&style, FALSE, 0, 1, 0)));
  g_assert_true (same (ww_heatmap_colour (&style, TRUE, -1, 1, INFINITY), ww_heatmap_colour (&style, TRUE, -1, 1, 1)));
  /* Diverging: centred on zero, whatever the ends. */
  g_assert_true (same (ww_heatmap_colour (&style, TRUE, -1, 4, 0), ww_heatmap_colour (&style, TRUE, -1, 1, 0)));
  g_assert_true (same (ww_heatmap_colour (&style, TRUE, 0, 4, 2), ww_heatmap_colour (&style, TRUE, -4, 4, 2)));
  /* Ranges without a length, too long, or of nothing. */
  ww_heatmap_colour (&style, FALSE, 3, 3, 3);
  ww_heatmap_colour (&style, TRUE, 0, 0, 0);
  g_assert_true (same (ww_heatmap_colour (&style, FALSE, -1.7e308, 1.7e308, 0),
                       ww_heatmap_colour (&style, FALSE, -1, 1, 0)));
  g_assert_true (isfinite (ww_heatmap_colour (&style, FALSE, NAN, NAN, 1).red));
  /* What is no number is neither end nor zero, but a grey. */
  WwColour none = ww_heatmap_colour (&style, FALSE, 0, 1, NAN);
  g_assert_cmpfloat (none.red, ==, none.green);
  g_assert_cmpfloat (none.red, ==, none.blue);
  g_assert_false (same (none, style.background));
}

static void
test_styles (void)
{
  WwPlotStyle style, named;
  const char *const *names = ww_plot_style_get_names ();

  g_assert_cmpstr (names[0], ==, "default");
  ww_plot_style_init (&style);
  g_assert_true (ww_plot_style_from_name ("default", &named));
  g_assert_cmpfloat (style.font_size, ==, named.font_size);
  g_assert_false (style.dark);
  ww_plot_style_init_dark (&style);
  g_assert_true (style.dark);
  g_assert_true (ww_plot_style_from_name ("large", &style));
  g_assert_cmpfloat (style.font_size, >, named.font_size);
  /* Untouched on failure. */
  named.font_size = 77;
  g_assert_false (ww_plot_style_from_name ("Default", &named));
  g_assert_false (ww_plot_style_from_name ("", &named));
  g_assert_cmpfloat (named.font_size, ==, 77);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/colour/contrast", test_contrast);
  g_test_add_func ("/plot/colour/colour-blind", test_colour_blind);
  g_test_add_func ("/plot/colour/palette-distinct", test_palette_distinct);
  g_test_add_func ("/plot/colour/sequential", test_sequential);
  g_test_add_func ("/plot/colour/diverging", test_diverging);
  g_test_add_func ("/plot/colour/values", test_values);
  g_test_add_func ("/plot/colour/styles", test_styles);
  return g_test_run ();
}

#include "ww-colour.h"

#include <math.h>

#include "ww-style.h"

/* The first four hues belong to the four maps. They differ in lightness as well as in hue, and the
 * three main ones lie along blue - orange - green, so that they stay apart for readers without red or
 * green cones, to whom the fourth is a blue far darker (on dark pages stronger) than the first;
 * tests/plot checks both. */
static const guint32 palette_light[WW_PALETTE_SIZE] = {
  0x1c5fa8, 0xd95f02, 0x00876c, 0x5b2080, 0xc2407a, 0x7a5c1e, 0x0d86a8, 0x666666,
};
static const guint32 palette_dark[WW_PALETTE_SIZE] = {
  0x6db1f5, 0xff9a45, 0x3fd1ab, 0xa76be0, 0xf58bb8, 0xd6b36f, 0x66d3ea, 0xb8b8b8,
};

/* A colour map is sampled at this many equally spaced places and joined by straight lines. */
#define MAP_SAMPLES 257

typedef enum
{
  MAP_SEQUENTIAL_LIGHT,
  MAP_SEQUENTIAL_DARK,
  MAP_DIVERGING_LIGHT,
  MAP_DIVERGING_DARK,
  N_MAPS
} MapKind;

typedef struct
{
  WwColour colours[N_MAPS][MAP_SAMPLES];
} ColourMaps;

static double
srgb_to_linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
linear_to_srgb (double c)
{
  return c <= 0.0031308 ? 12.92 * c : 1.055 * pow (c, 1 / 2.4) - 0.055;
}

void
ww_colour_to_oklab (WwColour colour, double ret_lab[3])
{
  double r = srgb_to_linear (colour.red);
  double g = srgb_to_linear (colour.green);
  double b = srgb_to_linear (colour.blue);
  double l = cbrt (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  double m = cbrt (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  double s = cbrt (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

  ret_lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
  ret_lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
  ret_lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

/* Returns whether the colour lies inside sRGB; the components are clamped either way. */
static gboolean
oklab_to_colour (const double lab[3], WwColour *ret_colour)
{
  double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
  double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
  double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
  double rgb[3];
  gboolean inside = TRUE;

  l = l * l * l;
  m = m * m * m;
  s = s * s * s;
  rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
  rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
  rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
  for (guint i = 0; i < 3; i++)
    {
      inside = inside && rgb[i] >= -1e-6 && rgb[i] <= 1 + 1e-6;
      rgb[i] = linear_to_srgb (CLAMP (rgb[i], 0, 1));
    }
  *ret_colour = (WwColour) { rgb[0], rgb[1], rgb[2], 1 };
  return inside;
}

/* Lightness, chroma and hue (degrees) to a colour; the chroma is lowered as far as sRGB demands. */
static WwColour
colour_from_lch (double lightness, double chroma, double hue)
{
  double low = 0, high = chroma;
  double radians = hue * G_PI / 180;
  WwColour colour;
  double lab[3] = { lightness, chroma * cos (radians), chroma * sin (radians) };

  if (oklab_to_colour (lab, &colour))
    return colour;
  for (guint i = 0; i < 30; i++)
    {
      double middle = (low + high) / 2;
      lab[1] = middle * cos (radians);
      lab[2] = middle * sin (radians);
      if (oklab_to_colour (lab, &colour))
        low = middle;
      else
        high = middle;
    }
  lab[1] = low * cos (radians);
  lab[2] = low * sin (radians);
  oklab_to_colour (lab, &colour);
  return colour;
}

/* Sequential: from the colour of the page towards the contrasting end, through blue and green. The
 * hue turns one way while the lightness goes straight, with the chroma fullest in the middle. */
static WwColour
sequential_raw (gboolean dark, double t)
{
  double swell = sin (G_PI * (0.12 + 0.80 * t));

  if (dark)
    return colour_from_lch (0.24 + 0.70 * t, 0.03 + 0.13 * swell, 292 - 187 * t);
  return colour_from_lch (0.975 - 0.715 * t, 0.012 + 0.112 * swell * fmin (1, 3 * t),
                          120 + 165 * pow (t, 0.75));
}

/* Diverging: two straight lines through OKLab that meet in a neutral grey of the page's lightness. */
static WwColour
diverging_raw (gboolean dark, double t)
{
  double side = 2 * t - 1;
  double amount = fabs (side);
  double hue = side < 0 ? 252 : 28;

  if (dark)
    return colour_from_lch (0.30 + 0.44 * amount, 0.165 * amount, hue);
  return colour_from_lch (0.95 - 0.50 * amount, 0.165 * amount, hue);
}

static double
oklab_distance (WwColour a, WwColour b)
{
  double p[3], q[3];

  ww_colour_to_oklab (a, p);
  ww_colour_to_oklab (b, q);
  return sqrt ((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
               + (p[2] - q[2]) * (p[2] - q[2]));
}

/* Walks along the raw curve and takes samples at equal lengths in OKLab: equal steps of the value
 * are then equal steps to the eye. */
static void
fill_uniform (WwColour *ret_colours, WwColour (*raw) (gboolean, double), gboolean dark, double from,
              double to, guint first, guint last)
{
  enum { FINE = 2048 };
  g_autofree double *length = g_new (double, FINE + 1);
  WwColour previous = raw (dark, from);
  guint at = 0;

  length[0] = 0;
  for (guint i = 1; i <= FINE; i++)
    {
      WwColour next = raw (dark, from + (to - from) * i / FINE);
      length[i] = length[i - 1] + oklab_distance (previous, next);
      previous = next;
    }
  for (guint i = first; i <= last; i++)
    {
      double wanted = length[FINE] * (i - first) / (last - first);
      while (at < FINE && length[at + 1] < wanted)
        at++;
      double step = at < FINE ? length[at + 1] - length[at] : 0;
      double t = (at + (step > 0 ? (wanted - length[at]) / step : 0)) / FINE;
      ret_colours[i] = raw (dark, from + (to - from) * CLAMP (t, 0, 1));
    }
}

static gpointer
build_maps (gpointer unused)
{
  static ColourMaps maps;
  const guint middle = MAP_SAMPLES / 2;

  for (guint dark = 0; dark < 2; dark++)
    {
      fill_uniform (maps.colours[dark ? MAP_SEQUENTIAL_DARK : MAP_SEQUENTIAL_LIGHT], sequential_raw,
                    dark, 0, 1, 0, MAP_SAMPLES - 1);
      WwColour *diverging = maps.colours[dark ? MAP_DIVERGING_DARK : MAP_DIVERGING_LIGHT];
      fill_uniform (diverging, diverging_raw, dark, 0, 0.5, 0, middle);
      fill_uniform (diverging, diverging_raw, dark, 0.5, 1, middle, MAP_SAMPLES - 1);
    }
  return &maps;
}

static const WwColour *
get_map (const WwPlotStyle *style, gboolean diverging)
{
  static GOnce once = G_ONCE_INIT;
  const ColourMaps *maps = g_once (&once, build_maps, NULL);

  if (diverging)
    return maps->colours[style->dark ? MAP_DIVERGING_DARK : MAP_DIVERGING_LIGHT];
  return maps->colours[style->dark ? MAP_SEQUENTIAL_DARK : MAP_SEQUENTIAL_LIGHT];
}

/* Where `value` lies between the ends of the map, 0 to 1. Scaled before subtracting, because the
 * range of two finite numbers may overflow. */
static double
map_position (gboolean diverging, double min, double max, double value)
{
  double t;

  if (diverging)
    {
      double reach = fmax (fabs (min), fabs (max));
      t = reach > 0 ? 0.5 + 0.5 * CLAMP (value / reach, -1, 1) : value > 0 ? 1 : value < 0 ? 0 : 0.5;
    }
  else if (max > min)
    t = (value / 2 - min / 2) / (max / 2 - min / 2);
  else
    t = value > max ? 1 : 0;
  return isnan (t) ? 0 : CLAMP (t, 0, 1);
}

WwColour
ww_heatmap_colour (const WwPlotStyle *style, gboolean diverging, double min, double max, double value)
{
  const WwColour *map;
  double t;
  guint index;

  g_return_val_if_fail (style != NULL, ((WwColour) { 0, 0, 0, 1 }));

  if (isnan (value))
    return ww_colour_mix (style->background, style->foreground, 0.12);
  map = get_map (style, diverging);
  t = map_position (diverging, min, max, value) * (MAP_SAMPLES - 1);
  index = MIN ((guint) t, MAP_SAMPLES - 2);
  return ww_colour_mix (map[index], map[index + 1], t - index);
}

WwColour
ww_plot_palette (const WwPlotStyle *style, guint index)
{
  guint32 rgb;

  g_return_val_if_fail (style != NULL, ((WwColour) { 0, 0, 0, 1 }));

  rgb = (style->dark ? palette_dark : palette_light)[index % WW_PALETTE_SIZE];
  return (WwColour) { (rgb >> 16 & 0xff) / 255.0, (rgb >> 8 & 0xff) / 255.0, (rgb & 0xff) / 255.0, 1 };
}

WwColour
ww_colour_mix (WwColour under, WwColour colour, double opacity)
{
  return (WwColour) {
    under.red + (colour.red - under.red) * opacity,
    under.green + (colour.green - under.green) * opacity,
    under.blue + (colour.blue - under.blue) * opacity,
    under.alpha,
  };
}

WwColour
ww_colour_with_alpha (WwColour colour, double alpha)
{
  colour.alpha = alpha;
  return colour;
}

double
ww_colour_luminance (WwColour colour)
{
  return 0.2126 * srgb_to_linear (colour.red) + 0.7152 * srgb_to_linear (colour.green)
         + 0.0722 * srgb_to_linear (colour.blue);
}

double
ww_colour_contrast (WwColour a, WwColour b)
{
  double p = ww_colour_luminance (a) + 0.05;
  double q = ww_colour_luminance (b) + 0.05;

  return p > q ? p / q : q / p;
}

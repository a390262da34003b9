/* Colours: sRGB components from 0 to 1, the colour-blind safe palette of series and the two colour
 * maps of heatmaps. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  double red, green, blue, alpha;
} WwColour;

typedef struct _WwPlotStyle WwPlotStyle;

/* How many hues the palette has before it starts over. */
#define WW_PALETTE_SIZE 8

/* Colour-blind safe palette (hue of series `index`) for this style. Every hue has a contrast of at
 * least 3:1 against the background of the named styles. */
WwColour ww_plot_palette (const WwPlotStyle *style, guint index);

/* The colour a value gets: also for token strips. Sequential: `min` to `max`; diverging: symmetric
 * about zero, up to the larger of |min| and |max|. Values outside take the colour of the end, and a
 * value that is not a number takes a neutral grey. */
WwColour ww_heatmap_colour (const WwPlotStyle *style, gboolean diverging, double min, double max,
                            double value);

/* `colour` laid over `under` with the given opacity, 0 to 1; the result has the alpha of `under`. */
WwColour ww_colour_mix (WwColour under, WwColour colour, double opacity);
WwColour ww_colour_with_alpha (WwColour colour, double alpha);
/* Relative luminance and contrast ratio as WCAG 2.1 defines them; the ratio is from 1 to 21. */
double ww_colour_luminance (WwColour colour);
double ww_colour_contrast (WwColour a, WwColour b);
/* OKLab (Ottosson 2020): lightness 0 to 1 and two colour axes, in which distances are perceived. */
void ww_colour_to_oklab (WwColour colour, double ret_lab[3]);

G_END_DECLS

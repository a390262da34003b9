/* How a figure looks. */
#pragma once

#include "ww-colour.h"

G_BEGIN_DECLS

/* `ww_plot_style_init` fills in the default of paper figures. */
struct _WwPlotStyle
{
  const char *font_family; /* "Sans"; borrowed, a scene copies it */
  double font_size;        /* pt */
  double line_width;       /* pt */
  WwColour background, foreground, faint, grid; /* faint: secondary text and frames */
  gboolean dark;           /* picks the palette's and the colour maps' dark variants */
};

void ww_plot_style_init (WwPlotStyle *style);
void ww_plot_style_init_dark (WwPlotStyle *style);
/* The named styles of --style: "default", "dark", "large" (for a projector). FALSE: unknown. */
gboolean ww_plot_style_from_name (const char *name, WwPlotStyle *ret_style);
/* NULL-terminated; the first is the default. */
const char *const *ww_plot_style_get_names (void);

G_END_DECLS

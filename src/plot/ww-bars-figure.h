/* Figures of bars, several series side by side. */
#pragma once

#include "ww-scene.h"

G_BEGIN_DECLS

typedef struct
{
  const char *label;
  guint colour;
  const double *values; /* n_bars entries; NaN: no bar; NULL: no bars at all, only the reference */
  double reference;     /* a horizontal dashed line of this colour (RF has no per-token value), or NaN */
} WwBarSeries;

typedef struct
{
  const char *title, *x_label, *y_label;
  gsize n_bars;
  const char *const *labels; /* n_bars entries or NULL */
  gssize marked;             /* the chosen token, or -1 */
  const WwBarSeries *series; /* drawn side by side within a bar's slot */
  gsize n_series;
  double y_max;              /* NaN: from the data */
  gboolean legend;
} WwBarsFigure;

typedef struct
{
  double left, top, width, height;
  gsize n_bars;
} WwBarsLayout;

/* A page of `width` x `height` pt. Copies what it needs; `ret_layout` may be NULL. The axis includes
 * zero. Labels are thinned where they would collide; the marked one stays. */
WwScene *ww_bars_figure_layout (const WwBarsFigure *figure, double width, double height,
                                const WwPlotStyle *style, WwBarsLayout *ret_layout);
/* The slot at a place on the page, at any height of the plot area. FALSE outside. */
gboolean ww_bars_layout_pick (const WwBarsLayout *layout, double x_pt, double y_pt, gsize *ret_bar);

G_END_DECLS

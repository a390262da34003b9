/* Figures of a matrix as coloured cells. */
#pragma once

#include "ww-scene.h"

G_BEGIN_DECLS

typedef struct
{
  const char *title, *x_label, *y_label, *bar_label;
  gsize rows, cols;
  const double *values;          /* rows * cols, row 0 on top; NaN: hatched / neutral */
  gboolean diverging;            /* zero-centred colours: blue, neutral, red; else sequential */
  double min, max;               /* NaN: from the data (diverging: symmetric about 0) */
  const char *const *row_labels; /* rows entries or NULL; thinned where they would collide */
  const char *const *col_labels;
  gssize marked_row, marked_col; /* outlined; -1: none */
  gboolean bar;                  /* colour bar */
} WwHeatmapFigure;

typedef struct
{
  double left, top, width, height; /* of the cells */
  gsize rows, cols;
} WwHeatmapLayout;

WwScene *ww_heatmap_figure_layout (const WwHeatmapFigure *figure, double width, double height,
                                   const WwPlotStyle *style, WwHeatmapLayout *ret_layout);
/* FALSE outside the cells. */
gboolean ww_heatmap_layout_pick (const WwHeatmapLayout *layout, double x_pt, double y_pt,
                                 gsize *ret_row, gsize *ret_col);

G_END_DECLS

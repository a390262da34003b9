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
  gssize marked_row, marked_col; /* outlined, or between arrows where too thin; -1: none */
  gboolean bar;                  /* colour bar; has two ends and numbers even if all values are equal */
} WwHeatmapFigure;

typedef struct
{
  double left, top, width, height; /* of the cells */
  gsize rows, cols;
} WwHeatmapLayout;

/* A page of `width` x `height` pt. Copies what it needs; `ret_layout` may be NULL. Cells are squares
 * unless that would waste most of the page; they are one image, and stay hard-edged at any size. On a
 * bitmap with fewer pixels than cells, each pixel shows the value in it that is farthest from zero
 * (diverging) or largest, and the marked row and column are at least 0.75 pt and one pixel wide. Up to
 * 32767 rows and columns. */
WwScene *ww_heatmap_figure_layout (const WwHeatmapFigure *figure, double width, double height,
                                   const WwPlotStyle *style, WwHeatmapLayout *ret_layout);
/* The cell at a place on the page. FALSE outside the cells; the outputs are then untouched. */
gboolean ww_heatmap_layout_pick (const WwHeatmapLayout *layout, double x_pt, double y_pt,
                                 gsize *ret_row, gsize *ret_col);

G_END_DECLS

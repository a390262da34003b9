/* Figures of curves over one variable, with bands, bounds and a legend. */
#pragma once

#include "ww-scene.h"

G_BEGIN_DECLS

typedef struct
{
  const char *label;   /* legend: "RF: n^-0.50" */
  guint colour;        /* palette index; fixed per map, so hiding one recolours none */
  gboolean visible;    /* hidden ones stay in the legend, greyed */
  gboolean dashed;
  gsize n_points;
  const double *x, *y; /* measured points, joined by lines; ascending x */
  const double *lower, *upper;  /* band, or NULL */
  const double *bound; /* upper bounds drawn as a thin line above, NaN where none; or NULL */
} WwSeries;

typedef struct
{
  const char *title, *x_label, *y_label; /* NULL: none */
  const char *note;    /* small line below the legend: what the band is; or NULL */
  gboolean x_log, y_log;
  double x_min, x_max, y_min, y_max; /* NaN: from the data */
  const WwSeries *series;
  gsize n_series;
  gboolean legend;
} WwCurvesFigure;

/* Where the plot area ended up, to go between pixels and data. */
typedef struct
{
  double left, top, width, height; /* of the plot area, pt */
  double x_min, x_max, y_min, y_max;
  gboolean x_log, y_log;
  gsize n_legend;
  struct { double left, top, width, height; } legend[16]; /* legend entries: hit boxes */
} WwCurvesLayout;

/* Copies what it needs. Empty data gives axes and no line, never a crash. `ret_layout` may be NULL. */
WwScene *ww_curves_figure_layout (const WwCurvesFigure *figure, double width, double height,
                                  const WwPlotStyle *style, WwCurvesLayout *ret_layout);
double ww_curves_layout_x_to_pt (const WwCurvesLayout *layout, double x);
double ww_curves_layout_y_to_pt (const WwCurvesLayout *layout, double y);
double ww_curves_layout_pt_to_x (const WwCurvesLayout *layout, double pt);
double ww_curves_layout_pt_to_y (const WwCurvesLayout *layout, double pt);

G_END_DECLS

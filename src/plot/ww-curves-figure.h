/* Figures of curves over one variable, with bands, bounds and a legend. */
#pragma once

#include "ww-scene.h"

G_BEGIN_DECLS

typedef struct
{
  const char *label;   /* legend; "^" and a number are set as an exponent: "RF: n^-0.50"; NULL: no entry */
  guint colour;        /* palette index; fixed per map, so hiding one recolours none */
  gboolean visible;    /* hidden ones stay in the legend, greyed */
  guint dashed;        /* 0: solid, 1: dashed, 2: dotted, 3: dash and dot, 4: long dashes, 5: dash and two
                        * dots, then again from 1 */
  gsize n_points;
  const double *x, *y; /* measured points, joined by lines; ascending x */
  const double *lower, *upper;  /* band, or NULL */
  const double *bound; /* upper bounds drawn as a thin line above, NaN where none; or NULL */
  gboolean theory;     /* nothing measured: thinner, without markers, above the measured lines */
  gboolean ink;        /* the legend's sample in the colour of the text: it stands for lines of many colours */
} WwSeries;

typedef struct
{
  const char *title, *x_label, *y_label; /* NULL: none */
  const char *note;    /* small line below the legend: what the band is; or NULL */
  const char *notice;  /* in place of the data where there are none; NULL: "No data yet" */
  gboolean x_log, y_log;
  gboolean x_integers; /* x counts something: ticks at whole numbers only */
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
  /* Hit boxes of the legend entries, in the order of the series with a label; further ones have no entry. */
  struct { double left, top, width, height; } legend[16];
} WwCurvesLayout;

/* A page of `width` x `height` pt. Copies what it needs; `ret_layout` may be NULL.
 *
 * Values without a place on the axes (not finite; zero and below on a logarithmic one) are left out
 * and leave a gap. Lines are cut exactly at the ends of the axes. Every point has a marker, of a shape
 * that goes with its colour, as long as they do not run into each other. Without `x_min` ... the axes
 * enclose the visible series, and reach to the next labelled tick where that is near. The legend goes where it
 * covers nothing: inside, else beside, else below; on pages that are too small for it, it shrinks, and at last is
 * left out (`n_legend` is 0), as titles and labels are. No data at all gives axes and the notice. */
WwScene *ww_curves_figure_layout (const WwCurvesFigure *figure, double width, double height,
                                  const WwPlotStyle *style, WwCurvesLayout *ret_layout);

/* Data to pt on the page and back. A value without a place becomes NaN; points outside of the plot
 * area go on along the axes. */
double ww_curves_layout_x_to_pt (const WwCurvesLayout *layout, double x);
double ww_curves_layout_y_to_pt (const WwCurvesLayout *layout, double y);
double ww_curves_layout_pt_to_x (const WwCurvesLayout *layout, double pt);
double ww_curves_layout_pt_to_y (const WwCurvesLayout *layout, double pt);

G_END_DECLS

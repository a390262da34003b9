/* A curves figure while it is laid out; shared by the figure and the placing of its legend. */
#pragma once

#include "ww-clip-private.h"
#include "ww-curves-figure.h"
#include "ww-frame-private.h"
#include "ww-legend-private.h"

G_BEGIN_DECLS

typedef struct
{
  const WwCurvesFigure *figure;
  const WwPlotStyle *style;
  WwFrame frame;
  WwCurvesLayout layout;
  WwLegend *legend; /* NULL: none */
  double legend_x, legend_y;
  gboolean empty; /* no point has a place on the axes */
} WwCurvesPlot;

/* Lays the axes out with so much room beside and below kept free. */
void ww_curves_place_frame (WwCurvesPlot *plot, double right, double bottom);

gboolean ww_curves_plottable (gboolean logarithmic, double value);
WwPoint ww_curves_point_at (const WwCurvesPlot *plot, double x, double y);
gboolean ww_curves_has_markers (const WwCurvesPlot *plot, const WwSeries *series);
WwDash ww_curves_get_dash (const WwSeries *series);
/* Of a line and of its sample in the legend: colours and widths of theory keep away from those of the measured
 * line, on which it often lies. */
WwColour ww_curves_get_colour (const WwCurvesPlot *plot, const WwSeries *series);
double ww_curves_get_line_width (const WwCurvesPlot *plot, const WwSeries *series);
/* Calls `func` with the pieces of the line through `y` that lie in the plot area. */
void ww_curves_for_each_run (const WwCurvesPlot *plot, const WwSeries *series, const double *y,
                             WwClipFunc func, gpointer data);

/* Middle and top of the words that are shown where there are no data. */
WwPoint ww_curves_get_notice_place (const WwCurvesPlot *plot);

/* Chooses the place, and makes room for it where it is outside. */
void ww_curves_place_legend (WwCurvesPlot *plot);
/* Draws it and notes the hit boxes. */
void ww_curves_draw_legend (WwCurvesPlot *plot, WwScene *scene);

G_END_DECLS

#include "ww-curves-figure.h"

#include <math.h>

#include "ww-frame-private.h"
#include "ww-legend-private.h"

typedef struct
{
  const WwCurvesFigure *figure;
  const WwPlotStyle *style;
  WwFrame frame;
  WwCurvesLayout layout;
  WwLegend *legend;
  double legend_x, legend_y;
} Plot;

static WwScale
x_scale (const WwCurvesLayout *layout)
{
  return (WwScale) { layout->x_min, layout->x_max, layout->x_log };
}

static WwScale
y_scale (const WwCurvesLayout *layout)
{
  return (WwScale) { layout->y_min, layout->y_max, layout->y_log };
}

double
ww_curves_layout_x_to_pt (const WwCurvesLayout *layout, double x)
{
  WwScale scale = x_scale (layout);

  return layout->left + ww_scale_to_unit (&scale, x) * layout->width;
}

double
ww_curves_layout_y_to_pt (const WwCurvesLayout *layout, double y)
{
  WwScale scale = y_scale (layout);

  return layout->top + (1 - ww_scale_to_unit (&scale, y)) * layout->height;
}

double
ww_curves_layout_pt_to_x (const WwCurvesLayout *layout, double pt)
{
  WwScale scale = x_scale (layout);

  return ww_scale_from_unit (&scale, layout->width > 0 ? (pt - layout->left) / layout->width : 0);
}

double
ww_curves_layout_pt_to_y (const WwCurvesLayout *layout, double pt)
{
  WwScale scale = y_scale (layout);

  return ww_scale_from_unit (&scale, layout->height > 0 ? 1 - (pt - layout->top) / layout->height : 0);
}

static gboolean
plottable (gboolean logarithmic, double value)
{
  return isfinite (value) && (!logarithmic || value > 0);
}

static void
take (double *low, double *high, gboolean logarithmic, double value)
{
  if (!plottable (logarithmic, value))
    return;
  *low = fmin (*low, value);
  *high = fmax (*high, value);
}

/* Of the visible series, or of all if none is visible. */
static void
find_ranges (Plot *plot)
{
  const WwCurvesFigure *figure = plot->figure;
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  gboolean any = FALSE;

  for (gsize s = 0; s < figure->n_series; s++)
    any = any || figure->series[s].visible;
  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      for (gsize i = 0; i < series->n_points && (series->visible || !any); i++)
        {
          if (!plottable (figure->x_log, series->x[i]))
            continue;
          take (&x_low, &x_high, figure->x_log, series->x[i]);
          take (&y_low, &y_high, figure->y_log, series->y[i]);
          if (series->lower != NULL)
            take (&y_low, &y_high, figure->y_log, series->lower[i]);
          if (series->upper != NULL)
            take (&y_low, &y_high, figure->y_log, series->upper[i]);
          if (series->bound != NULL)
            take (&y_low, &y_high, figure->y_log, series->bound[i]);
        }
    }
  ww_scale_init (&plot->frame.x_scale, figure->x_log, x_low, x_high, 0.035, figure->x_min, figure->x_max);
  ww_scale_init (&plot->frame.y_scale, figure->y_log, y_low, y_high, 0.06, figure->y_min, figure->y_max);
}

static void
copy_layout (Plot *plot)
{
  const WwFrame *frame = &plot->frame;

  plot->layout = (WwCurvesLayout) {
    .left = frame->area_left, .top = frame->area_top,
    .width = frame->area_width, .height = frame->area_height,
    .x_min = frame->x_scale.min, .x_max = frame->x_scale.max,
    .y_min = frame->y_scale.min, .y_max = frame->y_scale.max,
    .x_log = frame->x_scale.logarithmic, .y_log = frame->y_scale.logarithmic,
  };
}

static WwPoint
point_at (const Plot *plot, double x, double y)
{
  return (WwPoint) { ww_curves_layout_x_to_pt (&plot->layout, x),
                     ww_curves_layout_y_to_pt (&plot->layout, y) };
}

static void
draw_band (Plot *plot, WwScene *scene, const WwSeries *series, WwColour colour)
{
  g_autofree WwPoint *points = g_new (WwPoint, 2 * series->n_points + 1);

  for (gsize start = 0; start < series->n_points;)
    {
      gsize n = 0;
      while (start + n < series->n_points
             && plottable (plot->layout.x_log, series->x[start + n])
             && plottable (plot->layout.y_log, series->lower[start + n])
             && plottable (plot->layout.y_log, series->upper[start + n]))
        n++;
      for (gsize i = 0; i < n; i++)
        {
          points[i] = point_at (plot, series->x[start + i], series->lower[start + i]);
          points[2 * n - 1 - i] = point_at (plot, series->x[start + i], series->upper[start + i]);
        }
      if (n == 1)
        ww_scene_add_polyline (scene, points, 2, ww_colour_with_alpha (colour, 0.35),
                               plot->style->line_width * 3, 0, 0);
      else
        ww_scene_add_polygon (scene, points, 2 * n, ww_colour_with_alpha (colour, 0.18));
      start += n + 1;
    }
}

static void
draw_line (Plot *plot, WwScene *scene, const WwSeries *series, const double *y, WwColour colour,
           double line_width, gboolean dashed)
{
  g_autofree WwPoint *points = g_new (WwPoint, series->n_points + 1);

  for (gsize start = 0; start < series->n_points;)
    {
      gsize n = 0;
      while (start + n < series->n_points
             && plottable (plot->layout.x_log, series->x[start + n])
             && plottable (plot->layout.y_log, y[start + n]))
        {
          points[n] = point_at (plot, series->x[start + n], y[start + n]);
          n++;
        }
      ww_scene_add_polyline (scene, points, n, colour, line_width,
                             dashed ? plot->style->line_width * 3.2 : 0, plot->style->line_width * 2);
      start += n + 1;
    }
}

static gboolean
has_markers (const Plot *plot, const WwSeries *series)
{
  return !series->dashed
         && series->n_points <= 12 + plot->layout.width / (plot->style->line_width * 6);
}

static void
draw_markers (Plot *plot, WwScene *scene, const WwSeries *series, WwColour colour)
{
  double edge = plot->style->line_width * 0.4;

  for (gsize i = 0; i < series->n_points; i++)
    {
      WwPoint at;

      if (!plottable (plot->layout.x_log, series->x[i]) || !plottable (plot->layout.y_log, series->y[i]))
        continue;
      at = point_at (plot, series->x[i], series->y[i]);
      if (at.x < plot->layout.left - 0.01 || at.x > plot->layout.left + plot->layout.width + 0.01
          || at.y < plot->layout.top - 0.01 || at.y > plot->layout.top + plot->layout.height + 0.01)
        continue;
      ww_scene_add_marker (scene, series->colour % WW_N_MARKERS, at.x, at.y,
                           plot->style->line_width * 1.9, colour, plot->style->background, edge);
    }
}

static void
draw_data (Plot *plot, WwScene *scene)
{
  const WwCurvesFigure *figure = plot->figure;
  const WwCurvesLayout *layout = &plot->layout;

  ww_scene_push_clip (scene, layout->left, layout->top, layout->width, layout->height);
  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      if (series->visible && series->lower != NULL && series->upper != NULL)
        draw_band (plot, scene, series, ww_plot_palette (plot->style, series->colour));
    }
  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      WwColour colour = ww_plot_palette (plot->style, series->colour);
      if (series->visible && series->bound != NULL)
        draw_line (plot, scene, series, series->bound, colour, plot->style->line_width * 0.5, FALSE);
      if (series->visible)
        draw_line (plot, scene, series, series->y, colour, plot->style->line_width, series->dashed);
    }
  ww_scene_pop_clip (scene);
  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      if (series->visible && has_markers (plot, series))
        draw_markers (plot, scene, series, ww_plot_palette (plot->style, series->colour));
    }
}

static void
make_legend (Plot *plot, double max_width, gboolean rows)
{
  const WwCurvesFigure *figure = plot->figure;
  gsize n = figure->legend ? MIN (figure->n_series, G_N_ELEMENTS (plot->layout.legend)) : 0;
  WwLegendEntry entries[G_N_ELEMENTS (plot->layout.legend)];

  for (gsize s = 0; s < n; s++)
    entries[s] = (WwLegendEntry) {
      .kind = WW_SAMPLE_LINE, .label = figure->series[s].label,
      .colour = ww_plot_palette (plot->style, figure->series[s].colour),
      .marker = figure->series[s].colour % WW_N_MARKERS,
      .markers = has_markers (plot, &figure->series[s]),
      .dashed = figure->series[s].dashed, .hidden = !figure->series[s].visible,
    };
  g_clear_pointer (&plot->legend, ww_legend_free);
  plot->legend = ww_legend_new (plot->style, entries, n, figure->note, max_width, rows);
}

static void
place_legend (Plot *plot)
{
  double em = plot->style->font_size;

  make_legend (plot, plot->frame.area_width * 0.9, FALSE);
  plot->legend_x = plot->layout.left + plot->layout.width - plot->legend->width - em * 0.6;
  plot->legend_y = plot->layout.top + em * 0.4;
}

static void
draw_legend (Plot *plot, WwScene *scene)
{
  ww_legend_draw (plot->legend, scene, plot->style, plot->legend_x, plot->legend_y);
  plot->layout.n_legend = plot->legend->n_entries;
  for (gsize i = 0; i < plot->legend->n_entries; i++)
    {
      plot->layout.legend[i].left = plot->legend_x + plot->legend->boxes[i].x;
      plot->layout.legend[i].top = plot->legend_y + plot->legend->boxes[i].y;
      plot->layout.legend[i].width = plot->legend->boxes[i].width;
      plot->layout.legend[i].height = plot->legend->boxes[i].height;
    }
}

WwScene *
ww_curves_figure_layout (const WwCurvesFigure *figure, double width, double height,
                         const WwPlotStyle *style, WwCurvesLayout *ret_layout)
{
  Plot plot = { .figure = figure, .style = style };
  WwScene *scene;

  g_return_val_if_fail (figure != NULL && style != NULL, NULL);
  g_return_val_if_fail (figure->n_series == 0 || figure->series != NULL, NULL);

  scene = ww_scene_new (width, height, style);
  ww_frame_init (&plot.frame, width, height, style);
  plot.frame.title = figure->title;
  plot.frame.x_label = figure->x_label;
  plot.frame.y_label = figure->y_label;
  find_ranges (&plot);
  ww_frame_place (&plot.frame);
  copy_layout (&plot);
  place_legend (&plot);
  ww_frame_draw_grid (&plot.frame, scene);
  draw_data (&plot, scene);
  ww_frame_draw_axes (&plot.frame, scene);
  draw_legend (&plot, scene);
  ww_legend_free (plot.legend);
  ww_frame_clear (&plot.frame);
  if (ret_layout != NULL)
    *ret_layout = plot.layout;
  return scene;
}

#include "ww-curves-figure.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-curves-private.h"

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

gboolean
ww_curves_plottable (gboolean logarithmic, double value)
{
  return isfinite (value) && (!logarithmic || value > 0);
}

static void
take (double *low, double *high, gboolean logarithmic, double value)
{
  if (!ww_curves_plottable (logarithmic, value))
    return;
  *low = fmin (*low, value);
  *high = fmax (*high, value);
}

/* Of the visible series, or of all if none is visible. */
static void
find_ranges (WwCurvesPlot *plot)
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
          if (!ww_curves_plottable (figure->x_log, series->x[i]))
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
  plot->empty = x_low > x_high || y_low > y_high;
  ww_scale_init (&plot->frame.x_scale, figure->x_log, x_low, x_high, 0.035, figure->x_min, figure->x_max);
  ww_scale_init (&plot->frame.y_scale, figure->y_log, y_low, y_high, 0.06, figure->y_min, figure->y_max);
  plot->frame.x_integers = figure->x_integers;
  ww_scale_enclose (&plot->frame.y_scale, y_low, y_high, figure->y_min, figure->y_max, FALSE);
  if (figure->x_log)
    ww_scale_enclose (&plot->frame.x_scale, x_low, x_high, figure->x_min, figure->x_max, figure->x_integers);
}

static void
copy_layout (WwCurvesPlot *plot)
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

void
ww_curves_place_frame (WwCurvesPlot *plot, double right, double bottom)
{
  ww_frame_clear (&plot->frame);
  plot->frame.right = right;
  plot->frame.bottom = bottom;
  ww_frame_place (&plot->frame);
  copy_layout (plot);
}

/* Values far beyond the axis keep their direction, not their distance: coordinates stay finite. */
WwPoint
ww_curves_point_at (const WwCurvesPlot *plot, double x, double y)
{
  const double far_away = 1e9;
  const WwCurvesLayout *layout = &plot->layout;
  double u = CLAMP (ww_scale_to_unit (&plot->frame.x_scale, x), -far_away, far_away);
  double v = CLAMP (ww_scale_to_unit (&plot->frame.y_scale, y), -far_away, far_away);

  return (WwPoint) { layout->left + u * layout->width, layout->top + (1 - v) * layout->height };
}

/* The plot area and a little more, so that the cut ends of lines are not seen. */
static WwClipBox
clip_box (const WwCurvesPlot *plot)
{
  const WwCurvesLayout *layout = &plot->layout;
  double more = plot->style->line_width * 4;

  return (WwClipBox) { layout->left - more, layout->top - more, layout->left + layout->width + more,
                       layout->top + layout->height + more };
}

/* A measured interval without neighbours is a bar, since it spans no area. */
static void
draw_lonely_interval (const WwCurvesPlot *plot, WwScene *scene, const WwPoint *ends, WwColour colour)
{
  double half = plot->style->line_width * 2;
  const WwPoint bar[4] = { { ends[0].x - half, ends[0].y }, { ends[0].x + half, ends[0].y },
                           { ends[1].x + half, ends[1].y }, { ends[1].x - half, ends[1].y } };
  WwClipBox box = clip_box (plot);
  g_autoptr (GArray) inside = ww_clip_polygon (&box, bar, G_N_ELEMENTS (bar));

  ww_scene_add_polygon (scene, (const WwPoint *) (const void *) inside->data, inside->len, colour);
}

static void
draw_band (WwCurvesPlot *plot, WwScene *scene, const WwSeries *series, WwColour colour)
{
  g_autofree WwPoint *points = g_new (WwPoint, 2 * series->n_points + 1);
  WwClipBox box = clip_box (plot);

  colour = ww_colour_with_alpha (colour, plot->style->dark ? 0.24 : 0.18);
  for (gsize start = 0; start < series->n_points;)
    {
      gsize n = 0;
      while (start + n < series->n_points
             && ww_curves_plottable (plot->layout.x_log, series->x[start + n])
             && ww_curves_plottable (plot->layout.y_log, series->lower[start + n])
             && ww_curves_plottable (plot->layout.y_log, series->upper[start + n]))
        n++;
      for (gsize i = 0; i < n; i++)
        {
          points[i] = ww_curves_point_at (plot, series->x[start + i], series->lower[start + i]);
          points[2 * n - 1 - i] = ww_curves_point_at (plot, series->x[start + i], series->upper[start + i]);
        }
      if (n == 1)
        draw_lonely_interval (plot, scene, points, colour);
      else if (n > 1)
        {
          g_autoptr (GArray) inside = ww_clip_polygon (&box, points, 2 * n);
          ww_scene_add_polygon (scene, (const WwPoint *) (const void *) inside->data, inside->len, colour);
        }
      start += n + 1;
    }
}

typedef struct
{
  WwScene *scene;
  WwColour colour;
  double line_width;
  WwDash dash;
} Pen;

static void
draw_piece (const WwPoint *points, gsize n_points, gpointer data)
{
  const Pen *pen = data;

  ww_scene_add_polyline (pen->scene, points, n_points, pen->colour, pen->line_width, pen->dash);
}

/* Joins neighbouring points; one that has no place on the axes leaves a gap. */
void
ww_curves_for_each_run (const WwCurvesPlot *plot, const WwSeries *series, const double *y,
                        WwClipFunc func, gpointer data)
{
  g_autofree WwPoint *points = g_new (WwPoint, series->n_points + 1);
  WwClipBox box = clip_box (plot);

  for (gsize start = 0; start < series->n_points;)
    {
      gsize n = 0;
      while (start + n < series->n_points
             && ww_curves_plottable (plot->layout.x_log, series->x[start + n])
             && ww_curves_plottable (plot->layout.y_log, y[start + n]))
        {
          points[n] = ww_curves_point_at (plot, series->x[start + n], y[start + n]);
          n++;
        }
      ww_clip_polyline (&box, points, n, func, data);
      start += n + 1;
    }
}

static void
draw_series_lines (const WwCurvesPlot *plot, WwScene *scene, const WwSeries *series)
{
  Pen pen = { scene, ww_curves_get_colour (plot, series), ww_curves_get_line_width (plot, series),
              ww_curves_get_dash (series) };

  ww_curves_for_each_run (plot, series, series->y, draw_piece, &pen);
  if (series->bound == NULL)
    return;
  pen.line_width = plot->style->line_width * 0.5;
  pen.dash = WW_DASH_SOLID;
  ww_curves_for_each_run (plot, series, series->bound, draw_piece, &pen);
}

WwDash
ww_curves_get_dash (const WwSeries *series)
{
  if (series->dashed == 0)
    return WW_DASH_SOLID;
  return (WwDash) (1 + (series->dashed - 1) % (WW_N_DASHES - 1));
}

/* Laws that all but agree lie on each other and on the measured line, where a pattern alone is not read: each
 * pattern has its own shade too, from pale to almost the colour of the text. */
WwColour
ww_curves_get_colour (const WwCurvesPlot *plot, const WwSeries *series)
{
  static const double towards_ink[WW_N_DASHES] = {
    [WW_DASH_SOLID] = 0.35, [WW_DASH_DASHED] = 0.4, [WW_DASH_DOTTED] = 0.6,
    [WW_DASH_DASH_DOT] = -0.38, [WW_DASH_LONG] = 0.3, [WW_DASH_DASH_DOT_DOT] = 0.85,
  };
  const WwPlotStyle *style = plot->style;
  WwColour colour = series->ink ? style->foreground : ww_plot_palette (style, series->colour);
  double part = series->theory ? towards_ink[ww_curves_get_dash (series)] : 0;

  return ww_colour_mix (colour, part < 0 ? style->background : style->foreground, fabs (part));
}

double
ww_curves_get_line_width (const WwCurvesPlot *plot, const WwSeries *series)
{
  return plot->style->line_width * (series->theory ? 0.65 : 1);
}

gboolean
ww_curves_has_markers (const WwCurvesPlot *plot, const WwSeries *series)
{
  return !series->theory
         && series->n_points <= 12 + plot->layout.width / (plot->style->line_width * 6);
}

static void
draw_markers (WwCurvesPlot *plot, WwScene *scene, const WwSeries *series, WwColour colour)
{
  double edge = plot->style->line_width * 0.4;

  for (gsize i = 0; i < series->n_points; i++)
    {
      WwPoint at;

      if (!ww_curves_plottable (plot->layout.x_log, series->x[i])
          || !ww_curves_plottable (plot->layout.y_log, series->y[i]))
        continue;
      at = ww_curves_point_at (plot, series->x[i], series->y[i]);
      if (at.x < plot->layout.left - 0.01 || at.x > plot->layout.left + plot->layout.width + 0.01
          || at.y < plot->layout.top - 0.01 || at.y > plot->layout.top + plot->layout.height + 0.01)
        continue;
      ww_scene_add_marker (scene, series->colour % WW_N_MARKERS, at.x, at.y,
                           plot->style->line_width * 1.9, colour, plot->style->background, edge);
    }
}

WwPoint
ww_curves_get_notice_place (const WwCurvesPlot *plot)
{
  return (WwPoint) { plot->layout.left + plot->layout.width / 2,
                     plot->layout.top + plot->layout.height * 0.45 };
}

static void
draw_data (WwCurvesPlot *plot, WwScene *scene)
{
  const WwCurvesFigure *figure = plot->figure;
  const WwCurvesLayout *layout = &plot->layout;
  WwPoint notice = ww_curves_get_notice_place (plot);

  ww_scene_push_clip (scene, layout->left, layout->top, layout->width, layout->height);
  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      if (series->visible && series->lower != NULL && series->upper != NULL)
        draw_band (plot, scene, series, ww_plot_palette (plot->style, series->colour));
    }
  /* Theory on top: it is thinner. */
  for (guint theory = 0; theory < 2; theory++)
    for (gsize s = 0; s < figure->n_series; s++)
      if (figure->series[s].visible && (guint) !!figure->series[s].theory == theory)
        draw_series_lines (plot, scene, &figure->series[s]);
  ww_scene_pop_clip (scene);
  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      if (series->visible && ww_curves_has_markers (plot, series))
        draw_markers (plot, scene, series, ww_plot_palette (plot->style, series->colour));
    }
  if (plot->empty && layout->height > plot->style->font_size * 3)
    ww_frame_draw_title (scene, &plot->frame.label_font,
                         figure->notice != NULL ? figure->notice : _("No data yet"), plot->style->faint,
                         notice.x, notice.y, layout->left, layout->left + layout->width, 0, FALSE);
}

WwScene *
ww_curves_figure_layout (const WwCurvesFigure *figure, double width, double height,
                         const WwPlotStyle *style, WwCurvesLayout *ret_layout)
{
  WwCurvesPlot plot = { .figure = figure, .style = style };
  WwScene *scene;

  g_return_val_if_fail (figure != NULL && style != NULL, NULL);
  g_return_val_if_fail (figure->n_series == 0 || figure->series != NULL, NULL);

  scene = ww_scene_new (width, height, style);
  ww_scene_get_size (scene, &width, &height);
  ww_frame_init (&plot.frame, width, height, style);
  plot.frame.title = figure->title;
  plot.frame.x_label = figure->x_label;
  plot.frame.y_label = figure->y_label;
  find_ranges (&plot);
  ww_curves_place_frame (&plot, 0, 0);
  ww_curves_place_legend (&plot);
  ww_frame_draw_grid (&plot.frame, scene);
  draw_data (&plot, scene);
  ww_frame_draw_axes (&plot.frame, scene);
  ww_curves_draw_legend (&plot, scene);
  ww_legend_free (plot.legend);
  ww_frame_clear (&plot.frame);
  if (ret_layout != NULL)
    *ret_layout = plot.layout;
  return scene;
}

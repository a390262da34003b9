#include "ww-curves-figure.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-clip-private.h"
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
  gboolean legend_backed; /* it lies over curves */
  gboolean empty;         /* no point has a place on the axes */
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
  plot->empty = x_low > x_high || y_low > y_high;
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

/* Values far beyond the axis keep their direction, not their distance: coordinates stay finite. */
static WwPoint
point_at (const Plot *plot, double x, double y)
{
  const double far_away = 1e9;
  const WwCurvesLayout *layout = &plot->layout;
  double u = CLAMP (ww_scale_to_unit (&plot->frame.x_scale, x), -far_away, far_away);
  double v = CLAMP (ww_scale_to_unit (&plot->frame.y_scale, y), -far_away, far_away);

  return (WwPoint) { layout->left + u * layout->width, layout->top + (1 - v) * layout->height };
}

/* The plot area and a little more, so that the cut ends of lines are not seen. */
static WwClipBox
clip_box (const Plot *plot)
{
  const WwCurvesLayout *layout = &plot->layout;
  double more = plot->style->line_width * 4;

  return (WwClipBox) { layout->left - more, layout->top - more, layout->left + layout->width + more,
                       layout->top + layout->height + more };
}

/* A measured interval without neighbours is a bar, since it spans no area. */
static void
draw_lonely_interval (const Plot *plot, WwScene *scene, const WwPoint *ends, WwColour colour)
{
  double half = plot->style->line_width * 2;
  const WwPoint bar[4] = { { ends[0].x - half, ends[0].y }, { ends[0].x + half, ends[0].y },
                           { ends[1].x + half, ends[1].y }, { ends[1].x - half, ends[1].y } };
  WwClipBox box = clip_box (plot);
  g_autoptr (GArray) inside = ww_clip_polygon (&box, bar, G_N_ELEMENTS (bar));

  ww_scene_add_polygon (scene, (const WwPoint *) (const void *) inside->data, inside->len, colour);
}

static void
draw_band (Plot *plot, WwScene *scene, const WwSeries *series, WwColour colour)
{
  g_autofree WwPoint *points = g_new (WwPoint, 2 * series->n_points + 1);
  WwClipBox box = clip_box (plot);

  colour = ww_colour_with_alpha (colour, plot->style->dark ? 0.24 : 0.18);
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
  double line_width, dash, gap;
} Pen;

static void
draw_piece (const WwPoint *points, gsize n_points, gpointer data)
{
  const Pen *pen = data;

  ww_scene_add_polyline (pen->scene, points, n_points, pen->colour, pen->line_width, pen->dash, pen->gap);
}

/* Joins neighbouring points; one that has no place on the axes leaves a gap. */
static void
for_each_run (const Plot *plot, const WwSeries *series, const double *y, WwClipFunc func, gpointer data)
{
  g_autofree WwPoint *points = g_new (WwPoint, series->n_points + 1);
  WwClipBox box = clip_box (plot);

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
      ww_clip_polyline (&box, points, n, func, data);
      start += n + 1;
    }
}

static void
draw_series_lines (const Plot *plot, WwScene *scene, const WwSeries *series)
{
  const WwPlotStyle *style = plot->style;
  Pen pen = { scene, ww_plot_palette (style, series->colour), style->line_width, 0, 0 };

  if (series->dashed)
    {
      /* A shade towards the ink: a dashed theory line often lies on the measured one. */
      pen.colour = ww_colour_mix (pen.colour, style->foreground, 0.35);
      pen.line_width *= 0.8;
      pen.dash = style->line_width * WW_DASH;
      pen.gap = style->line_width * WW_DASH_GAP;
    }
  for_each_run (plot, series, series->y, draw_piece, &pen);
  if (series->bound == NULL)
    return;
  pen.line_width = style->line_width * 0.5;
  pen.dash = 0;
  for_each_run (plot, series, series->bound, draw_piece, &pen);
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
  /* Theory on top: it is thinner. */
  for (guint dashed = 0; dashed < 2; dashed++)
    for (gsize s = 0; s < figure->n_series; s++)
      if (figure->series[s].visible && !!figure->series[s].dashed == (gboolean) dashed)
        draw_series_lines (plot, scene, &figure->series[s]);
  ww_scene_pop_clip (scene);
  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      if (series->visible && has_markers (plot, series))
        draw_markers (plot, scene, series, ww_plot_palette (plot->style, series->colour));
    }
  if (plot->empty)
    ww_frame_draw_title (scene, &plot->frame.label_font, _("No data yet"), plot->style->faint,
                         layout->left + layout->width / 2, layout->top + layout->height * 0.45,
                         layout->left, layout->left + layout->width, 0, FALSE);
}

/* ---- Where the legend goes ---- */

/* A piece of what is drawn, and how bad it is to cover it. */
typedef struct
{
  WwPoint at;
  double weight;
} Obstacle;

typedef struct
{
  GArray *obstacles;
  double weight;
} ObstacleSink;

static void
add_obstacle (GArray *obstacles, double x, double y, double weight)
{
  Obstacle obstacle = { { x, y }, weight };

  g_array_append_val (obstacles, obstacle);
}

/* A line counts every few points of its way. */
static void
add_line_obstacles (const WwPoint *points, gsize n_points, gpointer data)
{
  const ObstacleSink *sink = data;
  const double step = 3;
  gsize stride = 1 + n_points / 1000;

  for (gsize i = 0; i + stride < n_points; i += stride)
    {
      WwPoint a = points[i], b = points[i + stride];
      guint pieces = 1 + (guint) CLAMP (hypot (b.x - a.x, b.y - a.y) / step, 0, 500);
      for (guint k = 0; k <= pieces; k++)
        add_obstacle (sink->obstacles, a.x + (b.x - a.x) * k / pieces, a.y + (b.y - a.y) * k / pieces,
                      sink->weight);
    }
}

static GArray *
collect_obstacles (const Plot *plot)
{
  const WwCurvesFigure *figure = plot->figure;
  GArray *obstacles = g_array_new (FALSE, FALSE, sizeof (Obstacle));

  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwSeries *series = &figure->series[s];
      const struct { const double *y; double weight; } lines[] = {
        { series->y, 1 }, { series->lower, 0.15 }, { series->upper, 0.15 }, { series->bound, 0.7 },
      };
      for (guint k = 0; k < G_N_ELEMENTS (lines) && series->visible; k++)
        {
          ObstacleSink sink = { obstacles, lines[k].weight };
          if (lines[k].y != NULL)
            for_each_run (plot, series, lines[k].y, add_line_obstacles, &sink);
        }
      for (gsize i = 0; i < series->n_points && series->visible; i++)
        if (plottable (figure->x_log, series->x[i]) && plottable (figure->y_log, series->y[i]))
          {
            WwPoint at = point_at (plot, series->x[i], series->y[i]);
            add_obstacle (obstacles, at.x, at.y, 4);
          }
    }
  return obstacles;
}

static double
covered (const GArray *obstacles, double x, double y, double width, double height, double around)
{
  double sum = 0;

  for (guint i = 0; i < obstacles->len; i++)
    {
      const Obstacle *obstacle = &g_array_index (obstacles, Obstacle, i);
      if (obstacle->at.x > x - around && obstacle->at.x < x + width + around
          && obstacle->at.y > y - around && obstacle->at.y < y + height + around)
        sum += obstacle->weight;
    }
  return sum;
}

/* The emptiest place inside the plot area; corners are preferred. Returns what it covers, infinity
 * where the legend does not fit. */
static double
find_inside (Plot *plot)
{
  static const double across[] = { 1, 0, 0.5, 0.75, 0.25 };
  static const double down[] = { 0, 1, 0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875 };
  double gap = plot->style->font_size * 0.7;
  double room_x = plot->layout.width - plot->legend->width - 2 * gap;
  double room_y = plot->layout.height - plot->legend->height - 2 * gap;
  g_autoptr (GArray) obstacles = NULL;
  double best = INFINITY;

  if (room_x < 0 || room_y < 0)
    return INFINITY;
  obstacles = collect_obstacles (plot);
  for (guint j = 0; j < G_N_ELEMENTS (down); j++)
    for (guint i = 0; i < G_N_ELEMENTS (across); i++)
      {
        double x = plot->layout.left + gap + across[i] * room_x;
        double y = plot->layout.top + gap + down[j] * room_y;
        double cost = covered (obstacles, x, y, plot->legend->width, plot->legend->height, gap * 0.6)
                      + (i + j) * 1e-3;
        if (cost < best)
          {
            best = cost;
            plot->legend_x = x;
            plot->legend_y = y;
          }
      }
  return best;
}

static void
make_legend (Plot *plot, double max_width, gboolean rows, gboolean note)
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
  plot->legend = ww_legend_new (plot->style, entries, n, note ? figure->note : NULL, max_width, rows);
}

static void
place_frame (Plot *plot, double right, double bottom)
{
  ww_frame_clear (&plot->frame);
  plot->frame.right = right;
  plot->frame.bottom = bottom;
  ww_frame_place (&plot->frame);
  copy_layout (plot);
}

/* Beside or below, if enough of the figure is left for the curves. */
static gboolean
place_outside (Plot *plot, gboolean below, gboolean note)
{
  double em = plot->style->font_size;
  double pad = em * 0.6;
  const WwFrame *frame = &plot->frame;

  make_legend (plot, below ? frame->width - 2 * pad : frame->width * 0.4, below, note);
  if (below)
    place_frame (plot, 0, plot->legend->height + em * 0.3);
  else
    place_frame (plot, plot->legend->width + em * 0.9, 0);
  if (frame->dropped > 0 || frame->area_width < em * (below ? 8 : 20) || frame->area_height < em * 6
      || (!below && plot->legend->height > frame->height - frame->area_top - pad)
      || (!below && frame->area_width < frame->width * 0.5))
    {
      place_frame (plot, 0, 0);
      return FALSE;
    }
  plot->legend_x = below ? CLAMP (frame->area_left, pad, fmax (pad, frame->width - pad - plot->legend->width))
                         : frame->width - pad - plot->legend->width;
  plot->legend_y = below ? frame->height - pad * 0.6 - plot->legend->height : frame->area_top;
  return TRUE;
}

static gboolean
place_inside (Plot *plot, gboolean note, double allowed)
{
  make_legend (plot, plot->layout.width, FALSE, note);
  return find_inside (plot) <= allowed;
}

/* In the order of what reads best: inside where nothing is covered, beside, below; then the same
 * without the note; then inside over something; and in a tiny figure not at all. */
static void
place_legend (Plot *plot)
{
  const double nothing_covered = 0.5;

  for (gint note = plot->empty ? 0 : 1; note >= 0; note--)
    if (place_inside (plot, note, nothing_covered) || place_outside (plot, FALSE, note)
        || place_outside (plot, TRUE, note))
      return;
  plot->legend_backed = TRUE;
  if (place_inside (plot, FALSE, 1e9))
    return;
  g_clear_pointer (&plot->legend, ww_legend_free);
}

static void
draw_legend (Plot *plot, WwScene *scene)
{
  double around = plot->style->font_size * 0.4;

  if (plot->legend == NULL)
    return;
  if (plot->legend_backed)
    ww_scene_add_rect (scene, plot->legend_x - around, plot->legend_y - around,
                       plot->legend->width + 2 * around, plot->legend->height + 2 * around,
                       ww_colour_with_alpha (plot->style->background, 0.8), (WwColour) { 0 }, 0);
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
  place_frame (&plot, 0, 0);
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

/* Where the legend of a curves figure goes. */
#include "ww-curves-private.h"

#include <math.h>
#include <string.h>

/* What is given up first where there is little room. */
typedef enum
{
  LEGEND_WITH_NOTE,
  LEGEND_PLAIN,
  LEGEND_COMPACT,
  LEGEND_TINY, /* without exponents */
  N_LEGEND_KINDS
} LegendKind;

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

/* The words that stand in for the data. */
static void
add_notice (const WwCurvesPlot *plot, GArray *obstacles)
{
  WwPoint at = ww_curves_get_notice_place (plot);
  double half = plot->figure->notice == NULL ? plot->style->font_size * 4 : plot->layout.width / 2;

  for (double x = at.x - half; x <= at.x + half; x += plot->style->font_size)
    add_obstacle (obstacles, x, at.y + plot->style->font_size / 2, 10);
}

static GArray *
collect_obstacles (const WwCurvesPlot *plot)
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
            ww_curves_for_each_run (plot, series, lines[k].y, add_line_obstacles, &sink);
        }
      for (gsize i = 0; i < series->n_points && series->visible; i++)
        if (ww_curves_plottable (figure->x_log, series->x[i])
            && ww_curves_plottable (figure->y_log, series->y[i]))
          {
            WwPoint at = ww_curves_point_at (plot, series->x[i], series->y[i]);
            add_obstacle (obstacles, at.x, at.y, 4);
          }
    }
  if (plot->empty)
    add_notice (plot, obstacles);
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
find_inside (WwCurvesPlot *plot)
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

/* "RF: n^-0.50" without what is fitted. */
static char *
get_label (const WwSeries *series, LegendKind kind)
{
  const char *colon = strchr (series->label, ':');

  if (kind != LEGEND_TINY || colon == NULL)
    return g_strdup (series->label);
  return g_strndup (series->label, (gsize) (colon - series->label));
}

static void
make_legend (WwCurvesPlot *plot, double max_width, gboolean rows, LegendKind kind)
{
  const WwCurvesFigure *figure = plot->figure;
  WwLegendEntry entries[G_N_ELEMENTS (plot->layout.legend)];
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  gsize n = 0;

  for (gsize s = 0; figure->legend && s < figure->n_series && n < G_N_ELEMENTS (entries); s++)
    {
      const WwSeries *series = &figure->series[s];

      if (series->label == NULL)
        continue;
      g_ptr_array_add (labels, get_label (series, kind));
      entries[n] = (WwLegendEntry) {
        .kind = WW_SAMPLE_LINE, .label = labels->pdata[n],
        .colour = ww_curves_get_colour (plot, series), .line_width = ww_curves_get_line_width (plot, series),
        .marker = series->colour % WW_N_MARKERS, .markers = ww_curves_has_markers (plot, series),
        .dash = ww_curves_get_dash (series), .hidden = !series->visible,
      };
      n++;
    }
  g_clear_pointer (&plot->legend, ww_legend_free);
  plot->legend = ww_legend_new (plot->style, entries, n, kind == LEGEND_WITH_NOTE ? figure->note : NULL,
                                max_width, rows, kind >= LEGEND_COMPACT);
}

/* Beside or below, if enough of the figure is left for the curves. */
static gboolean
place_outside (WwCurvesPlot *plot, gboolean below, LegendKind kind)
{
  double em = plot->style->font_size;
  double pad = em * 0.6;
  double least_width = em * (!below ? 20 : kind == LEGEND_TINY ? 5 : 8);
  double least_height = em * (kind == LEGEND_TINY ? 3 : kind == LEGEND_COMPACT ? 4 : 6);
  const WwFrame *frame = &plot->frame;

  make_legend (plot, below ? frame->width - 2 * pad : frame->width * 0.4, below, kind);
  if (below)
    ww_curves_place_frame (plot, 0, plot->legend->height + em * 0.3);
  else
    ww_curves_place_frame (plot, plot->legend->width + em * 0.9, 0);
  if (frame->dropped > 0 || frame->area_width < least_width || frame->area_height < least_height
      || (!below && plot->legend->height > frame->height - frame->area_top - pad)
      || (!below && frame->area_width < frame->width * 0.5))
    {
      ww_curves_place_frame (plot, 0, 0);
      return FALSE;
    }
  plot->legend_x = frame->width - pad - plot->legend->width;
  if (below)
    plot->legend_x = fmax (fmin (frame->area_left, plot->legend_x), pad);
  plot->legend_y = below ? frame->height - pad * 0.6 - plot->legend->height : frame->area_top;
  return TRUE;
}

static gboolean
place_inside (WwCurvesPlot *plot, LegendKind kind)
{
  const double nothing_covered = 0.5;

  make_legend (plot, plot->layout.width, FALSE, kind);
  return find_inside (plot) <= nothing_covered;
}

/* Nothing drawn needs no note. */
static gboolean
needs_note (const WwCurvesPlot *plot)
{
  for (gsize s = 0; s < plot->figure->n_series && !plot->empty; s++)
    if (plot->figure->series[s].visible)
      return TRUE;
  return FALSE;
}

/* In the order of what reads best: inside where nothing is covered, beside, below; then the same with
 * less in it; in a small figure rather over a little of the curves than no legend at all; and none
 * where it would not fit into the plot area, of at least a few lines. */
void
ww_curves_place_legend (WwCurvesPlot *plot)
{
  guint kind = needs_note (plot) ? LEGEND_WITH_NOTE : LEGEND_PLAIN;

  for (; kind < N_LEGEND_KINDS; kind++)
    if (place_inside (plot, kind) || place_outside (plot, FALSE, kind) || place_outside (plot, TRUE, kind))
      return;
  if (!plot->empty && plot->frame.dropped == 0 && isfinite (find_inside (plot)))
    return;
  g_clear_pointer (&plot->legend, ww_legend_free);
}

void
ww_curves_draw_legend (WwCurvesPlot *plot, WwScene *scene)
{
  if (plot->legend == NULL)
    return;
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

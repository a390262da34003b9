#include "ww-bars-figure.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-frame-private.h"
#include "ww-legend-private.h"
#include "ww-slots-private.h"

/* Part of a slot that its bars fill. */
#define FILLED 0.78

typedef struct
{
  const WwBarsFigure *figure;
  const WwPlotStyle *style;
  WwScene *scene;
  WwFrame frame;
  WwSlots slots;
  WwLegend *legend;
  gboolean beside_title; /* the legend stands at the end of the title's line */
  guint n_drawn;         /* series that have bars */
} Plot;

static void
find_range (Plot *plot)
{
  const WwBarsFigure *figure = plot->figure;
  double low = 0, high = 0;

  for (gsize s = 0; s < figure->n_series; s++)
    {
      const WwBarSeries *series = &figure->series[s];
      plot->n_drawn += series->values != NULL ? 1 : 0;
      for (gsize i = 0; series->values != NULL && i < figure->n_bars; i++)
        if (isfinite (series->values[i]))
          {
            low = fmin (low, series->values[i]);
            high = fmax (high, series->values[i]);
          }
      if (isfinite (series->reference))
        {
          low = fmin (low, series->reference);
          high = fmax (high, series->reference);
        }
    }
  if (low == 0 && high == 0)
    high = 1;
  ww_scale_init (&plot->frame.y_scale, FALSE, low, high, 0.06, low == 0 ? 0 : NAN, figure->y_max);
}

static void
make_legend (Plot *plot)
{
  const WwBarsFigure *figure = plot->figure;
  g_autofree WwLegendEntry *entries = g_new0 (WwLegendEntry, figure->n_series + 1);
  gsize n = figure->legend ? figure->n_series : 0;

  for (gsize s = 0; s < n; s++)
    entries[s] = (WwLegendEntry) {
      .kind = figure->series[s].values != NULL ? WW_SAMPLE_SWATCH : WW_SAMPLE_LINE,
      .label = figure->series[s].label,
      .colour = ww_plot_palette (plot->style, figure->series[s].colour),
      .dash = WW_DASH_DASHED,
    };
  plot->legend = ww_legend_new (plot->style, entries, n, NULL,
                                fmax (plot->frame.width - plot->style->font_size * 1.2, 0), TRUE,
                                FALSE);
}

static double
legend_left (const Plot *plot)
{
  double em = plot->style->font_size;
  double right = plot->frame.width - em * 0.6 - plot->legend->width;

  return plot->beside_title ? right : fmax (fmin (plot->frame.area_left, right), 0);
}

/* A line of its own would cost a low figure much of its height. */
static gboolean
fits_beside_title (const Plot *plot)
{
  const WwFrame *frame = &plot->frame;
  WwTextExtents extents;

  if (frame->title == NULL || *frame->title == '\0' || plot->legend->n_entries == 0
      || plot->legend->boxes[plot->legend->n_entries - 1].y > 0)
    return FALSE;
  ww_text_measure (&frame->title_font, frame->title, FALSE, &extents);
  return frame->width - plot->legend->width - plot->style->font_size * 2
         > frame->area_left + (frame->area_width + extents.width) / 2;
}

/* The labels need the width of the area, the area the depth of the labels. */
static void
place (Plot *plot)
{
  const WwBarsFigure *figure = plot->figure;
  double em = plot->style->font_size;
  double length = plot->frame.width * 0.85, room_left = em * 3;

  for (guint round = 0; round < 3; round++)
    {
      ww_slots_init_below (&plot->slots, figure->labels, figure->n_bars, figure->marked,
                           &plot->frame.tick_font, length, plot->frame.height * 0.26, room_left);
      plot->frame.x_depth = plot->slots.depth > 0 ? plot->slots.depth + em * 0.5 : em * 0.2;
      plot->beside_title = fits_beside_title (plot);
      plot->frame.above = plot->legend->n_entries > 0 && !plot->beside_title
                            ? plot->legend->height + em * 0.3 : 0;
      ww_frame_clear (&plot->frame);
      ww_frame_place (&plot->frame);
      if (plot->frame.dropped > 0 && plot->frame.above > 0)
        {
          plot->frame.above = 0;
          ww_frame_clear (&plot->frame);
          ww_frame_place (&plot->frame);
        }
      length = plot->frame.area_width;
      room_left = fmax (plot->frame.area_left - em, 0);
    }
}

static double
y_at (const Plot *plot, double value)
{
  double unit = CLAMP (ww_scale_to_unit (&plot->frame.y_scale, value), 0, 1);

  return plot->frame.area_top + (1 - unit) * plot->frame.area_height;
}

static void
draw_bars_of (const Plot *plot, const WwBarSeries *series, guint place_in_slot)
{
  const WwFrame *frame = &plot->frame;
  double slot = frame->area_width / (double) plot->figure->n_bars;
  double bar = slot * FILLED / plot->n_drawn;
  double zero = y_at (plot, 0);
  WwColour colour = ww_plot_palette (plot->style, series->colour);

  for (gsize i = 0; i < plot->figure->n_bars; i++)
    {
      double left = frame->area_left + slot * ((double) i + (1 - FILLED) / 2) + bar * place_in_slot;
      double y;

      if (!isfinite (series->values[i]))
        continue;
      y = y_at (plot, series->values[i]);
      if (y != zero)
        ww_scene_add_rect (plot->scene, left, fmin (y, zero), bar, fabs (y - zero), colour,
                           (WwColour) { 0 }, 0);
    }
}

static void
draw_reference (const Plot *plot, const WwBarSeries *series)
{
  const WwFrame *frame = &plot->frame;
  double y = y_at (plot, series->reference);
  const WwPoint ends[2] = { { frame->area_left, y }, { frame->area_left + frame->area_width, y } };

  ww_scene_add_polyline (plot->scene, ends, 2, ww_plot_palette (plot->style, series->colour),
                         plot->style->line_width, WW_DASH_DASHED);
}

/* The chosen slot stands on a darker ground. */
static void
draw_marked_ground (const Plot *plot)
{
  const WwFrame *frame = &plot->frame;
  double slot;

  if (plot->figure->marked < 0 || (gsize) plot->figure->marked >= plot->figure->n_bars)
    return;
  slot = frame->area_width / (double) plot->figure->n_bars;
  ww_scene_add_rect (plot->scene, frame->area_left + slot * (double) plot->figure->marked,
                     frame->area_top, slot, frame->area_height,
                     ww_colour_mix (plot->style->background, plot->style->foreground, 0.13),
                     (WwColour) { 0 }, 0);
}

static void
draw_data (const Plot *plot)
{
  const WwBarsFigure *figure = plot->figure;
  guint drawn = 0;

  for (gsize s = 0; s < figure->n_series && figure->n_bars > 0; s++)
    if (figure->series[s].values != NULL)
      draw_bars_of (plot, &figure->series[s], drawn++);
  for (gsize s = 0; s < figure->n_series; s++)
    if (isfinite (figure->series[s].reference))
      draw_reference (plot, &figure->series[s]);
}

static void
draw_labels (const Plot *plot)
{
  const WwFrame *frame = &plot->frame;
  double em = plot->style->font_size;
  double bottom = frame->area_top + frame->area_height;

  if (frame->dropped == 0)
    ww_slots_draw_below (&plot->slots, plot->scene, plot->style, bottom + em * 0.4, frame->area_left);
  if (plot->figure->n_bars == 0 || plot->n_drawn == 0)
    ww_frame_draw_title (plot->scene, &frame->label_font, _("No data"), plot->style->faint,
                         frame->area_left + frame->area_width / 2,
                         frame->area_top + frame->area_height / 2 - em, frame->area_left,
                         frame->area_left + frame->area_width, 0, FALSE);
  if (frame->above > 0)
    ww_legend_draw (plot->legend, plot->scene, plot->style, legend_left (plot),
                    frame->area_top - frame->above);
  else if (plot->beside_title && frame->dropped == 0)
    ww_legend_draw (plot->legend, plot->scene, plot->style, legend_left (plot), em * 0.45);
}

WwScene *
ww_bars_figure_layout (const WwBarsFigure *figure, double width, double height,
                       const WwPlotStyle *style, WwBarsLayout *ret_layout)
{
  Plot plot = { .figure = figure, .style = style };

  g_return_val_if_fail (figure != NULL && style != NULL, NULL);
  g_return_val_if_fail (figure->n_series == 0 || figure->series != NULL, NULL);

  plot.scene = ww_scene_new (width, height, style);
  ww_scene_get_size (plot.scene, &width, &height);
  ww_frame_init (&plot.frame, width, height, style);
  plot.frame.title = figure->title;
  plot.frame.x_label = figure->x_label;
  plot.frame.y_label = figure->y_label;
  find_range (&plot);
  make_legend (&plot);
  place (&plot);
  draw_marked_ground (&plot);
  ww_frame_draw_grid (&plot.frame, plot.scene);
  draw_data (&plot);
  ww_frame_draw_axes (&plot.frame, plot.scene);
  draw_labels (&plot);
  if (ret_layout != NULL)
    *ret_layout = (WwBarsLayout) { plot.frame.area_left, plot.frame.area_top, plot.frame.area_width,
                                   plot.frame.area_height, figure->n_bars };
  ww_legend_free (plot.legend);
  ww_frame_clear (&plot.frame);
  return plot.scene;
}

gboolean
ww_bars_layout_pick (const WwBarsLayout *layout, double x_pt, double y_pt, gsize *ret_bar)
{
  double x = x_pt - layout->left;
  double y = y_pt - layout->top;

  if (layout->n_bars == 0 || !(x >= 0 && x < layout->width) || !(y >= 0 && y < layout->height))
    return FALSE;
  *ret_bar = MIN ((gsize) (x / layout->width * (double) layout->n_bars), layout->n_bars - 1);
  return TRUE;
}

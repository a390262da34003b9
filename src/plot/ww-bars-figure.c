#include "ww-bars-figure.h"

#include <math.h>

#include "ww-frame-private.h"
#include "ww-legend-private.h"

WwScene *
ww_bars_figure_layout (const WwBarsFigure *figure, double width, double height,
                       const WwPlotStyle *style, WwBarsLayout *ret_layout)
{
  WwFrame frame;
  WwScene *scene;
  double max = 0;

  g_return_val_if_fail (figure != NULL && style != NULL, NULL);

  scene = ww_scene_new (width, height, style);
  ww_frame_init (&frame, width, height, style);
  frame.title = figure->title;
  frame.x_label = figure->x_label;
  frame.y_label = figure->y_label;
  frame.x_depth = style->font_size * 1.5;
  for (gsize s = 0; s < figure->n_series; s++)
    for (gsize i = 0; i < figure->n_bars; i++)
      if (figure->series[s].values != NULL && isfinite (figure->series[s].values[i]))
        max = fmax (max, figure->series[s].values[i]);
  ww_scale_init (&frame.y_scale, FALSE, 0, max > 0 ? max : 1, 0.05, 0, figure->y_max);
  ww_frame_place (&frame);
  ww_frame_draw_grid (&frame, scene);
  for (gsize s = 0; s < figure->n_series; s++)
    for (gsize i = 0; i < figure->n_bars; i++)
      {
        double slot = frame.area_width / (double) figure->n_bars;
        double value = figure->series[s].values != NULL ? figure->series[s].values[i] : NAN;
        double bar = slot * 0.8 / (double) figure->n_series;
        double tall = fmin (ww_scale_to_unit (&frame.y_scale, value), 1) * frame.area_height;
        if (isfinite (value) && tall > 0)
          ww_scene_add_rect (scene, frame.area_left + slot * ((double) i + 0.1) + bar * (double) s,
                             frame.area_top + frame.area_height - tall, bar, tall,
                             ww_plot_palette (style, figure->series[s].colour), (WwColour) { 0 }, 0);
      }
  ww_frame_draw_axes (&frame, scene);
  if (ret_layout != NULL)
    *ret_layout = (WwBarsLayout) { frame.area_left, frame.area_top, frame.area_width,
                                   frame.area_height, figure->n_bars };
  ww_frame_clear (&frame);
  return scene;
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

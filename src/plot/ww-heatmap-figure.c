#include "ww-heatmap-figure.h"

#include <math.h>

#include "ww-frame-private.h"

/* A bitmap side of cairo may not be larger. */
#define MAX_CELLS_SIDE 32767

static cairo_surface_t *
paint_cells (const WwHeatmapFigure *figure, const WwPlotStyle *style, double min, double max)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) figure->cols,
                                                       (int) figure->rows);
  guchar *data = cairo_image_surface_get_data (image);
  gsize stride = (gsize) cairo_image_surface_get_stride (image);

  for (gsize r = 0; data != NULL && r < figure->rows; r++)
    {
      guint32 *line = (guint32 *) (void *) (data + r * stride);
      for (gsize c = 0; c < figure->cols; c++)
        {
          WwColour colour = ww_heatmap_colour (style, figure->diverging, min, max,
                                               figure->values[r * figure->cols + c]);
          line[c] = 0xff000000u | (guint32) lround (colour.red * 255) << 16
                    | (guint32) lround (colour.green * 255) << 8 | (guint32) lround (colour.blue * 255);
        }
    }
  cairo_surface_mark_dirty (image);
  return image;
}

WwScene *
ww_heatmap_figure_layout (const WwHeatmapFigure *figure, double width, double height,
                          const WwPlotStyle *style, WwHeatmapLayout *ret_layout)
{
  WwScene *scene;
  WwHeatmapLayout layout = { 0 };
  double min = INFINITY, max = -INFINITY;
  double em = style->font_size;

  g_return_val_if_fail (figure != NULL && style != NULL, NULL);

  scene = ww_scene_new (width, height, style);
  layout.rows = figure->rows;
  layout.cols = figure->cols;
  layout.left = em * 3;
  layout.top = em * 2;
  layout.width = fmax (width - em * 8, 0);
  layout.height = fmax (height - em * 5, 0);
  for (gsize i = 0; i < figure->rows * figure->cols; i++)
    if (isfinite (figure->values[i]))
      {
        min = fmin (min, figure->values[i]);
        max = fmax (max, figure->values[i]);
      }
  if (!isnan (figure->min))
    min = figure->min;
  if (!isnan (figure->max))
    max = figure->max;
  if (figure->rows > 0 && figure->cols > 0 && figure->rows <= MAX_CELLS_SIDE && figure->cols <= MAX_CELLS_SIDE)
    ww_scene_add_image (scene, paint_cells (figure, style, min, max), layout.left, layout.top,
                        layout.width, layout.height);
  if (ret_layout != NULL)
    *ret_layout = layout;
  return scene;
}

gboolean
ww_heatmap_layout_pick (const WwHeatmapLayout *layout, double x_pt, double y_pt, gsize *ret_row,
                        gsize *ret_col)
{
  double x = x_pt - layout->left;
  double y = y_pt - layout->top;

  if (layout->rows == 0 || layout->cols == 0 || !(x >= 0 && x < layout->width)
      || !(y >= 0 && y < layout->height))
    return FALSE;
  *ret_row = MIN ((gsize) (y / layout->height * (double) layout->rows), layout->rows - 1);
  *ret_col = MIN ((gsize) (x / layout->width * (double) layout->cols), layout->cols - 1);
  return TRUE;
}

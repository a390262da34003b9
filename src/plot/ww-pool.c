#include "ww-pool-private.h"

#include <math.h>

/* One direction of the picture: so many cells over so many device pixels, the first of which is
 * `first`. */
typedef struct
{
  int cells;
  int first, pixels;
} Side;

/* Device pixels per unit of user space; FALSE where the two are turned against each other. */
static gboolean
get_scales (cairo_t *cr, double *ret_x, double *ret_y)
{
  cairo_matrix_t matrix;
  double device_x = 1, device_y = 1;

  cairo_get_matrix (cr, &matrix);
  cairo_surface_get_device_scale (cairo_get_group_target (cr), &device_x, &device_y);
  *ret_x = matrix.xx * device_x;
  *ret_y = matrix.yy * device_y;
  return matrix.xy == 0 && matrix.yx == 0 && *ret_x > 0 && *ret_y > 0;
}

gboolean
ww_pool_is_needed (cairo_t *cr, cairo_surface_t *image, double width, double height)
{
  double scale_x, scale_y;

  if (cairo_surface_get_type (cairo_get_group_target (cr)) != CAIRO_SURFACE_TYPE_IMAGE
      || !get_scales (cr, &scale_x, &scale_y))
    return FALSE;
  return width * scale_x < cairo_image_surface_get_width (image)
         || height * scale_y < cairo_image_surface_get_height (image);
}

/* The ends are moved to the next edges of pixels: a cell at the rim must not fade. What is thinner
 * than a pixel gets a whole one, where its middle is. */
static Side
make_side (int cells, double start, double length)
{
  Side side = { .cells = cells };
  int end = (int) floor (start + length + 0.5);

  side.first = (int) floor (start + 0.5);
  if (end <= side.first)
    {
      side.first = (int) floor (start + length / 2);
      end = side.first + 1;
    }
  side.pixels = end - side.first;
  return side;
}

/* The cells that a pixel stands for: all that it touches where they are smaller than pixels, else the
 * one in its middle. */
static void
get_cells (const Side *side, int pixel, int *ret_from, int *ret_to)
{
  double per_pixel = (double) side->cells / side->pixels;
  double from = pixel * per_pixel;
  int first, last;

  if (per_pixel <= 1)
    first = last = (int) floor (from + per_pixel / 2);
  else
    {
      first = (int) floor (from + 1e-6);
      last = (int) ceil (from + per_pixel - 1e-6) - 1;
    }
  *ret_from = CLAMP (first, 0, side->cells - 1);
  *ret_to = CLAMP (last, *ret_from, side->cells - 1);
}

static guint32
take_heaviest (const guchar *data, gsize stride, const float *weights, gsize columns, const int rows[2],
               const int cols[2])
{
  gsize best_row = (gsize) rows[0], best_col = (gsize) cols[0];

  for (gsize r = (gsize) rows[0]; r <= (gsize) rows[1]; r++)
    for (gsize c = (gsize) cols[0]; c <= (gsize) cols[1]; c++)
      if (weights[r * columns + c] > weights[best_row * columns + best_col])
        {
          best_row = r;
          best_col = c;
        }
  return ((const guint32 *) (const void *) (data + best_row * stride))[best_col];
}

static cairo_surface_t *
pool (cairo_surface_t *image, const float *weights, const Side *across, const Side *down)
{
  cairo_surface_t *pooled = cairo_image_surface_create (CAIRO_FORMAT_RGB24, across->pixels, down->pixels);
  guchar *data = cairo_image_surface_get_data (pooled);
  gsize stride = (gsize) cairo_image_surface_get_stride (pooled);
  const guchar *source = cairo_image_surface_get_data (image);
  gsize source_stride = (gsize) cairo_image_surface_get_stride (image);

  for (int y = 0; data != NULL && source != NULL && y < down->pixels; y++)
    {
      guint32 *line = (guint32 *) (void *) (data + (gsize) y * stride);
      int rows[2], cols[2];

      get_cells (down, y, &rows[0], &rows[1]);
      for (int x = 0; x < across->pixels; x++)
        {
          get_cells (across, x, &cols[0], &cols[1]);
          line[x] = take_heaviest (source, source_stride, weights, (gsize) across->cells, rows, cols);
        }
    }
  cairo_surface_mark_dirty (pooled);
  return pooled;
}

void
ww_pool_draw (cairo_t *cr, cairo_surface_t *image, const float *weights, double x, double y, double width,
              double height)
{
  double scale_x, scale_y, left = x, top = y;
  double device_x = 1, device_y = 1;
  cairo_surface_t *pooled;
  Side across, down;

  if (!get_scales (cr, &scale_x, &scale_y))
    return;
  cairo_surface_get_device_scale (cairo_get_group_target (cr), &device_x, &device_y);
  cairo_user_to_device (cr, &left, &top);
  across = make_side (cairo_image_surface_get_width (image), left * device_x, width * scale_x);
  down = make_side (cairo_image_surface_get_height (image), top * device_y, height * scale_y);
  pooled = pool (image, weights, &across, &down);

  cairo_save (cr);
  cairo_identity_matrix (cr);
  cairo_scale (cr, 1 / device_x, 1 / device_y);
  cairo_set_source_surface (cr, pooled, across.first, down.first);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, across.first, down.first, across.pixels, down.pixels);
  cairo_fill (cr);
  cairo_restore (cr);
  cairo_surface_destroy (pooled);
}

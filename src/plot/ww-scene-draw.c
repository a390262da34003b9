/* Drawing a scene with cairo, on whatever surface. */
#include "ww-scene-private.h"

#include <math.h>

#include "ww-pool-private.h"

/* A long path costs far more than its pieces, because cairo resolves every crossing of a stroke with
 * itself; on screen lines are therefore stroked in pieces of so many segments. */
#define PIECE 32

static void
set_colour (cairo_t *cr, WwColour colour)
{
  cairo_set_source_rgba (cr, colour.red, colour.green, colour.blue, colour.alpha);
}

static void
stroke_path (cairo_t *cr, const WwItem *item)
{
  double lengths[WW_DASH_MAX_LENGTHS];
  guint n = ww_dash_get_lengths (item->dash, item->line_width, lengths);

  set_colour (cr, item->stroke);
  cairo_set_line_width (cr, item->line_width);
  cairo_set_dash (cr, lengths, (int) n, 0);
  cairo_stroke (cr);
}

/* Keeps the first, lowest, highest and last point of every pixel column that a line passes through:
 * nothing that could be seen is lost. Returns the number kept in `ret_points`, which
 * has room for all. */
static gsize
decimate (const WwPoint *points, gsize n, double pixels_per_unit, WwPoint *ret_points)
{
  gsize kept = 0;

  for (gsize i = 0; i < n;)
    {
      double column = floor (points[i].x * pixels_per_unit);
      gsize low = i, high = i, last = i;

      for (gsize k = i + 1; k < n && floor (points[k].x * pixels_per_unit) == column; k++)
        {
          low = points[k].y < points[low].y ? k : low;
          high = points[k].y > points[high].y ? k : high;
          last = k;
        }
      gsize order[4] = { i, MIN (low, high), MAX (low, high), last };
      for (guint k = 0; k < 4; k++)
        if (k == 0 || order[k] > order[k - 1])
          ret_points[kept++] = points[order[k]];
      i = last + 1;
    }
  return kept;
}

static void
draw_pieces (cairo_t *cr, const WwItem *item, const WwPoint *points, gsize n)
{
  for (gsize start = 0; start + 1 < n; start += PIECE)
    {
      gsize end = MIN (start + PIECE, n - 1);

      cairo_move_to (cr, points[start].x, points[start].y);
      for (gsize i = start + 1; i <= end; i++)
        cairo_line_to (cr, points[i].x, points[i].y);
      stroke_path (cr, item);
    }
}

/* The points to draw: on screen those that matter there, which the caller frees. */
static WwPoint *
thin_out (cairo_t *cr, const WwItem *item, gsize *ret_n)
{
  WwPoint *fewer = g_new (WwPoint, item->n_points);
  cairo_matrix_t matrix;

  cairo_get_matrix (cr, &matrix);
  *ret_n = decimate (item->points, item->n_points, hypot (matrix.xx, matrix.yx), fewer);
  return fewer;
}

static void
draw_polyline (cairo_t *cr, const WwItem *item, gboolean screen)
{
  gsize n = item->n_points;
  const WwPoint *points = item->points;
  g_autofree WwPoint *fewer = NULL;

  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, item->dash != WW_DASH_SOLID ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
  if (screen && n > PIECE)
    {
      fewer = thin_out (cr, item, &n);
      points = fewer;
      /* Pieces overlap where they meet, which a see-through or dashed line would show. */
      if (item->stroke.alpha >= 1 && item->dash == WW_DASH_SOLID)
        {
          draw_pieces (cr, item, points, n);
          return;
        }
    }
  for (gsize i = 0; i < n; i++)
    cairo_line_to (cr, points[i].x, points[i].y);
  stroke_path (cr, item);
}

static void
draw_segments (cairo_t *cr, const WwItem *item)
{
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (gsize i = 0; i + 1 < item->n_points; i += 2)
    {
      cairo_move_to (cr, item->points[i].x, item->points[i].y);
      cairo_line_to (cr, item->points[i + 1].x, item->points[i + 1].y);
    }
  stroke_path (cr, item);
}

/* The current path, filled and outlined. */
static void
paint_shape (cairo_t *cr, const WwItem *item)
{
  if (item->fill.alpha > 0)
    {
      set_colour (cr, item->fill);
      cairo_fill_preserve (cr);
    }
  if (item->stroke.alpha > 0 && item->line_width > 0)
    {
      cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
      stroke_path (cr, item);
    }
  cairo_new_path (cr);
}

static void
draw_marker (cairo_t *cr, const WwItem *item)
{
  WwPoint corners[WW_MARKER_MAX_CORNERS];
  gsize n = ww_marker_get_corners (item->marker, item->width, corners);

  if (n == 0)
    cairo_arc (cr, item->x, item->y, item->width, 0, 2 * G_PI);
  for (gsize i = 0; i < n; i++)
    cairo_line_to (cr, item->x + corners[i].x, item->y + corners[i].y);
  cairo_close_path (cr);
  paint_shape (cr, item);
}

static void
draw_polygon (cairo_t *cr, const WwItem *item, gboolean screen)
{
  gsize n = item->n_points;
  g_autofree WwPoint *fewer = screen && n > 4 * PIECE ? thin_out (cr, item, &n) : NULL;
  const WwPoint *points = fewer != NULL ? fewer : item->points;

  for (gsize i = 0; i < n; i++)
    cairo_line_to (cr, points[i].x, points[i].y);
  cairo_close_path (cr);
  paint_shape (cr, item);
}

/* On a bitmap, padding keeps the outer cells whole where their edge falls within a pixel. In a PDF it
 * would only turn a plain image into a pattern. */
static cairo_extend_t
extend_for (cairo_t *cr)
{
  gboolean pdf = cairo_surface_get_type (cairo_get_target (cr)) == CAIRO_SURFACE_TYPE_PDF;

  return pdf ? CAIRO_EXTEND_NONE : CAIRO_EXTEND_PAD;
}

static void
draw_image (cairo_t *cr, const WwItem *item)
{
  int columns = cairo_image_surface_get_width (item->image);
  int rows = cairo_image_surface_get_height (item->image);

  if (item->width <= 0 || item->height <= 0)
    return;
  if (item->weights != NULL && ww_pool_is_needed (cr, item->image, item->width, item->height))
    {
      ww_pool_draw (cr, item->image, item->weights, item->x, item->y, item->width, item->height);
      return;
    }
  cairo_save (cr);
  cairo_translate (cr, item->x, item->y);
  cairo_scale (cr, item->width / columns, item->height / rows);
  cairo_set_source_surface (cr, item->image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend (cairo_get_source (cr), extend_for (cr));
  cairo_rectangle (cr, 0, 0, columns, rows);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
draw_text (cairo_t *cr, const WwItem *item)
{
  double back = item->anchor == WW_ANCHOR_START ? 0
                : item->anchor == WW_ANCHOR_MIDDLE ? item->extents.width / 2
                                                   : item->extents.width;

  cairo_save (cr);
  cairo_translate (cr, item->x, item->y);
  cairo_rotate (cr, item->rotation * G_PI / 180);
  cairo_translate (cr, -back, 0);
  set_colour (cr, item->fill);
  ww_text_show (cr, &item->font, item->text, item->typeset);
  cairo_restore (cr);
}

static void draw_items (WwScene *scene, cairo_t *cr, gboolean screen);

static void
draw_item (cairo_t *cr, const WwItem *item, gboolean screen)
{
  switch (item->kind)
    {
    case WW_ITEM_SEGMENTS:
      draw_segments (cr, item);
      break;
    case WW_ITEM_POLYLINE:
      draw_polyline (cr, item, screen);
      break;
    case WW_ITEM_POLYGON:
      draw_polygon (cr, item, screen);
      break;
    case WW_ITEM_RECT:
      cairo_rectangle (cr, item->x, item->y, item->width, item->height);
      paint_shape (cr, item);
      break;
    case WW_ITEM_MARKER:
      draw_marker (cr, item);
      break;
    case WW_ITEM_TEXT:
      draw_text (cr, item);
      break;
    case WW_ITEM_IMAGE:
      draw_image (cr, item);
      break;
    case WW_ITEM_CLIP:
      cairo_save (cr);
      cairo_rectangle (cr, item->x, item->y, item->width, item->height);
      cairo_clip (cr);
      break;
    case WW_ITEM_UNCLIP:
      cairo_restore (cr);
      break;
    case WW_ITEM_SCENE:
      cairo_save (cr);
      cairo_translate (cr, item->x, item->y);
      draw_items (item->scene, cr, screen);
      cairo_restore (cr);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
draw_items (WwScene *scene, cairo_t *cr, gboolean screen)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);

  for (gsize i = 0; i < n; i++)
    draw_item (cr, &items[i], screen);
}

void
ww_scene_draw (WwScene *scene, cairo_t *cr, gboolean screen)
{
  g_return_if_fail (scene != NULL && cr != NULL);

  cairo_save (cr);
  cairo_new_path (cr);
  if (screen)
    cairo_set_antialias (cr, CAIRO_ANTIALIAS_FAST);
  draw_items (scene, cr, screen);
  cairo_restore (cr);
}

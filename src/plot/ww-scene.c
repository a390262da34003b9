#include "ww-scene-private.h"

#include <math.h>

struct _WwScene
{
  double width, height;
  WwColour background;
  char *font_family;
  GArray *items;
};

static const WwColour nothing = { 0, 0, 0, 0 };

static void
item_clear (gpointer data)
{
  WwItem *item = data;

  g_free (item->points);
  g_free (item->text);
  g_free (item->weights);
  g_clear_pointer (&item->image, cairo_surface_destroy);
  g_clear_pointer (&item->scene, ww_scene_unref);
}

WwScene *
ww_scene_new (double width, double height, const WwPlotStyle *style)
{
  WwScene *scene = g_atomic_rc_box_new0 (WwScene);

  scene->width = isfinite (width) ? MAX (width, 0) : 0;
  scene->height = isfinite (height) ? MAX (height, 0) : 0;
  scene->background = style->background;
  scene->font_family = g_strdup (style->font_family != NULL ? style->font_family : "Sans");
  scene->items = g_array_new (FALSE, TRUE, sizeof (WwItem));
  g_array_set_clear_func (scene->items, item_clear);
  if (style->background.alpha > 0)
    ww_scene_add_rect (scene, 0, 0, scene->width, scene->height, style->background, nothing, 0);
  return scene;
}

WwScene *
ww_scene_ref (WwScene *scene)
{
  g_return_val_if_fail (scene != NULL, NULL);
  return g_atomic_rc_box_acquire (scene);
}

static void
scene_clear (gpointer data)
{
  WwScene *scene = data;

  g_array_unref (scene->items);
  g_free (scene->font_family);
}

void
ww_scene_unref (WwScene *scene)
{
  g_return_if_fail (scene != NULL);
  g_atomic_rc_box_release_full (scene, scene_clear);
}

void
ww_scene_get_size (WwScene *scene, double *ret_width, double *ret_height)
{
  g_return_if_fail (scene != NULL);

  if (ret_width != NULL)
    *ret_width = scene->width;
  if (ret_height != NULL)
    *ret_height = scene->height;
}

const WwItem *
ww_scene_get_items (WwScene *scene, gsize *ret_n_items)
{
  *ret_n_items = scene->items->len;
  return (const WwItem *) scene->items->data;
}

WwColour
ww_scene_get_background (WwScene *scene)
{
  return scene->background;
}

const char *
ww_scene_get_font_family (WwScene *scene)
{
  return scene->font_family;
}

static void
add_path (WwScene *scene, WwItemKind kind, const WwPoint *points, gsize n_points, WwItem item)
{
  item.kind = kind;
  item.n_points = n_points;
  item.points = g_memdup2 (points, n_points * sizeof *points);
  g_array_append_val (scene->items, item);
}

void
ww_scene_add_segments (WwScene *scene, const WwPoint *points, gsize n_points, WwColour colour,
                       double line_width)
{
  if (n_points < 2 || colour.alpha <= 0)
    return;
  add_path (scene, WW_ITEM_SEGMENTS, points, n_points / 2 * 2,
            (WwItem) { .stroke = colour, .line_width = line_width });
}

void
ww_scene_add_polyline (WwScene *scene, const WwPoint *points, gsize n_points, WwColour colour,
                       double line_width, WwDash dash)
{
  if (n_points < 2 || colour.alpha <= 0)
    return;
  add_path (scene, WW_ITEM_POLYLINE, points, n_points,
            (WwItem) { .stroke = colour, .line_width = line_width, .dash = dash });
}

void
ww_scene_add_polygon (WwScene *scene, const WwPoint *points, gsize n_points, WwColour fill)
{
  if (n_points < 3 || fill.alpha <= 0)
    return;
  add_path (scene, WW_ITEM_POLYGON, points, n_points, (WwItem) { .fill = fill });
}

void
ww_scene_add_rect (WwScene *scene, double x, double y, double width, double height, WwColour fill,
                   WwColour stroke, double line_width)
{
  WwItem item = { .kind = WW_ITEM_RECT, .fill = fill, .stroke = stroke, .line_width = line_width,
                  .x = x, .y = y, .width = width, .height = height };

  g_array_append_val (scene->items, item);
}

void
ww_scene_add_marker (WwScene *scene, WwMarkerShape shape, double x, double y, double radius,
                     WwColour fill, WwColour stroke, double line_width)
{
  WwItem item = { .kind = WW_ITEM_MARKER, .fill = fill, .stroke = stroke, .line_width = line_width,
                  .x = x, .y = y, .width = radius, .height = radius, .marker = shape };

  g_array_append_val (scene->items, item);
}

void
ww_scene_add_text (WwScene *scene, const char *text, const WwTextPlace *place)
{
  WwItem item = { .kind = WW_ITEM_TEXT, .fill = place->colour, .anchor = place->anchor,
                  .rotation = place->rotation, .typeset = place->typeset,
                  .font = { scene->font_family, place->size, place->bold } };
  double angle = place->rotation * G_PI / 180;
  double down = 0;

  if (text == NULL || *text == '\0')
    return;
  item.text = g_utf8_make_valid (text, -1);
  ww_text_measure (&item.font, item.text, item.typeset, &item.extents);
  if (place->level == WW_LEVEL_MIDDLE)
    down = ww_text_digit_height (&item.font) / 2;
  else if (place->level == WW_LEVEL_TOP)
    down = item.extents.ascent;
  else if (place->level == WW_LEVEL_BOTTOM)
    down = -item.extents.descent;
  /* The baseline lies `down` below the anchor, in the direction that the text takes for down. */
  item.x = place->x - down * sin (angle);
  item.y = place->y + down * cos (angle);
  g_array_append_val (scene->items, item);
}

void
ww_scene_add_image (WwScene *scene, cairo_surface_t *image, double x, double y, double width,
                    double height)
{
  ww_scene_add_cells (scene, image, NULL, x, y, width, height);
}

void
ww_scene_add_cells (WwScene *scene, cairo_surface_t *image, float *weights, double x, double y,
                    double width, double height)
{
  WwItem item = { .kind = WW_ITEM_IMAGE, .x = x, .y = y, .width = width, .height = height,
                  .image = image, .weights = weights };

  g_array_append_val (scene->items, item);
}

void
ww_scene_push_clip (WwScene *scene, double x, double y, double width, double height)
{
  WwItem item = { .kind = WW_ITEM_CLIP, .x = x, .y = y, .width = MAX (width, 0),
                  .height = MAX (height, 0) };

  g_array_append_val (scene->items, item);
}

void
ww_scene_pop_clip (WwScene *scene)
{
  WwItem item = { .kind = WW_ITEM_UNCLIP };

  g_array_append_val (scene->items, item);
}

void
ww_scene_add_scene (WwScene *scene, WwScene *child, double x, double y)
{
  WwItem item = { .kind = WW_ITEM_SCENE, .x = x, .y = y, .scene = ww_scene_ref (child) };

  g_array_append_val (scene->items, item);
}

WwScene *
ww_scene_compose (double width, double height, const WwPlotStyle *style, WwScene *const *scenes,
                  const double *x, const double *y, gsize n)
{
  WwScene *page;

  g_return_val_if_fail (style != NULL, NULL);
  g_return_val_if_fail (n == 0 || (scenes != NULL && x != NULL && y != NULL), NULL);

  page = ww_scene_new (width, height, style);
  for (gsize i = 0; i < n; i++)
    ww_scene_add_scene (page, scenes[i], x[i], y[i]);
  return page;
}

guint
ww_dash_get_lengths (WwDash dash, double line_width, double ret_lengths[WW_DASH_MAX_LENGTHS])
{
  /* In parts of the line width. */
  static const struct { guint n; double lengths[WW_DASH_MAX_LENGTHS]; } patterns[WW_N_DASHES] = {
    { 0, { 0 } }, { 2, { 3.2, 2.0 } }, { 2, { 1.1, 1.5 } }, { 4, { 4.2, 1.6, 1.1, 1.6 } },
    { 2, { 7.0, 2.2 } }, { 6, { 4.2, 1.4, 1.1, 1.4, 1.1, 1.4 } },
  };
  guint n = patterns[dash].n;

  for (guint i = 0; i < n; i++)
    ret_lengths[i] = patterns[dash].lengths[i] * line_width;
  return n;
}

/* Corners on a circle, the first one straight up (or `turn` of a corner further); every other one at
 * `inner` of the radius where that is not 1. */
static gsize
polygon_corners (gsize n, double radius, double inner, double turn, WwPoint *ret_corners)
{
  for (gsize i = 0; i < n; i++)
    {
      double angle = 2 * G_PI * ((double) i + turn) / (double) n;
      double r = radius * (i % 2 == 1 ? inner : 1);
      ret_corners[i] = (WwPoint) { r * sin (angle), -r * cos (angle) };
    }
  return n;
}

static gsize
cross_corners (double radius, WwPoint *ret_corners)
{
  static const signed char path[12][2] = {
    { -1, -3 }, { 1, -3 }, { 1, -1 }, { 3, -1 }, { 3, 1 },   { 1, 1 },
    { 1, 3 },   { -1, 3 }, { -1, 1 }, { -3, 1 }, { -3, -1 }, { -1, -1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (path); i++)
    ret_corners[i] = (WwPoint) { radius * path[i][0] / 2.7, radius * path[i][1] / 2.7 };
  return G_N_ELEMENTS (path);
}

gsize
ww_marker_get_corners (WwMarkerShape shape, double radius, WwPoint ret_corners[WW_MARKER_MAX_CORNERS])
{
  /* The factors make all shapes cover about the same area. */
  switch (shape)
    {
    case WW_MARKER_SQUARE:
      return polygon_corners (4, radius * 1.26, 1, 0.5, ret_corners);
    case WW_MARKER_TRIANGLE:
      return polygon_corners (3, radius * 1.45, 1, 0, ret_corners);
    case WW_MARKER_DIAMOND:
      return polygon_corners (4, radius * 1.35, 1, 0, ret_corners);
    case WW_MARKER_TRIANGLE_DOWN:
      return polygon_corners (3, radius * 1.45, 1, 0.5, ret_corners);
    case WW_MARKER_PENTAGON:
      return polygon_corners (5, radius * 1.2, 1, 0, ret_corners);
    case WW_MARKER_STAR:
      return polygon_corners (10, radius * 1.6, 0.42, 0, ret_corners);
    case WW_MARKER_CROSS:
      return cross_corners (radius, ret_corners);
    case WW_MARKER_CIRCLE:
    case WW_N_MARKERS:
    default:
      return 0;
    }
}

void
ww_item_get_text_box (const WwItem *item, WwPoint ret_corners[4])
{
  double angle = item->rotation * G_PI / 180;
  double left = item->anchor == WW_ANCHOR_START ? 0
                : item->anchor == WW_ANCHOR_MIDDLE ? -item->extents.width / 2
                                                   : -item->extents.width;
  double right = left + item->extents.width;
  double top = -item->extents.ascent, bottom = item->extents.descent;
  const WwPoint flat[4] = { { left, top }, { right, top }, { right, bottom }, { left, bottom } };

  for (guint i = 0; i < 4; i++)
    ret_corners[i] = (WwPoint) { item->x + flat[i].x * cos (angle) - flat[i].y * sin (angle),
                                 item->y + flat[i].x * sin (angle) + flat[i].y * cos (angle) };
}

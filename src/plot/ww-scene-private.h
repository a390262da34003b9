/* Building a scene, and walking over one: for the figures, the writers and the tests of this room. */
#pragma once

#include "ww-scene.h"

#include "ww-text-private.h"

G_BEGIN_DECLS

typedef struct
{
  double x, y;
} WwPoint;

typedef enum
{
  WW_ITEM_SEGMENTS, /* points in pairs, each pair a line of its own */
  WW_ITEM_POLYLINE,
  WW_ITEM_POLYGON,
  WW_ITEM_RECT,
  WW_ITEM_MARKER,
  WW_ITEM_TEXT,
  WW_ITEM_IMAGE,
  WW_ITEM_CLIP, /* until the matching WW_ITEM_UNCLIP; clips are rectangles and nest */
  WW_ITEM_UNCLIP,
  WW_ITEM_SCENE,
} WwItemKind;

typedef enum
{
  WW_MARKER_CIRCLE,
  WW_MARKER_SQUARE,
  WW_MARKER_TRIANGLE,
  WW_MARKER_DIAMOND,
  WW_MARKER_TRIANGLE_DOWN,
  WW_MARKER_PENTAGON,
  WW_MARKER_CROSS,
  WW_MARKER_STAR,
  WW_N_MARKERS
} WwMarkerShape;

typedef enum
{
  WW_DASH_SOLID,
  WW_DASH_DASHED,
  WW_DASH_DOTTED,
  WW_DASH_DASH_DOT,
  WW_DASH_LONG,
  WW_DASH_DASH_DOT_DOT,
  WW_N_DASHES
} WwDash;

typedef enum
{
  WW_ANCHOR_START,
  WW_ANCHOR_MIDDLE,
  WW_ANCHOR_END,
} WwAnchor;

typedef enum
{
  WW_LEVEL_BASELINE,
  WW_LEVEL_MIDDLE, /* half of a digit's height */
  WW_LEVEL_TOP,
  WW_LEVEL_BOTTOM,
} WwLevel;

typedef struct
{
  double x, y; /* of the anchor */
  WwAnchor anchor;
  WwLevel level;
  double rotation; /* degrees, clockwise as the y axis points down: -90 reads upwards */
  double size;     /* pt */
  gboolean bold;
  gboolean typeset; /* see ww-text-private.h */
  WwColour colour;
} WwTextPlace;

/* One primitive. A colour with alpha 0 is not drawn. */
typedef struct
{
  WwItemKind kind;
  WwColour fill, stroke;
  double line_width;
  WwDash dash;
  gsize n_points;
  WwPoint *points;
  double x, y, width, height; /* rect, image, clip; marker: centre and radius in `width`; scene: offset */
  WwMarkerShape marker;
  /* Text: (x, y) is where its baseline has its anchor. */
  char *text;
  WwFont font;
  WwAnchor anchor;
  double rotation;
  gboolean typeset;
  WwTextExtents extents;
  cairo_surface_t *image; /* one pixel a cell, RGB24 */
  float *weights;         /* of the cells of `image`, see ww-pool-private.h; or NULL */
  WwScene *scene;
} WwItem;

/* The page, filled with the style's background; a size that is no number or below zero becomes 0. */
WwScene *ww_scene_new (double width, double height, const WwPlotStyle *style);
void ww_scene_add_segments (WwScene *scene, const WwPoint *points, gsize n_points, WwColour colour,
                            double line_width);
/* Fewer than two points draw nothing. */
void ww_scene_add_polyline (WwScene *scene, const WwPoint *points, gsize n_points, WwColour colour,
                            double line_width, WwDash dash);
void ww_scene_add_polygon (WwScene *scene, const WwPoint *points, gsize n_points, WwColour fill);
void ww_scene_add_rect (WwScene *scene, double x, double y, double width, double height,
                        WwColour fill, WwColour stroke, double line_width);
void ww_scene_add_marker (WwScene *scene, WwMarkerShape shape, double x, double y, double radius,
                          WwColour fill, WwColour stroke, double line_width);
/* An empty text adds nothing. */
void ww_scene_add_text (WwScene *scene, const char *text, const WwTextPlace *place);
/* Takes the surface. */
void ww_scene_add_image (WwScene *scene, cairo_surface_t *image, double x, double y, double width,
                         double height);
/* Takes the weights too (g_free), one per pixel of `image`, or NULL: on bitmaps with fewer pixels than
 * cells the heaviest cells show. */
void ww_scene_add_cells (WwScene *scene, cairo_surface_t *image, float *weights, double x, double y,
                         double width, double height);
void ww_scene_push_clip (WwScene *scene, double x, double y, double width, double height);
void ww_scene_pop_clip (WwScene *scene);
void ww_scene_add_scene (WwScene *scene, WwScene *child, double x, double y);

const WwItem *ww_scene_get_items (WwScene *scene, gsize *ret_n_items);
WwColour ww_scene_get_background (WwScene *scene);
const char *ww_scene_get_font_family (WwScene *scene);

/* Lengths of dashes and gaps in pt; their number is 0 for a solid line. */
#define WW_DASH_MAX_LENGTHS 6
guint ww_dash_get_lengths (WwDash dash, double line_width, double ret_lengths[WW_DASH_MAX_LENGTHS]);

/* The outline of a marker around the origin: number of corners, 0 for a circle. */
#define WW_MARKER_MAX_CORNERS 12
gsize ww_marker_get_corners (WwMarkerShape shape, double radius,
                             WwPoint ret_corners[WW_MARKER_MAX_CORNERS]);
/* Distance and height of the corners of a text's box, in page coordinates, clockwise from top left. */
void ww_item_get_text_box (const WwItem *item, WwPoint ret_corners[4]);

G_END_DECLS

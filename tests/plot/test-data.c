/* What of the data is drawn, and where: gaps, values without a place, cuts at the axes. */
#include <math.h>
#include <string.h>

#include "ww-clip-private.h"
#include "ww-plot.h"
#include "ww-scene-private.h"

#define WIDTH 400.0
#define HEIGHT 300.0

typedef struct
{
  WwScene *scene;
  WwCurvesLayout layout;
} Drawn;

/* One series on its own, axes from the data unless the ends are given. */
static Drawn
draw (const double *x, const double *y, gsize n, gboolean logarithmic, double y_min, double y_max)
{
  const WwSeries series = { "s", 0, TRUE, FALSE, n, x, y, NULL, NULL, NULL };
  const WwCurvesFigure figure = { .x_log = logarithmic, .y_log = logarithmic, .x_min = NAN, .x_max = NAN,
                                  .y_min = y_min, .y_max = y_max, .series = &series, .n_series = 1 };
  WwPlotStyle style;
  Drawn drawn;

  ww_plot_style_init (&style);
  drawn.scene = ww_curves_figure_layout (&figure, WIDTH, HEIGHT, &style, &drawn.layout);
  return drawn;
}

/* Items between the clip of the plot area and its end. */
static GPtrArray *
data_lines (WwScene *scene)
{
  GPtrArray *lines = g_ptr_array_new ();
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);
  gboolean inside = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      inside = items[i].kind == WW_ITEM_CLIP || (inside && items[i].kind != WW_ITEM_UNCLIP);
      if (inside && items[i].kind == WW_ITEM_POLYLINE)
        g_ptr_array_add (lines, (gpointer) &items[i]);
    }
  return lines;
}

static guint
count (WwScene *scene, WwItemKind kind)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);
  guint sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += items[i].kind == kind;
  return sum;
}

/* No coordinate of any item is far outside of the page. */
static void
assert_tame (WwScene *scene)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);

  for (gsize i = 0; i < n; i++)
    {
      for (gsize k = 0; k < items[i].n_points; k++)
        {
          g_assert_cmpfloat (fabs (items[i].points[k].x - WIDTH / 2), <=, WIDTH);
          g_assert_cmpfloat (fabs (items[i].points[k].y - HEIGHT / 2), <=, HEIGHT);
        }
      g_assert_true (isfinite (items[i].x) && isfinite (items[i].y));
    }
}

static void
test_places (void)
{
  const double x[3] = { 10, 20, 40 }, y[3] = { 1, 3, 2 };
  Drawn drawn = draw (x, y, 3, FALSE, NAN, NAN);
  g_autoptr (WwScene) scene = drawn.scene;
  g_autoptr (GPtrArray) lines = data_lines (scene);
  const WwItem *line;

  g_assert_cmpuint (lines->len, ==, 1);
  line = lines->pdata[0];
  g_assert_cmpuint (line->n_points, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpfloat_with_epsilon (line->points[i].x, ww_curves_layout_x_to_pt (&drawn.layout, x[i]), 1e-9);
      g_assert_cmpfloat_with_epsilon (line->points[i].y, ww_curves_layout_y_to_pt (&drawn.layout, y[i]), 1e-9);
    }
  g_assert_cmpuint (count (scene, WW_ITEM_MARKER), ==, 3);
}

static void
test_gaps (void)
{
  const double x[7] = { 1, 2, 3, 4, 5, 6, 7 };
  const double y[7] = { 1, 2, NAN, 3, 4, INFINITY, 5 };
  Drawn drawn = draw (x, y, 7, FALSE, NAN, NAN);
  g_autoptr (WwScene) scene = drawn.scene;
  g_autoptr (GPtrArray) lines = data_lines (scene);

  /* Two pieces of two points; the last point has no neighbour and is a marker only. */
  g_assert_cmpuint (lines->len, ==, 2);
  g_assert_cmpuint (((const WwItem *) lines->pdata[0])->n_points, ==, 2);
  g_assert_cmpuint (((const WwItem *) lines->pdata[1])->n_points, ==, 2);
  g_assert_cmpuint (count (scene, WW_ITEM_MARKER), ==, 5);
  g_assert_cmpfloat (drawn.layout.y_max, <, 6);
  assert_tame (scene);
}

static void
test_logarithmic_gaps (void)
{
  const double x[6] = { -1, 0, 1, 10, 100, 1000 };
  const double y[6] = { 1, 1, 0.1, -2, 0.01, 0.02 };
  Drawn drawn = draw (x, y, 6, TRUE, NAN, NAN);
  g_autoptr (WwScene) scene = drawn.scene;
  g_autoptr (GPtrArray) lines = data_lines (scene);

  g_assert_cmpuint (lines->len, ==, 1);
  g_assert_cmpuint (count (scene, WW_ITEM_MARKER), ==, 3);
  g_assert_cmpfloat (drawn.layout.x_min, >, 0.5);
  g_assert_cmpfloat (drawn.layout.y_min, >, 0.005);
  assert_tame (scene);
}

/* A line that leaves fixed axes is cut where it crosses them, at the right slope. */
static void
test_cut (void)
{
  const double x[2] = { 0, 10 }, y[2] = { 0, 1e200 };
  const double steep[2] = { 0, 4 };
  Drawn far_away = draw (x, y, 2, FALSE, 0, 1);
  Drawn near = draw (x, steep, 2, FALSE, 0, 1);
  g_autoptr (WwScene) far_scene = far_away.scene;
  g_autoptr (WwScene) near_scene = near.scene;
  g_autoptr (GPtrArray) lines = data_lines (near_scene);
  const WwItem *line = lines->pdata[0];
  double slope;

  assert_tame (far_scene);
  assert_tame (near_scene);
  slope = (ww_curves_layout_pt_to_y (&near.layout, line->points[1].y) - ww_curves_layout_pt_to_y (&near.layout, line->points[0].y))
          / (ww_curves_layout_pt_to_x (&near.layout, line->points[1].x) - ww_curves_layout_pt_to_x (&near.layout, line->points[0].x));
  g_assert_cmpfloat_with_epsilon (slope, 0.4, 1e-9);
  /* The marker of the point outside is not drawn at the edge. */
  g_assert_cmpuint (count (near_scene, WW_ITEM_MARKER), ==, 1);
}

/* Measured lines keep their markers whatever their dashes; a theory line has none. */
static void
test_dashes (void)
{
  static const double x[2] = { 1, 2 }, y[2] = { 3, 4 };
  const WwDash expected[8] = { WW_DASH_SOLID, WW_DASH_DASHED, WW_DASH_DOTTED, WW_DASH_DASH_DOT, WW_DASH_LONG,
                               WW_DASH_DASH_DOT_DOT, WW_DASH_DASHED, WW_DASH_DASHED };
  WwSeries series[8] = { 0 };
  const WwCurvesFigure figure = { .x_min = NAN, .x_max = NAN, .y_min = NAN, .y_max = NAN, .series = series,
                                  .n_series = 8 };
  WwPlotStyle style;

  for (guint i = 0; i < 8; i++)
    series[i] = (WwSeries) { .visible = TRUE, .dashed = i < 7 ? i : 1, .n_points = 2, .x = x, .y = y,
                             .theory = i == 7 };
  ww_plot_style_init (&style);
  g_autoptr (WwScene) scene = ww_curves_figure_layout (&figure, WIDTH, HEIGHT, &style, NULL);
  g_autoptr (GPtrArray) lines = data_lines (scene);
  g_assert_cmpuint (lines->len, ==, 8);
  for (guint i = 0; i < 8; i++)
    g_assert_cmpint (((const WwItem *) lines->pdata[i])->dash, ==, expected[i]);
  g_assert_cmpuint (count (scene, WW_ITEM_MARKER), ==, 7 * 2);
}

static void
test_extreme_values (void)
{
  const double values[][3] = { { 1, 1, 1 }, { 0, 0, 0 }, { 1e-300, 2e-300, 3e-300 }, { -1e300, 0, 1e300 },
                               { 1e17, 1e17 + 64, 1e17 + 128 }, { NAN, NAN, NAN }, { -1, -2, -3 } };
  const double x[3] = { 1, 2, 3 };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    for (guint logarithmic = 0; logarithmic < 2; logarithmic++)
      {
        Drawn drawn = draw (x, values[i], 3, logarithmic, NAN, NAN);
        g_autoptr (WwScene) scene = drawn.scene;
        cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 300);
        cairo_t *cr = cairo_create (surface);

        assert_tame (scene);
        g_assert_true (isfinite (drawn.layout.y_min) && isfinite (drawn.layout.y_max));
        g_assert_cmpfloat (drawn.layout.y_max, >, drawn.layout.y_min);
        ww_scene_draw (scene, cr, TRUE);
        g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
        cairo_destroy (cr);
        cairo_surface_destroy (surface);
      }
}

/* Drawing on screen leaves out points that make no difference, and nothing else. */
static void
test_screen_equals_paper (void)
{
  enum { N = 20000 };
  g_autofree double *x = g_new (double, N);
  g_autofree double *y = g_new (double, N);
  cairo_surface_t *surfaces[2];
  guint different = 0;

  for (guint i = 0; i < N; i++)
    {
      x[i] = i;
      y[i] = sin (i * 0.001) + (i == 7777 ? 3 : 0);
    }
  Drawn drawn = draw (x, y, N, FALSE, NAN, NAN);
  g_autoptr (WwScene) scene = drawn.scene;
  for (guint screen = 0; screen < 2; screen++)
    {
      surfaces[screen] = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 400, 300);
      cairo_t *cr = cairo_create (surfaces[screen]);
      ww_scene_draw (scene, cr, screen);
      cairo_destroy (cr);
      cairo_surface_flush (surfaces[screen]);
    }
  for (int i = 0; i < cairo_image_surface_get_stride (surfaces[0]) * 300; i++)
    different += ABS (cairo_image_surface_get_data (surfaces[0])[i] - cairo_image_surface_get_data (surfaces[1])[i]) > 100;
  /* Of 480,000 bytes; the rims of the spike may fall to the neighbouring pixel. */
  g_assert_cmpuint (different, <, 300);
  for (guint screen = 0; screen < 2; screen++)
    cairo_surface_destroy (surfaces[screen]);
}

static guint32
pixel_at (cairo_surface_t *surface, int x, int y)
{
  const guchar *row = cairo_image_surface_get_data (surface) + (gsize) y * (gsize) cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (const void *) row)[x] & 0xffffff;
}

/* Each cell has its colour, hard-edged, and the picture is as sharp at any size. */
static void
test_heatmap_cells (void)
{
  const double values[6] = { 0, 1, 2, 3, 4, 5 };
  const WwHeatmapFigure figure = { .rows = 2, .cols = 3, .values = values, .min = NAN, .max = NAN,
                                   .marked_row = -1, .marked_col = -1 };
  WwPlotStyle style;
  WwHeatmapLayout layout;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 800, 600);
  cairo_t *cr = cairo_create (surface);

  ww_plot_style_init (&style);
  g_autoptr (WwScene) scene = ww_heatmap_figure_layout (&figure, 400, 300, &style, &layout);
  cairo_scale (cr, 2, 2);
  ww_scene_draw (scene, cr, TRUE);
  cairo_surface_flush (surface);
  for (guint i = 0; i < 6; i++)
    {
      WwColour colour = ww_heatmap_colour (&style, FALSE, 0, 5, values[i]);
      guint32 expected = (guint32) lround (colour.red * 255) << 16 | (guint32) lround (colour.green * 255) << 8
                         | (guint32) lround (colour.blue * 255);
      for (guint corner = 0; corner < 4; corner++)
        {
          double u = (i % 3 + (corner & 1 ? 0.96 : 0.04)) / 3, v = (i / 3 + (corner & 2 ? 0.96 : 0.04)) / 2;
          g_assert_cmphex (pixel_at (surface, (int) (2 * (layout.left + u * layout.width)),
                                     (int) (2 * (layout.top + v * layout.height))), ==, expected);
        }
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Lines of the hatching lie in cells without a number, and only there. */
static void
test_hatching (void)
{
  const double values[4] = { NAN, 1, 2, 3 };
  const WwHeatmapFigure figure = { .rows = 2, .cols = 2, .values = values, .min = NAN, .max = NAN,
                                   .marked_row = -1, .marked_col = -1 };
  WwPlotStyle style;
  WwHeatmapLayout layout;
  gsize n;
  guint hatched = 0;

  ww_plot_style_init (&style);
  g_autoptr (WwScene) scene = ww_heatmap_figure_layout (&figure, 300, 300, &style, &layout);
  const WwItem *items = ww_scene_get_items (scene, &n);
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; items[i].kind == WW_ITEM_SEGMENTS && k < items[i].n_points; k++)
      {
        hatched++;
        g_assert_cmpfloat (items[i].points[k].x, >=, layout.left - 1e-9);
        g_assert_cmpfloat (items[i].points[k].x, <=, layout.left + layout.width / 2 + 1e-9);
        g_assert_cmpfloat (items[i].points[k].y, >=, layout.top - 1e-9);
        g_assert_cmpfloat (items[i].points[k].y, <=, layout.top + layout.height / 2 + 1e-9);
      }
  g_assert_cmpuint (hatched, >, 20);
}

static void
test_bar_heights (void)
{
  const double values[3] = { 1, NAN, 2 };
  const WwBarSeries series = { "s", 0, values, 0.5 };
  const WwBarsFigure figure = { .n_bars = 3, .marked = -1, .series = &series, .n_series = 1, .y_max = NAN };
  WwPlotStyle style;
  WwBarsLayout layout;
  gsize n;
  double heights[4];
  guint found = 0;

  ww_plot_style_init (&style);
  g_autoptr (WwScene) scene = ww_bars_figure_layout (&figure, 300, 200, &style, &layout);
  const WwItem *items = ww_scene_get_items (scene, &n);
  for (gsize i = 1; i < n && found < 4; i++)
    if (items[i].kind == WW_ITEM_RECT)
      heights[found++] = items[i].height;
  g_assert_cmpuint (found, ==, 2);
  g_assert_cmpfloat_with_epsilon (heights[1], 2 * heights[0], 1e-9);
  g_assert_cmpfloat (heights[1], <=, layout.height);
}

static void
append_piece (const WwPoint *points, gsize n_points, gpointer data)
{
  GString *text = data;

  for (gsize i = 0; i < n_points; i++)
    g_string_append_printf (text, "%s%g,%g", i > 0 ? " " : "", points[i].x, points[i].y);
  g_string_append (text, "; ");
}

static void
test_clip_polyline (void)
{
  const WwClipBox box = { 0, 0, 10, 10 };
  const WwPoint points[6] = { { -5, 5 }, { 5, 5 }, { 5, 20 }, { 8, 20 }, { 8, 2 }, { 9, 3 } };
  const WwPoint outside[2] = { { -5, 8 }, { 5, 18 } };
  g_autoptr (GString) text = g_string_new (NULL);

  ww_clip_polyline (&box, points, G_N_ELEMENTS (points), append_piece, text);
  g_assert_cmpstr (text->str, ==, "0,5 5,5 5,10; 8,10 8,2 9,3; ");
  g_string_truncate (text, 0);
  ww_clip_polyline (&box, outside, 2, append_piece, text);
  ww_clip_polyline (&box, points, 1, append_piece, text);
  ww_clip_polyline (&box, points, 0, append_piece, text);
  g_assert_cmpstr (text->str, ==, "");
}

static void
test_clip_polygon (void)
{
  const WwClipBox box = { 0, 0, 10, 10 };
  const WwPoint around[4] = { { -5, -5 }, { 15, -5 }, { 15, 15 }, { -5, 15 } };
  const WwPoint beside[3] = { { 20, 0 }, { 30, 0 }, { 20, 10 } };
  g_autoptr (GArray) all = ww_clip_polygon (&box, around, 4);
  g_autoptr (GArray) none = ww_clip_polygon (&box, beside, 3);
  double area = 0;

  for (guint i = 0; i < all->len; i++)
    {
      WwPoint a = g_array_index (all, WwPoint, i), b = g_array_index (all, WwPoint, (i + 1) % all->len);
      area += (a.x * b.y - b.x * a.y) / 2;
    }
  g_assert_cmpfloat_with_epsilon (fabs (area), 100, 1e-9);
  g_assert_cmpuint (none->len, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/data/places", test_places);
  g_test_add_func ("/plot/data/gaps", test_gaps);
  g_test_add_func ("/plot/data/logarithmic-gaps", test_logarithmic_gaps);
  g_test_add_func ("/plot/data/cut", test_cut);
  g_test_add_func ("/plot/data/dashes", test_dashes);
  g_test_add_func ("/plot/data/extreme-values", test_extreme_values);
  g_test_add_func ("/plot/data/screen-equals-paper", test_screen_equals_paper);
  g_test_add_func ("/plot/data/heatmap-cells", test_heatmap_cells);
  g_test_add_func ("/plot/data/hatching", test_hatching);
  g_test_add_func ("/plot/data/bar-heights", test_bar_heights);
  g_test_add_func ("/plot/data/clip-polyline", test_clip_polyline);
  g_test_add_func ("/plot/data/clip-polygon", test_clip_polygon);
  return g_test_run ();
}

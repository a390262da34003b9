/* More cells than pixels: whatever stands out must still be seen. */
#include <math.h>
#include <string.h>

#include "ww-plot.h"

typedef struct
{
  gsize n;
  double page;  /* pt */
  double scale; /* pixels per pt */
} Case;

static const Case cases[] = {
  { 20, 240, 1.3333 }, { 105, 150, 1 }, { 105, 181, 1.3333 }, { 128, 97.3, 1.3333 }, { 500, 110, 1.3333 },
  { 500, 240, 4.1667 }, { 1000, 90, 2.6667 }, { 333, 61, 1 },
};

typedef struct
{
  cairo_surface_t *surface;
  WwHeatmapLayout cells;
  WwPlotStyle style;
} Picture;

static Picture
draw (const Case *test, const double *values, gboolean diverging, gssize marked)
{
  const WwHeatmapFigure figure = { .rows = test->n, .cols = test->n, .values = values,
                                   .diverging = diverging, .min = NAN, .max = NAN,
                                   .marked_row = marked, .marked_col = marked, .bar = TRUE };
  int side = (int) ceil (test->page * test->scale);
  g_autoptr (WwScene) scene = NULL;
  Picture picture;
  cairo_t *cr;

  ww_plot_style_init (&picture.style);
  scene = ww_heatmap_figure_layout (&figure, test->page, test->page, &picture.style, &picture.cells);
  picture.surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, side, side);
  cr = cairo_create (picture.surface);
  cairo_scale (cr, test->scale, test->scale);
  ww_scene_draw (scene, cr, TRUE);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (picture.surface);
  return picture;
}

static gboolean
is_colour (const Picture *picture, int x, int y, WwColour colour)
{
  const guchar *data = cairo_image_surface_get_data (picture->surface);
  gsize stride = (gsize) cairo_image_surface_get_stride (picture->surface);
  guint32 pixel = ((const guint32 *) (const void *) (data + (gsize) y * stride))[x];

  return fabs ((pixel >> 16 & 255) / 255.0 - colour.red) < 0.02
         && fabs ((pixel >> 8 & 255) / 255.0 - colour.green) < 0.02
         && fabs ((pixel & 255) / 255.0 - colour.blue) < 0.02;
}

/* Pixels of a colour around the middle of a cell. */
static guint
count_near (const Picture *picture, double scale, double x, double y, WwColour colour)
{
  guint n = 0;

  for (int dx = -1; dx <= 1; dx++)
    for (int dy = -1; dy <= 1; dy++)
      n += is_colour (picture, (int) floor (x * scale) + dx, (int) floor (y * scale) + dy, colour);
  return n;
}

static void
test_single_cells (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint trial = 0; trial < 12; trial++)
      {
        const Case *test = &cases[i];
        gboolean diverging = trial % 2 == 0;
        double sign = trial % 4 == 0 ? -1 : 1;
        gsize row = (gsize) g_test_rand_int_range (1, (gint) test->n - 1);
        gsize col = (gsize) g_test_rand_int_range (1, (gint) test->n - 1);
        g_autofree double *values = g_new0 (double, test->n * test->n);

        values[row * test->n + col] = sign;
        /* A weaker neighbour of the other sign must not win. */
        values[row * test->n + col - 1] = -0.6 * sign;
        if (!diverging)
          values[row * test->n + col] = 1;

        Picture picture = draw (test, values, diverging, -1);
        WwColour colour = ww_heatmap_colour (&picture.style, diverging, diverging ? -1 : -0.6, 1,
                                             diverging ? sign : 1);
        double x = picture.cells.left + picture.cells.width * ((double) col + 0.5) / (double) test->n;
        double y = picture.cells.top + picture.cells.height * ((double) row + 0.5) / (double) test->n;

        g_assert_cmpuint (count_near (&picture, test->scale, x, y, colour), >, 0);
        cairo_surface_destroy (picture.surface);
      }
}

/* The nudged row and column of a difference, with nothing else: a cross that spans the heatmap. */
static void
test_marked_cross (void)
{
  /* Not the first case: large cells are outlined. */
  for (guint i = 1; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *test = &cases[i];
      const gsize marks[] = { 0, 1, test->n / 3, test->n / 2, test->n - 1 };

      for (guint m = 0; m < G_N_ELEMENTS (marks); m++)
        {
          gsize mark = marks[m];
          g_autofree double *values = g_new0 (double, test->n * test->n);
          guint seen_down = 0, seen_across = 0, wanted = 20;

          for (gsize k = 0; k < test->n; k++)
            values[mark * test->n + k] = values[k * test->n + mark] = 1;

          Picture picture = draw (test, values, TRUE, (gssize) mark);
          WwColour colour = ww_heatmap_colour (&picture.style, TRUE, -1, 1, 1);
          double place = ((double) mark + 0.5) / (double) test->n;

          for (guint k = 1; k <= wanted; k++)
            {
              double along = k / (wanted + 1.0);
              seen_down += count_near (&picture, test->scale, picture.cells.left + picture.cells.width * place,
                                       picture.cells.top + picture.cells.height * along, colour) > 0;
              seen_across += count_near (&picture, test->scale, picture.cells.left + picture.cells.width * along,
                                         picture.cells.top + picture.cells.height * place, colour) > 0;
            }
          g_assert_cmpuint (seen_down, ==, wanted);
          g_assert_cmpuint (seen_across, ==, wanted);
          cairo_surface_destroy (picture.surface);
        }
    }
}

/* Files keep every cell, and show the marked row and column at least 0.75 pt wide. */
static void
test_svg_strips (void)
{
  const Case test = { 500, 200, 1 };
  g_autofree double *values = g_new0 (double, test.n * test.n);
  const WwHeatmapFigure figure = { .rows = test.n, .cols = test.n, .values = values, .diverging = TRUE,
                                   .min = NAN, .max = NAN, .marked_row = 250, .marked_col = 250 };
  WwPlotStyle style;
  g_autoptr (WwScene) scene = NULL;
  g_autoptr (GBytes) svg = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  values[250 * test.n] = 1;
  ww_plot_style_init (&style);
  scene = ww_heatmap_figure_layout (&figure, test.page, test.page, &style, NULL);
  svg = ww_scene_to_bytes (scene, WW_FIGURE_FORMAT_SVG, 96, NULL, NULL, &error);
  g_assert_no_error (error);
  text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
  g_assert_true (g_regex_match_simple ("<image[^>]* width=\"0\\.75\"", text, 0, 0));
  g_assert_true (g_regex_match_simple ("<image[^>]* height=\"0\\.75\"", text, 0, 0));
}

/* A heatmap with room for a few lines has its title and the numbers of its colours. */
static void
test_small_keeps_bar (void)
{
  const double sizes[][2] = { { 182, 236 }, { 120, 100 }, { 140, 140 } };
  double values[64] = { 0, 0.5, -0.5 };
  const WwHeatmapFigure figure = { .title = "softmax, difference", .x_label = "token looked at",
                                   .y_label = "token that looks", .bar_label = "change of weight", .rows = 8,
                                   .cols = 8, .values = values, .diverging = TRUE, .min = NAN, .max = NAN,
                                   .marked_row = -1, .marked_col = -1, .bar = TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      WwPlotStyle style;
      WwHeatmapLayout cells;
      g_autoptr (WwScene) scene = NULL;
      g_autoptr (GBytes) svg = NULL;
      g_autofree char *text = NULL;

      ww_plot_style_init (&style);
      style.font_size = 13;
      scene = ww_heatmap_figure_layout (&figure, sizes[i][0], sizes[i][1], &style, &cells);
      svg = ww_scene_to_bytes (scene, WW_FIGURE_FORMAT_SVG, 96, NULL, NULL, NULL);
      text = g_strndup (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
      g_test_message ("%g x %g: cells %g x %g", sizes[i][0], sizes[i][1], cells.width, cells.height);
      g_assert_nonnull (strstr (text, ">0.0<"));
      g_assert_nonnull (strstr (text, ">softmax"));
      g_assert_cmpfloat (cells.width, >=, 25);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/pool/single-cells", test_single_cells);
  g_test_add_func ("/plot/pool/marked-cross", test_marked_cross);
  g_test_add_func ("/plot/pool/svg-strips", test_svg_strips);
  g_test_add_func ("/plot/pool/small-keeps-bar", test_small_keeps_bar);
  return g_test_run ();
}

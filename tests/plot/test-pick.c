/* From pixels to data and back. */
#include <math.h>

#include "ww-plot.h"

static WwCurvesLayout
layout_curves (gboolean x_log, gboolean y_log, gboolean legend)
{
  static const double x[4] = { 10, 30, 90, 250 }, y[4] = { 0.3, 0.2, 0.1, 0.06 };
  const WwSeries series[3] = { { "first", 0, TRUE, FALSE, 4, x, y, NULL, NULL, NULL },
                               { "second", 1, FALSE, FALSE, 4, x, y, NULL, NULL, NULL },
                               { "third", 2, TRUE, FALSE, 4, x, y, NULL, NULL, NULL } };
  WwCurvesFigure figure = { .x_label = "n", .y_label = "S", .x_log = x_log, .y_log = y_log, .x_min = NAN,
                            .x_max = NAN, .y_min = NAN, .y_max = NAN, .series = series, .n_series = 3,
                            .legend = legend };
  WwPlotStyle style;
  WwCurvesLayout layout;
  g_autoptr (WwScene) scene = NULL;

  ww_plot_style_init (&style);
  scene = ww_curves_figure_layout (&figure, 400, 300, &style, &layout);
  return layout;
}

static void
test_curves_round_trip (void)
{
  for (guint axes = 0; axes < 4; axes++)
    {
      WwCurvesLayout layout = layout_curves (axes & 1, axes >> 1, TRUE);

      for (double x = 10; x <= 250; x *= 1.7)
        {
          double pt = ww_curves_layout_x_to_pt (&layout, x);
          g_assert_cmpfloat (pt, >=, layout.left);
          g_assert_cmpfloat (pt, <=, layout.left + layout.width);
          g_assert_cmpfloat_with_epsilon (ww_curves_layout_pt_to_x (&layout, pt), x, 1e-9);
        }
      for (double y = 0.06; y <= 0.3; y *= 1.4)
        {
          double pt = ww_curves_layout_y_to_pt (&layout, y);
          g_assert_cmpfloat (pt, >=, layout.top);
          g_assert_cmpfloat (pt, <=, layout.top + layout.height);
          g_assert_cmpfloat_with_epsilon (ww_curves_layout_pt_to_y (&layout, pt), y, 1e-9);
        }
      g_assert_cmpfloat_with_epsilon (ww_curves_layout_x_to_pt (&layout, layout.x_min), layout.left, 1e-9);
      g_assert_cmpfloat_with_epsilon (ww_curves_layout_y_to_pt (&layout, layout.y_max), layout.top, 1e-9);
    }
}

static void
test_curves_without_place (void)
{
  WwCurvesLayout layout = layout_curves (TRUE, TRUE, TRUE);

  g_assert_true (isnan (ww_curves_layout_x_to_pt (&layout, 0)));
  g_assert_true (isnan (ww_curves_layout_y_to_pt (&layout, -1)));
  g_assert_true (isnan (ww_curves_layout_y_to_pt (&layout, NAN)));
}

static void
test_legend_boxes (void)
{
  WwCurvesLayout layout = layout_curves (TRUE, TRUE, TRUE);

  g_assert_cmpuint (layout.n_legend, ==, 3);
  for (gsize i = 0; i < 3; i++)
    {
      g_assert_cmpfloat (layout.legend[i].width, >, 10);
      g_assert_cmpfloat (layout.legend[i].height, >, 5);
      g_assert_cmpfloat (layout.legend[i].left, >=, 0);
      g_assert_cmpfloat (layout.legend[i].left + layout.legend[i].width, <=, 400);
      for (gsize k = 0; k < i; k++)
        g_assert_true (layout.legend[i].left >= layout.legend[k].left + layout.legend[k].width
                       || layout.legend[i].top >= layout.legend[k].top + layout.legend[k].height - 1e-9);
    }
  layout = layout_curves (TRUE, TRUE, FALSE);
  g_assert_cmpuint (layout.n_legend, ==, 0);
}

static void
test_fixed_axes (void)
{
  WwCurvesFigure figure = { .x_log = TRUE, .x_min = 8, .x_max = 300, .y_min = 0, .y_max = 2 };
  WwPlotStyle style;
  WwCurvesLayout layout;

  ww_plot_style_init (&style);
  g_autoptr (WwScene) scene = ww_curves_figure_layout (&figure, 400, 300, &style, &layout);
  g_assert_nonnull (scene);
  g_assert_cmpfloat (layout.x_min, ==, 8);
  g_assert_cmpfloat (layout.x_max, ==, 300);
  g_assert_cmpfloat (layout.y_min, ==, 0);
  g_assert_cmpfloat (layout.y_max, ==, 2);
}

static WwHeatmapLayout
layout_heatmap (gsize rows, gsize cols)
{
  g_autofree double *values = g_new0 (double, rows * cols + 1);
  WwHeatmapFigure figure = { .rows = rows, .cols = cols, .values = values, .min = NAN, .max = NAN,
                             .marked_row = -1, .marked_col = -1, .bar = TRUE };
  WwPlotStyle style;
  WwHeatmapLayout layout;
  g_autoptr (WwScene) scene = NULL;

  ww_plot_style_init (&style);
  scene = ww_heatmap_figure_layout (&figure, 300, 260, &style, &layout);
  return layout;
}

/* Every cell is found at its middle and just inside its corners. */
static void
test_heatmap_cells (void)
{
  const gsize shapes[][2] = { { 1, 1 }, { 7, 7 }, { 3, 11 }, { 40, 40 } };

  for (gsize s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      WwHeatmapLayout layout = layout_heatmap (shapes[s][0], shapes[s][1]);
      double width = layout.width / (double) layout.cols, height = layout.height / (double) layout.rows;

      for (gsize r = 0; r < layout.rows; r++)
        for (gsize c = 0; c < layout.cols; c++)
          for (guint k = 0; k < 3; k++)
            {
              const double inside[3] = { 0.001, 0.5, 0.999 };
              gsize row, col;
              g_assert_true (ww_heatmap_layout_pick (&layout, layout.left + ((double) c + inside[k]) * width,
                                                     layout.top + ((double) r + inside[k]) * height, &row, &col));
              g_assert_cmpuint (row, ==, r);
              g_assert_cmpuint (col, ==, c);
            }
    }
}

static void
test_heatmap_outside (void)
{
  WwHeatmapLayout layout = layout_heatmap (5, 5), empty = layout_heatmap (0, 0);
  gsize row = 99, col = 99;
  const double outside[][2] = { { layout.left - 0.01, layout.top + 1 }, { layout.left + 1, layout.top - 0.01 },
                                { layout.left + layout.width, layout.top + 1 },
                                { layout.left + 1, layout.top + layout.height }, { NAN, layout.top + 1 } };

  for (gsize i = 0; i < G_N_ELEMENTS (outside); i++)
    g_assert_false (ww_heatmap_layout_pick (&layout, outside[i][0], outside[i][1], &row, &col));
  g_assert_false (ww_heatmap_layout_pick (&empty, 100, 100, &row, &col));
  g_assert_cmpuint (row, ==, 99);
  g_assert_cmpuint (col, ==, 99);
}

static void
test_square_cells (void)
{
  WwHeatmapLayout layout = layout_heatmap (8, 8);

  g_assert_cmpfloat_with_epsilon (layout.width, layout.height, 1e-9);
}

static void
test_bars (void)
{
  const double values[5] = { 1, 2, NAN, 0, 5 };
  const WwBarSeries series = { "a", 0, values, NAN };
  WwBarsFigure figure = { .n_bars = 5, .marked = -1, .series = &series, .n_series = 1, .y_max = NAN };
  WwPlotStyle style;
  WwBarsLayout layout;
  gsize bar = 99;

  ww_plot_style_init (&style);
  g_autoptr (WwScene) scene = ww_bars_figure_layout (&figure, 300, 200, &style, &layout);
  g_assert_nonnull (scene);
  g_assert_cmpuint (layout.n_bars, ==, 5);
  g_assert_false (ww_bars_layout_pick (&layout, layout.left - 1, layout.top + 5, &bar));
  g_assert_false (ww_bars_layout_pick (&layout, layout.left + layout.width, layout.top + 5, &bar));
  g_assert_false (ww_bars_layout_pick (&layout, layout.left + 1, layout.top - 1, &bar));
  g_assert_cmpuint (bar, ==, 99);
  for (gsize i = 0; i < 5; i++)
    {
      g_assert_true (ww_bars_layout_pick (&layout, layout.left + ((double) i + 0.98) * layout.width / 5,
                                          layout.top + 5, &bar));
      g_assert_cmpuint (bar, ==, i);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/pick/curves-round-trip", test_curves_round_trip);
  g_test_add_func ("/plot/pick/curves-without-place", test_curves_without_place);
  g_test_add_func ("/plot/pick/legend-boxes", test_legend_boxes);
  g_test_add_func ("/plot/pick/fixed-axes", test_fixed_axes);
  g_test_add_func ("/plot/pick/heatmap-cells", test_heatmap_cells);
  g_test_add_func ("/plot/pick/heatmap-outside", test_heatmap_outside);
  g_test_add_func ("/plot/pick/square-cells", test_square_cells);
  g_test_add_func ("/plot/pick/bars", test_bars);
  return g_test_run ();
}

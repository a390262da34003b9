/* Figures made of whatever: all are laid out, drawn and written without a complaint. */
#include <math.h>

#include "ww-plot.h"
#include "ww-scene-private.h"

#define MOST 40

static double
any_value (GRand *random)
{
  static const double odd[] = { 0, -1, NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-300, 5e-324, 1.7e308 };

  if (g_rand_int_range (random, 0, 5) == 0)
    return odd[g_rand_int_range (random, 0, G_N_ELEMENTS (odd))];
  return pow (10, g_rand_double_range (random, -3, 3)) * (g_rand_boolean (random) ? 1 : -0.1);
}

static const char *
any_text (GRand *random)
{
  static const char *const texts[] = { NULL, "", "n", "a very long label that fits nowhere at all, not even here",
                                       "x^-0.5", "^", "\xff\xc0", "‖Δ‖ ≤ √d", "שלום", "語り\n言葉", "<b>&" };

  return texts[g_rand_int_range (random, 0, G_N_ELEMENTS (texts))];
}

static double *
any_values (GRand *random, gsize n)
{
  double *values = g_new (double, n + 1);

  for (gsize i = 0; i < n; i++)
    values[i] = any_value (random);
  return values;
}

static WwScene *
any_curves (GRand *random, double width, double height, const WwPlotStyle *style)
{
  WwSeries series[20];
  gsize n_series = (gsize) g_rand_int_range (random, 0, G_N_ELEMENTS (series) + 1);
  WwCurvesFigure figure = {
    .title = any_text (random), .x_label = any_text (random), .y_label = any_text (random),
    .note = any_text (random), .x_log = g_rand_boolean (random), .y_log = g_rand_boolean (random),
    .x_min = any_value (random), .x_max = any_value (random), .y_min = any_value (random),
    .y_max = any_value (random), .series = series, .n_series = n_series, .legend = g_rand_boolean (random),
  };
  WwCurvesLayout layout;
  WwScene *scene;

  for (gsize s = 0; s < n_series; s++)
    {
      gsize n = (gsize) g_rand_int_range (random, 0, MOST);
      series[s] = (WwSeries) {
        any_text (random), g_rand_int (random), g_rand_boolean (random), g_rand_int (random), n,
        any_values (random, n), any_values (random, n), any_values (random, n), any_values (random, n),
        any_values (random, n), g_rand_boolean (random),
      };
    }
  scene = ww_curves_figure_layout (&figure, width, height, style, &layout);
  g_assert_cmpuint (layout.n_legend, <=, 16);
  g_assert_cmpfloat (layout.x_min, <, layout.x_max);
  g_assert_cmpfloat (layout.y_min, <, layout.y_max);
  for (gsize s = 0; s < n_series; s++)
    {
      g_free ((double *) series[s].x);
      g_free ((double *) series[s].y);
      g_free ((double *) series[s].lower);
      g_free ((double *) series[s].upper);
      g_free ((double *) series[s].bound);
    }
  return scene;
}

static WwScene *
any_heatmap (GRand *random, double width, double height, const WwPlotStyle *style)
{
  gsize rows = (gsize) g_rand_int_range (random, 0, MOST), cols = (gsize) g_rand_int_range (random, 0, MOST);
  g_autofree double *values = any_values (random, rows * cols);
  const char *labels[MOST];
  WwHeatmapFigure figure = {
    any_text (random), any_text (random), any_text (random), any_text (random), rows, cols, values,
    g_rand_boolean (random), any_value (random), any_value (random), g_rand_boolean (random) ? labels : NULL,
    g_rand_boolean (random) ? labels : NULL, g_rand_int_range (random, -1, MOST),
    g_rand_int_range (random, -1, MOST), g_rand_boolean (random),
  };

  for (guint i = 0; i < MOST; i++)
    labels[i] = any_text (random);
  return ww_heatmap_figure_layout (&figure, width, height, style, NULL);
}

static WwScene *
any_bars (GRand *random, double width, double height, const WwPlotStyle *style)
{
  gsize n = (gsize) g_rand_int_range (random, 0, MOST);
  g_autofree double *first = any_values (random, n);
  g_autofree double *second = any_values (random, n);
  const char *labels[MOST];
  const WwBarSeries series[3] = { { any_text (random), 0, first, any_value (random) },
                                  { any_text (random), 9, second, any_value (random) },
                                  { any_text (random), 2, NULL, any_value (random) } };
  WwBarsFigure figure = {
    any_text (random), any_text (random), any_text (random), n, g_rand_boolean (random) ? labels : NULL,
    g_rand_int_range (random, -1, MOST), series, (gsize) g_rand_int_range (random, 0, 4), any_value (random),
    g_rand_boolean (random),
  };

  for (guint i = 0; i < MOST; i++)
    labels[i] = any_text (random);
  return ww_bars_figure_layout (&figure, width, height, style, NULL);
}

typedef WwScene *(*MakeFunc) (GRand *random, double width, double height, const WwPlotStyle *style);

/* Cairo holds coordinates below 2^23 only. */
static void
assert_drawable (WwScene *scene)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);

  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (fabs (items[i].x) < 1e5 && fabs (items[i].y) < 1e5);
      g_assert_true (fabs (items[i].width) < 1e5 && fabs (items[i].height) < 1e5);
      for (gsize k = 0; k < items[i].n_points; k++)
        g_assert_true (fabs (items[i].points[k].x) < 1e5 && fabs (items[i].points[k].y) < 1e5);
    }
}

static void
test_any (gconstpointer data)
{
  MakeFunc make = *(const MakeFunc *) data;
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  const char *const *styles = ww_plot_style_get_names ();

  for (guint i = 0; i < 60; i++)
    {
      WwPlotStyle style;
      WwFigureFormat format = (WwFigureFormat) (i % 3);
      g_autoptr (WwScene) scene = NULL;
      g_autoptr (GBytes) bytes = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (ww_plot_style_from_name (styles[i % 3], &style));
      scene = make (random, g_rand_double_range (random, 5, 500), g_rand_double_range (random, 5, 400), &style);
      assert_drawable (scene);
      bytes = ww_scene_to_bytes (scene, format, 72, any_text (random), any_text (random), &error);
      g_assert_no_error (error);
      g_assert_nonnull (bytes);
    }
}

int
main (int argc, char **argv)
{
  static const MakeFunc curves = any_curves, heatmap = any_heatmap, bars = any_bars;

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/plot/random/curves", &curves, test_any);
  g_test_add_data_func ("/plot/random/heatmap", &heatmap, test_any);
  g_test_add_data_func ("/plot/random/bars", &bars, test_any);
  return g_test_run ();
}

/* Axes that can be read: labels on both sides of the data, whole numbers for counts, and small
 * figures that keep their legend and their words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-axis-private.h"
#include "ww-plot.h"
#include "ww-scene-private.h"

#define PT_PER_CM (72 / 2.54)

static const char *const names[] = { "RF: n^-0.50", "ReLU-RAF: n^-0.21", "softmax-RAF: n^-0.02" };
static const double lengths[] = { 4, 8, 16, 32, 60 };
static const double values[3][5]
  = { { 0.55, 0.4, 0.3, 0.2, 0.15 }, { 2.1, 1.8, 1.6, 1.1, 0.76 }, { 2.7, 2.8, 2.7, 2.6, 2.4 } };

static WwScene *
draw (double width_cm, double height_cm, gboolean visible, WwCurvesLayout *ret_layout)
{
  WwSeries series[3] = { 0 };
  WwPlotStyle style;

  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    series[i] = (WwSeries) { .label = names[i], .colour = i, .visible = visible, .n_points = 5,
                             .x = lengths, .y = values[i] };
  const WwCurvesFigure figure = { .x_label = "context length n", .y_label = "word sensitivity (token 1)",
                                  .note = "band: inter-quartile range", .x_log = TRUE, .y_log = TRUE,
                                  .x_integers = TRUE, .x_min = NAN, .x_max = NAN, .y_min = NAN,
                                  .y_max = NAN, .series = series, .n_series = 3, .legend = TRUE };

  ww_plot_style_init (&style);
  return ww_curves_figure_layout (&figure, width_cm * PT_PER_CM, height_cm * PT_PER_CM, &style, ret_layout);
}

/* A text of the scene that contains `part`, or NULL. */
static const char *
find_text (WwScene *scene, const char *part)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);

  for (gsize i = 0; i < n; i++)
    if (items[i].kind == WW_ITEM_TEXT && strstr (items[i].text, part) != NULL)
      return items[i].text;
  return NULL;
}

static void
test_small_figures (void)
{
  const double sizes[][2] = { { 4, 3 }, { 4, 4 }, { 4, 6 }, { 5, 3 }, { 6, 4 }, { 8.9, 6.5 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      WwCurvesLayout layout;
      g_autoptr (WwScene) scene = draw (sizes[i][0], sizes[i][1], TRUE, &layout);

      g_test_message ("%g x %g cm", sizes[i][0], sizes[i][1]);
      g_assert_cmpuint (layout.n_legend, ==, 3);
      g_assert_nonnull (find_text (scene, "softmax-RAF"));
      g_assert_nonnull (find_text (scene, "(token 1)"));
      g_assert_null (find_text (scene, "\xe2\x80\xa6"));
    }
}

/* Nothing shown has no band either. */
static void
test_all_hidden (void)
{
  WwCurvesLayout layout;
  g_autoptr (WwScene) scene = draw (8.9, 6.5, FALSE, &layout);
  g_autoptr (WwScene) shown = draw (8.9, 6.5, TRUE, NULL);

  g_assert_nonnull (find_text (shown, "band"));
  g_assert_null (find_text (scene, "band"));
  g_assert_cmpuint (layout.n_legend, ==, 3);
}

static void
test_enclosing_labels (void)
{
  for (guint i = 0; i < 3000; i++)
    {
      double decades = g_test_rand_double_range (0.05, 5);
      double low = pow (10, g_test_rand_double_range (-4, 3));
      double high = low * pow (10, decades);
      gboolean integers = i % 3 == 0 && low >= 1;
      g_autoptr (WwAxis) axis = NULL;
      WwScale scale;

      ww_scale_init (&scale, TRUE, low, high, 0.06, NAN, NAN);
      ww_scale_enclose (&scale, low, high, NAN, NAN, integers);
      axis = integers ? ww_axis_new_integers (&scale, 7) : ww_axis_new (&scale, 7);
      ww_axis_add_ends (axis, integers, 0.03);
      g_test_message ("%g to %g: axis %g to %g, %u ticks", low, high, scale.min, scale.max, axis->values->len);
      g_assert_cmpfloat (scale.min, <=, low);
      g_assert_cmpfloat (scale.max, >=, high);
      g_assert_cmpuint (axis->values->len, ==, axis->labels->len);
      for (guint k = 1; k < axis->values->len; k++)
        g_assert_cmpfloat (g_array_index (axis->values, double, k), >, g_array_index (axis->values, double, k - 1));
      if (integers)
        for (guint k = 0; k < axis->values->len; k++)
          {
            double value = g_array_index (axis->values, double, k);
            g_assert_cmpfloat (fabs (value - round (value)), <, 1e-6);
          }
      /* A factor of four and more has room for a label at each end, or has one nearer than two labels
       * could be. */
      if (decades < 0.65 || integers)
        continue;
      double first = g_array_index (axis->values, double, 0);
      double last = g_array_index (axis->values, double, axis->values->len - 1);
      g_assert_cmpfloat (ww_scale_to_unit (&scale, first), <=, ww_scale_to_unit (&scale, low) + 0.03);
      g_assert_cmpfloat (ww_scale_to_unit (&scale, last), >=, ww_scale_to_unit (&scale, high) - 0.03);
    }
}

/* Short ranges are labelled like linear axes, and counts still with whole numbers. */
static void
test_integers (void)
{
  const double ranges[][2] = { { 2, 11 }, { 2, 3 }, { 1, 4 }, { 5, 5 }, { 4, 250 }, { 10, 10000 }, { 7, 9 } };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    for (guint logarithmic = 0; logarithmic < 2; logarithmic++)
      for (guint about = 1; about < 13; about++)
        {
          g_autoptr (WwAxis) axis = NULL;
          WwScale scale;

          ww_scale_init (&scale, logarithmic, ranges[i][0], ranges[i][1], 0.035, NAN, NAN);
          axis = ww_axis_new_integers (&scale, about);
          ww_axis_add_ends (axis, TRUE, 0.05);
          for (guint k = 0; k < axis->labels->len; k++)
            g_assert_null (strchr (axis->labels->pdata[k], '.'));
          for (guint k = 0; k < axis->minor->len; k++)
            {
              double value = g_array_index (axis->minor, double, k);
              g_assert_cmpfloat (fabs (value - round (value)), <, 1e-6);
            }
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/axes/small-figures", test_small_figures);
  g_test_add_func ("/plot/axes/all-hidden", test_all_hidden);
  g_test_add_func ("/plot/axes/enclosing-labels", test_enclosing_labels);
  g_test_add_func ("/plot/axes/integers", test_integers);
  return g_test_run ();
}

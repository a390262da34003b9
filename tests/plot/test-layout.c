/* Every figure at many sizes and in every style: nothing leaves the page, no text lies on another. */
#include <math.h>

#include "samples.h"
#include "ww-scene-private.h"

typedef struct
{
  WwPoint corners[4];
  const char *text;
} Box;

/* The box that the letters fill: capitals and descenders, not the leading of the font. */
static Box
tight_box (const WwItem *item, double x, double y)
{
  WwItem tight = *item;
  Box box = { .text = item->text };

  tight.extents.ascent = item->font.size * 0.74;
  tight.extents.descent = item->font.size * 0.2;
  ww_item_get_text_box (&tight, box.corners);
  for (guint i = 0; i < 4; i++)
    {
      box.corners[i].x += x;
      box.corners[i].y += y;
    }
  return box;
}

static void
collect (WwScene *scene, double x, double y, GArray *boxes)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);

  for (gsize i = 0; i < n; i++)
    if (items[i].kind == WW_ITEM_TEXT)
      {
        Box box = tight_box (&items[i], x, y);
        g_array_append_val (boxes, box);
      }
    else if (items[i].kind == WW_ITEM_SCENE)
      collect (items[i].scene, x + items[i].x, y + items[i].y, boxes);
}

static void
project (const Box *box, double dx, double dy, double *ret_low, double *ret_high)
{
  *ret_low = INFINITY;
  *ret_high = -INFINITY;
  for (guint i = 0; i < 4; i++)
    {
      double at = box->corners[i].x * dx + box->corners[i].y * dy;
      *ret_low = fmin (*ret_low, at);
      *ret_high = fmax (*ret_high, at);
    }
}

/* Two rectangles are apart if the direction of one of their sides separates them. */
static gboolean
overlap (const Box *a, const Box *b)
{
  const Box *both[2] = { a, b };

  for (guint k = 0; k < 2; k++)
    for (guint side = 0; side < 2; side++)
      {
        double dx = both[k]->corners[side + 1].x - both[k]->corners[side].x;
        double dy = both[k]->corners[side + 1].y - both[k]->corners[side].y;
        double length = hypot (dx, dy), a_low, a_high, b_low, b_high;

        if (length == 0)
          return FALSE;
        project (a, dx / length, dy / length, &a_low, &a_high);
        project (b, dx / length, dy / length, &b_low, &b_high);
        if (a_high < b_low + 0.05 || b_high < a_low + 0.05)
          return FALSE;
      }
  return TRUE;
}

/* Goes on after a failure: one run shows all that is wrong. */
static void G_GNUC_PRINTF (1, 2)
complain (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_test_message ("%s", message);
  g_test_fail ();
}

static void
check_scene (WwScene *scene, const char *what)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  double width, height;

  ww_scene_get_size (scene, &width, &height);
  collect (scene, 0, 0, boxes);
  for (guint i = 0; i < boxes->len; i++)
    {
      const Box *box = &g_array_index (boxes, Box, i);

      for (guint k = 0; k < 4; k++)
        if (!(box->corners[k].x >= -0.01 && box->corners[k].x <= width + 0.01
              && box->corners[k].y >= -0.01 && box->corners[k].y <= height + 0.01))
          complain ("%s: \"%s\" leaves the page at %.2f, %.2f", what, box->text, box->corners[k].x,
                    box->corners[k].y);
      for (guint j = 0; j < i; j++)
        if (overlap (box, &g_array_index (boxes, Box, j)))
          complain ("%s: \"%s\" lies on \"%s\"", what, box->text, g_array_index (boxes, Box, j).text);
    }
}

static void
test_sizes (gconstpointer data)
{
  Sample sample = (Sample) GPOINTER_TO_UINT (data);
  const double widths[] = { 40, 113, 142, 252, 340, 720, 1440 };
  const double heights[] = { 30, 85, 113, 184, 400, 900 };
  const char *const *styles = ww_plot_style_get_names ();

  for (gsize s = 0; styles[s] != NULL; s++)
    for (gsize w = 0; w < G_N_ELEMENTS (widths); w++)
      for (gsize h = 0; h < G_N_ELEMENTS (heights); h++)
        {
          WwPlotStyle style;
          g_autoptr (WwScene) scene = NULL;
          g_autofree char *what = g_strdup_printf ("%s %s %.0fx%.0f", sample_get_name (sample), styles[s],
                                                   widths[w], heights[h]);

          g_assert_true (ww_plot_style_from_name (styles[s], &style));
          scene = sample_layout (sample, widths[w], heights[h], &style);
          check_scene (scene, what);
        }
}

/* A page of nothing, or less, is laid out like any other. */
static void
test_degenerate_pages (void)
{
  const double sizes[] = { 0, -5, 1, 7, NAN };
  WwPlotStyle style;

  ww_plot_style_init (&style);
  for (guint sample = 0; sample < N_SAMPLES; sample++)
    for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
        {
          g_autoptr (WwScene) scene = sample_layout ((Sample) sample, sizes[i], sizes[k], &style);
          double width, height;

          ww_scene_get_size (scene, &width, &height);
          g_assert_true (width >= 0 && height >= 0);
        }
}

static guint
count_items (WwScene *scene, WwItemKind kind)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);
  guint count = 0;

  for (gsize i = 0; i < n; i++)
    count += items[i].kind == kind;
  return count;
}

static gboolean
has_text (WwScene *scene, const char *text)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);

  for (gsize i = 0; i < n; i++)
    if (items[i].kind == WW_ITEM_TEXT && g_strcmp0 (items[i].text, text) == 0)
      return TRUE;
  return FALSE;
}

/* In a figure of a journal column every label is there. */
static void
test_everything_is_there (void)
{
  const char *const wanted[] = { "10", "20", "50", "100", "200", "0.1", "1", "context length n",
                                 "word sensitivity", "RF: n^-0.50", "ReLU-RAF: n^-0.21",
                                 "softmax-RAF: n^0.01", "theory n^{-1/2}" };
  WwPlotStyle style;
  g_autoptr (WwScene) scene = NULL;

  ww_plot_style_init (&style);
  scene = sample_layout (SAMPLE_CURVES, 252, 184, &style);
  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (!has_text (scene, wanted[i]))
      complain ("\"%s\" is missing", wanted[i]);
  /* Eight points in each of three series, and a sample of each in the legend. */
  g_assert_cmpuint (count_items (scene, WW_ITEM_MARKER), ==, 3 * 8 + 3);
  g_assert_cmpuint (count_items (scene, WW_ITEM_POLYGON), ==, 3);
}

/* Cells and colour bar, whatever the values. */
static void
test_colour_bar (void)
{
  const Sample samples[] = { SAMPLE_HEATMAP, SAMPLE_HEATMAP_ZERO, SAMPLE_HEATMAP_GAPS };
  WwPlotStyle style;

  ww_plot_style_init (&style);
  for (gsize i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autoptr (WwScene) scene = sample_layout (samples[i], 252, 230, &style);
      g_assert_cmpuint (count_items (scene, WW_ITEM_IMAGE), ==, 2);
    }
  g_autoptr (WwScene) zero = sample_layout (SAMPLE_HEATMAP_ZERO, 252, 230, &style);
  g_assert_true (has_text (zero, "0.0"));
  g_assert_true (has_text (zero, "1.0"));
}

static void
test_compose (void)
{
  WwPlotStyle style;
  g_autoptr (WwScene) left = NULL;
  g_autoptr (WwScene) right = NULL;
  g_autoptr (WwScene) page = NULL;
  const double x[2] = { 0, 250 }, y[2] = { 0, 0 };
  double width, height;

  ww_plot_style_init (&style);
  left = sample_layout (SAMPLE_HEATMAP, 250, 220, &style);
  right = sample_layout (SAMPLE_BARS, 250, 220, &style);
  WwScene *const scenes[2] = { left, right };
  page = ww_scene_compose (500, 220, &style, scenes, x, y, 2);
  ww_scene_get_size (page, &width, &height);
  g_assert_cmpfloat (width, ==, 500);
  g_assert_cmpfloat (height, ==, 220);
  check_scene (page, "composed");
  g_assert_cmpuint (count_items (page, WW_ITEM_SCENE), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint sample = 0; sample < N_SAMPLES; sample++)
    {
      g_autofree char *path = g_strconcat ("/plot/layout/sizes/", sample_get_name ((Sample) sample), NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (sample), test_sizes);
    }
  g_test_add_func ("/plot/layout/degenerate-pages", test_degenerate_pages);
  g_test_add_func ("/plot/layout/everything-is-there", test_everything_is_there);
  g_test_add_func ("/plot/layout/colour-bar", test_colour_bar);
  g_test_add_func ("/plot/layout/compose", test_compose);
  return g_test_run ();
}

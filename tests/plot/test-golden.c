/* Pictures that were looked at once and found good, against what is drawn now. After a wanted change:
 * WW_UPDATE_GOLDEN=1 writes tests/plot/golden anew; look at every picture before committing it. */
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>

#include "samples.h"
#include "ww-text-private.h"

/* The pictures hold letters of this font; others would make other pictures. */
#define FAMILY "DejaVu Sans"
#define BLOCK 5

typedef struct
{
  Sample sample;
  const char *style;
  double width, height;
} Picture;

static const Picture pictures[] = {
  { SAMPLE_CURVES, "default", 252, 184 },        { SAMPLE_CURVES, "dark", 360, 230 },
  { SAMPLE_CURVES_LINEAR, "large", 400, 280 },   { SAMPLE_CURVES_EMPTY, "dark", 252, 184 },
  { SAMPLE_CURVES_WIDE, "default", 252, 184 },   { SAMPLE_HEATMAP, "default", 252, 220 },
  { SAMPLE_HEATMAP_LARGE, "dark", 300, 260 },    { SAMPLE_HEATMAP_GAPS, "default", 252, 200 },
  { SAMPLE_HEATMAP_ZERO, "dark", 252, 220 },     { SAMPLE_BARS, "default", 300, 150 },
  { SAMPLE_BARS_MANY, "dark", 400, 150 },
};

static char *
golden_path (const Picture *picture)
{
  g_autofree char *name = g_strdup_printf ("%s-%s.png", sample_get_name (picture->sample), picture->style);

  return g_build_filename (WW_TEST_DATA_DIR, "plot", "golden", name, NULL);
}

static GBytes *
render (const Picture *picture)
{
  WwPlotStyle style;
  g_autoptr (WwScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *png;

  g_assert_true (ww_plot_style_from_name (picture->style, &style));
  style.font_family = FAMILY;
  scene = sample_layout (picture->sample, picture->width, picture->height, &style);
  png = ww_scene_to_bytes (scene, WW_FIGURE_FORMAT_PNG, 96, NULL, NULL, &error);
  g_assert_no_error (error);
  return png;
}

static GdkPixbuf *
decode (GBytes *png)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();
  g_autoptr (GError) error = NULL;

  gdk_pixbuf_loader_write_bytes (loader, png, &error);
  g_assert_no_error (error);
  gdk_pixbuf_loader_close (loader, &error);
  g_assert_no_error (error);
  return g_object_ref (gdk_pixbuf_loader_get_pixbuf (loader));
}

/* Mean of one channel over a block: what is left of letters are grey spots, which do not depend on
 * the version of the rasteriser. */
static double
block_mean (const GdkPixbuf *pixbuf, int left, int top, int channel)
{
  const guchar *pixels = gdk_pixbuf_read_pixels (pixbuf);
  int stride = gdk_pixbuf_get_rowstride (pixbuf), channels = gdk_pixbuf_get_n_channels (pixbuf);
  double sum = 0;

  for (int y = top; y < top + BLOCK; y++)
    for (int x = left; x < left + BLOCK; x++)
      sum += pixels[y * stride + x * channels + channel];
  return sum / (BLOCK * BLOCK);
}

static void
compare (const GdkPixbuf *found, const GdkPixbuf *expected)
{
  double sum = 0, largest = 0;
  guint n = 0;

  g_assert_cmpint (gdk_pixbuf_get_width (found), ==, gdk_pixbuf_get_width (expected));
  g_assert_cmpint (gdk_pixbuf_get_height (found), ==, gdk_pixbuf_get_height (expected));
  for (int y = 0; y + BLOCK <= gdk_pixbuf_get_height (found); y += BLOCK)
    for (int x = 0; x + BLOCK <= gdk_pixbuf_get_width (found); x += BLOCK)
      for (int channel = 0; channel < 3; channel++, n++)
        {
          double difference = fabs (block_mean (found, x, y, channel) - block_mean (expected, x, y, channel));
          sum += difference;
          largest = fmax (largest, difference);
        }
  g_test_message ("mean %.3f, largest %.1f of 255", sum / n, largest);
  g_assert_cmpfloat (sum / n, <, 1.0);
  g_assert_cmpfloat (largest, <, 60);
}

static void
test_picture (gconstpointer data)
{
  const Picture *picture = data;
  g_autofree char *path = golden_path (picture);
  g_autofree char *family = ww_text_resolve_family (FAMILY);
  g_autoptr (GBytes) png = NULL;
  g_autoptr (GdkPixbuf) found = NULL;
  g_autoptr (GdkPixbuf) expected = NULL;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (family, FAMILY) != 0)
    {
      g_test_skip ("the font " FAMILY " is not installed");
      return;
    }
  png = render (picture);
  if (g_getenv ("WW_UPDATE_GOLDEN") != NULL)
    {
      ww_write_file_atomically (path, g_bytes_get_data (png, NULL), g_bytes_get_size (png), &error);
      g_assert_no_error (error);
    }
  found = decode (png);
  expected = gdk_pixbuf_new_from_file (path, &error);
  g_assert_no_error (error);
  compare (found, expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (pictures); i++)
    {
      g_autofree char *path = g_strdup_printf ("/plot/golden/%s-%s", sample_get_name (pictures[i].sample),
                                               pictures[i].style);
      g_test_add_data_func (path, &pictures[i], test_picture);
    }
  return g_test_run ();
}

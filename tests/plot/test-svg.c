/* The SVG writer: well-formed, real text, provenance, and nothing that the locale could spoil. */
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>
#include <string.h>

#include "samples.h"
#include "ww-scene-private.h"

#define DESCRIPTION "version: 0.1.0\nseed: 7\ntext: \"a < b & c > d\"\ttab\x01\xff end"

typedef struct
{
  guint n_text, n_image, n_polyline, n_polygon, n_clip, depth;
  GString *text; /* of all <text> elements */
  GString *title, *desc, *rdf_description;
  char *image, *width, *view_box, *font_family;
  gboolean pixelated;
} Found;

static const char *
attribute (const char **names, const char **values, const char *wanted)
{
  for (gsize i = 0; names[i] != NULL; i++)
    if (g_strcmp0 (names[i], wanted) == 0)
      return values[i];
  return NULL;
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **names, const char **values,
          gpointer data, GError **error)
{
  Found *found = data;

  if (g_str_equal (element, "svg"))
    {
      found->width = g_strdup (attribute (names, values, "width"));
      found->view_box = g_strdup (attribute (names, values, "viewBox"));
      found->font_family = g_strdup (attribute (names, values, "font-family"));
    }
  else if (g_str_equal (element, "image"))
    {
      const char *style = attribute (names, values, "style");
      found->pixelated = style != NULL && strstr (style, "image-rendering:pixelated") != NULL;
      if (found->image == NULL)
        found->image = g_strdup (attribute (names, values, "xlink:href"));
    }
  found->n_text += g_str_equal (element, "text");
  found->n_image += g_str_equal (element, "image");
  found->n_polyline += g_str_equal (element, "polyline");
  found->n_polygon += g_str_equal (element, "polygon");
  found->n_clip += g_str_equal (element, "clipPath");
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Found *found = data;
  const GSList *stack = g_markup_parse_context_get_element_stack (context);
  const char *element = stack != NULL ? stack->data : "";
  gboolean in_text = g_str_equal (element, "text") || g_str_equal (element, "tspan");
  GString *to = in_text ? found->text
                : g_str_equal (element, "title") ? found->title
                : g_str_equal (element, "desc") ? found->desc
                : g_str_equal (element, "dc:description") ? found->rdf_description : NULL;

  if (to != NULL)
    g_string_append_len (to, text, (gssize) length);
  if (g_str_equal (element, "text"))
    g_string_append_c (to, '|');
}

static Found *
parse (GBytes *svg)
{
  static const GMarkupParser parser = { .start_element = on_start, .text = on_text };
  Found *found = g_new0 (Found, 1);
  g_autoptr (GMarkupParseContext) context = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;
  const char *data = g_bytes_get_data (svg, &length);

  found->text = g_string_new (NULL);
  found->title = g_string_new (NULL);
  found->desc = g_string_new (NULL);
  found->rdf_description = g_string_new (NULL);
  context = g_markup_parse_context_new (&parser, 0, found, NULL);
  g_markup_parse_context_parse (context, data, (gssize) length, &error);
  g_assert_no_error (error);
  g_markup_parse_context_end_parse (context, &error);
  g_assert_no_error (error);
  return found;
}

static void
found_free (Found *found)
{
  g_string_free (found->text, TRUE);
  g_string_free (found->title, TRUE);
  g_string_free (found->desc, TRUE);
  g_string_free (found->rdf_description, TRUE);
  g_free (found->image);
  g_free (found->width);
  g_free (found->view_box);
  g_free (found->font_family);
  g_free (found);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Found, found_free)

static GBytes *
write_sample (Sample sample, const char *title, const char *description)
{
  WwPlotStyle style;
  g_autoptr (WwScene) scene = NULL;
  g_autoptr (GError) error = NULL;
  GBytes *bytes;

  ww_plot_style_init (&style);
  scene = sample_layout (sample, 252, 184, &style);
  bytes = ww_scene_to_bytes (scene, WW_FIGURE_FORMAT_SVG, 0, title, description, &error);
  g_assert_no_error (error);
  return bytes;
}

static void
test_curves (void)
{
  g_autoptr (GBytes) svg = write_sample (SAMPLE_CURVES, "Title", "one\ntwo");
  g_autoptr (Found) found = parse (svg);

  g_assert_cmpuint (found->n_text, >=, 15);
  g_assert_cmpuint (found->n_polyline, >=, 4);
  g_assert_cmpuint (found->n_polygon, >=, 3);
  g_assert_cmpuint (found->n_clip, ==, 1);
  g_assert_cmpuint (found->n_image, ==, 0);
  g_assert_cmpstr (found->width, ==, "252pt");
  g_assert_cmpstr (found->view_box, ==, "0 0 252 184");
  g_assert_nonnull (strstr (found->text->str, "context length n|"));
  /* An exponent is raised, not spelled out. */
  g_assert_nonnull (strstr (found->text->str, "RF: n|−0.50"));
  g_assert_null (strchr (found->text->str, '^'));
  g_assert_true (g_str_has_suffix (found->font_family, ", sans-serif"));
}

static void
test_provenance (void)
{
  g_autoptr (GBytes) svg = write_sample (SAMPLE_BARS, "A <title> & \"more\"", DESCRIPTION);
  g_autoptr (Found) found = parse (svg);
  const char *expected = "version: 0.1.0\nseed: 7\ntext: \"a < b & c > d\"\ttab\xef\xbf\xbd end";

  g_assert_cmpstr (found->title->str, ==, "A <title> & \"more\"");
  g_assert_cmpstr (found->desc->str, ==, expected);
  g_assert_cmpstr (found->rdf_description->str, ==, expected);
}

static void
test_no_provenance (void)
{
  g_autoptr (GBytes) svg = write_sample (SAMPLE_BARS, NULL, NULL);
  g_autoptr (Found) found = parse (svg);

  g_assert_cmpuint (found->n_text, >, 5);
}

/* The cells are one image whose pixels are multiples of the cells. */
static void
test_heatmap (void)
{
  g_autoptr (GBytes) svg = write_sample (SAMPLE_HEATMAP, "t", "d");
  g_autoptr (Found) found = parse (svg);
  const char *prefix = "data:image/png;base64,";
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new ();
  g_autofree guchar *png = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_cmpuint (found->n_image, ==, 2);
  g_assert_true (found->pixelated);
  g_assert_true (g_str_has_prefix (found->image, prefix));
  png = g_base64_decode (found->image + strlen (prefix), &length);
  gdk_pixbuf_loader_write (loader, png, length, &error);
  g_assert_no_error (error);
  gdk_pixbuf_loader_close (loader, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_pixbuf_get_width (gdk_pixbuf_loader_get_pixbuf (loader)) % 12, ==, 0);
  g_assert_cmpuint (g_bytes_get_size (svg), <, 100000);
}

static void
test_large_heatmap_size (void)
{
  g_autoptr (GBytes) svg = write_sample (SAMPLE_HEATMAP_LARGE, "t", "d");

  g_assert_cmpuint (g_bytes_get_size (svg), <, 400000);
}

/* Tokens can be anything. */
static void
test_hostile_labels (void)
{
  const char *labels[4] = { "</text><script>", "a&b;", "\xff\xfe\x80", "\x01\x1b[0m\"'" };
  const double values[4] = { 1, 2, 3, 4 };
  const WwBarSeries series = { "]]> & <", 0, values, NAN };
  WwBarsFigure figure = { .n_bars = 4, .labels = labels, .marked = -1, .series = &series, .n_series = 1,
                          .y_max = NAN, .legend = TRUE };
  WwPlotStyle style;
  g_autoptr (WwScene) scene = NULL;
  g_autoptr (GBytes) svg = NULL;
  g_autoptr (Found) found = NULL;

  ww_plot_style_init (&style);
  style.font_family = "O'Nil \" & <Sans>, Monospace";
  scene = ww_bars_figure_layout (&figure, 400, 300, &style, NULL);
  svg = ww_scene_to_bytes (scene, WW_FIGURE_FORMAT_SVG, 0, labels[2], labels[3], NULL);
  found = parse (svg);
  g_assert_nonnull (strstr (found->text->str, "</text><script>"));
  g_assert_nonnull (strstr (found->text->str, "a&b;"));
  g_assert_nonnull (strstr (found->text->str, "]]> & <"));
}

static void
test_composed (void)
{
  WwPlotStyle style;
  g_autoptr (WwScene) one = NULL;
  g_autoptr (WwScene) page = NULL;
  g_autoptr (GBytes) svg = NULL;
  g_autoptr (Found) found = NULL;
  const double x[2] = { 0, 252 }, y[2] = { 0, 0 };

  ww_plot_style_init (&style);
  one = sample_layout (SAMPLE_CURVES, 252, 184, &style);
  WwScene *const scenes[2] = { one, one };
  page = ww_scene_compose (504, 184, &style, scenes, x, y, 2);
  svg = ww_scene_to_bytes (page, WW_FIGURE_FORMAT_SVG, 0, NULL, NULL, NULL);
  found = parse (svg);
  /* Each with a clip of its own name. */
  g_assert_cmpuint (found->n_clip, ==, 2);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (svg, NULL), (gssize) g_bytes_get_size (svg), "id=\"clip2\""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/svg/curves", test_curves);
  g_test_add_func ("/plot/svg/provenance", test_provenance);
  g_test_add_func ("/plot/svg/no-provenance", test_no_provenance);
  g_test_add_func ("/plot/svg/heatmap", test_heatmap);
  g_test_add_func ("/plot/svg/large-heatmap-size", test_large_heatmap_size);
  g_test_add_func ("/plot/svg/hostile-labels", test_hostile_labels);
  g_test_add_func ("/plot/svg/composed", test_composed);
  return g_test_run ();
}

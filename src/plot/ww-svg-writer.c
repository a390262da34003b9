#include "ww-svg-writer-private.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>
#include <string.h>

#include "ww-scene-pixels-private.h"

typedef struct
{
  GString *out;
  guint n_clips;
} Writer;

/* Three decimals of a point are a third of a micrometre. A dot in every locale, no trailing zeros. */
static void
put_number (Writer *writer, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  gsize length;

  g_ascii_formatd (buffer, sizeof buffer, "%.3f", value);
  length = strlen (buffer);
  while (length > 1 && buffer[length - 1] == '0')
    length--;
  if (buffer[length - 1] == '.')
    length--;
  buffer[length] = '\0';
  g_string_append (writer->out, strcmp (buffer, "-0") == 0 ? "0" : buffer);
}

static void
put_attribute (Writer *writer, const char *name, double value)
{
  g_string_append_printf (writer->out, " %s=\"", name);
  put_number (writer, value);
  g_string_append_c (writer->out, '"');
}

/* Markup characters are escaped, and the control characters that XML 1.0 forbids even as references
 * are left out. */
static void
put_escaped (Writer *writer, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (c == '&')
        g_string_append (writer->out, "&amp;");
      else if (c == '<')
        g_string_append (writer->out, "&lt;");
      else if (c == '>')
        g_string_append (writer->out, "&gt;");
      else if (c == '"')
        g_string_append (writer->out, "&quot;");
      else if (c >= 0x20 ? c != 0xfffe && c != 0xffff : c == '\n' || c == '\t')
        g_string_append_unichar (writer->out, c);
    }
}

static void
put_paint (Writer *writer, const char *name, WwColour colour)
{
  if (colour.alpha <= 0)
    {
      g_string_append_printf (writer->out, " %s=\"none\"", name);
      return;
    }
  g_string_append_printf (writer->out, " %s=\"#%02x%02x%02x\"", name,
                          (guint) lround (CLAMP (colour.red, 0, 1) * 255),
                          (guint) lround (CLAMP (colour.green, 0, 1) * 255),
                          (guint) lround (CLAMP (colour.blue, 0, 1) * 255));
  if (colour.alpha < 1)
    {
      g_autofree char *opacity = g_strconcat (name, "-opacity", NULL);
      put_attribute (writer, opacity, colour.alpha);
    }
}

static void
put_stroke (Writer *writer, const WwItem *item)
{
  double lengths[WW_DASH_MAX_LENGTHS];
  guint n;

  put_paint (writer, "stroke", item->line_width > 0 ? item->stroke : (WwColour) { 0 });
  if (item->stroke.alpha <= 0 || item->line_width <= 0)
    return;
  put_attribute (writer, "stroke-width", item->line_width);
  n = ww_dash_get_lengths (item->dash, item->line_width, lengths);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (writer->out, i == 0 ? " stroke-dasharray=\"" : " ");
      put_number (writer, lengths[i]);
    }
  if (n > 0)
    g_string_append_c (writer->out, '"');
}

static void
put_point (Writer *writer, const char *before, double x, double y)
{
  g_string_append (writer->out, before);
  put_number (writer, x);
  g_string_append_c (writer->out, ' ');
  put_number (writer, y);
}

static void
write_segments (Writer *writer, const WwItem *item)
{
  g_string_append (writer->out, "<path d=\"");
  for (gsize i = 0; i + 1 < item->n_points; i += 2)
    {
      put_point (writer, "M", item->points[i].x, item->points[i].y);
      put_point (writer, "L", item->points[i + 1].x, item->points[i + 1].y);
    }
  g_string_append (writer->out, "\" fill=\"none\"");
  put_stroke (writer, item);
  g_string_append (writer->out, "/>\n");
}

static void
write_points (Writer *writer, const char *element, const WwPoint *points, gsize n, double x, double y)
{
  g_string_append_printf (writer->out, "<%s points=\"", element);
  for (gsize i = 0; i < n; i++)
    put_point (writer, i == 0 ? "" : " ", x + points[i].x, y + points[i].y);
  g_string_append_c (writer->out, '"');
}

static void
write_polyline (Writer *writer, const WwItem *item)
{
  write_points (writer, "polyline", item->points, item->n_points, 0, 0);
  g_string_append (writer->out, " fill=\"none\" stroke-linejoin=\"round\"");
  if (item->dash == WW_DASH_SOLID)
    g_string_append (writer->out, " stroke-linecap=\"round\"");
  put_stroke (writer, item);
  g_string_append (writer->out, "/>\n");
}

static void
write_polygon (Writer *writer, const WwItem *item)
{
  write_points (writer, "polygon", item->points, item->n_points, 0, 0);
  put_paint (writer, "fill", item->fill);
  g_string_append (writer->out, "/>\n");
}

static void
put_box (Writer *writer, const WwItem *item)
{
  put_attribute (writer, "x", item->x);
  put_attribute (writer, "y", item->y);
  put_attribute (writer, "width", item->width);
  put_attribute (writer, "height", item->height);
}

static void
write_rect (Writer *writer, const WwItem *item)
{
  g_string_append (writer->out, "<rect");
  put_box (writer, item);
  put_paint (writer, "fill", item->fill);
  put_stroke (writer, item);
  g_string_append (writer->out, "/>\n");
}

static void
write_marker (Writer *writer, const WwItem *item)
{
  WwPoint corners[WW_MARKER_MAX_CORNERS];
  gsize n = ww_marker_get_corners (item->marker, item->width, corners);

  if (n > 0)
    write_points (writer, "polygon", corners, n, item->x, item->y);
  else
    {
      g_string_append (writer->out, "<circle");
      put_attribute (writer, "cx", item->x);
      put_attribute (writer, "cy", item->y);
      put_attribute (writer, "r", item->width);
    }
  put_paint (writer, "fill", item->fill);
  put_stroke (writer, item);
  g_string_append (writer->out, "/>\n");
}

/* Superscripts are moved by `dy`, and the next run is moved back: baseline-shift is not understood
 * everywhere. */
static void
write_runs (Writer *writer, const WwItem *item)
{
  g_autoptr (GArray) runs = ww_text_split (item->text, item->typeset);
  double down = 0;

  for (guint i = 0; i < runs->len; i++)
    {
      const WwTextRun *run = &g_array_index (runs, WwTextRun, i);
      double wanted = run->raised ? -WW_TEXT_RAISED_BY * item->font.size : 0;

      if (run->raised || down != 0)
        {
          g_string_append (writer->out, "<tspan");
          put_attribute (writer, "dy", wanted - down);
          if (run->raised)
            put_attribute (writer, "font-size", item->font.size * WW_TEXT_RAISED_SIZE);
          g_string_append_c (writer->out, '>');
          put_escaped (writer, run->text);
          g_string_append (writer->out, "</tspan>");
        }
      else
        put_escaped (writer, run->text);
      down = wanted;
    }
}

static void
write_text (Writer *writer, const WwItem *item)
{
  static const char *const anchors[] = { NULL, "middle", "end" };

  g_string_append (writer->out, "<text");
  if (item->rotation == 0)
    {
      put_attribute (writer, "x", item->x);
      put_attribute (writer, "y", item->y);
    }
  else
    {
      put_point (writer, " transform=\"translate(", item->x, item->y);
      g_string_append (writer->out, ") rotate(");
      put_number (writer, item->rotation);
      g_string_append (writer->out, ")\"");
    }
  put_attribute (writer, "font-size", item->font.size);
  if (item->font.bold)
    g_string_append (writer->out, " font-weight=\"bold\"");
  if (anchors[item->anchor] != NULL)
    g_string_append_printf (writer->out, " text-anchor=\"%s\"", anchors[item->anchor]);
  put_paint (writer, "fill", item->fill);
  g_string_append_c (writer->out, '>');
  write_runs (writer, item);
  g_string_append (writer->out, "</text>\n");
}

/* Every cell becomes a square of pixels: viewers that smooth images in spite of `image-rendering` then
 * blur no more than the rims of the cells. Equal rows of pixels cost next to nothing in a PNG. */
static GdkPixbuf *
enlarge (GdkPixbuf *cells)
{
  const int wanted = 640, most = 40;
  int columns = gdk_pixbuf_get_width (cells), rows = gdk_pixbuf_get_height (cells);
  int factor = CLAMP (wanted / MAX (columns, rows), 1, most);

  return gdk_pixbuf_scale_simple (cells, columns * factor, rows * factor, GDK_INTERP_NEAREST);
}

static void
write_image (Writer *writer, const WwItem *item)
{
  g_autoptr (GdkPixbuf) cells = ww_pixbuf_from_surface (item->image, TRUE);
  g_autoptr (GdkPixbuf) pixels = cells != NULL ? enlarge (cells) : NULL;
  g_autofree char *png = NULL;
  g_autofree char *encoded = NULL;
  gsize length;

  if (item->width <= 0 || item->height <= 0 || pixels == NULL
      || !gdk_pixbuf_save_to_buffer (pixels, &png, &length, "png", NULL, NULL))
    return;
  encoded = g_base64_encode ((const guchar *) png, length);
  g_string_append (writer->out, "<image");
  put_box (writer, item);
  g_string_append_printf (writer->out,
                          " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\""
                          " xlink:href=\"data:image/png;base64,%s\"/>\n",
                          encoded);
}

static void
write_clip (Writer *writer, const WwItem *item)
{
  guint id = ++writer->n_clips;

  g_string_append_printf (writer->out, "<clipPath id=\"clip%u\"><rect", id);
  put_box (writer, item);
  g_string_append_printf (writer->out, "/></clipPath>\n<g clip-path=\"url(#clip%u)\">\n", id);
}

static void
write_items (Writer *writer, WwScene *scene)
{
  gsize n;
  const WwItem *items = ww_scene_get_items (scene, &n);

  for (gsize i = 0; i < n; i++)
    {
      const WwItem *item = &items[i];
      switch (item->kind)
        {
        case WW_ITEM_SEGMENTS: write_segments (writer, item); break;
        case WW_ITEM_POLYLINE: write_polyline (writer, item); break;
        case WW_ITEM_POLYGON: write_polygon (writer, item); break;
        case WW_ITEM_RECT: write_rect (writer, item); break;
        case WW_ITEM_MARKER: write_marker (writer, item); break;
        case WW_ITEM_TEXT: write_text (writer, item); break;
        case WW_ITEM_IMAGE: write_image (writer, item); break;
        case WW_ITEM_CLIP: write_clip (writer, item); break;
        case WW_ITEM_UNCLIP: g_string_append (writer->out, "</g>\n"); break;
        case WW_ITEM_SCENE:
          put_point (writer, "<g transform=\"translate(", item->x, item->y);
          g_string_append (writer->out, ")\">\n");
          write_items (writer, item->scene);
          g_string_append (writer->out, "</g>\n");
          break;
        default: g_assert_not_reached ();
        }
    }
}

static void
put_element (Writer *writer, const char *name, const char *text)
{
  if (text == NULL)
    return;
  g_string_append_printf (writer->out, "<%s>", name);
  put_escaped (writer, text);
  g_string_append_printf (writer->out, "</%s>\n", name);
}

static void
write_metadata (Writer *writer, const char *title, const char *description)
{
  put_element (writer, "title", title);
  put_element (writer, "desc", description);
  g_string_append (writer->out,
                   "<metadata>\n"
                   "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
                   " xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n"
                   "<rdf:Description rdf:about=\"\">\n"
                   "<dc:format>image/svg+xml</dc:format>\n");
  put_element (writer, "dc:title", title);
  put_element (writer, "dc:description", description);
  put_element (writer, "dc:creator", "Wordsway " WW_VERSION);
  g_string_append (writer->out, "</rdf:Description>\n</rdf:RDF>\n</metadata>\n");
}

GString *
ww_svg_write (WwScene *scene, const char *title, const char *description)
{
  g_autofree char *family = ww_text_resolve_family (ww_scene_get_font_family (scene));
  Writer writer = { g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), 0 };
  double width, height;

  ww_scene_get_size (scene, &width, &height);
  g_string_append (writer.out, "<svg xmlns=\"http://www.w3.org/2000/svg\""
                               " xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\""
                               " xml:space=\"preserve\" width=\"");
  put_number (&writer, width);
  g_string_append (writer.out, "pt\" height=\"");
  put_number (&writer, height);
  put_point (&writer, "pt\" viewBox=\"0 0 ", width, height);
  g_strdelimit (family, "'\\", ' ');
  g_string_append (writer.out, "\" font-family=\"'");
  put_escaped (&writer, family);
  g_string_append (writer.out, "', sans-serif\">\n");
  write_metadata (&writer, title, description);
  write_items (&writer, scene);
  g_string_append (writer.out, "</svg>\n");
  return writer.out;
}

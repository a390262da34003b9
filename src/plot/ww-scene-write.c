#include "ww-scene-write.h"

#include <cairo-pdf.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "ww-scene-pixels-private.h"
#include "ww-svg-writer-private.h"

/* The largest page that PDF readers must take, in pt, and the most pixels of a bitmap. */
#define MAX_PAGE 14400.0
#define MAX_SIDE 32767.0
#define MAX_PIXELS 250e6

GdkPixbuf *
ww_pixbuf_from_surface (cairo_surface_t *surface, gboolean opaque)
{
  int width = cairo_image_surface_get_width (surface);
  int height = cairo_image_surface_get_height (surface);
  GdkPixbuf *pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, !opaque, 8, width, height);
  guint channels = opaque ? 3 : 4;
  gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  const guchar *data;

  if (pixbuf == NULL)
    return NULL;
  cairo_surface_flush (surface);
  data = cairo_image_surface_get_data (surface);
  for (int y = 0; y < height; y++)
    {
      const guint32 *from = (const guint32 *) (const void *) (data + (gsize) y * stride);
      guchar *to = gdk_pixbuf_get_pixels (pixbuf) + (gsize) y * (gsize) gdk_pixbuf_get_rowstride (pixbuf);
      for (int x = 0; x < width; x++, to += channels)
        {
          guint32 alpha = opaque ? 255 : from[x] >> 24;
          for (guint c = 0; c < 3; c++)
            {
              guint32 value = from[x] >> (16 - 8 * c) & 0xff;
              to[c] = (guchar) (alpha == 0 ? 0 : MIN ((value * 255 + alpha / 2) / alpha, 255));
            }
          if (!opaque)
            to[3] = (guchar) alpha;
        }
    }
  return pixbuf;
}

static gboolean
size_error (GError **error, const char *what)
{
  g_set_error_literal (error, WW_PLOT_ERROR, WW_PLOT_ERROR_SIZE, what);
  return FALSE;
}

static gboolean
check_page (WwScene *scene, GError **error)
{
  double width, height;

  ww_scene_get_size (scene, &width, &height);
  if (width <= 0 || height <= 0)
    return size_error (error, _("The figure is empty: its width and height must be above zero"));
  if (width > MAX_PAGE || height > MAX_PAGE)
    return size_error (error, _("The figure is too large: a side may have at most 14400 pt (508 cm)"));
  return TRUE;
}

static gboolean
cairo_failed (cairo_status_t status, GError **error)
{
  if (status == CAIRO_STATUS_SUCCESS)
    return FALSE;
  g_set_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_WRITE, _("The figure could not be drawn: %s"),
               cairo_status_to_string (status));
  return TRUE;
}

static cairo_surface_t *
draw_bitmap (WwScene *scene, double dpi, GError **error)
{
  double page_width, page_height, width, height;
  cairo_surface_t *surface;
  cairo_t *cr;
  cairo_status_t status;

  ww_scene_get_size (scene, &page_width, &page_height);
  width = fmax (round (page_width * dpi / 72), 1);
  height = fmax (round (page_height * dpi / 72), 1);
  if (!(width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS))
    {
      g_set_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_SIZE,
                   _("The bitmap would be too large (%.0f x %.0f pixels): lower the dpi or the size"),
                   width, height);
      return NULL;
    }
  surface = cairo_image_surface_create (ww_scene_get_background (scene).alpha < 1 ? CAIRO_FORMAT_ARGB32
                                                                                  : CAIRO_FORMAT_RGB24,
                                        (int) width, (int) height);
  cr = cairo_create (surface);
  /* Stretched by less than half a pixel, so that the page fills the last row and column. */
  cairo_scale (cr, width / page_width, height / page_height);
  ww_scene_draw (scene, cr, FALSE);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (cairo_failed (status, error))
    g_clear_pointer (&surface, cairo_surface_destroy);
  return surface;
}

static GBytes *
write_png (WwScene *scene, double dpi, const char *title, const char *description, GError **error)
{
  cairo_surface_t *surface;
  g_autoptr (GdkPixbuf) pixbuf = NULL;
  g_autoptr (GError) local = NULL;
  g_autofree char *rounded = NULL;
  char *buffer;
  gsize length;

  if (!isfinite (dpi) || dpi < 1)
    {
      size_error (error, _("The dpi must be 1 or more"));
      return NULL;
    }
  surface = draw_bitmap (scene, dpi, error);
  if (surface == NULL)
    return NULL;
  pixbuf = ww_pixbuf_from_surface (surface, ww_scene_get_background (scene).alpha >= 1);
  cairo_surface_destroy (surface);
  if (pixbuf == NULL)
    {
      size_error (error, _("There is not enough memory for the bitmap: lower the dpi or the size"));
      return NULL;
    }
  rounded = g_strdup_printf ("%ld", lround (dpi));
  if (!gdk_pixbuf_save_to_buffer (pixbuf, &buffer, &length, "png", &local, "x-dpi", rounded, "y-dpi",
                                  rounded, "tEXt::Software", "Wordsway " WW_VERSION, "tEXt::Title",
                                  title, "tEXt::Description", description, NULL))
    {
      g_set_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_WRITE, _("The PNG could not be made: %s"),
                   local->message);
      return NULL;
    }
  return g_bytes_new_take (buffer, length);
}

static cairo_status_t
append_bytes (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
set_pdf_metadata (cairo_surface_t *surface, const char *title, const char *description)
{
  const char *end = strchr (description, '\n');
  g_autofree char *subject = end != NULL ? g_strndup (description, (gsize) (end - description))
                                         : g_strdup (description);

  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, title);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, subject);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_KEYWORDS, description);
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Wordsway " WW_VERSION);
  /* Fixed, so that the same figure is the same bytes. */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
}

static GBytes *
write_pdf (WwScene *scene, const char *title, const char *description, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *surface;
  cairo_t *cr;
  double width, height;
  cairo_status_t status;

  ww_scene_get_size (scene, &width, &height);
  surface = cairo_pdf_surface_create_for_stream (append_bytes, bytes, width, height);
  set_pdf_metadata (surface, title, description);
  cr = cairo_create (surface);
  ww_scene_draw (scene, cr, FALSE);
  cairo_show_page (cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (cairo_failed (status, error))
    return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

GBytes *
ww_scene_to_bytes (WwScene *scene, WwFigureFormat format, double dpi, const char *title,
                   const char *description, GError **error)
{
  g_autofree char *valid_title = NULL;
  g_autofree char *valid_description = NULL;

  g_return_val_if_fail (scene != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!check_page (scene, error))
    return NULL;
  valid_title = g_utf8_make_valid (title != NULL ? title : "", -1);
  valid_description = g_utf8_make_valid (description != NULL ? description : "", -1);
  switch (format)
    {
    case WW_FIGURE_FORMAT_SVG:
      return g_string_free_to_bytes (ww_svg_write (scene, valid_title, valid_description));
    case WW_FIGURE_FORMAT_PDF:
      return write_pdf (scene, valid_title, valid_description, error);
    case WW_FIGURE_FORMAT_PNG:
      return write_png (scene, dpi, valid_title, valid_description, error);
    default:
      g_return_val_if_reached (NULL);
    }
}

gboolean
ww_scene_write (WwScene *scene, const char *path, WwFigureFormat format, double dpi, const char *title,
                const char *description, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  gsize length;
  const char *data;

  g_return_val_if_fail (path != NULL, FALSE);

  bytes = ww_scene_to_bytes (scene, format, dpi, title, description, error);
  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &length);
  return ww_write_file_atomically (path, data, length, error);
}

/* Between cairo's pixels and gdk-pixbuf's. */
#pragma once

#include <cairo.h>
#include <gdk-pixbuf/gdk-pixbuf.h>

G_BEGIN_DECLS

/* A copy of an RGB24 or ARGB32 image surface, without premultiplication; NULL if there is no memory
 * for it. `opaque`: without an alpha channel. */
GdkPixbuf *ww_pixbuf_from_surface (cairo_surface_t *surface, gboolean opaque);

G_END_DECLS

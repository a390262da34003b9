/* Drawing more cells than there are pixels: no cell that stands out may fall between two of them. */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

/* Draws `image`, one pixel a cell, into a box of user space. Where the device has fewer pixels than
 * the image, each device pixel takes the colour of the heaviest of the cells in it. `weights` has one
 * weight per cell, row by row; a negative one loses against every other. */
void ww_pool_draw (cairo_t *cr, cairo_surface_t *image, const float *weights, double x, double y,
                   double width, double height);
/* TRUE if the target of `cr` is a bitmap on whose pixel grid ww_pool_draw can work, and the box has
 * fewer of its pixels than the image, or is thinner than one of them. */
gboolean ww_pool_is_needed (cairo_t *cr, cairo_surface_t *image, double width, double height);

G_END_DECLS

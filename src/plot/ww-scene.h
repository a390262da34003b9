/* A scene: the finished layout of a figure, a list of primitives in points. Immutable once a layout
 * function has returned it, and reference counted (atomically). */
#pragma once

#include <cairo.h>
#include <glib-object.h>

#include "ww-style.h"

G_BEGIN_DECLS

typedef struct _WwScene WwScene;

WwScene *ww_scene_ref (WwScene *scene);
void ww_scene_unref (WwScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwScene, ww_scene_unref)
void ww_scene_get_size (WwScene *scene, double *ret_width, double *ret_height); /* pt */

/* Draws at the current origin, 1 user unit = 1 pt. `screen`: cheaper antialiasing, decimated lines. */
void ww_scene_draw (WwScene *scene, cairo_t *cr, gboolean screen);

/* Scenes side by side or above each other in one page (before | after | difference), each at its
 * offset in points; references are taken. */
WwScene *ww_scene_compose (double width, double height, const WwPlotStyle *style,
                           WwScene *const *scenes, const double *x, const double *y, gsize n);

G_END_DECLS

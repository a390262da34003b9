/* A scene as SVG, with real text: cairo's own SVG surface writes letters as outlines. */
#pragma once

#include "ww-scene-private.h"

G_BEGIN_DECLS

/* The whole document. `title` and `description` may be NULL. Sizes are in pt. */
GString *ww_svg_write (WwScene *scene, const char *title, const char *description);

G_END_DECLS

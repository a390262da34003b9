/* A dot in the colour that a feature map has in every figure. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define WW_TYPE_SWATCH (ww_swatch_get_type ())
G_DECLARE_FINAL_TYPE (WwSwatch, ww_swatch, WW, SWATCH, GtkWidget)

/* Property: "map" uint (WwMap). */

G_END_DECLS

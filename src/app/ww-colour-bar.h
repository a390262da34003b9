/* The colours of a range of values, from low to high. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define WW_TYPE_COLOUR_BAR (ww_colour_bar_get_type ())
G_DECLARE_FINAL_TYPE (WwColourBar, ww_colour_bar, WW, COLOUR_BAR, GtkWidget)

G_END_DECLS

/* The keyboard keeps a place in a window. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on the focus goes to what stands next to a widget that can keep it no longer. */
void ww_focus_keep (GtkWindow *window);

G_END_DECLS

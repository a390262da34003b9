/* Children in a line, as wide as they want to be, and in further lines where there is no room: a toolbar that loses
 * nothing to large text. A child with halign "end" stands at the end of its line. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WW_TYPE_WRAP_LAYOUT (ww_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (WwWrapLayout, ww_wrap_layout, WW, WRAP_LAYOUT, GtkLayoutManager)

G_END_DECLS

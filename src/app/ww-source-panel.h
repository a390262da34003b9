/* Where the context comes from: the text, the embedding set, and how its rows are used. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_SOURCE_PANEL (ww_source_panel_get_type ())
G_DECLARE_FINAL_TYPE (WwSourcePanel, ww_source_panel, WW, SOURCE_PANEL, GtkWidget)

/* Once, before the panel is shown. */
void ww_source_panel_set_session (WwSourcePanel *self, WwSession *session);
void ww_source_panel_focus_text (WwSourcePanel *self);

G_END_DECLS

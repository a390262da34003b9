/* How a curve is measured: lengths, trials, seed, token, effort, radius, features. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_SWEEP_PANEL (ww_sweep_panel_get_type ())
G_DECLARE_FINAL_TYPE (WwSweepPanel, ww_sweep_panel, WW, SWEEP_PANEL, GtkWidget)

/* Once, before the panel is shown. */
void ww_sweep_panel_set_session (WwSweepPanel *self, WwSession *session);

G_END_DECLS

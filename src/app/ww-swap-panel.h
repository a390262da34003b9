/* Another word in the place of the nudged token: one to be typed, or the strongest of the set. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_SWAP_PANEL (ww_swap_panel_get_type ())
G_DECLARE_FINAL_TYPE (WwSwapPanel, ww_swap_panel, WW, SWAP_PANEL, GtkWidget)

void ww_swap_panel_set_session (WwSwapPanel *self, WwSession *session); /* once */
/* The keyboard goes to the field of the word. */
void ww_swap_panel_focus_word (WwSwapPanel *self);

G_END_DECLS

/* How long the nudge is: ||delta|| / sqrt (d), or the part lambda of the way to a word, with what length that
 * makes, and whether it leaves the ball that searches keep to. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"
#include "ww-shown-nudge.h"

G_BEGIN_DECLS

#define WW_TYPE_NUDGE_SLIDER (ww_nudge_slider_get_type ())
G_DECLARE_FINAL_TYPE (WwNudgeSlider, ww_nudge_slider, WW, NUDGE_SLIDER, GtkWidget)

void ww_nudge_slider_set_session (WwNudgeSlider *self, WwSession *session);
void ww_nudge_slider_set_shown (WwNudgeSlider *self, WwShownNudge *shown); /* NULL: none */
GtkAdjustment *ww_nudge_slider_get_adjustment (WwNudgeSlider *self);

G_END_DECLS

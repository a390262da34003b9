/* The main figure over context length, with everything that it depends on beside it. */
#pragma once

#include <adwaita.h>

#include "ww-curve-view.h"
#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_CURVES_PAGE (ww_curves_page_get_type ())
G_DECLARE_FINAL_TYPE (WwCurvesPage, ww_curves_page, WW, CURVES_PAGE, GtkWidget)

/* Properties: "x-log", "y-log" boolean, "hidden" uint (bit per WwMap), "sidebar" boolean. */

/* Once, before the page is shown. */
void ww_curves_page_set_session (WwCurvesPage *self, WwSession *session);
WwCurveView *ww_curves_page_get_view (WwCurvesPage *self);
/* The name of the state that the page shows now, and whether it shows the figure. */
const char *ww_curves_page_get_state_words (WwCurvesPage *self);
gboolean ww_curves_page_shows_figure (WwCurvesPage *self);
void ww_curves_page_focus_text (WwCurvesPage *self);

G_END_DECLS

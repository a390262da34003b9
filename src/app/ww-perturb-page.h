/* One word of the text nudged: its attention and the features of every token, before and after. */
#pragma once

#include <adwaita.h>

#include "ww-heatmap-grid.h"
#include "ww-session.h"
#include "ww-shown-nudge.h"

G_BEGIN_DECLS

#define WW_TYPE_PERTURB_PAGE (ww_perturb_page_get_type ())
G_DECLARE_FINAL_TYPE (WwPerturbPage, ww_perturb_page, WW, PERTURB_PAGE, GtkWidget)

/* Properties: "view" uint (WwNudgeView or WW_PERTURB_VIEW_ALL), "sidebar" boolean. */

/* Once, before the page is shown. */
void ww_perturb_page_set_session (WwPerturbPage *self, WwSession *session);
WwShownNudge *ww_perturb_page_get_shown (WwPerturbPage *self); /* NULL: nothing yet */
GtkAdjustment *ww_perturb_page_get_length_adjustment (WwPerturbPage *self);
/* The heatmap of one map and view; it may be hidden now. */
WwHeatmapView *ww_perturb_page_get_heatmap (WwPerturbPage *self, WwMap map, WwNudgeView view);
gboolean ww_perturb_page_shows_figure (WwPerturbPage *self);

G_END_DECLS

/* The feature change of every token under the nudge that is shown, a bar per attention map. */
#pragma once

#include "ww-figure-view.h"
#include "ww-shown-nudge.h"

G_BEGIN_DECLS

#define WW_TYPE_BARS_VIEW (ww_bars_view_get_type ())
G_DECLARE_FINAL_TYPE (WwBarsView, ww_bars_view, WW, BARS_VIEW, WwFigureView)

/* Signal "token-activated" (guint token, 0-based): a bar was clicked. */

void ww_bars_view_set_shown (WwBarsView *self, WwShownNudge *shown); /* NULL: nothing */
char *ww_bars_view_describe_bar (WwBarsView *self, gsize token);     /* NULL outside */

G_END_DECLS

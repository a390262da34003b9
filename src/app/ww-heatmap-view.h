/* The attention weights of one map under the nudge that is shown: before, after or difference. */
#pragma once

#include "ww-figure-view.h"
#include "ww-shown-nudge.h"

G_BEGIN_DECLS

#define WW_TYPE_HEATMAP_VIEW (ww_heatmap_view_get_type ())
G_DECLARE_FINAL_TYPE (WwHeatmapView, ww_heatmap_view, WW, HEATMAP_VIEW, WwFigureView)

/* Properties: "map" uint (WwMap), "trained" boolean (trained attention in its place), "view" uint
 * (WwNudgeView). */

void ww_heatmap_view_set_shown (WwHeatmapView *self, WwShownNudge *shown); /* NULL: nothing */
/* Moves the cell that is read out; arrow keys do the same. */
void ww_heatmap_view_move_cell (WwHeatmapView *self, int rows, int cols);
/* The values of one cell in words; NULL outside. */
char *ww_heatmap_view_describe_cell (WwHeatmapView *self, gsize row, gsize col);

G_END_DECLS

/* The attention maps of the nudge that is shown, side by side: one view of each map, or all three. A child that a
 * template adds stands below them, and gets what height the maps, which are square, cannot use. */
#pragma once

#include "ww-heatmap-view.h"

G_BEGIN_DECLS

/* In place of a WwNudgeView: before, after and difference of each map. */
#define WW_PERTURB_VIEW_ALL 3

#define WW_TYPE_HEATMAP_GRID (ww_heatmap_grid_get_type ())
G_DECLARE_FINAL_TYPE (WwHeatmapGrid, ww_heatmap_grid, WW, HEATMAP_GRID, GtkWidget)

/* NULL: nothing. The trained map has its place where `shown` has it. */
void ww_heatmap_grid_set_shown (WwHeatmapGrid *self, WwShownNudge *shown);
void ww_heatmap_grid_set_view (WwHeatmapGrid *self, guint view);
/* Of an attention map, or of the trained one where `map` is WW_HEATMAP_TRAINED. */
#define WW_HEATMAP_TRAINED ((WwMap) WW_N_MAPS)
WwHeatmapView *ww_heatmap_grid_get_heatmap (WwHeatmapGrid *self, WwMap map, WwNudgeView view);

G_END_DECLS

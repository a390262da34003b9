/* The feature maps that the window has controls for. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

/* Of the Perturb page: those of the main figure, the first of WwMap. */
#define WW_N_SHOWN_MAPS 3

/* Of the Curves page: all, in the order of the legend, the keys and the buttons. */
static const WwMap ww_curve_maps[WW_N_MAPS]
  = { WW_MAP_RF, WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF, WW_MAP_DRF };

G_STATIC_ASSERT (WW_MAP_RF < WW_N_SHOWN_MAPS);
G_STATIC_ASSERT (WW_MAP_RELU_RAF < WW_N_SHOWN_MAPS);
G_STATIC_ASSERT (WW_MAP_SOFTMAX_RAF < WW_N_SHOWN_MAPS);

G_END_DECLS

/* The feature maps that the window has controls for: the three of the main figure. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

#define WW_N_SHOWN_MAPS 3

G_STATIC_ASSERT (WW_MAP_RF < WW_N_SHOWN_MAPS);
G_STATIC_ASSERT (WW_MAP_RELU_RAF < WW_N_SHOWN_MAPS);
G_STATIC_ASSERT (WW_MAP_SOFTMAX_RAF < WW_N_SHOWN_MAPS);

G_END_DECLS

/* Figures as scenes: a figure is laid out once, in points, as a list of primitives, and the same
 * scene is drawn on screen or written as PNG, PDF and SVG. This room knows nothing of what is
 * plotted. This header brings in all that the room offers. */
#pragma once

#include "ww-bars-figure.h"
#include "ww-colour.h"
#include "ww-curves-figure.h"
#include "ww-file.h"
#include "ww-heatmap-figure.h"
#include "ww-scene-write.h"
#include "ww-scene.h"
#include "ww-style.h"
#include "ww-ticks.h"

/* The relative change of one map's features, in large figures, with the word sensitivity found. */
#pragma once

#include <adwaita.h>

#include "ww-types.h"

G_BEGIN_DECLS

#define WW_TYPE_READOUT (ww_readout_get_type ())
G_DECLARE_FINAL_TYPE (WwReadout, ww_readout, WW, READOUT, GtkWidget)

/* Property: "map" uint (WwMap). */

/* Relative change and the found word sensitivity; NaN: not known (yet). */
void ww_readout_set_values (WwReadout *self, double change, double found);

G_END_DECLS

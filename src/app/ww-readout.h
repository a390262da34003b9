/* The relative change of one map's features, in large figures, with the word sensitivity found. */
#pragma once

#include <adwaita.h>

#include "ww-types.h"

G_BEGIN_DECLS

#define WW_TYPE_READOUT (ww_readout_get_type ())
G_DECLARE_FINAL_TYPE (WwReadout, ww_readout, WW, READOUT, GtkWidget)

/* Property: "map" uint (WwMap). */

/* Relative change, the found word sensitivity and its certified bound; NaN: not known (yet). Where there is a `nudge`, a change
 * that is NaN is undefined, because the map has no features, and the readout says so. */
void ww_readout_set_values (WwReadout *self, gboolean nudge, double change, double found,
                            double bound);

G_END_DECLS

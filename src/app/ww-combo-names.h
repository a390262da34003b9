/* The entries of a combo row that follow what is shown. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Gives the row these entries, unless it has just these. A choice in the row's own list may come back here while the
 * list still speaks: another model would free what it speaks from, and the keyboard would lose its place. */
void ww_combo_set_names (AdwComboRow *row, GtkStringList *names);

G_END_DECLS

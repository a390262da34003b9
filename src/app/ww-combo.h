/* Rows that choose one of several names. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* In every AdwComboRow below `root`, what is chosen keeps its width, and a long title wraps in place of it. */
void ww_combo_keep_values (GtkWidget *root);

G_END_DECLS

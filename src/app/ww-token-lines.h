/* How the chips of a text flow into lines, and where each of them is found then. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GArray *ww_token_lines_new (void);
/* Places `chips` (of WwTokenChip) into lines of `width`, which `lines` is told then; NULL: only measures. Returns the
 * height. */
int ww_token_lines_flow (GPtrArray *chips, int width, GArray *lines);
/* The places in `chips` that lie, at least in part, between two heights; FALSE and 0, 0: none. */
gboolean ww_token_lines_find (GArray    *lines,
                              GPtrArray *chips,
                              double     top,
                              double     bottom,
                              guint     *ret_first,
                              guint     *ret_end);
/* The place in the next line (`down` 1) or the one before (-1) that lies nearest across; `from`: there is none. */
guint ww_token_lines_find_across (GPtrArray *chips, guint from, int down);

G_END_DECLS

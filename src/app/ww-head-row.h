/* Chooses the head of trained attention: none, the mean of all, or one. Hidden where the set has none. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_HEAD_ROW (ww_head_row_get_type ())
G_DECLARE_FINAL_TYPE (WwHeadRow, ww_head_row, WW, HEAD_ROW, AdwComboRow)

void ww_head_row_set_session (WwHeadRow *self, WwSession *session); /* once */

G_END_DECLS

/* The word that the nudge goes toward: typed, completed from the words of the set, refused where the set
 * lacks it. What is refused stays in the entry, with a sentence below; nothing else changes. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_WORD_ROW (ww_word_row_get_type ())
G_DECLARE_FINAL_TYPE (WwWordRow, ww_word_row, WW, WORD_ROW, GtkWidget)

void ww_word_row_set_session (WwWordRow *self, WwSession *session);
void ww_word_row_focus (WwWordRow *self);
/* Down goes from the entry into its completions, Up from the first of them back; Escape closes them, and without
 * any gives back the word that holds. GDK_EVENT_STOP where the key meant something. */
gboolean ww_word_row_press_key (WwWordRow *self, guint keyval, GdkModifierType state);

G_END_DECLS

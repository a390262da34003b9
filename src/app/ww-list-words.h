/* Rows that each stand for one word, in a list of which a click or Enter takes one. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ww_list_words_clear (GtkListBox *list);
/* `number` stands at the end of the row and may be NULL; `words`: what a screen reader says of the row, NULL:
 * the word alone. */
void ww_list_words_append (GtkListBox *list, const char *word, const char *number, const char *words);
/* Marks the row of `word`, which is the one that was taken, and no other; NULL: none. */
void ww_list_words_mark (GtkListBox *list, const char *word);
const char *ww_list_words_get_word (GtkListBoxRow *row);
gboolean ww_list_words_is_empty (GtkListBox *list);

G_END_DECLS

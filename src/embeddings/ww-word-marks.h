/* Marks of word beginnings in vocabularies of pieces. */
#pragma once

#include "ww-words.h"

G_BEGIN_DECLS

/* The stretch as such a vocabulary writes it; `begins`: white space stands before it, or nothing. */
void ww_word_marks_write (WwWordMarks marks, const char *word, gsize length, gboolean begins,
                          GString *to);

G_END_DECLS

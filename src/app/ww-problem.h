/* What is wrong, in sentences, and the lines that help, where there are some: those keep their breaks and can be
 * copied. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define WW_TYPE_PROBLEM (ww_problem_get_type ())
G_DECLARE_FINAL_TYPE (WwProblem, ww_problem, WW, PROBLEM, GtkBox)

/* Sentences come first in a message; its lines to be typed elsewhere (a recipe) are indented. *ret_recipe has them
 * without the indentation, or is NULL. Either place may be NULL. */
void ww_problem_split (const char *message, char **ret_sentences, char **ret_recipe);

/* NULL or "": nothing is wrong, and nothing is shown. */
void ww_problem_set_message (WwProblem *self, const char *message);
const char *ww_problem_get_sentences (WwProblem *self);
const char *ww_problem_get_recipe (WwProblem *self); /* NULL: there is none */

/* In a window of its own; `title` says what happened. */
void ww_problem_show (GtkWindow *parent, const char *title, const char *message);

G_END_DECLS

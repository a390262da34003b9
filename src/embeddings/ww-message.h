/* Sentences of this folder for who has no command line at hand. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The message without the parentheses that name an option of the command line, "(command line: --words FILE)": what can
 * be chosen in the window is said before them. NULL for NULL; free with g_free. */
char *ww_message_dup_plain (const char *message);

G_END_DECLS

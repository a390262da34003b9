/* Names of formats in the user's language. Files that are written say them in English, the same
 * everywhere. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "GloVe text, gzip" part by part; newly allocated. What has no translation stays. */
char *ww_format_dup_words (const char *format);

G_END_DECLS

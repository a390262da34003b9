/* Names of formats, and of the sample, in the user's language. Files that are written say them in English, the
 * same everywhere. */
#pragma once

#include "ww-set.h"

G_BEGIN_DECLS

/* "GloVe text, gzip" part by part; newly allocated. What has no translation stays. */
char *ww_format_dup_words (const char *format);

/* A type of values: what is a word ("text") is translated, what is a name ("float32") stays. */
const char *ww_format_get_type_words (const char *type);
/* The name of a set, newly allocated: of a file as it is, with the number of the text where it holds several. */
char *ww_format_dup_set_name (WwSet *set);

G_END_DECLS

/* A vocabulary without weights as a set: texts become tokens, and that is all. */
#pragma once

#include "ww-set-private.h"
#include "ww-tokeniser.h"

G_BEGIN_DECLS

/* `why` says why there are no weights where some were to be expected, for the set's remarks; or NULL. Errors as
 * ww_tokeniser_open. */
WwSet *ww_vocabulary_set_open (GFile *folder, const char *why, GError **error);

/* The same for a file whose vocabulary is known already; takes the tokeniser. `why` is "Q4_K", for example: the type
 * of values that are not read. */
WwSet *ww_vocabulary_set_new_take (GFile *file, WwSource *source, WwTokeniser *tokeniser, const char *why);

G_END_DECLS

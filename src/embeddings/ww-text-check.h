/* What a text must be before a set takes it apart, and what must come of it. */
#pragma once

#include "ww-tokens.h"

G_BEGIN_DECLS

/* UTF-8 of a length that a text may have. WW_SET_ERROR_TEXT, with the position. */
gboolean ww_text_check (const char *text, GError **error);
/* Whether a word of the text is known to the set. WW_SET_ERROR_NO_TOKENS, which tells an empty text apart. */
gboolean ww_text_check_known (const WwTokens *tokens, const char *text, GError **error);

G_END_DECLS

/* How the tokenisers of this folder build a WwTokens. */
#pragma once

#include "ww-tokens.h"

G_BEGIN_DECLS

/* An empty GArray of WwToken that frees the strings of what it drops. */
GArray *ww_tokens_array_new (void);
/* Takes the array and its tokens. */
WwTokens *ww_tokens_new_take (GArray *array);
/* Sets `continues` for tokens that touch the one before them in the source text. */
void ww_tokens_array_mark_continuations (GArray *array);

G_END_DECLS

/* What becomes of a text: how much of it is used, and what its model puts around it. */
#pragma once

#include "ww-session.h"

G_BEGIN_DECLS

/* What is to be said of the length of the text; NULL: nothing. `ret_cut`: tokens are left out. */
char *ww_text_dup_length_note (const WwInputs *inputs, WwTokens *tokens, gboolean *ret_cut);
/* A word on how many rows there are, where more are asked for. */
char *ww_text_dup_rows_words (const WwInputs *inputs, gsize n);
/* What the switch for special tokens does; `ret_any`: the set has some. */
char *ww_text_dup_special_words (const WwInputs *inputs, gboolean *ret_any);

G_END_DECLS

/* What becomes of words that a set lacks. */
#pragma once

#include "ww-set-open.h"

G_BEGIN_DECLS

/* Applies a policy to the fresh tokens of a tokeniser. `random`: the set can do with rows that are not
 * its own. */
void ww_unknown_apply (WwTokens *tokens, WwUnknown unknown, guint64 seed, gboolean random);
/* Writes the rows of the tokens whose id is WW_TOKEN_RANDOM_ROW; the tokens with a row are the rows of
 * `context`, in order. */
void ww_unknown_fill_rows (const WwTokens *tokens, WwMatrix *context);

G_END_DECLS

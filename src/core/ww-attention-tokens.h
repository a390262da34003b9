/* The search for the word sensitivity at every token of a context. Where the text is short, each token gets
 * its full search; else all are screened, and the best of them get it. Screening is short because what is
 * found at one token is nearly right for the next: the directions that row i can raise, and the scores that
 * it must lower, are nearly the same for all i. So the nudged rows that did best are a pool that wanders from
 * token to token. For softmax it is crossed, renewed by fresh starts, and goes back once over all tokens in the
 * end. */
#pragma once

#include "ww-attention-run.h"

G_BEGIN_DECLS

WwSearchResult *ww_attention_search_tokens (WwAttentionRun *run, GError **error);

G_END_DECLS

/* The tokeniser that a GGUF file describes. */
#pragma once

#include "ww-gguf.h"
#include "ww-tokeniser.h"

G_BEGIN_DECLS

/* Byte-level BPE ("gpt2") by the list of merges, SentencePiece ("llama") by the scores, WordPiece ("bert"). NULL
 * where the file describes none of these: *ret_why then says what it lacks, as a part of a sentence; free with
 * g_free. */
WwTokeniser *ww_tokeniser_from_gguf (const WwGguf *gguf, char **ret_why);

G_END_DECLS

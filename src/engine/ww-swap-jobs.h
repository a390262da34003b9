/* The jobs about the words of a set, and what they emit. */
#pragma once

#include "ww-jobs.h"
#include "ww-swaps.h"

G_BEGIN_DECLS

/* ---- The words themselves, for completion; emits one WwEntries ---- */

extern const WwJobClass ww_words_job;
gpointer ww_words_request_new (const WwJobContext *context);

/* ---- All words in the place of inputs->token, seen through inputs->swap_map ----
 * Emits a WwSwaps now and then, and one that is complete. */

extern const WwJobClass ww_swap_job;
gpointer ww_swap_request_new (const WwJobContext *context);

/* ---- Whether a word can take the place of inputs->token; emits nothing, fails where it cannot ---- */

extern const WwJobClass ww_word_job;
gpointer ww_word_request_new (const WwJobContext *context, const char *word);

G_END_DECLS

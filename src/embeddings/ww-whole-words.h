/* Texts that a tokeniser takes whole, in exactly their letters, before it looks at anything else: special
 * tokens, tokens that were added to a vocabulary, words that are never split. Found by hash, so that a file
 * with many of them costs no more than one with few. Built by one thread, then immutable. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Longer ones are never found; no tokeniser has them. */
#define WW_WHOLE_WORD_MAX_BYTES 256

typedef struct
{
  gboolean begins[256]; /* whether one of them begins with this byte: asked for every byte of a text */
} WwWholeWords;

WwWholeWords *ww_whole_words_new (void);
void ww_whole_words_free (WwWholeWords *words); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwWholeWords, ww_whole_words_free)

/* `id` and `flags` are the caller's. Of two equal texts the later counts. FALSE without memory. */
gboolean ww_whole_words_add (WwWholeWords *words, const char *text, guint32 id, guint flags);
/* The longest of them, shorter than `limit` bytes, with which the NUL-terminated text begins. */
gboolean ww_whole_words_find (const WwWholeWords *words, const char *text, gsize limit, gsize *ret_length,
                              guint32 *ret_id, guint *ret_flags);

G_END_DECLS

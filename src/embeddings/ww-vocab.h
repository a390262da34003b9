/* A list of words, numbered from 0, with a hash table for the way back. Words are any bytes without
 * NUL; they are compared byte by byte. Built by one thread, then immutable and for any number of threads. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WwVocab WwVocab;

typedef enum
{
  WW_VOCAB_NEW,       /* appended, and lookup finds it */
  WW_VOCAB_DUPLICATE, /* appended, but lookup goes on finding the first of its kind */
  WW_VOCAB_FULL,      /* not appended: no memory, or more words than numbers */
} WwVocabResult;

WwVocab *ww_vocab_new (void);
/* The words "0", "1" and so on up to n - 1, in memory that grows with those asked for; nothing can be appended.
 * NULL: no memory, or more words than numbers. */
WwVocab *ww_vocab_new_numbers (gsize n);
void ww_vocab_free (WwVocab *vocab); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwVocab, ww_vocab_free)

WwVocabResult ww_vocab_append (WwVocab *vocab, const char *word, gsize length);
/* The first `n` words, or all. NULL: no memory. */
WwVocab *ww_vocab_dup_head (const WwVocab *vocab, gsize n);
gboolean ww_vocab_is_numbers (const WwVocab *vocab); /* made by ww_vocab_new_numbers() */
gsize ww_vocab_get_size (const WwVocab *vocab);
const char *ww_vocab_get (const WwVocab *vocab, gsize id); /* NUL-terminated */
gboolean ww_vocab_lookup (const WwVocab *vocab, const char *word, gsize length, guint32 *ret_id);

G_END_DECLS

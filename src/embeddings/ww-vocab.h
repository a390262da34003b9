/* A list of words, numbered from 0, with a hash table for the way back. Words are any bytes without
 * NUL; they are compared byte by byte. Built by one thread, then immutable. */
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
void ww_vocab_free (WwVocab *vocab); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwVocab, ww_vocab_free)

WwVocabResult ww_vocab_append (WwVocab *vocab, const char *word, gsize length);
/* The first `n` words, or all. NULL: no memory. */
WwVocab *ww_vocab_dup_head (const WwVocab *vocab, gsize n);
gsize ww_vocab_get_size (const WwVocab *vocab);
const char *ww_vocab_get (const WwVocab *vocab, gsize id); /* NUL-terminated */
gboolean ww_vocab_lookup (const WwVocab *vocab, const char *word, gsize length, guint32 *ret_id);

G_END_DECLS

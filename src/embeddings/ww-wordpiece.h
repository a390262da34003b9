/* WordPiece as BERT uses it: clean, split at white space, punctuation and Chinese characters, lower
 * case and accents off if the model wants it, then the longest piece of the vocabulary again and
 * again. Devlin et al., NAACL 2019; Wu et al., arXiv:1609.08144, section 4.1. */
#pragma once

#include "ww-tokens.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

typedef struct
{
  gboolean lower_case;
  gboolean strip_accents;
  gboolean split_chinese; /* each Chinese character is a word of its own */
} WwWordPieceFlags;

typedef struct _WwWordPiece WwWordPiece;

/* `vocab` is borrowed and must outlive the result. NULL if it has no [UNK]. */
WwWordPiece *ww_wordpiece_new (const WwVocab *vocab, WwWordPieceFlags flags);
void ww_wordpiece_free (WwWordPiece *wordpiece); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwWordPiece, ww_wordpiece_free)

/* A text that is never split or lower-cased: wherever it stands, or with `between_spaces` only as a word of
 * its own. One of the first kind is passed over where the vocabulary lacks it. Only before the first text. FALSE
 * without memory. */
gboolean ww_wordpiece_add_whole (WwWordPiece *wordpiece, const char *text, gboolean between_spaces);

/* `text` is valid UTF-8. With `special`, [CLS] and [SEP] stand around the text as far as the
 * vocabulary has them. */
WwTokens *ww_wordpiece_tokenise (const WwWordPiece *wordpiece, const char *text, gboolean special);
/* The token of an id, without a place in a text. */
void ww_wordpiece_fill_token (const WwWordPiece *wordpiece, guint32 id, WwToken *ret_token);

G_END_DECLS

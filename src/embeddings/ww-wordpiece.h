/* WordPiece as BERT uses it: clean, split at white space, punctuation and Chinese characters, lower
 * case and accents off if the model wants it, then the longest piece of the vocabulary again and
 * again. Devlin et al., NAACL 2019; Wu et al., arXiv:1609.08144, section 4.1. */
#pragma once

#include "ww-added.h"
#include "ww-tokens.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

#define WW_WORDPIECE_MAX_PREFIX 16

typedef struct
{
  gboolean lower_case;
  gboolean strip_accents;
  gboolean split_chinese; /* each Chinese character is a word of its own */
  gboolean keep_controls; /* else characters that are not seen are dropped */
  const char *prefix;     /* of a piece that continues a word, at most WW_WORDPIECE_MAX_PREFIX bytes; NULL: "##" */
  const char *unknown;    /* the piece for what cannot be spelled; NULL: "[UNK]" */
  gsize n_pieces;         /* the first so many of the vocabulary; behind them are added tokens. 0: all are pieces */
  gsize most_characters;  /* a longer word is unknown as a whole; 0: more than 100 are */
} WwWordPieceFlags;

typedef struct _WwWordPiece WwWordPiece;

/* `vocab` is borrowed and must outlive the result; strings are copied. NULL if it has no piece for the unknown. */
WwWordPiece *ww_wordpiece_new (const WwVocab *vocab, WwWordPieceFlags flags);
void ww_wordpiece_free (WwWordPiece *wordpiece); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwWordPiece, ww_wordpiece_free)

/* The five tokens that BERT's vocabularies have, as far as this one has them: found in a text, and [CLS] and
 * [SEP] around it. FALSE without memory. */
gboolean ww_wordpiece_add_usual (WwWordPiece *wordpiece);
/* These three only before the first text. */
gboolean ww_wordpiece_add_token (WwWordPiece *wordpiece, const char *text, const WwAddedToken *token);
/* A word that is never split or lower-cased where white space stands around it. FALSE without memory. */
gboolean ww_wordpiece_add_never_split (WwWordPiece *wordpiece, const char *text);
/* What stands around a text; copied. */
void ww_wordpiece_set_frame (WwWordPiece *wordpiece, const WwTokenFrame *frame);

gboolean ww_wordpiece_is_lower_casing (const WwWordPiece *wordpiece);
/* Whether there are added tokens that are found in what is made of a text. */
gboolean ww_wordpiece_has_normalised (const WwWordPiece *wordpiece);

/* `text` is valid UTF-8. With `special`, the frame stands around it. */
WwTokens *ww_wordpiece_tokenise (const WwWordPiece *wordpiece, const char *text, gboolean special);
/* The token of an id, without a place in a text. */
void ww_wordpiece_fill_token (const WwWordPiece *wordpiece, guint32 id, WwToken *ret_token);

G_END_DECLS

/* Byte-level byte-pair encoding, as GPT-2 and RoBERTa use it: cut the text (ww-bpe-split.h), then join
 * neighbouring pieces of each part, the earliest rule of the list of merges first. Sennrich et al., ACL 2016;
 * Radford et al., 2019. */
#pragma once

#include "ww-tokens.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

typedef struct _WwBpe WwBpe;

/* `vocab` is borrowed and must outlive the result. */
WwBpe *ww_bpe_new (const WwVocab *vocab, gboolean prefix_space);
void ww_bpe_free (WwBpe *bpe); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwBpe, ww_bpe_free)

typedef enum
{
  WW_BPE_ADDED,
  WW_BPE_NO_LEFT,   /* the vocabulary lacks the left part */
  WW_BPE_NO_RIGHT,
  WW_BPE_NO_JOINED, /* or what both become */
  WW_BPE_FULL,      /* no memory */
} WwBpeResult;

/* The next rule: left and right become one piece. A rule that is there already is passed over. */
WwBpeResult ww_bpe_add_merge (WwBpe *bpe, const char *left, gsize left_length, const char *right,
                              gsize right_length);
gsize ww_bpe_get_n_merges (const WwBpe *bpe);

/* A token that is found in a text in exactly its letters, before anything is cut. */
typedef struct
{
  guint32 id;
  gboolean special;
  gboolean strip_left; /* takes the white space in front of it along */
} WwBpeAdded;
gboolean ww_bpe_add_token (WwBpe *bpe, const WwBpeAdded *added); /* FALSE without memory */
/* What stands for a byte that the vocabulary lacks. */
void ww_bpe_set_unknown (WwBpe *bpe, guint32 id);
/* The tokens around a text; either may be WW_BPE_NOTHING. */
#define WW_BPE_NOTHING G_MAXUINT32
void ww_bpe_set_frame (WwBpe *bpe, guint32 first, guint32 last);

/* Once everything is added: whether any text can be written. FALSE with the first byte that has no piece. */
gboolean ww_bpe_is_usable (const WwBpe *bpe, guint8 *ret_byte);

/* `text` is valid UTF-8. With `special`, the frame stands around it. */
WwTokens *ww_bpe_tokenise (const WwBpe *bpe, const char *text, gboolean special);
/* The token of an id, without a place in a text. */
void ww_bpe_fill_token (const WwBpe *bpe, guint32 id, WwToken *ret_token);

G_END_DECLS

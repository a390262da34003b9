/* Byte-level byte-pair encoding, as GPT-2 and RoBERTa use it: cut the text (ww-bpe-split.h), then join
 * neighbouring pieces of each part, the earliest rule of the list of merges first. Sennrich et al., ACL 2016;
 * Radford et al., 2019. */
#pragma once

#include "ww-added.h"
#include "ww-bpe-split.h"
#include "ww-tokens.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

typedef struct _WwBpe WwBpe;

typedef struct
{
  WwBpeCut cut;
  gboolean prefix_space;  /* a text that does not begin with a space gets one; only with GPT-2's cut */
  gboolean ignore_merges; /* a piece of the cut that is in the vocabulary is not put together from others */
  gsize n_pieces;         /* the first so many of the vocabulary; behind them are added tokens. 0: all are pieces */
} WwBpeOptions;

/* `vocab` is borrowed and must outlive the result. */
WwBpe *ww_bpe_new (const WwVocab *vocab, WwBpeOptions options);
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

/* A token that is found in a text before anything is cut, by its text in the vocabulary. FALSE without memory. */
gboolean ww_bpe_add_token (WwBpe *bpe, const WwAddedToken *token);
/* What stands for a byte that the vocabulary lacks. */
void ww_bpe_set_unknown (WwBpe *bpe, guint32 id);
/* What stands around a text; copied. */
void ww_bpe_set_frame (WwBpe *bpe, const WwTokenFrame *frame);

/* Once everything is added: whether any text can be written. FALSE with the first byte that has no piece. */
gboolean ww_bpe_is_usable (const WwBpe *bpe, guint8 *ret_byte);

/* `text` is valid UTF-8. With `special`, the frame stands around it. */
WwTokens *ww_bpe_tokenise (const WwBpe *bpe, const char *text, gboolean special);
/* The token of an id, without a place in a text. */
void ww_bpe_fill_token (const WwBpe *bpe, guint32 id, WwToken *ret_token);

G_END_DECLS

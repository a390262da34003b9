/* Pieces with scores, as SentencePiece joins them in the tokenisers of Llama and its relatives: the characters of a
 * text, in which a visible mark stands for the space, are joined in pairs to pieces of the vocabulary, those of the
 * highest score first. Kudo & Richardson, EMNLP 2018. */
#pragma once

#include "ww-added.h"
#include "ww-tokens.h"
#include "ww-vocab.h"

G_BEGIN_DECLS

typedef struct _WwScored WwScored;

typedef struct
{
  const float *scores;  /* of each piece; copied into an order */
  gboolean prefix_space; /* a space stands in front of a text, and behind each special token */
  guint32 unknown;      /* of a byte that has no piece; G_MAXUINT32: the first piece */
} WwScoredOptions;

/* `vocab` is borrowed and must outlive the result. NULL without memory. */
WwScored *ww_scored_new (const WwVocab *vocab, const WwScoredOptions *options);
void ww_scored_free (WwScored *scored); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwScored, ww_scored_free)

/* These two only before the first text. FALSE without memory. */
gboolean ww_scored_add_token (WwScored *scored, const WwAddedToken *token);
void ww_scored_set_frame (WwScored *scored, const WwTokenFrame *frame);

/* `text` is valid UTF-8. With `special`, the frame stands around it. */
WwTokens *ww_scored_tokenise (const WwScored *scored, const char *text, gboolean special);
void ww_scored_fill_token (const WwScored *scored, guint32 id, WwToken *ret_token);

G_END_DECLS

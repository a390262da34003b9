/* A text as the tokens of one embedding set. Immutable, shared by reference count; boxed. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct
{
  guint32 id;       /* row of the set's table; undefined where !has_row */
  char *text;       /* as the vocabulary stores it ("##ing", "[CLS]") */
  char *display;    /* as a person reads it ("ing", "[CLS]"), never empty */
  gboolean unknown; /* the text had no token of its own: [UNK], or a word that the set lacks */
  gboolean special; /* added by the tokeniser around the text, or a special token typed in it */
  gboolean has_row; /* FALSE: an unknown word of a set without an unknown vector; no row of X */
  gboolean continues; /* glued to the token before it: no space between them */
  gsize start, end; /* bytes of the source text, end exclusive; both 0 where it has none */
} WwToken;

typedef struct
{
  gsize n;
  WwToken *tokens;
  guint64 unknown_seed; /* of the rows of tokens whose id is WW_TOKEN_RANDOM_ROW */
} WwTokens;

/* The id of an unknown word that has a row of random numbers, made from the seed and its text. */
#define WW_TOKEN_RANDOM_ROW G_MAXUINT32

#define WW_TYPE_TOKENS (ww_tokens_get_type ())
GType ww_tokens_get_type (void);
WwTokens *ww_tokens_ref (WwTokens *tokens);
void ww_tokens_unref (WwTokens *tokens);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwTokens, ww_tokens_unref)

/* Only the tokens that have a row: token j of the result is row j of the context. */
WwTokens *ww_tokens_with_rows (WwTokens *tokens);
/* The first n (or all, if fewer). */
WwTokens *ww_tokens_head (WwTokens *tokens, gsize n);
/* The id of each token; NULL where there is none. Free with g_free. */
guint32 *ww_tokens_dup_ids (const WwTokens *tokens);

G_END_DECLS

/* Tokens that are found in a text before it is cut: special ones, and those that were added to a vocabulary, each
 * with what tokenizer.json says of it. Those that stand in the text as it is are found first; those that stand in
 * what is made of it (lower case, no accents) in what is left then. Built by one thread, then immutable. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint32 id;
  gboolean special;
  gboolean normalised;  /* found in the text that the tokeniser makes of the text */
  gboolean single_word; /* not inside of a word */
  gboolean strip_left;  /* takes the white space in front of it along */
  gboolean strip_right;
} WwAddedToken;

typedef struct
{
  guint32 id;
  gsize at, end;      /* the token itself, in bytes of the text */
  gsize from, behind; /* with the white space that it takes along */
} WwAddedMatch;

typedef struct _WwAdded WwAdded;

WwAdded *ww_added_new (void);
void ww_added_free (WwAdded *added); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwAdded, ww_added_free)

/* The longest text of such a token, in bytes. */
#define WW_ADDED_MAX_BYTES 256
/* `text` is what is looked for. Of two equal texts the later counts. FALSE without memory. */
gboolean ww_added_add (WwAdded *added, const char *text, const WwAddedToken *token);
gboolean ww_added_is_special (const WwAdded *added, guint32 id);
/* Whether any of them is to be found in the text as it is, or in what is made of it. */
gboolean ww_added_has (const WwAdded *added, gboolean normalised);

/* The next of them from byte `from` on, between `begin` and `end`, which count as the ends of the text. */
gboolean ww_added_find (const WwAdded *added, gboolean normalised, const char *text, gsize begin, gsize from,
                        gsize end, WwAddedMatch *ret_match);

/* What stands around a text: ids, in order. */
typedef struct
{
  GArray *before, *behind; /* guint32 */
} WwTokenFrame;

void ww_token_frame_init (WwTokenFrame *frame);
void ww_token_frame_clear (WwTokenFrame *frame);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwTokenFrame, ww_token_frame_clear)
/* Takes over the ids of `from`, which are special from then on. */
void ww_token_frame_copy (const WwTokenFrame *from, WwTokenFrame *to, WwAdded *added);

G_END_DECLS

/* How GPT-2 cuts a text before it looks at pairs of bytes: a word with the space in front of it, a number
 * likewise, a run of other characters likewise, an English contraction, or white space. Radford et al.,
 * 2019, section 2.2; the pattern of the reference implementation is
 *   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Length in bytes of the piece at the beginning of `length` > 0 bytes of valid UTF-8. `behind_space`: the
 * text follows a space that was made up, which the first piece takes with it; 0: it is all of that piece. */
gsize ww_bpe_split (const char *text, gsize length, gboolean behind_space);

G_END_DECLS

/* Byte-level vocabularies write each byte as a printable character: those that are printable in Latin-1 as
 * themselves, the 68 others as the characters from U+0100 on, so that a space is written Ġ. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The character for a byte. */
gunichar ww_bpe_byte_to_char (guint8 byte);
/* The bytes that a piece of a vocabulary stands for; FALSE where it holds a character that stands for no
 * byte (a special token). */
gboolean ww_bpe_decode (const char *piece, GString *ret_bytes);
/* As a person reads it, never empty: without the space in front; white space alone, and bytes that are no
 * whole character, as signs. Free with g_free. */
char *ww_bpe_dup_display (const char *piece);

G_END_DECLS

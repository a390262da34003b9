/* What stands where a table of text was expected, and what to do about it. */
#pragma once

#include "ww-source.h"

G_BEGIN_DECLS

/* Content that is no lines of text in UTF-8: another encoding, a packing inside of a packing, an archive, a known
 * kind of binary file. `text` holds the first bytes, `length` of them, unpacked. FALSE: it is none of these, and no
 * error is set. WW_SET_ERROR_REFUSED with a recipe, _MALFORMED for a binary word2vec file with an impossible header. */
gboolean ww_text_refuse_content (WwSource *source, const char *text, gsize length, GError **error);

/* Lines whose fields stand between commas or semicolons: `line` is one, `end` behind it, `number` its
 * place in the file. WW_SET_ERROR_REFUSED. FALSE: it is none. */
gboolean ww_text_refuse_separators (WwSource *source, const char *line, const char *end, gsize number, GError **error);

G_END_DECLS

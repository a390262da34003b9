/* The bytes of a source from front to back, unpacked on the way if they are packed (gzip, xz, zstd,
 * bzip2, and zip). */
#pragma once

#include "ww-set-private.h"

G_BEGIN_DECLS

typedef struct _WwStream WwStream;

/* `member`: which one of a zip archive; NULL: there should be one only. `opening` NULL: nobody is
 * interested in what there is to choose from. Errors of ww_choose. */
WwStream *ww_stream_open (WwSource *source, const char *member, const WwOpening *opening,
                          GError **error);
void ww_stream_free (WwStream *stream); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwStream, ww_stream_free)

/* Up to `length` bytes; 0 at the end, -1 with an error. */
gssize ww_stream_read (WwStream *stream, void *buffer, gsize length, GError **error);
/* How much of the source has been used, 0 to 1. */
double ww_stream_get_fraction (const WwStream *stream);
/* "gzip", or NULL where nothing is packed. */
const char *ww_stream_get_packing (const WwStream *stream);

/* "glove.zip, glove.6B.50d.txt" for one of several files of an archive, else the name of `file` alone. */
char *ww_stream_dup_name (const WwStream *stream, GFile *file);

G_END_DECLS

/* Zip archives, by their directory: which members there are, and the bytes of one. A stored member is
 * read in place; a deflated one is unpacked into memory. ZIP64 included. Format: PKWARE's APPNOTE,
 * sections 4.3 and 4.5. */
#pragma once

#include "ww-source.h"

G_BEGIN_DECLS

typedef struct
{
  char *name; /* valid UTF-8, with slashes */
  gboolean is_folder;
  guint64 bytes;        /* unpacked */
  guint64 packed_bytes;
  guint64 header;       /* where its local header is */
  guint32 checksum;     /* CRC-32 of the unpacked bytes */
  guint16 method, flags;
} WwZipMember;

typedef struct _WwZip WwZip;

/* WW_SET_ERROR_TRUNCATED, _MALFORMED, _TOO_LARGE, _UNSUPPORTED (an archive in several parts). */
WwZip *ww_zip_open (WwSource *source, GError **error);
void ww_zip_free (WwZip *zip); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwZip, ww_zip_free)

gsize ww_zip_get_size (const WwZip *zip);
const WwZipMember *ww_zip_get (const WwZip *zip, gsize index);
/* Where its end record ends, but for the comment: what follows is no part of its structure. */
guint64 ww_zip_get_end (const WwZip *zip);

/* CRC-32, as zip, xz and others have it. */
guint32 ww_zip_compute_checksum (const guint8 *bytes, gsize length);

/* The bytes of a member; with `most`, only so many from its beginning (0: all, and the checksum is
 * compared wherever all bytes pass through memory). WW_SET_ERROR_MALFORMED, _TRUNCATED, _TOO_LARGE,
 * _UNSUPPORTED (encrypted, or packed by another method), _READ, G_IO_ERROR_CANCELLED. */
WwSource *ww_zip_open_member (const WwZip *zip, const WwZipMember *member, gsize most,
                              GCancellable *cancellable, GError **error);

G_END_DECLS

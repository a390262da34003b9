/* Bytes from outside behind one bounded interface: every reader asks for exact ranges and gets them
 * or an error in words. A regular file is read with pread and never mapped, so that a file that
 * shrinks or vanishes while it is open is an error and not a SIGBUS; what is compiled into the
 * program (resource:///...) is used in place. Immutable; may be used from any thread. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _WwSource WwSource;

/* Regular files and resources only. WW_SET_ERROR_NOT_FOUND, _NOT_A_FILE (a folder, FIFO or device:
 * never opened, so that nothing blocks), _READ, _TOO_LARGE (a remote file that has to be held in
 * memory). An empty file opens, with size 0. */
WwSource *ww_source_open (GFile *file, GError **error);
/* Bytes in memory under a name for messages; `bytes` is referenced. */
WwSource *ww_source_new_for_bytes (const char *name, GBytes *bytes);
/* A stretch of another source, which it references, as a source of its own. The stretch must lie
 * inside. */
WwSource *ww_source_new_slice (const char *name, WwSource *whole, guint64 offset, guint64 length);
WwSource *ww_source_ref (WwSource *source);
void ww_source_unref (WwSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSource, ww_source_unref)

guint64 ww_source_get_size (WwSource *source);
const char *ww_source_get_name (WwSource *source); /* for people: the path, or the URI */

/* Exactly `length` bytes from `offset`. WW_SET_ERROR_TRUNCATED beyond the size at opening time,
 * WW_SET_ERROR_READ where the system refuses or the file has shrunk since. */
gboolean ww_source_read (WwSource *source, guint64 offset, void *buffer, gsize length,
                         GError **error);
/* The whole content, with a NUL behind it that is not counted; WW_SET_ERROR_TOO_LARGE above
 * `limit` bytes. Free with g_free. */
char *ww_source_read_all (WwSource *source, gsize limit, gsize *ret_length, GError **error);

/* A name out of a file, or of one, without what would break a line or act upon a terminal. */
char *ww_dup_one_line (const char *name);
/* The bytes of the line at `at`, without its end. *ret_next: where the next one begins, `end` behind the last. */
gsize ww_line_get_length (const char *at, const char *end, const char **ret_next);
/* Whether a name is `tail`, or ends in it behind a dot: "transformer.wte.weight" in "wte.weight". */
gboolean ww_name_has_tail (const char *name, const char *tail);
/* Sets an error whose message starts with the name of the source. */
void ww_source_set_error (WwSource *source, GError **error, int code, const char *format, ...)
  G_GNUC_PRINTF (4, 5);
/* One sentence more for an error that another choice would have spared; nothing without an error. */
void ww_error_suggest (GError **error, const char *sentence);

G_END_DECLS

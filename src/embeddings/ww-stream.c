#include "ww-stream.h"

#include <errno.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "ww-set.h"

#define BLOCK (256 * 1024)
#define MAX_LISTED 20

struct _WwStream
{
  WwSource *source;
  guint64 at; /* in the source */
  const char *packing;
  struct archive *archive; /* NULL: plain */
  guint8 *block;
  GError *failure; /* of reading the source, from inside the archive library */
};

static const struct
{
  const char *name;
  const char *magic;
  gsize length;
} packings[] = {
  { "gzip", "\x1f\x8b", 2 },
  { "xz", "\xfd" "7zXZ\0", 6 },
  { "zstd", "\x28\xb5\x2f\xfd", 4 },
  { "bzip2", "BZh", 3 },
  { "zip", "PK\3\4", 4 },
};

void
ww_stream_free (WwStream *stream)
{
  if (stream == NULL)
    return;

  if (stream->archive != NULL)
    archive_read_free (stream->archive);
  g_clear_error (&stream->failure);
  ww_source_unref (stream->source);
  g_free (stream->block);
  g_free (stream);
}

static la_ssize_t
read_block (struct archive *archive, void *data, const void **ret_buffer)
{
  WwStream *stream = data;
  gsize length = (gsize) MIN (ww_source_get_size (stream->source) - stream->at, BLOCK);

  if (!ww_source_read (stream->source, stream->at, stream->block, length, &stream->failure))
    {
      archive_set_error (archive, EIO, "the file cannot be read");
      return -1;
    }

  stream->at += length;
  *ret_buffer = stream->block;
  return (la_ssize_t) length;
}

static la_int64_t
skip_block (struct archive *archive, void *data, la_int64_t request)
{
  WwStream *stream = data;
  gint64 left = (gint64) (ww_source_get_size (stream->source) - stream->at);
  gint64 skipped = CLAMP (request, 0, left);

  stream->at += (guint64) skipped;
  return skipped;
}

/* A file in a zip may have its directory at the end, which takes seeking to find. */
static la_int64_t
seek_block (struct archive *archive, void *data, la_int64_t offset, int whence)
{
  WwStream *stream = data;
  gint64 size = (gint64) ww_source_get_size (stream->source);
  gint64 base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (gint64) stream->at : size;

  if (offset < -base || offset > size - base)
    return ARCHIVE_FATAL;

  stream->at = (guint64) (base + offset);
  return (la_int64_t) stream->at;
}

static gboolean
fail (WwStream *stream, GError **error)
{
  const char *said = archive_error_string (stream->archive);

  if (stream->failure != NULL)
    g_propagate_error (error, g_steal_pointer (&stream->failure));
  else
    ww_source_set_error (stream->source, error, WW_SET_ERROR_MALFORMED,
                         "cannot be unpacked (%s), near byte %" G_GUINT64_FORMAT ": %s",
                         stream->packing, stream->at, said != NULL ? said : "damaged");
  return FALSE;
}

/* All names of an archive, which has to be read to its end for that. */
static gboolean
check_single_member (WwSource *source, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  WwStream stream = { source };
  struct archive_entry *entry;
  guint n = 0;

  stream.packing = "zip";
  stream.block = g_malloc (BLOCK);
  stream.archive = archive_read_new ();
  archive_read_support_format_zip_seekable (stream.archive);
  archive_read_set_callback_data (stream.archive, &stream);
  archive_read_set_read_callback (stream.archive, read_block);
  archive_read_set_skip_callback (stream.archive, skip_block);
  archive_read_set_seek_callback (stream.archive, seek_block);
  if (archive_read_open1 (stream.archive) == ARCHIVE_OK)
    while (archive_read_next_header (stream.archive, &entry) == ARCHIVE_OK)
      {
        const char *name = archive_entry_pathname (entry);

        if (archive_entry_filetype (entry) == AE_IFREG && n++ < MAX_LISTED)
          g_string_append_printf (names, "%s%s", n > 1 ? ", " : "", name != NULL ? name : "?");
      }
  archive_read_free (stream.archive);
  g_clear_error (&stream.failure);
  g_free (stream.block);

  if (n == 1)
    return TRUE;
  if (n == 0)
    ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                         "a zip archive without a readable list of members");
  else
    {
      g_autofree char *shown = g_utf8_make_valid (names->str, -1);

      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           "a zip archive with %u members (%s); unpack the one that you want and"
                           " open that", n, shown);
    }
  return FALSE;
}

static gboolean
open_packed (WwStream *stream, GError **error)
{
  struct archive_entry *entry;
  gboolean zip = strcmp (stream->packing, "zip") == 0;

  if (zip && !check_single_member (stream->source, error))
    return FALSE;

  stream->block = g_malloc (BLOCK);
  stream->archive = archive_read_new ();
  if (zip)
    archive_read_support_format_zip_seekable (stream->archive);
  else
    {
      archive_read_support_filter_all (stream->archive);
      archive_read_support_format_raw (stream->archive);
    }
  archive_read_set_callback_data (stream->archive, stream);
  archive_read_set_read_callback (stream->archive, read_block);
  archive_read_set_skip_callback (stream->archive, skip_block);
  if (zip)
    archive_read_set_seek_callback (stream->archive, seek_block);
  if (archive_read_open1 (stream->archive) != ARCHIVE_OK)
    return fail (stream, error);

  do
    if (archive_read_next_header (stream->archive, &entry) != ARCHIVE_OK)
      return fail (stream, error);
  while (zip && archive_entry_filetype (entry) != AE_IFREG);

  return TRUE;
}

WwStream *
ww_stream_open (WwSource *source, GError **error)
{
  g_autoptr (WwStream) stream = g_new0 (WwStream, 1);
  char head[8] = { 0 };

  stream->source = ww_source_ref (source);
  if (!ww_source_read (source, 0, head, (gsize) MIN (ww_source_get_size (source), sizeof head),
                       error))
    return NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (packings); i++)
    if (memcmp (head, packings[i].magic, packings[i].length) == 0)
      stream->packing = packings[i].name;

  if (stream->packing != NULL && !open_packed (stream, error))
    return NULL;
  return g_steal_pointer (&stream);
}

gssize
ww_stream_read (WwStream *stream, void *buffer, gsize length, GError **error)
{
  gssize got;

  if (stream->archive == NULL)
    {
      guint64 left = ww_source_get_size (stream->source) - stream->at;

      length = (gsize) MIN (length, left);
      if (!ww_source_read (stream->source, stream->at, buffer, length, error))
        return -1;
      stream->at += length;
      return (gssize) length;
    }

  do
    got = archive_read_data (stream->archive, buffer, length);
  while (got == ARCHIVE_RETRY);
  if (got < 0)
    {
      fail (stream, error);
      return -1;
    }
  return got;
}

double
ww_stream_get_fraction (const WwStream *stream)
{
  return (double) stream->at / (double) MAX (ww_source_get_size (stream->source), 1);
}

const char *
ww_stream_get_packing (const WwStream *stream)
{
  return stream->packing;
}

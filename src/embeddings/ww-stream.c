#include "ww-stream.h"

#include <inttypes.h>
#include <errno.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>
#include <glib/gi18n-lib.h>

#include "ww-choice.h"
#include "ww-text-layout.h"
#include "ww-zip.h"

#define BLOCK (256 * 1024)
/* Of each member of a zip archive, to see what it is. */
#define HEAD_BYTES 16384
/* Of the end of a file, for where xz ends. */
#define XZ_LOOKED_AT (1024 * 1024)
#define XZ_FOOTER_BYTES 12
#define ZSTD_MAGIC 0xfd2fb528
#define ZSTD_SKIPPABLE 0x184d2a50
/* Of headers of zstd that are looked at: a block has up to 128 KiB, but may have nothing. */
#define ZSTD_MAX_HEADERS (1024 * 1024)

struct _WwStream
{
  WwSource *source;
  guint64 at; /* in the source */
  guint64 end; /* of what is unpacked: zeros behind it, which tapes leave, are no part of it */
  gboolean is_followed; /* there is something else behind the end */
  const char *packing;
  char *member; /* NULL: there is no other */
  struct archive *archive; /* NULL: plain, or gzip */
  GConverter *inflater;    /* of gzip; NULL: no gzip */
  gsize block_length, block_at;
  gboolean at_end, member_ended;
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

static guint32
get_32 (const guint8 *at)
{
  return at[0] | (guint32) at[1] << 8 | (guint32) at[2] << 16 | (guint32) at[3] << 24;
}

void
ww_stream_free (WwStream *stream)
{
  if (stream == NULL)
    return;

  if (stream->archive != NULL)
    archive_read_free (stream->archive);
  g_clear_object (&stream->inflater);
  g_clear_error (&stream->failure);
  ww_source_unref (stream->source);
  g_free (stream->member);
  g_free (stream->block);
  g_free (stream);
}

static la_ssize_t
read_block (struct archive *archive, void *data, const void **ret_buffer)
{
  WwStream *stream = data;
  gsize length = (gsize) MIN (stream->end - stream->at, BLOCK);

  if (!ww_source_read (stream->source, stream->at, stream->block, length, &stream->failure))
    {
      archive_set_error (archive, EIO, "%s", _("the file cannot be read"));
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
  gint64 left = (gint64) (stream->end - stream->at);
  gint64 skipped = CLAMP (request, 0, left);

  stream->at += (guint64) skipped;
  return skipped;
}

/* A file in a zip may have its directory at the end, which takes seeking to find. */
static la_int64_t
seek_block (struct archive *archive, void *data, la_int64_t offset, int whence)
{
  WwStream *stream = data;
  gint64 size = (gint64) stream->end;
  gint64 base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (gint64) stream->at : size;

  if (offset < -base || offset > size - base)
    return ARCHIVE_FATAL;

  stream->at = (guint64) (base + offset);
  return (la_int64_t) stream->at;
}

/* In our own words: what the libraries say is for their authors. */
static gboolean
fail_with (WwStream *stream, const char *said, GError **error)
{
  ww_source_set_error (stream->source, error, WW_SET_ERROR_MALFORMED,
                       _("cannot be unpacked (%s), near byte %" PRIu64 " of %" PRIu64 ": %s"),
                       stream->packing, stream->at - (stream->block_length - stream->block_at),
                       ww_source_get_size (stream->source), said);
  return FALSE;
}

static gboolean
fail_followed (WwStream *stream, GError **error)
{
  return fail_with (stream, _("something else follows behind its end"), error);
}

/* Where zeros from `at` on end. */
static guint64
skip_zeros (WwStream *stream, guint64 at)
{
  guint64 size = ww_source_get_size (stream->source);
  g_autofree guint8 *block = g_malloc (BLOCK);

  while (at < size)
    {
      gsize length = (gsize) MIN (size - at, BLOCK), n = 0;

      if (!ww_source_read (stream->source, at, block, length, NULL))
        return at;
      while (n < length && block[n] == 0)
        n++;
      at += n;
      if (n < length)
        return at;
    }

  return size;
}

/* Of what begins at `end`, behind the end of a stream: nothing, zeros, another stream (which belongs to it), or
 * something else. */
static void
note_end (WwStream *stream, guint64 end, const char *magic, gsize length)
{
  guint64 size = ww_source_get_size (stream->source), next = skip_zeros (stream, end);
  char head[8] = { 0 };
  gsize left = (gsize) MIN (size - next, length);

  if (next < size && ww_source_read (stream->source, next, head, left, NULL) && memcmp (head, magic, left) == 0)
    return; /* and it is cut off */

  stream->end = end;
  stream->is_followed = next < size;
}

/* A stream of xz ends with a checksum, two fields of which it is the checksum, and "YZ". The last one counts. */
static void
find_end_of_xz (WwStream *stream)
{
  guint64 size = ww_source_get_size (stream->source);
  gsize length = (gsize) MIN (size, XZ_LOOKED_AT);
  g_autofree guint8 *tail = g_malloc (length);

  if (!ww_source_read (stream->source, size - length, tail, length, NULL))
    return;
  for (gsize end = length; end >= XZ_FOOTER_BYTES; end--)
    {
      const guint8 *footer = tail + end - XZ_FOOTER_BYTES;

      if (memcmp (footer + 10, "YZ", 2) == 0 && ww_zip_compute_checksum (footer + 4, 6) == get_32 (footer))
        {
          note_end (stream, size - length + end, "\xfd" "7zXZ", 6);
          return;
        }
    }
}

/* How long a frame of zstd is that begins at `at`, by its headers alone; 0: it is cut off, or no frame. *left: how many
 * headers may be looked at. */
static guint64
measure_frame (WwStream *stream, guint64 at, guint *left)
{
  static const guint8 dictionary_bytes[] = { 0, 1, 2, 4 }, size_bytes[] = { 0, 2, 4, 8 };
  guint64 begin = at, size = ww_source_get_size (stream->source);
  guint8 head[8];
  guint32 block;
  gboolean single;

  if (*left == 0 || size - at < sizeof head || !ww_source_read (stream->source, at, head, sizeof head, NULL))
    return 0;
  --*left;
  if ((get_32 (head) & 0xfffffff0) == ZSTD_SKIPPABLE)
    return size - at - 8 >= get_32 (head + 4) ? 8 + (guint64) get_32 (head + 4) : 0;
  if (get_32 (head) != ZSTD_MAGIC)
    return 0;

  single = (head[4] & 0x20) != 0;
  at += 5 + (guint64) !single + dictionary_bytes[head[4] & 3] + size_bytes[head[4] >> 6]
        + (guint64) (single && head[4] >> 6 == 0);
  do
    {
      if (*left == 0 || at > size || size - at < 3 || !ww_source_read (stream->source, at, head + 5, 3, NULL))
        return 0;
      --*left;
      block = head[5] | (guint32) head[6] << 8 | (guint32) head[7] << 16;
      at += 3 + ((block >> 1 & 3) == 1 ? 1 : block >> 3);
    }
  while ((block & 1) == 0);
  at += (head[4] & 4) != 0 ? 4 : 0;

  return at <= size ? at - begin : 0;
}

static void
find_end_of_zstd (WwStream *stream)
{
  guint64 size = ww_source_get_size (stream->source), at = 0, length = 0;
  guint left = ZSTD_MAX_HEADERS;

  while (at < size && (length = measure_frame (stream, at, &left)) > 0)
    at += length;
  if (at > 0 && at < size && left > 0)
    note_end (stream, at, "\x28\xb5\x2f\xfd", 4);
}

/* At the end of what is unpacked. Of bzip2 only the library knows where that is; it stops there without a word. */
static gboolean
check_end (WwStream *stream, GError **error)
{
  la_int64_t end = archive_filter_bytes (stream->archive, -1);

  if (strcmp (stream->packing, "bzip2") == 0 && end > 0)
    {
      stream->is_followed = skip_zeros (stream, (guint64) end) < ww_source_get_size (stream->source);
      stream->at = (guint64) end;
    }

  return !stream->is_followed || fail_followed (stream, error);
}

/* The library says so but for xz, whose files end in "YZ". */
static gboolean
is_cut_off (WwStream *stream, const char *said)
{
  char end[2] = { 0 };

  if (strcmp (stream->packing, "xz") == 0)
    return stream->end < sizeof end
           || !ww_source_read (stream->source, stream->end - sizeof end, end, sizeof end, NULL)
           || memcmp (end, "YZ", sizeof end) != 0;

  return strstr (said, "runcated") != NULL || strstr (said, "remature") != NULL;
}

static gboolean
fail (WwStream *stream, GError **error)
{
  const char *said = archive_error_string (stream->archive);

  if (stream->failure != NULL)
    g_propagate_error (error, g_steal_pointer (&stream->failure));
  else if (said != NULL && is_cut_off (stream, said))
    fail_with (stream, _("it is cut off; copy or download it again"), error);
  else if (said != NULL && (strstr (said, "ncrypted") != NULL || strstr (said, "assphrase") != NULL))
    fail_with (stream, _("it is encrypted"), error);
  else
    fail_with (stream, _("it is damaged; copy or download it again"), error);
  return FALSE;
}

/* The members of a zip archive that are files of its owner. */
static gboolean
is_wanted (const WwZipMember *member)
{
  return !member->is_folder && !g_str_has_prefix (member->name, "__MACOSX/")
         && !g_str_has_suffix (member->name, ".DS_Store");
}

static gsize
count_wanted (const WwZip *zip)
{
  gsize n = 0;

  for (gsize i = 0; i < ww_zip_get_size (zip); i++)
    n += (gsize) is_wanted (ww_zip_get (zip, i));

  return n;
}

/* Whether a member may be a table of vectors: it has bytes, and these are lines with numbers or no text at all. */
static gboolean
may_be_table (const WwZip *zip, const WwZipMember *member)
{
  const WwTextHints hints = { WW_READING_GUESSED, FALSE };
  g_autoptr (WwSource) head = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  WwTextLayout layout;
  gsize length;

  if (member->bytes == 0)
    return FALSE;
  head = ww_zip_open_member (zip, member, HEAD_BYTES, NULL, NULL);
  text = head != NULL ? ww_source_read_all (head, HEAD_BYTES, &length, NULL) : NULL;
  if (text == NULL || length == 0 || memchr (text, '\0', length) != NULL)
    return TRUE; /* opening it says what it is */

  return ww_text_layout_guess (head, text, length, member->bytes == length, &hints, &layout, &error)
         || !g_error_matches (error, WW_SET_ERROR, WW_SET_ERROR_UNKNOWN);
}

/* The folder of a checkpoint as a whole: the path of its weights, which are no table by themselves. NULL: there is none. */
static const char *
find_checkpoint (const WwZip *zip)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (gsize i = 0; i < ww_zip_get_size (zip); i++)
    g_hash_table_add (names, (gpointer) ww_zip_get (zip, i)->name);
  for (gsize i = 0; i < ww_zip_get_size (zip); i++)
    {
      const char *name = ww_zip_get (zip, i)->name, *slash = strrchr (name, '/');
      const char *base = slash != NULL ? slash + 1 : name;
      g_autofree char *config = g_strdup_printf ("%.*sconfig.json", (int) (base - name), name);

      if ((strcmp (base, "model.safetensors") == 0 || strcmp (base, "model.safetensors.index.json") == 0)
          && g_hash_table_contains (names, config))
        return name;
    }

  return NULL;
}

/* How many members of the archive the library passes before this one: it goes by their places in the file. */
static gsize
count_before (const WwZip *zip, const WwZipMember *member)
{
  g_autoptr (GHashTable) places = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (gsize i = 0; i < ww_zip_get_size (zip); i++)
    if (ww_zip_get (zip, i)->header < member->header)
      g_hash_table_add (places, (gpointer) &ww_zip_get (zip, i)->header);

  return g_hash_table_size (places);
}

/* Which member of a zip archive is meant, and where it ends. */
static gboolean
choose_member (WwStream *stream, const char *member, const WwOpening *opening, gsize *ret_before, GError **error)
{
  WwSource *source = stream->source;
  static const WwOpenOptions no_options = { NULL };
  const WwOpening nobody = { NULL, NULL, NULL, &no_options, NULL, NULL };
  g_autoptr (WwZip) zip = ww_zip_open (source, error);
  g_autoptr (GPtrArray) candidates = ww_candidates_new (), members = g_ptr_array_new ();
  gboolean several;
  gsize index;

  if (zip == NULL)
    return FALSE;
  if (member == NULL && find_checkpoint (zip) != NULL)
    {
      g_autofree char *shown = ww_dup_one_line (find_checkpoint (zip));

      ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                           _("a zip archive with a checkpoint in it (%.200s). Unpack it, and open the folder"), shown);
      return FALSE;
    }
  several = count_wanted (zip) > 1;
  for (gsize i = 0; i < ww_zip_get_size (zip); i++)
    if (is_wanted (ww_zip_get (zip, i)))
      {
        g_autofree char *size = g_strdup_printf (_("%" PRIu64 " bytes"), ww_zip_get (zip, i)->bytes);

        gboolean usable = !several || may_be_table (zip, ww_zip_get (zip, i));

        ww_candidates_add (candidates, ww_zip_get (zip, i)->name, size, NULL, usable,
                           usable ? NULL : _("no table of vectors"));
        g_ptr_array_add (members, (gpointer) ww_zip_get (zip, i));
      }
  if (candidates->len == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_EMPTY, _("a zip archive without files"));
      return FALSE;
    }
  if (!ww_choose (candidates, opening != NULL ? opening : &nobody, source, member, NULL, &index,
                  error))
    return FALSE;

  *ret_before = count_before (zip, g_ptr_array_index (members, index));
  stream->end = ww_zip_get_end (zip);
  if (candidates->len > 1)
    stream->member = g_strdup (ww_candidates_get (candidates, index)->id);
  return TRUE;
}

/* A name that does not go with the locale gets a warning. */
static gboolean
read_header (WwStream *stream, GError **error)
{
  struct archive_entry *entry;
  int result = archive_read_next_header (stream->archive, &entry);

  return result == ARCHIVE_OK || result == ARCHIVE_WARN || fail (stream, error);
}

static gboolean
open_packed (WwStream *stream, const char *member, const WwOpening *opening, GError **error)
{
  gboolean zip = strcmp (stream->packing, "zip") == 0;
  gsize before = 0;

  if (zip && !choose_member (stream, member, opening, &before, error))
    return FALSE;
  if (strcmp (stream->packing, "xz") == 0)
    find_end_of_xz (stream);
  if (strcmp (stream->packing, "zstd") == 0)
    find_end_of_zstd (stream);

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

  for (gsize i = 0; i <= before; i++)
    if (!read_header (stream, error))
      return FALSE;

  return TRUE;
}

static gboolean
fill_block (WwStream *stream, GError **error)
{
  gsize length = (gsize) MIN (ww_source_get_size (stream->source) - stream->at, BLOCK);

  if (!ww_source_read (stream->source, stream->at, stream->block, length, error))
    return FALSE;

  stream->at += length;
  stream->block_length = length;
  stream->block_at = 0;
  return TRUE;
}

/* Behind a member of gzip there may be another one, or zeros up to the end, which tapes leave. */
static gboolean
begin_member (WwStream *stream, GError **error)
{
  while (stream->block_at < stream->block_length || stream->at < ww_source_get_size (stream->source))
    {
      if (stream->block_at == stream->block_length && !fill_block (stream, error))
        return FALSE;
      if (stream->block[stream->block_at] == 0x1f)
        {
          g_converter_reset (stream->inflater);
          stream->member_ended = FALSE;
          return TRUE;
        }
      if (stream->block[stream->block_at] != 0)
        return fail_followed (stream, error);
      stream->block_at++;
    }

  stream->at_end = TRUE;
  return TRUE;
}

/* What was given to zlib in one go is not taken in at all where something in it is wrong. */
static void
fail_damaged (WwStream *stream, GError **error)
{
  ww_source_set_error (stream->source, error, WW_SET_ERROR_MALFORMED,
                       _("cannot be unpacked (%s): between byte %" PRIu64 " and byte %" PRIu64 " of %" PRIu64
                         " something is damaged; copy or download it again"),
                       stream->packing, stream->at - (stream->block_length - stream->block_at), stream->at,
                       ww_source_get_size (stream->source));
}

/* gzip by zlib and not by the archive library, which does not compare checksums. */
static gssize
read_gzip (WwStream *stream, guint8 *buffer, gsize length, GError **error)
{
  gsize done = 0;

  while (done == 0 && length > 0)
    {
      g_autoptr (GError) local = NULL;
      gsize used = 0, made = 0;
      GConverterResult result;
      gboolean last;

      if (stream->member_ended && !begin_member (stream, error))
        return -1;
      if (stream->at_end)
        return 0;
      if (stream->block_at == stream->block_length && !fill_block (stream, error))
        return -1;

      last = stream->at == ww_source_get_size (stream->source);
      result = g_converter_convert (stream->inflater, stream->block + stream->block_at,
                                    stream->block_length - stream->block_at, buffer, length,
                                    last ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &used, &made,
                                    &local);
      if (result == G_CONVERTER_ERROR
          && (last || !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)))
        {
          if (last && g_error_matches (local, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
            fail_with (stream, _("it is cut off; copy or download it again"), error);
          else
            fail_damaged (stream, error);
          return -1;
        }
      /* The little that cannot be used alone has been taken in. */
      stream->block_at = result == G_CONVERTER_ERROR ? stream->block_length : stream->block_at + used;
      stream->member_ended = result == G_CONVERTER_FINISHED;
      done = made;
    }

  return (gssize) done;
}

static void
open_gzip (WwStream *stream)
{
  stream->inflater = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  stream->block = g_malloc (BLOCK);
}

WwStream *
ww_stream_open (WwSource *source, const char *member, const WwOpening *opening, GError **error)
{
  g_autoptr (WwStream) stream = g_new0 (WwStream, 1);
  char head[8] = { 0 };

  stream->source = ww_source_ref (source);
  stream->end = ww_source_get_size (source);
  if (!ww_source_read (source, 0, head, (gsize) MIN (ww_source_get_size (source), sizeof head),
                       error))
    return NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (packings); i++)
    if (memcmp (head, packings[i].magic, packings[i].length) == 0)
      stream->packing = packings[i].name;

  if (member != NULL && g_strcmp0 (stream->packing, "zip") != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MISSING,
                           _("has no member \"%.200s\": it is a single table, not an archive"), member);
      return NULL;
    }
  if (g_strcmp0 (stream->packing, "gzip") == 0)
    open_gzip (stream);
  else if (stream->packing != NULL && !open_packed (stream, member, opening, error))
    return NULL;
  return g_steal_pointer (&stream);
}

gssize
ww_stream_read (WwStream *stream, void *buffer, gsize length, GError **error)
{
  gssize got;

  if (stream->inflater != NULL)
    return read_gzip (stream, buffer, length, error);
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
  if (got == 0 && length > 0 && !check_end (stream, error))
    return -1;
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

char *
ww_stream_dup_name (const WwStream *stream, GFile *file)
{
  g_autofree char *base = g_file_get_basename (file);

  return stream->member != NULL ? g_strdup_printf ("%s, %s", base, stream->member) : g_strdup (base);
}

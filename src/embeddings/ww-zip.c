#include "ww-zip.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "ww-set.h"

#define END_BYTES 22
#define LOCATOR_BYTES 20
#define END64_BYTES 56
#define ENTRY_BYTES 46
#define LOCAL_BYTES 30
#define MAX_COMMENT 65535
#define MAX_DIRECTORY_BYTES (64 * 1024 * 1024)
#define MAX_MEMBERS 100000
#define MAX_UNPACKED_BYTES (G_GUINT64_CONSTANT (4) << 30)
/* Deflate never packs tighter, so a promise beyond it is a lie. */
#define MAX_RATIO 1032
#define MAX_CHECKED_BYTES (16 * 1024 * 1024)
#define BLOCK (256 * 1024)

#define METHOD_STORED 0
#define METHOD_DEFLATED 8
#define FLAG_ENCRYPTED 1

struct _WwZip
{
  WwSource *source;
  GArray *members; /* WwZipMember */
  guint64 end;     /* where the end record ends, but for its comment */
};

typedef struct
{
  guint64 entries, bytes, offset;
  guint64 end; /* of the end record */
} Directory;

static guint16
get_16 (const guint8 *at)
{
  return (guint16) (at[0] | at[1] << 8);
}

static guint32
get_32 (const guint8 *at)
{
  return get_16 (at) | (guint32) get_16 (at + 2) << 16;
}

static guint64
get_64 (const guint8 *at)
{
  return get_32 (at) | (guint64) get_32 (at + 4) << 32;
}

static void
clear_member (gpointer data)
{
  g_free (((WwZipMember *) data)->name);
}

void
ww_zip_free (WwZip *zip)
{
  if (zip == NULL)
    return;

  ww_source_unref (zip->source);
  g_array_unref (zip->members);
  g_free (zip);
}

/* Whether the directory is where a possible end record says, right before it or before the ZIP64 record. A zip archive
 * inside of a zip archive has such a record too, but means places of its own. */
static gboolean
is_true_end (WwSource *source, guint64 at, const guint8 *end)
{
  guint64 bytes = get_32 (end + 12), offset = get_32 (end + 16);
  guint8 before[LOCATOR_BYTES] = { 0 }, first[4];

  if (get_16 (end + 20) > ww_source_get_size (source) - at - END_BYTES)
    return FALSE;
  if (at >= LOCATOR_BYTES && ww_source_read (source, at - LOCATOR_BYTES, before, LOCATOR_BYTES, NULL)
      && memcmp (before, "PK\6\7", 4) == 0)
    return TRUE;
  if (offset > at || bytes != at - offset)
    return FALSE;

  return bytes == 0
         || (bytes >= ENTRY_BYTES && ww_source_read (source, offset, first, sizeof first, NULL)
             && memcmp (first, "PK\1\2", sizeof first) == 0);
}

/* The end record stands last, but for a comment of up to 64 KiB, whose length it holds, and for what a transfer or a
 * signature may have put behind it. */
static gboolean
find_end (WwSource *source, guint64 *ret_at, guint8 *ret_end, GError **error)
{
  guint64 size = ww_source_get_size (source);
  gsize length = (gsize) MIN (size, END_BYTES + MAX_COMMENT);
  g_autofree guint8 *tail = g_malloc (length);

  if (!ww_source_read (source, size - length, tail, length, error))
    return FALSE;

  for (int exact = 1; exact >= 0; exact--)
    for (gsize left = END_BYTES; left <= length; left++)
      {
        const guint8 *at = tail + length - left;

        if (memcmp (at, "PK\5\6", 4) == 0
            && (exact ? get_16 (at + 20) == left - END_BYTES : is_true_end (source, size - left, at)))
          {
            *ret_at = size - left;
            memcpy (ret_end, at, END_BYTES);
            return TRUE;
          }
      }

  ww_source_set_error (source, error, WW_SET_ERROR_TRUNCATED,
                       _("a zip archive of %" PRIu64 " bytes whose directory, which stands at"
                         " the end, is missing; the file is incomplete"), size);
  return FALSE;
}

/* The numbers that did not fit into the end record, where there is a ZIP64 record before it. */
static gboolean
read_end64 (WwSource *source, guint64 end_at, Directory *directory, GError **error)
{
  guint8 locator[LOCATOR_BYTES], record[END64_BYTES];
  guint64 at;

  if (end_at < LOCATOR_BYTES)
    return TRUE;
  if (!ww_source_read (source, end_at - LOCATOR_BYTES, locator, LOCATOR_BYTES, error))
    return FALSE;
  if (memcmp (locator, "PK\6\7", 4) != 0)
    return TRUE;

  at = get_64 (locator + 8);
  if (at > end_at || end_at - at < END64_BYTES + LOCATOR_BYTES)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           _("byte %" PRIu64 ": the ZIP64 record is said to be at byte %"
                             PRIu64 ", where it cannot be"), end_at - LOCATOR_BYTES, at);
      return FALSE;
    }
  if (!ww_source_read (source, at, record, END64_BYTES, error))
    return FALSE;
  if (memcmp (record, "PK\6\6", 4) != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           _("byte %" PRIu64 ": no ZIP64 record where one is announced"), at);
      return FALSE;
    }

  directory->entries = get_64 (record + 32);
  directory->bytes = get_64 (record + 40);
  directory->offset = get_64 (record + 48);
  return TRUE;
}

static gboolean
find_directory (WwSource *source, Directory *ret_directory, GError **error)
{
  guint8 end[END_BYTES];
  Directory directory;
  guint64 at;

  if (!find_end (source, &at, end, error))
    return FALSE;
  if (get_16 (end + 4) != get_16 (end + 6) || (get_16 (end + 4) != 0 && get_16 (end + 4) != 0xffff))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("part %u of a zip archive in several parts; join them first"),
                           get_16 (end + 4) + 1);
      return FALSE;
    }

  directory = (Directory) { get_16 (end + 10), get_32 (end + 12), get_32 (end + 16) };
  if ((directory.entries == 0xffff || directory.bytes == 0xffffffff
       || directory.offset == 0xffffffff)
      && !read_end64 (source, at, &directory, error))
    return FALSE;

  if (directory.offset > at || directory.bytes > at - directory.offset)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           _("byte %" PRIu64 ": the directory is said to have %"
                             PRIu64 " bytes from byte %" PRIu64
                             " on, which is more than there is before this byte"), at,
                           directory.bytes, directory.offset);
      return FALSE;
    }
  if (directory.bytes > MAX_DIRECTORY_BYTES || directory.entries > MAX_MEMBERS)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("a zip archive with %" PRIu64 " members; at most %d are accepted"),
                           directory.entries, MAX_MEMBERS);
      return FALSE;
    }

  directory.end = at + END_BYTES;
  *ret_directory = directory;
  return TRUE;
}

/* Sizes and places beyond 32 bits stand in an extra field, only those that did not fit, in this
 * order. FALSE: one that should be there is not. */
static gboolean
apply_extra64 (WwZipMember *member, const guint8 *extra, gsize length)
{
  guint64 *wide[3] = { &member->bytes, &member->packed_bytes, &member->header };
  gsize needed = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (wide); i++)
    needed += *wide[i] == 0xffffffff ? 8 : 0;
  if (needed == 0)
    return TRUE;

  while (length >= 4)
    {
      gsize size = get_16 (extra + 2);

      if (size > length - 4)
        return FALSE;
      if (get_16 (extra) == 1)
        {
          if (size < needed)
            return FALSE;
          extra += 4;
          for (gsize i = 0; i < G_N_ELEMENTS (wide); i++)
            if (*wide[i] == 0xffffffff)
              {
                *wide[i] = get_64 (extra);
                extra += 8;
              }
          return TRUE;
        }
      extra += 4 + size;
      length -= 4 + size;
    }

  return FALSE;
}

/* Paths have slashes, but some archives of Windows have backslashes in their place. */
static char *
make_name (const char *bytes, gsize length)
{
  char *name = g_utf8_make_valid (bytes, (gssize) length);

  return strchr (name, '/') == NULL ? g_strdelimit (name, "\\", '/') : name;
}

/* One entry of the directory; how many bytes it takes, or 0 if it is damaged. */
static gsize
parse_entry (const guint8 *at, gsize left, WwZipMember *member)
{
  gsize name, extra, comment;

  if (left < ENTRY_BYTES || memcmp (at, "PK\1\2", 4) != 0)
    return 0;
  name = get_16 (at + 28);
  extra = get_16 (at + 30);
  comment = get_16 (at + 32);
  if (name == 0 || name + extra + comment > left - ENTRY_BYTES)
    return 0;

  member->flags = get_16 (at + 8);
  member->method = get_16 (at + 10);
  member->checksum = get_32 (at + 16);
  member->packed_bytes = get_32 (at + 20);
  member->bytes = get_32 (at + 24);
  member->header = get_32 (at + 42);
  if (!apply_extra64 (member, at + ENTRY_BYTES + name, extra))
    return 0;

  member->name = make_name ((const char *) at + ENTRY_BYTES, name);
  member->is_folder = g_str_has_suffix (member->name, "/");
  return ENTRY_BYTES + name + extra + comment;
}

static gboolean
read_directory (WwZip *zip, const Directory *directory, GError **error)
{
  g_autofree guint8 *bytes = g_malloc ((gsize) directory->bytes + 1);
  gsize at = 0;

  if (!ww_source_read (zip->source, directory->offset, bytes, (gsize) directory->bytes, error))
    return FALSE;

  for (guint64 i = 0; i < directory->entries; i++)
    {
      WwZipMember member = { 0 };
      gsize length = parse_entry (bytes + at, (gsize) directory->bytes - at, &member);

      if (length == 0)
        {
          ww_source_set_error (zip->source, error, WW_SET_ERROR_MALFORMED,
                               _("byte %" PRIu64 ": entry %" PRIu64 " of %"
                                 PRIu64 " of the zip directory is damaged"),
                               directory->offset + at, i + 1, directory->entries);
          return FALSE;
        }
      g_array_append_val (zip->members, member);
      at += length;
    }

  return TRUE;
}

WwZip *
ww_zip_open (WwSource *source, GError **error)
{
  g_autoptr (WwZip) zip = g_new0 (WwZip, 1);
  Directory directory;

  zip->source = ww_source_ref (source);
  zip->members = g_array_new (FALSE, TRUE, sizeof (WwZipMember));
  g_array_set_clear_func (zip->members, clear_member);
  if (!find_directory (source, &directory, error) || !read_directory (zip, &directory, error))
    return NULL;

  zip->end = directory.end;
  return g_steal_pointer (&zip);
}

guint64
ww_zip_get_end (const WwZip *zip)
{
  return zip->end;
}

gsize
ww_zip_get_size (const WwZip *zip)
{
  return zip->members->len;
}

const WwZipMember *
ww_zip_get (const WwZip *zip, gsize index)
{
  g_return_val_if_fail (index < zip->members->len, NULL);

  return &g_array_index (zip->members, WwZipMember, index);
}

G_GNUC_PRINTF (5, 6) static gboolean
fail (const WwZip *zip, const WwZipMember *member, GError **error, int code, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  ww_source_set_error (zip->source, error, code, _("member \"%.200s\" of the zip archive %s"),
                       member->name, what);
  return FALSE;
}

/* The local header repeats what the directory says, except how long its own name and extra field
 * are. */
static gboolean
find_bytes (const WwZip *zip, const WwZipMember *member, guint64 *ret_start, GError **error)
{
  guint64 size = ww_source_get_size (zip->source);
  guint8 local[LOCAL_BYTES];
  guint64 start;

  if (member->header > size || size - member->header < LOCAL_BYTES)
    return fail (zip, member, error, WW_SET_ERROR_MALFORMED, _("is said to begin at byte %"
                   PRIu64 ", behind the end at byte %" PRIu64), member->header, size);
  if (!ww_source_read (zip->source, member->header, local, LOCAL_BYTES, error))
    return FALSE;
  if (memcmp (local, "PK\3\4", 4) != 0)
    return fail (zip, member, error, WW_SET_ERROR_MALFORMED, _("has no header at byte %"
                   PRIu64 ", where the directory says that it begins"), member->header);

  start = member->header + LOCAL_BYTES + get_16 (local + 26) + get_16 (local + 28);
  if (start > size || member->packed_bytes > size - start)
    return fail (zip, member, error, WW_SET_ERROR_TRUNCATED, _("has %" PRIu64
                   " bytes from byte %" PRIu64 " on; the file ends at byte %"
                   PRIu64), member->packed_bytes, start, size);

  *ret_start = start;
  return TRUE;
}

static gboolean
check_method (const WwZip *zip, const WwZipMember *member, GError **error)
{
  if ((member->flags & FLAG_ENCRYPTED) != 0)
    return fail (zip, member, error, WW_SET_ERROR_UNSUPPORTED,
                 _("is encrypted; unpack the archive and open the file from it"));
  if (member->method != METHOD_STORED && member->method != METHOD_DEFLATED)
    return fail (zip, member, error, WW_SET_ERROR_UNSUPPORTED,
                 _("is packed by method %u; stored (0) and deflated (8) are read. Unpack the archive and open the"
                   " file from it"), member->method);
  if (member->method == METHOD_STORED && member->bytes != member->packed_bytes)
    return fail (zip, member, error, WW_SET_ERROR_MALFORMED, _("is stored, yet has %" PRIu64
                   " bytes packed and %" PRIu64 " unpacked"), member->packed_bytes,
                 member->bytes);
  if (member->method == METHOD_DEFLATED
      && (member->bytes > MAX_UNPACKED_BYTES || member->bytes / MAX_RATIO > member->packed_bytes))
    return fail (zip, member, error, WW_SET_ERROR_TOO_LARGE, _("is said to unpack from %"
                   PRIu64 " bytes to %" PRIu64), member->packed_bytes,
                 member->bytes);
  return TRUE;
}

/* CRC-32 with the reversed polynomial 0xedb88320, as zip and PNG use it. */
guint32
ww_zip_compute_checksum (const guint8 *bytes, gsize length)
{
  guint32 table[256], crc = 0xffffffff;

  for (guint32 i = 0; i < 256; i++)
    {
      table[i] = i;
      for (int bit = 0; bit < 8; bit++)
        table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320 : 0);
    }
  for (gsize i = 0; i < length; i++)
    crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];

  return ~crc;
}

static gboolean
check_sum (const WwZip *zip, const WwZipMember *member, const guint8 *bytes, GError **error)
{
  guint32 found = ww_zip_compute_checksum (bytes, (gsize) member->bytes);

  return found == member->checksum
         || fail (zip, member, error, WW_SET_ERROR_MALFORMED,
                  _("is damaged: its checksum is %08x, the directory says %08x"), found,
                  member->checksum);
}

/* Unpacks from `start` on until `wanted` bytes are there or the data ends. */
static gboolean
inflate_into (const WwZip *zip, const WwZipMember *member, guint64 start, guint8 *to, gsize wanted,
              gsize *ret_length, GCancellable *cancellable, GError **error)
{
  g_autoptr (GZlibDecompressor) inflater =
    g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);
  g_autofree guint8 *block = g_malloc (BLOCK);
  guint64 taken = 0; /* packed bytes that are read from the source */
  gsize have = 0, at = 0, length = 0;
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (result != G_CONVERTER_FINISHED && length < wanted)
    {
      g_autoptr (GError) local = NULL;
      gsize used = 0, made = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (at == have)
        {
          have = (gsize) MIN (member->packed_bytes - taken, BLOCK);
          if (!ww_source_read (zip->source, start + taken, block, have, error))
            return FALSE;
          taken += have;
          at = 0;
        }
      result = g_converter_convert (G_CONVERTER (inflater), block + at, have - at, to + length,
                                    wanted - length,
                                    taken == member->packed_bytes ? G_CONVERTER_INPUT_AT_END
                                                                  : G_CONVERTER_NO_FLAGS,
                                    &used, &made, &local);
      if (result == G_CONVERTER_ERROR && !g_error_matches (local, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
        return fail (zip, member, error, WW_SET_ERROR_MALFORMED, _("cannot be unpacked, near byte %"
                       PRIu64 ": it is damaged"), start + taken - (have - at));
      if (result == G_CONVERTER_ERROR && taken == member->packed_bytes)
        return fail (zip, member, error, WW_SET_ERROR_TRUNCATED, _("ends in the middle, at byte %"
                       PRIu64), start + taken);
      at += used;
      length += made;
      /* Some bytes are left over that are too few to go on with: they go in front of the next. */
      if (result == G_CONVERTER_ERROR)
        {
          taken -= have - at;
          at = have;
        }
    }

  *ret_length = length;
  return TRUE;
}

static WwSource *
unpack (const WwZip *zip, const WwZipMember *member, guint64 start, gsize most, const char *name,
        GCancellable *cancellable, GError **error)
{
  gboolean partly = most != 0 && most < member->bytes;
  /* One byte more than announced, to see whether there is more. */
  gsize wanted = partly ? most : (gsize) member->bytes + 1, length = 0;
  g_autofree guint8 *bytes = g_try_malloc (wanted);
  g_autoptr (GBytes) content = NULL;

  if (bytes == NULL)
    {
      fail (zip, member, error, WW_SET_ERROR_TOO_LARGE, _("needs %zu bytes of memory, which are not to be had"),
            wanted);
      return NULL;
    }
  if (!inflate_into (zip, member, start, bytes, wanted, &length, cancellable, error))
    return NULL;
  if (length != (partly ? most : member->bytes))
    {
      fail (zip, member, error, WW_SET_ERROR_MALFORMED,
            length < member->bytes ? _("unpacks to less than the %" PRIu64 " bytes that its directory says")
                                   : _("unpacks to more than the %" PRIu64 " bytes that its directory says"),
            member->bytes);
      return NULL;
    }
  if (!partly && !check_sum (zip, member, bytes, error))
    return NULL;

  content = g_bytes_new_take (g_steal_pointer (&bytes), length);
  return ww_source_new_for_bytes (name, content);
}

WwSource *
ww_zip_open_member (const WwZip *zip, const WwZipMember *member, gsize most,
                    GCancellable *cancellable, GError **error)
{
  g_autofree char *name = g_strdup_printf ("%s: %.200s", ww_source_get_name (zip->source),
                                           member->name);
  g_autoptr (WwSource) slice = NULL;
  guint64 start = 0;

  if (!check_method (zip, member, error) || !find_bytes (zip, member, &start, error))
    return NULL;
  if (member->method == METHOD_DEFLATED)
    return unpack (zip, member, start, most, name, cancellable, error);

  slice = ww_source_new_slice (name, zip->source, start,
                               most != 0 ? MIN (most, member->bytes) : member->bytes);
  if (most == 0 && member->bytes <= MAX_CHECKED_BYTES)
    {
      gsize length;
      g_autofree char *bytes = ww_source_read_all (slice, MAX_CHECKED_BYTES, &length, error);

      if (bytes == NULL || !check_sum (zip, member, (const guint8 *) bytes, error))
        return NULL;
    }
  return g_steal_pointer (&slice);
}

#define _GNU_SOURCE /* memmem */
#include "ww-text-refused.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ww-decimal.h"
#include "ww-safetensors.h"
#include "ww-set-private.h"

#define MAX_SHOWN 40
/* Half of the bytes of Latin letters in UTF-16 are zero; so many are looked at. */
#define MAX_LOOKED_AT 4096
#define MAX_COUNT G_GUINT64_CONSTANT (999999999999999)

typedef struct
{
  gsize offset;
  const char *magic;
  gsize length;
  const char *sentence;
} Kind;

static const Kind kinds[] = {
  { 0, "\x1f\x8b", 2, N_("what is packed in it is packed once more (gzip). Unpack it once: gunzip FILE") },
  { 0, "\xfd" "7zXZ\0", 6, N_("what is packed in it is packed once more (xz). Unpack it once: unxz FILE") },
  { 0, "\x28\xb5\x2f\xfd", 4, N_("what is packed in it is packed once more (zstd). Unpack it once: unzstd FILE") },
  { 0, "BZh", 3, N_("what is packed in it is packed once more (bzip2). Unpack it once: bunzip2 FILE") },
  { 0, "PK\3\4", 4, N_("what is packed in it is an archive (zip). Unpack it, and open a file of the archive") },
  { 0, "PK\5\6", 4, N_("a zip archive without files") },
  { 257, "ustar", 5, N_("an archive (tar) and no file. Unpack it (tar -xf FILE), and open a file of it") },
  { 0, "7z\xbc\xaf\x27\x1c", 6, N_("an archive of 7-Zip. Unpack it, and open a file of it") },
  { 0, "Rar!", 4, N_("an archive (RAR). Unpack it, and open a file of it") },
  { 0, "\x93NUMPY", 6, N_("a NumPy array that is packed. Unpack it first; a .npz may hold packed arrays") },
  { 0, "GGUF", 4, N_("a GGUF file that is packed. Unpack it first") },
  { 0, "\xff\xfe", 2, N_("text in UTF-16; UTF-8 was expected. To convert:\n  iconv -f UTF-16 -t UTF-8 in.txt > out.txt") },
  { 0, "\xfe\xff", 2, N_("text in UTF-16; UTF-8 was expected. To convert:\n  iconv -f UTF-16 -t UTF-8 in.txt > out.txt") },
};

static gboolean
is_kind (const Kind *kind, const char *text, gsize length)
{
  return length >= kind->offset + kind->length && memcmp (text + kind->offset, kind->magic, kind->length) == 0;
}

/* A table may begin with the word "GGUF". */
static gboolean
is_binary (const char *text, gsize length)
{
  gsize looked = MIN (length, MAX_LOOKED_AT);
  const char *end;

  if (memchr (text, '\0', looked) != NULL)
    return TRUE;

  /* The last character may be cut. */
  return !g_utf8_validate (text, (gssize) looked, &end) && (looked == length || text + looked - end > 4);
}

/* An .lzma file has no magic bytes: usual properties, and a size that is not known. */
static gboolean
is_lzma (const char *text, gsize length)
{
  return length > 13 && text[0] == 0x5d && text[1] == 0 && text[2] == 0
         && (memcmp (text + 5, "\xff\xff\xff\xff\xff\xff\xff\xff", 8) == 0 || memcmp (text + 10, "\0\0\0", 3) == 0);
}

/* The length of its header, and the header. */
static gboolean
is_safetensors (const char *text, gsize length)
{
  guint64 header;

  if (length < 10)
    return FALSE;

  memcpy (&header, text, sizeof header);
  header = GUINT64_FROM_LE (header);
  return header >= 2 && header <= WW_SAFETENSORS_MAX_HEADER && text[8] == '{'
         && (text[9] == '"' || text[9] == '}' || g_ascii_isspace (text[9]));
}

/* Kinds that are read, or refused with a recipe, where they are not packed. */
static gboolean
refuse_packed (WwSource *source, const char *text, gsize length, GError **error)
{
  if (ww_refused_set_packed_error (source, text, length, error))
    return TRUE;

  if (is_safetensors (text, length))
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("what is packed in it is a safetensors file. Unpack it first"));
  else if (length > 4 && memcmp (text, "PK\3\4", 4) == 0
           && memmem (text, MIN (length, MAX_LOOKED_AT), ".npy", 4) != NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("what is packed in it is an archive of NumPy arrays (.npz). Unpack it once"));
  else
    return FALSE;

  return TRUE;
}

/* UTF-16 without a mark at its beginning. */
static const char *
find_utf16 (const char *text, gsize length)
{
  gsize zeros[2] = { 0 }, n = MIN (length, MAX_LOOKED_AT) / 2;

  for (gsize i = 0; i < 2 * n; i++)
    zeros[i % 2] += text[i] == '\0';
  if (n < 8)
    return NULL;

  if (zeros[0] == 0 && zeros[1] > n * 9 / 10)
    return "UTF-16LE";
  return zeros[1] == 0 && zeros[0] > n * 9 / 10 ? "UTF-16BE" : NULL;
}

static gboolean
ends_lines_with_cr (const char *text, gsize length)
{
  const char *first = memchr (text, '\r', length);

  return first != NULL && memchr (text, '\n', length) == NULL && memchr (text, '\0', length) == NULL
         && first + 1 < text + length;
}

/* Two counts, which may be negative or too long, and then what is no text. */
static gboolean
has_counts (const char *text, gsize length)
{
  const char *newline = memchr (text, '\n', MIN (length, 100));
  guint fields = 1;

  if (newline == NULL || memchr (newline, '\0', (gsize) (text + length - newline)) == NULL)
    return FALSE;
  for (const char *c = text; c < newline; c++)
    {
      if (strchr ("+-0123456789 \r", *c) == NULL || *c == '\0')
        return FALSE;
      fields += *c == ' ' && c > text;
    }

  return fields == 2;
}

/* Of a line with two counts. */
static gboolean
are_counts_good (const char *line, gsize length)
{
  g_autofree char *text = g_strndup (line, length);
  g_auto (GStrv) fields = g_strsplit (g_strchomp (text), " ", 2);

  for (gsize i = 0; i < 2; i++)
    if (fields[i] == NULL || !g_ascii_string_to_unsigned (fields[i], 10, 1, MAX_COUNT, NULL, NULL))
      return FALSE;

  return TRUE;
}

/* What has the first line of a binary word2vec file and bytes that are no text, but was not recognised as one. */
static gboolean
refuse_counts (WwSource *source, const char *text, gsize length, GError **error)
{
  gsize line = (gsize) ((const char *) memchr (text, '\n', length) - text), looked = MIN (length, MAX_LOOKED_AT);
  int shown = (int) MIN (line, MAX_SHOWN);

  if (!are_counts_good (text, line))
    ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                         _("line 1 is \"%.*s\", which cannot be the counts (words and numbers) of a binary word2vec"
                           " file: two whole numbers above 0 were expected"), shown, text);
  else if (memchr (text + line, ' ', looked - line) == NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                         _("line 1 is \"%.*s\", as in a binary word2vec file, but no space follows within %d bytes, where"
                           " the first word should end; longer words are not read"), shown, text, MAX_LOOKED_AT);
  else
    return FALSE;

  return TRUE;
}

static gboolean
refuse (WwSource *source, int code, const char *sentence, GError **error)
{
  ww_source_set_error (source, error, code, "%s", sentence);
  return TRUE;
}

gboolean
ww_text_refuse_content (WwSource *source, const char *text, gsize length, GError **error)
{
  gboolean binary = is_binary (text, length);
  const char *utf16;

  if (refuse_packed (source, text, length, error))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds) && binary; i++)
    if (is_kind (&kinds[i], text, length))
      return refuse (source, strncmp (kinds[i].magic, "PK\5", 3) == 0 ? WW_SET_ERROR_EMPTY : WW_SET_ERROR_REFUSED,
                     _(kinds[i].sentence), error);

  if (is_lzma (text, length))
    return refuse (source, WW_SET_ERROR_REFUSED,
                   _("a file packed as .lzma, which is not read. Unpack it first: unlzma FILE"), error);
  if (ends_lines_with_cr (text, length))
    return refuse (source, WW_SET_ERROR_REFUSED,
                   _("its lines end with a carriage return alone, as on old Macs; line feeds were expected. To convert:\n"
                     "  tr '\\r' '\\n' < in.txt > out.txt"), error);
  utf16 = find_utf16 (text, length);
  if (utf16 != NULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                           _("text in UTF-16; UTF-8 was expected. To convert:\n  iconv -f %s -t UTF-8 in.txt > out.txt"),
                           utf16);
      return TRUE;
    }
  return has_counts (text, length) && refuse_counts (source, text, length, error);
}

/* Whether at least one number stands behind the first separator, and nothing else behind that number. A comma in a
 * number may be decimal where semicolons separate. */
static gboolean
is_row (const char *line, const char *end, char separator)
{
  g_autofree char *row = g_strndup (line, (gsize) (end - line));
  g_auto (GStrv) fields = NULL;
  const char separators[] = { separator, '\0' };
  guint n;

  if (separator == ';')
    g_strdelimit (row, ",", '.');
  fields = g_strsplit (row, separators, -1);
  n = g_strv_length (fields);
  if (n < 2)
    return FALSE;
  for (guint i = n == 2 ? 1 : n - 2; i < n; i++)
    {
      const char *field = g_strstrip (fields[i]);

      if (!ww_decimal_is_number (field, field + strlen (field)))
        return FALSE;
    }

  return TRUE;
}

/* The line that a recipe begins with. A title line may be numbers too, as pandas writes it: ",0,1,2" has no word. */
static gsize
get_first (const char *line, char separator, gsize number)
{
  return *line == separator || g_str_has_prefix (line, "\"\"") ? number + 1 : number;
}

gboolean
ww_text_refuse_separators (WwSource *source, const char *line, const char *end, gsize number, GError **error)
{
  gsize shown = MIN ((gsize) (end - line), MAX_SHOWN);

  if (end - line > 1024 * 1024)
    return FALSE;
  if (is_row (line, end, ';'))
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("line %zu is \"%.*s\": the numbers stand between semicolons; spaces were expected, and decimal"
                           " dots. To convert:\n"
                           "  tail -n +%zu in.csv | tr ',;' '. ' > out.txt"), number, (int) shown, line,
                         get_first (line, ';', number));
  else if (is_row (line, end, ','))
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("line %zu is \"%.*s\": the numbers stand between commas; spaces were expected. To convert:\n"
                           "  tail -n +%zu in.csv | tr ',' ' ' > out.txt"), number, (int) shown, line,
                         get_first (line, ',', number));
  else
    return FALSE;

  return TRUE;
}

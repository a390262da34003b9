#include "ww-npy.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "ww-npy-private.h"
#include "ww-set.h"

/* NumPy itself refuses headers above 10,000 bytes unless it is told to trust the file. */
#define MAX_HEADER_BYTES (1 << 20)

static const char magic[] = "\x93NUMPY";
#define MAGIC_BYTES 6

/* The header is a Python dictionary as repr prints it. Only that much of Python is understood:
 * strings without escapes, True, False, tuples of non-negative integers. */
typedef struct
{
  WwSource *source;
  const char *text;
  gsize length;
  gsize at;       /* in `text` */
  guint64 offset; /* of `text` in the file, for messages */
} Parser;

typedef struct
{
  char *descr;
  gboolean fortran, has_fortran;
  gboolean has_shape;
  guint n_axes;
  gsize shape[WW_NPY_MAX_AXES];
} Dictionary;

static gboolean
fail_at (Parser *parser, GError **error, const char *expected)
{
  guint64 at = parser->offset + parser->at;
  char found = '?';

  if (parser->at >= parser->length)
    {
      ww_source_set_error (parser->source, error, WW_SET_ERROR_MALFORMED,
                           _("the .npy header ends at byte %" PRIu64 " where %s was expected"), at, expected);
      return FALSE;
    }
  if (g_ascii_isprint (parser->text[parser->at]))
    found = parser->text[parser->at];
  ww_source_set_error (parser->source, error, WW_SET_ERROR_MALFORMED,
                       _("the .npy header has '%c' at byte %" PRIu64 " where %s was expected"), found, at, expected);
  return FALSE;
}

static void
skip_space (Parser *parser)
{
  while (parser->at < parser->length && g_ascii_isspace (parser->text[parser->at]))
    parser->at++;
}

static char
peek (Parser *parser)
{
  skip_space (parser);
  return parser->at < parser->length ? parser->text[parser->at] : '\0';
}

static gboolean
accept (Parser *parser, char c)
{
  if (peek (parser) != c)
    return FALSE;

  parser->at++;
  return TRUE;
}

static gboolean
accept_word (Parser *parser, const char *word)
{
  gsize length = strlen (word);

  skip_space (parser);
  if (parser->length - parser->at < length
      || strncmp (parser->text + parser->at, word, length) != 0)
    return FALSE;

  parser->at += length;
  return TRUE;
}

static char *
parse_string (Parser *parser, GError **error)
{
  char quote = peek (parser);
  gsize start;

  if (quote != '\'' && quote != '"')
    {
      fail_at (parser, error, _("a quoted string"));
      return NULL;
    }

  start = ++parser->at;
  while (parser->at < parser->length && parser->text[parser->at] != quote)
    {
      if (parser->text[parser->at] == '\\' || !g_ascii_isprint (parser->text[parser->at]))
        {
          fail_at (parser, error, _("a plain character"));
          return NULL;
        }
      parser->at++;
    }
  if (parser->at == parser->length)
    {
      fail_at (parser, error, _("a closing quote"));
      return NULL;
    }

  return g_strndup (parser->text + start, parser->at++ - start);
}

static gboolean
parse_size (Parser *parser, gsize *ret_size, GError **error)
{
  gsize value = 0;

  if (!g_ascii_isdigit (peek (parser)))
    return fail_at (parser, error, _("a non-negative integer"));

  while (parser->at < parser->length && g_ascii_isdigit (parser->text[parser->at]))
    {
      gsize digit = (gsize) (parser->text[parser->at] - '0');

      if (!g_size_checked_mul (&value, value, 10) || !g_size_checked_add (&value, value, digit))
        {
          ww_source_set_error (parser->source, error, WW_SET_ERROR_TOO_LARGE,
                               _("the length of an axis at byte %" PRIu64
                                 " of the .npy header is beyond any memory"),
                               parser->offset + parser->at);
          return FALSE;
        }
      parser->at++;
    }
  /* Python 2 wrote long integers as 12L. */
  if (parser->at < parser->length && parser->text[parser->at] == 'L')
    parser->at++;

  *ret_size = value;
  return TRUE;
}

static gboolean
parse_shape (Parser *parser, Dictionary *dictionary, GError **error)
{
  if (!accept (parser, '('))
    return fail_at (parser, error, "'('");

  while (!accept (parser, ')'))
    {
      if (dictionary->n_axes == WW_NPY_MAX_AXES)
        return fail_at (parser, error, _("')': more than 8 axes"));
      if (!parse_size (parser, &dictionary->shape[dictionary->n_axes], error))
        return FALSE;
      dictionary->n_axes++;
      if (!accept (parser, ',') && peek (parser) != ')')
        return fail_at (parser, error, "',' or ')'");
    }

  return TRUE;
}

/* A list as the type description means a structured array: a record with named fields. */
static gboolean
parse_descr (Parser *parser, Dictionary *dictionary, GError **error)
{
  if (peek (parser) == '[')
    {
      ww_source_set_error (parser->source, error, WW_SET_ERROR_REFUSED,
                           _("a structured array (records with named fields); a plain array of numbers is needed."
                             " Words in a field of text are to be put, one a line, in a file “out.txt” beside it. To"
                             " convert the numbers:\n"
                             "  import numpy as np; a = np.load('in.npy')\n"
                             "  f = [n for n in a.dtype.names if a[n].dtype.kind in 'fiu']\n"
                             "  np.save('out.npy', np.column_stack([a[n] for n in f]))"));
      return FALSE;
    }

  dictionary->descr = parse_string (parser, error);
  return dictionary->descr != NULL;
}

static gboolean
parse_entry (Parser *parser, Dictionary *dictionary, GError **error)
{
  gsize start = parser->at;
  g_autofree char *key = parse_string (parser, error);
  gboolean is_descr = g_strcmp0 (key, "descr") == 0;
  gboolean is_fortran = g_strcmp0 (key, "fortran_order") == 0;
  gboolean is_shape = g_strcmp0 (key, "shape") == 0;

  if (key == NULL)
    return FALSE;
  if ((!is_descr && !is_fortran && !is_shape)
      || (is_descr && dictionary->descr != NULL)
      || (is_fortran && dictionary->has_fortran)
      || (is_shape && dictionary->has_shape))
    {
      parser->at = start;
      return fail_at (parser, error, _("one each of the keys descr, fortran_order and shape"));
    }
  if (!accept (parser, ':'))
    return fail_at (parser, error, "':'");

  if (is_descr)
    return parse_descr (parser, dictionary, error);
  if (is_shape)
    {
      dictionary->has_shape = TRUE;
      return parse_shape (parser, dictionary, error);
    }
  dictionary->has_fortran = TRUE;
  dictionary->fortran = accept_word (parser, "True");
  if (!dictionary->fortran && !accept_word (parser, "False"))
    return fail_at (parser, error, _("True or False"));
  return TRUE;
}

static gboolean
parse_dictionary (Parser *parser, Dictionary *dictionary, GError **error)
{
  if (!accept (parser, '{'))
    return fail_at (parser, error, "'{'");

  while (!accept (parser, '}'))
    {
      if (!parse_entry (parser, dictionary, error))
        return FALSE;
      if (!accept (parser, ',') && peek (parser) != '}')
        return fail_at (parser, error, "',' or '}'");
    }

  skip_space (parser);
  if (parser->at != parser->length)
    return fail_at (parser, error, _("nothing more"));
  if (dictionary->descr == NULL || !dictionary->has_fortran || !dictionary->has_shape)
    return fail_at (parser, error, _("all of the keys descr, fortran_order and shape"));

  return TRUE;
}

/* What the first letter of a type description stands for where it is no number to us. */
static const char *
describe_refused_kind (char kind)
{
  switch (kind)
    {
    case 'b':
      return _("truth values (bool)");
    case 'c':
      return _("complex numbers");
    case 'm':
    case 'M':
      return _("dates or times");
    default:
      return NULL;
    }
}

static gboolean
refuse_type (WwSource *source, const char *descr, char kind, GError **error)
{
  const char *what = describe_refused_kind (kind);

  if (kind == 'O')
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("an array of Python objects, which is a pickle inside; it is not opened because a pickle"
                           " can run any code. If you trust it, convert:\n"
                           "  import numpy as np; a = np.load('in.npy', allow_pickle=True)\n"
                           "  np.save('out.npy', np.array(a.tolist(), dtype='float32'))"));
  else if (kind == 'U' || kind == 'S' || kind == 'a')
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("an array of text (type '%s'); real numbers are needed. If it holds the words of the"
                           " rows of another array, open that one and choose this as its list of words (command"
                           " line: --words)"), descr);
  else if (kind == 'V' && g_str_has_suffix (descr, "V2"))
    /* What NumPy makes of a type that it does not know itself. */
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("an array of raw bytes (type '%s'); real numbers are needed. If they are bfloat16,"
                           " convert:\n"
                           "  import numpy as np; a = np.load('in.npy').view('uint16')\n"
                           "  np.save('out.npy', (a.astype('uint32') << 16).view('float32'))"), descr);
  else if (kind == 'V')
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("an array of raw bytes (type '%s'); real numbers are needed: save it as float32 with the"
                           " program that made it"), descr);
  else if (what != NULL)
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("an array of %s (type '%s'); real numbers are needed. To convert:\n"
                           "  import numpy as np; a = np.load('in.npy')\n"
                           "  np.save('out.npy', a.real.astype('float32'))"), what, descr);
  else
    ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                         _("numbers of type '%s'; floating point of 2, 4 or 8 bytes or integers of 1, 2, 4 or 8"
                           " bytes are read. To convert:\n"
                           "  import numpy as np; a = np.load('in.npy')\n  np.save('out.npy', a.astype('float64'))"),
                         descr);
  return FALSE;
}

/* "U12" and "S12": text of so many characters. */
static gboolean
decode_text (const char *code, WwNpyHeader *header)
{
  gsize length = 0;

  if ((code[0] != 'U' && code[0] != 'S') || strlen (code) > 8)
    return FALSE;
  for (const char *at = code + 1; *at != '\0'; at++)
    {
      if (!g_ascii_isdigit (*at))
        return FALSE;
      length = length * 10 + (gsize) (*at - '0');
    }

  header->text_kind = code[0];
  header->text_length = length;
  return length > 0;
}

static gboolean
decode_type (WwSource *source, const char *descr, WwNpyHeader *header, GError **error)
{
  static const struct
  {
    const char *code;
    WwDtype dtype;
  } types[] = {
    { "f8", WW_DTYPE_F64 }, { "f4", WW_DTYPE_F32 }, { "f2", WW_DTYPE_F16 },
    { "i8", WW_DTYPE_I64 }, { "i4", WW_DTYPE_I32 }, { "i2", WW_DTYPE_I16 }, { "i1", WW_DTYPE_I8 },
    { "u8", WW_DTYPE_U64 }, { "u4", WW_DTYPE_U32 }, { "u2", WW_DTYPE_U16 }, { "u1", WW_DTYPE_U8 },
  };
  char order = descr[0];
  const char *code = order != '\0' && strchr ("<>|=", order) != NULL ? descr + 1 : descr;

  g_strlcpy (header->descr, descr, sizeof header->descr);
  header->big_endian = order == '>' || (order != '<' && G_BYTE_ORDER == G_BIG_ENDIAN);
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (code, types[i].code) == 0)
      {
        header->dtype = types[i].dtype;
        return TRUE;
      }

  if (decode_text (code, header))
    return TRUE;
  if (strcmp (code, "b1") == 0 || strcmp (code, "?") == 0)
    {
      header->truth = TRUE;
      header->dtype = WW_DTYPE_U8;
      return TRUE;
    }
  return refuse_type (source, descr, code[0], error);
}

gboolean
ww_npy_check_numbers (WwSource *source, const WwNpyHeader *header, GError **error)
{
  if (header->text_kind == 0 && !header->truth)
    return TRUE;

  return refuse_type (source, header->descr, header->truth ? 'b' : header->text_kind, error);
}

const char *
ww_npy_header_get_type_name (const WwNpyHeader *header)
{
  return header->text_kind != 0 ? "text"
         : header->truth        ? "truth values"
                                : ww_dtype_get_name (header->dtype);
}

static gsize
get_value_bytes (const WwNpyHeader *header)
{
  if (header->text_kind != 0)
    return header->text_length * (header->text_kind == 'U' ? 4 : 1);

  return ww_dtype_get_size (header->dtype);
}

/* Checks the promised size against what is there, before anything is allocated for it. */
static gboolean
check_size (WwSource *source, guint64 size, WwNpyHeader *header, GError **error)
{
  guint64 available = size - header->data_offset;
  g_autofree char *shape = ww_npy_header_dup_shape (header);
  gsize bytes;

  header->n_values = 1;
  for (guint i = 0; i < header->n_axes; i++)
    if (!g_size_checked_mul (&header->n_values, header->n_values, header->shape[i]))
      {
        ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                             _("an array of %s values is beyond any memory"), shape);
        return FALSE;
      }
  if (header->n_values == 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_EMPTY,
                           _("an array of %s holds no values"), shape);
      return FALSE;
    }
  if (!g_size_checked_mul (&bytes, header->n_values, get_value_bytes (header)))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("an array of %s values is beyond any memory"), shape);
      return FALSE;
    }
  if (bytes != available)
    {
      ww_source_set_error (source, error,
                           bytes > available ? WW_SET_ERROR_TRUNCATED : WW_SET_ERROR_SHAPE,
                           _("%" PRIu64 " bytes of values from byte %" PRIu64
                             " on; an array of %s in %s needs %zu"), available,
                           header->data_offset, shape, ww_npy_header_get_type_name (header), bytes);
      return FALSE;
    }

  return TRUE;
}

/* Position and length of the dictionary: after the magic come two bytes of version, then the length
 * in 2 (version 1) or 4 bytes (versions 2 and 3), little-endian. */
static gboolean
read_preamble (WwSource *source, guint64 *ret_start, gsize *ret_length, GError **error)
{
  guint8 start[12] = { 0 };
  gsize have = (gsize) MIN (ww_source_get_size (source), sizeof start);

  if (!ww_source_read (source, 0, start, have, error))
    return FALSE;
  if (have < MAGIC_BYTES || memcmp (start, magic, MAGIC_BYTES) != 0)
    {
      ww_source_set_error (source, error,
                           have == 0 ? WW_SET_ERROR_EMPTY : WW_SET_ERROR_MALFORMED,
                           have == 0 ? _("the file is empty; a .npy file was expected")
                                     : _("does not begin as a .npy file does (byte 0)"));
      return FALSE;
    }
  if (have < sizeof start)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TRUNCATED,
                           _("ends at byte %zu, inside the .npy header"), have);
      return FALSE;
    }
  if (start[6] < 1 || start[6] > 3 || start[7] != 0)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("version %u.%u of the .npy format at byte 6; 1.0, 2.0 and 3.0 are read"),
                           start[6], start[7]);
      return FALSE;
    }

  if (start[6] == 1)
    {
      *ret_start = 10;
      *ret_length = start[8] | (gsize) start[9] << 8;
    }
  else
    {
      *ret_start = 12;
      *ret_length = start[8] | (gsize) start[9] << 8 | (gsize) start[10] << 16
                    | (gsize) start[11] << 24;
    }
  if (*ret_length > MAX_HEADER_BYTES)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("a .npy header of %zu bytes (byte 8); at most %d are accepted"),
                           *ret_length, MAX_HEADER_BYTES);
      return FALSE;
    }

  return TRUE;
}

gboolean
ww_npy_read_any_header (WwSource *source, guint64 size, WwNpyHeader *ret_header, GError **error)
{
  g_autofree char *text = NULL;
  g_autofree char *descr = NULL;
  Dictionary dictionary = { 0 };
  WwNpyHeader header = { 0 };
  Parser parser = { source };
  gboolean parsed;

  if (!read_preamble (source, &parser.offset, &parser.length, error))
    return FALSE;
  text = g_malloc (parser.length + 1);
  if (!ww_source_read (source, parser.offset, text, parser.length, error))
    return FALSE;

  text[parser.length] = '\0';
  parser.text = text;
  parsed = parse_dictionary (&parser, &dictionary, error);
  descr = dictionary.descr;
  if (!parsed || !decode_type (source, descr, &header, error))
    return FALSE;

  header.fortran = dictionary.fortran;
  header.n_axes = dictionary.n_axes;
  memcpy (header.shape, dictionary.shape, sizeof header.shape);
  header.data_offset = parser.offset + parser.length;
  if (!check_size (source, size, &header, error))
    return FALSE;

  *ret_header = header;
  return TRUE;
}

gboolean
ww_npy_read_header (WwSource *source, WwNpyHeader *ret_header, GError **error)
{
  WwNpyHeader header;

  if (!ww_npy_read_any_header (source, ww_source_get_size (source), &header, error)
      || !ww_npy_check_numbers (source, &header, error))
    return FALSE;

  *ret_header = header;
  return TRUE;
}

char *
ww_npy_header_dup_shape (const WwNpyHeader *header)
{
  GString *shape = g_string_new (header->n_axes == 0 ? _("one single number") : NULL);

  for (guint i = 0; i < header->n_axes; i++)
    g_string_append_printf (shape, "%s%" G_GSIZE_FORMAT, i > 0 ? " x " : "", header->shape[i]);

  return g_string_free (shape, FALSE);
}

/* `one_axis`: whether an array with one axis is a row; says whether it was. NULL: it is refused. */
static WwMatrix *
read_matrix (WwSource *source, gboolean *one_axis, GError **error)
{
  WwNpyHeader header;
  WwTable table = { 0 };

  if (!ww_npy_read_header (source, &header, error))
    return NULL;
  if (header.n_axes != 2 && (header.n_axes != 1 || one_axis == NULL))
    {
      g_autofree char *shape = ww_npy_header_dup_shape (&header);

      ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                           g_dngettext (GETTEXT_PACKAGE,
                                        "an array with %u axis (%s); two are needed: rows and columns",
                                        "an array with %u axes (%s); two are needed: rows and columns", header.n_axes),
                           header.n_axes, shape);
      return NULL;
    }

  table.source = source;
  table.offset = header.data_offset;
  table.dtype = header.dtype;
  table.big_endian = header.big_endian;
  table.fortran = header.fortran;
  table.rows = header.n_axes == 1 ? 1 : header.shape[0];
  table.cols = header.shape[header.n_axes - 1];
  if (one_axis != NULL)
    *one_axis = header.n_axes == 1;
  return ww_table_read_all (&table, error);
}

WwMatrix *
ww_npy_read_matrix (WwSource *source, GError **error)
{
  return read_matrix (source, NULL, error);
}

WwMatrix *
ww_npy_load_context (GFile *file, gboolean *ret_one_axis, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  gboolean one_axis = FALSE;
  WwMatrix *rows;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  source = ww_source_open (file, error);
  rows = source != NULL ? read_matrix (source, &one_axis, error) : NULL;
  if (rows != NULL && ret_one_axis != NULL)
    *ret_one_axis = one_axis;

  return rows;
}

WwMatrix *
ww_npy_load (GFile *file, GError **error)
{
  g_autoptr (WwSource) source = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  source = ww_source_open (file, error);
  return source != NULL ? ww_npy_read_matrix (source, error) : NULL;
}

#include "ww-gguf.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#define WINDOW (256 * 1024)
#define MAX_PAIRS 65536
#define MAX_TENSORS 65536
#define MAX_NAME 4096
#define MAX_TOKENS 16777216
#define MAX_TOKEN 65536
#define MAX_DEPTH 4
#define DEFAULT_ALIGNMENT 32
#define TOKENISER "tokenizer.ggml."
#define MAX_ALIGNMENT 1048576

/* Types of values of the pairs. */
enum
{
  VALUE_U8, VALUE_I8, VALUE_U16, VALUE_I16, VALUE_U32, VALUE_I32, VALUE_F32, VALUE_BOOL, VALUE_STRING,
  VALUE_ARRAY, VALUE_U64, VALUE_I64, VALUE_F64, N_VALUES
};

static const guint8 value_bytes[N_VALUES] = {
  [VALUE_U8] = 1, [VALUE_I8] = 1, [VALUE_U16] = 2, [VALUE_I16] = 2, [VALUE_U32] = 4, [VALUE_I32] = 4,
  [VALUE_F32] = 4, [VALUE_BOOL] = 1, [VALUE_U64] = 8, [VALUE_I64] = 8, [VALUE_F64] = 8,
};

/* Types of values of tensors, by number; "" where a number is no longer in use. */
static const char *const type_names[] = {
  "F32", "F16", "Q4_0", "Q4_1", "", "", "Q5_0", "Q5_1", "Q8_0", "Q8_1", "Q2_K", "Q3_K", "Q4_K", "Q5_K",
  "Q6_K", "Q8_K", "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S", "IQ2_S", "IQ4_XS", "I8",
  "I16", "I32", "I64", "F64", "IQ1_M", "BF16",
};

/* Reads a file from front to back through a window of it. */
typedef struct
{
  WwSource *source;
  const WwOpening *opening;
  guint8 *window;
  guint64 start; /* of the window in the source */
  gsize length, at;
} Cursor;

static guint64
tell (const Cursor *cursor)
{
  return cursor->start + cursor->at;
}

G_GNUC_PRINTF (4, 5) static gboolean
fail (Cursor *cursor, GError **error, int code, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  ww_source_set_error (cursor->source, error, code, _("byte %" PRIu64 ": %s"), tell (cursor), what);
  return FALSE;
}

static gboolean
check_left (Cursor *cursor, guint64 bytes, GError **error)
{
  guint64 left = ww_source_get_size (cursor->source) - tell (cursor);

  return bytes <= left
         || fail (cursor, error, WW_SET_ERROR_TRUNCATED, g_dngettext (GETTEXT_PACKAGE,
                    "%" PRIu64 " byte is left where %" PRIu64 " were expected; the file is incomplete or damaged",
                    "%" PRIu64 " bytes are left where %" PRIu64 " were expected; the file is incomplete or damaged",
                    left), left, bytes);
}

/* At most WINDOW bytes, which stay valid until the next call. */
static const guint8 *
take (Cursor *cursor, gsize bytes, GError **error)
{
  if (!check_left (cursor, bytes, error))
    return NULL;
  if (bytes > cursor->length - cursor->at)
    {
      guint64 position = tell (cursor);
      gsize length = (gsize) MIN (ww_source_get_size (cursor->source) - position, WINDOW);

      if (g_cancellable_set_error_if_cancelled (cursor->opening->cancellable, error)
          || !ww_source_read (cursor->source, position, cursor->window, length, error))
        return NULL;
      cursor->start = position;
      cursor->length = length;
      cursor->at = 0;
    }

  cursor->at += bytes;
  return cursor->window + cursor->at - bytes;
}

static gboolean
skip (Cursor *cursor, guint64 bytes, GError **error)
{
  if (!check_left (cursor, bytes, error))
    return FALSE;
  if (bytes <= cursor->length - cursor->at)
    cursor->at += (gsize) bytes;
  else
    {
      cursor->start = tell (cursor) + bytes;
      cursor->length = cursor->at = 0;
    }
  return TRUE;
}

static gboolean
take_32 (Cursor *cursor, guint32 *ret_value, GError **error)
{
  const guint8 *at = take (cursor, sizeof *ret_value, error);

  if (at == NULL)
    return FALSE;
  memcpy (ret_value, at, sizeof *ret_value);
  *ret_value = GUINT32_FROM_LE (*ret_value);
  return TRUE;
}

static gboolean
take_64 (Cursor *cursor, guint64 *ret_value, GError **error)
{
  const guint8 *at = take (cursor, sizeof *ret_value, error);

  if (at == NULL)
    return FALSE;
  memcpy (ret_value, at, sizeof *ret_value);
  *ret_value = GUINT64_FROM_LE (*ret_value);
  return TRUE;
}

/* The bytes of a text, which the length stands in front of. */
static const char *
take_text (Cursor *cursor, gsize most, gsize *ret_length, GError **error)
{
  guint64 length;

  if (!take_64 (cursor, &length, error))
    return NULL;
  if (length > most)
    {
      fail (cursor, error, WW_SET_ERROR_TOO_LARGE, _("a text of %" PRIu64 " bytes; at most %zu are accepted here"),
            length, most);
      return NULL;
    }

  *ret_length = (gsize) length;
  return (const char *) take (cursor, (gsize) length, error);
}

static char *
take_name (Cursor *cursor, GError **error)
{
  gsize length;
  const char *text = take_text (cursor, MAX_NAME, &length, error);

  return text != NULL ? g_utf8_make_valid (text, (gssize) length) : NULL;
}

static gboolean
take_type (Cursor *cursor, guint32 *ret_type, GError **error)
{
  if (!take_32 (cursor, ret_type, error))
    return FALSE;

  return *ret_type < N_VALUES
         || fail (cursor, error, WW_SET_ERROR_MALFORMED, _("a value of type %u; the types are 0 to %d"),
                  *ret_type, N_VALUES - 1);
}

static gboolean
skip_text (Cursor *cursor, GError **error)
{
  guint64 length;

  return take_64 (cursor, &length, error) && skip (cursor, length, error);
}

static gboolean
skip_value (Cursor *cursor, guint32 type, guint depth, GError **error)
{
  guint64 n, bytes;

  if (type == VALUE_STRING)
    return skip_text (cursor, error);
  if (type != VALUE_ARRAY)
    return skip (cursor, value_bytes[type], error);
  if (depth == MAX_DEPTH)
    return fail (cursor, error, WW_SET_ERROR_TOO_LARGE, _("arrays in arrays, more than %d deep"), MAX_DEPTH);
  if (!take_type (cursor, &type, error) || !take_64 (cursor, &n, error))
    return FALSE;

  if (value_bytes[type] != 0)
    {
      if (!g_uint64_checked_mul (&bytes, n, value_bytes[type]))
        return fail (cursor, error, WW_SET_ERROR_TOO_LARGE, _("an array of %" PRIu64 " values"), n);
      return skip (cursor, bytes, error);
    }
  /* Each takes 8 bytes at least, so a count that lies ends soon. */
  for (guint64 i = 0; i < n; i++)
    if (!skip_value (cursor, type, depth + 1, error))
      return FALSE;
  return TRUE;
}

static gboolean
append_text (Cursor *cursor, WwVocab *list, const char *text, gsize length, gsize *duplicates, GError **error)
{
  g_autofree char *valid = NULL;
  WwVocabResult result;

  if (memchr (text, '\0', length) != NULL || !g_utf8_validate_len (text, length, NULL))
    {
      valid = g_utf8_make_valid (text, (gssize) length);
      text = valid;
      length = strlen (valid);
    }
  result = ww_vocab_append (list, text, length);
  *duplicates += result == WW_VOCAB_DUPLICATE;
  return result != WW_VOCAB_FULL
         || fail (cursor, error, WW_SET_ERROR_TOO_LARGE, _("not enough memory for the list of tokens"));
}

static gboolean
read_texts (Cursor *cursor, const char *key, WwVocab **list, gsize *duplicates, GError **error)
{
  guint32 type;
  guint64 n;

  if (!take_type (cursor, &type, error) || !take_64 (cursor, &n, error))
    return FALSE;
  if (type != VALUE_STRING || n == 0 || n > MAX_TOKENS || *list != NULL)
    return fail (cursor, error, WW_SET_ERROR_MALFORMED,
                 _("%s is %" PRIu64 " values of type %u; one list of 1 to %d texts"
                   " (type %d) was expected"), key, n, type, MAX_TOKENS, VALUE_STRING);

  *list = ww_vocab_new ();
  for (guint64 i = 0; i < n; i++)
    {
      gsize length;
      const char *text = take_text (cursor, MAX_TOKEN, &length, error);

      if (text == NULL || !append_text (cursor, *list, text, length, duplicates, error))
        return FALSE;
    }
  return TRUE;
}

/* A list of numbers of four bytes each, all of them of one type. */
static gboolean
read_numbers (Cursor *cursor, const char *key, guint32 wanted, GArray *numbers, GError **error)
{
  guint32 type, number;
  guint64 n;

  if (!take_type (cursor, &type, error) || !take_64 (cursor, &n, error))
    return FALSE;
  if (type != wanted || n == 0 || n > MAX_TOKENS || numbers->len > 0)
    return fail (cursor, error, WW_SET_ERROR_MALFORMED,
                 _("%s is %" PRIu64 " values of type %u; one list of 1 to %d numbers (type %u) was expected"),
                 key, n, type, MAX_TOKENS, wanted);

  for (guint64 i = 0; i < n; i++)
    {
      if (!take_32 (cursor, &number, error))
        return FALSE;
      g_array_append_val (numbers, number);
    }
  return TRUE;
}

/* What the tokeniser needs beside its tokens. *ret_taken: whether the key was one of it. */
static gboolean
read_of_tokeniser (Cursor *cursor, const char *key, guint32 type, WwGgufTokeniser *tokeniser, gboolean *ret_taken,
                   GError **error)
{
  static const char *const ids[WW_GGUF_N_IDS] = { "bos_token_id", "eos_token_id", "unknown_token_id",
                                                  "seperator_token_id", "cls_token_id" };
  static const char *const flags[WW_GGUF_N_FLAGS] = { "add_bos_token", "add_eos_token", "add_space_prefix",
                                                      "normalizer.lowercase" };
  const char *name = key + strlen (TOKENISER);
  char **text = strcmp (name, "model") == 0 ? &tokeniser->model : strcmp (name, "pre") == 0 ? &tokeniser->cut : NULL;
  gsize none = 0;

  *ret_taken = TRUE;
  if (text != NULL && type == VALUE_STRING && *text == NULL)
    return (*text = take_name (cursor, error)) != NULL;
  if (strcmp (name, "merges") == 0 && type == VALUE_ARRAY)
    return read_texts (cursor, key, &tokeniser->merges, &none, error);
  if (strcmp (name, "scores") == 0 && type == VALUE_ARRAY)
    return read_numbers (cursor, key, VALUE_F32, tokeniser->scores, error);
  if (strcmp (name, "token_type") == 0 && type == VALUE_ARRAY)
    return read_numbers (cursor, key, VALUE_I32, tokeniser->types, error);
  for (gsize i = 0; i < WW_GGUF_N_IDS; i++)
    if (strcmp (name, ids[i]) == 0 && type == VALUE_U32)
      return take_32 (cursor, &tokeniser->ids[i], error);
  for (gsize i = 0; i < WW_GGUF_N_FLAGS; i++)
    if (strcmp (name, flags[i]) == 0 && type == VALUE_BOOL)
      {
        const guint8 *value = take (cursor, 1, error);

        tokeniser->flags[i] = value != NULL && *value != 0;
        return value != NULL;
      }

  *ret_taken = FALSE;
  return TRUE;
}

static gboolean
read_alignment (Cursor *cursor, guint32 *alignment, GError **error)
{
  if (!take_32 (cursor, alignment, error))
    return FALSE;

  return (*alignment > 0 && *alignment <= MAX_ALIGNMENT && (*alignment & (*alignment - 1)) == 0)
         || fail (cursor, error, WW_SET_ERROR_MALFORMED,
                  _("general.alignment is %u; a power of two up to %d was expected"), *alignment,
                  MAX_ALIGNMENT);
}

static gboolean
read_pair (Cursor *cursor, WwGguf *gguf, guint32 *alignment, GError **error)
{
  g_autofree char *key = take_name (cursor, error);
  gboolean taken = FALSE;
  guint32 type;

  if (key == NULL || !take_type (cursor, &type, error))
    return FALSE;
  if (strcmp (key, TOKENISER "tokens") == 0 && type == VALUE_ARRAY)
    return read_texts (cursor, key, &gguf->tokens, &gguf->n_duplicates, error);
  if (g_str_has_prefix (key, TOKENISER)
      && !read_of_tokeniser (cursor, key, type, &gguf->tokeniser, &taken, error))
    return FALSE;
  if (taken)
    return TRUE;
  if (strcmp (key, "general.alignment") == 0 && type == VALUE_U32)
    return read_alignment (cursor, alignment, error);
  if (strcmp (key, "general.architecture") == 0 && type == VALUE_STRING && gguf->architecture == NULL)
    {
      gguf->architecture = take_name (cursor, error);
      return gguf->architecture != NULL;
    }

  return skip_value (cursor, type, 0, error);
}

static gboolean
read_tensor (Cursor *cursor, WwGguf *gguf, GError **error)
{
  WwGgufTensor tensor = { take_name (cursor, error) };
  guint64 length;
  gboolean read;

  if (tensor.name == NULL)
    return FALSE;

  read = take_32 (cursor, &tensor.n_axes, error);
  if (read && (tensor.n_axes == 0 || tensor.n_axes > WW_GGUF_MAX_AXES))
    read = fail (cursor, error, WW_SET_ERROR_MALFORMED, _("tensor \"%.200s\" has %u axes; 1 to %d were expected"),
                 tensor.name, tensor.n_axes, WW_GGUF_MAX_AXES);
  for (guint i = 0; read && i < tensor.n_axes; i++)
    {
      /* The file has the fastest axis first. */
      read = take_64 (cursor, &length, error);
      if (read)
        tensor.shape[tensor.n_axes - 1 - i] = (gsize) length;
    }
  read = read && take_32 (cursor, &tensor.type, error) && take_64 (cursor, &tensor.offset, error);

  g_array_append_val (gguf->tensors, tensor);
  return read;
}

static void
clear_tensor (gpointer data)
{
  g_free (((WwGgufTensor *) data)->name);
}

void
ww_gguf_free (WwGguf *gguf)
{
  if (gguf == NULL)
    return;

  g_free (gguf->architecture);
  ww_vocab_free (gguf->tokens);
  g_free (gguf->tokeniser.model);
  g_free (gguf->tokeniser.cut);
  g_array_unref (gguf->tokeniser.scores);
  g_array_unref (gguf->tokeniser.types);
  ww_vocab_free (gguf->tokeniser.merges);
  g_array_unref (gguf->tensors);
  g_free (gguf);
}

static gboolean
read_start (Cursor *cursor, WwGguf *gguf, guint64 *ret_tensors, guint64 *ret_pairs, GError **error)
{
  if (take (cursor, 4, error) == NULL || !take_32 (cursor, &gguf->version, error))
    return FALSE;
  if (gguf->version != 2 && gguf->version != 3)
    {
      gboolean turned = GUINT32_SWAP_LE_BE (gguf->version) == 3 || GUINT32_SWAP_LE_BE (gguf->version) == 2;

      return fail (cursor, error, WW_SET_ERROR_UNSUPPORTED,
                   turned ? _("a GGUF file in big-endian order (version 0x%08x); little-endian ones are read")
                          : _("version %u of GGUF; 2 and 3 are read"), gguf->version);
    }
  if (!take_64 (cursor, ret_tensors, error) || !take_64 (cursor, ret_pairs, error))
    return FALSE;

  return (*ret_tensors <= MAX_TENSORS && *ret_pairs <= MAX_PAIRS)
         || fail (cursor, error, WW_SET_ERROR_TOO_LARGE, _("%" PRIu64 " tensors and %"
                    PRIu64 " key-value pairs; at most %d each are accepted"), *ret_tensors,
                  *ret_pairs, MAX_PAIRS);
}

/* The offsets of tensors count from the first multiple of the alignment behind their list. */
static gboolean
place_tensors (Cursor *cursor, WwGguf *gguf, guint32 alignment, GError **error)
{
  guint64 base = (tell (cursor) + alignment - 1) / alignment * alignment;

  for (guint i = 0; i < gguf->tensors->len; i++)
    {
      WwGgufTensor *tensor = &g_array_index (gguf->tensors, WwGgufTensor, i);

      if (tensor->offset % alignment != 0
          || !g_uint64_checked_add (&tensor->offset, tensor->offset, base))
        return fail (cursor, error, WW_SET_ERROR_MALFORMED,
                     _("tensor \"%.200s\" is said to begin at byte %" PRIu64
                       " of the values, which is no multiple of %u"), tensor->name, tensor->offset, alignment);
    }

  return TRUE;
}

WwGguf *
ww_gguf_open (WwSource *source, const WwOpening *opening, GError **error)
{
  g_autoptr (WwGguf) gguf = g_new0 (WwGguf, 1);
  g_autofree guint8 *window = g_malloc (WINDOW);
  Cursor cursor = { source, opening, window };
  guint32 alignment = DEFAULT_ALIGNMENT;
  guint64 tensors = 0, pairs = 0;

  gguf->tensors = g_array_new (FALSE, TRUE, sizeof (WwGgufTensor));
  gguf->tokeniser.scores = g_array_new (FALSE, FALSE, sizeof (float));
  gguf->tokeniser.types = g_array_new (FALSE, FALSE, sizeof (gint32));
  memset (gguf->tokeniser.ids, 0xff, sizeof gguf->tokeniser.ids);
  memset (gguf->tokeniser.flags, 0xff, sizeof gguf->tokeniser.flags);
  g_array_set_clear_func (gguf->tensors, clear_tensor);
  if (!read_start (&cursor, gguf, &tensors, &pairs, error))
    return NULL;
  for (guint64 i = 0; i < pairs; i++)
    if (!read_pair (&cursor, gguf, &alignment, error))
      return NULL;
  for (guint64 i = 0; i < tensors; i++)
    if (!read_tensor (&cursor, gguf, error))
      return NULL;

  return place_tensors (&cursor, gguf, alignment, error) ? g_steal_pointer (&gguf) : NULL;
}

const char *
ww_gguf_type_get_name (guint32 type)
{
  return type < G_N_ELEMENTS (type_names) && *type_names[type] != '\0' ? type_names[type]
                                                                       : _("an unknown type");
}

gboolean
ww_gguf_type_get_dtype (guint32 type, WwDtype *ret_dtype)
{
  static const struct
  {
    guint32 type;
    WwDtype dtype;
  } read[] = {
    { 0, WW_DTYPE_F32 }, { 1, WW_DTYPE_F16 }, { 8, WW_DTYPE_Q8_0 }, { 28, WW_DTYPE_F64 }, { 30, WW_DTYPE_BF16 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (read); i++)
    if (read[i].type == type)
      {
        *ret_dtype = read[i].dtype;
        return TRUE;
      }

  return FALSE;
}

#include "ww-safetensors.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "ww-jansson.h"
#include "ww-set-private.h"

#define LENGTH_BYTES 8

struct _WwSafetensors
{
  GArray *tensors;     /* WwTensor, by place */
  GHashTable *by_name; /* name -> index + 1 */
  guint64 data_offset;
};

/* Every type the format knows; values are read only of those with a dtype of ours. */
static const struct
{
  const char *name;
  gsize bytes;
  int dtype; /* -1: not read */
} types[] = {
  { "F64", 8, WW_DTYPE_F64 }, { "F32", 4, WW_DTYPE_F32 }, { "F16", 2, WW_DTYPE_F16 },
  { "BF16", 2, WW_DTYPE_BF16 }, { "I64", 8, -1 }, { "I32", 4, -1 }, { "I16", 2, -1 },
  { "I8", 1, -1 }, { "U64", 8, -1 }, { "U32", 4, -1 }, { "U16", 2, -1 }, { "U8", 1, -1 },
  { "BOOL", 1, -1 }, { "F8_E4M3", 1, -1 }, { "F8_E5M2", 1, -1 },
};

static void
clear_tensor (gpointer data)
{
  WwTensor *tensor = data;

  g_free (tensor->name);
  g_free (tensor->type);
}

void
ww_safetensors_free (WwSafetensors *tensors)
{
  if (tensors == NULL)
    return;

  if (tensors->tensors->len > 0)
    ww_source_unref (g_array_index (tensors->tensors, WwTensor, 0).source);
  g_clear_pointer (&tensors->by_name, g_hash_table_unref);
  g_array_unref (tensors->tensors);
  g_free (tensors);
}

char *
ww_tensor_dup_shape (const WwTensor *tensor)
{
  GString *shape = g_string_new (tensor->n_axes == 0 ? _("one single number") : NULL);

  for (guint i = 0; i < tensor->n_axes; i++)
    g_string_append_printf (shape, "%s%" G_GSIZE_FORMAT, i > 0 ? " x " : "", tensor->shape[i]);

  return g_string_free (shape, FALSE);
}

static gboolean
fail (const WwTensor *tensor, GError **error, int code, const char *what)
{
  ww_source_set_error (tensor->source, error, code, _("tensor \"%.200s\": %s"), tensor->name, what);
  return FALSE;
}

static gboolean
get_offset (json_t *array, gsize index, guint64 *ret_offset)
{
  json_t *value = json_array_get (array, index);

  if (!json_is_integer (value) || json_integer_value (value) < 0)
    return FALSE;

  *ret_offset = (guint64) json_integer_value (value);
  return TRUE;
}

static gboolean
parse_shape (WwTensor *tensor, json_t *shape, GError **error)
{
  if (!json_is_array (shape))
    return fail (tensor, error, WW_SET_ERROR_MALFORMED, _("\"shape\" is missing or no list"));
  if (json_array_size (shape) > WW_TENSOR_MAX_AXES)
    return fail (tensor, error, WW_SET_ERROR_TOO_LARGE, _("more than 8 axes"));

  tensor->n_axes = (guint) json_array_size (shape);
  for (guint i = 0; i < tensor->n_axes; i++)
    {
      json_t *length = json_array_get (shape, i);

      if (!json_is_integer (length) || json_integer_value (length) < 0)
        return fail (tensor, error, WW_SET_ERROR_MALFORMED,
                     _("\"shape\" must hold whole numbers, none of them negative"));
      tensor->shape[i] = (gsize) json_integer_value (length);
    }

  return TRUE;
}

/* Product of the shape times the size of a value, or FALSE if that is no possible size. */
static gboolean
get_needed_bytes (const WwTensor *tensor, gsize value_bytes, gsize *ret_bytes)
{
  gsize bytes = value_bytes;

  for (guint i = 0; i < tensor->n_axes; i++)
    if (!g_size_checked_mul (&bytes, bytes, tensor->shape[i]))
      return FALSE;

  *ret_bytes = bytes;
  return TRUE;
}

static gboolean
check_bytes (WwTensor *tensor, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    if (strcmp (types[i].name, tensor->type) == 0)
      {
        g_autofree char *shape = ww_tensor_dup_shape (tensor);
        gsize needed;

        tensor->readable = types[i].dtype >= 0;
        if (tensor->readable)
          tensor->dtype = (WwDtype) types[i].dtype;
        if (!get_needed_bytes (tensor, types[i].bytes, &needed))
          {
            g_autofree char *what = g_strdup_printf (_("%s values are beyond any memory"), shape);

            return fail (tensor, error, WW_SET_ERROR_TOO_LARGE, what);
          }
        if (needed != tensor->bytes)
          {
            g_autofree char *what =
              g_strdup_printf (_("data_offsets give it %" PRIu64 " bytes; %s values of %s need %zu"), tensor->bytes,
                               shape, tensor->type, needed);

            return fail (tensor, error, WW_SET_ERROR_SHAPE, what);
          }
        return TRUE;
      }

  /* A type newer than this program: the tensor is there but cannot be used. */
  return TRUE;
}

static gboolean
parse_tensor (WwSafetensors *tensors, WwTensor *tensor, json_t *entry, GError **error)
{
  guint64 size = ww_source_get_size (tensor->source) - tensors->data_offset;
  json_t *offsets = json_object_get (entry, "data_offsets");
  const char *type = ww_json_get_string (entry, "dtype");
  guint64 begin, end;

  if (type == NULL)
    return fail (tensor, error, WW_SET_ERROR_MALFORMED, _("\"dtype\" is missing or no text"));
  tensor->type = g_strdup (type);

  if (!parse_shape (tensor, json_object_get (entry, "shape"), error))
    return FALSE;
  if (json_array_size (offsets) != 2 || !get_offset (offsets, 0, &begin)
      || !get_offset (offsets, 1, &end) || begin > end)
    return fail (tensor, error, WW_SET_ERROR_MALFORMED,
                 _("\"data_offsets\" must be two whole numbers, the first not above the second"));
  if (end > size)
    {
      g_autofree char *what =
        g_strdup_printf (_("ends at byte %" PRIu64 " of the values; the file has %" PRIu64 " of them"), end, size);

      return fail (tensor, error, WW_SET_ERROR_TRUNCATED, what);
    }

  tensor->offset = tensors->data_offset + begin;
  tensor->bytes = end - begin;
  return check_bytes (tensor, error);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const WwTensor *first = a, *second = b;

  if (first->offset != second->offset)
    return first->offset < second->offset ? -1 : 1;
  if (first->bytes != second->bytes)
    return first->bytes < second->bytes ? -1 : 1;
  return strcmp (first->name, second->name);
}

/* Tensors must tile the values: an overlap or a gap is either damage or something hidden. */
static gboolean
check_tiling (WwSafetensors *tensors, WwSource *source, GError **error)
{
  guint64 expected = tensors->data_offset;

  for (guint i = 0; i < tensors->tensors->len; i++)
    {
      const WwTensor *tensor = &g_array_index (tensors->tensors, WwTensor, i);

      if (tensor->offset != expected)
        {
          g_autofree char *what =
            g_strdup_printf (tensor->offset < expected
                               ? _("begins at byte %" PRIu64 " of the file, inside the tensor before it; byte %" PRIu64
                                   " was expected")
                               : _("begins at byte %" PRIu64 " of the file, behind a gap; byte %" PRIu64
                                   " was expected"), tensor->offset, expected);

          return fail (tensor, error, WW_SET_ERROR_MALFORMED, what);
        }
      expected += tensor->bytes;
    }

  if (expected != ww_source_get_size (source))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           _("the last tensor ends at byte %" PRIu64
                             ", the file at byte %" PRIu64 "; both should be the same"),
                           expected, ww_source_get_size (source));
      return FALSE;
    }

  return TRUE;
}

static json_t *
read_header (WwSource *source, guint64 *ret_data_offset, GError **error)
{
  guint64 size = ww_source_get_size (source);
  g_autofree char *text = NULL;
  json_t *header;
  guint64 length;

  if (size < LENGTH_BYTES)
    {
      ww_source_set_error (source, error, size == 0 ? WW_SET_ERROR_EMPTY : WW_SET_ERROR_TRUNCATED,
                           g_dngettext (GETTEXT_PACKAGE,
                                        "%" PRIu64 " byte; a safetensors file begins with the length of its header"
                                        " in %d",
                                        "%" PRIu64 " bytes; a safetensors file begins with the length of its header"
                                        " in %d", size),
                           size, LENGTH_BYTES);
      return NULL;
    }
  if (!ww_source_read (source, 0, &length, LENGTH_BYTES, error))
    return NULL;
  if (memcmp (&length, WW_LFS_MAGIC, LENGTH_BYTES) == 0)
    {
      ww_refused_set_lfs_error (source, error);
      return NULL;
    }
  length = GUINT64_FROM_LE (length);
  if (length > WW_SAFETENSORS_MAX_HEADER)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("a header of %" PRIu64 " bytes (byte 0); at most %d are"
                             " accepted"), length, WW_SAFETENSORS_MAX_HEADER);
      return NULL;
    }
  if (length > size - LENGTH_BYTES)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TRUNCATED,
                           _("a header of %" PRIu64 " bytes (byte 0) in a file of %"
                             PRIu64), length, size);
      return NULL;
    }

  text = g_malloc ((gsize) length + 1);
  if (!ww_source_read (source, LENGTH_BYTES, text, (gsize) length, error))
    return NULL;
  header = ww_json_parse (source, text, (gsize) length, LENGTH_BYTES, error);
  *ret_data_offset = LENGTH_BYTES + length;
  return header;
}

static gboolean
parse_header (WwSafetensors *tensors, WwSource *source, json_t *header, GError **error)
{
  const char *name;
  json_t *entry;

  json_object_foreach (header, name, entry)
    {
      WwTensor tensor = { 0 };
      gboolean parsed;

      if (strcmp (name, "__metadata__") == 0)
        continue;

      /* All tensors share one reference; it is dropped with the first of them. */
      if (tensors->tensors->len == 0)
        ww_source_ref (source);
      tensor.source = source;
      tensor.name = g_strdup (name);
      parsed = parse_tensor (tensors, &tensor, entry, error);
      g_array_append_val (tensors->tensors, tensor);
      if (!parsed)
        return FALSE;
    }

  g_array_sort (tensors->tensors, compare_places);
  return check_tiling (tensors, source, error);
}

WwSafetensors *
ww_safetensors_open (WwSource *source, GError **error)
{
  g_autoptr (WwSafetensors) tensors = g_new0 (WwSafetensors, 1);
  g_autoptr (json_t) header = NULL;

  tensors->tensors = g_array_new (FALSE, TRUE, sizeof (WwTensor));
  g_array_set_clear_func (tensors->tensors, clear_tensor);
  tensors->by_name = g_hash_table_new (g_str_hash, g_str_equal);

  header = read_header (source, &tensors->data_offset, error);
  if (header == NULL)
    return NULL;
  if (!json_is_object (header))
    {
      ww_source_set_error (source, error, WW_SET_ERROR_MALFORMED,
                           _("byte 8: the header is no JSON object"));
      return NULL;
    }
  if (!parse_header (tensors, source, header, error))
    return NULL;

  for (guint i = 0; i < tensors->tensors->len; i++)
    g_hash_table_insert (tensors->by_name, g_array_index (tensors->tensors, WwTensor, i).name,
                         GUINT_TO_POINTER (i + 1));
  return g_steal_pointer (&tensors);
}

gsize
ww_safetensors_get_size (const WwSafetensors *tensors)
{
  return tensors->tensors->len;
}

const WwTensor *
ww_safetensors_get (const WwSafetensors *tensors, gsize index)
{
  g_return_val_if_fail (index < tensors->tensors->len, NULL);

  return &g_array_index (tensors->tensors, WwTensor, index);
}

const WwTensor *
ww_safetensors_find (const WwSafetensors *tensors, const char *name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (tensors->by_name, name));

  return index == 0 ? NULL : ww_safetensors_get (tensors, index - 1);
}

WwTable *
ww_tensor_get_table (const WwTensor *tensor, GError **error)
{
  WwTable *table;

  if (!tensor->readable)
    {
      g_autofree char *name = ww_dup_one_line (tensor->name), *type = ww_dup_one_line (tensor->type);

      ww_source_set_error (tensor->source, error, WW_SET_ERROR_REFUSED,
                           _("tensor \"%.200s\" holds values of type %s; F64, F32, F16 and BF16 are read. To"
                             " convert, where scale holds for each quantised tensor, by its name, what its values must"
                             " be multiplied by (a number, or a tensor with one for each row):\n"
                             "  from safetensors.torch import load_file, save_file; tensors, scale ="
                             " load_file('in.safetensors'), {}\n"
                             "  save_file({name: t.float() * scale.get(name, 1) for name, t in tensors.items()},"
                             " 'out.safetensors')"),
                           name, type);
      return NULL;
    }
  if (tensor->n_axes < 1 || tensor->n_axes > 2 || tensor->bytes == 0)
    {
      g_autofree char *shape = ww_tensor_dup_shape (tensor);

      ww_source_set_error (tensor->source, error,
                           tensor->bytes == 0 ? WW_SET_ERROR_EMPTY : WW_SET_ERROR_SHAPE,
                           _("tensor \"%.200s\" is %s; one or two axes with values were expected"),
                           tensor->name, shape);
      return NULL;
    }

  table = g_new0 (WwTable, 1);
  table->source = ww_source_ref (tensor->source);
  table->offset = tensor->offset;
  table->dtype = tensor->dtype;
  table->rows = tensor->n_axes == 2 ? tensor->shape[0] : 1;
  table->cols = tensor->shape[tensor->n_axes - 1];
  return table;
}

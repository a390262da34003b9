/* A safetensors file by itself: one of its tensors as an embedding set. */
#include <string.h>

#include <glib/gi18n-lib.h>

#include "ww-array-set.h"
#include "ww-mask.h"
#include "ww-safetensors.h"
#include "ww-tensor-set.h"

/* By content: a plausible length, then a JSON object. By name too, because a damaged one may have
 * neither, and its owner wants to know what is wrong with it. */
static gboolean
is_safetensors (const WwProbe *probe)
{
  g_autofree char *name = g_file_get_basename (probe->file);
  guint64 length = 0;

  if (probe->source == NULL)
    return FALSE;
  if (g_str_has_suffix (name, ".safetensors"))
    return TRUE;
  if (probe->head_length < 10)
    return FALSE;

  memcpy (&length, probe->head, sizeof length);
  length = GUINT64_FROM_LE (length);
  /* One that was cut in its header promises more than there is. */
  return length >= 2 && length <= MAX (ww_source_get_size (probe->source), WW_SAFETENSORS_MAX_HEADER)
         && probe->head[8] == '{'
         && (probe->head[9] == '"' || probe->head[9] == '}' || g_ascii_isspace (probe->head[9]));
}

static GPtrArray *
list_tensors (const WwSafetensors *tensors)
{
  GPtrArray *candidates = ww_candidates_new ();

  for (gsize i = 0; i < ww_safetensors_get_size (tensors); i++)
    {
      const WwTensor *tensor = ww_safetensors_get (tensors, i);
      g_autofree char *shape = ww_tensor_dup_shape (tensor);
      gboolean has_axes = tensor->n_axes == 2 || tensor->n_axes == 3;
      gboolean is_mask = g_strv_contains (ww_usual_masks, tensor->name);

      ww_candidates_add (candidates, tensor->name, shape, tensor->type,
                         tensor->readable && has_axes && tensor->bytes > 0 && !is_mask,
                         is_mask              ? _("a mask, by its name")
                         : !tensor->readable  ? _("a type of values that is not read")
                         : !has_axes          ? _("two axes are needed, rows and dimensions, or three for several texts")
                         : tensor->bytes == 0 ? _("no values")
                                              : NULL);
    }

  return candidates;
}

/* The one tensor that could have been meant is of a type that is not read: its recipe helps more than a
 * list. */
static const WwTensor *
find_refused (const WwSafetensors *tensors, const GPtrArray *candidates)
{
  const WwTensor *found = NULL;

  for (gsize i = 0; i < ww_safetensors_get_size (tensors); i++)
    {
      const WwTensor *tensor = ww_safetensors_get (tensors, i);

      if (ww_candidates_get (candidates, i)->usable)
        return NULL;
      if (!tensor->readable && (tensor->n_axes == 2 || tensor->n_axes == 3)
          && (found == NULL || tensor->bytes > found->bytes))
        found = tensor;
    }

  return found;
}

static gboolean
is_usual (const char *name)
{
  for (gsize i = 0; ww_usual_tables[i] != NULL; i++)
    if (strchr (ww_usual_tables[i], '.') != NULL && ww_name_has_tail (name, ww_usual_tables[i]))
      return TRUE;

  return FALSE;
}

/* Wider whole numbers are ids or the like. Of a type that is not known, bytes and shape need not agree: there may be
 * some of a tensor without columns. */
static gboolean
looks_quantised (const WwTensor *tensor)
{
  return tensor->shape[1] > 0 && tensor->bytes / tensor->shape[1] <= tensor->shape[0]
         && strcmp (tensor->type, "BOOL") != 0;
}

/* A table whose values are not read, though it may be the one that is meant in place of the tensor that can be used:
 * by its name, or else by its values. */
static const WwTensor *
find_left_aside (const WwSafetensors *tensors, gboolean usual_only)
{
  for (gsize i = 0; i < ww_safetensors_get_size (tensors); i++)
    {
      const WwTensor *tensor = ww_safetensors_get (tensors, i);

      if (!tensor->readable && tensor->n_axes == 2 && tensor->bytes > 0
          && (usual_only ? is_usual (tensor->name) : looks_quantised (tensor)))
        return tensor;
    }

  return NULL;
}

static void
warn_of_left_aside (WwSet *set, const WwTensor *tensor)
{
  g_autofree char *name = ww_dup_one_line (tensor->name), *type = ww_dup_one_line (tensor->type);

  ww_set_add_warning (set, _("Tensor \"%.200s\" is left aside, because values of type %s are not read"), name, type);
}

/* Whether there is a value for each row of the tensor, or of each of its texts. */
static gboolean
mask_fits (const WwTensor *mask, const WwTensor *tensor)
{
  gsize texts = tensor->n_axes == 3 ? tensor->shape[0] : 1, rows = tensor->shape[tensor->n_axes - 2];

  return (mask->n_axes == 2 && mask->shape[0] == texts && mask->shape[1] == rows)
         || (mask->n_axes == 1 && mask->shape[0] == rows);
}

/* Which tokens of which texts count, where the file says so. *ret_unfit: what is called a mask, but is none of this
 * tensor. The rows of a vocabulary are no text. */
static const WwTensor *
find_mask (const WwSafetensors *tensors, const WwTensor *tensor, const WwTensor **ret_unfit)
{
  for (gsize i = 0; ww_usual_masks[i] != NULL; i++)
    {
      const WwTensor *mask = ww_safetensors_find (tensors, ww_usual_masks[i]);

      if (mask == NULL || mask == tensor)
        continue;
      if (!is_usual (tensor->name) && mask_fits (mask, tensor))
        return mask;
      *ret_unfit = mask;
    }

  return NULL;
}

/* Masks may hold whole numbers and truth values, which no table does. */
static gboolean
get_mask_type (const WwTensor *tensor, WwDtype *ret_dtype)
{
  static const struct
  {
    const char *name;
    WwDtype dtype;
  } types[] = {
    { "BOOL", WW_DTYPE_U8 }, { "U8", WW_DTYPE_U8 },   { "I8", WW_DTYPE_I8 },   { "I16", WW_DTYPE_I16 },
    { "U16", WW_DTYPE_U16 }, { "I32", WW_DTYPE_I32 }, { "U32", WW_DTYPE_U32 }, { "I64", WW_DTYPE_I64 },
    { "U64", WW_DTYPE_U64 },
  };

  *ret_dtype = tensor->dtype;
  for (gsize i = 0; !tensor->readable && i < G_N_ELEMENTS (types); i++)
    if (g_str_equal (tensor->type, types[i].name))
      {
        *ret_dtype = types[i].dtype;
        return TRUE;
      }

  return tensor->readable;
}

static gboolean
place_mask (const WwTensor *tensor, gsize text, gsize rows, WwMask *ret_mask, GError **error)
{
  WwMask mask = { .source = tensor->source };

  if (!get_mask_type (tensor, &mask.dtype))
    {
      ww_source_set_error (tensor->source, error, WW_SET_ERROR_UNSUPPORTED,
                           _("the mask holds values of type %s, which is not read"), tensor->type);
      return FALSE;
    }

  mask.step = ww_dtype_get_size (mask.dtype);
  mask.offset = tensor->offset + (tensor->n_axes == 2 ? (guint64) text * rows * mask.step : 0);
  *ret_mask = mask;
  return TRUE;
}

/* One of several texts: [texts, tokens, dimensions]. */
static WwSet *
open_text (const WwArray *array, const WwMask *mask, gsize text, const WwOpening *opening, GError **error)
{
  g_autoptr (WwTable) table = NULL;

  if (!ww_array_check_list_option (array, opening, error))
    return NULL;

  table = ww_array_make_table (array, text);
  if (mask != NULL && !ww_mask_apply (mask, text, table, opening, NULL, error))
    return NULL;
  return ww_array_make_set (array, g_steal_pointer (&table), NULL, NULL, 0, opening, error);
}

static void
warn_of_mask (WwSet *set, const WwTensor *mask, const WwTensor *unfit, gsize rows)
{
  g_autofree char *shape = unfit != NULL ? ww_tensor_dup_shape (unfit) : NULL;

  if (mask != NULL)
    ww_set_add_warning (set, _("The mask \"%s\" keeps %zu of %zu rows"), mask->name, ww_set_get_n_entries (set), rows);
  else if (unfit != NULL)
    ww_set_add_warning (set, _("Tensor \"%s\" (%s) is no mask of these rows, so that all of them count"), unfit->name,
                        shape);
}

/* A tensor as the array that it is. */
static void
describe_array (const WwTensor *tensor, WwArray *array)
{
  array->header.dtype = tensor->dtype;
  array->header.n_axes = MIN (tensor->n_axes, WW_NPY_MAX_AXES);
  array->header.n_values = 1;
  for (guint i = 0; i < array->header.n_axes; i++)
    {
      array->header.shape[i] = tensor->shape[i];
      array->header.n_values *= tensor->shape[i];
    }
  array->header.data_offset = tensor->offset;
}

static WwSet *
open_tensor (const WwProbe *probe, const WwSafetensors *tensors, const WwTensor *tensor, gsize asked,
             const WwOpening *opening, GError **error)
{
  WwArray array = { probe->file, probe->source, probe->source, { 0 }, "safetensors" };
  WwTensorPlace place = { probe->file, probe->source, "safetensors" };
  const WwTensor *found, *unfit = NULL;
  WwTable *table;
  WwMask mask;
  gsize text = 0, rows;
  WwSet *set;

  /* Says what is wrong with a type, or with axes that nothing can be made of. */
  if (tensor->n_axes != 3 || !tensor->readable || tensor->bytes == 0)
    {
      table = ww_tensor_get_table (tensor, error);
      if (table == NULL)
        return NULL;
      ww_table_free (table);
    }

  describe_array (tensor, &array);
  array.member = ww_safetensors_get_size (tensors) > 1 ? tensor->name : NULL;
  array.text = asked;
  if (!ww_array_choose_text (&array, opening, &text, error))
    return NULL;
  rows = ww_array_get_rows (&array);
  found = find_mask (tensors, tensor, &unfit);
  if (found != NULL && !place_mask (found, text, rows, &mask, error))
    return NULL;

  place.tensor = tensor->name;
  place.is_vocabulary = is_usual (tensor->name);
  place.mask = found != NULL ? &mask : NULL;
  set = tensor->n_axes == 3 ? open_text (&array, place.mask, text, opening, error)
                            : ww_tensor_set_new (&place, ww_tensor_get_table (tensor, NULL), NULL, opening, error);
  if (set != NULL)
    warn_of_mask (set, found, unfit, rows);
  return set;
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autoptr (WwSafetensors) tensors = ww_safetensors_open (probe->source, error);
  g_autoptr (GPtrArray) candidates = NULL;
  const WwTensor *refused, *chosen, *aside;
  gboolean guesses;
  gsize index, text;
  WwSet *set;

  if (tensors == NULL)
    return NULL;
  if (ww_safetensors_get_size (tensors) == 0)
    {
      ww_source_set_error (probe->source, error, WW_SET_ERROR_EMPTY,
                           _("a safetensors file without tensors"));
      return NULL;
    }

  ww_opening_note (opening, _("A safetensors file by itself, by its header."));
  candidates = list_tensors (tensors);
  refused = find_refused (tensors, candidates);
  if (refused != NULL && opening->options->member == NULL)
    {
      ww_tensor_get_table (refused, error);
      return NULL;
    }
  if (!ww_choose_with_text (candidates, opening, probe->source, ww_usual_tables, &index, &text, error))
    return NULL;

  chosen = ww_safetensors_get (tensors, index);
  guesses = opening->options->member == NULL;
  aside = guesses && !is_usual (chosen->name) ? find_left_aside (tensors, TRUE) : NULL;
  if (aside != NULL)
    {
      ww_tensor_get_table (aside, error);
      return NULL;
    }
  aside = guesses ? find_left_aside (tensors, FALSE) : NULL;
  set = open_tensor (probe, tensors, chosen, text, opening, error);
  if (set != NULL && aside != NULL)
    warn_of_left_aside (set, aside);
  return set;
}

static gboolean
recognises_asked (const WwProbe *probe)
{
  return is_safetensors (probe) && probe->options->member != NULL;
}

const WwReader ww_safetensors_reader = { recognises_asked, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };
const WwReader ww_bare_safetensors_reader = { is_safetensors, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };

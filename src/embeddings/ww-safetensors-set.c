/* A safetensors file by itself: one of its tensors as an embedding set. */
#include <string.h>

#include "ww-safetensors.h"
#include "ww-tensor-set.h"

#define MAX_LISTED 8

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
  return length >= 2 && length <= ww_source_get_size (probe->source) && probe->head[8] == '{'
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
      gboolean usable = tensor->readable && tensor->n_axes == 2 && tensor->bytes > 0;

      ww_candidates_add (candidates, tensor->name, shape, tensor->type, usable,
                         !tensor->readable     ? "a type of values that is not read"
                         : tensor->n_axes != 2 ? "two axes are needed: rows and dimensions"
                         : tensor->bytes == 0  ? "no values"
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
      if (!tensor->readable && tensor->n_axes == 2 && (found == NULL || tensor->bytes > found->bytes))
        found = tensor;
    }

  return found;
}

static gboolean
is_usual (const char *name)
{
  for (gsize i = 0; ww_usual_tables[i] != NULL; i++)
    if (g_str_has_suffix (name, ww_usual_tables[i]) && strchr (ww_usual_tables[i], '.') != NULL)
      return TRUE;

  return FALSE;
}

static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autoptr (WwSafetensors) tensors = ww_safetensors_open (probe->source, error);
  g_autoptr (GPtrArray) candidates = NULL;
  WwTensorPlace place = { probe->file, probe->source, "safetensors" };
  const WwTensor *tensor;
  WwTable *table;
  gsize index;

  if (tensors == NULL)
    return NULL;
  if (ww_safetensors_get_size (tensors) == 0)
    {
      ww_source_set_error (probe->source, error, WW_SET_ERROR_EMPTY,
                           "a safetensors file without tensors");
      return NULL;
    }

  ww_opening_note (opening, "A safetensors file by itself, by its header.");
  candidates = list_tensors (tensors);
  tensor = find_refused (tensors, candidates);
  if (tensor != NULL && opening->options->member == NULL)
    {
      ww_tensor_get_table (tensor, error);
      return NULL;
    }
  if (!ww_choose (candidates, opening, probe->source, opening->options->member, "tensor", ww_usual_tables,
                  &index, error))
    return NULL;

  tensor = ww_safetensors_get (tensors, index);
  table = ww_tensor_get_table (tensor, error);
  if (table == NULL)
    return NULL;

  place.tensor = tensor->name;
  place.is_vocabulary = is_usual (tensor->name);
  return ww_tensor_set_new (&place, table, NULL, opening, error);
}

static gboolean
recognises_asked (const WwProbe *probe)
{
  return is_safetensors (probe) && probe->options->member != NULL;
}

const WwReader ww_safetensors_reader = { recognises_asked, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };
const WwReader ww_bare_safetensors_reader = { is_safetensors, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };

/* The token embeddings of a GGUF file as an embedding set. */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "ww-gguf-tokeniser.h"
#include "ww-table-set.h"
#include "ww-tensor-set.h"
#include "ww-vocabulary-set.h"

static char *
dup_shape (const WwGgufTensor *tensor)
{
  GString *shape = g_string_new (NULL);

  for (guint i = 0; i < tensor->n_axes; i++)
    g_string_append_printf (shape, "%s%" G_GSIZE_FORMAT, i > 0 ? " x " : "", tensor->shape[i]);

  return g_string_free (shape, FALSE);
}

static GPtrArray *
list_tensors (const WwGguf *gguf)
{
  GPtrArray *candidates = ww_candidates_new ();

  for (guint i = 0; i < gguf->tensors->len; i++)
    {
      const WwGgufTensor *tensor = &g_array_index (gguf->tensors, WwGgufTensor, i);
      g_autofree char *shape = dup_shape (tensor);
      gboolean readable, usable;
      WwDtype dtype;

      readable = ww_gguf_type_get_dtype (tensor->type, &dtype);
      usable = readable && tensor->n_axes == 2;
      ww_candidates_add (candidates, tensor->name, shape, ww_gguf_type_get_name (tensor->type), usable,
                         !readable ? _("a type of values that is not read")
                         : !usable ? _("two axes are needed: rows and dimensions")
                                   : NULL);
    }

  return candidates;
}

static void
refuse_type (WwSource *source, const WwGgufTensor *tensor, GError **error)
{
  g_autofree char *name = ww_dup_one_line (tensor->name);

  ww_source_set_error (source, error, WW_SET_ERROR_REFUSED,
                       _("tensor \"%.200s\" holds values of type %s (%u); F32, F16, BF16, F64 and Q8_0 are read. To"
                         " convert, with the package gguf:\n"
                         "  from gguf import GGUFReader, dequantize; import numpy as np; r = GGUFReader('in.gguf');"
                         " w = r.fields['tokenizer.ggml.tokens']\n"
                         "  np.savez('out.npz', words=[str(bytes(w.parts[i]), 'utf-8') for i in w.data],"
                         " vectors=next(dequantize(t.data, t.tensor_type) for t in r.tensors if t.name"
                         " == 'token_embd.weight'))"), name, ww_gguf_type_get_name (tensor->type),
                       tensor->type);
}

/* Checks the promised size against what is there. */
static gboolean
check_size (WwSource *source, const WwGgufTensor *tensor, WwDtype dtype, GError **error)
{
  g_autofree char *shape = dup_shape (tensor);
  guint64 size = ww_source_get_size (source);
  gsize rows = tensor->shape[0], cols = tensor->shape[1], bytes;

  if (rows == 0 || cols == 0)
    ww_source_set_error (source, error, WW_SET_ERROR_EMPTY, _("tensor \"%.200s\" of %s holds no values"),
                         tensor->name, shape);
  else if (cols > WW_MAX_DIMS
           || !g_size_checked_mul (&bytes, rows, ww_dtype_get_row_bytes (dtype, cols)))
    ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                         _("tensor \"%.200s\" of %s; at most %d dimensions are accepted"), tensor->name, shape,
                         WW_MAX_DIMS);
  else if (dtype == WW_DTYPE_Q8_0 && cols % WW_Q8_0_VALUES != 0)
    ww_source_set_error (source, error, WW_SET_ERROR_SHAPE,
                         _("tensor \"%.200s\" of %s in Q8_0, whose rows must be multiples of %d long"),
                         tensor->name, shape, WW_Q8_0_VALUES);
  else if (tensor->offset > size || bytes > size - tensor->offset)
    ww_source_set_error (source, error, WW_SET_ERROR_TRUNCATED,
                         _("tensor \"%.200s\" of %s needs %zu bytes from byte %"
                           PRIu64 " on; the file ends at byte %" PRIu64), tensor->name,
                         shape, bytes, tensor->offset, size);
  else
    return TRUE;

  return FALSE;
}

static WwTable *
make_table (WwSource *source, const WwGgufTensor *tensor, WwDtype dtype)
{
  WwTable *table = g_new0 (WwTable, 1);

  table->source = ww_source_ref (source);
  table->offset = tensor->offset;
  table->dtype = dtype;
  table->rows = tensor->shape[0];
  table->cols = tensor->shape[1];
  return table;
}

/* The usual table, of a type that is not read. */
static const WwGgufTensor *
find_refused (const WwGguf *gguf)
{
  WwDtype dtype;

  for (guint i = 0; i < gguf->tensors->len; i++)
    {
      const WwGgufTensor *tensor = &g_array_index (gguf->tensors, WwGgufTensor, i);

      if (strcmp (tensor->name, "token_embd.weight") == 0)
        return ww_gguf_type_get_dtype (tensor->type, &dtype) ? NULL : tensor;
    }

  return NULL;
}

static const WwGgufTensor *
choose_tensor (const WwProbe *probe, const WwGguf *gguf, const WwOpening *opening, WwDtype *ret_dtype,
               GError **error)
{
  g_autoptr (GPtrArray) candidates = list_tensors (gguf);
  const WwGgufTensor *tensor = find_refused (gguf);
  gsize index;

  if (gguf->tensors->len == 0)
    {
      ww_source_set_error (probe->source, error, WW_SET_ERROR_EMPTY, _("a GGUF file without tensors"));
      return NULL;
    }
  if (tensor != NULL && opening->options->member == NULL)
    {
      refuse_type (probe->source, tensor, error);
      return NULL;
    }
  if (!ww_choose (candidates, opening, probe->source, opening->options->member, ww_usual_tables,
                  &index, error))
    return NULL;

  tensor = &g_array_index (gguf->tensors, WwGgufTensor, index);
  if (!ww_gguf_type_get_dtype (tensor->type, ret_dtype))
    refuse_type (probe->source, tensor, error);
  else if (tensor->n_axes != 2)
    ww_source_set_error (probe->source, error, WW_SET_ERROR_SHAPE,
                         g_dngettext (GETTEXT_PACKAGE,
                                      "tensor \"%.200s\" has %u axis; two are needed, rows and dimensions",
                                      "tensor \"%.200s\" has %u axes; two are needed, rows and dimensions",
                                      tensor->n_axes),
                         tensor->name, tensor->n_axes);
  else if (check_size (probe->source, tensor, *ret_dtype, error))
    return tensor;

  return NULL;
}

static gboolean
recognises (const WwProbe *probe)
{
  return probe->source != NULL && probe->head_length >= 4 && memcmp (probe->head, "GGUF", 4) == 0;
}

/* Words of the person's own choice have nothing to do with the file's tokens. */
static gboolean
wants_tokeniser (const WwGguf *gguf, const WwOpening *opening)
{
  return gguf->tokens != NULL && gguf->tokeniser.model != NULL && opening->options->words == NULL
         && !opening->options->without_words;
}

static WwSet *
open_table (const WwProbe *probe, WwGguf *gguf, WwTokeniser *tokeniser, const char *why, const WwOpening *opening,
            GError **error)
{
  g_autoptr (WwTokeniser) owned = tokeniser;
  WwTensorPlace place = { probe->file, probe->source, "GGUF" };
  const WwGgufTensor *tensor;
  gboolean is_table;
  WwDtype dtype;
  WwSet *set;

  tensor = choose_tensor (probe, gguf, opening, &dtype, error);
  if (tensor == NULL)
    return NULL;

  place.tensor = tensor->name;
  is_table = strcmp (tensor->name, "token_embd.weight") == 0;
  place.is_vocabulary = is_table;
  set = ww_tensor_set_new (&place, make_table (probe->source, tensor, dtype),
                           is_table ? g_steal_pointer (&gguf->tokens) : NULL, opening, error);
  if (set != NULL && is_table)
    ww_table_set_take_tokeniser (set, g_steal_pointer (&owned), why);
  if (set != NULL && is_table && gguf->n_duplicates > 0)
    ww_set_add_warning (set, g_dngettext (GETTEXT_PACKAGE,
                                          "%zu token is in the list more than once; the first is used",
                                          "%zu tokens are in the list more than once; the first of each is used",
                                          gguf->n_duplicates),
                        gguf->n_duplicates);
  return set;
}

/* Values of a type that is not read do not matter where only tokens are wanted. */
static WwSet *
open_probe (const WwProbe *probe, const WwOpening *opening, GError **error)
{
  g_autoptr (WwGguf) gguf = ww_gguf_open (probe->source, opening, error);
  g_autofree char *why = NULL;
  WwTokeniser *tokeniser;

  if (gguf == NULL)
    return NULL;

  ww_opening_note (opening, _("A GGUF file (version %u%s%.100s), by its first bytes."), gguf->version,
                   gguf->architecture != NULL ? ", " : "", gguf->architecture != NULL ? gguf->architecture : "");
  tokeniser = wants_tokeniser (gguf, opening) ? ww_tokeniser_from_gguf (gguf, &why) : NULL;
  if (tokeniser != NULL && opening->options->tokens_only && opening->options->member == NULL
      && find_refused (gguf) != NULL)
    return ww_vocabulary_set_new_take (probe->file, probe->source, tokeniser,
                                       ww_gguf_type_get_name (find_refused (gguf)->type));

  return open_table (probe, gguf, tokeniser, why, opening, error);
}

const WwReader ww_gguf_reader = { recognises, open_probe, WW_TAKES_MEMBER | WW_TAKES_WORDS };

/* Safetensors files: an 8-byte length, a JSON header, raw little-endian values. The header is
 * checked completely at opening time (every tensor inside the file, no overlap, no gap); values are
 * read when they are used. Format: https://github.com/huggingface/safetensors (README, "Format"). */
#pragma once

#include "ww-table.h"

G_BEGIN_DECLS

/* Bytes of JSON: the limit of the reference implementation. */
#define WW_SAFETENSORS_MAX_HEADER 100000000

#define WW_TENSOR_MAX_AXES 8

typedef struct
{
  char *name;
  char *type;        /* as the file calls it: "F16", "I8", ... */
  gboolean readable; /* FALSE: a type whose values are not read here; `dtype` is undefined */
  WwDtype dtype;
  guint n_axes;
  gsize shape[WW_TENSOR_MAX_AXES];
  guint64 offset, bytes; /* in the file */
  WwSource *source;
} WwTensor;

typedef struct _WwSafetensors WwSafetensors;

/* WW_SET_ERROR_TRUNCATED, _MALFORMED, _SHAPE, _TOO_LARGE, _READ. */
WwSafetensors *ww_safetensors_open (WwSource *source, GError **error);
void ww_safetensors_free (WwSafetensors *tensors); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSafetensors, ww_safetensors_free)

/* In the order of their place in the file. */
gsize ww_safetensors_get_size (const WwSafetensors *tensors);
const WwTensor *ww_safetensors_get (const WwSafetensors *tensors, gsize index);
const WwTensor *ww_safetensors_find (const WwSafetensors *tensors, const char *name);

/* "30522 x 384" */
char *ww_tensor_dup_shape (const WwTensor *tensor);
/* A tensor of one or two axes as a table; one axis gives one row. Types other than floating point
 * are WW_SET_ERROR_REFUSED, other numbers of axes WW_SET_ERROR_SHAPE. */
WwTable *ww_tensor_get_table (const WwTensor *tensor, GError **error);

G_END_DECLS

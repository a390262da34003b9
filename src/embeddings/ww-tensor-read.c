#include "ww-tensor-read.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-set.h"

/* Values converted at a time; both buffers fit on the stack. */
#define PIECE 4096

static gsize
count_values (const WwTensor *tensor)
{
  return (gsize) (tensor->bytes / ww_dtype_get_size (tensor->dtype));
}

static gboolean
read_converted (const WwTensor *tensor, float *to, GError **error)
{
  gsize size = ww_dtype_get_size (tensor->dtype), count = count_values (tensor);
  guint8 raw[PIECE * sizeof (double)];
  double values[PIECE];

  for (gsize at = 0; at < count; at += PIECE)
    {
      gsize length = MIN (count - at, PIECE);

      if (!ww_source_read (tensor->source, tensor->offset + (guint64) at * size, raw, length * size, error))
        return FALSE;
      ww_dtype_decode (tensor->dtype, FALSE, raw, length, values);
      for (gsize i = 0; i < length; i++)
        to[at + i] = (float) values[i];
    }

  return TRUE;
}

/* Whether any of the bit patterns is that of an infinity or a NaN. */
static gboolean
has_non_finite (const float *values, gsize count)
{
  guint32 found = 0;

  for (gsize i = 0; i < count; i++)
    {
      guint32 bits;

      memcpy (&bits, values + i, sizeof bits);
      found |= (bits & 0x7f800000u) == 0x7f800000u;
    }

  return found != 0;
}

static gboolean
set_non_finite_error (const WwTensor *tensor, const float *values, gsize count, GError **error)
{
  gsize cols = tensor->n_axes > 0 ? tensor->shape[tensor->n_axes - 1] : 1;
  gsize i = 0;

  while (i < count && isfinite (values[i]))
    i++;
  ww_source_set_error (tensor->source, error, WW_SET_ERROR_NON_FINITE,
                       _("tensor \"%.200s\": the value in row %zu, column %zu (counted from 0) is %s; a finite"
                         " number was expected"), tensor->name, i / cols, i % cols,
                       i < count && isnan (values[i]) ? _("not a number (NaN)") : _("infinite"));
  return FALSE;
}

gboolean
ww_tensor_read_floats (const WwTensor *tensor, float *to, GError **error)
{
  gsize count;

  g_return_val_if_fail (tensor->readable, FALSE);

  count = count_values (tensor);
  if (tensor->dtype == WW_DTYPE_F32 && G_BYTE_ORDER == G_LITTLE_ENDIAN)
    {
      if (!ww_source_read (tensor->source, tensor->offset, to, count * sizeof (float), error))
        return FALSE;
    }
  else if (!read_converted (tensor, to, error))
    return FALSE;

  return !has_non_finite (to, count) || set_non_finite_error (tensor, to, count, error);
}

#include "ww-row-scale.h"

#include <math.h>
#include <string.h>

#include "ww-private.h"

struct _WwRowScale
{
  gatomicrefcount ref_count;
  gsize raw_dims, dims;
  WwNormalisation normalisation;
  WwColumnMeans means;
  double *values; /* of `means`, d entries; NULL where nothing is centred */
};

WwRowScale *
ww_row_scale_new (const WwMatrix *raw, gsize dims, WwNormalisation normalisation, GError **error)
{
  g_autoptr (WwRowScale) self = NULL;
  g_autoptr (WwMatrix) cut = NULL;

  g_return_val_if_fail (raw != NULL, NULL);
  g_return_val_if_fail ((guint) normalisation < WW_N_NORMALISATIONS, NULL);

  cut = ww_matrix_head (raw, raw->rows, dims == 0 ? raw->cols : dims, error);
  if (cut == NULL || !ww_matrix_check_finite (cut, error))
    return NULL;

  self = g_new0 (WwRowScale, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->raw_dims = raw->cols;
  self->dims = cut->cols;
  self->normalisation = normalisation;
  if (normalisation == WW_NORMALISATION_CENTRE)
    {
      self->values = g_new (double, self->dims);
      ww_column_means_init (&self->means, cut, self->values);
    }
  return g_steal_pointer (&self);
}

WwRowScale *
ww_row_scale_ref (WwRowScale *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
ww_row_scale_unref (WwRowScale *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;

  g_free (self->values);
  g_free (self);
}

gsize
ww_row_scale_get_raw_dims (const WwRowScale *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->raw_dims;
}

gsize
ww_row_scale_get_dims (const WwRowScale *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->dims;
}

static gboolean
is_finite_row (const double *row, gsize d)
{
  for (gsize c = 0; c < d; c++)
    if (!isfinite (row[c]))
      return FALSE;

  return TRUE;
}

gboolean
ww_row_scale_apply (const WwRowScale *self, const double *raw, double *ret_row)
{
  gboolean usable;

  g_return_val_if_fail (self != NULL && raw != NULL && ret_row != NULL, FALSE);

  usable = is_finite_row (raw, self->dims);
  memcpy (ret_row, raw, self->dims * sizeof (double));
  if (usable && self->normalisation == WW_NORMALISATION_CENTRE)
    ww_column_means_subtract (&self->means, ret_row, self->dims);
  if (usable && self->normalisation != WW_NORMALISATION_NONE)
    usable = ww_scale_row (ret_row, self->dims);

  for (gsize c = 0; !usable && c < self->dims; c++)
    ret_row[c] = NAN;
  return usable;
}

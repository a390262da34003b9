/* A dense row-major matrix of doubles, shared by reference count, immutable once published. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

typedef struct
{
  gsize rows, cols;
  double *data; /* rows * cols, row-major, 64-byte aligned */
} WwMatrix;

/* A zeroed matrix; WW_CORE_ERROR_SHAPE on an empty or overflowing shape, WW_CORE_ERROR_MEMORY
 * where the array cannot be had (never aborts). */
WwMatrix *ww_matrix_new (gsize rows, gsize cols, GError **error);
WwMatrix *ww_matrix_new_copy (gsize rows, gsize cols, const double *data, GError **error);
WwMatrix *ww_matrix_ref (WwMatrix *matrix);
void ww_matrix_unref (WwMatrix *matrix); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwMatrix, ww_matrix_unref)

/* The first `rows` rows and first `cols` columns. */
WwMatrix *ww_matrix_head (const WwMatrix *matrix, gsize rows, gsize cols, GError **error);
double ww_matrix_norm (const WwMatrix *matrix); /* Frobenius */
/* The Euclidean norm of `count` values, without overflow or underflow on the way. */
double ww_vector_norm (const double *values, gsize count);
/* WW_CORE_ERROR_NON_FINITE with 0-based row and column of the first NaN or infinity. */
gboolean ww_matrix_check_finite (const WwMatrix *matrix, GError **error);

/* Cut each row of `raw` (n x at least d) to its first `dims` entries (0: all), then
 * normalise. WW_CORE_ERROR_ZERO_ROW, _SHAPE, _NON_FINITE. */
WwMatrix *ww_context_prepare (const WwMatrix *raw, gsize dims, WwNormalisation normalisation,
                              GError **error);
/* n Gaussian rows scaled to norm sqrt (d), drawn for (seed, trial). The first m rows do not depend
 * on n. */
WwMatrix *ww_context_synthetic (gsize n, gsize d, guint64 seed, guint32 trial, GError **error);

G_END_DECLS

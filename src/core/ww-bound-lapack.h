/* The one routine of LAPACK that the bounds need; OpenBLAS holds it, without a header in Debian's
 * package for plain BLAS. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Eigenvalues of the symmetric n x n `matrix` (its upper triangle, row-major), rising; with `vectors`
 * also orthonormal eigenvectors as rows in its place, else its contents are lost.
 * WW_CORE_ERROR_MEMORY; WW_CORE_ERROR_NON_FINITE where the iteration fails. */
gboolean ww_bound_eigen (gsize n, double *matrix, gboolean vectors, double *ret_values,
                         GError **error);

G_END_DECLS

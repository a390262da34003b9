/* The routines of LAPACK that the bounds need; OpenBLAS holds them. Matrices are row-major. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Eigenvalues of the symmetric n x n `matrix` (its upper triangle, row-major), rising; with `vectors`
 * also orthonormal eigenvectors as rows in its place, else its contents are lost.
 * WW_CORE_ERROR_MEMORY; WW_CORE_ERROR_NON_FINITE where the iteration fails. */
gboolean ww_bound_eigen (gsize n, double *matrix, gboolean vectors, double *ret_values,
                         GError **error);

/* The upper triangle of the symmetric n x n `matrix` becomes C with C^T C = matrix; FALSE where it is
 * not positive definite. */
gboolean ww_bound_cholesky (gsize n, double *matrix);
/* The upper triangle of that C becomes the upper triangle of the inverse of C^T C. */
gboolean ww_bound_cholesky_invert (gsize n, double *matrix);

G_END_DECLS

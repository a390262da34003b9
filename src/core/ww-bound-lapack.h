/* The routines of LAPACK that the bounds need; OpenBLAS holds them. Matrices are row-major. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

/* Eigenvalues of the symmetric n x n `matrix` (its upper triangle), rising, and orthonormal
 * eigenvectors as rows in its place. Polls the flag all along but for the eigenvalues themselves, some 20 ms at
 * n = 768. WW_CORE_ERROR_MEMORY, _CANCELLED; WW_CORE_ERROR_NON_FINITE where the iteration fails. */
gboolean ww_bound_eigen (gsize n, double *matrix, const WwCancel *cancel, double *ret_values, GError **error);

/* ret (n x n, its upper triangle), n the smaller of both: A A^T or A^T A of `matrix` A (rows x columns). Polls the
 * flag. */
gboolean ww_bound_gram (gsize rows, gsize columns, const double *matrix, const WwCancel *cancel, double *ret,
                        GError **error);

/* An upper bound, mostly by 1 or 2 %, of the largest eigenvalue of the symmetric n x n `matrix` (its
 * upper triangle), or of 0 if that is larger: some number g for which g - matrix has a Cholesky
 * factor. Polls the flag between factorisations. */
gboolean ww_bound_largest_eigenvalue (gsize n, const double *matrix, const WwCancel *cancel,
                                      double *ret_value, GError **error);

/* The upper triangle of the symmetric n x n `matrix` becomes C with C^T C = matrix; FALSE where it is
 * not positive definite. */
gboolean ww_bound_cholesky (gsize n, double *matrix);
/* `side` becomes (C^T C)^-1 side. */
void ww_bound_cholesky_solve (gsize n, const double *factor, double *side);
/* The upper triangle of that C becomes the upper triangle of the inverse of C^T C. */
gboolean ww_bound_cholesky_invert (gsize n, double *matrix);

/* Solves matrix x = side for a symmetric n x n `matrix` (its upper triangle, positive on the diagonal), in
 * single precision after scaling to a unit diagonal; x takes the place of `side`. `room`: n (n + 2) values.
 * FALSE, with `side` as it was, where the matrix is not definite enough for that. */
gboolean ww_bound_solve_roughly (gsize n, const double *matrix, float *room, double *side);

G_END_DECLS

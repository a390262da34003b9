/* NumPy's .npy files: format versions 1 to 3, floating point of 2, 4 and 8 bytes and integers, both
 * byte orders, C and Fortran order. Format: NumPy enhancement proposal 1 and numpy.lib.format. */
#pragma once

#include <gio/gio.h>

#include "ww-matrix.h"

G_BEGIN_DECLS

/* A two-dimensional numeric array as a matrix of doubles. Errors: WW_SET_ERROR; an array with
 * another number of axes is WW_SET_ERROR_SHAPE, a NaN or an infinity WW_SET_ERROR_NON_FINITE. */
WwMatrix *ww_npy_load (GFile *file, GError **error);

/* The same for the rows of a context, where an array with one axis is one row, as it is for a set. *ret_one_axis:
 * whether it was; `ret_one_axis` may be NULL. Errors as above. */
WwMatrix *ww_npy_load_context (GFile *file, gboolean *ret_one_axis, GError **error);

/* Writes float64 in C order, to a temporary name beside `path` that is then renamed, so that a
 * reader never meets half a file. A path that exists and is no regular file (a terminal, a pipe) is
 * written to directly. Errors: G_FILE_ERROR. */
gboolean ww_npy_save (const char *path, const WwMatrix *matrix, GError **error);
/* The same for `depth` arrays of one shape that lie one below the other in `matrix`: an array of three axes,
 * depth x rows / depth x cols. `depth` divides the rows. */
gboolean ww_npy_save_stack (const char *path, const WwMatrix *matrix, gsize depth, GError **error);
/* The same for an array with one axis, of shape (n,). */
gboolean ww_npy_save_vector (const char *path, const double *values, gsize n, GError **error);

G_END_DECLS

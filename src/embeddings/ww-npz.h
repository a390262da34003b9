/* NumPy's .npz archives, by member: what the weights of several layers come in. */
#pragma once

#include <gio/gio.h>

#include "ww-matrix.h"

G_BEGIN_DECLS

/* The two-dimensional arrays `names` ("V1", "V2", ...) of an archive, in that order: a GPtrArray of
 * WwMatrix. Stored or deflated, ZIP64 or not. Errors: WW_SET_ERROR, with _MISSING for a name that is not
 * there (the message lists what is) and the errors of ww_npy_load. */
GPtrArray *ww_npz_load_matrices (GFile *file, const char *const *names, gsize n, GError **error);

G_END_DECLS

/* The header of a .npy file, for the readers of this folder. */
#pragma once

#include "ww-table.h"

G_BEGIN_DECLS

#define WW_NPY_MAX_AXES 8

typedef struct
{
  WwDtype dtype;
  gboolean big_endian;
  gboolean fortran;
  guint n_axes;
  gsize shape[WW_NPY_MAX_AXES];
  gsize n_values;      /* the product of the shape; 1 without axes */
  guint64 data_offset; /* bytes from the start of the file to the first value */
} WwNpyHeader;

/* Reads and checks the header against the size of the source; no value is read. */
gboolean ww_npy_read_header (WwSource *source, WwNpyHeader *ret_header, GError **error);
/* "12 x 8" */
char *ww_npy_header_dup_shape (const WwNpyHeader *header);

G_END_DECLS

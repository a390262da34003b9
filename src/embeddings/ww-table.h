/* A rectangle of numbers inside a source: n rows of d values of one type, in either byte order and
 * either storage order. Nothing is read at opening time; rows are converted to double when they are
 * asked for, so that a table of many gigabytes costs what is used of it. */
#pragma once

#include "ww-matrix.h"
#include "ww-source.h"

G_BEGIN_DECLS

typedef enum
{
  WW_DTYPE_F64,
  WW_DTYPE_F32,
  WW_DTYPE_F16,
  WW_DTYPE_BF16, /* the upper half of a float32 */
  WW_DTYPE_I64,
  WW_DTYPE_I32,
  WW_DTYPE_I16,
  WW_DTYPE_I8,
  WW_DTYPE_U64,
  WW_DTYPE_U32,
  WW_DTYPE_U16,
  WW_DTYPE_U8,
} WwDtype;
#define WW_N_DTYPES 12

gsize ww_dtype_get_size (WwDtype dtype);        /* bytes of one value */
const char *ww_dtype_get_name (WwDtype dtype);  /* "float32", "bfloat16", ... */
/* `count` values from any alignment; each is exact in double, except integers beyond 2^53. */
void ww_dtype_decode (WwDtype dtype, gboolean big_endian, const guint8 *from, gsize count,
                      double *to);

typedef struct
{
  WwSource *source; /* referenced; NULL where `floats` holds the values */
  guint64 offset;   /* of the first byte in the source */
  WwDtype dtype;
  gboolean big_endian;
  gboolean fortran; /* columns one after another instead of rows */
  gsize rows, cols;
  float *floats;    /* rows * cols in memory, owned; NULL where `source` holds the values */
} WwTable;

void ww_table_free (WwTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwTable, ww_table_free)

/* Row `row` as doubles. WW_SET_ERROR_READ, WW_SET_ERROR_NON_FINITE (row and column named, counted
 * from 0). */
gboolean ww_table_read_row (const WwTable *table, gsize row, double *to, GError **error);
/* All rows. Errors as above, and those of ww_matrix_new. */
WwMatrix *ww_table_read_all (const WwTable *table, GError **error);

G_END_DECLS

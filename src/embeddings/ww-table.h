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
  WW_DTYPE_Q8_0, /* blocks of 32 whole numbers of 8 bits behind a float16 that they are multiplied by */
} WwDtype;
#define WW_N_DTYPES 13
#define WW_Q8_0_VALUES 32 /* of a block; rows have whole blocks */

gsize ww_dtype_get_size (WwDtype dtype);        /* bytes of one value; 0 for WW_DTYPE_Q8_0 */
gsize ww_dtype_get_row_bytes (WwDtype dtype, gsize cols); /* of `cols` values one after another */
const char *ww_dtype_get_name (WwDtype dtype);  /* "float32", "bfloat16", ... */
/* `count` values from any alignment; each is exact in double, except integers beyond 2^53. Not for
 * part of a block of WW_DTYPE_Q8_0. */
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
  guint64 *row_starts; /* in the source, owned, for rows that are not evenly spaced; NULL: they are */
  guint64 col_step;    /* bytes from a value of a row to the next; 0: they touch */
  float *floats;    /* rows * cols in memory, owned; NULL where `source` holds the values */
} WwTable;

void ww_table_free (WwTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwTable, ww_table_free)

/* Row `row` as doubles. WW_SET_ERROR_READ, WW_SET_ERROR_NON_FINITE (row and column named, counted
 * from 0). */
gboolean ww_table_read_row (const WwTable *table, gsize row, double *to, GError **error);
/* All values are finite, as far as that can be said without a long wait: tables of more than some
 * megabytes are not looked through, and their rows are checked when they are used. Errors as above. */
gboolean ww_table_check (const WwTable *table, GError **error);
/* All rows. Errors as above, and those of ww_matrix_new. */
WwMatrix *ww_table_read_all (const WwTable *table, GError **error);

G_END_DECLS

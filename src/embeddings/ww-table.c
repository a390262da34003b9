#include "ww-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ww-set.h"

static const struct
{
  const char *name;
  gsize size;
} dtypes[WW_N_DTYPES] = {
  [WW_DTYPE_F64] = { "float64", 8 }, [WW_DTYPE_F32] = { "float32", 4 },
  [WW_DTYPE_F16] = { "float16", 2 }, [WW_DTYPE_BF16] = { "bfloat16", 2 },
  [WW_DTYPE_I64] = { "int64", 8 },   [WW_DTYPE_I32] = { "int32", 4 },
  [WW_DTYPE_I16] = { "int16", 2 },   [WW_DTYPE_I8] = { "int8", 1 },
  [WW_DTYPE_U64] = { "uint64", 8 },  [WW_DTYPE_U32] = { "uint32", 4 },
  [WW_DTYPE_U16] = { "uint16", 2 },  [WW_DTYPE_U8] = { "uint8", 1 },
  [WW_DTYPE_Q8_0] = { "q8_0", 0 },
};

/* A float16 and the whole numbers. */
#define Q8_0_BYTES (2 + WW_Q8_0_VALUES)

/* Smaller tables are looked through for NaN at opening time; of larger ones, rows are checked when
 * they are used, so that opening does not wait for the disk. */
#define MAX_CHECKED_VALUES (4 * 1024 * 1024)

gsize
ww_dtype_get_size (WwDtype dtype)
{
  return dtypes[dtype].size;
}

gsize
ww_dtype_get_row_bytes (WwDtype dtype, gsize cols)
{
  if (dtype == WW_DTYPE_Q8_0)
    return cols / WW_Q8_0_VALUES * Q8_0_BYTES;

  return cols * dtypes[dtype].size;
}

const char *
ww_dtype_get_name (WwDtype dtype)
{
  return dtypes[dtype].name;
}

static double
decode_f32 (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return (double) value;
}

static double
decode_f64 (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* IEEE 754 binary16: sign, 5 bits of exponent (bias 15), 10 bits of fraction. */
static double
decode_f16 (guint16 bits)
{
  int exponent = (bits >> 10) & 31;
  double fraction = bits & 1023;
  double magnitude;

  if (exponent == 31)
    magnitude = fraction == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    magnitude = ldexp (fraction, -24);
  else
    /* Assembled as a double: the exponent's bias is 1023 there, the fraction has 42 bits more. */
    magnitude = decode_f64 (((guint64) (exponent + 1008) << 52) | ((guint64) (bits & 1023) << 42));

  return bits & 0x8000 ? -magnitude : magnitude;
}

static guint16
load_16 (const guint8 *from, gboolean big_endian)
{
  guint16 bits;

  memcpy (&bits, from, sizeof bits);
  return big_endian ? GUINT16_FROM_BE (bits) : GUINT16_FROM_LE (bits);
}

static guint32
load_32 (const guint8 *from, gboolean big_endian)
{
  guint32 bits;

  memcpy (&bits, from, sizeof bits);
  return big_endian ? GUINT32_FROM_BE (bits) : GUINT32_FROM_LE (bits);
}

static guint64
load_64 (const guint8 *from, gboolean big_endian)
{
  guint64 bits;

  memcpy (&bits, from, sizeof bits);
  return big_endian ? GUINT64_FROM_BE (bits) : GUINT64_FROM_LE (bits);
}

static double
decode_one (WwDtype dtype, gboolean big_endian, const guint8 *from)
{
  switch (dtype)
    {
    case WW_DTYPE_F64:
      return decode_f64 (load_64 (from, big_endian));
    case WW_DTYPE_F32:
      return decode_f32 (load_32 (from, big_endian));
    case WW_DTYPE_F16:
      return decode_f16 (load_16 (from, big_endian));
    case WW_DTYPE_BF16:
      return decode_f32 ((guint32) load_16 (from, big_endian) << 16);
    case WW_DTYPE_I64:
      return (double) (gint64) load_64 (from, big_endian);
    case WW_DTYPE_I32:
      return (double) (gint32) load_32 (from, big_endian);
    case WW_DTYPE_I16:
      return (double) (gint16) load_16 (from, big_endian);
    case WW_DTYPE_I8:
      return (double) (gint8) *from;
    case WW_DTYPE_U64:
      return (double) load_64 (from, big_endian);
    case WW_DTYPE_U32:
      return (double) load_32 (from, big_endian);
    case WW_DTYPE_U16:
      return (double) load_16 (from, big_endian);
    case WW_DTYPE_U8:
      return (double) *from;
    default:
      g_return_val_if_reached (NAN);
    }
}

static void
decode_q8_0 (const guint8 *from, gsize count, double *to)
{
  for (gsize i = 0; i + WW_Q8_0_VALUES <= count; i += WW_Q8_0_VALUES)
    {
      double scale = decode_f16 (load_16 (from, FALSE));

      for (gsize k = 0; k < WW_Q8_0_VALUES; k++)
        to[i + k] = scale * (double) (gint8) from[2 + k];
      from += Q8_0_BYTES;
    }
}

void
ww_dtype_decode (WwDtype dtype, gboolean big_endian, const guint8 *from, gsize count, double *to)
{
  gsize size = dtypes[dtype].size;

  /* The two common types without a switch per value. */
  if (dtype == WW_DTYPE_Q8_0)
    decode_q8_0 (from, count, to);
  else if (dtype == WW_DTYPE_F32)
    for (gsize i = 0; i < count; i++)
      to[i] = decode_f32 (load_32 (from + 4 * i, big_endian));
  else if (dtype == WW_DTYPE_F16)
    for (gsize i = 0; i < count; i++)
      to[i] = decode_f16 (load_16 (from + 2 * i, big_endian));
  else
    for (gsize i = 0; i < count; i++)
      to[i] = decode_one (dtype, big_endian, from + size * i);
}

void
ww_table_free (WwTable *table)
{
  if (table == NULL)
    return;

  ww_source_unref (table->source);
  g_free (table->row_starts);
  g_free (table->floats);
  g_free (table);
}

static gboolean
check_row_finite (const WwTable *table, gsize row, const double *values, GError **error)
{
  for (gsize c = 0; c < table->cols; c++)
    if (!isfinite (values[c]))
      {
        const char *what = isnan (values[c]) ? _("not a number (NaN)") : _("infinite");

        if (table->source != NULL)
          ww_source_set_error (table->source, error, WW_SET_ERROR_NON_FINITE,
                               _("the value in row %zu, column %zu (counted from 0) is %s; a finite number was"
                                 " expected"),
                               row, c, what);
        else
          g_set_error (error, WW_SET_ERROR, WW_SET_ERROR_NON_FINITE,
                       _("The value in row %zu, column %zu (counted from 0) is %s; a finite number was expected"),
                       row, c, what);
        return FALSE;
      }

  return TRUE;
}

static gboolean
read_scattered_row (const WwTable *table, gsize row, double *to, GError **error)
{
  gsize size = dtypes[table->dtype].size;
  guint64 start = table->row_starts != NULL ? table->row_starts[row]
                                            : table->offset + (guint64) row * size;
  guint64 step = table->col_step != 0 ? table->col_step : (guint64) table->rows * size;
  guint8 raw[8];

  for (gsize c = 0; c < table->cols; c++)
    {
      guint64 at = start + (guint64) c * step;

      if (!ww_source_read (table->source, at, raw, size, error))
        return FALSE;
      to[c] = decode_one (table->dtype, table->big_endian, raw);
    }

  return TRUE;
}

static gboolean
read_contiguous_row (const WwTable *table, gsize row, double *to, GError **error)
{
  gsize bytes = ww_dtype_get_row_bytes (table->dtype, table->cols);
  guint64 start = table->row_starts != NULL ? table->row_starts[row]
                                            : table->offset + (guint64) row * bytes;
  g_autofree guint8 *raw = g_malloc (bytes);

  if (!ww_source_read (table->source, start, raw, bytes, error))
    return FALSE;

  ww_dtype_decode (table->dtype, table->big_endian, raw, table->cols, to);
  return TRUE;
}

static gboolean
is_scattered (const WwTable *table)
{
  return table->fortran || table->col_step != 0;
}

gboolean
ww_table_read_row (const WwTable *table, gsize row, double *to, GError **error)
{
  g_return_val_if_fail (row < table->rows, FALSE);

  if (table->floats != NULL)
    for (gsize c = 0; c < table->cols; c++)
      to[c] = (double) table->floats[row * table->cols + c];
  else if (is_scattered (table) && !read_scattered_row (table, row, to, error))
    return FALSE;
  else if (!is_scattered (table) && !read_contiguous_row (table, row, to, error))
    return FALSE;

  return check_row_finite (table, row, to, error);
}

/* Column after column in one sequential pass, since row by row would be a system call per value. */
static gboolean
read_fortran (const WwTable *table, WwMatrix *matrix, GError **error)
{
  gsize bytes = table->rows * dtypes[table->dtype].size;
  g_autofree guint8 *raw = g_try_malloc (bytes);
  g_autofree double *column = g_try_new (double, table->rows);

  if (raw == NULL || column == NULL)
    {
      ww_source_set_error (table->source, error, WW_SET_ERROR_TOO_LARGE,
                           _("not enough memory for a column of %zu values"),
                           table->rows);
      return FALSE;
    }

  for (gsize c = 0; c < table->cols; c++)
    {
      if (!ww_source_read (table->source, table->offset + (guint64) c * bytes, raw, bytes, error))
        return FALSE;
      ww_dtype_decode (table->dtype, table->big_endian, raw, table->rows, column);
      for (gsize r = 0; r < table->rows; r++)
        matrix->data[r * table->cols + c] = column[r];
    }

  for (gsize r = 0; r < table->rows; r++)
    if (!check_row_finite (table, r, matrix->data + r * table->cols, error))
      return FALSE;

  return TRUE;
}

WwMatrix *
ww_table_read_all (const WwTable *table, GError **error)
{
  g_autoptr (WwMatrix) matrix = ww_matrix_new (table->rows, table->cols, error);

  if (matrix == NULL)
    return NULL;

  if (table->floats == NULL && table->fortran && table->row_starts == NULL)
    return read_fortran (table, matrix, error) ? g_steal_pointer (&matrix) : NULL;

  for (gsize r = 0; r < table->rows; r++)
    if (!ww_table_read_row (table, r, matrix->data + r * table->cols, error))
      return NULL;

  return g_steal_pointer (&matrix);
}

gboolean
ww_table_check (const WwTable *table, GError **error)
{
  g_autoptr (WwMatrix) matrix = NULL;

  /* Written with a division, because the product may not fit. */
  if (table->rows > MAX_CHECKED_VALUES / table->cols)
    return TRUE;

  matrix = ww_table_read_all (table, error);
  return matrix != NULL;
}

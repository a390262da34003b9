/* What several tests of core share: reference arrays and small arithmetic. */
#pragma once

#include <math.h>
#include <string.h>

#include "ww-core.h"

/* An array of numpy's .npy format (version 1, C order, little-endian float32 or float64, one or two
 * axes; one axis becomes one row). For files that the tests bring along: anything else is NULL. */
static inline WwMatrix *
test_npy_load (const char *path)
{
  g_autofree char *bytes = NULL;
  gsize length = 0;

  if (!g_file_get_contents (path, &bytes, &length, NULL) || length < 10
      || memcmp (bytes, "\x93NUMPY\x01", 7) != 0)
    return NULL;

  gsize header_length = (guint8) bytes[8] | (gsize) (guint8) bytes[9] << 8;
  if (length < 10 + header_length)
    return NULL;

  g_autofree char *header = g_strndup (bytes + 10, header_length);
  gboolean single = strstr (header, "'<f4'") != NULL;
  const char *shape = strstr (header, "'shape': (");
  if ((!single && strstr (header, "'<f8'") == NULL) || strstr (header, "'fortran_order': False") == NULL
      || shape == NULL)
    return NULL;

  char *end = NULL;
  gsize rows = g_ascii_strtoull (shape + strlen ("'shape': ("), &end, 10);
  gsize cols = g_ascii_strtoull (end + 1, NULL, 10);
  if (cols == 0)
    {
      cols = rows;
      rows = 1;
    }
  if (length != 10 + header_length + rows * cols * (single ? 4 : 8))
    return NULL;

  WwMatrix *matrix = ww_matrix_new (rows, cols, NULL);
  for (gsize i = 0; matrix != NULL && i < rows * cols; i++)
    {
      const char *at = bytes + 10 + header_length + i * (single ? 4 : 8);
      float value;

      if (single)
        {
          memcpy (&value, at, sizeof value);
          matrix->data[i] = value;
        }
      else
        memcpy (&matrix->data[i], at, sizeof (double));
    }
  return matrix;
}

/* A reference array by its file name: from tests/reference, else from the reference folder that the
 * build names; NULL where neither has it, and the test then skips. */
static inline WwMatrix *
test_reference_load (const char *name)
{
  g_autofree char *own = g_build_filename (WW_TEST_DATA_DIR, "reference", name, NULL);
  g_autofree char *shared = g_build_filename (WW_REFERENCE_DIR, "reference", name, NULL);
  WwMatrix *matrix = test_npy_load (own);

  return matrix != NULL ? matrix : test_npy_load (shared);
}

static inline double
test_norm (const double *values, gsize count)
{
  double sum = 0;

  for (gsize i = 0; i < count; i++)
    sum += values[i] * values[i];
  return sqrt (sum);
}

/* |a - b| relative to the larger of |b| and `floor`. */
static inline double
test_relative_error (double a, double b, double floor)
{
  return fabs (a - b) / MAX (fabs (b), floor);
}

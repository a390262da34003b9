/* What the tests of this room share. */
#pragma once

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "ww-npy-private.h"
#include "ww-set.h"

static inline GFile *
test_data_file (const char *name)
{
  return g_file_new_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", name, NULL);
}

/* The values of an array with any number of axes. */
static inline double *
test_load_array (GFile *file, WwNpyHeader *ret_header)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSource) source = ww_source_open (file, &error);
  g_autofree guint8 *raw = NULL;
  double *values;
  gsize bytes;

  g_assert_no_error (error);
  g_assert_true (ww_npy_read_header (source, ret_header, &error));
  bytes = ret_header->n_values * ww_dtype_get_size (ret_header->dtype);
  raw = g_malloc (bytes);
  g_assert_true (ww_source_read (source, ret_header->data_offset, raw, bytes, &error));
  values = g_new (double, ret_header->n_values);
  ww_dtype_decode (ret_header->dtype, ret_header->big_endian, raw, ret_header->n_values, values);
  return values;
}

static inline double
test_largest_difference (const double *a, const double *b, gsize n)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (isfinite (a[i]));
      largest = MAX (largest, fabs (a[i] - b[i]));
    }

  return largest;
}

static inline void
test_assert_says (const GError *error, const char *name, const char *says)
{
  if (strstr (error->message, says) == NULL)
    g_error ("%s: \"%s\" is missing in: %s", name, says, error->message);
}

/* Where a message says where, what is expected of it says so too: a wrong position is found out. */
static inline void
test_assert_position (const GError *error, const char *name, const char *says)
{
  static const char pattern[] = "\\b([Bb]yte|[Ll]ine|row|word|[Ee]ntry|column) [0-9]+";
  const char *behind_name = strstr (error->message, ": ");

  if (behind_name != NULL && g_regex_match_simple (pattern, behind_name, 0, 0)
      && !g_regex_match_simple (pattern, says, 0, 0))
    g_error ("%s: no position in \"%s\", but in: %s", name, says, error->message);
}

/* A new file in place of whatever was there: some file systems wait for the disk when a file is cut
 * to nothing and written again, which thousands of times is minutes. */
static inline void
test_write_file (const char *path, const char *bytes, gsize length)
{
  int fd;

  g_unlink (path);
  fd = open (path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  close (fd);
}

#include "ww-npy.h"

#include <glib/gi18n-lib.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

static const char magic[] = "\x93NUMPY";
#define MAGIC_BYTES 6

static gboolean
fail_with_errno (const char *path, GError **error)
{
  int saved = errno;

  g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (saved),
               _("%s: cannot be written: %s"), path, g_strerror (saved));
  return FALSE;
}

static gboolean
write_bytes (int fd, const void *data, gsize length)
{
  const guint8 *at = data;

  while (length > 0)
    {
      gssize done = write (fd, at, MIN (length, (gsize) 1 << 30));

      if (done < 0 && errno == EINTR)
        continue;
      if (done <= 0)
        return FALSE;
      at += done;
      length -= (gsize) done;
    }

  return TRUE;
}

/* What is to be written: the shape as Python writes it, and the values. */
typedef struct
{
  char *shape;
  const double *values;
  gsize n;
} Content;

/* Magic, version and dictionary, padded with spaces and ended with a newline so that the values
 * start at a multiple of 64 bytes, as NumPy itself writes it. */
static GString *
make_header (const char *shape)
{
  GString *header = g_string_new_len (magic, MAGIC_BYTES);
  gsize length;

  g_string_append_len (header, "\1\0\0\0", 4);
  g_string_append_printf (header, "{'descr': '%cf8', 'fortran_order': False, 'shape': %s, }",
                          G_BYTE_ORDER == G_BIG_ENDIAN ? '>' : '<', shape);
  while (header->len % 64 != 63)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');

  length = header->len - 10;
  header->str[8] = (char) (length & 0xff);
  header->str[9] = (char) (length >> 8);
  return header;
}

static gboolean
write_content (int fd, const Content *content)
{
  GString *header = make_header (content->shape);
  gboolean done = write_bytes (fd, header->str, header->len)
                  && write_bytes (fd, content->values, content->n * sizeof (double));

  g_string_free (header, TRUE);
  return done;
}

static gboolean
save_directly (const char *path, const Content *content, GError **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  gboolean done = fd >= 0 && write_content (fd, content);

  if (!done)
    fail_with_errno (path, error);
  if (fd >= 0)
    close (fd);
  return done;
}

static gboolean
save_renamed (const char *path, const Content *content, GError **error)
{
  g_autofree char *temporary = g_strdup_printf ("%s.XXXXXX", path);
  int fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0666);
  gboolean done;

  if (fd < 0)
    return fail_with_errno (path, error);

  done = write_content (fd, content);
  if (!done)
    fail_with_errno (path, error);
  if (close (fd) != 0 && done)
    done = fail_with_errno (path, error);
  if (done && g_rename (temporary, path) != 0)
    done = fail_with_errno (path, error);
  if (!done)
    g_unlink (temporary);
  return done;
}

static gboolean
save (const char *path, const Content *content, GError **error)
{
  struct stat status;
  g_autofree char *resolved = NULL;
  char *target;

  if (stat (path, &status) == 0 && !S_ISREG (status.st_mode))
    return save_directly (path, content, error);

  /* A symbolic link stays; what it points to is replaced. */
  target = realpath (path, NULL);
  resolved = g_strdup (target != NULL ? target : path);
  free (target);
  return save_renamed (resolved, content, error);
}

gboolean
ww_npy_save (const char *path, const WwMatrix *matrix, GError **error)
{
  g_autofree char *shape = NULL;
  Content content;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (matrix != NULL, FALSE);

  shape = g_strdup_printf ("(%" G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT ")", matrix->rows,
                           matrix->cols);
  content.shape = shape;
  content.values = matrix->data;
  content.n = matrix->rows * matrix->cols;
  return save (path, &content, error);
}

gboolean
ww_npy_save_stack (const char *path, const WwMatrix *matrix, gsize depth, GError **error)
{
  g_autofree char *shape = NULL;
  Content content;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (matrix != NULL && depth > 0 && matrix->rows % depth == 0, FALSE);

  shape = g_strdup_printf ("(%" G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT ", %" G_GSIZE_FORMAT ")", depth,
                           matrix->rows / depth, matrix->cols);
  content.shape = shape;
  content.values = matrix->data;
  content.n = matrix->rows * matrix->cols;
  return save (path, &content, error);
}

gboolean
ww_npy_save_vector (const char *path, const double *values, gsize n, GError **error)
{
  g_autofree char *shape = NULL;
  Content content;

  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (values != NULL && n > 0, FALSE);

  shape = g_strdup_printf ("(%" G_GSIZE_FORMAT ",)", n);
  content.shape = shape;
  content.values = values;
  content.n = n;
  return save (path, &content, error);
}

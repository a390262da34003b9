#include "ww-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

G_DEFINE_QUARK (ww-plot-error-quark, ww_plot_error)

static gboolean
fail (GError **error, const char *path, const char *what, int code)
{
  g_set_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_WRITE, "%s: %s: %s", path, what, g_strerror (code));
  return FALSE;
}

/* All of the bytes, whatever the kernel takes at a time. Returns 0 or an errno. */
static int
write_all (int fd, const char *data, gsize length)
{
  while (length > 0)
    {
      gssize written = write (fd, data, MIN (length, (gsize) 1 << 30));

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return errno;
      if (written == 0)
        return ENOSPC;
      data += written;
      length -= (gsize) written;
    }
  return 0;
}

/* Some file systems cannot flush and say EINVAL; the data is then as safe as it can be there. */
static int
flush (int fd)
{
  if (fsync (fd) == 0 || errno == EINVAL || errno == EROFS)
    return 0;
  return errno;
}

static int
fill_and_close (int fd, const char *data, gsize length, const struct stat *old)
{
  int code = write_all (fd, data, length);

  if (code == 0 && old != NULL && fchmod (fd, old->st_mode & 07777) != 0)
    code = errno;
  if (code == 0)
    code = flush (fd);
  if (close (fd) != 0 && code == 0)
    code = errno;
  return code;
}

/* The new name is safe only when the folder has been flushed as well. That the data is there and
 * only the flush failed is no failure of the write. */
static void
flush_folder (const char *folder)
{
  int fd = g_open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);

  if (fd < 0)
    return;
  flush (fd);
  close (fd);
}

static gboolean
write_beside (const char *target, const char *path, const char *data, gsize length,
              const struct stat *old, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (target);
  g_autofree char *temporary = g_build_filename (folder, ".ww-XXXXXX", NULL);
  int fd = g_mkstemp_full (temporary, O_RDWR | O_CLOEXEC, 0666);
  int code;

  if (fd < 0)
    return fail (error, path, _("no file can be made in its folder"), errno);
  code = fill_and_close (fd, data, length, old);
  if (code == 0 && g_rename (temporary, target) != 0)
    code = errno;
  if (code != 0)
    {
      g_unlink (temporary);
      return fail (error, path, _("writing failed"), code);
    }
  flush_folder (folder);
  return TRUE;
}

static gboolean
write_directly (const char *path, const char *data, gsize length, GError **error)
{
  int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
  int code;

  if (fd < 0)
    return fail (error, path, _("opening failed"), errno);
  code = write_all (fd, data, length);
  if (close (fd) != 0 && code == 0)
    code = errno;
  return code == 0 ? TRUE : fail (error, path, _("writing failed"), code);
}

gboolean
ww_write_file_atomically (const char *path, const char *data, gsize length, GError **error)
{
  g_autofree char *target = NULL;
  struct stat old;

  g_return_val_if_fail (path != NULL && (data != NULL || length == 0), FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  if (*path == '\0')
    return fail (error, "\"\"", _("no file name"), ENOENT);
  if (stat (path, &old) != 0)
    {
      if (errno != ENOENT)
        return fail (error, path, _("cannot be reached"), errno);
      return write_beside (path, path, data, length, NULL, error);
    }
  if (S_ISDIR (old.st_mode))
    return fail (error, path, _("a file name is needed"), EISDIR);
  if (!S_ISREG (old.st_mode))
    return write_directly (path, data, length, error);
  target = realpath (path, NULL);
  if (target == NULL)
    return fail (error, path, _("cannot be reached"), errno);
  return write_beside (target, path, data, length, &old, error);
}

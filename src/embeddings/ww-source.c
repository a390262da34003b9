#include "ww-source.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "ww-set.h"

/* A remote file without a local path has to be held in memory. */
#define MAX_REMOTE_BYTES (G_GUINT64_CONSTANT (1) << 30)

struct _WwSource
{
  gatomicrefcount ref_count;
  char *name;
  guint64 size;
  int fd;        /* -1: the content is `bytes` */
  GBytes *bytes;
  WwSource *whole; /* NULL: this is no stretch of another */
  guint64 start;   /* in `whole` */
};

char *
ww_dup_one_line (const char *name)
{
  char *line = g_strdup (name);

  for (char *c = line; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      *c = ' ';

  return line;
}

gsize
ww_line_get_length (const char *at, const char *end, const char **ret_next)
{
  const char *newline = memchr (at, '\n', (gsize) (end - at));
  const char *stop = newline != NULL ? newline : end;

  *ret_next = newline != NULL ? newline + 1 : end;
  return (gsize) (stop - at) - (stop > at && stop[-1] == '\r');
}

gboolean
ww_name_has_tail (const char *name, const char *tail)
{
  gsize length = strlen (name), tail_length = strlen (tail);

  return g_str_has_suffix (name, tail) && (length == tail_length || name[length - tail_length - 1] == '.');
}

static WwSource *
source_new (const char *name)
{
  WwSource *source = g_new0 (WwSource, 1);

  g_atomic_ref_count_init (&source->ref_count);
  source->name = ww_dup_one_line (name);
  source->fd = -1;
  return source;
}

WwSource *
ww_source_new_for_bytes (const char *name, GBytes *bytes)
{
  WwSource *source = source_new (name);

  source->bytes = g_bytes_ref (bytes);
  source->size = g_bytes_get_size (bytes);
  return source;
}

WwSource *
ww_source_new_slice (const char *name, WwSource *whole, guint64 offset, guint64 length)
{
  WwSource *source;

  g_return_val_if_fail (offset <= whole->size && length <= whole->size - offset, NULL);

  source = source_new (name);
  source->whole = ww_source_ref (whole);
  source->start = offset;
  source->size = length;
  return source;
}

WwSource *
ww_source_ref (WwSource *source)
{
  g_atomic_ref_count_inc (&source->ref_count);
  return source;
}

void
ww_source_unref (WwSource *source)
{
  if (source == NULL || !g_atomic_ref_count_dec (&source->ref_count))
    return;

  if (source->fd >= 0)
    close (source->fd);
  g_clear_pointer (&source->bytes, g_bytes_unref);
  g_clear_pointer (&source->whole, ww_source_unref);
  g_free (source->name);
  g_free (source);
}

guint64
ww_source_get_size (WwSource *source)
{
  return source->size;
}

const char *
ww_source_get_name (WwSource *source)
{
  return source->name;
}

static const char *
describe_mode (mode_t mode)
{
  if (S_ISDIR (mode))
    return _("a folder");
  if (S_ISFIFO (mode))
    return _("a named pipe");
  if (S_ISSOCK (mode))
    return _("a socket");
  if (S_ISCHR (mode) || S_ISBLK (mode))
    return _("a device");
  return _("no regular file");
}

static gboolean
check_regular (WwSource *source, const struct stat *status, GError **error)
{
  if (S_ISREG (status->st_mode))
    return TRUE;

  ww_source_set_error (source, error, WW_SET_ERROR_NOT_A_FILE,
                       _("this is %s; a regular file is needed"), describe_mode (status->st_mode));
  return FALSE;
}

static gboolean
set_system_error (WwSource *source, GError **error, const char *what)
{
  int saved = errno;
  int code = saved == ENOENT || saved == ENOTDIR ? WW_SET_ERROR_NOT_FOUND : WW_SET_ERROR_READ;

  ww_source_set_error (source, error, code, "%s: %s", what, g_strerror (saved));
  return FALSE;
}

/* The kind is looked at before opening, because opening a device may do something and opening a
 * FIFO waits; it is looked at again afterwards, because the name may have been given to something
 * else in between. */
static gboolean
open_path (WwSource *source, const char *path, GError **error)
{
  struct stat status;

  if (stat (path, &status) != 0)
    return set_system_error (source, error, _("cannot be opened"));
  if (!check_regular (source, &status, error))
    return FALSE;

  source->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (source->fd < 0)
    return set_system_error (source, error, _("cannot be opened"));
  if (fstat (source->fd, &status) != 0)
    return set_system_error (source, error, _("cannot be examined"));
  if (!check_regular (source, &status, error))
    return FALSE;

  source->size = (guint64) status.st_size;
  return TRUE;
}

static void
translate_gio_error (WwSource *source, GError **error, const GError *found)
{
  int code = WW_SET_ERROR_READ;

  if (g_error_matches (found, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)
      || g_error_matches (found, G_RESOURCE_ERROR, G_RESOURCE_ERROR_NOT_FOUND))
    code = WW_SET_ERROR_NOT_FOUND;
  else if (g_error_matches (found, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY))
    code = WW_SET_ERROR_NOT_A_FILE;

  ww_source_set_error (source, error, code, _("cannot be opened: %s"), found->message);
}

static gboolean
load_bytes (WwSource *source, GFile *file, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GFileInfo) info = NULL;

  info = g_file_query_info (file,
                            G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                            G_FILE_QUERY_INFO_NONE, NULL, &local);
  if (info == NULL)
    {
      translate_gio_error (source, error, local);
      return FALSE;
    }
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_NOT_A_FILE,
                           _("this is no regular file; a regular file is needed"));
      return FALSE;
    }
  if ((guint64) g_file_info_get_size (info) > MAX_REMOTE_BYTES)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("a remote file of %" PRId64 " bytes; copy files above %"
                             PRIu64 " bytes to this computer first"),
                           (gint64) g_file_info_get_size (info), MAX_REMOTE_BYTES);
      return FALSE;
    }

  source->bytes = g_file_load_bytes (file, NULL, NULL, &local);
  if (source->bytes == NULL)
    {
      translate_gio_error (source, error, local);
      return FALSE;
    }
  source->size = g_bytes_get_size (source->bytes);
  return TRUE;
}

WwSource *
ww_source_open (GFile *file, GError **error)
{
  g_autoptr (WwSource) source = NULL;
  g_autofree char *path = NULL, *name = NULL;
  gboolean opened;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  name = g_file_get_parse_name (file);
  source = source_new (name);
  path = g_file_get_path (file);
  opened = path != NULL ? open_path (source, path, error) : load_bytes (source, file, error);
  return opened ? g_steal_pointer (&source) : NULL;
}

/* Reading stopped at `offset`, which may lie far behind the present end. */
static gboolean
fail_shrunk (WwSource *source, guint64 offset, GError **error)
{
  struct stat status;
  guint64 size = fstat (source->fd, &status) == 0 ? MIN ((guint64) status.st_size, offset) : offset;

  ww_source_set_error (source, error, WW_SET_ERROR_READ,
                       _("the file had %" PRIu64 " bytes when it was opened and ends"
                         " at byte %" PRIu64 " now; it was changed meanwhile"), source->size, size);
  return FALSE;
}

static gboolean
read_descriptor (WwSource *source, guint64 offset, guint8 *buffer, gsize length, GError **error)
{
  while (length > 0)
    {
      gssize got = pread (source->fd, buffer, MIN (length, (gsize) 1 << 30), (off_t) offset);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return set_system_error (source, error, _("cannot be read"));
      if (got == 0)
        return fail_shrunk (source, offset, error);
      buffer += got;
      offset += (guint64) got;
      length -= (gsize) got;
    }

  return TRUE;
}

gboolean
ww_source_read (WwSource *source, guint64 offset, void *buffer, gsize length, GError **error)
{
  if (offset > source->size || length > source->size - offset)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TRUNCATED,
                           _("ends at byte %" PRIu64 "; %zu bytes were expected from byte %" PRIu64 " on"),
                           source->size, length, offset);
      return FALSE;
    }

  if (source->whole != NULL)
    return ww_source_read (source->whole, source->start + offset, buffer, length, error);
  if (source->fd >= 0)
    return read_descriptor (source, offset, buffer, length, error);

  if (length > 0)
    memcpy (buffer, (const guint8 *) g_bytes_get_data (source->bytes, NULL) + offset, length);
  return TRUE;
}

char *
ww_source_read_all (WwSource *source, gsize limit, gsize *ret_length, GError **error)
{
  g_autofree char *content = NULL;

  if (source->size > limit || source->size >= G_MAXSIZE)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("has %" PRIu64 " bytes; at most %zu are accepted here"), source->size, limit);
      return NULL;
    }
  content = g_try_malloc ((gsize) source->size + 1);
  if (content == NULL)
    {
      ww_source_set_error (source, error, WW_SET_ERROR_TOO_LARGE,
                           _("not enough memory for %" PRIu64 " bytes"), source->size);
      return NULL;
    }
  if (!ww_source_read (source, 0, content, (gsize) source->size, error))
    return NULL;

  content[source->size] = '\0';
  *ret_length = (gsize) source->size;
  return g_steal_pointer (&content);
}

void
ww_source_set_error (WwSource *source, GError **error, int code, const char *format, ...)
{
  g_autofree char *message = NULL, *valid = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  /* A long name out of a file may have been cut in the middle of a character. */
  valid = g_utf8_make_valid (message, -1);
  g_set_error (error, WW_SET_ERROR, code, "%s: %s", source->name, valid);
}

void
ww_error_suggest (GError **error, const char *sentence)
{
  g_autofree char *message = NULL;

  if (error == NULL || *error == NULL)
    return;

  message = (*error)->message;
  (*error)->message = g_strjoin (" ", message, sentence, NULL);
}

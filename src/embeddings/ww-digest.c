#include "ww-digest.h"

#define DIGEST_BLOCK (1 << 20)

static gboolean
digest_source (GChecksum *checksum, WwSource *source, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *block = g_malloc (DIGEST_BLOCK);
  guint64 size = ww_source_get_size (source);

  for (guint64 at = 0; at < size; at += DIGEST_BLOCK)
    {
      gsize length = (gsize) MIN (size - at, DIGEST_BLOCK);

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !ww_source_read (source, at, block, length, error))
        return FALSE;
      g_checksum_update (checksum, block, (gssize) length);
    }

  return TRUE;
}

char *
ww_digest_sources (const GPtrArray *sources, GCancellable *cancellable, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < sources->len; i++)
    if (!digest_source (checksum, g_ptr_array_index (sources, i), cancellable, error))
      return NULL;

  return g_strdup (g_checksum_get_string (checksum));
}

#include "ww-digest.h"

#define DIGEST_BLOCK (1 << 20)

typedef struct
{
  GChecksum *checksum;
  guint64 done, total;
  WwSetProgressFunc progress;
  gpointer user_data;
} Digest;

static gboolean
digest_source (Digest *digest, WwSource *source, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *block = g_malloc (DIGEST_BLOCK);
  guint64 size = ww_source_get_size (source);

  for (guint64 at = 0; at < size; at += DIGEST_BLOCK)
    {
      gsize length = (gsize) MIN (size - at, DIGEST_BLOCK);

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !ww_source_read (source, at, block, length, error))
        return FALSE;
      g_checksum_update (digest->checksum, block, (gssize) length);
      digest->done += length;
      if (digest->progress != NULL)
        digest->progress ((double) digest->done / (double) digest->total, digest->user_data);
    }

  return TRUE;
}

char *
ww_digest_sources_full (const GPtrArray *sources, GCancellable *cancellable, WwSetProgressFunc progress,
                        gpointer user_data, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  Digest digest = { checksum, 0, 0, progress, user_data };

  for (guint i = 0; i < sources->len; i++)
    digest.total += ww_source_get_size (g_ptr_array_index (sources, i));
  for (guint i = 0; i < sources->len; i++)
    if (!digest_source (&digest, g_ptr_array_index (sources, i), cancellable, error))
      return NULL;

  return g_strdup (g_checksum_get_string (checksum));
}

char *
ww_digest_sources (const GPtrArray *sources, GCancellable *cancellable, GError **error)
{
  return ww_digest_sources_full (sources, cancellable, NULL, NULL, error);
}

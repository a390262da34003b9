/* SHA-256 of files that are open. */
#pragma once

#include <gio/gio.h>

#include "ww-set.h"
#include "ww-source.h"

G_BEGIN_DECLS

/* In hex, of several sources (the shards of a checkpoint) as if they were one, in their order; reads all of them.
 * Errors of reading, and G_IO_ERROR_CANCELLED. */
char *ww_digest_sources (const GPtrArray *sources, GCancellable *cancellable, GError **error);
/* The same, with `progress` for each block; NULL: nobody looks. */
char *ww_digest_sources_full (const GPtrArray *sources, GCancellable *cancellable, WwSetProgressFunc progress,
                              gpointer user_data, GError **error);

G_END_DECLS

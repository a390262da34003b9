/* A preview of a file, made in a thread. */
#pragma once

#include "ww-origin.h"
#include "ww-preview.h"

G_BEGIN_DECLS

/* ww_set_preview of the file of `origin`, taken as it says; the result by ww_preview_look_finish. */
void ww_preview_look_async (gpointer            source,
                            const WwOrigin     *origin,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data);
WwPreview *ww_preview_look_finish (GAsyncResult *result, GError **error);

G_END_DECLS

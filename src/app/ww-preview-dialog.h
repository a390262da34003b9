/* What is in a file, and what it was taken for, before it is opened; the choice can be changed. */
#pragma once

#include <adwaita.h>

#include "ww-preview.h"

G_BEGIN_DECLS

#define WW_TYPE_PREVIEW_DIALOG (ww_preview_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WwPreviewDialog, ww_preview_dialog, WW, PREVIEW_DIALOG, AdwWindow)

/* The user wants the file opened: `member` and `words` may be NULL. */
typedef void (*WwPreviewFunc) (GFile *file, const char *member, GFile *words, gpointer user_data);

/* Takes `preview`. `user_data` is an object, which the dialog keeps. */
WwPreviewDialog *ww_preview_dialog_new (GtkWindow *parent, GFile *file, WwPreview *preview,
                                        WwPreviewFunc func, GObject *user_data);
/* ww_set_preview in a thread; the result by ww_preview_finish. `member`, `words`: NULL for none. */
void ww_preview_async (gpointer source, GFile *file, const char *member, GFile *words,
                       GCancellable *cancellable, GAsyncReadyCallback callback,
                       gpointer user_data);
WwPreview *ww_preview_finish (GAsyncResult *result, GError **error);

G_END_DECLS

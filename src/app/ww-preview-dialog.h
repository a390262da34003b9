/* What is in a file, and what it was taken for, before it is opened; the choice can be changed. */
#pragma once

#include <adwaita.h>

#include "ww-preview-look.h"
#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_PREVIEW_DIALOG (ww_preview_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WwPreviewDialog, ww_preview_dialog, WW, PREVIEW_DIALOG, AdwWindow)

/* The user wants it opened, so. */
typedef void (*WwPreviewFunc) (const WwOrigin *origin, gpointer user_data);

/* Takes `preview`, which is that of `origin`; NULL: the dialog looks for itself, and says so. `settings`
 * may be NULL. `user_data` is an object, which the dialog keeps. */
WwPreviewDialog *ww_preview_dialog_new (GtkWindow *parent, const WwOrigin *origin,
                                        WwPreview *preview, GSettings *settings,
                                        WwPreviewFunc func, GObject *user_data);
/* Before the first look is over: a file that leaves no doubt is then opened without an answer, as the dialog was only
 * shown because the look took long. */
void ww_preview_dialog_set_only_in_doubt (WwPreviewDialog *self);
/* WW_STATE_LOADING while it looks, then _DONE or _FAILED. */
WwState ww_preview_dialog_get_state (WwPreviewDialog *self);

G_END_DECLS

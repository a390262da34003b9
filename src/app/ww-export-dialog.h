/* Asks what to write, in which format and size, and where; then writes it in a thread. */
#pragma once

#include <adwaita.h>

#include "ww-export-source.h"

G_BEGIN_DECLS

#define WW_TYPE_EXPORT_DIALOG (ww_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (WwExportDialog, ww_export_dialog, WW, EXPORT_DIALOG, AdwWindow)

/* What became of it, for a toast; `details` is NULL where all went well. Called once, also (with
 * `title` NULL) where the user left the dialog: it owns `user_data`. */
typedef void (*WwExportFunc) (const char *title, const char *details, gpointer user_data);

/* `settings` may be NULL. */
WwExportDialog *ww_export_dialog_new (GtkWindow      *parent,
                                      WwExportSource *source,
                                      GSettings      *settings,
                                      WwExportFunc    callback,
                                      gpointer        user_data);
/* What the button does once a file is chosen. */
void ww_export_dialog_save_to (WwExportDialog *self, GFile *file);
void ww_export_dialog_get_options (WwExportDialog  *self,
                                   WwExportPart    *ret_part,
                                   WwReportOptions *ret_options);

G_END_DECLS

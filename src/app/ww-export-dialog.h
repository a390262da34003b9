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

/* What `parent` shows now; NULL: nothing. A new reference. */
typedef WwExportSource *(*WwExportSourceFunc) (GtkWindow *parent);

/* `settings` may be NULL; NULL where there is nothing to export, and then the callback is not called.
 * What is written is what `get_source` gives when it is written. */
WwExportDialog *ww_export_dialog_new (GtkWindow         *parent,
                                      WwExportSourceFunc get_source,
                                      GSettings         *settings,
                                      WwExportFunc       callback,
                                      gpointer           user_data);
/* The figure has changed. */
void ww_export_dialog_refresh (WwExportDialog *self);
/* What the button does once a file is chosen. A known ending of its name sets the format; where it has
 * none, that of the format is appended, and the user is asked before that replaces a file. */
void ww_export_dialog_save_to (WwExportDialog *self, GFile *file);
void ww_export_dialog_get_options (WwExportDialog  *self,
                                   WwExportPart    *ret_part,
                                   WwReportOptions *ret_options);

G_END_DECLS

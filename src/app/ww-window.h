/* The window: two pages over one session. */
#pragma once

#include <adwaita.h>

#include "ww-curves-page.h"
#include "ww-perturb-page.h"
#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_WINDOW (ww_window_get_type ())
G_DECLARE_FINAL_TYPE (WwWindow, ww_window, WW, WINDOW, AdwApplicationWindow)

/* `settings` may be NULL: nothing is remembered. Opens no set. */
WwWindow *ww_window_new (GtkApplication *application, GSettings *settings);
void ww_window_open_remembered_set (WwWindow *self);

WwSession *ww_window_get_session (WwWindow *self);
WwCurvesPage *ww_window_get_curves_page (WwWindow *self);
WwPerturbPage *ww_window_get_perturb_page (WwWindow *self);
const char *ww_window_get_page (WwWindow *self); /* "curves" or "perturb" */
void ww_window_set_page (WwWindow *self, const char *name);

/* A set, a checkpoint folder or a text, told apart by content; returns at once. */
void ww_window_open_file (WwWindow *self, GFile *file);
/* A short note; with `details`, a button that shows them. */
void ww_window_show_toast (WwWindow *self, const char *title, const char *details);

/* Shows what is in the file of the set that is open, for another choice; nothing for the sample. */
void ww_window_preview_set (WwWindow *self);

G_END_DECLS

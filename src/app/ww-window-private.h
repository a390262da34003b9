/* What the files of the window share. */
#pragma once

#include "ww-window.h"

G_BEGIN_DECLS

struct _WwWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  GtkWidget *switcher;
  AdwViewSwitcherBar *switcher_bar;
  AdwViewStack *pages;
  WwCurvesPage *curves_page;
  WwPerturbPage *perturb_page;

  WwSession *session;
  GSettings *settings; /* or NULL */
  GCancellable *cancellable; /* of everything that this window started */
  GFile *opening;      /* the set that is being read; remembered once it is open */
  char *opening_member;
  GFile *opening_words;
  GFile *opened;       /* the file of the set that is open; NULL: the sample, or one of an earlier run */
  guint open_serial;   /* counts what was asked to be opened: the last one wins */
  gboolean opening_builtin;
  WwState last_set_state;
  char *toast_details;
  AdwToast *toast; /* weak: the last one */
};

/* ww-window.c */
void ww_window_dismiss_toast (WwWindow *self);

/* ww-window-actions.c */
void ww_window_install_actions (GtkWidgetClass *widget_class);
void ww_window_update_actions (WwWindow *self);

/* ww-window-files.c */
void ww_window_add_drop_target (WwWindow *self);
void ww_window_choose_set (WwWindow *self);
void ww_window_choose_folder (WwWindow *self);
void ww_window_choose_text (WwWindow *self);
void ww_window_open_text_file (WwWindow *self, GFile *file);
void ww_window_open_set_file (WwWindow *self, GFile *file);
void ww_window_open_sample (WwWindow *self);

G_END_DECLS

/* What the files of the window share. */
#pragma once

#include "ww-preview-dialog.h"
#include "ww-window.h"

G_BEGIN_DECLS

struct _WwWindow
{
  AdwApplicationWindow parent_instance;

  AdwToastOverlay *toasts;
  GtkWidget *content, *switcher;
  AdwViewSwitcherBar *switcher_bar;
  AdwViewStack *pages;
  WwCurvesPage *curves_page;
  WwPerturbPage *perturb_page;

  WwSession *session;
  GSettings *settings; /* or NULL */
  GCancellable *cancellable; /* of everything that this window started */
  GCancellable *looking; /* of the preview that is being made, or NULL */
  WwOrigin *looked_at;   /* what it is of */
  guint slow_source;     /* fires where that takes long */
  WwPreviewDialog *preview_dialog; /* weak */
  guint n_readings, last_not_text; /* files that were looked at, by number */
  gboolean had_set;      /* the set of this run, or what stands in for it, has come */
  guint n_fallbacks;     /* sets that were opened in the place of one that could not be */
  gboolean falls_back;   /* such a one is being read: what went wrong stays in sight */
  gboolean announces;    /* the set that is being read was asked for here, without a preview */
  WwState last_set_state;
  char *toast_title, *toast_details; /* of the last one that had details */
  AdwToast *toast; /* weak: the last one */
};

/* ww-window.c */
void ww_window_dismiss_toast (WwWindow *self);

/* ww-window-actions.c */
void ww_window_install_actions (GtkWidgetClass *widget_class);
void ww_window_update_actions (WwWindow *self);

/* ww-window-files.c */
void ww_window_take_drops (WwWindow *self);
void ww_window_choose_set (WwWindow *self);
void ww_window_choose_folder (WwWindow *self);
void ww_window_choose_text (WwWindow *self);
void ww_window_open_text_file (WwWindow *self, GFile *file);
void ww_window_open_set_file (WwWindow *self, GFile *file);
void ww_window_open_sample (WwWindow *self);
void ww_window_stop_looking (WwWindow *self);

G_END_DECLS

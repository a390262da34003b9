/* An application with one window on a private screen, for every test of the window. */
#pragma once

#include <adwaita.h>

#include "ww-app-settings.h"
#include "ww-application.h"
#include "ww-preview-dialog.h"

/* Turns the main loop until `condition` holds; fails after 90 s. */
#define WAIT_FOR(condition)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 wait_until = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;                             \
    while (!(condition) && g_get_monotonic_time () < wait_until)                                   \
      wait_a_little ();                                                                            \
    g_assert_true (condition);                                                                     \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  WwApplication *application;
  GSettings *settings;
  WwWindow *window;
  WwSession *session;
  char *folder; /* a private one */
} Fixture;

void wait_a_little (void);
/* A window with a short curve and few tokens to perturb; the sample is not opened yet. */
void fixture_set_up (Fixture *fixture, gconstpointer data);
void fixture_tear_down (Fixture *fixture, gconstpointer data);
/* Opens the sample and waits until the curve is there. */
void fixture_finish_curve (Fixture *fixture);
/* Opens the sample, goes to the Perturb page and waits for its nudge. */
void fixture_finish_nudge (Fixture *fixture);

/* The descendant that a template calls `id`; fails where there is none. */
gpointer find_widget (gpointer root, const char *id);
/* The n-th descendant of a type, or NULL. */
gpointer find_by_type (gpointer root, GType type, guint nth);
/* The popover of a descendant that is down, or NULL. */
GtkWidget *find_open_list (GtkWidget *widget);
/* The first open window of a type, or NULL. */
gpointer find_window (GType type);
void fixture_activate (Fixture *fixture, const char *action);
/* What is asked before a file is opened of which something was guessed. */
WwPreviewDialog *fixture_find_preview (void); /* NULL: nothing is asked */
/* Waits for it, and says yes. */
void fixture_confirm_preview (void);
/* As if a file manager had dropped it on the window; whether the window took it. */
gboolean fixture_drop (Fixture *fixture, const char *path);
char *fixture_write_file (Fixture *fixture, const char *name, const char *contents);
/* FALSE, having said so in TAP, where there is no display. */
gboolean app_test_init (int *argc, char ***argv);

#define ADD_TEST(path, function)                                                                   \
  g_test_add (path, Fixture, NULL, fixture_set_up, function, fixture_tear_down)

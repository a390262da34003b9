/* A session over a small set of word vectors of the test's own making. */
#pragma once

#include <math.h>

#include "ww-session.h"

#include "wait.h"

#define FIXTURE_DIMS 12
#define FIXTURE_WORDS 60 /* "w0", "w1", ... */

typedef struct
{
  WwSession *session;
  char *folder, *path;
  guint n_notified; /* of any property */
} Fixture;

static inline char *
write_words (const char *folder, const char *name, guint n_words, guint dims)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autofree double *values = g_new (double, n_words * dims);
  char *path = g_build_filename (folder, name, NULL);

  ww_random_normal (5, WW_PURPOSE_CONTEXT, 0, 0, n_words * dims, 1.0, values);
  for (guint i = 0; i < n_words; i++)
    {
      g_string_append_printf (lines, "w%u", i);
      for (guint j = 0; j < dims; j++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          g_string_append_printf (lines, " %s",
                                  g_ascii_formatd (number, sizeof number, "%.6f",
                                                   values[i * dims + j]));
        }
      g_string_append_c (lines, '\n');
    }
  g_assert_true (g_file_set_contents (path, lines->str, -1, NULL));

  return path;
}

/* "w0 w1 ... w(n-1)" */
static inline char *
make_text (guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%sw%u", i > 0 ? " " : "", i % FIXTURE_WORDS);

  return g_string_free (text, FALSE);
}

static inline void
count_notify (GObject *object, GParamSpec *pspec, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_notified++;
}

static inline void
set_up_empty (Fixture *fixture, gconstpointer data)
{
  ww_core_init ();
  fixture->folder = g_dir_make_tmp ("ww-session-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = write_words (fixture->folder, "words.txt", FIXTURE_WORDS, FIXTURE_DIMS);
  fixture->session = ww_session_new ();
  g_signal_connect (fixture->session, "notify", G_CALLBACK (count_notify), fixture);
}

static inline void
open_path (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ww_session_open (fixture->session, file);
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_LOADING);
  WAIT_FOR (ww_session_get_set_state (fixture->session) != WW_STATE_LOADING);
}

/* The set is open, a text of 20 words is in, and a small curve of it is done. */
static inline void
set_up_ready (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = make_text (20);

  set_up_empty (fixture, data);
  g_object_set (fixture->session, "text", text, "n-min", 4, "n-max", 20, "n-points", 3, "trials", 2,
                "features", 64, NULL);
  open_path (fixture, fixture->path);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  ww_session_forget_history (fixture->session);
}

static inline void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->folder);

  if (fixture->session != NULL)
    g_assert_finalize_object (fixture->session);
  fixture->n_notified = 0;
  run_ready ();
  g_assert_cmpuint (fixture->n_notified, ==, 0);

  g_assert_true (g_file_delete (file, NULL, NULL));
  g_assert_true (g_file_delete (folder, NULL, NULL));
  g_free (fixture->path);
  g_free (fixture->folder);
}

typedef struct
{
  const char *path;
  void (*set_up) (Fixture *fixture, gconstpointer data);
  void (*test) (Fixture *fixture, gconstpointer data);
} SessionCase;

static inline int
run_cases (int argc, char **argv, const SessionCase *cases, gsize n)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < n; i++)
    g_test_add (cases[i].path, Fixture, NULL, cases[i].set_up, cases[i].test, tear_down);

  return g_test_run ();
}

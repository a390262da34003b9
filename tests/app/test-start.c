/* What needs no window: telling texts from sets, and the program's command line. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "ww-file-kind.h"

static void
test_prose (void)
{
  static const struct
  {
    const char *bytes;
    gboolean prose;
  } rows[] = {
    { "The cat sat on the mat.", TRUE },
    { "A line.\nAnother line with 3 numbers 1 2.\n", TRUE },
    { "Ein Wörtchen, größer als zwei.", TRUE },
    { "42", TRUE },
    { "", FALSE },
    { "cat 0.1 -0.2 3e-4\ndog 1 2 3\n", FALSE },
    { "400000 300\ncat 0.1 0.2\n", FALSE },
    { "\x93NUMPY\x01", FALSE },
    { "bell \a", FALSE },
    { "cut \xc3", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpint (ww_bytes_look_like_prose (rows[i].bytes, strlen (rows[i].bytes), TRUE), ==,
                     rows[i].prose);
  /* The beginning of a longer file may end within a letter. */
  g_assert_true (ww_bytes_look_like_prose ("caf\xc3", 4, FALSE));
}

/* What is wrong with a file that is no text names the file, the place, and what is there. */
static void
test_explain (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "note.txt", NULL);
  g_autofree char *large = g_strnfill (1080000, 'a');
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) folder_file = g_file_new_for_path (folder);
  g_autoptr (GError) error = NULL;
  const struct { const char *bytes; gsize length; const char *words; } rows[] = {
    { "", 0, "is empty" },
    { "one\ntwo\nth\xffree", 14, "line 3 (byte 10): found 0xff, which is not UTF-8" },
    { "one\nbell \a two", 14, "line 2 (byte 9): found 0x07, a control character" },
    { "nul \0 here", 10, "line 1 (byte 4): found 0x00" },
    { "cut \xc3", 5, "line 1 (byte 4): found 0xc3" },
    { "cat 0.1 -0.2 3e-4\ndog 1 2 3\n", 28, "line 1: found a row of 3 numbers" },
    { large, 1080000, "has 1080000 bytes; a text has at most 1048576" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) why = NULL;
      g_autofree char *text = NULL;

      g_assert_true (g_file_set_contents (path, rows[i].bytes, (gssize) rows[i].length, NULL));
      g_assert_true (ww_file_read_text (file, NULL, &text, NULL));
      g_assert_null (text);
      why = ww_file_explain_no_text (file, NULL);
      g_test_message ("%s", why->message);
      g_assert_nonnull (strstr (why->message, "note.txt"));
      g_assert_nonnull (strstr (why->message, rows[i].words));
      g_assert_cmpint (g_error_matches (why, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE), ==,
                       rows[i].length > WW_TEXT_FILE_MAX);
    }
  g_unlink (path);
  error = ww_file_explain_no_text (folder_file, NULL);
  g_assert_nonnull (strstr (error->message, "is a folder"));
  g_rmdir (folder);
}

static void
test_read_text (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-test-XXXXXX", NULL);
  g_autofree char *fifo = g_build_filename (folder, "fifo", NULL);
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GFile) folder_file = g_file_new_for_path (folder);
  g_autoptr (GFile) fifo_file = g_file_new_for_path (fifo);
  g_autoptr (GFile) missing_file = g_file_new_for_path (missing);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  /* Neither waits nor fails: what is no text goes to the reader of sets, which says why. */
  g_assert_true (ww_file_read_text (fifo_file, NULL, &text, &error));
  g_assert_null (text);
  g_assert_true (ww_file_read_text (folder_file, NULL, &text, &error));
  g_assert_null (text);
  g_assert_true (ww_file_read_text (missing_file, NULL, &text, &error));
  g_assert_null (text);
  g_assert_no_error (error);
  g_unlink (fifo);
  g_rmdir (folder);
}

static GSubprocess *
run (const char *argument, gboolean display)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
    G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  if (!display)
    {
      g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
      g_subprocess_launcher_unsetenv (launcher, "WAYLAND_DISPLAY");
      /* Without an address GDK would look for a socket of this name. */
      g_subprocess_launcher_setenv (launcher, "XDG_RUNTIME_DIR", "/nonexistent", TRUE);
    }
  process = g_subprocess_launcher_spawn (launcher, &error, WW_APP_BINARY, argument, NULL);
  g_assert_no_error (error);
  return process;
}

static void
test_version (void)
{
  g_autoptr (GSubprocess) process = run ("--version", FALSE);
  g_autofree char *output = NULL;

  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  g_assert_cmpstr (output, ==, "wordsway " WW_VERSION "\n");
}

static void
test_no_display (void)
{
  g_autoptr (GSubprocess) process = run (NULL, FALSE);
  g_autofree char *output = NULL, *errors = NULL;

  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, &errors, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);
  g_assert_nonnull (strstr (errors, "no display"));
  g_assert_nonnull (strstr (errors, "wordsway-cli curve"));
}

static void
test_wrong_option (void)
{
  g_autoptr (GSubprocess) process = run ("--no-such-option", FALSE);
  g_autofree char *output = NULL, *errors = NULL;

  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &output, &errors, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (process), !=, 0);
  g_assert_nonnull (strstr (errors, "--no-such-option"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/start/prose", test_prose);
  g_test_add_func ("/start/read-text", test_read_text);
  g_test_add_func ("/start/explain", test_explain);
  g_test_add_func ("/start/version", test_version);
  g_test_add_func ("/start/no-display", test_no_display);
  g_test_add_func ("/start/wrong-option", test_wrong_option);
  return g_test_run ();
}

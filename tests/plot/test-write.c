/* Figures as files: what is in them, that they repeat to the byte, and that a failure harms nothing. */
#include <errno.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "samples.h"

#define TITLE "Wörter & more"
#define DESCRIPTION "version: 0.1.0\nseed: 7\ntext: »nie« ∆"

static const WwFigureFormat formats[] = { WW_FIGURE_FORMAT_SVG, WW_FIGURE_FORMAT_PDF, WW_FIGURE_FORMAT_PNG };

typedef struct
{
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("ww-plot-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
}

static GPtrArray *
list_folder (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  return names;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) names = list_folder (fixture->folder);

  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, names->pdata[i], NULL);
      g_remove (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
}

static WwScene *
sample (Sample which)
{
  WwPlotStyle style;

  ww_plot_style_init (&style);
  return sample_layout (which, 252, 184, &style);
}

static GBytes *
to_bytes (WwScene *scene, WwFigureFormat format, double dpi)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = ww_scene_to_bytes (scene, format, dpi, TITLE, DESCRIPTION, &error);

  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

static void
test_repeatable (void)
{
  for (guint which = 0; which < N_SAMPLES; which++)
    for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
      {
        g_autoptr (WwScene) first = sample ((Sample) which);
        g_autoptr (WwScene) second = sample ((Sample) which);
        g_autoptr (GBytes) a = to_bytes (first, formats[i], 100);
        g_autoptr (GBytes) b = to_bytes (second, formats[i], 100);
        g_autoptr (GBytes) again = to_bytes (first, formats[i], 100);

        g_assert_true (g_bytes_equal (a, b));
        g_assert_true (g_bytes_equal (a, again));
      }
}

static guint32
read_u32 (const guint8 *data)
{
  return (guint32) data[0] << 24 | (guint32) data[1] << 16 | (guint32) data[2] << 8 | data[3];
}

/* The data of the first chunk of this type whose beginning is `start`, or NULL. */
static const guint8 *
find_chunk (GBytes *png, const char *type, const char *start)
{
  gsize length, at = 8;
  const guint8 *data = g_bytes_get_data (png, &length);

  g_assert_cmpmem (data, 8, "\x89PNG\r\n\x1a\n", 8);
  while (at + 12 <= length)
    {
      gsize size = read_u32 (data + at);
      g_assert_cmpuint (size, <=, length - at - 12);
      if (memcmp (data + at + 4, type, 4) == 0 && size >= strlen (start)
          && memcmp (data + at + 8, start, strlen (start)) == 0)
        return data + at + 8;
      at += size + 12;
    }
  return NULL;
}

static gboolean
contains (GBytes *bytes, const char *text)
{
  gsize length, wanted = strlen (text);
  const char *data = g_bytes_get_data (bytes, &length);

  for (gsize i = 0; i + wanted <= length; i++)
    if (memcmp (data + i, text, wanted) == 0)
      return TRUE;
  return FALSE;
}

static void
test_png (void)
{
  g_autoptr (WwScene) scene = sample (SAMPLE_CURVES);
  g_autoptr (GBytes) png = to_bytes (scene, WW_FIGURE_FORMAT_PNG, 300);
  const guint8 *header = find_chunk (png, "IHDR", "");
  const guint8 *density = find_chunk (png, "pHYs", "");

  g_assert_cmpuint (read_u32 (header), ==, 1050);
  g_assert_cmpuint (read_u32 (header + 4), ==, 767);
  g_assert_nonnull (density);
  g_assert_cmpuint (read_u32 (density), ==, 11811);
  g_assert_cmpuint (read_u32 (density + 4), ==, 11811);
  g_assert_cmpuint (density[8], ==, 1);
  g_assert_nonnull (find_chunk (png, "tEXt", "Software"));
  /* Latin-1 texts are tEXt, all others iTXt. */
  g_assert_nonnull (find_chunk (png, "tEXt", "Title"));
  g_assert_nonnull (find_chunk (png, "iTXt", "Description"));
  g_assert_true (contains (png, DESCRIPTION));
}

static void
test_pdf (void)
{
  g_autoptr (WwScene) scene = sample (SAMPLE_CURVES);
  g_autoptr (GBytes) pdf = to_bytes (scene, WW_FIGURE_FORMAT_PDF, 0);

  g_assert_true (contains (pdf, "%PDF-1."));
  g_assert_true (contains (pdf, "/CreationDate"));
  g_assert_true (contains (pdf, "20000101000000Z"));
  g_assert_true (contains (pdf, "/Keywords"));
  g_assert_true (contains (pdf, "%%EOF"));
}

static char *
run (const char *program, const char *option, const char *path, const char *last)
{
  g_autofree char *full = g_find_program_in_path (program);
  char *output = NULL;
  int status;
  char *args[] = { full, (char *) (option != NULL ? option : path), (char *) (option != NULL ? path : last),
                   (char *) (option != NULL ? last : NULL), NULL };

  if (full == NULL)
    return NULL;
  g_assert_true (g_spawn_sync (NULL, args, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, &status, NULL));
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  return output;
}

static void
test_pdf_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WwScene) scene = sample (SAMPLE_CURVES);
  g_autofree char *path = g_build_filename (fixture->folder, "figure.pdf", NULL);
  g_autofree char *text = NULL;
  g_autofree char *info = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (ww_scene_write (scene, path, WW_FIGURE_FORMAT_PDF, 0, TITLE, DESCRIPTION, &error));
  g_assert_no_error (error);
  text = run ("pdftotext", NULL, path, "-");
  info = run ("pdfinfo", NULL, path, NULL);
  if (text == NULL || info == NULL)
    {
      g_test_skip ("pdftotext and pdfinfo (poppler-utils) are not installed");
      return;
    }
  g_assert_nonnull (strstr (text, "context length n"));
  g_assert_nonnull (strstr (text, "word sensitivity"));
  g_assert_nonnull (strstr (info, TITLE));
  g_assert_nonnull (strstr (info, "seed: 7"));
  g_assert_nonnull (strstr (info, "»nie« ∆"));
}

/* What is written is what the bytes say, for every format. */
static void
test_write (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WwScene) scene = sample (SAMPLE_HEATMAP);

  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autofree char *path = g_build_filename (fixture->folder, "figure", NULL);
      g_autoptr (GBytes) expected = to_bytes (scene, formats[i], 100);
      g_autofree char *found = NULL;
      g_autoptr (GPtrArray) names = NULL;
      gsize length;

      g_assert_true (ww_scene_write (scene, path, formats[i], 100, TITLE, DESCRIPTION, NULL));
      g_assert_true (g_file_get_contents (path, &found, &length, NULL));
      g_assert_cmpmem (found, length, g_bytes_get_data (expected, NULL), g_bytes_get_size (expected));
      names = list_folder (fixture->folder);
      g_assert_cmpuint (names->len, ==, 1);
    }
}

static void
test_size_errors (void)
{
  WwPlotStyle style;
  const double sizes[][2] = { { 0, 100 }, { 100, 0 }, { 20000, 100 }, { -4, 5 }, { NAN, 10 } };

  ww_plot_style_init (&style);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (formats); k++)
      {
        g_autoptr (WwScene) scene = sample_layout (SAMPLE_BARS, sizes[i][0], sizes[i][1], &style);
        g_autoptr (GError) error = NULL;
        g_assert_null (ww_scene_to_bytes (scene, formats[k], 100, NULL, NULL, &error));
        g_assert_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_SIZE);
      }
}

static void
test_dpi_errors (void)
{
  g_autoptr (WwScene) scene = sample (SAMPLE_BARS);
  const double bad[] = { 0, -1, NAN, INFINITY, 1e9, 20000 };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (ww_scene_to_bytes (scene, WW_FIGURE_FORMAT_PNG, bad[i], NULL, NULL, &error));
      g_assert_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_SIZE);
    }
}

static void
assert_refused (const char *path)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (ww_write_file_atomically (path, "new", 3, &error));
  g_assert_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_WRITE);
  g_assert_cmpuint (strlen (error->message), >, 10);
}

static void
assert_content (const char *path, const char *expected)
{
  g_autofree char *found = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &found, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, expected);
}

static void
test_refusals (Fixture *fixture, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (fixture->folder, "missing", "file", NULL);
  g_autofree char *file = g_build_filename (fixture->folder, "file", NULL);
  g_autofree char *below_file = g_build_filename (file, "other", NULL);
  g_autofree char *long_name = g_strnfill (300, 'x');
  g_autofree char *too_long = g_build_filename (fixture->folder, long_name, NULL);

  assert_refused (missing);
  g_assert_true (ww_write_file_atomically (file, "old", 3, NULL));
  assert_refused (below_file);
  assert_refused (fixture->folder);
  assert_refused (too_long);
  assert_refused ("");
  assert_content (file, "old");
  g_autoptr (GPtrArray) names = list_folder (fixture->folder);
  g_assert_cmpuint (names->len, ==, 1);
}

/* The disk is full half way: stands in for it a limit on the size of files. */
static void
test_no_space (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "file", NULL);
  g_autofree char *large = g_strnfill (100000, 'x');
  struct rlimit old, low;
  g_autoptr (GError) error = NULL;
  gboolean written;

  g_assert_true (ww_write_file_atomically (path, "old", 3, NULL));
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  low = old;
  low.rlim_cur = 50000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &low), ==, 0);
  written = ww_write_file_atomically (path, large, 100000, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  signal (SIGXFSZ, SIG_DFL);
  g_assert_false (written);
  g_assert_error (error, WW_PLOT_ERROR, WW_PLOT_ERROR_WRITE);
  assert_content (path, "old");
  g_autoptr (GPtrArray) names = list_folder (fixture->folder);
  g_assert_cmpuint (names->len, ==, 1);
}

static void
test_unwritable_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "file", NULL);

  if (geteuid () == 0)
    {
      g_test_skip ("nothing is unwritable for root");
      return;
    }
  g_assert_true (ww_write_file_atomically (path, "old", 3, NULL));
  g_assert_cmpint (g_chmod (fixture->folder, 0500), ==, 0);
  assert_refused (path);
  g_assert_cmpint (g_chmod (fixture->folder, 0700), ==, 0);
  assert_content (path, "old");
}

static void
test_replace (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "file", NULL);
  g_autofree char *link = g_build_filename (fixture->folder, "link", NULL);
  struct stat info;

  g_assert_true (ww_write_file_atomically (path, "old", 3, NULL));
  g_assert_cmpint (g_chmod (path, 0640), ==, 0);
  g_assert_cmpint (symlink ("file", link), ==, 0);
  /* Through the link: the link stays, and so do the permissions. */
  g_assert_true (ww_write_file_atomically (link, "newer", 5, NULL));
  assert_content (path, "newer");
  g_assert_cmpint (lstat (link, &info), ==, 0);
  g_assert_true (S_ISLNK (info.st_mode));
  g_assert_cmpint (stat (path, &info), ==, 0);
  g_assert_cmpuint (info.st_mode & 0777, ==, 0640);
  g_assert_true (ww_write_file_atomically (path, NULL, 0, NULL));
  assert_content (path, "");
}

static void
test_device (void)
{
  struct stat info;

  g_assert_true (ww_write_file_atomically ("/dev/null", "gone", 4, NULL));
  g_assert_cmpint (stat ("/dev/null", &info), ==, 0);
  g_assert_true (S_ISCHR (info.st_mode));
  if (stat ("/dev/full", &info) == 0)
    assert_refused ("/dev/full");
}

/* A locale with a decimal comma is made for the test, because few machines have one. */
static void
test_decimal_comma (Fixture *fixture, gconstpointer data)
{
  g_autofree char *localedef = g_find_program_in_path ("localedef");
  g_autofree char *root = g_dir_make_tmp ("ww-locale-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (root, "de_DE.UTF-8", NULL);
  g_autofree char *command = g_strdup_printf ("localedef -i de_DE -f UTF-8 '%s'", target);
  g_autofree char *clean = g_strdup_printf ("rm -r '%s'", root);
  int status = -1;
  gboolean comma;

  if (localedef != NULL)
    g_spawn_command_line_sync (command, NULL, NULL, &status, NULL);
  g_setenv ("LOCPATH", root, TRUE);
  comma = status == 0 && setlocale (LC_ALL, "de_DE.UTF-8") != NULL;
  if (comma)
    {
      char buffer[8];
      g_snprintf (buffer, sizeof buffer, "%.1f", 0.5);
      g_assert_cmpstr (buffer, ==, "0,5");
    }
  for (guint which = 0; comma && which < N_SAMPLES; which++)
    for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
      {
        g_autoptr (WwScene) german = NULL;
        g_autoptr (WwScene) plain = NULL;
        g_autoptr (GBytes) a = NULL;
        g_autoptr (GBytes) b = NULL;

        setlocale (LC_ALL, "de_DE.UTF-8");
        german = sample ((Sample) which);
        a = to_bytes (german, formats[i], 100);
        setlocale (LC_ALL, "C.UTF-8");
        plain = sample ((Sample) which);
        b = to_bytes (plain, formats[i], 100);
        g_assert_true (g_bytes_equal (a, b));
      }
  setlocale (LC_ALL, "C.UTF-8");
  g_unsetenv ("LOCPATH");
  g_spawn_command_line_sync (clean, NULL, NULL, NULL, NULL);
  if (!comma)
    g_test_skip ("localedef or the source of de_DE is missing");
}

#define ADD(path, func) g_test_add (path, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/write/repeatable", test_repeatable);
  g_test_add_func ("/plot/write/png", test_png);
  g_test_add_func ("/plot/write/pdf", test_pdf);
  ADD ("/plot/write/pdf-text", test_pdf_text);
  ADD ("/plot/write/write", test_write);
  g_test_add_func ("/plot/write/size-errors", test_size_errors);
  g_test_add_func ("/plot/write/dpi-errors", test_dpi_errors);
  ADD ("/plot/write/refusals", test_refusals);
  ADD ("/plot/write/no-space", test_no_space);
  ADD ("/plot/write/unwritable-folder", test_unwritable_folder);
  ADD ("/plot/write/replace", test_replace);
  g_test_add_func ("/plot/write/device", test_device);
  ADD ("/plot/write/decimal-comma", test_decimal_comma);
  return g_test_run ();
}

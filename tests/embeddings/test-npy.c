/* .npy in and out: every good file equals the table it was made from, every bad one is refused with
 * its own code and position, and what is written comes back bit for bit. */
#include "test-util.h"
#include "ww-npy.h"

static WwMatrix *
load (const char *name, GError **error)
{
  g_autoptr (GFile) file = test_data_file (name);

  return ww_npy_load (file, error);
}

/* The truth itself is held against truth.json by the tests of the text tables. */
static void
test_good (void)
{
  static const struct
  {
    const char *name;
    double tolerance;
  } files[] = {
    { "table-f8.npy", 0 }, { "table-v2.npy", 0 }, { "table-v3.npy", 0 },
    { "table-f4-fortran.npy", 0 }, { "table-f4-big-endian.npy", 0 }, { "embd-f32.truth.npy", -1 },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) truth = load ("table-f4.npy", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (truth->rows, ==, 12);
  g_assert_cmpuint (truth->cols, ==, 8);
  g_assert_cmpfloat (truth->data[0], ==, (double) -0.33319079875946045f);
  g_assert_cmpfloat (truth->data[8 * 8 + 3], ==, (double) -12345.677734375f);

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (WwMatrix) found = load (files[i].name, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (found->rows, ==, 12);
      if (files[i].tolerance < 0)
        continue;
      g_assert_cmpuint (found->cols, ==, 8);
      for (gsize k = 0; k < 96; k++)
        g_assert_cmpfloat_with_epsilon (found->data[k], truth->data[k], files[i].tolerance + 1e-300);
    }
}

/* These two were made from other values than the truth: the first ones are known. */
static void
test_narrow_types (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) half = load ("table-f2.npy", &error);
  g_autoptr (WwMatrix) whole = NULL;

  g_assert_no_error (error);
  whole = load ("table-i4.npy", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (half->data[0], ==, -0.333251953125);
  g_assert_cmpfloat (half->data[95], ==, 0.86328125);
  g_assert_cmpfloat (whole->data[0], ==, -3);
  g_assert_cmpfloat (whole->data[95], ==, 8);
}

/* A context may be one row, and weights may not. */
static void
test_one_axis (void)
{
  g_autoptr (GFile) vector = test_data_file ("vector-1d.npy");
  g_autoptr (GFile) stack = test_data_file ("context-3d.npy");
  g_autoptr (GError) error = NULL;
  gboolean one_axis = FALSE;
  g_autoptr (WwMatrix) row = ww_npy_load_context (vector, &one_axis, &error);

  g_assert_no_error (error);
  g_assert_true (one_axis);
  g_assert_cmpuint (row->rows, ==, 1);
  g_assert_cmpuint (row->cols, ==, 8);
  g_assert_null (ww_npy_load (vector, NULL));
  g_assert_null (ww_npy_load_context (stack, &one_axis, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_SHAPE);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *name;
    WwSetError code;
    const char *says;
  } files[] = {
    { "bad-nan.npy", WW_SET_ERROR_NON_FINITE, "row 4, column 2" },
    { "bad-zero-rows.npy", WW_SET_ERROR_EMPTY, "0 x 8" },
    { "context-3d.npy", WW_SET_ERROR_SHAPE, "2 x 6 x 8" },
    { "vector-1d.npy", WW_SET_ERROR_SHAPE, "1 axis" },
    { "refuse-0d.npy", WW_SET_ERROR_SHAPE, "0 axes" },
    { "refuse-bool.npy", WW_SET_ERROR_REFUSED, "bool" },
    { "refuse-complex.npy", WW_SET_ERROR_REFUSED, "complex" },
    { "refuse-object.npy", WW_SET_ERROR_REFUSED, "allow_pickle" },
    { "refuse-structured.npy", WW_SET_ERROR_REFUSED, "structured" },
    { "words-unicode.npy", WW_SET_ERROR_REFUSED, "text" },
    { "glove.txt", WW_SET_ERROR_MALFORMED, "byte 0" },
    { "bad-empty.safetensors", WW_SET_ERROR_EMPTY, "empty" },
    { "absent.npy", WW_SET_ERROR_NOT_FOUND, "absent.npy" },
    { "checkpoints", WW_SET_ERROR_NOT_A_FILE, "folder" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) found = load (files[i].name, &error);

      g_assert_null (found);
      g_assert_error (error, WW_SET_ERROR, (int) files[i].code);
      test_assert_says (error, files[i].name, files[i].says);
    }
}

/* Headers made by hand: each breaks one rule, and the message names the byte. */
static void
test_headers (void)
{
  static const struct
  {
    const char *dictionary;
    int code; /* -1: opens */
    const char *says;
  } headers[] = {
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", -1, "" },
    { "{\"shape\":(1L,1L),\"descr\":\"=f8\",\"fortran_order\":True}\n", -1, "" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }", WW_SET_ERROR_TRUNCATED, "needs 16" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }", WW_SET_ERROR_SHAPE, "needs 4" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 1), }", WW_SET_ERROR_MALFORMED, "'-' at byte 61" },
    { "{'descr': '<f8', 'fortran_order': 0, 'shape': (1, 1), }", WW_SET_ERROR_MALFORMED, "True or False" },
    { "{'descr': '<f8', 'descr': '<f8', 'shape': (1, 1), }", WW_SET_ERROR_MALFORMED, "byte 27" },
    { "{'descr': '<f8', 'shape': (1, 1), }", WW_SET_ERROR_MALFORMED, "all of the keys" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), } x", WW_SET_ERROR_MALFORMED, "nothing more" },
    { "{'descr': '<f8, 'fortran_order': False, 'shape': (1, 1), }", WW_SET_ERROR_MALFORMED, "byte" },
    { "{'descr': '<f16', 'fortran_order': False, 'shape': (1, 1), }", WW_SET_ERROR_REFUSED, "<f16" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 1), }", WW_SET_ERROR_TOO_LARGE, "axis" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999999, 9999999999999), }", WW_SET_ERROR_TOO_LARGE, "memory" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }", WW_SET_ERROR_MALFORMED, "8 axes" },
    { "", WW_SET_ERROR_MALFORMED, "ends at byte" },
  };
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "wordsway-test-header.npy", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  for (gsize i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autoptr (GString) content = g_string_new_len ("\x93NUMPY\1\0", 8);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) found = NULL;
      gsize length = strlen (headers[i].dictionary);
      double value = 0.5;

      g_string_append_c (content, (char) length);
      g_string_append_c (content, 0);
      g_string_append (content, headers[i].dictionary);
      g_string_append_len (content, (const char *) &value, sizeof value);
      test_write_file (path, content->str, content->len);

      found = ww_npy_load (file, &error);
      if (headers[i].code < 0)
        {
          g_assert_no_error (error);
          g_assert_cmpfloat (found->data[0], ==, 0.5);
          continue;
        }
      g_assert_null (found);
      g_assert_error (error, WW_SET_ERROR, headers[i].code);
      test_assert_says (error, headers[i].dictionary, headers[i].says);
    }
  g_unlink (path);
}

static void
test_round_trip (void)
{
  const double values[6] = { 0.1, -0.0, G_MAXDOUBLE, G_MINDOUBLE / 1024, -1e-300, 3 };
  g_autofree char *folder = g_dir_make_tmp ("wordsway-npy-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.npy", NULL);
  g_autofree char *link_path = g_build_filename (folder, "link.npy", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) matrix = ww_matrix_new_copy (2, 3, values, &error);
  g_autoptr (WwMatrix) found = NULL;
  g_autofree char *bytes = NULL;
  GStatBuf status;
  gsize length;

  g_assert_no_error (error);
  g_assert_true (ww_npy_save (path, matrix, &error));
  found = ww_npy_load (file, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (found->data, sizeof values, values, sizeof values);

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_cmpuint (length, ==, 128 + sizeof values);
  g_assert_cmpint (bytes[127], ==, '\n');

  /* A symbolic link is followed and stays one. */
  g_assert_cmpint (symlink (path, link_path), ==, 0);
  g_assert_true (ww_npy_save (link_path, matrix, &error));
  g_assert_cmpint (g_lstat (link_path, &status), ==, 0);
  g_assert_true (S_ISLNK (status.st_mode));

  /* What is no regular file is written to and never replaced. */
  g_assert_true (ww_npy_save ("/dev/null", matrix, &error));
  g_assert_cmpint (g_stat ("/dev/null", &status), ==, 0);
  g_assert_true (S_ISCHR (status.st_mode));

  g_assert_false (ww_npy_save (folder, matrix, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
  g_clear_error (&error);
  g_assert_false (ww_npy_save ("/no/such/folder/a.npy", matrix, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);

  g_unlink (link_path);
  g_unlink (path);
  /* Fails if a temporary file was left behind. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Every prefix of a good file is an error, never a crash and never half an array. */
static void
test_truncated (void)
{
  g_autoptr (GFile) whole = test_data_file ("table-f4-fortran.npy");
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "wordsway-test-prefix.npy", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_load_contents (whole, NULL, &bytes, &length, NULL, NULL));
  for (gsize n = 0; n < length; n++)
    {
      g_autoptr (GError) error = NULL;

      test_write_file (path, bytes, n);
      g_assert_null (ww_npy_load (file, &error));
      g_assert_true (error->domain == WW_SET_ERROR);
    }
  g_unlink (path);
}

/* A pipe that nobody writes to must not block. */
static void
test_fifo (void)
{
  g_autofree char *folder = g_dir_make_tmp ("wordsway-npy-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "fifo", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (ww_npy_load (file, &error));
  g_assert_error (error, WW_SET_ERROR, WW_SET_ERROR_NOT_A_FILE);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/npy/good", test_good);
  g_test_add_func ("/npy/narrow-types", test_narrow_types);
  g_test_add_func ("/npy/refused", test_refused);
  g_test_add_func ("/npy/one-axis", test_one_axis);
  g_test_add_func ("/npy/headers", test_headers);
  g_test_add_func ("/npy/round-trip", test_round_trip);
  g_test_add_func ("/npy/truncated", test_truncated);
  g_test_add_func ("/npy/fifo", test_fifo);
  return g_test_run ();
}

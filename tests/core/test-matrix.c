#include "test-util.h"

#include "ww-core.h"

#ifdef __SANITIZE_ADDRESS__
/* A request that cannot be met is to be answered with NULL here too, as the C library does. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "allocator_may_return_null=1";
}
#endif

static double
row_norm (const WwMatrix *matrix, gsize row)
{
  return test_norm (matrix->data + row * matrix->cols, matrix->cols);
}

static void
test_new (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) matrix = ww_matrix_new (3, 5, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (matrix->rows, ==, 3);
  g_assert_cmpuint (matrix->cols, ==, 5);
  g_assert_cmpuint ((gsize) matrix->data % 64, ==, 0);
  for (gsize i = 0; i < 15; i++)
    g_assert_cmpfloat (matrix->data[i], ==, 0);

  WwMatrix *again = ww_matrix_ref (matrix);
  ww_matrix_unref (again);
  g_assert_cmpfloat (matrix->data[14], ==, 0);
  ww_matrix_unref (NULL);
}

static void
test_bad_shapes (void)
{
  static const struct
  {
    gsize rows, cols;
    WwCoreError code;
  } bad[] = {
    { 0, 1, WW_CORE_ERROR_SHAPE },
    { 1, 0, WW_CORE_ERROR_SHAPE },
    { G_MAXSIZE, 2, WW_CORE_ERROR_SHAPE },
    { G_MAXSIZE / 8 + 1, 1, WW_CORE_ERROR_SHAPE },
    { (gsize) 1 << 32, (gsize) 1 << 32, WW_CORE_ERROR_SHAPE },
    { (gsize) 1 << 30, (gsize) 1 << 27, WW_CORE_ERROR_MEMORY }, /* 2^60 bytes: countable, not to be had */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ww_matrix_new (bad[i].rows, bad[i].cols, &error));
      g_assert_error (error, WW_CORE_ERROR, (int) bad[i].code);
    }
}

static void
test_head (void)
{
  const double data[] = { 1, 2, 3, 4, 5, 6 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) matrix = ww_matrix_new_copy (2, 3, data, &error);
  g_autoptr (WwMatrix) head = ww_matrix_head (matrix, 2, 2, &error);
  const double expected[] = { 1, 2, 4, 5 };

  g_assert_no_error (error);
  g_assert_cmpmem (head->data, sizeof expected, expected, sizeof expected);

  g_assert_null (ww_matrix_head (matrix, 3, 1, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ww_matrix_head (matrix, 1, 4, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (ww_matrix_head (matrix, 0, 1, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
}

static void
test_norm_range (void)
{
  static const double scales[] = { 1, 1e-300, 1e300, 1e-160, 1e160, 4e-320 };

  g_assert_cmpfloat (ww_vector_norm (NULL, 0), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      double data[] = { 3 * scales[i], 0, -4 * scales[i] };
      g_autoptr (WwMatrix) matrix = ww_matrix_new_copy (1, 3, data, NULL);

      g_assert_cmpfloat (fabs (ww_matrix_norm (matrix) / (5 * scales[i]) - 1), <, 1e-3);
      if (scales[i] > 1e-307)
        g_assert_cmpfloat (fabs (ww_matrix_norm (matrix) / (5 * scales[i]) - 1), <, 1e-15);
    }
}

static void
test_finite (void)
{
  double data[] = { 1, 2, 3, 4, 5, NAN };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) bad = ww_matrix_new_copy (2, 3, data, NULL);

  g_assert_false (ww_matrix_check_finite (bad, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_assert_nonnull (strstr (error->message, "row 1, column 2"));
  g_clear_error (&error);

  data[5] = 6;
  data[1] = -INFINITY;
  g_autoptr (WwMatrix) worse = ww_matrix_new_copy (2, 3, data, NULL);
  g_assert_false (ww_matrix_check_finite (worse, &error));
  g_assert_nonnull (strstr (error->message, "row 0, column 1"));

  data[1] = -1e308;
  g_autoptr (WwMatrix) good = ww_matrix_new_copy (2, 3, data, NULL);
  g_assert_true (ww_matrix_check_finite (good, NULL));
}

static void
test_prepare_paper (void)
{
  static const double scales[] = { 1, 1e-310, 1e300, 1e-180 };

  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      double data[] = { 3 * scales[i], 4 * scales[i], 7, -1 * scales[i], 1 * scales[i], 9 };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) raw = ww_matrix_new_copy (2, 3, data, NULL);
      g_autoptr (WwMatrix) x = ww_context_prepare (raw, 2, WW_NORMALISATION_PAPER, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (x->cols, ==, 2);
      for (gsize r = 0; r < 2; r++)
        g_assert_cmpfloat (fabs (row_norm (x, r) - sqrt (2)), <, 1e-14);
      g_assert_cmpfloat (fabs (x->data[0] - 0.6 * sqrt (2)), <, 1e-11);
      g_assert_cmpfloat (fabs (x->data[2] + 1), <, 1e-11);
    }
}

static void
test_prepare_none_and_centre (void)
{
  const double data[] = { 1, 5, -2, 3, 1, 0, -1, 6, 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) raw = ww_matrix_new_copy (3, 3, data, NULL);
  g_autoptr (WwMatrix) none = ww_context_prepare (raw, 0, WW_NORMALISATION_NONE, &error);
  g_autoptr (WwMatrix) centred = ww_context_prepare (raw, 0, WW_NORMALISATION_CENTRE, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (none->data, sizeof data, data, sizeof data);

  /* Column means are 1, 4, 0: the first row becomes (0, 1, -2) before it is scaled. */
  g_assert_cmpfloat (fabs (centred->data[0]), <, 1e-15);
  g_assert_cmpfloat (fabs (centred->data[1] - sqrt (3.0 / 5)), <, 1e-14);
  g_assert_cmpfloat (fabs (centred->data[2] + 2 * sqrt (3.0 / 5)), <, 1e-14);
  for (gsize r = 0; r < 3; r++)
    g_assert_cmpfloat (fabs (row_norm (centred, r) - sqrt (3)), <, 1e-14);
}

static void
test_prepare_bad (void)
{
  const double zero_row[] = { 1, 2, 0, 0, 0, 7 };
  const double equal_rows[] = { 0.1, 0.2, 0.1, 0.2, 0.1, 0.2 };
  const double with_nan[] = { 1, 2, NAN, 4, 5, 6 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) zero = ww_matrix_new_copy (2, 3, zero_row, NULL);
  g_autoptr (WwMatrix) equal = ww_matrix_new_copy (3, 2, equal_rows, NULL);
  g_autoptr (WwMatrix) bad = ww_matrix_new_copy (2, 3, with_nan, NULL);

  /* Row 1 is zero in its first two dimensions only. */
  g_assert_null (ww_context_prepare (zero, 2, WW_NORMALISATION_PAPER, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_ROW);
  g_assert_nonnull (strstr (error->message, "Row 1"));
  g_clear_error (&error);
  g_autoptr (WwMatrix) whole = ww_context_prepare (zero, 3, WW_NORMALISATION_PAPER, &error);
  g_assert_no_error (error);
  g_assert_nonnull (whole);
  g_autoptr (WwMatrix) as_stored = ww_context_prepare (zero, 2, WW_NORMALISATION_NONE, &error);
  g_assert_no_error (error);
  g_assert_nonnull (as_stored);

  /* Equal rows differ from their mean by rounding alone. */
  g_assert_null (ww_context_prepare (equal, 0, WW_NORMALISATION_CENTRE, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_ROW);
  g_clear_error (&error);

  g_assert_null (ww_context_prepare (bad, 0, WW_NORMALISATION_NONE, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_clear_error (&error);
  g_autoptr (WwMatrix) cut = ww_context_prepare (bad, 2, WW_NORMALISATION_PAPER, &error);
  g_assert_no_error (error);
  g_assert_nonnull (cut);

  g_assert_null (ww_context_prepare (bad, 4, WW_NORMALISATION_PAPER, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
}

static void
test_synthetic (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) small = ww_context_synthetic (3, 50, 8, 2, &error);
  g_autoptr (WwMatrix) large = ww_context_synthetic (40, 50, 8, 2, &error);
  g_autoptr (WwMatrix) other = ww_context_synthetic (3, 50, 8, 3, &error);
  g_autoptr (WwMatrix) single = ww_context_synthetic (5, 1, 8, 2, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (small->data, 150 * sizeof (double), large->data, 150 * sizeof (double));
  g_assert_cmpfloat (small->data[0], !=, other->data[0]);
  for (gsize r = 0; r < 40; r++)
    g_assert_cmpfloat (fabs (row_norm (large, r) - sqrt (50)), <, 1e-13);
  for (gsize r = 0; r < 5; r++)
    g_assert_cmpfloat (fabs (single->data[r]), ==, 1);

  static const gsize bad[][2] = { { 0, 1 }, { 1, 0 }, { WW_MAX_ROWS + 1, 1 }, { 1, WW_MAX_DIMS + 1 } };
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_null (ww_context_synthetic (bad[i][0], bad[i][1], 8, 2, &error));
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
      g_clear_error (&error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/matrix/new", test_new);
  g_test_add_func ("/matrix/bad-shapes", test_bad_shapes);
  g_test_add_func ("/matrix/head", test_head);
  g_test_add_func ("/matrix/norm-range", test_norm_range);
  g_test_add_func ("/matrix/finite", test_finite);
  g_test_add_func ("/context/prepare-paper", test_prepare_paper);
  g_test_add_func ("/context/prepare-none-and-centre", test_prepare_none_and_centre);
  g_test_add_func ("/context/prepare-bad", test_prepare_bad);
  g_test_add_func ("/context/synthetic", test_synthetic);

  return g_test_run ();
}

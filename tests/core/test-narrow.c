/* Products of a few rows with a tall matrix, against sums in double precision. */
#include "test-util.h"
#include "ww-narrow.h"

static const gsize shapes[][2] = {
  { 1, 1 }, { 1, 17 }, { 2, 16 }, { 3, 15 }, { 7, 33 }, { 8, 48 }, { 16, 100 }, { 45, 64 }, { 49, 5 }
};

static float *
make_numbers (gsize count, guint32 trial)
{
  float *numbers = g_new (float, MAX (count, 1));

  ww_random_normal_f (5, WW_PURPOSE_DIRECTION, trial, 0, count, 1, numbers);
  return numbers;
}

static void
test_multiply_transposed (void)
{
  for (gsize s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (gsize rows = 1; rows <= WW_NARROW_ROWS + 1; rows++)
      {
        gsize height = shapes[s][0], width = shapes[s][1], stride = height + 3;
        g_autofree float *a = make_numbers (rows * width, 1), *b = make_numbers (height * width, 2);
        g_autofree float *ret = g_new (float, rows * stride);

        for (gsize k = 0; k < rows * stride; k++)
          ret[k] = 77;
        ww_narrow_multiply_transposed (rows, height, width, a, b, ret, stride);
        for (gsize r = 0; r < rows; r++)
          {
            for (gsize j = 0; j < height; j++)
              {
                double sum = 0;

                for (gsize k = 0; k < width; k++)
                  sum += (double) a[r * width + k] * b[j * width + k];
                g_assert_cmpfloat (fabs (ret[r * stride + j] - sum), <, 2e-6 * width);
              }
            for (gsize j = height; j < stride; j++)
              g_assert_cmpfloat (ret[r * stride + j], ==, 77);
          }
      }
}

static void
test_multiply (void)
{
  for (gsize s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (gsize rows = 1; rows <= WW_NARROW_ROWS + 1; rows++)
      for (int add = 0; add < 2; add++)
        {
          gsize height = shapes[s][0], width = shapes[s][1], stride = height + 2;
          g_autofree float *a = make_numbers (rows * stride, 1);
          g_autofree float *b = make_numbers (height * width, 2);
          g_autofree float *before = make_numbers (rows * width, 3);
          g_autofree float *ret = g_memdup2 (before, rows * width * sizeof (float));

          ww_narrow_multiply (rows, height, width, a, stride, b, add, ret);
          for (gsize r = 0; r < rows; r++)
            for (gsize k = 0; k < width; k++)
              {
                double sum = add ? before[r * width + k] : 0;

                for (gsize j = 0; j < height; j++)
                  sum += (double) a[r * stride + j] * b[j * width + k];
                g_assert_cmpfloat (fabs (ret[r * width + k] - sum), <, 2e-6 * (height + 1));
              }
        }
}

/* What a row gets does not depend on how many others go with it. */
static void
test_rows_alone (void)
{
  gsize height = 37, width = 50;
  g_autofree float *a = make_numbers (8 * width, 1), *b = make_numbers (height * width, 2);
  float together[8 * 37], alone[37];

  ww_narrow_multiply_transposed (8, height, width, a, b, together, height);
  for (gsize r = 0; r < 8; r++)
    {
      ww_narrow_multiply_transposed (1, height, width, a + r * width, b, alone, height);
      g_assert_cmpmem (alone, sizeof alone, together + r * height, sizeof alone);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/narrow/multiply-transposed", test_multiply_transposed);
  g_test_add_func ("/narrow/multiply", test_multiply);
  g_test_add_func ("/narrow/rows-alone", test_rows_alone);

  return g_test_run ();
}

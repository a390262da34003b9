#include <stdlib.h>

#include <Random123/philox.h>

#include "test-util.h"

#include "ww-core.h"

/* The known answers that come with Random123 for ten rounds. */
static void
test_known_answers (void)
{
  static const struct
  {
    philox4x32_ctr_t counter;
    philox4x32_key_t key;
    philox4x32_ctr_t answer;
  } known[] = {
    { { { 0, 0, 0, 0 } }, { { 0, 0 } },
      { { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } } },
    { { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff } }, { { 0xffffffff, 0xffffffff } },
      { { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } } },
    { { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 } }, { { 0xa4093822, 0x299f31d0 } },
      { { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (known); i++)
    {
      philox4x32_ctr_t words = philox4x32 (known[i].counter, known[i].key);

      for (int w = 0; w < 4; w++)
        g_assert_cmphex (words.v[w], ==, known[i].answer.v[w]);
    }
}

/* Normals are Box-Muller of Random123's own words, by the maths library, to 1e-14: this checks our words,
 * logarithm, sine and cosine at once. The words swept are those of some thousand blocks. */
static void
test_box_muller (void)
{
  for (guint64 seed = 0; seed < 3; seed++)
    for (guint64 block = 0; block < 20000; block++)
      {
        guint64 place = block + (seed << 40);
        philox4x32_key_t key = { { (guint32) (seed * 77), (guint32) seed } };
        philox4x32_ctr_t counter = { { (guint32) place, (guint32) (place >> 32), 5, WW_PURPOSE_V } };
        philox4x32_ctr_t words = philox4x32 (counter, key);
        double normals[4];

        ww_random_normal (seed << 32 | seed * 77, WW_PURPOSE_V, 5, 4 * place, 4, 1, normals);
        for (int pair = 0; pair < 2; pair++)
          {
            double uniform = ((double) words.v[2 * pair] + 0.5) / 0x1p32;
            double squared = -2 * log (uniform);
            double angle = 2 * G_PI * ((double) words.v[2 * pair + 1] / 0x1p32);
            double x = normals[2 * pair], y = normals[2 * pair + 1];

            g_assert_cmpfloat (fabs (x - sqrt (squared) * cos (angle)), <, 1e-14);
            g_assert_cmpfloat (fabs (y - sqrt (squared) * sin (angle)), <, 1e-14);
            g_assert_cmpfloat (fabs ((x * x + y * y) / squared - 1), <, 1e-14);
          }
      }
}

/* The frozen list: what a seed means can never change silently. */
static void
test_frozen (void)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "reference", "normals.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  guint checked = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, " ", -1);
      double normals[4];

      if (**line == '#' || **line == '\0')
        continue;

      g_assert_cmpuint (g_strv_length (fields), ==, 8);
      ww_random_normal (g_ascii_strtoull (fields[0], NULL, 10),
                        (WwPurpose) g_ascii_strtoull (fields[1], NULL, 10),
                        (guint32) g_ascii_strtoull (fields[2], NULL, 10),
                        g_ascii_strtoull (fields[3], NULL, 10), 4, 1, normals);
      for (int i = 0; i < 4; i++)
        g_assert_cmpfloat (normals[i], ==, g_ascii_strtod (fields[4 + i], NULL));
      checked++;
    }

  g_assert_cmpuint (checked, ==, 108);
}

static void
test_chunks (void)
{
  const gsize total = 3000;
  const guint64 begin = G_GUINT64_CONSTANT (0x3fffffffa); /* the block number passes 2^32 on the way */
  g_autofree double *whole = g_new (double, total);
  g_autofree double *pieces = g_new (double, total);
  g_autofree float *single = g_new (float, total);

  ww_random_normal (9, WW_PURPOSE_W, 2, begin, total, 0.25, whole);

  for (gsize length = 1; length < 700; length = length * 2 + 1)
    {
      memset (pieces, 0, total * sizeof (double));
      for (gsize first = 0; first < total; first += length)
        ww_random_normal (9, WW_PURPOSE_W, 2, begin + first, MIN (length, total - first), 0.25,
                          pieces + first);
      g_assert_cmpmem (whole, total * sizeof (double), pieces, total * sizeof (double));

      for (gsize first = 0; first < total; first += length)
        ww_random_normal_f (9, WW_PURPOSE_W, 2, begin + first, MIN (length, total - first), 0.25,
                            single + first);
      for (gsize i = 0; i < total; i++)
        g_assert_cmpfloat (single[i], ==, (float) whole[i]);
    }

  ww_random_normal (9, WW_PURPOSE_W, 2, begin, 0, 1, NULL);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static void
test_distribution (void)
{
  const gsize count = 1 << 20;
  g_autofree double *z = g_new (double, count);
  double moment[5] = { 0 }, neighbours = 0, pairs = 0, largest = 0;

  ww_random_normal (2024, WW_PURPOSE_CONTEXT, 0, 0, count, 1, z);
  for (gsize i = 0; i < count; i++)
    {
      double power = 1;

      for (int m = 1; m <= 4; m++)
        moment[m] += (power *= z[i]) / (double) count;
      if (i + 1 < count)
        neighbours += z[i] * z[i + 1] / (double) count;
      if (i % 2 == 0) /* the two of one pair share a radius: squares must not show it */
        pairs += (z[i] * z[i] - 1) * (z[i + 1] * z[i + 1] - 1) / (double) (count / 2);
    }

  /* Five standard deviations of each mean. */
  double root = 1 / sqrt ((double) count);
  g_assert_cmpfloat (fabs (moment[1]), <, 5 * root);
  g_assert_cmpfloat (fabs (moment[2] - 1), <, 5 * root * sqrt (2));
  g_assert_cmpfloat (fabs (moment[3]), <, 5 * root * sqrt (15));
  g_assert_cmpfloat (fabs (moment[4] - 3), <, 5 * root * sqrt (96));
  g_assert_cmpfloat (fabs (neighbours), <, 5 * root);
  g_assert_cmpfloat (fabs (pairs), <, 5 * root * sqrt (2) * 2);

  /* Kolmogorov and Smirnov against the normal distribution; 1.95 is exceeded once in a thousand. */
  qsort (z, count, sizeof (double), compare_doubles);
  for (gsize i = 0; i < count; i++)
    {
      double expected = 0.5 * erfc (-z[i] / sqrt (2));

      largest = MAX (largest, fabs (expected - (double) i / (double) count));
      largest = MAX (largest, fabs (expected - (double) (i + 1) / (double) count));
    }
  g_assert_cmpfloat (largest * sqrt ((double) count), <, 1.95);
  g_assert_cmpfloat (z[count - 1], <, 6.77); /* the largest radius that 33 bits give */
  g_assert_cmpfloat (z[count - 1], >, 4);
}

static double
correlation (const double *a, const double *b, gsize count)
{
  double sum = 0;

  for (gsize i = 0; i < count; i++)
    sum += a[i] * b[i] / (double) count;
  return sum;
}

static void
test_streams_differ (void)
{
  enum { COUNT = 40000 };
  g_autofree double *base = g_new (double, COUNT);
  g_autofree double *other = g_new (double, COUNT);
  double limit = 5 / sqrt (COUNT);

  ww_random_normal (1, WW_PURPOSE_W, 0, 0, COUNT, 1, base);
  g_assert_cmpfloat (fabs (correlation (base, base, COUNT) - 1), <, 5 * sqrt (2.0 / COUNT));

  for (int purpose = WW_PURPOSE_V; purpose <= WW_PURPOSE_DIRECTION; purpose++)
    {
      ww_random_normal (1, (WwPurpose) purpose, 0, 0, COUNT, 1, other);
      g_assert_cmpfloat (fabs (correlation (base, other, COUNT)), <, limit);
    }
  ww_random_normal (1, WW_PURPOSE_W, 1, 0, COUNT, 1, other);
  g_assert_cmpfloat (fabs (correlation (base, other, COUNT)), <, limit);
  ww_random_normal (2, WW_PURPOSE_W, 0, 0, COUNT, 1, other);
  g_assert_cmpfloat (fabs (correlation (base, other, COUNT)), <, limit);
  ww_random_normal (G_GUINT64_CONSTANT (1) << 32 | 1, WW_PURPOSE_W, 0, 0, COUNT, 1, other);
  g_assert_cmpfloat (fabs (correlation (base, other, COUNT)), <, limit);
  ww_random_normal (1, WW_PURPOSE_W, 0, COUNT, COUNT, 1, other);
  g_assert_cmpfloat (fabs (correlation (base, other, COUNT)), <, limit);
}

static void
test_weights (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) w = ww_random_w (64, 3, 1, &error);
  g_autoptr (WwMatrix) v = ww_random_v (100, 5, 8, 3, 1, &error);
  double expected[4096];

  g_assert_no_error (error);
  ww_random_normal (3, WW_PURPOSE_W, 1, 0, 4096, 1 / sqrt (64), expected);
  g_assert_cmpmem (w->data, sizeof expected, expected, sizeof expected);
  g_assert_cmpfloat (fabs (ww_matrix_norm (w) - 8), <, 0.5);

  /* Larger than what is drawn between two looks at a cancel flag. */
  g_autoptr (WwMatrix) large = ww_random_w (800, 3, 1, &error);
  ww_random_normal (3, WW_PURPOSE_W, 1, 524287, 3, 1 / sqrt (800), expected);
  g_assert_cmpmem (large->data + 524287, 3 * sizeof (double), expected, 3 * sizeof (double));

  g_assert_cmpuint (v->rows, ==, 100);
  g_assert_cmpuint (v->cols, ==, 40);
  ww_random_normal (3, WW_PURPOSE_V, 1, 41, 1, 1 / sqrt (40), expected);
  g_assert_cmpfloat (v->data[41], ==, expected[0]);
  g_assert_cmpfloat (fabs (ww_matrix_norm (v) - 10), <, 0.6);
}

static void
test_weights_bad (void)
{
  static const gsize bad[][3] = {
    { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 }, { WW_MAX_FEATURES + 1, 1, 1 }, { 1, WW_MAX_ROWS + 1, 1 },
    { 1, 1, WW_MAX_DIMS + 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwMatrix) v = ww_random_v (bad[i][0], bad[i][1], bad[i][2], 1, 0, &error);

      g_assert_null (v);
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
    }

  g_autoptr (GError) error = NULL;
  g_assert_null (ww_random_w (0, 1, 0, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
}

static void
test_direction (void)
{
  for (gsize d = 1; d < 300; d += 37)
    {
      g_autofree double *a = g_new (double, d);
      g_autofree double *b = g_new (double, d);

      ww_random_direction (d, 4, 0, a);
      ww_random_direction (d, 4, 1, b);
      g_assert_cmpfloat (fabs (test_norm (a, d) - 1), <, 1e-12);
      if (d > 1)
        g_assert_cmpfloat (fabs (correlation (a, b, d) * (double) d), <, 0.9);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/random/known-answers", test_known_answers);
  g_test_add_func ("/random/box-muller", test_box_muller);
  g_test_add_func ("/random/frozen", test_frozen);
  g_test_add_func ("/random/chunks", test_chunks);
  g_test_add_func ("/random/distribution", test_distribution);
  g_test_add_func ("/random/streams-differ", test_streams_differ);
  g_test_add_func ("/random/weights", test_weights);
  g_test_add_func ("/random/weights-bad", test_weights_bad);
  g_test_add_func ("/random/direction", test_direction);

  return g_test_run ();
}

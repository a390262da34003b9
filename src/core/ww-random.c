#include "ww-random.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include <Random123/philox.h>

#include "ww-private.h"

/* Blocks are made in batches whose arrays stay in the first-level cache, one plain loop per step, so
 * that the compiler can put neighbouring blocks side by side in vector registers. */
#define BATCH_BLOCKS 32
#define BLOCK_NORMALS 4
#define BATCH_NORMALS (BATCH_BLOCKS * BLOCK_NORMALS)
/* Normals between two looks at a cancel flag: about a millisecond. */
#define POLL_NORMALS 524288

typedef struct
{
  guint32 word[BLOCK_NORMALS][BATCH_BLOCKS];
} WordBatch;

typedef struct
{
  double normal[BLOCK_NORMALS][BATCH_BLOCKS];
} NormalBatch;

static inline guint64
bits_of (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

static inline double
double_of (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

/* An integer below 2^52 as a double: with the exponent of 2^52 the mantissa is the integer itself. One
 * OR and one subtraction on any vector unit, where a conversion of 64-bit integers is rare. */
static inline double
small_integer (guint64 value)
{
  return double_of (value | G_GUINT64_CONSTANT (0x4330000000000000)) - 0x1p52;
}

/* log ((2 word + 1) / 2^33) for a 32-bit word; exact argument, never 0 or 1.
 *
 * The odd integer is m 2^k with m in [sqrt (1/2), sqrt 2) and log m = 2 artanh (s), s = (m-1)/(m+1),
 * |s| < 0.1716: the power series up to s^21 leaves less than 1e-18. */
static inline double
log_uniform (guint32 word)
{
  const guint64 sqrt_half = G_GUINT64_CONSTANT (0x3fe6a09e667f3bcd);
  const double ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
  guint64 bits = bits_of (small_integer (2 * (guint64) word + 1));
  guint64 k = (bits - sqrt_half) >> 52;
  double exponent = small_integer (k) - 33;
  double m = double_of (bits - (k << 52));
  double s = (m - 1) / (m + 1);
  double q = s * s;
  double tail = 1.0 / 21;

  tail = tail * q + 1.0 / 19;
  tail = tail * q + 1.0 / 17;
  tail = tail * q + 1.0 / 15;
  tail = tail * q + 1.0 / 13;
  tail = tail * q + 1.0 / 11;
  tail = tail * q + 1.0 / 9;
  tail = tail * q + 1.0 / 7;
  tail = tail * q + 1.0 / 5;
  tail = tail * q + 1.0 / 3;
  s = 2 * s;

  return exponent * ln2_high + (s + (s * (q * tail) + exponent * ln2_low));
}

/* Cosine and sine of 2 pi word / 2^32. The quarter turn nearest to the angle is removed in integer
 * arithmetic, without rounding; Taylor series on [-pi/4, pi/4] up to x^16 leave less than 1e-16. */
static inline void
turn (guint32 word, double *ret_cos, double *ret_sin)
{
  guint32 quarter = (word + 0x20000000u) >> 30;
  gint32 rest = (gint32) (word - (quarter << 30));
  double x = (double) rest * 0x1.921fb54442d18p-30; /* 2 pi / 2^32 */
  double q = x * x;
  double c = 1.0 / 20922789888000, s = -1.0 / 1307674368000;
  guint64 swap = -(guint64) (quarter & 1);
  guint64 flip_cos = (guint64) ((quarter + 1) & 2) << 62, flip_sin = (guint64) (quarter & 2) << 62;
  guint64 cos_bits, sin_bits, mix;

  c = c * q - 1.0 / 87178291200;
  c = c * q + 1.0 / 479001600;
  c = c * q - 1.0 / 3628800;
  c = c * q + 1.0 / 40320;
  c = c * q - 1.0 / 720;
  c = c * q + 1.0 / 24;
  c = 1 - (q * 0.5 - q * q * c);

  s = s * q + 1.0 / 6227020800;
  s = s * q - 1.0 / 39916800;
  s = s * q + 1.0 / 362880;
  s = s * q - 1.0 / 5040;
  s = s * q + 1.0 / 120;
  s = s * q - 1.0 / 6;
  s = x + x * (q * s);

  cos_bits = bits_of (c);
  sin_bits = bits_of (s);
  mix = (cos_bits ^ sin_bits) & swap;
  *ret_cos = double_of ((cos_bits ^ mix) ^ flip_cos);
  *ret_sin = double_of ((sin_bits ^ mix) ^ flip_sin);
}

/* The Philox 4x32-10 words of BATCH_BLOCKS blocks from number `block` on. Constants and definition are
 * those of Random123 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011); its own
 * function takes one block at a time, which no compiler here spreads over vector lanes. */
static inline void
philox_batch (guint64 seed, WwPurpose purpose, guint32 trial, guint64 block, WordBatch *ret)
{
  for (guint b = 0; b < BATCH_BLOCKS; b++)
    {
      guint64 number = block + b;
      guint32 w0 = (guint32) number, w1 = (guint32) (number >> 32), w2 = trial, w3 = purpose;
      guint32 key0 = (guint32) seed, key1 = (guint32) (seed >> 32);

      for (guint round = 0; round < philox4x32_rounds; round++)
        {
          guint64 product0 = (guint64) w0 * PHILOX_M4x32_0;
          guint64 product1 = (guint64) w2 * PHILOX_M4x32_1;

          w0 = (guint32) (product1 >> 32) ^ w1 ^ key0;
          w2 = (guint32) (product0 >> 32) ^ w3 ^ key1;
          w1 = (guint32) product1;
          w3 = (guint32) product0;
          key0 += PHILOX_W32_0;
          key1 += PHILOX_W32_1;
        }

      ret->word[0][b] = w0;
      ret->word[1][b] = w1;
      ret->word[2][b] = w2;
      ret->word[3][b] = w3;
    }
}

/* BATCH_BLOCKS blocks of normals from block number `block` on: two Box-Muller pairs per block, words 0
 * and 2 giving the radius, words 1 and 3 the angle. */
WW_WIDEST_REGISTERS static void
make_batch (guint64 seed, WwPurpose purpose, guint32 trial, guint64 block, double scale,
            double *ret /* BATCH_NORMALS */)
{
  WordBatch words;
  NormalBatch normals;

  philox_batch (seed, purpose, trial, block, &words);

  for (guint pair = 0; pair < BLOCK_NORMALS; pair += 2)
    for (guint b = 0; b < BATCH_BLOCKS; b++)
      {
        double radius = sqrt (-2 * log_uniform (words.word[pair][b]));
        double c, s;

        turn (words.word[pair + 1][b], &c, &s);
        normals.normal[pair][b] = radius * c * scale;
        normals.normal[pair + 1][b] = radius * s * scale;
      }

  for (guint b = 0; b < BATCH_BLOCKS; b++)
    {
      ret[BLOCK_NORMALS * b] = normals.normal[0][b];
      ret[BLOCK_NORMALS * b + 1] = normals.normal[1][b];
      ret[BLOCK_NORMALS * b + 2] = normals.normal[2][b];
      ret[BLOCK_NORMALS * b + 3] = normals.normal[3][b];
    }
}

void
ww_random_normal (guint64 seed, WwPurpose purpose, guint32 trial, guint64 first, gsize count,
                  double scale, double *ret)
{
  g_return_if_fail (ret != NULL || count == 0);

  while (count > 0)
    {
      guint64 block = first / BLOCK_NORMALS;
      gsize skip = first % BLOCK_NORMALS;
      gsize take = MIN (count, BATCH_NORMALS - skip);
      double batch[BATCH_NORMALS];

      if (take == BATCH_NORMALS)
        {
          make_batch (seed, purpose, trial, block, scale, ret);
        }
      else
        {
          make_batch (seed, purpose, trial, block, scale, batch);
          memcpy (ret, batch + skip, take * sizeof (double));
        }

      first += take;
      count -= take;
      ret += take;
    }
}

void
ww_random_normal_f (guint64 seed, WwPurpose purpose, guint32 trial, guint64 first, gsize count,
                    double scale, float *ret)
{
  g_return_if_fail (ret != NULL || count == 0);

  while (count > 0)
    {
      gsize skip = first % BLOCK_NORMALS;
      gsize take = MIN (count, BATCH_NORMALS - skip);
      double batch[BATCH_NORMALS];

      make_batch (seed, purpose, trial, first / BLOCK_NORMALS, scale, batch);
      for (gsize i = 0; i < take; i++)
        ret[i] = (float) batch[skip + i];

      first += take;
      count -= take;
      ret += take;
    }
}

static gboolean
check_dims (gsize d, GError **error)
{
  if (d > 0 && d <= WW_MAX_DIMS)
    return TRUE;

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
               _("Weights need 1 to %d dimensions, not %zu"), WW_MAX_DIMS, d);
  return FALSE;
}

WwMatrix *
ww_random_w_cancellable (gsize d, guint64 seed, guint32 trial, const WwCancel *cancel, GError **error)
{
  g_autoptr (WwMatrix) w = NULL;

  if (!check_dims (d, error))
    return NULL;

  w = ww_matrix_new (d, d, error);
  if (w == NULL)
    return NULL;

  for (gsize first = 0; first < d * d; first += POLL_NORMALS)
    {
      if (ww_cancel_check (cancel, error))
        return NULL;
      ww_random_normal (seed, WW_PURPOSE_W, trial, first, MIN (POLL_NORMALS, d * d - first),
                        1 / sqrt ((double) d), w->data + first);
    }

  return g_steal_pointer (&w);
}

WwMatrix *
ww_random_w (gsize d, guint64 seed, guint32 trial, GError **error)
{
  return ww_random_w_cancellable (d, seed, trial, NULL, error);
}

WwMatrix *
ww_random_v (gsize k, gsize n, gsize d, guint64 seed, guint32 trial, GError **error)
{
  WwMatrix *v;
  gsize cols;

  if (!check_dims (d, error))
    return NULL;

  if (k == 0 || k > WW_MAX_FEATURES || n == 0 || n > WW_MAX_ROWS || !g_size_checked_mul (&cols, n, d))
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("RF weights need 1 to %d features and 1 to %d tokens, not %zu and %zu"),
                   WW_MAX_FEATURES, WW_MAX_ROWS, k, n);
      return NULL;
    }

  v = ww_matrix_new (k, cols, error);
  if (v != NULL)
    ww_random_normal (seed, WW_PURPOSE_V, trial, 0, k * cols, 1 / sqrt ((double) cols), v->data);

  return v;
}

void
ww_random_direction (gsize d, guint64 seed, guint32 trial, double *ret)
{
  double sum = 0, norm;

  g_return_if_fail (d > 0 && ret != NULL);

  ww_random_normal (seed, WW_PURPOSE_DIRECTION, trial, 0, d, 1, ret);
  for (gsize i = 0; i < d; i++)
    sum += ret[i] * ret[i];

  /* Only d = 1 can hit the exact zero of the sine. */
  norm = sqrt (sum);
  for (gsize i = 0; i < d; i++)
    ret[i] = norm > 0 ? ret[i] / norm : 1;
}

#include "ww-narrow.h"

#include <string.h>

#include "ww-private.h"

/* Sixteen lanes whatever the machine has: wider registers hold them in fewer pieces, and the order of
 * all sums is the same everywhere. */
#define LANES 16
typedef float Lanes __attribute__ ((vector_size (4 * LANES), aligned (4)));
typedef float Eight __attribute__ ((vector_size (32)));
typedef float Four __attribute__ ((vector_size (16)));

/* Products that are summed side by side, so that each load serves several. */
#define TILE 8

/* Rows of `b` that are added at a time, so that the sum is loaded and stored less often. */
#define SPAN 8

#define INSIDE static inline __attribute__ ((always_inline))

/* Not functions, since how wide vectors are handed over depends on the target. */
#define LOAD(x) (*(const Lanes *) (x))

INSIDE float
sum_lanes (const Lanes *lanes)
{
  Lanes x = *lanes;

  Eight eight = __builtin_shufflevector (x, x, 0, 1, 2, 3, 4, 5, 6, 7)
                + __builtin_shufflevector (x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  Four four = __builtin_shufflevector (eight, eight, 0, 1, 2, 3)
              + __builtin_shufflevector (eight, eight, 4, 5, 6, 7);

  return (four[0] + four[2]) + (four[1] + four[3]);
}

/* `tall` rows of b by `wide` rows of a, tall x wide = TILE, both known where this is compiled. */
INSIDE void
multiply_tile (gsize width, gsize tall, gsize wide, const float *const *a, const float *const *b,
               float ret[TILE])
{
  Lanes sum[TILE] = { 0 };
  gsize k = 0;

  for (; k + LANES <= width; k += LANES)
    for (gsize l = 0; l < tall; l++)
      {
        Lanes x = LOAD (b[l] + k);

        for (gsize c = 0; c < wide; c++)
          sum[l * wide + c] += x * LOAD (a[c] + k);
      }
  for (gsize t = 0; t < TILE; t++)
    ret[t] = sum_lanes (&sum[t]);
  for (; k < width; k++)
    for (gsize l = 0; l < tall; l++)
      for (gsize c = 0; c < wide; c++)
        ret[l * wide + c] += b[l][k] * a[c][k];
}

/* All products by tiles. Beyond the last row of either matrix that row is taken once more, and what
 * comes of it is dropped. */
INSIDE void
multiply_tiles (gsize tall, gsize wide, gsize rows, gsize height, gsize width, const float *a,
                const float *b, float *ret, gsize stride)
{
  for (gsize j = 0; j < height; j += tall)
    {
      const float *b_rows[TILE], *a_rows[TILE];

      for (gsize l = 0; l < tall; l++)
        b_rows[l] = b + MIN (j + l, height - 1) * width;
      for (gsize first = 0; first < rows; first += wide)
        {
          float products[TILE];

          for (gsize c = 0; c < wide; c++)
            a_rows[c] = a + MIN (first + c, rows - 1) * width;
          multiply_tile (width, tall, wide, a_rows, b_rows, products);
          for (gsize c = 0; c < wide && first + c < rows; c++)
            for (gsize l = 0; l < tall && j + l < height; l++)
              ret[(first + c) * stride + j + l] = products[l * wide + c];
        }
    }
}

WW_WIDEST_REGISTERS void
ww_narrow_multiply_transposed (gsize rows, gsize height, gsize width, const float *a,
                               const float *b, float *ret, gsize stride)
{
  if (rows == 1)
    multiply_tiles (8, 1, rows, height, width, a, b, ret, stride);
  else if (rows == 2)
    multiply_tiles (4, 2, rows, height, width, a, b, ret, stride);
  else
    multiply_tiles (2, 4, rows, height, width, a, b, ret, stride);
}

/* ret += the sum over SPAN rows of b of factor times row. */
INSIDE void
add_span (gsize width, const float factors[SPAN], const float *const b[SPAN], float *ret)
{
  gsize k = 0;

  for (; k + LANES <= width; k += LANES)
    {
      Lanes even = LOAD (ret + k), odd = factors[1] * LOAD (b[1] + k);

      even += factors[0] * LOAD (b[0] + k);
      for (gsize l = 2; l < SPAN; l += 2)
        {
          even += factors[l] * LOAD (b[l] + k);
          odd += factors[l + 1] * LOAD (b[l + 1] + k);
        }
      *(Lanes *) (ret + k) = even + odd;
    }
  for (; k < width; k++)
    for (gsize l = 0; l < SPAN; l++)
      ret[k] += factors[l] * b[l][k];
}

WW_WIDEST_REGISTERS void
ww_narrow_multiply (gsize rows, gsize height, gsize width, const float *a, gsize stride,
                    const float *b, gboolean add, float *ret)
{
  if (!add)
    memset (ret, 0, rows * width * sizeof (float));

  for (gsize j = 0; j < height; j += SPAN)
    {
      const float *span[SPAN];

      /* Beyond the last row, the last row with factor zero. */
      for (gsize l = 0; l < SPAN; l++)
        span[l] = b + MIN (j + l, height - 1) * width;
      for (gsize c = 0; c < rows; c++)
        {
          float factors[SPAN];

          for (gsize l = 0; l < SPAN; l++)
            factors[l] = j + l < height ? a[c * stride + j + l] : 0;
          add_span (width, factors, span, ret + c * width);
        }
    }
}

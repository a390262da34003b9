#include "ww-narrow.h"

#include <string.h>

#include "ww-private.h"

/* Sixteen lanes whatever the machine has: wider registers hold them in fewer pieces, and the order of
 * all sums is the same everywhere. */
#define LANES 16
typedef float Lanes __attribute__ ((vector_size (4 * LANES), aligned (4)));
typedef float Eight __attribute__ ((vector_size (32)));
typedef float Four __attribute__ ((vector_size (16)));

/* Rows of `a` that are taken together, so that a row of `b` is loaded once for all of them. */
#define GROUP 4

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

/* Two rows of b (which may be the same) by a group of rows of a. */
INSIDE void
multiply_pair (gsize width, const float *const a[GROUP], const float *b0, const float *b1,
               float ret[2 * GROUP])
{
  Lanes sum[2 * GROUP] = { 0 };
  gsize k = 0;

  for (; k + LANES <= width; k += LANES)
    {
      Lanes x = LOAD (b0 + k), y = LOAD (b1 + k);

      for (gsize c = 0; c < GROUP; c++)
        {
          Lanes z = LOAD (a[c] + k);

          sum[c] += x * z;
          sum[GROUP + c] += y * z;
        }
    }
  for (gsize c = 0; c < GROUP; c++)
    {
      ret[c] = sum_lanes (&sum[c]);
      ret[GROUP + c] = sum_lanes (&sum[GROUP + c]);
    }
  for (; k < width; k++)
    for (gsize c = 0; c < GROUP; c++)
      {
        ret[c] += b0[k] * a[c][k];
        ret[GROUP + c] += b1[k] * a[c][k];
      }
}

WW_WIDEST_REGISTERS void
ww_narrow_multiply_transposed (gsize rows, gsize height, gsize width, const float *a,
                               const float *b, float *ret, gsize stride)
{
  for (gsize j = 0; j < height; j += 2)
    {
      const float *b0 = b + j * width, *b1 = j + 1 < height ? b0 + width : b0;

      for (gsize first = 0; first < rows; first += GROUP)
        {
          const float *group[GROUP];
          float products[2 * GROUP];

          /* Beyond the last row, the last row once more: its results are dropped. */
          for (gsize c = 0; c < GROUP; c++)
            group[c] = a + MIN (first + c, rows - 1) * width;
          multiply_pair (width, group, b0, b1, products);
          for (gsize c = 0; c < GROUP && first + c < rows; c++)
            {
              ret[(first + c) * stride + j] = products[c];
              if (j + 1 < height)
                ret[(first + c) * stride + j + 1] = products[GROUP + c];
            }
        }
    }
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

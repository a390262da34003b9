#include "ww-attention-kernels.h"

#include <math.h>

#include "ww-private.h"

#if defined (__GNUC__) && !defined (__clang__)
/* Nobody reads the floating-point exception flags; minding them keeps choices like relu scalar. */
#pragma GCC optimize ("no-trapping-math")
#endif

/* Small functions must be inside the loops for these to become vector code, in each clone. */
#define INSIDE static inline __attribute__ ((always_inline))

/* exp (x) = 2^k exp (r), k = round (x / ln 2), |r| <= ln 2 / 2 = 0.3466: the Taylor polynomial of
 * degree 7 leaves r^8 / 8! = 5e-9, a tenth of the rounding of a float. ln 2 comes in two parts of
 * which k times the first is exact; adding and subtracting 1.5 2^23 rounds to an integer. */
INSIDE float
exp_f (float x)
{
  union
  {
    gint32 bits;
    float value;
  } power;

  x = x > 87 ? 87 : x;
  x = x < -87 ? -87 : x;
  float k = (x * 1.44269504f + 12582912.0f) - 12582912.0f;
  float r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
  float sum = 1 / 5040.0f;
  sum = sum * r + 1 / 720.0f;
  sum = sum * r + 1 / 120.0f;
  sum = sum * r + 1 / 24.0f;
  sum = sum * r + 1 / 6.0f;
  sum = sum * r + 0.5f;
  sum = sum * r + 1;
  sum = sum * r + 1;
  power.bits = ((gint32) k + 127) << 23;
  return sum * power.value;
}

/* The polish is bound by its matrix products: the library's exp is fast enough. */
INSIDE double
exp_d (double x)
{
  return exp (x);
}

#define REAL float
#define NAME(stem) stem##_f
#define SQRT sqrtf
#define FABS fabsf
#define TINY 1e-36f
#include "ww-attention-kernels-template.h"
#undef REAL
#undef NAME
#undef SQRT
#undef FABS
#undef TINY

#define REAL double
#define NAME(stem) stem##_d
#define SQRT sqrt
#define FABS fabs
#define TINY 1e-280
#include "ww-attention-kernels-template.h"

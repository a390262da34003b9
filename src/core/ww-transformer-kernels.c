#include "ww-transformer-kernels.h"

#include <math.h>

#include "ww-attention-kernels.h"
#include "ww-private.h"

#if defined (__GNUC__) && !defined (__clang__)
/* Nobody reads the floating-point exception flags; minding them keeps choices scalar. */
#pragma GCC optimize ("no-trapping-math")
#endif

#define LANES WW_TRANSFORMER_LANES
/* Values between two calls of exp: the scratch of a piece stays in the first-level cache. */
#define PIECE 1024

/* Phi (-t) = exp (-t R (t)) / 2 for t >= 0, where R (t) = -log (erfc (t / sqrt 2)) / t is smooth:
 * these are the coefficients, from t^0 on, of the polynomial of degree 10 that agrees with R at the
 * Chebyshev nodes of [0, 6]. In single precision Phi is within 3e-8 of the truth; beyond 6 R is held at
 * its value there, and Phi, at most 1e-9, decays on. */
static const float tail[] = {
  0.7978845834732056f,     0.3183092772960663f,     0.03633906692266464f,   -0.004788062535226345f,
  -3.62842038157396e-05f,  0.00022142508532851934f, -6.553106504725292e-05f, 1.1063281817769166e-05f,
  -1.1631900633801706e-06f, 7.082147135406558e-08f, -1.9101049630876332e-09f,
};

WW_WIDEST_REGISTERS static void
gelu_exponents (gsize count, const float *restrict x, float *restrict ret)
{
  for (gsize i = 0; i < count; i++)
    {
      float t = fabsf (x[i]);
      float near = t > 6 ? 6 : t;
      float sum = tail[10];

      sum = sum * near + tail[9];
      sum = sum * near + tail[8];
      sum = sum * near + tail[7];
      sum = sum * near + tail[6];
      sum = sum * near + tail[5];
      sum = sum * near + tail[4];
      sum = sum * near + tail[3];
      sum = sum * near + tail[2];
      sum = sum * near + tail[1];
      sum = sum * near + tail[0];
      ret[i] = -t * sum;
    }
}

/* x Phi (x), from exp (-t R (t)) = 2 Phi (-|x|). */
WW_WIDEST_REGISTERS static void
gelu_finish (gsize count, const float *restrict powers, float *restrict x)
{
  for (gsize i = 0; i < count; i++)
    {
      float below = 0.5f * powers[i];

      x[i] *= x[i] < 0 ? below : 1 - below;
    }
}

/* x (1 + tanh u) / 2 = x / (1 + exp (-2 u)), u = sqrt (2 / pi) (x + 0.044715 x^3): the approximation of
 * Hendrycks & Gimpel, arXiv:1606.08415, section 2. */
WW_WIDEST_REGISTERS static void
gelu_tanh_exponents (gsize count, const float *restrict x, float *restrict ret)
{
  for (gsize i = 0; i < count; i++)
    ret[i] = -1.5957691216057308f * x[i] * (1 + 0.044715f * x[i] * x[i]);
}

WW_WIDEST_REGISTERS static void
gelu_tanh_finish (gsize count, const float *restrict powers, float *restrict x)
{
  for (gsize i = 0; i < count; i++)
    x[i] /= 1 + powers[i];
}

WW_WIDEST_REGISTERS static void
relu (gsize count, float *x)
{
  for (gsize i = 0; i < count; i++)
    x[i] = x[i] > 0 ? x[i] : 0;
}

WW_WIDEST_REGISTERS gboolean
ww_kernel_is_finite (gsize count, const float *values)
{
  const float largest_float = 3.40282347e38f;
  guint32 beyond = 0;

  /* A NaN is not within the bounds either. */
  for (gsize i = 0; i < count; i++)
    beyond |= !(fabsf (values[i]) <= largest_float);
  return beyond == 0;
}

void
ww_kernel_activate (WwActivation activation, gsize count, float *values)
{
  float scratch[PIECE];

  if (activation == WW_ACTIVATION_RELU)
    {
      relu (count, values);
      return;
    }

  for (gsize at = 0; at < count; at += PIECE)
    {
      gsize length = MIN (count - at, PIECE);

      if (activation == WW_ACTIVATION_GELU)
        gelu_exponents (length, values + at, scratch);
      else
        gelu_tanh_exponents (length, values + at, scratch);
      ww_kernel_exp_f (length, scratch, scratch);
      if (activation == WW_ACTIVATION_GELU)
        gelu_finish (length, scratch, values + at);
      else
        gelu_tanh_finish (length, scratch, values + at);
    }
}

WW_WIDEST_REGISTERS static float
largest (gsize count, const float *values)
{
  float lanes[LANES];
  float result;
  gsize i = 0;

  for (gsize k = 0; k < LANES; k++)
    lanes[k] = values[0];
  for (; i + LANES <= count; i += LANES)
    for (gsize k = 0; k < LANES; k++)
      lanes[k] = values[i + k] > lanes[k] ? values[i + k] : lanes[k];

  result = lanes[0];
  for (gsize k = 1; k < LANES; k++)
    result = MAX (result, lanes[k]);
  for (; i < count; i++)
    result = MAX (result, values[i]);
  return result;
}

WW_WIDEST_REGISTERS static void
subtract (gsize count, float what, float *values)
{
  for (gsize i = 0; i < count; i++)
    values[i] -= what;
}

WW_WIDEST_REGISTERS static void
scale (gsize count, float factor, float *values)
{
  for (gsize i = 0; i < count; i++)
    values[i] *= factor;
}

static inline __attribute__ ((always_inline)) float
sum_of_lanes (const float *lanes)
{
  float sum = 0;

  for (gsize k = 0; k < LANES; k++)
    sum += lanes[k];
  return sum;
}

WW_WIDEST_REGISTERS static float
sum (gsize count, const float *values)
{
  float lanes[LANES] = { 0 };
  float total = 0;
  gsize i = 0;

  for (; i + LANES <= count; i += LANES)
    for (gsize k = 0; k < LANES; k++)
      lanes[k] += values[i + k];
  for (; i < count; i++)
    total += values[i];
  return total + sum_of_lanes (lanes);
}

WW_WIDEST_REGISTERS static float
sum_of_squares (gsize count, float centre, const float *values)
{
  float lanes[LANES] = { 0 };
  float total = 0;
  gsize i = 0;

  for (; i + LANES <= count; i += LANES)
    for (gsize k = 0; k < LANES; k++)
      lanes[k] += (values[i + k] - centre) * (values[i + k] - centre);
  for (; i < count; i++)
    total += (values[i] - centre) * (values[i] - centre);
  return total + sum_of_lanes (lanes);
}

void
ww_kernel_softmax (gsize count, gsize seen, float *scores)
{
  subtract (seen, largest (seen, scores), scores);
  ww_kernel_exp_f (seen, scores, scores);
  scale (seen, 1 / sum (seen, scores), scores);
  for (gsize k = seen; k < count; k++)
    scores[k] = 0;
}

/* No restrict: both arrays may be one. The loop is elementwise, so the order does not matter. */
WW_WIDEST_REGISTERS static void
normalise (gsize d, float mean, float factor, const WwTransformerNorm *norm, const float *x, float *ret)
{
  const float *gain = norm->gain, *shift = norm->shift;

#pragma omp simd
  for (gsize c = 0; c < d; c++)
    ret[c] = (x[c] - mean) * factor * gain[c] + shift[c];
}

void
ww_kernel_layer_norm (gsize rows, gsize d, const WwTransformerNorm *norm, float epsilon,
                      const float *x, float *ret)
{
  for (gsize j = 0; j < rows; j++)
    {
      const float *row = x + j * d;
      float mean = sum (d, row) / (float) d;
      float variance = sum_of_squares (d, mean, row) / (float) d;

      normalise (d, mean, 1 / sqrtf (variance + epsilon), norm, row, ret + j * d);
    }
}

WW_WIDEST_REGISTERS void
ww_kernel_add_bias (gsize rows, gsize d, const float *restrict bias, float *restrict x)
{
  for (gsize j = 0; j < rows; j++)
    for (gsize c = 0; c < d; c++)
      x[j * d + c] += bias[c];
}

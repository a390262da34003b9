#include "ww-attention-problem.h"

#include <cblas.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-attention-kernels.h"
#include "ww-attention-private.h"
#include "ww-narrow.h"
#include "ww-private.h"

/* Largest number of multiplications between two looks at the cancel flag: some 5 ms of one core. */
#define BLOCK_WORK 1.5e8

/* Below this weight, a logarithm of weights or an average read off the output would lose digits, and
 * both are computed from the scores. */
#define SMALL_WEIGHT 1e-5

/* Rows of U and E that are multiplied at a time: what a second-level cache holds beside the nudges. */
#define BLOCK_BYTES ((gsize) 512 << 10)

/* Side of the squares in which a matrix is turned over. */
#define TILE 32

gsize
ww_attention_problem_choose_batch (const WwAttention *attention, gsize wanted)
{
  double n = attention->x->rows, d = attention->x->cols;

  return CLAMP (BLOCK_WORK / (8 * n * d + d * d), 1, CLAMP (wanted, 1, WW_ATTENTION_LARGEST_BATCH));
}

/* Row j without token i, in double precision from the old scores and features. */
typedef struct
{
  double base; /* softmax: log of the others' sum of exponentials; ReLU: their sum */
  double rest; /* the others' total weight, 1 - q unless the whole row is zero */
} Others;

static Others
summarise_others (const WwAttention *attention, gsize token, gsize j, double score, double q, double *room)
{
  Others others = { 0, 0 };

  if (attention->map == WW_MAP_RELU_RAF)
    {
      others.base = ww_attention_sum_others (attention, token, j, score, room);
      others.rest = others.base > 0 ? others.base / (others.base + MAX (score, 0)) : 0;
      return others;
    }

  if (q > SMALL_WEIGHT && q < 0.9)
    {
      others.rest = 1 - q;
      others.base = score - log (q / others.rest);
      return others;
    }

  others.base = ww_attention_sum_others (attention, token, j, score, room);
  others.rest = 1 / (1 + exp (score - others.base));
  return others;
}

/* E_j = x_i - a_j into ret_e (d values). From the features it is (x_i - o_j) / rest. */
static void
compute_offset (const WwAttention *attention, gsize token, gsize j, Others others, double *room,
                double *ret_e)
{
  gsize d = attention->x->cols;
  const double *x = attention->x->data + token * d, *o = attention->features->data + j * d;

  if (others.rest >= SMALL_WEIGHT)
    {
      double scale = 1 / others.rest;

      for (gsize k = 0; k < d; k++)
        ret_e[k] = (x[k] - o[k]) * scale;
      return;
    }

  memcpy (ret_e, x, d * sizeof (double));
  ww_attention_add_others (attention, token, j, others.base, -1, room, ret_e);
}

/* Aligned room for rows x cols numbers, not yet written; NULL where it cannot be had. */
static void *
allocate (gsize rows, gsize cols, gsize size)
{
  return ww_try_alloc (rows, cols, size, NULL);
}

/* ret (rows x height, `stride` apart) = a (rows x width) b (height x width)^T. */
static void
multiply_transposed_f (gsize rows, gsize height, gsize width, const float *a, const float *b,
                       float *ret, gsize stride)
{
  if (rows <= WW_NARROW_ROWS)
    ww_narrow_multiply_transposed (rows, height, width, a, b, ret, stride);
  else
    cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, rows, height, width, 1, a, width, b,
                 width, 0, ret, stride);
}

static void
multiply_transposed_d (gsize rows, gsize height, gsize width, const double *a, const double *b,
                       double *ret, gsize stride)
{
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, rows, height, width, 1, a, width, b, width,
               0, ret, stride);
}

/* ret (rows x width) = a (rows x height, `stride` apart) b (height x width), or added to it. */
static void
multiply_f (gsize rows, gsize height, gsize width, const float *a, gsize stride, const float *b,
            gboolean add, float *ret)
{
  if (rows <= WW_NARROW_ROWS)
    ww_narrow_multiply (rows, height, width, a, stride, b, add, ret);
  else
    cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, width, height, 1, a, stride, b,
                 width, add ? 1 : 0, ret, width);
}

static void
multiply_d (gsize rows, gsize height, gsize width, const double *a, gsize stride, const double *b,
            gboolean add, double *ret)
{
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, width, height, 1, a, stride, b,
               width, add ? 1 : 0, ret, width);
}

/* ret (rows x width) = a b for a symmetric b, as which of the two products is faster. */
static void
multiply_symmetric_f (gsize rows, gsize width, const float *a, const float *b, float *ret)
{
  if (rows <= WW_NARROW_ROWS)
    multiply_transposed_f (rows, width, width, a, b, ret, width);
  else
    multiply_f (rows, width, width, a, width, b, FALSE, ret);
}

static void
multiply_symmetric_d (gsize rows, gsize width, const double *a, const double *b, double *ret)
{
  multiply_d (rows, width, width, a, width, b, FALSE, ret);
}

#define REAL float
#define PROBLEM WwAttentionProblem
#define TAG _WwAttentionProblem
#define NAME(stem) ww_attention_problem_##stem
#define OWN(stem) stem##_f
#define KERNEL(stem) ww_kernel_##stem##_f
#define GEMM cblas_sgemm
#define DOT cblas_sdot
#define AXPY cblas_saxpy
#include "ww-attention-problem-template.h"
#undef REAL
#undef PROBLEM
#undef TAG
#undef NAME
#undef OWN
#undef KERNEL
#undef GEMM
#undef DOT
#undef AXPY

#define REAL double
#define PROBLEM WwAttentionProblemDouble
#define TAG _WwAttentionProblemDouble
#define NAME(stem) ww_attention_problem_double_##stem
#define OWN(stem) stem##_d
#define KERNEL(stem) ww_kernel_##stem##_d
#define GEMM cblas_dgemm
#define DOT cblas_ddot
#define AXPY cblas_daxpy
#include "ww-attention-problem-template.h"

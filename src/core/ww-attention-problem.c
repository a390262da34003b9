#include "ww-attention-problem.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-attention-kernels.h"
#include "ww-attention-private.h"
#include "ww-private.h"

/* Largest number of multiplications between two looks at the cancel flag: some 5 ms of one core. */
#define BLOCK_WORK 1.5e8

/* Below this weight, a logarithm of weights or an average read off the output would lose digits, and
 * both are computed from the scores. */
#define SMALL_WEIGHT 1e-5

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
summarise_others (const WwAttention *attention, gsize token, gsize j)
{
  gsize n = attention->x->rows;
  const double *scores = attention->scores->data + j * n;
  double q = attention->weights->data[j * n + token];
  Others others = { 0, 0 };

  if (attention->map == WW_MAP_RELU_RAF)
    {
      for (gsize l = 0; l < n; l++)
        others.base += l != token ? MAX (scores[l], 0) : 0;
      others.rest = others.base > 0 ? others.base / (others.base + MAX (scores[token], 0)) : 0;
      return others;
    }

  if (q > SMALL_WEIGHT && q < 0.9)
    {
      others.rest = 1 - q;
      others.base = scores[token] - log (q / others.rest);
      return others;
    }

  double top = -INFINITY, sum = 0;
  for (gsize l = 0; l < n; l++)
    if (l != token)
      top = MAX (top, scores[l]);
  for (gsize l = 0; l < n; l++)
    if (l != token)
      sum += exp (scores[l] - top);
  others.base = top + log (sum);
  others.rest = 1 / (1 + exp (scores[token] - others.base));
  return others;
}

/* E_j = x_i - a_j into ret_e (d values). From the features it is (x_i - o_j) / rest. */
static void
compute_offset (const WwAttention *attention, gsize token, gsize j, Others others, double *ret_e)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  const double *x = attention->x->data + token * d;
  const double *scores = attention->scores->data + j * n;
  const double *o = attention->features->data + j * d;

  if (others.rest >= SMALL_WEIGHT)
    {
      double scale = 1 / others.rest;

      for (gsize k = 0; k < d; k++)
        ret_e[k] = (x[k] - o[k]) * scale;
      return;
    }

  memcpy (ret_e, x, d * sizeof (double));
  if (attention->map == WW_MAP_RELU_RAF && others.base == 0)
    return;
  for (gsize l = 0; l < n; l++)
    {
      double weight = attention->map == WW_MAP_RELU_RAF ? MAX (scores[l], 0) / others.base
                                                        : exp (scores[l] - others.base);

      if (l != token && weight > 0)
        cblas_daxpy (d, -weight, attention->x->data + l * d, 1, ret_e, 1);
    }
}

/* Zeroed, aligned room for rows x cols numbers; NULL where it cannot be had. */
static void *
allocate (gsize rows, gsize cols, gsize size)
{
  void *memory = ww_try_alloc (rows, cols, size, NULL);

  if (memory != NULL)
    memset (memory, 0, rows * cols * size);
  return memory;
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

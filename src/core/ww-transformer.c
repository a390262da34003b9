#include "ww-transformer.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>

#include "ww-private.h"
#include "ww-transformer-kernels.h"

/* Rows of a product between two looks at the cancel flag: so many operations take about 5 ms. */
#define SLICE_OPERATIONS 4e8
/* Rows that pass through the feed-forward half together; their inner values stay in the second-level
 * cache, and memory does not grow with the text. */
#define FEED_ROWS 128

struct _WwTransformer
{
  WwTransformerShape shape;
  gsize n;
  float *state;  /* n x d */
  float *input;  /* n x d: what enters the half at hand, where that is not the state */
  float *query, *key, *value; /* n x d each; the heads' outputs replace the queries */
  float *scores; /* n x n, of one head */
  float *inner;  /* FEED_ROWS x m */
  gboolean weighed; /* query and key belong to the state */
};

void
ww_transformer_free (WwTransformer *transformer)
{
  if (transformer == NULL)
    return;

  free (transformer->state);
  free (transformer->input);
  free (transformer->query);
  free (transformer->key);
  free (transformer->value);
  free (transformer->scores);
  free (transformer->inner);
  g_free (transformer);
}

static gboolean
check_shape (const WwTransformerShape *shape, gsize n, GError **error)
{
  if (n >= 1 && n <= WW_MAX_ROWS && shape->hidden >= 1 && shape->hidden <= WW_MAX_DIMS && shape->heads >= 1
      && shape->hidden % shape->heads == 0 && shape->inner >= 1 && shape->inner <= G_MAXINT32)
    return TRUE;

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
               _("No transformer has these sizes: tokens %zu, dimensions %zu, heads %zu, inner values %zu"),
               n, shape->hidden, shape->heads, shape->inner);
  return FALSE;
}

WwTransformer *
ww_transformer_new (const WwTransformerShape *shape, gsize n, GError **error)
{
  g_autoptr (WwTransformer) transformer = NULL;
  gsize d;

  g_return_val_if_fail (shape != NULL, NULL);
  if (!check_shape (shape, n, error))
    return NULL;

  transformer = g_new0 (WwTransformer, 1);
  transformer->shape = *shape;
  transformer->n = n;
  d = shape->hidden;
  if ((transformer->state = ww_try_alloc (n, d, sizeof (float), error)) == NULL
      || (transformer->query = ww_try_alloc (n, d, sizeof (float), error)) == NULL
      || (transformer->key = ww_try_alloc (n, d, sizeof (float), error)) == NULL
      || (transformer->value = ww_try_alloc (n, d, sizeof (float), error)) == NULL
      || (transformer->scores = ww_try_alloc (n, n, sizeof (float), error)) == NULL
      || (transformer->inner = ww_try_alloc (MIN (n, FEED_ROWS), shape->inner, sizeof (float), error)) == NULL
      || (shape->norm_before
          && (transformer->input = ww_try_alloc (n, d, sizeof (float), error)) == NULL))
    return NULL;

  memset (transformer->state, 0, n * d * sizeof (float));
  return g_steal_pointer (&transformer);
}

float *
ww_transformer_get_state (WwTransformer *transformer)
{
  g_return_val_if_fail (transformer != NULL, NULL);

  return transformer->state;
}

void
ww_transformer_normalise (WwTransformer *transformer, const WwTransformerNorm *norm)
{
  g_return_if_fail (transformer != NULL && norm != NULL);

  ww_kernel_layer_norm (transformer->n, transformer->shape.hidden, norm, transformer->shape.epsilon,
                        transformer->state, transformer->state);
}

static gsize
get_slice (gsize inputs, gsize outputs)
{
  return (gsize) CLAMP (SLICE_OPERATIONS / (2.0 * (double) inputs * (double) outputs), 16, WW_MAX_ROWS);
}

/* Finite weights can still multiply to more than a float holds. */
static gboolean
check_finite (gsize count, const float *values, GError **error)
{
  if (ww_kernel_is_finite (count, values))
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                       _("The weights of a block give numbers that overflow"));
  return FALSE;
}

/* y (rows x outputs) = x (rows x inputs) W^T + b, or with `add` y += that; slice by slice, so that the
 * flag is looked at often. */
static gboolean
apply_linear (const WwTransformerLinear *linear, gsize rows, gsize inputs, gsize outputs, const float *x,
              float *y, gboolean add, const WwCancel *cancel, GError **error)
{
  gsize slice = get_slice (inputs, outputs);

  for (gsize at = 0; at < rows; at += slice)
    {
      gsize count = MIN (slice, rows - at);
      float *to = y + at * outputs;

      if (ww_cancel_check (cancel, error))
        return FALSE;
      if (!add)
        memset (to, 0, count * outputs * sizeof (float));
      ww_kernel_add_bias (count, outputs, linear->bias, to);
      cblas_sgemm (CblasRowMajor, CblasNoTrans, linear->inputs_first ? CblasNoTrans : CblasTrans, (int) count,
                   (int) outputs, (int) inputs, 1, x + at * inputs, (int) inputs, linear->weight,
                   (int) linear->stride, 1, to, (int) outputs);
    }

  return TRUE;
}

/* What the two halves of a block start from. */
static const float *
enter_half (WwTransformer *transformer, const WwTransformerNorm *norm)
{
  if (!transformer->shape.norm_before)
    return transformer->state;

  ww_kernel_layer_norm (transformer->n, transformer->shape.hidden, norm, transformer->shape.epsilon,
                        transformer->state, transformer->input);
  return transformer->input;
}

static gboolean
project (WwTransformer *transformer, const WwTransformerLinear *linear, const float *input, float *ret,
         const WwCancel *cancel, GError **error)
{
  gsize d = transformer->shape.hidden;

  return apply_linear (linear, transformer->n, d, d, input, ret, FALSE, cancel, error);
}

/* The weights of one head, into transformer->scores. */
static gboolean
weigh_head (WwTransformer *transformer, gsize head, float scale, const WwCancel *cancel, GError **error)
{
  gsize n = transformer->n, d = transformer->shape.hidden, width = d / transformer->shape.heads;
  /* The softmax of a score takes about as long as 16 products. */
  gsize slice = get_slice (n, width + 16);

  for (gsize at = 0; at < n; at += slice)
    {
      gsize count = MIN (slice, n - at);
      float *scores = transformer->scores + at * n;

      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) count, (int) n, (int) width, scale,
                   transformer->query + at * d + head * width, (int) d, transformer->key + head * width, (int) d,
                   0, scores, (int) n);
      if (!check_finite (count * n, scores, error))
        return FALSE;
      for (gsize j = 0; j < count; j++)
        ww_kernel_softmax (n, transformer->shape.causal ? at + j + 1 : n, scores + j * n);
    }

  return TRUE;
}

/* What is wanted of the weights of `head`, added to what was there, which is zero at first. */
static void
keep_weights (const WwTransformer *transformer, gsize head, int wanted, float *weights)
{
  gsize count = transformer->n * transformer->n;
  float share = 1 / (float) transformer->shape.heads;

  if (wanted == WW_HEAD_ALL)
    memcpy (weights + head * count, transformer->scores, count * sizeof (float));
  else if (wanted == WW_HEAD_MEAN)
    for (gsize i = 0; i < count; i++)
      weights[i] += share * transformer->scores[i];
  else if (wanted >= 0 && (gsize) wanted == head)
    memcpy (weights, transformer->scores, count * sizeof (float));
}

static gboolean
is_wanted (gsize head, int wanted)
{
  return wanted == WW_HEAD_ALL || wanted == WW_HEAD_MEAN || (wanted >= 0 && (gsize) wanted == head);
}

/* The output of a head takes the place of its queries, which nobody needs any more. */
static gboolean
mix_values (WwTransformer *transformer, gsize head, const WwCancel *cancel, GError **error)
{
  gsize n = transformer->n, d = transformer->shape.hidden, width = d / transformer->shape.heads;
  gsize slice = get_slice (n, width);

  for (gsize at = 0; at < n; at += slice)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) MIN (slice, n - at), (int) width, (int) n, 1,
                   transformer->scores + at * n, (int) n, transformer->value + head * width, (int) d, 0,
                   transformer->query + at * d + head * width, (int) d);
    }

  return TRUE;
}

static gboolean
run_heads (WwTransformer *transformer, float scale, gboolean mix, int wanted, float *weights,
           const WwCancel *cancel, GError **error)
{
  if (wanted == WW_HEAD_MEAN)
    memset (weights, 0, transformer->n * transformer->n * sizeof (float));

  for (gsize head = 0; head < transformer->shape.heads; head++)
    {
      if (!mix && !is_wanted (head, wanted))
        continue;
      if (!weigh_head (transformer, head, scale, cancel, error))
        return FALSE;
      keep_weights (transformer, head, wanted, weights);
      if (mix && !mix_values (transformer, head, cancel, error))
        return FALSE;
    }

  return TRUE;
}

static gboolean
attend (WwTransformer *transformer, const WwTransformerBlock *block, int wanted, float *weights,
        const WwCancel *cancel, GError **error)
{
  const float *input = enter_half (transformer, &block->attention_norm);

  if (!project (transformer, &block->query, input, transformer->query, cancel, error)
      || !project (transformer, &block->key, input, transformer->key, cancel, error)
      || !project (transformer, &block->value, input, transformer->value, cancel, error)
      || !run_heads (transformer, block->scale, TRUE, wanted, weights, cancel, error)
      || !apply_linear (&block->output, transformer->n, transformer->shape.hidden, transformer->shape.hidden,
                        transformer->query, transformer->state, TRUE, cancel, error))
    return FALSE;

  if (!transformer->shape.norm_before)
    ww_transformer_normalise (transformer, &block->attention_norm);
  return TRUE;
}

static gboolean
feed_forward (WwTransformer *transformer, const WwTransformerBlock *block, const WwCancel *cancel,
              GError **error)
{
  const WwTransformerShape *shape = &transformer->shape;
  const float *input = enter_half (transformer, &block->feed_norm);

  for (gsize at = 0; at < transformer->n; at += FEED_ROWS)
    {
      gsize count = MIN (FEED_ROWS, transformer->n - at);

      if (!apply_linear (&block->widen, count, shape->hidden, shape->inner, input + at * shape->hidden,
                         transformer->inner, FALSE, cancel, error))
        return FALSE;
      if (!check_finite (count * shape->inner, transformer->inner, error))
        return FALSE;
      ww_kernel_activate (shape->activation, count * shape->inner, transformer->inner);
      if (!apply_linear (&block->narrow, count, shape->inner, shape->hidden, transformer->inner,
                         transformer->state + at * shape->hidden, TRUE, cancel, error))
        return FALSE;
    }

  if (!shape->norm_before)
    ww_transformer_normalise (transformer, &block->feed_norm);
  return check_finite (transformer->n * shape->hidden, transformer->state, error);
}

static gboolean
head_fits (const WwTransformer *transformer, int head, const float *ret_weights)
{
  return head == WW_HEAD_NONE
         || (ret_weights != NULL && head >= WW_HEAD_ALL && head < (int) transformer->shape.heads);
}

gboolean
ww_transformer_step (WwTransformer *transformer, const WwTransformerBlock *block, int head, float *ret_weights,
                     const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (transformer != NULL && block != NULL, FALSE);
  g_return_val_if_fail (head_fits (transformer, head, ret_weights), FALSE);

  transformer->weighed = FALSE;
  return attend (transformer, block, head, ret_weights, cancel, error)
         && feed_forward (transformer, block, cancel, error);
}

gboolean
ww_transformer_weigh (WwTransformer *transformer, const WwTransformerBlock *block, int head, float *ret_weights,
                      const WwCancel *cancel, GError **error)
{
  const float *input;

  g_return_val_if_fail (transformer != NULL && block != NULL, FALSE);
  g_return_val_if_fail (head_fits (transformer, head, ret_weights) && head != WW_HEAD_NONE, FALSE);

  input = enter_half (transformer, &block->attention_norm);
  transformer->weighed = project (transformer, &block->query, input, transformer->query, cancel, error)
                         && project (transformer, &block->key, input, transformer->key, cancel, error);

  return transformer->weighed
         && run_heads (transformer, block->scale, FALSE, head, ret_weights, cancel, error);
}

/* Query and key of one row of the state that is `values`. `input`: room for d values. */
static gboolean
project_row (WwTransformer *transformer, const WwTransformerBlock *block, gsize row, const float *values,
             float *input, const WwCancel *cancel, GError **error)
{
  gsize d = transformer->shape.hidden;

  memcpy (input, values, d * sizeof (float));
  if (transformer->shape.norm_before)
    ww_kernel_layer_norm (1, d, &block->attention_norm, transformer->shape.epsilon, input, input);

  return apply_linear (&block->query, 1, d, d, input, transformer->query + row * d, FALSE, cancel, error)
         && apply_linear (&block->key, 1, d, d, input, transformer->key + row * d, FALSE, cancel, error);
}

gboolean
ww_transformer_weigh_moved (WwTransformer *transformer, const WwTransformerBlock *block, gsize row,
                            const float *values, int head, float *ret_weights, const WwCancel *cancel,
                            GError **error)
{
  gsize d, bytes;
  float *query, *key, *saved;
  gboolean done;

  g_return_val_if_fail (transformer != NULL && block != NULL && values != NULL, FALSE);
  g_return_val_if_fail (head_fits (transformer, head, ret_weights) && head != WW_HEAD_NONE, FALSE);
  g_return_val_if_fail (transformer->weighed && row < transformer->n, FALSE);

  d = transformer->shape.hidden;
  bytes = d * sizeof (float);
  /* A product of one row may round otherwise than the same row among many: no move, no difference. */
  if (memcmp (values, transformer->state + row * d, bytes) == 0)
    return run_heads (transformer, block->scale, FALSE, head, ret_weights, cancel, error);

  saved = ww_try_alloc (3, d, sizeof (float), error);
  if (saved == NULL)
    return FALSE;

  query = transformer->query + row * d;
  key = transformer->key + row * d;
  memcpy (saved, query, bytes);
  memcpy (saved + d, key, bytes);
  done = project_row (transformer, block, row, values, saved + 2 * d, cancel, error)
         && run_heads (transformer, block->scale, FALSE, head, ret_weights, cancel, error);
  memcpy (query, saved, bytes);
  memcpy (key, saved + d, bytes);
  free (saved);
  return done;
}

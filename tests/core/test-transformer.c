/* The forward pass against the plain definition in double precision, with random weights. */
#include "test-util.h"

#include "ww-transformer-kernels.h"

#define N 37 /* no multiple of any register */
#define D 24
#define HEADS 3
#define WIDTH (D / HEADS)
#define INNER 40

typedef struct
{
  GRand *random;
  GPtrArray *arrays;
} Weights;

static float *
draw (Weights *weights, gsize count, double size, double centre)
{
  float *values = g_new (float, count);

  for (gsize i = 0; i < count; i++)
    values[i] = (float) (centre + g_rand_double_range (weights->random, -size, size));
  g_ptr_array_add (weights->arrays, values);
  return values;
}

static WwTransformerLinear
draw_linear (Weights *weights, gsize outputs, gsize inputs, gboolean inputs_first)
{
  WwTransformerLinear linear = { draw (weights, outputs * inputs, 0.4, 0), draw (weights, outputs, 0.3, 0),
                                 inputs_first ? outputs : inputs, inputs_first };

  return linear;
}

static WwTransformerNorm
draw_norm (Weights *weights)
{
  WwTransformerNorm norm = { draw (weights, D, 0.5, 1), draw (weights, D, 0.3, 0) };

  return norm;
}

static WwTransformerBlock
draw_block (Weights *weights, gboolean inputs_first)
{
  WwTransformerBlock block = { 0 };

  block.query = draw_linear (weights, D, D, inputs_first);
  block.key = draw_linear (weights, D, D, inputs_first);
  block.value = draw_linear (weights, D, D, inputs_first);
  block.output = draw_linear (weights, D, D, inputs_first);
  block.widen = draw_linear (weights, INNER, D, inputs_first);
  block.narrow = draw_linear (weights, D, INNER, inputs_first);
  block.attention_norm = draw_norm (weights);
  block.feed_norm = draw_norm (weights);
  block.scale = 1 / sqrtf ((float) WIDTH);
  return block;
}

static void
plain_linear (const WwTransformerLinear *linear, gsize outputs, gsize inputs, const double *x, double *ret)
{
  for (gsize o = 0; o < outputs; o++)
    {
      ret[o] = (double) linear->bias[o];
      for (gsize i = 0; i < inputs; i++)
        ret[o] += x[i]
                  * (double) (linear->inputs_first ? linear->weight[i * linear->stride + o]
                                                   : linear->weight[o * linear->stride + i]);
    }
}

static void
plain_norm (const WwTransformerNorm *norm, double epsilon, const double *x, double *ret)
{
  double mean = 0, variance = 0;

  for (gsize c = 0; c < D; c++)
    mean += x[c] / D;
  for (gsize c = 0; c < D; c++)
    variance += (x[c] - mean) * (x[c] - mean) / D;
  for (gsize c = 0; c < D; c++)
    ret[c] = (x[c] - mean) / sqrt (variance + epsilon) * (double) norm->gain[c] + (double) norm->shift[c];
}

static double
plain_activation (WwActivation activation, double x)
{
  switch (activation)
    {
    case WW_ACTIVATION_GELU:
      return x * erfc (-x / sqrt (2)) / 2;
    case WW_ACTIVATION_GELU_TANH:
      return x / 2 * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * x * x * x)));
    default:
      return MAX (x, 0);
    }
}

static void
plain_attention (const WwTransformerShape *shape, const WwTransformerBlock *block, double (*z)[D],
                 double (*ret_mixed)[D], double *ret_weights)
{
  static double q[N][D], k[N][D], v[N][D];

  for (gsize j = 0; j < N; j++)
    {
      plain_linear (&block->query, D, D, z[j], q[j]);
      plain_linear (&block->key, D, D, z[j], k[j]);
      plain_linear (&block->value, D, D, z[j], v[j]);
      memset (ret_mixed[j], 0, sizeof ret_mixed[j]);
    }
  for (gsize h = 0; h < HEADS; h++)
    for (gsize j = 0; j < N; j++)
      {
        double *weights = ret_weights + (h * N + j) * N;
        double sum = 0;

        for (gsize l = 0; l < N; l++)
          {
            double score = 0;

            for (gsize c = h * WIDTH; c < (h + 1) * WIDTH; c++)
              score += q[j][c] * k[l][c] * (double) block->scale;
            weights[l] = shape->causal && l > j ? 0 : exp (score);
            sum += weights[l];
          }
        for (gsize l = 0; l < N; l++)
          {
            weights[l] /= sum;
            for (gsize c = h * WIDTH; c < (h + 1) * WIDTH; c++)
              ret_mixed[j][c] += weights[l] * v[l][c];
          }
      }
}

static void
plain_step (const WwTransformerShape *shape, const WwTransformerBlock *block, double (*x)[D],
            double *ret_weights)
{
  static double z[N][D], mixed[N][D];
  double epsilon = (double) shape->epsilon;

  for (gsize j = 0; j < N; j++)
    if (shape->norm_before)
      plain_norm (&block->attention_norm, epsilon, x[j], z[j]);
    else
      memcpy (z[j], x[j], sizeof z[j]);
  plain_attention (shape, block, z, mixed, ret_weights);
  for (gsize j = 0; j < N; j++)
    {
      double out[D], inner[INNER];

      plain_linear (&block->output, D, D, mixed[j], out);
      for (gsize c = 0; c < D; c++)
        x[j][c] += out[c];
      if (!shape->norm_before)
        plain_norm (&block->attention_norm, epsilon, x[j], x[j]);
      if (shape->norm_before)
        plain_norm (&block->feed_norm, epsilon, x[j], z[j]);
      else
        memcpy (z[j], x[j], sizeof z[j]);
      plain_linear (&block->widen, INNER, D, z[j], inner);
      for (gsize m = 0; m < INNER; m++)
        inner[m] = plain_activation (shape->activation, inner[m]);
      plain_linear (&block->narrow, D, INNER, inner, out);
      for (gsize c = 0; c < D; c++)
        x[j][c] += out[c];
      if (!shape->norm_before)
        plain_norm (&block->feed_norm, epsilon, x[j], x[j]);
    }
}

static double
difference (const float *a, const double *b, gsize count)
{
  double largest = 0;

  for (gsize i = 0; i < count; i++)
    {
      g_assert_true (isfinite (a[i]));
      largest = MAX (largest, fabs ((double) a[i] - b[i]));
    }
  return largest;
}

static void
check_heads (WwTransformer *transformer, const WwTransformerBlock *block, const double *true_weights)
{
  g_autofree float *all = g_new (float, HEADS * N * N), *one = g_new (float, N * N);
  g_autofree double *mean = g_new0 (double, N * N);

  g_assert_true (ww_transformer_weigh (transformer, block, WW_HEAD_ALL, all, NULL, NULL));
  g_assert_cmpfloat (difference (all, true_weights, HEADS * N * N), <, 2e-6);
  for (gsize h = 0; h < HEADS; h++)
    {
      g_assert_true (ww_transformer_weigh (transformer, block, (int) h, one, NULL, NULL));
      g_assert_true (memcmp (one, all + h * N * N, N * N * sizeof (float)) == 0);
      for (gsize i = 0; i < N * N; i++)
        mean[i] += true_weights[h * N * N + i] / HEADS;
    }
  g_assert_true (ww_transformer_weigh (transformer, block, WW_HEAD_MEAN, one, NULL, NULL));
  g_assert_cmpfloat (difference (one, mean, N * N), <, 2e-6);
}

/* Two blocks of every kind: states and weights of each. */
static void
check_shape (gboolean norm_before, gboolean causal, WwActivation activation, gboolean inputs_first)
{
  const WwTransformerShape shape = { D, HEADS, INNER, 1e-5f, activation, causal, norm_before };
  Weights weights = { g_rand_new_with_seed (7), g_ptr_array_new_with_free_func (g_free) };
  g_autoptr (WwTransformer) transformer = ww_transformer_new (&shape, N, NULL);
  g_autofree float *found = g_new (float, HEADS * N * N);
  g_autofree double *true_weights = g_new (double, HEADS * N * N);
  static double x[N][D];
  float *state = ww_transformer_get_state (transformer);

  for (gsize i = 0; i < N * D; i++)
    (&x[0][0])[i] = (double) (state[i] = (float) g_rand_double_range (weights.random, -2, 2));

  for (int layer = 0; layer < 2; layer++)
    {
      WwTransformerBlock block = draw_block (&weights, inputs_first);
      g_autofree float *before = g_memdup2 (state, N * D * sizeof (float));
      static double same[N][D];

      memcpy (same, x, sizeof x);
      plain_step (&shape, &block, x, true_weights);
      check_heads (transformer, &block, true_weights);
      g_assert_true (memcmp (before, state, N * D * sizeof (float)) == 0);
      g_assert_true (ww_transformer_step (transformer, &block, WW_HEAD_ALL, found, NULL, NULL));
      g_assert_cmpfloat (difference (found, true_weights, HEADS * N * N), <, 2e-6);
      g_assert_cmpfloat (difference (state, &x[0][0], N * D), <, 2e-5);
    }

  g_rand_free (weights.random);
  g_ptr_array_unref (weights.arrays);
}

static void
test_steps (void)
{
  for (guint kind = 0; kind < 24; kind++)
    check_shape (kind & 1, (kind >> 1) & 1, (WwActivation) (kind / 4 % 3), kind >= 12);
}

/* A token of a causal block does not depend on what comes after it. */
static void
test_causal (void)
{
  const WwTransformerShape shape = { D, HEADS, INNER, 1e-5f, WW_ACTIVATION_GELU, TRUE, TRUE };
  Weights weights = { g_rand_new_with_seed (3), g_ptr_array_new_with_free_func (g_free) };
  WwTransformerBlock block = draw_block (&weights, TRUE);
  g_autoptr (WwTransformer) first = ww_transformer_new (&shape, N, NULL);
  g_autoptr (WwTransformer) second = ww_transformer_new (&shape, N, NULL);
  float *a = ww_transformer_get_state (first), *b = ww_transformer_get_state (second);

  for (gsize i = 0; i < N * D; i++)
    a[i] = b[i] = (float) g_rand_double_range (weights.random, -2, 2);
  b[20 * D + 5] += 1;
  g_assert_true (ww_transformer_step (first, &block, WW_HEAD_NONE, NULL, NULL, NULL));
  g_assert_true (ww_transformer_step (second, &block, WW_HEAD_NONE, NULL, NULL, NULL));
  g_assert_true (memcmp (a, b, 20 * D * sizeof (float)) == 0);
  for (gsize j = 20; j < N; j++)
    g_assert_true (memcmp (a + j * D, b + j * D, D * sizeof (float)) != 0);

  g_rand_free (weights.random);
  g_ptr_array_unref (weights.arrays);
}

static void
test_activations (void)
{
  static const struct
  {
    WwActivation activation;
    double error; /* absolute, and relative to |x| beyond 1 */
  } kinds[] = {
    { WW_ACTIVATION_GELU, 1.3e-7 },
    { WW_ACTIVATION_GELU_TANH, 2.5e-7 },
    { WW_ACTIVATION_RELU, 0 },
  };
  static const float ends[] = { -1e30f, -1000, -90, -14, -6.0001f, -6, 0, 6, 14, 90, 1000, 1e30f };

  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      enum { COUNT = 20011 };
      g_autofree float *values = g_new (float, COUNT);
      g_autofree float *original = g_new (float, COUNT);

      for (gsize i = 0; i < COUNT; i++)
        values[i] = i < G_N_ELEMENTS (ends) ? ends[i] : (float) i * 0.001f - 10;
      memcpy (original, values, COUNT * sizeof (float));
      ww_kernel_activate (kinds[k].activation, COUNT, values);
      for (gsize i = 0; i < COUNT; i++)
        {
          double x = (double) original[i], truth = plain_activation (kinds[k].activation, x);

          g_assert_cmpfloat (fabs ((double) values[i] - truth), <=, kinds[k].error * MAX (1, fabs (truth)));
        }
    }
}

static void
test_softmax (void)
{
  float scores[53];

  for (gsize seen = 1; seen <= 53; seen++)
    {
      double sum = 0, truth = 0;

      for (gsize k = 0; k < 53; k++)
        scores[k] = (float) ((k * 7919) % 61) - 300;
      for (gsize k = 0; k < seen; k++)
        truth += exp ((double) scores[k] - (double) scores[0]);
      ww_kernel_softmax (53, seen, scores);
      g_assert_cmpfloat (fabs ((double) scores[0] * truth - 1), <, 1e-6);
      for (gsize k = 0; k < 53; k++)
        sum += (double) scores[k];
      g_assert_cmpfloat (fabs (sum - 1), <, 1e-6);
      for (gsize k = seen; k < 53; k++)
        g_assert_cmpfloat (scores[k], ==, 0);
    }
}

static void
test_refusals (void)
{
  static const struct
  {
    gsize n, hidden, heads, inner;
  } bad[] = { { 0, 8, 2, 8 }, { WW_MAX_ROWS + 1, 8, 2, 8 }, { 4, 0, 1, 8 }, { 4, 8, 0, 8 }, { 4, 8, 3, 8 },
              { 4, 8, 2, 0 }, { 4, WW_MAX_DIMS + 2, 2, 8 }, { 4, 8, 2, G_MAXSIZE } };
  const WwTransformerShape shape = { D, HEADS, INNER, 1e-5f, WW_ACTIVATION_GELU, FALSE, FALSE };
  Weights weights = { g_rand_new_with_seed (3), g_ptr_array_new_with_free_func (g_free) };
  WwTransformerBlock block = draw_block (&weights, FALSE);
  g_autoptr (WwTransformer) transformer = ww_transformer_new (&shape, N, NULL);
  g_autoptr (GError) error = NULL;
  WwCancel cancel = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      const WwTransformerShape wrong = { bad[i].hidden, bad[i].heads, bad[i].inner };

      g_assert_null (ww_transformer_new (&wrong, bad[i].n, &error));
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
      g_clear_error (&error);
    }

  /* Finite weights, infinite scores. */
  for (gsize i = 0; i < N * D; i++)
    ww_transformer_get_state (transformer)[i] = 1e30f;
  g_assert_false (ww_transformer_step (transformer, &block, WW_HEAD_NONE, NULL, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_clear_error (&error);

  ww_cancel_set (&cancel, TRUE);
  g_assert_false (ww_transformer_step (transformer, &block, WW_HEAD_NONE, NULL, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_rand_free (weights.random);
  g_ptr_array_unref (weights.arrays);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();
  g_test_add_func ("/transformer/steps", test_steps);
  g_test_add_func ("/transformer/causal", test_causal);
  g_test_add_func ("/transformer/activations", test_activations);
  g_test_add_func ("/transformer/softmax", test_softmax);
  g_test_add_func ("/transformer/refusals", test_refusals);
  return g_test_run ();
}

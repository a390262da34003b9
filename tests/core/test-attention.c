/* softmax-RAF and ReLU-RAF by definition, and the incremental evaluation of a nudge. */
#include "attention-cases.h"
#include "ww-attention-kernels.h"
#include "ww-attention-problem.h"

static const char *const cases[] = { "gauss-n10-d64", "gauss-n40-d192", "text-n20-d100" };

static WwAttention *
load_case (const char *name, WwMap map)
{
  g_autofree char *x_name = g_strconcat (name, ".X.npy", NULL);
  g_autofree char *w_name = g_strconcat (name, ".W.npy", NULL);
  g_autoptr (WwMatrix) x = test_reference_load (x_name);
  g_autoptr (WwMatrix) w = test_reference_load (w_name);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (x);
  g_assert_nonnull (w);
  WwAttention *attention = ww_attention_new (map, x, w, &error);
  g_assert_no_error (error);
  return attention;
}

static void
test_reference_features (void)
{
  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      {
        g_autoptr (WwAttention) attention = load_case (cases[c], maps[m]);
        g_autofree char *name = g_strdup_printf ("%s.%s.phi.npy", cases[c], ww_map_get_id (maps[m]));
        g_autoptr (WwMatrix) expected = test_reference_load (name);
        const WwMatrix *phi = ww_attention_get_features (attention);
        double error = 0;

        if (expected == NULL)
          continue; /* the larger case comes with its norm only, below */
        g_assert_cmpuint (phi->rows, ==, expected->rows);
        g_assert_cmpuint (phi->cols, ==, expected->cols);
        for (gsize k = 0; k < phi->rows * phi->cols; k++)
          error = MAX (error, fabs (phi->data[k] - expected->data[k]));
        g_assert_cmpfloat (error, <, 1e-9 * ww_matrix_norm (expected)
                                         / sqrt (phi->rows * phi->cols));
      }
}

static void
test_reference_norms (void)
{
  static const double norms[3][2] = {
    { 10.373138187, 14.819339019 }, { 22.579961454, 26.05789106 }, { 37.274602346, 37.26246616 }
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      {
        g_autoptr (WwAttention) attention = load_case (cases[c], maps[m]);

        g_assert_cmpfloat_with_epsilon (ww_attention_get_norm (attention), norms[c][m],
                                        1e-9 * norms[c][m]);
      }
}

static void
test_row_sums (void)
{
  for (guint32 trial = 0; trial < 6; trial++)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      {
        /* With three tokens, an eighth of the ReLU rows has no positive score. */
        g_autoptr (WwAttention) attention = make_gaussian (maps[m], 3, 5, trial, 1);
        const WwMatrix *weights = ww_attention_get_weights (attention, NULL);

        for (gsize j = 0; j < weights->rows; j++)
          {
            double sum = 0;

            for (gsize l = 0; l < weights->cols; l++)
              {
                g_assert_cmpfloat (weights->data[j * weights->cols + l], >=, 0);
                sum += weights->data[j * weights->cols + l];
              }
            if (maps[m] != WW_MAP_RELU_RAF || sum != 0)
              g_assert_cmpfloat_with_epsilon (sum, 1, 1e-12);
          }
      }
}

static void
test_relu_row_without_positive_scores (void)
{
  /* One token, x W x negative: A = 0 and phi = 0. */
  g_autoptr (WwMatrix) x = ww_matrix_new_copy (1, 1, (double[]) { 2 }, NULL);
  g_autoptr (WwMatrix) w = ww_matrix_new_copy (1, 1, (double[]) { -1 }, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (WW_MAP_RELU_RAF, x, w, NULL);
  g_autoptr (GError) error = NULL;
  double change = 5, delta = 1, feature_change = 0;

  g_assert_cmpfloat (ww_attention_get_weights (attention, NULL)->data[0], ==, 0);
  g_assert_cmpfloat (ww_attention_get_norm (attention), ==, 0);
  g_assert_false (ww_attention_evaluate (attention, 0, &delta, &change, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
  g_assert_cmpfloat (change, ==, 5);
  g_clear_error (&error);

  /* The picture of the nudge exists all the same. */
  g_assert_true (ww_attention_nudge (attention, 0, &delta, NULL, &feature_change, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (isnan (feature_change));
}

/* The incremental nudge against a second WwAttention of the nudged context. */
static void
check_nudge (const WwAttention *attention, gsize token, double length, guint32 trial,
             double tolerance)
{
  const WwMatrix *x = ww_attention_get_x (attention);
  gsize n = x->rows, d = x->cols;
  g_autofree double *delta = make_nudge (d, length, trial);
  g_autofree double *feature_change = g_new (double, n);
  g_autoptr (WwMatrix) after = NULL;
  g_autoptr (GError) error = NULL;
  double plain, change;

  g_assert_true (ww_attention_evaluate (attention, token, delta, &plain, &error));
  g_assert_no_error (error);
  g_assert_true (ww_attention_nudge (attention, token, delta, &after, feature_change, &change,
                                     &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (test_relative_error (change, plain, 1e-300), <, tolerance);

  g_autoptr (WwMatrix) moved = ww_matrix_new_copy (n, d, x->data, NULL);
  for (gsize k = 0; k < d; k++)
    moved->data[token * d + k] += delta[k];
  g_autoptr (WwAttention) other = ww_attention_new (attention->map, moved, attention->w, &error);
  g_assert_no_error (error);

  const WwMatrix *phi = ww_attention_get_features (attention);
  const WwMatrix *phi_after = ww_attention_get_features (other);
  for (gsize j = 0; j < n; j++)
    {
      double old = test_norm (phi->data + j * d, d), sum = 0;

      for (gsize l = 0; l < n; l++)
        g_assert_cmpfloat (fabs (after->data[j * n + l]
                                 - ww_attention_get_weights (other, NULL)->data[j * n + l]), <, 1e-9);
      for (gsize k = 0; k < d; k++)
        sum += pow (phi_after->data[j * d + k] - phi->data[j * d + k], 2);
      if (old == 0)
        g_assert_true (isnan (feature_change[j]));
      else
        g_assert_cmpfloat (fabs (feature_change[j] - sqrt (sum) / old), <,
                           1e-9 * MAX (1, sqrt (sum) / old));
    }
}

static void
test_nudge_reference (void)
{
  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      {
        g_autoptr (WwAttention) attention = load_case (cases[c], maps[m]);
        double length = sqrt (ww_attention_get_x (attention)->cols);

        check_nudge (attention, 0, length, 0, 1e-9);
        check_nudge (attention, 7, length / 3, 1, 1e-9);
        check_nudge (attention, 3, 20 * length, 2, 1e-9);
      }
}

/* Rows of few tokens and small dimensions: rows without a positive score, one token, one dimension. */
static void
test_nudge_small (void)
{
  static const gsize sizes[][2] = { { 1, 1 }, { 1, 4 }, { 2, 1 }, { 2, 3 }, { 3, 1 }, { 5, 2 }, { 17, 3 } };
  guint compared = 0;

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      for (guint32 trial = 0; trial < 12; trial++)
        {
          gsize n = sizes[s][0], d = sizes[s][1];
          g_autoptr (WwAttention) attention = make_gaussian (maps[m], n, d, trial, 1);

          if (attention->norm == 0)
            continue;
          check_nudge (attention, trial % n, 1.5 * sqrt (d), trial, 1e-9);
          compared++;
        }
  g_assert_cmpuint (compared, >, 120);
}

/* Scores so large that single tokens hold all the weight: 1 - q has to be computed as such. */
static void
test_nudge_saturated (void)
{
  static const double scales[] = { 8, 30, 200 };

  for (gsize s = 0; s < G_N_ELEMENTS (scales); s++)
    for (gsize token = 0; token < 12; token += 3)
      {
        g_autoptr (WwAttention) attention = make_gaussian (WW_MAP_SOFTMAX_RAF, 12, 16, s, scales[s]);

        check_nudge (attention, token, 1, token, 1e-9);
      }
}

/* Renaming the other tokens renames the rows of the output and changes no norm. */
static void
test_nudge_permuted (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) attention = make_gaussian (maps[m], 9, 12, 3, 1);
      gsize n = 9, d = 12;
      g_autoptr (WwMatrix) x = ww_matrix_new (n, d, NULL);
      g_autofree double *delta = make_nudge (d, 3, 4);
      double change, permuted_change;

      for (gsize j = 0; j < n; j++)
        memcpy (x->data + j * d, attention->x->data + (j + 4) % n * d, d * sizeof (double));
      g_autoptr (WwAttention) permuted = ww_attention_new (maps[m], x, attention->w, NULL);
      g_assert_true (ww_attention_evaluate (attention, 6, delta, &change, NULL));
      g_assert_true (ww_attention_evaluate (permuted, 2, delta, &permuted_change, NULL));
      g_assert_cmpfloat (test_relative_error (permuted_change, change, 0), <, 1e-12);
    }
}

static const WwAttentionObjective objectives[] = {
  { .beta = 1 }, { .beta = 0.5, .smoothing = 0.3 }, { .beta = 0.75, .smoothing = 0.01 },
  { .beta = 1, .capture = 1 }, { .beta = 1, .capture = 10 }, { .beta = 1, .capture = 3, .captured = 2 },
  { .beta = 0.5, .smoothing = 0.1, .others_only = TRUE },
};

/* The squared change of all rows but the token's own. */
static double
change_of_others (const WwAttention *attention, gsize token, const double *delta)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  g_autofree double *changes = g_new (double, n);
  double sum = 0;

  g_assert_true (ww_attention_nudge (attention, token, delta, NULL, changes, NULL, NULL));
  for (gsize j = 0; j < n; j++)
    {
      double norm = test_norm (attention->features->data + j * d, d);

      sum += j != token && norm > 0 ? norm * norm * changes[j] * changes[j] : 0;
    }
  return sum;
}

/* Incremental objective, both precisions, against the definition. */
static void
check_objective (const WwAttention *attention, gsize token, double length, guint32 trial,
                 double single_tolerance)
{
  gsize d = attention->x->cols;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwAttentionProblem) single = ww_attention_problem_new (attention, 3, &error);
  g_autoptr (WwAttentionProblemDouble) exact
      = ww_attention_problem_double_new (attention, 3, &error);
  g_autofree double *delta = g_new (double, 3 * d);
  g_autofree float *single_delta = g_new (float, 3 * d);
  double values[3], single_values[3], change;

  g_assert_no_error (error);
  ww_attention_problem_set_token (single, token, NULL, NULL);
  ww_attention_problem_double_set_token (exact, token, NULL, NULL);
  ww_attention_problem_prepare_own (single, NULL, NULL);
  ww_attention_problem_double_prepare_own (exact, NULL, NULL);
  for (gsize c = 0; c < 3; c++)
    {
      g_autofree double *nudge = make_nudge (d, length, 3 * trial + c);

      for (gsize k = 0; k < d; k++)
        delta[c * d + k] = single_delta[c * d + k] = nudge[k];
    }
  ww_attention_problem_evaluate (single, &objectives[0], 3, single_delta, single_values, NULL);
  ww_attention_problem_double_evaluate (exact, &objectives[0], 3, delta, values, NULL);
  for (gsize c = 0; c < 3; c++)
    {
      g_assert_true (ww_attention_evaluate (attention, token, delta + c * d, &change, NULL));
      g_assert_cmpfloat (test_relative_error (sqrt (values[c]) / attention->norm, change, 0), <,
                         1e-9);
      g_assert_cmpfloat (test_relative_error (sqrt (single_values[c]) / attention->norm, change, 0),
                         <, single_tolerance);
    }

  const WwAttentionObjective others = { .beta = 1, .others_only = TRUE };
  if (attention->map == WW_MAP_RELU_RAF)
    return; /* rows of zeros have no relative change to read the absolute one off */
  ww_attention_problem_double_evaluate (exact, &others, 3, delta, values, NULL);
  for (gsize c = 0; c < 3; c++)
    {
      double sum = change_of_others (attention, token, delta + c * d);

      g_assert_cmpfloat (fabs (values[c] - sum), <=, 1e-9 * (sum + 1e-12));
    }
}

static void
test_objective (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
        {
          g_autoptr (WwAttention) attention = load_case (cases[c], maps[m]);
          double length = sqrt (attention->x->cols);

          check_objective (attention, 0, length, 0, 1e-4);
          check_objective (attention, 5, length / 2, 1, 1e-4);
          /* Small nudges keep their digits, since all is computed from differences. */
          check_objective (attention, 2, length / 1000, 2, 2e-3);
        }
      for (gsize n = 1; n < 40; n += 9)
        {
          g_autoptr (WwAttention) attention = make_gaussian (maps[m], n, 10, 1, 1);

          if (attention->norm > 0)
            check_objective (attention, n / 2, 3, n, 1e-4);
        }
      g_autoptr (WwAttention) blocks = make_gaussian (maps[m], 310, 384, 0, 1);
      check_objective (blocks, 200, sqrt (384), 4, 1e-4);
      g_autoptr (WwAttention) saturated = make_gaussian (WW_MAP_SOFTMAX_RAF, 12, 16, 0, 30);
      check_objective (saturated, 4, 4, 1, 1e-3);
    }
}

/* The score of the nudged row on one token, less the penalty for positive scores on all others: from the scores
 * of the nudged context. */
static double
capture_by_definition (const WwAttention *attention, gsize token, const double *delta, gsize aim, double penalty)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  g_autoptr (WwMatrix) x = ww_matrix_new_copy (n, d, attention->x->data, NULL);
  double sum = 0;

  for (gsize k = 0; k < d; k++)
    x->data[token * d + k] += delta[k];
  g_autoptr (WwAttention) nudged = ww_attention_new_keeping (attention->map, x, attention->w, TRUE, NULL, NULL);
  const double *scores = nudged->scores->data + token * n;
  for (gsize l = 0; l < n; l++)
    sum += l != aim ? MAX (scores[l], 0) * MAX (scores[l], 0) : 0;
  return scores[aim] - penalty / 2 * sum;
}

/* Token 0 among the captured is the nudged one, l the l-th of the others. */
static void
test_capture (void)
{
  enum { N = 7, D = 12, TOKEN = 3 };
  static const gsize aims[N] = { TOKEN, 0, 1, 2, 4, 5, 6 };
  g_autoptr (WwAttention) attention = make_gaussian (WW_MAP_RELU_RAF, N, D, 2, 1);
  g_autoptr (WwAttentionProblemDouble) problem = ww_attention_problem_double_new (attention, 1, NULL);
  g_autofree double *delta = make_nudge (D, sqrt (D), 1);

  ww_attention_problem_double_set_token (problem, TOKEN, NULL, NULL);
  ww_attention_problem_double_prepare_own (problem, NULL, NULL);
  for (gsize captured = 0; captured < N; captured++)
    {
      const WwAttentionObjective objective = { .capture = 3, .captured = captured };
      double value, expected = capture_by_definition (attention, TOKEN, delta, aims[captured], 3);

      ww_attention_problem_double_evaluate (problem, &objective, 1, delta, &value, NULL);
      g_assert_cmpfloat (test_relative_error (value, expected, 0), <, 1e-10);
    }
}

/* Gradients in double precision against central differences with step h: their error is h^2 times a
 * third derivative plus rounding / h, about 1e-8 relative at h = 1e-5; kinks are smoothed by at
 * least 0.01. Single precision against double. */
static void
check_gradient (const WwAttention *attention, gsize token, const WwAttentionObjective *objective)
{
  const double h = 1e-5;
  gsize d = attention->x->cols;
  g_autoptr (WwAttentionProblem) single = ww_attention_problem_new (attention, 1, NULL);
  g_autoptr (WwAttentionProblemDouble) exact
      = ww_attention_problem_double_new (attention, 2, NULL);
  g_autofree double *delta = make_nudge (d, sqrt (d), 1), *ends = g_new (double, 2 * d);
  g_autofree double *gradient = g_new (double, d);
  g_autofree float *single_delta = g_new (float, d), *single_gradient = g_new (float, d);
  double value, single_value, values[2], difference = 0;

  ww_attention_problem_set_token (single, token, NULL, NULL);
  ww_attention_problem_double_set_token (exact, token, NULL, NULL);
  ww_attention_problem_prepare_own (single, NULL, NULL);
  ww_attention_problem_double_prepare_own (exact, NULL, NULL);
  for (gsize k = 0; k < d; k++)
    single_delta[k] = delta[k];
  ww_attention_problem_double_evaluate (exact, objective, 1, delta, &value, gradient);
  ww_attention_problem_evaluate (single, objective, 1, single_delta, &single_value, single_gradient);
  double norm = test_norm (gradient, d);

  for (guint32 trial = 0; trial < 4; trial++)
    {
      g_autofree double *direction = make_nudge (d, 1, 100 + trial);
      double slope = 0;

      for (gsize k = 0; k < d; k++)
        {
          slope += gradient[k] * direction[k];
          ends[k] = delta[k] + h * direction[k];
          ends[d + k] = delta[k] - h * direction[k];
        }
      ww_attention_problem_double_evaluate (exact, objective, 2, ends, values, NULL);
      g_assert_cmpfloat (fabs ((values[0] - values[1]) / (2 * h) - slope), <, 1e-5 * norm);
    }
  for (gsize k = 0; k < d; k++)
    difference += pow (gradient[k] - single_gradient[k], 2);
  g_assert_cmpfloat (sqrt (difference), <, 1e-4 * norm);
}

static void
test_gradient (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
      {
        g_autoptr (WwAttention) attention = load_case (cases[c], maps[m]);

        for (gsize o = 0; o < G_N_ELEMENTS (objectives); o++)
          if (maps[m] == WW_MAP_SOFTMAX_RAF || objectives[o].smoothing > 0
              || objectives[o].capture > 0)
            {
              check_gradient (attention, 0, &objectives[o]);
              check_gradient (attention, 4, &objectives[o]);
            }
      }
}

/* exp of the kernels: a rounding or two of a float, also where the power of two changes. */
static void
test_kernel_exp (void)
{
  enum { COUNT = 4096 };
  g_autofree float *x = g_new (float, COUNT), *y = g_new (float, COUNT);
  double worst = 0;

  for (gsize k = 0; k < COUNT; k++)
    x[k] = -86.5 + 173.0 * k / (COUNT - 1);
  ww_kernel_exp_f (COUNT, x, y);
  for (gsize k = 0; k < COUNT; k++)
    worst = MAX (worst, test_relative_error (y[k], exp (x[k]), 0));
  g_assert_cmpfloat (worst, <, 3e-7);

  float ends[16] = { -INFINITY, -1e15f, -87.5f, 0, 87.5f, 1e15f, INFINITY };
  ww_kernel_exp_f (16, ends, y);
  g_assert_cmpfloat (y[0], >=, 0);
  g_assert_cmpfloat (y[0], <, 2e-38);
  g_assert_cmpfloat (y[1], ==, y[0]);
  g_assert_cmpfloat (y[3], ==, 1);
  g_assert_true (isfinite (y[6]));
  g_assert_cmpfloat (y[6], >, 1e37);
}

static void
test_errors (void)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (4, 6, 1, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (6, 1, 0, NULL);
  g_autoptr (WwMatrix) wrong = ww_matrix_new (6, 5, NULL);
  g_autoptr (WwMatrix) bad = ww_matrix_new_copy (4, 6, x->data, NULL);
  g_autoptr (WwMatrix) huge = ww_matrix_new_copy (4, 6, x->data, NULL);
  g_autoptr (GError) error = NULL;
  double delta[6] = { 0 }, change = 3;

  g_assert_null (ww_attention_new (WW_MAP_SOFTMAX_RAF, x, wrong, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_clear_error (&error);

  bad->data[13] = NAN;
  g_assert_null (ww_attention_new (WW_MAP_RELU_RAF, bad, w, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_clear_error (&error);

  for (gsize k = 0; k < 24; k++)
    huge->data[k] *= 1e200;
  g_assert_null (ww_attention_new (WW_MAP_SOFTMAX_RAF, huge, w, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_clear_error (&error);

  g_autoptr (WwAttention) attention = ww_attention_new (WW_MAP_SOFTMAX_RAF, x, w, &error);
  g_assert_no_error (error);
  g_assert_false (ww_attention_evaluate (attention, 4, delta, &change, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
  g_clear_error (&error);
  delta[2] = INFINITY;
  g_assert_false (ww_attention_nudge (attention, 0, delta, NULL, NULL, &change, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_clear_error (&error);
  delta[2] = 1e200;
  g_assert_false (ww_attention_evaluate (attention, 0, delta, &change, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
  g_assert_cmpfloat (change, ==, 3);
}

static void
test_cancelled (void)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (4, 6, 1, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (6, 1, 0, NULL);
  WwCancel cancel = { 0 };
  g_autoptr (GError) error = NULL;

  ww_cancel_set (&cancel, TRUE);
  g_assert_null (ww_attention_new_cancellable (WW_MAP_SOFTMAX_RAF, x, w, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/attention/reference/features", test_reference_features);
  g_test_add_func ("/attention/reference/norms", test_reference_norms);
  g_test_add_func ("/attention/row-sums", test_row_sums);
  g_test_add_func ("/attention/relu-row-without-positive-scores",
                   test_relu_row_without_positive_scores);
  g_test_add_func ("/attention/nudge/reference", test_nudge_reference);
  g_test_add_func ("/attention/nudge/small", test_nudge_small);
  g_test_add_func ("/attention/nudge/saturated", test_nudge_saturated);
  g_test_add_func ("/attention/nudge/permuted", test_nudge_permuted);
  g_test_add_func ("/attention/objective", test_objective);
  g_test_add_func ("/attention/capture", test_capture);
  g_test_add_func ("/attention/gradient", test_gradient);
  g_test_add_func ("/attention/kernel-exp", test_kernel_exp);
  g_test_add_func ("/attention/errors", test_errors);
  g_test_add_func ("/attention/cancelled", test_cancelled);

  return g_test_run ();
}

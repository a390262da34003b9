/* Scores and weights of the attention maps that are kept, or made when they are asked for: the same either way. */
#include "attention-cases.h"
#include "ww-attention-problem.h"
#include "ww-bound-rows.h"
#include "ww-swap.h"

/* What is as large as `scale` agrees. */
static void
check_same (gsize count, const double *a, const double *b, double scale, double tolerance)
{
  for (gsize k = 0; k < count; k++)
    if (isnan (a[k]))
      g_assert_true (isnan (b[k]));
    else
      g_assert_cmpfloat (fabs (a[k] - b[k]), <=, tolerance * MAX (fabs (a[k]), scale));
}

/* Entries, rows and sums of rows; returns how many rows are all zero. */
static guint
check_same_rows (const WwAttention *kept, const WwAttention *made, double tolerance)
{
  gsize n = kept->x->rows;
  g_autofree double *room = g_new (double, n), *all = g_new (double, n * n);
  guint n_zero = 0;

  g_assert_true (ww_attention_copy_scores (made, NULL, all, NULL));
  check_same (n * n, kept->scores->data, all, 1, tolerance);
  for (gsize j = 0; j < n; j++)
    {
      double sums[2] = { ww_attention_sum_row (kept, j), ww_attention_sum_row (made, j) };

      check_same (1, &sums[0], &sums[1], 1, tolerance);
      check_same (n, ww_attention_get_score_row (kept, j, NULL), ww_attention_get_score_row (made, j, room), 1,
                  tolerance);
      n_zero += kept->map == WW_MAP_RELU_RAF && sums[0] == 0;
      for (gsize l = 0; l < n && n > 1; l++)
        {
          double score = ww_attention_get_score (made, j, l), weight = ww_attention_get_weight (made, j, l, score);

          g_assert_cmpfloat (fabs (weight - kept->weights->data[j * n + l]), <=, tolerance);
          sums[0] = ww_attention_sum_others (kept, l, j, ww_attention_get_score (kept, j, l), room);
          sums[1] = ww_attention_sum_others (made, l, j, score, room);
          check_same (1, &sums[0], &sums[1], 1, tolerance);
        }
    }
  return n_zero;
}

static void
check_same_nudge (const WwAttention *kept, const WwAttention *made, gsize token, double tolerance)
{
  gsize n = kept->x->rows, d = kept->x->cols;
  g_autofree double *delta = make_nudge (d, sqrt (d), token), *changes = g_new (double, 2 * n);
  g_autoptr (WwMatrix) before = NULL;
  g_autoptr (WwMatrix) after = NULL;
  double change[3];

  g_assert_true (ww_attention_nudge (kept, token, delta, &before, changes, &change[0], NULL));
  g_assert_true (ww_attention_nudge (made, token, delta, &after, changes + n, &change[1], NULL));
  g_assert_true (ww_attention_nudge (made, token, delta, NULL, NULL, &change[2], NULL));
  check_same (n * n, before->data, after->data, 1, tolerance);
  check_same (n, changes, changes + n, 1, tolerance);
  check_same (1, &change[0], &change[1], 0, tolerance);
  g_assert_cmpfloat (change[1], ==, change[2]);
}

/* What searches, bounds and swaps prepare from the rows. */
static void
check_same_uses (const WwAttention *kept, const WwAttention *made, gsize token, double tolerance)
{
  gsize n = kept->x->rows, d = kept->x->cols;
  const WwAttention *both[] = { kept, made };
  const WwAttentionObjective objective = { .beta = 1 };
  g_autofree double *delta = make_nudge (d, sqrt (d), 5), *gradients = g_new (double, 2 * d);
  WwBoundRows rows[2] = { 0 };
  double values[2], swapped[2];

  for (gsize b = 0; b < 2; b++)
    {
      g_autoptr (WwAttentionProblemDouble) problem = ww_attention_problem_double_new (both[b], 1, NULL);
      g_autoptr (WwSwap) swap = ww_swap_new_attention ((WwAttention *) both[b], token, 1, NULL, NULL);

      g_assert_true (ww_attention_problem_double_set_token (problem, token, NULL, NULL));
      g_assert_true (ww_attention_problem_double_prepare_own (problem, NULL, NULL));
      ww_attention_problem_double_evaluate (problem, &objective, 1, delta, &values[b], gradients + b * d);
      g_assert_true (ww_bound_rows_init (&rows[b], both[b], token, 1, NULL, NULL));
      g_assert_true (ww_swap_evaluate (swap, 1, delta, NULL, &swapped[b], NULL));
    }
  check_same (1, &values[0], &values[1], 1e-3, tolerance);
  check_same (d, gradients, gradients + d, test_norm (gradients, d), tolerance);
  check_same (1, &swapped[0], &swapped[1], 1e-3, tolerance);
  check_same (n - 1, rows[0].q, rows[1].q, 1, tolerance);
  check_same (n - 1, rows[0].score, rows[1].score, 1, tolerance);
  check_same (n - 1, rows[0].base, rows[1].base, 1, tolerance);
  check_same ((n - 1) * d, rows[0].e, rows[1].e, sqrt (d), tolerance);
  ww_bound_rows_clear (&rows[0]);
  ww_bound_rows_clear (&rows[1]);
}

static guint
check_same_both_ways (WwMap map, gsize n, gsize d, guint32 trial, double w_scale, double tolerance)
{
  g_autoptr (WwAttention) usual = make_gaussian (map, n, d, trial, w_scale);
  g_autoptr (WwAttention) kept = ww_attention_new_keeping (map, usual->x, usual->w, TRUE, NULL, NULL);
  g_autoptr (WwAttention) made = ww_attention_new_keeping (map, usual->x, usual->w, FALSE, NULL, NULL);
  g_autoptr (GError) error = NULL;
  guint n_zero;

  g_assert_true ((usual->scores != NULL) == (n <= d));
  g_assert_true (kept->scores != NULL && made->scores == NULL && made->weights == NULL);
  check_same (n * d, kept->features->data, made->features->data, 1, tolerance);
  check_same (n * n, ww_attention_get_weights (kept, &error)->data, ww_attention_get_weights (made, &error)->data,
              1, tolerance);
  g_assert_no_error (error);
  g_assert_true (ww_attention_get_weights (made, NULL) == ww_attention_get_weights (made, NULL));

  n_zero = check_same_rows (kept, made, tolerance);
  if (kept->norm > 0)
    check_same_nudge (kept, made, trial % n, tolerance);
  if (kept->norm > 0)
    check_same_uses (kept, made, trial % n, tolerance);
  return n_zero;
}

/* Contexts longer than their rows keep no scores and no weights; with either, on both sides of n = d, all is the
 * same. Large scores put nearly all weight on single tokens, and a relative error of the score, which
 * rounding makes, is there as many times larger in the weights. */
static void
test_kept_or_made (void)
{
  static const gsize sizes[][2]
      = { { 2, 1 }, { 5, 2 }, { 17, 3 }, { 9, 9 }, { 10, 9 }, { 12, 40 }, { 70, 24 }, { 24, 70 }, { 130, 16 } };
  guint n_zero = 0;

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint32 trial = 0; trial < 12; trial++)
      for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
        {
          n_zero += check_same_both_ways (maps[m], sizes[s][0], sizes[s][1], trial, 1, 1e-12);
          check_same_both_ways (maps[m], sizes[s][0], sizes[s][1], trial, 30, 1e-10);
        }
  g_assert_cmpuint (n_zero, >=, 5);
}

/* Scores that overflow are an error either way. */
static void
test_made_overflow (void)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (6, 4, 1, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (4, 1, 0, NULL);

  for (gsize k = 0; k < 24; k++)
    x->data[k] *= 1e200;
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    for (guint keep = 0; keep < 2; keep++)
      {
        g_autoptr (GError) error = NULL;

        g_assert_null (ww_attention_new_keeping (maps[m], x, w, keep, NULL, &error));
        g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/attention-rows/kept-or-made", test_kept_or_made);
  g_test_add_func ("/attention-rows/made-overflow", test_made_overflow);

  return g_test_run ();
}

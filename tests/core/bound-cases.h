/* Small random problems for the tests of the certified bounds, and what is found in them. */
#pragma once

#include "test-util.h"
#include "ww-bound.h"

static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

/* A small random problem: unequal norms, correlated tokens, W three or thirty times as large, radii
 * mostly from 0.3 to 2 but from 0.01 to 30 too, a zero row, or one token twice, as the dice say. */
typedef struct
{
  WwAttention *attention;
  gsize token;
  double radius;
} Case;

static inline void
case_clear (Case *self)
{
  ww_attention_unref (self->attention);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static inline void
fill (double *values, gsize count, GRand *dice)
{
  ww_random_normal (g_rand_int (dice), WW_PURPOSE_CONTEXT, 0, 0, count, 1, values);
}

static inline void
case_init (Case *self, WwMap map, gsize n, gsize d, GRand *dice)
{
  g_autoptr (WwMatrix) x = ww_matrix_new (n, d, NULL);
  g_autoptr (WwMatrix) w = ww_matrix_new (d, d, NULL);
  g_autofree double *common = g_new (double, d);
  double correlation = g_rand_boolean (dice) ? 0 : g_rand_double_range (dice, 0, 3);
  double spread = g_rand_boolean (dice) ? 0 : g_rand_double_range (dice, 0, 1.5);
  const double scales[] = { 1, 1, 1, 1, 3, 3, 30 };
  double scale = scales[g_rand_int_range (dice, 0, G_N_ELEMENTS (scales))] / sqrt (d);

  fill (x->data, n * d, dice);
  fill (w->data, d * d, dice);
  fill (common, d, dice);
  for (gsize j = 0; j < n; j++)
    {
      double stretch = exp (spread * g_rand_double_range (dice, -1, 1));

      for (gsize k = 0; k < d; k++)
        x->data[j * d + k] = stretch * (x->data[j * d + k] + correlation * common[k]);
    }
  if (n > 1 && g_rand_int_range (dice, 0, 20) == 0)
    memset (x->data + (gsize) g_rand_int_range (dice, 0, n) * d, 0, d * sizeof (double));
  if (n > 1 && g_rand_int_range (dice, 0, 20) == 0)
    memcpy (x->data, x->data + (n - 1) * d, d * sizeof (double));
  for (gsize k = 0; k < d * d; k++)
    w->data[k] *= scale;

  self->attention = ww_attention_new (map, x, w, NULL);
  g_assert_nonnull (self->attention);
  self->token = g_rand_int_range (dice, 0, n);
  self->radius = g_rand_int_range (dice, 0, 4) > 0 ? g_rand_double_range (dice, 0.3, 2)
                                                   : exp (g_rand_double_range (dice, -4.6, 3.4));
}

static inline double
bound_of (const Case *self, WwBoundEffort effort)
{
  g_autoptr (GError) error = NULL;
  double bound = NAN;

  ww_attention_bound (self->attention, self->token, self->radius, effort, 0, NULL, &bound, &error);
  g_assert_no_error (error);
  return bound;
}

static inline double
value_of (const Case *self, const double *delta)
{
  g_autoptr (GError) error = NULL;
  double value = NAN;

  ww_attention_evaluate (self->attention, self->token, delta, &value, &error);
  g_assert_no_error (error);
  return value;
}

/* A random climb from a random start, partly inside the ball: no gradient, so that it owes nothing to
 * the code of the search. Returns the largest value met. */
static inline double
climb (const Case *self, guint steps, GRand *dice)
{
  gsize d = ww_attention_get_x (self->attention)->cols;
  g_autofree double *best = g_new (double, d);
  g_autofree double *trial = g_new (double, d);
  double reach = self->radius * sqrt (d), stride = 1;
  double value;

  fill (best, d, dice);
  double length = test_norm (best, d);
  double wanted = reach * (g_rand_boolean (dice) ? 1 : g_rand_double (dice));
  for (gsize k = 0; k < d; k++)
    best[k] *= wanted / length;
  value = value_of (self, best);

  for (guint step = 0; step < steps; step++)
    {
      fill (trial, d, dice);
      for (gsize k = 0; k < d; k++)
        trial[k] = best[k] + stride * trial[k] * reach / sqrt (d);
      double norm = test_norm (trial, d);
      for (gsize k = 0; k < d && norm > reach; k++)
        trial[k] *= reach / norm;

      double there = value_of (self, trial);
      stride *= there > value ? 1.5 : 0.93;
      if (there > value)
        {
          value = there;
          memcpy (best, trial, d * sizeof (double));
        }
    }
  return value;
}

static inline double
searched (const Case *self, WwEffort effort)
{
  WwSearchSettings settings = {
    .token = self->token,
    .radius = self->radius,
    .effort = effort,
    .seed = 7,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSearchResult) result = ww_attention_search (self->attention, &settings, NULL, NULL,
                                                           NULL, &error);

  g_assert_no_error (error);
  return result->ws;
}

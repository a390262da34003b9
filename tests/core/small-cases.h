/* Small contexts, and searches of them that the search of the library is held against. */
#pragma once

#include <math.h>
#include <string.h>

#include "test-util.h"
#include "ww-attention-private.h"
#include "ww-attention-problem.h"

/* Case `number`: n from 2 to 12, d from 2 to 32, the smallest n more often. */
static inline WwAttention *
small_case_make (WwMap map, guint number)
{
  static const gsize lengths[] = { 2, 3, 4, 5, 7, 10, 12 }, dims[] = { 2, 4, 8, 16, 32, 3, 6 };
  gsize n = lengths[number % 7], d = dims[number / 7 % 7];
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 77, number, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, 77, number, NULL);

  return ww_attention_new (map, x, w, NULL);
}

#define SMALL_KEPT 4

/* What random nudges find: half of them on the sphere, half inside. */
typedef struct
{
  double best;
  double values[SMALL_KEPT]; /* squared changes, falling */
  double points[SMALL_KEPT][64];
} SmallRandom;

static inline void
small_random_offer (SmallRandom *random, gsize d, double value, const double *delta)
{
  gsize at = SMALL_KEPT;

  while (at > 0 && !(value <= random->values[at - 1]))
    at--;
  for (gsize k = SMALL_KEPT - 1; k > at && at < SMALL_KEPT; k--)
    {
      random->values[k] = random->values[k - 1];
      memcpy (random->points[k], random->points[k - 1], sizeof random->points[k]);
    }
  if (at == SMALL_KEPT)
    return;
  random->values[at] = value;
  memcpy (random->points[at], delta, d * sizeof (double));
}

static inline void
small_limit (double *delta, gsize d, double length, gboolean onto_sphere)
{
  double norm = 0;

  for (gsize k = 0; k < d; k++)
    norm += delta[k] * delta[k];
  norm = sqrt (norm);
  for (gsize k = 0; k < d && norm > 0 && (onto_sphere || norm > length); k++)
    delta[k] *= length / norm;
}

static inline SmallRandom
small_random_search (const WwAttention *attention, gsize token, double radius, gsize n_nudges, guint64 seed)
{
  gsize d = attention->x->cols;
  g_autoptr (WwAttentionProblemDouble) problem = ww_attention_problem_double_new (attention, 16, NULL);
  const WwAttentionObjective objective = { .beta = 1 };
  g_autofree double *deltas = g_new (double, 16 * d), *shares = g_new (double, n_nudges + 16);
  double values[16], length = radius * sqrt (d);
  SmallRandom random = { .best = 0 };

  ww_attention_problem_double_set_token (problem, token, NULL, NULL);
  ww_attention_problem_double_prepare_own (problem, NULL, NULL);
  ww_random_normal (seed, WW_PURPOSE_DIRECTION, 1, 0, n_nudges + 16, 1, shares);
  for (gsize first = 0; first < n_nudges; first += 16)
    {
      ww_random_normal (seed, WW_PURPOSE_DIRECTION, 2, first * d, 16 * d, 1, deltas);
      for (gsize c = 0; c < 16; c++)
        {
          small_limit (deltas + c * d, d, length, TRUE);
          for (gsize k = 0; k < d && c % 2 == 1; k++)
            deltas[c * d + k] *= 1 / (1 + fabs (shares[first + c]));
        }
      ww_attention_problem_double_evaluate (problem, &objective, 16, deltas, values, NULL);
      for (gsize c = 0; c < 16; c++)
        small_random_offer (&random, d, values[c], deltas + c * d);
    }
  random.best = sqrt (random.values[0]) / attention->norm;
  return random;
}

/* Random steps around `point` whose length falls where none of them rises; returns the squared change. */
static inline double
small_hill_climb (WwAttentionProblemDouble *problem, gsize d, double length, guint rounds, guint64 seed,
                  double *point)
{
  const WwAttentionObjective objective = { .beta = 1 };
  g_autofree double *deltas = g_new (double, 16 * d);
  double values[16], best = 0, width = 0.5;

  for (guint r = 0; r < rounds; r++)
    {
      gsize winner = 16;

      ww_random_normal (seed, WW_PURPOSE_DIRECTION, 3, (guint64) r * 16 * d, 16 * d, width * length / sqrt (d), deltas);
      for (gsize c = 0; c < 16; c++)
        {
          for (gsize k = 0; k < d; k++)
            deltas[c * d + k] = (r == 0 && c == 0 ? 0 : deltas[c * d + k]) + point[k];
          small_limit (deltas + c * d, d, length, c % 2 == 0 && r > 0);
        }
      ww_attention_problem_double_evaluate (problem, &objective, 16, deltas, values, NULL);
      for (gsize c = 0; c < 16; c++)
        if (values[c] > best)
          {
            best = values[c];
            winner = c;
          }
      if (winner < 16)
        memcpy (point, deltas + winner * d, d * sizeof (double));
      width = CLAMP (width * (winner < 16 ? 1.3 : 0.8), 1e-4, 0.5);
    }
  return best;
}

/* The largest that random nudges, four thorough searches and hill climbs from them all find. */
static inline double
small_heavy_search (const WwAttention *attention, gsize token, double radius, const SmallRandom *random,
                    guint64 seed)
{
  gsize d = attention->x->cols;
  g_autoptr (WwAttentionProblemDouble) problem = ww_attention_problem_double_new (attention, 16, NULL);
  double best = random->values[0], length = radius * sqrt (d);

  ww_attention_problem_double_set_token (problem, token, NULL, NULL);
  ww_attention_problem_double_prepare_own (problem, NULL, NULL);
  for (gsize s = 0; s < SMALL_KEPT; s++)
    {
      const WwSearchSettings settings
          = { .token = token, .radius = radius, .effort = WW_EFFORT_THOROUGH, .seed = 1000 + seed + s };
      g_autoptr (WwSearchResult) result = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);
      double point[64];

      memcpy (point, random->points[s], d * sizeof (double));
      best = MAX (best, small_hill_climb (problem, d, length, 150, seed + s, point));
      best = MAX (best, small_hill_climb (problem, d, length, 100, seed + 10 + s, result->delta));
    }
  return sqrt (best) / attention->norm;
}

#include "ww-attention-scan.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-attention-starts.h"
#include "ww-random.h"

typedef struct
{
  gsize most;     /* nudges that are looked at */
  double work;    /* multiplications that they may cost together */
  gsize n_climbs; /* of the best of them that climb, besides the recipe's nudge */
  gsize n_rounds; /* of random steps */
} Plan;

#define MOST_CLIMBS 20
#define N_STEPS 16 /* random steps of one round */

static const Plan plans[WW_N_PLANS] = {
  [WW_PLAN_SCREEN] = { 0, 0, 0, 0 },
  [WW_PLAN_QUICK] = { 512, 4e6, 6, 20 },
  [WW_PLAN_NORMAL] = { 2048, 3e7, 12, 60 },
  [WW_PLAN_THOROUGH] = { 8192, 1e8, MOST_CLIMBS, 120 },
};

/* Fewer than this are not worth it: the problem is not small. */
#define LEAST 64

/* Nudges that point as nearly the same way as this belong to one summit. */
#define SAME_SUMMIT 0.9

/* The length of a random step, in lengths of the nudge: at first, and where it is not worth going on. */
#define WIDEST 0.3
#define NARROWEST 1e-5

/* Numbers of random streams, beyond those of all recipes. */
#define FIRST_SCANNED ((guint32) 1 << 24)
#define FIRST_STEP ((guint32) 1 << 25)

/* The nudges of largest squared change, best first. */
typedef struct
{
  gsize d, most, count;
  double values[MOST_CLIMBS + 1];
  double *points; /* (MOST_CLIMBS + 1) x d */
} Best;

gsize
ww_attention_scan_get_count (WwAttentionPlan plan, gsize n, gsize d)
{
  double affordable = MIN (plans[plan].work / (8.0 * n * d + (double) d * d), (double) plans[plan].most);

  return affordable < LEAST ? 0 : affordable;
}

gsize
ww_attention_scan_get_n_climbs (WwAttentionPlan plan)
{
  return plans[plan].n_climbs + 1;
}

gsize
ww_attention_scan_get_room (gsize d)
{
  return (MOST_CLIMBS + 1 + N_STEPS) * d;
}

/* Copies a nudge to place `at` and moves it up to where it belongs. */
static void
best_put (Best *best, gsize at, double value, const double *point)
{
  gsize d = best->d;

  for (; at > 0 && value > best->values[at - 1]; at--)
    {
      best->values[at] = best->values[at - 1];
      memcpy (best->points + at * d, best->points + (at - 1) * d, d * sizeof (double));
    }
  best->values[at] = value;
  memcpy (best->points + at * d, point, d * sizeof (double));
}

static void
best_offer (Best *best, double value, const double *point)
{
  gsize d = best->d;
  double norm2;

  if (!isfinite (value) || (best->count == best->most && value <= best->values[best->count - 1]))
    return;

  norm2 = cblas_ddot (d, point, 1, point, 1);
  for (gsize b = 0; b < best->count; b++)
    {
      const double *other = best->points + b * d;
      double product = cblas_ddot (d, point, 1, other, 1);

      if (product < 0 || product * product < SAME_SUMMIT * SAME_SUMMIT * norm2 * cblas_ddot (d, other, 1, other, 1))
        continue;
      if (value > best->values[b])
        best_put (best, b, value, point);
      return;
    }
  if (best->count < best->most)
    best->count++;
  best_put (best, best->count - 1, value, point);
}

/* The directions that raise the scores of the rows on the token, where no other token has one: added. */
static void
add_empty_rows (const WwAttention *attention, gsize token, double *room, double *delta)
{
  gsize n = attention->x->rows, d = attention->x->cols;

  for (gsize j = 0; j < n && attention->map == WW_MAP_RELU_RAF; j++)
    {
      double score = ww_attention_get_score (attention, j, token);

      if (j != token && ww_attention_sum_others (attention, token, j, score, room) == 0)
        cblas_daxpy (d, 1, attention->xw->data + j * d, 1, delta, 1);
    }
}

/* The first 4 n nudges: each row's direction, up and down, without and with half of the token's own row; for
 * the token's row, those of all empty rows at once. */
static void
place_known (const WwAttentionRun *run, gsize token, gsize number, double *delta)
{
  const WwAttention *attention = run->attention;
  gsize d = attention->x->cols, row = number / 4;
  const double *x = attention->x->data + token * d;
  double norm;

  memset (delta, 0, d * sizeof (double));
  if (row == token)
    add_empty_rows (attention, token, run->room, delta);
  else
    cblas_daxpy (d, 1, attention->xw->data + row * d, 1, delta, 1);
  norm = cblas_dnrm2 (d, delta, 1);
  if (norm > 0)
    cblas_dscal (d, (number % 2 == 0 ? 1 : -1) * cblas_dnrm2 (d, x, 1) / norm, delta, 1);
  if (number % 4 >= 2)
    cblas_daxpy (d, 0.5, x, 1, delta, 1);
}

/* The others: all around, around the row and away from it, along combinations of the rows' directions. */
static void
place_random (WwAttentionRun *run, gsize token, gsize number, double *delta)
{
  static const WwStartFamily families[] = {
    WW_START_PLAIN, WW_START_TILTED, WW_START_PLAIN, WW_START_ALL_ROWS
  };
  gsize d = run->attention->x->cols;
  double sign = number % 8 < 4 ? 1 : -1;

  ww_attention_start (run->attention, token, families[number % G_N_ELEMENTS (families)], run->settings->seed,
                      run->settings->trial, FIRST_SCANNED + number, run->combination, run->direction);
  for (gsize k = 0; k < d; k++)
    delta[k] = sign * run->direction[k];
}

/* Scales a nudge to a length, unless it is zero. */
static void
scale_to (double *delta, gsize d, double length)
{
  double norm = cblas_dnrm2 (d, delta, 1);

  if (norm > 0 && isfinite (norm))
    cblas_dscal (d, length / norm, delta, 1);
}

/* Nudge `number`; one in four of the random ones lies inside the ball, as deep as a sequence says that
 * covers all depths evenly. */
static void
place_nudge (WwAttentionRun *run, gsize token, gsize number, double *delta)
{
  gsize d = run->attention->x->cols;
  double depth = 1;

  if (number < 4 * run->attention->x->rows)
    place_known (run, token, number, delta);
  else
    {
      place_random (run, token, number, delta);
      if (number % 4 == 2)
        depth = fmod (number * 0.6180339887498949, 1);
    }
  scale_to (delta, d, depth * run->length);
}

static gboolean
evaluate (WwAttentionRun *run, gsize count, const double *deltas, double *ret_values, GError **error)
{
  const WwAttentionObjective objective = { .beta = 1 };

  if (ww_cancel_check (run->cancel, error))
    return FALSE;
  ww_attention_problem_double_evaluate (run->exact, &objective, count, deltas, ret_values, NULL);
  run->n_evaluated += count;
  return TRUE;
}

/* At most N_STEPS nudges. */
static gboolean
evaluate_and_offer (WwAttentionRun *run, gsize count, const double *deltas, Best *best, GError **error)
{
  double values[N_STEPS];

  if (!evaluate (run, count, deltas, values, error))
    return FALSE;
  for (gsize c = 0; c < count; c++)
    best_offer (best, values[c], deltas + c * best->d);
  return TRUE;
}

static gsize
get_batch (const WwAttentionRun *run)
{
  return MIN (N_STEPS, ww_attention_problem_double_get_batch (run->exact));
}

static gboolean
look_around (WwAttentionRun *run, gsize token, gsize count, double *deltas, Best *best, GError **error)
{
  gsize d = best->d, batch = get_batch (run);

  for (gsize first = 0; first < count; first += batch)
    {
      gsize size = MIN (batch, count - first);

      for (gsize c = 0; c < size; c++)
        place_nudge (run, token, first + c, deltas + c * d);
      if (!evaluate_and_offer (run, size, deltas, best, error))
        return FALSE;
    }
  return TRUE;
}

/* Offers the first `count` nudges of the polish, by what the map itself makes of them. */
static gboolean
offer_polished (WwAttentionRun *run, gsize count, double *deltas, Best *best, GError **error)
{
  gsize d = best->d, batch = get_batch (run);

  for (gsize first = 0; first < count; first += batch)
    {
      gsize size = MIN (batch, count - first);

      for (gsize c = 0; c < size; c++)
        memcpy (deltas + c * d, ww_polish_get_point (run->polish, first + c), d * sizeof (double));
      if (!evaluate_and_offer (run, size, deltas, best, error))
        return FALSE;
    }
  return TRUE;
}

/* Lets the first `count` nudges of the polish climb along the sphere, with less and less smoothing, which
 * leads ReLUs along their kinks and across the jumps; those that end higher are kept. */
static gboolean
climb (WwAttentionRun *run, gsize count, double widest, double *deltas, Best *best, GError **error)
{
  static const double widths[] = { 0.1, 0.01, 0.001, 0 };
  gsize nudges[MOST_CLIMBS + 1];

  for (gsize c = 0; c < count; c++)
    nudges[c] = c;
  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++)
    {
      const WwAttentionObjective objective = { .beta = 1, .smoothing = widths[w] * run->score_scale };

      if (widths[w] > widest)
        continue;
      if (!ww_polish_run (run->polish, &objective, TRUE, nudges, count, 50, 1e-6, run->cancel, error)
          || !offer_polished (run, count, deltas, best, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
climb_best (WwAttentionRun *run, double *deltas, Best *best, GError **error)
{
  gsize count = best->count, d = best->d;

  for (gsize b = 0; b < count; b++)
    memcpy (ww_polish_get_point (run->polish, b), best->points + b * d, d * sizeof (double));
  return climb (run, count, run->attention->map == WW_MAP_RELU_RAF ? 0.1 : 0, deltas, best, error);
}

/* Nudges under which a ReLU row i looks at another token alone, from harder and harder penalties: where the
 * scores on all others can only vanish together with that on the token, the weight on it still tends to 1. */
static gboolean
capture_others (WwAttentionRun *run, gsize token, gsize most, double *deltas, Best *best, GError **error)
{
  static const double penalties[] = { 1, 10, 100, 1000 };
  gsize count = MIN (run->attention->x->rows - 1, most);

  for (gsize c = 0; c < count; c++)
    {
      double *point = ww_polish_get_point (run->polish, c);

      place_random (run, token, 8 * c, point);
      for (gsize p = 0; p < G_N_ELEMENTS (penalties); p++)
        {
          const WwAttentionObjective objective
              = { .capture = penalties[p] / run->score_scale, .captured = 1 + (token + c) % (run->attention->x->rows - 1) };

          if (!ww_polish_run (run->polish, &objective, TRUE, &c, 1, 30, 1e-4, run->cancel, error))
            return FALSE;
        }
    }
  return offer_polished (run, count, deltas, best, error) && climb (run, count, 0.01, deltas, best, error);
}

/* Random steps from `point`: half of them along the sphere, half wherever they lead inside the ball.
 * `number` is that of the climb. */
static gboolean
step_at_random (WwAttentionRun *run, gsize n_rounds, guint32 number, double *point, double *value,
                double *deltas, GError **error)
{
  gsize d = run->attention->x->cols, batch = get_batch (run);
  double values[N_STEPS], width = WIDEST;

  for (gsize r = 0; r < n_rounds && width > NARROWEST; r++)
    {
      gsize winner = batch;

      for (gsize c = 0; c < batch; c++)
        {
          double *delta = deltas + c * d;

          ww_attention_start (run->attention, 0, WW_START_PLAIN, run->settings->seed, run->settings->trial,
                              FIRST_STEP + (number * 128 + r) * N_STEPS + c, run->combination, run->direction);
          for (gsize k = 0; k < d; k++)
            delta[k] = point[k] + width * run->length * run->direction[k];
          if (c % 2 == 0 || cblas_dnrm2 (d, delta, 1) > run->length)
            scale_to (delta, d, run->length);
        }
      if (!evaluate (run, batch, deltas, values, error))
        return FALSE;
      for (gsize c = 0; c < batch; c++)
        if (values[c] > *value)
          {
            *value = values[c];
            winner = c;
          }
      if (winner < batch)
        memcpy (point, deltas + winner * d, d * sizeof (double));
      width *= winner < batch ? 1.25 : 0.75;
      width = MIN (width, WIDEST);
    }
  return TRUE;
}

gboolean
ww_attention_scan_run (WwAttentionRun *run, gsize token, WwAttentionPlan plan, GError **error)
{
  const Plan *amounts = &plans[plan];
  gsize d = run->attention->x->cols, count = ww_attention_scan_get_count (plan, run->attention->x->rows, d);
  /* What is less small gets less of everything. */
  double share = (double) count / amounts->most;
  gsize n_climbs = MAX (1, share * amounts->n_climbs), n_rounds = share * amounts->n_rounds;
  double *deltas = run->scan_room + (MOST_CLIMBS + 1) * d, value;
  Best best = { .d = d, .most = n_climbs, .points = run->scan_room };

  if (!look_around (run, token, count, deltas, &best, error)
      || !evaluate (run, 1, run->best, &value, error))
    return FALSE;
  best.most++;
  best_offer (&best, value, run->best);
  if (!climb_best (run, deltas, &best, error)
      || (run->attention->map == WW_MAP_RELU_RAF
          && !capture_others (run, token, n_climbs, deltas, &best, error)))
    return FALSE;

  for (gsize b = 0; b < best.count; b++)
    if (!step_at_random (run, n_rounds, plan * (MOST_CLIMBS + 1) + b, best.points + b * d, &best.values[b], deltas,
                         error))
      return FALSE;
  for (gsize b = 0; b < best.count; b++)
    if (best.values[b] > value)
      {
        value = best.values[b];
        memcpy (run->best, best.points + b * d, d * sizeof (double));
      }
  return TRUE;
}

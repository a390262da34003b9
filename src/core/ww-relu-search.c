#include "ww-attention-run.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-attention-starts.h"

/* ReLU-RAF has two kinds of summits. In the captured one, row i looks at itself alone: its scores on
 * all others are driven to zero or below, on the kinks of as many ReLUs as can be. Where n is not
 * small against d it is the highest, and random starts hardly ever find it; but the score on itself
 * minus a penalty for positive scores on others has, as far as measured, a single summit, from which
 * it is reached. The other kind holds many rows halfway and is found from random starts under a
 * smoothed ReLU, (t + sqrt (t^2 + h^2)) / 2 with h falling. Both end in quasi-Newton steps with h
 * falling further. All h are in units of a typical score. */
typedef struct
{
  gsize n_starts, n_polished;
  gboolean exact;      /* the last width in double precision */
  gsize width_stride;  /* 1: all of polish_widths, 2: every other */
  guint capture_steps; /* for each penalty */
  guint max_steps;     /* of the polish, at each width */
  double tolerance;
} Plan;

#define MOST_POLISHED 6

static const Plan plans[WW_N_PLANS] = {
  [WW_PLAN_SCREEN] = { 6, 1, FALSE, 1, 8, 40, 3e-5 },
  [WW_PLAN_QUICK] = { 16, 2, FALSE, 2, 100, 150, 1e-6 },
  [WW_PLAN_NORMAL] = { 64, 4, TRUE, 1, 100, 150, 1e-6 },
  [WW_PLAN_THOROUGH] = { 256, MOST_POLISHED, TRUE, 1, 100, 150, 1e-6 },
};

/* With few rows the summits are many and each evaluation is cheap. */
#define FEW_ROWS 20
#define FEW_ROWS_FACTOR 4

/* With more rows than this the captured summit is the highest, if it can be reached at all. */
#define MANY_ROWS 80

/* Nudges of the captured kind among those that are polished: one that enters with a wide smoothing,
 * one with a narrow. A wide one loses the summit where n is larger than d; a narrow one gets stuck. */
#define N_CAPTURED 2
#define CAPTURE_WIDTH 0.1

/* Two polished nudges closer than this are the same. */
#define SAME_POINT 0.9999

static const double polish_widths[] = { 0.03, 0.01, 0.003, 0.001, 0.0003, 0.0001 };
static const gsize polish_survivors[] = { 6, 4, 3, 2, 1, 1 };

gsize
ww_relu_recipe_get_n_starts (WwAttentionPlan plan, gsize n)
{
  return plans[plan].n_starts * (n <= FEW_ROWS ? FEW_ROWS_FACTOR : 1);
}

gsize
ww_relu_recipe_get_n_polished (WwAttentionPlan plan)
{
  return N_CAPTURED + plans[plan].n_polished;
}

gboolean
ww_relu_recipe_is_exact (WwAttentionPlan plan)
{
  return plans[plan].exact;
}

static void
place_starts (WwAttentionRun *run, gsize token, WwAttentionPlan plan, gsize n_starts)
{
  for (gsize s = 0; s < n_starts; s++)
    {
      ww_attention_start (run->attention, token, s % 2 == 0 ? WW_START_TILTED : WW_START_PLAIN,
                          run->settings->seed, run->settings->trial, WW_PLAN_FIRST_START (plan) + s,
                          run->combination, ww_ascent_get_point (run->ascent, s));
      ww_ascent_project (run->ascent, s);
      run->starts[s] = s;
    }
  if (plan == WW_PLAN_SCREEN && run->n_pooled > 0)
    ww_attention_run_start_warm (run, token, 0, 0);
}

static void
copy_to_polish (WwAttentionRun *run, gsize start, gsize nudge)
{
  const float *point = ww_ascent_get_point (run->ascent, start);
  double *target = ww_polish_get_point (run->polish, nudge);

  for (gsize k = 0; k < run->attention->x->cols; k++)
    target[k] = point[k];
}

/* Nudge 0 of the polish climbs the capture objective from start 0, with a mild and then a hard
 * penalty. */
static gboolean
capture (WwAttentionRun *run, guint max_steps, GError **error)
{
  static const double penalties[] = { 1, 10 };
  const gsize first[] = { 0 };

  copy_to_polish (run, 0, 0);
  for (gsize p = 0; p < G_N_ELEMENTS (penalties); p++)
    {
      const WwAttentionObjective objective = { .capture = penalties[p] / run->score_scale };

      if (!ww_polish_run (run->polish, &objective, FALSE, first, 1, max_steps, 1e-5, run->cancel,
                          error))
        return FALSE;
    }
  return TRUE;
}

/* Nudge 1 becomes what nudge 0 turns into under a wide smoothing. */
static gboolean
widen (WwAttentionRun *run, GError **error)
{
  const WwAttentionObjective wide = { .smoothing = CAPTURE_WIDTH * run->score_scale };
  const gsize second[] = { 1 };

  memcpy (ww_polish_get_point (run->polish, 1), ww_polish_get_point (run->polish, 0),
          run->attention->x->cols * sizeof (double));
  return ww_polish_run (run->polish, &wide, FALSE, second, 1, 60, 1e-5, run->cancel, error);
}

/* One width for the first `count` of run->starts; sorts them. */
static gboolean
climb (WwAttentionRun *run, gsize count, double width, GError **error)
{
  const WwAttentionObjective objective = { .smoothing = width * run->score_scale };

  if (!ww_ascent_run (run->ascent, &objective, run->starts, count, 40, 1e-3, 0, run->cancel,
                      error))
    return FALSE;
  ww_ascent_sort (run->ascent, run->starts, count);
  ww_attention_run_report (run);
  return TRUE;
}

/* Half of the starts enter with wide smoothing, which leads to broad summits, half with a tenth of
 * it, which leads to narrow ones. Returns how many distinct ones are left in front, or 0 if
 * cancelled. */
static gsize
climb_starts (WwAttentionRun *run, gsize n_starts, GError **error)
{
  gsize half = n_starts / 2, few = MIN (n_starts, 8);

  if (!climb (run, half, 1, error) || !climb (run, half, 0.3, error))
    return 0;

  gsize kept = MAX (half / 2, MIN (half, 4));
  for (gsize s = half; s < n_starts; s++)
    {
      gsize start = run->starts[s];

      run->starts[s] = run->starts[kept];
      run->starts[kept++] = start;
    }
  if (!climb (run, kept, 0.1, error))
    return 0;
  kept = MAX (kept / 2, MIN (kept, few));
  if (!climb (run, kept, 0.03, error))
    return 0;
  return ww_attention_run_drop_copies (run, kept);
}

/* The nudges that stay, best first: at most `limit`, none next to a better one. */
static gsize
drop_copies (WwAttentionRun *run, gsize *nudges, gsize count, gsize limit)
{
  gsize d = run->attention->x->cols, kept = 0;
  double near = SAME_POINT * run->length * run->length;

  ww_polish_sort (run->polish, nudges, count);
  for (gsize a = 0; a < count && kept < limit; a++)
    {
      const double *point = ww_polish_get_point (run->polish, nudges[a]);
      gboolean copy = FALSE;

      for (gsize b = 0; b < kept && !copy; b++)
        copy = cblas_ddot (d, point, 1, ww_polish_get_point (run->polish, nudges[b]), 1) > near;
      if (!copy)
        nudges[kept++] = nudges[a];
    }
  return kept;
}

/* The nudges that enter the polish, and how many; 0 if cancelled. */
static gsize
find_nudges (WwAttentionRun *run, gsize token, WwAttentionPlan plan, gsize *nudges, GError **error)
{
  gsize n = run->attention->x->rows, n_starts = ww_relu_recipe_get_n_starts (plan, n);
  gsize count = 0;

  place_starts (run, token, plan, n_starts);
  if (!ww_attention_problem_prepare_own (run->problem, run->cancel, error))
    return 0;
  if (!capture (run, plans[plan].capture_steps, error))
    return 0;
  /* Among many rows, what did best at the last token is near the best at this one. */
  if (plan == WW_PLAN_SCREEN && run->n_pooled > 0 && n > MANY_ROWS)
    {
      nudges[0] = 0;
      return 1;
    }

  if (!widen (run, error))
    return 0;
  gsize n_left = climb_starts (run, n_starts, error);
  if (n_left == 0)
    return 0;
  for (; count < N_CAPTURED; count++)
    nudges[count] = count;
  for (gsize s = 0; s < MIN (n_left, plans[plan].n_polished); s++, count++)
    {
      copy_to_polish (run, run->starts[s], count);
      nudges[count] = count;
    }
  return count;
}

/* Whether the best of the nudges changes the unsmoothed map as much as the target asks. */
static gboolean
has_reached (WwAttentionRun *run, gsize nudge)
{
  const WwAttentionObjective objective = { .beta = 1 };
  const double *point = ww_polish_get_point (run->polish, nudge);
  double value;

  if (isinf (run->target))
    return FALSE;
  for (gsize k = 0; k < run->attention->x->cols; k++)
    run->multiples[k] = point[k];
  ww_attention_problem_evaluate (run->problem, &objective, 1, run->multiples, &value, NULL);
  return value >= run->target;
}

gboolean
ww_relu_recipe_run (WwAttentionRun *run, gsize token, WwAttentionPlan plan, GError **error)
{
  const Plan *amounts = &plans[plan];
  gsize nudges[N_CAPTURED + MOST_POLISHED], d = run->attention->x->cols;
  gsize count = find_nudges (run, token, plan, nudges, error);

  if (count == 0)
    return FALSE;
  if (amounts->exact && !ww_attention_run_prepare_exact (run, token, error))
    return FALSE;

  for (gsize h = 0; h < G_N_ELEMENTS (polish_widths) && !run->has_reached; h += amounts->width_stride)
    {
      const WwAttentionObjective objective = { .smoothing = polish_widths[h] * run->score_scale };
      gboolean exact = amounts->exact && h + 1 == G_N_ELEMENTS (polish_widths);

      if (!ww_polish_run (run->polish, &objective, exact, nudges, count, amounts->max_steps,
                          amounts->tolerance, run->cancel, error))
        return FALSE;
      count = drop_copies (run, nudges, count, polish_survivors[h]);
      run->has_reached = has_reached (run, nudges[0]);
      ww_attention_run_report (run);
    }
  memcpy (run->best, ww_polish_get_point (run->polish, nudges[0]), d * sizeof (double));
  return TRUE;
}

/* How fast the search is, against the published procedure coded plainly on the same OpenBLAS with the
 * same single thread, and against the rate of OpenBLAS itself.
 *
 * The published procedure (Bombari & Mondelli, ICML 2024): gradient ascent on the squared relative
 * change with learning rate 10 and 50 n steps, from 0.1 times a Gaussian nudge, every step projected
 * to the ball; a full forward and backward pass in double precision per step. At n = 250, where all its
 * steps take five minutes, a part is timed, unless the program is called with --full.
 *
 * All times are processor time of the one thread: what a clock shows where nothing else runs. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ww-attention-private.h"
#include "ww-attention-problem.h"
#include "ww-core.h"

#define LEARNING_RATE 10
#define STEPS_PER_TOKEN 50

/* What all 12,500 steps lead to at n = 250, d = 768 (seed 1, trial 0): printed by bench-search --full. */
#define LONG_RUN_WS 4.3345409384

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

/* Buffers of one forward and backward pass of softmax-RAF, all by definition. */
typedef struct
{
  gsize n, d;
  double *x, *q, *a, *o, *grad_a, *grad_q, *grad_x;
} Pass;

static void
pass_init (Pass *pass, gsize n, gsize d)
{
  *pass = (Pass) { n, d, g_new (double, n * d), g_new (double, n * d), g_new (double, n * n),
                   g_new (double, n * d), g_new (double, n * n), g_new (double, n * d),
                   g_new (double, n * d) };
}

static void
pass_clear (Pass *pass)
{
  g_free (pass->x);
  g_free (pass->q);
  g_free (pass->a);
  g_free (pass->o);
  g_free (pass->grad_a);
  g_free (pass->grad_q);
  g_free (pass->grad_x);
}

/* C (m x n) = scale A B + add C; `ta`, `tb`: transposed. */
static void
product (gboolean ta, gboolean tb, gsize m, gsize n, gsize k, double scale, const double *a,
         const double *b, double add, double *c)
{
  cblas_dgemm (CblasRowMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n,
               k, scale, a, ta ? m : k, b, tb ? k : n, add, c, n);
}

/* Squared relative change, and its gradient with respect to row 0. */
static double
pass_run (Pass *pass, const WwAttention *attention, const double *delta, double *ret_gradient)
{
  gsize n = pass->n, d = pass->d;
  double scale = 1 / sqrt (d), norm2 = attention->norm * attention->norm, value = 0;

  memcpy (pass->x, attention->x->data, n * d * sizeof (double));
  for (gsize k = 0; k < d; k++)
    pass->x[k] += delta[k];
  product (FALSE, FALSE, n, d, d, 1, pass->x, attention->w->data, 0, pass->q);
  product (FALSE, TRUE, n, n, d, scale, pass->q, pass->x, 0, pass->a);
  for (gsize j = 0; j < n; j++)
    ww_attention_normalise_row (WW_MAP_SOFTMAX_RAF, pass->a + j * n, n);
  product (FALSE, FALSE, n, d, n, 1, pass->a, pass->x, 0, pass->o);

  for (gsize k = 0; k < n * d; k++)
    {
      double change = pass->o[k] - attention->features->data[k];

      value += change * change / norm2;
      pass->o[k] = 2 * change / norm2;
    }
  product (FALSE, TRUE, n, n, d, 1, pass->o, pass->x, 0, pass->grad_a);
  product (TRUE, FALSE, n, d, n, 1, pass->a, pass->o, 0, pass->grad_x);
  for (gsize j = 0; j < n; j++)
    {
      double *grad = pass->grad_a + j * n, *weights = pass->a + j * n;
      double mean = cblas_ddot (n, grad, 1, weights, 1);

      for (gsize l = 0; l < n; l++)
        grad[l] = weights[l] * (grad[l] - mean);
    }
  product (FALSE, FALSE, n, d, n, scale, pass->grad_a, pass->x, 0, pass->grad_q);
  product (TRUE, FALSE, n, d, n, scale, pass->grad_a, pass->q, 1, pass->grad_x);
  product (FALSE, TRUE, n, d, d, 1, pass->grad_q, attention->w->data, 1, pass->grad_x);
  memcpy (ret_gradient, pass->grad_x, d * sizeof (double));
  return value;
}

/* `steps` steps of the published procedure; the WS at the end, and the time of one step. */
static double
run_published (const WwAttention *attention, guint steps, guint64 seed, double *ret_step_seconds)
{
  gsize n = attention->x->rows, d = attention->x->cols;
  g_autofree double *delta = g_new (double, d), *gradient = g_new (double, d);
  double limit = sqrt (d), ws = 0, start = now ();
  Pass pass;

  pass_init (&pass, n, d);
  ww_random_normal (seed, WW_PURPOSE_DIRECTION, 0, 0, d, 0.1, delta);
  for (guint s = 0; s < steps; s++)
    {
      pass_run (&pass, attention, delta, gradient);
      cblas_daxpy (d, LEARNING_RATE, gradient, 1, delta, 1);
      double norm = cblas_dnrm2 (d, delta, 1);
      if (norm > limit)
        cblas_dscal (d, limit / norm, delta, 1);
    }
  *ret_step_seconds = (now () - start) / steps;
  pass_clear (&pass);
  ww_attention_evaluate (attention, 0, delta, &ws, NULL);
  return ws;
}

static WwAttention *
make_attention (WwMap map, gsize n, gsize d, guint32 trial)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, trial, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, 1, trial, NULL);

  return ww_attention_new (map, x, w, NULL);
}

/* Setting up and searching token 0 (or all); the fastest of `times`. */
static WwSearchResult *
time_search (WwMap map, gsize n, gsize d, guint32 trial, gsize token, WwEffort effort, guint times,
             double *ret_seconds)
{
  const WwSearchSettings settings = { token, 1, effort, 1, 0 };
  WwSearchResult *result = NULL;

  *ret_seconds = INFINITY;
  for (guint t = 0; t < times; t++)
    {
      g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, trial, NULL);
      g_autoptr (WwMatrix) w = ww_random_w (d, 1, trial, NULL);
      double start = now ();
      g_autoptr (WwAttention) attention = ww_attention_new (map, x, w, NULL);

      ww_search_result_free (result);
      result = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);
      *ret_seconds = MIN (*ret_seconds, now () - start);
    }
  return result;
}

typedef struct
{
  double seconds;
} Reached;

static void
note_time (gsize token, double ws, gpointer user_data)
{
  Reached *reached = user_data;

  reached->seconds = now ();
}

/* Setting up (features of the context included) and searching token 0 until a nudge changes as much as
 * `target`; the fastest of several. *ret_confirmed: the same until the definition has confirmed it. */
static double
time_to_target (WwMatrix *x, WwMatrix *w, double target, guint64 seed, double *ret_confirmed,
                WwSearchResult **ret_result)
{
  enum { TIMES = 9 };
  const WwSearchSettings settings
      = { .radius = 1, .effort = WW_EFFORT_QUICK, .seed = seed, .target = target };
  double least = INFINITY;

  *ret_confirmed = INFINITY;
  for (guint t = 0; t < TIMES; t++)
    {
      Reached reached = { INFINITY };
      double start = now ();
      g_autoptr (WwAttention) attention = ww_attention_new (WW_MAP_SOFTMAX_RAF, x, w, NULL);

      ww_search_result_free (*ret_result);
      *ret_result = ww_attention_search (attention, &settings, NULL, note_time, &reached, NULL);
      *ret_confirmed = MIN (*ret_confirmed, now () - start);
      least = MIN (least, reached.seconds - start);
    }
  return least;
}

/* `known_ws`: where only a part of the published steps is run, what all of them have led to. */
static void
compare_with_published (gsize n, gsize d, guint32 trial, guint measured_steps, double known_ws)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, trial, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, 1, trial, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (WW_MAP_SOFTMAX_RAF, x, w, NULL);
  g_autoptr (WwSearchResult) early = NULL;
  guint steps = STEPS_PER_TOKEN * n;
  gboolean whole = measured_steps >= steps;
  double step_seconds, quick_seconds, confirmed;
  double ws = run_published (attention, MIN (steps, measured_steps), 1, &step_seconds);
  double seconds = step_seconds * steps, target = whole ? ws : known_ws;
  double reached = time_to_target (x, w, target, 1, &confirmed, &early);
  g_autoptr (WwSearchResult) quick = time_search (WW_MAP_SOFTMAX_RAF, n, d, trial, 0,
                                                  WW_EFFORT_QUICK, 5, &quick_seconds);

  printf ("# softmax-RAF n %zu d %zu trial %u: published %u steps %.2f s (%s), WS %.4f%s\n", n, d, trial,
          steps, seconds, whole ? "all run" : "scaled from a part", target,
          whole ? "" : " as a whole run (--full) once ended");
  printf ("#   the search reaches that after %.2f ms, set-up included: %.0f times faster "
          "(%.2f ms, %.0f times, with the definition confirming WS %.4f%s)\n",
          reached * 1e3, seconds / reached, confirmed * 1e3, seconds / confirmed, early->ws,
          early->ws >= target ? "" : ": SMALLER");
  printf ("#   the whole quick search takes %.1f ms, WS %.4f: %.0f times faster%s\n", quick_seconds * 1e3,
          quick->ws, seconds / quick_seconds, quick->ws >= target ? "" : ", WS SMALLER");
  fflush (stdout);
}

/* The batched evaluation's share of what OpenBLAS reaches in a large square product. */
static void
measure_rate (gsize n, gsize d)
{
  enum { REPEATS = 120, SIDE = 768 };
  g_autoptr (WwAttention) attention = make_attention (WW_MAP_SOFTMAX_RAF, n, d, 0);
  gsize batch = ww_attention_problem_choose_batch (attention, WW_ATTENTION_LARGEST_BATCH);
  g_autoptr (WwAttentionProblem) problem = ww_attention_problem_new (attention, batch, NULL);
  g_autofree float *delta = g_new (float, batch * d), *gradient = g_new (float, batch * d);
  g_autofree float *a = g_new (float, SIDE * SIDE), *b = g_new (float, SIDE * SIDE);
  g_autofree float *c = g_new (float, SIDE * SIDE);
  double values[WW_ATTENTION_LARGEST_BATCH], seconds = INFINITY, blas_seconds = INFINITY;
  const WwAttentionObjective objective = { .beta = 1 };

  ww_attention_problem_set_token (problem, 0, NULL, NULL);
  ww_attention_problem_prepare_own (problem, NULL, NULL);
  ww_random_normal_f (1, WW_PURPOSE_DIRECTION, 0, 0, batch * d, 1, delta);
  for (gsize k = 0; k < SIDE * SIDE; k++)
    a[k] = b[k] = k % 7;
  for (guint r = 0; r < REPEATS; r++)
    {
      double start = now ();
      ww_attention_problem_evaluate (problem, &objective, batch, delta, values, gradient);
      seconds = MIN (seconds, now () - start);
      if (r % 6 > 0)
        continue;
      start = now ();
      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, a, SIDE, b, SIDE,
                   0, c, SIDE);
      blas_seconds = MIN (blas_seconds, now () - start);
    }
  double rate = 2e-9 * batch * (8.0 * (n - 1) * d + (double) d * d) / seconds;
  double blas_rate = 2e-9 * SIDE * SIDE * SIDE / blas_seconds;
  printf ("# batched evaluation n %zu d %zu: %zu nudges, %.1f us each, %.0f GFLOP/s = %.0f %% of "
          "sgemm's %.0f\n",
          n, d, batch, seconds / batch * 1e6, rate, 100 * rate / blas_rate, blas_rate);
}

/* The cost of a nudge as n doubles: 8 n d + d^2 multiplications. */
static void
measure_growth (void)
{
  enum { COUNT = 16, REPEATS = 20 };
  const WwAttentionObjective objective = { .beta = 1 };
  double values[COUNT], last = 0;

  for (gsize n = 250; n <= 2000; n *= 2)
    {
      g_autoptr (WwAttention) attention = make_attention (WW_MAP_SOFTMAX_RAF, n, 384, 0);
      g_autoptr (WwAttentionProblem) problem
          = ww_attention_problem_new (attention, COUNT, NULL);
      g_autofree float *delta = g_new (float, COUNT * 384), *gradient = g_new (float, COUNT * 384);
      double seconds = INFINITY;

      ww_attention_problem_set_token (problem, 0, NULL, NULL);
      ww_attention_problem_prepare_own (problem, NULL, NULL);
      ww_random_normal_f (1, WW_PURPOSE_DIRECTION, 0, 0, COUNT * 384, 1, delta);
      for (guint r = 0; r < REPEATS; r++)
        {
          double start = now ();

          ww_attention_problem_evaluate (problem, &objective, COUNT, delta, values, gradient);
          seconds = MIN (seconds, (now () - start) / COUNT);
        }
      printf ("# value and gradient n %zu d 384: %.1f us per nudge", n, seconds * 1e6);
      if (last > 0)
        printf (", %.2f times that of half the tokens", seconds / last);
      printf ("\n");
      last = seconds;
    }
}

static void
measure_searches (void)
{
  static const struct
  {
    WwMap map;
    gsize n, d, token;
    WwEffort effort;
  } runs[] = {
    { WW_MAP_SOFTMAX_RAF, 50, 384, 0, WW_EFFORT_QUICK },
    { WW_MAP_RELU_RAF, 50, 384, 0, WW_EFFORT_QUICK },
    { WW_MAP_SOFTMAX_RAF, 250, 768, 0, WW_EFFORT_THOROUGH },
    { WW_MAP_RELU_RAF, 250, 768, 0, WW_EFFORT_THOROUGH },
    { WW_MAP_SOFTMAX_RAF, 250, 384, WW_TOKEN_ALL, WW_EFFORT_QUICK },
    { WW_MAP_RELU_RAF, 250, 384, WW_TOKEN_ALL, WW_EFFORT_QUICK },
  };

  for (gsize r = 0; r < G_N_ELEMENTS (runs); r++)
    {
      gboolean all = runs[r].token == WW_TOKEN_ALL;
      double seconds;
      g_autoptr (WwSearchResult) result
          = time_search (runs[r].map, runs[r].n, runs[r].d, 0, runs[r].token, runs[r].effort,
                         all ? 1 : 3, &seconds);

      printf ("# %s n %zu d %zu %s, %s: %.4f s, WS %.4f, %" G_GUINT64_FORMAT " evaluations\n",
              ww_map_get_name (runs[r].map), runs[r].n, runs[r].d, all ? "all tokens" : "token 0",
              ww_effort_get_id (runs[r].effort), seconds, result->ws, result->evaluations);
      fflush (stdout);
    }
}

static void
measure_nudge (void)
{
  g_autoptr (WwAttention) attention = make_attention (WW_MAP_SOFTMAX_RAF, 128, 384, 0);
  g_autofree double *delta = g_new (double, 384), *feature_change = g_new (double, 128);
  double seconds = INFINITY, change;

  ww_random_direction (384, 1, 0, delta);
  for (guint r = 0; r < 50; r++)
    {
      double start = now ();
      g_autoptr (WwMatrix) weights = NULL;

      ww_attention_nudge (attention, 0, delta, &weights, feature_change, &change, NULL);
      seconds = MIN (seconds, now () - start);
    }
  printf ("# nudge n 128 d 384: %.3f ms\n", seconds * 1e3);
}

int
main (int argc, char **argv)
{
  gboolean full = argc > 1 && strcmp (argv[1], "--full") == 0;

  ww_core_init ();

  measure_nudge ();
  measure_rate (250, 768);
  measure_rate (50, 768);
  measure_growth ();
  measure_searches ();
  for (guint32 trial = 0; trial < 3; trial++)
    compare_with_published (50, 768, trial, G_MAXUINT, NAN);
  compare_with_published (250, 768, 0, full ? G_MAXUINT : 200, LONG_RUN_WS);
  return 0;
}

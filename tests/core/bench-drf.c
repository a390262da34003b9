/* DRF at several depths and widths, n = 50, d = 384, one token, one thread: what making the network costs,
 * what the search finds and takes, and at what share of plain sgemm's rate its products run (all other work
 * counted against it). Beside it the rates of sgemm for as many rows as starts climb side by side: wide layers
 * do not stay in the caches, and few starts wait for the memory. Processor time, not that of the clock. With an
 * argument, only that depth: "bench-drf 4". */
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ww-core.h"

static const struct
{
  gsize depth, width;
} networks[] = { { 1, 1024 }, { 2, 1024 }, { 4, 1024 }, { 8, 1024 }, { 16, 1024 }, { 2, 4096 }, { 4, 4096 } };

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

/* Floating-point operations a second of a plain product of single precision. */
static double
measure_sgemm (void)
{
  const int size = 1024;
  g_autofree float *a = g_new0 (float, size * size);
  g_autofree float *b = g_new0 (float, size * size);
  g_autofree float *c = g_new0 (float, size * size);
  double best = 0;

  for (guint attempt = 0; attempt < 5; attempt++)
    {
      double begin = now ();

      cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, size, size, size, 1, a, size, b, size, 0, c, size);
      best = MAX (best, 2.0 * size * size * size / (now () - begin));
    }

  return best;
}

/* The same for a layer of width x width and `starts` rows, as a step of the climb takes it forth. */
static void
print_layer_rates (gsize width, double sgemm)
{
  static const int starts[] = { 1, 2, 4, 8, 16, 24, 32 };
  int size = (int) width;
  g_autofree float *v = g_new (float, width * width);
  g_autofree float *input = g_new0 (float, 32 * width), *output = g_new0 (float, 32 * width);

  for (gsize i = 0; i < width * width; i++)
    v[i] = (float) (i % 7) - 3;

  printf ("sgemm by a layer of %d:", size);
  for (gsize s = 0; s < G_N_ELEMENTS (starts); s++)
    {
      double best = 0;

      for (guint attempt = 0; attempt < 3; attempt++)
        {
          double begin = now ();

          cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, starts[s], size, size, 1, input, size, v, size, 0,
                       output, size);
          best = MAX (best, 2.0 * starts[s] * size * size / (now () - begin));
        }
      printf (" %d: %.0f %%%s", starts[s], 100 * best / sgemm, s + 1 < G_N_ELEMENTS (starts) ? "," : "\n");
    }
}

/* A candidate's three passes: to it, and back and forth again from the one before. */
static double
flops_of (const WwSearchResult *result, gsize depth, gsize width, gsize d)
{
  double pass = 2.0 * (double) width * ((double) d + (double) (depth - 1) * (double) width);

  return 3 * pass * (double) result->evaluations;
}

static void
measure (gsize depth, gsize width, double sgemm)
{
  const gsize n = 50, d = 384;
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, 0, &error);
  double begin = now (), made;
  g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 0, depth, width, 1, 0, NULL, &error);

  made = now () - begin;
  printf ("depth %2d, width %4d: made in %.3f s; infinite width %.4f, law %.4f\n", (int) depth, (int) width,
          made, ww_theory_drf_infinite ((double) n, 1, depth),
          ww_theory_drf_finite ((double) n, 1, (double) d, (double) width, depth));

  for (int effort = 0; effort <= WW_EFFORT_NORMAL; effort++)
    {
      WwSearchSettings settings = { .radius = 1, .effort = (WwEffort) effort };
      g_autoptr (WwSearchResult) result = NULL;
      double seconds, rate;

      begin = now ();
      result = ww_drf_search (drf, &settings, NULL, &error);
      seconds = now () - begin;
      if (result == NULL)
        {
          fprintf (stderr, "%s\n", error->message);
          exit (1);
        }
      rate = flops_of (result, depth, width, d) / seconds;
      printf ("  %-6s  WS %.5f  %5d evaluations  %7.3f s  %5.1f GFLOP/s, %2.0f %% of sgemm\n",
              ww_effort_get_id ((WwEffort) effort), result->ws, (int) result->evaluations, seconds, rate / 1e9,
              100 * rate / sgemm);
    }
}

int
main (int argc, char **argv)
{
  gsize only = argc > 1 ? (gsize) g_ascii_strtoull (argv[1], NULL, 10) : 0;
  double sgemm;

  ww_core_init ();
  sgemm = measure_sgemm ();
  printf ("sgemm: %.1f GFLOP/s\n", sgemm / 1e9);
  print_layer_rates (1024, sgemm);
  print_layer_rates (4096, sgemm);
  for (gsize i = 0; i < G_N_ELEMENTS (networks); i++)
    if (only == 0 || networks[i].depth == only)
      measure (networks[i].depth, networks[i].width, sgemm);

  return 0;
}

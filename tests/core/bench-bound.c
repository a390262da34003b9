/* Time and tightness of the certified bounds: synthetic contexts, token 0, radius 1, mean over seeds; beside
 * them those of the first program of this dual, in NumPy with a quasi-Newton method, on a machine like the one
 * that the targets were set on: it took 2 to 9 s, the more the larger n and d, and was looser.
 * "found" is the best of a thorough search, a lower bound of what is bounded. Arguments: seeds, then
 * map, d and n for one size only: "bench-bound 2 raf 384 50". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ww-bound.h"
#include "ww-core.h"

typedef struct
{
  double found, quick, tight;
  double quick_seconds, tight_seconds;
} Outcome;

/* Processor seconds of this thread: others may be using the machine. */
static double
now (void)
{
  struct timespec spent;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &spent);
  return (double) spent.tv_sec + 1e-9 * (double) spent.tv_nsec;
}

static void
fail (const GError *error)
{
  fprintf (stderr, "%s\n", error->message);
  exit (1);
}

static Outcome
measure (WwMap map, gsize d, gsize n, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, seed, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, seed, 0, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (map, x, w, &error);
  WwSearchSettings settings = { .token = 0, .radius = 1, .effort = WW_EFFORT_THOROUGH, .seed = 1 };
  Outcome outcome = { 0 };

  if (attention == NULL)
    fail (error);
  g_autoptr (WwSearchResult) result = ww_attention_search (attention, &settings, NULL, NULL, NULL,
                                                           &error);
  if (result == NULL)
    fail (error);
  outcome.found = result->ws;

  double begin = now ();
  if (!ww_attention_bound (attention, 0, 1, WW_BOUND_QUICK, 0, NULL, &outcome.quick, &error))
    fail (error);
  outcome.quick_seconds = now () - begin;
  begin = now ();
  if (!ww_attention_bound (attention, 0, 1, WW_BOUND_TIGHT, outcome.found, NULL, &outcome.tight,
                           &error))
    fail (error);
  outcome.tight_seconds = now () - begin;
  return outcome;
}

/* Bound over found of that first program, mean over two seeds; NaN: not measured. */
static double
find_first_ratio (WwMap map, gsize d, gsize n)
{
  static const struct
  {
    gsize d, n;
    double softmax, relu;
  } ratios[] = {
    { 192, 10, 1.086, 1.121 }, { 192, 50, 1.203, 1.215 }, { 192, 100, 1.359, 1.286 }, { 192, 250, 1.579, 1.551 },
    { 384, 10, 1.058, 1.112 }, { 384, 50, 1.174, 1.162 }, { 384, 100, 1.230, 1.175 }, { 384, 250, 1.430, 1.161 },
    { 768, 10, 1.031, 1.097 }, { 768, 50, 1.130, 1.150 }, { 768, 100, 1.147, 1.148 }, { 768, 250, 1.249, 1.112 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (ratios); i++)
    if (ratios[i].d == d && ratios[i].n == n)
      return map == WW_MAP_SOFTMAX_RAF ? ratios[i].softmax : ratios[i].relu;

  return NAN;
}

static void
report (WwMap map, gsize d, gsize n, guint seeds)
{
  Outcome mean = { 0 };

  for (guint seed = 0; seed < seeds; seed++)
    {
      Outcome outcome = measure (map, d, n, seed);

      mean.found += outcome.found / seeds;
      mean.quick += outcome.quick / seeds;
      mean.tight += outcome.tight / seeds;
      mean.quick_seconds += outcome.quick_seconds / seeds;
      mean.tight_seconds += outcome.tight_seconds / seeds;
    }
  printf ("%-9s d %4zu n %4zu  found %.3f  quick %7.3f (%6.3f) %6.2f ms  tight %.3f (%.3f; NumPy %.3f) %7.1f ms,"
          " 2 to 9 s are %.0f to %.0f x\n",
          ww_map_get_id (map), d, n, mean.found, mean.quick, mean.quick / mean.found, 1e3 * mean.quick_seconds,
          mean.tight, mean.tight / mean.found, find_first_ratio (map, d, n), 1e3 * mean.tight_seconds,
          2 / mean.tight_seconds, 9 / mean.tight_seconds);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  const gsize dims[] = { 192, 384, 768 }, lengths[] = { 10, 50, 100, 250 };
  const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };
  guint seeds = argc > 1 ? (guint) strtoul (argv[1], NULL, 10) : 2;
  WwMap only;

  ww_core_init ();
  if (argc > 4 && ww_map_from_id (argv[2], &only))
    {
      report (only, strtoul (argv[3], NULL, 10), strtoul (argv[4], NULL, 10), MAX (seeds, 1));
      return 0;
    }
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    for (gsize k = 0; k < G_N_ELEMENTS (dims); k++)
      for (gsize l = 0; l < G_N_ELEMENTS (lengths); l++)
        report (maps[m], dims[k], lengths[l], MAX (seeds, 1));
  return 0;
}

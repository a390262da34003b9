/* How often a search reaches the largest word sensitivity known, and what it spends on that.
 *
 *   bench-effort [--map raf|relu-raf] [--case PART_OF_ITS_NAME] [--first SEED] [--seeds N] [--freeze N]
 *
 * A case is a context, a W and a token. Its best known value is the largest that any of many thorough
 * searches found: `--freeze N` runs N of them per case, from starts that the measured searches never
 * use, and prints the lines of tests/reference/best-known.txt; a measured search that finds more raises
 * the value it is held against. A search succeeds where it reaches 99 % of that. Evaluations are nudges
 * whose change, or any stand-in for it that is climbed on the way, was computed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "known-cases.h"

#define SUCCESS 0.99
#define FROZEN_SEEDS 1000 /* the first start seed of the frozen searches */

static const WwEffort efforts[] = { WW_EFFORT_QUICK, WW_EFFORT_NORMAL, WW_EFFORT_THOROUGH };

typedef struct
{
  guint searches, successes;
  double least, seconds, evaluations;
} Tally;

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static double
search (const WwAttention *attention, gsize token, WwEffort effort, guint64 seed, Tally *tally)
{
  const WwSearchSettings settings = { .token = token, .radius = 1, .effort = effort, .seed = seed };
  double start = now ();
  g_autoptr (WwSearchResult) result = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);

  tally->seconds += now () - start;
  tally->evaluations += result->evaluations;
  tally->searches++;
  return result->ws;
}

static void
count_successes (Tally *tally, const double *values, guint count, double best)
{
  for (guint s = 0; s < count; s++)
    {
      tally->successes += values[s] >= SUCCESS * best;
      tally->least = MIN (tally->least, values[s] / best);
    }
}

static void
measure_case (const KnownCase *known, WwMap map, guint first_seed, guint n_seeds, Tally *tallies)
{
  g_autoptr (WwAttention) attention = known_case_load (known, map);
  g_autofree double *values = g_new (double, G_N_ELEMENTS (efforts) * n_seeds);
  double frozen = known_case_get_best (known, map), best = frozen;

  if (attention == NULL)
    {
      printf ("# %s: no data, left out\n", known->name);
      return;
    }
  for (guint e = 0; e < G_N_ELEMENTS (efforts); e++)
    for (guint s = 0; s < n_seeds; s++)
      {
        double ws = search (attention, known->token, efforts[e], first_seed + s, &tallies[e]);

        values[e * n_seeds + s] = ws;
        best = MAX (best, ws);
      }
  printf ("# %-11s %-22s best %.4f%s", ww_map_get_id (map), known->name, best,
          best > frozen * (1 + 1e-4) ? " (new)" : "");
  for (guint e = 0; e < G_N_ELEMENTS (efforts); e++)
    {
      count_successes (&tallies[e], values + e * n_seeds, n_seeds, best);
      printf (" | %s", ww_effort_get_id (efforts[e]));
      for (guint s = 0; s < n_seeds; s++)
        printf (" %.4f", values[e * n_seeds + s] / best);
    }
  printf ("\n");
  fflush (stdout);
}

static void
measure (WwMap map, const char *part, guint first_seed, guint n_seeds)
{
  Tally tallies[G_N_ELEMENTS (efforts)] = { 0 };

  for (guint e = 0; e < G_N_ELEMENTS (efforts); e++)
    tallies[e].least = INFINITY;
  for (gsize c = 0; c < G_N_ELEMENTS (known_cases); c++)
    if (strstr (known_cases[c].name, part) != NULL)
      measure_case (&known_cases[c], map, first_seed, n_seeds, tallies);
  for (guint e = 0; e < G_N_ELEMENTS (efforts); e++)
    printf ("# %s %s: %u of %u searches (%.1f %%) reach %.0f %% of the best known, the least %.4f; "
            "%.0f evaluations and %.4f s each on average\n",
            ww_map_get_id (map), ww_effort_get_id (efforts[e]), tallies[e].successes,
            tallies[e].searches, 100.0 * tallies[e].successes / tallies[e].searches, 100 * SUCCESS,
            tallies[e].least, tallies[e].evaluations / tallies[e].searches,
            tallies[e].seconds / tallies[e].searches);
  fflush (stdout);
}

static void
freeze (WwMap map, guint n_seeds)
{
  for (gsize c = 0; c < G_N_ELEMENTS (known_cases); c++)
    {
      const KnownCase *known = &known_cases[c];
      g_autoptr (WwAttention) attention = known_case_load (known, map);
      double best = known_case_get_best (known, map);
      Tally tally = { 0 };

      if (attention == NULL)
        continue;
      for (guint s = 0; s < n_seeds; s++)
        {
          double ws = search (attention, known->token, WW_EFFORT_THOROUGH, FROZEN_SEEDS + s, &tally);

          best = MAX (best, ws);
        }
      printf ("%s %s %.6f\n", ww_map_get_id (map), known->name, best);
      fflush (stdout);
    }
}

int
main (int argc, char **argv)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };
  guint first_seed = 1, n_seeds = 2, n_frozen = 0;
  const char *only = NULL, *part = "";

  ww_core_init ();
  for (int a = 1; a + 1 < argc; a += 2)
    if (g_str_equal (argv[a], "--seeds"))
      n_seeds = CLAMP (atoi (argv[a + 1]), 1, 100);
    else if (g_str_equal (argv[a], "--freeze"))
      n_frozen = CLAMP (atoi (argv[a + 1]), 1, 1000);
    else if (g_str_equal (argv[a], "--first"))
      first_seed = CLAMP (atoi (argv[a + 1]), 0, 1000000);
    else if (g_str_equal (argv[a], "--case"))
      part = argv[a + 1];
    else if (g_str_equal (argv[a], "--map"))
      only = argv[a + 1];

  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    if (only != NULL && !g_str_equal (only, ww_map_get_id (maps[m])))
      continue;
    else if (n_frozen > 0)
      freeze (maps[m], n_frozen);
    else
      measure (maps[m], part, first_seed, n_seeds);
  return 0;
}

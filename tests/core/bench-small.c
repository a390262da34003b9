/* How the search fares in small contexts, where the summits are many, narrow and cut off by the kinks of
 * the ReLU: each effort against random nudges, which need no mathematics, and against a heavy search that
 * shares nothing with it but the formulas; and all tokens at once against each token's own search.
 *
 *   bench-small [--cases N] [--nudges N] [--map raf|relu-raf] [--skip-all 1]
 *
 * The heavy search takes the best of random nudges, thorough searches from other starts, and random hill
 * climbs from all of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "small-cases.h"

typedef struct
{
  guint cases, lost, short_of_best, out_of_order;
  double least, evaluations, seconds;
} Tally;

static const WwEffort efforts[] = { WW_EFFORT_QUICK, WW_EFFORT_NORMAL, WW_EFFORT_THOROUGH };

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static WwSearchResult *
search (const WwAttention *attention, gsize token, WwEffort effort, guint64 seed, Tally *tally)
{
  const WwSearchSettings settings = { .token = token, .radius = 1, .effort = effort, .seed = seed };
  double start = now ();
  WwSearchResult *result = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);

  tally->seconds += now () - start;
  tally->evaluations += result->evaluations;
  return result;
}

static void
measure_single (const WwAttention *attention, gsize token, guint number, gsize n_nudges, Tally *tallies)
{
  SmallRandom random = small_random_search (attention, token, 1, n_nudges, number);
  double best = small_heavy_search (attention, token, 1, &random, number), values[3], last = 0;

  for (guint e = 0; e < G_N_ELEMENTS (efforts); e++)
    {
      g_autoptr (WwSearchResult) result = search (attention, token, efforts[e], 1, &tallies[e]);

      values[e] = result->ws;
      best = MAX (best, result->ws);
    }
  for (guint e = 0; e < G_N_ELEMENTS (efforts); e++)
    {
      Tally *tally = &tallies[e];

      tally->cases++;
      tally->lost += values[e] < random.best * (1 - 1e-6);
      tally->short_of_best += values[e] < 0.99 * best;
      tally->out_of_order += values[e] < last * (1 - 1e-6);
      tally->least = MIN (tally->least, values[e] / best);
      last = values[e];
    }
  if (values[1] < 0.99 * best || values[1] < random.best || values[2] < 0.99 * best)
    printf ("# %s n %zu d %zu case %u token %zu: best %.4f, random %.4f; quick %.4f normal %.4f thorough %.4f\n",
            ww_map_get_id (attention->map), attention->x->rows, attention->x->cols, number, token, best,
            random.best, values[0] / best, values[1] / best, values[2] / best);
  fflush (stdout);
}

/* All tokens at once: against each one's own search at the same effort. */
static void
measure_all (const WwAttention *attention, guint number, WwEffort effort, Tally *tally)
{
  g_autoptr (WwSearchResult) all = search (attention, WW_TOKEN_ALL, effort, 1, tally);
  double largest = 0, least = INFINITY, most = 0;
  Tally ignored = { 0 };

  for (gsize token = 0; token < all->n_tokens; token++)
    {
      g_autoptr (WwSearchResult) own = search (attention, token, effort, 1, &ignored);
      double ratio = all->per_token[token] / own->ws;

      if (ratio < 0.99)
        tally->short_of_best++;
      tally->cases++;
      least = MIN (least, ratio);
      most = MAX (most, ratio);
      largest = MAX (largest, own->ws);
    }
  tally->least = MIN (tally->least, least);
  if (all->ws < largest * (1 - 1e-3))
    tally->lost++;
  if (all->ws < largest * (1 - 1e-3) || least < 0.98)
    printf ("# all %s %s n %zu d %zu case %u: largest %.4f of own, per token %.4f to %.4f\n",
            ww_map_get_id (attention->map), ww_effort_get_id (effort), attention->x->rows, attention->x->cols,
            number, all->ws / largest, least, most);
  fflush (stdout);
}

static void
measure (WwMap map, guint n_cases, gsize n_nudges, gboolean skip_all)
{
  Tally singles[G_N_ELEMENTS (efforts)] = { { .least = INFINITY }, { .least = INFINITY }, { .least = INFINITY } };
  Tally all[G_N_ELEMENTS (efforts)] = { { .least = INFINITY }, { .least = INFINITY }, { .least = INFINITY } };

  for (guint c = 0; c < n_cases; c++)
    {
      g_autoptr (WwAttention) attention = small_case_make (map, c);
      gsize token = c % 3 == 0 ? 0 : c % attention->x->rows;

      if (attention->norm == 0)
        continue;
      measure_single (attention, token, c, n_nudges, singles);
      for (guint e = 0; e < G_N_ELEMENTS (efforts) && !skip_all && c % 4 == 0; e++)
        measure_all (attention, c, efforts[e], &all[e]);
    }
  for (guint e = 0; e < G_N_ELEMENTS (efforts); e++)
    printf ("# %s %s: %u cases, %u lost to random nudges, %u below 99 %% of the best, the least %.4f; %u below a "
            "shorter effort; %.0f evaluations and %.4f s each\n",
            ww_map_get_id (map), ww_effort_get_id (efforts[e]), singles[e].cases, singles[e].lost,
            singles[e].short_of_best, singles[e].least, singles[e].out_of_order,
            singles[e].evaluations / singles[e].cases, singles[e].seconds / singles[e].cases);
  for (guint e = 0; e < G_N_ELEMENTS (efforts) && !skip_all; e++)
    printf ("# %s %s, all tokens: %u tokens, %u below 99 %% of their own search, the least %.4f; %u times the largest "
            "is not; %.4f s per token\n",
            ww_map_get_id (map), ww_effort_get_id (efforts[e]), all[e].cases, all[e].short_of_best, all[e].least,
            all[e].lost, all[e].seconds / all[e].cases);
}

int
main (int argc, char **argv)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };
  guint n_cases = 120;
  gsize n_nudges = 3000;
  gboolean skip_all = FALSE;
  const char *only = NULL;

  ww_core_init ();
  for (int a = 1; a + 1 < argc; a += 2)
    if (g_str_equal (argv[a], "--cases"))
      n_cases = CLAMP (atoi (argv[a + 1]), 1, 100000);
    else if (g_str_equal (argv[a], "--nudges"))
      n_nudges = CLAMP (atoi (argv[a + 1]), 1, 1000000);
    else if (g_str_equal (argv[a], "--map"))
      only = argv[a + 1];
    else if (g_str_equal (argv[a], "--skip-all"))
      skip_all = atoi (argv[a + 1]) != 0;

  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    if (only == NULL || g_str_equal (only, ww_map_get_id (maps[m])))
      measure (maps[m], n_cases, n_nudges, skip_all);
  return 0;
}

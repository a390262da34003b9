/* All tokens of a context at once against each token's own search of the same effort: how long it takes, how
 * many tokens were searched in full, and how far below their own search those lie that were only screened.
 *
 *   bench-tokens [--map raf|relu-raf] [--effort E] [--n N --d D] [--samples N]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "test-util.h"

static const gsize sizes[][2] = { { 24, 48 }, { 30, 384 }, { 50, 192 }, { 60, 64 }, { 100, 192 }, { 128, 96 }, { 250, 384 } };

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static WwSearchResult *
search (const WwAttention *attention, gsize token, WwEffort effort, double *ret_seconds)
{
  const WwSearchSettings settings = { .token = token, .radius = 1, .effort = effort, .seed = 1 };
  double start = now ();
  WwSearchResult *result = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);

  *ret_seconds = now () - start;
  return result;
}

static void
measure (WwMap map, gsize n, gsize d, WwEffort effort, gsize n_samples)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 31, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, 31, 0, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (map, x, w, NULL);
  double seconds, own_seconds = 0, least = INFINITY, most = 0, sum = 0, largest = 0;
  g_autoptr (WwSearchResult) all = search (attention, WW_TOKEN_ALL, effort, &seconds);
  guint n_full = 0, n_short = 0;

  for (gsize token = 0; token < n; token++)
    n_full += all->in_full[token];
  n_samples = MIN (n_samples, n);
  for (gsize s = 0; s < n_samples; s++)
    {
      gsize token = s * n / n_samples;
      double one;
      g_autoptr (WwSearchResult) own = search (attention, token, effort, &one);
      double ratio = all->per_token[token] / own->ws;

      own_seconds += one;
      least = MIN (least, ratio);
      most = MAX (most, ratio);
      sum += ratio;
      n_short += ratio < 0.98;
      largest = MAX (largest, own->ws);
    }
  printf ("# %s n %zu d %zu %s: %.3f s, %.0f evaluations per token, %u in full; of %zu tokens' own searches (%.3f s "
          "each) %.4f to %.4f, mean %.4f, %u below 0.98; the largest %.4f\n",
          ww_map_get_id (map), n, d, ww_effort_get_id (effort), seconds, (double) all->evaluations / n, n_full,
          n_samples, own_seconds / n_samples, least, most, sum / n_samples, n_short, all->ws / largest);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };
  static const WwEffort efforts[] = { WW_EFFORT_QUICK, WW_EFFORT_NORMAL, WW_EFFORT_THOROUGH };
  const char *map = NULL, *effort = NULL;
  gsize n = 0, d = 0, n_samples = 12;

  ww_core_init ();
  for (int a = 1; a + 1 < argc; a += 2)
    if (g_str_equal (argv[a], "--map"))
      map = argv[a + 1];
    else if (g_str_equal (argv[a], "--effort"))
      effort = argv[a + 1];
    else if (g_str_equal (argv[a], "--n"))
      n = CLAMP (atoi (argv[a + 1]), 0, 10000);
    else if (g_str_equal (argv[a], "--d"))
      d = CLAMP (atoi (argv[a + 1]), 1, 10000);
    else if (g_str_equal (argv[a], "--samples"))
      n_samples = CLAMP (atoi (argv[a + 1]), 1, 10000);

  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    for (gsize e = 0; e < G_N_ELEMENTS (efforts); e++)
      {
        if ((map != NULL && !g_str_equal (map, ww_map_get_id (maps[m])))
            || !g_str_equal (effort != NULL ? effort : "quick", ww_effort_get_id (efforts[e])))
          continue;
        for (gsize s = 0; s < G_N_ELEMENTS (sizes) && n == 0; s++)
          measure (maps[m], sizes[s][0], sizes[s][1], efforts[e], n_samples);
        if (n > 0)
          measure (maps[m], n, d, efforts[e], n_samples);
      }
  return 0;
}

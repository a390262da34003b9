/* How fast one token is swapped for every word of a vocabulary, and every token of a text, against the
 * incremental evaluation of one nudge after another. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ww-core.h"

#define WORDS 30000

/* Processor time: what others do on the machine is no matter. */
static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

static gboolean
read_table (gsize first, gsize count, double *ret_raw, gpointer user_data, GError **error)
{
  const WwMatrix *table = user_data;

  memcpy (ret_raw, table->data + first * table->cols, count * table->cols * sizeof (double));
  return TRUE;
}

/* All words, with reading, normalising, ranking and the plain definition of the best. */
static double
time_run (WwSwap *swap, WwRowScale *scale, WwMatrix *table)
{
  double start = now (), longest = 0;
  g_autoptr (WwSwapRun) run = ww_swap_run_new (swap, scale, table->rows, read_table, table, 20, NULL);

  while (!ww_swap_run_is_done (run))
    {
      double step = now ();

      ww_swap_run_step (run, NULL, NULL);
      longest = MAX (longest, now () - step);
    }

  gsize n;
  const WwSwapEntry *entries = ww_swap_run_get_entries (run, 0, &n);
  double seconds = now () - start;
  printf ("# strongest change %.4f, longest step %.1f ms; ", entries[0].change, longest * 1e3);
  return seconds;
}

static double
time_nudges (const WwAttention *attention, const WwMatrix *table, gsize words)
{
  gsize d = table->cols;
  g_autofree double *delta = g_new (double, d);
  double start = now (), change;

  for (gsize v = 0; v < words; v++)
    {
      ww_swap_toward (ww_attention_get_x (attention)->data, table->data + v * d, d, 1, delta);
      ww_attention_nudge (attention, 0, delta, NULL, NULL, &change, NULL);
    }
  return (now () - start) / words * WORDS;
}

static void
measure (WwMap map, gsize n, gsize d)
{
  g_autoptr (WwMatrix) table = ww_context_synthetic (WORDS, d, 3, 0, NULL);
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, 1, 0, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (x, 0, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (map, x, w, NULL);
  double plain = time_nudges (attention, table, WORDS / 50);

  for (gsize count = 1; count <= n; count += n - 1)
    {
      g_autoptr (WwSwap) swap = ww_swap_new_attention (attention, 0, count, NULL, NULL);
      double seconds = time_run (swap, scale, table);

      printf ("%s n %zu d %zu, %d words, %zu token%s: %.3f s; one nudge after another %.2f s (from a "
              "fiftieth): %.0f times faster\n",
              ww_map_get_name (map), n, d, WORDS, count, count > 1 ? "s" : "", seconds,
              plain * count, plain * count / seconds);
      fflush (stdout);
    }
}

static void
measure_rf (gsize n, gsize d, gsize k)
{
  g_autoptr (WwMatrix) table = ww_context_synthetic (WORDS, d, 3, 0, NULL);
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, 0, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (x, 0, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 0, k, 1, 0, NULL, NULL);
  g_autoptr (WwSwap) swap = ww_swap_new_rf (rf, NULL);
  double seconds = time_run (swap, scale, table);

  printf ("RF n %zu d %zu k %zu, %d words: %.3f s\n", n, d, k, WORDS, seconds);
}

static void
measure_drf (gsize n, gsize d, gsize depth, gsize width)
{
  g_autoptr (WwMatrix) table = ww_context_synthetic (WORDS, d, 3, 0, NULL);
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, 0, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (x, 0, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 0, depth, width, 1, 0, NULL, NULL);
  g_autoptr (WwSwap) swap = ww_swap_new_drf (drf, NULL);
  double seconds = time_run (swap, scale, table);

  printf ("DRF n %zu d %zu depth %zu width %zu, %d words: %.3f s\n", n, d, depth, width, WORDS, seconds);
}

int
main (int argc, char **argv)
{
  ww_core_init ();

  measure (WW_MAP_SOFTMAX_RAF, 50, 384);
  measure (WW_MAP_RELU_RAF, 50, 384);
  measure (WW_MAP_SOFTMAX_RAF, 250, 384);
  measure_rf (50, 384, 4096);
  measure_drf (50, 384, 4, 1024);
  return 0;
}

/* RF at the size of the paper's main figure: k = n d at n = 150, d = 768, network and search included. The
 * weights V would be 53 GB in single precision; here only the block of the nudged token is ever made. */
#include <stdio.h>
#include <string.h>

#include "ww-core.h"

#define LIMIT_SECONDS 60
#define LIMIT_MB 600

/* The most memory that was resident at any time, in MB, or 0 where the system does not say. */
static double
get_peak_memory (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL)
      || (line = strstr (status, "VmHWM:")) == NULL)
    return 0;

  return (double) g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) / 1024;
}

static gboolean
measure (WwEffort effort)
{
  const gsize n = 150, d = 768;
  WwSearchSettings settings = { .radius = 1, .effort = effort };
  g_autoptr (GError) error = NULL;
  gint64 begin = g_get_monotonic_time ();
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 1, 0, &error);
  g_autoptr (WwRf) rf = x != NULL ? ww_rf_new_drawn (x, 0, n * d, 1, 0, NULL, &error) : NULL;
  double made = (double) (g_get_monotonic_time () - begin) / 1e6, seconds, memory;
  g_autoptr (WwSearchResult) result = rf != NULL ? ww_rf_search (rf, &settings, NULL, &error) : NULL;

  if (result == NULL)
    {
      printf ("RF, k = n d: %s\n", error->message);
      return FALSE;
    }

  seconds = (double) (g_get_monotonic_time () - begin) / 1e6;
  memory = get_peak_memory ();
  printf ("RF, n = %d, d = %d, k = n d = %d, %s: WS %.6f (law %.6f), %d evaluations, weights %.2f s, "
          "all %.2f s (at most %d), %.0f MB (at most %d)\n",
          (int) n, (int) d, (int) (n * d), ww_effort_get_id (effort), result->ws,
          ww_theory_rf_finite ((double) n, 1, (double) d, (double) (n * d)), (int) result->evaluations,
          made, seconds, LIMIT_SECONDS, memory, LIMIT_MB);
  return seconds <= LIMIT_SECONDS && memory <= LIMIT_MB;
}

int
main (void)
{
  gboolean good = TRUE;

  ww_core_init ();
  for (int effort = 0; effort < WW_N_EFFORTS; effort++)
    good = measure ((WwEffort) effort) && good;

  return good ? 0 : 1;
}

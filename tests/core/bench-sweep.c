/* The default figure of a first start: three maps, eight lengths from 10 to 250, d = 384, five trials,
 * effort quick, RF with 4096 features, synthetic rows. Prints wall time on one thread and its share per
 * map, the same on two threads, whether both gave the same bytes, and the largest resident memory.
 * With an argument, only maps whose id it is: "bench-sweep rf". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ww-core.h"

#define TARGET_SECONDS 10.0
#define TARGET_SPEED_UP 1.7

typedef struct
{
  const WwSweep *sweep;
  WwCurvePoint *points;
  double *seconds;
  gint next;
} Work;

static double
now (void)
{
  return (double) g_get_monotonic_time () / 1e6;
}

/* What this process has computed for, whatever else the machine does. */
static double
cpu_seconds (void)
{
  struct timespec spent;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &spent);
  return (double) spent.tv_sec + (double) spent.tv_nsec / 1e9;
}

static gpointer
run_slices (gpointer data)
{
  Work *work = data;
  gsize n_slices = ww_sweep_get_n_slices (work->sweep);

  for (;;)
    {
      gsize slice = (gsize) g_atomic_int_add (&work->next, 1);
      g_autoptr (GError) error = NULL;
      double begin = now ();

      if (slice >= n_slices)
        return NULL;

      if (!ww_sweep_run_slice (work->sweep, slice, NULL, &work->points[slice], &error))
        {
          fprintf (stderr, "slice %zu: %s\n", slice, error->message);
          exit (1);
        }
      work->seconds[slice] = now () - begin;
    }
}

static double
run_on (Work *work, guint n_threads)
{
  GThread *threads[2] = { NULL };
  double begin = now ();

  g_atomic_int_set (&work->next, 0);
  for (guint t = 1; t < n_threads; t++)
    threads[t] = g_thread_new ("slices", run_slices, work);
  run_slices (work);
  for (guint t = 1; t < n_threads; t++)
    g_thread_join (threads[t]);

  return now () - begin;
}

/* The high-water mark of resident memory in MB, or 0 where the system does not tell. */
static double
resident_peak (void)
{
  g_autofree char *status = NULL;
  const char *line = NULL;

  if (g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    line = strstr (status, "VmHWM:");

  return line != NULL ? g_ascii_strtod (line + strlen ("VmHWM:"), NULL) / 1024 : 0;
}

static void
print_shares (const Work *work)
{
  gsize n_slices = ww_sweep_get_n_slices (work->sweep);

  for (int map = 0; map < WW_N_MAPS; map++)
    {
      double total = 0, longest = 0;
      guint count = 0;

      for (gsize i = 0; i < n_slices; i++)
        if (work->points[i].map == (WwMap) map)
          {
            total += work->seconds[i];
            longest = MAX (longest, work->seconds[i]);
            count++;
          }
      if (count > 0)
        printf ("  %-12s %3u slices  %7.3f s  %7.1f ms each, %7.1f ms the longest\n",
                ww_map_get_name ((WwMap) map), count, total, 1e3 * total / count, 1e3 * longest);
    }
}

static void
print_curve (const Work *work, WwMap map, gsize d)
{
  g_autoptr (GArray) summaries = ww_curve_summarise (work->points, ww_sweep_get_n_slices (work->sweep),
                                                     map, d);

  if (summaries->len > 0)
    printf ("  %-12s", ww_map_get_name (map));
  for (guint i = 0; i < summaries->len; i++)
    printf ("  %zu: %.3f", g_array_index (summaries, WwCurveSummary, i).n,
            g_array_index (summaries, WwCurveSummary, i).median);
  if (summaries->len > 0)
    printf ("\n");
}

int
main (int argc, char **argv)
{
  g_autoptr (GArray) lengths = ww_curve_spaced_lengths (10, 250, 8);
  gsize dims[] = { 384 };
  WwSweepSettings settings = {
    .maps = { WW_MAP_RF, WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF },
    .n_maps = 3,
    .lengths = (const gsize *) (gpointer) lengths->data,
    .n_lengths = lengths->len,
    .dims = dims,
    .n_dims = 1,
    .trials = 5,
    .seed = 1,
    .token = 0,
    .radius = 1,
    .effort = WW_EFFORT_QUICK,
    .features = 4096,
    .normalisation = WW_NORMALISATION_PAPER,
  };
  g_autoptr (WwSweep) sweep = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree WwCurvePoint *first_points = NULL;
  Work work = { 0 };
  gsize n_slices;
  double one, two, cpu_begin, cpu_one, cpu_two;
  gboolean same = TRUE;

  ww_core_init ();
  if (argc > 1 && ww_map_from_id (argv[1], &settings.maps[0]))
    settings.n_maps = 1;

  sweep = ww_sweep_new (&settings, NULL, &error);
  if (sweep == NULL)
    {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }

  n_slices = ww_sweep_get_n_slices (sweep);
  work.sweep = sweep;
  work.points = g_new0 (WwCurvePoint, n_slices);
  work.seconds = g_new0 (double, n_slices);

  cpu_begin = cpu_seconds ();
  one = run_on (&work, 1);
  cpu_one = cpu_seconds () - cpu_begin;
  printf ("one thread: %.2f s for %zu slices (target %.0f s), %.2f s of processor time\n", one, n_slices,
          TARGET_SECONDS, cpu_one);
  print_shares (&work);
  for (int map = 0; map < WW_N_MAPS; map++)
    print_curve (&work, (WwMap) map, dims[0]);

  first_points = g_memdup2 (work.points, n_slices * sizeof (WwCurvePoint));
  cpu_begin = cpu_seconds ();
  two = run_on (&work, 2);
  cpu_two = cpu_seconds () - cpu_begin;
  for (gsize i = 0; i < n_slices; i++)
    same = same && first_points[i].ws == work.points[i].ws
           && first_points[i].evaluations == work.points[i].evaluations;

  printf ("two threads: %.2f s, %.2f times as fast (target %.1f), %.2f s of processor time, %s\n", two,
          one / two, TARGET_SPEED_UP, cpu_two, same ? "the same values" : "OTHER VALUES");
  printf ("resident memory at most: %.1f MB\n", resident_peak ());

  g_free (work.points);
  g_free (work.seconds);
  return same ? 0 : 1;
}

/* How the benchmarks measure and what they print: what a person waits, what the processor spent, and whether the
 * target is met. On a busy machine a person waits for others too; then the processor's time tells. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <glib.h>

typedef struct
{
  double wall, processor; /* seconds */
} BenchTime;

static inline BenchTime
bench_now (void)
{
  struct timespec spent;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &spent);
  return (BenchTime) { (double) g_get_monotonic_time () / G_USEC_PER_SEC,
                       (double) spent.tv_sec + (double) spent.tv_nsec * 1e-9 };
}

static inline BenchTime
bench_since (BenchTime start)
{
  BenchTime now = bench_now ();

  return (BenchTime) { now.wall - start.wall, MAX (now.processor - start.processor, 1e-9) };
}

static inline BenchTime
bench_best (BenchTime a, BenchTime b)
{
  return (BenchTime) { MIN (a.wall, b.wall), MIN (a.processor, b.processor) };
}

/* "PASS, 3.1 times": how many times better than the target, by what was waited for or else by the processor. */
static inline void
bench_judge (double by_wall, double by_processor)
{
  double load = 0;

  if (getloadavg (&load, 1) != 1)
    load = 0;
  if (by_wall >= 1)
    g_print ("  PASS, %.2f times the target\n", by_wall);
  else if (by_processor >= 1)
    g_print ("  PASS by processor time, %.2f times the target (waited: %.2f times, load %.1f)\n", by_processor, by_wall,
             load);
  else
    g_print ("  SHORT, %.2f times the target by processor time, %.2f times by waiting\n", by_processor, by_wall);
}

/* A time that is to be at most `target` milliseconds; 0: no target. */
static inline void
bench_print_time (const char *what, BenchTime time, double target)
{
  g_print ("%-42s waited %8.2f ms, processor %8.2f ms", what, 1e3 * time.wall, 1e3 * time.processor);
  if (target <= 0)
    {
      g_print ("\n");
      return;
    }
  g_print (" (target: at most %g ms)", target);
  bench_judge (target / (1e3 * MAX (time.wall, 1e-9)), target / (1e3 * time.processor));
}

/* `megabytes` in a time, which are to be at least `target` in a second. */
static inline void
bench_print_speed (const char *what, double megabytes, BenchTime time, double target)
{
  g_print ("%-42s %8.1f MB/s waited for, %8.1f MB/s of processor (target: at least %g MB/s)", what,
           megabytes / time.wall, megabytes / time.processor, target);
  bench_judge (megabytes / time.wall / target, megabytes / time.processor / target);
}

/* Anything else that does not depend on the load; `ratio`: how many times the target. */
static inline void
bench_print_ratio (const char *what, double value, const char *unit, double target, double ratio)
{
  g_print ("%-42s %8.2f %s (target: %g)", what, value, unit, target);
  bench_judge (ratio, ratio);
}

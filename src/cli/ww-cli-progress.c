#include "ww-cli-progress.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define INTERVAL 100000 /* microseconds */
#define PATIENCE 300000

void
ww_cli_progress_init (WwCliProgress *progress, gboolean wanted)
{
  gboolean is_terminal = isatty (STDERR_FILENO) != 0;

  *progress = (WwCliProgress) { .shown = wanted || is_terminal, .overwrites = is_terminal,
                                .since = g_get_monotonic_time () };
}

void
ww_cli_progress_update (WwCliProgress *progress, gsize done, gsize total)
{
  gint64 now = g_get_monotonic_time ();

  if (!progress->shown || (done < total && now - progress->last < INTERVAL))
    return;

  progress->last = now;
  fprintf (stderr, "%s%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT "%s", progress->overwrites ? "\r" : "", done, total,
           progress->overwrites ? "" : "\n");
  fflush (stderr);
}

void
ww_cli_progress_update_part (WwCliProgress *progress, const char *what, double fraction)
{
  gint64 now = g_get_monotonic_time ();

  if (!progress->shown || now - progress->last < INTERVAL || now - progress->since < PATIENCE)
    return;

  progress->last = now;
  fprintf (stderr, "%s%s: %.0f %%%s", progress->overwrites ? "\r\033[K" : "", what, floor (100 * fraction),
           progress->overwrites ? "" : "\n");
  fflush (stderr);
}

void
ww_cli_progress_end (WwCliProgress *progress)
{
  if (progress->shown && progress->overwrites && progress->last != 0)
    fputs ("\r\033[K", stderr);
}

#include "ww-cli-progress.h"

#include <stdio.h>
#include <unistd.h>

#define INTERVAL 100000 /* microseconds */

void
ww_cli_progress_init (WwCliProgress *progress, gboolean wanted)
{
  gboolean is_terminal = isatty (STDERR_FILENO) != 0;

  *progress = (WwCliProgress) { .shown = wanted || is_terminal, .overwrites = is_terminal };
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
ww_cli_progress_end (WwCliProgress *progress)
{
  if (progress->shown && progress->overwrites && progress->last != 0)
    fputs ("\r\033[K", stderr);
}

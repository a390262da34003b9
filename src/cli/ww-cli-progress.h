/* Progress on standard error, where somebody can see it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gboolean shown, overwrites; /* overwrites: a terminal, where one line is written again and again */
  gint64 last;                /* monotonic time of the last line, in microseconds; 0: there was none */
  gint64 since;               /* the time of ww_cli_progress_init */
} WwCliProgress;

/* Shown on a terminal, and anywhere with `wanted` (--progress). */
void ww_cli_progress_init (WwCliProgress *progress, gboolean wanted);
/* At most ten times a second, except for the last of `total`. One thread at a time. */
void ww_cli_progress_update (WwCliProgress *progress, gsize done, gsize total);
/* The same in per cent, behind a word for what is going on; of work that takes no time nothing is seen. */
void ww_cli_progress_update_part (WwCliProgress *progress, const char *what, double fraction);
/* Leaves the terminal's line free for what comes next. */
void ww_cli_progress_end (WwCliProgress *progress);

G_END_DECLS

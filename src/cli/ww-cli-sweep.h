/* Runs a whole sweep on several threads. */
#pragma once

#include "ww-cli-progress.h"
#include "ww-core.h"

G_BEGIN_DECLS

#define WW_CLI_MAX_THREADS 256

/* All slices of `sweep` on `n_threads` threads: as many points as there are slices, in the order of
 * the slices, whatever the number of threads; free with g_free. `cancel` is raised here as well when
 * a slice fails. Errors of ww_sweep_run_slice. */
WwCurvePoint *ww_cli_sweep_run (const WwSweep *sweep, guint n_threads, WwCancel *cancel, WwCliProgress *progress,
                                GError **error);

G_END_DECLS

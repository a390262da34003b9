#include "ww-cli-sweep.h"

#include "ww-cli.h"

/* What the threads share. Each slice has its own place in `points`, so that only the bookkeeping
 * below `lock` is touched by more than one of them. */
typedef struct
{
  const WwSweep *sweep;
  WwCurvePoint *points;
  gsize n;
  WwCancel *cancel;
  WwCliProgress *progress;
  GMutex lock;
  gsize next, done;
  GError *error; /* the first that any thread met */
} Job;

/* The next slice that nobody has; FALSE when there is none. */
static gboolean
take_slice (Job *job, gsize *ret_slice)
{
  gboolean taken = FALSE;

  g_mutex_lock (&job->lock);
  if (job->error == NULL && job->next < job->n)
    {
      *ret_slice = job->next++;
      taken = TRUE;
    }
  g_mutex_unlock (&job->lock);

  return taken;
}

/* Takes note of a finished slice, or of its `error`, which ends the work of all threads. */
static void
note_slice (Job *job, GError *error)
{
  g_mutex_lock (&job->lock);
  if (error == NULL)
    ww_cli_progress_update (job->progress, ++job->done, job->n);
  else if (job->error == NULL)
    job->error = g_error_copy (error);
  g_mutex_unlock (&job->lock);

  if (error != NULL)
    ww_cancel_set (job->cancel, TRUE);
}

static gpointer
run_slices (gpointer data)
{
  Job *job = data;
  gsize slice = 0;

  while (take_slice (job, &slice))
    {
      g_autoptr (GError) error = NULL;

      ww_sweep_run_slice (job->sweep, slice, job->cancel, &job->points[slice], &error);
      note_slice (job, error);
    }

  return NULL;
}

WwCurvePoint *
ww_cli_sweep_run (const WwSweep *sweep, guint n_threads, WwCancel *cancel, WwCliProgress *progress, GError **error)
{
  Job job = { .sweep = sweep, .n = ww_sweep_get_n_slices (sweep), .cancel = cancel, .progress = progress };
  g_autofree WwCurvePoint *points = g_try_new0 (WwCurvePoint, job.n);
  GThread *threads[WW_CLI_MAX_THREADS];

  if (points == NULL)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "There is no memory for %" G_GSIZE_FORMAT " points", job.n);
      return NULL;
    }

  job.points = points;
  g_mutex_init (&job.lock);
  /* This thread is one of them, so that one thread needs no other. */
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("sweep", run_slices, &job);
  run_slices (&job);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  g_mutex_clear (&job.lock);

  if (job.error != NULL)
    {
      g_propagate_error (error, job.error);
      return NULL;
    }
  return g_steal_pointer (&points);
}

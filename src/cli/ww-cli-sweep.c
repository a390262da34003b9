#include "ww-cli-sweep.h"

#include "ww-cli.h"

/* What all threads may take together for the slices that they run: with the program itself less than 600 MB,
 * at the size of the paper's main figure too. */
#define MEMORY_BUDGET 536870912

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
  GCond ended; /* a slice has, or all are taken */
  WwSweepPlan *plan;
  gsize done;
  GError *error; /* the first that any thread met */
} Job;

/* The next slice that nobody has, as soon as there is memory for it; FALSE when there is none. */
static gboolean
take_slice (Job *job, gsize *ret_slice)
{
  gboolean taken = FALSE;

  g_mutex_lock (&job->lock);
  while (job->error == NULL && !taken && ww_sweep_plan_has_more (job->plan))
    {
      taken = ww_sweep_plan_take (job->plan, ret_slice);
      if (!taken)
        g_cond_wait (&job->ended, &job->lock);
    }
  g_mutex_unlock (&job->lock);

  return taken;
}

/* Takes note of a finished slice, or of its `error`, which ends the work of all threads. */
static void
note_slice (Job *job, gsize slice, GError *error)
{
  g_mutex_lock (&job->lock);
  ww_sweep_plan_finish (job->plan, slice);
  if (error == NULL)
    ww_cli_progress_update (job->progress, ++job->done, job->n);
  else if (job->error == NULL)
    job->error = g_error_copy (error);
  g_cond_broadcast (&job->ended);
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
      note_slice (job, slice, error);
    }

  return NULL;
}

WwCurvePoint *
ww_cli_sweep_run (const WwSweep *sweep, guint n_threads, WwCancel *cancel, WwCliProgress *progress, GError **error)
{
  Job job = { .sweep = sweep, .n = ww_sweep_get_n_slices (sweep), .cancel = cancel, .progress = progress };
  g_autofree WwCurvePoint *points = g_try_new0 (WwCurvePoint, job.n);
  g_autoptr (WwSweepPlan) plan = ww_sweep_plan_new (sweep, MEMORY_BUDGET, error);
  GThread *threads[WW_CLI_MAX_THREADS];

  if (plan == NULL)
    return NULL;
  if (points == NULL)
    {
      g_set_error (error, WW_CLI_ERROR, WW_CLI_ERROR_FAILED, "There is no memory for %" G_GSIZE_FORMAT " points", job.n);
      return NULL;
    }

  job.points = points;
  job.plan = plan;
  g_mutex_init (&job.lock);
  g_cond_init (&job.ended);
  /* This thread is one of them, so that one thread needs no other. */
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("sweep", run_slices, &job);
  run_slices (&job);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  g_cond_clear (&job.ended);
  g_mutex_clear (&job.lock);

  if (job.error != NULL)
    {
      g_propagate_error (error, job.error);
      return NULL;
    }
  return g_steal_pointer (&points);
}

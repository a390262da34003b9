#include "ww-worker.h"

#include "ww-lock.h"

typedef struct
{
  const WwJobClass *klass;
  gpointer request;
  guint lane;
} Job;

typedef struct
{
  WwLaneOptions options;
  guint taken;        /* steps since a less urgent lane was let in */
  Job *job;           /* the newest, waiting or running; NULL: none */

  /* What is to be delivered; all of it comes from the newest job. */
  GPtrArray *results; /* NULL: none */
  gboolean finished;
  GError *error;
  GDestroyNotify free_result;
} Lane;

struct _WwWorker
{
  guint ref_count; /* the owner's and that of a running delivery: the owner's thread only */
  WwDeliverFunc deliver;
  gpointer user_data;
  GSource *source;
  GThread *thread;
  gboolean closed; /* the owner's thread only */

  WwCancel cancel; /* of the running step */
  WwLock lock;     /* everything below */
  gboolean quit;
  Job *running;
  GPtrArray *retired; /* jobs to free on the owner's thread */
  gint64 delivered_at, due_at; /* monotonic; due_at 0: nothing is scheduled */
  guint n_lanes;
  Lane lanes[];
};

typedef struct
{
  GSource source;
  WwWorker *worker;
} DeliverySource;

static void
job_free (Job *job)
{
  job->klass->free_request (job->request);
  g_free (job);
}

static void
results_free (GPtrArray *results, GDestroyNotify free_result)
{
  for (guint i = 0; i < results->len; i++)
    if (results->pdata[i] != NULL)
      free_result (results->pdata[i]);
  g_ptr_array_unref (results);
}

static gboolean
lane_has_news (const Lane *lane)
{
  return lane->results != NULL || lane->finished;
}

static void
lane_drop_news (Lane *lane)
{
  if (lane->results != NULL)
    results_free (g_steal_pointer (&lane->results), lane->free_result);
  g_clear_error (&lane->error);
  lane->finished = FALSE;
}

/* ---- The worker thread; the lock is held unless said otherwise ---- */

/* The most urgent waiting job, except that a lane which shares lets the next waiting one in after
 * its fill: without that, minutes of work in one lane would stop all those behind it. */
static Job *
pick_job (WwWorker *worker)
{
  for (guint i = 0; i < worker->n_lanes; i++)
    {
      Lane *lane = &worker->lanes[i];
      gboolean others_wait = FALSE;

      if (lane->job == NULL)
        continue;

      for (guint j = i + 1; j < worker->n_lanes && !others_wait; j++)
        others_wait = worker->lanes[j].job != NULL;

      if (lane->options.share > 0 && others_wait && lane->taken >= lane->options.share)
        {
          lane->taken = 0;
          continue;
        }

      lane->taken++;
      return lane->job;
    }

  return NULL;
}

/* Wakes the owner's main loop, now or when the lane's interval since the last delivery is over. */
static void
schedule_delivery (WwWorker *worker, const Lane *lane)
{
  gint64 due = MAX (worker->delivered_at + lane->options.interval_ms * (gint64) 1000, 1);

  if (worker->due_at != 0 && worker->due_at <= due)
    return;

  worker->due_at = due;
  g_source_set_ready_time (worker->source, due);
}

/* Sorts out what a step left behind. */
static void
finish_step (WwWorker *worker, Job *job, WwStep step, GError *error)
{
  Lane *lane = &worker->lanes[job->lane];

  if (lane->job != job)
    {
      g_ptr_array_add (worker->retired, job);
      g_clear_error (&error);
      return;
    }

  /* Interrupted by a more urgent lane: the same step is called again at its next turn. */
  if (step == WW_STEP_FAILED && ww_cancel_is_raised (&worker->cancel))
    {
      g_clear_error (&error);
      return;
    }

  if (step == WW_STEP_MORE)
    return;

  lane->job = NULL;
  lane->taken = 0;
  lane->finished = TRUE;
  lane->error = error;
  g_ptr_array_add (worker->retired, job);
  schedule_delivery (worker, lane);
  ww_lock_wake_all (&worker->lock); /* ww_worker_flush may wait for this */
}

static gpointer
worker_thread (gpointer user_data)
{
  WwWorker *worker = user_data;

  ww_lock_acquire (&worker->lock);
  while (!worker->quit)
    {
      g_autoptr (GError) error = NULL;
      Job *job = pick_job (worker);
      WwStep step;

      if (job == NULL)
        {
          ww_lock_wait (&worker->lock);
          continue;
        }

      worker->running = job;
      ww_cancel_set (&worker->cancel, FALSE);
      ww_lock_release (&worker->lock);

      step = job->klass->step (job->request, worker, &worker->cancel, &error);

      ww_lock_acquire (&worker->lock);
      worker->running = NULL;
      finish_step (worker, job, step, g_steal_pointer (&error));
    }
  ww_lock_release (&worker->lock);

  return NULL;
}

void
ww_worker_emit (WwWorker *worker, gpointer result)
{
  const WwJobClass *klass;
  Lane *lane;
  gboolean current;

  g_return_if_fail (worker != NULL && result != NULL);

  ww_lock_acquire (&worker->lock);
  klass = worker->running->klass;
  lane = &worker->lanes[worker->running->lane];
  current = lane->job == worker->running;
  if (current)
    {
      if (lane->results == NULL)
        lane->results = g_ptr_array_new ();
      lane->free_result = klass->free_result;
      g_ptr_array_add (lane->results, result);
      schedule_delivery (worker, lane);
    }
  ww_lock_release (&worker->lock);

  if (!current)
    klass->free_result (result);
}

/* ---- The owner's thread ---- */

/* Jobs that ended are freed here, so that what they share with the session is never freed by two
 * threads at once. */
static void
free_retired (WwWorker *worker)
{
  g_autoptr (GPtrArray) retired = NULL;

  ww_lock_acquire (&worker->lock);
  if (worker->retired->len > 0)
    {
      retired = worker->retired;
      worker->retired = g_ptr_array_new ();
    }
  ww_lock_release (&worker->lock);

  for (guint i = 0; retired != NULL && i < retired->len; i++)
    job_free (retired->pdata[i]);
}

static void
worker_unref (WwWorker *worker)
{
  if (--worker->ref_count > 0)
    return;

  g_ptr_array_unref (worker->retired);
  ww_lock_clear (&worker->lock);
  g_free (worker);
}

/* One lane at a time: a delivery may post or cancel other lanes, whose news are then dropped. */
static void
deliver_lane (WwWorker *worker, guint index)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) empty = NULL;
  Lane *lane = &worker->lanes[index];
  GPtrArray *results;
  GDestroyNotify free_result;
  gboolean finished;

  ww_lock_acquire (&worker->lock);
  results = g_steal_pointer (&lane->results);
  free_result = lane->free_result;
  finished = lane->finished;
  lane->finished = FALSE;
  error = g_steal_pointer (&lane->error);
  ww_lock_release (&worker->lock);

  if (results == NULL && !finished)
    return;

  if (results == NULL)
    empty = g_ptr_array_new ();

  worker->deliver (index, results != NULL ? results : empty, finished, error, worker->user_data);

  if (results != NULL)
    results_free (results, free_result);
}

static gboolean
delivery_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  WwWorker *worker = ((DeliverySource *) source)->worker;

  ww_lock_acquire (&worker->lock);
  worker->due_at = 0;
  worker->delivered_at = g_get_monotonic_time ();
  g_source_set_ready_time (source, -1);
  ww_lock_release (&worker->lock);

  worker->ref_count++;
  for (guint i = 0; i < worker->n_lanes && !worker->closed; i++)
    deliver_lane (worker, i);
  if (!worker->closed)
    free_retired (worker);
  worker_unref (worker);

  return G_SOURCE_CONTINUE;
}

static GSourceFuncs delivery_funcs = { .dispatch = delivery_dispatch };

WwWorker *
ww_worker_new (const char *name, const WwLaneOptions *lanes, guint n_lanes, WwDeliverFunc deliver,
               gpointer user_data)
{
  g_autoptr (GMainContext) context = g_main_context_ref_thread_default ();
  WwWorker *worker;

  g_return_val_if_fail (n_lanes > 0 && deliver != NULL, NULL);

  worker = g_malloc0 (sizeof *worker + n_lanes * sizeof worker->lanes[0]);
  worker->ref_count = 1;
  worker->deliver = deliver;
  worker->user_data = user_data;
  worker->retired = g_ptr_array_new ();
  worker->n_lanes = n_lanes;
  for (guint i = 0; i < n_lanes; i++)
    worker->lanes[i].options = lanes[i];
  ww_lock_init (&worker->lock);

  worker->source = g_source_new (&delivery_funcs, sizeof (DeliverySource));
  ((DeliverySource *) worker->source)->worker = worker;
  g_source_set_static_name (worker->source, name);
  /* After input, before GTK lays out and draws: a result is in the very next frame. */
  g_source_set_priority (worker->source, G_PRIORITY_HIGH_IDLE);
  g_source_attach (worker->source, context);

  worker->thread = g_thread_new (name, worker_thread, worker);

  return worker;
}

void
ww_worker_free (WwWorker *worker)
{
  if (worker == NULL)
    return;

  ww_lock_acquire (&worker->lock);
  worker->quit = TRUE;
  ww_cancel_set (&worker->cancel, TRUE);
  ww_lock_wake_all (&worker->lock);
  ww_lock_release (&worker->lock);

  g_thread_join (worker->thread);
  g_source_destroy (worker->source);
  g_source_unref (worker->source);

  worker->closed = TRUE;
  for (guint i = 0; i < worker->n_lanes; i++)
    {
      lane_drop_news (&worker->lanes[i]);
      g_clear_pointer (&worker->lanes[i].job, job_free);
    }
  free_retired (worker);
  worker_unref (worker);
}

/* Puts `job` (or nothing) in the lane in place of what is there. */
static void
replace_job (WwWorker *worker, guint index, Job *job)
{
  Lane *lane = &worker->lanes[index];
  Job *running;

  free_retired (worker);

  ww_lock_acquire (&worker->lock);
  running = worker->running;
  if (lane->job != NULL && lane->job != running)
    g_ptr_array_add (worker->retired, lane->job);
  lane->job = job;
  lane->taken = 0;
  lane_drop_news (lane);

  /* The running step is out of date, or less urgent than what has just come. */
  if (running != NULL && (running->lane == index || (job != NULL && running->lane > index)))
    ww_cancel_set (&worker->cancel, TRUE);
  ww_lock_wake_all (&worker->lock);
  ww_lock_release (&worker->lock);
}

void
ww_worker_post (WwWorker *worker, guint lane, const WwJobClass *klass, gpointer request)
{
  Job *job;

  g_return_if_fail (worker != NULL && lane < worker->n_lanes);

  job = g_new0 (Job, 1);
  job->klass = klass;
  job->request = request;
  job->lane = lane;
  replace_job (worker, lane, job);
}

void
ww_worker_cancel (WwWorker *worker, guint lane)
{
  g_return_if_fail (worker != NULL && lane < worker->n_lanes);

  replace_job (worker, lane, NULL);
}

gboolean
ww_worker_is_busy (WwWorker *worker, guint lane)
{
  gboolean busy;

  g_return_val_if_fail (worker != NULL && lane < worker->n_lanes, FALSE);

  ww_lock_acquire (&worker->lock);
  busy = worker->lanes[lane].job != NULL || lane_has_news (&worker->lanes[lane]);
  ww_lock_release (&worker->lock);

  return busy;
}

gboolean
ww_worker_flush (WwWorker *worker, guint lane, gint64 timeout_us)
{
  gint64 end = g_get_monotonic_time () + timeout_us;
  gboolean finished;

  g_return_val_if_fail (worker != NULL && lane < worker->n_lanes, FALSE);

  ww_lock_acquire (&worker->lock);
  while (worker->lanes[lane].job != NULL && g_get_monotonic_time () < end)
    ww_lock_wait_until (&worker->lock, end);
  finished = worker->lanes[lane].job == NULL;
  ww_lock_release (&worker->lock);

  worker->ref_count++;
  deliver_lane (worker, lane);
  worker_unref (worker);

  return finished;
}

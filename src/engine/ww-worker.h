/* One thread that works through lanes. A lane holds at most one job, the newest; lane 0 is the most
 * urgent. A job runs step by step; what it emits is delivered on the main loop, in order, at most
 * once in a while, and never after a newer job took its lane. Knows nothing of what is computed.
 *
 * All functions belong to the thread that made the worker, except ww_worker_emit. Requests and
 * results are freed on that thread, with one exception named at WwJobClass. */
#pragma once

#include "ww-types.h"

G_BEGIN_DECLS

typedef struct _WwWorker WwWorker;

typedef enum
{
  WW_STEP_MORE,   /* call again when it is this lane's turn */
  WW_STEP_DONE,
  WW_STEP_FAILED, /* with an error */
} WwStep;

typedef struct
{
  /* One step, in the worker thread. It polls `cancel` at least every 20 ms and fails (with any
   * error) once that is raised. A step interrupted for a more urgent lane is called again later
   * with the same request, so it advances its request only once it is sure to succeed. */
  WwStep (*step) (gpointer request, WwWorker *worker, const WwCancel *cancel, GError **error);
  GDestroyNotify free_request;
  GDestroyNotify free_result; /* in the worker thread for what is emitted after a newer job came */
} WwJobClass;

typedef struct
{
  guint share;       /* after so many steps, one step of a less urgent lane that waits; 0: never */
  guint interval_ms; /* least time between two deliveries */
} WwLaneOptions;

/* `results`: what was emitted since the last delivery, owned by the caller of this function (take
 * one by setting its entry to NULL). `finished`: the job ended, for good if `error` is NULL. */
typedef void (*WwDeliverFunc) (guint lane, GPtrArray *results, gboolean finished,
                               const GError *error, gpointer user_data);

/* Delivers through the thread-default main context of the caller. */
WwWorker *ww_worker_new (const char *name, const WwLaneOptions *lanes, guint n_lanes,
                         WwDeliverFunc deliver, gpointer user_data);
/* Cancels, joins the thread, drops what was not delivered. Nothing is delivered afterwards, even if
 * called from within a delivery. NULL is fine. */
void ww_worker_free (WwWorker *worker);

/* Replaces the lane's job and drops its undelivered results; takes `request`. */
void ww_worker_post (WwWorker *worker, guint lane, const WwJobClass *klass, gpointer request);
/* Drops the lane's job and its undelivered results; nothing is delivered for it. */
void ww_worker_cancel (WwWorker *worker, guint lane);
/* Whether a job waits, runs, or has something undelivered. */
gboolean ww_worker_is_busy (WwWorker *worker, guint lane);

/* Waits for the lane's job, at most so long, and delivers at once what there is. FALSE: the job
 * goes on. For the answer that must be in the very frame that a gesture causes. */
gboolean ww_worker_flush (WwWorker *worker, guint lane, gint64 timeout_us);

/* Only from within a step: hands over a result (taken). */
void ww_worker_emit (WwWorker *worker, gpointer result);

G_END_DECLS

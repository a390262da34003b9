#include "ww-worker.h"

#include "wait.h"
#include "ww-lock.h"

#define N_LANES 3

/* What happens in the worker thread, seen from the tests. */
static struct
{
  WwLock lock;
  GArray *steps; /* int: id of the job, once per step that completed */
  int started;   /* id of the step that runs or ran last; -1: none */
  guint interruptions;
  int alive;     /* requests and results not yet freed */
} world;

typedef struct
{
  int id;
  guint n_steps, next;
  guint step_us;  /* how long a step takes, polling */
  guint emits;    /* results per step */
  gboolean fails; /* the last step */
} Fake;

typedef struct
{
  int id;
  guint step, index;
} FakeResult;

static void
note_step (int id)
{
  ww_lock_acquire (&world.lock);
  g_array_append_val (world.steps, id);
  ww_lock_release (&world.lock);
}

static WwStep
fake_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  Fake *fake = data;
  gint64 end = g_get_monotonic_time () + fake->step_us;

  g_atomic_int_set (&world.started, fake->id);
  while (g_get_monotonic_time () < end)
    {
      if (ww_cancel_check (cancel, error))
        {
          g_atomic_int_inc (&world.interruptions);
          return WW_STEP_FAILED;
        }
      g_usleep (MIN (fake->step_us, 500));
    }

  if (fake->fails && fake->next + 1 == fake->n_steps)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE, "Fake failure");
      return WW_STEP_FAILED;
    }

  for (guint i = 0; i < fake->emits; i++)
    {
      FakeResult *result = g_new0 (FakeResult, 1);

      result->id = fake->id;
      result->step = fake->next;
      result->index = i;
      g_atomic_int_inc (&world.alive);
      ww_worker_emit (worker, result);
    }

  note_step (fake->id);
  fake->next++;

  return fake->next < fake->n_steps ? WW_STEP_MORE : WW_STEP_DONE;
}

static void
counted_free (gpointer data)
{
  g_atomic_int_add (&world.alive, -1);
  g_free (data);
}

static const WwJobClass fake_job = { fake_step, counted_free, counted_free };

static Fake *
fake_new (int id, guint n_steps, guint step_us, guint emits)
{
  Fake *fake = g_new0 (Fake, 1);

  fake->id = id;
  fake->n_steps = n_steps;
  fake->step_us = step_us;
  fake->emits = emits;
  g_atomic_int_inc (&world.alive);

  return fake;
}

/* ---- What the main loop sees ---- */

typedef struct
{
  WwWorker *worker;
  GArray *results[N_LANES]; /* FakeResult */
  guint deliveries[N_LANES], finished[N_LANES];
  GError *error;
  gint64 finished_at[N_LANES];
  void (*hook) (gpointer fixture, guint lane); /* when a job has finished */
} Fixture;

static void
deliver (guint lane, GPtrArray *results, gboolean finished, const GError *error, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_assert_cmpuint (lane, <, N_LANES);
  g_assert_true (results->len > 0 || finished);
  fixture->deliveries[lane]++;
  for (guint i = 0; i < results->len; i++)
    g_array_append_val (fixture->results[lane], *(FakeResult *) results->pdata[i]);
  if (finished)
    {
      fixture->finished[lane]++;
      fixture->finished_at[lane] = g_get_monotonic_time ();
    }
  if (error != NULL)
    {
      g_assert_true (finished);
      g_clear_error (&fixture->error);
      fixture->error = g_error_copy (error);
    }
  if (fixture->hook != NULL && finished)
    fixture->hook (fixture, lane);
}

static void
set_up (Fixture *fixture, gconstpointer share)
{
  const WwLaneOptions lanes[N_LANES] = { { 0, 16 }, { GPOINTER_TO_UINT (share), 16 }, { 0, 16 } };

  ww_lock_init (&world.lock);
  world.steps = g_array_new (FALSE, FALSE, sizeof (int));
  world.started = -1;
  world.interruptions = 0;
  world.alive = 0;
  for (guint i = 0; i < N_LANES; i++)
    fixture->results[i] = g_array_new (FALSE, FALSE, sizeof (FakeResult));
  fixture->worker = ww_worker_new ("test", lanes, N_LANES, deliver, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer share)
{
  g_clear_pointer (&fixture->worker, ww_worker_free);
  /* Nothing that was posted or emitted is lost, whatever became of it. */
  g_assert_cmpint (world.alive, ==, 0);
  for (guint i = 0; i < N_LANES; i++)
    g_array_unref (fixture->results[i]);
  g_clear_error (&fixture->error);
  g_array_unref (world.steps);
  ww_lock_clear (&world.lock);
}

static FakeResult
get_result (Fixture *fixture, guint lane, guint i)
{
  g_assert_cmpuint (i, <, fixture->results[lane]->len);

  return g_array_index (fixture->results[lane], FakeResult, i);
}

static guint
count_steps (int id)
{
  guint n = 0;

  ww_lock_acquire (&world.lock);
  for (guint i = 0; i < world.steps->len; i++)
    n += g_array_index (world.steps, int, i) == id;
  ww_lock_release (&world.lock);

  return n;
}

static gboolean
has_started (int id)
{
  return g_atomic_int_get (&world.started) == id;
}

/* ---- The tests ---- */

static void
test_delivers_in_order (Fixture *fixture, gconstpointer data)
{
  ww_worker_post (fixture->worker, 1, &fake_job, fake_new (7, 5, 0, 3));
  WAIT_FOR (fixture->finished[1] == 1);

  g_assert_cmpuint (fixture->results[1]->len, ==, 15);
  for (guint i = 0; i < 15; i++)
    {
      FakeResult result = get_result (fixture, 1, i);

      g_assert_cmpint (result.id, ==, 7);
      g_assert_cmpuint (result.step, ==, i / 3);
      g_assert_cmpuint (result.index, ==, i % 3);
    }
  g_assert_no_error (fixture->error);
  g_assert_false (ww_worker_is_busy (fixture->worker, 1));
}

static void
test_latest_wins (Fixture *fixture, gconstpointer data)
{
  for (int id = 0; id < 200; id++)
    ww_worker_post (fixture->worker, 0, &fake_job, fake_new (id, 1, 2000, 1));
  WAIT_FOR (fixture->finished[0] == 1);

  g_assert_cmpuint (fixture->results[0]->len, ==, 1);
  g_assert_cmpint (get_result (fixture, 0, 0).id, ==, 199);
}

/* Results of a job that was replaced are never delivered, even those that were ready. */
static void
test_replaced_results_are_dropped (Fixture *fixture, gconstpointer data)
{
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 1, 0, 4));
  /* No main loop runs: the results wait for delivery. */
  while (count_steps (1) == 0)
    g_usleep (200);
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (2, 1, 0, 1));
  WAIT_FOR (fixture->finished[0] == 1);

  g_assert_cmpuint (fixture->results[0]->len, ==, 1);
  g_assert_cmpint (get_result (fixture, 0, 0).id, ==, 2);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 1, 30 * G_USEC_PER_SEC, 1));
  WAIT_FOR (has_started (1));
  g_assert_true (ww_worker_is_busy (fixture->worker, 0));
  ww_worker_cancel (fixture->worker, 0);
  g_assert_false (ww_worker_is_busy (fixture->worker, 0));

  ww_worker_post (fixture->worker, 1, &fake_job, fake_new (2, 1, 0, 1));
  WAIT_FOR (fixture->finished[1] == 1);
  g_assert_cmpint (world.interruptions, ==, 1);
  g_assert_cmpuint (fixture->deliveries[0], ==, 0);
}

static void
test_failure (Fixture *fixture, gconstpointer data)
{
  Fake *fake = fake_new (1, 3, 0, 1);

  fake->fails = TRUE;
  ww_worker_post (fixture->worker, 0, &fake_job, fake);
  WAIT_FOR (fixture->finished[0] == 1);

  g_assert_error (fixture->error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
  g_assert_cmpuint (fixture->results[0]->len, ==, 2);

  g_clear_error (&fixture->error);
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (2, 1, 0, 1));
  WAIT_FOR (fixture->finished[0] == 2);
  g_assert_no_error (fixture->error);
}

static void
test_urgent_interrupts (Fixture *fixture, gconstpointer data)
{
  /* The second step is interrupted and redone; each step's result comes once, in order. */
  ww_worker_post (fixture->worker, 2, &fake_job, fake_new (1, 3, 60000, 1));
  WAIT_FOR (count_steps (1) == 1);
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (2, 1, 0, 1));
  WAIT_FOR (fixture->finished[2] == 1);

  g_assert_cmpuint (fixture->finished[0], ==, 1);
  g_assert_cmpint (fixture->finished_at[0], <, fixture->finished_at[2]);
  g_assert_cmpint (world.interruptions, <=, 1);
  g_assert_cmpuint (fixture->results[2]->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (get_result (fixture, 2, i).step, ==, i);
}

static void
test_less_urgent_does_not_interrupt (Fixture *fixture, gconstpointer data)
{
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 1, 50000, 1));
  WAIT_FOR (has_started (1));
  ww_worker_post (fixture->worker, 2, &fake_job, fake_new (2, 1, 0, 1));
  WAIT_FOR (fixture->finished[2] == 1);

  g_assert_cmpint (world.interruptions, ==, 0);
  g_assert_cmpuint (fixture->finished[0], ==, 1);
}

/* A hand on the slider: an urgent request every few milliseconds. The slow steps behind wait, and
 * all of them come once it rests. */
static void
test_drag_only_holds_up (Fixture *fixture, gconstpointer data)
{
  ww_worker_post (fixture->worker, 2, &fake_job, fake_new (1, 4, 10000, 1));
  for (int i = 0; i < 40; i++)
    {
      ww_worker_post (fixture->worker, 0, &fake_job, fake_new (100 + i, 1, 1000, 1));
      WAIT_FOR (!ww_worker_is_busy (fixture->worker, 0));
    }
  WAIT_FOR (fixture->finished[2] == 1);

  g_assert_cmpuint (fixture->results[2]->len, ==, 4);
  g_assert_cmpuint (fixture->results[0]->len, ==, 40);
}

/* Lane 1 shares: lane 2 gets its turn in between, lane 1 stays the first of the two. */
static void
test_shared_turns (Fixture *fixture, gconstpointer data)
{
  guint position[2] = { 0, 0 }, last[2] = { 0, 0 };

  /* Held until both are posted. */
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (9, 1, 20000, 0));
  ww_worker_post (fixture->worker, 1, &fake_job, fake_new (0, 20, 0, 1));
  ww_worker_post (fixture->worker, 2, &fake_job, fake_new (1, 20, 0, 1));
  WAIT_FOR (fixture->finished[1] == 1 && fixture->finished[2] == 1);

  for (guint i = 0; i < world.steps->len; i++)
    {
      int id = g_array_index (world.steps, int, i);

      if (id > 1)
        continue;
      position[id]++;
      last[id] = i;
      if (position[0] < 20)
        g_assert_cmpuint (position[1], <=, position[0]);
    }
  g_assert_cmpuint (position[0], ==, 20);
  g_assert_cmpuint (position[1], ==, 20);
  /* Neither waited for the other to end. */
  g_assert_cmpuint (last[1] - last[0], <=, 2);
}

static void
test_coalesced (Fixture *fixture, gconstpointer data)
{
  gint64 begun = g_get_monotonic_time ();
  guint frames;

  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 100, 1000, 20));
  WAIT_FOR (fixture->finished[0] == 1);
  frames = (guint) ((g_get_monotonic_time () - begun) / 16000);

  g_assert_cmpuint (fixture->results[0]->len, ==, 2000);
  for (guint i = 0; i < 2000; i++)
    g_assert_cmpuint (get_result (fixture, 0, i).step, ==, i / 20);
  g_assert_cmpuint (fixture->deliveries[0], <=, frames + 2);
}

static void
test_nothing_after_free (Fixture *fixture, gconstpointer data)
{
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 1, 0, 5));
  while (count_steps (1) == 0)
    g_usleep (200);
  g_clear_pointer (&fixture->worker, ww_worker_free);

  run_ready ();
  g_assert_cmpuint (fixture->deliveries[0], ==, 0);
}

static void
test_free_while_running (Fixture *fixture, gconstpointer data)
{
  gint64 begun;

  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 1, 30 * G_USEC_PER_SEC, 1));
  ww_worker_post (fixture->worker, 1, &fake_job, fake_new (2, 1, 30 * G_USEC_PER_SEC, 1));
  WAIT_FOR (has_started (1));
  begun = g_get_monotonic_time ();
  g_clear_pointer (&fixture->worker, ww_worker_free);

  /* The fake polls every 0.5 ms; the rest is what a busy machine may add. */
  g_assert_cmpint (g_get_monotonic_time () - begun, <, G_USEC_PER_SEC);
  run_ready ();
  g_assert_cmpuint (fixture->deliveries[0] + fixture->deliveries[1], ==, 0);
}

static void
free_worker (gpointer data, guint lane)
{
  Fixture *fixture = data;

  g_clear_pointer (&fixture->worker, ww_worker_free);
}

static void
test_free_in_delivery (Fixture *fixture, gconstpointer data)
{
  fixture->hook = free_worker;
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 1, 0, 1));
  ww_worker_post (fixture->worker, 1, &fake_job, fake_new (2, 1, 0, 1));
  while (count_steps (2) == 0)
    g_usleep (200);
  WAIT_FOR (fixture->worker == NULL);
  run_ready ();

  g_assert_cmpuint (fixture->finished[0], ==, 1);
  g_assert_cmpuint (fixture->deliveries[1], ==, 0);
}

static void
cancel_lane_1 (gpointer data, guint lane)
{
  Fixture *fixture = data;

  if (lane == 0)
    ww_worker_cancel (fixture->worker, 1);
}

/* What one delivery makes stale is not delivered by the same wake-up. */
static void
test_cancel_in_delivery (Fixture *fixture, gconstpointer data)
{
  fixture->hook = cancel_lane_1;
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (1, 1, 0, 1));
  ww_worker_post (fixture->worker, 1, &fake_job, fake_new (2, 1, 0, 1));
  while (count_steps (2) == 0)
    g_usleep (200);
  WAIT_FOR (fixture->finished[0] == 1);
  run_ready ();

  g_assert_cmpuint (fixture->deliveries[1], ==, 0);
}

static void
post_again (gpointer data, guint lane)
{
  Fixture *fixture = data;

  if (fixture->finished[0] < 3)
    ww_worker_post (fixture->worker, 0, &fake_job, fake_new ((int) fixture->finished[0], 1, 0, 1));
}

static void
test_post_in_delivery (Fixture *fixture, gconstpointer data)
{
  fixture->hook = post_again;
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (0, 1, 0, 1));
  WAIT_FOR (fixture->finished[0] == 3);

  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (get_result (fixture, 0, i).id, ==, (int) i);
}

/* The answer in the same breath, without the main loop; too slow a job is not waited for. */
static void
test_flush (Fixture *fixture, gconstpointer data)
{
  ww_worker_post (fixture->worker, 2, &fake_job, fake_new (1, 1, 30 * G_USEC_PER_SEC, 0));
  WAIT_FOR (has_started (1));
  ww_worker_post (fixture->worker, 0, &fake_job, fake_new (2, 1, 1000, 1));
  g_assert_true (ww_worker_flush (fixture->worker, 0, 20 * G_USEC_PER_SEC));
  g_assert_cmpuint (fixture->finished[0], ==, 1);
  g_assert_cmpint (get_result (fixture, 0, 0).id, ==, 2);

  g_assert_false (ww_worker_flush (fixture->worker, 2, 3000));
  g_assert_cmpuint (fixture->deliveries[2], ==, 0);
  run_ready ();
  g_assert_cmpuint (fixture->finished[0], ==, 1);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    guint share;
    void (*test) (Fixture *fixture, gconstpointer data);
  } cases[] = {
    { "/worker/delivers-in-order", 0, test_delivers_in_order },
    { "/worker/latest-wins", 0, test_latest_wins },
    { "/worker/replaced-results-are-dropped", 0, test_replaced_results_are_dropped },
    { "/worker/cancel", 0, test_cancel },
    { "/worker/failure", 0, test_failure },
    { "/worker/urgent-interrupts", 0, test_urgent_interrupts },
    { "/worker/less-urgent-does-not-interrupt", 0, test_less_urgent_does_not_interrupt },
    { "/worker/drag-only-holds-up", 0, test_drag_only_holds_up },
    { "/worker/shared-turns", 1, test_shared_turns },
    { "/worker/coalesced", 0, test_coalesced },
    { "/worker/nothing-after-free", 0, test_nothing_after_free },
    { "/worker/free-while-running", 0, test_free_while_running },
    { "/worker/free-in-delivery", 0, test_free_in_delivery },
    { "/worker/cancel-in-delivery", 0, test_cancel_in_delivery },
    { "/worker/post-in-delivery", 0, test_post_in_delivery },
    { "/worker/flush", 0, test_flush },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add (cases[i].path, Fixture, GUINT_TO_POINTER (cases[i].share), set_up, cases[i].test,
                tear_down);

  return g_test_run ();
}

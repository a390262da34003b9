/* The same seed gives the same bytes however many threads share the work: every map, one token and all
 * of them, with certified bounds, synthetic contexts and a given one. */
#include "test-util.h"
#include "ww-sweep.h"

#define MOST_SLICES 64

typedef struct
{
  WwSweep *sweep;
  WwCurvePoint *points;
  int next; /* atomic */
} Work;

static gpointer
run_slices (gpointer data)
{
  Work *work = data;
  gsize n_slices = ww_sweep_get_n_slices (work->sweep);

  for (gsize slice; (slice = g_atomic_int_add (&work->next, 1)) < n_slices;)
    g_assert_true (ww_sweep_run_slice (work->sweep, slice, NULL, &work->points[slice], NULL));
  return NULL;
}

static void
run (WwSweep *sweep, guint n_threads, WwCurvePoint *points)
{
  Work work = { sweep, points, 0 };
  GThread *threads[4];

  for (guint t = 1; t < n_threads; t++)
    threads[t] = g_thread_new ("slices", run_slices, &work);
  run_slices (&work);
  for (guint t = 1; t < n_threads; t++)
    g_thread_join (threads[t]);
}

/* All that a point says, bit by bit: doubles by their bytes, since NaN equals nothing. */
static void
assert_same_bytes (const WwCurvePoint *a, const WwCurvePoint *b)
{
  g_assert_cmpint (a->map, ==, b->map);
  g_assert_cmpuint (a->n, ==, b->n);
  g_assert_cmpuint (a->d, ==, b->d);
  g_assert_cmpuint (a->k, ==, b->k);
  g_assert_cmpuint (a->trial, ==, b->trial);
  g_assert_cmpuint (a->token, ==, b->token);
  g_assert_cmpuint (a->evaluations, ==, b->evaluations);
  g_assert_cmpmem (&a->ws, sizeof (double), &b->ws, sizeof (double));
  g_assert_cmpmem (&a->upper_bound, sizeof (double), &b->upper_bound, sizeof (double));
}

static void
check_sweep (gsize token, WwEffort effort, const WwMatrix *raw)
{
  static const gsize lengths[] = { 3, 9, 40 }, dims[] = { 24 };
  const WwSweepSettings settings = {
    .maps = { WW_MAP_RF, WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF, WW_MAP_DRF },
    .n_maps = WW_N_MAPS, .lengths = lengths, .n_lengths = 3, .dims = dims, .n_dims = 1,
    .trials = 2, .seed = 17, .token = token, .radius = 1, .effort = effort, .features = 48,
    .normalisation = WW_NORMALISATION_PAPER, .depth = 3, .width = 32, .bound = WW_SWEEP_BOUND_QUICK,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, raw, &error);
  WwCurvePoint alone[MOST_SLICES], shared[MOST_SLICES];

  g_assert_no_error (error);
  gsize n_slices = ww_sweep_get_n_slices (sweep);
  g_assert_cmpuint (n_slices, <=, MOST_SLICES);
  g_assert_cmpuint (n_slices, >=, WW_N_MAPS * 3);

  run (sweep, 1, alone);
  for (guint n_threads = 2; n_threads <= 4; n_threads += 2)
    {
      run (sweep, n_threads, shared);
      for (gsize s = 0; s < n_slices; s++)
        assert_same_bytes (&alone[s], &shared[s]);
    }
}

static void
test_sweep (gconstpointer data)
{
  gsize token = GPOINTER_TO_INT (data) ? WW_TOKEN_ALL : 2;
  g_autoptr (WwMatrix) raw = ww_context_synthetic (40, 24, 5, 0, NULL);

  check_sweep (token, WW_EFFORT_QUICK, NULL);
  check_sweep (token, WW_EFFORT_QUICK, raw);
  check_sweep (token, WW_EFFORT_NORMAL, NULL);
}

typedef struct
{
  const WwAttention *attention;
  WwSearchSettings settings;
} Search;

static gpointer
search (gpointer data)
{
  const Search *search = data;

  return ww_attention_search (search->attention, &search->settings, NULL, NULL, NULL, NULL);
}

/* Two searches of one context at the same time, against one alone: nudges and values of all tokens. */
static void
test_search (void)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwMatrix) x = ww_context_synthetic (100, 40, 6, 0, NULL);
      g_autoptr (WwMatrix) w = ww_random_w (40, 6, 0, NULL);
      g_autoptr (WwAttention) attention = ww_attention_new (maps[m], x, w, NULL);
      Search all = { attention, { .token = WW_TOKEN_ALL, .radius = 1, .effort = WW_EFFORT_QUICK, .seed = 3 } };
      g_autoptr (WwSearchResult) alone = search (&all);
      GThread *thread = g_thread_new ("search", search, &all);
      g_autoptr (WwSearchResult) one = search (&all);
      g_autoptr (WwSearchResult) two = g_thread_join (thread);
      WwSearchResult *both[] = { one, two };

      for (guint b = 0; b < 2; b++)
        {
          g_assert_cmpuint (both[b]->token, ==, alone->token);
          g_assert_cmpuint (both[b]->evaluations, ==, alone->evaluations);
          g_assert_cmpmem (both[b]->delta, 40 * sizeof (double), alone->delta, 40 * sizeof (double));
          g_assert_cmpmem (both[b]->per_token, 100 * sizeof (double), alone->per_token, 100 * sizeof (double));
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_data_func ("/threads/sweep/one-token", GINT_TO_POINTER (0), test_sweep);
  g_test_add_data_func ("/threads/sweep/all-tokens", GINT_TO_POINTER (1), test_sweep);
  g_test_add_func ("/threads/search", test_search);

  return g_test_run ();
}

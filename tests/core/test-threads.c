/* The same seed gives the same bytes however many threads share the work: every map, one token and all
 * of them, with certified bounds, synthetic contexts and a given one; swaps of every map. */
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
  /* Short texts are searched in full at each token, which takes minutes under the sanitizer. */
  const gsize lengths[] = { 3, 9, token == WW_TOKEN_ALL ? 14 : 40 };
  static const gsize dims[] = { 24 };
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
  /* The longer efforts of all tokens are the same code as those of one, and take minutes under the sanitizer. */
  if (token != WW_TOKEN_ALL)
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
      g_autoptr (WwMatrix) x = ww_context_synthetic (50, 40, 6, 0, NULL);
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
          g_assert_cmpmem (both[b]->per_token, 50 * sizeof (double), alone->per_token, 50 * sizeof (double));
        }
    }
}

/* One run over a table of words, as text: what two threads at once must give as well as one alone. */
typedef struct
{
  WwMap map;
  WwMatrix *x, *table;
} SwapWork;

static gboolean
read_table (gsize first, gsize count, double *ret_raw, gpointer user_data, GError **error)
{
  const WwMatrix *table = user_data;

  memcpy (ret_raw, table->data + first * table->cols, count * table->cols * sizeof (double));
  return TRUE;
}

static WwSwap *
make_swap (const SwapWork *work)
{
  g_autoptr (WwRf) rf = NULL;
  g_autoptr (WwDrf) drf = NULL;
  g_autoptr (WwMatrix) w = NULL;
  g_autoptr (WwAttention) attention = NULL;

  if (work->map == WW_MAP_RF)
    {
      rf = ww_rf_new_drawn (work->x, 2, 200, 8, 0, NULL, NULL);
      return ww_swap_new_rf (rf, NULL);
    }
  if (work->map == WW_MAP_DRF)
    {
      drf = ww_drf_new_drawn (work->x, 2, 4, 64, 8, 0, NULL, NULL);
      return ww_swap_new_drf (drf, NULL);
    }
  w = ww_random_w (work->x->cols, 8, 0, NULL);
  attention = ww_attention_new (work->map, work->x, w, NULL);
  return ww_swap_new_attention (attention, 0, 5, NULL, NULL);
}

static gpointer
rank_swaps (gpointer data)
{
  const SwapWork *work = data;
  g_autoptr (WwSwap) swap = make_swap (work);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (work->x, 0, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwSwapRun) run
    = ww_swap_run_new (swap, scale, work->table->rows, read_table, work->table, 40, NULL);
  GString *text = g_string_new (NULL);

  while (!ww_swap_run_is_done (run))
    g_assert_true (ww_swap_run_step (run, NULL, NULL));
  for (gsize i = 0; i < ww_swap_get_count (swap); i++)
    {
      gsize n;
      const WwSwapEntry *entries = ww_swap_run_get_entries (run, i, &n);

      for (gsize e = 0; e < n; e++)
        g_string_append_printf (text, "%u %.17g\n", entries[e].index, entries[e].change);
    }
  return g_string_free (text, FALSE);
}

static void
test_swap (void)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (12, 24, 6, 0, NULL);
  g_autoptr (WwMatrix) table = ww_context_synthetic (900, 24, 7, 0, NULL);

  for (int map = 0; map < WW_N_MAPS; map++)
    {
      SwapWork work = { (WwMap) map, x, table };
      g_autofree char *alone = rank_swaps (&work);
      GThread *thread = g_thread_new ("swap", rank_swaps, &work);
      g_autofree char *one = rank_swaps (&work);
      g_autofree char *two = g_thread_join (thread);

      g_assert_cmpstr (alone, !=, "");
      g_assert_cmpstr (one, ==, alone);
      g_assert_cmpstr (two, ==, alone);
    }
}

/* Searches over all tokens of the networks, side by side: the sweep above says the largest value alone. */
static gpointer
search_network (gpointer data)
{
  const SwapWork *work = data;
  WwSearchSettings all = { .token = WW_TOKEN_ALL, .radius = 1, .effort = WW_EFFORT_QUICK, .seed = 3 };
  g_autoptr (WwDrf) drf = NULL;

  if (work->map == WW_MAP_RF)
    return ww_rf_search_all (work->x, 200, NULL, 8, 0, &all, NULL, NULL, NULL, NULL);
  drf = ww_drf_new_generated (work->x, 0, 4, 64, 8, 0, NULL, NULL);
  return ww_drf_search_all (drf, work->x, &all, NULL, NULL, NULL, NULL);
}

static void
test_networks (void)
{
  static const WwMap maps[] = { WW_MAP_RF, WW_MAP_DRF };
  g_autoptr (WwMatrix) x = ww_context_synthetic (12, 24, 6, 0, NULL);

  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      SwapWork work = { maps[m], x, NULL };
      g_autoptr (WwSearchResult) alone = search_network (&work);
      GThread *thread = g_thread_new ("search", search_network, &work);
      g_autoptr (WwSearchResult) one = search_network (&work);
      g_autoptr (WwSearchResult) two = g_thread_join (thread);
      WwSearchResult *both[] = { one, two };

      for (guint b = 0; b < 2; b++)
        {
          g_assert_cmpuint (both[b]->token, ==, alone->token);
          g_assert_cmpuint (both[b]->evaluations, ==, alone->evaluations);
          g_assert_cmpmem (both[b]->delta, 24 * sizeof (double), alone->delta, 24 * sizeof (double));
          g_assert_cmpmem (both[b]->per_token, 12 * sizeof (double), alone->per_token, 12 * sizeof (double));
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
  g_test_add_func ("/threads/networks", test_networks);
  g_test_add_func ("/threads/swap", test_swap);

  return g_test_run ();
}

#include <malloc.h>

#include "test-util.h"

#include "ww-core.h"

#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static const gsize lengths[] = { 12, 3, 5, 7, 5 }; /* unsorted, with a repeat */
static const gsize dims[] = { 10, 6 };

static WwSweepSettings
small_settings (void)
{
  return (WwSweepSettings) {
    .maps = { WW_MAP_RF, WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF },
    .n_maps = 3,
    .lengths = lengths,
    .n_lengths = G_N_ELEMENTS (lengths),
    .dims = dims,
    .n_dims = G_N_ELEMENTS (dims),
    .trials = 2,
    .seed = 11,
    .token = 1,
    .radius = 1,
    .effort = WW_EFFORT_QUICK,
    .features = 64,
    .depth = 3,
    .width = 40,
  };
}

static void
assert_same_point (const WwCurvePoint *a, const WwCurvePoint *b)
{
  g_assert_cmpint (a->map, ==, b->map);
  g_assert_cmpuint (a->d, ==, b->d);
  g_assert_cmpuint (a->n, ==, b->n);
  g_assert_cmpuint (a->k, ==, b->k);
  g_assert_cmpuint (a->trial, ==, b->trial);
  g_assert_cmpuint (a->seed, ==, b->seed);
  g_assert_cmpuint (a->token, ==, b->token);
  g_assert_cmpmem (&a->ws, sizeof (double), &b->ws, sizeof (double));
  g_assert_cmpmem (&a->upper_bound, sizeof (double), &b->upper_bound, sizeof (double));
  g_assert_cmpuint (a->evaluations, ==, b->evaluations);
}

/* A text of `rows` rows whose norms differ. */
static WwMatrix *
make_text (gsize rows, gsize cols)
{
  WwMatrix *raw = ww_matrix_new (rows, cols, NULL);

  ww_random_normal (77, WW_PURPOSE_CONTEXT, 0, 0, rows * cols, 1, raw->data);
  for (gsize i = 0; i < rows * cols; i++)
    raw->data[i] *= 1 + (double) (i / cols);
  return raw;
}

/* Lengths come ends first, then gap by gap; maps change fastest, trials slowest. */
static void
test_order (void)
{
  static const gsize eight[] = { 100, 10, 250, 63, 16, 158, 25, 40, 10 };
  static const gsize expected[] = { 10, 250, 40, 16, 100, 25, 63, 158 };
  static const gsize narrow[] = { 2 };
  WwSweepSettings settings = small_settings ();
  g_autoptr (GError) error = NULL;

  settings.n_maps = 1;
  settings.lengths = eight;
  settings.n_lengths = G_N_ELEMENTS (eight);
  settings.dims = narrow;
  settings.n_dims = 1;
  settings.features = 8;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_sweep_get_n_slices (sweep), ==, 16);

  for (gsize slice = 0; slice < 16; slice++)
    {
      WwCurvePoint point;

      g_assert_true (ww_sweep_run_slice (sweep, slice, NULL, &point, &error));
      g_assert_cmpuint (point.n, ==, expected[slice % 8]);
      g_assert_cmpuint (point.trial, ==, slice / 8);
      g_assert_cmpuint (point.k, ==, 8);
      g_assert_cmpuint (point.seed, ==, 11);
    }

  settings = small_settings ();
  g_autoptr (WwSweep) three = ww_sweep_new (&settings, NULL, &error);
  g_assert_cmpuint (ww_sweep_get_n_slices (three), ==, 3 * 2 * 4 * 2);
  for (gsize slice = 0; slice < 6; slice++)
    {
      WwCurvePoint point;

      g_assert_true (ww_sweep_run_slice (three, slice, NULL, &point, &error));
      g_assert_cmpint (point.map, ==, settings.maps[slice % 3]);
      g_assert_cmpuint (point.d, ==, slice < 3 ? 6 : 10);
      g_assert_cmpuint (point.k, ==, slice % 3 == 0 ? 64 : 0);
      g_assert_cmpuint (point.n, ==, 3);
      g_assert_cmpuint (point.token, ==, 1);
    }
}

typedef struct
{
  const WwSweep *sweep;
  WwCurvePoint *points;
  gint next;
} Work;

static gpointer
run_slices (gpointer data)
{
  Work *work = data;

  for (;;)
    {
      gsize slice = (gsize) g_atomic_int_add (&work->next, 1);
      g_autoptr (GError) error = NULL;

      if (slice >= ww_sweep_get_n_slices (work->sweep))
        return NULL;
      g_assert_true (ww_sweep_run_slice (work->sweep, slice, NULL, &work->points[slice], &error));
      g_assert_no_error (error);
    }
}

/* One sweep, three ways: in order, backwards, and on two threads at once. */
static void
test_pure (gconstpointer data)
{
  WwSweepSettings settings = small_settings ();
  g_autoptr (WwMatrix) raw = make_text (12, 10);
  g_autoptr (GError) error = NULL;
  gboolean text = GPOINTER_TO_INT (data);
  WwCurvePoint forward[48], backward[48], shared[48];

  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, text ? raw : NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_sweep_get_n_slices (sweep), ==, 48);

  for (gsize slice = 0; slice < 48; slice++)
    g_assert_true (ww_sweep_run_slice (sweep, slice, NULL, &forward[slice], &error));
  for (gsize slice = 48; slice > 0; slice--)
    g_assert_true (ww_sweep_run_slice (sweep, slice - 1, NULL, &backward[slice - 1], &error));

  Work work = { sweep, shared, 0 };
  GThread *thread = g_thread_new ("slices", run_slices, &work);
  run_slices (&work);
  g_thread_join (thread);

  for (gsize slice = 0; slice < 48; slice++)
    {
      assert_same_point (&forward[slice], &backward[slice]);
      assert_same_point (&forward[slice], &shared[slice]);
      g_assert_true (isfinite (forward[slice].ws) && forward[slice].ws > 0);
    }
}

/* A slice is what its parts give when called by hand. */
static void
test_by_hand (void)
{
  WwSweepSettings settings = small_settings ();
  g_autoptr (WwMatrix) raw = make_text (20, 15);
  g_autoptr (GError) error = NULL;
  WwCurvePoint point;

  for (int normalisation = 0; normalisation < WW_N_NORMALISATIONS; normalisation++)
    {
      settings.normalisation = (WwNormalisation) normalisation;
      g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, raw, &error);
      g_assert_no_error (error);

      for (gsize slice = 0; slice < ww_sweep_get_n_slices (sweep); slice += 5)
        {
          g_assert_true (ww_sweep_run_slice (sweep, slice, NULL, &point, &error));
          g_autoptr (WwMatrix) head = ww_matrix_head (raw, point.n, point.d, NULL);
          g_autoptr (WwMatrix) x = ww_context_prepare (head, 0, settings.normalisation, NULL);
          WwSearchSettings search = { .token = 1, .radius = 1, .effort = WW_EFFORT_QUICK, .seed = 11,
                                      .trial = point.trial };
          g_autoptr (WwSearchResult) result = NULL;

          if (point.map == WW_MAP_RF)
            {
              g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 1, 64, 11, point.trial, NULL, NULL);

              result = ww_rf_search (rf, &search, NULL, &error);
            }
          else
            {
              g_autoptr (WwMatrix) w = ww_random_w (point.d, 11, point.trial, NULL);
              g_autoptr (WwAttention) attention = ww_attention_new (point.map, x, w, NULL);

              result = ww_attention_search (attention, &search, NULL, NULL, NULL, &error);
            }
          g_assert_no_error (error);
          g_assert_cmpfloat (result->ws, ==, point.ws);
          g_assert_cmpuint (result->evaluations, ==, point.evaluations);
        }
    }
}

static void
test_all_tokens (void)
{
  WwSweepSettings settings = small_settings ();
  static const gsize one_length[] = { 5 };
  g_autoptr (GError) error = NULL;

  settings.lengths = one_length;
  settings.n_lengths = 1;
  settings.n_dims = 1;
  g_autoptr (WwSweep) first = ww_sweep_new (&settings, NULL, &error);
  settings.token = WW_TOKEN_ALL;
  g_autoptr (WwSweep) all = ww_sweep_new (&settings, NULL, &error);
  g_assert_no_error (error);

  for (gsize slice = 0; slice < ww_sweep_get_n_slices (all); slice++)
    {
      WwCurvePoint one, every;

      g_assert_true (ww_sweep_run_slice (first, slice, NULL, &one, &error));
      g_assert_true (ww_sweep_run_slice (all, slice, NULL, &every, &error));
      g_assert_cmpuint (every.token, <, 5);
      g_assert_cmpfloat (every.ws, >, 0);
      if (every.map == WW_MAP_SOFTMAX_RAF) /* the same W and context: all tokens include this one */
        g_assert_cmpfloat (every.ws, >=, 0.99 * one.ws);
    }
}

/* A fourth map adds its own points and changes no other; each is what its parts give by hand. */
static void
test_deep (gconstpointer data)
{
  WwSweepSettings settings = small_settings ();
  g_autoptr (GError) error = NULL;
  gsize fourth = 0;

  settings.token = GPOINTER_TO_INT (data) ? WW_TOKEN_ALL : 1;
  settings.n_dims = 1;
  g_autoptr (WwSweep) three = ww_sweep_new (&settings, NULL, &error);
  settings.maps[settings.n_maps++] = WW_MAP_DRF;
  g_autoptr (WwSweep) four = ww_sweep_new (&settings, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (ww_sweep_get_n_slices (four) * 3, ==, ww_sweep_get_n_slices (three) * 4);

  for (gsize slice = 0; slice < ww_sweep_get_n_slices (four); slice++)
    {
      WwCurvePoint point, without;
      WwSearchSettings search = { .token = settings.token, .radius = 1, .effort = WW_EFFORT_QUICK, .seed = 11 };
      g_autoptr (WwMatrix) x = NULL;
      g_autoptr (WwDrf) drf = NULL;
      g_autoptr (WwSearchResult) result = NULL;

      g_assert_true (ww_sweep_run_slice (four, slice, NULL, &point, &error));
      if (point.map != WW_MAP_DRF)
        {
          g_assert_true (ww_sweep_run_slice (three, slice - fourth, NULL, &without, &error));
          assert_same_point (&point, &without);
          continue;
        }

      fourth++;
      search.trial = point.trial;
      x = ww_context_synthetic (point.n, point.d, 11, point.trial, NULL);
      if (settings.token == WW_TOKEN_ALL)
        {
          drf = ww_drf_new_generated (x, 2, 3, 40, 11, point.trial, NULL, NULL);
          result = ww_drf_search_all (drf, x, &search, NULL, NULL, NULL, &error);
        }
      else
        {
          drf = ww_drf_new_drawn (x, 1, 3, 40, 11, point.trial, NULL, NULL);
          result = ww_drf_search (drf, &search, NULL, &error);
        }
      g_assert_no_error (error);
      g_assert_cmpuint (point.k, ==, 40);
      g_assert_cmpfloat (point.ws, ==, result->ws);
      g_assert_cmpuint (point.token, ==, result->token);
      g_assert_cmpuint (point.evaluations, ==, result->evaluations);
    }
  g_assert_cmpuint (fourth * 4, ==, ww_sweep_get_n_slices (four));
}

/* Bounds are above what is found, change nothing else, and stand where the map has one. */
static void
test_bounds (gconstpointer data)
{
  WwSweepSettings settings = small_settings ();
  WwSweepBound kinds[] = { WW_SWEEP_BOUND_NONE, WW_SWEEP_BOUND_QUICK, WW_SWEEP_BOUND_TIGHT };
  WwSweep *sweeps[3] = { NULL };
  g_autoptr (GError) error = NULL;

  settings.token = GPOINTER_TO_INT (data) ? WW_TOKEN_ALL : 1;
  settings.trials = 1;
  for (guint i = 0; i < 3; i++)
    {
      settings.bound = kinds[i];
      sweeps[i] = ww_sweep_new (&settings, NULL, &error);
      g_assert_no_error (error);
    }

  for (gsize slice = 0; slice < ww_sweep_get_n_slices (sweeps[0]); slice++)
    {
      WwCurvePoint points[3], described;

      for (guint i = 0; i < 3; i++)
        g_assert_true (ww_sweep_run_slice (sweeps[i], slice, NULL, &points[i], &error));
      ww_sweep_describe_slice (sweeps[0], slice, &described);
      g_assert_cmpuint (described.token, ==, settings.token);
      g_assert_true (isnan (described.ws) && isnan (described.upper_bound));
      g_assert_cmpuint (described.evaluations, ==, 0);
      described.token = points[0].token;
      described.ws = points[0].ws;
      described.evaluations = points[0].evaluations;
      described.upper_bound = points[0].upper_bound;
      assert_same_point (&described, &points[0]);

      g_assert_true (isnan (points[0].upper_bound));
      for (guint i = 1; i < 3; i++)
        {
          g_assert_cmpfloat (points[i].ws, ==, points[0].ws);
          if (points[i].map == WW_MAP_RF)
            g_assert_true (isnan (points[i].upper_bound));
          else
            g_assert_cmpfloat (points[i].upper_bound, >=, points[i].ws);
        }
      if (points[0].map != WW_MAP_RF)
        g_assert_cmpfloat (points[2].upper_bound, <=, points[1].upper_bound);
    }

  for (guint i = 0; i < 3; i++)
    ww_sweep_unref (sweeps[i]);
}

/* k = n d where no number of features is given. */
static void
test_paper_features (void)
{
  WwSweepSettings settings = small_settings ();
  g_autoptr (GError) error = NULL;

  settings.n_maps = 1;
  settings.features = 0;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, &error);
  g_assert_no_error (error);
  for (gsize slice = 0; slice < ww_sweep_get_n_slices (sweep); slice++)
    {
      WwCurvePoint point;

      g_assert_true (ww_sweep_run_slice (sweep, slice, NULL, &point, &error));
      g_assert_cmpuint (point.k, ==, point.n * point.d);
    }
}

static void
hear (double done, gpointer user_data)
{
  double *last = user_data;

  g_assert_cmpfloat (done, >=, *last);
  *last = done;
}

/* A slice of all tokens says how far it is, up to the whole, whatever the map. */
static void
test_progress (void)
{
  WwSweepSettings settings = small_settings ();
  g_autoptr (GError) error = NULL;

  settings.maps[0] = WW_MAP_DRF;
  settings.maps[3] = WW_MAP_RF;
  settings.n_maps = WW_N_MAPS;
  settings.token = WW_TOKEN_ALL;
  settings.trials = 1;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, &error);
  g_assert_no_error (error);
  for (gsize slice = 0; slice < ww_sweep_get_n_slices (sweep); slice++)
    {
      WwCurvePoint point;
      double last = 0;

      g_assert_true (ww_sweep_run_slice_reporting (sweep, slice, hear, &last, NULL, &point, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (last, ==, 1);
    }
}

static void
assert_refused (const WwSweepSettings *settings, const WwMatrix *raw, WwCoreError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ww_sweep_new (settings, raw, &error));
  g_assert_error (error, WW_CORE_ERROR, (int) code);
  g_assert_cmpuint (strlen (error->message), >, 10);
}

static void
test_bad_settings (void)
{
  static const gsize with_zero[] = { 5, 0 }, too_long[] = { 5, WW_MAX_ROWS + 1 };
  static const gsize too_wide[] = { WW_MAX_DIMS + 1 }, longest[] = { WW_MAX_ROWS };
  static const gsize widest[] = { WW_MAX_DIMS };
  const WwSweepSettings good = small_settings ();
  WwSweepSettings bad;

#define REFUSED(change, code) \
  G_STMT_START { bad = good; change; assert_refused (&bad, NULL, code); } G_STMT_END

  REFUSED (bad.n_maps = 0, WW_CORE_ERROR_RANGE);
  REFUSED (bad.n_maps = WW_N_MAPS + 1, WW_CORE_ERROR_RANGE);
  REFUSED (bad.maps[1] = WW_MAP_RF, WW_CORE_ERROR_RANGE);
  REFUSED (bad.maps[1] = (WwMap) WW_N_MAPS, WW_CORE_ERROR_RANGE);
  REFUSED (bad.n_lengths = 0, WW_CORE_ERROR_SHAPE);
  REFUSED (bad.lengths = NULL, WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.lengths = with_zero, bad.n_lengths = 2), WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.lengths = too_long, bad.n_lengths = 2), WW_CORE_ERROR_SHAPE);
  REFUSED (bad.n_dims = 0, WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.dims = with_zero, bad.n_dims = 2), WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.dims = too_wide, bad.n_dims = 1), WW_CORE_ERROR_SHAPE);
  REFUSED (bad.trials = 0, WW_CORE_ERROR_RANGE);
  REFUSED (bad.trials = WW_MAX_TRIALS + 1, WW_CORE_ERROR_RANGE);
  REFUSED (bad.token = 3, WW_CORE_ERROR_RANGE); /* the shortest context has tokens 0, 1 and 2 */
  REFUSED (bad.radius = 0, WW_CORE_ERROR_RANGE);
  REFUSED (bad.radius = -1, WW_CORE_ERROR_RANGE);
  REFUSED (bad.radius = NAN, WW_CORE_ERROR_RANGE);
  REFUSED (bad.radius = INFINITY, WW_CORE_ERROR_RANGE);
  REFUSED (bad.radius = 101, WW_CORE_ERROR_RANGE);
  REFUSED (bad.effort = (WwEffort) 3, WW_CORE_ERROR_RANGE);
  REFUSED (bad.bound = (WwSweepBound) 3, WW_CORE_ERROR_RANGE);
  REFUSED (bad.normalisation = (WwNormalisation) 3, WW_CORE_ERROR_RANGE);
  REFUSED (bad.normalisation = WW_NORMALISATION_CENTRE, WW_CORE_ERROR_RANGE); /* synthetic rows */
  REFUSED (bad.features = WW_MAX_FEATURES + 1, WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.features = 0, bad.lengths = longest, bad.n_lengths = 1, bad.dims = widest,
            bad.n_dims = 1), WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.maps[2] = WW_MAP_DRF, bad.depth = 0), WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.maps[2] = WW_MAP_DRF, bad.depth = WW_MAX_DEPTH + 1), WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.maps[2] = WW_MAP_DRF, bad.width = 0), WW_CORE_ERROR_SHAPE);
  REFUSED ((bad.maps[2] = WW_MAP_DRF, bad.width = WW_MAX_WIDTH + 1), WW_CORE_ERROR_SHAPE);
#undef REFUSED

  /* Without the deep map nobody asks for its depth. */
  bad = good;
  bad.depth = bad.width = 0;
  g_autoptr (WwSweep) shallow = ww_sweep_new (&bad, NULL, NULL);
  g_assert_nonnull (shallow);
}

static void
test_bad_text (void)
{
  WwSweepSettings settings = small_settings ();
  static const gsize shortest[] = { 1, 12 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) few_rows = make_text (11, 10);
  g_autoptr (WwMatrix) few_cols = make_text (12, 9);
  g_autoptr (WwMatrix) hole = make_text (12, 10);
  g_autoptr (WwMatrix) zero_row = make_text (12, 10);
  g_autoptr (WwMatrix) beyond = make_text (13, 11);

  assert_refused (&settings, few_rows, WW_CORE_ERROR_SHAPE);
  assert_refused (&settings, few_cols, WW_CORE_ERROR_SHAPE);

  hole->data[25] = NAN;
  assert_refused (&settings, hole, WW_CORE_ERROR_NON_FINITE);

  /* Zero in the first 6 of 10 dimensions: only the smaller d fails, and it is found before the start. */
  memset (zero_row->data + 110, 0, 6 * sizeof (double));
  assert_refused (&settings, zero_row, WW_CORE_ERROR_ZERO_ROW);
  settings.n_dims = 1; /* d = 10 */
  g_autoptr (WwSweep) wide = ww_sweep_new (&settings, zero_row, &error);
  g_assert_no_error (error);
  g_assert_nonnull (wide);
  settings = small_settings ();
  settings.normalisation = WW_NORMALISATION_NONE;
  g_autoptr (WwSweep) stored = ww_sweep_new (&settings, zero_row, &error);
  g_assert_no_error (error);
  g_assert_nonnull (stored);

  /* One row is its own mean. */
  settings.normalisation = WW_NORMALISATION_CENTRE;
  settings.lengths = shortest;
  settings.n_lengths = 2;
  settings.token = 0;
  assert_refused (&settings, beyond, WW_CORE_ERROR_ZERO_ROW);

  /* What lies beyond the largest context and dimension is nobody's business. */
  settings = small_settings ();
  beyond->data[10] = NAN;
  beyond->data[12 * 11] = NAN;
  g_autoptr (WwSweep) cut = ww_sweep_new (&settings, beyond, &error);
  g_assert_no_error (error);
  g_assert_nonnull (cut);
  ww_sweep_unref (ww_sweep_ref (cut));
  ww_sweep_unref (NULL);
}

typedef struct
{
  const WwSweep *sweep;
  gsize slice;
  WwCancel cancel;
  gint64 ended;
  gboolean cancelled;
} Runner;

static gpointer
run_until_cancelled (gpointer data)
{
  Runner *runner = data;
  WwCurvePoint point;
  g_autoptr (GError) error = NULL;

  runner->cancelled = !ww_sweep_run_slice (runner->sweep, runner->slice, &runner->cancel, &point, &error)
                      && g_error_matches (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  runner->ended = g_get_monotonic_time ();
  return NULL;
}

/* A slice of many seconds gives way within 20 ms of the flag, whenever that is raised. The shortest of
 * several answers counts: the machine may be busy with something else. */
static void
test_cancel (gconstpointer data)
{
  static const gsize long_context[] = { 250 }, wide[] = { 512 };
  static const gulong waits[] = { 2000, 30000, 90000, 250000 };
  WwSweepSettings settings = small_settings ();
  g_autoptr (GError) error = NULL;

#ifdef M_PERTURB
  /* The tests run with a C library that fills all memory it hands out and takes back, which for hundreds
   * of megabytes is no longer our time. */
  mallopt (M_PERTURB, 0);
#endif

  settings.maps[0] = (WwMap) GPOINTER_TO_INT (data);
  settings.n_maps = 1;
  settings.lengths = long_context;
  settings.n_lengths = 1;
  settings.dims = wide;
  settings.n_dims = 1;
  settings.trials = 1;
  settings.effort = WW_EFFORT_THOROUGH;
  settings.features = 0; /* 128000 */
  settings.depth = 8;
  settings.width = 2048;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, &error);
  g_assert_no_error (error);

  for (gsize w = 0; w < G_N_ELEMENTS (waits); w++)
    {
      double shortest = 1e9;

      for (guint attempt = 0; attempt < 4 && shortest > 20; attempt++)
        {
          Runner runner = { .sweep = sweep, .slice = 0 };
          GThread *thread = g_thread_new ("slice", run_until_cancelled, &runner);
          gint64 raised;

          g_usleep (waits[w]);
          raised = g_get_monotonic_time ();
          ww_cancel_set (&runner.cancel, TRUE);
          g_thread_join (thread);
          g_assert_true (runner.cancelled);
          shortest = MIN (shortest, (double) (runner.ended - raised) / 1e3);
        }

      g_test_message ("%s after %lu ms: gave way in %.2f ms", ww_map_get_id (settings.maps[0]),
                      waits[w] / 1000, shortest);
      g_assert_cmpfloat (shortest, <, SANITIZED ? 200 : 20);
    }
}

/* Resident memory in MB, now. */
static double
resident (void)
{
  g_autofree char *status = NULL;
  const char *line = NULL;

  if (g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    line = strstr (status, "VmHWM:");

  return line != NULL ? g_ascii_strtod (line + strlen ("VmHWM:"), NULL) / 1024 : 0;
}

/* n = 1000, d = 128: n^2 d doubles would be 1 GB, n^2 are 8 MB. */
static void
test_memory (void)
{
  static const gsize long_context[] = { 1000 }, narrow[] = { 128 };
  WwSweepSettings settings = small_settings ();
  double before = resident (), grown;
  g_autoptr (GError) error = NULL;

  if (SANITIZED || before == 0)
    {
      g_test_skip ("resident memory tells nothing here");
      return;
    }

  settings.maps[0] = WW_MAP_SOFTMAX_RAF;
  settings.n_maps = 1;
  settings.lengths = long_context;
  settings.n_lengths = 1;
  settings.dims = narrow;
  settings.n_dims = 1;
  settings.trials = 1;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, &error);
  WwCurvePoint point;
  g_assert_true (ww_sweep_run_slice (sweep, 0, NULL, &point, &error));

  grown = resident () - before;
  g_test_message ("n = 1000, d = 128: %.0f MB more", grown);
  g_assert_cmpfloat (grown, <, 150);
}

/* Whether an attention map has any feature under the weights of a slice. */
static gboolean
has_features (const WwCurvePoint *point)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (point->n, point->d, point->seed, point->trial, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (point->d, point->seed, point->trial, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (point->map, x, w, NULL);

  return ww_attention_get_norm (attention) > 0;
}

/* The smallest contexts, dimensions and widths: a trial without features is a point without a value, and
 * every other trial of every map is measured. */
static void
test_undefined (gconstpointer data)
{
  static const gsize shortest[] = { 1, 2, 3 }, fewest[] = { 1, 4 };
  WwSweepSettings settings = small_settings ();
  gsize undefined[WW_N_MAPS] = { 0 }, defined[WW_N_MAPS] = { 0 };
  g_autoptr (GError) error = NULL;

  settings.maps[3] = WW_MAP_DRF;
  settings.n_maps = WW_N_MAPS;
  settings.lengths = shortest;
  settings.n_lengths = G_N_ELEMENTS (shortest);
  settings.dims = fewest;
  settings.n_dims = G_N_ELEMENTS (fewest);
  settings.trials = 12;
  settings.token = GPOINTER_TO_INT (data) ? WW_TOKEN_ALL : 0;
  settings.features = settings.width = 1;
  settings.depth = 2;
  settings.bound = WW_SWEEP_BOUND_QUICK;
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, &error);
  g_assert_no_error (error);

  for (gsize slice = 0; slice < ww_sweep_get_n_slices (sweep); slice++)
    {
      WwCurvePoint point;
      gboolean is_attention;

      g_assert_true (ww_sweep_run_slice (sweep, slice, NULL, &point, &error));
      g_assert_no_error (error);
      is_attention = point.map == WW_MAP_SOFTMAX_RAF || point.map == WW_MAP_RELU_RAF;

      *(isnan (point.ws) ? &undefined[point.map] : &defined[point.map]) += 1;
      if (is_attention)
        {
          g_assert_cmpint (isnan (point.ws), ==, !has_features (&point));
          g_assert_cmpint (isnan (point.upper_bound), ==, isnan (point.ws));
        }
      if (!isnan (point.ws))
        {
          g_assert_true (isfinite (point.ws));
          g_assert_cmpuint (point.token, <, point.n);
        }
      else
        {
          g_assert_cmpuint (point.token, ==, settings.token);
          g_assert_cmpuint (point.evaluations, ==, 0);
        }
    }

  for (guint map = 0; map < WW_N_MAPS; map++)
    {
      g_test_message ("%s: %" G_GSIZE_FORMAT " undefined", ww_map_get_id (map), undefined[map]);
      g_assert_cmpint (undefined[map] > 0, ==, map != WW_MAP_SOFTMAX_RAF);
      g_assert_cmpuint (defined[map], >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/sweep/memory", test_memory); /* first: a high-water mark only rises */
  g_test_add_func ("/sweep/order", test_order);
  g_test_add_data_func ("/sweep/pure/synthetic", GINT_TO_POINTER (FALSE), test_pure);
  g_test_add_data_func ("/sweep/pure/text", GINT_TO_POINTER (TRUE), test_pure);
  g_test_add_func ("/sweep/by-hand", test_by_hand);
  g_test_add_func ("/sweep/all-tokens", test_all_tokens);
  g_test_add_data_func ("/sweep/deep/one-token", GINT_TO_POINTER (FALSE), test_deep);
  g_test_add_data_func ("/sweep/deep/all-tokens", GINT_TO_POINTER (TRUE), test_deep);
  g_test_add_data_func ("/sweep/bounds/one-token", GINT_TO_POINTER (FALSE), test_bounds);
  g_test_add_data_func ("/sweep/bounds/all-tokens", GINT_TO_POINTER (TRUE), test_bounds);
  g_test_add_data_func ("/sweep/undefined/one-token", GINT_TO_POINTER (FALSE), test_undefined);
  g_test_add_data_func ("/sweep/undefined/all-tokens", GINT_TO_POINTER (TRUE), test_undefined);
  g_test_add_func ("/sweep/paper-features", test_paper_features);
  g_test_add_func ("/sweep/progress", test_progress);
  g_test_add_func ("/sweep/bad-settings", test_bad_settings);
  g_test_add_func ("/sweep/bad-text", test_bad_text);
  g_test_add_data_func ("/sweep/cancel/rf", GINT_TO_POINTER (WW_MAP_RF), test_cancel);
  g_test_add_data_func ("/sweep/cancel/drf", GINT_TO_POINTER (WW_MAP_DRF), test_cancel);
  g_test_add_data_func ("/sweep/cancel/relu-raf", GINT_TO_POINTER (WW_MAP_RELU_RAF), test_cancel);
  g_test_add_data_func ("/sweep/cancel/raf", GINT_TO_POINTER (WW_MAP_SOFTMAX_RAF), test_cancel);

  return g_test_run ();
}

/* A search asks for its memory before it climbs, and for none while it climbs; a slice of a sweep stays within
 * what is estimated of it. Counted by putting our own malloc and its relatives before those of the C library,
 * which only glibc allows, and no sanitizer. */
#include <errno.h>
#include <malloc.h>

#include "test-util.h"

#if defined (__GLIBC__) && !defined (__SANITIZE_ADDRESS__) && !defined (__SANITIZE_THREAD__)
#define CAN_COUNT 1
#else
#define CAN_COUNT 0
#endif
#if defined (__has_feature)
#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer) || __has_feature (memory_sanitizer)
#undef CAN_COUNT
#define CAN_COUNT 0
#endif
#endif

static guint64 n_allocations;
static gint64 live, peak; /* bytes */

#if CAN_COUNT
void *__libc_malloc (size_t size);
void *__libc_calloc (size_t count, size_t size);
void *__libc_realloc (void *memory, size_t size);
void *__libc_memalign (size_t alignment, size_t size);
void __libc_free (void *memory);
void *malloc (size_t size);
void *calloc (size_t count, size_t size);
void *realloc (void *memory, size_t size);
void *memalign (size_t alignment, size_t size);
void *aligned_alloc (size_t alignment, size_t size);
int posix_memalign (void **ret_memory, size_t alignment, size_t size);
void free (void *memory);

static void *
note_allocation (void *memory)
{
  n_allocations++;
  live += malloc_usable_size (memory);
  peak = MAX (peak, live);
  return memory;
}

void
free (void *memory)
{
  live -= malloc_usable_size (memory);
  __libc_free (memory);
}

void *
malloc (size_t size)
{
  return note_allocation (__libc_malloc (size));
}

void *
calloc (size_t count, size_t size)
{
  return note_allocation (__libc_calloc (count, size));
}

void *
realloc (void *memory, size_t size)
{
  live -= malloc_usable_size (memory);
  return note_allocation (__libc_realloc (memory, size));
}

void *
memalign (size_t alignment, size_t size)
{
  return note_allocation (__libc_memalign (alignment, size));
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return memalign (alignment, size);
}

int
posix_memalign (void **ret_memory, size_t alignment, size_t size)
{
  void *memory = memalign (alignment, size);

  if (memory == NULL)
    return ENOMEM;
  *ret_memory = memory;
  return 0;
}
#endif

static WwAttention *
make_attention (WwMap map, gsize n, gsize d)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 3, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, 3, 0, NULL);

  return ww_attention_new (map, x, w, NULL);
}

/* Allocations of one search; ret_evaluations: how many nudges it looked at. */
static guint64
count (const WwAttention *attention, gsize token, WwEffort effort, double target, guint64 seed,
       guint64 *ret_evaluations)
{
  const WwSearchSettings settings
      = { .token = token, .radius = 1, .effort = effort, .seed = seed, .target = target };
  guint64 before = n_allocations;
  g_autoptr (WwSearchResult) result = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);
  guint64 made = n_allocations - before;

  g_assert_nonnull (result);
  *ret_evaluations = result->evaluations;
  return made;
}

static gboolean
skip_uncounted (void)
{
  if (!CAN_COUNT)
    g_test_skip ("allocations cannot be counted in this build");
  return !CAN_COUNT;
}

/* The counting counts: a search does allocate, and so does every array. */
static void
test_counts (void)
{
  if (skip_uncounted ())
    return;

  guint64 before = n_allocations;
  g_autofree char *bytes = g_malloc (100);
  g_autoptr (WwMatrix) matrix = ww_matrix_new (10, 10, NULL);

  bytes[0] = matrix != NULL;
  g_assert_cmpuint (n_allocations - before, >=, 2);
}

/* From quick to thorough there are many times more evaluations and not one allocation, except for what
 * ReLU sets up to finish in double precision. */
static void
test_efforts (void)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

  if (skip_uncounted ())
    return;
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) attention = make_attention (maps[m], 40, 64);
      guint64 evaluations[WW_N_EFFORTS], made[WW_N_EFFORTS];

      count (attention, 0, WW_EFFORT_THOROUGH, 0, 1, &evaluations[0]); /* OpenBLAS sets itself up */
      for (guint e = 0; e < WW_N_EFFORTS; e++)
        made[e] = count (attention, 0, (WwEffort) e, 0, 1, &evaluations[e]);

      g_assert_cmpuint (evaluations[WW_EFFORT_NORMAL], >, evaluations[WW_EFFORT_QUICK]);
      g_assert_cmpuint (evaluations[WW_EFFORT_THOROUGH], >, 2 * evaluations[WW_EFFORT_NORMAL]);
      g_assert_cmpuint (made[WW_EFFORT_QUICK], >, 0);
      g_assert_cmpuint (made[WW_EFFORT_THOROUGH], ==, made[WW_EFFORT_NORMAL]);
      if (maps[m] == WW_MAP_SOFTMAX_RAF)
        g_assert_cmpuint (made[WW_EFFORT_NORMAL], ==, made[WW_EFFORT_QUICK]);
      else
        g_assert_cmpuint (made[WW_EFFORT_NORMAL], <, made[WW_EFFORT_QUICK] + 40);
    }
}

/* Nor do other starts, an early end or more tokens ask for more. */
static void
test_loops (void)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

  if (skip_uncounted ())
    return;
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) few = make_attention (maps[m], 12, 48);
      g_autoptr (WwAttention) many = make_attention (maps[m], 100, 48);
      guint64 evaluations, other_evaluations;

      count (few, 0, WW_EFFORT_QUICK, 0, 1, &evaluations);
      guint64 made = count (few, 0, WW_EFFORT_QUICK, 0, 1, &evaluations);
      for (guint64 seed = 2; seed < 6; seed++)
        g_assert_cmpuint (count (few, 0, WW_EFFORT_QUICK, 0, seed, &other_evaluations), ==, made);
      g_assert_cmpuint (count (few, 0, WW_EFFORT_QUICK, 0.01, 1, &other_evaluations), ==, made);
      g_assert_cmpuint (other_evaluations, <, evaluations);

      made = count (few, WW_TOKEN_ALL, WW_EFFORT_QUICK, 0, 1, &evaluations);
      g_assert_cmpuint (count (many, WW_TOKEN_ALL, WW_EFFORT_QUICK, 0, 1, &other_evaluations), ==, made);
      g_assert_cmpuint (2 * other_evaluations, >, 3 * evaluations);
    }
}

/* Tokens that are screened ask for nothing: what all ask for beyond one are their values, what kind of search
 * each got, and their order. */
static void
test_screening (void)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

  if (skip_uncounted ())
    return;
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) attention = make_attention (maps[m], 150, 192);
      guint64 evaluations;

      count (attention, 0, WW_EFFORT_QUICK, 0, 1, &evaluations);
      guint64 made = count (attention, 0, WW_EFFORT_QUICK, 0, 1, &evaluations);
      g_assert_cmpuint (count (attention, WW_TOKEN_ALL, WW_EFFORT_QUICK, 0, 1, &evaluations), <=, made + 3);
    }
}

/* The most that a slice has at once, in bytes. */
static gint64
measure_slice (const WwSweep *sweep, gsize slice)
{
  gint64 before = live;
  WwCurvePoint point;
  GError *error = NULL;

  peak = live;
  g_assert_true (ww_sweep_run_slice (sweep, slice, NULL, &point, &error));
  return peak - before;
}

/* Every map at two lengths, one token and all: within the estimate, which is not far beyond; and no growth like
 * n^2, or k n d for the networks. */
static void
test_sweep_memory (gconstpointer data)
{
  static const gsize lengths[] = { 300, 600 }, dims[] = { 64 };
  gboolean all = GPOINTER_TO_INT (data);
  const WwSweepSettings settings = {
    .maps = { WW_MAP_RF, WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF, WW_MAP_DRF },
    .n_maps = WW_N_MAPS, .lengths = lengths, .n_lengths = 2, .dims = dims, .n_dims = 1, .trials = 1,
    .seed = 17, .token = all ? WW_TOKEN_ALL : 2, .radius = 1, .effort = WW_EFFORT_QUICK, .features = 3000,
    .depth = 3, .width = 200,
  };

  if (skip_uncounted ())
    return;

  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, NULL);
  gint64 most[WW_N_MAPS][2] = { 0 };

  measure_slice (sweep, 1); /* OpenBLAS sets itself up */
  for (gsize slice = 0; slice < ww_sweep_get_n_slices (sweep); slice++)
    {
      guint64 estimate = ww_sweep_estimate_memory (sweep, slice);
      WwCurvePoint point;

      ww_sweep_describe_slice (sweep, slice, &point);
      gint64 bytes = measure_slice (sweep, slice);
      g_test_message ("%s, n %u: %.3f MB, at most %.3f", ww_map_get_id (point.map), (guint) point.n,
                      bytes / 1e6, estimate / 1e6);
      g_assert_cmpuint (bytes, <=, estimate);
      most[point.map][point.n == lengths[1]] = bytes;
    }
  for (guint map = 0; map < WW_N_MAPS; map++)
    {
      gint64 growth = most[map][1] - most[map][0], nd = 300 * 64 * 8;
      gboolean attends = map == WW_MAP_RELU_RAF || map == WW_MAP_SOFTMAX_RAF;

      g_assert_cmpint (growth, <=, attends ? 10 * nd : 3 * nd);
    }
}

/* With tight bounds: around the length up to which all rows are looked at together. */
static void
test_bound_memory (void)
{
  static const gsize lengths[] = { 30, 400, 402, 800 }, dims[] = { 3, 64 };
  const WwSweepSettings settings = {
    .maps = { WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF }, .n_maps = 2, .lengths = lengths, .n_lengths = 4,
    .dims = dims, .n_dims = 2, .trials = 1, .seed = 17, .token = 2, .radius = 1, .effort = WW_EFFORT_QUICK,
    .bound = WW_SWEEP_BOUND_TIGHT,
  };

  if (skip_uncounted ())
    return;

  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, NULL);

  measure_slice (sweep, 0); /* OpenBLAS sets itself up */
  for (gsize slice = 0; slice < ww_sweep_get_n_slices (sweep); slice++)
    {
      WwCurvePoint point;
      guint64 estimate = ww_sweep_estimate_memory (sweep, slice);
      gint64 bytes = measure_slice (sweep, slice);

      ww_sweep_describe_slice (sweep, slice, &point);
      g_test_message ("%s, n %u, d %u: %.3f MB, at most %.3f", ww_map_get_id (point.map), (guint) point.n,
                      (guint) point.d, bytes / 1e6, estimate / 1e6);
      g_assert_cmpuint (bytes, <=, estimate);
    }
}

/* The attention maps of long contexts: twice the step in length is twice the step in memory, where a matrix of
 * n x n would make it four times as large; so is the estimate's. */
static void
test_long_memory (void)
{
  static const gsize lengths[] = { 500, 1000, 2000 }, dims[] = { 96 };
  static const WwMap maps[] = { WW_MAP_RELU_RAF, WW_MAP_SOFTMAX_RAF };
  const WwSweepSettings settings = {
    .n_maps = 1, .lengths = lengths, .n_lengths = 3, .dims = dims, .n_dims = 1, .trials = 1,
    .seed = 17, .token = 2, .radius = 1, .effort = WW_EFFORT_QUICK,
  };

  if (skip_uncounted ())
    return;
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      WwSweepSettings of_map = settings;
      gint64 bytes[3], estimates[3];

      of_map.maps[0] = maps[m];
      g_autoptr (WwSweep) sweep = ww_sweep_new (&of_map, NULL, NULL);
      measure_slice (sweep, 0); /* OpenBLAS sets itself up */
      for (gsize slice = 0; slice < 3; slice++)
        {
          WwCurvePoint point;
          gsize l = 0;

          ww_sweep_describe_slice (sweep, slice, &point);
          while (lengths[l] != point.n)
            l++;
          bytes[l] = measure_slice (sweep, slice);
          estimates[l] = ww_sweep_estimate_memory (sweep, slice);
          g_test_message ("%s, n %u: %.3f MB, at most %.3f", ww_map_get_id (maps[m]), (guint) point.n,
                          bytes[l] / 1e6, estimates[l] / 1e6);
          g_assert_cmpint (bytes[l], <=, estimates[l]);
        }
      g_assert_cmpint (10 * (bytes[2] - bytes[1]), <=, 22 * (bytes[1] - bytes[0]));
      g_assert_cmpint (estimates[2] - estimates[1], ==, 2 * (estimates[1] - estimates[0]));
    }
}

/* At the paper's largest size the weights that matter are all but everything: V_i, 354 MB. */
static void
test_paper_memory (void)
{
  static const gsize lengths[] = { 150 }, dims[] = { 768 };
  const WwSweepSettings settings = {
    .maps = { WW_MAP_RF }, .n_maps = 1, .lengths = lengths, .n_lengths = 1, .dims = dims, .n_dims = 1,
    .trials = 1, .radius = 1, .effort = WW_EFFORT_THOROUGH,
  };
  g_autoptr (WwSweep) sweep = ww_sweep_new (&settings, NULL, NULL);

  g_assert_cmpuint (ww_sweep_estimate_memory (sweep, 0), >, 354000000);
  g_assert_cmpuint (ww_sweep_estimate_memory (sweep, 0), <, 500000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/allocations/counts", test_counts);
  g_test_add_func ("/allocations/efforts", test_efforts);
  g_test_add_func ("/allocations/loops", test_loops);
  g_test_add_func ("/allocations/screening", test_screening);
  g_test_add_data_func ("/allocations/sweep/one-token", GINT_TO_POINTER (0), test_sweep_memory);
  g_test_add_data_func ("/allocations/sweep/all-tokens", GINT_TO_POINTER (1), test_sweep_memory);
  g_test_add_func ("/allocations/sweep/bound", test_bound_memory);
  g_test_add_func ("/allocations/sweep/long", test_long_memory);
  g_test_add_func ("/allocations/sweep/paper", test_paper_memory);

  return g_test_run ();
}

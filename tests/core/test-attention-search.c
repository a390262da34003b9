/* The search for the word sensitivity of the attention maps. */
#include <time.h>

#include "attention-cases.h"
#include "known-cases.h"
#include "ww-attention-problem.h"

typedef struct
{
  const char *name;
  WwMap map;
  double published; /* what the published procedure reaches */
  double best;      /* the largest value known when the case was made */
} Case;

static const Case cases[] = {
  { "gauss-n10-d64", WW_MAP_SOFTMAX_RAF, 2.563469495, 2.786358355 },
  { "gauss-n10-d64", WW_MAP_RELU_RAF, 1.54801123, 1.624727317 },
  { "gauss-n40-d192", WW_MAP_SOFTMAX_RAF, 3.173771805, 3.237779331 },
  { "gauss-n40-d192", WW_MAP_RELU_RAF, 1.037894125, 1.313983401 },
  { "text-n20-d100", WW_MAP_SOFTMAX_RAF, 1.470665061, 1.47066525 },
  { "text-n20-d100", WW_MAP_RELU_RAF, 0.230755071, 0.493949141 },
};

static WwAttention *
load_case (const Case *c)
{
  g_autofree char *x_name = g_strconcat (c->name, ".X.npy", NULL);
  g_autofree char *w_name = g_strconcat (c->name, ".W.npy", NULL);
  g_autoptr (WwMatrix) x = test_reference_load (x_name);
  g_autoptr (WwMatrix) w = test_reference_load (w_name);

  g_assert_nonnull (x);
  g_assert_nonnull (w);
  return ww_attention_new (c->map, x, w, NULL);
}

/* Searches, and checks what holds for every result: the value is that of the nudge by definition, and
 * the nudge is within the radius. */
static WwSearchResult *
search (const WwAttention *attention, gsize token, double radius, WwEffort effort, guint64 seed)
{
  const WwSearchSettings settings = { token, radius, effort, seed, 0 };
  g_autoptr (GError) error = NULL;
  WwSearchResult *result = ww_attention_search (attention, &settings, NULL, NULL, NULL, &error);
  double limit = radius * sqrt (attention->x->cols), change;

  g_assert_no_error (error);
  g_assert_nonnull (result);
  g_assert_true (ww_attention_evaluate (attention, result->token, result->delta, &change, NULL));
  g_assert_cmpfloat (change, ==, result->ws);
  g_assert_cmpfloat_with_epsilon (test_norm (result->delta, result->d), result->delta_norm,
                                  1e-12 * limit);
  g_assert_cmpfloat (result->delta_norm, <=, limit * (1 + 1e-6));
  g_assert_cmpuint (result->evaluations, >, 0);
  g_assert_cmpint (result->map, ==, attention->map);
  g_assert_true (isnan (result->upper_bound));
  return result;
}

static void
test_reference (void)
{
  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    for (guint64 seed = 1; seed <= 3; seed++)
      {
        g_autoptr (WwAttention) attention = load_case (&cases[c]);
        g_autoptr (WwSearchResult) normal = search (attention, 0, 1, WW_EFFORT_NORMAL, seed);
        g_autoptr (WwSearchResult) thorough = search (attention, 0, 1, WW_EFFORT_THOROUGH, seed);

        g_assert_cmpfloat (normal->ws, >=, 0.98 * cases[c].best);
        g_assert_cmpfloat (normal->ws, >=, 0.999 * cases[c].published);
        g_assert_cmpfloat (thorough->ws, >=, 0.999 * cases[c].best);
      }
}

/* The small ones among the cases of the effort benchmark, each effort from three sets of starts: how many
 * come within 1 % of the best known value. The benchmark asks for 90 and 97 %; so few trials get a margin. */
static void
test_efforts_reach_best_known (gconstpointer data)
{
  WwMap map = GPOINTER_TO_INT (data);
  guint trials = 0, normal = 0, thorough = 0;

  for (gsize c = 0; c < G_N_ELEMENTS (known_cases); c++)
    {
      const KnownCase *known = &known_cases[c];
      double best = known_case_get_best (known, map);
      g_autoptr (WwAttention) attention = known->d <= 192 && known->n <= 50 ? known_case_load (known, map) : NULL;

      if (attention == NULL || attention->x->cols > 192)
        continue;
      g_assert_cmpfloat (best, >, 0);
      for (guint64 seed = 1; seed <= 3; seed++)
        {
          g_autoptr (WwSearchResult) some = search (attention, known->token, 1, WW_EFFORT_NORMAL, seed);
          g_autoptr (WwSearchResult) most = search (attention, known->token, 1, WW_EFFORT_THOROUGH, seed);

          trials++;
          normal += some->ws >= 0.99 * best;
          thorough += most->ws >= 0.99 * best;
          g_assert_cmpfloat (some->ws, >=, 0.9 * best);
        }
    }
  g_assert_cmpuint (trials, >=, 30);
  g_assert_cmpuint (100 * normal, >=, 85 * trials);
  g_assert_cmpuint (100 * thorough, >=, 94 * trials);
}

/* Two thorough searches from different starts agree: neither stopped short. */
static void
test_seeds_agree (void)
{
  static const gsize sizes[][2] = { { 10, 192 }, { 50, 192 }, { 100, 64 }, { 250, 64 }, { 30, 384 } };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      {
        g_autoptr (WwAttention) attention = make_gaussian (maps[m], sizes[s][0], sizes[s][1], 1, 1);
        g_autoptr (WwSearchResult) one = search (attention, 0, 1, WW_EFFORT_THOROUGH, 1);
        g_autoptr (WwSearchResult) two = search (attention, 0, 1, WW_EFFORT_THOROUGH, 2);

        g_assert_cmpfloat (test_relative_error (one->ws, two->ws, 0), <, 0.01);
      }
}

/* Where n is larger than d, hardly any random start finds the summit at which row i looks at itself
 * alone; it is more than twice as high as the others. */
static void
test_relu_capture (void)
{
  for (guint32 trial = 0; trial < 3; trial++)
    {
      g_autoptr (WwAttention) attention = make_gaussian (WW_MAP_RELU_RAF, 250, 192, trial, 1);
      g_autoptr (WwSearchResult) result = search (attention, 0, 1, WW_EFFORT_QUICK, 1);

      g_assert_cmpfloat (result->ws, >, 0.42);
    }
}

/* One token under softmax: A = 1 and phi = x, so the change is the nudge itself. */
static void
test_one_token (void)
{
  for (gsize d = 1; d < 40; d += 13)
    {
      g_autoptr (WwAttention) softmax = make_gaussian (WW_MAP_SOFTMAX_RAF, 1, d, 0, 1);
      g_autoptr (WwSearchResult) result = search (softmax, 0, 0.5, WW_EFFORT_QUICK, 1);

      g_assert_cmpfloat_with_epsilon (result->ws, 0.5, 1e-6);
    }
}

/* In one dimension the largest change can be found on a grid over the whole ball. */
static void
test_one_dimension (void)
{
  guint compared = 0;

  for (gsize n = 1; n <= 9; n += 2)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      for (guint32 trial = 0; trial < 6; trial++)
        {
          g_autoptr (WwAttention) attention = make_gaussian (maps[m], n, 1, trial, 1);
          double best = 0, radius = trial % 2 == 0 ? 1 : 2.5;

          if (attention->norm == 0)
            continue;
          for (int k = -2000; k <= 2000; k++)
            {
              double delta = radius * k / 2000, change;

              g_assert_true (ww_attention_evaluate (attention, 0, &delta, &change, NULL));
              best = MAX (best, change);
            }
          g_autoptr (WwSearchResult) result = search (attention, 0, radius, WW_EFFORT_QUICK, 1);
          g_assert_cmpfloat (result->ws, >=, 0.995 * best);
          compared++;
        }
  g_assert_cmpuint (compared, >, 40);
}

static void
test_grows_with_radius (void)
{
  static const double radii[] = { 0.001, 0.1, 0.3, 0.6, 1, 1.5, 3, 100 };

  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) attention = make_gaussian (maps[m], 20, 48, 0, 1);
      double last = 0;

      for (gsize r = 0; r < G_N_ELEMENTS (radii); r++)
        {
          g_autoptr (WwSearchResult) result = search (attention, 3, radii[r], WW_EFFORT_NORMAL, 1);

          g_assert_cmpfloat (result->ws, >, last);
          last = result->ws;
        }
    }
}

/* Random sizes, tokens and radii; the checks are in search (). */
static void
test_within_radius (void)
{
  for (guint32 trial = 0; trial < 60; trial++)
    {
      gsize n = 1 + trial * 7 % 23, d = 1 + trial * 5 % 31;
      g_autoptr (WwAttention) attention = make_gaussian (maps[trial % 2], n, d, trial, 1);

      if (attention->norm == 0)
        continue;
      g_autoptr (WwSearchResult) result = search (attention, trial % n, 0.05 + 0.1 * trial,
                                                  WW_EFFORT_QUICK, trial);
      g_assert_cmpuint (result->token, ==, trial % n);
    }
}

/* Contexts whose weights are concentrated, whose rows are unequal, or where scores vanish. */
static void
test_odd_contexts (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    for (int kind = 0; kind < 4; kind++)
      {
        g_autoptr (WwMatrix) x = ww_context_synthetic (12, 16, 3, kind, NULL);
        g_autoptr (WwMatrix) w = ww_random_w (16, 3, kind, NULL);

        for (gsize k = 0; k < 16 * 16; k++)
          w->data[k] = kind == 0 ? 40 * w->data[k] : kind == 1 ? 0 : w->data[k];
        for (gsize k = 0; kind == 2 && k < 16; k++)
          x->data[5 * 16 + k] *= 100;
        for (gsize k = 0; kind == 3 && k < 12 * 16; k++)
          x->data[k] *= k < 16 ? 0 : 1e-6;
        g_autoptr (WwAttention) attention = ww_attention_new (maps[m], x, w, NULL);
        if (attention->norm == 0)
          continue;
        g_autoptr (WwSearchResult) result = search (attention, 0, 1, WW_EFFORT_QUICK, 1);
        g_assert_cmpfloat (result->ws, >=, 0);
        g_assert_true (isfinite (result->ws));
      }
}

static void
test_same_seed_same_bits (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) attention = make_gaussian (maps[m], 33, 40, 2, 1);
      g_autoptr (WwSearchResult) one = search (attention, 5, 1, WW_EFFORT_NORMAL, 9);
      g_autoptr (WwSearchResult) two = search (attention, 5, 1, WW_EFFORT_NORMAL, 9);

      g_assert_cmpmem (one->delta, 40 * sizeof (double), two->delta, 40 * sizeof (double));
      g_assert_cmpfloat (one->ws, ==, two->ws);
      g_assert_cmpuint (one->evaluations, ==, two->evaluations);
    }
}

typedef struct
{
  double values[64];
  guint calls;
} Heard;

static void
hear (gsize token, double ws, gpointer user_data)
{
  Heard *heard = user_data;

  g_assert_cmpfloat (ws, >=, heard->values[token]);
  heard->values[token] = ws;
  heard->calls++;
}

static void
test_all_tokens (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) attention = make_gaussian (maps[m], 24, 48, 4, 1);
      const WwSearchSettings settings = { WW_TOKEN_ALL, 1, WW_EFFORT_NORMAL, 1, 0 };
      g_autoptr (GError) error = NULL;
      Heard heard = { 0 };
      g_autoptr (WwSearchResult) all
          = ww_attention_search (attention, &settings, NULL, hear, &heard, &error);
      double largest_single = 0, change;

      g_assert_no_error (error);
      g_assert_cmpuint (all->n_tokens, ==, 24);
      g_assert_cmpuint (heard.calls, >=, 24);
      g_assert_cmpfloat (all->per_token[all->token], ==, all->ws);
      g_assert_true (ww_attention_evaluate (attention, all->token, all->delta, &change, NULL));
      g_assert_cmpfloat (change, ==, all->ws);
      for (gsize token = 0; token < 24; token++)
        {
          g_autoptr (WwSearchResult) single = search (attention, token, 1, WW_EFFORT_NORMAL, 1);

          g_assert_cmpfloat (all->ws, >=, all->per_token[token]);
          g_assert_cmpfloat (test_relative_error (heard.values[token], all->per_token[token], 0), <,
                             1e-9);
          g_assert_cmpfloat (all->per_token[token], >=, (all->in_full[token] ? 1 - 1e-9 : 0.97) * single->ws);
          largest_single = MAX (largest_single, single->ws);
        }
      g_assert_cmpfloat (all->ws, >=, 0.99 * largest_single);
    }
}

static void
count_call (gsize token, double ws, gpointer user_data)
{
  guint *calls = user_data;

  (*calls)++;
}

/* A search with a target stops there, early and above it; one that is out of reach changes no bit of what
 * quick starts find. */
static void
test_target (void)
{
  static const gsize sizes[][2] = { { 1, 8 }, { 12, 32 }, { 60, 96 }, { 200, 48 } };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
      {
        g_autoptr (WwAttention) attention = make_gaussian (maps[m], sizes[s][0], sizes[s][1], 5, 1);
        WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL, .seed = 2 };
        guint calls = 0;

        if (attention->norm == 0)
          continue;
        g_autoptr (WwSearchResult) whole
            = ww_attention_search (attention, &settings, NULL, count_call, &calls, NULL);
        g_assert_cmpuint (calls, ==, 0);

        settings.target = 0.9 * whole->ws;
        g_autoptr (WwSearchResult) early
            = ww_attention_search (attention, &settings, NULL, count_call, &calls, NULL);
        g_assert_cmpuint (calls, ==, 1);
        g_assert_cmpfloat (early->ws, >=, settings.target);
        g_assert_cmpuint (early->evaluations, <, whole->evaluations);

        settings.target = 1.5 * whole->ws;
        g_autoptr (WwSearchResult) late
            = ww_attention_search (attention, &settings, NULL, count_call, &calls, NULL);
        g_assert_cmpuint (calls, ==, 1);
        g_assert_cmpfloat (late->ws, ==, whole->ws);
        g_assert_cmpuint (late->evaluations, >=, whole->evaluations);
      }
}

/* Processor time of the whole program: other programs cannot make it run on. */
static double
processor_seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

typedef struct
{
  WwCancel cancel;
  double raised_at;
  gulong delay;
} Canceller;

static gpointer
raise_flag (gpointer data)
{
  Canceller *canceller = data;

  g_usleep (canceller->delay);
  canceller->raised_at = processor_seconds ();
  ww_cancel_set (&canceller->cancel, TRUE);
  return NULL;
}

/* Whenever the flag goes up, the search is back within 20 ms of work; sanitizers may slow down one or
 * two of the places where it can strike. */
static void
check_cancelled (const WwAttention *attention, gsize token)
{
  enum { TIMES = 5 };
  guint slow = 0, cancelled = 0;

  for (guint t = 0; t < TIMES; t++)
    {
      const WwSearchSettings settings = { token, 1, WW_EFFORT_THOROUGH, t, 0 };
      Canceller canceller = { .delay = 3000 + 17000 * t };
      g_autoptr (GError) error = NULL;
      GThread *thread = g_thread_new ("canceller", raise_flag, &canceller);
      g_autoptr (WwSearchResult) result
          = ww_attention_search (attention, &settings, &canceller.cancel, NULL, NULL, &error);
      double now = processor_seconds ();

      g_thread_join (thread);
      if (result != NULL)
        continue;
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
      cancelled++;
      slow += now - canceller.raised_at > 0.02;
    }
  g_assert_cmpuint (cancelled, >=, 3);
  g_assert_cmpuint (slow, <=, 2);
}

static void
test_cancel (void)
{
  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autoptr (WwAttention) attention = make_gaussian (maps[m], 200, 384, 0, 1);

      check_cancelled (attention, 0);
      check_cancelled (attention, WW_TOKEN_ALL);
    }
}

static void
test_errors (void)
{
  g_autoptr (WwAttention) attention = make_gaussian (WW_MAP_SOFTMAX_RAF, 4, 6, 0, 1);
  g_autoptr (WwMatrix) x = ww_matrix_new (2, 2, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (2, 1, 0, NULL);
  g_autoptr (WwAttention) zero = ww_attention_new (WW_MAP_SOFTMAX_RAF, x, w, NULL);
  static const double radii[] = { 0, -1, 101, NAN, INFINITY };
  g_autoptr (GError) error = NULL;

  WwSearchSettings settings = { 4, 1, WW_EFFORT_QUICK, 1, 0 };
  g_assert_null (ww_attention_search (attention, &settings, NULL, NULL, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
  g_clear_error (&error);

  settings.token = 0;
  for (gsize r = 0; r < G_N_ELEMENTS (radii); r++)
    {
      settings.radius = radii[r];
      g_assert_null (ww_attention_search (attention, &settings, NULL, NULL, NULL, &error));
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
      g_clear_error (&error);
    }

  settings.radius = 1;
  g_assert_null (ww_attention_search (zero, &settings, NULL, NULL, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/attention-search/reference", test_reference);
  g_test_add_data_func ("/attention-search/best-known/softmax-raf", GINT_TO_POINTER (WW_MAP_SOFTMAX_RAF),
                        test_efforts_reach_best_known);
  g_test_add_data_func ("/attention-search/best-known/relu-raf", GINT_TO_POINTER (WW_MAP_RELU_RAF),
                        test_efforts_reach_best_known);
  g_test_add_func ("/attention-search/seeds-agree", test_seeds_agree);
  g_test_add_func ("/attention-search/relu-capture", test_relu_capture);
  g_test_add_func ("/attention-search/one-token", test_one_token);
  g_test_add_func ("/attention-search/one-dimension", test_one_dimension);
  g_test_add_func ("/attention-search/grows-with-radius", test_grows_with_radius);
  g_test_add_func ("/attention-search/within-radius", test_within_radius);
  g_test_add_func ("/attention-search/odd-contexts", test_odd_contexts);
  g_test_add_func ("/attention-search/same-seed-same-bits", test_same_seed_same_bits);
  g_test_add_func ("/attention-search/all-tokens", test_all_tokens);
  g_test_add_func ("/attention-search/target", test_target);
  g_test_add_func ("/attention-search/cancel", test_cancel);
  g_test_add_func ("/attention-search/errors", test_errors);

  return g_test_run ();
}

/* The search of the attention maps in small contexts, where its climbs have the hardest time. */
#include "small-cases.h"

static WwSearchResult *
search (const WwAttention *attention, gsize token, double radius, WwEffort effort)
{
  const WwSearchSettings settings = { .token = token, .radius = radius, .effort = effort, .seed = 1 };
  g_autoptr (GError) error = NULL;
  WwSearchResult *result = ww_attention_search (attention, &settings, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return result;
}

/* No effort loses to random nudges, nor to a shorter one. */
static void
test_beats_random_nudges (gconstpointer data)
{
  WwMap map = GPOINTER_TO_INT (data);
  guint compared = 0;

  for (guint c = 0; c < 49; c++)
    {
      g_autoptr (WwAttention) attention = small_case_make (map, c);
      gsize token = c % attention->x->rows;
      double radius = c % 5 == 4 ? 2 : c % 5 == 3 ? 0.3 : 1;

      if (attention->norm == 0)
        continue;
      SmallRandom random = small_random_search (attention, token, radius, 1000, c);
      g_autoptr (WwSearchResult) quick = search (attention, token, radius, WW_EFFORT_QUICK);
      g_autoptr (WwSearchResult) normal = search (attention, token, radius, WW_EFFORT_NORMAL);
      g_autoptr (WwSearchResult) thorough = search (attention, token, radius, WW_EFFORT_THOROUGH);

      g_assert_cmpfloat (quick->ws, >=, 0.99 * random.best);
      g_assert_cmpfloat (normal->ws, >=, random.best * (1 - 1e-9));
      g_assert_cmpfloat (normal->ws, >=, quick->ws * (1 - 1e-9));
      g_assert_cmpfloat (thorough->ws, >=, normal->ws * (1 - 1e-9));
      g_assert_cmpuint (quick->evaluations, <, normal->evaluations);
      g_assert_cmpuint (normal->evaluations, <, thorough->evaluations);
      compared++;
    }
  g_assert_cmpuint (compared, >, 45);
}

/* A heavy search that shares nothing with ours but the formulas finds hardly more. */
static void
test_near_heavy_search (gconstpointer data)
{
  WwMap map = GPOINTER_TO_INT (data);

  for (guint c = 100; c < 114; c++)
    {
      g_autoptr (WwAttention) attention = small_case_make (map, c);

      if (attention->norm == 0)
        continue;
      SmallRandom random = small_random_search (attention, 0, 1, 1000, c);
      double heavy = small_heavy_search (attention, 0, 1, &random, c);
      g_autoptr (WwSearchResult) normal = search (attention, 0, 1, WW_EFFORT_NORMAL);

      g_assert_cmpfloat (normal->ws, >=, 0.95 * heavy);
    }
}

/* Two tokens in two dimensions, rows (1, 0) and (0, 1). Row 1's scores are all negative at first, so it looks
 * at nothing; a nudge of token 0 that raises its score above zero gives it all of the weight at once. */
static void
test_empty_row_is_filled (void)
{
  g_autoptr (WwMatrix) x = ww_matrix_new (2, 2, NULL);
  g_autoptr (WwMatrix) w = ww_matrix_new (2, 2, NULL);

  x->data[0] = x->data[3] = 1;
  w->data[0] = 1;     /* token 0 looks at itself */
  w->data[3] = -1;    /* token 1 does not, */
  w->data[2] = -0.05; /* nor at token 0 until the nudge turns that one far enough */
  g_autoptr (WwAttention) attention = ww_attention_new (WW_MAP_RELU_RAF, x, w, NULL);
  g_autoptr (WwSearchResult) found = search (attention, 0, 1, WW_EFFORT_QUICK);
  double best = 0;

  g_assert_cmpfloat (attention->weights->data[2] + attention->weights->data[3], ==, 0);
  for (guint k = 0; k < 20000; k++)
    {
      double angle = 2 * G_PI * k / 20000, change;
      const double delta[] = { sqrt (2) * cos (angle), sqrt (2) * sin (angle) };

      g_assert_true (ww_attention_evaluate (attention, 0, delta, &change, NULL));
      best = MAX (best, change);
    }
  g_assert_cmpfloat (found->ws, >=, 0.999 * best);
}

/* Each token of a short text gets its own search, and all together give the largest. */
static void
test_short_texts_in_full (gconstpointer data)
{
  WwMap map = GPOINTER_TO_INT (data);

  for (guint c = 0; c < 49; c += 4)
    {
      g_autoptr (WwAttention) attention = small_case_make (map, c);
      double largest = 0;

      if (attention->norm == 0)
        continue;
      g_autoptr (WwSearchResult) all = search (attention, WW_TOKEN_ALL, 1, WW_EFFORT_QUICK);
      for (gsize token = 0; token < all->n_tokens; token++)
        {
          g_autoptr (WwSearchResult) own = search (attention, token, 1, WW_EFFORT_QUICK);

          g_assert_true (all->in_full[token]);
          g_assert_cmpfloat (test_relative_error (all->per_token[token], own->ws, 0), <, 1e-9);
          largest = MAX (largest, own->ws);
        }
      g_assert_cmpfloat (test_relative_error (all->ws, largest, 0), <, 1e-9);
    }
}

/* In a longer one, the tokens that were only screened are hardly below their own search. */
static void
test_longer_text_is_screened (gconstpointer data)
{
  WwMap map = GPOINTER_TO_INT (data);
  g_autoptr (WwMatrix) x = ww_context_synthetic (140, 192, 5, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (192, 5, 0, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (map, x, w, NULL);
  g_autoptr (WwSearchResult) all = search (attention, WW_TOKEN_ALL, 1, WW_EFFORT_QUICK);
  guint n_full = 0, n_screened = 0;

  for (gsize token = 0; token < 140; token++)
    {
      n_full += all->in_full[token];
      if (all->in_full[token] || token % 8 != 0)
        continue;
      g_autoptr (WwSearchResult) own = search (attention, token, 1, WW_EFFORT_QUICK);
      g_assert_cmpfloat (all->per_token[token], >=, 0.97 * own->ws);
      g_assert_cmpfloat (all->ws, >=, own->ws);
      n_screened++;
    }
  g_assert_cmpuint (n_full, >=, 14);
  g_assert_cmpuint (n_screened, >=, 4);
  g_assert_true (all->in_full[all->token]);
}

typedef struct
{
  double last;
  guint calls;
} Progress;

static void
hear_progress (double done, gpointer user_data)
{
  Progress *progress = user_data;

  g_assert_cmpfloat (done, >=, progress->last);
  g_assert_cmpfloat (done, <=, 1);
  progress->last = done;
  progress->calls++;
}

/* A search says how far it is, one token or all of them, and changes no bit for that. */
static void
test_progress (gconstpointer data)
{
  WwMap map = GPOINTER_TO_INT (data);
  g_autoptr (WwMatrix) x = ww_context_synthetic (110, 192, 5, 0, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (192, 5, 0, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (map, x, w, NULL);
  Progress one = { 0 }, all = { 0 };
  WwSearchSettings settings = { .radius = 1, .effort = WW_EFFORT_NORMAL, .seed = 1, .progress = hear_progress,
                                .progress_data = &one };

  g_autoptr (WwSearchResult) heard = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);
  g_autoptr (WwSearchResult) unheard = search (attention, 0, 1, WW_EFFORT_NORMAL);
  g_assert_cmpfloat (heard->ws, ==, unheard->ws);
  g_assert_cmpuint (one.calls, >=, 5);
  g_assert_cmpfloat (one.last, ==, 1);

  settings.token = WW_TOKEN_ALL;
  settings.effort = WW_EFFORT_QUICK;
  settings.progress_data = &all;
  g_autoptr (WwSearchResult) every = ww_attention_search (attention, &settings, NULL, NULL, NULL, NULL);
  g_assert_nonnull (every);
  g_assert_cmpuint (all.calls, >=, 110);
  g_assert_cmpfloat (all.last, ==, 1);
}

static void
add (const char *name, GTestDataFunc func)
{
  static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

  for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
    {
      g_autofree char *path = g_strdup_printf ("/attention-small/%s/%s", name, ww_map_get_id (maps[m]));

      g_test_add_data_func (path, GINT_TO_POINTER (maps[m]), func);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  add ("beats-random-nudges", test_beats_random_nudges);
  add ("near-heavy-search", test_near_heavy_search);
  g_test_add_func ("/attention-small/empty-row-is-filled", test_empty_row_is_filled);
  add ("short-texts-in-full", test_short_texts_in_full);
  add ("longer-text-is-screened", test_longer_text_is_screened);
  add ("progress", test_progress);

  return g_test_run ();
}

/* What the searches for RF and DRF share: efforts that never find less than a shorter one, and the choice of
 * the tokens that are searched in full. */
#include "test-util.h"

#include "ww-climb-search.h"

/* One search of `map` at each effort: never less, to the last bit. */
static void
check_efforts (WwMap map, gsize n, gsize d, gsize k, guint32 number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 7, number, &error);
  g_autoptr (WwRf) rf = NULL;
  g_autoptr (WwDrf) drf = NULL;
  double before = 0;

  g_assert_no_error (error);
  if (map == WW_MAP_RF)
    rf = ww_rf_new_generated (x, number % n, k, 9, number, NULL, NULL, &error);
  else
    drf = ww_drf_new_generated (x, number % n, 1 + number % 4, k, 9, number, NULL, &error);
  g_assert_no_error (error);

  for (guint effort = 0; effort < WW_N_EFFORTS; effort++)
    {
      WwSearchSettings settings = { .radius = 1, .effort = effort, .seed = number };
      g_autoptr (WwSearchResult) result = rf != NULL ? ww_rf_search (rf, &settings, NULL, &error)
                                                     : ww_drf_search (drf, &settings, NULL, &error);
      double change;

      /* So few features may all be zero: then there is nothing to search. */
      if (g_error_matches (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM))
        return;
      g_assert_no_error (error);
      g_assert_cmpfloat (result->ws, >=, before);
      g_assert_cmpfloat (result->delta_norm, <=, sqrt ((double) d) * (1 + 1e-12));
      before = result->ws;

      /* What was compared is what the definition says. */
      g_assert_true (rf != NULL ? ww_rf_evaluate (rf, result->delta, &change, &error)
                                : ww_drf_evaluate (drf, result->delta, &change, &error));
      g_assert_cmpfloat (change, ==, result->ws);
    }
}

static void
test_efforts (gconstpointer data)
{
  static const gsize dims[] = { 1, 2, 4, 16, 32 };
  WwMap map = GPOINTER_TO_INT (data);
  guint32 cases = map == WW_MAP_RF ? 150 : 40;

  for (guint32 number = 0; number < cases; number++)
    check_efforts (map, 1 + number % 5, dims[number % 5], map == WW_MAP_RF ? 8 + number % 57 : 12 + number % 21,
                   number);
}

/* Tokens whose values are known: what screening finds, and what the full search does. */
typedef struct
{
  const double *values;
  const double *screened;
  guint n_screened, n_full;
} Known;

static WwSearchResult *
find_known (gsize token, gboolean screening, gpointer user_data, GError **error)
{
  Known *known = user_data;
  WwSearchResult *result = g_new0 (WwSearchResult, 1);

  result->token = token;
  result->ws = screening ? known->screened[token] : known->values[token];
  result->evaluations = 1;
  *(screening ? &known->n_screened : &known->n_full) += 1;
  return result;
}

static const WwSearchSettings settings = { .radius = 1 };

static void
test_short_context (void)
{
  const double values[] = { 0.5, 0.7, 0.6 }, screened[] = { 0.5, 0.5, 0.6 };
  Known known = { values, screened, 0, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSearchResult) result = ww_climb_search_tokens (3, 3, find_known, &known, &settings, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (known.n_screened, ==, 0);
  g_assert_cmpuint (known.n_full, ==, 3);
  g_assert_cmpuint (result->token, ==, 1);
  g_assert_cmpuint (result->evaluations, ==, 3);
  g_assert_cmpmem (result->per_token, sizeof values, values, sizeof values);
  for (gsize token = 0; token < 3; token++)
    g_assert_true (result->in_full[token]);
}

/* Screening underrates the largest, which stands at place 3 of 40 then: it is among the best tenth, and what was
 * only screened is said to be. */
static void
test_long_context (void)
{
  double values[40], screened[40];
  Known known = { values, screened, 0, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSearchResult) result = NULL;

  for (gsize token = 0; token < 40; token++)
    {
      values[token] = 1 - 0.001 * (double) token;
      screened[token] = 0.99 * values[token];
    }
  values[9] = 1.001;
  screened[9] = 0.9875;

  result = ww_climb_search_tokens (40, 0, find_known, &known, &settings, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (known.n_screened, ==, 40);
  g_assert_cmpuint (known.n_full, ==, 4);
  g_assert_cmpuint (result->evaluations, ==, 44);
  g_assert_cmpuint (result->token, ==, 9);
  g_assert_cmpfloat (result->ws, ==, 1.001);
  for (gsize token = 0; token < 40; token++)
    {
      g_assert_cmpint (result->in_full[token], ==, token < 3 || token == 9);
      g_assert_cmpfloat (result->per_token[token], ==, result->in_full[token] ? values[token] : screened[token]);
    }
}

/* As many as are affordable, the best of the screening. */
static void
test_affordable (void)
{
  double values[40];
  Known known = { values, values, 0, 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSearchResult) result = NULL;

  for (gsize token = 0; token < 40; token++)
    values[token] = 1 + 0.01 * (double) token;

  result = ww_climb_search_tokens (40, 25, find_known, &known, &settings, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (known.n_full, ==, 25);
  for (gsize token = 0; token < 40; token++)
    g_assert_cmpint (result->in_full[token], ==, token >= 15);
}

typedef struct
{
  double last;
  guint calls;
} Heard;

static void
hear (double done, gpointer user_data)
{
  Heard *heard = user_data;

  g_assert_cmpfloat (done, >, heard->last);
  heard->last = done;
  heard->calls++;
}

/* Progress is told after each search and ends at the whole, however many tokens are searched twice. */
static void
test_progress (void)
{
  static const guint rows[][3] = { { 3, 3, 3 }, { 3, 0, 6 }, { 40, 0, 44 }, { 40, 25, 65 }, { 40, 1000, 40 } };
  double values[40] = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Known known = { values, values, 0, 0 };
      Heard heard = { 0 };
      const WwSearchSettings heard_settings = { .radius = 1, .progress = hear, .progress_data = &heard };
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSearchResult) result
        = ww_climb_search_tokens (rows[i][0], rows[i][1], find_known, &known, &heard_settings, NULL, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (result->n_tokens, ==, rows[i][0]);
      g_assert_cmpuint (heard.calls, ==, rows[i][2]);
      g_assert_cmpfloat (heard.last, ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();
  g_test_add_data_func ("/climb/efforts/rf", GINT_TO_POINTER (WW_MAP_RF), test_efforts);
  g_test_add_data_func ("/climb/efforts/drf", GINT_TO_POINTER (WW_MAP_DRF), test_efforts);
  g_test_add_func ("/climb/short-context", test_short_context);
  g_test_add_func ("/climb/long-context", test_long_context);
  g_test_add_func ("/climb/affordable", test_affordable);
  g_test_add_func ("/climb/progress", test_progress);
  return g_test_run ();
}

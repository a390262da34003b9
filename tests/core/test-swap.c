/* Swaps of a token for any row, against the plain definition of each map. */
#include "test-util.h"

#define SEED 11

typedef struct
{
  WwMap map;
  gsize n, d;
  double scale; /* of the context and the rows: large ones make rows look at one token alone */
} Case;

static const Case cases[] = {
  { WW_MAP_SOFTMAX_RAF, 1, 5, 1 },   { WW_MAP_RELU_RAF, 1, 5, 1 },
  { WW_MAP_SOFTMAX_RAF, 2, 3, 1 },   { WW_MAP_RELU_RAF, 2, 3, 1 },
  { WW_MAP_SOFTMAX_RAF, 3, 1, 1 },   { WW_MAP_RELU_RAF, 3, 1, 1 },
  { WW_MAP_SOFTMAX_RAF, 4, 8, 4 },   { WW_MAP_RELU_RAF, 4, 8, 4 },
  { WW_MAP_SOFTMAX_RAF, 7, 16, 30 }, { WW_MAP_RELU_RAF, 7, 16, 30 },
  { WW_MAP_SOFTMAX_RAF, 33, 40, 1 }, { WW_MAP_RELU_RAF, 33, 40, 1 },
  { WW_MAP_SOFTMAX_RAF, 33, 40, 3 }, { WW_MAP_RELU_RAF, 33, 40, 1e-4 },
  { WW_MAP_SOFTMAX_RAF, 50, 96, 0.1 }, { WW_MAP_RELU_RAF, 50, 96, 1 },
};

static WwAttention *
make_attention (const Case *c, guint32 trial)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (c->n, c->d, SEED, trial, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (c->d, SEED, trial, NULL);

  for (gsize k = 0; k < c->n * c->d; k++)
    x->data[k] *= c->scale;
  return ww_attention_new (c->map, x, w, NULL);
}

/* Random rows, then rows of the context, then rows close to them and rows far beyond. */
static WwMatrix *
make_rows (const WwMatrix *x, gsize rows)
{
  gsize d = x->cols;
  WwMatrix *y = ww_context_synthetic (rows, d, SEED + 1, 0, NULL);
  static const double near[] = { 1e-1, 1e-2, 1e-4, 1e-8 };
  double scale = ww_vector_norm (x->data, d) / sqrt (d);

  for (gsize t = 0; t < rows; t++)
    {
      double *row = y->data + t * d;
      const double *from = x->data + (t % x->rows) * d;

      for (gsize c = 0; c < d; c++)
        {
          row[c] *= scale;
          if (t % 5 == 1)
            row[c] = from[c];
          else if (t % 5 == 2)
            row[c] = from[c] + near[t / 5 % G_N_ELEMENTS (near)] * row[c];
          else if (t % 5 == 3)
            row[c] *= 5;
        }
    }
  return y;
}

static double
evaluate_plainly (const WwAttention *attention, gsize token, const double *y)
{
  gsize d = ww_attention_get_x (attention)->cols;
  g_autofree double *delta = g_new (double, d);
  double change = NAN;

  ww_swap_toward (ww_attention_get_x (attention)->data + token * d, y, d, 1, delta);
  g_assert_true (ww_attention_evaluate (attention, token, delta, &change, NULL));
  return change;
}

/* To 1e-9. A square keeps its digits only down to the rounding of what it is the sum of: 1e-15, so that a
 * change that should be nothing may be some 1e-8. */
static void
assert_close (double change, double plain)
{
  g_assert_cmpfloat (fabs (change * change - plain * plain), <=, 1e-9 * plain * plain + 1e-15);
}

static void
test_attention (gconstpointer data)
{
  const Case *c = data;
  enum { ROWS = 40 };

  for (guint32 trial = 0; trial < 4; trial++)
    {
      g_autoptr (WwAttention) attention = make_attention (c, trial);
      g_autoptr (GError) error = NULL;

      if (ww_attention_get_norm (attention) == 0)
        {
          g_assert_null (ww_swap_new_attention (attention, 0, 1, NULL, &error));
          g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
          continue;
        }

      g_autoptr (WwSwap) all = ww_swap_new_attention (attention, 0, c->n, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (WwMatrix) y = make_rows (ww_attention_get_x (attention), ROWS);
      g_autofree double *change = g_new (double, ROWS * c->n);

      g_assert_cmpuint (ww_swap_get_height (all), >=, ROWS);
      g_assert_true (ww_swap_evaluate (all, ROWS, y->data, NULL, change, &error));
      for (gsize t = 0; t < ROWS; t++)
        for (gsize i = 0; i < c->n; i++)
          assert_close (change[t * c->n + i], evaluate_plainly (attention, i, y->data + t * c->d));
    }
}

/* One token at a time, and a part of them, are the same numbers. */
static void
test_ranges (void)
{
  const Case *c = &cases[10];
  enum { ROWS = 10, FIRST = 5, COUNT = 7 };
  g_autoptr (WwAttention) attention = make_attention (c, 0);
  g_autoptr (WwSwap) some = ww_swap_new_attention (attention, FIRST, COUNT, NULL, NULL);
  g_autoptr (WwMatrix) y = make_rows (ww_attention_get_x (attention), ROWS);
  double change[ROWS * COUNT], one[ROWS];

  g_assert_cmpuint (ww_swap_get_first (some), ==, FIRST);
  g_assert_cmpuint (ww_swap_get_count (some), ==, COUNT);
  g_assert_cmpuint (ww_swap_get_dims (some), ==, c->d);
  g_assert_true (ww_swap_evaluate (some, ROWS, y->data, NULL, change, NULL));
  for (gsize i = 0; i < COUNT; i++)
    {
      g_autoptr (WwSwap) single = ww_swap_new_attention (attention, FIRST + i, 1, NULL, NULL);

      g_assert_true (ww_swap_evaluate (single, ROWS, y->data, NULL, one, NULL));
      for (gsize t = 0; t < ROWS; t++)
        assert_close (change[t * COUNT + i], one[t]);
    }

  g_autoptr (GError) error = NULL;
  g_assert_null (ww_swap_new_attention (attention, c->n, 1, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_null (ww_swap_new_attention (attention, 1, c->n, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE);
}

/* ReLU rows that look at the token alone, at nothing, or go blind. */
static void
test_blind_rows (void)
{
  const double x[] = { 1, 0, 0, 1, -1, 0.5 }, w[] = { 1, 0, 0, -1 };
  const double y[] = { -1, 0, 0, -1, 1, 1, -3, 2, 1e-3, 0, 1, 0, 0, 0 };
  enum { ROWS = 7 };
  g_autoptr (WwMatrix) xm = ww_matrix_new_copy (3, 2, x, NULL);
  g_autoptr (WwMatrix) wm = ww_matrix_new_copy (2, 2, w, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (WW_MAP_RELU_RAF, xm, wm, NULL);
  g_autoptr (WwSwap) swap = ww_swap_new_attention (attention, 0, 3, NULL, NULL);
  double change[ROWS * 3];

  g_assert_true (ww_swap_evaluate (swap, ROWS, y, NULL, change, NULL));
  for (gsize t = 0; t < ROWS; t++)
    for (gsize i = 0; i < 3; i++)
      assert_close (change[t * 3 + i], evaluate_plainly (attention, i, y + 2 * t));
}

static void
test_identity (void)
{
  const Case *c = &cases[10];

  for (int map = WW_MAP_RELU_RAF; map <= WW_MAP_SOFTMAX_RAF; map++)
    {
      Case mine = { map, c->n, c->d, 1 };
      g_autoptr (WwAttention) attention = make_attention (&mine, 1);
      g_autoptr (WwSwap) swap = ww_swap_new_attention (attention, 0, c->n, NULL, NULL);
      const WwMatrix *x = ww_attention_get_x (attention);
      g_autofree double *change = g_new (double, c->n * c->n);

      g_assert_true (ww_swap_evaluate (swap, c->n, x->data, NULL, change, NULL));
      for (gsize i = 0; i < c->n; i++)
        {
          g_assert_cmpfloat (change[i * c->n + i], ==, 0);
          g_assert_cmpfloat (change[i * c->n + (i + 1) % c->n], >, 1e-3);
        }
    }
}

static void
test_unusable_rows (void)
{
  const Case *c = &cases[10];
  g_autoptr (WwAttention) attention = make_attention (c, 0);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (ww_attention_get_x (attention), 2, 100, SEED, 0, NULL, NULL);
  WwSwap *swaps[] = { ww_swap_new_attention (attention, 2, 1, NULL, NULL), ww_swap_new_rf (rf, NULL) };

  for (gsize s = 0; s < G_N_ELEMENTS (swaps); s++)
    {
      g_autoptr (WwMatrix) y = make_rows (ww_attention_get_x (attention), 4);
      double change[4];

      y->data[c->d + 3] = NAN;
      y->data[2 * c->d] = INFINITY;
      y->data[3 * c->d] = 1e300;
      g_assert_true (ww_swap_evaluate (swaps[s], 4, y->data, NULL, change, NULL));
      g_assert_true (isfinite (change[0]));
      g_assert_true (isnan (change[1]));
      g_assert_true (isnan (change[2]));
      g_assert_true (!isinf (change[3]));
      ww_swap_free (swaps[s]);
    }
}

static void
test_rf (void)
{
  static const gsize shapes[][4] = { { 1, 1, 1, 0 }, { 5, 7, 1, 3 }, { 12, 24, 700, 0 }, { 30, 48, 2048, 29 } };
  enum { ROWS = 30 };

  for (gsize s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      gsize d = shapes[s][1];
      g_autoptr (WwMatrix) x = ww_context_synthetic (shapes[s][0], d, SEED, 0, NULL);
      g_autoptr (WwRf) rf = ww_rf_new_drawn (x, shapes[s][3], shapes[s][2], SEED, 1, NULL, NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (WwSwap) swap = ww_swap_new_rf (rf, &error);
      g_autoptr (WwMatrix) y = make_rows (x, ROWS);
      g_autofree double *delta = g_new (double, d);
      double change[ROWS], plain, confirmed;

      if (ww_rf_get_norm (rf) == 0)
        {
          g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
          continue;
        }
      g_assert_true (ww_swap_evaluate (swap, ROWS, y->data, NULL, change, NULL));
      for (gsize t = 0; t < ROWS; t++)
        {
          ww_swap_toward (x->data + shapes[s][3] * d, y->data + t * d, d, 1, delta);
          g_assert_true (ww_rf_evaluate (rf, delta, &plain, NULL));
          g_assert_true (ww_swap_confirm (swap, shapes[s][3], 1, y->data + t * d, NULL, &confirmed, NULL));
          g_assert_cmpfloat (fabs (change[t] - plain), <=, 1e-4 * plain + 1e-15);
          g_assert_cmpfloat (confirmed, ==, plain);
        }
    }
}

/* The tile of a network against its definition, row by row; confirmed values bit by bit, whatever stands
 * beside them. */
static void
check_drf (WwDrf *drf, const WwMatrix *x)
{
  enum { ROWS = 30 };
  gsize d = x->cols, token = ww_drf_get_token (drf);
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSwap) swap = ww_swap_new_drf (drf, &error);
  g_autoptr (WwMatrix) y = make_rows (x, ROWS);
  g_autofree double *delta = g_new (double, d);
  double change[ROWS], confirmed[ROWS], plain;

  if (ww_drf_get_norm (drf) == 0)
    {
      g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpuint (ww_swap_get_first (swap), ==, token);
  g_assert_cmpuint (ww_swap_get_count (swap), ==, 1);
  g_assert_cmpuint (ww_swap_get_height (swap), >=, ROWS);
  g_assert_true (ww_swap_evaluate (swap, ROWS, y->data, NULL, change, NULL));
  g_assert_true (ww_swap_confirm (swap, token, ROWS, y->data, NULL, confirmed, NULL));
  for (gsize t = 0; t < ROWS; t++)
    {
      ww_swap_toward (x->data + token * d, y->data + t * d, d, 1, delta);
      g_assert_true (ww_drf_evaluate (drf, delta, &plain, NULL));
      g_assert_cmpfloat (fabs (change[t] - plain), <=, 1e-4 * plain + 1e-15);
      g_assert_cmpfloat (confirmed[t], ==, plain);
    }
}

static void
test_drf (void)
{
  static const gsize shapes[][5] = { { 1, 1, 1, 1, 0 },   { 5, 7, 2, 3, 3 },    { 12, 24, 3, 150, 0 },
                                     { 9, 16, 16, 64, 8 }, { 30, 48, 4, 256, 29 } };

  for (gsize s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      g_autoptr (WwMatrix) x = ww_context_synthetic (shapes[s][0], shapes[s][1], SEED, 0, NULL);
      g_autoptr (WwDrf) drawn
        = ww_drf_new_drawn (x, shapes[s][4], shapes[s][2], shapes[s][3], SEED, 1, NULL, NULL);
      g_autoptr (WwDrf) shared
        = ww_drf_new_generated (x, shapes[s][4], shapes[s][2], shapes[s][3], SEED, 1, NULL, NULL);

      check_drf (drawn, x);
      check_drf (shared, x);
    }
}

/* Weights that the user gives, of layers as wide as they like and of any size, against the features of the
 * two contexts themselves. */
static void
test_drf_given (void)
{
  enum { N = 4, D = 6, TOKEN = 2, LAYERS = 3 };
  static const gsize widths[LAYERS] = { 40, 9, 25 };
  static const double scales[LAYERS] = { 1e-30, 7, 1e25 };
  g_autoptr (WwMatrix) x = ww_context_synthetic (N, D, SEED, 0, NULL);
  g_autoptr (WwMatrix) y = make_rows (x, 8);
  const WwMatrix *weights[LAYERS];
  gsize cols = N * D;

  for (gsize l = 0; l < LAYERS; l++)
    {
      WwMatrix *v = ww_matrix_new (widths[l], cols, NULL);

      ww_random_normal (SEED, WW_PURPOSE_DEEP, (guint32) l, 0, widths[l] * cols, scales[l], v->data);
      weights[l] = v;
      cols = widths[l];
    }

  g_autoptr (WwDrf) drf = ww_drf_new_from_weights (x, TOKEN, weights, LAYERS, NULL, NULL);
  g_autoptr (WwSwap) swap = ww_swap_new_drf (drf, NULL);
  g_autoptr (WwMatrix) before = ww_drf_features (x, weights, LAYERS, NULL);
  double change[8];

  check_drf (drf, x);
  g_assert_true (ww_swap_evaluate (swap, 8, y->data, NULL, change, NULL));
  for (gsize t = 0; t < 4; t++) /* the rows behind these are rows of x, or all but equal to some */
    {
      g_autoptr (WwMatrix) moved = ww_matrix_new_copy (N, D, x->data, NULL);
      g_autoptr (WwMatrix) after = NULL;

      memcpy (moved->data + TOKEN * D, y->data + t * D, D * sizeof (double));
      after = ww_drf_features (moved, weights, LAYERS, NULL);
      for (gsize r = 0; r < after->rows; r++)
        after->data[r] -= before->data[r];
      double plain = ww_matrix_norm (after) / ww_matrix_norm (before);
      g_assert_cmpfloat (fabs (change[t] - plain), <=, 1e-4 * plain);
    }
  for (gsize l = 0; l < LAYERS; l++)
    ww_matrix_unref ((WwMatrix *) weights[l]);
}

/* Rows out of a matrix, in the way of a set's table; every seventh is no candidate. */
static gboolean
read_matrix (gsize first, gsize count, double *ret_raw, gpointer user_data, GError **error)
{
  const WwMatrix *table = user_data;

  g_assert_cmpuint (first + count, <=, table->rows);
  memcpy (ret_raw, table->data + first * table->cols, count * table->cols * sizeof (double));
  for (gsize t = 0; t < count; t++)
    for (gsize c = 0; (first + t) % 7 == 0 && c < table->cols; c++)
      ret_raw[t * table->cols + c] = NAN;
  return TRUE;
}

static void
run_through (WwSwapRun *run)
{
  double last = 0;

  while (!ww_swap_run_is_done (run))
    {
      g_assert_true (ww_swap_run_step (run, NULL, NULL));
      g_assert_cmpfloat (ww_swap_run_get_fraction (run), >=, last);
      last = ww_swap_run_get_fraction (run);
    }
  g_assert_cmpfloat (last, ==, 1);
}

static void
test_run (gconstpointer data)
{
  WwNormalisation normalisation = GPOINTER_TO_INT (data);
  enum { N = 9, RAW = 20, D = 14, WORDS = 700, TOP = 25 };
  g_autoptr (WwMatrix) table = ww_context_synthetic (WORDS, RAW, SEED, 5, NULL);
  memcpy (table->data + 40 * RAW, table->data + 300 * RAW, RAW * sizeof (double)); /* equal words */
  g_autoptr (WwMatrix) raw = ww_matrix_head (table, N, RAW, NULL);
  g_autoptr (WwMatrix) x = ww_context_prepare (raw, D, normalisation, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (D, SEED, 0, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (raw, D, normalisation, NULL);
  g_autofree double *y = g_new (double, WORDS * D);

  g_assert_cmpuint (ww_row_scale_get_raw_dims (scale), ==, RAW);
  g_assert_cmpuint (ww_row_scale_get_dims (scale), ==, D);
  for (gsize v = 0; v < WORDS; v++)
    g_assert_true (ww_row_scale_apply (scale, table->data + v * RAW, y + v * D));
  g_assert_cmpmem (y, N * D * sizeof (double), x->data, N * D * sizeof (double));

  for (int map = WW_MAP_RELU_RAF; map <= WW_MAP_SOFTMAX_RAF; map++)
    {
      g_autoptr (WwAttention) attention = ww_attention_new (map, x, w, NULL);
      g_autoptr (WwSwap) swap = ww_swap_new_attention (attention, 1, 4, NULL, NULL);
      g_autoptr (WwSwapRun) run = ww_swap_run_new (swap, scale, WORDS, read_matrix, table, TOP, NULL);

      run_through (run);
      for (gsize i = 0; i < 4; i++)
        {
          gsize n, stronger = 0;
          const WwSwapEntry *entries = ww_swap_run_get_entries (run, i, &n);

          g_assert_cmpuint (n, ==, TOP);
          g_assert_cmpuint (ww_swap_run_get_n_ranked (run, i), ==, WORDS - WORDS / 7);
          for (gsize e = 0; e < n; e++)
            {
              g_assert_cmpuint (entries[e].index % 7, !=, 0);
              g_assert_cmpfloat (entries[e].change, ==,
                                 evaluate_plainly (attention, 1 + i, y + entries[e].index * D));
              if (e > 0)
                g_assert_true (entries[e - 1].change > entries[e].change
                               || (entries[e - 1].change == entries[e].change
                                   && entries[e - 1].index < entries[e].index));
            }
          for (gsize v = 0; v < WORDS; v++)
            stronger += v % 7 != 0
                        && evaluate_plainly (attention, 1 + i, y + v * D) >= entries[n - 1].change;
          g_assert_cmpuint (stronger, ==, TOP);
        }
    }
}

/* RF and DRF rank in single precision; what comes out is the ranking of the definition all the same. */
static void
test_run_networks (void)
{
  enum { N = 9, D = 14, WORDS = 700, TOP = 25 };
  g_autoptr (WwMatrix) table = ww_context_synthetic (WORDS, D, SEED, 5, NULL);
  memcpy (table->data + 40 * D, table->data + 300 * D, D * sizeof (double)); /* equal words */
  g_autoptr (WwMatrix) x = ww_matrix_head (table, N, D, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (x, D, WW_NORMALISATION_NONE, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (x, 1, 300, SEED, 0, NULL, NULL);
  g_autoptr (WwDrf) drf = ww_drf_new_drawn (x, 1, 5, 80, SEED, 0, NULL, NULL);
  WwSwap *swaps[] = { ww_swap_new_rf (rf, NULL), ww_swap_new_drf (drf, NULL) };
  double delta[D];

  for (gsize s = 0; s < G_N_ELEMENTS (swaps); s++)
    {
      g_autoptr (WwSwapRun) run = ww_swap_run_new (swaps[s], scale, WORDS, read_matrix, table, TOP, NULL);
      g_autofree double *plain = g_new0 (double, WORDS);
      gsize n, stronger = 0;

      for (gsize v = 0; v < WORDS; v++)
        {
          ww_swap_toward (x->data + D, table->data + v * D, D, 1, delta);
          g_assert_true (s == 0 ? ww_rf_evaluate (rf, delta, &plain[v], NULL)
                                : ww_drf_evaluate (drf, delta, &plain[v], NULL));
        }
      run_through (run);
      const WwSwapEntry *entries = ww_swap_run_get_entries (run, 0, &n);
      g_assert_cmpuint (n, ==, TOP);
      for (gsize e = 0; e < n; e++)
        {
          g_assert_cmpfloat (entries[e].change, ==, plain[entries[e].index]);
          g_assert_true (e == 0 || entries[e - 1].change >= entries[e].change);
        }
      for (gsize v = 0; v < WORDS; v++)
        stronger += v % 7 != 0 && plain[v] >= entries[n - 1].change;
      g_assert_cmpuint (stronger, ==, TOP);
    }
  for (gsize s = 0; s < G_N_ELEMENTS (swaps); s++) /* behind their runs */
    ww_swap_free (swaps[s]);
}

static void
test_run_short (void)
{
  enum { N = 4, D = 6, WORDS = 10 };
  g_autoptr (WwMatrix) table = ww_context_synthetic (WORDS, D, SEED, 5, NULL);
  g_autoptr (WwMatrix) raw = ww_matrix_head (table, N, D, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (raw, 0, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwRf) rf = ww_rf_new_drawn (raw, 1, 64, SEED, 0, NULL, NULL);
  g_autoptr (WwSwap) swap = ww_swap_new_rf (rf, NULL);
  g_autoptr (WwSwapRun) run = ww_swap_run_new (swap, scale, WORDS, read_matrix, table, 1000, NULL);
  g_autoptr (WwSwapRun) none = ww_swap_run_new (swap, scale, 0, read_matrix, table, 3, NULL);
  gsize n;

  run_through (run);
  const WwSwapEntry *entries = ww_swap_run_get_entries (run, 0, &n);
  g_assert_cmpuint (n, ==, WORDS - 2);
  g_assert_cmpuint (ww_swap_run_get_n_ranked (run, 0), ==, WORDS - 2);
  g_assert_cmpuint (entries[n - 1].index, ==, 1); /* the word itself changes nothing */
  g_assert_cmpfloat (entries[n - 1].change, ==, 0);

  run_through (none);
  ww_swap_run_get_entries (none, 0, &n);
  g_assert_cmpuint (n, ==, 0);
}

static gboolean
read_nothing (gsize first, gsize count, double *ret_raw, gpointer user_data, GError **error)
{
  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE, "no rows today");
  return FALSE;
}

static void
test_run_errors (void)
{
  const Case *c = &cases[10];
  g_autoptr (WwAttention) attention = make_attention (c, 0);
  WwMatrix *x = ww_attention_get_x (attention);
  g_autoptr (WwSwap) swap = ww_swap_new_attention (attention, 0, 2, NULL, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (x, 0, WW_NORMALISATION_NONE, NULL);
  g_autoptr (WwSwapRun) broken = ww_swap_run_new (swap, scale, 5, read_nothing, NULL, 3, NULL);
  g_autoptr (WwSwapRun) run = ww_swap_run_new (swap, scale, x->rows, read_matrix, x, 3, NULL);
  g_autoptr (GError) error = NULL;
  WwCancel cancel = { TRUE };

  g_assert_false (ww_swap_run_step (broken, NULL, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
  g_clear_error (&error);

  g_assert_false (ww_swap_run_step (run, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (ww_swap_new_attention (attention, 0, 2, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  run_through (run); /* a cancelled run goes on where it was */
}

static void
test_row_scale (void)
{
  const double raw[] = { 3, 4, 9, 1, 0, 9 }, zero[] = { 0, 0, 1 }, mean[] = { 2, 2, 0 };
  const double bad[] = { 1, INFINITY, 0 }, late[] = { 1, 0, NAN };
  g_autoptr (WwMatrix) context = ww_matrix_new_copy (2, 3, raw, NULL);
  g_autoptr (WwRowScale) paper = ww_row_scale_new (context, 2, WW_NORMALISATION_PAPER, NULL);
  g_autoptr (WwRowScale) none = ww_row_scale_new (context, 2, WW_NORMALISATION_NONE, NULL);
  g_autoptr (WwRowScale) centre = ww_row_scale_new (context, 2, WW_NORMALISATION_CENTRE, NULL);
  g_autoptr (GError) error = NULL;
  double row[2];

  g_assert_true (ww_row_scale_apply (paper, raw, row));
  g_assert_cmpfloat_with_epsilon (row[0], 0.6 * sqrt (2), 1e-15);
  g_assert_cmpfloat_with_epsilon (row[1], 0.8 * sqrt (2), 1e-15);
  g_assert_true (ww_row_scale_apply (paper, late, row)); /* what is cut off does not count */
  g_assert_false (ww_row_scale_apply (paper, zero, row));
  g_assert_true (isnan (row[0]) && isnan (row[1]));
  g_assert_false (ww_row_scale_apply (none, bad, row));
  g_assert_true (ww_row_scale_apply (none, zero, row));
  g_assert_cmpfloat (row[0], ==, 0);
  g_assert_false (ww_row_scale_apply (centre, mean, row));
  g_assert_true (ww_row_scale_apply (centre, zero, row));
  g_assert_cmpfloat_with_epsilon (row[0], -1, 1e-15);
  g_assert_cmpfloat_with_epsilon (row[1], -1, 1e-15);

  g_assert_null (ww_row_scale_new (context, 4, WW_NORMALISATION_PAPER, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE);
}

static void
test_ranking (void)
{
  g_autoptr (WwSwapRanking) ranking = ww_swap_ranking_new (3, NULL);
  const double values[] = { 1, NAN, 5, 2, 5, 0, 5, 4, 5, -1, 3 };
  const guint32 order[] = { 2, 4, 6 };
  gsize n;

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      ww_swap_ranking_add (ranking, i, values[i]);
      if (i % 4 == 3)
        ww_swap_ranking_get (ranking, &n); /* looking changes nothing */
    }
  WwSwapEntry *entries = ww_swap_ranking_get (ranking, &n);
  g_assert_cmpuint (n, ==, 3);
  for (gsize e = 0; e < n; e++)
    g_assert_cmpuint (entries[e].index, ==, order[e]);

  entries[0].change = NAN;
  entries[2].change = 7;
  ww_swap_ranking_cut (ranking, 2);
  entries = ww_swap_ranking_get (ranking, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (entries[0].index, ==, 6);
  g_assert_cmpuint (entries[1].index, ==, 4);
}

static void
test_toward (void)
{
  const double x[] = { 1, 2 }, y[] = { 4, 6 };
  double delta[2];

  g_assert_cmpfloat_with_epsilon (ww_swap_toward (x, y, 2, 1, delta), 5 / sqrt (2), 1e-15);
  g_assert_cmpfloat (delta[0], ==, 3);
  g_assert_cmpfloat_with_epsilon (ww_swap_toward (x, y, 2, 0.5, delta), 2.5 / sqrt (2), 1e-15);
  g_assert_cmpfloat (delta[1], ==, 2);
  g_assert_cmpfloat (ww_swap_toward (x, y, 2, 0, delta), ==, 0);
  g_assert_cmpuint (ww_swap_choose_count (50), ==, 50);
  g_assert_cmpuint (ww_swap_choose_count (WW_MAX_ROWS), ==, 16);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *path = g_strdup_printf ("/swap/%s/n%zu-d%zu-scale-%g", ww_map_get_id (cases[c].map),
                                               cases[c].n, cases[c].d, cases[c].scale);

      g_test_add_data_func (path, &cases[c], test_attention);
    }
  g_test_add_func ("/swap/ranges", test_ranges);
  g_test_add_func ("/swap/blind-rows", test_blind_rows);
  g_test_add_func ("/swap/identity", test_identity);
  g_test_add_func ("/swap/unusable-rows", test_unusable_rows);
  g_test_add_func ("/swap/rf", test_rf);
  g_test_add_func ("/swap/drf", test_drf);
  g_test_add_func ("/swap/drf/given", test_drf_given);
  for (int m = 0; m < WW_N_NORMALISATIONS; m++)
    {
      g_autofree char *path = g_strconcat ("/swap/run/", ww_normalisation_get_id (m), NULL);

      g_test_add_data_func (path, GINT_TO_POINTER (m), test_run);
    }
  g_test_add_func ("/swap/run/networks", test_run_networks);
  g_test_add_func ("/swap/run/short", test_run_short);
  g_test_add_func ("/swap/run/errors", test_run_errors);
  g_test_add_func ("/swap/row-scale", test_row_scale);
  g_test_add_func ("/swap/ranking", test_ranking);
  g_test_add_func ("/swap/toward", test_toward);
  return g_test_run ();
}

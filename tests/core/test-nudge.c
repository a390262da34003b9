#include "test-util.h"

#include "ww-core.h"

/* One context under one seed, seen through all three maps. */
typedef struct
{
  WwMatrix *x, *w;
  WwAttention *softmax, *relu;
  WwRf *rf;
} View;

static void
view_clear (View *view)
{
  ww_matrix_unref (view->x);
  ww_matrix_unref (view->w);
  ww_attention_unref (view->softmax);
  ww_attention_unref (view->relu);
  ww_rf_unref (view->rf);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (View, view_clear)

static void
view_init (View *view, gsize n, gsize d, gsize k, guint64 seed)
{
  view->x = ww_context_synthetic (n, d, seed, 0, NULL);
  view->w = ww_random_w (d, seed, 0, NULL);
  view->softmax = ww_attention_new (WW_MAP_SOFTMAX_RAF, view->x, view->w, NULL);
  view->relu = ww_attention_new (WW_MAP_RELU_RAF, view->x, view->w, NULL);
  view->rf = ww_rf_new_drawn (view->x, 0, k, seed, 0, NULL, NULL);
  g_assert_nonnull (view->softmax);
  g_assert_nonnull (view->relu);
  g_assert_nonnull (view->rf);
}

static WwNudge *
nudge_all (const View *view)
{
  g_autofree double *delta = g_new0 (double, view->x->cols);
  g_autoptr (GError) error = NULL;
  WwNudge *nudge;

  delta[0] = 0.5;
  nudge = ww_nudge_new (view->softmax, view->relu, view->rf, 0, delta, &error);
  g_assert_no_error (error);

  return nudge;
}

static void
test_agrees (void)
{
  g_auto (View) view = { 0 };
  double delta[8] = { 0.5 }, change;

  view_init (&view, 5, 8, 30, 3);
  g_autoptr (WwNudge) nudge = nudge_all (&view);

  g_assert_cmpuint (nudge->n, ==, 5);
  g_assert_cmpfloat (nudge->delta_norm, ==, 0.5);
  g_assert_true (ww_attention_evaluate (view.softmax, 0, delta, &change, NULL));
  g_assert_cmpfloat_with_epsilon (nudge->change[WW_MAP_SOFTMAX_RAF], change, 1e-10);
  g_assert_true (ww_attention_evaluate (view.relu, 0, delta, &change, NULL));
  g_assert_cmpfloat_with_epsilon (nudge->change[WW_MAP_RELU_RAF], change, 1e-10);
  g_assert_true (ww_rf_evaluate (view.rf, delta, &change, NULL));
  g_assert_cmpfloat (nudge->change[WW_MAP_RF], ==, change);
}

/* A nudge has a length however short it is: its square need not be a number. */
static void
test_short (void)
{
  g_auto (View) view = { 0 };
  double delta[8] = { 3e-200, 4e-200 };
  g_autoptr (GError) error = NULL;

  view_init (&view, 5, 8, 30, 3);
  g_autoptr (WwNudge) nudge = ww_nudge_new (view.softmax, view.relu, view.rf, 0, delta, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (fabs (nudge->delta_norm / 5e-200 - 1), <, 1e-12);
}

/* A map without features has no change, but its weights are there, and so are the other maps. */
static void
test_undefined (void)
{
  gsize n_relu = 0, n_rf = 0;

  for (guint64 seed = 0; seed < 40; seed++)
    {
      g_auto (View) view = { 0 };
      gboolean has_relu, has_rf;

      view_init (&view, 1 + seed % 2, 1 + seed % 4, 1, seed);
      g_autoptr (WwNudge) nudge = nudge_all (&view);
      has_relu = ww_attention_get_norm (view.relu) > 0;
      has_rf = ww_rf_get_norm (view.rf) > 0;
      n_relu += !has_relu;
      n_rf += !has_rf;

      g_assert_cmpint (isfinite (nudge->change[WW_MAP_SOFTMAX_RAF]), !=, 0);
      g_assert_cmpint (isnan (nudge->change[WW_MAP_RELU_RAF]), ==, !has_relu);
      g_assert_cmpint (isnan (nudge->change[WW_MAP_RF]), ==, !has_rf);
      g_assert_nonnull (nudge->before[WW_MAP_RELU_RAF]);
      g_assert_nonnull (nudge->after[WW_MAP_RELU_RAF]);
      for (gsize i = 0; i < nudge->n && !has_relu; i++)
        g_assert_true (isnan (nudge->feature_change[WW_MAP_RELU_RAF][i]));
    }

  g_assert_cmpuint (n_relu, >, 0);
  g_assert_cmpuint (n_rf, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/nudge/agrees-with-the-definition", test_agrees);
  g_test_add_func ("/nudge/short", test_short);
  g_test_add_func ("/nudge/undefined", test_undefined);

  return g_test_run ();
}

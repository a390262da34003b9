/* Certified upper bounds: never below any value that a nudge reaches, in thousands of random cases and
 * the reference cases; exact where the answer is known; ordered and monotone as they must be. */
#include "bound-cases.h"

/* The claim itself, over many cases. */
static void
check_never_below (guint cases, gsize largest_n, gsize largest_d, guint climbs, guint steps,
                   guint32 seed)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (seed);
  double closest = 0;

  for (guint c = 0; c < cases; c++)
    {
      g_auto (Case) self = { 0 };
      WwMap map = maps[c % 2];
      gsize n = g_rand_int_range (dice, 1, largest_n + 1);
      gsize d = g_rand_int_range (dice, 1, largest_d + 1);

      case_init (&self, map, n, d, dice);
      if (ww_attention_get_norm (self.attention) == 0)
        continue;

      double quick = bound_of (&self, WW_BOUND_QUICK), tight = bound_of (&self, WW_BOUND_TIGHT);
      double value = searched (&self, WW_EFFORT_QUICK);
      for (guint k = 0; k < climbs; k++)
        value = MAX (value, climb (&self, steps, dice));

      if (value > tight)
        g_test_message ("case %u: %s n %zu d %zu token %zu radius %g", c, ww_map_get_id (map), n, d,
                        self.token, self.radius);
      g_assert_cmpfloat (value, <=, tight);
      g_assert_cmpfloat (tight, <=, quick);
      closest = MAX (closest, value / tight);
    }
  g_test_message ("largest value / bound: %.6f", closest);
  /* A bound that nothing ever comes near would pass for the wrong reason. */
  g_assert_cmpfloat (closest, >, 0.9);
}

/* With -m slow twenty times as many. */
static void
test_never_below_small (void)
{
  check_never_below (g_test_slow () ? 40000 : 2000, 6, 5, 2, 60, g_test_slow () ? 21 : 1);
}

static void
test_never_below_medium (void)
{
  check_never_below (g_test_slow () ? 3000 : 150, 40, 40, 1, 60, g_test_slow () ? 22 : 2);
}

/* More rows than have a multiplier of their own: the other solver. */
static void
test_never_below_many_rows (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (11);

  for (guint c = 0; c < 4; c++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, maps[c % 2], 420, 12, dice);
      double quick = bound_of (&self, WW_BOUND_QUICK), tight = bound_of (&self, WW_BOUND_TIGHT);
      double value = MAX (searched (&self, WW_EFFORT_QUICK), climb (&self, 20, dice));

      g_test_message ("%s: found %.4f, tight %.4f, quick %.4f", ww_map_get_id (maps[c % 2]), value,
                      tight, quick);
      g_assert_cmpfloat (value, <=, tight);
      g_assert_cmpfloat (tight, <=, quick);
    }
}

/* n = 1: softmax gives phi (X) = x whatever W is, so that S = ||delta|| / |x|. */
static void
test_exact_single_token (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (3);

  for (gsize d = 1; d <= 9; d++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, WW_MAP_SOFTMAX_RAF, 1, d, dice);
      double exact = self.radius * sqrt (d)
                     / ww_matrix_norm (ww_attention_get_x (self.attention));

      for (int effort = WW_BOUND_QUICK; effort <= WW_BOUND_TIGHT; effort++)
        {
          double bound = bound_of (&self, (WwBoundEffort) effort);

          g_assert_cmpfloat (bound, >=, exact);
          g_assert_cmpfloat (bound, <=, exact * (1 + 1e-8) + 1e-11);
        }
    }
}

/* A larger ball holds the smaller one. The tight bound is found by iteration, so that it may miss the
 * order by what it has left to gain. */
static void
test_monotone_in_radius (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (4);

  for (guint c = 0; c < 30; c++)
    {
      g_auto (Case) self = { 0 };
      double last_quick = 0, last_tight = 0;

      case_init (&self, maps[c % 2], g_rand_int_range (dice, 2, 12), g_rand_int_range (dice, 2, 12),
                 dice);
      if (ww_attention_get_norm (self.attention) == 0)
        continue;
      for (self.radius = 0.05; self.radius < 4; self.radius *= 1.5)
        {
          double quick = bound_of (&self, WW_BOUND_QUICK), tight = bound_of (&self, WW_BOUND_TIGHT);

          g_assert_cmpfloat (quick, >=, last_quick);
          g_assert_cmpfloat (tight, >=, 0.95 * last_tight);
          last_quick = quick;
          last_tight = tight;
        }
    }
}

/* Best known values of the reference cases (token 0, radius 1). */
static void
test_reference (void)
{
  const struct
  {
    const char *name;
    double best[2];
  } cases[] = {
    { "gauss-n10-d64", { 2.786358355, 1.624727317 } },
    { "gauss-n40-d192", { 3.237779331, 1.313983401 } },
    { "text-n20-d100", { 1.470665250, 0.493949141 } },
  };

  for (gsize c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *x_name = g_strconcat (cases[c].name, ".X.npy", NULL);
      g_autofree char *w_name = g_strconcat (cases[c].name, ".W.npy", NULL);
      g_autoptr (WwMatrix) x = test_reference_load (x_name);
      g_autoptr (WwMatrix) w = test_reference_load (w_name);

      if (x == NULL || w == NULL)
        {
          g_test_skip ("the reference arrays are not here");
          return;
        }
      for (gsize m = 0; m < G_N_ELEMENTS (maps); m++)
        {
          g_auto (Case) self = { ww_attention_new (maps[m], x, w, NULL), 0, 1 };
          double quick = bound_of (&self, WW_BOUND_QUICK), tight = bound_of (&self, WW_BOUND_TIGHT);

          g_test_message ("%s %s: best %.4f, tight %.4f, quick %.4f", cases[c].name,
                          ww_map_get_id (maps[m]), cases[c].best[m], tight, quick);
          g_assert_cmpfloat (tight, >=, cases[c].best[m]);
          g_assert_cmpfloat (quick, >=, tight);
        }
    }
}

static void
expect_error (const Case *self, gsize token, double radius, const WwCancel *cancel, int code)
{
  g_autoptr (GError) error = NULL;
  double bound = -1;

  g_assert_false (ww_attention_bound (self->attention, token, radius, WW_BOUND_TIGHT, 0, cancel,
                                      &bound, &error));
  g_assert_error (error, WW_CORE_ERROR, code);
  g_assert_cmpfloat (bound, ==, -1);
}

static void
test_errors (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (5);
  g_auto (Case) self = { 0 };
  g_auto (Case) zero = { 0 };
  g_autoptr (WwMatrix) x = ww_matrix_new (3, 2, NULL);
  g_autoptr (WwMatrix) w = ww_matrix_new (2, 2, NULL);
  WwCancel raised = { 1 };

  case_init (&self, WW_MAP_SOFTMAX_RAF, 5, 4, dice);
  expect_error (&self, 5, 1, NULL, WW_CORE_ERROR_RANGE);
  expect_error (&self, 0, 0, NULL, WW_CORE_ERROR_RANGE);
  expect_error (&self, 0, -1, NULL, WW_CORE_ERROR_RANGE);
  expect_error (&self, 0, NAN, NULL, WW_CORE_ERROR_RANGE);
  expect_error (&self, 0, 101, NULL, WW_CORE_ERROR_RANGE);
  expect_error (&self, 0, 1, &raised, WW_CORE_ERROR_CANCELLED);

  zero.attention = ww_attention_new (WW_MAP_SOFTMAX_RAF, x, w, NULL);
  expect_error (&zero, 0, 1, NULL, WW_CORE_ERROR_ZERO_NORM);
}

/* The flag raised while the bound is at work. */
static gpointer
raise_soon (gpointer data)
{
  g_usleep (15000);
  ww_cancel_set (data, TRUE);
  return NULL;
}

static void
test_cancel_midway (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (12);
  g_autoptr (GError) error = NULL;
  g_auto (Case) self = { 0 };
  WwCancel cancel = { 0 };
  double bound = -1;

  case_init (&self, WW_MAP_SOFTMAX_RAF, 200, 64, dice);
  g_autoptr (GThread) thread = g_thread_new ("raise", raise_soon, &cancel);
  g_assert_false (ww_attention_bound (self.attention, 0, 1, WW_BOUND_TIGHT, 0, &cancel, &bound,
                                      &error));
  g_thread_join (g_steal_pointer (&thread));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_assert_cmpfloat (bound, ==, -1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();
  g_test_add_func ("/core/bound/exact-single-token", test_exact_single_token);
  g_test_add_func ("/core/bound/errors", test_errors);
  g_test_add_func ("/core/bound/reference", test_reference);
  g_test_add_func ("/core/bound/monotone-in-radius", test_monotone_in_radius);
  g_test_add_func ("/core/bound/never-below-small", test_never_below_small);
  g_test_add_func ("/core/bound/never-below-medium", test_never_below_medium);
  g_test_add_func ("/core/bound/never-below-many-rows", test_never_below_many_rows);
  g_test_add_func ("/core/bound/cancel-midway", test_cancel_midway);
  return g_test_run ();
}

/* Which slices run side by side: within the memory they may take, each once, in order where all fit. No clock
 * and no thread: workers take and finish by turns. */
#include "test-util.h"

#define N_WORKERS 4

/* RF from small to the paper's size among maps that need little. */
static WwSweep *
make_sweep (void)
{
  static const gsize lengths[] = { 10, 50, 150 }, dims[] = { 96, 768 };
  const WwSweepSettings settings = {
    .maps = { WW_MAP_RF, WW_MAP_SOFTMAX_RAF, WW_MAP_DRF }, .n_maps = 3, .lengths = lengths, .n_lengths = 3,
    .dims = dims, .n_dims = 2, .trials = 3, .radius = 1, .depth = 4, .width = 1024,
  };

  return ww_sweep_new (&settings, NULL, NULL);
}

/* Four workers that start whatever they may and end in the order of their turns. ret_order: slices as they were
 * started; returns the most memory at any time, and whether two ran when more than `budget` was in use. */
static guint64
simulate (WwSweep *sweep, guint64 budget, gsize *ret_order, gboolean *ret_shared_too_much)
{
  g_autoptr (WwSweepPlan) plan = ww_sweep_plan_new (sweep, budget, NULL);
  gsize running[N_WORKERS], n_running = 0, n_started = 0;
  guint64 used = 0, most = 0;

  *ret_shared_too_much = FALSE;
  while (ww_sweep_plan_has_more (plan) || n_running > 0)
    {
      gsize slice;

      while (n_running < N_WORKERS && ww_sweep_plan_take (plan, &slice))
        {
          running[n_running++] = slice;
          ret_order[n_started++] = slice;
          used += ww_sweep_estimate_memory (sweep, slice);
        }
      most = MAX (most, used);
      *ret_shared_too_much |= used > budget && n_running > 1;

      g_assert_cmpuint (n_running, >, 0); /* something always goes on */
      used -= ww_sweep_estimate_memory (sweep, running[0]);
      ww_sweep_plan_finish (plan, running[0]);
      n_running--;
      memmove (running, running + 1, n_running * sizeof *running);
    }
  g_assert_cmpuint (n_started, ==, ww_sweep_get_n_slices (sweep));
  return most;
}

static void
check_each_once (const gsize *order, gsize n)
{
  g_autofree gboolean *seen = g_new0 (gboolean, n);

  for (gsize i = 0; i < n; i++)
    {
      g_assert_cmpuint (order[i], <, n);
      g_assert_false (seen[order[i]]);
      seen[order[i]] = TRUE;
    }
}

static void
test_budgets (void)
{
  const guint64 mega = 1000000;
  const guint64 budgets[] = { 0, 50 * mega, 400 * mega, 536870912, 900 * mega, G_MAXUINT64 / 2 };
  g_autoptr (WwSweep) sweep = make_sweep ();
  gsize n = ww_sweep_get_n_slices (sweep);
  g_autofree gsize *order = g_new (gsize, n);

  for (gsize b = 0; b < G_N_ELEMENTS (budgets); b++)
    {
      gboolean shared_too_much;
      guint64 most = simulate (sweep, budgets[b], order, &shared_too_much);

      check_each_once (order, n);
      g_assert_false (shared_too_much);
      if (budgets[b] >= 536870912)
        g_assert_cmpuint (most, <=, budgets[b]);
      for (gsize i = 0; i < n && b == G_N_ELEMENTS (budgets) - 1; i++)
        g_assert_cmpuint (order[i], ==, i); /* coarse first, where memory is no matter */
    }
}

/* Two of the paper's size never run together within 512 MiB, and a small one runs beside a large one. */
static void
test_paper_size (void)
{
  g_autoptr (WwSweep) sweep = make_sweep ();
  g_autoptr (WwSweepPlan) plan = ww_sweep_plan_new (sweep, 536870912, NULL);
  gsize n = ww_sweep_get_n_slices (sweep), n_beside = 0, slice;
  gsize large = G_MAXSIZE;

  while (large == G_MAXSIZE)
    {
      WwCurvePoint point;

      g_assert_true (ww_sweep_plan_take (plan, &slice));
      ww_sweep_describe_slice (sweep, slice, &point);
      if (point.k == 150 * 768)
        large = slice;
      else
        ww_sweep_plan_finish (plan, slice);
    }

  while (ww_sweep_plan_take (plan, &slice))
    {
      WwCurvePoint point;

      ww_sweep_describe_slice (sweep, slice, &point);
      g_assert_cmpuint (point.k, <, 150 * 768);
      ww_sweep_plan_finish (plan, slice);
      n_beside++;
    }
  g_assert_cmpuint (n_beside, >, n / 2);
  g_assert_true (ww_sweep_plan_has_more (plan));

  ww_sweep_plan_finish (plan, large);
  large = G_MAXSIZE;
  while (large == G_MAXSIZE && ww_sweep_plan_take (plan, &slice))
    {
      if (ww_sweep_estimate_memory (sweep, slice) > 268435456)
        large = slice;
      ww_sweep_plan_finish (plan, slice);
    }
  g_assert_cmpuint (large, !=, G_MAXSIZE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();

  g_test_add_func ("/sweep-plan/budgets", test_budgets);
  g_test_add_func ("/sweep-plan/paper-size", test_paper_size);
  return g_test_run ();
}

/* Certified upper bounds: never below any value that a nudge reaches, in thousands of random cases and
 * the reference cases; exact where the answer is known; ordered and monotone as they must be. */
#include "test-util.h"
#include "ww-bound.h"
#include "ww-bound-joint.h"
#include "ww-bound-lapack.h"
#include "ww-bound-shared.h"

static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

/* A small random problem: unequal norms, correlated tokens, W three or thirty times as large, radii
 * mostly from 0.3 to 2 but from 0.01 to 30 too, a zero row, or one token twice, as the dice say. */
typedef struct
{
  WwAttention *attention;
  gsize token;
  double radius;
} Case;

static void
case_clear (Case *self)
{
  ww_attention_unref (self->attention);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
fill (double *values, gsize count, GRand *dice)
{
  ww_random_normal (g_rand_int (dice), WW_PURPOSE_CONTEXT, 0, 0, count, 1, values);
}

static void
case_init (Case *self, WwMap map, gsize n, gsize d, GRand *dice)
{
  g_autoptr (WwMatrix) x = ww_matrix_new (n, d, NULL);
  g_autoptr (WwMatrix) w = ww_matrix_new (d, d, NULL);
  g_autofree double *common = g_new (double, d);
  double correlation = g_rand_boolean (dice) ? 0 : g_rand_double_range (dice, 0, 3);
  double spread = g_rand_boolean (dice) ? 0 : g_rand_double_range (dice, 0, 1.5);
  const double scales[] = { 1, 1, 1, 1, 3, 3, 30 };
  double scale = scales[g_rand_int_range (dice, 0, G_N_ELEMENTS (scales))] / sqrt (d);

  fill (x->data, n * d, dice);
  fill (w->data, d * d, dice);
  fill (common, d, dice);
  for (gsize j = 0; j < n; j++)
    {
      double stretch = exp (spread * g_rand_double_range (dice, -1, 1));

      for (gsize k = 0; k < d; k++)
        x->data[j * d + k] = stretch * (x->data[j * d + k] + correlation * common[k]);
    }
  if (n > 1 && g_rand_int_range (dice, 0, 20) == 0)
    memset (x->data + (gsize) g_rand_int_range (dice, 0, n) * d, 0, d * sizeof (double));
  if (n > 1 && g_rand_int_range (dice, 0, 20) == 0)
    memcpy (x->data, x->data + (n - 1) * d, d * sizeof (double));
  for (gsize k = 0; k < d * d; k++)
    w->data[k] *= scale;

  self->attention = ww_attention_new (map, x, w, NULL);
  g_assert_nonnull (self->attention);
  self->token = g_rand_int_range (dice, 0, n);
  self->radius = g_rand_int_range (dice, 0, 4) > 0 ? g_rand_double_range (dice, 0.3, 2)
                                                   : exp (g_rand_double_range (dice, -4.6, 3.4));
}

static double
bound_of (const Case *self, WwBoundEffort effort)
{
  g_autoptr (GError) error = NULL;
  double bound = NAN;

  ww_attention_bound (self->attention, self->token, self->radius, effort, 0, NULL, &bound, &error);
  g_assert_no_error (error);
  return bound;
}

static double
value_of (const Case *self, const double *delta)
{
  g_autoptr (GError) error = NULL;
  double value = NAN;

  ww_attention_evaluate (self->attention, self->token, delta, &value, &error);
  g_assert_no_error (error);
  return value;
}

/* A random climb from a random start, partly inside the ball: no gradient, so that it owes nothing to
 * the code of the search. Returns the largest value met. */
static double
climb (const Case *self, guint steps, GRand *dice)
{
  gsize d = ww_attention_get_x (self->attention)->cols;
  g_autofree double *best = g_new (double, d);
  g_autofree double *trial = g_new (double, d);
  double reach = self->radius * sqrt (d), stride = 1;
  double value;

  fill (best, d, dice);
  double length = test_norm (best, d);
  double wanted = reach * (g_rand_boolean (dice) ? 1 : g_rand_double (dice));
  for (gsize k = 0; k < d; k++)
    best[k] *= wanted / length;
  value = value_of (self, best);

  for (guint step = 0; step < steps; step++)
    {
      fill (trial, d, dice);
      for (gsize k = 0; k < d; k++)
        trial[k] = best[k] + stride * trial[k] * reach / sqrt (d);
      double norm = test_norm (trial, d);
      for (gsize k = 0; k < d && norm > reach; k++)
        trial[k] *= reach / norm;

      double there = value_of (self, trial);
      stride *= there > value ? 1.5 : 0.93;
      if (there > value)
        {
          value = there;
          memcpy (best, trial, d * sizeof (double));
        }
    }
  return value;
}

static double
searched (const Case *self, WwEffort effort)
{
  WwSearchSettings settings = {
    .token = self->token,
    .radius = self->radius,
    .effort = effort,
    .seed = 7,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSearchResult) result = ww_attention_search (self->attention, &settings, NULL, NULL,
                                                           NULL, &error);

  g_assert_no_error (error);
  return result->ws;
}

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

static void
test_never_below_small (void)
{
  check_never_below (2000, 6, 5, 2, 60, 1);
}

static void
test_never_below_medium (void)
{
  check_never_below (150, 40, 40, 1, 60, 2);
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

/* The squared change at one nudge, by the definition. */
static double
change2_of (const Case *self, const double *delta)
{
  double change = value_of (self, delta) * ww_attention_get_norm (self->attention);

  return change * change;
}

/* A nudge with tau = axis . delta / R in [t1, t2], on the sphere or inside. */
static void
draw_in_slice (const WwBoundDual *dual, double t1, double t2, GRand *dice, double *delta)
{
  gsize d = dual->rows->d;
  double R = dual->rows->radius, tau = g_rand_double_range (dice, t1, t2), along = 0;
  double inside = g_rand_boolean (dice) ? 1 : g_rand_double (dice);

  fill (delta, d, dice);
  for (gsize k = 0; k < d; k++)
    along += delta[k] * dual->axis[k];
  for (gsize k = 0; k < d; k++)
    delta[k] -= along * dual->axis[k];
  double norm = test_norm (delta, d);
  double length = norm > 1e-9 ? inside * R * sqrt (1 - tau * tau) / norm : 0;
  for (gsize k = 0; k < d; k++)
    delta[k] = length * delta[k] + tau * R * dual->axis[k];
}

/* One case with its dual and both solvers. */
typedef struct
{
  Case problem;
  WwBoundRows rows;
  WwBoundDual dual;
  WwBoundJoint joint;
  WwBoundShared shared;
  double *at, *gradient, *unused; /* room for the longer of the two vectors of multipliers */
} Solvers;

static gboolean
solvers_init (Solvers *self, WwMap map, gsize n, gsize d, GRand *dice)
{
  gsize size = 2 * n + 4;

  case_init (&self->problem, map, n, d, dice);
  if (ww_attention_get_norm (self->problem.attention) == 0)
    return FALSE;
  g_assert_true (ww_bound_rows_init (&self->rows, self->problem.attention, self->problem.token,
                                     self->problem.radius, NULL, NULL));
  g_assert_true (ww_bound_dual_init (&self->dual, &self->rows, NULL, NULL));
  g_assert_true (ww_bound_joint_init (&self->joint, &self->dual, 0.01, NULL, NULL));
  g_assert_true (ww_bound_shared_init (&self->shared, &self->dual, NULL, NULL));
  self->at = g_new0 (double, size);
  self->gradient = g_new0 (double, size);
  self->unused = g_new0 (double, size);
  return TRUE;
}

static void
solvers_clear (Solvers *self)
{
  ww_bound_joint_clear (&self->joint);
  ww_bound_shared_clear (&self->shared);
  ww_bound_dual_clear (&self->dual);
  ww_bound_rows_clear (&self->rows);
  case_clear (&self->problem);
  g_free (self->at);
  g_free (self->gradient);
  g_free (self->unused);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Solvers, solvers_clear)

/* The weight of ReLU's row i on itself, at random nudges, against its bound. */
static void
test_own_weight (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (14);
  double closest = 0;

  for (guint c = 0; c < 400; c++)
    {
      g_auto (Solvers) self = { 0 };
      gsize n = g_rand_int_range (dice, 2, 12), d = g_rand_int_range (dice, 1, 9);
      double t1 = g_rand_double_range (dice, -1, 0.9), t2 = t1 + 0.1, best = 0;

      if (!solvers_init (&self, WW_MAP_RELU_RAF, n, d, dice))
        continue;
      g_autofree double *delta = g_new (double, d);
      gsize own = self.problem.token * (n + 1);
      ww_bound_dual_set_slice (&self.dual, t1, t2);
      for (guint k = 0; k < 40; k++)
        {
          g_autoptr (WwMatrix) weights = NULL;

          draw_in_slice (&self.dual, t1, t2, dice, delta);
          g_assert_true (ww_attention_nudge (self.problem.attention, self.problem.token, delta, &weights,
                                             NULL, NULL, NULL));
          best = MAX (best, weights->data[own]);
        }
      g_assert_cmpfloat (best, <=, self.dual.own.weight * (1 + 1e-9));
      if (self.dual.own.weight < 1)
        closest = MAX (closest, best / self.dual.own.weight);
    }
  g_test_message ("largest weight / bound below 1: %.4f", closest);
  g_assert_cmpfloat (closest, >, 0.5);
}

/* Equation (2) of the dual: with whatever multipliers, in whatever slice, it bounds the change at
 * every nudge of the slice. */
static void
test_any_multipliers (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (6);
  double closest = 0;

  for (guint c = 0; c < 2000; c++)
    {
      g_auto (Solvers) self = { 0 };
      gsize n = g_rand_int_range (dice, 2, 9), d = g_rand_int_range (dice, 1, 8), m = n - 1;
      double t1 = g_rand_double_range (dice, -1, 1);
      double t2 = t1 + (1 - t1) * g_rand_double_range (dice, 0.001, 1), joint, shared;

      if (!solvers_init (&self, maps[c % 2], n, d, dice))
        continue;
      g_autofree double *delta = g_new (double, d);
      ww_bound_dual_set_slice (&self.dual, t1, t2);

      ww_bound_joint_guess (&self.joint, self.at);
      for (gsize k = 0; k < self.joint.size; k++)
        self.at[k] = k < m || k == 2 * m + 2 ? self.at[k] + g_rand_double_range (dice, -0.3, 0.3)
                                             : self.at[k] * exp (g_rand_double_range (dice, -2, 2));
      joint = ww_bound_joint_value (&self.joint, self.at);
      ww_bound_shared_guess (&self.shared, self.at);
      for (gsize k = 0; k < self.shared.size; k++)
        self.at[k] += g_rand_double_range (dice, -1, 1) * (k < m || k == m + 3 ? 0.3 : 2);
      shared = ww_bound_shared_value (&self.shared, self.at);

      for (guint k = 0; k < 10; k++)
        {
          draw_in_slice (&self.dual, t1, t2, dice, delta);
          double actual = change2_of (&self.problem, delta);

          g_assert_cmpfloat (actual, <=, joint * (1 + 1e-9));
          g_assert_cmpfloat (actual, <=, shared * (1 + 1e-9));
          closest = MAX (closest, actual / MIN (joint, shared));
        }
    }
  g_test_message ("largest value / bound: %.4f", closest);
  g_assert_cmpfloat (closest, >, 0.5);
}

/* Optimised multipliers too bound every nudge of their slice, and carried to another slice those
 * there. */
static void
test_carried_multipliers (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (9);
  double closest = 0;

  for (guint c = 0; c < 300; c++)
    {
      g_auto (Solvers) self = { 0 };
      gsize n = g_rand_int_range (dice, 2, 12), d = g_rand_int_range (dice, 1, 10);
      double t1 = g_rand_double_range (dice, -1, 0.98), t2 = t1 + 0.02, value;

      if (!solvers_init (&self, maps[c % 2], n, d, dice))
        continue;
      g_autofree double *delta = g_new (double, d);
      ww_bound_dual_set_slice (&self.dual, t1, t2);
      ww_bound_joint_guess (&self.joint, self.at);
      value = ww_bound_joint_improve (&self.joint, self.at, self.unused, TRUE,
                                      ww_bound_triangle (&self.rows), 0);
      for (guint part = 0; part < 2; part++)
        {
          for (guint k = 0; k < 20; k++)
            {
              draw_in_slice (&self.dual, t1, t2, dice, delta);
              double actual = change2_of (&self.problem, delta);

              g_assert_cmpfloat (actual, <=, value * (1 + 1e-9));
              closest = MAX (closest, actual / value);
            }
          double shift = g_rand_double_range (dice, -1 - t1, 1 - t2);
          ww_bound_joint_carry (&self.joint, shift, g_rand_double_range (dice, 0.5, 2), self.at);
          t1 += shift;
          t2 = MIN (t2 + shift, 1);
          ww_bound_dual_set_slice (&self.dual, t1, t2);
          value = ww_bound_joint_value (&self.joint, self.at);
        }
    }
  g_test_message ("largest value / bound: %.4f", closest);
  g_assert_cmpfloat (closest, >, 0.5);
}

static double
evaluate_solver (Solvers *self, gboolean is_joint, double *gradient)
{
  if (!is_joint)
    return ww_bound_shared_evaluate (&self->shared, self->at, gradient);

  double value = ww_bound_joint_measure (&self->joint, self->at);
  g_assert_true (ww_bound_joint_differentiate (&self->joint, gradient));
  return value;
}

static void
check_gradient (Solvers *self, gboolean is_joint, gsize size)
{
  evaluate_solver (self, is_joint, self->gradient);
  for (gsize k = 0; k < size; k++)
    {
      double middle = self->at[k], h = 1e-5 * MAX (fabs (middle), is_joint ? 1e-3 : 1);

      self->at[k] = middle + h;
      double above = evaluate_solver (self, is_joint, self->unused);
      self->at[k] = middle - h;
      double below = evaluate_solver (self, is_joint, self->unused);
      self->at[k] = middle;
      /* The expectation of zeta is interpolated between nodes: some percent of it. */
      g_assert_cmpfloat (fabs ((above - below) / (2 * h) - self->gradient[k]), <,
                         0.03 * (fabs (self->gradient[k]) + 0.1));
    }
}

/* The gradients of the smoothed dual against differences. */
static void
test_gradients (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (8);

  for (guint c = 0; c < 20; c++)
    {
      g_auto (Solvers) self = { 0 };
      gsize n = 6, d = 5, m = n - 1;

      if (!solvers_init (&self, maps[c % 2], n, d, dice))
        continue;
      ww_bound_dual_set_slice (&self.dual, 0.3, 0.4);
      self.joint.temperature = self.shared.temperature = 0.2;
      ww_bound_joint_guess (&self.joint, self.at);
      for (gsize k = 0; k < m; k++)
        self.at[k] = 0.1 * g_rand_double_range (dice, -1, 1);
      check_gradient (&self, TRUE, self.joint.size);
      ww_bound_shared_guess (&self.shared, self.at);
      for (gsize k = 0; k < m; k++)
        self.at[k] = 0.1 * g_rand_double_range (dice, -1, 1);
      check_gradient (&self, FALSE, self.shared.size);
    }
}

/* The second derivatives against differences of the gradient, but for those of one row by its own two
 * multipliers and by kappa and nu, which are smoothed over the cells on purpose. */
static void
test_second_derivatives (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (10);

  for (guint c = 0; c < 10; c++)
    {
      g_auto (Solvers) self = { 0 };
      gsize n = 5, d = 6, m = n - 1, size = 2 * m + 3;

      if (!solvers_init (&self, WW_MAP_SOFTMAX_RAF, n, d, dice))
        continue;
      ww_bound_dual_set_slice (&self.dual, 0.3, 0.3001);
      self.joint.temperature = 3;
      ww_bound_joint_guess (&self.joint, self.at);
      evaluate_solver (&self, TRUE, self.gradient);
      ww_bound_joint_bend (&self.joint);
      g_autofree double *bend = g_memdup2 (self.joint.hessian, size * size * sizeof (double));

      for (gsize k = 0; k < size; k++)
        {
          double middle = self.at[k], h = 1e-4 * MAX (fabs (middle), 1e-3);

          self.at[k] = middle + h;
          evaluate_solver (&self, TRUE, self.gradient);
          self.at[k] = middle - h;
          evaluate_solver (&self, TRUE, self.unused);
          self.at[k] = middle;
          for (gsize l = 0; l < size; l++)
            {
              gboolean apart = (k < 2 * m && l < 2 * m && k % m != l % m) || k == 2 * m + 1
                               || l == 2 * m + 1;

              double expected = (self.gradient[l] - self.unused[l]) / (2 * h);
              double scale = sqrt (bend[k * size + k] * bend[l * size + l]);

              if (apart)
                g_assert_cmpfloat (fabs (bend[MIN (k, l) * size + MAX (k, l)] - expected), <,
                                   1e-3 * scale);
            }
        }
    }
}

/* The bound of the largest eigenvalue against the eigenvalues, for matrices of either sign and of low
 * rank. */
static void
test_largest_eigenvalue (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (13);

  for (gsize n = 1; n <= 30; n++)
    {
      gsize rank = g_rand_int_range (dice, 0, (gint32) n + 1);
      g_autofree double *matrix = g_new0 (double, n * n);
      g_autofree double *vector = g_new (double, n);
      g_autofree double *values = g_new (double, n);
      double bound = NAN;

      for (gsize k = 0; k < rank; k++)
        {
          double sign = g_rand_boolean (dice) ? 1 : -1;

          fill (vector, n, dice);
          for (gsize i = 0; i < n; i++)
            for (gsize j = 0; j < n; j++)
              matrix[i * n + j] += sign * vector[i] * vector[j];
        }
      g_assert_true (ww_bound_largest_eigenvalue (n, matrix, NULL, &bound, NULL));
      g_assert_true (ww_bound_eigen (n, matrix, values, NULL));
      g_assert_cmpfloat (bound, >=, values[n - 1]);
      g_assert_cmpfloat (bound, <=, 1.2 * MAX (values[n - 1], -values[0]));
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
  g_test_add_func ("/core/bound/largest-eigenvalue", test_largest_eigenvalue);
  g_test_add_func ("/core/bound/reference", test_reference);
  g_test_add_func ("/core/bound/own-weight", test_own_weight);
  g_test_add_func ("/core/bound/any-multipliers", test_any_multipliers);
  g_test_add_func ("/core/bound/carried-multipliers", test_carried_multipliers);
  g_test_add_func ("/core/bound/gradients", test_gradients);
  g_test_add_func ("/core/bound/second-derivatives", test_second_derivatives);
  g_test_add_func ("/core/bound/monotone-in-radius", test_monotone_in_radius);
  g_test_add_func ("/core/bound/never-below-small", test_never_below_small);
  g_test_add_func ("/core/bound/never-below-medium", test_never_below_medium);
  g_test_add_func ("/core/bound/never-below-many-rows", test_never_below_many_rows);
  g_test_add_func ("/core/bound/cancel-midway", test_cancel_midway);
  return g_test_run ();
}

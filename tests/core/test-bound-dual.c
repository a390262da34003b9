/* The tight bound from within: any multipliers bound what their slice holds, and the solvers climb down by
 * the derivatives that they claim. */
#include "bound-cases.h"
#include "ww-bound-joint.h"
#include "ww-bound-lapack.h"
#include "ww-bound-shared.h"
#include "ww-private.h"

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
      g_assert_true (ww_bound_eigen (n, matrix, NULL, values, NULL));
      g_assert_cmpfloat (bound, >=, values[n - 1]);
      g_assert_cmpfloat (bound, <=, 1.2 * MAX (values[n - 1], -values[0]));
    }
}

/* Eigenvectors and their values, in panels and at the rest; Gram matrices of either side. */
static void
test_eigen (void)
{
  static const gsize sizes[] = { 1, 2, 31, 64, 65, 97, 150 };
  g_autoptr (GRand) dice = g_rand_new_with_seed (19);
  WwCancel raised = { 1 };

  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      gsize n = sizes[s], longer = 3 * n;
      g_autofree double *wide = g_new (double, n * longer);
      g_autofree double *tall = g_new (double, n * longer);
      g_autofree double *gram = g_new0 (double, n * n);
      g_autofree double *other = g_new0 (double, n * n);
      g_autofree double *vectors = NULL;
      g_autofree double *values = g_new (double, n);
      g_autofree double *image = g_new (double, n);

      fill (wide, n * longer, dice);
      for (gsize j = 0; j < n; j++)
        for (gsize k = 0; k < longer; k++)
          tall[k * n + j] = wide[j * longer + k];
      g_assert_true (ww_bound_gram (n, longer, wide, NULL, gram, NULL));
      g_assert_true (ww_bound_gram (longer, n, tall, NULL, other, NULL));
      vectors = g_memdup2 (gram, n * n * sizeof (double));
      g_assert_false (ww_bound_eigen (n, vectors, &raised, values, NULL));
      memcpy (vectors, gram, n * n * sizeof (double));
      g_assert_true (ww_bound_eigen (n, vectors, NULL, values, NULL));
      for (gsize v = 0; v < n; v++)
        {
          const double *vector = vectors + v * n;

          g_assert_cmpfloat (fabs (ww_dot (vector, vector, n) - 1), <, 1e-12);
          g_assert_true (v == 0 || (values[v] >= values[v - 1] && fabs (ww_dot (vector, vector - n, n)) < 1e-12));
          for (gsize j = 0; j < n; j++)
            {
              image[j] = 0;
              for (gsize k = 0; k < n; k++)
                image[j] += gram[MIN (j, k) * n + MAX (j, k)] * vector[k];
              g_assert_cmpfloat (fabs (image[j] - values[v] * vector[j]), <, 1e-11 * values[n - 1]);
              g_assert_true (j > v || fabs (gram[j * n + v] - other[j * n + v]) < 1e-10 * values[n - 1]);
            }
        }
    }
}

/* Carrying the parts of a bound along with its multipliers gives what factoring anew does. */
static void
test_carried_parts (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (17);

  for (guint c = 0; c < 300; c++)
    {
      g_auto (Solvers) self = { 0 };
      gsize n = g_rand_int_range (dice, 2, 30), d = g_rand_int_range (dice, 1, 20);
      double t1 = g_rand_double_range (dice, -1, 0.98), t2 = t1 + 0.02;
      double shift = g_rand_double_range (dice, -1 - t1, 1 - t2), scale = g_rand_double_range (dice, 0.3, 3);
      WwBoundNudge parts, unused;

      if (!solvers_init (&self, maps[c % 2], n, d, dice))
        continue;
      ww_bound_dual_set_slice (&self.dual, t1, t2);
      ww_bound_joint_guess (&self.joint, self.at);
      ww_bound_joint_improve (&self.joint, self.at, self.unused, TRUE, ww_bound_triangle (&self.rows), 0);
      if (!ww_bound_joint_get_parts (&self.joint, self.at, &parts))
        continue;
      ww_bound_joint_carry (&self.joint, shift, scale, self.at);
      ww_bound_dual_set_slice (&self.dual, t1 + shift, MIN (t2 + shift, 1));
      double carried = ww_bound_joint_carried_value (&self.joint, &parts, shift, scale, -INFINITY, self.at);

      g_assert_true (ww_bound_joint_get_parts (&self.joint, self.at, &unused));
      double anew = self.joint.nudge
                    + ww_bound_nodes_exact (&self.dual.nodes, self.joint.mu, self.joint.lambda, self.joint.kappa,
                                            self.joint.nu)
                    + ww_bound_own_exact (&self.dual.own, self.joint.kappa, self.joint.nu);
      g_assert_cmpfloat (fabs (carried / anew - 1), <, 1e-9);
      /* Another g can only help. */
      g_assert_cmpfloat (ww_bound_joint_value (&self.joint, self.at), <=, anew * (1 + 1e-12));
    }
}

/* Solving in single precision: nearly right, or refused. */
static void
test_rough_solution (void)
{
  enum { N = 40 };
  g_autoptr (GRand) dice = g_rand_new_with_seed (18);
  g_autofree double *root = g_new (double, N * N);
  g_autofree double *matrix = g_new (double, N * N);
  g_autofree float *room = g_new (float, N * (N + 2));
  double x[N], side[N], stretch[N];

  fill (root, N * N, dice);
  fill (x, N, dice);
  for (gsize j = 0; j < N; j++)
    stretch[j] = exp (g_rand_double_range (dice, -20, 20));
  for (gsize j = 0; j < N; j++)
    for (gsize k = 0; k < N; k++)
      matrix[j * N + k] = stretch[j] * stretch[k]
                          * (ww_dot (root + j * N, root + k * N, N) / N + (j == k ? 1 : 0));
  for (gsize j = 0; j < N; j++)
    x[j] /= stretch[j];
  for (gsize j = 0; j < N; j++)
    side[j] = ww_dot (matrix + j * N, x, N);
  g_assert_true (ww_bound_solve_roughly (N, matrix, room, side));
  for (gsize j = 0; j < N; j++)
    g_assert_cmpfloat (fabs (side[j] - x[j]) * stretch[j], <, 1e-3);

  /* Not definite. */
  matrix[1] = 2 * sqrt (matrix[0] * matrix[N + 1]);
  memcpy (side, x, sizeof side);
  g_assert_false (ww_bound_solve_roughly (N, matrix, room, side));
  g_assert_cmpmem (side, sizeof side, x, sizeof x);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ww_core_init ();
  g_test_add_func ("/core/bound-dual/largest-eigenvalue", test_largest_eigenvalue);
  g_test_add_func ("/core/bound-dual/eigen", test_eigen);
  g_test_add_func ("/core/bound-dual/rough-solution", test_rough_solution);
  g_test_add_func ("/core/bound-dual/own-weight", test_own_weight);
  g_test_add_func ("/core/bound-dual/any-multipliers", test_any_multipliers);
  g_test_add_func ("/core/bound-dual/carried-multipliers", test_carried_multipliers);
  g_test_add_func ("/core/bound-dual/carried-parts", test_carried_parts);
  g_test_add_func ("/core/bound-dual/gradients", test_gradients);
  g_test_add_func ("/core/bound-dual/second-derivatives", test_second_derivatives);
  return g_test_run ();
}

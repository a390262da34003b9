/* The second derivatives of the smoothed dual by its multipliers, in the units of ww-bound-joint.h. */
#include <cblas.h>
#include <string.h>

#include "ww-bound-joint.h"

/* Keeps the matrix definite where a multiplier has no effect. */
#define TINY 1e-10

/* A = r^-1 (g P^-1 - 1) r^-1; by mu and mu A / 2, by mu_j and lambda_k A_jk moved_k, by lambda and
 * lambda 2 moved_j A_jk moved_k, and from the barrier temperature / 2 A_jk^2. */
static void
bend_pairs (WwBoundJoint *joint)
{
  gsize m = joint->count, size = joint->size;
  double unit = joint->dual->unit, half = 0.5 * joint->temperature * unit;
  const double *moved = joint->moved;

  for (gsize j = 0; j < m; j++)
    {
      const double *inverse = joint->factor + j * m;
      double *row = joint->hessian + j * size, *below = joint->hessian + (m + j) * size;
      double scale = 1 / joint->root[j];

      for (gsize k = j; k < m; k++)
        {
          double a = (joint->g * inverse[k] - (j == k)) * scale / joint->root[k];

          row[k] = 0.5 * unit * a;
          row[m + k] = unit * a * moved[k];
          below[m + k] = unit * (2 * moved[j] * a * moved[k] + half * a * a);
          joint->hessian[k * size + m + j] = unit * a * moved[j];
        }
    }
}

/* squares (m): the squared norms of the rows of P^-1. Returns their sum. */
static double
row_squares (const WwBoundJoint *joint, double *squares)
{
  gsize m = joint->count;
  double total = 0;

  memset (squares, 0, m * sizeof (double));
  for (gsize j = 0; j < m; j++)
    {
      const double *row = joint->factor + j * m;
      double sum = row[j] * row[j];

      for (gsize k = j + 1; k < m; k++)
        {
          double square = row[k] * row[k];

          sum += square;
          squares[k] += square;
        }
      squares[j] += sum;
    }
  for (gsize j = 0; j < m; j++)
    total += squares[j];
  return total;
}

/* What couples the multipliers of a row with g, kappa and nu; the rows' own second derivatives. Needs
 * y_j = u_j' (..)^-1 D = (G r w)_j / 2 in `y`. */
static void
bend_rows (WwBoundJoint *joint, const double *y, const double *squares)
{
  gsize m = joint->count, size = joint->size;
  double unit = joint->dual->unit, half = 0.5 * joint->temperature * unit;

  for (gsize j = 0; j < m; j++)
    {
      const WwBoundRowState *state = &joint->dual->states[j];
      double *row = joint->hessian + j * size, *below = joint->hessian + (m + j) * size;
      double barrier = half * (joint->g * squares[j] - joint->factor[j * m + j]) / joint->lambda[j];

      row[j] += unit * state->mu_mu + TINY;
      row[m + j] += unit * state->mu_lambda;
      below[m + j] += unit * state->lambda_lambda + TINY;
      row[2 * m] = state->mu_kappa / unit;
      row[2 * m + 1] = -unit * y[j];
      row[2 * m + 2] = state->mu_nu;
      below[2 * m] = state->lambda_kappa / unit;
      below[2 * m + 1] = -unit * (2 * joint->moved[j] * y[j] + barrier);
      below[2 * m + 2] = state->lambda_nu;
    }
}

void
ww_bound_joint_bend (WwBoundJoint *joint)
{
  gsize m = joint->count, size = joint->size;
  double unit = joint->dual->unit, half = 0.5 * joint->temperature * unit, length = 0;
  /* Of the arrays of the last point, these are not needed any more. */
  double *w = joint->v_mu, *y = joint->v_c, *squares = joint->gv_mu;

  cblas_dsymv (CblasRowMajor, CblasUpper, m, 1, joint->factor, m, joint->v, 1, 0, w, 1);
  for (gsize j = 0; j < m; j++)
    joint->work[j] = joint->root[j] * w[j];
  cblas_dsymv (CblasRowMajor, CblasUpper, m, 0.5, joint->gram, m, joint->work, 1, 0, y, 1);
  for (gsize j = 0; j < m; j++)
    length += 0.5 * joint->v[j] * joint->root[j] * y[j];
  double total = row_squares (joint, squares);

  bend_pairs (joint);
  bend_rows (joint, y, squares);
  double *kappa = joint->hessian + 2 * m * size, *g = kappa + size, *nu = g + size;
  kappa[2 * m] = joint->sum.kappa_kappa / (unit * unit * unit) + TINY;
  kappa[2 * m + 1] = 0;
  kappa[2 * m + 2] = joint->sum.nu_kappa / (unit * unit);
  g[2 * m + 1] = unit * (2 * length + half * (total - m / (joint->g * joint->g))) + TINY;
  g[2 * m + 2] = 0;
  /* Row i may be the only one whose zeta is free, at 1 / (2 kappa). */
  nu[2 * m + 2] = (joint->sum.nu_nu + 0.5 / joint->kappa) / unit + TINY;
}

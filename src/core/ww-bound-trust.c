#include "ww-bound-trust.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-bound-lapack.h"
#include "ww-private.h"

/* Eigenvalues are good to some r times 1e-16 of the largest; this much is added where a larger one is
 * the safe side. */
#define EIGEN_ALLOWANCE 1e-10

/* ret (m x d): rows of `source` without their part along s; ret_along (m): R s . row. */
static void
project_rows (const WwBoundRows *rows, const double *source, const double *s, double *ret,
              double *ret_along)
{
  gsize m = rows->count, d = rows->d;

  memcpy (ret, source, m * d * sizeof (double));
  cblas_dgemv (CblasRowMajor, CblasNoTrans, m, d, 1, source, d, s, 1, 0, ret_along, 1);
  cblas_dger (CblasRowMajor, m, d, -1, ret_along, 1, s, 1, ret, d);
  cblas_dscal (m, rows->radius, ret_along, 1);
}

/* The smaller of the two Gram matrices of `a` (m x d): a a^T or a^T a. */
static void
gram (const double *a, gsize m, gsize d, double *ret)
{
  if (m <= d)
    cblas_dsyrk (CblasRowMajor, CblasUpper, CblasNoTrans, m, d, 1, a, d, 0, ret, m);
  else
    cblas_dsyrk (CblasRowMajor, CblasUpper, CblasTrans, d, m, 1, a, d, 0, ret, d);
}

/* B from the eigenvectors (rows of `vectors`, r x r): for m <= d they are Q with U' = Q sqrt (D) V^T,
 * so that B = sqrt (D) Q^T; else they are V and B = V^T U'^T. */
static void
set_basis (WwBoundTrust *trust, const double *vectors, const double *u, gsize d)
{
  gsize m = trust->count, r = trust->rank;

  for (gsize k = 0; k < r; k++)
    trust->eigen[k] = MAX (trust->eigen[k], 0);
  if (m > d)
    {
      cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, r, m, d, 1, vectors, d, u, d, 0,
                   trust->basis, m);
      return;
    }
  for (gsize k = 0; k < r; k++)
    for (gsize j = 0; j < m; j++)
      trust->basis[k * m + j] = sqrt (trust->eigen[k]) * vectors[k * m + j];
}

/* alpha^2, with x - o_i as one more row of E. */
static gboolean
set_alpha (WwBoundTrust *trust, const WwBoundRows *rows, const double *s, const WwCancel *cancel,
           GError **error)
{
  gsize m = rows->count, d = rows->d, r = MIN (m + 1, d);
  g_autoptr (WwMatrix) flat = ww_matrix_new (m + 1, d, error);
  g_autoptr (WwMatrix) square = flat != NULL ? ww_matrix_new (r, r, error) : NULL;
  g_autoptr (WwMatrix) values = square != NULL ? ww_matrix_new (1, r, error) : NULL;

  if (values == NULL)
    return FALSE;

  project_rows (rows, rows->e, s, flat->data, trust->c);
  double *last = flat->data + m * d;
  memcpy (last, rows->own, d * sizeof (double));
  cblas_daxpy (d, -cblas_ddot (d, s, 1, last, 1), s, 1, last, 1);
  gram (flat->data, m + 1, d, square->data);
  if (ww_cancel_check (cancel, error)
      || !ww_bound_eigen (r, square->data, FALSE, values->data, error))
    return FALSE;
  trust->alpha2 = MAX (values->data[r - 1], 0) * (1 + EIGEN_ALLOWANCE);
  return !ww_cancel_check (cancel, error);
}

gboolean
ww_bound_trust_init (WwBoundTrust *trust, const WwBoundRows *rows, const double *s,
                     const WwCancel *cancel, GError **error)
{
  gsize m = rows->count, d = rows->d, r = MIN (m, d);

  trust->count = m;
  trust->rank = r;
  trust->radius = rows->radius;
  trust->c = ww_try_alloc (1, m, sizeof (double), error);
  if (trust->c == NULL)
    return FALSE;
  trust->basis = ww_try_alloc (r, m, sizeof (double), error);
  if (trust->basis == NULL)
    return FALSE;
  trust->eigen = ww_try_alloc (4, r, sizeof (double), error);
  if (trust->eigen == NULL)
    return FALSE;
  trust->bc = trust->eigen + r;
  trust->bmu = trust->eigen + 2 * r;
  trust->w = trust->eigen + 3 * r;

  g_autoptr (WwMatrix) flat = ww_matrix_new (m, d, error);
  g_autoptr (WwMatrix) square = flat != NULL ? ww_matrix_new (r, r, error) : NULL;
  if (square == NULL || ww_cancel_check (cancel, error))
    return FALSE;

  if (!set_alpha (trust, rows, s, cancel, error))
    return FALSE;
  project_rows (rows, rows->u, s, flat->data, trust->c);
  gram (flat->data, m, d, square->data);
  if (ww_cancel_check (cancel, error)
      || !ww_bound_eigen (r, square->data, TRUE, trust->eigen, error))
    return FALSE;
  set_basis (trust, square->data, flat->data, d);
  /* Away from zero even where U' vanishes (d = 1) or all u_j do. */
  trust->top = trust->eigen[r - 1] * (1 + EIGEN_ALLOWANCE) + 1e-20 / (rows->radius * rows->radius);
  for (gsize j = 0; j < m; j++)
    trust->top += 1e-12 * rows->u_norm[j] * rows->u_norm[j];

  trust->c2 = cblas_ddot (m, trust->c, 1, trust->c, 1);
  cblas_dgemv (CblasRowMajor, CblasNoTrans, r, m, 1, trust->basis, m, trust->c, 1, 0, trust->bc, 1);
  return TRUE;
}

void
ww_bound_trust_clear (WwBoundTrust *trust)
{
  free (trust->c);
  free (trust->basis);
  free (trust->eigen);
}

/* Sums over the eigenvectors that the value needs. */
typedef struct
{
  double mm, mc, cc; /* of (B mu)^2, (B mu) (B c), (B c)^2 over g - lambda D */
} Sums;

static Sums
add_up (const WwBoundTrust *trust, double lambda, double g)
{
  Sums sums = { 0 };

  for (gsize k = 0; k < trust->rank; k++)
    {
      double m = trust->bmu[k], c = trust->bc[k], inverse = 1 / (g - lambda * trust->eigen[k]);

      sums.mm += m * m * inverse;
      sums.mc += m * c * inverse;
      sums.cc += c * c * inverse;
    }
  return sums;
}

/* The largest value of a0 + a1 tau + a2 tau^2 on [t1, t2]. */
static double
largest (double a0, double a1, double a2, double t1, double t2, double *ret_tau)
{
  double at1 = a0 + t1 * (a1 + t1 * a2), at2 = a0 + t2 * (a1 + t2 * a2);
  double vertex = a2 < 0 ? -a1 / (2 * a2) : t1;

  *ret_tau = at1 > at2 ? t1 : t2;
  if (!(vertex > t1 && vertex < t2))
    return MAX (at1, at2);
  *ret_tau = vertex;
  return MAX (MAX (at1, at2), a0 - a1 * a1 / (4 * a2));
}

void
ww_bound_trust_evaluate (WwBoundTrust *trust, double t1, double t2, const double *mu, double lambda,
                         double kappa, double excess, double temperature, double *ret_mu,
                         WwBoundTrustValue *ret_value)
{
  gsize m = trust->count, r = trust->rank;
  double R2 = trust->radius * trust->radius, g = lambda * trust->top * (1 + excess);

  cblas_dgemv (CblasRowMajor, CblasNoTrans, r, m, 1, trust->basis, m, mu, 1, 0, trust->bmu, 1);
  double mu_c = cblas_ddot (m, mu, 1, trust->c, 1);
  Sums sums = add_up (trust, lambda, g);
  double weight = (g + kappa * trust->alpha2) * R2, tau;
  double value = largest (weight + 0.25 * sums.mm, mu_c + lambda * sums.mc,
                          -weight + lambda * trust->c2 + lambda * lambda * sums.cc, t1, t2, &tau);

  double across = 0, squares = 0, length2 = 0, entropy = 0, by_g = 0, by_lambda = 0, bend = 0;
  for (gsize k = 0; k < r; k++)
    {
      double eigen = trust->eigen[k], inverse = 1 / (g - lambda * eigen);
      double w = 0.5 * (trust->bmu[k] + 2 * lambda * tau * trust->bc[k]) * inverse;

      trust->w[k] = w;
      across += w * trust->bc[k];
      squares += eigen * w * w;
      length2 += w * w;
      bend += w * w * inverse;
      entropy -= log1p (-lambda * eigen / g);
      by_g -= lambda * eigen * inverse / g;
      by_lambda += eigen * inverse;
    }
  memcpy (ret_mu, trust->c, m * sizeof (double));
  cblas_dgemv (CblasRowMajor, CblasTrans, r, m, 1, trust->basis, m, trust->w, 1, tau, ret_mu, 1);

  double half = 0.5 * temperature, slope = R2 * (1 - tau * tau) - length2 + half * by_g;
  ret_value->value = value;
  ret_value->smooth = value + half * entropy;
  ret_value->lambda = lambda * (tau * (tau * trust->c2 + 2 * across) + squares + half * by_lambda)
                      + g * slope;
  ret_value->kappa = kappa * trust->alpha2 * R2 * (1 - tau * tau);
  ret_value->excess = lambda * trust->top * excess * slope;
  ret_value->excess_bend = 2 * bend * lambda * trust->top * excess * lambda * trust->top * excess
                           + half * r / (1 + excess);
}

/* Diagonal of the second derivatives by mu: sum_k B_kj^2 / (2 (g - lambda D_k)). */
void
ww_bound_trust_diagonal (const WwBoundTrust *trust, double lambda, double excess, double *ret)
{
  gsize m = trust->count;
  double g = lambda * trust->top * (1 + excess);

  memset (ret, 0, m * sizeof (double));
  for (gsize k = 0; k < trust->rank; k++)
    {
      double weight = 0.5 / (g - lambda * trust->eigen[k]);
      const double *row = trust->basis + k * m;

      for (gsize j = 0; j < m; j++)
        ret[j] += weight * row[j] * row[j];
    }
}

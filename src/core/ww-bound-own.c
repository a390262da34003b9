#include "ww-bound-own.h"

#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-bound-lapack.h"
#include "ww-private.h"

/* The tau and 1 / rho for which a w is optimised, the steps of each optimisation, and the numbers kept. */
#define SHARE_TAUS 8
#define SHARES (4 * SHARE_TAUS)
static const double share_taus[SHARE_TAUS] = { -0.7, -0.2, 0.1, 0.3, 0.5, 0.65, 0.8, 0.92 };
static const double share_pulls[] = { 0, 0.1, 0.3, 0.8 };
#define SHARE 4
#define STEPS 20

/* Rows multiplied between two looks at the flag. */
#define ROWS_PER_LOOK 128

/* Steps of the power method for the size of those steps. */
#define POWER_STEPS 8

/* C of the header. */
static double
hull (const WwBoundRows *rows)
{
  const WwAttention *attention = rows->attention;
  gsize d = rows->d;
  const double *output = attention->features->data + rows->token * d;
  double farthest = ww_bound_rows_farthest (rows);

  return attention->map == WW_MAP_RELU_RAF ? MAX (farthest, cblas_ddot (d, output, 1, output, 1)) : farthest;
}

static double
across (double norm, double along)
{
  return sqrt (MAX (norm * norm - along * along, 0) + 1e-14 * norm * norm);
}

/* What the search for a w works on: K (m x d), its products with x and s, an estimate of the square of
 * its largest singular value, and room. */
typedef struct
{
  const WwBoundRows *rows;
  const WwCancel *cancel;
  const double *s, *k, *mx;
  double *kx, *ks, *w, *back; /* m */
  double *kw;                 /* d */
  double k2;
} Shares;

/* K^T w without its part along s, into kw; returns its norm. */
static double
gather (const Shares *shares)
{
  gsize m = shares->rows->count, d = shares->rows->d;

  cblas_dgemv (CblasRowMajor, CblasTrans, m, d, 1, shares->k, d, shares->w, 1, 0, shares->kw, 1);
  cblas_daxpy (d, -cblas_ddot (d, shares->kw, 1, shares->s, 1), shares->s, 1, shares->kw, 1);
  return cblas_dnrm2 (d, shares->kw, 1);
}

static void
scatter (const Shares *shares)
{
  gsize m = shares->rows->count, d = shares->rows->d;

  cblas_dgemv (CblasRowMajor, CblasNoTrans, m, d, 1, shares->k, d, shares->kw, 1, 0, shares->back, 1);
}

static void
estimate_k2 (Shares *shares)
{
  gsize m = shares->rows->count;

  for (gsize l = 0; l < m; l++)
    shares->w[l] = 1 + 0.5 * sin ((double) l);
  for (guint step = 0; step < POWER_STEPS; step++)
    {
      double norm = cblas_dnrm2 (m, shares->w, 1);

      if (!(norm > 0))
        return;
      cblas_dscal (m, 1 / norm, shares->w, 1);
      gather (shares);
      scatter (shares);
      shares->k2 = 1.1 * cblas_dnrm2 (m, shares->back, 1);
      memcpy (shares->w, shares->back, m * sizeof (double));
    }
}

/* One w by projected gradient ascent on what it takes from Phi (rho) / rho,
 *   L (w) = w . K f - r |K^T w - 2 M x / rho, the part orthogonal to s|,   f = x + tau R s;
 * `pull` is 1 / rho. The step is the inverse of the curvature that the norm has, |K|^2 r / norm. */
static void
optimise_share (const Shares *shares, double tau, double pull, double *ret_share)
{
  gsize m = shares->rows->count, d = shares->rows->d;
  double R = shares->rows->radius, r = R * sqrt (1 - tau * tau), best = -INFINITY;

  for (guint step = 0; step < STEPS && !ww_cancel_is_raised (shares->cancel); step++)
    {
      double gathered = gather (shares), product = cblas_ddot (d, shares->kw, 1, shares->mx, 1);
      double wkx = cblas_ddot (m, shares->w, 1, shares->kx, 1);
      double wks = cblas_ddot (m, shares->w, 1, shares->ks, 1);

      cblas_daxpy (d, -2 * pull, shares->mx, 1, shares->kw, 1);
      double norm = cblas_dnrm2 (d, shares->kw, 1);
      if (wkx + tau * R * wks - r * norm > best)
        {
          best = wkx + tau * R * wks - r * norm;
          ret_share[0] = wkx;
          ret_share[1] = R * wks;
          ret_share[2] = R * gathered;
          ret_share[3] = 2 * R * R * product;
        }
      if (!(norm > 0))
        break;
      scatter (shares);
      double rate = norm / (r * shares->k2 + 1e-300);
      for (gsize l = 0; l < m; l++)
        {
          double slope = shares->kx[l] + tau * R * shares->ks[l] - r * shares->back[l] / norm;

          shares->w[l] = CLAMP (shares->w[l] + rate * slope, 0, 1);
        }
    }
}

static gboolean
init_shares (WwBoundOwn *own, const double *s, const WwCancel *cancel, GError **error)
{
  const WwBoundRows *rows = own->rows;
  const WwAttention *attention = rows->attention;
  gsize m = rows->count, d = rows->d, n = m + 1;

  own->shares = ww_try_alloc (SHARES, SHARE, sizeof (double), error);
  if (own->shares == NULL)
    return FALSE;
  g_autoptr (WwMatrix) k = ww_matrix_new (n, d, error);
  g_autoptr (WwMatrix) room = k != NULL ? ww_matrix_new (5, MAX (m, d), error) : NULL;
  if (room == NULL)
    return FALSE;

  Shares shares = { rows, cancel, s, k->data, own->mx, room->data, room->data + room->cols,
                    room->data + 2 * room->cols, room->data + 3 * room->cols,
                    room->data + 4 * room->cols, 0 };
  for (gsize first = 0; first < n; first += ROWS_PER_LOOK)
    {
      if (ww_cancel_check (cancel, error))
        return FALSE;
      cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, MIN (ROWS_PER_LOOK, n - first), d, d, 1 / sqrt (d),
                   attention->x->data + first * d, d, attention->w->data, d, 0, k->data + first * d, d);
    }
  memmove (k->data + rows->token * d, k->data + (rows->token + 1) * d,
           (m - rows->token) * d * sizeof (double));
  cblas_dgemv (CblasRowMajor, CblasNoTrans, m, d, 1, k->data, d, rows->x, 1, 0, shares.kx, 1);
  cblas_dgemv (CblasRowMajor, CblasNoTrans, m, d, 1, k->data, d, s, 1, 0, shares.ks, 1);
  estimate_k2 (&shares);

  for (gsize l = 0; l < m; l++)
    shares.w[l] = shares.kx[l] > 0;
  for (gsize share = 0; share < SHARES; share++)
    optimise_share (&shares, share_taus[share % SHARE_TAUS], share_pulls[share / SHARE_TAUS],
                    own->shares + SHARE * share);
  own->n_shares = SHARES;
  return !ww_cancel_check (cancel, error);
}

/* The own score's numbers. */
static gboolean
init_score (WwBoundOwn *own, const double *s, const WwCancel *cancel, GError **error)
{
  const WwBoundRows *rows = own->rows;
  const double *weights = rows->attention->w->data;
  gsize d = rows->d;
  double R = rows->radius;
  g_autoptr (WwMatrix) m = ww_matrix_new (d, d, error);

  if (m == NULL)
    return FALSE;
  own->mx = ww_try_alloc (1, d, sizeof (double), error);
  if (own->mx == NULL)
    return FALSE;

  for (gsize a = 0; a < d; a++)
    for (gsize b = 0; b < d; b++)
      m->data[a * d + b] = (weights[a * d + b] + weights[b * d + a]) / (2 * sqrt (d));
  double *mx = own->mx, most;
  cblas_dsymv (CblasRowMajor, CblasUpper, d, 1, m->data, d, rows->x, 1, 0, mx, 1);
  own->score = cblas_ddot (d, rows->x, 1, mx, 1);
  own->score_along = 2 * R * cblas_ddot (d, s, 1, mx, 1);
  own->score_across = across (2 * R * cblas_dnrm2 (d, mx, 1), own->score_along);
  cblas_daxpy (d, -cblas_ddot (d, s, 1, mx, 1), s, 1, mx, 1);
  if (!ww_bound_largest_eigenvalue (d, m->data, cancel, &most, error))
    return FALSE;
  own->score_most = R * R * most;
  return TRUE;
}

gboolean
ww_bound_own_init (WwBoundOwn *own, const WwBoundRows *rows, const double *s, const WwCancel *cancel,
                   GError **error)
{
  gsize d = rows->d;

  own->rows = rows;
  own->hull = hull (rows);
  own->own2 = cblas_ddot (d, rows->own, 1, rows->own, 1);
  own->own_along = rows->radius * cblas_ddot (d, s, 1, rows->own, 1);
  own->own_across = across (rows->radius * sqrt (own->own2), own->own_along);
  if (rows->attention->map == WW_MAP_SOFTMAX_RAF || rows->count == 0)
    return TRUE;
  return init_score (own, s, cancel, error) && init_shares (own, s, cancel, error);
}

void
ww_bound_own_clear (WwBoundOwn *own)
{
  free (own->shares);
  free (own->mx);
}

/* The least rho for which one w shows Phi (rho) < 0, or infinity. Where Phi vanishes, rho c1 - c0 is the
 * norm: squared, an equation of second degree. Its solution is put into Phi to be sure. */
static double
least_ratio (double c0, double c1, double a2, double ab, double b2)
{
  double p = c1 * c1 - b2, q = c0 * c1 - ab, root = q * q - p * (c0 * c0 - a2);
  double rho = (q + sqrt (MAX (root, 0))) / p * (1 + 1e-6);

  if (!(rho > 0 && isfinite (rho)))
    return INFINITY;
  return c0 - rho * c1 + sqrt (MAX (a2 - 2 * rho * ab + rho * rho * b2, 0)) < 0 ? rho : INFINITY;
}

/* An upper bound of the weight that row i puts on itself; r in parts of R. */
static double
own_weight (const WwBoundOwn *own, double t1, double t2, double r)
{
  double c0 = own->score + MAX (t1 * own->score_along, t2 * own->score_along) + own->score_most;
  double a = r * own->score_across, rho = INFINITY;

  if (own->n_shares == 0)
    return 1;
  if (c0 + a <= 0)
    return 0;
  for (gsize share = 0; share < own->n_shares; share++)
    {
      const double *w = own->shares + SHARE * share;
      double c1 = w[0] + MIN (t1 * w[1], t2 * w[1]), b = r * w[2];

      rho = MIN (rho, least_ratio (c0, c1, a * a, r * r * w[3], b * b));
      /* The two maxima one by one. */
      if (c1 > b)
        rho = MIN (rho, (c0 + a) / (c1 - b));
    }
  return isfinite (rho) ? rho / (1 + rho) : 1;
}

void
ww_bound_own_set_slice (WwBoundOwn *own, double t1, double t2)
{
  double R = own->rows->radius;
  double least = t1 > 0 ? t1 : t2 < 0 ? -t2 : 0, r = sqrt (1 - least * least);

  own->weight = own_weight (own, t1, t2, r);
  own->moved = own->own2 + R * R + 2 * MAX (t1 * own->own_along, t2 * own->own_along);
  own->rho = r * own->own_across;
}

/* The value at one weight. */
static double
value_at (const WwBoundOwn *own, double weight, double kappa, double nu, double *ret_zeta)
{
  double c = 2 * weight - nu, zeta = CLAMP (0.5 * c / kappa, -own->rho, own->rho);

  *ret_zeta = zeta;
  return own->hull + weight * (own->moved - own->hull) + zeta * (c - kappa * zeta);
}

double
ww_bound_own_exact (const WwBoundOwn *own, double kappa, double nu)
{
  double unused;

  return MAX (value_at (own, 0, kappa, nu, &unused), value_at (own, own->weight, kappa, nu, &unused));
}

void
ww_bound_own_add (const WwBoundOwn *own, double kappa, double nu, double temperature,
                  WwBoundRowsSum *sum)
{
  double zeta0, zeta1;
  double still = value_at (own, 0, kappa, nu, &zeta0);
  double taken = value_at (own, own->weight, kappa, nu, &zeta1);
  double share = 1 / (1 + exp ((still - taken) / temperature)), rest = 1 - share;

  sum->exact += MAX (still, taken);
  sum->smooth += MAX (still, taken) + temperature * log1p (exp (-fabs (still - taken) / temperature));
  sum->zeta += rest * zeta0 + share * zeta1;
  sum->zeta2 += rest * zeta0 * zeta0 + share * zeta1 * zeta1;
  sum->nu_nu += rest * share * (zeta1 - zeta0) * (zeta1 - zeta0) / temperature;
}

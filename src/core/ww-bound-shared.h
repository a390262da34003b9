/* The solver of the dual (ww-bound-dual.h) for many rows: one lambda for all of them, which leaves the
 * eigenvectors of U'^T U' as they are, so that after one decomposition an evaluation costs O(m r),
 * r = min (m, d). The multipliers descend by L-BFGS, smoothed as in ww-bound-joint.h.
 *
 * With D_k the eigenvalues, V the eigenvectors and B = V^T U'^T (r x m) the nudge's part of the dual is
 *   max over tau of (g + kappa alpha^2) R^2 (1 - tau^2) + lambda tau^2 |c|^2 + tau mu . c
 *                   + sum_k (B mu + 2 lambda tau B c)_k^2 / (4 (g - lambda D_k)),
 * at g = (1 + excess) lambda max D.
 *
 * Multipliers are one vector of m + 4 numbers: mu_j / unit, log (lambda / unit), log (kappa unit),
 * log excess, nu. */
#pragma once

#include "ww-bound-descent.h"
#include "ww-bound-dual.h"

G_BEGIN_DECLS

typedef struct
{
  WwBoundDual *dual; /* not owned */
  const WwCancel *cancel;
  WwBoundDescent *descent;
  gsize count;       /* m */
  gsize rank;        /* r */
  gsize size;        /* m + 4 */
  double *basis;     /* r x m: B */
  double *eigen;     /* r: D_k, rising */
  double *bc, *bmu;  /* r: B c, B mu */
  double *w;         /* r: (B mu + 2 lambda tau B c)_k / (2 (g - lambda D_k)), the maximising D */
  double top;        /* the largest D_k, rounded up */
  double c2;         /* |c|^2 */
  double *vectors;   /* holds those below */
  double *c, *mu, *lambdas, *moved;   /* m */
  double *best, *gradient;            /* size */
  /* At the last point: */
  double lambda, kappa, excess, nu, tau, temperature, exact, least;
  double square, excess_bend;
  WwBoundRowsSum sum;
} WwBoundShared;

/* O(m d r); m at least 1. */
gboolean ww_bound_shared_init (WwBoundShared *shared, WwBoundDual *dual, const WwCancel *cancel,
                               GError **error);
void ww_bound_shared_clear (WwBoundShared *shared);

void ww_bound_shared_guess (const WwBoundShared *shared, double *ret_multipliers);

/* As their namesakes of ww-bound-joint.h. */
void ww_bound_shared_carry (const WwBoundShared *shared, double change, double scale,
                            double *multipliers);
double ww_bound_shared_value (WwBoundShared *shared, const double *multipliers);
double ww_bound_shared_improve (WwBoundShared *shared, double *multipliers, gboolean cold,
                                double scale);

/* The smoothed value / unit and its gradient. */
double ww_bound_shared_evaluate (WwBoundShared *shared, const double *multipliers,
                                 double *ret_gradient);

G_END_DECLS

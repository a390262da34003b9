/* The nudge's part of the dual (ww-bound-dual.h): with U the rows u_j, s the axis of the slices,
 * U' = U - (U s) s^T, and E' the rows e_j - (s . e_j) s,
 *   max over tau in [t1, t2], |D|^2 <= R^2 (1 - tau^2), D orthogonal to s
 *     of lambda |U delta|^2 + mu . U delta + kappa |E' D|^2,   delta = tau R s + D.
 *
 * |E' D|^2 <= alpha^2 |D|^2, alpha^2 the largest eigenvalue of E' E'^T. With c = R U s the rest is
 *   lambda tau^2 |c|^2 + tau mu . c + [lambda |U' D|^2 + (mu + 2 lambda tau c) . U' D].
 * For every g above lambda times the largest eigenvalue of U'^T U', by completing the square,
 *   lambda |U' D|^2 + h . D <= g |D|^2 + h^T (g - lambda U'^T U')^{-1} h / 4.
 * In the basis of eigenvectors of U'^T U' with eigenvalue D_k > 0, h = U'^T m has the components
 * (B m)_k, B = V^T U'^T, so that the whole is at most
 *   max over tau of (g + kappa alpha^2) R^2 (1 - tau^2) + lambda tau^2 |c|^2 + tau mu . c
 *                   + sum_k (B mu + 2 lambda tau B c)_k^2 / (4 (g - lambda D_k)),
 * a parabola in tau, whose maximum on an interval is elementary. g is chosen to make this least; it is
 * convex in g, and any g gives a bound. */
#pragma once

#include "ww-bound-rows.h"

G_BEGIN_DECLS

typedef struct
{
  gsize count;   /* m */
  gsize rank;    /* r = min (m, d) */
  double radius; /* R */
  double alpha2; /* largest eigenvalue of E' E'^T, rounded up */
  double c2;     /* |c|^2 */
  double *c;     /* m: R U s */
  double *basis; /* r x m: B */
  double *eigen; /* r: D_k, rising */
  double *bc;    /* r: B c */
  double *bmu;   /* r: B mu */
  double *w;     /* r: (B mu + 2 lambda tau B c)_k / (2 (g - lambda D_k)), the maximising D */
  double top;    /* the largest D_k, rounded up */
} WwBoundTrust;

/* s: the axis, d entries, of norm 1 or 0. O(m d min (m, d)). */
gboolean ww_bound_trust_init (WwBoundTrust *trust, const WwBoundRows *rows, const double *s,
                              const WwCancel *cancel, GError **error);
void ww_bound_trust_clear (WwBoundTrust *trust);

typedef struct
{
  double value;       /* the bound */
  double smooth;      /* the same plus the barrier */
  double lambda;      /* derivatives of the latter by log lambda, log kappa and log excess */
  double kappa;
  double excess;
  double excess_bend; /* about its second derivative by log excess */
} WwBoundTrustValue;

/* At g = (1 + excess) lambda max D. The barrier -temperature / 2 sum_k log (1 - lambda D_k / g) keeps
 * g away from where the inverse fails; it is the term by which the logarithm of a Gaussian integral
 * over D differs from the maximum. ret_mu (m): the derivative by mu, U delta at the maximising delta. */
void ww_bound_trust_evaluate (WwBoundTrust *trust, double t1, double t2, const double *mu,
                              double lambda, double kappa, double excess, double temperature,
                              double *ret_mu, WwBoundTrustValue *ret_value);
void ww_bound_trust_diagonal (const WwBoundTrust *trust, double lambda, double excess, double *ret);

G_END_DECLS

/* The rows' part of the dual (ww-bound-dual.h): for each row j
 *   max of g_j (p (xi), zeta) - lambda_j xi^2 - mu_j xi - kappa zeta^2 - nu zeta
 *   over |xi| <= R |u_j|, |zeta| <= rho_j,
 * bounded without sampling error.
 *
 * On a grid of nodes xi_0 < ... < xi_K let p_k = p (xi_k). For one fixed nudge g_j is convex in p (the
 * change is affine in p), so that for p = (1 - theta) p_k + theta p_{k+1}
 *   g (p) - kappa zeta^2 - nu zeta <= (1 - theta) F_k + theta F_{k+1},
 *   F_k = max_zeta [g (p_k, zeta) - kappa zeta^2 - nu zeta]
 *       = (p_k - q)^2 |e|^2 + 2 max_tau (p_k - q) p_k tau R s . e + p_k^2 R^2 + Z_k,
 *   Z_k = c z - kappa z^2 at z = c / (2 kappa) moved into [-rho, rho], c = 2 (p_k - q) p_k - nu.
 * theta as a function of xi is not linear, but between linear - down_k and linear + up_k, two numbers
 * known in closed form (p is convex or concave between nodes). So on the cell
 *   F_k + (F_{k+1} - F_k) linear (xi) + max (F_{k+1} - F_k, 0) up_k + max (F_k - F_{k+1}, 0) down_k
 * bounds the first two terms, and with - lambda xi^2 - mu xi added it is a concave parabola, largest
 * at its vertex moved into the cell. */
#pragma once

#include "ww-bound-rows.h"

G_BEGIN_DECLS

#define WW_BOUND_CELLS 56
#define WW_BOUND_NODES (WW_BOUND_CELLS + 1)

typedef struct
{
  const WwBoundRows *rows;
  double *xi;      /* m x NODES, rising; two equal ones enclose a jump of p */
  double *p;       /* m x NODES */
  double *tilt;    /* m x NODES: 2 (p - q) p */
  double *inverse; /* m x CELLS: 1 / (xi_{k+1} - xi_k), or 0 */
  double *up;      /* m x CELLS */
  double *down;    /* m x CELLS */
  double *along;   /* m: R s . e_j */
  double *across;  /* m: R |e_j - (s . e_j) s| */
  double *fixed;   /* m x NODES: F_k - Z_k of the present slice */
  double *rho;     /* m, of the present slice */
} WwBoundNodes;

gboolean ww_bound_nodes_init (WwBoundNodes *nodes, const WwBoundRows *rows, const double *along,
                              const double *across, GError **error);
void ww_bound_nodes_clear (WwBoundNodes *nodes);

void ww_bound_nodes_set_slice (WwBoundNodes *nodes, double t1, double t2);

/* Derivatives of one row's smoothed maximum: xi and xi2 are the expectations of xi and xi^2 under it,
 * minus the derivatives by mu and lambda; the rest are second derivatives. */
typedef struct
{
  double xi, xi2;
  double mu_mu, mu_lambda, lambda_lambda;
  double mu_nu, mu_kappa, lambda_nu, lambda_kappa;
} WwBoundRowState;

/* Sums over the rows. */
typedef struct
{
  double exact;       /* of the maxima: the certificate */
  double smooth;      /* of temperature * log sum exp (. / temperature), which are larger */
  double zeta, zeta2; /* of the expectations of zeta and zeta^2 */
  double nu_nu, nu_kappa, kappa_kappa;
} WwBoundRowsSum;

/* mu, lambda: m values. ret_states: m. */
void ww_bound_nodes_sum (const WwBoundNodes *nodes, const double *mu, const double *lambda,
                         double kappa, double nu, double temperature, WwBoundRowState *ret_states,
                         WwBoundRowsSum *ret_sum);

/* The certificate alone. */
double ww_bound_nodes_exact (const WwBoundNodes *nodes, const double *mu, const double *lambda,
                             double kappa, double nu);

G_END_DECLS

/* The rows' part of the dual (ww-bound-dual.h): for each row j
 *   max of g_j (p (xi), zeta) - lambda xi^2 - mu xi - kappa zeta^2 - nu zeta
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

/* Most cells of a row, with those that the ends of the range add. */
#define WW_BOUND_CELLS 56
#define WW_BOUND_NODES (WW_BOUND_CELLS + 1)

typedef struct
{
  const WwBoundRows *rows;
  double *xi;     /* m x NODES, rising; two equal ones enclose a jump of p */
  double *p;      /* m x NODES */
  double *tilt;   /* m x NODES: 2 (p - q) p */
  double *inverse; /* m x CELLS: 1 / (xi_{k+1} - xi_k), or 0 */
  double *up;     /* m x CELLS */
  double *down;   /* m x CELLS */
  double *along;  /* m: R s . e_j */
  double *across; /* m: R |e_j - (s . e_j) s| */
  double *fixed;  /* m x NODES: F_k - Z_k of the present slice */
  double *rho;    /* m, of the present slice */
} WwBoundNodes;

gboolean ww_bound_nodes_init (WwBoundNodes *nodes, const WwBoundRows *rows, const double *along,
                              const double *across, GError **error);
void ww_bound_nodes_clear (WwBoundNodes *nodes);

void ww_bound_nodes_set_slice (WwBoundNodes *nodes, double t1, double t2);

/* Expectations under the smoothed maximum of a row, which are its derivatives: minus those by mu,
 * lambda, kappa and nu. */
typedef struct
{
  double exact;  /* sum over rows of the maxima: the certificate */
  double smooth; /* the same with temperature * log sum exp (. / temperature), which is larger */
  double square; /* sums of the expectations of xi^2 */
  double zeta2;  /* of zeta^2 */
  double zeta;   /* of zeta */
  double square_spread, zeta2_spread, zeta_spread; /* sums of the variances of xi^2, zeta^2, zeta */
} WwBoundRowsSum;

/* mu: m values. ret_mean, ret_spread: m expectations and variances of xi. */
void ww_bound_nodes_sum (const WwBoundNodes *nodes, const double *mu, double lambda, double kappa,
                         double nu, double temperature, double *ret_mean, double *ret_spread,
                         WwBoundRowsSum *ret_sum);

G_END_DECLS

/* The tight bound in one slice of the ball: a Lagrangian dual. Letters and equation (1):
 * ww-bound-rows.h.
 *
 * Slices. With a fixed unit vector s, tau = s . delta / R lies in [-1, 1]; a slice is tau in [t1, t2].
 * delta = tau R s + D with D orthogonal to s and |D|^2 <= R^2 (1 - tau^2). s is the direction of the
 * mean of the e_j, along which the rows agree on what lengthens their change.
 *
 * Rows. Squaring (1) and using |delta| <= R, with zeta_j = e_j . D,
 *   |change_j|^2 <= (p - q)^2 |e|^2 + 2 (p - q) p (tau R s . e + zeta) + p^2 R^2 = g_j (p, tau, zeta),
 * |zeta_j| <= rho_j = R sqrt (1 - min tau^2) |e_j - (s . e_j) s|. tau enters linearly, so that it can
 * be put at an end of the slice. What remains depends on the nudge by xi_j = u_j . delta, from which
 * p_j follows, and by zeta_j.
 *
 * Duality. For all mu_j, lambda > 0, kappa > 0, by adding and subtracting,
 *   sum_j g_j <= sum_j max_{xi, zeta} [g_j - lambda xi^2 - mu_j xi - kappa zeta^2]
 *              + max_{delta in the slice} [lambda |U delta|^2 + mu . U delta + kappa |E' D|^2],      (2)
 * U and E' having the rows u_j and e_j - (s . e_j) s. Whatever the multipliers are, the right side is
 * a bound: stopping their optimisation early costs tightness, never validity.
 *
 * First term of (2), one row at a time: ww-bound-nodes.h. Second term: ww-bound-trust.h. */
#pragma once

#include "ww-bound-nodes.h"
#include "ww-bound-own.h"
#include "ww-bound-trust.h"

G_BEGIN_DECLS

typedef struct
{
  const WwBoundRows *rows;
  WwBoundNodes nodes;
  WwBoundTrust trust;
  WwBoundOwn own;
  double t1, t2;   /* the present slice */
  double *axis;    /* d: s; zero where all e_j are */
  double *mu;      /* m */
  double *mean;    /* m */
  double *moved;   /* m */
  double *spread;  /* m */
  WwBoundRowsSum sum;
  WwBoundTrustValue value;
  double lambda, kappa, excess, nu, temperature;
  double unit;     /* a typical squared change, by which all values are divided */
} WwBoundDual;

gboolean ww_bound_dual_init (WwBoundDual *dual, const WwBoundRows *rows, const WwCancel *cancel,
                             GError **error);
void ww_bound_dual_clear (WwBoundDual *dual);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwBoundDual, ww_bound_dual_clear)

void ww_bound_dual_set_slice (WwBoundDual *dual, double t1, double t2);

/* Multipliers are one vector of m + 4 numbers: mu_j / unit, log (lambda / unit), log (kappa unit), the
 * logarithm of the excess of g (ww-bound-trust.h), nu. */
#define WW_BOUND_EXTRA_MULTIPLIERS 4
gsize ww_bound_dual_get_size (const WwBoundDual *dual);
void ww_bound_dual_guess (const WwBoundDual *dual, double *ret_multipliers);

/* Returns the smoothed value / unit, with its gradient; ret_exact: the certificate for the rows other
 * than i, unit included. */
double ww_bound_dual_evaluate (WwBoundDual *dual, const double *multipliers, double temperature,
                               double *ret_gradient, double *ret_exact);

/* About the diagonal of the second derivatives where _evaluate was last called. */
void ww_bound_dual_diagonal (WwBoundDual *dual, double *ret);

G_END_DECLS

/* The tight bound in one slice of the ball: a Lagrangian dual. Letters and equation (1):
 * ww-bound-rows.h.
 *
 * Slices. With a fixed unit vector s, tau = s . delta / R lies in [-1, 1]; a slice is tau in [t1, t2].
 * delta = tau R s + D with D orthogonal to s and |D|^2 <= R^2 (1 - tau^2). s is the direction of the
 * sum of the e_j and x - o_i, along which the rows agree on what lengthens their change.
 *
 * Rows. Squaring (1) and using |delta| <= R, with zeta_j = e_j . D,
 *   |change_j|^2 <= (p - q)^2 |e|^2 + 2 (p - q) p (tau R s . e + zeta) + p^2 R^2 = g_j (p, tau, zeta),
 * |zeta_j| <= rho_j = R sqrt (1 - min tau^2) |e_j - (s . e_j) s|. tau enters linearly, so that it can
 * be put at an end of the slice. What remains depends on the nudge by xi_j = u_j . delta, from which
 * p_j follows, and by zeta_j. Row i: ww-bound-own.h; its zeta_i = (x - o_i) . D.
 *
 * Duality. By the choice of s the zeta_j sum to zero, zeta_i included. So for all mu_j, lambda_j > 0,
 * kappa > 0 and nu, adding and subtracting,
 *   F <= sum_j max_{xi, zeta} [g_j - lambda_j xi^2 - mu_j xi - kappa zeta^2 - nu zeta] + row i alike
 *      + max_{delta in the slice} [sum_j lambda_j (u_j . delta)^2 + mu . U delta + kappa |E' D|^2],    (2)
 * U having the rows u_j and E' the rows e_j - (s . e_j) s and x - o_i without its part along s.
 * Whatever the multipliers are, the right side is a bound: stopping their optimisation early costs
 * tightness, never validity.
 *
 * First line of (2), one row at a time: ww-bound-nodes.h. Second line: |E' D|^2 <= alpha^2 |D|^2 with
 * alpha^2 the largest eigenvalue of E' E'^T, and with c = R U s, U' = U - (U s) s^T, L = diag (lambda)
 * the rest is
 *   tau^2 c^T L c + tau mu . c + [|L^(1/2) U' D|^2 + (mu + 2 tau L c) . U' D].
 * For every g above the largest eigenvalue of U'^T L U', by completing the square,
 *   |L^(1/2) U' D|^2 + h . D <= g |D|^2 + h^T (g - U'^T L U')^-1 h / 4,   h = U'^T (mu + 2 tau L c).
 * With |D|^2 <= R^2 (1 - tau^2) this is a parabola in tau, whose maximum on [t1, t2] is elementary.
 *
 * Two solvers choose the multipliers: one Newton's method with a lambda for each row
 * (ww-bound-joint.h), one for many rows with a common lambda (ww-bound-shared.h). */
#pragma once

#include "ww-bound-nodes.h"
#include "ww-bound-own.h"

G_BEGIN_DECLS

typedef struct
{
  const WwBoundRows *rows;
  WwBoundNodes nodes;
  WwBoundOwn own;
  double t1, t2;           /* the present slice */
  double *axis;            /* d: s; zero where the vectors cancel */
  double alpha2;           /* rounded up */
  double unit;             /* a typical squared change, which the solvers divide by */
  WwBoundRowState *states; /* m, room for the solvers */
} WwBoundDual;

gboolean ww_bound_dual_init (WwBoundDual *dual, const WwBoundRows *rows, const WwCancel *cancel,
                             GError **error);
void ww_bound_dual_clear (WwBoundDual *dual);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwBoundDual, ww_bound_dual_clear)

void ww_bound_dual_set_slice (WwBoundDual *dual, double t1, double t2);

/* ret (m x d): the rows of `source` (m x d) without their part along s; ret_along (m): R s . row. */
void ww_bound_dual_project (const WwBoundDual *dual, const double *source, double *ret,
                            double *ret_along);

/* A first guess of lambda: unit over the mean square of the xi_j at which rows turn to the token. */
double ww_bound_dual_guess_lambda (const WwBoundDual *dual);

/* The sum over the rows of their change if they turned to the token altogether, at one tau: the scale on
 * which multipliers live. */
double ww_bound_dual_scale (const WwBoundDual *dual, double tau);

/* The largest value of a0 + a1 tau + a2 tau^2 on the slice, and where. */
double ww_bound_dual_largest (const WwBoundDual *dual, double a0, double a1, double a2,
                              double *ret_tau);

G_END_DECLS

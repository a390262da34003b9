/* Row i in one slice of the ball (ww-bound-dual.h): a bound of |change_i|^2. With y = x + delta, the new
 * output is pi y + (1 - pi) c, c a convex combination of the other tokens x_l, so that by convexity
 *   |change_i|^2 <= pi Y + (1 - pi) C,   C = max_l |x_l - o_i|^2 (ReLU: also |o_i|^2, for the output 0),
 *   Y = |x - o_i|^2 + R^2 + 2 max_tau tau R s . (x - o_i) + 2 zeta,   zeta = (x - o_i) . D.
 * zeta is penalised like those of the other rows: of
 *   C + pi (Y - C) - kappa zeta^2 - nu zeta,   |zeta| <= rho = r |(x - o_i) orthogonal to s|,
 * linear in pi, the larger of the values at pi = 0 and at the largest pi is taken;
 * r^2 = R^2 (1 - min tau^2).
 *
 * ReLU: the weight on itself is pi = t / (t + T), t = relu (y^T M y), M = (W + W^T) / (2 sqrt (d)),
 * T = sum_l relu (k_l . y), k_l = W x_l / sqrt (d).
 *   y^T M y <= x^T M x + 2 max_tau tau R s . M x + 2 D . M x + R^2 max (lambda_max (M), 0).
 * If pi = rho / (1 + rho) or more is reached, then t >= rho T, and since relu (a) >= w a for every w in
 * [0, 1]^m, y^T M y - rho w . K y >= 0. Over the slice the left side is at most
 *   Phi (rho) = c0 - rho c1 + r |2 M x - rho K^T w, the part orthogonal to s|,
 *   c0 = x^T M x + 2 max_tau tau R s . M x + R^2 max (lambda_max (M), 0),
 *   c1 = w . K x + min_tau tau R w . K s.
 * So pi is below rho / (1 + rho) for any w and rho with Phi (rho) < 0.
 * Softmax: the weight on itself is not bounded; with logits of size sqrt (d) within reach it comes so
 * close to 1 that nothing would be gained. */
#pragma once

#include "ww-bound-nodes.h"

G_BEGIN_DECLS

typedef struct
{
  const WwBoundRows *rows;
  double hull;        /* C */
  double own2;        /* |x - o_i|^2 */
  double own_along;   /* R s . (x - o_i) */
  double own_across;  /* R |its part orthogonal to s| */
  double score;       /* x^T M x */
  double score_along; /* 2 R s . M x */
  double score_across;
  double score_most;  /* R^2 max (lambda_max (M), 0) */
  gsize n_shares;     /* vectors w kept */
  double *shares;     /* for each: w . K x, R w . K s, R |K^T w orthogonal to s|, R^2 times the product of
                       * that vector and 2 M x */
  double *mx;         /* d: M x without its part along s */
  double weight;      /* of the present slice: the largest pi, Y - 2 zeta, rho */
  double moved;
  double rho;
} WwBoundOwn;

gboolean ww_bound_own_init (WwBoundOwn *own, const WwBoundRows *rows, const double *s,
                            const WwCancel *cancel, GError **error);
void ww_bound_own_clear (WwBoundOwn *own);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwBoundOwn, ww_bound_own_clear)

void ww_bound_own_set_slice (WwBoundOwn *own, double t1, double t2);

/* Adds row i to the sums of the others. */
void ww_bound_own_add (const WwBoundOwn *own, double kappa, double nu, double temperature,
                       WwBoundRowsSum *sum);
double ww_bound_own_exact (const WwBoundOwn *own, double kappa, double nu);

G_END_DECLS

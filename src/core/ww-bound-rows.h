/* What every bound needs to know of one token i: the other rows j of the attention map as functions of
 * the nudge. With x = x_i, q_j and p_j the weight of row j on token i before and after the nudge,
 * a_j the average of the other tokens under row j (which the nudge does not touch) and e_j = x - a_j,
 *
 *   old output o_j = a_j + q_j e_j,   new output = a_j + p_j (e_j + delta),
 *   change_j = (p_j - q_j) e_j + p_j delta,                                                     (1)
 *
 * and p_j depends on the nudge through the one number xi_j = u_j . delta alone, increasingly:
 *   softmax: p = 1 / (1 + exp (-(logit_j + xi))), logit_j = old score - log sum of the others' exp;
 *   ReLU:    p = r / (B_j + r), r = relu (score_j + xi), B_j = sum of the others' relu scores, and
 *            p = 0 where r = 0. Where B_j = 0 the average a_j is 0, which makes (1) hold there too. */
#pragma once

#include "ww-bound.h"

G_BEGIN_DECLS

typedef struct
{
  const WwAttention *attention; /* not owned */
  gsize token;
  gsize count;     /* m = n - 1, the rows other than the token's; may be 0 */
  gsize d;
  double radius;   /* R = radius sqrt (d) */
  const double *x; /* x_i, d */
  double *u;       /* m x d */
  double *e;       /* m x d: x - a_j */
  double *e_norm;  /* m: |e_j| */
  double *u_norm;  /* m: |u_j| */
  double *q;       /* m */
  double *score;   /* m: softmax logit_j, ReLU score_j */
  double *base;    /* m: ReLU B_j; 0 for softmax */
  double *own;     /* d: x - o_i */
  double *scratch; /* d */
  double *room;    /* n: a row of scores while it is looked at */
} WwBoundRows;

/* O(n d), and O(n d) more for each row that puts nearly all its weight on the token. */
gboolean ww_bound_rows_init (WwBoundRows *rows, const WwAttention *attention, gsize token,
                             double radius, const WwCancel *cancel, GError **error);
void ww_bound_rows_clear (WwBoundRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WwBoundRows, ww_bound_rows_clear)

/* p_j where u_j . delta = xi, and p_j - q_j without the cancellation that small xi would bring. */
double ww_bound_rows_weight (const WwBoundRows *rows, gsize j, double xi);
double ww_bound_rows_weight_change (const WwBoundRows *rows, gsize j, double xi);

/* The largest |x_l - o_i|^2 over the other tokens l; 0 where there are none. */
double ww_bound_rows_farthest (const WwBoundRows *rows);

/* Upper bounds of the squared change of all features, ||phi(X') - phi(X)||_F^2: see
 * ww-bound-crude.c. */
double ww_bound_triangle (const WwBoundRows *rows);
double ww_bound_quadratic (const WwBoundRows *rows);

/* Of row i alone, by the hull of what it can look at. */
double ww_bound_own_hull (const WwBoundRows *rows);

G_END_DECLS

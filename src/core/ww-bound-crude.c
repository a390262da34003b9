/* Two bounds of the squared change F = sum_j |change_j|^2 + |change_i|^2 in closed form. Letters and
 * equation (1): ww-bound-rows.h. */
#include <cblas.h>
#include <math.h>
#include <string.h>

#include "ww-attention-private.h"
#include "ww-bound-rows.h"

/* Row i: its new output is a convex combination of the other tokens x_l and of y = x + delta (for ReLU
 * also of 0, where all its scores vanish), and the distance to o_i is convex, so that it is largest at
 * one of them; |y - o_i| <= |x - o_i| + R. */
double
ww_bound_own_hull (const WwBoundRows *rows)
{
  const WwAttention *attention = rows->attention;
  gsize d = rows->d;
  double largest = cblas_dnrm2 (d, rows->own, 1) + rows->radius;

  if (attention->map == WW_MAP_RELU_RAF)
    largest = MAX (largest, cblas_dnrm2 (d, attention->features->data + rows->token * d, 1));
  largest = MAX (largest, sqrt (ww_bound_rows_farthest (rows)));
  return largest * largest;
}

/* Row j: by (1) the change is affine in p, so that its norm is convex in p and largest at p = 0, where
 * it is q |e|, or at p = 1, where it is |(1 - q) e + delta| <= (1 - q) |e| + R. */
double
ww_bound_triangle (const WwBoundRows *rows)
{
  double sum = ww_bound_own_hull (rows);

  for (gsize j = 0; j < rows->count; j++)
    {
      double q = rows->q[j], e = rows->e_norm[j];
      double change = MAX (q * e, (1 - q) * e + rows->radius);

      sum += change * change;
    }
  return sum;
}

/* One row at the two ends of its weight: p lies between the weights at xi = -R |u| and R |u|. */
typedef struct
{
  double p;       /* at the upper end */
  double change;  /* p - q there */
  double largest; /* of |change_j|^2 over the ball, at either end */
  double excess;  /* by how much the lower end can exceed the upper at one delta */
} RowEnds;

static RowEnds
row_ends (const WwBoundRows *rows, gsize j)
{
  double R = rows->radius, e = rows->e_norm[j], reach = R * rows->u_norm[j];
  double low = ww_bound_rows_weight (rows, j, -reach) * R;
  double low_change = -ww_bound_rows_weight_change (rows, j, -reach) * e;
  RowEnds ends = {
    .p = ww_bound_rows_weight (rows, j, reach),
    .change = ww_bound_rows_weight_change (rows, j, reach),
  };
  double least = MAX (ends.change * e - ends.p * R, 0);
  double at_low = (low_change + low) * (low_change + low);
  double at_high = (ends.change * e + ends.p * R) * (ends.change * e + ends.p * R);

  ends.excess = MAX (at_low - least * least, 0);
  ends.largest = MAX (at_low, at_high);
  return ends;
}

/* With P_j the largest weight that row j can reach and v_j = (P_j - q_j) e_j, convexity in p gives
 * |change_j|^2 <= |v_j + P_j delta|^2 + excess_j, the excess covering deltas at which the lower end
 * of the weight is worse. Summed over j the first is a quadratic with P^2 times the identity, whose
 * maximum over the ball is attained along sum_j P_j v_j:
 *   R^2 sum P^2 + 2 R |sum P_j v_j| + sum |v_j|^2.
 * The sum of the rows' own maxima is a bound too, better where weights hardly move. */
double
ww_bound_quadratic (const WwBoundRows *rows)
{
  gsize d = rows->d;
  double R = rows->radius, own = ww_bound_own_hull (rows);
  double squares = 0, constant = 0, separate = 0;
  double *sum = rows->scratch;

  memset (sum, 0, d * sizeof (double));
  for (gsize j = 0; j < rows->count; j++)
    {
      RowEnds ends = row_ends (rows, j);
      double v = ends.change * rows->e_norm[j];

      squares += ends.p * ends.p;
      constant += v * v + ends.excess;
      separate += ends.largest;
      cblas_daxpy (d, ends.p * ends.change, rows->e + j * d, 1, sum, 1);
    }
  return own + MIN (separate, R * R * squares + 2 * R * cblas_dnrm2 (d, sum, 1) + constant);
}

#include "ww-bound-nodes.h"

#include <math.h>
#include <stdlib.h>

#include "ww-attention-private.h"
#include "ww-private.h"

#if defined (__GNUC__) && !defined (__clang__)
/* Nobody reads the floating-point exception flags; minding them keeps the choices below scalar. */
#pragma GCC optimize ("no-trapping-math")
#endif

/* Cells whose value lies this many temperatures below the largest have no weight (exp (-30)). */
#define NEGLIGIBLE 30.0

/* Fills node k: where it lies and what the weight is there. */
static void
set_node (WwBoundNodes *nodes, gsize j, gsize k, double xi, double p)
{
  gsize at = j * WW_BOUND_NODES + k;

  nodes->xi[at] = xi;
  nodes->p[at] = p;
  nodes->tilt[at] = 2 * (p - nodes->rows->q[j]) * p;
}

/* softmax: nodes at fixed logits, denser where the weight turns, moved into the range where they fall
 * out of it; 0, where the curvature changes sign, is one of them. */
static void
place_softmax (WwBoundNodes *nodes, gsize j)
{
  const WwBoundRows *rows = nodes->rows;
  double reach = rows->radius * rows->u_norm[j], logit = -9;

  set_node (nodes, j, 0, -reach, ww_bound_rows_weight (rows, j, -reach));
  for (gsize k = 1; k < WW_BOUND_CELLS; k++)
    {
      double xi = CLAMP (logit - rows->score[j], -reach, reach);

      set_node (nodes, j, k, xi, ww_bound_rows_weight (rows, j, xi));
      logit += k <= 1 ? 2 : k <= 9 ? 0.5 : k <= 19 ? 0.3 : k <= 44 ? 0.16 : k <= 52 ? 0.5 : 2;
      if (fabs (logit) < 1e-9)
        logit = 0;
    }
  set_node (nodes, j, WW_BOUND_CELLS, reach, ww_bound_rows_weight (rows, j, reach));
}

/* ReLU: the weight is 0 up to the score 0, where it has a kink, or a jump if no other token has a
 * score; then nodes at growing distance. */
static void
place_relu (WwBoundNodes *nodes, gsize j)
{
  const WwBoundRows *rows = nodes->rows;
  double reach = rows->radius * rows->u_norm[j];
  double kink = CLAMP (-rows->score[j], -reach, reach);
  gboolean jumps = rows->base[j] == 0;

  set_node (nodes, j, 0, -reach, ww_bound_rows_weight (rows, j, -reach));
  set_node (nodes, j, 1, kink, jumps && kink > -reach ? 0 : ww_bound_rows_weight (rows, j, kink));
  for (gsize k = 2; k <= WW_BOUND_CELLS; k++)
    {
      double part = (double) (k - 2) / (WW_BOUND_CELLS - 2);
      double xi = kink + (reach - kink) * pow (part, 1.3);

      if (k == WW_BOUND_CELLS)
        xi = reach;
      set_node (nodes, j, k, xi,
                jumps ? (kink < reach || ww_bound_rows_weight (rows, j, reach) > 0)
                      : ww_bound_rows_weight (rows, j, xi));
    }
}

/* The largest deviation of theta from linear on a cell, at the point where the slope of p is that of
 * the chord. softmax: p (1 - p) = slope. ReLU: B / (r + B)^2 = slope. */
static void
set_deviation (WwBoundNodes *nodes, gsize j, gsize k)
{
  const WwBoundRows *rows = nodes->rows;
  const double *xi = nodes->xi + j * WW_BOUND_NODES + k, *p = nodes->p + j * WW_BOUND_NODES + k;
  double width = xi[1] - xi[0], rise = p[1] - p[0], slope = rise / width, where;
  gsize at = j * WW_BOUND_CELLS + k;

  nodes->inverse[at] = width > 0 ? 1 / width : 0;
  nodes->up[at] = nodes->down[at] = 0;
  if (!(width > 0) || !(rise > 0) || !isfinite (1 / width))
    {
      nodes->inverse[at] = 0;
      return;
    }

  if (rows->attention->map == WW_MAP_SOFTMAX_RAF)
    {
      double root = sqrt (MAX (1 - 4 * slope, 0));
      double low = 2 * slope / (1 + root);

      where = log (low / (1 - low));
      where = (p[0] + p[1] < 1 ? where : -where) - rows->score[j];
    }
  else
    where = sqrt (rows->base[j] / slope) - rows->base[j] - rows->score[j];

  where = CLAMP (where, xi[0], xi[1]);
  double deviation = (ww_bound_rows_weight (rows, j, where) - p[0]) / rise - (where - xi[0]) / width;
  nodes->up[at] = CLAMP (deviation, 0, 1) + 1e-9;
  nodes->down[at] = CLAMP (-deviation, 0, 1) + 1e-9;
}

gboolean
ww_bound_nodes_init (WwBoundNodes *nodes, const WwBoundRows *rows, const double *along,
                     const double *across, GError **error)
{
  gsize m = rows->count;
  double **arrays[] = { &nodes->xi, &nodes->p, &nodes->tilt, &nodes->inverse, &nodes->up,
                        &nodes->down, &nodes->fixed };

  nodes->rows = rows;
  for (gsize k = 0; k < G_N_ELEMENTS (arrays); k++)
    {
      *arrays[k] = ww_try_alloc (m, WW_BOUND_NODES, sizeof (double), error);
      if (*arrays[k] == NULL)
        return FALSE;
    }
  nodes->along = ww_try_alloc (3, m, sizeof (double), error);
  if (nodes->along == NULL)
    return FALSE;
  nodes->across = nodes->along + m;
  nodes->rho = nodes->along + 2 * m;

  for (gsize j = 0; j < m; j++)
    {
      nodes->along[j] = along[j];
      nodes->across[j] = across[j];
      if (rows->attention->map == WW_MAP_SOFTMAX_RAF)
        place_softmax (nodes, j);
      else
        place_relu (nodes, j);
      for (gsize k = 0; k < WW_BOUND_CELLS; k++)
        set_deviation (nodes, j, k);
    }
  return TRUE;
}

void
ww_bound_nodes_clear (WwBoundNodes *nodes)
{
  free (nodes->xi);
  free (nodes->p);
  free (nodes->tilt);
  free (nodes->inverse);
  free (nodes->up);
  free (nodes->down);
  free (nodes->fixed);
  free (nodes->along);
}

void
ww_bound_nodes_set_slice (WwBoundNodes *nodes, double t1, double t2)
{
  const WwBoundRows *rows = nodes->rows;
  double least = t1 > 0 ? t1 : t2 < 0 ? -t2 : 0;
  double across = sqrt (1 - least * least);

  for (gsize j = 0; j < rows->count; j++)
    {
      double q = rows->q[j], e2 = rows->e_norm[j] * rows->e_norm[j];

      nodes->rho[j] = across * nodes->across[j];
      for (gsize k = 0; k < WW_BOUND_NODES; k++)
        {
          double p = nodes->p[j * WW_BOUND_NODES + k], both = (p - q) * p * nodes->along[j];

          nodes->fixed[j * WW_BOUND_NODES + k] = (p - q) * (p - q) * e2 + 2 * MAX (both * t1, both * t2)
                                                 + p * p * rows->radius * rows->radius;
        }
    }
}

/* F_k and the maximising zeta. */
WW_WIDEST_REGISTERS static void
row_values (const double *restrict fixed, const double *restrict tilt, double kappa, double nu,
            double rho, double *restrict f, double *restrict zeta)
{
  double half = 0.5 / kappa;

  for (gsize k = 0; k < WW_BOUND_NODES; k++)
    {
      double c = tilt[k] - nu, z = c * half;

      z = z < rho ? z : rho;
      z = z > -rho ? z : -rho;
      f[k] = fixed[k] + z * (c - kappa * z);
      zeta[k] = z;
    }
}

/* The value of each cell and where in it. */
WW_WIDEST_REGISTERS static void
row_cells (const double *restrict f, const double *restrict xi, const double *restrict inverse,
           const double *restrict up, const double *restrict down, double mu, double lambda,
           double *restrict value, double *restrict where)
{
  double half = 0.5 / lambda;

  for (gsize k = 0; k < WW_BOUND_CELLS; k++)
    {
      double rise = f[k + 1] - f[k], slope = rise * inverse[k];
      double at = (slope - mu) * half;

      at = at > xi[k] ? at : xi[k];
      at = at < xi[k + 1] ? at : xi[k + 1];
      where[k] = at;
      value[k] = f[k] + slope * (at - xi[k]) - at * (lambda * at + mu)
                 + (rise > 0 ? rise * up[k] : -rise * down[k]);
    }
}

/* What a row's cells add to the sums, each weighted by its share of the smoothed maximum. */
typedef struct
{
  double total, xi, xi2, xi4, zeta, zeta2, zeta4;
} Moments;

static void
add_cell (Moments *moments, double weight, double xi, double theta, const double *zeta)
{
  double xi2 = xi * xi, z = zeta[0] + theta * (zeta[1] - zeta[0]);
  double z2 = zeta[0] * zeta[0] + theta * (zeta[1] * zeta[1] - zeta[0] * zeta[0]);

  moments->total += weight;
  moments->xi += weight * xi;
  moments->xi2 += weight * xi2;
  moments->xi4 += weight * xi2 * xi2;
  moments->zeta += weight * z;
  moments->zeta2 += weight * z2;
  moments->zeta4 += weight * z2 * z2;
}

static void
add_moments (WwBoundRowsSum *sum, const Moments *moments, double *ret_mean, double *ret_spread)
{
  double scale = 1 / moments->total;
  double xi = moments->xi * scale, xi2 = moments->xi2 * scale;
  double zeta = moments->zeta * scale, zeta2 = moments->zeta2 * scale;

  *ret_mean = xi;
  *ret_spread = xi2 - xi * xi;
  sum->square += xi2;
  sum->square_spread += moments->xi4 * scale - xi2 * xi2;
  sum->zeta += zeta;
  sum->zeta_spread += zeta2 - zeta * zeta;
  sum->zeta2 += zeta2;
  sum->zeta2_spread += moments->zeta4 * scale - zeta2 * zeta2;
}

void
ww_bound_nodes_sum (const WwBoundNodes *nodes, const double *mu, double lambda, double kappa,
                    double nu, double temperature, double *ret_mean, double *ret_spread,
                    WwBoundRowsSum *ret_sum)
{
  double f[WW_BOUND_NODES], zeta[WW_BOUND_NODES], value[WW_BOUND_CELLS], where[WW_BOUND_CELLS];
  WwBoundRowsSum sum = { 0 };

  for (gsize j = 0; j < nodes->rows->count; j++)
    {
      const double *xi = nodes->xi + j * WW_BOUND_NODES;
      const double *inverse = nodes->inverse + j * WW_BOUND_CELLS;
      gsize cells = j * WW_BOUND_CELLS, points = j * WW_BOUND_NODES;
      Moments moments = { 0 };
      double top = -INFINITY;

      row_values (nodes->fixed + points, nodes->tilt + points, kappa, nu, nodes->rho[j], f, zeta);
      row_cells (f, xi, inverse, nodes->up + cells, nodes->down + cells, mu[j], lambda, value, where);
      for (gsize k = 0; k < WW_BOUND_CELLS; k++)
        top = MAX (top, value[k]);
      for (gsize k = 0; k < WW_BOUND_CELLS; k++)
        if (value[k] > top - NEGLIGIBLE * temperature)
          add_cell (&moments, exp ((value[k] - top) / temperature), where[k],
                    (where[k] - xi[k]) * inverse[k], zeta + k);
      add_moments (&sum, &moments, ret_mean + j, ret_spread + j);
      sum.exact += top;
      sum.smooth += top + temperature * log (moments.total);
    }
  *ret_sum = sum;
}

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
           double *restrict value, double *restrict where, double *restrict slope)
{
  double half = 0.5 / lambda;

  for (gsize k = 0; k < WW_BOUND_CELLS; k++)
    {
      double rise = f[k + 1] - f[k], steep = rise * inverse[k], at = (steep - mu) * half;

      at = at > xi[k] ? at : xi[k];
      at = at < xi[k + 1] ? at : xi[k + 1];
      where[k] = at;
      slope[k] = steep;
      value[k] = f[k] + steep * (at - xi[k]) - at * (lambda * at + mu)
                 + (rise > 0 ? rise * up[k] : -rise * down[k]);
    }
}

/* One row at given multipliers: F_k, and value and place of the maximum of each cell. */
typedef struct
{
  double f[WW_BOUND_NODES];
  double zeta[WW_BOUND_NODES];
  double value[WW_BOUND_CELLS];
  double where[WW_BOUND_CELLS];
  double slope[WW_BOUND_CELLS];
  double top;
} Row;

static void
row_fill (Row *row, const WwBoundNodes *nodes, gsize j, double mu, double lambda, double kappa,
          double nu)
{
  gsize cells = j * WW_BOUND_CELLS, points = j * WW_BOUND_NODES;

  row_values (nodes->fixed + points, nodes->tilt + points, kappa, nu, nodes->rho[j], row->f,
              row->zeta);
  row_cells (row->f, nodes->xi + points, nodes->inverse + cells, nodes->up + cells,
             nodes->down + cells, mu, lambda, row->value, row->where, row->slope);
  row->top = -INFINITY;
  for (gsize k = 0; k < WW_BOUND_CELLS; k++)
    row->top = MAX (row->top, row->value[k]);
}

double
ww_bound_nodes_exact (const WwBoundNodes *nodes, const double *mu, const double *lambda, double kappa,
                      double nu)
{
  double sum = 0;
  Row row;

  for (gsize j = 0; j < nodes->rows->count; j++)
    {
      row_fill (&row, nodes, j, mu[j], lambda[j], kappa, nu);
      sum += row.top;
    }
  return sum;
}

/* Minus the derivative of the maximising xi by mu: 1 / (2 lambda - F''), F'' read off the slopes of
 * the cells around, since the polygon of a cell has none; nothing at the ends of the range. Where the
 * maximum of a cell leans on a node this is too much, which only makes Newton's steps careful. */
static double
give (const Row *row, const double *xi, const double *inverse, gsize k, double lambda)
{
  double bend = 0;

  if ((k == 0 && row->where[k] <= xi[0])
      || (k == WW_BOUND_CELLS - 1 && row->where[k] >= xi[k + 1]))
    return 0;
  if (k > 0 && k < WW_BOUND_CELLS - 1 && inverse[k - 1] > 0 && inverse[k] > 0 && inverse[k + 1] > 0)
    bend = 2 * (row->slope[k - 1] - row->slope[k + 1]) / (xi[k + 2] + xi[k + 1] - xi[k] - xi[k - 1]);
  return 1 / (2 * lambda + MAX (bend, 0));
}

/* Sums over cells, each weighted by its share of the smoothed maximum: of products of powers of xi (x)
 * and zeta (z), of `give` times powers of xi, and the share of cells where zeta is not at an end of
 * its range, times powers of zeta. */
typedef struct
{
  double total;
  double x, xx, xxx, xxxx, z, zz, zzz, zzzz, xz, xzz, xxz, xxzz;
  double give, give_x, give_xx, free, free_z, free_zz;
} Moments;

static void
add_cell (Moments *moments, double weight, double x, double z, double zz, double given,
          gboolean is_free)
{
  double xx = x * x;

  moments->total += weight;
  moments->x += weight * x;
  moments->xx += weight * xx;
  moments->xxx += weight * xx * x;
  moments->xxxx += weight * xx * xx;
  moments->z += weight * z;
  moments->zz += weight * zz;
  moments->zzz += weight * z * zz;
  moments->zzzz += weight * zz * zz;
  moments->xz += weight * x * z;
  moments->xzz += weight * x * zz;
  moments->xxz += weight * xx * z;
  moments->xxzz += weight * xx * zz;
  moments->give += weight * given;
  moments->give_x += weight * given * x;
  moments->give_xx += weight * given * xx;
  moments->free += is_free ? weight : 0;
  moments->free_z += is_free ? weight * z : 0;
  moments->free_zz += is_free ? weight * zz : 0;
}

static void
row_moments (const Row *row, const WwBoundNodes *nodes, gsize j, double lambda, double temperature,
             Moments *moments)
{
  const double *xi = nodes->xi + j * WW_BOUND_NODES, *inverse = nodes->inverse + j * WW_BOUND_CELLS;

  *moments = (Moments) { 0 };
  for (gsize k = 0; k < WW_BOUND_CELLS; k++)
    if (row->value[k] > row->top - NEGLIGIBLE * temperature)
      {
        double weight = exp ((row->value[k] - row->top) / temperature);
        double theta = (row->where[k] - xi[k]) * inverse[k];
        double z0 = row->zeta[k], z1 = row->zeta[k + 1], z = z0 + theta * (z1 - z0);

        add_cell (moments, weight, row->where[k], z, z0 * z0 + theta * (z1 * z1 - z0 * z0),
                  give (row, xi, inverse, k, lambda), fabs (z) < nodes->rho[j] * (1 - 1e-9));
      }
}

/* The second derivatives of temperature * log sum exp are covariances over the temperature, plus what
 * the maximum within a cell contributes by its place moving. */
static void
add_row (const Moments *moments, double kappa, double temperature, WwBoundRowState *ret_state,
         WwBoundRowsSum *sum)
{
  double scale = 1 / moments->total, cold = scale / temperature, curl = 0.5 * scale / kappa;
  double x = moments->x * scale, xx = moments->xx * scale;
  double z = moments->z * scale, zz = moments->zz * scale;

  ret_state->xi = x;
  ret_state->xi2 = xx;
  ret_state->mu_mu = cold * (moments->xx - x * moments->x) + scale * moments->give;
  ret_state->mu_lambda = cold * (moments->xxx - x * moments->xx) + 2 * scale * moments->give_x;
  ret_state->lambda_lambda = cold * (moments->xxxx - xx * moments->xx) + 4 * scale * moments->give_xx;
  ret_state->mu_nu = cold * (moments->xz - x * moments->z);
  ret_state->mu_kappa = cold * (moments->xzz - x * moments->zz);
  ret_state->lambda_nu = cold * (moments->xxz - xx * moments->z);
  ret_state->lambda_kappa = cold * (moments->xxzz - xx * moments->zz);
  sum->zeta += z;
  sum->zeta2 += zz;
  sum->nu_nu += cold * (moments->zz - z * moments->z) + curl * moments->free;
  sum->nu_kappa += cold * (moments->zzz - z * moments->zz) + 2 * curl * moments->free_z;
  sum->kappa_kappa += cold * (moments->zzzz - zz * moments->zz) + 4 * curl * moments->free_zz;
}

void
ww_bound_nodes_sum (const WwBoundNodes *nodes, const double *mu, const double *lambda, double kappa,
                    double nu, double temperature, WwBoundRowState *ret_states,
                    WwBoundRowsSum *ret_sum)
{
  WwBoundRowsSum sum = { 0 };
  Moments moments;
  Row row;

  for (gsize j = 0; j < nodes->rows->count; j++)
    {
      row_fill (&row, nodes, j, mu[j], lambda[j], kappa, nu);
      row_moments (&row, nodes, j, lambda[j], temperature, &moments);
      add_row (&moments, kappa, temperature, &ret_states[j], &sum);
      sum.exact += row.top;
      sum.smooth += row.top + temperature * log (moments.total);
    }
  *ret_sum = sum;
}

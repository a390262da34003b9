#include "ww-theory.h"

#include <math.h>

#include "ww-rf-private.h"

#define TRACY_WIDOM_MEAN 1.2065335745820 /* minus the mean of the law for real matrices */
#define EXTREME_REACH 1e30

static const struct
{
  const char *id, *others[2]; /* and what else it is called */
} law_names[WW_N_LAWS] = {
  [WW_LAW_INFINITE] = { "infinite", { NULL } },
  [WW_LAW_EDGE] = { "edge", { "f1" } },
  [WW_LAW_FINITE] = { "finite", { "f2", "d2" } },
  [WW_LAW_WEIGHTS] = { "weights", { "f3" } },
};

const char *
ww_law_get_id (WwLaw law)
{
  g_return_val_if_fail ((guint) law < WW_N_LAWS, NULL);

  return law_names[law].id;
}

gboolean
ww_law_from_id (const char *id, WwLaw *ret_law)
{
  g_return_val_if_fail (id != NULL && ret_law != NULL, FALSE);

  for (guint law = 0; law < WW_N_LAWS; law++)
    if (g_str_equal (id, law_names[law].id) || g_strcmp0 (id, law_names[law].others[0]) == 0
        || g_strcmp0 (id, law_names[law].others[1]) == 0)
      {
        *ret_law = (WwLaw) law;
        return TRUE;
      }

  return FALSE;
}

gboolean
ww_law_applies (WwLaw law, WwMap map)
{
  return map == WW_MAP_RF || (map == WW_MAP_DRF && (law == WW_LAW_INFINITE || law == WW_LAW_FINITE));
}

/* (sin theta - theta cos theta) / pi: what one layer takes from 1 - cos theta. The difference cancels as
 * theta^3 / 3, where the series takes over. */
static double
layer_gain (double theta)
{
  double q = theta * theta;

  if (theta < 0.05)
    return theta * q * (1.0 / 3 - q * (1.0 / 30 - q / 840)) / G_PI;

  return (sin (theta) - theta * cos (theta)) / G_PI;
}

/* kappa_L (c) - c, where `gap` = 1 - c. */
static double
kernel_gain (double gap, gsize depth)
{
  double total = 0;

  for (gsize l = 0; l < depth; l++)
    {
      double gain = layer_gain (2 * asin (sqrt (CLAMP (gap / 2, 0, 1))));

      total += gain;
      gap -= gain;
    }

  return total;
}

double
ww_theory_infinite (double share, double reach, gsize depth)
{
  double along, across, rho, gap;

  g_return_val_if_fail (share >= 0 && share <= 1 && reach >= 0 && depth >= 1, NAN);

  /* What switching takes away is smaller by a factor of reach, or of 1 / reach, than reach itself, whose
   * square need not be a number. */
  if (reach < 1 / EXTREME_REACH || reach > EXTREME_REACH)
    return reach;

  along = 1 + share * reach;
  across = reach * sqrt ((1 - share) * (1 + share));
  rho = hypot (along, across);
  gap = across * across / (rho * (rho + along)); /* 1 - along / rho */

  /* 1 + rho^2 - 2 rho kappa = delta^2 - 2 rho (kappa - c), since |x' - x|^2 = 1 + rho^2 - 2 rho c. */
  return sqrt (MAX (reach * reach - 2 * rho * kernel_gain (gap, depth), 0));
}

double
ww_theory_rf_infinite (double n, double radius)
{
  return ww_theory_drf_infinite (n, radius, 1);
}

double
ww_theory_drf_infinite (double n, double radius, gsize depth)
{
  g_return_val_if_fail (n >= 1 && radius >= 0, NAN);

  return ww_theory_infinite (1 / sqrt (n), radius / sqrt (n), depth);
}

double
ww_theory_rf_edge (double n, double radius, double d, double k)
{
  g_return_val_if_fail (d >= 1 && k >= 1, NAN);

  return ww_theory_rf_infinite (n, radius) * (1 + sqrt (2 * d / k));
}

double
ww_theory_rf_finite (double n, double radius, double d, double k)
{
  double m = k / 2, a, b;

  g_return_val_if_fail (d >= 1 && k >= 1, NAN);

  if (m <= 1)
    return NAN;

  a = sqrt (m - 1) + sqrt (d);
  b = cbrt (1 / sqrt (m - 1) + 1 / sqrt (d));
  return ww_theory_rf_infinite (n, radius) * sqrt (MAX ((a * a - TRACY_WIDOM_MEAN * a * b) / m, 0));
}

/* min over z > 0 of (1 + z) (1 + c z)^l / z; its derivative vanishes where c l z^2 + c (l - 1) z = 1. */
static double
product_edge (double c, double l)
{
  double linear = c * (l - 1);
  double z = (sqrt (linear * linear + 4 * c * l) - linear) / (2 * c * l);

  return (1 + z) * pow (1 + c * z, l) / z;
}

double
ww_theory_drf_finite (double n, double radius, double d, double k, gsize depth)
{
  double c = 2 * d / k, edge, s;

  g_return_val_if_fail (d >= 1 && k >= 1 && depth >= 1, NAN);

  edge = product_edge (c, 1);
  s = sqrt (edge) * ww_theory_rf_infinite (n, radius);
  for (gsize l = 2; l <= depth; l++)
    {
      double next = product_edge (c, (double) l);

      s = sqrt (next / edge) * sqrt (MAX (s * s - 2 / G_PI * (s - atan (s)), 0));
      edge = next;
    }

  return s;
}

double
ww_theory_drf_finite_least_n (double radius, gsize depth)
{
  return (depth > WW_D2_CLOSE_DEPTH ? 10 : depth > 2 ? 4 : 1) * fmax (1, radius * radius);
}

gboolean
ww_theory_drf_finite_holds (double n, double radius, double d, double k, gsize depth)
{
  return depth <= 2
         || (depth <= WW_D2_LAST_DEPTH && k >= 2 * d && n >= ww_theory_drf_finite_least_n (radius, depth));
}

double
ww_theory_rf_weights (const WwRf *rf, double radius, double edge)
{
  double share, reach;

  g_return_val_if_fail (rf != NULL && rf->norm > 0, NAN); /* so X is not zero */

  share = MIN (ww_vector_norm (rf->x, rf->d) / rf->whole, 1);
  reach = radius * sqrt ((double) rf->d) / rf->whole;
  return edge / rf->norm * (ww_theory_infinite (share, reach, 1) / reach);
}

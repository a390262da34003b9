#include "ww-theory.h"

#include <math.h>

#include "ww-random.h"
#include "ww-rf-climb.h"
#include "ww-rf-private.h"
#include "ww-search.h"

#define TRACY_WIDOM_MEAN 1.2065335745820 /* minus the mean of the law for real matrices */
#define EXTREME_REACH 1e30
#define SINGULAR_STARTS 4
#define SINGULAR_STEPS 400

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

/* sigma_max of the active rows of V_i. */
static gboolean
find_singular_value (const WwRf *rf, const WwCancel *cancel, double *ret_sigma, GError **error)
{
  const WwClimbPlan plan = { SINGULAR_STEPS, 1e-8, 0, 0 };
  g_autoptr (WwRfClimb) climb = ww_rf_climb_new (rf, 1, SINGULAR_STARTS, error);
  g_autofree double *vector = g_new0 (double, rf->d);
  WwClimber climber;
  guint64 evaluations = 0;
  double value;

  if (climb == NULL)
    return FALSE;

  climber = ww_rf_climb_get_climber (climb);
  for (gsize s = 0; s < SINGULAR_STARTS; s++)
    {
      float *start = climber.get_start (climb, s);

      ww_random_normal_f (0, WW_PURPOSE_STARTS, 0, s * rf->d, rf->d, 1, start);
      if (rf->d == 1 && start[0] == 0) /* the exact zero of the sine is possible */
        start[0] = 1;
    }

  climber.set_linear (climb, TRUE);
  if (!climber.run (climb, SINGULAR_STARTS, &plan, cancel, vector, &value, &evaluations, error))
    return FALSE;

  *ret_sigma = sqrt (value) * rf->unit;
  return TRUE;
}

gboolean
ww_theory_rf_instance (const WwMatrix *x, const WwRf *rf, double radius, const WwCancel *cancel,
                       double *ret_ws, GError **error)
{
  double whole, share, reach, sigma;

  g_return_val_if_fail (x != NULL && rf != NULL && ret_ws != NULL, FALSE);
  g_return_val_if_fail (x->rows == rf->n && x->cols == rf->d, FALSE);

  if (!ww_search_check_radius (radius, error) || !ww_rf_check_norm (rf, error)
      || !find_singular_value (rf, cancel, &sigma, error))
    return FALSE;

  /* A norm above 0 means that X is not zero. */
  whole = ww_matrix_norm (x);
  share = MIN (ww_vector_norm (rf->x, rf->d) / whole, 1);
  reach = radius * sqrt ((double) rf->d) / whole;
  *ret_ws = sigma * (whole / rf->norm) * ww_theory_infinite (share, reach, 1);
  return TRUE;
}

/* The kernels for one precision: REAL, NAME (stem), SQRT, FABS, TINY come from the includer. No
 * include guard, since it is included once per precision. */

/* Sum of an array whose length is a multiple of the lanes, in double precision. Lanes are summed
 * side by side, so that the order does not depend on the width of the registers. */
INSIDE double
NAME (sum_lanes) (gsize count, const REAL *x)
{
  REAL lane[WW_KERNEL_LANES] = { 0 };
  double sum = 0;

  for (gsize j = 0; j < count; j += WW_KERNEL_LANES)
    for (gsize l = 0; l < WW_KERNEL_LANES; l++)
      lane[l] += x[j + l];
  for (gsize l = 0; l < WW_KERNEL_LANES; l++)
    sum += lane[l];
  return sum;
}

/* relu smoothed over a width h: (t + sqrt (t^2 + h^2)) / 2, for negative t written as
 * h^2 / (2 (sqrt - t)), which does not cancel. Its derivative is value / sqrt. The tiny number keeps
 * 0 / 0 away. */
INSIDE REAL
NAME (smooth_relu) (REAL t, REAL h2, REAL *ret_derivative)
{
  REAL root = SQRT (t * t + h2 + TINY);
  REAL far = (REAL) 0.5 * (FABS (t) + root);
  REAL near = (REAL) 0.25 * (h2 + TINY) / far;
  REAL value = t > 0 ? far : near;

  *ret_derivative = value / root;
  return value;
}

WW_WIDEST_REGISTERS void
NAME (ww_kernel_exp) (gsize count, const REAL *x, REAL *ret)
{
  for (gsize j = 0; j < count; j++)
    ret[j] = NAME (exp) (x[j]);
}

WW_WIDEST_REGISTERS double
NAME (ww_kernel_rows_softmax) (gsize count, const REAL *restrict t0, const REAL *restrict q,
                               const REAL *restrict e2, REAL beta, REAL length2,
                               REAL *restrict u, REAL *restrict e, REAL *restrict scratch,
                               double *ret_p2)
{
  REAL *restrict p2 = scratch + count;

  for (gsize j = 0; j < count; j++)
    {
      REAL p = 1 / (1 + NAME (exp) (-beta * (t0[j] + u[j])));
      REAL change = p - q[j];
      REAL slope = 2 * (change * e2[j] + (p + change) * e[j] + p * length2);

      scratch[j] = change * change * e2[j] + 2 * change * p * e[j] + p * p * length2;
      p2[j] = p * p;
      u[j] = slope * beta * p * (1 - p);
      e[j] = 2 * change * p;
    }
  *ret_p2 = NAME (sum_lanes) (count, p2);
  return NAME (sum_lanes) (count, scratch);
}

WW_WIDEST_REGISTERS double
NAME (ww_kernel_rows_relu) (gsize count, const REAL *restrict t0, const REAL *restrict base,
                            const REAL *restrict q, const REAL *restrict e2, REAL smoothing,
                            REAL length2, REAL *restrict u, REAL *restrict e,
                            REAL *restrict scratch, double *ret_p2)
{
  REAL *restrict p2 = scratch + count;
  REAL h2 = smoothing * smoothing, least = (REAL) WW_KERNEL_FLOOR * smoothing;

  for (gsize j = 0; j < count; j++)
    {
      REAL derivative;
      REAL value = NAME (smooth_relu) (t0[j] + u[j], h2, &derivative);
      REAL others = base[j] > least ? base[j] : least;
      REAL sum = others + value + (REAL) 1e-12;
      REAL p = value / sum;
      REAL change = p - q[j];
      REAL slope = 2 * (change * e2[j] + (p + change) * e[j] + p * length2);

      scratch[j] = change * change * e2[j] + 2 * change * p * e[j] + p * p * length2;
      p2[j] = p * p;
      u[j] = slope * derivative * others / (sum * sum);
      e[j] = 2 * change * p;
    }
  *ret_p2 = NAME (sum_lanes) (count, p2);
  return NAME (sum_lanes) (count, scratch);
}

WW_WIDEST_REGISTERS void
NAME (ww_kernel_own_softmax) (gsize count, const REAL *restrict k0, const REAL *restrict w0,
                              REAL own_score, REAL *restrict k, REAL *restrict ret_dw,
                              REAL *restrict scratch, REAL *ret_own_weight, REAL *ret_own_slope)
{
  REAL lane[WW_KERNEL_LANES], top = own_score;

  for (gsize l = 0; l < WW_KERNEL_LANES; l++)
    lane[l] = own_score;
  for (gsize j = 0; j < count; j += WW_KERNEL_LANES)
    for (gsize l = 0; l < WW_KERNEL_LANES; l++)
      {
        REAL score = k0[j + l] + k[j + l];

        lane[l] = score > lane[l] ? score : lane[l];
      }
  for (gsize l = 0; l < WW_KERNEL_LANES; l++)
    top = lane[l] > top ? lane[l] : top;

  for (gsize j = 0; j < count; j++)
    scratch[j] = NAME (exp) (k0[j] + k[j] - top);
  REAL own = NAME (exp) (own_score - top);
  REAL scale = 1 / (REAL) (NAME (sum_lanes) (count, scratch) + own);
  for (gsize j = 0; j < count; j++)
    {
      k[j] = scratch[j] * scale;
      ret_dw[j] = k[j] - w0[j];
    }
  *ret_own_weight = *ret_own_slope = own * scale;
}

WW_WIDEST_REGISTERS void
NAME (ww_kernel_own_relu) (gsize count, const REAL *restrict k0, const REAL *restrict w0,
                           REAL own_score, REAL smoothing, REAL *restrict k,
                           REAL *restrict ret_dw, REAL *restrict scratch, REAL *ret_own_weight,
                           REAL *ret_own_slope)
{
  REAL h2 = smoothing * smoothing, own_derivative;
  REAL own = NAME (smooth_relu) (own_score, h2, &own_derivative);

  for (gsize j = 0; j < count; j++)
    {
      REAL derivative;

      scratch[j] = NAME (smooth_relu) (k0[j] + k[j], h2, &derivative);
      k[j] = derivative;
    }
  REAL scale = 1 / (REAL) (NAME (sum_lanes) (count, scratch) + own + (REAL) WW_KERNEL_FLOOR * smoothing + 1e-12);
  for (gsize j = 0; j < count; j++)
    {
      k[j] *= scale;
      ret_dw[j] = scratch[j] * scale - w0[j];
    }
  *ret_own_weight = own * scale;
  *ret_own_slope = own_derivative * scale;
}

WW_WIDEST_REGISTERS REAL
NAME (ww_kernel_own_slopes) (gsize count, const REAL *restrict w0, const REAL *restrict dw,
                             const REAL *restrict g, REAL own_weight, REAL own_g,
                             REAL *restrict k, REAL *restrict scratch)
{
  for (gsize j = 0; j < count; j++)
    scratch[j] = (w0[j] + dw[j]) * g[j];
  REAL mean = NAME (sum_lanes) (count, scratch) + own_weight * own_g;
  for (gsize j = 0; j < count; j++)
    k[j] = 2 * k[j] * (g[j] - mean);
  return mean;
}

WW_WIDEST_REGISTERS double
NAME (ww_kernel_capture) (gsize count, const REAL *restrict k0, REAL *restrict k,
                          REAL *restrict scratch)
{
  for (gsize j = 0; j < count; j++)
    {
      REAL score = k0[j] + k[j];
      REAL active = score > 0 ? score : 0;

      scratch[j] = (REAL) 0.5 * active * active;
      k[j] = -active;
    }
  return NAME (sum_lanes) (count, scratch);
}

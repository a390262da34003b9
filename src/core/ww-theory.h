/* What word sensitivity ought to be: closed forms and laws for RF and DRF. Derived for this program.
 *
 * Infinite width. With v ~ N(0, I) and theta the angle between x and x',
 *   E relu (v.x) relu (v.x') = |x| |x'| kappa (cos theta) / 2,
 *   kappa (cos theta) = (sin theta + (pi - theta) cos theta) / pi
 * (the arc-cosine kernel of degree 1), so with rho = |x'| / |x|
 *   S^2 = 1 + rho^2 - 2 rho kappa_L (cos theta),
 * kappa_L the L-fold composition, x = vec (X). In units of |x| let the token have length eps and the nudge
 * delta. kappa_L has non-negative power-series coefficients and kappa_L (1) = kappa_L' (1) = 1, from which
 * it follows that S is largest where the nudge lies along the token itself, at any depth: the component
 * of x' along x is then a = 1 + eps delta and across it b = delta sqrt (1 - eps^2). With rows of norm
 * sqrt (d) and a ball of r sqrt (d), eps = 1 / sqrt (n) and delta = r / sqrt (n): d drops out, and for
 * large n and r = 1, S = n^-1/2 (1 - L / (3 pi sqrt (n)) + ...).
 *
 * Finite width. The nudge adapts to the weights, to first order as the top singular vector of the about
 * k/2 active rows of V_i (k/2 x d, Gaussian); see each law. These are asymptotic, not bounds. */
#pragma once

#include "ww-rf.h"

G_BEGIN_DECLS

/* The general form: `share` eps = ||x_i|| / ||X|| in [0, 1], `reach` delta >= 0, depth L >= 1. */
double ww_theory_infinite (double share, double reach, gsize depth);

/* The same for n rows of equal norm sqrt (d) and a radius r, n >= 1 (not only whole numbers). One layer
 * is RF. */
double ww_theory_rf_infinite (double n, double radius);
double ww_theory_drf_infinite (double n, double radius, gsize depth);

/* RF with k features, first order: S_inf (1 + sqrt (2 d / k)), the norm of a Gaussian k/2 x d matrix as
 * both grow (Marchenko-Pastur edge); the loss to switching units is the same factor as at infinite width,
 * which Gordon's comparison confirms to this order. */
double ww_theory_rf_edge (double n, double radius, double d, double k);
/* The same with the mean of the Tracy-Widom law at the edge: m = k/2, A = sqrt (m - 1) + sqrt (d),
 * B = (1 / sqrt (m - 1) + 1 / sqrt (d))^(1/3), S_inf sqrt ((A^2 - 1.2065 A B) / m). About 1 % of the mean
 * over weights where k >= 1000; NaN for k <= 2. */
double ww_theory_rf_finite (double n, double radius, double d, double k);

/* DRF of `depth` layers of k units. The derivative is a product of L masked Gaussian layers on a
 * d-dimensional input, with c = 2 d / k; the largest eigenvalue of its square is, by S-transforms,
 *   lambda_l = min over z > 0 of (1 + z) (1 + c z)^l / z,
 * and the units that switch in a layer do so under a nudge already amplified by those before it:
 *   s_1 = sqrt (lambda_1) S_inf,1,
 *   s_l = sqrt (lambda_l / lambda_{l-1}) sqrt (s^2 - (2 / pi) (s - arctan s)), s = s_{l-1}.
 * Within about 3 % of the mean over weights up to WW_D2_CLOSE_DEPTH layers of k >= 1000 units. Deeper networks
 * exceed it, since what has been lost to switching is counted as if each layer saw the nudge across its input:
 * measured at k = 1024 and n >= 10, by up to 14 % at 8 layers and 30 % at 16. */
double ww_theory_drf_finite (double n, double radius, double d, double k, gsize depth);

/* Up to so many layers it is as close as the other laws; and there is none to compare it with beyond so many. */
#define WW_D2_CLOSE_DEPTH 4
#define WW_D2_LAST_DEPTH 8

/* From which n on it is trusted for rows of norm sqrt (d). A nudge that is not small against the context is
 * amplified by every layer, and too much of it is counted as lost to switching: measured with d = 64 and
 * k = 1024 the law falls short of what is found by 20 to 26 % at n = 2 and 4 for 8 layers, by 13 % at n = 2 for 4
 * layers, and by 3 % at most for 2; from n = 10 and 4 on it is as good as stated. The nudge's length over the
 * context's is radius / sqrt (n). */
double ww_theory_drf_finite_least_n (double radius, gsize depth);

/* Whether ww_theory_drf_finite holds. Layers not at least twice as wide as the rows have so few active units that
 * the limit of many units is far: with d = k = 64 the law was 24 % too large for 4 and 8 layers. */
gboolean ww_theory_drf_finite_holds (double n, double radius, double d, double k, gsize depth);

/* For the weights at hand: R sigma_max (V_i on the rows with u > 0) / ||phi|| times the loss factor of
 * infinite width, S_inf / delta; R = radius sqrt (d). Within 2 % where k >= 1000. `edge` is R sigma_max, which
 * every search finds on its way (WwSearchResult.predicted); ||phi|| > 0. */
double ww_theory_rf_weights (const WwRf *rf, double radius, double edge);

/* The laws by name: what a figure of curves may show beside what was measured. */
typedef enum
{
  WW_LAW_INFINITE, /* infinite width: RF and DRF */
  WW_LAW_EDGE,     /* F1, ww_theory_rf_edge */
  WW_LAW_FINITE,   /* F2 of RF, ww_theory_rf_finite; D2 of DRF, ww_theory_drf_finite */
  WW_LAW_WEIGHTS,  /* F3, ww_theory_rf_weights: RF, for the weights of each trial */
} WwLaw;
#define WW_N_LAWS 4
#define WW_LAW_BIT(law) (1u << (law))
#define WW_ALL_LAW_BITS (WW_LAW_BIT (WW_N_LAWS) - 1)

/* "infinite", "edge", "finite", "weights": in files and on the command line. */
const char *ww_law_get_id (WwLaw law);
/* From that, or from "f1", "f2", "d2" (which is "finite" too) or "f3". */
gboolean ww_law_from_id (const char *id, WwLaw *ret_law);
/* Whether the law is one of this map. */
gboolean ww_law_applies (WwLaw law, WwMap map);

G_END_DECLS

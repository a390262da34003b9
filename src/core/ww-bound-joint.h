/* The solver of the dual (ww-bound-dual.h) with a multiplier lambda_j for each row, by Newton's method
 * along a path of falling temperatures, as interior-point methods do: the maxima of the rows are
 * smoothed (ww-bound-nodes.h), and -temperature / 2 log det (1 - U'^T L U' / g) keeps g above the
 * largest eigenvalue. Both halves are convex in the multipliers.
 *
 * Multipliers are one vector of 2 m + 3 numbers: mu_j / unit, lambda_j / unit, kappa unit, g / unit, nu.
 *
 * With r = L^(1/2), G = U' U'^T, P = g - r G r (m x m) and n = r^-1 mu + 2 tau r c, the resolvent of
 * U'^T L U' is reached through that of r G r: the maximising D satisfies
 *   U' D = G r v / 2,   |D|^2 = (r v)^T G (r v) / 4,   v = P^-1 n,   h^T (..)^-1 h / 4 = n^T r G r v / 4,
 * and A = U' (g - U'^T L U')^-1 U'^T = r^-1 (g P^-1 - 1) r^-1. All derivatives follow from A and
 * w = P^-1 v: those of the maximum by parameters a, b are (d_D d_a)^T (..)^-1 (d_D d_b) / 2. */
#pragma once

#include "ww-bound-dual.h"

G_BEGIN_DECLS

/* All that the nudge's part of the bound has of a set of multipliers. With A = U' (g - U'^T L U')^-1 U'^T,
 * that part is the largest over tau in the slice of
 *   (g + kappa alpha^2) R^2 (1 - tau^2) + tau mu . c + tau^2 c^T L c + n^T A n / 4,   n = mu + 2 tau L c,
 * and the maximising D has |D|^2 = (length0 + 2 tau length1 + tau^2 length2) / 4, whose derivative by g is
 * minus twice (bend0 + 2 tau bend1 + tau^2 bend2) / 4. */
typedef struct
{
  double mm, mc, cc; /* mu^T A mu, mu^T A 2 L c, (2 L c)^T A 2 L c */
  double linear;     /* mu . c */
  double square;     /* c^T L c */
  double length0, length1, length2;
  double bend0, bend1, bend2;
  double kappa, g;
} WwBoundNudge;

typedef struct
{
  WwBoundDual *dual; /* not owned */
  const WwCancel *cancel;
  gsize count;       /* m */
  gsize size;        /* 2 m + 3 */
  double coldest;    /* the last temperature, in parts of the mean change of a row */
  double *gram;      /* m x m, upper: G */
  double *factor;    /* m x m, upper: P, then its inverse */
  double *hessian;   /* size x size, upper */
  float *rough;      /* size x (size + 2), to solve with it in single precision */
  double *vectors;   /* holds those below, m each */
  double *c;
  double *mu, *lambda, *root;
  double *v, *v_mu, *v_c;    /* P^-1 of n, r^-1 mu and 2 r c */
  double *gv_mu, *gv_c;      /* G r of the latter two */
  double *moved;             /* U delta at the maximising delta */
  double *curve;             /* diagonal of g P^-1 - 1 */
  double *work;
  double *at, *gradient, *trial, *direction, *best; /* size each */
  /* At the last point: */
  double kappa, g, nu, tau, temperature, exact;
  WwBoundNudge parts;
  double nudge;       /* the nudge's part of the bound */
  double determinant; /* log det P */
  WwBoundRowsSum sum;
} WwBoundJoint;

/* O(m^2 d); m at least 1. */
gboolean ww_bound_joint_init (WwBoundJoint *joint, WwBoundDual *dual, double coldest,
                              const WwCancel *cancel, GError **error);
void ww_bound_joint_clear (WwBoundJoint *joint);

void ww_bound_joint_guess (WwBoundJoint *joint, double *ret_multipliers);

/* Carries multipliers to another slice: mu_j - 2 lambda_j change c_j, `change` that of tau, leaves n, and
 * with it the maximising D, as they were; mu, lambda and g are multiplied by `scale`. */
void ww_bound_joint_carry (const WwBoundJoint *joint, double change, double scale,
                           double *multipliers);

/* The bound of ||phi (X') - phi (X)||_F^2 in the dual's slice, INFINITY outside of the domain. Improves
 * g among the multipliers where it is far from its best. */
double ww_bound_joint_value (WwBoundJoint *joint, double *multipliers);
/* The same for multipliers that were carried by `change` and `scale` from a point whose parts are known
 * (ww_bound_joint_get_parts, FALSE outside of the domain). Carrying turns n into scale n and A into A / scale
 * where tau is shifted by `change`, so that nothing has to be factored again, unless another g promises to
 * bring the bound below `wanted`. */
gboolean ww_bound_joint_get_parts (WwBoundJoint *joint, const double *multipliers, WwBoundNudge *ret_parts);
double ww_bound_joint_carried_value (WwBoundJoint *joint, const WwBoundNudge *parts, double change,
                                     double scale, double wanted, double *multipliers);

/* Lowers that bound, and returns the lowest, where `multipliers` end. `cold`: they begin as a guess, and
 * `central` ends at a point on the path well inside the domain; else the path is joined there, at the
 * `central` of a slice nearby, since from multipliers at the end of a path no way leads on.
 * `scale`: some bound, for the temperatures. `enough`: a bound at which to stop. */
double ww_bound_joint_improve (WwBoundJoint *joint, double *multipliers, double *central, gboolean cold,
                               double scale, double enough);

/* Used between the files. The smoothed value / unit, INFINITY outside of the domain; then, at the same
 * point, its gradient; then both at another temperature; the upper triangle of its second derivatives. */
double ww_bound_joint_measure (WwBoundJoint *joint, const double *multipliers);
gboolean ww_bound_joint_differentiate (WwBoundJoint *joint, double *ret_gradient);
double ww_bound_joint_cool (WwBoundJoint *joint, double temperature, double *ret_gradient);
void ww_bound_joint_bend (WwBoundJoint *joint);

G_END_DECLS

/* Conjugate gradients (Polak-Ribiere) on the sphere of R^d, one start at a time, in single precision: what
 * the climbs of RF and DRF share. Vectors are rows of the climbs' arrays; nudge has norm 1. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What one start carries from step to step besides its vectors. */
typedef struct
{
  double slope;   /* norm of the last conjugate direction before it was scaled to 1 */
  gboolean fresh; /* the next direction is to be the gradient alone */
  gboolean plain; /* the last one was */
} WwConjugate;

/* Turns `gradient` into its part tangent to the sphere at `nudge`, and writes the next direction, a
 * tangent of norm 1, from it, the last direction and `last` (the last tangent gradient, replaced by the
 * new one). FALSE where there is nowhere to go: a stationary point to single precision. */
gboolean ww_conjugate_turn (WwConjugate *conjugate, const float *nudge, float *gradient, float *last,
                            float *direction, gsize d);

/* Walks by theta along the great circle: new_nudge = cos nudge + sin direction (it may be nudge itself);
 * direction and the last gradient stay tangent. */
void ww_conjugate_walk (double theta, const float *nudge, float *direction, float *last, float *new_nudge,
                        gsize d);

/* Whether among the first `active` starts (rows of `nudges`) one with a larger value, or with the same
 * value and a lower index, stands where start `b` stands. */
gboolean ww_conjugate_is_duplicate (const float *nudges, const double *values, gsize active, gsize d,
                                    gsize b);

/* How many of the active starts are ahead of start `b`. */
gsize ww_conjugate_rank (const double *values, gsize active, gsize b);

/* vector *= 1 / norm */
void ww_conjugate_scale_to_unit (float *vector, gsize d);

G_END_DECLS

/* A layer of DRF in single precision, as batches of nudges pass it: what the climb and the swaps share.
 *
 * What moves through the network is not the features but their change c_l: with u_l = V_l h_{l-1} of the
 * context as it is, relu (u_l + V_l c_{l-1}) - relu (u_l) = max (V_l c_{l-1} + low, -high),
 * low = min (u_l, 0), high = max (u_l, 0), one branch-free form per layer without cancellation, and a unit
 * is at work exactly where its change is above -high. Homogeneity lets every layer have a unit of its own,
 * so that all numbers are of order 1 in single precision. */
#pragma once

#include "ww-drf-private.h"

G_BEGIN_DECLS

typedef struct
{
  const float *weights; /* rows x cols */
  gsize rows, cols;
  const double *u;      /* rows; in the unit of the stage: u / 2^exponent */
  int exponent;
  gsize place;          /* of the layer's units among those of all layers */
} WwDrfStage;

typedef struct
{
  WwDrfStage stages[WW_MAX_DEPTH];
  gsize depth;
  gsize units;  /* of all layers together */
  gsize widest; /* of the layers */
} WwDrfStages;

/* Borrows the arrays of `drf`. */
void ww_drf_stages_init (WwDrfStages *stages, const WwDrf *drf);

/* low and high (units of all layers) for nudges in units of `length`. `linear`: no unit switches (high = inf
 * and low = 0 on the active ones, high = 0 and low = -inf elsewhere), whose best nudge is the top right
 * singular vector of the network's derivative. */
void ww_drf_stages_fill (const WwDrfStages *stages, double length, gboolean linear, float *ret_low,
                         float *ret_high);

/* output (active x rows, one row every `output_step`) = input (active x cols) V^T. WW_CORE_ERROR_CANCELLED. */
gboolean ww_drf_stage_multiply_forth (const WwDrfStage *stage, const float *input, gsize input_step,
                                      gsize active, float *output, gsize output_step,
                                      const WwCancel *cancel, GError **error);
/* output (active x cols) = input (active x rows) V. WW_CORE_ERROR_CANCELLED. */
gboolean ww_drf_stage_multiply_back (const WwDrfStage *stage, const float *input, gsize input_step,
                                     gsize active, float *output, gsize output_step,
                                     const WwCancel *cancel, GError **error);

/* From what a nudge adds to the pre-activations to the change of the units, in place. */
void ww_drf_bend (float *change, const float *low, const float *high, gsize count);
/* Keeps of `values` what belongs to units at work. */
void ww_drf_mask (float *values, const float *change, const float *high, gsize count);

/* The sum of squares, in double precision from some thousand summands on. */
double ww_drf_squared_norm (const float *values, gsize count);

G_END_DECLS

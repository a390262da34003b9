/* Gaussian contexts and nudges for the tests of the attention maps. */
#pragma once

#include "test-util.h"
#include "ww-attention-private.h"

static const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

static inline WwAttention *
make_gaussian (WwMap map, gsize n, gsize d, guint32 trial, double w_scale)
{
  g_autoptr (WwMatrix) x = ww_context_synthetic (n, d, 7, trial, NULL);
  g_autoptr (WwMatrix) w = ww_random_w (d, 7, trial, NULL);
  g_autoptr (GError) error = NULL;

  for (gsize k = 0; k < d * d; k++)
    w->data[k] *= w_scale;
  WwAttention *attention = ww_attention_new (map, x, w, &error);
  g_assert_no_error (error);
  return attention;
}

/* A nudge of norm `length`, different for each `trial`. */
static inline double *
make_nudge (gsize d, double length, guint32 trial)
{
  double *delta = g_new (double, d);

  ww_random_direction (d, 11, trial, delta);
  for (gsize k = 0; k < d; k++)
    delta[k] *= length;
  return delta;
}

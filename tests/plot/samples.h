/* Figures for the tests: made up, but shaped like the real ones. */
#pragma once

#include "ww-plot.h"

typedef enum
{
  SAMPLE_CURVES,        /* three measured curves with bands, a bound and a theory line; log axes */
  SAMPLE_CURVES_LINEAR, /* the same on linear axes, one series hidden */
  SAMPLE_CURVES_EMPTY,
  SAMPLE_CURVES_SINGLE, /* one point a series */
  SAMPLE_CURVES_TINY,   /* values around 1e-7 */
  SAMPLE_CURVES_WIDE,   /* twelve decades */
  SAMPLE_HEATMAP,       /* 12 x 12 tokens, sequential, marked */
  SAMPLE_HEATMAP_LARGE, /* 128 x 128, diverging */
  SAMPLE_HEATMAP_GAPS,  /* 9 x 14 with NaN */
  SAMPLE_HEATMAP_ZERO,  /* all zero */
  SAMPLE_BARS,          /* 12 tokens, two series and a reference */
  SAMPLE_BARS_MANY,     /* 200 tokens */
  N_SAMPLES
} Sample;

const char *sample_get_name (Sample sample);
WwScene *sample_layout (Sample sample, double width, double height, const WwPlotStyle *style);

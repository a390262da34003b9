#include "samples.h"

#include <math.h>

#define N_POINTS 8
#define MAX_TOKENS 200

static const char *const names[N_SAMPLES] = {
  "curves", "curves-linear", "curves-empty", "curves-single", "curves-tiny", "curves-wide",
  "heatmap", "heatmap-large", "heatmap-gaps", "heatmap-zero", "bars", "bars-many",
};

static const char *const words[] = {
  "[CLS]", "the", "lecture", "##r", "nudges", "one", "word", ",", "and", "attention", "shifts",
  "unmistakably", "elsewhere", ".", "[SEP]",
};

const char *
sample_get_name (Sample sample)
{
  return names[sample];
}

typedef struct
{
  double x[N_POINTS], y[4][N_POINTS], lower[3][N_POINTS], upper[3][N_POINTS], bound[N_POINTS];
} Numbers;

static void
fill_numbers (Numbers *numbers, Sample sample)
{
  double unit = sample == SAMPLE_CURVES_TINY ? 1e-7 : 1;

  for (guint i = 0; i < N_POINTS; i++)
    {
      double n = round (10 * pow (25, i / (N_POINTS - 1.0)));
      double values[4] = { 1 / sqrt (n), 0.95 * pow (n, -0.12) / (1 + n * n / 32400),
                           1.6 + 0.1 * sin (1.3 * i), 1.03 / sqrt (n) };

      numbers->x[i] = n;
      numbers->bound[i] = i % 3 == 2 ? NAN : 2.7 * unit;
      for (guint s = 0; s < 4; s++)
        {
          double value = sample == SAMPLE_CURVES_WIDE ? pow (10, -6 + 12.0 * i / (N_POINTS - 1) - s) : values[s];
          numbers->y[s][i] = value * unit;
          if (s == 3)
            continue;
          numbers->lower[s][i] = value * unit * (0.9 - 0.03 * s);
          numbers->upper[s][i] = value * unit * (1.1 + 0.06 * s);
        }
    }
}

static WwScene *
layout_curves (Sample sample, double width, double height, const WwPlotStyle *style)
{
  static const char *const series_names[4] = { "RF: n^-0.50", "ReLU-RAF: n^-0.21", "softmax-RAF: n^0.01",
                                               "theory n^{-1/2}" };
  Numbers numbers;
  WwSeries series[4] = { 0 };
  gboolean linear = sample == SAMPLE_CURVES_LINEAR || sample == SAMPLE_CURVES_TINY;
  WwCurvesFigure figure = {
    .title = "Word sensitivity over the length of the text", .x_label = "context length n",
    .y_label = "word sensitivity", .note = "Points: median over 5 trials; band: inter-quartile range",
    .x_log = !linear, .y_log = !linear, .x_min = NAN, .x_max = NAN, .y_min = NAN, .y_max = NAN,
    .series = series, .n_series = 4, .legend = TRUE,
  };

  fill_numbers (&numbers, sample);
  for (guint s = 0; s < 4; s++)
    series[s] = (WwSeries) {
      .label = series_names[s], .colour = s % 3, .visible = sample != SAMPLE_CURVES_LINEAR || s != 1,
      .dashed = s == 3, .theory = s == 3, .x = numbers.x, .y = numbers.y[s],
      .n_points = sample == SAMPLE_CURVES_EMPTY ? 0 : sample == SAMPLE_CURVES_SINGLE ? 1 : N_POINTS,
      .lower = s < 3 ? numbers.lower[s] : NULL, .upper = s < 3 ? numbers.upper[s] : NULL,
      .bound = s == 2 ? numbers.bound : NULL,
    };
  return ww_curves_figure_layout (&figure, width, height, style, NULL);
}

static void
fill_tokens (const char *tokens[MAX_TOKENS])
{
  for (guint i = 0; i < MAX_TOKENS; i++)
    tokens[i] = words[i % G_N_ELEMENTS (words)];
}

static double
cell_value (Sample sample, gsize row, gsize col, gsize size)
{
  double r = (double) row, c = (double) col;

  switch (sample)
    {
    case SAMPLE_HEATMAP_ZERO:
      return 0;
    case SAMPLE_HEATMAP_LARGE:
      return 0.03 * sin (0.11 * r) * exp (-0.5 * pow ((c - (double) size / 3) / 9, 2)) + 0.01 * sin (0.4 * c);
    case SAMPLE_HEATMAP_GAPS:
      return row == 2 || (row + 2 * col) % 7 == 3 ? NAN : sin (r + 0.3 * c) * 40000;
    default:
      return 0.4 * exp (-0.35 * fabs (r - c)) * (0.6 + 0.4 * sin (1.7 * r + c));
    }
}

static WwScene *
layout_heatmap (Sample sample, double width, double height, const WwPlotStyle *style)
{
  const char *tokens[MAX_TOKENS];
  gsize rows = sample == SAMPLE_HEATMAP_LARGE ? 128 : sample == SAMPLE_HEATMAP_GAPS ? 9 : 12;
  gsize cols = sample == SAMPLE_HEATMAP_GAPS ? 14 : rows;
  g_autofree double *values = g_new (double, rows * cols);
  gboolean diverging = sample == SAMPLE_HEATMAP_LARGE || sample == SAMPLE_HEATMAP_GAPS;
  WwHeatmapFigure figure = {
    .title = "Attention", .x_label = "token looked at", .y_label = "token that looks",
    .bar_label = diverging ? "change of weight" : "weight", .rows = rows, .cols = cols, .values = values,
    .diverging = diverging, .min = NAN, .max = NAN, .row_labels = tokens, .col_labels = tokens,
    .marked_row = sample == SAMPLE_HEATMAP_ZERO ? -1 : 5, .marked_col = sample == SAMPLE_HEATMAP ? 5 : -1,
    .bar = TRUE,
  };

  fill_tokens (tokens);
  for (gsize i = 0; i < rows * cols; i++)
    values[i] = cell_value (sample, i / cols, i % cols, cols);
  return ww_heatmap_figure_layout (&figure, width, height, style, NULL);
}

static WwScene *
layout_bars (Sample sample, double width, double height, const WwPlotStyle *style)
{
  const char *tokens[MAX_TOKENS];
  double softmax[MAX_TOKENS], relu[MAX_TOKENS];
  WwBarSeries series[3] = { { "softmax-RAF", 2, softmax, NAN }, { "ReLU-RAF", 1, relu, NAN },
                            { "RF (whole text)", 0, NULL, 0.31 } };
  WwBarsFigure figure = {
    .title = sample == SAMPLE_BARS ? NULL : "Feature change", .x_label = "token", .y_label = "relative change", .n_bars = sample == SAMPLE_BARS ? 12 : MAX_TOKENS,
    .labels = tokens, .marked = 4, .series = series, .n_series = 3, .y_max = NAN, .legend = TRUE,
  };

  fill_tokens (tokens);
  for (guint i = 0; i < MAX_TOKENS; i++)
    {
      softmax[i] = 0.2 + 0.9 * fabs (sin (1.1 * i));
      relu[i] = i % 5 == 3 ? NAN : 0.1 + 0.3 * fabs (cos (0.7 * i));
    }
  return ww_bars_figure_layout (&figure, width, height, style, NULL);
}

WwScene *
sample_layout (Sample sample, double width, double height, const WwPlotStyle *style)
{
  if (sample <= SAMPLE_CURVES_WIDE)
    return layout_curves (sample, width, height, style);
  if (sample <= SAMPLE_HEATMAP_ZERO)
    return layout_heatmap (sample, width, height, style);
  return layout_bars (sample, width, height, style);
}

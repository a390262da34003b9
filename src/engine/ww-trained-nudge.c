#include "ww-trained-nudge.h"

#include <math.h>

/* How much longer the raw row is than its row of X: with the mean over the rows taken off
 * first, where X has it taken off. */
static double
get_row_scale (const WwMatrix *raw, const WwMatrix *x, const WwInputs *inputs)
{
  const double *row = raw->data + inputs->token * raw->cols;
  gboolean centred = inputs->normalisation == WW_NORMALISATION_CENTRE;
  double sum = 0;

  for (gsize c = 0; c < x->cols; c++)
    {
      double mean = 0;

      for (gsize r = 0; centred && r < x->rows; r++)
        mean += raw->data[r * raw->cols + c] / (double) x->rows;
      sum += (row[c] - mean) * (row[c] - mean);
    }

  return sqrt (sum) / ww_vector_norm (x->data + inputs->token * x->cols, x->cols);
}

gboolean
ww_trained_nudge (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                  const double *unit, double norm, const WwCancel *cancel, WwTrained *ret_trained,
                  GError **error)
{
  int block = ww_inputs_get_block (inputs);
  g_auto (WwTrained) trained = { .block = block, .head = ww_inputs_get_head (inputs) };
  g_autofree double *row = NULL;
  WwMatrix *raw, *x, *before;
  double scale;

  if (block == 0)
    return TRUE;

  before = ww_compute_get_trained (compute, inputs, context_serial, cancel, error);
  if (before == NULL)
    return FALSE;
  trained.before = ww_matrix_ref (before);

  x = ww_compute_get_x (compute, inputs, context_serial, cancel, error);
  raw = x != NULL ? ww_compute_get_raw (compute, inputs, context_serial, x->rows, cancel, error) : NULL;
  if (raw == NULL)
    return FALSE;

  scale = norm * get_row_scale (raw, x, inputs);
  row = g_memdup2 (raw->data + inputs->token * raw->cols, raw->cols * sizeof *row);
  for (gsize c = 0; c < x->cols; c++)
    row[c] += scale * unit[c];
  trained.after = ww_compute_weigh_moved (compute, inputs, context_serial, row, cancel, error);
  if (trained.after == NULL)
    return FALSE;

  *ret_trained = trained;
  trained = (WwTrained) { 0 };
  return TRUE;
}

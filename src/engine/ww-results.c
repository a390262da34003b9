#include "ww-results.h"

#include <math.h>

typedef struct
{
  WwCurve curve; /* first, so that the public pointer is the private one */
  gatomicrefcount ref_count;
} CurveBox;

typedef struct
{
  WwSensitivity sensitivity;
  gatomicrefcount ref_count;
} SensitivityBox;

G_DEFINE_BOXED_TYPE (WwCurve, ww_curve, ww_curve_ref, ww_curve_unref)
G_DEFINE_BOXED_TYPE (WwSensitivity, ww_sensitivity, ww_sensitivity_ref, ww_sensitivity_unref)
G_DEFINE_BOXED_TYPE (WwNudge, ww_nudge, ww_nudge_ref, ww_nudge_unref)

WwCurve *
ww_curve_new (const WwCurvePoint *points, gsize n_points, gsize n_expected, const gsize *lengths,
              gsize n_lengths, const WwInputs *inputs)
{
  CurveBox *box = g_new0 (CurveBox, 1);

  box->curve.points = g_memdup2 (points, n_points * sizeof *points);
  box->curve.n_points = n_points;
  box->curve.n_expected = n_expected;
  box->curve.lengths = g_memdup2 (lengths, n_lengths * sizeof *lengths);
  box->curve.n_lengths = n_lengths;
  box->curve.inputs = ww_inputs_copy (inputs);
  g_atomic_ref_count_init (&box->ref_count);

  return &box->curve;
}

WwCurve *
ww_curve_ref (WwCurve *curve)
{
  g_return_val_if_fail (curve != NULL, NULL);

  g_atomic_ref_count_inc (&((CurveBox *) curve)->ref_count);
  return curve;
}

void
ww_curve_unref (WwCurve *curve)
{
  if (curve == NULL || !g_atomic_ref_count_dec (&((CurveBox *) curve)->ref_count))
    return;

  g_free (curve->points);
  g_free (curve->lengths);
  ww_inputs_free (curve->inputs);
  g_free (curve);
}

WwSensitivity *
ww_sensitivity_new (WwMap map, const double *ws, const WwEffort *efforts, gsize n)
{
  SensitivityBox *box = g_new0 (SensitivityBox, 1);

  box->sensitivity.map = map;
  box->sensitivity.n = n;
  box->sensitivity.ws = g_memdup2 (ws, n * sizeof *ws);
  box->sensitivity.efforts = g_memdup2 (efforts, n * sizeof *efforts);
  for (gsize i = 0; i < n; i++)
    if (!isnan (ws[i]))
      box->sensitivity.n_known++;
  g_atomic_ref_count_init (&box->ref_count);

  return &box->sensitivity;
}

WwSensitivity *
ww_sensitivity_ref (WwSensitivity *sensitivity)
{
  g_return_val_if_fail (sensitivity != NULL, NULL);

  g_atomic_ref_count_inc (&((SensitivityBox *) sensitivity)->ref_count);
  return sensitivity;
}

void
ww_sensitivity_unref (WwSensitivity *sensitivity)
{
  if (sensitivity == NULL
      || !g_atomic_ref_count_dec (&((SensitivityBox *) sensitivity)->ref_count))
    return;

  g_free (sensitivity->ws);
  g_free (sensitivity->efforts);
  g_free (sensitivity);
}

/* What the session publishes: immutable, boxed, shared by reference count. */
#pragma once

#include <glib-object.h>

#include "ww-core.h"
#include "ww-inputs.h"

G_BEGIN_DECLS

/* All points measured so far of one curve. */
typedef struct
{
  WwCurvePoint *points;
  gsize n_points, n_expected;
  gsize *lengths; /* asked for */
  gsize n_lengths;
  WwInputs *inputs; /* what the points were computed from */
} WwCurve;
#define WW_TYPE_CURVE (ww_curve_get_type ())
GType ww_curve_get_type (void);
/* Copies the arrays and the inputs. */
WwCurve *ww_curve_new (const WwCurvePoint *points, gsize n_points, gsize n_expected,
                       const gsize *lengths, gsize n_lengths, const WwInputs *inputs);
WwCurve *ww_curve_ref (WwCurve *curve);
void ww_curve_unref (WwCurve *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwCurve, ww_curve_unref)

/* Word sensitivity per token of the perturbed context, for one map. */
typedef struct
{
  WwMap map;
  gsize n;
  double *ws; /* NaN: not yet; infinity: undefined, because the map has no features */
  WwEffort *efforts; /* n: of the longest search of a token whose value is known */
  gsize n_known;
} WwSensitivity;
#define WW_TYPE_SENSITIVITY (ww_sensitivity_get_type ())
GType ww_sensitivity_get_type (void);
WwSensitivity *ww_sensitivity_new (WwMap map, const double *ws, const WwEffort *efforts,
                                   gsize n); /* copies `ws` and `efforts` */
WwSensitivity *ww_sensitivity_ref (WwSensitivity *sensitivity);
void ww_sensitivity_unref (WwSensitivity *sensitivity);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSensitivity, ww_sensitivity_unref)

#define WW_TYPE_NUDGE (ww_nudge_get_type ()) /* WwNudge of core, boxed */
GType ww_nudge_get_type (void);

G_END_DECLS

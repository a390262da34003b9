/* One axis: where values lie, which ticks it has and what they are called. */
#pragma once

#include "ww-text-private.h"

G_BEGIN_DECLS

typedef struct
{
  double min, max; /* min < max; both above zero where `logarithmic` */
  gboolean logarithmic;
} WwScale;

typedef struct
{
  WwScale scale;
  GArray *values;    /* of double, ascending */
  GPtrArray *labels; /* of char *, one a value; typeset */
  GArray *minor;     /* of double: ticks without a label */
  char *multiplier;  /* what the labels leave out ("×10^-6"), or NULL */
} WwAxis;

/* 0 at the lower end, 1 at the upper; NaN for a value that has no place (not finite, or not above
 * zero on a logarithmic scale). */
double ww_scale_to_unit (const WwScale *scale, double value);
double ww_scale_from_unit (const WwScale *scale, double unit);

/* A scale around the values from `low` to `high` (NaN or low > high: there are none) with `margin` of
 * the length added at both ends. `fixed_min` and `fixed_max` win where they are usable. */
void ww_scale_init (WwScale *scale, gboolean logarithmic, double low, double high, double margin,
                    double fixed_min, double fixed_max);

/* Moves the ends of a scale outwards to places where a tick may be labelled, so that values from `low`
 * to `high` lie between labels; ends that are fixed (usable) stay. */
void ww_scale_enclose (WwScale *scale, double low, double high, double fixed_min, double fixed_max,
                       gboolean integers);

WwAxis *ww_axis_new (const WwScale *scale, guint about);
/* The same for whole numbers: no tick between them. */
WwAxis *ww_axis_new_integers (const WwScale *scale, guint about);
/* Adds labelled ticks near both ends of a logarithmic axis where ww_axis_new left them bare. Other
 * ticks give way where they are nearer than `apart` (1 is the length of the axis), but powers of ten
 * stay. */
void ww_axis_add_ends (WwAxis *axis, gboolean integers, double apart);
void ww_axis_free (WwAxis *axis);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwAxis, ww_axis_free)
/* Of the widest label. */
double ww_axis_get_label_width (const WwAxis *axis, const WwFont *font);

G_END_DECLS

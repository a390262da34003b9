/* Cutting lines and areas at a box, so that no surface ever gets coordinates it cannot hold. */
#pragma once

#include "ww-scene-private.h"

G_BEGIN_DECLS

typedef struct
{
  double left, top, right, bottom;
} WwClipBox;

typedef void (*WwClipFunc) (const WwPoint *points, gsize n_points, gpointer user_data);

/* Calls `func` with each piece of the polyline that lies inside, cut exactly at the box. */
void ww_clip_polyline (const WwClipBox *box, const WwPoint *points, gsize n_points, WwClipFunc func,
                       gpointer user_data);
/* The part of a polygon that lies inside; array of WwPoint, empty if there is none. */
GArray *ww_clip_polygon (const WwClipBox *box, const WwPoint *points, gsize n_points);

G_END_DECLS

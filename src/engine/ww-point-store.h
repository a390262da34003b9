/* The measured points of a curve, kept beyond the curve: a point is a pure function of its map, n,
 * trial and the inputs it was measured from, so that what another range, number of trials or map
 * asks for again is there already. Main thread only. */
#pragma once

#include "ww-core.h"
#include "ww-inputs.h"

G_BEGIN_DECLS

/* One number for (map, n, trial); fits a pointer. */
gsize ww_point_get_key (const WwCurvePoint *point);

typedef struct _WwPointStore WwPointStore;

WwPointStore *ww_point_store_new (void);
void ww_point_store_free (WwPointStore *store); /* NULL is fine */
void ww_point_store_clear (WwPointStore *store);
/* Forgets what `inputs` do not give. `context_serial` stands for set, text and layer. */
void ww_point_store_prepare (WwPointStore *store, const WwInputs *inputs, guint64 context_serial);
/* Takes the place of the same point. */
void ww_point_store_add (WwPointStore *store, const WwCurvePoint *point);
/* What is known of the curve that `inputs` ask for: GArray of WwCurvePoint. `lengths` ascending.
 * Without a bound asked for none is given. */
GArray *ww_point_store_select (const WwPointStore *store, const WwInputs *inputs,
                               const gsize *lengths, gsize n_lengths);

G_END_DECLS

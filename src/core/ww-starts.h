/* The starts of a climb on the sphere, side by side: what the climbs of RF and DRF keep of each and how
 * starts leave, so that those that go on stand together for the next product. */
#pragma once

#include <glib.h>

#include "ww-conjugate.h"

G_BEGIN_DECLS

#define WW_STARTS_MOST_ROWS 4

typedef struct
{
  gsize d, width;
  float *nudge;     /* width x d, unit rows once a climb has begun */
  float *direction; /* of the great circle, width x d, unit rows */
  float *gradient, *last_gradient; /* width x d; tangent to the sphere once turned */
  double *value;    /* the objective, width */
  gboolean *ended;  /* width */
  WwConjugate *conjugate; /* width */

  /* What the climb itself keeps of each start: arrays with one piece for each. */
  struct
  {
    char *pieces; /* not owned */
    gsize size;   /* of a piece, in bytes */
  } rows[WW_STARTS_MOST_ROWS];
  gsize n_rows;
} WwStarts;

/* Room for `width` starts in d dimensions; nothing is allocated after. WW_CORE_ERROR_MEMORY; cleared by
 * ww_starts_clear in any case. `starts` is zero before. */
gboolean ww_starts_init (WwStarts *starts, gsize width, gsize d, GError **error);
void ww_starts_clear (WwStarts *starts);
/* `pieces` (width pieces of `size` bytes) is to move with the starts. */
void ww_starts_add_rows (WwStarts *starts, gpointer pieces, gsize size);

/* The nudges that the caller has filled in become unit rows, and the first `active` starts fresh; their values
 * are -1, which is none. */
void ww_starts_begin (WwStarts *starts, gsize active);
/* From the gradients to the directions in which the active starts go; ended[b] where there is none.
 * ret_along[b] (may be NULL) is <gradient, nudge>, taken before the gradient is made tangent. */
void ww_starts_turn (WwStarts *starts, gsize active, double *ret_along);
/* <gradient, direction> of start b: how steeply half the objective rises along its great circle. */
double ww_starts_get_rise (const WwStarts *starts, gsize b);
/* Notes the best of the active starts if it is the best so far; best: d entries. */
void ww_starts_note_best (const WwStarts *starts, gsize active, double *best, double *best_value);
/* Drops starts that have ended, met a better one, or are not among the best `keep`; returns how many go
 * on, which are then the first. */
gsize ww_starts_thin (WwStarts *starts, gsize active, gsize keep);

G_END_DECLS

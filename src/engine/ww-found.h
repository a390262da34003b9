/* The nudge that a search for the word sensitivity of one token found. */
#pragma once

#include "ww-core.h"

G_BEGIN_DECLS

/* What is searched. */
typedef struct
{
  WwMap map;
  gsize token;
} WwTarget;

/* The nudge that a search found at one token. Immutable, shared by reference count. */
typedef struct
{
  WwMap map;
  gsize token;
  WwEffort effort; /* of the longest search */
  WwEffort by;     /* of the one that found `unit` */
  double ws;    /* NaN: undefined, because the map has no features there */
  guint64 evaluations;
  gsize d;
  double *unit; /* d entries: the direction, of norm 1; NULL where it is undefined */
} WwFound;

/* `target`: whose search `result` is; RF does not know its token. */
WwFound *ww_found_new (const WwSearchResult *result, const WwTarget *target, WwEffort effort);
/* What a search finds where all features are zero: that nothing is the worst. */
WwFound *ww_found_new_undefined (const WwTarget *target, WwEffort effort);
WwFound *ww_found_ref (WwFound *found);
void ww_found_unref (WwFound *found); /* NULL is fine */
/* `found` as it is, with the effort and the evaluations of a longer search that found no more. */
WwFound *ww_found_confirm (const WwFound *found, const WwFound *longer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwFound, ww_found_unref)

G_END_DECLS

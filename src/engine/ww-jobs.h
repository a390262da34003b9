/* The jobs that a session gives to its workers, and what they emit. Each request copies its inputs:
 * the session may change its own while the job runs. */
#pragma once

#include "ww-compute.h"
#include "ww-results.h"
#include "ww-worker.h"

G_BEGIN_DECLS

/* What every computing request starts from. */
typedef struct
{
  WwCompute *compute; /* outlives the worker */
  const WwInputs *inputs;
  guint64 context_serial;
} WwJobContext;

/* ---- Opening a set; emits WwLoad ---- */

typedef struct
{
  double fraction;
  WwSet *set; /* with the last one; else NULL */
} WwLoad;

extern const WwJobClass ww_load_job;
/* `file` NULL: the built-in sample `name`. `cancellable` is what interrupts it. */
gpointer ww_load_request_new (GFile *file, const char *name, GCancellable *cancellable);

/* ---- Text to tokens; emits one WwTokenised ---- */

typedef struct
{
  WwTokens *tokens, *rows; /* NULL: the text has none */
  char *message;           /* why it has none, or which are unknown; NULL: fine */
} WwTokenised;

extern const WwJobClass ww_text_job;
gpointer ww_text_request_new (const WwInputs *inputs);

/* ---- A curve, one slice a step; emits WwSlice ---- */

typedef struct
{
  WwCurvePoint point;
  gsize n_expected;
} WwSlice;

extern const WwJobClass ww_curve_job;
/* `lengths` ascending, not empty, copied. */
gpointer ww_curve_request_new (const WwJobContext *context, const gsize *lengths, gsize n_lengths);

/* ---- The word sensitivity of single tokens, one a step; emits WwFound ---- */

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
  WwEffort effort;
  double ws;
  guint64 evaluations;
  gsize d;
  double *unit; /* d entries: the direction, of norm 1 */
} WwFound;

WwFound *ww_found_ref (WwFound *found);
void ww_found_unref (WwFound *found); /* NULL is fine */
/* `found` as it is, with the effort and the evaluations of a longer search that found no more. */
WwFound *ww_found_confirm (const WwFound *found, const WwFound *longer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwFound, ww_found_unref)

extern const WwJobClass ww_search_job;
/* `targets` in the order wanted, copied. `shared`: RF under one V for all tokens, else drawn for
 * each alone, as a nudge sees it. */
gpointer ww_search_request_new (const WwJobContext *context, WwEffort effort, gboolean shared,
                                const WwTarget *targets, gsize n_targets);

/* ---- One nudge through all maps; emits one WwNudge ---- */

extern const WwJobClass ww_nudge_job;
/* At inputs->token, of norm length sqrt (d): along `found`, or NULL: along the random direction. */
gpointer ww_nudge_request_new (const WwJobContext *context, WwFound *found);

G_END_DECLS

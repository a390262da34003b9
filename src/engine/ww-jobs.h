/* The jobs that compute, and what they emit. Each request copies its inputs: the session may change
 * its own while the job runs. */
#pragma once

#include "ww-compute.h"
#include "ww-found.h"
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

/* ---- A curve, one slice a step; emits WwSlice ---- */

typedef struct
{
  WwCurvePoint point;
  gsize n_left; /* steps after this one */
  double done;  /* of this one; below 1, `point` says nothing */
} WwSlice;

extern const WwJobClass ww_curve_job;
/* `lengths` ascending, not empty, copied. What is among the `known` points (of WwCurvePoint) is not
 * measured again; where bounds are asked for, all points come once without, then those that can have
 * one once more with it. */
gpointer ww_curve_request_new (const WwJobContext *context, const gsize *lengths, gsize n_lengths,
                               const GArray *known);

/* ---- The word sensitivity of single tokens, one a step; emits WwFound ---- */

extern const WwJobClass ww_search_job;
/* `targets` in the order wanted, copied. `shared`: RF under one V for all tokens, else drawn for
 * each alone, as a nudge sees it. */
gpointer ww_search_request_new (const WwJobContext *context, WwEffort effort, gboolean shared,
                                const WwTarget *targets, gsize n_targets);

/* ---- One nudge through all maps; emits one WwNudgeResult ---- */

extern const WwJobClass ww_nudge_job;
/* At inputs->token. Of norm length sqrt (d), along `found` or the random direction; or the part `amount`
 * of the way to inputs->toward_word. `found` is NULL where inputs->direction is not the worst. */
gpointer ww_nudge_request_new (const WwJobContext *context, WwFound *found);

G_END_DECLS

#include "ww-bound-jobs.h"

#include <string.h>

#include "ww-bound.h"

typedef struct
{
  WwCompute *compute;
  WwInputs *inputs;
  guint64 context_serial;
  WwTarget targets[WW_N_MAPS];
  double found[WW_N_MAPS];
  gsize n_targets;
  gsize step; /* of 2 n_targets */
} BoundRequest;

gpointer
ww_bound_request_new (const WwJobContext *context, const WwTarget *targets, const double *found,
                      gsize n_targets)
{
  BoundRequest *request = g_new0 (BoundRequest, 1);

  g_return_val_if_fail (n_targets > 0 && n_targets <= WW_N_MAPS, request);

  request->compute = context->compute;
  request->inputs = ww_inputs_copy (context->inputs);
  request->context_serial = context->context_serial;
  memcpy (request->targets, targets, n_targets * sizeof *targets);
  memcpy (request->found, found, n_targets * sizeof *found);
  request->n_targets = n_targets;

  return request;
}

static void
bound_request_free (gpointer data)
{
  BoundRequest *request = data;

  ww_inputs_free (request->inputs);
  g_free (request);
}

static WwStep
bound_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  BoundRequest *request = data;
  gboolean tight = request->step >= request->n_targets;
  gsize at = request->step % MAX (request->n_targets, 1);
  const WwTarget *target = &request->targets[at];
  WwTokenBound bound = { target->map, target->token, 0 };
  WwAttention *attention = ww_compute_get_attention (request->compute, target->map, request->inputs,
                                                     request->context_serial, cancel, error);

  if (attention == NULL
      || !ww_attention_bound (attention, target->token, request->inputs->radius,
                              tight ? WW_BOUND_TIGHT : WW_BOUND_QUICK, request->found[at], cancel, &bound.bound,
                              error))
    return WW_STEP_FAILED;

  ww_worker_emit (worker, g_memdup2 (&bound, sizeof bound));
  request->step++;
  return request->step < 2 * request->n_targets ? WW_STEP_MORE : WW_STEP_DONE;
}

const WwJobClass ww_bound_job = { bound_step, bound_request_free, g_free };

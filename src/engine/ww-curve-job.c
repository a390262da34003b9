#include <math.h>

#include "ww-jobs.h"
#include "ww-point-store.h"

/* First every point as the search finds it, so that the curve is there; then the bounds. */
typedef enum
{
  PASS_FOUND,
  PASS_BOUND,
} Pass;
#define N_PASSES 2

typedef struct
{
  WwCompute *compute;
  WwInputs *inputs;
  guint64 context_serial;
  gsize *lengths, n_lengths;
  GHashTable *known[N_PASSES]; /* keys of points that a pass leaves out */
  WwSweep *sweeps[N_PASSES];   /* made by the first step; no second without bounds */
  guint pass;
  gsize next;                  /* slice of that pass */
  gsize n_left;                /* slices that are to be measured */
} CurveRequest;

gpointer
ww_curve_request_new (const WwJobContext *context, const gsize *lengths, gsize n_lengths,
                      const GArray *known)
{
  CurveRequest *request = g_new0 (CurveRequest, 1);

  request->compute = context->compute;
  request->inputs = ww_inputs_copy (context->inputs);
  request->context_serial = context->context_serial;
  request->lengths = g_memdup2 (lengths, n_lengths * sizeof *lengths);
  request->n_lengths = n_lengths;
  for (guint pass = 0; pass < N_PASSES; pass++)
    request->known[pass] = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < known->len; i++)
    {
      const WwCurvePoint *point = &g_array_index (known, WwCurvePoint, i);
      gpointer key = GSIZE_TO_POINTER (ww_point_get_key (point));

      g_hash_table_add (request->known[PASS_FOUND], key);
      /* What is undefined has no bound either. */
      if (!isnan (point->upper_bound) || isnan (point->ws))
        g_hash_table_add (request->known[PASS_BOUND], key);
    }

  return request;
}

static void
curve_request_free (gpointer data)
{
  CurveRequest *request = data;

  ww_inputs_free (request->inputs);
  for (guint pass = 0; pass < N_PASSES; pass++)
    {
      g_hash_table_unref (request->known[pass]);
      ww_sweep_unref (request->sweeps[pass]);
    }
  g_free (request->lengths);
  g_free (request);
}

static WwSweep *
make_sweep (const CurveRequest *request, guint pass, const WwCancel *cancel, GError **error)
{
  const WwInputs *inputs = request->inputs;
  gsize d = ww_inputs_get_d (inputs);
  guint maps = pass == PASS_BOUND ? ww_inputs_get_bounded_maps (inputs) : inputs->maps;
  WwSweepSettings settings = {
    .lengths = request->lengths,
    .n_lengths = request->n_lengths,
    .dims = &d,
    .n_dims = 1,
    .trials = inputs->trials,
    .seed = inputs->seed,
    .token = inputs->token_all ? WW_TOKEN_ALL : 0,
    .radius = inputs->radius,
    .effort = (WwEffort) inputs->effort,
    .features = inputs->features,
    .normalisation = (WwNormalisation) inputs->normalisation,
    .depth = inputs->depth,
    .width = inputs->width,
    .bound = pass == PASS_BOUND ? (WwSweepBound) inputs->bound : WW_SWEEP_BOUND_NONE,
  };
  WwMatrix *raw;

  for (guint map = 0; map < WW_N_MAPS; map++)
    if ((maps & WW_MAP_BIT (map)) != 0)
      settings.maps[settings.n_maps++] = (WwMap) map;

  if (inputs->synthetic)
    {
      settings.normalisation = WW_NORMALISATION_PAPER;
      return ww_sweep_new (&settings, NULL, error);
    }

  raw = ww_compute_get_raw (request->compute, inputs, request->context_serial,
                            request->lengths[request->n_lengths - 1], cancel, error);
  if (raw == NULL)
    return NULL;

  return ww_sweep_new (&settings, raw, error);
}

/* A slice that is done sooner is heard of in the end alone. */
#define REPORT_AFTER_US 100000

static gboolean
is_known (const CurveRequest *request, guint pass, gsize slice)
{
  WwCurvePoint point;

  ww_sweep_describe_slice (request->sweeps[pass], slice, &point);
  return g_hash_table_contains (request->known[pass], GSIZE_TO_POINTER (ww_point_get_key (&point)));
}

static gboolean
prepare (CurveRequest *request, const WwCancel *cancel, GError **error)
{
  if (request->sweeps[PASS_FOUND] != NULL)
    return TRUE;

  for (guint pass = 0; pass < N_PASSES; pass++)
    {
      if (pass == PASS_BOUND && ww_inputs_get_bounded_maps (request->inputs) == 0)
        continue;
      request->sweeps[pass] = make_sweep (request, pass, cancel, error);
      if (request->sweeps[pass] == NULL)
        return FALSE;
      for (gsize i = 0; i < ww_sweep_get_n_slices (request->sweeps[pass]); i++)
        request->n_left += !is_known (request, pass, i);
    }

  return TRUE;
}

/* Goes on to the next slice that is to be measured; FALSE: there is none. */
static gboolean
find_next (CurveRequest *request)
{
  for (; request->pass < N_PASSES; request->pass++, request->next = 0)
    {
      const WwSweep *sweep = request->sweeps[request->pass];

      for (; sweep != NULL && request->next < ww_sweep_get_n_slices (sweep); request->next++)
        if (!is_known (request, request->pass, request->next))
          return TRUE;
    }

  return FALSE;
}

/* A slice on its way. */
typedef struct
{
  WwWorker *worker;
  gsize n_left;
  gint64 last; /* when it was heard of */
} Course;

static void
on_progress (double done, gpointer user_data)
{
  Course *course = user_data;
  gint64 now = g_get_monotonic_time ();
  const WwSlice slice = { .n_left = course->n_left, .done = done };

  if (done >= 1 || now - course->last < REPORT_AFTER_US)
    return;

  course->last = now;
  ww_worker_emit (course->worker, g_memdup2 (&slice, sizeof slice));
}

static WwStep
curve_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  CurveRequest *request = data;
  Course course = { .worker = worker, .last = g_get_monotonic_time () };
  WwSlice slice = { .done = 1 };

  if (!prepare (request, cancel, error))
    return WW_STEP_FAILED;
  if (!find_next (request))
    return WW_STEP_DONE;

  course.n_left = request->n_left - 1;
  if (!ww_sweep_run_slice_reporting (request->sweeps[request->pass], request->next, on_progress, &course,
                                     cancel, &slice.point, error))
    return WW_STEP_FAILED;

  request->next++;
  slice.n_left = --request->n_left;
  ww_worker_emit (worker, g_memdup2 (&slice, sizeof slice));

  return slice.n_left > 0 ? WW_STEP_MORE : WW_STEP_DONE;
}

const WwJobClass ww_curve_job = { curve_step, curve_request_free, g_free };

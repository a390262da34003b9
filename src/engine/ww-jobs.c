#include "ww-jobs.h"
#include "ww-trained-nudge.h"

#include <math.h>

/* ---- What the computing requests share ---- */

typedef struct
{
  WwCompute *compute;
  WwInputs *inputs;
  guint64 context_serial;
} Base;

static void
base_init (Base *base, const WwJobContext *context)
{
  base->compute = context->compute;
  base->inputs = ww_inputs_copy (context->inputs);
  base->context_serial = context->context_serial;
}

/* ---- Searches at single tokens ---- */

typedef struct
{
  Base base;
  WwEffort effort;
  gboolean shared;
  WwTarget *targets;
  gsize n_targets;
  gsize next; /* position in targets */
} SearchRequest;

gpointer
ww_search_request_new (const WwJobContext *context, WwEffort effort, gboolean shared,
                       const WwTarget *targets, gsize n_targets)
{
  SearchRequest *request = g_new0 (SearchRequest, 1);

  base_init (&request->base, context);
  request->effort = effort;
  request->shared = shared;
  request->targets = g_memdup2 (targets, n_targets * sizeof *targets);
  request->n_targets = n_targets;

  return request;
}

static void
search_request_free (gpointer data)
{
  SearchRequest *request = data;

  ww_inputs_free (request->base.inputs);
  g_free (request->targets);
  g_free (request);
}

static WwSearchResult *
search_rf (const SearchRequest *request, const WwSearchSettings *settings, const WwCancel *cancel,
           GError **error)
{
  const Base *base = &request->base;
  g_autoptr (WwRf) shared = NULL;
  WwRf *rf;

  if (request->shared)
    rf = shared = ww_compute_make_shared_rf (base->compute, settings->token, base->inputs,
                                             base->context_serial, cancel, error);
  else
    rf = ww_compute_get_rf (base->compute, settings->token, base->inputs, base->context_serial,
                            cancel, error);

  return rf != NULL ? ww_rf_search (rf, settings, cancel, error) : NULL;
}

static WwSearchResult *
search_attention (const SearchRequest *request, WwMap map, const WwSearchSettings *settings,
                  const WwCancel *cancel, GError **error)
{
  const Base *base = &request->base;
  WwAttention *attention = ww_compute_get_attention (base->compute, map, base->inputs,
                                                     base->context_serial, cancel, error);

  if (attention == NULL)
    return NULL;

  return ww_attention_search (attention, settings, cancel, NULL, NULL, error);
}

static WwStep
search_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  SearchRequest *request = data;
  const WwTarget *target = &request->targets[request->next];
  g_autoptr (WwSearchResult) result = NULL;
  g_autoptr (GError) failure = NULL;
  WwSearchSettings settings = {
    .token = target->token,
    .radius = request->base.inputs->radius,
    .effort = request->effort,
    .seed = request->base.inputs->seed,
    .trial = 0,
  };

  result = target->map == WW_MAP_RF
             ? search_rf (request, &settings, cancel, &failure)
             : search_attention (request, target->map, &settings, cancel, &failure);
  if (result == NULL && !g_error_matches (failure, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return WW_STEP_FAILED;
    }

  /* A map without features says nothing about the others that are to be searched. */
  request->next++;
  ww_worker_emit (worker, result != NULL ? ww_found_new (result, target, request->effort)
                                         : ww_found_new_undefined (target, request->effort));

  return request->next < request->n_targets ? WW_STEP_MORE : WW_STEP_DONE;
}

const WwJobClass ww_search_job = { search_step, search_request_free,
                                   (GDestroyNotify) ww_found_unref };

/* ---- One nudge ---- */

typedef struct
{
  Base base;
  WwFound *found; /* only where the direction is the worst */
} NudgeRequest;

gpointer
ww_nudge_request_new (const WwJobContext *context, WwFound *found)
{
  NudgeRequest *request = g_new0 (NudgeRequest, 1);

  base_init (&request->base, context);
  request->found = found != NULL ? ww_found_ref (found) : NULL;

  return request;
}

static void
nudge_request_free (gpointer data)
{
  NudgeRequest *request = data;

  ww_inputs_free (request->base.inputs);
  ww_found_unref (request->found);
  g_free (request);
}

/* Along what is nudged, and how far. */
typedef struct
{
  double *unit; /* d values of norm 1; all zero where `full` is */
  double norm;  /* of the nudge */
  double full;  /* of the longest one along `unit` */
} Course;

static void
course_clear (Course *course)
{
  g_free (course->unit);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Course, course_clear)

static gboolean
head_toward (const Base *base, const WwMatrix *x, const WwCancel *cancel, Course *course,
             GError **error)
{
  const WwInputs *inputs = base->inputs;
  gsize d = x->cols;

  if (!ww_compute_read_word (base->compute, inputs->toward_word, inputs, base->context_serial, cancel,
                             course->unit, error))
    return FALSE;

  course->full = sqrt ((double) d)
                 * ww_swap_toward (x->data + inputs->token * d, course->unit, d, 1.0, course->unit);
  course->norm = inputs->amount * course->full;
  for (gsize i = 0; i < d && course->full > 0; i++)
    course->unit[i] /= course->full;

  return TRUE;
}

static gboolean
course_init (Course *course, const NudgeRequest *request, const WwMatrix *x, const WwCancel *cancel,
             GError **error)
{
  const WwInputs *inputs = request->base.inputs;
  gsize d = x->cols;

  course->unit = g_new (double, d);
  if (inputs->direction == WW_DIRECTION_TOWARD)
    return head_toward (&request->base, x, cancel, course, error);

  course->norm = inputs->length * sqrt ((double) d);
  course->full = inputs->radius * sqrt ((double) d);
  if (request->found != NULL)
    memcpy (course->unit, request->found->unit, d * sizeof *course->unit);
  else
    ww_random_direction (d, inputs->seed, 0, course->unit);

  return TRUE;
}

/* The change of RF, in place of the one by definition that a nudge would be given; without features it stays
 * what it is. */
static gboolean
fill_rf_change (const Base *base, const double *unit, double norm, const WwCancel *cancel,
                double *ret_change, GError **error)
{
  const double *projection;
  WwRf *rf = ww_compute_get_rf (base->compute, base->inputs->token, base->inputs,
                                base->context_serial, cancel, error);

  if (rf == NULL)
    return FALSE;
  if (ww_rf_get_norm (rf) <= 0)
    return TRUE;
  projection = ww_compute_get_projection (base->compute, rf, unit, cancel, error);
  if (projection == NULL)
    return FALSE;

  return ww_rf_evaluate_projected (rf, projection, norm, ret_change, error);
}

static WwNudge *
make_nudge (WwAttention *softmax, WwAttention *relu, gsize token, const double *unit, double norm,
            GError **error)
{
  gsize d = ww_attention_get_x (softmax)->cols;
  g_autofree double *delta = g_new (double, d);

  for (gsize i = 0; i < d; i++)
    delta[i] = norm * unit[i];

  return ww_nudge_new (softmax, relu, NULL, token, delta, error);
}

/* A nudge whose trained attention cannot be had is a nudge nevertheless: only what is cancelled fails.
 * `message`: why there is none; kept if there is one already. */
static gboolean
see_trained (const Base *base, const double *unit, double norm, const WwCancel *cancel,
             WwTrained *ret_trained, char **message, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (ww_trained_nudge (base->compute, base->inputs, base->context_serial, unit, norm, cancel,
                        ret_trained, &failure))
    return TRUE;

  if (ww_cancel_is_raised (cancel))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }

  if (*message == NULL)
    *message = g_strdup (failure->message);
  return TRUE;
}

/* The colour range that `nudge`, one of those along `course`, is shown in. */
static const WwNudgeRange *
find_range (const Base *base, WwAttention *softmax, WwAttention *relu, const Course *course,
            const WwNudge *nudge, const WwTrained *trained, const WwCancel *cancel, char **message,
            GError **error)
{
  gsize token = base->inputs->token;
  WwNudgeRange *range
    = ww_compute_find_range (base->compute, token, course->full, course->unit);

  if (range == NULL)
    {
      g_autoptr (WwNudge) longest
        = make_nudge (softmax, relu, token, course->unit, course->full, error);
      g_auto (WwTrained) furthest = { 0 };
      WwNudgeRange first = { 0 };

      if (longest == NULL
          || !see_trained (base, course->unit, course->full, cancel, &furthest, message, error))
        return NULL;
      ww_nudge_range_include (&first, longest, &furthest);
      range = ww_compute_keep_range (base->compute, token, course->full, course->unit, &first);
    }

  ww_nudge_range_include (range, nudge, trained);
  return range;
}

static WwStep
nudge_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  NudgeRequest *request = data;
  const Base *base = &request->base;
  g_auto (Course) course = { 0 };
  g_auto (WwTrained) trained = { 0 };
  g_autoptr (WwNudge) nudge = NULL;
  g_autofree char *message = NULL;
  WwAttention *softmax, *relu;
  const WwNudgeRange *range;

  softmax = ww_compute_get_attention (base->compute, WW_MAP_SOFTMAX_RAF, base->inputs,
                                      base->context_serial, cancel, error);
  if (softmax == NULL)
    return WW_STEP_FAILED;
  relu = ww_compute_get_attention (base->compute, WW_MAP_RELU_RAF, base->inputs,
                                   base->context_serial, cancel, error);
  if (relu == NULL || !course_init (&course, request, ww_attention_get_x (softmax), cancel, error))
    return WW_STEP_FAILED;

  nudge = make_nudge (softmax, relu, base->inputs->token, course.unit, course.norm, error);
  if (nudge == NULL
      || !fill_rf_change (base, course.unit, course.norm, cancel, &nudge->change[WW_MAP_RF], error))
    return WW_STEP_FAILED;
  if (!see_trained (base, course.unit, course.norm, cancel, &trained, &message, error))
    return WW_STEP_FAILED;
  range = find_range (base, softmax, relu, &course, nudge, &trained, cancel, &message,
                      error);
  if (range == NULL)
    return WW_STEP_FAILED;

  ww_worker_emit (worker, ww_nudge_result_new (nudge, &trained, message, range));

  return WW_STEP_DONE;
}

const WwJobClass ww_nudge_job = { nudge_step, nudge_request_free,
                                  (GDestroyNotify) ww_nudge_result_free };

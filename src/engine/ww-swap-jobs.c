#include "ww-swap-jobs.h"

#define TOP 200          /* words that a person may want to look through */
#define STEPS_PER_EMIT 8 /* a step takes some milliseconds */

typedef struct
{
  WwCompute *compute;
  WwInputs *inputs;
  guint64 context_serial;
  char *word; /* of a word alone */

  /* Of a swap, made by its first step. */
  guint32 *ids; /* of the tokens that are rows */
  WwEntries *entries;
  WwEntryRows rows;
  WwSwap *swap;
  WwSwapRun *run;
  guint n_steps;
} Request;

static gpointer
request_new (const WwJobContext *context)
{
  Request *request = g_new0 (Request, 1);

  request->compute = context->compute;
  request->inputs = ww_inputs_copy (context->inputs);
  request->context_serial = context->context_serial;

  return request;
}

static void
request_free (gpointer data)
{
  Request *request = data;

  ww_swap_run_free (request->run);
  ww_swap_free (request->swap);
  ww_entries_unref (request->entries);
  g_free (request->ids);
  g_free (request->word);
  ww_inputs_free (request->inputs);
  g_free (request);
}

/* ---- The words ---- */

gpointer
ww_words_request_new (const WwJobContext *context)
{
  return request_new (context);
}

static WwStep
words_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  Request *request = data;
  WwEntries *entries = ww_compute_get_entries (request->compute, request->inputs, cancel, error);

  if (entries == NULL)
    return WW_STEP_FAILED;

  ww_worker_emit (worker, ww_entries_ref (entries));
  return WW_STEP_DONE;
}

static void
entries_destroy (gpointer data)
{
  ww_entries_unref (data);
}

const WwJobClass ww_words_job = { words_step, request_free, entries_destroy };

/* ---- One word ---- */

gpointer
ww_word_request_new (const WwJobContext *context, const char *word)
{
  Request *request = request_new (context);

  request->word = g_strdup (word);
  return request;
}

static WwStep
word_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  Request *request = data;
  const WwInputs *inputs = request->inputs;
  WwRowScale *scale = ww_compute_get_scale (request->compute, inputs, request->context_serial, cancel, error);
  g_autofree double *row = scale != NULL ? g_new (double, ww_row_scale_get_dims (scale)) : NULL;

  if (row == NULL
      || !ww_compute_read_word (request->compute, request->word, inputs, request->context_serial,
                                cancel, row, error))
    return WW_STEP_FAILED;

  return WW_STEP_DONE;
}

const WwJobClass ww_word_job = { word_step, request_free, g_free };

/* ---- Swaps ---- */

gpointer
ww_swap_request_new (const WwJobContext *context)
{
  return request_new (context);
}

static WwSwap *
make_swap (const Request *request, const WwCancel *cancel, GError **error)
{
  const WwInputs *inputs = request->inputs;
  WwMap map = (WwMap) inputs->swap_map;
  WwAttention *attention;
  g_autoptr (WwDrf) drf = NULL;
  WwMatrix *x;
  WwRf *rf;

  if (map == WW_MAP_RF)
    {
      rf = ww_compute_get_rf (request->compute, inputs->token, inputs, request->context_serial,
                              cancel, error);
      return rf != NULL ? ww_swap_new_rf (rf, error) : NULL;
    }

  if (map == WW_MAP_DRF)
    {
      x = ww_compute_get_x (request->compute, inputs, request->context_serial, cancel, error);
      drf = x != NULL ? ww_drf_new_drawn (x, inputs->token, inputs->depth, inputs->width, inputs->seed,
                                          0, cancel, error)
                      : NULL;
      return drf != NULL ? ww_swap_new_drf (drf, error) : NULL;
    }

  attention = ww_compute_get_attention (request->compute, map, inputs, request->context_serial,
                                        cancel, error);
  return attention != NULL ? ww_swap_new_attention (attention, inputs->token, 1, cancel, error)
                           : NULL;
}

/* All that the steps need; nothing where something is missing. */
static gboolean
start (Request *request, const WwCancel *cancel, GError **error)
{
  const WwInputs *inputs = request->inputs;
  WwEntries *entries = ww_compute_get_entries (request->compute, inputs, cancel, error);
  g_autoptr (WwSwap) swap = NULL;
  WwRowScale *scale;

  if (entries == NULL || !ww_entries_check_layer (entries, inputs->layer, error))
    return FALSE;
  scale = ww_compute_get_scale (request->compute, inputs, request->context_serial, cancel, error);
  if (scale == NULL)
    return FALSE;
  swap = make_swap (request, cancel, error);
  if (swap == NULL)
    return FALSE;

  g_clear_pointer (&request->entries, ww_entries_unref);
  g_free (request->ids);
  request->entries = ww_entries_ref (entries);
  request->ids = ww_inputs_dup_ids (inputs);
  request->rows = (WwEntryRows) { entries, inputs->layer, request->ids, inputs->token };
  request->run = ww_swap_run_new (swap, scale, ww_entries_get_n (entries), ww_entries_read_rows,
                                  &request->rows, TOP, error);
  if (request->run == NULL)
    return FALSE;

  request->swap = g_steal_pointer (&swap);
  return TRUE;
}

static WwStep
swap_step (gpointer data, WwWorker *worker, const WwCancel *cancel, GError **error)
{
  Request *request = data;
  const WwInputs *inputs = request->inputs;
  gboolean done;

  if ((request->run == NULL && !start (request, cancel, error))
      || !ww_swap_run_step (request->run, cancel, error))
    return WW_STEP_FAILED;

  done = ww_swap_run_is_done (request->run);
  if (done || request->n_steps++ % STEPS_PER_EMIT == 0)
    ww_worker_emit (worker, ww_swaps_new ((WwMap) inputs->swap_map, inputs->token, request->run,
                                          0, request->entries, inputs));

  return done ? WW_STEP_DONE : WW_STEP_MORE;
}

static void
swaps_destroy (gpointer data)
{
  ww_swaps_unref (data);
}

const WwJobClass ww_swap_job = { swap_step, request_free, swaps_destroy };

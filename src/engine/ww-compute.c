#include "ww-compute.h"

#include <glib/gi18n-lib.h>

#define N_RF 2 /* the token that is shown and the one before: k d numbers each */

struct _WwCompute
{
  guint64 context_serial;
  WwMatrix *raw;

  gsize perturb_rows, d; /* of x */
  guint normalisation;
  WwMatrix *x;
  WwRowScale *scale; /* of x, or NULL */

  WwEntries *entries; /* of one set, or NULL */

  int trained_head;
  WwMatrix *trained; /* weights of that head, or NULL */
  WwWeigher *weigher; /* of the rows of x, or NULL */

  guint64 seed; /* of everything below */
  WwMatrix *w;
  WwAttention *attention[WW_N_SESSION_MAPS];
  gsize ranged_token;
  double ranged_full, *ranged_unit; /* d values, or NULL: no range */
  WwNudgeRange range;

  gsize features; /* of everything below */
  WwRf *rf[N_RF]; /* latest first */
  double *u;      /* features values, or NULL */
  gsize projected_token;
  double *projected_unit, *projection; /* d and features values, or both NULL */
};

WwCompute *
ww_compute_new (void)
{
  return g_new0 (WwCompute, 1);
}

static void
drop_projection (WwCompute *compute)
{
  g_clear_pointer (&compute->projected_unit, g_free);
  g_clear_pointer (&compute->projection, g_free);
}

static void
drop_rf (WwCompute *compute)
{
  drop_projection (compute);
  for (guint i = 0; i < N_RF; i++)
    g_clear_pointer (&compute->rf[i], ww_rf_unref);
  g_clear_pointer (&compute->u, g_free);
}

static void
drop_seeded (WwCompute *compute)
{
  drop_rf (compute);
  g_clear_pointer (&compute->ranged_unit, g_free);
  for (guint i = 0; i < WW_N_SESSION_MAPS; i++)
    g_clear_pointer (&compute->attention[i], ww_attention_unref);
  g_clear_pointer (&compute->w, ww_matrix_unref);
}

static void
drop_x (WwCompute *compute)
{
  drop_seeded (compute);
  g_clear_pointer (&compute->trained, ww_matrix_unref);
  g_clear_pointer (&compute->weigher, ww_weigher_free);
  g_clear_pointer (&compute->x, ww_matrix_unref);
  g_clear_pointer (&compute->scale, ww_row_scale_unref);
}

static void
drop_raw (WwCompute *compute)
{
  drop_x (compute);
  g_clear_pointer (&compute->raw, ww_matrix_unref);
}

void
ww_compute_free (WwCompute *compute)
{
  if (compute == NULL)
    return;

  drop_raw (compute);
  g_clear_pointer (&compute->entries, ww_entries_unref);
  g_free (compute);
}

WwMatrix *
ww_compute_get_raw (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                    gsize n_rows, const WwCancel *cancel, GError **error)
{
  g_autoptr (WwTokens) head = NULL;
  WwMatrix *raw;

  if (compute->context_serial != context_serial)
    drop_raw (compute);
  compute->context_serial = context_serial;

  /* Behind a block a row depends on the whole text, however few of its rows are asked for. */
  if (inputs->layer > 0)
    n_rows = ww_inputs_get_n_rows (inputs);

  if (compute->raw != NULL && compute->raw->rows >= n_rows)
    return compute->raw;

  head = ww_tokens_head (inputs->rows, n_rows);
  raw = ww_set_get_context_cancellable (inputs->set, head, inputs->layer, cancel, error);
  if (raw == NULL)
    return NULL;

  /* X is a copy of some of the same rows: more of them do not make it wrong. */
  g_clear_pointer (&compute->raw, ww_matrix_unref);
  compute->raw = raw;

  return raw;
}

WwMatrix *
ww_compute_get_x (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                  const WwCancel *cancel, GError **error)
{
  g_autoptr (WwMatrix) head = NULL;
  gsize n = ww_inputs_get_perturb_rows (inputs);
  gsize d = ww_inputs_get_d (inputs);
  WwMatrix *raw = ww_compute_get_raw (compute, inputs, context_serial, n, cancel, error);

  if (raw == NULL)
    return NULL;

  if (compute->x != NULL && compute->perturb_rows == n && compute->d == d
      && compute->normalisation == inputs->normalisation)
    return compute->x;

  drop_x (compute);
  head = ww_matrix_head (raw, n, raw->cols, error);
  if (head == NULL)
    return NULL;

  compute->x = ww_context_prepare (head, d, (WwNormalisation) inputs->normalisation, error);
  compute->perturb_rows = n;
  compute->d = d;
  compute->normalisation = inputs->normalisation;

  return compute->x;
}

WwRowScale *
ww_compute_get_scale (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                      const WwCancel *cancel, GError **error)
{
  WwMatrix *x = ww_compute_get_x (compute, inputs, context_serial, cancel, error);
  g_autoptr (WwMatrix) head = NULL;

  if (x == NULL)
    return NULL;
  if (compute->scale != NULL)
    return compute->scale;

  head = ww_matrix_head (compute->raw, x->rows, compute->raw->cols, error);
  if (head == NULL)
    return NULL;

  compute->scale = ww_row_scale_new (head, x->cols, (WwNormalisation) inputs->normalisation, error);
  return compute->scale;
}

WwEntries *
ww_compute_get_entries (WwCompute *compute, const WwInputs *inputs, const WwCancel *cancel,
                        GError **error)
{
  if (compute->entries != NULL && ww_entries_get_set (compute->entries) == inputs->set)
    return compute->entries;

  g_clear_pointer (&compute->entries, ww_entries_unref);
  compute->entries = ww_entries_new (inputs->set, cancel, error);

  return compute->entries;
}

gboolean
ww_compute_read_word (WwCompute *compute, const char *word, const WwInputs *inputs,
                      guint64 context_serial, const WwCancel *cancel, double *ret_row, GError **error)
{
  WwEntries *entries = ww_compute_get_entries (compute, inputs, cancel, error);
  g_autofree guint32 *ids = ww_inputs_dup_ids (inputs);
  WwEntryRows rows = { entries, inputs->layer, ids, inputs->token };
  WwRowScale *scale = entries != NULL ? ww_compute_get_scale (compute, inputs, context_serial, cancel, error) : NULL;

  return scale != NULL && ww_entry_rows_read_word (&rows, word, scale, ret_row, error);
}

/* X, with what belongs to another seed forgotten. */
static WwMatrix *
get_seeded_x (WwCompute *compute, const WwInputs *inputs, guint64 context_serial, const WwCancel *cancel,
              GError **error)
{
  WwMatrix *x = ww_compute_get_x (compute, inputs, context_serial, cancel, error);

  if (x != NULL && compute->seed != inputs->seed)
    drop_seeded (compute);
  compute->seed = inputs->seed;

  return x;
}

WwAttention *
ww_compute_get_attention (WwCompute *compute, WwMap map, const WwInputs *inputs,
                          guint64 context_serial, const WwCancel *cancel, GError **error)
{
  WwMatrix *x = get_seeded_x (compute, inputs, context_serial, cancel, error);

  if (x == NULL)
    return NULL;

  if (compute->w == NULL)
    compute->w = ww_random_w (x->cols, inputs->seed, 0, error);
  if (compute->w == NULL)
    return NULL;

  if (compute->attention[map] == NULL)
    compute->attention[map] = ww_attention_new (map, x, compute->w, error);

  return compute->attention[map];
}

/* X, with what belongs to another seed or number of features forgotten. */
static WwMatrix *
get_featured_x (WwCompute *compute, const WwInputs *inputs, guint64 context_serial, const WwCancel *cancel,
                GError **error)
{
  WwMatrix *x = get_seeded_x (compute, inputs, context_serial, cancel, error);
  gsize features;

  if (x == NULL)
    return NULL;

  features = inputs->features > 0 ? inputs->features : x->rows * x->cols;
  if (features > WW_MAX_FEATURES)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                   _("RF with k = n d = %zu features is more than %d: choose k"),
                   features, WW_MAX_FEATURES);
      return NULL;
    }

  if (compute->features != features)
    drop_rf (compute);
  compute->features = features;

  return x;
}

WwRf *
ww_compute_get_rf (WwCompute *compute, gsize token, const WwInputs *inputs, guint64 context_serial,
                   const WwCancel *cancel, GError **error)
{
  WwMatrix *x = get_featured_x (compute, inputs, context_serial, cancel, error);
  WwRf *rf;

  if (x == NULL)
    return NULL;

  for (guint i = 0; i < N_RF; i++)
    if (compute->rf[i] != NULL && ww_rf_get_token (compute->rf[i]) == token)
      return compute->rf[i];

  rf = ww_rf_new_drawn (x, token, compute->features, inputs->seed, 0, cancel, error);
  if (rf == NULL)
    return NULL;

  g_clear_pointer (&compute->rf[N_RF - 1], ww_rf_unref);
  for (guint i = N_RF - 1; i > 0; i--)
    compute->rf[i] = compute->rf[i - 1];
  compute->rf[0] = rf;

  return rf;
}

static double *
try_new_features (gsize features, GError **error)
{
  double *values = g_try_new (double, features);

  if (values == NULL)
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_MEMORY,
                 _("Not enough memory for %zu features"), features);

  return values;
}

const double *
ww_compute_get_projection (WwCompute *compute, WwRf *rf, const double *unit,
                           const WwCancel *cancel, GError **error)
{
  gsize d = ww_rf_get_dims (rf);
  g_autofree double *projection = NULL;

  if (compute->projection != NULL && compute->projected_token == ww_rf_get_token (rf)
      && memcmp (compute->projected_unit, unit, d * sizeof *unit) == 0)
    return compute->projection;

  projection = try_new_features (ww_rf_get_features (rf), error);
  if (projection == NULL || !ww_rf_project (rf, unit, cancel, projection, error))
    return NULL;

  drop_projection (compute);
  compute->projected_token = ww_rf_get_token (rf);
  compute->projected_unit = g_memdup2 (unit, d * sizeof *unit);
  compute->projection = g_steal_pointer (&projection);

  return compute->projection;
}

WwMatrix *
ww_compute_get_trained (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                        const WwCancel *cancel, GError **error)
{
  g_autoptr (WwMatrix) state = NULL;
  int head = ww_inputs_get_head (inputs);

  if (ww_compute_get_x (compute, inputs, context_serial, cancel, error) == NULL)
    return NULL;
  if (compute->trained != NULL && compute->trained_head == head)
    return compute->trained;

  /* Its colours are among those that the range stands for. */
  g_clear_pointer (&compute->ranged_unit, g_free);
  g_clear_pointer (&compute->trained, ww_matrix_unref);
  state = ww_matrix_head (compute->raw, compute->perturb_rows, compute->raw->cols, error);
  if (state == NULL)
    return NULL;
  compute->trained = ww_set_weigh_state (inputs->set, state, ww_inputs_get_block (inputs),
                                         head, cancel, error);
  compute->trained_head = head;

  return compute->trained;
}

WwMatrix *
ww_compute_weigh_moved (WwCompute *compute, const WwInputs *inputs, guint64 context_serial,
                        const double *values, const WwCancel *cancel, GError **error)
{
  if (ww_compute_get_x (compute, inputs, context_serial, cancel, error) == NULL)
    return NULL;

  if (compute->weigher == NULL)
    {
      g_autoptr (WwMatrix) state
        = ww_matrix_head (compute->raw, compute->perturb_rows, compute->raw->cols, error);

      if (state == NULL)
        return NULL;
      compute->weigher
        = ww_set_new_weigher (inputs->set, state, ww_inputs_get_block (inputs), error);
      if (compute->weigher == NULL)
        return NULL;
    }

  return ww_weigher_weigh (compute->weigher, inputs->token, values, ww_inputs_get_head (inputs), cancel,
                           error);
}

WwNudgeRange *
ww_compute_find_range (WwCompute *compute, gsize token, double full, const double *unit)
{
  gboolean same = compute->ranged_unit != NULL && compute->ranged_token == token
                  && compute->ranged_full == full
                  && memcmp (compute->ranged_unit, unit, compute->d * sizeof *unit) == 0;

  return same ? &compute->range : NULL;
}

WwNudgeRange *
ww_compute_keep_range (WwCompute *compute, gsize token, double full, const double *unit,
                       const WwNudgeRange *range)
{
  g_free (compute->ranged_unit);
  compute->ranged_unit = g_memdup2 (unit, compute->d * sizeof *unit);
  compute->ranged_token = token;
  compute->ranged_full = full;
  compute->range = *range;

  return &compute->range;
}

WwRf *
ww_compute_make_shared_rf (WwCompute *compute, gsize token, const WwInputs *inputs,
                           guint64 context_serial, const WwCancel *cancel, GError **error)
{
  WwMatrix *x = get_featured_x (compute, inputs, context_serial, cancel, error);

  if (x == NULL)
    return NULL;

  if (compute->u == NULL)
    {
      g_autofree double *u = try_new_features (compute->features, error);

      if (u == NULL
          || !ww_rf_preactivations (x, compute->features, inputs->seed, 0, cancel, u, error))
        return NULL;
      compute->u = g_steal_pointer (&u);
    }

  return ww_rf_new_generated (x, token, compute->features, inputs->seed, 0, compute->u, cancel,
                              error);
}

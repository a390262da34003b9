#include "ww-sweep.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ww-attention-private.h"
#include "ww-bound.h"
#include "ww-drf.h"
#include "ww-private.h"
#include "ww-rf.h"

/* Points of one curve: beyond this nobody waits, and slice numbers stay far from overflow. */
#define MAX_AXIS 65536

struct _WwSweep
{
  gatomicrefcount ref_count;
  WwSweepSettings settings; /* lengths and dims point to the arrays below */
  gsize *lengths;           /* coarse first */
  gsize *dims;
  WwMatrix *raw;            /* or NULL: synthetic */
  gsize n_slices;
};

/* What the values of an axis are, for what is said of them. */
typedef enum
{
  AXIS_LENGTHS,
  AXIS_DIMS
} Axis;

/* Which slice is which: an index taken apart. */
typedef struct
{
  WwMap map;
  gsize n, d, k;
  guint trial;
} Slice;

static int
compare_sizes (gconstpointer first, gconstpointer second, gpointer user_data)
{
  gsize a = *(const gsize *) first, b = *(const gsize *) second;

  return a < b ? -1 : a > b;
}

/* A sorted copy without repeats. */
static gsize *
copy_sorted (const gsize *values, gsize count, gsize *ret_count)
{
  gsize *sorted = g_memdup2 (values, count * sizeof (gsize));
  gsize kept = 0;

  g_qsort_with_data (sorted, (int) count, sizeof (gsize), compare_sizes, NULL);
  for (gsize i = 0; i < count; i++)
    if (kept == 0 || sorted[kept - 1] != sorted[i])
      sorted[kept++] = sorted[i];

  *ret_count = kept;
  return sorted;
}

/* Ends first, then the middle of every gap, then the middles of what is left: a curve that is cut off
 * at any time spans its whole range. Breadth first over the gaps. */
static gsize *
order_coarse_first (const gsize *sorted, gsize count)
{
  gsize *order = g_new (gsize, count);
  g_autofree gsize *from = g_new (gsize, count), *to = g_new (gsize, count);
  gsize placed = 0, head = 0, tail = 0;

  order[placed++] = sorted[0];
  if (count > 1)
    order[placed++] = sorted[count - 1];

  if (count > 2)
    {
      from[tail] = 0;
      to[tail++] = count - 1;
    }

  /* Each gap in the queue holds at least one length, so there are never more gaps than lengths. */
  for (; head < tail; head++)
    {
      gsize middle = from[head] + (to[head] - from[head]) / 2;

      order[placed++] = sorted[middle];
      if (middle - from[head] > 1)
        {
          from[tail] = from[head];
          to[tail++] = middle;
        }
      if (to[head] - middle > 1)
        {
          from[tail] = middle;
          to[tail++] = to[head];
        }
    }

  return order;
}

static gboolean
check_axis (const gsize *values, gsize count, gsize limit, Axis axis, GError **error)
{
  if (values == NULL || count == 0 || count > MAX_AXIS)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   axis == AXIS_LENGTHS ? _("A curve needs 1 to %d context lengths, not %zu")
                                        : _("A curve needs 1 to %d numbers of dimensions, not %zu"),
                   MAX_AXIS, count);
      return FALSE;
    }

  for (gsize i = 0; i < count; i++)
    if (values[i] == 0 || values[i] > limit)
      {
        g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                     axis == AXIS_LENGTHS ? _("Each context length must be 1 to %zu, not %zu")
                                          : _("Each number of dimensions must be 1 to %zu, not %zu"),
                     limit, values[i]);
        return FALSE;
      }

  return TRUE;
}

static gboolean
check_maps (const WwSweepSettings *settings, GError **error)
{
  gboolean seen[WW_N_MAPS] = { FALSE };

  if (settings->n_maps == 0 || settings->n_maps > WW_N_MAPS)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                   _("A curve needs 1 to %d feature maps, not %zu"), WW_N_MAPS,
                   settings->n_maps);
      return FALSE;
    }

  for (gsize i = 0; i < settings->n_maps; i++)
    {
      guint map = (guint) settings->maps[i];

      if (map >= WW_N_MAPS || seen[map])
        {
          g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                       map >= WW_N_MAPS ? _("Feature map %u is unknown") : _("Feature map %u is named twice"),
                       map);
          return FALSE;
        }
      seen[map] = TRUE;
    }

  return TRUE;
}

static gboolean
check_numbers (const WwSweepSettings *settings, GError **error)
{
  if (settings->trials == 0 || settings->trials > WW_MAX_TRIALS)
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE, _("A curve takes 1 to %d trials, not %u"),
                 WW_MAX_TRIALS, settings->trials);
  else if ((guint) settings->effort >= WW_N_EFFORTS)
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE, _("Effort %d is unknown"), settings->effort);
  else if ((guint) settings->bound > WW_SWEEP_BOUND_TIGHT)
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE, _("Bound %d is unknown"), settings->bound);
  else if ((guint) settings->normalisation >= WW_N_NORMALISATIONS)
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE, _("Normalisation %d is unknown"),
                 settings->normalisation);
  else
    return ww_search_check_radius (settings->radius, error);

  return FALSE;
}

/* Coarse first puts the shortest length at 0 and the longest at 1. */
static gsize
longest_length (const WwSweep *sweep)
{
  return sweep->lengths[sweep->settings.n_lengths > 1 ? 1 : 0];
}

static gboolean
has_map (const WwSweepSettings *settings, WwMap map)
{
  for (gsize i = 0; i < settings->n_maps; i++)
    if (settings->maps[i] == map)
      return TRUE;

  return FALSE;
}

static gboolean
check_network (const WwSweepSettings *settings, GError **error)
{
  if (!has_map (settings, WW_MAP_DRF)
      || (settings->depth >= 1 && settings->depth <= WW_MAX_DEPTH && settings->width >= 1
          && settings->width <= WW_MAX_WIDTH))
    return TRUE;

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
               _("DRF takes 1 to %d layers of 1 to %d units, not %zu of %zu"),
               WW_MAX_DEPTH, WW_MAX_WIDTH, settings->depth, settings->width);
  return FALSE;
}

/* The token must exist in the shortest context, and k must be in range at each n d. */
static gboolean
check_sizes (const WwSweep *sweep, GError **error)
{
  const WwSweepSettings *settings = &sweep->settings;
  gsize shortest = sweep->lengths[0];
  gsize longest = longest_length (sweep);
  gsize most_dims = sweep->dims[settings->n_dims - 1];

  if (settings->token != WW_TOKEN_ALL && settings->token >= shortest)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                   g_dngettext (GETTEXT_PACKAGE,
                                "Token %zu does not exist: the shortest context has %zu token, counted from 0",
                                "Token %zu does not exist: the shortest context has %zu tokens, counted from 0",
                                shortest),
                   settings->token, shortest);
      return FALSE;
    }

  if (settings->features > WW_MAX_FEATURES
      || (has_map (settings, WW_MAP_RF) && settings->features == 0 && longest > WW_MAX_FEATURES / most_dims))
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   settings->features == 0
                     ? _("RF takes at most %d features, and n d is more; choose a number of features")
                     : _("RF takes at most %d features"), WW_MAX_FEATURES);
      return FALSE;
    }

  return check_network (settings, error);
}

/* The first n rows of the text, cut to d and normalised; or fresh Gaussian rows. */
static WwMatrix *
make_context (const WwSweep *sweep, gsize n, gsize d, guint trial, GError **error)
{
  g_autoptr (WwMatrix) rows = NULL;

  if (sweep->raw == NULL)
    return ww_context_synthetic (n, d, sweep->settings.seed, trial, error);

  rows = ww_matrix_head (sweep->raw, n, d, error);
  if (rows == NULL)
    return NULL;

  return ww_context_prepare (rows, 0, sweep->settings.normalisation, error);
}

/* A context that cannot be prepared must be found before the first slice, not in the middle of a curve.
 * Longer contexts contain shorter ones, and a row that vanishes in d dimensions vanishes in fewer, so
 * one context stands for all, except where the mean of the rows is taken off. */
static gboolean
check_contexts (const WwSweep *sweep, GError **error)
{
  const WwSweepSettings *settings = &sweep->settings;
  gsize longest = longest_length (sweep);
  gsize most_dims = sweep->dims[settings->n_dims - 1];
  g_autoptr (WwMatrix) whole = NULL;

  if (sweep->raw == NULL)
    {
      if (settings->normalisation == WW_NORMALISATION_PAPER)
        return TRUE;

      g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                           _("Synthetic contexts have rows of norm √d; no other normalisation applies"));
      return FALSE;
    }

  whole = ww_matrix_head (sweep->raw, longest, most_dims, error);
  if (whole == NULL || !ww_matrix_check_finite (whole, error))
    return FALSE;

  for (gsize l = 0; l < settings->n_lengths; l++)
    for (gsize i = 0; i < settings->n_dims; i++)
      {
        gboolean every = settings->normalisation == WW_NORMALISATION_CENTRE;
        g_autoptr (WwMatrix) x = NULL;

        if (!every && (sweep->lengths[l] != longest || i > 0))
          continue;

        x = make_context (sweep, sweep->lengths[l], sweep->dims[i], 0, error);
        if (x == NULL)
          return FALSE;
      }

  return TRUE;
}

static gboolean
count_slices (WwSweep *sweep, GError **error)
{
  const WwSweepSettings *settings = &sweep->settings;
  gsize n_slices = settings->n_maps;

  if (g_size_checked_mul (&n_slices, n_slices, settings->n_dims)
      && g_size_checked_mul (&n_slices, n_slices, settings->n_lengths)
      && g_size_checked_mul (&n_slices, n_slices, settings->trials))
    {
      sweep->n_slices = n_slices;
      return TRUE;
    }

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                       _("A curve of so many points never ends"));
  return FALSE;
}

WwSweep *
ww_sweep_new (const WwSweepSettings *settings, const WwMatrix *raw, GError **error)
{
  g_autoptr (WwSweep) sweep = NULL;
  g_autofree gsize *sorted = NULL;

  g_return_val_if_fail (settings != NULL, NULL);

  if (!check_maps (settings, error) || !check_numbers (settings, error)
      || !check_axis (settings->lengths, settings->n_lengths, WW_MAX_ROWS, AXIS_LENGTHS, error)
      || !check_axis (settings->dims, settings->n_dims, WW_MAX_DIMS, AXIS_DIMS, error))
    return NULL;

  sweep = g_new0 (WwSweep, 1);
  g_atomic_ref_count_init (&sweep->ref_count);
  sweep->settings = *settings;
  sorted = copy_sorted (settings->lengths, settings->n_lengths, &sweep->settings.n_lengths);
  sweep->lengths = order_coarse_first (sorted, sweep->settings.n_lengths);
  sweep->dims = copy_sorted (settings->dims, settings->n_dims, &sweep->settings.n_dims);
  sweep->settings.lengths = sweep->lengths;
  sweep->settings.dims = sweep->dims;
  /* The count of references is the one thing about a shared matrix that changes. */
  sweep->raw = raw != NULL ? ww_matrix_ref ((WwMatrix *) raw) : NULL;

  if (!check_sizes (sweep, error) || !check_contexts (sweep, error) || !count_slices (sweep, error))
    return NULL;

  return g_steal_pointer (&sweep);
}

WwSweep *
ww_sweep_ref (WwSweep *sweep)
{
  g_return_val_if_fail (sweep != NULL, NULL);

  g_atomic_ref_count_inc (&sweep->ref_count);
  return sweep;
}

void
ww_sweep_unref (WwSweep *sweep)
{
  if (sweep == NULL || !g_atomic_ref_count_dec (&sweep->ref_count))
    return;

  g_free (sweep->lengths);
  g_free (sweep->dims);
  ww_matrix_unref (sweep->raw);
  g_free (sweep);
}

gsize
ww_sweep_get_n_slices (const WwSweep *sweep)
{
  g_return_val_if_fail (sweep != NULL, 0);

  return sweep->n_slices;
}

void
ww_sweep_get_settings (const WwSweep *sweep, WwSweepSettings *ret_settings)
{
  g_return_if_fail (sweep != NULL && ret_settings != NULL);

  *ret_settings = sweep->settings;
}

/* Trial by trial; within a trial length by length, coarse first; then dimensions, then maps, so that
 * the curves of all maps grow together. */
static Slice
find_slice (const WwSweep *sweep, gsize index)
{
  const WwSweepSettings *settings = &sweep->settings;
  Slice slice;

  slice.map = settings->maps[index % settings->n_maps];
  index /= settings->n_maps;
  slice.d = sweep->dims[index % settings->n_dims];
  index /= settings->n_dims;
  slice.n = sweep->lengths[index % settings->n_lengths];
  slice.trial = (guint) (index / settings->n_lengths);
  slice.k = 0;
  if (slice.map == WW_MAP_RF)
    slice.k = settings->features > 0 ? settings->features : slice.n * slice.d;
  else if (slice.map == WW_MAP_DRF)
    slice.k = settings->width;

  return slice;
}

static WwSearchResult *
search_rf (const WwSweep *sweep, const Slice *slice, const WwMatrix *x,
           const WwSearchSettings *search, const WwCancel *cancel, GError **error)
{
  g_autoptr (WwRf) rf = NULL;

  if (search->token == WW_TOKEN_ALL)
    return ww_rf_search_all (x, slice->k, NULL, sweep->settings.seed, slice->trial, search, cancel, NULL,
                             NULL, error);

  rf = ww_rf_new_drawn (x, search->token, slice->k, sweep->settings.seed, slice->trial, cancel, error);
  if (rf == NULL)
    return NULL;

  return ww_rf_search (rf, search, cancel, error);
}

static WwSearchResult *
search_drf (const WwSweep *sweep, const Slice *slice, const WwMatrix *x, const WwSearchSettings *search,
            const WwCancel *cancel, GError **error)
{
  const WwSweepSettings *settings = &sweep->settings;
  g_autoptr (WwDrf) drf = NULL;

  if (search->token == WW_TOKEN_ALL)
    {
      drf = ww_drf_new_generated (x, 0, settings->depth, settings->width, settings->seed, slice->trial,
                                  cancel, error);
      return drf != NULL ? ww_drf_search_all (drf, x, search, cancel, NULL, NULL, error) : NULL;
    }

  drf = ww_drf_new_drawn (x, search->token, settings->depth, settings->width, settings->seed, slice->trial,
                          cancel, error);
  return drf != NULL ? ww_drf_search (drf, search, cancel, error) : NULL;
}

/* The bound of what was searched: of one token, or the largest over all. */
static gboolean
add_bound (const WwAttention *attention, WwSweepBound kind, const WwSearchSettings *search,
           WwSearchResult *result, const WwCancel *cancel, GError **error)
{
  gboolean all = search->token == WW_TOKEN_ALL;
  gboolean tight = kind == WW_SWEEP_BOUND_TIGHT && !all;
  gsize first = all ? 0 : search->token, count = all ? result->n_tokens : 1;
  double largest = 0;

  for (gsize token = first; token < first + count; token++)
    {
      double bound;

      if (!ww_attention_bound (attention, token, search->radius, tight ? WW_BOUND_TIGHT : WW_BOUND_QUICK,
                               result->ws, cancel, &bound, error))
        return FALSE;
      largest = MAX (largest, bound);
    }

  result->upper_bound = largest;
  return TRUE;
}

static WwSearchResult *
search_attention (const WwSweep *sweep, const Slice *slice, WwMatrix *x,
                  const WwSearchSettings *search, const WwCancel *cancel, GError **error)
{
  g_autoptr (WwMatrix) w = NULL;
  g_autoptr (WwAttention) attention = NULL;
  g_autoptr (WwSearchResult) result = NULL;

  w = ww_random_w_cancellable (slice->d, sweep->settings.seed, slice->trial, cancel, error);
  if (w == NULL)
    return NULL;

  attention = ww_attention_new_cancellable (slice->map, x, w, cancel, error);
  if (attention == NULL)
    return NULL;

  result = ww_attention_search (attention, search, cancel, NULL, NULL, error);
  if (result == NULL
      || (sweep->settings.bound != WW_SWEEP_BOUND_NONE
          && !add_bound (attention, sweep->settings.bound, search, result, cancel, error)))
    return NULL;

  return g_steal_pointer (&result);
}

void
ww_sweep_describe_slice (const WwSweep *sweep, gsize slice_index, WwCurvePoint *ret_point)
{
  Slice slice;

  g_return_if_fail (sweep != NULL && slice_index < sweep->n_slices && ret_point != NULL);

  slice = find_slice (sweep, slice_index);
  *ret_point = (WwCurvePoint) {
    .map = slice.map,
    .d = slice.d,
    .n = slice.n,
    .k = slice.k,
    .trial = slice.trial,
    .seed = sweep->settings.seed,
    .token = sweep->settings.token,
    .ws = NAN,
    .upper_bound = NAN,
    .predicted = NAN,
  };
}

/* NULL with WW_CORE_ERROR_ZERO_NORM where these weights make all features of `x` zero. */
static WwSearchResult *
search_slice (const WwSweep *sweep, const Slice *slice, WwMatrix *x, WwProgressFunc func, gpointer func_data,
              const WwCancel *cancel, GError **error)
{
  WwSearchSettings search = {
    .progress = func,
    .progress_data = func_data,
    .token = sweep->settings.token,
    .radius = sweep->settings.radius,
    .effort = sweep->settings.effort,
    .seed = sweep->settings.seed,
    .trial = slice->trial,
  };

  if (slice->map == WW_MAP_RF)
    return search_rf (sweep, slice, x, &search, cancel, error);
  if (slice->map == WW_MAP_DRF)
    return search_drf (sweep, slice, x, &search, cancel, error);

  return search_attention (sweep, slice, x, &search, cancel, error);
}

gboolean
ww_sweep_run_slice (const WwSweep *sweep, gsize slice_index, const WwCancel *cancel,
                    WwCurvePoint *ret_point, GError **error)
{
  return ww_sweep_run_slice_reporting (sweep, slice_index, NULL, NULL, cancel, ret_point, error);
}

gboolean
ww_sweep_run_slice_reporting (const WwSweep *sweep, gsize slice_index, WwProgressFunc func,
                              gpointer func_data, const WwCancel *cancel, WwCurvePoint *ret_point,
                              GError **error)
{
  g_autoptr (WwMatrix) x = NULL;
  g_autoptr (WwSearchResult) result = NULL;
  g_autoptr (GError) failure = NULL;
  Slice slice;

  g_return_val_if_fail (sweep != NULL && slice_index < sweep->n_slices && ret_point != NULL, FALSE);

  if (ww_cancel_check (cancel, error))
    return FALSE;

  slice = find_slice (sweep, slice_index);
  x = make_context (sweep, slice.n, slice.d, slice.trial, error);
  if (x == NULL)
    return FALSE;

  result = search_slice (sweep, &slice, x, func, func_data, cancel, &failure);
  if (result == NULL && !g_error_matches (failure, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }

  ww_sweep_describe_slice (sweep, slice_index, ret_point);
  /* A short context under one draw of weights may have no feature at all; that says something about this
   * trial, and nothing about the others. */
  if (result == NULL)
    return TRUE;

  ret_point->token = result->token;
  ret_point->ws = result->ws;
  ret_point->upper_bound = result->upper_bound;
  ret_point->predicted = result->predicted;
  ret_point->evaluations = result->evaluations;
  return TRUE;
}

#include "ww-drf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"
#include "ww-random.h"

static gboolean
check_network (gsize depth, gsize width, GError **error)
{
  if (depth == 0 || depth > WW_MAX_DEPTH)
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                 _("DRF takes 1 to %d layers, not %zu"), WW_MAX_DEPTH, depth);
  else if (width == 0 || width > WW_MAX_WIDTH)
    g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                 _("A layer of DRF takes 1 to %d units, not %zu"), WW_MAX_WIDTH, width);
  else
    return TRUE;

  return FALSE;
}

/* The same for a network whose weights are to be made and kept. */
static gboolean
check_kept_network (gsize depth, gsize width, GError **error)
{
  guint64 weights;

  if (!check_network (depth, width, error))
    return FALSE;

  weights = (guint64) (depth - 1) * width * width;
  if (weights <= WW_DRF_MOST_WEIGHTS)
    return TRUE;

  g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
               _("DRF with %zu layers of %zu units has %.1f billion weights after the first layer, "
                 "which take %.1f GB; at most %.1f billion are possible"),
               depth, width, weights / 1e9, weights * sizeof (float) / 1e9, WW_DRF_MOST_WEIGHTS / 1e9);
  return FALSE;
}

/* Limits, fit of each layer to the one before, finite values. The first layer against the context is for
 * ww_rf_check. */
static gboolean
check_weights (const WwMatrix *const *weights, gsize n_weights, GError **error)
{
  if (!check_network (n_weights, n_weights > 0 ? weights[0]->rows : 0, error))
    return FALSE;

  for (gsize l = 1; l < n_weights; l++)
    {
      if (!check_network (n_weights, weights[l]->rows, error))
        return FALSE;

      if (weights[l]->cols != weights[l - 1]->rows)
        {
          g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                       _("The layers of DRF do not fit: columns of V%zu: %zu, rows of V%zu: %zu"),
                       l + 1, weights[l]->cols, l, weights[l - 1]->rows);
          return FALSE;
        }

      if (!ww_matrix_check_finite (weights[l], error))
        {
          g_prefix_error (error, "V%zu: ", l + 1);
          return FALSE;
        }
    }

  return TRUE;
}

gboolean
ww_drf_check_norm (const WwDrf *drf, GError **error)
{
  if (drf->deep->norm > 0)
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM,
                       _("All DRF features of this context are zero: a relative change does not exist"));
  return FALSE;
}

static void
rectify (const double *u, gsize count, double *ret_h)
{
  for (gsize r = 0; r < count; r++)
    ret_h[r] = MAX (u[r], 0);
}

/* Row r of a layer in double precision: a pointer into the given matrix, or made anew in `buffer`. */
static const double *
layer_row (const WwDrfDeep *deep, const WwDrfLayer *layer, gsize r, double *buffer)
{
  if (layer->given != NULL)
    return layer->given->data + r * layer->cols;

  ww_random_normal (deep->seed, WW_PURPOSE_DEEP, deep->trial, layer->first + (guint64) r * layer->cols,
                    layer->cols, sqrt (2 / (double) layer->cols), buffer);
  return buffer;
}

/* ret_products = V_l input in double precision for `count` inputs, one every `step` numbers, and so are the
 * products; with `weights` also the copy for the search. */
static gboolean
apply_layer (const WwDrfDeep *deep, const WwDrfLayer *layer, gsize count, const double *inputs, gsize step,
             float *weights, const WwCancel *cancel, double *ret_products, GError **error)
{
  g_autofree double *buffer = g_new (double, layer->cols);
  double factor = ldexp (1, -layer->exponent);
  gsize done = 0;

  for (gsize r = 0; r < layer->rows; r++)
    {
      const double *row = layer_row (deep, layer, r, buffer);

      for (gsize c = 0; weights != NULL && c < layer->cols; c++)
        weights[r * layer->cols + c] = (float) (row[c] * factor);
      for (gsize t = 0; t < count; t++)
        ret_products[t * step + r] = ww_dot (row, inputs + t * step, layer->cols);

      if (ww_rf_poll_cancel (cancel, count * layer->cols, &done, error))
        return FALSE;
    }

  return TRUE;
}

/* Overflow in a product of finite numbers is the user's data, not ours: say so. */
static gboolean
check_preactivations (const double *u, gsize count, gsize layer, GError **error)
{
  for (gsize r = 0; r < count; r++)
    if (!isfinite (u[r]))
      {
        g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                     _("Unit %zu (counted from 0) of layer %zu overflows double precision"), r, layer);
        return FALSE;
      }

  return TRUE;
}

/* The power of two near the layer's gain, the root mean square norm of its rows; its inverse is finite
 * too. A generated layer has gain sqrt (2). */
static int
find_exponent (const WwMatrix *given)
{
  double gain;

  if (given == NULL)
    return 0;

  gain = ww_matrix_norm (given) / sqrt ((double) given->rows);
  return gain > 0 ? CLAMP (ilogb (gain), -1000, 1000) : 0;
}

static WwDrfDeep *
deep_ref (WwDrfDeep *deep)
{
  g_atomic_ref_count_inc (&deep->ref_count);
  return deep;
}

static void
deep_unref (WwDrfDeep *deep)
{
  if (deep == NULL || !g_atomic_ref_count_dec (&deep->ref_count))
    return;

  for (gsize l = 0; l < deep->n_layers; l++)
    {
      free (deep->layers[l].weights);
      free (deep->layers[l].u);
      ww_matrix_unref (deep->layers[l].given);
    }
  g_free (deep->layers);
  g_free (deep);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwDrfDeep, deep_unref)

/* The shapes of the layers, without numbers. `weights` may be NULL: generated, `width` wide. */
static WwDrfDeep *
lay_out (const WwMatrix *const *weights, gsize depth, gsize width, guint64 seed, guint32 trial)
{
  WwDrfDeep *deep = g_new0 (WwDrfDeep, 1);

  g_atomic_ref_count_init (&deep->ref_count);
  deep->layers = g_new0 (WwDrfLayer, depth);
  deep->n_layers = depth - 1;
  deep->seed = seed;
  deep->trial = trial;

  for (gsize l = 0; l < deep->n_layers; l++)
    {
      WwDrfLayer *layer = &deep->layers[l];

      /* The count of references is the one thing about a shared matrix that changes. */
      layer->given = weights != NULL ? ww_matrix_ref ((WwMatrix *) weights[l + 1]) : NULL;
      layer->rows = layer->given != NULL ? layer->given->rows : width;
      layer->cols = layer->given != NULL ? layer->given->cols : width;
      layer->exponent = find_exponent (layer->given);
      layer->first = (guint64) l * width * width;
    }

  return deep;
}

static gsize
widest_layer (const WwDrfDeep *deep, gsize first_width)
{
  gsize widest = first_width;

  for (gsize l = 0; l < deep->n_layers; l++)
    widest = MAX (widest, deep->layers[l].rows);

  return widest;
}

/* Forward through the deeper layers from the pre-activations of the first; fills u of every layer, its
 * weights where `with_weights`, and the norm. ret_features (as many as the last layer has rows) may be
 * NULL. `h` is scratch for two layers. */
static gboolean
run_forward (WwDrfDeep *deep, const double *first_u, gsize first_width, gboolean with_weights,
             double *h, double *ret_features, const WwCancel *cancel, GError **error)
{
  gsize width = first_width;

  rectify (first_u, width, h);
  for (gsize l = 0; l < deep->n_layers; l++)
    {
      WwDrfLayer *layer = &deep->layers[l];

      layer->u = ww_try_alloc (layer->rows, 1, sizeof (double), error);
      if (layer->u == NULL)
        return FALSE;
      if (with_weights)
        {
          layer->weights = ww_try_alloc (layer->rows, layer->cols, sizeof (float), error);
          if (layer->weights == NULL)
            return FALSE;
        }

      if (!apply_layer (deep, layer, 1, h, 0, layer->weights, cancel, layer->u, error)
          || !check_preactivations (layer->u, layer->rows, l + 2, error))
        return FALSE;

      width = layer->rows;
      rectify (layer->u, width, h);
    }

  deep->norm = ww_vector_norm (h, width);
  if (ret_features != NULL)
    memcpy (ret_features, h, width * sizeof (double));
  return TRUE;
}

/* Takes `first` over, also on failure. */
static WwDrf *
finish (WwRf *first, gboolean drawn, const WwMatrix *const *weights, gsize depth, guint64 seed,
        guint32 trial, const WwCancel *cancel, GError **error)
{
  g_autoptr (WwRf) owned = first;
  g_autoptr (WwDrfDeep) deep = NULL;
  WwDrf *drf;
  double *h;
  gboolean done;

  if (first == NULL)
    return NULL;

  deep = lay_out (weights, depth, first->k, seed, trial);
  h = ww_try_alloc (widest_layer (deep, first->k), 1, sizeof (double), error);
  if (h == NULL)
    return NULL;

  done = run_forward (deep, first->u, first->k, TRUE, h, NULL, cancel, error);
  free (h);
  if (!done)
    return NULL;

  if (weights == NULL)
    deep->norm *= G_SQRT2;
  drf = g_new0 (WwDrf, 1);
  g_atomic_ref_count_init (&drf->ref_count);
  drf->first = g_steal_pointer (&owned);
  drf->drawn = drawn;
  drf->deep = g_steal_pointer (&deep);
  return drf;
}

WwDrf *
ww_drf_new_drawn (const WwMatrix *x, gsize token, gsize depth, gsize width, guint64 seed, guint32 trial,
                  const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (x != NULL, NULL);

  if (!check_kept_network (depth, width, error))
    return NULL;

  return finish (ww_rf_new_drawn (x, token, width, seed, trial, cancel, error), TRUE, NULL, depth, seed,
                 trial, cancel, error);
}

WwDrf *
ww_drf_new_generated (const WwMatrix *x, gsize token, gsize depth, gsize width, guint64 seed,
                      guint32 trial, const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (x != NULL, NULL);

  if (!check_kept_network (depth, width, error))
    return NULL;

  return finish (ww_rf_new_generated (x, token, width, seed, trial, NULL, cancel, error), FALSE, NULL,
                 depth, seed, trial, cancel, error);
}

WwDrf *
ww_drf_new_from_weights (const WwMatrix *x, gsize token, const WwMatrix *const *weights, gsize n_weights,
                         const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (x != NULL && (weights != NULL || n_weights == 0), NULL);

  if (!check_weights (weights, n_weights, error))
    return NULL;

  return finish (ww_rf_new_from_weights (x, token, weights[0], error), FALSE, weights, n_weights, 0, 0,
                 cancel, error);
}

WwDrf *
ww_drf_new_sibling (const WwDrf *drf, const WwMatrix *x, gsize token, const WwCancel *cancel,
                    GError **error)
{
  const WwRf *first;
  WwRf *other;
  WwDrf *sibling;

  g_return_val_if_fail (drf != NULL && x != NULL && !drf->drawn, NULL);
  g_return_val_if_fail (x->rows == drf->first->n && x->cols == drf->first->d, NULL);

  first = drf->first;
  other = ww_rf_build (WW_RF_WHOLE, x, token, first->k, first->given, first->seed, first->trial, first->u,
                       cancel, error);
  if (other == NULL)
    return NULL;

  sibling = g_new0 (WwDrf, 1);
  g_atomic_ref_count_init (&sibling->ref_count);
  sibling->first = other;
  sibling->deep = deep_ref (drf->deep);
  return sibling;
}

WwDrf *
ww_drf_ref (WwDrf *drf)
{
  g_return_val_if_fail (drf != NULL, NULL);

  g_atomic_ref_count_inc (&drf->ref_count);
  return drf;
}

void
ww_drf_unref (WwDrf *drf)
{
  if (drf == NULL || !g_atomic_ref_count_dec (&drf->ref_count))
    return;

  ww_rf_unref (drf->first);
  deep_unref (drf->deep);
  g_free (drf);
}

gsize
ww_drf_get_depth (const WwDrf *drf)
{
  g_return_val_if_fail (drf != NULL, 0);

  return drf->deep->n_layers + 1;
}

gsize
ww_drf_get_width (const WwDrf *drf)
{
  const WwDrfDeep *deep;

  g_return_val_if_fail (drf != NULL, 0);

  deep = drf->deep;
  return deep->n_layers > 0 ? deep->layers[deep->n_layers - 1].rows : drf->first->k;
}

gsize
ww_drf_get_dims (const WwDrf *drf)
{
  g_return_val_if_fail (drf != NULL, 0);

  return drf->first->d;
}

gsize
ww_drf_get_token (const WwDrf *drf)
{
  g_return_val_if_fail (drf != NULL, 0);

  return drf->first->token;
}

double
ww_drf_get_norm (const WwDrf *drf)
{
  g_return_val_if_fail (drf != NULL, 0);

  return drf->deep->norm;
}

/* phi(X) for the first layer V (NULL: generated, its factor sqrt (2) still missing) and the layers of
 * `deep`. */
static WwMatrix *
features_of (const WwMatrix *x, const WwMatrix *v, gsize width, WwDrfDeep *deep, const WwCancel *cancel,
             GError **error)
{
  gsize last = deep->n_layers > 0 ? deep->layers[deep->n_layers - 1].rows : width;
  g_autoptr (WwMatrix) phi = ww_matrix_new (last, 1, error);
  double *u, *h;
  gboolean done;

  if (phi == NULL)
    return NULL;

  u = ww_try_alloc (width, 1, sizeof (double), error);
  h = u != NULL ? ww_try_alloc (widest_layer (deep, width), 1, sizeof (double), error) : NULL;
  done = h != NULL && ww_rf_apply (x, width, v, deep->seed, deep->trial, cancel, u, error)
         && run_forward (deep, u, width, FALSE, h, phi->data, cancel, error);
  free (u);
  free (h);
  return done ? g_steal_pointer (&phi) : NULL;
}

WwMatrix *
ww_drf_features (const WwMatrix *x, const WwMatrix *const *weights, gsize n_weights, GError **error)
{
  g_autoptr (WwDrfDeep) deep = NULL;

  g_return_val_if_fail (x != NULL && (weights != NULL || n_weights == 0), NULL);

  if (!check_weights (weights, n_weights, error)
      || !ww_rf_check (x, weights[0]->rows, weights[0], error))
    return NULL;

  deep = lay_out (weights, n_weights, weights[0]->rows, 0, 0);
  return features_of (x, weights[0], weights[0]->rows, deep, NULL, error);
}

WwMatrix *
ww_drf_features_generated (const WwMatrix *x, gsize depth, gsize width, guint64 seed, guint32 trial,
                           const WwCancel *cancel, GError **error)
{
  g_autoptr (WwDrfDeep) deep = NULL;
  g_autoptr (WwMatrix) phi = NULL;

  g_return_val_if_fail (x != NULL, NULL);

  if (!check_network (depth, width, error) || !ww_rf_check (x, width, NULL, error))
    return NULL;

  deep = lay_out (NULL, depth, width, seed, trial);
  phi = features_of (x, NULL, width, deep, cancel, error);
  if (phi == NULL)
    return NULL;

  /* Homogeneity again: the factor of the first layer may come last. */
  for (gsize r = 0; r < phi->rows; r++)
    phi->data[r] *= G_SQRT2;
  return g_steal_pointer (&phi);
}

double
ww_drf_count_weights (const WwDrf *drf)
{
  double count = (double) drf->first->k * (double) drf->first->d;

  for (gsize l = 0; l < drf->deep->n_layers; l++)
    count += (double) drf->deep->layers[l].rows * (double) drf->deep->layers[l].cols;

  return count;
}

double
ww_drf_get_factor (const WwDrf *drf)
{
  return drf->first->given == NULL ? G_SQRT2 : 1;
}

/* From what `count` nudges add to the pre-activations of a layer to the changes of its units, in place. */
static void
change_units (const double *u, gsize width, gsize count, gsize step, double *changes)
{
  for (gsize t = 0; t < count; t++)
    for (gsize r = 0; r < width; r++)
      changes[t * step + r] = ww_relu_change (u[r], changes[t * step + r]);
}

/* The changes that some nudges make at one layer after another. Both arrays: count x widest. */
typedef struct
{
  gsize count, widest;
  double *here, *next;
} Changes;

/* From the projections of the nudges in changes->here to the changes of the last layer; returns its width,
 * or 0 where cancelled. */
static gsize
carry_changes (const WwDrf *drf, Changes *changes, const WwCancel *cancel, GError **error)
{
  const WwDrfDeep *deep = drf->deep;
  gsize width = drf->first->k;

  change_units (drf->first->u, width, changes->count, changes->widest, changes->here);
  for (gsize l = 0; l < deep->n_layers; l++)
    {
      const WwDrfLayer *layer = &deep->layers[l];
      double *here = changes->here;

      if (!apply_layer (deep, layer, changes->count, here, changes->widest, NULL, cancel, changes->next,
                        error))
        return 0;

      width = layer->rows;
      changes->here = changes->next;
      changes->next = here;
      change_units (layer->u, width, changes->count, changes->widest, changes->here);
    }

  return width;
}

gboolean
ww_drf_evaluate_many (const WwDrf *drf, gsize count, const double *deltas, const WwCancel *cancel,
                      double *ret_change, GError **error)
{
  gsize widest = widest_layer (drf->deep, drf->first->k), share = ww_rf_choose_share (2 * widest, count);
  double *memory;
  gboolean good = TRUE;

  if (!ww_drf_check_norm (drf, error))
    return FALSE;

  memory = ww_try_alloc (2 * share, widest, sizeof (double), error);
  if (memory == NULL)
    return FALSE;

  for (gsize first = 0; first < count && good; first += share)
    {
      Changes changes = { MIN (share, count - first), widest, memory, memory + share * widest };
      gsize width = 0;

      good = ww_rf_project_many (drf->first, changes.count, deltas + first * drf->first->d, widest, cancel,
                                 changes.here, error)
             && (width = carry_changes (drf, &changes, cancel, error)) > 0;

      /* The norm has the factor of a generated first layer in it, the change has not. */
      for (gsize t = 0; t < changes.count && good; t++)
        ret_change[first + t] = ww_drf_get_factor (drf)
                                * ww_vector_norm (changes.here + t * widest, width) / drf->deep->norm;
    }

  free (memory);
  return good;
}

gboolean
ww_drf_evaluate_cancellable (const WwDrf *drf, const double *delta, const WwCancel *cancel,
                             double *ret_change, GError **error)
{
  return ww_drf_evaluate_many (drf, 1, delta, cancel, ret_change, error);
}

gboolean
ww_drf_evaluate (const WwDrf *drf, const double *delta, double *ret_change, GError **error)
{
  g_return_val_if_fail (drf != NULL && delta != NULL && ret_change != NULL, FALSE);

  return ww_drf_evaluate_cancellable (drf, delta, NULL, ret_change, error);
}

#include "ww-rf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-private.h"
#include "ww-random.h"

/* Entries of V made at a time: a tile stays in the first-level cache. */
#define TILE 2048
/* Entries between two looks at the cancel flag: about a millisecond. */
#define POLL_ENTRIES 524288
/* Numbers of nudges that are seen through V_i together: 32 MB. */
#define SHARE_ENTRIES 4194304

static gboolean
check_context (const WwMatrix *x, gsize k, GError **error)
{
  if (k == 0 || k > WW_MAX_FEATURES)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("RF takes 1 to %d features, not %zu"), WW_MAX_FEATURES, k);
      return FALSE;
    }

  if (x->rows > WW_MAX_ROWS || x->cols > WW_MAX_DIMS)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("A context may have at most %d tokens of %d dimensions, not %zu of %zu"),
                   WW_MAX_ROWS, WW_MAX_DIMS, x->rows, x->cols);
      return FALSE;
    }

  return ww_matrix_check_finite (x, error);
}

gboolean
ww_rf_check (const WwMatrix *x, gsize k, const WwMatrix *v, GError **error)
{
  if (!check_context (x, k, error))
    return FALSE;
  if (v == NULL)
    return TRUE;

  if (v->rows != k || v->cols % x->cols != 0 || v->cols / x->cols != x->rows)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_SHAPE,
                   _("RF weights need as many columns as the context has entries, %zu x %zu, not %zu"),
                   x->rows, x->cols, v->cols);
      return FALSE;
    }

  return ww_matrix_check_finite (v, error);
}

/* Overflow in a product of finite numbers is the user's data, not ours: say so. */
static gboolean
check_preactivations (const double *u, gsize k, GError **error)
{
  for (gsize r = 0; r < k; r++)
    if (!isfinite (u[r]))
      {
        g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_NON_FINITE,
                     _("Feature %zu (counted from 0) overflows double precision"), r);
        return FALSE;
      }

  return TRUE;
}

gboolean
ww_rf_check_norm (const WwRf *rf, GError **error)
{
  if (rf->norm > 0)
    return TRUE;

  g_set_error_literal (error, WW_CORE_ERROR, WW_CORE_ERROR_ZERO_NORM,
                       _("All RF features of this context are zero: a relative change does not exist"));
  return FALSE;
}

static double
norm_of_features (const double *u, gsize k, double *scratch)
{
  for (gsize r = 0; r < k; r++)
    scratch[r] = MAX (u[r], 0);

  return ww_vector_norm (scratch, k);
}

gboolean
ww_rf_poll_cancel (const WwCancel *cancel, gsize entries, gsize *done, GError **error)
{
  *done += entries;
  if (*done < POLL_ENTRIES)
    return FALSE;

  *done = 0;
  return ww_cancel_check (cancel, error);
}

/* Row r of V_i in double precision: a pointer into the given V, or the row made anew in `buffer`. */
static const double *
block_row (const WwRf *rf, gsize r, double *buffer)
{
  guint64 first = ((guint64) r * rf->n + rf->token) * rf->d;

  if (rf->given != NULL)
    return rf->given->data + first;

  ww_random_normal (rf->seed, WW_PURPOSE_V, rf->trial, first, rf->d,
                    1 / sqrt ((double) rf->n * (double) rf->d), buffer);
  return buffer;
}

gboolean
ww_rf_apply (const WwMatrix *x, gsize k, const WwMatrix *v, guint64 seed, guint32 trial,
             const WwCancel *cancel, double *ret_u, GError **error)
{
  gsize cols = x->rows * x->cols, done = 0;
  double scale = 1 / sqrt ((double) cols);
  double tile[TILE];

  for (gsize r = 0; r < k; r++)
    {
      double sum = 0;

      for (gsize c = 0; c < cols; c += TILE)
        {
          gsize count = MIN (TILE, cols - c);
          guint64 first = (guint64) r * cols + c;
          const double *row = tile;

          if (v != NULL)
            row = v->data + first;
          else
            ww_random_normal (seed, WW_PURPOSE_V, trial, first, count, scale, tile);

          sum += ww_dot (row, x->data + c, count);
          if (ww_rf_poll_cancel (cancel, count, &done, error))
            return FALSE;
        }

      ret_u[r] = sum;
    }

  return check_preactivations (ret_u, k, error);
}

/* u of a drawn RF: V_i x_i, which the caller has put into u, plus N(0, ||X_{-i}||^2 / (n d)). */
static void
add_other_tokens (const WwRf *rf, const WwMatrix *x)
{
  gsize before = rf->token * rf->d, after = (rf->token + 1) * rf->d;
  double others = hypot (ww_vector_norm (x->data, before),
                         ww_vector_norm (x->data + after, x->rows * x->cols - after));
  double scale = others / sqrt ((double) rf->n * (double) rf->d);
  double tile[TILE];

  for (gsize r = 0; r < rf->k; r += TILE)
    {
      gsize count = MIN (TILE, rf->k - r);

      ww_random_normal (rf->seed, WW_PURPOSE_U, rf->trial, r, count, scale, tile);
      for (gsize t = 0; t < count; t++)
        rf->u[r + t] += tile[t];
    }
}

/* The power of two below the largest magnitude of V_i (given), or below the deviation of its entries. */
static double
find_unit (const WwRf *rf)
{
  double largest = 0;

  if (rf->given == NULL)
    return ldexp (1, ilogb (1 / sqrt ((double) rf->n * (double) rf->d)));

  for (gsize r = 0; r < rf->k; r++)
    {
      const double *row = block_row (rf, r, NULL);

      for (gsize c = 0; c < rf->d; c++)
        largest = MAX (largest, fabs (row[c]));
    }

  /* The inverse must be finite too. */
  return largest > 0 ? ldexp (1, MAX (ilogb (largest), -1000)) : 1;
}

WW_WIDEST_REGISTERS static void
scale_to_single (const double *row, double factor, gsize count, float *ret)
{
  for (gsize c = 0; c < count; c++)
    ret[c] = (float) (row[c] * factor);
}

/* Fills block, and u with V_i x_i where asked, row by row. */
static gboolean
fill_block (WwRf *rf, gboolean with_u, const WwCancel *cancel, GError **error)
{
  g_autofree double *buffer = g_new (double, rf->d);
  double per_unit;
  gsize done = 0;

  /* A power of two: dividing and multiplying by its inverse are both exact. */
  rf->unit = find_unit (rf);
  per_unit = 1 / rf->unit;
  for (gsize r = 0; r < rf->k; r++)
    {
      const double *row = block_row (rf, r, buffer);

      scale_to_single (row, per_unit, rf->d, rf->block + r * rf->d);
      if (with_u)
        rf->u[r] = ww_dot (row, rf->x, rf->d);
      if (ww_rf_poll_cancel (cancel, rf->d, &done, error))
        return FALSE;
    }

  return TRUE;
}

static WwRf *
allocate (const WwMatrix *x, gsize token, gsize k, GError **error)
{
  g_autoptr (WwRf) rf = g_new0 (WwRf, 1);

  g_atomic_ref_count_init (&rf->ref_count);
  rf->n = x->rows;
  rf->d = x->cols;
  rf->k = k;
  rf->token = token;
  rf->whole = ww_matrix_norm (x);
  rf->x = ww_try_alloc (1, rf->d, sizeof (double), error);
  if (rf->x == NULL)
    return NULL;
  rf->u = ww_try_alloc (k, 1, sizeof (double), error);
  if (rf->u == NULL)
    return NULL;
  rf->block = ww_try_alloc (k, rf->d, sizeof (float), error);
  if (rf->block == NULL)
    return NULL;

  memcpy (rf->x, x->data + token * rf->d, rf->d * sizeof (double));
  return g_steal_pointer (&rf);
}

WwRf *
ww_rf_build (WwRfKind kind, const WwMatrix *x, gsize token, gsize k, const WwMatrix *v, guint64 seed,
             guint32 trial, const double *u, const WwCancel *cancel, GError **error)
{
  g_autoptr (WwRf) rf = NULL;
  double *scratch;

  if (token >= x->rows)
    {
      g_set_error (error, WW_CORE_ERROR, WW_CORE_ERROR_RANGE,
                   g_dngettext (GETTEXT_PACKAGE,
                                "Token %zu does not exist: the context has %zu token, counted from 0",
                                "Token %zu does not exist: the context has %zu tokens, counted from 0",
                                x->rows),
                   token, x->rows);
      return NULL;
    }

  rf = allocate (x, token, k, error);
  if (rf == NULL)
    return NULL;

  /* The count of references is the one thing about a shared matrix that changes. */
  rf->given = v != NULL ? ww_matrix_ref ((WwMatrix *) v) : NULL;
  rf->seed = seed;
  rf->trial = trial;
  if (!fill_block (rf, kind == WW_RF_DRAWN, cancel, error))
    return NULL;

  if (kind == WW_RF_DRAWN)
    add_other_tokens (rf, x);
  else if (u != NULL)
    memcpy (rf->u, u, k * sizeof (double));
  else if (!ww_rf_apply (x, k, v, seed, trial, cancel, rf->u, error))
    return NULL;

  if (!check_preactivations (rf->u, k, error))
    return NULL;

  scratch = ww_try_alloc (k, 1, sizeof (double), error);
  if (scratch == NULL)
    return NULL;

  rf->norm = norm_of_features (rf->u, k, scratch);
  free (scratch);

  return g_steal_pointer (&rf);
}

WwRf *
ww_rf_new_drawn (const WwMatrix *x, gsize token, gsize k, guint64 seed, guint32 trial,
                 const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (x != NULL, NULL);

  if (!ww_rf_check (x, k, NULL, error))
    return NULL;

  return ww_rf_build (WW_RF_DRAWN, x, token, k, NULL, seed, trial, NULL, cancel, error);
}

WwRf *
ww_rf_new_generated (const WwMatrix *x, gsize token, gsize k, guint64 seed, guint32 trial,
                     const double *u, const WwCancel *cancel, GError **error)
{
  g_return_val_if_fail (x != NULL, NULL);

  if (!ww_rf_check (x, k, NULL, error))
    return NULL;

  return ww_rf_build (WW_RF_WHOLE, x, token, k, NULL, seed, trial, u, cancel, error);
}

WwRf *
ww_rf_new_from_weights (const WwMatrix *x, gsize token, const WwMatrix *v, GError **error)
{
  g_return_val_if_fail (x != NULL && v != NULL, NULL);

  if (!ww_rf_check (x, v->rows, v, error))
    return NULL;

  return ww_rf_build (WW_RF_WHOLE, x, token, v->rows, v, 0, 0, NULL, NULL, error);
}

WwRf *
ww_rf_ref (WwRf *rf)
{
  g_return_val_if_fail (rf != NULL, NULL);

  g_atomic_ref_count_inc (&rf->ref_count);
  return rf;
}

void
ww_rf_unref (WwRf *rf)
{
  if (rf == NULL || !g_atomic_ref_count_dec (&rf->ref_count))
    return;

  free (rf->x);
  free (rf->u);
  free (rf->block);
  ww_matrix_unref (rf->given);
  g_free (rf);
}

gsize
ww_rf_get_features (const WwRf *rf)
{
  g_return_val_if_fail (rf != NULL, 0);

  return rf->k;
}

gsize
ww_rf_get_dims (const WwRf *rf)
{
  g_return_val_if_fail (rf != NULL, 0);

  return rf->d;
}

gsize
ww_rf_get_token (const WwRf *rf)
{
  g_return_val_if_fail (rf != NULL, 0);

  return rf->token;
}

double
ww_rf_get_norm (const WwRf *rf)
{
  g_return_val_if_fail (rf != NULL, 0);

  return rf->norm;
}

gboolean
ww_rf_preactivations (const WwMatrix *x, gsize k, guint64 seed, guint32 trial, const WwCancel *cancel,
                      double *ret_u, GError **error)
{
  double *u;
  gboolean done;

  g_return_val_if_fail (x != NULL && ret_u != NULL, FALSE);

  if (!ww_rf_check (x, k, NULL, error))
    return FALSE;

  /* The result goes out in one piece or not at all. */
  u = ww_try_alloc (k, 1, sizeof (double), error);
  if (u == NULL)
    return FALSE;

  done = ww_rf_apply (x, k, NULL, seed, trial, cancel, u, error);
  if (done)
    memcpy (ret_u, u, k * sizeof (double));

  free (u);
  return done;
}

WwMatrix *
ww_rf_features (const WwMatrix *x, const WwMatrix *v, GError **error)
{
  g_autoptr (WwMatrix) phi = NULL;

  g_return_val_if_fail (x != NULL && v != NULL, NULL);

  if (!ww_rf_check (x, v->rows, v, error))
    return NULL;

  phi = ww_matrix_new (v->rows, 1, error);
  if (phi == NULL || !ww_rf_apply (x, v->rows, v, 0, 0, NULL, phi->data, error))
    return NULL;

  for (gsize r = 0; r < phi->rows; r++)
    phi->data[r] = MAX (phi->data[r], 0);

  return g_steal_pointer (&phi);
}

gboolean
ww_rf_project_many (const WwRf *rf, gsize count, const double *directions, gsize step,
                    const WwCancel *cancel, double *ret_projections, GError **error)
{
  g_autofree double *buffer = g_new (double, rf->d);
  gsize done = 0;

  for (gsize r = 0; r < rf->k; r++)
    {
      const double *row = block_row (rf, r, buffer);

      for (gsize t = 0; t < count; t++)
        ret_projections[t * step + r] = ww_dot (row, directions + t * rf->d, rf->d);
      if (ww_rf_poll_cancel (cancel, count * rf->d, &done, error))
        return FALSE;
    }

  return TRUE;
}

gboolean
ww_rf_project (const WwRf *rf, const double *direction, const WwCancel *cancel, double *ret_projection,
               GError **error)
{
  double *projection;
  gboolean done;

  g_return_val_if_fail (rf != NULL && direction != NULL && ret_projection != NULL, FALSE);

  /* The result goes out in one piece or not at all. */
  projection = ww_try_alloc (rf->k, 1, sizeof (double), error);
  if (projection == NULL)
    return FALSE;

  done = ww_rf_project_many (rf, 1, direction, rf->k, cancel, projection, error);
  if (done)
    memcpy (ret_projection, projection, rf->k * sizeof (double));

  free (projection);
  return done;
}

double
ww_relu_change (double u, double moved)
{
  return MAX (moved + MIN (u, 0), -MAX (u, 0));
}

/* `change` (k values) may be `projection` itself. */
static double
change_of_projection (const WwRf *rf, const double *projection, double scale, double *change)
{
  for (gsize r = 0; r < rf->k; r++)
    change[r] = ww_relu_change (rf->u[r], scale * projection[r]);

  return ww_vector_norm (change, rf->k) / rf->norm;
}

gboolean
ww_rf_evaluate_projected (const WwRf *rf, const double *projection, double scale, double *ret_change,
                          GError **error)
{
  double *change;

  g_return_val_if_fail (rf != NULL && projection != NULL && ret_change != NULL, FALSE);

  if (!ww_rf_check_norm (rf, error))
    return FALSE;

  change = ww_try_alloc (rf->k, 1, sizeof (double), error);
  if (change == NULL)
    return FALSE;

  *ret_change = change_of_projection (rf, projection, scale, change);
  free (change);
  return TRUE;
}

gsize
ww_rf_choose_share (gsize units, gsize count)
{
  return CLAMP (SHARE_ENTRIES / units, 1, count);
}

gboolean
ww_rf_evaluate_many (const WwRf *rf, gsize count, const double *deltas, const WwCancel *cancel,
                     double *ret_change, GError **error)
{
  gsize share = ww_rf_choose_share (rf->k, count);
  double *projections;
  gboolean good = TRUE;

  if (!ww_rf_check_norm (rf, error))
    return FALSE;

  projections = ww_try_alloc (share, rf->k, sizeof (double), error);
  if (projections == NULL)
    return FALSE;

  for (gsize first = 0; first < count && good; first += share)
    {
      gsize n = MIN (share, count - first);

      good = ww_rf_project_many (rf, n, deltas + first * rf->d, rf->k, cancel, projections, error);
      for (gsize t = 0; t < n && good; t++)
        ret_change[first + t] = change_of_projection (rf, projections + t * rf->k, 1,
                                                      projections + t * rf->k);
    }

  free (projections);
  return good;
}

gboolean
ww_rf_evaluate_cancellable (const WwRf *rf, const double *delta, const WwCancel *cancel,
                            double *ret_change, GError **error)
{
  return ww_rf_evaluate_many (rf, 1, delta, cancel, ret_change, error);
}

gboolean
ww_rf_evaluate (const WwRf *rf, const double *delta, double *ret_change, GError **error)
{
  g_return_val_if_fail (rf != NULL && delta != NULL && ret_change != NULL, FALSE);

  return ww_rf_evaluate_cancellable (rf, delta, NULL, ret_change, error);
}

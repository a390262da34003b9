#include "ww-model-load.h"
#include "ww-weigher.h"

struct _WwWeigher
{
  const WwModel *model; /* `owner` keeps it */
  GObject *owner;
  WwLoadedBlock loaded;
  WwTransformer *transformer;
  gsize n;
  int layer;
  gboolean ready; /* the transformer has weighed the state itself */
};

void
ww_weigher_free (WwWeigher *self)
{
  if (self == NULL)
    return;

  ww_transformer_free (self->transformer);
  ww_loaded_block_clear (&self->loaded);
  g_object_unref (self->owner);
  g_free (self);
}

WwWeigher *
ww_model_new_weigher (const WwModel *model, gpointer owner, const WwMatrix *state, int layer, GError **error)
{
  g_autoptr (WwWeigher) self = NULL;

  g_return_val_if_fail (layer >= 1 && (gsize) layer <= model->n_attention, NULL);

  if (!ww_model_check_state (model, state, error))
    return NULL;

  self = g_new0 (WwWeigher, 1);
  self->model = model;
  self->owner = g_object_ref (owner);
  self->n = state->rows;
  self->layer = layer;
  self->transformer = ww_model_new_transformer (model, state->rows, error);
  if (self->transformer == NULL || !ww_loaded_block_init (&self->loaded, model, TRUE, error)
      || !ww_loaded_block_load_attention (&self->loaded, model, (gsize) layer - 1, error))
    return NULL;

  ww_model_fill_state (self->transformer, state);
  return g_steal_pointer (&self);
}

/* The queries and keys of all rows, once. `weights` is scratch. */
static gboolean
prepare (WwWeigher *self, int head, float *weights, const WwCancel *cancel, GError **error)
{
  self->ready = self->ready
                || ww_transformer_weigh (self->transformer, &self->loaded.block, head, weights, cancel, error);
  return self->ready;
}

WwMatrix *
ww_weigher_weigh (WwWeigher *self, gsize row, const double *values, int head, const WwCancel *cancel,
                  GError **error)
{
  g_autofree float *weights = NULL, *moved = NULL;
  GError *local = NULL;
  gsize rows, d;

  g_return_val_if_fail (self != NULL && values != NULL && row < self->n, NULL);
  g_return_val_if_fail (head >= WW_HEAD_ALL && head < (int) self->model->config.heads, NULL);

  weights = ww_model_try_new_weights (self->model, self->n, head, &rows, error);
  if (weights == NULL)
    return NULL;

  d = self->model->config.hidden;
  moved = g_new (float, d);
  for (gsize c = 0; c < d; c++)
    moved[c] = (float) values[c];

  if (!prepare (self, head, weights, cancel, &local)
      || !ww_transformer_weigh_moved (self->transformer, &self->loaded.block, row, moved, head, weights,
                                      cancel, &local))
    {
      ww_model_translate_error (local, (gsize) self->layer, error);
      return NULL;
    }

  return ww_model_widen (weights, rows, self->n, self->layer, error);
}

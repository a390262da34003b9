#include "ww-nudge.h"

#include <math.h>
#include <string.h>

/* The count beside it, by GLib's macros: the thread sanitizer cannot see into the functions of its boxes. */
typedef struct
{
  WwNudge nudge;
  gatomicrefcount ref_count;
} NudgeBox;

static gboolean
nudge_attention (WwNudge *nudge, const WwAttention *attention, WwMap map, GError **error)
{
  gboolean defined = ww_attention_get_norm (attention) > 0;
  WwMatrix *weights;

  g_return_val_if_fail (ww_attention_get_map (attention) == map, FALSE);

  nudge->feature_change[map] = g_new (double, nudge->n);
  if (!ww_attention_nudge (attention, nudge->token, nudge->delta, &nudge->after[map],
                           nudge->feature_change[map], defined ? &nudge->change[map] : NULL, error))
    return FALSE;
  weights = ww_attention_get_weights (attention, error);
  if (weights == NULL)
    return FALSE;
  nudge->before[map] = ww_matrix_ref (weights);
  return TRUE;
}

/* n and d: of whichever map is there. RF alone does not know n, and needs none. */
static void
nudge_take_shape (WwNudge *nudge, const WwAttention *softmax, const WwAttention *relu,
                  const WwRf *rf)
{
  const WwAttention *attention = softmax != NULL ? softmax : relu;

  if (attention != NULL)
    {
      const WwMatrix *x = ww_attention_get_x (attention);
      nudge->n = x->rows;
      nudge->d = x->cols;
    }
  else
    nudge->d = ww_rf_get_dims (rf);
}

WwNudge *
ww_nudge_new (const WwAttention *softmax, const WwAttention *relu, const WwRf *rf, gsize token,
              const double *delta, GError **error)
{
  g_autoptr (WwNudge) nudge = NULL;

  g_return_val_if_fail (softmax != NULL || relu != NULL || rf != NULL, NULL);
  g_return_val_if_fail (rf == NULL || ww_rf_get_token (rf) == token, NULL);
  g_return_val_if_fail (delta != NULL, NULL);

  nudge = (WwNudge *) g_new0 (NudgeBox, 1);
  g_atomic_ref_count_init (&((NudgeBox *) nudge)->ref_count);
  nudge_take_shape (nudge, softmax, relu, rf);
  nudge->token = token;
  nudge->delta = g_memdup2 (delta, nudge->d * sizeof *delta);
  nudge->delta_norm = ww_vector_norm (delta, nudge->d);
  for (guint map = 0; map < WW_N_MAPS; map++)
    nudge->change[map] = NAN;

  if (softmax != NULL && !nudge_attention (nudge, softmax, WW_MAP_SOFTMAX_RAF, error))
    return NULL;
  if (relu != NULL && !nudge_attention (nudge, relu, WW_MAP_RELU_RAF, error))
    return NULL;
  if (rf != NULL && ww_rf_get_norm (rf) > 0
      && !ww_rf_evaluate (rf, delta, &nudge->change[WW_MAP_RF], error))
    return NULL;
  return g_steal_pointer (&nudge);
}

WwNudge *
ww_nudge_ref (WwNudge *nudge)
{
  g_return_val_if_fail (nudge != NULL, NULL);

  g_atomic_ref_count_inc (&((NudgeBox *) nudge)->ref_count);
  return nudge;
}

void
ww_nudge_unref (WwNudge *nudge)
{
  if (nudge == NULL || !g_atomic_ref_count_dec (&((NudgeBox *) nudge)->ref_count))
    return;

  g_free (nudge->delta);
  for (guint map = 0; map < WW_N_MAPS; map++)
    {
      g_free (nudge->feature_change[map]);
      ww_matrix_unref (nudge->before[map]);
      ww_matrix_unref (nudge->after[map]);
    }
  g_free (nudge);
}

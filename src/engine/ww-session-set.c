#include "ww-session-private.h"

#include <glib/gi18n-lib.h>

#include "ww-message.h"

/* ---- The text ---- */

static void
set_tokens (WwSession *self, WwTokens *tokens, WwTokens *rows)
{
  g_clear_pointer (&self->tokens, ww_tokens_unref);
  g_clear_pointer (&self->inputs->rows, ww_tokens_unref);
  self->tokens = tokens != NULL ? ww_tokens_ref (tokens) : NULL;
  self->inputs->rows = rows != NULL ? ww_tokens_ref (rows) : NULL;
  self->context_serial++;
  ww_session_notify (self, PROP_TOKENS);
}

/* The text goes to the worker, whatever its length: one way only. What was computed before is of no
 * use any more. */
void
ww_session_update_text (WwSession *self)
{
  for (guint lane = LANE_NUDGE; lane <= LANE_SENSITIVITY; lane++)
    ww_worker_cancel (self->worker, lane);
  if (!self->inputs->synthetic)
    ww_worker_cancel (self->worker, LANE_CURVE);

  self->tokenising = self->inputs->set != NULL;
  if (!self->tokenising)
    {
      ww_worker_cancel (self->worker, LANE_TEXT);
      set_tokens (self, NULL, NULL);
      ww_session_take_message (self, &self->text_message, NULL, PROP_TEXT_MESSAGE);
      return;
    }

  ww_worker_post (self->worker, LANE_TEXT, &ww_text_job, ww_text_request_new (self->inputs));
}

/* Why these rows of the set are too few for a nudge. */
static const char *
describe_shortage (WwSet *set, const WwTokens *rows)
{
  if (ww_set_get_kind (set) == WW_SET_KIND_CONTEXT)
    return _("This context has a single row: a nudge needs a row and another one that looks at it. "
             "Open another set.");
  if (rows->n == 0)
    return ww_text_describe_unknown_to (set);
  return _("One known token is too few: a nudge needs the word and one that looks at it. Write "
           "some more.");
}

/* What is to be said of the text, with the case that its words leave too few rows. */
static char *
describe_tokenised (WwSet *set, const WwTokenised *tokenised)
{
  if (tokenised->rows == NULL || tokenised->rows->n >= 2)
    return g_strdup (tokenised->message);

  return g_strjoin (" ", describe_shortage (set, tokenised->rows), tokenised->message, NULL);
}

void
ww_session_deliver_text (WwSession *self, const WwTokenised *tokenised)
{
  g_autofree char *message = describe_tokenised (self->inputs->set, tokenised);
  guint dirty = DIRTY_BASE;

  self->tokenising = FALSE;
  set_tokens (self, tokenised->tokens, tokenised->rows);
  ww_session_take_message (self, &self->text_message, message, PROP_TEXT_MESSAGE);

  /* A synthetic curve does not read the text. */
  if (!self->inputs->synthetic && !self->curve_stopped)
    dirty |= DIRTY_CURVE;
  ww_session_queue_update (self, dirty);
}

/* ---- The set ---- */

static gboolean
set_has_layer (WwSet *set, int layer)
{
  g_autoptr (GArray) layers = ww_set_get_layers (set);

  for (guint i = 0; i < layers->len; i++)
    if (g_array_index (layers, int, i) == layer)
      return TRUE;

  return FALSE;
}

/* What a reader of sets says, without the options of another program. */
static void
take_sentences (WwSession *self, const char *sentences)
{
  g_autofree char *plain = ww_message_dup_plain (sentences);

  ww_session_take_message (self, &self->set_message, plain, PROP_SET_MESSAGE);
}

/* The set in use from now on. */
void
ww_session_replace_set (WwSession *self, WwSet *set)
{
  int layer;

  take_sentences (self, ww_set_get_warnings (set));
  ww_session_take_state (self, &self->set_state, WW_STATE_DONE, PROP_SET_STATE);
  if (!g_set_object (&self->inputs->set, set))
    return;

  /* A choice outlives sets without that layer. */
  if (!ww_session_get_chosen_layer (self, &layer) || !set_has_layer (set, layer))
    layer = ww_set_get_default_layer (set);
  if (layer != self->inputs->layer)
    {
      self->inputs->layer = layer;
      ww_session_notify (self, PROP_LAYER);
    }

  /* The rows of the old text mean nothing in the new set. */
  set_tokens (self, NULL, NULL);
  ww_session_notify (self, PROP_SET);

  self->curve_stopped = FALSE;
  ww_session_curve_pending (self);
  ww_session_perturb_pending (self);
  ww_session_queue_update (self, DIRTY_TEXT | DIRTY_CURVE);
}

static void
finish_open (WwSession *self, WwSet *set)
{
  GValue old_value = G_VALUE_INIT, new_value = G_VALUE_INIT;

  g_clear_object (&self->opening);
  g_value_init (&old_value, WW_TYPE_SET);
  g_value_init (&new_value, WW_TYPE_SET);
  g_value_set_object (&old_value, self->inputs->set);
  g_value_set_object (&new_value, set);

  /* Going back to no set at all is no step that anybody would want. */
  if (self->inputs->set != NULL)
    ww_session_record (self, "set", &old_value, &new_value);
  ww_session_replace_set (self, set);

  g_value_unset (&old_value);
  g_value_unset (&new_value);
}

void
ww_session_deliver_load (guint lane, GPtrArray *results, gboolean finished, const GError *error,
                         gpointer user_data)
{
  WwSession *self = user_data;

  g_object_ref (self);
  g_object_freeze_notify (G_OBJECT (self));

  for (guint i = 0; i < results->len; i++)
    {
      WwLoad *load = results->pdata[i];

      ww_session_take_double (self, &self->set_progress, load->fraction, PROP_SET_PROGRESS);
      if (load->set != NULL)
        finish_open (self, load->set);
    }

  if (error != NULL)
    {
      g_clear_object (&self->opening);
      take_sentences (self, error->message);
      ww_session_take_state (self, &self->set_state, WW_STATE_FAILED, PROP_SET_STATE);
      if (self->inputs->set == NULL)
        ww_session_queue_update (self, DIRTY_CURVE | DIRTY_BASE);
    }

  g_object_thaw_notify (G_OBJECT (self));
  g_object_unref (self);
}

/* ---- Public ---- */

void
ww_session_open_origin (WwSession *self, const WwOrigin *origin)
{
  g_return_if_fail (WW_IS_SESSION (self));
  g_return_if_fail (origin != NULL);

  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);

  self->opening = g_cancellable_new ();
  self->open_stopped = FALSE;
  ww_origin_free (self->asked);
  self->asked = ww_origin_copy (origin);
  ww_worker_post (self->loader, 0, &ww_load_job, ww_load_request_new (origin, self->opening));

  ww_session_take_double (self, &self->set_progress, 0.0, PROP_SET_PROGRESS);
  ww_session_take_message (self, &self->set_message, NULL, PROP_SET_MESSAGE);
  ww_session_take_state (self, &self->set_state, WW_STATE_LOADING, PROP_SET_STATE);
  if (self->inputs->set == NULL)
    ww_session_queue_update (self, DIRTY_CURVE | DIRTY_BASE);
}

void
ww_session_open (WwSession *self, GFile *file)
{
  g_autoptr (WwOrigin) origin = NULL;

  g_return_if_fail (G_IS_FILE (file));

  origin = ww_origin_new (file, NULL);
  ww_session_open_origin (self, origin);
}

void
ww_session_open_builtin (WwSession *self, const char *name)
{
  g_autoptr (WwOrigin) origin = ww_origin_new_builtin (name);

  ww_session_open_origin (self, origin);
}

void
ww_session_open_text (WwSession *self, gsize text)
{
  const WwOrigin *origin = ww_session_get_origin (self);
  WwSet *set = ww_session_get_set (self);
  g_autoptr (WwOrigin) other = NULL;
  g_autofree char *array = NULL;
  gsize before;

  if (origin == NULL || origin->file == NULL || text >= ww_set_get_n_texts (set)
      || text == ww_set_get_text (set))
    return;

  other = ww_origin_copy (origin);
  ww_origin_split_member (other, &array, &before);
  ww_origin_set_member (other, array, text + 1);
  ww_session_open_origin (self, other);
}

const WwOrigin *
ww_session_get_origin (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return ww_origin_of_set (self->inputs->set);
}

const WwOrigin *
ww_session_get_asked_origin (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->asked;
}

gboolean
ww_session_is_open_stopped (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), FALSE);

  return self->open_stopped;
}

void
ww_session_cancel_open (WwSession *self)
{
  WwSet *set;

  g_return_if_fail (WW_IS_SESSION (self));

  if (self->opening == NULL)
    return;

  g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);
  ww_worker_cancel (self->loader, 0);
  self->open_stopped = TRUE;

  set = self->inputs->set;
  take_sentences (self, set != NULL ? ww_set_get_warnings (set) : NULL);
  ww_session_take_state (self, &self->set_state, set != NULL ? WW_STATE_DONE : WW_STATE_EMPTY,
                         PROP_SET_STATE);
  if (set == NULL)
    ww_session_queue_update (self, DIRTY_CURVE | DIRTY_BASE);
}

WwSet *
ww_session_get_set (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->inputs->set;
}

WwState
ww_session_get_set_state (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), WW_STATE_EMPTY);

  return self->set_state;
}

const char *
ww_session_get_set_message (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->set_message;
}

WwTokens *
ww_session_get_tokens (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->tokens;
}

const char *
ww_session_get_text (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->inputs->text;
}

void
ww_session_set_text (WwSession *self, const char *text)
{
  g_return_if_fail (WW_IS_SESSION (self));

  g_object_set (self, "text", text, NULL);
}

const char *
ww_session_get_text_message (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->text_message;
}

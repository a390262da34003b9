#include "ww-session-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (WwSession, ww_session, G_TYPE_OBJECT)

/* ---- Small things that all files use ---- */

void
ww_session_notify (WwSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

void
ww_session_take_state (WwSession *self, WwState *field, WwState state, guint property)
{
  if (*field == state)
    return;

  *field = state;
  ww_session_notify (self, property);
}

void
ww_session_take_message (WwSession *self, char **field, const char *message, guint property)
{
  if (g_strcmp0 (*field, message) == 0)
    return;

  g_free (*field);
  *field = g_strdup (message);
  ww_session_notify (self, property);
}

void
ww_session_take_double (WwSession *self, double *field, double value, guint property)
{
  if (*field == value || (isnan (*field) && isnan (value)))
    return;

  *field = value;
  ww_session_notify (self, property);
}

WwJobContext
ww_session_get_job_context (WwSession *self)
{
  return (WwJobContext) { self->compute, self->inputs, self->context_serial };
}

gboolean
ww_session_get_obstacle (WwSession *self, WwState *ret_state, const char **ret_message)
{
  if (self->inputs->set == NULL)
    {
      *ret_state = self->opening != NULL ? WW_STATE_LOADING : WW_STATE_EMPTY;
      *ret_message = self->opening != NULL ? NULL : _("Open a set of embeddings to begin.");
      return TRUE;
    }

  if (self->tokenising)
    {
      *ret_state = WW_STATE_WORKING;
      *ret_message = NULL;
      return TRUE;
    }

  if (ww_inputs_get_n_rows (self->inputs) >= 2)
    return FALSE;

  *ret_state = WW_STATE_EMPTY;
  *ret_message = self->text_message;
  return TRUE;
}

gboolean
ww_session_stays_calm (WwState shown, WwState obstacle)
{
  return obstacle == WW_STATE_WORKING && (shown == WW_STATE_EMPTY || shown == WW_STATE_LOADING);
}

/* ---- Updates: one idle per burst of changes ---- */

static gboolean
update (gpointer user_data)
{
  WwSession *self = user_data;
  guint dirty = self->dirty;

  self->dirty = 0;
  g_clear_pointer (&self->update, g_source_unref);

  g_object_ref (self);
  g_object_freeze_notify (G_OBJECT (self));

  if (dirty & DIRTY_CONTEXT)
    {
      self->context_serial++;
      dirty |= DIRTY_BASE | (self->inputs->synthetic ? 0 : DIRTY_CURVE);
    }
  if (dirty & DIRTY_TEXT)
    {
      ww_session_update_text (self);
      dirty |= DIRTY_BASE | (self->inputs->synthetic ? 0 : DIRTY_CURVE);
    }

  /* While the text is with the worker both only say so; its result comes back here. */
  if (dirty & DIRTY_CURVE)
    ww_session_update_curve (self);
  if (dirty & (DIRTY_BASE | DIRTY_NUDGE | DIRTY_STRIP | DIRTY_SWAP))
    ww_session_update_perturb (self, dirty);

  g_object_thaw_notify (G_OBJECT (self));
  g_object_unref (self);

  return G_SOURCE_REMOVE;
}

void
ww_session_queue_update (WwSession *self, guint dirty)
{
  self->dirty |= dirty;
  if (self->update != NULL)
    return;

  self->update = g_idle_source_new ();
  g_source_set_static_name (self->update, "ww-session-update");
  /* After the input of this moment, before the frame that answers it. */
  g_source_set_priority (self->update, G_PRIORITY_HIGH_IDLE);
  g_source_set_callback (self->update, update, self, NULL);
  g_source_attach (self->update, self->context);
}

void
ww_session_update_now (WwSession *self)
{
  if (self->update == NULL)
    return;

  g_source_destroy (self->update);
  update (self);
}

static void
deliver (guint lane, GPtrArray *results, gboolean finished, const GError *error, gpointer user_data)
{
  WwSession *self = user_data;

  g_object_ref (self);
  g_object_freeze_notify (G_OBJECT (self));

  switch (lane)
    {
    case LANE_TEXT:
      if (results->len > 0)
        ww_session_deliver_text (self, results->pdata[results->len - 1]);
      break;
    case LANE_NUDGE:
      ww_session_deliver_nudge (self, results, finished, error);
      break;
    case LANE_WORD:
      ww_session_deliver_word (self, finished, error);
      break;
    case LANE_WORDS:
      ww_session_deliver_words (self, results, error);
      break;
    case LANE_SWAP:
      ww_session_deliver_swaps (self, results, error);
      break;
    case LANE_DIRECTION:
    case LANE_READOUTS:
    case LANE_REFINE:
    case LANE_SENSITIVITY:
      ww_session_deliver_found (self, lane, results, finished, error);
      break;
    case LANE_BOUNDS:
      ww_session_deliver_bounds (self, results);
      break;
    case LANE_CURVE:
      ww_session_deliver_curve (self, results, finished, error);
      break;
    default:
      g_assert_not_reached ();
    }

  g_object_thaw_notify (G_OBJECT (self));
  g_object_unref (self);
}

/* ---- GObject ---- */

static void
ww_session_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec)
{
  WwSession *self = WW_SESSION (object);

  if (property < PROP_PERTURB_ACTIVE)
    {
      ww_session_get_input (self, property, value);
      return;
    }
  if (property >= PROP_FIRST_STATUS && property < N_PROPS)
    {
      ww_session_get_status (self, property, value);
      return;
    }

  switch (property)
    {
    case PROP_PERTURB_ACTIVE:
      g_value_set_boolean (value, self->perturb_active);
      break;
    case PROP_SWAP_ACTIVE:
      g_value_set_boolean (value, self->swap_active);
      break;
    case PROP_SET:
      g_value_set_object (value, self->inputs->set);
      break;
    case PROP_SET_STATE:
      g_value_set_uint (value, self->set_state);
      break;
    case PROP_SET_MESSAGE:
      g_value_set_string (value, self->set_message);
      break;
    case PROP_SET_PROGRESS:
      g_value_set_double (value, self->set_progress);
      break;
    case PROP_TOKENS:
      g_value_set_boxed (value, self->tokens);
      break;
    case PROP_TEXT_MESSAGE:
      g_value_set_string (value, self->text_message);
      break;
    case PROP_CURVE:
      g_value_set_boxed (value, self->curve);
      break;
    case PROP_CURVE_STATE:
      g_value_set_uint (value, self->curve_state);
      break;
    case PROP_CURVE_PROGRESS:
      g_value_set_double (value, self->curve_progress);
      break;
    case PROP_CURVE_MESSAGE:
      g_value_set_string (value, self->curve_message);
      break;
    case PROP_NUDGE:
      g_value_set_boxed (value, ww_session_get_nudge (self));
      break;
    case PROP_PERTURB_TOKENS:
      g_value_set_boxed (value, self->perturb_tokens);
      break;
    case PROP_SENSITIVITY:
      g_value_set_boxed (value, self->sensitivity);
      break;
    case PROP_DIRECTION_WS:
      g_value_set_double (value, self->direction_ws);
      break;
    case PROP_FOUND_WS:
      g_value_set_uint (value, self->n_found_changes);
      break;
    case PROP_DIRECTION_EVALUATIONS:
      g_value_set_uint64 (value, self->direction_evaluations);
      break;
    case PROP_DIRECTION_REFINING:
      g_value_set_boolean (value, self->refining);
      break;
    case PROP_SWAPS:
      g_value_set_boxed (value, self->swaps);
      break;
    case PROP_SWAP_PROGRESS:
      g_value_set_double (value, self->swap_progress);
      break;
    case PROP_CAN_UNDO:
      g_value_set_boolean (value, ww_session_get_can_undo (self));
      break;
    case PROP_CAN_REDO:
      g_value_set_boolean (value, ww_session_get_can_redo (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
    }
}

static void
set_perturb_active (WwSession *self, gboolean active)
{
  if (self->perturb_active == active)
    return;

  self->perturb_active = active;
  ww_session_notify (self, PROP_PERTURB_ACTIVE);
  ww_session_queue_update (self, DIRTY_NUDGE | DIRTY_STRIP);
}

static void
ww_session_set_property (GObject *object, guint property, const GValue *value, GParamSpec *pspec)
{
  WwSession *self = WW_SESSION (object);

  if (property == PROP_LAYER && !self->restoring && g_value_get_int (value) != self->inputs->layer)
    self->layer_chosen = TRUE;
  if (property == PROP_LAYER && self->layer_chosen)
    self->chosen_layer = g_value_get_int (value);

  if (property < PROP_PERTURB_ACTIVE)
    ww_session_set_input (self, property, value);
  else if (property == PROP_PERTURB_ACTIVE)
    set_perturb_active (self, g_value_get_boolean (value));
  else if (property == PROP_SWAP_ACTIVE)
    ww_session_set_swap_active (self, g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
}

static void
ww_session_dispose (GObject *object)
{
  WwSession *self = WW_SESSION (object);

  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  if (self->update != NULL)
    g_source_destroy (self->update);
  g_clear_pointer (&self->update, g_source_unref);
  ww_session_dispose_perturb (self);
  g_clear_pointer (&self->worker, ww_worker_free);
  g_clear_pointer (&self->loader, ww_worker_free);

  G_OBJECT_CLASS (ww_session_parent_class)->dispose (object);
}

static void
ww_session_finalize (GObject *object)
{
  WwSession *self = WW_SESSION (object);

  ww_session_finalize_curve (self);
  ww_session_finalize_perturb (self);
  ww_session_finalize_swap (self);
  ww_session_finalize_statuses (self);
  ww_compute_free (self->compute);
  ww_history_free (self->history);
  ww_inputs_free (self->inputs);
  g_clear_object (&self->opening);
  ww_origin_free (self->asked);
  g_clear_pointer (&self->tokens, ww_tokens_unref);
  g_free (self->set_message);
  g_free (self->text_message);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (ww_session_parent_class)->finalize (object);
}

static void
install_outputs (void)
{
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  static const struct { guint property; const char *name; } states[] = {
    { PROP_SET_STATE, "set-state" },
    { PROP_CURVE_STATE, "curve-state" },
  };
  static const struct { guint property; const char *name; } messages[] = {
    { PROP_SET_MESSAGE, "set-message" },
    { PROP_TEXT_MESSAGE, "text-message" },
    { PROP_CURVE_MESSAGE, "curve-message" },
  };
  static const struct { guint property; const char *name; } booleans[] = {
    { PROP_DIRECTION_REFINING, "direction-refining" },
    { PROP_CAN_UNDO, "can-undo" },
    { PROP_CAN_REDO, "can-redo" },
  };
  static const struct { guint property; const char *name; } switches[] = {
    { PROP_PERTURB_ACTIVE, "perturb-active" },
    { PROP_SWAP_ACTIVE, "swap-active" },
  };
  const struct { guint property; const char *name; GType type; } boxed[] = {
    { PROP_TOKENS, "tokens", WW_TYPE_TOKENS },
    { PROP_CURVE, "curve", WW_TYPE_CURVE },
    { PROP_NUDGE, "nudge", WW_TYPE_NUDGE },
    { PROP_PERTURB_TOKENS, "perturb-tokens", WW_TYPE_TOKENS },
    { PROP_SENSITIVITY, "sensitivity", WW_TYPE_SENSITIVITY },
    { PROP_SWAPS, "swaps", WW_TYPE_SWAPS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    properties[states[i].property] = g_param_spec_uint (states[i].name, NULL, NULL, WW_STATE_EMPTY,
                                                        WW_STATE_FAILED, WW_STATE_EMPTY, flags);
  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    properties[messages[i].property] = g_param_spec_string (messages[i].name, NULL, NULL, NULL,
                                                            flags);
  for (gsize i = 0; i < G_N_ELEMENTS (booleans); i++)
    properties[booleans[i].property] = g_param_spec_boolean (booleans[i].name, NULL, NULL, FALSE,
                                                             flags);
  for (gsize i = 0; i < G_N_ELEMENTS (boxed); i++)
    properties[boxed[i].property] = g_param_spec_boxed (boxed[i].name, NULL, NULL, boxed[i].type,
                                                        flags);

  properties[PROP_SET] = g_param_spec_object ("set", NULL, NULL, WW_TYPE_SET, flags);
  properties[PROP_SET_PROGRESS] = g_param_spec_double ("set-progress", NULL, NULL, 0, 1, 0, flags);
  properties[PROP_CURVE_PROGRESS] = g_param_spec_double ("curve-progress", NULL, NULL, 0, 1, 0,
                                                         flags);
  properties[PROP_SWAP_PROGRESS] = g_param_spec_double ("swap-progress", NULL, NULL, 0, 1, 0, flags);
  properties[PROP_DIRECTION_WS] = g_param_spec_double ("direction-ws", NULL, NULL, 0, G_MAXDOUBLE,
                                                       0, flags);
  properties[PROP_FOUND_WS] = g_param_spec_uint ("found-ws", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_DIRECTION_EVALUATIONS] = g_param_spec_uint64 ("direction-evaluations", NULL, NULL,
                                                                0, G_MAXUINT64, 0, flags);
  for (gsize i = 0; i < G_N_ELEMENTS (switches); i++)
    properties[switches[i].property] = g_param_spec_boolean (switches[i].name, NULL, NULL, FALSE,
                                                             G_PARAM_READWRITE
                                                             | G_PARAM_STATIC_STRINGS
                                                             | G_PARAM_EXPLICIT_NOTIFY);
}

static void
ww_session_class_init (WwSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ww_session_get_property;
  object_class->set_property = ww_session_set_property;
  object_class->dispose = ww_session_dispose;
  object_class->finalize = ww_session_finalize;

  for (guint i = PROP_TEXT; i < PROP_PERTURB_ACTIVE; i++)
    properties[i] = ww_session_make_input_pspec (i);
  install_outputs ();
  ww_session_install_statuses (properties);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_session_init (WwSession *self)
{
  /* A nudge answers a hand that moves: it does not wait out the frame. Sensitivities share with the
   * curve, step by step. */
  static const WwLaneOptions lanes[N_LANES] = {
    [LANE_TEXT] = { 0, 0 },      [LANE_NUDGE] = { 0, 4 },        [LANE_DIRECTION] = { 0, 4 },
    [LANE_WORD] = { 0, 4 },      [LANE_READOUTS] = { 0, 16 }, [LANE_WORDS] = { 0, 16 },       [LANE_SWAP] = { 0, 50 },
    [LANE_REFINE] = { 0, 16 },   [LANE_BOUNDS] = { 0, 16 },      [LANE_SENSITIVITY] = { 1, 16 },
    [LANE_CURVE] = { 0, 16 },
  };
  static const WwLaneOptions load_lane = { 0, 16 };

  self->context = g_main_context_ref_thread_default ();
  self->inputs = ww_inputs_new ();
  self->compute = ww_compute_new ();
  self->history = ww_history_new (ww_session_restore, self);
  self->measured = ww_point_store_new ();
  ww_session_init_perturb (self);
  self->worker = ww_worker_new ("ww-worker", lanes, N_LANES, deliver, self);
  self->loader = ww_worker_new ("ww-loader", &load_lane, 1, ww_session_deliver_load, self);
  /* Empty, and saying so, from the start. */
  ww_session_update_curve (self);
  ww_session_update_perturb (self, DIRTY_BASE);
}

/* ---- Public ---- */

WwSession *
ww_session_new (void)
{
  return g_object_new (WW_TYPE_SESSION, NULL);
}

const WwInputs *
ww_session_get_inputs (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);

  return self->inputs;
}

gboolean
ww_session_get_chosen_layer (WwSession *self, int *ret_layer)
{
  g_return_val_if_fail (WW_IS_SESSION (self), FALSE);

  if (self->layer_chosen)
    *ret_layer = self->chosen_layer;
  return self->layer_chosen;
}

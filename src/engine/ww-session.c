#include "ww-session-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MAX_PERTURB_ROWS 2048 /* two n x n maps, before and after: 134 MB */
#define MAX_RADIUS 100.0

typedef enum
{
  KIND_TEXT,
  KIND_BOOLEAN,
  KIND_INT,
  KIND_UINT,
  KIND_UINT64,
  KIND_DOUBLE,
} Kind;

/* One row per input: what it is called, where it lives, what it may be, what a change makes stale. */
typedef struct
{
  const char *name;
  Kind kind;
  gsize offset; /* in WwInputs */
  double min, max;
  guint dirty;
} Input;

#define FIELD(field) G_STRUCT_OFFSET (WwInputs, field)

static const Input input_table[PROP_PERTURB_ACTIVE] = {
  [PROP_TEXT] = { "text", KIND_TEXT, FIELD (text), 0, 0, DIRTY_TEXT },
  [PROP_SPECIAL] = { "special", KIND_BOOLEAN, FIELD (special), 0, 1, DIRTY_TEXT },
  [PROP_LAYER] = { "layer", KIND_INT, FIELD (layer), WW_LAYER_WORD, 1000, DIRTY_CONTEXT },
  [PROP_NORMALISATION] = { "normalisation", KIND_UINT, FIELD (normalisation), 0,
                           WW_N_NORMALISATIONS - 1, DIRTY_CURVE | DIRTY_BASE },
  [PROP_DIMS] = { "dims", KIND_UINT, FIELD (dims), 0, WW_MAX_DIMS, DIRTY_CURVE | DIRTY_BASE },
  [PROP_N_MIN] = { "n-min", KIND_UINT, FIELD (n_min), 2, WW_MAX_ROWS, DIRTY_CURVE },
  [PROP_N_MAX] = { "n-max", KIND_UINT, FIELD (n_max), 2, WW_MAX_ROWS, DIRTY_CURVE },
  [PROP_N_POINTS] = { "n-points", KIND_UINT, FIELD (n_points), 1, 1000, DIRTY_CURVE },
  [PROP_TRIALS] = { "trials", KIND_UINT, FIELD (trials), 1, 1000, DIRTY_CURVE },
  [PROP_SEED] = { "seed", KIND_UINT64, FIELD (seed), 0, 0, DIRTY_CURVE | DIRTY_BASE },
  [PROP_TOKEN_ALL] = { "token-all", KIND_BOOLEAN, FIELD (token_all), 0, 1, DIRTY_CURVE },
  [PROP_EFFORT] = { "effort", KIND_UINT, FIELD (effort), 0, WW_N_EFFORTS - 1, DIRTY_CURVE },
  [PROP_RADIUS] = { "radius", KIND_DOUBLE, FIELD (radius), 0.001, MAX_RADIUS,
                    DIRTY_CURVE | DIRTY_BASE },
  [PROP_FEATURES] = { "features", KIND_UINT, FIELD (features), 0, WW_MAX_FEATURES,
                      DIRTY_CURVE | DIRTY_BASE },
  [PROP_SYNTHETIC] = { "synthetic", KIND_BOOLEAN, FIELD (synthetic), 0, 1, DIRTY_CURVE },
  [PROP_PERTURB_N] = { "perturb-n", KIND_UINT, FIELD (perturb_n), 2, MAX_PERTURB_ROWS, DIRTY_BASE },
  [PROP_TOKEN] = { "token", KIND_UINT, FIELD (token), 0, WW_MAX_ROWS - 1, DIRTY_NUDGE },
  [PROP_LENGTH] = { "length", KIND_DOUBLE, FIELD (length), 0, MAX_RADIUS, DIRTY_NUDGE },
  [PROP_DIRECTION] = { "direction", KIND_UINT, FIELD (direction), 0, WW_N_DIRECTIONS - 1,
                       DIRTY_NUDGE },
  [PROP_DIRECTION_MAP] = { "direction-map", KIND_UINT, FIELD (direction_map), 0, WW_N_MAPS - 1,
                           DIRTY_NUDGE },
  [PROP_SENSITIVITY_MAP] = { "sensitivity-map", KIND_UINT, FIELD (sensitivity_map), 0,
                             WW_N_MAPS - 1, DIRTY_STRIP },
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (WwSession, ww_session, G_TYPE_OBJECT)

/* ---- Small things that all three files use ---- */

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

/* ---- Updates: one idle per burst of changes ---- */

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

/* The text goes to the worker, whatever its length: one way only. Nothing computed before is of use. */
static void
update_text (WwSession *self)
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
      update_text (self);
      dirty |= DIRTY_BASE | (self->inputs->synthetic ? 0 : DIRTY_CURVE);
    }

  /* While the text is with the worker both only say so; its result comes back here. */
  if (dirty & DIRTY_CURVE)
    ww_session_update_curve (self);
  if (dirty & (DIRTY_BASE | DIRTY_NUDGE | DIRTY_STRIP))
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

/* A short text, in words. */
static char *
describe_tokenised (const WwTokenised *tokenised)
{
  const char *unknown = tokenised->message != NULL ? tokenised->message : "";

  if (tokenised->rows == NULL || tokenised->rows->n >= 2)
    return g_strdup (tokenised->message);

  if (tokenised->rows->n == 0)
    return g_strdup_printf (_("No word of this text is known to the set. Try another text, or open "
                              "another set. %s"), unknown);

  return g_strdup_printf (_("One known token is too few: a nudge needs at least two, the word and "
                            "one that looks at it. Write some more. %s"), unknown);
}

static void
deliver_text (WwSession *self, WwTokenised *tokenised)
{
  g_autofree char *message = describe_tokenised (tokenised);
  guint dirty = DIRTY_BASE;

  if (message != NULL)
    g_strchomp (message);

  self->tokenising = FALSE;
  set_tokens (self, tokenised->tokens, tokenised->rows);
  ww_session_take_message (self, &self->text_message, message, PROP_TEXT_MESSAGE);

  /* A synthetic curve does not read the text. */
  if (!self->inputs->synthetic && !self->curve_stopped)
    dirty |= DIRTY_CURVE;
  ww_session_queue_update (self, dirty);
}

/* ---- Deliveries of the two workers ---- */

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
        deliver_text (self, results->pdata[results->len - 1]);
      break;
    case LANE_NUDGE:
      ww_session_deliver_nudge (self, results, finished, error);
      break;
    case LANE_DIRECTION:
    case LANE_REFINE:
    case LANE_SENSITIVITY:
      ww_session_deliver_found (self, lane, results, finished, error);
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

static void
record (WwSession *self, const char *property, const GValue *old_value, const GValue *new_value)
{
  if (self->restoring)
    return;

  ww_history_record (self->history, property, old_value, new_value, g_get_monotonic_time ());
  ww_session_notify (self, PROP_CAN_UNDO);
  ww_session_notify (self, PROP_CAN_REDO);
}

static gboolean
set_has_layer (WwSet *set, int layer)
{
  g_autoptr (GArray) layers = ww_set_get_layers (set);

  for (guint i = 0; i < layers->len; i++)
    if (g_array_index (layers, int, i) == layer)
      return TRUE;

  return FALSE;
}

/* The set in use from now on; NULL only by undoing the first. */
static void
replace_set (WwSession *self, WwSet *set)
{
  int layer = self->inputs->layer;

  if (!g_set_object (&self->inputs->set, set))
    return;

  if (set != NULL && (!self->layer_chosen || !set_has_layer (set, layer)))
    layer = ww_set_get_default_layer (set);
  if (layer != self->inputs->layer)
    {
      self->inputs->layer = layer;
      ww_session_notify (self, PROP_LAYER);
    }

  /* The rows of the old text mean nothing in the new set. */
  set_tokens (self, NULL, NULL);
  ww_session_notify (self, PROP_SET);
  ww_session_take_message (self, &self->set_message,
                           set != NULL ? ww_set_get_warnings (set) : NULL, PROP_SET_MESSAGE);
  ww_session_take_state (self, &self->set_state, set != NULL ? WW_STATE_DONE : WW_STATE_EMPTY,
                         PROP_SET_STATE);

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
    record (self, "set", &old_value, &new_value);
  replace_set (self, set);

  g_value_unset (&old_value);
  g_value_unset (&new_value);
}

static void
deliver_load (guint lane, GPtrArray *results, gboolean finished, const GError *error,
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
      ww_session_take_message (self, &self->set_message, error->message, PROP_SET_MESSAGE);
      ww_session_take_state (self, &self->set_state, WW_STATE_FAILED, PROP_SET_STATE);
      if (self->inputs->set == NULL)
        ww_session_queue_update (self, DIRTY_CURVE | DIRTY_BASE);
    }

  g_object_thaw_notify (G_OBJECT (self));
  g_object_unref (self);
}

/* ---- Inputs ---- */

static void
get_input (const WwInputs *inputs, const Input *input, GValue *ret_value)
{
  gconstpointer field = G_STRUCT_MEMBER_P (inputs, input->offset);

  switch (input->kind)
    {
    case KIND_TEXT:
      g_value_set_string (ret_value, *(char *const *) field);
      break;
    case KIND_BOOLEAN:
      g_value_set_boolean (ret_value, *(const gboolean *) field);
      break;
    case KIND_INT:
      g_value_set_int (ret_value, *(const int *) field);
      break;
    case KIND_UINT:
      g_value_set_uint (ret_value, *(const guint *) field);
      break;
    case KIND_UINT64:
      g_value_set_uint64 (ret_value, *(const guint64 *) field);
      break;
    case KIND_DOUBLE:
      g_value_set_double (ret_value, *(const double *) field);
      break;
    default:
      g_assert_not_reached ();
    }
}

static void
store_text (char **field, const char *text)
{
  g_autofree char *old = *field;

  *field = g_strdup (text != NULL ? text : "");
}

static void
store_input (WwInputs *inputs, const Input *input, const GValue *value)
{
  gpointer field = G_STRUCT_MEMBER_P (inputs, input->offset);

  switch (input->kind)
    {
    case KIND_TEXT:
      store_text (field, g_value_get_string (value));
      break;
    case KIND_BOOLEAN:
      *(gboolean *) field = g_value_get_boolean (value);
      break;
    case KIND_INT:
      *(int *) field = g_value_get_int (value);
      break;
    case KIND_UINT:
      *(guint *) field = g_value_get_uint (value);
      break;
    case KIND_UINT64:
      *(guint64 *) field = g_value_get_uint64 (value);
      break;
    case KIND_DOUBLE:
      *(double *) field = g_value_get_double (value);
      break;
    default:
      g_assert_not_reached ();
    }
}

/* The value that will be stored: what is asked, inside what the other inputs allow. */
static void
constrain_input (WwSession *self, guint property, GValue *value)
{
  gsize n = ww_inputs_get_perturb_rows (self->inputs);

  if (property == PROP_TEXT && g_value_get_string (value) == NULL)
    g_value_set_static_string (value, "");
  if (property == PROP_LENGTH)
    g_value_set_double (value, MIN (g_value_get_double (value), self->inputs->radius));
  if (property == PROP_TOKEN && n > 0)
    g_value_set_uint (value, (guint) MIN (g_value_get_uint (value), n - 1));
}

/* Tells the views at once that what they show is about to be replaced. */
static void
announce_change (WwSession *self, guint dirty)
{
  if (dirty & (DIRTY_TEXT | DIRTY_CONTEXT))
    dirty |= DIRTY_BASE | (self->inputs->synthetic ? 0 : DIRTY_CURVE);

  if (dirty & DIRTY_CURVE)
    {
      self->curve_stopped = FALSE;
      ww_session_curve_pending (self);
    }
  if (dirty & (DIRTY_BASE | DIRTY_NUDGE))
    ww_session_perturb_pending (self);
}

static void
set_input (WwSession *self, guint property, const GValue *asked)
{
  const Input *input = &input_table[property];
  GParamSpec *pspec = properties[property];
  GValue value = G_VALUE_INIT, old_value = G_VALUE_INIT;

  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  g_value_init (&old_value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  g_value_copy (asked, &value);
  constrain_input (self, property, &value);
  get_input (self->inputs, input, &old_value);

  if (g_param_values_cmp (pspec, &value, &old_value) != 0
      && !(input->kind == KIND_DOUBLE && isnan (g_value_get_double (&value))))
    {
      record (self, input->name, &old_value, &value);
      store_input (self->inputs, input, &value);
      ww_session_notify (self, property);
      announce_change (self, input->dirty);
      ww_session_queue_update (self, input->dirty);
    }

  g_value_unset (&value);
  g_value_unset (&old_value);
}

/* ---- Undo ---- */

static void
restore (const char *property, const GValue *value, gpointer user_data)
{
  WwSession *self = user_data;

  if (g_str_equal (property, "set"))
    replace_set (self, g_value_get_object (value));
  else
    g_object_set_property (G_OBJECT (self), property, value);
}

static void
step_history (WwSession *self, gboolean (*step) (WwHistory *history))
{
  g_object_freeze_notify (G_OBJECT (self));
  self->restoring = TRUE;
  step (self->history);
  self->restoring = FALSE;
  ww_session_notify (self, PROP_CAN_UNDO);
  ww_session_notify (self, PROP_CAN_REDO);
  g_object_thaw_notify (G_OBJECT (self));
}

/* ---- GObject ---- */

static void
ww_session_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec)
{
  WwSession *self = WW_SESSION (object);

  if (property < PROP_PERTURB_ACTIVE)
    {
      get_input (self->inputs, &input_table[property], value);
      return;
    }

  switch (property)
    {
    case PROP_PERTURB_ACTIVE:
      g_value_set_boolean (value, self->perturb_active);
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
      g_value_set_boxed (value, self->nudge);
      break;
    case PROP_NUDGE_STATE:
      g_value_set_uint (value, self->nudge_state);
      break;
    case PROP_NUDGE_MESSAGE:
      g_value_set_string (value, self->nudge_message);
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
    case PROP_DIRECTION_EVALUATIONS:
      g_value_set_uint64 (value, self->direction_evaluations);
      break;
    case PROP_DIRECTION_REFINING:
      g_value_set_boolean (value, self->refining);
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

  if (property == PROP_LAYER && !self->restoring)
    self->layer_chosen = TRUE;

  if (property < PROP_PERTURB_ACTIVE)
    set_input (self, property, value);
  else if (property == PROP_PERTURB_ACTIVE)
    set_perturb_active (self, g_value_get_boolean (value));
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
  ww_compute_free (self->compute);
  ww_history_free (self->history);
  ww_inputs_free (self->inputs);
  g_clear_object (&self->opening);
  g_clear_pointer (&self->tokens, ww_tokens_unref);
  g_free (self->set_message);
  g_free (self->text_message);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (ww_session_parent_class)->finalize (object);
}

static GParamSpec *
make_input_pspec (const Input *input)
{
  g_autoptr (WwInputs) defaults = ww_inputs_new ();
  gconstpointer field = G_STRUCT_MEMBER_P (defaults, input->offset);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  switch (input->kind)
    {
    case KIND_TEXT:
      return g_param_spec_string (input->name, NULL, NULL, "", flags);
    case KIND_BOOLEAN:
      return g_param_spec_boolean (input->name, NULL, NULL, *(const gboolean *) field, flags);
    case KIND_INT:
      return g_param_spec_int (input->name, NULL, NULL, (int) input->min, (int) input->max,
                               *(const int *) field, flags);
    case KIND_UINT:
      return g_param_spec_uint (input->name, NULL, NULL, (guint) input->min, (guint) input->max,
                                *(const guint *) field, flags);
    case KIND_UINT64:
      return g_param_spec_uint64 (input->name, NULL, NULL, 0, G_MAXUINT64,
                                  *(const guint64 *) field, flags);
    case KIND_DOUBLE:
      return g_param_spec_double (input->name, NULL, NULL, input->min, input->max,
                                  *(const double *) field, flags);
    default:
      g_assert_not_reached ();
    }
}

static void
install_outputs (void)
{
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  static const struct { guint property; const char *name; } states[] = {
    { PROP_SET_STATE, "set-state" },
    { PROP_CURVE_STATE, "curve-state" },
    { PROP_NUDGE_STATE, "nudge-state" },
  };
  static const struct { guint property; const char *name; } messages[] = {
    { PROP_SET_MESSAGE, "set-message" },
    { PROP_TEXT_MESSAGE, "text-message" },
    { PROP_CURVE_MESSAGE, "curve-message" },
    { PROP_NUDGE_MESSAGE, "nudge-message" },
  };
  static const struct { guint property; const char *name; } booleans[] = {
    { PROP_DIRECTION_REFINING, "direction-refining" },
    { PROP_CAN_UNDO, "can-undo" },
    { PROP_CAN_REDO, "can-redo" },
  };
  const struct { guint property; const char *name; GType type; } boxed[] = {
    { PROP_TOKENS, "tokens", WW_TYPE_TOKENS },
    { PROP_CURVE, "curve", WW_TYPE_CURVE },
    { PROP_NUDGE, "nudge", WW_TYPE_NUDGE },
    { PROP_PERTURB_TOKENS, "perturb-tokens", WW_TYPE_TOKENS },
    { PROP_SENSITIVITY, "sensitivity", WW_TYPE_SENSITIVITY },
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
  properties[PROP_DIRECTION_WS] = g_param_spec_double ("direction-ws", NULL, NULL, 0, G_MAXDOUBLE,
                                                       0, flags);
  properties[PROP_DIRECTION_EVALUATIONS] = g_param_spec_uint64 ("direction-evaluations", NULL, NULL,
                                                                0, G_MAXUINT64, 0, flags);
  properties[PROP_PERTURB_ACTIVE] = g_param_spec_boolean ("perturb-active", NULL, NULL, FALSE,
                                                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS
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
    properties[i] = make_input_pspec (&input_table[i]);
  install_outputs ();
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_session_init (WwSession *self)
{
  /* A nudge answers a hand that moves: it does not wait out the frame. Sensitivities share with the
   * curve, step by step. */
  static const WwLaneOptions lanes[N_LANES] = {
    [LANE_TEXT] = { 0, 0 },       [LANE_NUDGE] = { 0, 8 },   [LANE_DIRECTION] = { 0, 8 },
    [LANE_REFINE] = { 0, 16 },    [LANE_SENSITIVITY] = { 1, 16 }, [LANE_CURVE] = { 0, 16 },
  };
  static const WwLaneOptions load_lane = { 0, 16 };

  self->context = g_main_context_ref_thread_default ();
  self->inputs = ww_inputs_new ();
  self->compute = ww_compute_new ();
  self->history = ww_history_new (restore, self);
  ww_session_init_perturb (self);
  self->worker = ww_worker_new ("ww-worker", lanes, N_LANES, deliver, self);
  self->loader = ww_worker_new ("ww-loader", &load_lane, 1, deliver_load, self);
  ww_session_queue_update (self, DIRTY_CURVE | DIRTY_BASE);
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

static void
open_set (WwSession *self, GFile *file, const char *name)
{
  if (self->opening != NULL)
    g_cancellable_cancel (self->opening);
  g_clear_object (&self->opening);

  self->opening = g_cancellable_new ();
  ww_worker_post (self->loader, 0, &ww_load_job, ww_load_request_new (file, name, self->opening));

  ww_session_take_double (self, &self->set_progress, 0.0, PROP_SET_PROGRESS);
  ww_session_take_message (self, &self->set_message, NULL, PROP_SET_MESSAGE);
  ww_session_take_state (self, &self->set_state, WW_STATE_LOADING, PROP_SET_STATE);
  if (self->inputs->set == NULL)
    ww_session_queue_update (self, DIRTY_CURVE | DIRTY_BASE);
}

void
ww_session_open (WwSession *self, GFile *file)
{
  g_return_if_fail (WW_IS_SESSION (self));
  g_return_if_fail (G_IS_FILE (file));

  open_set (self, file, NULL);
}

void
ww_session_open_builtin (WwSession *self, const char *name)
{
  g_return_if_fail (WW_IS_SESSION (self));

  open_set (self, NULL, name);
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

  set = self->inputs->set;
  ww_session_take_message (self, &self->set_message, set != NULL ? ww_set_get_warnings (set) : NULL,
                           PROP_SET_MESSAGE);
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

void
ww_session_undo (WwSession *self)
{
  g_return_if_fail (WW_IS_SESSION (self));

  step_history (self, ww_history_undo);
}

void
ww_session_redo (WwSession *self)
{
  g_return_if_fail (WW_IS_SESSION (self));

  step_history (self, ww_history_redo);
}

gboolean
ww_session_get_can_undo (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), FALSE);

  return ww_history_can_undo (self->history);
}

gboolean
ww_session_get_can_redo (WwSession *self)
{
  g_return_val_if_fail (WW_IS_SESSION (self), FALSE);

  return ww_history_can_redo (self->history);
}

void
ww_session_forget_history (WwSession *self)
{
  g_return_if_fail (WW_IS_SESSION (self));

  ww_history_clear (self->history);
  ww_session_notify (self, PROP_CAN_UNDO);
  ww_session_notify (self, PROP_CAN_REDO);
}

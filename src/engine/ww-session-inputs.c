#include "ww-session-private.h"

/* ---- The inputs as properties, from one table ---- */

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

/* One row per input: its name, where it lives, what it may be, what a change makes stale. */
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
  [PROP_UNKNOWN] = { "unknown", KIND_UINT, FIELD (unknown), 0, WW_N_UNKNOWNS - 1, DIRTY_TEXT },
  [PROP_UNKNOWN_SEED] = { "unknown-seed", KIND_UINT64, FIELD (unknown_seed), 0, 0, DIRTY_TEXT },
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
  [PROP_MAPS] = { "maps", KIND_UINT, FIELD (maps), 1, WW_ALL_MAP_BITS, DIRTY_CURVE },
  [PROP_DEPTH] = { "depth", KIND_UINT, FIELD (depth), 1, WW_MAX_DEPTH, DIRTY_CURVE | DIRTY_SWAP },
  [PROP_WIDTH] = { "width", KIND_UINT, FIELD (width), 1, WW_MAX_WIDTH, DIRTY_CURVE | DIRTY_SWAP },
  [PROP_BOUND] = { "bound", KIND_UINT, FIELD (bound), 0, WW_SWEEP_BOUND_TIGHT, DIRTY_CURVE },
  [PROP_LAWS] = { "laws", KIND_UINT, FIELD (laws), 0, WW_ALL_LAW_BITS, 0 },
  [PROP_PERTURB_N] = { "perturb-n", KIND_UINT, FIELD (perturb_n), 2, MAX_PERTURB_ROWS, DIRTY_BASE },
  [PROP_TOKEN] = { "token", KIND_UINT, FIELD (token), 0, WW_MAX_ROWS - 1, DIRTY_NUDGE },
  [PROP_LENGTH] = { "length", KIND_DOUBLE, FIELD (length), 0, MAX_RADIUS, DIRTY_NUDGE },
  [PROP_DIRECTION] = { "direction", KIND_UINT, FIELD (direction), 0, WW_N_DIRECTIONS - 1,
                       DIRTY_NUDGE },
  [PROP_DIRECTION_MAP] = { "direction-map", KIND_UINT, FIELD (direction_map), 0,
                           WW_N_SESSION_MAPS - 1, DIRTY_NUDGE },
  [PROP_SENSITIVITY_MAP] = { "sensitivity-map", KIND_UINT, FIELD (sensitivity_map), 0,
                             WW_N_SESSION_MAPS - 1, DIRTY_STRIP },
  [PROP_HEAD] = { "head", KIND_INT, FIELD (head), WW_HEAD_NONE, 1023, DIRTY_NUDGE },
  [PROP_TOWARD_WORD] = { "toward-word", KIND_TEXT, FIELD (toward_word), 0, 0, DIRTY_NUDGE },
  [PROP_AMOUNT] = { "amount", KIND_DOUBLE, FIELD (amount), 0, 1, DIRTY_NUDGE },
  [PROP_SWAP_MAP] = { "swap-map", KIND_UINT, FIELD (swap_map), 0, WW_N_MAPS - 1,
                      DIRTY_SWAP },
};

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

void
ww_session_get_input (WwSession *self, guint property, GValue *ret_value)
{
  get_input (self->inputs, &input_table[property], ret_value);
}

static void
store_text (char **field, const char *text)
{
  char *old = *field; /* `text` may be the very same */

  *field = g_strdup (text != NULL ? text : "");
  g_free (old);
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

  if ((property == PROP_TEXT || property == PROP_TOWARD_WORD) && g_value_get_string (value) == NULL)
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

void
ww_session_set_input (WwSession *self, guint property, const GValue *asked)
{
  const Input *input = &input_table[property];
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (self), input->name);
  GValue value = G_VALUE_INIT, old_value = G_VALUE_INIT;

  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  g_value_init (&old_value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  g_value_copy (asked, &value);
  constrain_input (self, property, &value);
  get_input (self->inputs, input, &old_value);

  if (g_param_values_cmp (pspec, &value, &old_value) != 0)
    {
      ww_session_record (self, input->name, &old_value, &value);
      store_input (self->inputs, input, &value);
      ww_session_notify (self, property);
      if (property == PROP_TOWARD_WORD)
        ww_session_drop_word (self);
      announce_change (self, input->dirty);
      ww_session_queue_update (self, input->dirty);
    }

  g_value_unset (&value);
  g_value_unset (&old_value);
}

GParamSpec *
ww_session_make_input_pspec (guint property)
{
  const Input *input = &input_table[property];
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

/* ---- Undo ---- */

void
ww_session_record (WwSession *self, const char *property, const GValue *old_value,
                   const GValue *new_value)
{
  if (self->restoring)
    return;

  ww_history_record (self->history, property, old_value, new_value, g_get_monotonic_time ());
  ww_session_notify (self, PROP_CAN_UNDO);
  ww_session_notify (self, PROP_CAN_REDO);
}

void
ww_session_restore (const char *property, const GValue *value, gpointer user_data)
{
  WwSession *self = user_data;

  if (g_str_equal (property, "set"))
    {
      ww_session_cancel_open (self);
      ww_session_replace_set (self, g_value_get_object (value));
    }
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

/* ---- Public ---- */

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

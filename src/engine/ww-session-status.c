#include "ww-session-private.h"

/* Of WwPart, in its order. */
static const struct { const char *state, *message; } names[WW_N_PARTS] = {
  [WW_PART_NUDGE] = { "nudge-state", "nudge-message" },
  [WW_PART_WORD] = { "word-state", "word-message" },
  [WW_PART_SWAPS] = { "swap-state", "swap-message" },
  [WW_PART_STRIP] = { "strip-state", "strip-message" },
  [WW_PART_TRAINED] = { "trained-state", "trained-message" },
};

static guint
get_state_property (WwPart part)
{
  return PROP_FIRST_STATUS + 2 * part;
}

static guint
get_message_property (WwPart part)
{
  return get_state_property (part) + 1;
}

/* The message first: who hears of the state finds the sentence that belongs to it. */
void
ww_session_take_status (WwSession *self, WwPart part, WwState state, const char *message)
{
  WwStatus *status = &self->status[part];

  ww_session_take_message (self, &status->message, message, get_message_property (part));
  ww_session_take_state (self, &status->state, state, get_state_property (part));
}

void
ww_session_install_statuses (GParamSpec **ret_properties)
{
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;

  for (guint part = 0; part < WW_N_PARTS; part++)
    {
      ret_properties[get_state_property (part)]
        = g_param_spec_uint (names[part].state, NULL, NULL, WW_STATE_EMPTY, WW_STATE_FAILED,
                             WW_STATE_EMPTY, flags);
      ret_properties[get_message_property (part)]
        = g_param_spec_string (names[part].message, NULL, NULL, NULL, flags);
    }
}

void
ww_session_get_status (WwSession *self, guint property, GValue *ret_value)
{
  const WwStatus *status = &self->status[(property - PROP_FIRST_STATUS) / 2];

  if (G_VALUE_HOLDS_UINT (ret_value))
    g_value_set_uint (ret_value, status->state);
  else
    g_value_set_string (ret_value, status->message);
}

void
ww_session_finalize_statuses (WwSession *self)
{
  for (guint part = 0; part < WW_N_PARTS; part++)
    g_clear_pointer (&self->status[part].message, g_free);
}

/* ---- Public ---- */

WwState
ww_session_get_part_state (WwSession *self, WwPart part)
{
  g_return_val_if_fail (WW_IS_SESSION (self), WW_STATE_EMPTY);
  g_return_val_if_fail ((guint) part < WW_N_PARTS, WW_STATE_EMPTY);

  return self->status[part].state;
}

const char *
ww_session_get_part_message (WwSession *self, WwPart part)
{
  g_return_val_if_fail (WW_IS_SESSION (self), NULL);
  g_return_val_if_fail ((guint) part < WW_N_PARTS, NULL);

  return self->status[part].message;
}

/* The six states in words and pictures, the same on both pages. */
#pragma once

#include "ww-session.h"

G_BEGIN_DECLS

const char *ww_state_get_name (WwState state);      /* translated: "Working" */
const char *ww_state_get_icon_name (WwState state);

/* A sentence: the state, and why, where `message` is not NULL. */
char *ww_state_describe (WwState state, const char *message);

G_END_DECLS

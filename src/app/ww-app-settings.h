/* What the window remembers from one run to the next. */
#pragma once

#include <gio/gio.h>

#include "ww-session.h"

G_BEGIN_DECLS

/* NULL, with a warning on standard error, where the schema is not installed: the window then works
 * and remembers nothing. */
GSettings *ww_app_settings_new (void);

/* Puts the remembered inputs into the session and keeps both in step from then on. The history of
 * the session starts after it. The set is not opened here. */
void ww_app_settings_bind_session (GSettings *settings, WwSession *session);

/* Opens the set that was last used, or the default sample. */
void ww_app_settings_open_set (GSettings *settings, WwSession *session);
/* `settings` NULL: does nothing. */
void ww_app_settings_remember_set (GSettings *settings, const WwOrigin *origin);

G_END_DECLS

/* The text as a strip of tokens, broken into lines; one of them is chosen. Each token is a light
 * child widget, so that a screen reader meets words, not a picture. */
#pragma once

#include <adwaita.h>

#include "ww-session.h"

G_BEGIN_DECLS

#define WW_TYPE_TOKEN_STRIP (ww_token_strip_get_type ())
G_DECLARE_FINAL_TYPE (WwTokenStrip, ww_token_strip, WW, TOKEN_STRIP, GtkWidget)

/* As many as the page perturbs. */
#define WW_TOKEN_STRIP_MAX 2048

/* Property: "token" uint (rw), 0-based. */

void ww_token_strip_set_tokens (WwTokenStrip *self, WwTokens *tokens); /* NULL: none */
/* The same, with the words of the text that are no rows shown in their places: `all` holds `tokens`, in
 * order, and those. */
void ww_token_strip_set_tokens_among (WwTokenStrip *self, WwTokens *tokens, WwTokens *all);
guint ww_token_strip_get_token (WwTokenStrip *self);
void ww_token_strip_set_token (WwTokenStrip *self, guint token); /* cut to the last one */
gsize ww_token_strip_get_n_tokens (WwTokenStrip *self);
gsize ww_token_strip_get_n_drawn (WwTokenStrip *self); /* in the newest frame: exported for tests */
/* Colours the tokens; values that are not known leave theirs uncoloured. */
void ww_token_strip_set_sensitivity (WwTokenStrip *self, WwSensitivity *sensitivity);
/* FALSE: no value is known. */
gboolean ww_token_strip_get_range (WwTokenStrip *self, double *ret_min, double *ret_max);
/* The heights of the strip between which it is seen: nothing else is drawn or given a new colour. All of it, until
 * told. */
void ww_token_strip_set_viewport (WwTokenStrip *self, double top, double bottom);
/* The tokens that lie, at least in part, between two heights of the strip; FALSE: none. */
gboolean ww_token_strip_get_visible (WwTokenStrip *self,
                                     double        top,
                                     double        bottom,
                                     gsize        *ret_first,
                                     gsize        *ret_last);
/* What a key does: exported for tests. */
gboolean ww_token_strip_press_key (WwTokenStrip *self, guint keyval, GdkModifierType state);

G_END_DECLS

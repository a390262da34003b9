/* The observable session: everything the window shows, as properties. Its setters return at once;
 * the work is done by one worker thread, results are published on the main loop, stale ones never.
 * Main thread only. Every property notifies; a setter with the value it already has does nothing. */
#pragma once

#include "ww-core.h"
#include "ww-set.h"

G_BEGIN_DECLS

/* The states a view can be in; each is shown by name. */
typedef enum
{
  WW_STATE_EMPTY,   /* nothing to work on; the session's message says what is missing */
  WW_STATE_LOADING, /* a set is being read */
  WW_STATE_WORKING, /* results arrive */
  WW_STATE_DONE,
  WW_STATE_CANCELLED, /* the user stopped it; what was measured stays */
  WW_STATE_FAILED,  /* the message says why */
} WwState;

typedef enum
{
  WW_DIRECTION_WORST,  /* the worst case found for `direction-map` at the full radius, scaled */
  WW_DIRECTION_RANDOM, /* from the seed */
} WwDirection;

/* All points measured so far of the current curve. Immutable, boxed. */
typedef struct
{
  WwCurvePoint *points;
  gsize n_points, n_expected;
  gsize *lengths; /* asked for */
  gsize n_lengths;
} WwCurve;
#define WW_TYPE_CURVE (ww_curve_get_type ())
GType ww_curve_get_type (void);
WwCurve *ww_curve_ref (WwCurve *curve);
void ww_curve_unref (WwCurve *curve);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwCurve, ww_curve_unref)

/* Word sensitivity per token of the perturbed context, for one map. Immutable, boxed. */
typedef struct
{
  WwMap map;
  gsize n;
  double *ws; /* NaN: not yet */
  gsize n_known;
} WwSensitivity;
#define WW_TYPE_SENSITIVITY (ww_sensitivity_get_type ())
GType ww_sensitivity_get_type (void);
WwSensitivity *ww_sensitivity_ref (WwSensitivity *sensitivity);
void ww_sensitivity_unref (WwSensitivity *sensitivity);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSensitivity, ww_sensitivity_unref)

#define WW_TYPE_NUDGE (ww_nudge_get_type ()) /* WwNudge of core, boxed */
GType ww_nudge_get_type (void);

#define WW_TYPE_SESSION (ww_session_get_type ())
G_DECLARE_FINAL_TYPE (WwSession, ww_session, WW, SESSION, GObject)

WwSession *ww_session_new (void); /* empty; no set yet */

/* ---- Set and text ----
 * "set" WwSet (r), "set-state" WwState as uint (r), "set-message" string (r; error or warnings),
 * "set-progress" double (r), "text" string (rw), "special" boolean (rw, default TRUE), "layer" int
 * (rw), "normalisation" uint (rw, WwNormalisation), "dims" uint (rw, 0: all),
 * "tokens" WwTokens boxed (r, all rows of the text), "text-message" string (r: why a text gives no
 * curve, or which tokens are unknown; NULL: fine). */
void ww_session_open (WwSession *self, GFile *file);            /* the old set stays until the new one is complete */
void ww_session_open_builtin (WwSession *self, const char *name); /* NULL: default sample */
void ww_session_cancel_open (WwSession *self);
WwSet *ww_session_get_set (WwSession *self);
WwState ww_session_get_set_state (WwSession *self);
const char *ww_session_get_set_message (WwSession *self);
WwTokens *ww_session_get_tokens (WwSession *self);
const char *ww_session_get_text (WwSession *self);
void ww_session_set_text (WwSession *self, const char *text);
const char *ww_session_get_text_message (WwSession *self);

/* ---- Curves ----
 * inputs (rw): "n-min" uint (10), "n-max" uint (250; cut to the text's length), "n-points" uint (8),
 * "trials" uint (5), "seed" uint64 (1), "token-all" boolean (FALSE: first token), "effort" uint
 * (quick), "radius" double (1), "features" uint (4096; 0: n d), "synthetic" boolean (FALSE).
 * outputs (r): "curve" WwCurve boxed, "curve-state" uint, "curve-progress" double, "curve-message". */
WwCurve *ww_session_get_curve (WwSession *self);
WwState ww_session_get_curve_state (WwSession *self);
double ww_session_get_curve_progress (WwSession *self);
const char *ww_session_get_curve_message (WwSession *self);
void ww_session_cancel_curve (WwSession *self);
void ww_session_restart_curve (WwSession *self);

/* ---- Perturb ----
 * inputs (rw): "perturb-active" boolean (FALSE until the page is shown: no work before), "perturb-n"
 * uint (128: tokens used, cut to the text's), "token" uint (0-based), "length" double (1: ||delta|| /
 * sqrt (d), 0 to radius), "direction" uint, "direction-map" uint (softmax-RAF), "sensitivity-map" uint.
 * outputs (r): "nudge" WwNudge boxed, "nudge-state" uint, "nudge-message", "perturb-tokens" WwTokens
 * boxed (the first perturb-n rows), "sensitivity" WwSensitivity boxed. */
WwNudge *ww_session_get_nudge (WwSession *self);
WwState ww_session_get_nudge_state (WwSession *self);
const char *ww_session_get_nudge_message (WwSession *self);
WwTokens *ww_session_get_perturb_tokens (WwSession *self);
WwSensitivity *ww_session_get_sensitivity (WwSession *self);

/* ---- Undo ---- of every input above (changes within one second of the same property are one
 * step): "can-undo", "can-redo" boolean (r). */
void ww_session_undo (WwSession *self);
void ww_session_redo (WwSession *self);

G_END_DECLS

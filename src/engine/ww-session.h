/* The observable session: everything the window shows, as properties. Its setters return at once;
 * the work is done by one worker thread, results are published on the main loop, stale ones never.
 * Main thread only. Every property notifies; a setter with the value it already has does nothing.
 * Reads no settings and writes none. */
#pragma once

#include "ww-core.h"
#include "ww-inputs.h"
#include "ww-nudge-result.h"
#include "ww-origin.h"
#include "ww-results.h"
#include "ww-set.h"
#include "ww-swaps.h"

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

/* The parts of the Perturb page. Each works on its own and says for itself how it stands: what one of
 * them cannot do takes nothing away from the others. */
typedef enum
{
  WW_PART_NUDGE,   /* "nudge-state", "nudge-message" */
  WW_PART_WORD,    /* "word-…": the word that is to be gone toward; see ww_session_go_toward */
  WW_PART_SWAPS,   /* "swap-…" */
  WW_PART_STRIP,   /* "strip-…": the sensitivity per token */
  WW_PART_TRAINED, /* "trained-…": the trained attention of the nudge */
} WwPart;
#define WW_N_PARTS (WW_PART_TRAINED + 1)

#define WW_TYPE_SESSION (ww_session_get_type ())
G_DECLARE_FINAL_TYPE (WwSession, ww_session, WW, SESSION, GObject)

WwSession *ww_session_new (void); /* empty; no set yet */

/* State and message of a part, which are properties: uint and string (r). */
WwState ww_session_get_part_state (WwSession *self, WwPart part);
const char *ww_session_get_part_message (WwSession *self, WwPart part);

/* All inputs as they are now, for reading; the set and the text's rows among them. To change one,
 * set its property. For provenance take the inputs of the result that is shown (WwCurve, and
 * ww_session_get_nudge_inputs), not these. */
const WwInputs *ww_session_get_inputs (WwSession *self);
/* FALSE: "layer" is what the set brought; only a choice is worth remembering. Not always "layer": a set may lack it. */
gboolean ww_session_get_chosen_layer (WwSession *self, int *ret_layer);

/* ---- Set and text ----
 * "set" WwSet (r), "set-state" WwState as uint (r), "set-message" string (r; error or warnings),
 * "set-progress" double (r), "text" string (rw), "special" boolean (rw, default TRUE), "unknown" uint
 * (rw, WwUnknown), "unknown-seed" uint64 (rw, 1), "layer" int (rw), "normalisation" uint (rw, WwNormalisation), "dims" uint (rw, 0: all),
 * "tokens" WwTokens boxed (r, all rows of the text), "text-message" string (r: why a text gives no
 * curve, or which tokens are unknown; NULL: fine). A set that lacks the chosen layer brings its own
 * default; so does any set until a layer is chosen. */
/* The old set stays until the new one is complete, and after a failure. */
void ww_session_open (WwSession *self, GFile *file);
/* With what was chosen: one of several arrays in a file, the list of its rows' words. */
void ww_session_open_origin (WwSession *self, const WwOrigin *origin);
/* Another context, from 0, of the array that the set is one of; does nothing where there is no such. */
void ww_session_open_text (WwSession *self, gsize text);
/* Where the set in use came from; NULL: there is none. */
const WwOrigin *ww_session_get_origin (WwSession *self);
void ww_session_open_builtin (WwSession *self, const char *name); /* NULL: default sample */
void ww_session_cancel_open (WwSession *self);
/* What was last asked to be opened, whatever became of it; NULL: nothing yet. */
const WwOrigin *ww_session_get_asked_origin (WwSession *self);
/* That was cancelled: the state is that of the set before. */
gboolean ww_session_is_open_stopped (WwSession *self);
WwSet *ww_session_get_set (WwSession *self);
WwState ww_session_get_set_state (WwSession *self);
const char *ww_session_get_set_message (WwSession *self);
WwTokens *ww_session_get_tokens (WwSession *self);
const char *ww_session_get_text (WwSession *self);
void ww_session_set_text (WwSession *self, const char *text);
const char *ww_session_get_text_message (WwSession *self);

/* ---- Curves ----
 * inputs (rw): "n-min" uint (10), "n-max" uint (250; cut to the text's length), "n-points" uint
 * (8), "trials" uint (5), "seed" uint64 (1), "token-all" boolean (FALSE: first token), "effort"
 * uint (quick), "radius" double (1), "features" uint (4096; 0: n d), "synthetic" boolean (FALSE),
 * "maps" uint (bits WW_MAP_BIT; the main three, without DRF), "depth" (4) and "width" (1024) uint
 * of DRF, "bound" uint (WwSweepBound; none: they take time, and come after all points are there),
 * "laws" uint (bits WW_LAW_BIT of what theory draws beside the curve; nothing is computed anew for it).
 * outputs (r): "curve" WwCurve boxed, "curve-state" uint, "curve-progress" double, "curve-message"
 * (EMPTY, FAILED: why; otherwise NULL or a remark, such as that the text ends before n-max).
 * After a change the points of the curve before stay, with their own inputs, until the first new
 * one; the state says WORKING meanwhile. Points that the new curve shares with what was measured
 * before are not measured again, except after ww_session_restart_curve. */
WwCurve *ww_session_get_curve (WwSession *self);
WwState ww_session_get_curve_state (WwSession *self);
double ww_session_get_curve_progress (WwSession *self);
const char *ww_session_get_curve_message (WwSession *self);
void ww_session_cancel_curve (WwSession *self);
void ww_session_restart_curve (WwSession *self);

/* ---- Perturb ----
 * inputs (rw): "perturb-active" boolean (FALSE until the page is shown: no work before),
 * "perturb-n" uint (128: tokens used, cut to the text's), "token" uint (0-based), "length" double
 * (1: ||delta|| / sqrt (d), 0 to radius), "direction" uint, "direction-map" uint (softmax-RAF),
 * "sensitivity-map" uint, "toward-word" string and "amount" double (1; 0 to 1): with the direction
 * WW_DIRECTION_TOWARD the nudge is amount (y - x_i), y the row that the word would have in the token's
 * place. It may be longer than radius sqrt (d): see delta_norm of the nudge. Without a word the nudge is
 * WW_STATE_EMPTY; with one that the set lacks, as after a change of the set, WW_STATE_FAILED.
 * outputs (r): "nudge" WwNudge boxed, "nudge-state" uint, "nudge-message", "perturb-tokens"
 * WwTokens boxed (the first perturb-n rows), "sensitivity" WwSensitivity boxed, "direction-ws"
 * double (the WS found for direction-map at the token, full radius; NaN: none yet, or a random
 * direction), "direction-evaluations" uint64, "direction-refining" boolean (a longer search is to
 * come or runs). The nudge before stays while the next is computed, unless the context itself has
 * changed. */
WwNudge *ww_session_get_nudge (WwSession *self);
const WwInputs *ww_session_get_nudge_inputs (WwSession *self); /* NULL without a nudge */
/* It seen through the trained attention of the block that takes the context's layer in, by the input
 * "head" int (rw; WW_HEAD_MEAN, WW_HEAD_NONE or a head from 0). NULL: none. */
const WwTrained *ww_session_get_nudge_trained (WwSession *self);
/* What its colours stand for: the same while only the length changes. NULL without a nudge. */
const WwNudgeRange *ww_session_get_nudge_range (WwSession *self);
/* Starts what has changed now, waits at most so long for the nudge of the present inputs, and
 * publishes it: a slider and what it moves are then drawn in the same frame. FALSE: it comes later.
 */
gboolean ww_session_flush_nudge (WwSession *self, gint64 timeout_us);
WwTokens *ww_session_get_perturb_tokens (WwSession *self);
WwSensitivity *ww_session_get_sensitivity (WwSession *self);
double ww_session_get_direction_ws (WwSession *self);
guint64 ww_session_get_direction_evaluations (WwSession *self);
/* The WS found for one map at the chosen token, at the full radius; NaN: not known yet. "found-ws",
 * a uint that counts changes (r), notifies of them. */
double ww_session_get_found_ws (WwSession *self, WwMap map);
/* What no nudge of that token exceeds, certified; a rough bound at first, then a tight one. NaN: not known
 * (yet), as always for RF. "found-ws" notifies of it too. */
double ww_session_get_bound_ws (WwSession *self, WwMap map);
/* The tokens that the strip shows, 0-based, last included: their sensitivity is computed first. */
void ww_session_set_visible_tokens (WwSession *self, gsize first, gsize last);

/* ---- Swaps: every word of the set in the place of the token ----
 * inputs (rw): "swap-active" boolean (FALSE: no work; needs perturb-active, too), "swap-map" uint
 * (softmax-RAF: the map whose change ranks the words).
 * outputs (r): "swaps" WwSwaps boxed (of "token" seen through "swap-map"; grows while
 * "swap-state" uint says WORKING, and is complete with DONE), "swap-message" string (FAILED: why),
 * "swap-progress" double. The swaps of another token or map stay until the first new ones; they say
 * themselves whose they are. */
WwSwaps *ww_session_get_swaps (WwSession *self);
/* At most `max` words of the set that begin with `prefix`, best first, NULL-terminated; none while the
 * words are not known yet, which takes a moment after the page is shown. */
char **ww_session_complete_word (WwSession *self, const char *prefix, gsize max);
/* All the way to `word`: sets "toward-word", "amount" and "direction", one step for undo, once the word is
 * known to be one of the set. Otherwise everything stays, and WW_PART_WORD fails with a sentence. */
void ww_session_go_toward (WwSession *self, const char *word);
/* Somebody types another word: the one before, looked up or refused, is of no interest any more. */
void ww_session_forget_word (WwSession *self);

/* ---- Undo ---- of every input above except "perturb-active" and "swap-active", and of the set
 * (changes within one second of the same property are one step): "can-undo", "can-redo" boolean (r). */
void ww_session_undo (WwSession *self);
void ww_session_redo (WwSession *self);
gboolean ww_session_get_can_undo (WwSession *self);
gboolean ww_session_get_can_redo (WwSession *self);
/* After the settings of the last run have been put in: they are no step of the user's. */
void ww_session_forget_history (WwSession *self);

G_END_DECLS

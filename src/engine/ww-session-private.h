/* The session's state, shared by its files: ww-session.c (the object, updates, outputs),
 * ww-session-inputs.c (inputs and undo), ww-session-set.c (set and text), ww-session-curve.c,
 * ww-session-perturb.c (the nudge), ww-session-word.c (the word that it goes toward),
 * ww-session-swap.c (words in the place of a token), ww-session-strip.c (sensitivity per token),
 * ww-session-bounds.c (what no nudge of the token exceeds) and ww-session-status.c (what each part says
 * of itself). */
#pragma once

#include "ww-history.h"
#include "ww-jobs.h"
#include "ww-point-store.h"
#include "ww-session.h"
#include "ww-set-jobs.h"
#include "ww-swap-jobs.h"

G_BEGIN_DECLS

/* Lanes of the computing worker, most urgent first. */
enum
{
  LANE_TEXT,
  LANE_NUDGE,
  LANE_DIRECTION,
  LANE_WORD,
  LANE_READOUTS,
  LANE_WORDS,
  LANE_SWAP,
  LANE_REFINE,
  LANE_BOUNDS,
  LANE_SENSITIVITY,
  LANE_CURVE,
  N_LANES,
};

/* What has to be looked at again, at the end of a burst of changes. */
typedef enum
{
  DIRTY_TEXT = 1 << 0,    /* set, text or special tokens: everything follows */
  DIRTY_CURVE = 1 << 1,
  DIRTY_BASE = 1 << 2,    /* what all nudges share: searches start over */
  DIRTY_NUDGE = 1 << 3,
  DIRTY_STRIP = 1 << 4,   /* which sensitivities are wanted, and in which order */
  DIRTY_CONTEXT = 1 << 5, /* the rows themselves: a layer */
  DIRTY_SWAP = 1 << 6,    /* whether swaps are wanted */
} Dirty;

enum
{
  PROP_0,

  /* Inputs: the order of the table in ww-session-inputs.c. */
  PROP_TEXT,
  PROP_SPECIAL,
  PROP_UNKNOWN,
  PROP_UNKNOWN_SEED,
  PROP_LAYER,
  PROP_NORMALISATION,
  PROP_DIMS,
  PROP_N_MIN,
  PROP_N_MAX,
  PROP_N_POINTS,
  PROP_TRIALS,
  PROP_SEED,
  PROP_TOKEN_ALL,
  PROP_EFFORT,
  PROP_RADIUS,
  PROP_FEATURES,
  PROP_SYNTHETIC,
  PROP_MAPS,
  PROP_DEPTH,
  PROP_WIDTH,
  PROP_BOUND,
  PROP_LAWS,
  PROP_PERTURB_N,
  PROP_TOKEN,
  PROP_LENGTH,
  PROP_DIRECTION,
  PROP_DIRECTION_MAP,
  PROP_SENSITIVITY_MAP,
  PROP_HEAD,
  PROP_TOWARD_WORD,
  PROP_AMOUNT,
  PROP_SWAP_MAP,

  PROP_PERTURB_ACTIVE,
  PROP_SWAP_ACTIVE,

  PROP_SET,
  PROP_SET_STATE,
  PROP_SET_MESSAGE,
  PROP_SET_PROGRESS,
  PROP_TOKENS,
  PROP_TEXT_MESSAGE,
  PROP_CURVE,
  PROP_CURVE_STATE,
  PROP_CURVE_PROGRESS,
  PROP_CURVE_MESSAGE,
  PROP_NUDGE,
  PROP_PERTURB_TOKENS,
  PROP_SENSITIVITY,
  PROP_DIRECTION_WS,
  PROP_FOUND_WS,
  PROP_DIRECTION_EVALUATIONS,
  PROP_DIRECTION_REFINING,
  PROP_SWAPS,
  PROP_SWAP_PROGRESS,
  PROP_CAN_UNDO,
  PROP_CAN_REDO,

  /* State and message of each WwPart, in their order. */
  PROP_FIRST_STATUS,
  N_PROPS = PROP_FIRST_STATUS + 2 * WW_N_PARTS,
};

/* What a part says of itself. */
typedef struct
{
  WwState state;
  char *message;
} WwStatus;

struct _WwSession
{
  GObject parent_instance;

  GMainContext *context;
  WwInputs *inputs;
  WwCompute *compute; /* touched by the worker alone */
  WwWorker *worker, *loader;
  WwHistory *history;
  gboolean restoring; /* an undo or redo is at work: nothing is recorded */
  GSource *update;    /* the one idle of a burst */
  guint dirty;        /* Dirty */

  /* Set */
  GCancellable *opening; /* of the set that is being read, or NULL */
  WwState set_state;
  char *set_message;
  WwOrigin *asked;       /* the last one that was to be opened, or NULL */
  gboolean open_stopped; /* it was given up by the user */
  double set_progress;
  gboolean layer_chosen;
  int chosen_layer; /* not always the one in use: a set may lack it */

  /* Text */
  WwTokens *tokens;
  char *text_message;
  gboolean tokenising;
  guint64 context_serial;

  /* Curve */
  WwCurve *curve;
  WwState curve_state;
  double curve_progress;
  char *curve_message;
  gboolean curve_stopped;  /* by the user, until a change or a restart */
  WwPointStore *measured;
  GArray *lengths;         /* gsize, of the running curve */
  WwInputs *curve_inputs;  /* of the running curve */

  /* Perturb */
  gboolean perturb_active;
  WwTokens *perturb_tokens;
  guint64 perturb_serial;  /* the context_serial of perturb_tokens */
  WwNudgeResult *nudge;
  WwInputs *nudge_inputs, *pending_nudge_inputs;
  GHashTable *found;       /* (map, token) -> WwFound, under the present base */
  gint64 searching;        /* key of the search in LANE_DIRECTION, or -1 */
  GSource *refine;         /* waits for the user to pause */
  gint64 readouts_of;      /* the token whose read-outs LANE_READOUTS searches, or -1 */
  gint64 refine_key;      /* what the refinement is of */
  gboolean refining;
  double *ws[WW_N_SESSION_MAPS];   /* per token, NaN where unknown; NULL: nothing known */
  WwEffort *ws_efforts[WW_N_SESSION_MAPS]; /* per token: of the longest search; NULL where ws is */
  gsize n_ws;
  WwSensitivity *sensitivity;
  gint64 strip_searching;  /* the map that LANE_SENSITIVITY works or worked through, or -1 */
  gsize visible_first, visible_last;
  double found_ws[WW_N_SESSION_MAPS]; /* of the chosen token; NaN: not known */
  double bound_ws[WW_N_SESSION_MAPS]; /* likewise what none of its nudges exceeds */
  guint n_found_changes;   /* of both */
  gint64 bounds_of;        /* the token that LANE_BOUNDS works or worked on, or -1 */
  double direction_ws;
  guint64 direction_evaluations;

  char *asked_word;        /* that is looked up, before it is gone toward; or NULL */

  /* Swaps */
  gboolean swap_active;
  WwSwaps *swaps;
  double swap_progress;
  gint64 swapping;   /* key of the map and the token that LANE_SWAP works or worked through, or -1 */
  WwEntries *words;  /* of the set, for completion; NULL: not known yet */
  gpointer wordless; /* a set whose words cannot be had; only to be compared with */

  WwStatus status[WW_N_PARTS];
};

/* ww-session.c */
void ww_session_notify (WwSession *self, guint property);
void ww_session_queue_update (WwSession *self, guint dirty);
void ww_session_update_now (WwSession *self); /* without waiting for the idle */
/* Stores and notifies where there is a difference. */
void ww_session_take_state (WwSession *self, WwState *field, WwState state, guint property);
void ww_session_take_message (WwSession *self, char **field, const char *message, guint property);
void ww_session_take_double (WwSession *self, double *field, double value, guint property);
WwJobContext ww_session_get_job_context (WwSession *self);
/* A text that cannot be worked on: the state and sentence for the views; TRUE if there is one. */
gboolean ww_session_get_obstacle (WwSession *self, WwState *ret_state, const char **ret_message);
/* A view that shows nothing keeps saying why until the text's tokens are known: otherwise each
 * keystroke in a text that is too short would make the page flicker. */
gboolean ww_session_stays_calm (WwState shown, WwState obstacle);

/* ww-session-status.c */
void ww_session_take_status (WwSession *self, WwPart part, WwState state, const char *message);
void ww_session_install_statuses (GParamSpec **ret_properties);
/* `property`: from PROP_FIRST_STATUS on. */
void ww_session_get_status (WwSession *self, guint property, GValue *ret_value);
void ww_session_finalize_statuses (WwSession *self);

/* ww-session-inputs.c */
GParamSpec *ww_session_make_input_pspec (guint property);
void ww_session_get_input (WwSession *self, guint property, GValue *ret_value);
void ww_session_set_input (WwSession *self, guint property, const GValue *asked);
void ww_session_record (WwSession *self, const char *property, const GValue *old_value,
                        const GValue *new_value);
void ww_session_restore (const char *property, const GValue *value, gpointer user_data);

/* ww-session-set.c */
void ww_session_update_text (WwSession *self);
void ww_session_deliver_text (WwSession *self, const WwTokenised *tokenised);
void ww_session_replace_set (WwSession *self, WwSet *set);
void ww_session_deliver_load (guint lane, GPtrArray *results, gboolean finished,
                              const GError *error, gpointer user_data);

/* ww-session-curve.c */
void ww_session_update_curve (WwSession *self);
void ww_session_curve_pending (WwSession *self); /* results of the present inputs are to come */
void ww_session_deliver_curve (WwSession *self, GPtrArray *slices, gboolean finished,
                               const GError *error);
void ww_session_finalize_curve (WwSession *self);

/* ww-session-perturb.c */
void ww_session_init_perturb (WwSession *self);
void ww_session_update_perturb (WwSession *self, guint dirty);
void ww_session_perturb_pending (WwSession *self);
void ww_session_deliver_found (WwSession *self, guint lane, GPtrArray *found, gboolean finished,
                               const GError *error);
void ww_session_deliver_nudge (WwSession *self, GPtrArray *results, gboolean finished,
                               const GError *error);
void ww_session_dispose_perturb (WwSession *self);  /* nothing comes after this */
void ww_session_finalize_perturb (WwSession *self);

/* What was found under the present base, or NULL; borrowed. */
const WwFound *ww_session_find (WwSession *self, WwMap map, gsize token);

/* ww-session-bounds.c */
void ww_session_update_bounds (WwSession *self);
void ww_session_stop_bounds (WwSession *self);
void ww_session_forget_bounds (WwSession *self);
void ww_session_deliver_bounds (WwSession *self, GPtrArray *bounds);

/* ww-session-word.c */
void ww_session_drop_word (WwSession *self);
void ww_session_deliver_word (WwSession *self, gboolean finished, const GError *error);

/* ww-session-swap.c */
void ww_session_update_swap (WwSession *self);
void ww_session_stop_swap (WwSession *self);
void ww_session_forget_swaps (WwSession *self);
void ww_session_set_swap_active (WwSession *self, gboolean active);
void ww_session_deliver_words (WwSession *self, GPtrArray *results, const GError *error);
void ww_session_deliver_swaps (WwSession *self, GPtrArray *results, const GError *error);
void ww_session_finalize_swap (WwSession *self);

/* ww-session-strip.c */
void ww_session_update_strip (WwSession *self, guint dirty);
void ww_session_stop_strip (WwSession *self);
void ww_session_forget_sensitivities (WwSession *self);
void ww_session_store_sensitivities (WwSession *self, GPtrArray *found, gboolean finished,
                                     const GError *error);
/* The best that is known of the token of `found`, under the weights of `found`; NULL: nothing. */
WwFound *ww_session_get_found (WwSession *self, const WwFound *found);
/* What is known of a token whose strip value is there, so that the two never differ. Not for RF. */
void ww_session_confirm_sensitivity (WwSession *self, const WwFound *found);

G_END_DECLS

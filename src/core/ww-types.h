/* The small vocabulary that every room shares: maps, efforts, normalisations, tokens, errors. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limits on what may be asked; each guards a product that would otherwise overflow or never end. */
#define WW_MAX_ROWS 65536     /* n, tokens of one context */
#define WW_MAX_DIMS 65536     /* d, dimensions of one embedding */
#define WW_MAX_FEATURES 16777216 /* k, features of RF */
#define WW_MAX_TRIALS 1000000
#define WW_MAX_DEPTH 16       /* L, layers of DRF */
#define WW_MAX_WIDTH 16384    /* units of one layer of DRF: 1 GB of weights */

#define WW_CORE_ERROR (ww_core_error_quark ())
GQuark ww_core_error_quark (void);

typedef enum
{
  WW_CORE_ERROR_SHAPE,      /* n, d or k is zero, too large, or two arrays do not fit together */
  WW_CORE_ERROR_NON_FINITE, /* a NaN or an infinity; the message names row and column */
  WW_CORE_ERROR_ZERO_ROW,   /* a row of norm zero cannot be scaled */
  WW_CORE_ERROR_ZERO_NORM,  /* ||phi(X)|| = 0: a relative change does not exist */
  WW_CORE_ERROR_RANGE,      /* a radius, token or trial outside what is allowed */
  WW_CORE_ERROR_MEMORY,     /* the arrays asked for cannot be had */
  WW_CORE_ERROR_CANCELLED,  /* the cancel flag was raised; shown to nobody */
} WwCoreError;

/* The feature maps, in the order of the main figure (Bombari & Mondelli, ICML 2024). */
typedef enum
{
  WW_MAP_RF,          /* phi = relu (V vec (X)) */
  WW_MAP_RELU_RAF,    /* phi = A X, A = relu (X W X^T / sqrt d), rows divided by their sums */
  WW_MAP_SOFTMAX_RAF, /* phi = A X, A = softmax by rows of (X W X^T / sqrt d) */
  WW_MAP_DRF,         /* phi = relu (V_L ... relu (V_1 vec (X))) */
} WwMap;
#define WW_N_MAPS 4

const char *ww_map_get_id (WwMap map);   /* "rf", "relu-raf", "raf", "drf": command line and files */
const char *ww_map_get_name (WwMap map); /* "RF", "ReLU-RAF", "softmax-RAF", "DRF": the screen */
gboolean ww_map_from_id (const char *id, WwMap *ret_map);

/* How many starts a search spends. */
typedef enum
{
  WW_EFFORT_QUICK,    /* about 8 starts: live use */
  WW_EFFORT_NORMAL,   /* about 64 */
  WW_EFFORT_THOROUGH, /* 256 and more */
} WwEffort;
#define WW_N_EFFORTS 3
const char *ww_effort_get_id (WwEffort effort); /* "quick", "normal", "thorough" */
gboolean ww_effort_from_id (const char *id, WwEffort *ret_effort);

typedef enum
{
  WW_NORMALISATION_PAPER,  /* each row scaled to norm sqrt (d) */
  WW_NORMALISATION_NONE,   /* as stored */
  WW_NORMALISATION_CENTRE, /* column means subtracted, then as PAPER */
} WwNormalisation;
#define WW_N_NORMALISATIONS 3
const char *ww_normalisation_get_id (WwNormalisation normalisation); /* "paper", "none", "centre" */
gboolean ww_normalisation_from_id (const char *id, WwNormalisation *ret_normalisation);

/* In place of a token index: the largest over all tokens. */
#define WW_TOKEN_ALL G_MAXSIZE

/* A flag that one thread raises and the computing thread polls, at least every 20 ms. */
typedef struct
{
  int raised; /* touched only by the two functions below */
} WwCancel;

static inline void
ww_cancel_set (WwCancel *cancel, gboolean raised)
{
  __atomic_store_n (&cancel->raised, raised, __ATOMIC_RELEASE);
}

static inline gboolean
ww_cancel_is_raised (const WwCancel *cancel) /* NULL is never raised */
{
  return cancel != NULL && __atomic_load_n (&cancel->raised, __ATOMIC_ACQUIRE);
}

/* Sets WW_CORE_ERROR_CANCELLED and returns TRUE if the flag is up. */
gboolean ww_cancel_check (const WwCancel *cancel, GError **error);

G_END_DECLS

/* Settings and solution of a search for the word sensitivity at one token: shared by all maps. */
#pragma once

#include "ww-matrix.h"

G_BEGIN_DECLS

#define WW_MAX_RADIUS 100

/* How much of the work is done, from 0 to 1, never falling. */
typedef void (*WwProgressFunc) (double done, gpointer user_data);

typedef struct
{
  gsize token;     /* 0-based; WW_TOKEN_ALL only where a function says so */
  double radius;   /* r: ||delta|| <= r sqrt (d); 0 < r <= WW_MAX_RADIUS */
  WwEffort effort;
  guint64 seed;    /* of the starts (purpose WW_PURPOSE_STARTS) */
  guint32 trial;
  double target;     /* the attention maps stop at one token as soon as a nudge reaches this word sensitivity,
                      * which is then found, not searched for; 0: none. The other maps search to their end. */
  WwProgressFunc progress; /* or NULL: hears from within a search of the attention maps or of all tokens, in
                            * its thread, as far as it can tell how much it will do */
  gpointer progress_data;
} WwSearchSettings;

typedef struct
{
  WwMap map;
  gsize token;
  double ws;          /* found: re-evaluated in double precision by the plain definition */
  double upper_bound; /* certified, or NaN where none was computed */
  double predicted;   /* RF: what theory makes of these weights, see ww_theory_rf_weights; else NaN */
  gsize d;
  double *delta;      /* d entries, the nudge that was found */
  double delta_norm;
  guint64 evaluations; /* candidate nudges evaluated, gradients included */
  gsize n_tokens;     /* 0, or n where all tokens were searched */
  double *per_token;  /* n_tokens values, or NULL */
  gboolean *in_full;  /* n_tokens: whether that token got the search of the whole effort; if not, it was only
                       * screened, and its own search may find more. Or NULL, where n_tokens is 0 */
} WwSearchResult;

void ww_search_result_free (WwSearchResult *result); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwSearchResult, ww_search_result_free)

/* FALSE with WW_CORE_ERROR_RANGE unless 0 < radius <= WW_MAX_RADIUS. */
gboolean ww_search_check_radius (double radius, GError **error);

/* Called after each token of an all-token search; `ws` is the value found so far at `token`. */
typedef void (*WwTokenFunc) (gsize token, double ws, gpointer user_data);

G_END_DECLS

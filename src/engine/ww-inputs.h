/* Everything that a curve or a nudge is computed from. The session holds one that changes; each
 * result carries the copy it was computed from, so that a figure never claims other inputs. */
#pragma once

#include "ww-set-open.h"

G_BEGIN_DECLS

typedef enum
{
  WW_DIRECTION_WORST,  /* the worst case found for `direction-map` at the full radius, scaled */
  WW_DIRECTION_RANDOM, /* from the seed */
  WW_DIRECTION_TOWARD, /* to the row that `toward_word` would have in the token's place */
} WwDirection;
#define WW_N_DIRECTIONS 3

/* The maps of the main figure: RF, ReLU-RAF, softmax-RAF, the first of WwMap. */
#define WW_N_SESSION_MAPS (WW_MAP_SOFTMAX_RAF + 1)

#define WW_MAP_BIT(map) (1u << (map))
#define WW_ALL_MAP_BITS (WW_MAP_BIT (WW_N_MAPS) - 1)
#define WW_MAIN_MAP_BITS (WW_MAP_BIT (WW_N_SESSION_MAPS) - 1)

typedef struct
{
  WwSet *set;     /* NULL: none */
  char *text;     /* never NULL */
  WwTokens *rows; /* tokens of the text that are rows of the context; NULL: not known (yet) */
  gboolean special;
  guint unknown;        /* WwUnknown: what becomes of words that the set lacks */
  guint64 unknown_seed; /* of WW_UNKNOWN_RANDOM */
  int layer;
  guint normalisation; /* WwNormalisation */
  guint dims;          /* 0: all */

  guint n_min, n_max, n_points, trials;
  guint64 seed;
  gboolean token_all;
  guint effort; /* WwEffort */
  double radius;
  guint features; /* k of RF; 0: n d */
  gboolean synthetic;
  guint maps;         /* of the curve: WW_MAP_BIT of each, never none */
  guint depth, width; /* of DRF */
  guint bound;        /* WwSweepBound */
  guint laws;         /* WW_LAW_BIT of each that is drawn beside the curve; nothing is computed anew for it */

  guint perturb_n, token;
  double length;
  guint direction;                      /* WwDirection */
  guint direction_map, sensitivity_map, swap_map; /* WwMap */
  int head;                             /* of trained attention: 0 on, WW_HEAD_MEAN or _NONE */
  char *toward_word;                    /* never NULL */
  double amount; /* in place of `length` towards a word: the part of the way, 0 to 1 */
} WwInputs;

#define WW_TYPE_INPUTS (ww_inputs_get_type ())
GType ww_inputs_get_type (void);
WwInputs *ww_inputs_new (void); /* the defaults */
WwInputs *ww_inputs_copy (const WwInputs *inputs);
void ww_inputs_free (WwInputs *inputs); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwInputs, ww_inputs_free)

/* d of the contexts: `dims`, or all that the set has; 384 for synthetic contexts without either. */
gsize ww_inputs_get_d (const WwInputs *inputs);
/* Rows that the text can give: one per known token, as far as the layer has positions; 0 where none
 * are known. */
gsize ww_inputs_get_n_rows (const WwInputs *inputs);
/* Rows that are perturbed: the first perturb_n, or all if fewer. */
gsize ww_inputs_get_perturb_rows (const WwInputs *inputs);
/* The ids of `rows`, newly allocated; NULL where there is none. */
guint32 *ww_inputs_dup_ids (const WwInputs *inputs);
/* The block of trained attention that takes the context's layer in, from 1; 0: the set has none, or
 * none for that layer, or none is wanted. */
int ww_inputs_get_block (const WwInputs *inputs);
/* The head that is shown: the one asked for, or the mean where the set has fewer. */
int ww_inputs_get_head (const WwInputs *inputs);
/* What becomes of unknown words in this set, which may not be what is asked for: one that spells words with the
 * pieces of a model has a trained vector in place of random numbers, a ready context has no words. */
WwUnknown ww_inputs_get_unknown (const WwInputs *inputs);
/* The maps of the curve that get an upper bound, as bits; none where no bound is asked for. */
guint ww_inputs_get_bounded_maps (const WwInputs *inputs);

G_END_DECLS

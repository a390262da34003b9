/* Where climbs begin: nudges drawn from counters, so that start s is the same whatever else is
 * drawn, and more starts only add to fewer. */
#pragma once

#include "ww-attention.h"

G_BEGIN_DECLS

/* With e a random unit vector, x the nudged row and u_j = W^T x_j / sqrt (d) (the direction that
 * raises row j's score on the token), all scaled to norm 1 before they are added: */
typedef enum
{
  WW_START_PLAIN,    /* e */
  WW_START_TILTED,   /* e + x / 2: larger tokens move more */
  WW_START_ONE_ROW,  /* u_j + 0.3 e + x / 2, j drawn */
  WW_START_SOME_ROWS, /* a random non-negative combination of some u_j, + x / 2 */
  WW_START_ALL_ROWS, /* a Gaussian combination of all u_j, + x / 2 */
} WwStartFamily;

/* Start number `number` for `token` as d floats, not yet scaled. `combination` is scratch for
 * n + d doubles. */
void ww_attention_start (const WwAttention *attention, gsize token, WwStartFamily family,
                         guint64 seed, guint32 trial, guint32 number, double *combination,
                         float *ret_point);

G_END_DECLS

/* Labels under (or left of) a row of equal slots: the columns and rows of a heatmap, the bars of a
 * chart. As many as fit; the marked one always. */
#pragma once

#include "ww-scene-private.h"

G_BEGIN_DECLS

typedef struct
{
  const char *const *labels; /* n entries, or NULL */
  gsize n;
  gssize marked; /* -1: none */
  WwFont font;
  double slot;     /* width (below) or height (beside) of one */
  double rotation; /* 0, -45 or -90 */
  double depth;    /* room taken away from the slots, pt */
  double limit;    /* length that a label may have, along its own direction */
  gsize stride;
} WwSlots;

/* Beside: horizontal texts that end left of the slots; at most `max_depth` long. */
void ww_slots_init_beside (WwSlots *slots, const char *const *labels, gsize n, gssize marked,
                           const WwFont *font, double length, double max_depth);
/* Below: horizontal where they all fit, else slanted, else upright. `room_left`: how far slanted ones
 * may reach to the left of the first slot. */
void ww_slots_init_below (WwSlots *slots, const char *const *labels, gsize n, gssize marked,
                          const WwFont *font, double length, double max_depth, double room_left);
/* `start`: left end (below) or top (beside) of the slots; `edge`: the line that labels keep to. */
void ww_slots_draw_beside (const WwSlots *slots, WwScene *scene, const WwPlotStyle *style, double edge,
                           double start);
void ww_slots_draw_below (const WwSlots *slots, WwScene *scene, const WwPlotStyle *style, double edge,
                          double start);

G_END_DECLS

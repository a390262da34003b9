/* What figures with axes share: the room that titles and labels take around the plot area, and
 * drawing them. Everything is measured from the real texts, so nothing is cut off or covered. */
#pragma once

#include "ww-axis-private.h"
#include "ww-scene-private.h"

G_BEGIN_DECLS

typedef struct
{
  /* Set by the figure. */
  const WwPlotStyle *style;
  double width, height; /* of the page */
  const char *title, *x_label, *y_label;
  WwScale y_scale;
  WwScale x_scale;      /* unless `x_depth` is set */
  gboolean x_integers;  /* only whole numbers have ticks */
  double x_depth;       /* room for the figure's own labels below the area; NaN: a numeric axis */
  double right, bottom, above; /* room for a legend: beside, below, directly above the area */
  /* Found by ww_frame_place. */
  double area_left, area_top, area_width, area_height;
  guint dropped; /* 0: nothing; labels are left out where the page is too small for them */
  WwFont title_font, label_font, tick_font;
  WwAxis *x_axis, *y_axis;
  char *y_lines[2]; /* the y label, broken where it is longer than the area is high */
} WwFrame;

void ww_frame_init (WwFrame *frame, double width, double height, const WwPlotStyle *style);
void ww_frame_place (WwFrame *frame);
void ww_frame_clear (WwFrame *frame);
/* Grid, behind the data. */
void ww_frame_draw_grid (const WwFrame *frame, WwScene *scene);
/* Axis lines, ticks, labels and titles. */
void ww_frame_draw_axes (const WwFrame *frame, WwScene *scene);

/* A title in the middle of [from, to] at height y (its top); upright text (`rotation` -90) runs along
 * the other direction. Shrunk a little, then shortened, where it is too long for `room`. */
void ww_frame_draw_title (WwScene *scene, const WwFont *font, const char *text, WwColour colour,
                          double middle, double across, double low, double high, double rotation,
                          gboolean typeset);
double ww_frame_line_height (const WwFont *font);

G_END_DECLS

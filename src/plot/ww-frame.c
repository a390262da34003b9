#include "ww-frame-private.h"

#include <math.h>
#include <string.h>

/* In parts of the font size. */
#define PAGE_MARGIN 0.55
#define TICK_LENGTH 0.38
#define TICK_GAP 0.35
#define LABEL_GAP 0.45
#define AXIS_WIDTH 0.085
#define TICK_WIDTH 0.075
#define GRID_WIDTH 0.065

/* What goes first when there is no room. */
enum
{
  DROP_NOTHING,
  DROP_TITLE,
  DROP_LABELS,
  DROP_TICKS,
};

void
ww_frame_init (WwFrame *frame, double width, double height, const WwPlotStyle *style)
{
  *frame = (WwFrame) {
    .style = style,
    .width = width,
    .height = height,
    .x_depth = NAN,
    .title_font = { style->font_family, style->font_size * 1.1, TRUE },
    .label_font = { style->font_family, style->font_size, FALSE },
    .tick_font = { style->font_family, style->font_size * 0.9, FALSE },
  };
}

void
ww_frame_clear (WwFrame *frame)
{
  g_clear_pointer (&frame->x_axis, ww_axis_free);
  g_clear_pointer (&frame->y_axis, ww_axis_free);
  g_clear_pointer (&frame->y_lines[0], g_free);
  g_clear_pointer (&frame->y_lines[1], g_free);
}

double
ww_frame_line_height (const WwFont *font)
{
  WwTextExtents extents;

  ww_text_measure (font, "0", FALSE, &extents);
  return extents.ascent + extents.descent;
}

static gboolean
has (const char *text)
{
  return text != NULL && *text != '\0';
}

/* Labels left of their neighbour by less than a little gap would run together. */
static gboolean
labels_collide (const WwAxis *axis, const WwFont *font, double length)
{
  double end = -INFINITY;

  for (guint i = 0; i < axis->values->len; i++)
    {
      double middle = ww_scale_to_unit (&axis->scale, g_array_index (axis->values, double, i)) * length;
      WwTextExtents extents;

      ww_text_measure (font, axis->labels->pdata[i], TRUE, &extents);
      if (middle - extents.width / 2 < end + font->size * 0.6)
        return TRUE;
      end = middle + extents.width / 2;
    }
  return FALSE;
}

/* So far apart that even the widest label would not touch its neighbour. */
static void
add_x_ends (const WwFrame *frame, WwAxis *axis)
{
  double apart = ww_axis_get_label_width (axis, &frame->tick_font) + frame->tick_font.size * 0.7;

  if (frame->area_width > 0)
    ww_axis_add_ends (axis, frame->x_integers, apart / frame->area_width);
}

static WwAxis *
make_x_axis (const WwFrame *frame, guint about)
{
  return frame->x_integers ? ww_axis_new_integers (&frame->x_scale, about) : ww_axis_new (&frame->x_scale, about);
}

/* The densest axis whose labels keep apart. */
static WwAxis *
fit_x_axis (const WwFrame *frame)
{
  guint about = (guint) CLAMP (frame->area_width / (frame->tick_font.size * 3.2), 1, 12);
  WwAxis *axis = make_x_axis (frame, about);

  while (about > 1 && labels_collide (axis, &frame->tick_font, frame->area_width))
    {
      ww_axis_free (axis);
      axis = make_x_axis (frame, --about);
    }
  add_x_ends (frame, axis);
  if (labels_collide (axis, &frame->tick_font, frame->area_width))
    {
      g_array_set_size (axis->values, MIN (axis->values->len, 1));
      g_ptr_array_set_size (axis->labels, (gint) axis->values->len);
    }
  return axis;
}

static WwAxis *
fit_y_axis (const WwFrame *frame)
{
  double line = frame->tick_font.size * 2.1;
  guint about = (guint) CLAMP (frame->area_height / line + 1, 1, 9);
  WwAxis *axis = ww_axis_new (&frame->y_scale, about);
  gboolean close = TRUE;

  while (close && about > 1)
    {
      close = FALSE;
      for (guint i = 1; i < axis->values->len; i++)
        {
          double gap = ww_scale_to_unit (&axis->scale, g_array_index (axis->values, double, i))
                       - ww_scale_to_unit (&axis->scale, g_array_index (axis->values, double, i - 1));
          close = close || gap * frame->area_height < frame->tick_font.size * 1.45;
        }
      if (close)
        {
          ww_axis_free (axis);
          axis = ww_axis_new (&frame->y_scale, --about);
        }
    }
  if (frame->area_height > 0)
    ww_axis_add_ends (axis, FALSE, frame->tick_font.size * 1.15 / frame->area_height);
  return axis;
}

/* How far the label of the last tick reaches beyond the area. */
static double
overhang_right (const WwFrame *frame)
{
  guint last = frame->x_axis->values->len;
  WwTextExtents extents;
  double place;

  if (last == 0 || frame->dropped >= DROP_TICKS)
    return 0;
  place = ww_scale_to_unit (&frame->x_scale, g_array_index (frame->x_axis->values, double, last - 1));
  ww_text_measure (&frame->tick_font, frame->x_axis->labels->pdata[last - 1], TRUE, &extents);
  return fmax (0, extents.width / 2 - (1 - place) * frame->area_width);
}

static double
overhang_left (const WwFrame *frame)
{
  WwTextExtents extents;
  double place;

  if (frame->x_axis->values->len == 0 || frame->dropped >= DROP_TICKS)
    return 0;
  place = ww_scale_to_unit (&frame->x_scale, g_array_index (frame->x_axis->values, double, 0));
  ww_text_measure (&frame->tick_font, frame->x_axis->labels->pdata[0], TRUE, &extents);
  return fmax (0, extents.width / 2 - place * frame->area_width);
}

static double
ticks_depth (const WwFrame *frame)
{
  double em = frame->style->font_size;

  if (frame->dropped >= DROP_TICKS)
    return 0;
  if (!isnan (frame->x_depth))
    return frame->x_depth;
  /* Exponents stand a little above the line. */
  return em * (TICK_LENGTH + TICK_GAP) + ww_frame_line_height (&frame->tick_font) + em * 0.2;
}

static double
label_width (const WwFrame *frame, const char *text)
{
  WwTextExtents extents;

  ww_text_measure (&frame->label_font, text, TRUE, &extents);
  return extents.width;
}

/* At the space that leaves the shortest longer part; no space: not at all. */
static void
break_y_label (WwFrame *frame)
{
  double best = INFINITY;
  const char *place = NULL;

  for (const char *space = strchr (frame->y_label, ' '); space != NULL; space = strchr (space + 1, ' '))
    {
      g_autofree char *head = g_strndup (frame->y_label, (gsize) (space - frame->y_label));
      double longer = fmax (label_width (frame, head), label_width (frame, space + 1));

      if (longer < best)
        {
          best = longer;
          place = space;
        }
    }
  if (place == NULL)
    return;
  g_free (frame->y_lines[0]);
  frame->y_lines[0] = g_strndup (frame->y_label, (gsize) (place - frame->y_label));
  frame->y_lines[1] = g_strdup (place + 1);
}

/* Broken where it would have to be much smaller to fit. */
static void
fit_y_label (WwFrame *frame)
{
  const double shrink = 0.85;

  g_clear_pointer (&frame->y_lines[0], g_free);
  g_clear_pointer (&frame->y_lines[1], g_free);
  if (!has (frame->y_label) || frame->dropped >= DROP_LABELS)
    return;
  frame->y_lines[0] = g_strdup (frame->y_label);
  if (label_width (frame, frame->y_label) * shrink > frame->area_height)
    break_y_label (frame);
}

static void
measure_margins (WwFrame *frame, double margins[4])
{
  double em = frame->style->font_size;
  double pad = em * PAGE_MARGIN;
  double left = pad, right = pad, top = pad, bottom = pad;
  gboolean ticks = frame->dropped < DROP_TICKS;

  if (has (frame->title) && frame->dropped < DROP_TITLE)
    top += ww_frame_line_height (&frame->title_font) + em * 0.35;
  if (ticks && frame->y_axis != NULL && frame->y_axis->multiplier != NULL)
    top += ww_frame_line_height (&frame->tick_font);
  if (ticks)
    top = fmax (top, em * 0.75);
  if (has (frame->x_label) && frame->dropped < DROP_LABELS)
    bottom += ww_frame_line_height (&frame->label_font) + em * LABEL_GAP * 0.5;
  bottom += ticks_depth (frame);
  if (has (frame->y_label) && frame->dropped < DROP_LABELS)
    left += ww_frame_line_height (&frame->label_font) * (frame->y_lines[1] != NULL ? 2 : 1)
            + em * LABEL_GAP * 0.6;
  if (ticks && frame->y_axis != NULL)
    left += ww_axis_get_label_width (frame->y_axis, &frame->tick_font) + em * (TICK_LENGTH + TICK_GAP);
  if (frame->x_axis != NULL)
    {
      left = fmax (left, pad + overhang_left (frame));
      right = fmax (right, pad + overhang_right (frame));
      if (ticks && frame->x_axis->multiplier != NULL
          && !(has (frame->x_label) && frame->dropped < DROP_LABELS))
        bottom += ww_frame_line_height (&frame->tick_font);
    }
  margins[0] = left;
  margins[1] = right + frame->right;
  margins[2] = top + frame->above;
  margins[3] = bottom + frame->bottom;
}

/* The margins depend on the ticks, and the ticks on what the margins leave: a few rounds settle it. */
static void
settle (WwFrame *frame)
{
  ww_frame_clear (frame);
  frame->area_width = frame->width * 0.75;
  frame->area_height = frame->height * 0.75;
  for (guint round = 0; round < 4; round++)
    {
      double margins[4];

      ww_frame_clear (frame);
      frame->y_axis = fit_y_axis (frame);
      if (isnan (frame->x_depth))
        frame->x_axis = fit_x_axis (frame);
      fit_y_label (frame);
      measure_margins (frame, margins);
      frame->area_left = margins[0];
      frame->area_top = margins[2];
      frame->area_width = fmax (frame->width - margins[0] - margins[1], 0);
      frame->area_height = fmax (frame->height - margins[2] - margins[3], 0);
    }
}

void
ww_frame_place (WwFrame *frame)
{
  double least = frame->style->font_size * 3;

  for (frame->dropped = DROP_NOTHING; frame->dropped <= DROP_TICKS; frame->dropped++)
    {
      settle (frame);
      if (frame->area_width >= least && frame->area_height >= least)
        return;
      /* Rather a figure without a legend beside it than one without its numbers. */
    }
  frame->dropped = DROP_TICKS;
  frame->right = frame->bottom = frame->above = 0;
  settle (frame);
}

static double
x_at (const WwFrame *frame, double value)
{
  return frame->area_left + ww_scale_to_unit (&frame->x_scale, value) * frame->area_width;
}

static double
y_at (const WwFrame *frame, double value)
{
  return frame->area_top + (1 - ww_scale_to_unit (&frame->y_scale, value)) * frame->area_height;
}

static void
add_vertical (GArray *points, double x, double from, double to)
{
  const WwPoint pair[2] = { { x, from }, { x, to } };

  g_array_append_vals (points, pair, 2);
}

static void
add_horizontal (GArray *points, double y, double from, double to)
{
  const WwPoint pair[2] = { { from, y }, { to, y } };

  g_array_append_vals (points, pair, 2);
}

void
ww_frame_draw_grid (const WwFrame *frame, WwScene *scene)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (WwPoint));
  double right = frame->area_left + frame->area_width;
  double bottom = frame->area_top + frame->area_height;

  for (guint i = 0; frame->x_axis != NULL && i < frame->x_axis->values->len; i++)
    add_vertical (points, x_at (frame, g_array_index (frame->x_axis->values, double, i)),
                  frame->area_top, bottom);
  for (guint i = 0; i < frame->y_axis->values->len; i++)
    add_horizontal (points, y_at (frame, g_array_index (frame->y_axis->values, double, i)),
                    frame->area_left, right);
  ww_scene_add_segments (scene, (const WwPoint *) (const void *) points->data, points->len,
                         frame->style->grid, frame->style->font_size * GRID_WIDTH);
}

static void
draw_ticks (const WwFrame *frame, WwScene *scene)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (WwPoint));
  double bottom = frame->area_top + frame->area_height;
  double length = frame->style->font_size * TICK_LENGTH;

  for (guint i = 0; frame->x_axis != NULL && i < frame->x_axis->values->len; i++)
    add_vertical (points, x_at (frame, g_array_index (frame->x_axis->values, double, i)), bottom,
                  bottom + length);
  for (guint i = 0; frame->x_axis != NULL && i < frame->x_axis->minor->len; i++)
    add_vertical (points, x_at (frame, g_array_index (frame->x_axis->minor, double, i)), bottom,
                  bottom + length * 0.55);
  for (guint i = 0; i < frame->y_axis->values->len; i++)
    add_horizontal (points, y_at (frame, g_array_index (frame->y_axis->values, double, i)),
                    frame->area_left - length, frame->area_left);
  for (guint i = 0; i < frame->y_axis->minor->len; i++)
    add_horizontal (points, y_at (frame, g_array_index (frame->y_axis->minor, double, i)),
                    frame->area_left - length * 0.55, frame->area_left);
  ww_scene_add_segments (scene, (const WwPoint *) (const void *) points->data, points->len,
                         frame->style->faint, frame->style->font_size * TICK_WIDTH);
}

static void
draw_tick_labels (const WwFrame *frame, WwScene *scene)
{
  double em = frame->style->font_size;
  double bottom = frame->area_top + frame->area_height;
  WwTextPlace place = { .size = frame->tick_font.size, .typeset = TRUE, .colour = frame->style->foreground };
  WwTextExtents plain;

  ww_text_measure (&frame->tick_font, "0", FALSE, &plain);
  place.anchor = WW_ANCHOR_MIDDLE;
  place.level = WW_LEVEL_BASELINE;
  for (guint i = 0; frame->x_axis != NULL && i < frame->x_axis->values->len; i++)
    {
      place.x = x_at (frame, g_array_index (frame->x_axis->values, double, i));
      place.y = bottom + em * (TICK_LENGTH + TICK_GAP) + plain.ascent;
      ww_scene_add_text (scene, frame->x_axis->labels->pdata[i], &place);
    }
  place.anchor = WW_ANCHOR_END;
  place.level = WW_LEVEL_MIDDLE;
  for (guint i = 0; i < frame->y_axis->values->len; i++)
    {
      place.x = frame->area_left - em * (TICK_LENGTH + TICK_GAP);
      place.y = y_at (frame, g_array_index (frame->y_axis->values, double, i));
      ww_scene_add_text (scene, frame->y_axis->labels->pdata[i], &place);
    }
}

static void
draw_multipliers (const WwFrame *frame, WwScene *scene)
{
  double em = frame->style->font_size;
  WwTextPlace place = { .size = frame->tick_font.size, .typeset = TRUE, .colour = frame->style->foreground };

  if (frame->y_axis->multiplier != NULL)
    {
      place.x = frame->area_left;
      place.y = frame->area_top - em * 0.45;
      ww_scene_add_text (scene, frame->y_axis->multiplier, &place);
    }
  if (frame->x_axis != NULL && frame->x_axis->multiplier != NULL)
    {
      place.x = frame->area_left + frame->area_width;
      place.y = frame->area_top + frame->area_height + ticks_depth (frame) + em * 0.75;
      place.anchor = WW_ANCHOR_END;
      ww_scene_add_text (scene, frame->x_axis->multiplier, &place);
    }
}

void
ww_frame_draw_title (WwScene *scene, const WwFont *font, const char *text, WwColour colour,
                     double middle, double across, double low, double high, double rotation,
                     gboolean typeset)
{
  WwFont fitted = *font;
  WwTextExtents extents;
  g_autofree char *shortened = NULL;
  WwTextPlace place = { .anchor = WW_ANCHOR_MIDDLE, .level = WW_LEVEL_TOP, .rotation = rotation,
                        .bold = font->bold, .typeset = typeset, .colour = colour };
  double room = high - low;

  if (!has (text) || room <= 0)
    return;
  ww_text_measure (font, text, typeset, &extents);
  if (extents.width > room)
    fitted.size *= fmax (0.72, room / extents.width * 0.995);
  shortened = ww_text_fit (&fitted, text, typeset, room);
  ww_text_measure (&fitted, shortened, typeset, &extents);
  middle = CLAMP (middle, low + extents.width / 2, fmax (high - extents.width / 2, low + extents.width / 2));
  place.size = fitted.size;
  place.x = rotation == 0 ? middle : across;
  place.y = rotation == 0 ? across : middle;
  ww_scene_add_text (scene, shortened, &place);
}

/* Both lines in one size. */
static void
draw_y_label (const WwFrame *frame, WwScene *scene)
{
  double em = frame->style->font_size, pad = em * PAGE_MARGIN;
  double low = fmax (pad, frame->area_top - em * 0.25);
  double high = fmin (frame->height - pad, frame->area_top + frame->area_height + ticks_depth (frame));
  WwFont font = frame->label_font;
  double longest = 0;

  for (guint i = 0; i < G_N_ELEMENTS (frame->y_lines) && frame->y_lines[i] != NULL; i++)
    longest = fmax (longest, label_width (frame, frame->y_lines[i]));
  if (frame->y_lines[1] != NULL && longest > high - low)
    font.size *= fmax ((high - low) / longest, 0.75);
  for (guint i = 0; i < G_N_ELEMENTS (frame->y_lines) && frame->y_lines[i] != NULL; i++)
    ww_frame_draw_title (scene, &font, frame->y_lines[i], frame->style->foreground,
                         frame->area_top + frame->area_height / 2,
                         pad + i * ww_frame_line_height (&frame->label_font), low, high, -90, TRUE);
}

static void
draw_titles (const WwFrame *frame, WwScene *scene)
{
  const WwPlotStyle *style = frame->style;
  double em = style->font_size;
  double pad = em * PAGE_MARGIN;
  double bottom = frame->area_top + frame->area_height;
  double right = frame->width - pad;

  if (frame->dropped < DROP_TITLE)
    ww_frame_draw_title (scene, &frame->title_font, frame->title, style->foreground,
                         frame->area_left + frame->area_width / 2, pad, pad, right, 0, FALSE);
  if (frame->dropped >= DROP_LABELS)
    return;
  if (frame->x_axis != NULL && frame->x_axis->multiplier != NULL)
    right = frame->area_left + frame->area_width - em * 3;
  ww_frame_draw_title (scene, &frame->label_font, frame->x_label, style->foreground,
                       frame->area_left + frame->area_width / 2,
                       bottom + ticks_depth (frame) + em * LABEL_GAP * 0.5, pad, right, 0, TRUE);
  draw_y_label (frame, scene);
}

void
ww_frame_draw_axes (const WwFrame *frame, WwScene *scene)
{
  const WwPoint corner[3] = {
    { frame->area_left, frame->area_top },
    { frame->area_left, frame->area_top + frame->area_height },
    { frame->area_left + frame->area_width, frame->area_top + frame->area_height },
  };

  ww_scene_add_polyline (scene, corner, 3, frame->style->faint, frame->style->font_size * AXIS_WIDTH,
                         WW_DASH_SOLID);
  if (frame->dropped < DROP_TICKS)
    {
      draw_ticks (frame, scene);
      draw_tick_labels (frame, scene);
      draw_multipliers (frame, scene);
    }
  draw_titles (frame, scene);
}

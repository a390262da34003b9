#include "ww-slots-private.h"

#include <math.h>

/* Distance of neighbouring labels' lines, in parts of the font size. */
#define LINE 1.22

/* Whether slot i has a label. The marked one has; those it would touch give way. */
static gboolean
is_shown (const WwSlots *slots, gsize i)
{
  gsize distance;

  if (slots->labels == NULL || slots->labels[i] == NULL)
    return FALSE;
  if (slots->marked < 0 || (gsize) slots->marked >= slots->n)
    return i % slots->stride == 0;
  if ((gssize) i == slots->marked)
    return TRUE;
  distance = i > (gsize) slots->marked ? i - (gsize) slots->marked : (gsize) slots->marked - i;
  return i % slots->stride == 0 && distance >= slots->stride;
}

/* Of those that are shown. */
static double
longest_label (const WwSlots *slots)
{
  double longest = 0;

  for (gsize i = 0; slots->labels != NULL && i < slots->n; i++)
    {
      WwFont font = slots->font;
      WwTextExtents extents;

      if (!is_shown (slots, i))
        continue;
      font.bold = (gssize) i == slots->marked;
      ww_text_measure (&font, slots->labels[i], FALSE, &extents);
      longest = fmax (longest, extents.width);
    }
  return longest;
}

/* Slanted labels end under their slots and reach to the left by their length / sqrt 2. */
static gboolean
fits_slanted (const WwSlots *slots, double line, double room_left)
{
  for (gsize i = 0; i < slots->n; i++)
    {
      WwFont font = slots->font;
      WwTextExtents extents;

      if (!is_shown (slots, i))
        continue;
      font.bold = (gssize) i == slots->marked;
      ww_text_measure (&font, slots->labels[i], FALSE, &extents);
      if ((extents.width + line) / G_SQRT2 > room_left + ((double) i + 0.5) * slots->slot)
        return FALSE;
    }
  return TRUE;
}

static void
init (WwSlots *slots, const char *const *labels, gsize n, gssize marked, const WwFont *font,
      double length)
{
  *slots = (WwSlots) { labels, n, marked, *font, n > 0 ? length / (double) n : 0, 0, 0, 0, 1 };
}

static gsize
stride_for (double needed, double slot)
{
  return slot > 0 && needed > slot ? (gsize) MIN (ceil (needed / slot), 1e6) : 1;
}

void
ww_slots_init_beside (WwSlots *slots, const char *const *labels, gsize n, gssize marked,
                      const WwFont *font, double length, double max_depth)
{
  init (slots, labels, n, marked, font, length);
  slots->stride = stride_for (font->size * LINE, slots->slot);
  slots->limit = fmin (longest_label (slots), fmax (max_depth, 0));
  slots->depth = slots->limit;
}

void
ww_slots_init_below (WwSlots *slots, const char *const *labels, gsize n, gssize marked,
                     const WwFont *font, double length, double max_depth, double room_left)
{
  double longest, line = font->size * LINE;

  init (slots, labels, n, marked, font, length);
  longest = longest_label (slots);
  if (longest <= 0)
    return;
  if (longest + font->size * 0.5 <= slots->slot)
    {
      slots->limit = longest;
      slots->depth = line;
      return;
    }
  slots->limit = fmin (longest, fmax ((max_depth - line * G_SQRT2 / 2) * G_SQRT2, 0));
  if (slots->slot >= line * G_SQRT2 && slots->limit >= longest
      && fits_slanted (slots, line, room_left))
    {
      slots->rotation = -45;
      slots->depth = (slots->limit + line) / G_SQRT2;
      return;
    }
  slots->rotation = -90;
  slots->stride = stride_for (line, slots->slot);
  slots->limit = fmin (longest_label (slots), fmax (max_depth, 0));
  slots->depth = slots->limit;
}

static void
draw_label (const WwSlots *slots, WwScene *scene, const WwPlotStyle *style, gsize i, WwTextPlace place)
{
  WwFont font = slots->font;
  g_autofree char *fitted = NULL;

  font.bold = (gssize) i == slots->marked;
  fitted = ww_text_fit (&font, slots->labels[i], FALSE, slots->limit + 0.01);
  place.size = font.size;
  place.bold = font.bold;
  place.rotation = slots->rotation;
  place.colour = style->foreground;
  ww_scene_add_text (scene, fitted, &place);
}

void
ww_slots_draw_beside (const WwSlots *slots, WwScene *scene, const WwPlotStyle *style, double edge,
                      double start)
{
  WwTextPlace place = { .x = edge, .anchor = WW_ANCHOR_END, .level = WW_LEVEL_MIDDLE };

  for (gsize i = 0; i < slots->n; i++)
    {
      place.y = start + ((double) i + 0.5) * slots->slot;
      if (is_shown (slots, i))
        draw_label (slots, scene, style, i, place);
    }
}

void
ww_slots_draw_below (const WwSlots *slots, WwScene *scene, const WwPlotStyle *style, double edge,
                     double start)
{
  WwTextPlace place = { .y = edge, .anchor = WW_ANCHOR_END, .level = WW_LEVEL_MIDDLE };

  if (slots->rotation == 0)
    {
      place.anchor = WW_ANCHOR_MIDDLE;
      place.level = WW_LEVEL_TOP;
    }
  else if (slots->rotation == -45)
    place.y += slots->font.size * 0.3;
  for (gsize i = 0; i < slots->n; i++)
    {
      place.x = start + ((double) i + 0.5) * slots->slot;
      if (is_shown (slots, i))
        draw_label (slots, scene, style, i, place);
    }
}

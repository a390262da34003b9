#include "ww-legend-private.h"

#include <math.h>

/* In parts of the style's font size. */
#define NORMAL_SIZE 0.92
#define COMPACT_SIZE 0.76

/* In parts of the legend's font size. */
#define SAMPLE_WIDTH 2.1
#define LONG_SAMPLE_WIDTH 3.1
#define SAMPLE_GAP 0.5
#define COLUMN_GAP 1.2

#define MAX_NOTE_LINES 4

static double
row_height (const WwFont *font)
{
  return font->size * 1.45;
}

static double
entry_width (const WwLegend *legend, gsize i)
{
  WwTextExtents extents;

  ww_text_measure (&legend->font, legend->labels[i], TRUE, &extents);
  return legend->sample_width + legend->font.size * SAMPLE_GAP + extents.width;
}

static void
place_entries (WwLegend *legend, double max_width, gboolean rows)
{
  double x = 0, y = 0;

  for (gsize i = 0; i < legend->n_entries; i++)
    {
      double width = entry_width (legend, i);

      if (i > 0 && (!rows || x + width > max_width + 0.01))
        {
          x = 0;
          y += row_height (&legend->font);
        }
      legend->boxes[i] = (WwBox) { x, y, width, row_height (&legend->font) };
      legend->width = fmax (legend->width, x + width);
      x += width + COLUMN_GAP * legend->font.size;
    }
  legend->height = legend->n_entries > 0 ? y + row_height (&legend->font) : 0;
}

/* Broken to lines of about the same length, so that no single word is left over. */
static GPtrArray *
wrap_balanced (const WwFont *font, const char *note, double width)
{
  GPtrArray *lines = ww_text_wrap (font, note, TRUE, width, MAX_NOTE_LINES);
  guint n = lines->len;
  WwTextExtents whole;

  ww_text_measure (font, note, TRUE, &whole);
  for (double narrower = whole.width / n * 1.01; n > 1 && narrower < width; narrower *= 1.04)
    {
      /* One line more than there may be shows whether it would have been needed. */
      g_autoptr (GPtrArray) candidate = ww_text_wrap (font, note, TRUE, narrower, n + 1);
      if (candidate->len != n)
        continue;
      g_ptr_array_unref (lines);
      return g_steal_pointer (&candidate);
    }
  return lines;
}

static void
place_note (WwLegend *legend, const char *note, double max_width, gboolean rows)
{
  /* In a column a note may be somewhat wider than the entries before it is broken. */
  double column = fmax (legend->width * 1.15, legend->note_font.size * 14);
  double width = rows ? max_width : fmin (max_width, column);

  legend->note_top = legend->height;
  if (note == NULL || *note == '\0')
    return;
  g_ptr_array_unref (legend->note);
  legend->note = wrap_balanced (&legend->note_font, note, width);
  for (guint i = 0; i < legend->note->len; i++)
    {
      WwTextExtents extents;
      ww_text_measure (&legend->note_font, legend->note->pdata[i], TRUE, &extents);
      legend->width = fmax (legend->width, extents.width);
    }
  legend->height += legend->note->len * row_height (&legend->note_font);
}

/* The pattern of a dashed line must be seen on both sides of its marker, and a long one at all. */
static double
get_sample_width (const WwLegendEntry *entries, gsize n_entries)
{
  for (gsize i = 0; i < n_entries; i++)
    if ((entries[i].markers && entries[i].dash != WW_DASH_SOLID) || entries[i].dash >= WW_DASH_DASH_DOT)
      return LONG_SAMPLE_WIDTH;
  return SAMPLE_WIDTH;
}

WwLegend *
ww_legend_new (const WwPlotStyle *style, const WwLegendEntry *entries, gsize n_entries,
               const char *note, double max_width, gboolean rows, gboolean compact)
{
  WwLegend *legend = g_new0 (WwLegend, 1);
  double size = style->font_size * (compact ? COMPACT_SIZE : NORMAL_SIZE);

  legend->n_entries = n_entries;
  legend->sample_width = size * get_sample_width (entries, n_entries);
  legend->entries = g_memdup2 (entries, n_entries * sizeof *entries);
  legend->boxes = g_new0 (WwBox, n_entries);
  legend->labels = g_new0 (char *, n_entries + 1);
  legend->note = g_ptr_array_new_with_free_func (g_free);
  legend->font = (WwFont) { style->font_family, size, FALSE };
  legend->note_font = (WwFont) { style->font_family, size * 0.85, FALSE };
  for (gsize i = 0; i < n_entries; i++)
    legend->labels[i] = ww_text_fit (&legend->font, entries[i].label != NULL ? entries[i].label : "",
                                     TRUE, fmax (max_width - legend->sample_width - size * SAMPLE_GAP, 0));
  place_entries (legend, max_width, rows);
  place_note (legend, note, max_width, rows);
  return legend;
}

void
ww_legend_free (WwLegend *legend)
{
  if (legend == NULL)
    return;
  g_free (legend->entries);
  g_free (legend->boxes);
  g_strfreev (legend->labels);
  g_ptr_array_unref (legend->note);
  g_free (legend);
}

static void
draw_sample (const WwLegend *legend, const WwLegendEntry *entry, WwScene *scene,
             const WwPlotStyle *style, double x, double middle)
{
  double size = legend->font.size;
  WwColour colour = entry->hidden ? ww_colour_mix (style->background, style->faint, 0.4) : entry->colour;
  const WwPoint line[2] = { { x, middle }, { x + legend->sample_width, middle } };

  if (entry->kind == WW_SAMPLE_SWATCH)
    {
      ww_scene_add_rect (scene, x + legend->sample_width - 1.2 * size, middle - 0.4 * size, 0.9 * size, 0.8 * size, colour,
                         (WwColour) { 0 }, 0);
      return;
    }
  ww_scene_add_polyline (scene, line, 2, colour, entry->line_width > 0 ? entry->line_width : style->line_width,
                         entry->dash);
  if (entry->markers)
    ww_scene_add_marker (scene, entry->marker, x + legend->sample_width / 2, middle,
                         style->line_width * 1.9, entry->hidden ? style->background : colour,
                         entry->hidden ? colour : style->background, style->line_width * 0.4);
}

void
ww_legend_draw (const WwLegend *legend, WwScene *scene, const WwPlotStyle *style, double x, double y)
{
  WwTextPlace place = { .level = WW_LEVEL_MIDDLE, .typeset = TRUE };

  for (gsize i = 0; i < legend->n_entries; i++)
    {
      const WwBox *box = &legend->boxes[i];
      double middle = y + box->y + box->height / 2;

      draw_sample (legend, &legend->entries[i], scene, style, x + box->x, middle);
      place.x = x + box->x + legend->sample_width + legend->font.size * SAMPLE_GAP;
      place.y = middle;
      place.size = legend->font.size;
      place.colour = legend->entries[i].hidden ? ww_colour_mix (style->background, style->faint, 0.6)
                                               : style->foreground;
      ww_scene_add_text (scene, legend->labels[i], &place);
    }
  for (guint i = 0; i < legend->note->len; i++)
    {
      place.x = x;
      place.y = y + legend->note_top + (i + 0.5) * row_height (&legend->note_font);
      place.size = legend->note_font.size;
      place.colour = style->faint;
      ww_scene_add_text (scene, legend->note->pdata[i], &place);
    }
}

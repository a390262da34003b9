/* The key of a figure: a sample and a label for each series, in a column or in rows. */
#pragma once

#include "ww-scene-private.h"

G_BEGIN_DECLS

typedef enum
{
  WW_SAMPLE_LINE,
  WW_SAMPLE_SWATCH,
} WwSampleKind;

typedef struct
{
  WwSampleKind kind;
  const char *label;
  WwColour colour;
  double line_width; /* 0: the style's */
  WwMarkerShape marker;
  gboolean markers; /* on the line */
  WwDash dash;
  gboolean hidden; /* greyed */
} WwLegendEntry;

typedef struct
{
  double x, y, width, height; /* from the legend's own corner */
} WwBox;

typedef struct
{
  double width, height;
  gsize n_entries;
  WwLegendEntry *entries;
  WwBox *boxes;
  char **labels; /* fitted */
  GPtrArray *note;
  double note_top;
  double sample_width;
  WwFont font, note_font;
} WwLegend;

/* `rows`: side by side as far as `max_width` allows, else one above the other. `compact`: in small
 * letters. */
WwLegend *ww_legend_new (const WwPlotStyle *style, const WwLegendEntry *entries, gsize n_entries,
                         const char *note, double max_width, gboolean rows, gboolean compact);
void ww_legend_free (WwLegend *legend);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwLegend, ww_legend_free)
void ww_legend_draw (const WwLegend *legend, WwScene *scene, const WwPlotStyle *style, double x,
                     double y);

G_END_DECLS

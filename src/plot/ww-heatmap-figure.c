#include "ww-heatmap-figure.h"

#include <float.h>
#include <glib/gi18n.h>
#include <math.h>

#include "ww-frame-private.h"
#include "ww-slots-private.h"

/* A bitmap side of cairo may not be larger. */
#define MAX_CELLS_SIDE 32767
#define BAR_STEPS 256

/* In parts of the font size. */
#define PAD 0.55
#define GAP 0.4
#define SLOT_GAP 0.6
#define TITLE_GAP 0.5
#define BAR_WIDTH 1.2
#define BAR_GAP 1.1
#define COMPACT_BAR_GAP 0.6
#define TICK 0.3
#define HATCH 0.55
#define THIN 0.7

/* In points. Cells smaller than this can meet a bitmap with larger pixels. */
#define SMALL_CELL 4
/* The row and the column that are marked are drawn at least so wide. */
#define LEAST_STRIP 0.75

typedef struct
{
  double left, top, width, height;
} Area;

typedef struct
{
  const WwHeatmapFigure *figure;
  const WwPlotStyle *style;
  WwScene *scene;
  double width, height;
  double min, max;
  WwFont title_font, label_font, tick_font;
  WwHeatmapLayout cells;
  WwSlots rows, cols;
  WwAxis *bar_axis;
  double bar_top, bar_height;
  char *bar_label;
  double left, right, top, bottom; /* margins around the cells */
  gboolean compact; /* too narrow for a title beside the colour bar */
  gboolean lean; /* too small for more than the title and the colour bar */
  gboolean bare; /* too small for any text */
} Plot;

static gboolean
has (const char *text)
{
  return text != NULL && *text != '\0';
}

/* ---- The range of the colours ---- */

static void
find_data_range (const WwHeatmapFigure *figure, double *ret_min, double *ret_max)
{
  double min = INFINITY, max = -INFINITY;

  for (gsize i = 0; i < figure->rows * figure->cols; i++)
    if (isfinite (figure->values[i]))
      {
        min = fmin (min, figure->values[i]);
        max = fmax (max, figure->values[i]);
      }
  *ret_min = isfinite (figure->min) ? figure->min : min;
  *ret_max = isfinite (figure->max) ? figure->max : max;
}

/* A colour bar needs two different ends, whatever the values are. */
static void
find_range (Plot *plot)
{
  double min, max;
  WwScale scale;

  find_data_range (plot->figure, &min, &max);
  if (plot->figure->diverging)
    {
      double reach = fmax (isfinite (min) ? fabs (min) : 0, isfinite (max) ? fabs (max) : 0);
      max = reach > 1e-300 ? fmin (reach, 1e300) : 1;
      min = -max;
    }
  else if (min == max && min == 0)
    max = 1;
  ww_scale_init (&scale, FALSE, min, max, 0, NAN, NAN);
  plot->min = scale.min;
  plot->max = scale.max;
}

/* ---- Room ---- */

/* The bar is as tall as the cells, but never so low that it could not carry two numbers. */
static void
place_bar (Plot *plot)
{
  double em = plot->style->font_size;
  double least = plot->lean ? 0 : fmin (em * 5, fmax (plot->height - 2 * em, 0));
  double middle = plot->cells.top + plot->cells.height / 2;

  plot->bar_height = fmax (plot->cells.height, least);
  plot->bar_top = CLAMP (middle - plot->bar_height / 2, em, fmax (em, plot->height - em - plot->bar_height));
  if (plot->bar_height == plot->cells.height)
    plot->bar_top = plot->cells.top;
}

static double
bar_distance (const WwAxis *axis, guint from, guint to, double height)
{
  return height * (ww_scale_to_unit (&axis->scale, g_array_index (axis->values, double, to))
                   - ww_scale_to_unit (&axis->scale, g_array_index (axis->values, double, from)));
}

/* Where the ticks are too close, the first and the last remain. */
static void
thin_bar_ticks (WwAxis *axis, double height, double apart)
{
  guint last = axis->values->len - 1;

  if (axis->values->len < 2 || bar_distance (axis, 0, 1, height) >= apart)
    return;
  if (last > 1)
    {
      g_array_remove_range (axis->values, 1, last - 1);
      g_ptr_array_remove_range (axis->labels, 1, last - 1);
    }
  if (bar_distance (axis, 0, 1, height) < apart)
    {
      g_array_set_size (axis->values, 1);
      g_ptr_array_set_size (axis->labels, 1);
    }
}

static void
make_bar_axis (Plot *plot)
{
  WwScale scale = { plot->min, plot->max, FALSE };
  guint about = (guint) CLAMP (plot->bar_height / (plot->tick_font.size * 2.4) + 1, 2, 8);

  g_clear_pointer (&plot->bar_axis, ww_axis_free);
  g_clear_pointer (&plot->bar_label, g_free);
  plot->bar_axis = ww_axis_new (&scale, about);
  /* Two numbers at least, so that the colours can be read. */
  while (plot->bar_axis->values->len < 2 && about < 6)
    {
      ww_axis_free (plot->bar_axis);
      plot->bar_axis = ww_axis_new (&scale, ++about);
    }
  thin_bar_ticks (plot->bar_axis, plot->bar_height, plot->tick_font.size * 1.25);
  if (plot->bar_axis->multiplier == NULL)
    plot->bar_label = plot->compact ? NULL : g_strdup (plot->figure->bar_label);
  else if (has (plot->figure->bar_label))
    plot->bar_label = g_strdup_printf ("%s (%s)", plot->figure->bar_label, plot->bar_axis->multiplier);
  else
    plot->bar_label = g_strdup (plot->bar_axis->multiplier);
}

/* Room for numbers of usual length in any case: heatmaps side by side then get cells of one size. */
static double
bar_label_width (const Plot *plot)
{
  return fmax (ww_axis_get_label_width (plot->bar_axis, &plot->tick_font), plot->tick_font.size * 2.9);
}

static double
bar_gap (const Plot *plot)
{
  return plot->compact ? COMPACT_BAR_GAP : BAR_GAP;
}

static double
bar_room (const Plot *plot)
{
  double em = plot->style->font_size;
  double room;

  if (!plot->figure->bar)
    return 0;
  room = em * (bar_gap (plot) + BAR_WIDTH + TICK + GAP) + bar_label_width (plot);
  if (has (plot->bar_label))
    room += em * GAP + ww_frame_line_height (&plot->label_font);
  return room;
}

static void
measure_margins (Plot *plot)
{
  const WwHeatmapFigure *figure = plot->figure;
  double em = plot->style->font_size;

  plot->left = plot->right = plot->top = plot->bottom = em * PAD;
  if (plot->bare)
    return;
  if (has (figure->title))
    plot->top += ww_frame_line_height (&plot->title_font) + em * TITLE_GAP;
  else
    plot->top += em * 0.3;
  if (has (figure->y_label) && !plot->lean)
    plot->left += ww_frame_line_height (&plot->label_font) + em * GAP;
  if (has (figure->x_label) && !plot->lean)
    plot->bottom += ww_frame_line_height (&plot->label_font) + em * GAP;
  if (plot->rows.depth > 0)
    plot->left += plot->rows.depth + em * SLOT_GAP;
  if (plot->cols.depth > 0)
    plot->bottom += plot->cols.depth + em * SLOT_GAP;
  plot->right += bar_room (plot);
}

/* Square cells where that leaves no large part of the page empty. */
static void
place_cells (Plot *plot)
{
  const WwHeatmapFigure *figure = plot->figure;
  double room_x = fmax (plot->width - plot->left - plot->right, 0);
  double room_y = fmax (plot->height - plot->top - plot->bottom, 0);

  plot->cells = (WwHeatmapLayout) { plot->left, plot->top, room_x, room_y, figure->rows, figure->cols };
  if (figure->rows == 0 || figure->cols == 0)
    return;
  double side = fmin (room_x / (double) figure->cols, room_y / (double) figure->rows);
  double width = side * (double) figure->cols, height = side * (double) figure->rows;
  if (figure->rows != figure->cols && (width < room_x * 0.4 || height < room_y * 0.4))
    return;
  plot->cells.left += (room_x - width) / 2;
  plot->cells.top += (room_y - height) / 2;
  plot->cells.width = width;
  plot->cells.height = height;
}

/* Labels depend on the size of the cells and the other way round: a few rounds settle it. */
static void
settle (Plot *plot)
{
  const WwHeatmapFigure *figure = plot->figure;

  plot->cells.width = plot->width * 0.7;
  plot->cells.height = plot->height * 0.7;
  for (guint round = 0; round < 4; round++)
    {
      gboolean labels = !plot->bare && !plot->lean;
      ww_slots_init_beside (&plot->rows, labels ? figure->row_labels : NULL, figure->rows,
                            figure->marked_row, &plot->tick_font, plot->cells.height, plot->width * 0.24);
      ww_slots_init_below (&plot->cols, labels ? figure->col_labels : NULL, figure->cols,
                           figure->marked_col, &plot->tick_font, plot->cells.width, plot->height * 0.24,
                           fmax (plot->left - plot->style->font_size, 0));
      place_bar (plot);
      make_bar_axis (plot);
      measure_margins (plot);
      place_cells (plot);
    }
  place_bar (plot);
}

/* ---- Drawing ---- */

static guint32
pack (WwColour colour)
{
  return 0xff000000u | (guint32) (colour.red * 255 + 0.5) << 16 | (guint32) (colour.green * 255 + 0.5) << 8
         | (guint32) (colour.blue * 255 + 0.5);
}

/* A rectangle of cells. */
typedef struct
{
  gsize row, col, rows, cols;
} Block;

static double
get_value (const WwHeatmapFigure *figure, const Block *block, gsize row, gsize col)
{
  return figure->values[(block->row + row) * figure->cols + block->col + col];
}

static cairo_surface_t *
paint_cells (const Plot *plot, const Block *block)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) block->cols,
                                                       (int) block->rows);
  guchar *data = cairo_image_surface_get_data (image);
  gsize stride = (gsize) cairo_image_surface_get_stride (image);

  for (gsize r = 0; data != NULL && r < block->rows; r++)
    {
      guint32 *line = (guint32 *) (void *) (data + r * stride);
      for (gsize c = 0; c < block->cols; c++)
        line[c] = pack (ww_heatmap_colour (plot->style, plot->figure->diverging, plot->min, plot->max,
                                           get_value (plot->figure, block, r, c)));
    }
  cairo_surface_mark_dirty (image);
  return image;
}

/* What stands out most: the value farthest from zero where that is the middle of the colours, else the
 * largest. NULL where cells are never smaller than pixels, or without the memory. */
static float *
weigh_cells (const Plot *plot, const Block *block)
{
  const WwHeatmapLayout *cells = &plot->cells;
  float *weights;

  if (cells->width / (double) cells->cols >= SMALL_CELL && cells->height / (double) cells->rows >= SMALL_CELL)
    return NULL;
  weights = g_try_new (float, block->rows * block->cols);
  for (gsize i = 0; weights != NULL && i < block->rows * block->cols; i++)
    {
      double value = get_value (plot->figure, block, i / block->cols, i % block->cols);
      double weight = plot->figure->diverging ? fabs (value) : value - plot->min;
      weights[i] = isnan (value) ? -1 : (float) CLAMP (weight, 0, FLT_MAX);
    }
  return weights;
}

static void
add_block (const Plot *plot, const Block *block, Area area)
{
  ww_scene_add_cells (plot->scene, paint_cells (plot, block), weigh_cells (plot, block), area.left, area.top,
                      area.width, area.height);
}

/* The row and the column that are marked, once more and wider, where they are too thin to be seen. */
static void
add_strips (const Plot *plot)
{
  const WwHeatmapFigure *figure = plot->figure;
  const WwHeatmapLayout *cells = &plot->cells;
  double width = cells->width / (double) cells->cols, height = cells->height / (double) cells->rows;
  gboolean row = figure->marked_row >= 0 && (gsize) figure->marked_row < figure->rows;
  gboolean column = figure->marked_col >= 0 && (gsize) figure->marked_col < figure->cols;

  if (row && height < LEAST_STRIP)
    {
      double top = cells->top + ((double) figure->marked_row + 0.5) * height - LEAST_STRIP / 2;
      top = CLAMP (top, cells->top, fmax (cells->top, cells->top + cells->height - LEAST_STRIP));
      add_block (plot, &(Block) { (gsize) figure->marked_row, 0, 1, figure->cols },
                 (Area) { cells->left, top, cells->width, LEAST_STRIP });
    }
  if (column && width < LEAST_STRIP)
    {
      double left = cells->left + ((double) figure->marked_col + 0.5) * width - LEAST_STRIP / 2;
      left = CLAMP (left, cells->left, fmax (cells->left, cells->left + cells->width - LEAST_STRIP));
      add_block (plot, &(Block) { 0, (gsize) figure->marked_col, figure->rows, 1 },
                 (Area) { left, cells->top, LEAST_STRIP, cells->height });
    }
}

/* Slanted lines x + y = k * step through a block of cells. */
static void
hatch_block (GArray *points, double left, double top, double right, double bottom, double step)
{
  for (double sum = ceil ((left + top) / step) * step; sum < right + bottom; sum += step)
    {
      const WwPoint pair[2] = { { fmax (left, sum - bottom), fmin (bottom, sum - left) },
                                { fmin (right, sum - top), fmax (top, sum - right) } };
      g_array_append_vals (points, pair, 2);
    }
}

static gboolean
same_gaps (const WwHeatmapFigure *figure, gsize row, gsize other)
{
  for (gsize c = 0; c < figure->cols; c++)
    if (isnan (figure->values[row * figure->cols + c]) != isnan (figure->values[other * figure->cols + c]))
      return FALSE;
  return TRUE;
}

/* Rows with the same gaps are hatched as one, neighbouring gaps of a row too. */
static void
hatch_rows (const Plot *plot, GArray *points, gsize first, gsize last)
{
  const WwHeatmapFigure *figure = plot->figure;
  const WwHeatmapLayout *cells = &plot->cells;
  double cell_width = cells->width / (double) cells->cols;
  double cell_height = cells->height / (double) cells->rows;

  for (gsize c = 0; c < figure->cols;)
    {
      gsize end = c;
      while (end < figure->cols && isnan (figure->values[first * figure->cols + end]))
        end++;
      if (end > c)
        hatch_block (points, cells->left + (double) c * cell_width,
                     cells->top + (double) first * cell_height, cells->left + (double) end * cell_width,
                     cells->top + (double) (last + 1) * cell_height, plot->style->font_size * HATCH);
      c = end + 1;
    }
}

static void
draw_hatching (const Plot *plot)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (WwPoint));

  for (gsize first = 0; first < plot->figure->rows;)
    {
      gsize last = first;
      while (last + 1 < plot->figure->rows && same_gaps (plot->figure, first, last + 1))
        last++;
      hatch_rows (plot, points, first, last);
      first = last + 1;
    }
  ww_scene_add_segments (plot->scene, (const WwPoint *) (const void *) points->data, points->len,
                         ww_colour_mix (plot->style->background, plot->style->faint, 0.75),
                         plot->style->font_size * 0.05);
}

/* An outline that shows on every colour: ink on a rim of paper, around the cells it marks. */
static void
draw_outline (const Plot *plot, Area box)
{
  double ink = plot->style->font_size * 0.11, rim = plot->style->font_size * 0.28;
  double out = ink / 2;

  box = (Area) { box.left - out, box.top - out, box.width + 2 * out, box.height + 2 * out };
  ww_scene_add_rect (plot->scene, box.left, box.top, box.width, box.height, (WwColour) { 0 },
                     ww_colour_with_alpha (plot->style->background, 0.85), rim);
  ww_scene_add_rect (plot->scene, box.left, box.top, box.width, box.height, (WwColour) { 0 },
                     plot->style->foreground, ink);
}

/* A small arrow outside the cells that points at them: (x, y) is its tip, (dx, dy) its direction. */
static void
draw_arrow (const Plot *plot, double x, double y, double dx, double dy)
{
  double length = plot->style->font_size * GAP * 0.9, half = length * 0.6;
  const WwPoint corners[3] = { { x, y },
                               { x - dx * length - dy * half, y - dy * length + dx * half },
                               { x - dx * length + dy * half, y - dy * length - dx * half } };

  ww_scene_add_polygon (plot->scene, corners, 3, plot->style->foreground);
}

/* Thin rows and columns would vanish under their outline: arrows at both ends mark them instead. */
static void
draw_mark (const Plot *plot, Area box, gboolean column)
{
  double thin = plot->style->font_size * THIN;
  double x = box.left + box.width / 2, y = box.top + box.height / 2;

  if (fmin (box.width, box.height) >= thin)
    draw_outline (plot, box);
  else if (column)
    {
      draw_arrow (plot, x, box.top, 0, 1);
      draw_arrow (plot, x, box.top + box.height, 0, -1);
    }
  else
    {
      draw_arrow (plot, box.left, y, 1, 0);
      draw_arrow (plot, box.left + box.width, y, -1, 0);
    }
}

static void
draw_marks (const Plot *plot)
{
  const WwHeatmapFigure *figure = plot->figure;
  const WwHeatmapLayout *cells = &plot->cells;
  double width = cells->width / (double) cells->cols, height = cells->height / (double) cells->rows;

  if (figure->marked_row >= 0 && (gsize) figure->marked_row < figure->rows)
    draw_mark (plot, (Area) { cells->left, cells->top + height * (double) figure->marked_row,
                                cells->width, height }, FALSE);
  if (figure->marked_col >= 0 && (gsize) figure->marked_col < figure->cols)
    draw_mark (plot, (Area) { cells->left + width * (double) figure->marked_col, cells->top, width,
                                cells->height }, TRUE);
}

static void
draw_cells (const Plot *plot)
{
  const WwHeatmapLayout *cells = &plot->cells;
  double line = plot->style->font_size * 0.06;
  gboolean empty = cells->rows == 0 || cells->cols == 0 || cells->rows > MAX_CELLS_SIDE
                   || cells->cols > MAX_CELLS_SIDE;

  /* A frame around the cells, not over the outer ones. */
  ww_scene_add_rect (plot->scene, cells->left - line / 2, cells->top - line / 2, cells->width + line,
                     cells->height + line, (WwColour) { 0 }, plot->style->faint, line);
  if (!empty)
    {
      add_block (plot, &(Block) { 0, 0, cells->rows, cells->cols },
                 (Area) { cells->left, cells->top, cells->width, cells->height });
      add_strips (plot);
      draw_hatching (plot);
    }
  if (!empty)
    draw_marks (plot);
  else if (!plot->bare)
    ww_frame_draw_title (plot->scene, &plot->label_font, _("No data"), plot->style->faint,
                         cells->left + cells->width / 2, cells->top + cells->height / 2, cells->left,
                         cells->left + cells->width, 0, FALSE);
}

static cairo_surface_t *
paint_bar (const Plot *plot)
{
  cairo_surface_t *image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 1, BAR_STEPS);
  guchar *data = cairo_image_surface_get_data (image);
  gsize stride = (gsize) cairo_image_surface_get_stride (image);

  for (gsize i = 0; data != NULL && i < BAR_STEPS; i++)
    {
      double unit = 1 - ((double) i + 0.5) / BAR_STEPS;
      *(guint32 *) (void *) (data + i * stride)
        = pack (ww_heatmap_colour (plot->style, plot->figure->diverging, plot->min, plot->max,
                                   plot->min * (1 - unit) + plot->max * unit));
    }
  cairo_surface_mark_dirty (image);
  return image;
}

static void
draw_bar (const Plot *plot)
{
  const WwHeatmapLayout *cells = &plot->cells;
  double em = plot->style->font_size;
  double left = cells->left + cells->width + em * bar_gap (plot), right = left + em * BAR_WIDTH;
  g_autoptr (GArray) ticks = g_array_new (FALSE, FALSE, sizeof (WwPoint));
  WwTextPlace place = { .x = right + em * (TICK + GAP * 0.6), .level = WW_LEVEL_MIDDLE,
                        .size = plot->tick_font.size, .typeset = TRUE, .colour = plot->style->foreground };

  ww_scene_add_image (plot->scene, paint_bar (plot), left, plot->bar_top, em * BAR_WIDTH, plot->bar_height);
  ww_scene_add_rect (plot->scene, left, plot->bar_top, em * BAR_WIDTH, plot->bar_height, (WwColour) { 0 },
                     plot->style->faint, em * 0.06);
  for (guint i = 0; i < plot->bar_axis->values->len; i++)
    {
      double unit = ww_scale_to_unit (&plot->bar_axis->scale,
                                      g_array_index (plot->bar_axis->values, double, i));
      double y = plot->bar_top + (1 - unit) * plot->bar_height;
      const WwPoint tick[2] = { { right, y }, { right + em * TICK, y } };
      g_array_append_vals (ticks, tick, 2);
      place.y = y;
      ww_scene_add_text (plot->scene, plot->bar_axis->labels->pdata[i], &place);
    }
  ww_scene_add_segments (plot->scene, (const WwPoint *) (const void *) ticks->data, ticks->len,
                         plot->style->faint, em * 0.075);
  place.x += ww_axis_get_label_width (plot->bar_axis, &plot->tick_font) + em * GAP;
  ww_frame_draw_title (plot->scene, &plot->label_font, plot->bar_label, plot->style->foreground,
                       plot->bar_top + plot->bar_height / 2, place.x, em * PAD, plot->height - em * PAD, -90,
                       TRUE);
}

static void
draw_titles (const Plot *plot)
{
  const WwHeatmapFigure *figure = plot->figure;
  const WwHeatmapLayout *cells = &plot->cells;
  double em = plot->style->font_size, pad = em * PAD;
  double bottom = cells->top + cells->height;
  double labels_left = plot->rows.depth > 0 ? plot->rows.depth + em * SLOT_GAP : 0;
  double labels_below = plot->cols.depth > 0 ? plot->cols.depth + em * SLOT_GAP : 0;
  double line = ww_frame_line_height (&plot->label_font);

  ww_frame_draw_title (plot->scene, &plot->title_font, figure->title, plot->style->foreground,
                       cells->left + cells->width / 2,
                       cells->top - ww_frame_line_height (&plot->title_font) - em * TITLE_GAP, pad,
                       plot->width - pad, 0, FALSE);
  if (plot->lean)
    return;
  ww_frame_draw_title (plot->scene, &plot->label_font, figure->x_label, plot->style->foreground,
                       cells->left + cells->width / 2, bottom + labels_below + em * GAP * 0.7, pad,
                       plot->width - pad, 0, TRUE);
  ww_frame_draw_title (plot->scene, &plot->label_font, figure->y_label, plot->style->foreground,
                       cells->top + cells->height / 2, cells->left - labels_left - line - em * GAP * 0.7,
                       fmax (pad, cells->top), fmin (plot->height - pad, bottom), -90, TRUE);
}

static void
draw_all (Plot *plot)
{
  double em = plot->style->font_size;

  draw_cells (plot);
  if (plot->bare)
    return;
  ww_slots_draw_beside (&plot->rows, plot->scene, plot->style, plot->cells.left - em * SLOT_GAP,
                        plot->cells.top);
  ww_slots_draw_below (&plot->cols, plot->scene, plot->style,
                       plot->cells.top + plot->cells.height + em * SLOT_GAP, plot->cells.left);
  if (plot->figure->bar)
    draw_bar (plot);
  draw_titles (plot);
}

static gboolean
are_cells_small (const Plot *plot)
{
  return fmin (plot->cells.width, plot->cells.height) < plot->style->font_size * 2.5;
}

WwScene *
ww_heatmap_figure_layout (const WwHeatmapFigure *figure, double width, double height,
                          const WwPlotStyle *style, WwHeatmapLayout *ret_layout)
{
  Plot plot = { .figure = figure, .style = style };

  g_return_val_if_fail (figure != NULL && style != NULL, NULL);
  g_return_val_if_fail (figure->rows == 0 || figure->cols == 0 || figure->values != NULL, NULL);

  plot.scene = ww_scene_new (width, height, style);
  ww_scene_get_size (plot.scene, &plot.width, &plot.height);
  plot.title_font = (WwFont) { style->font_family, style->font_size * 1.1, TRUE };
  plot.label_font = (WwFont) { style->font_family, style->font_size, FALSE };
  plot.tick_font = (WwFont) { style->font_family, style->font_size * 0.88, FALSE };
  find_range (&plot);
  settle (&plot);
  /* The numbers of the bar stay in any case; what they are, the title of the figure says too. */
  if (has (figure->title) && plot.cells.width < plot.width * 0.42 && plot.cells.height < plot.height * 0.6)
    {
      plot.compact = TRUE;
      settle (&plot);
    }
  if (are_cells_small (&plot))
    {
      plot.lean = TRUE;
      settle (&plot);
    }
  if (are_cells_small (&plot))
    {
      plot.bare = TRUE;
      settle (&plot);
    }
  draw_all (&plot);
  ww_axis_free (plot.bar_axis);
  g_free (plot.bar_label);
  if (ret_layout != NULL)
    *ret_layout = plot.cells;
  return plot.scene;
}

gboolean
ww_heatmap_layout_pick (const WwHeatmapLayout *layout, double x_pt, double y_pt, gsize *ret_row,
                        gsize *ret_col)
{
  double x = x_pt - layout->left;
  double y = y_pt - layout->top;

  if (layout->rows == 0 || layout->cols == 0 || !(x >= 0 && x < layout->width)
      || !(y >= 0 && y < layout->height))
    return FALSE;
  *ret_row = MIN ((gsize) (y / layout->height * (double) layout->rows), layout->rows - 1);
  *ret_col = MIN ((gsize) (x / layout->width * (double) layout->cols), layout->cols - 1);
  return TRUE;
}

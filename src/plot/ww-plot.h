/* Figures as scenes: a figure is laid out once, in points, as a list of primitives, and the same
 * scene is drawn on screen or written as PNG, PDF and SVG. This room knows nothing of what is
 * plotted. Colours are sRGB, 0 to 1. */
#pragma once

#include <cairo.h>
#include <glib-object.h>

G_BEGIN_DECLS

typedef struct
{
  double red, green, blue, alpha;
} WwColour;

/* How a figure looks; `ww_plot_style_init` fills in the default of paper figures. */
typedef struct
{
  const char *font_family; /* "Sans" */
  double font_size;        /* pt */
  double line_width;       /* pt */
  WwColour background, foreground, faint, grid; /* faint: secondary text and frames */
  gboolean dark;           /* picks the palette's and the colour maps' dark variants */
} WwPlotStyle;

void ww_plot_style_init (WwPlotStyle *style);
void ww_plot_style_init_dark (WwPlotStyle *style);
/* The named styles of --style: "default", "dark", "large" (for a projector). FALSE: unknown. */
gboolean ww_plot_style_from_name (const char *name, WwPlotStyle *ret_style);
const char *const *ww_plot_style_get_names (void);
/* Colour-blind safe palette (hue of series `index`) for this style. */
WwColour ww_plot_palette (const WwPlotStyle *style, guint index);

typedef struct _WwScene WwScene; /* immutable once built; reference counted */
WwScene *ww_scene_ref (WwScene *scene);
void ww_scene_unref (WwScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WwScene, ww_scene_unref)
void ww_scene_get_size (WwScene *scene, double *ret_width, double *ret_height); /* pt */
/* Draws at the current origin, 1 user unit = 1 pt. `screen`: cheaper antialiasing, decimated lines. */
void ww_scene_draw (WwScene *scene, cairo_t *cr, gboolean screen);

#define WW_PLOT_ERROR (ww_plot_error_quark ())
GQuark ww_plot_error_quark (void);
typedef enum
{
  WW_PLOT_ERROR_SIZE,   /* a page or a bitmap that is empty or too large */
  WW_PLOT_ERROR_WRITE,  /* the file could not be written; the message says why */
  WW_PLOT_ERROR_FORMAT, /* an ending that names no format */
} WwPlotError;

typedef enum
{
  WW_FIGURE_FORMAT_SVG,
  WW_FIGURE_FORMAT_PDF,
  WW_FIGURE_FORMAT_PNG,
} WwFigureFormat;

/* Writes to a temporary file beside `path` and renames it: a failure leaves the old file alone.
 * `title` and `description` (provenance, many lines) go into the file's metadata. SVG: real <text>,
 * heatmaps as pixelated images; PNG: `dpi` in pHYs. Same scene, same bytes. */
gboolean ww_scene_write (WwScene *scene, const char *path, WwFigureFormat format, double dpi,
                         const char *title, const char *description, GError **error);
/* The same temporary-name-then-rename for any bytes (CSV, JSON). */
gboolean ww_write_file_atomically (const char *path, const char *data, gsize length, GError **error);

/* ---- Curves ---- */

typedef struct
{
  const char *label;   /* legend: "RF: n^-0.50" */
  guint colour;        /* palette index; fixed per map, so hiding one recolours none */
  gboolean visible;    /* hidden ones stay in the legend, greyed */
  gboolean dashed;
  gsize n_points;
  const double *x, *y; /* measured points, joined by lines; ascending x */
  const double *lower, *upper;  /* band, or NULL */
  const double *bound; /* upper bounds drawn as a thin line above, NaN where none; or NULL */
} WwSeries;

typedef struct
{
  const char *title, *x_label, *y_label; /* NULL: none */
  const char *note;    /* small line below the legend: what the band is; or NULL */
  gboolean x_log, y_log;
  double x_min, x_max, y_min, y_max; /* NaN: from the data */
  const WwSeries *series;
  gsize n_series;
  gboolean legend;
} WwCurvesFigure;

/* Where the plot area ended up, to go between pixels and data. */
typedef struct
{
  double left, top, width, height; /* of the plot area, pt */
  double x_min, x_max, y_min, y_max;
  gboolean x_log, y_log;
  gsize n_legend;
  struct { double left, top, width, height; } legend[16]; /* legend entries: hit boxes */
} WwCurvesLayout;

/* Copies what it needs. Empty data gives axes and no line, never a crash. `ret_layout` may be NULL. */
WwScene *ww_curves_figure_layout (const WwCurvesFigure *figure, double width, double height,
                                  const WwPlotStyle *style, WwCurvesLayout *ret_layout);
double ww_curves_layout_x_to_pt (const WwCurvesLayout *layout, double x);
double ww_curves_layout_y_to_pt (const WwCurvesLayout *layout, double y);
double ww_curves_layout_pt_to_x (const WwCurvesLayout *layout, double pt);
double ww_curves_layout_pt_to_y (const WwCurvesLayout *layout, double pt);

/* ---- Heatmaps ---- */

typedef struct
{
  const char *title, *x_label, *y_label, *bar_label;
  gsize rows, cols;
  const double *values;          /* rows * cols, row 0 on top; NaN: hatched / neutral */
  gboolean diverging;            /* zero-centred colours: blue, neutral, red; else sequential */
  double min, max;               /* NaN: from the data (diverging: symmetric about 0) */
  const char *const *row_labels; /* rows entries or NULL; thinned where they would collide */
  const char *const *col_labels;
  gssize marked_row, marked_col; /* outlined; -1: none */
  gboolean bar;                  /* colour bar */
} WwHeatmapFigure;

typedef struct
{
  double left, top, width, height; /* of the cells */
  gsize rows, cols;
} WwHeatmapLayout;

WwScene *ww_heatmap_figure_layout (const WwHeatmapFigure *figure, double width, double height,
                                   const WwPlotStyle *style, WwHeatmapLayout *ret_layout);
/* FALSE outside the cells. */
gboolean ww_heatmap_layout_pick (const WwHeatmapLayout *layout, double x_pt, double y_pt,
                                 gsize *ret_row, gsize *ret_col);
/* The colour a value gets: also for token strips. */
WwColour ww_heatmap_colour (const WwPlotStyle *style, gboolean diverging, double min, double max,
                            double value);

/* ---- Bars ---- */

typedef struct
{
  const char *label;
  guint colour;
  const double *values; /* n_bars entries; NaN: no bar */
  double reference;     /* a horizontal dashed line of this colour (RF has no per-token value), or NaN */
} WwBarSeries;

typedef struct
{
  const char *title, *x_label, *y_label;
  gsize n_bars;
  const char *const *labels; /* n_bars entries or NULL */
  gssize marked;             /* the chosen token, or -1 */
  const WwBarSeries *series; /* drawn side by side within a bar's slot */
  gsize n_series;
  double y_max;              /* NaN: from the data */
  gboolean legend;
} WwBarsFigure;

typedef struct
{
  double left, top, width, height;
  gsize n_bars;
} WwBarsLayout;

WwScene *ww_bars_figure_layout (const WwBarsFigure *figure, double width, double height,
                                const WwPlotStyle *style, WwBarsLayout *ret_layout);
gboolean ww_bars_layout_pick (const WwBarsLayout *layout, double x_pt, double y_pt, gsize *ret_bar);

/* ---- Composition ---- */

/* Scenes side by side or above each other in one page (before | after | difference), each at its
 * offset in points; references are taken. */
WwScene *ww_scene_compose (double width, double height, const WwPlotStyle *style,
                           WwScene *const *scenes, const double *x, const double *y, gsize n);

/* Tick values for an axis: GArray of double, ascending, inside [min, max]. */
GArray *ww_ticks (double min, double max, gboolean logarithmic, guint about);

G_END_DECLS

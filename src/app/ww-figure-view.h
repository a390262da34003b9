/* A widget that shows one scene. The scene is laid out and rasterised once for a given size, scale
 * factor and style and then kept as a texture, so that redrawing the window, a crosshair or a focus
 * ring costs nothing; subclasses say how the scene is made and what lies over it. */
#pragma once

#include <adwaita.h>

#include "ww-plot.h"

G_BEGIN_DECLS

/* One point is 1/72 inch, one logical pixel of the screen 1/96 inch. */
#define WW_PX_PER_PT (96.0 / 72.0)

#define WW_TYPE_FIGURE_VIEW (ww_figure_view_get_type ())
G_DECLARE_DERIVABLE_TYPE (WwFigureView, ww_figure_view, WW, FIGURE_VIEW, GtkWidget)

struct _WwFigureViewClass
{
  GtkWidgetClass parent_class;

  /* Makes the scene, or NULL where there is nothing to show. Sizes in points. */
  WwScene *(*layout) (WwFigureView      *self,
                      double             width_pt,
                      double             height_pt,
                      const WwPlotStyle *style);
  /* Draws over the scene, in pixels of the widget. Optional. */
  void (*overlay) (WwFigureView *self, GtkSnapshot *snapshot);
};

/* The data changed: forgets the scene and draws again. */
void ww_figure_view_invalidate (WwFigureView *self);

/* Smallest and preferred size at the normal text size; both grow with the text. */
void ww_figure_view_set_sizes (WwFigureView *self,
                               int           min_width,
                               int           min_height,
                               int           natural_width,
                               int           natural_height);

/* The style that the widget draws with now: the desktop's font and text size, dark or light, high
 * contrast. `style->font_family` stays valid until the next call for the same widget. */
void ww_figure_view_get_style (WwFigureView *self, WwPlotStyle *ret_style);

/* How much larger than usual the desktop's text is: 1 for 11 pt at 96 dpi. */
double ww_widget_get_text_scale (GtkWidget *widget);
/* Requests `width`, and a little more for larger text. */
void ww_widget_scale_width_request (GtkWidget *widget, int width);
void ww_widget_get_plot_style (GtkWidget *widget, char **font_family, WwPlotStyle *ret_style);

/* Serial number of the newest scene that reached a snapshot; benchmarks wait for it. */
guint ww_figure_view_get_n_drawn (WwFigureView *self);

G_END_DECLS

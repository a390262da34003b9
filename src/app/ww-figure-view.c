#include "ww-figure-view.h"

#include <math.h>

/* Figures are read from nearer than the running text, so they use a slightly smaller letter. */
#define FIGURE_FONT_FACTOR 0.84
#define NORMAL_FONT_PT 11.0

typedef struct
{
  GdkTexture *texture; /* of the scene at the size and scale below */
  int width, height, scale;
  double font_size;
  char *font_family;
  int min_width, min_height, natural_width, natural_height;
  guint n_drawn;
  gulong style_handlers[2];
} WwFigureViewPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (WwFigureView, ww_figure_view, GTK_TYPE_WIDGET)

#define PRIVATE(self) ((WwFigureViewPrivate *) ww_figure_view_get_instance_private (self))

/* How much the desktop's text scaling enlarges all text. */
static double
get_resolution_scale (GtkWidget *widget)
{
  double resolution
    = pango_cairo_context_get_resolution (gtk_widget_get_pango_context (widget));

  return resolution > 0 ? resolution / 96.0 : 1.0;
}

/* The desktop's font size in points, before its text scaling. */
static double
get_font_size (GtkWidget *widget)
{
  const PangoFontDescription *font
    = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  double size = pango_font_description_get_size (font) / (double) PANGO_SCALE;

  if (pango_font_description_get_size_is_absolute (font))
    size /= WW_PX_PER_PT * get_resolution_scale (widget);
  return size > 1 ? size : NORMAL_FONT_PT;
}

double
ww_widget_get_text_scale (GtkWidget *widget)
{
  return CLAMP (get_resolution_scale (widget) * get_font_size (widget) / NORMAL_FONT_PT, 0.5, 4.0);
}

void
ww_widget_scale_width_request (GtkWidget *widget, int width)
{
  double text = MAX (1.0, ww_widget_get_text_scale (widget));

  gtk_widget_set_size_request (widget, (int) (width * MIN (1.25, 1 + (text - 1) * 0.5)), -1);
}

static void
raise_contrast (WwPlotStyle *style)
{
  style->faint = style->foreground;
  style->line_width *= 1.5;
}

void
ww_widget_get_plot_style (GtkWidget *widget, char **font_family, WwPlotStyle *ret_style)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  const PangoFontDescription *font
    = pango_context_get_font_description (gtk_widget_get_pango_context (widget));

  if (adw_style_manager_get_dark (manager))
    ww_plot_style_init_dark (ret_style);
  else
    ww_plot_style_init (ret_style);

  g_free (*font_family);
  *font_family = g_strdup (pango_font_description_get_family (font));
  if (*font_family != NULL)
    ret_style->font_family = *font_family;
  ret_style->font_size
    = get_font_size (widget) * get_resolution_scale (widget) * FIGURE_FONT_FACTOR;
  /* The card behind the figure is the background. */
  ret_style->background.alpha = 0;
  if (adw_style_manager_get_high_contrast (manager))
    raise_contrast (ret_style);
}

void
ww_figure_view_get_style (WwFigureView *self, WwPlotStyle *ret_style)
{
  ww_widget_get_plot_style (GTK_WIDGET (self), &PRIVATE (self)->font_family, ret_style);
}

void
ww_figure_view_invalidate (WwFigureView *self)
{
  g_return_if_fail (WW_IS_FIGURE_VIEW (self));

  g_clear_object (&PRIVATE (self)->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ww_figure_view_set_sizes (WwFigureView *self,
                          int           min_width,
                          int           min_height,
                          int           natural_width,
                          int           natural_height)
{
  WwFigureViewPrivate *priv = PRIVATE (self);

  priv->min_width = min_width;
  priv->min_height = min_height;
  priv->natural_width = MAX (min_width, natural_width);
  priv->natural_height = MAX (min_height, natural_height);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

guint
ww_figure_view_get_n_drawn (WwFigureView *self)
{
  return PRIVATE (self)->n_drawn;
}

static GdkTexture *
texture_from_surface (cairo_surface_t *surface)
{
  int width = cairo_image_surface_get_width (surface);
  int height = cairo_image_surface_get_height (surface);
  int stride = cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes = NULL;

  cairo_surface_flush (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface),
                                      (gsize) stride * (gsize) height,
                                      (GDestroyNotify) cairo_surface_destroy,
                                      cairo_surface_reference (surface));
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) stride);
}

static GdkTexture *
render_scene (WwScene *scene, int width, int height, int scale)
{
  cairo_surface_t *surface
    = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * scale, height * scale);
  GdkTexture *texture = NULL;
  cairo_t *cr;

  if (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS)
    {
      cr = cairo_create (surface);
      cairo_scale (cr, WW_PX_PER_PT * scale, WW_PX_PER_PT * scale);
      ww_scene_draw (scene, cr, TRUE);
      cairo_destroy (cr);
      texture = texture_from_surface (surface);
    }
  cairo_surface_destroy (surface);
  return texture;
}

static void
ensure_texture (WwFigureView *self, int width, int height)
{
  WwFigureViewPrivate *priv = PRIVATE (self);
  WwFigureViewClass *klass = WW_FIGURE_VIEW_GET_CLASS (self);
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (WwScene) scene = NULL;
  WwPlotStyle style;

  ww_figure_view_get_style (self, &style);
  if (priv->texture != NULL && priv->width == width && priv->height == height
      && priv->scale == scale && priv->font_size == style.font_size)
    return;

  g_clear_object (&priv->texture);
  scene = klass->layout (self, width / WW_PX_PER_PT, height / WW_PX_PER_PT, &style);
  priv->n_drawn++;
  if (scene == NULL)
    return;
  priv->texture = render_scene (scene, width, height, scale);
  priv->width = width;
  priv->height = height;
  priv->scale = scale;
  priv->font_size = style.font_size;
}

static void
ww_figure_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WwFigureView *self = WW_FIGURE_VIEW (widget);
  WwFigureViewPrivate *priv = PRIVATE (self);
  WwFigureViewClass *klass = WW_FIGURE_VIEW_GET_CLASS (self);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);

  if (width < 2 || height < 2)
    return;

  ensure_texture (self, width, height);
  if (priv->texture != NULL)
    gtk_snapshot_append_texture (snapshot, priv->texture,
                                 &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (klass->overlay != NULL)
    klass->overlay (self, snapshot);
}

static void
ww_figure_view_measure (GtkWidget     *widget,
                        GtkOrientation orientation,
                        int            for_size,
                        int           *minimum,
                        int           *natural,
                        int           *minimum_baseline,
                        int           *natural_baseline)
{
  WwFigureViewPrivate *priv = PRIVATE (WW_FIGURE_VIEW (widget));
  double text = MAX (1.0, ww_widget_get_text_scale (widget));
  gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL;
  /* Twice the text needs more room for labels, but not twice the plot. */
  double grow = 1 + (text - 1) * (across ? 0.2 : 0.6);

  *minimum = (int) ceil (grow * (across ? priv->min_width : priv->min_height));
  *natural = (int) ceil (grow * (across ? priv->natural_width : priv->natural_height));
}

static void
ww_figure_view_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (ww_figure_view_parent_class)->system_setting_changed (widget, setting);
  ww_figure_view_invalidate (WW_FIGURE_VIEW (widget));
  gtk_widget_queue_resize (widget);
}

static void
ww_figure_view_dispose (GObject *object)
{
  WwFigureViewPrivate *priv = PRIVATE (WW_FIGURE_VIEW (object));
  AdwStyleManager *manager = adw_style_manager_get_default ();

  for (gsize i = 0; i < G_N_ELEMENTS (priv->style_handlers); i++)
    g_clear_signal_handler (&priv->style_handlers[i], manager);
  g_clear_object (&priv->texture);
  g_clear_pointer (&priv->font_family, g_free);
  G_OBJECT_CLASS (ww_figure_view_parent_class)->dispose (object);
}

static void
ww_figure_view_class_init (WwFigureViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_figure_view_dispose;
  widget_class->snapshot = ww_figure_view_snapshot;
  widget_class->measure = ww_figure_view_measure;
  widget_class->system_setting_changed = ww_figure_view_system_setting_changed;
  gtk_widget_class_set_css_name (widget_class, "figure");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ww_figure_view_init (WwFigureView *self)
{
  WwFigureViewPrivate *priv = PRIVATE (self);
  AdwStyleManager *manager = adw_style_manager_get_default ();

  priv->min_width = priv->natural_width = 240;
  priv->min_height = priv->natural_height = 160;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  priv->style_handlers[0] = g_signal_connect_swapped (
    manager, "notify::dark", G_CALLBACK (ww_figure_view_invalidate), self);
  priv->style_handlers[1] = g_signal_connect_swapped (
    manager, "notify::high-contrast", G_CALLBACK (ww_figure_view_invalidate), self);
}

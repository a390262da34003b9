#include "ww-colour-bar.h"

#include "ww-figure-view.h"

#define STEPS 48
#define WIDTH 120
#define HEIGHT 12

struct _WwColourBar
{
  GtkWidget parent_instance;

  char *font_family;
  gulong dark_handler;
};

G_DEFINE_FINAL_TYPE (WwColourBar, ww_colour_bar, GTK_TYPE_WIDGET)

static void
ww_colour_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  WwPlotStyle style;
  GskRoundedRect round;

  ww_widget_get_plot_style (widget, &WW_COLOUR_BAR (widget)->font_family, &style);
  gsk_rounded_rect_init_from_rect (&round, &GRAPHENE_RECT_INIT (0, 0, width, height), 4);
  gtk_snapshot_push_rounded_clip (snapshot, &round);
  for (int i = 0; i < STEPS; i++)
    {
      WwColour colour = ww_heatmap_colour (&style, FALSE, 0, STEPS - 1, i);
      GdkRGBA rgba
        = { (float) colour.red, (float) colour.green, (float) colour.blue, (float) colour.alpha };
      float left = width * (float) i / STEPS;

      gtk_snapshot_append_color (
        snapshot, &rgba,
        &GRAPHENE_RECT_INIT (left, 0, width * (float) (i + 1) / STEPS - left + 0.5f, height));
    }
  gtk_snapshot_pop (snapshot);
}

static void
ww_colour_bar_measure (GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH / 2 : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

static void
ww_colour_bar_dispose (GObject *object)
{
  WwColourBar *self = WW_COLOUR_BAR (object);

  g_clear_signal_handler (&self->dark_handler, adw_style_manager_get_default ());
  g_clear_pointer (&self->font_family, g_free);
  G_OBJECT_CLASS (ww_colour_bar_parent_class)->dispose (object);
}

static void
ww_colour_bar_class_init (WwColourBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_colour_bar_dispose;
  widget_class->snapshot = ww_colour_bar_snapshot;
  widget_class->measure = ww_colour_bar_measure;
  gtk_widget_class_set_css_name (widget_class, "colourbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ww_colour_bar_init (WwColourBar *self)
{
  self->dark_handler = g_signal_connect_swapped (adw_style_manager_get_default (), "notify::dark",
                                                 G_CALLBACK (gtk_widget_queue_draw), self);
}

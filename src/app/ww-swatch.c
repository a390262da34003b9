#include "ww-swatch.h"

#include "ww-figure-view.h"
#include "ww-shown-maps.h"

#define SIZE 12

struct _WwSwatch
{
  GtkWidget parent_instance;

  guint map;
  char *font_family;
  gulong dark_handler;
};

G_DEFINE_FINAL_TYPE (WwSwatch, ww_swatch, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_MAP,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static void
ww_swatch_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WwSwatch *self = WW_SWATCH (widget);
  float x = ((float) gtk_widget_get_width (widget) - SIZE) / 2;
  float y = ((float) gtk_widget_get_height (widget) - SIZE) / 2;
  WwPlotStyle style;
  WwColour colour;
  GdkRGBA rgba;
  GskRoundedRect round;

  ww_widget_get_plot_style (widget, &self->font_family, &style);
  colour = ww_plot_palette (&style, self->map);
  rgba = (GdkRGBA) { (float) colour.red, (float) colour.green, (float) colour.blue, 1 };
  gsk_rounded_rect_init_from_rect (&round, &GRAPHENE_RECT_INIT (x, y, SIZE, SIZE), SIZE / 2.0f);
  gtk_snapshot_push_rounded_clip (snapshot, &round);
  gtk_snapshot_append_color (snapshot, &rgba, &round.bounds);
  gtk_snapshot_pop (snapshot);
}

static void
ww_swatch_measure (GtkWidget     *widget,
                   GtkOrientation orientation,
                   int            for_size,
                   int           *minimum,
                   int           *natural,
                   int           *minimum_baseline,
                   int           *natural_baseline)
{
  *minimum = *natural = SIZE;
}

static void
ww_swatch_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MAP)
    g_value_set_uint (value, WW_SWATCH (object)->map);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_swatch_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MAP)
    WW_SWATCH (object)->map = g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  gtk_widget_queue_draw (GTK_WIDGET (object));
}

static void
ww_swatch_dispose (GObject *object)
{
  WwSwatch *self = WW_SWATCH (object);

  g_clear_signal_handler (&self->dark_handler, adw_style_manager_get_default ());
  g_clear_pointer (&self->font_family, g_free);
  G_OBJECT_CLASS (ww_swatch_parent_class)->dispose (object);
}

static void
ww_swatch_class_init (WwSwatchClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ww_swatch_get_property;
  object_class->set_property = ww_swatch_set_property;
  object_class->dispose = ww_swatch_dispose;
  widget_class->snapshot = ww_swatch_snapshot;
  widget_class->measure = ww_swatch_measure;
  gtk_widget_class_set_css_name (widget_class, "swatch");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);

  properties[PROP_MAP] = g_param_spec_uint ("map", NULL, NULL, 0, WW_N_MAPS - 1, 0,
                                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_swatch_init (WwSwatch *self)
{
  self->dark_handler = g_signal_connect_swapped (adw_style_manager_get_default (), "notify::dark",
                                                 G_CALLBACK (gtk_widget_queue_draw), self);
}

#include "ww-readout.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-shown-maps.h"
#include "ww-swatch.h"

struct _WwReadout
{
  GtkWidget parent_instance;

  WwSwatch *swatch;
  GtkLabel *name, *value, *found, *bound;
  guint map;
};

G_DEFINE_FINAL_TYPE (WwReadout, ww_readout, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_MAP,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

/* Rounded upwards, so that the number shown is one that nothing exceeds. */
static double
round_bound (double bound)
{
  return ceil (1000 * bound) / 1000;
}

/* Whole sentences, for the ear. */
static char *
describe (WwReadout *self, gboolean nudge, double change, double found, double bound)
{
  const char *map = ww_map_get_name ((WwMap) self->map);
  g_autofree char *first = NULL, *second = NULL, *third = NULL;

  if (isfinite (change))
    /* Translators: a map, the relative change of its features. */
    first = g_strdup_printf (_ ("%s: relative change %.3f."), map, change);
  else
    first = g_strdup_printf (nudge && isnan (change) ? _ ("%s: the relative change is undefined.")
                                                     : _ ("%s: the relative change is not known."),
                             map);
  if (!isfinite (found))
    return g_steal_pointer (&first);

  second = g_strdup_printf (_ ("Found word sensitivity %.3f."), found);
  if (!isfinite (bound))
    return g_strjoin (" ", first, second, NULL);

  third = g_strdup_printf (_ ("It is certified to be at most %.3f."), round_bound (bound));
  return g_strjoin (" ", first, second, third, NULL);
}

void
ww_readout_set_values (WwReadout *self, gboolean nudge, double change, double found, double bound)
{
  g_autofree char *value = NULL, *note = NULL, *limit = NULL, *words = NULL;

  g_return_if_fail (WW_IS_READOUT (self));

  value = isfinite (change) ? g_strdup_printf ("%.3f", change)
                            : g_strdup (nudge && isnan (change) ? _ ("undefined") : "–");
  note = isfinite (found) ? g_strdup_printf (_ ("found WS %.3f"), found) : g_strdup ("");
  limit = isfinite (found) && isfinite (bound)
            /* Translators: stands below "found WS 1.234": no nudge reaches more than this. */
            ? g_strdup_printf (_ ("certified at most %.3f"), round_bound (bound))
            : g_strdup ("");
  words = describe (self, nudge, change, found, bound);
  gtk_label_set_text (self->value, value);
  gtk_label_set_text (self->found, note);
  gtk_label_set_text (self->bound, limit);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

static void
ww_readout_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MAP)
    g_value_set_uint (value, WW_READOUT (object)->map);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_readout_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WwReadout *self = WW_READOUT (object);

  if (id != PROP_MAP)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  self->map = g_value_get_uint (value);
  gtk_label_set_text (self->name, ww_map_get_name ((WwMap) self->map));
  g_object_set (self->swatch, "map", self->map, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->bound), self->map != WW_MAP_RF);
  ww_readout_set_values (self, FALSE, NAN, NAN, NAN);
}

static void
ww_readout_dispose (GObject *object)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ww_readout_parent_class)->dispose (object);
}

static void
ww_readout_class_init (WwReadoutClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ww_readout_get_property;
  object_class->set_property = ww_readout_set_property;
  object_class->dispose = ww_readout_dispose;
  g_type_ensure (WW_TYPE_SWATCH);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "readout");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-readout.ui");
  gtk_widget_class_bind_template_child (widget_class, WwReadout, swatch);
  gtk_widget_class_bind_template_child (widget_class, WwReadout, name);
  gtk_widget_class_bind_template_child (widget_class, WwReadout, value);
  gtk_widget_class_bind_template_child (widget_class, WwReadout, found);
  gtk_widget_class_bind_template_child (widget_class, WwReadout, bound);

  properties[PROP_MAP] = g_param_spec_uint ("map", NULL, NULL, 0, WW_N_SHOWN_MAPS - 1, 0,
                                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_readout_init (WwReadout *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

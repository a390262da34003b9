#include "ww-token-chip.h"

#include <glib/gi18n.h>
#include <string.h>

#define PAD_X 6
#define PAD_Y 3
#define RADIUS 5.0f
/* A word of thousands of letters must not make the page wider than the screen. */
#define MAX_WIDTH_CHARS 24

struct _WwTokenChip
{
  GtkWidget parent_instance;

  PangoLayout *layout;
  char *word;
  char *words; /* of the sensitivity */
  gsize index, count;
  gboolean unknown, special, continues, chosen, has_fill;
  WwColour fill;
};

G_DEFINE_FINAL_TYPE (WwTokenChip, ww_token_chip, GTK_TYPE_WIDGET)

/* Whole sentences, one after the other. */
char *
ww_token_chip_describe (WwTokenChip *self)
{
  const char *kind = self->unknown   ? _ ("It is unknown to this set.")
                     : self->special ? _ ("It is a special token.")
                                     : NULL;
  g_autofree char *place = NULL;
  g_autoptr (GStrvBuilder) builder = NULL;
  g_auto (GStrv) sentences = NULL;

  g_return_val_if_fail (WW_IS_TOKEN_CHIP (self), NULL);

  if (self->index == G_MAXSIZE)
    return g_strdup (_ ("This word is unknown to the set and left out."));

  builder = g_strv_builder_new ();
  place = g_strdup_printf (_ ("Token %zu of %zu."), self->index + 1, self->count);
  g_strv_builder_add (builder, place);
  if (kind != NULL)
    g_strv_builder_add (builder, kind);
  if (self->words != NULL)
    g_strv_builder_add (builder, self->words);
  sentences = g_strv_builder_end (builder);
  return g_strjoinv (" ", sentences);
}

static void
update_words (WwTokenChip *self)
{
  g_autofree char *words = ww_token_chip_describe (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->word,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static gboolean
ww_token_chip_query_tooltip (GtkWidget  *widget,
                             int         x,
                             int         y,
                             gboolean    keyboard,
                             GtkTooltip *tooltip)
{
  g_autofree char *words = ww_token_chip_describe (WW_TOKEN_CHIP (widget));

  gtk_tooltip_set_text (tooltip, words);
  return TRUE;
}

/* Letters that can be read on the fill: black or white, whichever differs more in luminance. */
static GdkRGBA
pick_ink (WwTokenChip *self)
{
  GdkRGBA ink;
  double luminance;

  if (!self->has_fill)
    {
      G_GNUC_BEGIN_IGNORE_DEPRECATIONS
      gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &ink);
      G_GNUC_END_IGNORE_DEPRECATIONS
      return ink;
    }
  luminance = 0.2126 * self->fill.red * self->fill.red
              + 0.7152 * self->fill.green * self->fill.green
              + 0.0722 * self->fill.blue * self->fill.blue;
  return luminance > 0.22 ? (GdkRGBA) { 0, 0, 0, 0.9f } : (GdkRGBA) { 1, 1, 1, 1 };
}

static void
ww_token_chip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WwTokenChip *self = WW_TOKEN_CHIP (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  GdkRGBA ink = pick_ink (self);

  if (self->has_fill)
    {
      GdkRGBA fill = { (float) self->fill.red, (float) self->fill.green, (float) self->fill.blue,
                       (float) self->fill.alpha };
      GskRoundedRect round;

      gsk_rounded_rect_init_from_rect (
        &round, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height), RADIUS);
      gtk_snapshot_push_rounded_clip (snapshot, &round);
      gtk_snapshot_append_color (snapshot, &fill, &round.bounds);
      gtk_snapshot_pop (snapshot);
    }
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (PAD_X, PAD_Y));
  gtk_snapshot_append_layout (snapshot, self->layout, &ink);
  gtk_snapshot_restore (snapshot);
}

static void
ww_token_chip_measure (GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  int width, height;

  pango_layout_get_pixel_size (WW_TOKEN_CHIP (widget)->layout, &width, &height);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? width + 2 * PAD_X
                                                                  : height + 2 * PAD_Y;
}

static void
limit_width (WwTokenChip *self)
{
  PangoContext *context = pango_layout_get_context (self->layout);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int most = MAX_WIDTH_CHARS * pango_font_metrics_get_approximate_char_width (metrics), width;

  pango_font_metrics_unref (metrics);
  pango_layout_set_width (self->layout, -1);
  pango_layout_get_size (self->layout, &width, NULL);
  if (width > most)
    pango_layout_set_width (self->layout, most);
}

static void
ww_token_chip_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (ww_token_chip_parent_class)->system_setting_changed (widget, setting);
  pango_layout_context_changed (WW_TOKEN_CHIP (widget)->layout);
  limit_width (WW_TOKEN_CHIP (widget));
  gtk_widget_queue_resize (widget);
}

static void
ww_token_chip_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ww_token_chip_parent_class)->css_changed (widget, change);
  if (WW_TOKEN_CHIP (widget)->layout != NULL)
    pango_layout_context_changed (WW_TOKEN_CHIP (widget)->layout);
}

static WwTokenChip *
make_chip (const WwToken *token, gsize index, gsize count)
{
  WwTokenChip *self = g_object_new (WW_TYPE_TOKEN_CHIP, NULL);
  GtkWidget *widget = GTK_WIDGET (self);

  self->word = g_strdup (token->display);
  self->index = index;
  self->count = count;
  self->unknown = token->unknown;
  self->special = token->special;
  self->continues = token->continues;
  if (token->unknown)
    gtk_widget_add_css_class (widget, "unknown");
  if (token->special)
    gtk_widget_add_css_class (widget, "special");

  self->layout = gtk_widget_create_pango_layout (widget, self->word);
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
  limit_width (self);
  update_words (self);
  return self;
}

GtkWidget *
ww_token_chip_new (const WwToken *token, gsize index, gsize count)
{
  WwTokenChip *self = make_chip (token, index, count);

  gtk_accessible_update_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_POS_IN_SET,
                                  (int) index + 1, GTK_ACCESSIBLE_RELATION_SET_SIZE, (int) count,
                                  -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, FALSE, -1);
  return GTK_WIDGET (self);
}

GtkWidget *
ww_token_chip_new_left_out (const WwToken *token)
{
  GtkWidget *widget = GTK_WIDGET (make_chip (token, G_MAXSIZE, 0));

  gtk_widget_set_focusable (widget, FALSE);
  gtk_widget_add_css_class (widget, "left-out");
  gtk_accessible_update_state (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_STATE_DISABLED, TRUE, -1);
  return widget;
}

gsize
ww_token_chip_get_index (WwTokenChip *self)
{
  return self->index;
}

gboolean
ww_token_chip_continues (WwTokenChip *self)
{
  return self->continues;
}

void
ww_token_chip_set_fill (WwTokenChip *self, const WwColour *fill, const char *words)
{
  g_return_if_fail (WW_IS_TOKEN_CHIP (self));

  if (self->has_fill != (fill != NULL)
      || (fill != NULL && memcmp (&self->fill, fill, sizeof *fill) != 0))
    gtk_widget_queue_draw (GTK_WIDGET (self));
  self->has_fill = fill != NULL;
  if (fill != NULL)
    self->fill = *fill;
  if (g_strcmp0 (self->words, words) != 0)
    {
      g_free (self->words);
      self->words = g_strdup (words);
      update_words (self);
    }
}

void
ww_token_chip_set_chosen (WwTokenChip *self, gboolean chosen)
{
  g_return_if_fail (WW_IS_TOKEN_CHIP (self));

  if (self->chosen == chosen)
    return;
  self->chosen = chosen;
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_SELECTED, chosen, -1);
  if (chosen)
    gtk_widget_add_css_class (GTK_WIDGET (self), "chosen");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "chosen");
}

static void
ww_token_chip_finalize (GObject *object)
{
  WwTokenChip *self = WW_TOKEN_CHIP (object);

  g_clear_object (&self->layout);
  g_clear_pointer (&self->word, g_free);
  g_clear_pointer (&self->words, g_free);
  G_OBJECT_CLASS (ww_token_chip_parent_class)->finalize (object);
}

static void
ww_token_chip_class_init (WwTokenChipClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ww_token_chip_finalize;
  widget_class->snapshot = ww_token_chip_snapshot;
  widget_class->measure = ww_token_chip_measure;
  widget_class->query_tooltip = ww_token_chip_query_tooltip;
  widget_class->css_changed = ww_token_chip_css_changed;
  widget_class->system_setting_changed = ww_token_chip_system_setting_changed;
  gtk_widget_class_set_css_name (widget_class, "token");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
}

static void
ww_token_chip_init (WwTokenChip *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

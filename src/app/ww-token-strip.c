#include "ww-token-strip.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-figure-view.h"
#include "ww-token-chip.h"
#include "ww-token-lines.h"

#define NATURAL_WIDTH 640

struct _WwTokenStrip
{
  GtkWidget parent_instance;

  GPtrArray *chips; /* of WwTokenChip, borrowed from the widget tree: one for each token */
  GPtrArray *shown; /* the same, and the words that are left out, in the order of the text */
  WwTokens *tokens;
  WwSensitivity *sensitivity;
  GArray *lines;     /* of the newest layout */
  double top, bottom; /* of what is seen */
  guint token;
  double min, max;
  gboolean has_range;
  gsize n_drawn; /* chips of the newest frame */
  int width;     /* of the newest layout */
  guint resize_source;
  char *font_family;
  gulong dark_handler;
};

G_DEFINE_FINAL_TYPE (WwTokenStrip, ww_token_strip, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_TOKEN,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static WwTokenChip *
get_chip (WwTokenStrip *self, gsize index)
{
  return index < self->chips->len ? g_ptr_array_index (self->chips, index) : NULL;
}

static void colour_seen (WwTokenStrip *self);

/* ---- Layout: words flow into lines ---- */

static void
ww_token_strip_measure (GtkWidget     *widget,
                        GtkOrientation orientation,
                        int            for_size,
                        int           *minimum,
                        int           *natural,
                        int           *minimum_baseline,
                        int           *natural_baseline)
{
  WwTokenStrip *self = WW_TOKEN_STRIP (widget);
  int widest = 0;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      /* A scrolled window asks without a width: the one of the newest layout is the best guess. */
      *minimum = *natural = ww_token_lines_flow (self->shown,
                                                  for_size >= 0     ? for_size
                                                  : self->width > 0 ? self->width
                                                                    : NATURAL_WIDTH,
                                                  NULL);
      return;
    }
  for (guint i = 0; i < self->shown->len; i++)
    {
      int w;

      gtk_widget_measure (g_ptr_array_index (self->shown, i), orientation, -1, NULL, &w, NULL,
                          NULL);
      widest = MAX (widest, w);
    }
  *minimum = widest;
  *natural = MAX (widest, NATURAL_WIDTH);
}

static GtkSizeRequestMode
ww_token_strip_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static gboolean
on_width_changed (gpointer user_data)
{
  WwTokenStrip *self = user_data;

  self->resize_source = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

static void
ww_token_strip_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  WwTokenStrip *self = WW_TOKEN_STRIP (widget);

  ww_token_lines_flow (self->shown, width, self->lines);
  colour_seen (self);
  if (width == self->width)
    return;
  self->width = width;
  /* Not within a layout. */
  if (self->resize_source == 0)
    self->resize_source = g_idle_add (on_width_changed, self);
}

/* Two thousand chips are quickly told to draw themselves, and not so quickly drawn. */
static void
ww_token_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WwTokenStrip *self = WW_TOKEN_STRIP (widget);
  guint first, end;

  if (!ww_token_lines_find (self->lines, self->shown, self->top, self->bottom, &first, &end))
    return;
  for (guint i = first; i < end; i++)
    gtk_widget_snapshot_child (widget, g_ptr_array_index (self->shown, i), snapshot);
  self->n_drawn = end - first;
}

/* ---- Colours ---- */

static void
find_range (WwTokenStrip *self)
{
  self->has_range = FALSE;
  for (gsize i = 0; self->sensitivity != NULL && i < self->sensitivity->n; i++)
    {
      double value = self->sensitivity->ws[i];

      if (!isfinite (value))
        continue;
      self->min = self->has_range ? MIN (self->min, value) : value;
      self->max = self->has_range ? MAX (self->max, value) : value;
      self->has_range = TRUE;
    }
}

/* Two values of one token differ only where two searches did: says which this was. */
static const char *
describe_search (WwMap map, WwEffort effort)
{
  if (map == WW_MAP_RF)
    return _ ("It was searched quickly, under weights that all tokens of the text share; the read-outs draw others.");

  switch (effort)
    {
    case WW_EFFORT_QUICK:
      return _ ("It was searched quickly: a longer search may find more.");
    case WW_EFFORT_NORMAL:
      return _ ("It was searched with normal effort.");
    case WW_EFFORT_THOROUGH:
    default:
      return _ ("It was searched thoroughly.");
    }
}

static void
colour_chip (WwTokenStrip *self, WwTokenChip *chip, const WwPlotStyle *style)
{
  gsize i = ww_token_chip_get_index (chip);
  double value
    = self->sensitivity != NULL && i < self->sensitivity->n ? self->sensitivity->ws[i] : NAN;
  g_autofree char *words = NULL, *sentences = NULL;
  WwColour fill;

  if (!self->has_range || !isfinite (value))
    {
      ww_token_chip_set_fill (chip, NULL, NULL);
      return;
    }
  fill = ww_heatmap_colour (style, FALSE, self->min, self->max, value);
  /* Translators: the word sensitivity found at a token, and the map it belongs to. */
  words = g_strdup_printf (_ ("Word sensitivity %.4g (%s)."), value,
                           ww_map_get_name (self->sensitivity->map));
  sentences = g_strjoin (" ", words, describe_search (self->sensitivity->map, self->sensitivity->efforts[i]), NULL);
  ww_token_chip_set_fill (chip, &fill, sentences);
}

/* The others get theirs when they come into sight. */
static void
colour_seen (WwTokenStrip *self)
{
  WwPlotStyle style;
  guint first, end;

  if (!ww_token_lines_find (self->lines, self->shown, self->top, self->bottom, &first, &end))
    return;
  ww_widget_get_plot_style (GTK_WIDGET (self), &self->font_family, &style);
  for (guint i = first; i < end; i++)
    colour_chip (self, g_ptr_array_index (self->shown, i), &style);
}

void
ww_token_strip_set_sensitivity (WwTokenStrip *self, WwSensitivity *sensitivity)
{
  g_return_if_fail (WW_IS_TOKEN_STRIP (self));

  if (sensitivity != NULL)
    ww_sensitivity_ref (sensitivity);
  g_clear_pointer (&self->sensitivity, ww_sensitivity_unref);
  self->sensitivity = sensitivity;
  find_range (self);
  colour_seen (self);
}

gboolean
ww_token_strip_get_range (WwTokenStrip *self, double *ret_min, double *ret_max)
{
  g_return_val_if_fail (WW_IS_TOKEN_STRIP (self), FALSE);

  if (!self->has_range)
    return FALSE;
  *ret_min = self->min;
  *ret_max = self->max;
  return TRUE;
}

/* ---- The chosen token ---- */

guint
ww_token_strip_get_token (WwTokenStrip *self)
{
  g_return_val_if_fail (WW_IS_TOKEN_STRIP (self), 0);

  return self->token;
}

gsize
ww_token_strip_get_n_drawn (WwTokenStrip *self)
{
  g_return_val_if_fail (WW_IS_TOKEN_STRIP (self), 0);

  return self->n_drawn;
}

gsize
ww_token_strip_get_n_tokens (WwTokenStrip *self)
{
  g_return_val_if_fail (WW_IS_TOKEN_STRIP (self), 0);

  return self->chips->len;
}

void
ww_token_strip_set_token (WwTokenStrip *self, guint token)
{
  WwTokenChip *chip;

  g_return_if_fail (WW_IS_TOKEN_STRIP (self));

  if (self->chips->len > 0)
    token = MIN (token, self->chips->len - 1);
  if (token == self->token)
    return;
  chip = get_chip (self, self->token);
  if (chip != NULL)
    ww_token_chip_set_chosen (chip, FALSE);
  self->token = token;
  chip = get_chip (self, token);
  if (chip != NULL)
    ww_token_chip_set_chosen (chip, TRUE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TOKEN]);
}

static void
choose (WwTokenStrip *self, guint token)
{
  WwTokenChip *chip = get_chip (self, token);

  ww_token_strip_set_token (self, token);
  if (chip != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (chip));
}

void
ww_token_strip_set_viewport (WwTokenStrip *self, double top, double bottom)
{
  g_return_if_fail (WW_IS_TOKEN_STRIP (self));

  if (self->top == top && self->bottom == bottom)
    return;
  self->top = top;
  self->bottom = bottom;
  colour_seen (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ww_token_strip_get_visible (WwTokenStrip *self,
                            double        top,
                            double        bottom,
                            gsize        *ret_first,
                            gsize        *ret_last)
{
  gboolean found = FALSE;
  guint first, end;

  g_return_val_if_fail (WW_IS_TOKEN_STRIP (self), FALSE);

  if (!ww_token_lines_find (self->lines, self->shown, top, bottom, &first, &end))
    return FALSE;
  for (guint i = first; i < end; i++)
    {
      gsize token = ww_token_chip_get_index (g_ptr_array_index (self->shown, i));

      if (token >= self->chips->len)
        continue;
      if (!found)
        *ret_first = token;
      *ret_last = token;
      found = TRUE;
    }
  return found;
}

gboolean
ww_token_strip_press_key (WwTokenStrip *self, guint keyval, GdkModifierType state)
{
  guint last;

  g_return_val_if_fail (WW_IS_TOKEN_STRIP (self), GDK_EVENT_PROPAGATE);

  if (self->chips->len == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return GDK_EVENT_PROPAGATE;
  last = self->chips->len - 1;
  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      choose (self, self->token > 0 ? self->token - 1 : 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      choose (self, MIN (self->token + 1, last));
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      choose (self, ww_token_lines_find_across (self->chips, self->token, -1));
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      choose (self, ww_token_lines_find_across (self->chips, self->token, 1));
      return GDK_EVENT_STOP;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      choose (self, 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      choose (self, last);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static gboolean
on_key_pressed (WwTokenStrip *self, guint keyval, guint keycode, GdkModifierType state)
{
  return ww_token_strip_press_key (self, keyval, state);
}

static void
on_pressed (WwTokenStrip *self, int n_press, double x, double y)
{
  GtkWidget *hit = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);

  if (hit != NULL && WW_IS_TOKEN_CHIP (hit)
      && ww_token_chip_get_index (WW_TOKEN_CHIP (hit)) < self->chips->len)
    choose (self, (guint) ww_token_chip_get_index (WW_TOKEN_CHIP (hit)));
}

/* Tab enters at the chosen token and leaves the strip; the arrows go from token to token. */
static gboolean
ww_token_strip_focus (GtkWidget *widget, GtkDirectionType direction)
{
  WwTokenStrip *self = WW_TOKEN_STRIP (widget);
  WwTokenChip *chip = get_chip (self, self->token);

  if (gtk_widget_get_focus_child (widget) != NULL || chip == NULL)
    return FALSE;
  return gtk_widget_grab_focus (GTK_WIDGET (chip));
}

static gboolean
ww_token_strip_grab_focus (GtkWidget *widget)
{
  WwTokenChip *chip = get_chip (WW_TOKEN_STRIP (widget), WW_TOKEN_STRIP (widget)->token);

  return chip != NULL && gtk_widget_grab_focus (GTK_WIDGET (chip));
}

/* ---- Tokens ---- */

static void
remove_chips (WwTokenStrip *self)
{
  for (guint i = 0; i < self->shown->len; i++)
    gtk_widget_unparent (g_ptr_array_index (self->shown, i));
  g_ptr_array_set_size (self->shown, 0);
  g_ptr_array_set_size (self->chips, 0);
  g_array_set_size (self->lines, 0);
}

static void
add_chip (WwTokenStrip *self, GtkWidget *chip)
{
  gtk_widget_set_parent (chip, GTK_WIDGET (self));
  g_ptr_array_add (self->shown, chip);
}

static void
add_row (WwTokenStrip *self, gsize index, gsize n)
{
  add_chip (self, ww_token_chip_new (&self->tokens->tokens[index], index, n));
  g_ptr_array_add (self->chips, g_ptr_array_index (self->shown, self->shown->len - 1));
}

/* Token by token through the whole text, as long as its rows are those that are to be shown. */
static void
add_among (WwTokenStrip *self, WwTokens *all, gsize n)
{
  gsize row = 0;

  for (gsize i = 0; i < all->n && self->shown->len < WW_TOKEN_STRIP_MAX; i++)
    {
      const WwToken *token = &all->tokens[i];

      if (!token->has_row)
        add_chip (self, ww_token_chip_new_left_out (token));
      else if (row < n && g_str_equal (token->text, self->tokens->tokens[row].text))
        add_row (self, row++, n);
      else
        break;
    }
}

void
ww_token_strip_set_tokens (WwTokenStrip *self, WwTokens *tokens)
{
  ww_token_strip_set_tokens_among (self, tokens, NULL);
}

void
ww_token_strip_set_tokens_among (WwTokenStrip *self, WwTokens *tokens, WwTokens *all)
{
  gboolean had_focus;
  guint token;
  gsize n;

  g_return_if_fail (WW_IS_TOKEN_STRIP (self));

  if (tokens == self->tokens)
    return;
  had_focus = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;
  if (tokens != NULL)
    ww_tokens_ref (tokens);
  g_clear_pointer (&self->tokens, ww_tokens_unref);
  self->tokens = tokens;
  remove_chips (self);
  n = tokens != NULL ? MIN (tokens->n, WW_TOKEN_STRIP_MAX) : 0;
  if (all != NULL && n > 0)
    add_among (self, all, n);
  for (gsize i = self->chips->len; i < n; i++)
    add_row (self, i, n);
  token = n > 0 ? MIN (self->token, (guint) n - 1) : self->token;
  if (get_chip (self, token) != NULL)
    ww_token_chip_set_chosen (get_chip (self, token), TRUE);
  if (token != self->token)
    {
      self->token = token;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TOKEN]);
    }
  find_range (self);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self));
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/* ---- The object ---- */

static void
ww_token_strip_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TOKEN)
    g_value_set_uint (value, WW_TOKEN_STRIP (object)->token);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_token_strip_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TOKEN)
    ww_token_strip_set_token (WW_TOKEN_STRIP (object), g_value_get_uint (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_token_strip_dispose (GObject *object)
{
  WwTokenStrip *self = WW_TOKEN_STRIP (object);

  g_clear_handle_id (&self->resize_source, g_source_remove);
  g_clear_signal_handler (&self->dark_handler, adw_style_manager_get_default ());
  remove_chips (self);
  g_clear_pointer (&self->tokens, ww_tokens_unref);
  g_clear_pointer (&self->sensitivity, ww_sensitivity_unref);
  g_clear_pointer (&self->font_family, g_free);
  G_OBJECT_CLASS (ww_token_strip_parent_class)->dispose (object);
}

static void
ww_token_strip_finalize (GObject *object)
{
  g_ptr_array_unref (WW_TOKEN_STRIP (object)->chips);
  g_ptr_array_unref (WW_TOKEN_STRIP (object)->shown);
  g_array_unref (WW_TOKEN_STRIP (object)->lines);
  G_OBJECT_CLASS (ww_token_strip_parent_class)->finalize (object);
}

static void
ww_token_strip_class_init (WwTokenStripClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ww_token_strip_get_property;
  object_class->set_property = ww_token_strip_set_property;
  object_class->dispose = ww_token_strip_dispose;
  object_class->finalize = ww_token_strip_finalize;
  widget_class->measure = ww_token_strip_measure;
  widget_class->size_allocate = ww_token_strip_size_allocate;
  widget_class->snapshot = ww_token_strip_snapshot;
  widget_class->get_request_mode = ww_token_strip_get_request_mode;
  widget_class->focus = ww_token_strip_focus;
  widget_class->grab_focus = ww_token_strip_grab_focus;
  gtk_widget_class_set_css_name (widget_class, "tokenstrip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);

  properties[PROP_TOKEN]
    = g_param_spec_uint ("token", NULL, NULL, 0, G_MAXUINT, 0,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_token_strip_init (WwTokenStrip *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->chips = g_ptr_array_new ();
  self->shown = g_ptr_array_new ();
  self->lines = ww_token_lines_new ();
  self->bottom = G_MAXDOUBLE;
  self->dark_handler = g_signal_connect_swapped (adw_style_manager_get_default (), "notify::dark",
                                                 G_CALLBACK (colour_seen), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Tokens of the text"), -1);
}

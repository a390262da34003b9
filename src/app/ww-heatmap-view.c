#include "ww-heatmap-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-shown-maps.h"

struct _WwHeatmapView
{
  WwFigureView parent_instance;

  WwShownNudge *shown;
  WwMap map;
  gboolean trained; /* in place of `map` */
  WwNudgeView view;
  WwHeatmapLayout layout;
  gboolean has_layout;
  gboolean has_cell; /* a cell is read out by keyboard */
  gsize row, col;
  GdkRGBA ink;
};

G_DEFINE_FINAL_TYPE (WwHeatmapView, ww_heatmap_view, WW_TYPE_FIGURE_VIEW)

enum
{
  PROP_0,
  PROP_MAP,
  PROP_TRAINED,
  PROP_VIEW,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static const WwMatrix *
get_weights (WwHeatmapView *self, gboolean after)
{
  const WwNudgeReport *report
    = self->shown != NULL ? ww_shown_nudge_get_report (self->shown) : NULL;

  if (report == NULL)
    return NULL;
  if (self->trained)
    return after ? report->trained_after : report->trained_before;
  return after ? report->nudge->after[self->map] : report->nudge->before[self->map];
}

/* The nudge, where it has the weights of this view. */
static const WwNudge *
get_nudge (WwHeatmapView *self)
{
  return get_weights (self, FALSE) != NULL && get_weights (self, TRUE) != NULL
           ? ww_shown_nudge_get_nudge (self->shown)
           : NULL;
}

static const char *
get_name (WwHeatmapView *self)
{
  if (!self->trained)
    return ww_map_get_name (self->map);
  return get_nudge (self) != NULL ? ww_shown_nudge_get_report (self->shown)->trained_name
                                  : _ ("trained attention");
}

/* ---- Words ---- */

/* With its sign and a true minus; what rounds to nothing has no sign. */
static char *
format_difference (double value)
{
  char *number = g_strdup_printf ("%.4f", fabs (value));
  char *signed_number;

  if (fabs (value) < 0.00005)
    return number;
  signed_number = g_strconcat (value < 0 ? "−" : "+", number, NULL);
  g_free (number);
  return signed_number;
}

char *
ww_heatmap_view_describe_cell (WwHeatmapView *self, gsize row, gsize col)
{
  const WwNudge *nudge = get_nudge (self);
  g_autofree char *looks = NULL, *looked_at = NULL, *difference = NULL;
  double before, after;

  if (nudge == NULL || row >= nudge->n || col >= nudge->n)
    return NULL;
  looks = ww_shown_nudge_dup_word (self->shown, row);
  looked_at = ww_shown_nudge_dup_word (self->shown, col);
  before = get_weights (self, FALSE)->data[row * nudge->n + col];
  after = get_weights (self, TRUE)->data[row * nudge->n + col];
  difference = format_difference (after - before);
  /* Translators: token, its number, the token it looks at, its number, then weights. */
  return g_strdup_printf (_ ("“%s” (%zu) looks at “%s” (%zu): %.4f before, %.4f after, a change of %s"), looks,
                          row + 1, looked_at, col + 1, before, after, difference);
}

static const char *
get_view_name (WwNudgeView view)
{
  static const char *const names[]
    = { N_ ("Attention before the nudge, %s"), N_ ("Attention after the nudge, %s"),
        N_ ("Change of the attention, %s") };

  return _ (names[view]);
}

static char *
describe_matrix (WwHeatmapView *self)
{
  const WwNudge *nudge = get_nudge (self);
  g_autofree char *word = NULL;
  double before = 0, after = 0;

  if (nudge == NULL)
    return g_strdup (_ ("Nothing computed yet."));
  for (gsize j = 0; j < nudge->n; j++)
    {
      before += get_weights (self, FALSE)->data[j * nudge->n + nudge->token];
      after += get_weights (self, TRUE)->data[j * nudge->n + nudge->token];
    }
  word = ww_shown_nudge_dup_word (self->shown, nudge->token);
  return g_strdup_printf (_ ("%zu × %zu weights. The nudged token “%s” (%zu) receives %.1f %% of all "
                             "attention before and %.1f %% after."),
                          nudge->n, nudge->n, word, nudge->token + 1,
                          100 * before / (double) nudge->n, 100 * after / (double) nudge->n);
}

static void
update_words (WwHeatmapView *self)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_autofree char *name
    = g_strdup_printf (get_view_name (self->view), get_name (self));
#pragma GCC diagnostic pop
  g_autofree char *cell
    = self->has_cell ? ww_heatmap_view_describe_cell (self, self->row, self->col) : NULL;
  g_autofree char *description = describe_matrix (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  cell != NULL ? cell : name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* ---- Drawing ---- */

static WwScene *
ww_heatmap_view_layout (WwFigureView      *view,
                        double             width_pt,
                        double             height_pt,
                        const WwPlotStyle *style)
{
  WwHeatmapView *self = WW_HEATMAP_VIEW (view);

  self->has_layout = FALSE;
  if (get_nudge (self) == NULL)
    return NULL;
  self->ink = (GdkRGBA) { (float) style->foreground.red, (float) style->foreground.green,
                          (float) style->foreground.blue, 1 };
  self->has_layout = TRUE;
  if (self->trained)
    return ww_nudge_report_get_trained_heatmap (ww_shown_nudge_get_report (self->shown), self->view,
                                                width_pt, height_pt, style, &self->layout);
  return ww_nudge_report_get_heatmap (ww_shown_nudge_get_report (self->shown), self->map,
                                      self->view, width_pt, height_pt, style, &self->layout);
}

static void
ww_heatmap_view_overlay (WwFigureView *view, GtkSnapshot *snapshot)
{
  WwHeatmapView *self = WW_HEATMAP_VIEW (view);
  const WwHeatmapLayout *layout = &self->layout;
  float widths[4] = { 2, 2, 2, 2 };
  GdkRGBA inks[4] = { self->ink, self->ink, self->ink, self->ink };
  GskRoundedRect cell;
  double w, h;

  if (!self->has_cell || !self->has_layout || layout->rows == 0 || layout->cols == 0)
    return;
  w = layout->width / (double) layout->cols * WW_PX_PER_PT;
  h = layout->height / (double) layout->rows * WW_PX_PER_PT;
  /* Cells can be thinner than a pixel: the frame goes around, not inside. */
  gsk_rounded_rect_init_from_rect (
    &cell,
    &GRAPHENE_RECT_INIT ((float) (layout->left * WW_PX_PER_PT + w * (double) self->col) - 3,
                         (float) (layout->top * WW_PX_PER_PT + h * (double) self->row) - 3,
                         (float) w + 6, (float) h + 6),
    3);
  gtk_snapshot_append_border (snapshot, &cell, widths, inks);
}

/* ---- Reading cells ---- */

static gboolean
ww_heatmap_view_query_tooltip (GtkWidget  *widget,
                               int         x,
                               int         y,
                               gboolean    keyboard,
                               GtkTooltip *tooltip)
{
  WwHeatmapView *self = WW_HEATMAP_VIEW (widget);
  g_autofree char *words = NULL;
  gsize row = self->row, col = self->col;

  if (keyboard ? !self->has_cell
               : !self->has_layout
                   || !ww_heatmap_layout_pick (&self->layout, x / WW_PX_PER_PT, y / WW_PX_PER_PT,
                                               &row, &col))
    return FALSE;
  words = ww_heatmap_view_describe_cell (self, row, col);
  gtk_tooltip_set_text (tooltip, words);
  return words != NULL;
}

void
ww_heatmap_view_move_cell (WwHeatmapView *self, int rows, int cols)
{
  const WwNudge *nudge;

  g_return_if_fail (WW_IS_HEATMAP_VIEW (self));

  nudge = get_nudge (self);
  if (nudge == NULL)
    return;
  if (!self->has_cell)
    {
      self->has_cell = TRUE;
      self->row = self->col = nudge->token;
    }
  else
    {
      self->row = (gsize) CLAMP ((gint64) self->row + rows, 0, (gint64) nudge->n - 1);
      self->col = (gsize) CLAMP ((gint64) self->col + cols, 0, (gint64) nudge->n - 1);
    }
  update_words (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_key_pressed (WwHeatmapView *self, guint keyval, guint keycode, GdkModifierType state)
{
  int step = state & GDK_SHIFT_MASK ? 10 : 1;

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_Left:
      ww_heatmap_view_move_cell (self, 0, -step);
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
      ww_heatmap_view_move_cell (self, 0, step);
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
      ww_heatmap_view_move_cell (self, -step, 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
      ww_heatmap_view_move_cell (self, step, 0);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
on_focus_left (WwHeatmapView *self)
{
  self->has_cell = FALSE;
  update_words (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pressed (WwHeatmapView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* ---- The object ---- */

void
ww_heatmap_view_set_shown (WwHeatmapView *self, WwShownNudge *shown)
{
  const WwNudge *nudge;

  g_return_if_fail (WW_IS_HEATMAP_VIEW (self));

  if (shown != NULL)
    ww_shown_nudge_ref (shown);
  g_clear_pointer (&self->shown, ww_shown_nudge_unref);
  self->shown = shown;
  nudge = get_nudge (self);
  if (nudge == NULL || self->row >= nudge->n || self->col >= nudge->n)
    self->has_cell = FALSE;
  update_words (self);
  ww_figure_view_invalidate (WW_FIGURE_VIEW (self));
}

static void
ww_heatmap_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WwHeatmapView *self = WW_HEATMAP_VIEW (object);

  if (id == PROP_MAP)
    g_value_set_uint (value, self->map);
  else if (id == PROP_TRAINED)
    g_value_set_boolean (value, self->trained);
  else if (id == PROP_VIEW)
    g_value_set_uint (value, self->view);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_heatmap_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WwHeatmapView *self = WW_HEATMAP_VIEW (object);

  if (id == PROP_MAP)
    self->map = (WwMap) g_value_get_uint (value);
  else if (id == PROP_TRAINED)
    self->trained = g_value_get_boolean (value);
  else if (id == PROP_VIEW)
    self->view = (WwNudgeView) g_value_get_uint (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  update_words (self);
  ww_figure_view_invalidate (WW_FIGURE_VIEW (self));
}

static void
ww_heatmap_view_finalize (GObject *object)
{
  g_clear_pointer (&WW_HEATMAP_VIEW (object)->shown, ww_shown_nudge_unref);
  G_OBJECT_CLASS (ww_heatmap_view_parent_class)->finalize (object);
}

static void
ww_heatmap_view_class_init (WwHeatmapViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ww_heatmap_view_get_property;
  object_class->set_property = ww_heatmap_view_set_property;
  object_class->finalize = ww_heatmap_view_finalize;
  GTK_WIDGET_CLASS (klass)->query_tooltip = ww_heatmap_view_query_tooltip;
  WW_FIGURE_VIEW_CLASS (klass)->layout = ww_heatmap_view_layout;
  WW_FIGURE_VIEW_CLASS (klass)->overlay = ww_heatmap_view_overlay;

  properties[PROP_MAP] = g_param_spec_uint ("map", NULL, NULL, 0, WW_N_SHOWN_MAPS - 1,
                                            WW_MAP_SOFTMAX_RAF,
                                            G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_TRAINED] = g_param_spec_boolean ("trained", NULL, NULL, FALSE,
                                                   G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_VIEW] = g_param_spec_uint ("view", NULL, NULL, 0, WW_NUDGE_VIEW_DIFFERENCE,
                                             WW_NUDGE_VIEW_DIFFERENCE,
                                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_heatmap_view_init (WwHeatmapView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->map = WW_MAP_SOFTMAX_RAF;
  self->view = WW_NUDGE_VIEW_DIFFERENCE;
  ww_figure_view_set_sizes (WW_FIGURE_VIEW (self), 250, 200, 420, 360);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_left), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  update_words (self);
}

#include "ww-bars-view.h"

#include <glib/gi18n.h>

#include "ww-shown-maps.h"

struct _WwBarsView
{
  WwFigureView parent_instance;

  WwShownNudge *shown;
  WwBarsLayout layout;
  gboolean has_layout;
  gboolean has_bar; /* a bar is read out by keyboard */
  gsize bar;
  GdkRGBA ink;
};

G_DEFINE_FINAL_TYPE (WwBarsView, ww_bars_view, WW_TYPE_FIGURE_VIEW)

enum
{
  TOKEN_ACTIVATED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

char *
ww_bars_view_describe_bar (WwBarsView *self, gsize token)
{
  const WwNudge *nudge = self->shown != NULL ? ww_shown_nudge_get_nudge (self->shown) : NULL;
  g_autofree char *word = NULL;
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  if (nudge == NULL || token >= nudge->n)
    return NULL;
  word = ww_shown_nudge_dup_word (self->shown, token);
  /* Translators: a token and its number; lines about it follow. */
  g_ptr_array_add (lines, g_strdup_printf (_ ("“%s”, token %zu"), word, token + 1));
  for (int m = WW_N_SHOWN_MAPS - 1; m >= 0; m--)
    if (nudge->feature_change[m] != NULL)
      g_ptr_array_add (lines, g_strdup_printf (_ ("%s changes by %.4g"), ww_map_get_name ((WwMap) m),
                                               nudge->feature_change[m][token]));
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}

static char *
describe_bars (WwBarsView *self)
{
  const WwNudge *nudge = self->shown != NULL ? ww_shown_nudge_get_nudge (self->shown) : NULL;
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_with_free_func (g_free);

  if (nudge == NULL)
    return g_strdup (_ ("Nothing computed yet."));
  for (int m = WW_N_SHOWN_MAPS - 1; m >= 0; m--)
    {
      gsize largest = 0;
      g_autofree char *word = NULL;

      if (nudge->feature_change[m] == NULL)
        continue;
      for (gsize j = 1; j < nudge->n; j++)
        if (nudge->feature_change[m][j] > nudge->feature_change[m][largest])
          largest = j;
      word = ww_shown_nudge_dup_word (self->shown, largest);
      /* Translators: a map, a token, its number, a relative change. */
      g_ptr_array_add (sentences, g_strdup_printf (_ ("%s changes most at “%s” (%zu), by %.4g."),
                                                   ww_map_get_name ((WwMap) m), word, largest + 1,
                                                   nudge->feature_change[m][largest]));
    }
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv (" ", (char **) sentences->pdata);
}

static void
update_words (WwBarsView *self)
{
  g_autofree char *bar = self->has_bar ? ww_bars_view_describe_bar (self, self->bar) : NULL;
  g_autofree char *description = describe_bars (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  bar != NULL ? bar : _ ("Feature change per token"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

static WwScene *
ww_bars_view_layout (WwFigureView      *view,
                     double             width_pt,
                     double             height_pt,
                     const WwPlotStyle *style)
{
  WwBarsView *self = WW_BARS_VIEW (view);

  self->has_layout = self->shown != NULL;
  if (self->shown == NULL)
    return NULL;
  self->ink = (GdkRGBA) { (float) style->foreground.red, (float) style->foreground.green,
                          (float) style->foreground.blue, 0.5f };
  return ww_nudge_report_get_bars (ww_shown_nudge_get_report (self->shown), width_pt, height_pt,
                                   style, &self->layout);
}

static void
ww_bars_view_overlay (WwFigureView *view, GtkSnapshot *snapshot)
{
  WwBarsView *self = WW_BARS_VIEW (view);
  const WwBarsLayout *layout = &self->layout;
  double slot;

  if (!self->has_bar || !self->has_layout || layout->n_bars == 0)
    return;
  slot = layout->width / (double) layout->n_bars;
  gtk_snapshot_append_color (
    snapshot, &self->ink,
    &GRAPHENE_RECT_INIT (
      (float) ((layout->left + slot * ((double) self->bar + 0.5)) * WW_PX_PER_PT) - 1,
      (float) (layout->top * WW_PX_PER_PT), 2, (float) (layout->height * WW_PX_PER_PT)));
}

static gboolean
ww_bars_view_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  WwBarsView *self = WW_BARS_VIEW (widget);
  g_autofree char *words = NULL;
  gsize bar = self->bar;

  if (keyboard ? !self->has_bar
               : !self->has_layout
                   || !ww_bars_layout_pick (&self->layout, x / WW_PX_PER_PT, y / WW_PX_PER_PT,
                                            &bar))
    return FALSE;
  words = ww_bars_view_describe_bar (self, bar);
  gtk_tooltip_set_text (tooltip, words);
  return words != NULL;
}

static void
move_bar (WwBarsView *self, int steps)
{
  const WwNudge *nudge = self->shown != NULL ? ww_shown_nudge_get_nudge (self->shown) : NULL;

  if (nudge == NULL)
    return;
  self->bar = self->has_bar ? (gsize) CLAMP ((gint64) self->bar + steps, 0, (gint64) nudge->n - 1)
                            : nudge->token;
  self->has_bar = TRUE;
  update_words (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_key_pressed (WwBarsView *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_Left:
      move_bar (self, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
      move_bar (self, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_space:
      if (!self->has_bar)
        return GDK_EVENT_PROPAGATE;
      g_signal_emit (self, signals[TOKEN_ACTIVATED], 0, (guint) self->bar);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static void
on_pressed (WwBarsView *self, int n_press, double x, double y)
{
  gsize bar;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->has_layout
      && ww_bars_layout_pick (&self->layout, x / WW_PX_PER_PT, y / WW_PX_PER_PT, &bar))
    g_signal_emit (self, signals[TOKEN_ACTIVATED], 0, (guint) bar);
}

static void
on_focus_left (WwBarsView *self)
{
  self->has_bar = FALSE;
  update_words (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ww_bars_view_set_shown (WwBarsView *self, WwShownNudge *shown)
{
  g_return_if_fail (WW_IS_BARS_VIEW (self));

  if (shown != NULL)
    ww_shown_nudge_ref (shown);
  g_clear_pointer (&self->shown, ww_shown_nudge_unref);
  self->shown = shown;
  if (shown == NULL || self->bar >= ww_shown_nudge_get_nudge (shown)->n)
    self->has_bar = FALSE;
  update_words (self);
  ww_figure_view_invalidate (WW_FIGURE_VIEW (self));
}

static void
ww_bars_view_finalize (GObject *object)
{
  g_clear_pointer (&WW_BARS_VIEW (object)->shown, ww_shown_nudge_unref);
  G_OBJECT_CLASS (ww_bars_view_parent_class)->finalize (object);
}

static void
ww_bars_view_class_init (WwBarsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ww_bars_view_finalize;
  GTK_WIDGET_CLASS (klass)->query_tooltip = ww_bars_view_query_tooltip;
  WW_FIGURE_VIEW_CLASS (klass)->layout = ww_bars_view_layout;
  WW_FIGURE_VIEW_CLASS (klass)->overlay = ww_bars_view_overlay;

  signals[TOKEN_ACTIVATED]
    = g_signal_new ("token-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
ww_bars_view_init (WwBarsView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  ww_figure_view_set_sizes (WW_FIGURE_VIEW (self), 240, 150, 720, 190);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_focus_left), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  update_words (self);
}

#include "ww-curve-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-app-provenance.h"
#include "ww-shown-maps.h"

struct _WwCurveView
{
  WwFigureView parent_instance;

  WwCurve *curve;
  WwProvenance provenance;
  gboolean x_log, y_log;
  guint hidden;          /* bit per WwMap */
  guint laws;            /* bit per WwLaw */
  GArray *summaries[WW_N_MAPS]; /* of WwCurveSummary, or NULL */
  GArray *lengths;       /* of gsize: every measured n, ascending */
  gboolean crosshair;
  gsize crosshair_n;
  char *readout;
  WwCurvesLayout layout; /* of the newest scene */
  WwColour foreground, faint, colours[WW_N_MAPS];
  gboolean has_layout;
};

G_DEFINE_FINAL_TYPE (WwCurveView, ww_curve_view, WW_TYPE_FIGURE_VIEW)

enum
{
  PROP_0,
  PROP_X_LOG,
  PROP_Y_LOG,
  PROP_HIDDEN,
  PROP_LAWS,
  PROP_READOUT,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

/* ---- What was measured ---- */

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  gsize x = *(const gsize *) a, y = *(const gsize *) b;

  return x < y ? -1 : x > y;
}

static void
collect_lengths (WwCurveView *self)
{
  g_array_set_size (self->lengths, 0);
  for (guint m = 0; m < WW_N_MAPS; m++)
    for (guint i = 0; self->summaries[m] != NULL && i < self->summaries[m]->len; i++)
      g_array_append_val (self->lengths, g_array_index (self->summaries[m], WwCurveSummary, i).n);
  g_array_sort (self->lengths, compare_lengths);
  for (guint i = self->lengths->len; i > 1; i--)
    if (g_array_index (self->lengths, gsize, i - 1) == g_array_index (self->lengths, gsize, i - 2))
      g_array_remove_index (self->lengths, i - 1);
}

static void
summarise (WwCurveView *self)
{
  for (guint m = 0; m < WW_N_MAPS; m++)
    {
      g_clear_pointer (&self->summaries[m], g_array_unref);
      if (self->curve != NULL && self->curve->n_points > 0)
        self->summaries[m] = ww_curve_summarise (self->curve->points, self->curve->n_points,
                                                 (WwMap) m, self->curve->points[0].d);
    }
  collect_lengths (self);
}

static const WwCurveSummary *
find_summary (WwCurveView *self, WwMap map, gsize n)
{
  GArray *summaries = self->summaries[map];

  for (guint i = 0; summaries != NULL && i < summaries->len; i++)
    if (g_array_index (summaries, WwCurveSummary, i).n == n)
      return &g_array_index (summaries, WwCurveSummary, i);
  return NULL;
}

static gboolean
is_hidden (WwCurveView *self, WwMap map)
{
  return (self->hidden >> map) & 1;
}

/* ---- Words ---- */

/* Four digits of the median, and as many decimals in all that stands beside it: numbers that are
 * compared end at the same place. */
static int
get_decimals (double median)
{
  return median > 0 && isfinite (median) ? CLAMP (3 - (int) floor (log10 (median)), 0, 9) : 3;
}

/* `spoken`: a sentence for the ear in place of the signs. */
static char *
describe_value (WwMap map, const WwCurveSummary *summary, gboolean spoken)
{
  const char *name = ww_map_get_name (map);
  int decimals = get_decimals (summary->median);
  double median = summary->median, lower = summary->lower, upper = summary->upper;
  double bound = summary->upper_bound;

  if (isfinite (bound) && spoken)
    /* Translators: a map, its median word sensitivity, the lower and upper quartile, the certified bound. */
    return g_strdup_printf (_ ("%s: median %.*f, quartiles %.*f and %.*f, certified to be at most %.*f."),
                            name, decimals, median, decimals, lower, decimals, upper, decimals,
                            bound);
  if (isfinite (bound))
    /* Translators: a map, its median word sensitivity, the lower and upper quartile, the certified bound. */
    return g_strdup_printf (_ ("%s %.*f [%.*f–%.*f] ≤ %.*f"), name, decimals, median, decimals, lower,
                            decimals, upper, decimals, bound);
  if (spoken)
    /* Translators: a map, its median word sensitivity, the lower and upper quartile. */
    return g_strdup_printf (_ ("%s: median %.*f, quartiles %.*f and %.*f."), name, decimals, median,
                            decimals, lower, decimals, upper);
  /* Translators: a map, its median word sensitivity, the lower and upper quartile. */
  return g_strdup_printf (_ ("%s %.*f [%.*f–%.*f]"), name, decimals, median, decimals, lower, decimals,
                          upper);
}

static char *
describe_crosshair (WwCurveView *self, gboolean spoken)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (parts, g_strdup_printf (spoken ? _ ("At n = %zu.") : _ ("n = %zu"),
                                           self->crosshair_n));
  for (guint i = 0; i < WW_N_MAPS; i++)
    {
      WwMap map = ww_curve_maps[i];
      const WwCurveSummary *summary = find_summary (self, map, self->crosshair_n);

      if (!is_hidden (self, map) && summary != NULL)
        g_ptr_array_add (parts, describe_value (map, summary, spoken));
    }
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (spoken ? " " : "   ", (char **) parts->pdata);
}

static void
add_sentences (WwCurveView *self, WwMap map, GPtrArray *sentences)
{
  const WwCurveSummary *summaries
    = (const WwCurveSummary *) (gpointer) self->summaries[map]->data;
  const WwCurveSummary *last = &summaries[self->summaries[map]->len - 1];
  const char *name = ww_map_get_name (map);
  double exponent;

  g_ptr_array_add (sentences,
                   g_strdup_printf (_ ("%s: word sensitivity %.4g at n = %zu, %.4g at n = %zu."), name,
                                    summaries->median, summaries->n, last->median, last->n));
  if (ww_curve_fit_exponent (summaries, self->summaries[map]->len, &exponent))
    /* Translators: a map; the exponent of its word sensitivity as a power of n. */
    g_ptr_array_add (sentences, g_strdup_printf (_ ("The slope of %s is %.2f."), name, exponent));
  if (is_hidden (self, map))
    g_ptr_array_add (sentences, g_strdup_printf (_ ("%s is hidden."), name));
}

static char *
describe_curves (WwCurveView *self)
{
  g_autoptr (GPtrArray) sentences = g_ptr_array_new_with_free_func (g_free);

  if (self->curve == NULL || self->curve->n_points == 0)
    return g_strdup (_ ("No point measured yet."));

  for (guint i = 0; i < WW_N_MAPS; i++)
    if (self->summaries[ww_curve_maps[i]] != NULL && self->summaries[ww_curve_maps[i]]->len > 0)
      add_sentences (self, ww_curve_maps[i], sentences);
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv (" ", (char **) sentences->pdata);
}

static void
update_words (WwCurveView *self)
{
  g_autofree char *description = describe_curves (self);
  g_autofree char *spoken = self->crosshair ? describe_crosshair (self, TRUE) : NULL;

  g_free (self->readout);
  self->readout = self->crosshair ? describe_crosshair (self, FALSE)
                                  : g_strdup (_ ("Exact values: point at the figure, or press the "
                                                 "arrow keys in it."));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  spoken != NULL ? spoken : _ ("Word sensitivity over context length"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_READOUT]);
}

/* ---- Drawing ---- */

void
ww_curve_view_get_report (WwCurveView *self, WwCurveReport *ret_report)
{
  WwCurveReport report = { 0 };

  g_return_if_fail (WW_IS_CURVE_VIEW (self));

  if (self->curve != NULL)
    {
      report.points = self->curve->points;
      report.n_points = self->curve->n_points;
    }
  report.provenance = &self->provenance;
  report.x_log = self->x_log;
  report.y_log = self->y_log;
  report.laws = self->laws;
  for (guint m = 0; m < WW_N_MAPS; m++)
    report.hidden[m] = is_hidden (self, (WwMap) m);
  *ret_report = report;
}

static WwScene *
ww_curve_view_layout (WwFigureView      *view,
                      double             width_pt,
                      double             height_pt,
                      const WwPlotStyle *style)
{
  WwCurveView *self = WW_CURVE_VIEW (view);
  WwCurveReport report;

  ww_curve_view_get_report (self, &report);
  self->foreground = style->foreground;
  self->faint = style->faint;
  for (guint m = 0; m < WW_N_MAPS; m++)
    self->colours[m] = ww_plot_palette (style, m);
  self->has_layout = TRUE;
  return ww_curve_report_get_scene (&report, width_pt, height_pt, style, &self->layout);
}

static GdkRGBA
to_rgba (WwColour colour, double alpha)
{
  return (GdkRGBA) { (float) colour.red, (float) colour.green, (float) colour.blue,
                     (float) alpha };
}

static void
draw_dot (GtkSnapshot *snapshot, double x, double y, WwColour colour, const GdkRGBA *rim)
{
  GskRoundedRect round;
  GdkRGBA fill = to_rgba (colour, 1);
  float widths[4] = { 1.5f, 1.5f, 1.5f, 1.5f };
  GdkRGBA rims[4] = { *rim, *rim, *rim, *rim };

  gsk_rounded_rect_init_from_rect (
    &round, &GRAPHENE_RECT_INIT ((float) x - 5, (float) y - 5, 10, 10), 5);
  gtk_snapshot_push_rounded_clip (snapshot, &round);
  gtk_snapshot_append_color (snapshot, &fill, &round.bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &round, widths, rims);
}

/* A short line where the bound is, in the colour of its map. */
static void
draw_tick (GtkSnapshot *snapshot, double x, double y, WwColour colour)
{
  GdkRGBA ink = to_rgba (colour, 1);

  gtk_snapshot_append_color (snapshot, &ink,
                             &GRAPHENE_RECT_INIT ((float) x - 6, (float) y - 1, 12, 2));
}

static gboolean
in_plot_area (WwCurveView *self, double x_pt, double y_pt)
{
  const WwCurvesLayout *layout = &self->layout;

  return self->has_layout && x_pt >= layout->left - 1 && x_pt <= layout->left + layout->width + 1
         && y_pt >= layout->top - 1 && y_pt <= layout->top + layout->height + 1;
}

static void
ww_curve_view_overlay (WwFigureView *view, GtkSnapshot *snapshot)
{
  WwCurveView *self = WW_CURVE_VIEW (view);
  const WwCurvesLayout *layout = &self->layout;
  GdkRGBA line = to_rgba (self->foreground, 0.55), rim = to_rgba (self->foreground, 1);
  double x;

  if (!self->crosshair || !self->has_layout || self->lengths->len == 0)
    return;
  x = ww_curves_layout_x_to_pt (layout, (double) self->crosshair_n) * WW_PX_PER_PT;
  gtk_snapshot_append_color (snapshot, &line,
                             &GRAPHENE_RECT_INIT ((float) x - 0.5f,
                                                  (float) (layout->top * WW_PX_PER_PT), 1,
                                                  (float) (layout->height * WW_PX_PER_PT)));
  for (guint m = 0; m < WW_N_MAPS; m++)
    {
      const WwCurveSummary *summary = find_summary (self, (WwMap) m, self->crosshair_n);
      double y;

      if (summary == NULL || is_hidden (self, (WwMap) m))
        continue;
      y = ww_curves_layout_y_to_pt (layout, summary->median);
      if (in_plot_area (self, layout->left, y))
        draw_dot (snapshot, x, y * WW_PX_PER_PT, self->colours[m], &rim);
      y = ww_curves_layout_y_to_pt (layout, summary->upper_bound);
      if (isfinite (y) && in_plot_area (self, layout->left, y))
        draw_tick (snapshot, x, y * WW_PX_PER_PT, self->colours[m]);
    }
}

/* ---- Crosshair and legend ---- */

static void
set_crosshair (WwCurveView *self, gboolean shown, gsize n)
{
  if (self->crosshair == shown && (!shown || self->crosshair_n == n))
    return;
  self->crosshair = shown;
  self->crosshair_n = n;
  update_words (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ww_curve_view_clear_crosshair (WwCurveView *self)
{
  g_return_if_fail (WW_IS_CURVE_VIEW (self));

  set_crosshair (self, FALSE, 0);
}

void
ww_curve_view_move_crosshair (WwCurveView *self, int steps)
{
  int last, at;

  g_return_if_fail (WW_IS_CURVE_VIEW (self));

  last = (int) self->lengths->len - 1;
  if (last < 0)
    return;
  at = steps > 0 ? -1 : last + 1;
  if (self->crosshair)
    for (at = 0; at < last && g_array_index (self->lengths, gsize, at) < self->crosshair_n;)
      at++;
  at = (int) CLAMP ((gint64) at + steps, 0, (gint64) last);
  set_crosshair (self, TRUE, g_array_index (self->lengths, gsize, at));
}

static void
crosshair_to_pointer (WwCurveView *self, double x, double y)
{
  double x_pt = x / WW_PX_PER_PT, y_pt = y / WW_PX_PER_PT, best = INFINITY;
  gsize nearest = 0;

  if (!in_plot_area (self, x_pt, y_pt) || self->lengths->len == 0)
    {
      set_crosshair (self, FALSE, 0);
      return;
    }
  for (guint i = 0; i < self->lengths->len; i++)
    {
      gsize n = g_array_index (self->lengths, gsize, i);
      double away = fabs (ww_curves_layout_x_to_pt (&self->layout, (double) n) - x_pt);

      if (away < best)
        {
          best = away;
          nearest = n;
        }
    }
  set_crosshair (self, TRUE, nearest);
}

static void
on_motion (WwCurveView *self, double x, double y)
{
  crosshair_to_pointer (self, x, y);
}

static void
on_leave (WwCurveView *self)
{
  set_crosshair (self, FALSE, 0);
}

static void
on_pressed (WwCurveView *self, int n_press, double x, double y)
{
  double x_pt = x / WW_PX_PER_PT, y_pt = y / WW_PX_PER_PT;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  /* The legend's first entries are the provenance's maps, in their order; laws follow. */
  for (gsize i = 0; self->has_layout && i < MIN (self->layout.n_legend, self->provenance.n_maps);
       i++)
    if (x_pt >= self->layout.legend[i].left
        && x_pt <= self->layout.legend[i].left + self->layout.legend[i].width
        && y_pt >= self->layout.legend[i].top
        && y_pt <= self->layout.legend[i].top + self->layout.legend[i].height)
      {
        ww_curve_view_toggle_map (self, self->provenance.maps[i]);
        return;
      }
}

void
ww_curve_view_toggle_map (WwCurveView *self, WwMap map)
{
  g_return_if_fail (WW_IS_CURVE_VIEW (self));
  g_return_if_fail (map < WW_N_MAPS);

  g_object_set (self, "hidden", self->hidden ^ (1u << map), NULL);
}

static gboolean
on_key_pressed (WwCurveView *self, guint keyval, guint keycode, GdkModifierType state)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return GDK_EVENT_PROPAGATE;

  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      ww_curve_view_move_crosshair (self, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      ww_curve_view_move_crosshair (self, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Home:
      ww_curve_view_move_crosshair (self, -G_MAXINT);
      return GDK_EVENT_STOP;
    case GDK_KEY_End:
      ww_curve_view_move_crosshair (self, G_MAXINT);
      return GDK_EVENT_STOP;
    case GDK_KEY_1:
    case GDK_KEY_2:
    case GDK_KEY_3:
    case GDK_KEY_4:
      ww_curve_view_toggle_map (self, (WwMap) (keyval - GDK_KEY_1));
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
      if (!self->crosshair)
        return GDK_EVENT_PROPAGATE;
      ww_curve_view_clear_crosshair (self);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* ---- The object ---- */

void
ww_curve_view_set_curve (WwCurveView *self, WwCurve *curve)
{
  g_return_if_fail (WW_IS_CURVE_VIEW (self));

  if (curve != NULL)
    ww_curve_ref (curve);
  g_clear_pointer (&self->curve, ww_curve_unref);
  self->curve = curve;
  ww_provenance_clear (&self->provenance);
  if (curve != NULL)
    ww_app_provenance_of_curve (curve, &self->provenance);
  else
    ww_provenance_init (&self->provenance);
  summarise (self);
  if (self->crosshair && !g_array_binary_search (self->lengths, &self->crosshair_n,
                                                 compare_lengths, NULL))
    self->crosshair = FALSE;
  update_words (self);
  ww_figure_view_invalidate (WW_FIGURE_VIEW (self));
}

WwCurve *
ww_curve_view_get_curve (WwCurveView *self)
{
  g_return_val_if_fail (WW_IS_CURVE_VIEW (self), NULL);

  return self->curve;
}

const char *
ww_curve_view_get_readout (WwCurveView *self)
{
  g_return_val_if_fail (WW_IS_CURVE_VIEW (self), NULL);

  return self->readout;
}

static void
ww_curve_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WwCurveView *self = WW_CURVE_VIEW (object);

  switch (id)
    {
    case PROP_X_LOG:
      g_value_set_boolean (value, self->x_log);
      break;
    case PROP_Y_LOG:
      g_value_set_boolean (value, self->y_log);
      break;
    case PROP_HIDDEN:
      g_value_set_uint (value, self->hidden);
      break;
    case PROP_LAWS:
      g_value_set_uint (value, self->laws);
      break;
    case PROP_READOUT:
      g_value_set_string (value, self->readout);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ww_curve_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WwCurveView *self = WW_CURVE_VIEW (object);

  switch (id)
    {
    case PROP_X_LOG:
      self->x_log = g_value_get_boolean (value);
      break;
    case PROP_Y_LOG:
      self->y_log = g_value_get_boolean (value);
      break;
    case PROP_HIDDEN:
      self->hidden = g_value_get_uint (value);
      break;
    case PROP_LAWS:
      self->laws = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
  update_words (self);
  ww_figure_view_invalidate (WW_FIGURE_VIEW (self));
}

static void
ww_curve_view_finalize (GObject *object)
{
  WwCurveView *self = WW_CURVE_VIEW (object);

  for (guint m = 0; m < WW_N_MAPS; m++)
    g_clear_pointer (&self->summaries[m], g_array_unref);
  g_clear_pointer (&self->lengths, g_array_unref);
  g_clear_pointer (&self->curve, ww_curve_unref);
  g_clear_pointer (&self->readout, g_free);
  ww_provenance_clear (&self->provenance);
  G_OBJECT_CLASS (ww_curve_view_parent_class)->finalize (object);
}

static void
ww_curve_view_class_init (WwCurveViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ww_curve_view_get_property;
  object_class->set_property = ww_curve_view_set_property;
  object_class->finalize = ww_curve_view_finalize;
  WW_FIGURE_VIEW_CLASS (klass)->layout = ww_curve_view_layout;
  WW_FIGURE_VIEW_CLASS (klass)->overlay = ww_curve_view_overlay;

  properties[PROP_X_LOG] = g_param_spec_boolean ("x-log", NULL, NULL, FALSE,
                                                 G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_Y_LOG] = g_param_spec_boolean ("y-log", NULL, NULL, FALSE,
                                                 G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_HIDDEN]
    = g_param_spec_uint ("hidden", NULL, NULL, 0, WW_ALL_MAP_BITS, 0,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_LAWS] = g_param_spec_uint ("laws", NULL, NULL, 0, WW_ALL_LAW_BITS, 0,
                                             G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_READOUT] = g_param_spec_string ("readout", NULL, NULL, NULL,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_curve_view_init (WwCurveView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  ww_provenance_init (&self->provenance);
  ww_figure_view_set_sizes (WW_FIGURE_VIEW (self), 260, 150, 720, 480);

  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  update_words (self);
}

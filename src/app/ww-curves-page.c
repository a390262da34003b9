#include "ww-curves-page.h"

#include <glib/gi18n.h>

#include "ww-combo.h"
#include "ww-compat.h"
#include "ww-shown-maps.h"
#include "ww-source-panel.h"
#include "ww-state-words.h"
#include "ww-swatch.h"
#include "ww-sweep-panel.h"
#include "ww-wrap-layout.h"

#define SIDEBAR_WIDTH 340

struct _WwCurvesPage
{
  GtkWidget parent_instance;

  GtkRevealer *sidebar;
  GtkWidget *sidebar_scroller;
  WwSourcePanel *source_panel;
  WwSweepPanel *sweep_panel;
  GtkStack *stack;
  AdwStatusPage *status;
  GtkWidget *status_open, *status_sample, *status_rows;
  GtkToggleButton *map_rf, *map_relu, *map_softmax, *map_drf, *x_log, *y_log;
  GtkCheckButton *law_infinite, *law_edge, *law_finite, *law_weights;
  WwCurveView *view;
  GtkLabel *readout, *state_label;
  GtkImage *state_icon;
  GtkWidget *progress, *cancel_button, *restart_button;

  WwSession *session;
  char *state_words;
};

G_DEFINE_FINAL_TYPE (WwCurvesPage, ww_curves_page, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_X_LOG,
  PROP_Y_LOG,
  PROP_HIDDEN,
  PROP_SIDEBAR,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

static GtkToggleButton *
get_map_button (WwCurvesPage *self, WwMap map)
{
  switch (map)
    {
    case WW_MAP_RF:
      return self->map_rf;
    case WW_MAP_RELU_RAF:
      return self->map_relu;
    case WW_MAP_DRF:
      return self->map_drf;
    case WW_MAP_SOFTMAX_RAF:
    default:
      return self->map_softmax;
    }
}

/* ---- States ---- */

/* The page's state: that of the set while it has none to measure with, else that of the curve. */
static WwState
get_state (WwCurvesPage *self, const char **ret_message)
{
  WwState set_state = ww_session_get_set_state (self->session);
  WwState state = ww_session_get_curve_state (self->session);

  *ret_message = ww_session_get_curve_message (self->session);
  if (ww_session_get_set (self->session) == NULL && state == WW_STATE_EMPTY
      && (set_state == WW_STATE_LOADING || set_state == WW_STATE_FAILED))
    {
      state = set_state;
      *ret_message = ww_session_get_set_message (self->session);
    }
  return state;
}

/* Bounds of the points that are there; what is undefined has none. */
static gsize
count_bounds (const WwCurve *curve, gsize *ret_expected)
{
  guint maps = curve != NULL ? ww_inputs_get_bounded_maps (curve->inputs) : 0;
  gsize n = 0;

  *ret_expected = 0;
  for (guint map = 0; map < WW_N_MAPS; map++)
    if ((maps & WW_MAP_BIT (map)) != 0)
      {
        gsize expected;

        n += ww_curve_count_bounded (curve->points, curve->n_points, (WwMap) map, &expected);
        *ret_expected += expected;
      }

  return n;
}

/* Bounds come when all points are there. NULL: none are asked for, or it is not their turn. */
static char *
describe_bounds (const WwCurve *curve)
{
  gsize expected, n = count_bounds (curve, &expected);

  if (expected == 0 || curve->n_points < curve->n_expected)
    return NULL;
  return g_strdup_printf (ngettext ("Working: %zu of %zu bound", "Working: %zu of %zu bounds", expected),
                          n, expected);
}

/* A bound that was asked for and is missing is said to be: no line for it may be drawn. */
static char *
describe_stopped (const WwCurve *curve)
{
  gsize n = curve != NULL ? curve->n_points : 0;
  gsize expected = curve != NULL ? curve->n_expected : 0;
  gsize n_bounded, n_bounds = count_bounds (curve, &n_bounded);

  if (n_bounds == n_bounded)
    return g_strdup_printf (
      ngettext ("Stopped: %zu of %zu point kept", "Stopped: %zu of %zu points kept", expected), n, expected);
  if (n < expected && n_bounds == 0)
    return g_strdup_printf (ngettext ("Stopped: %zu of %zu point kept, no upper bounds yet",
                                      "Stopped: %zu of %zu points kept, no upper bounds yet", expected),
                            n, expected);
  return g_strdup_printf (ngettext ("Stopped: %zu of %zu upper bound known",
                                    "Stopped: %zu of %zu upper bounds known", n_bounded),
                          n_bounds, n_bounded);
}

static char *
describe_state (WwCurvesPage *self, WwState state, const char *message)
{
  WwCurve *curve = ww_session_get_curve (self->session);
  gsize n = curve != NULL ? curve->n_points : 0;
  gsize expected = curve != NULL ? curve->n_expected : 0;
  char *bounds;

  switch (state)
    {
    case WW_STATE_WORKING:
      bounds = describe_bounds (curve);
      if (bounds != NULL)
        return bounds;
      return g_strdup_printf (
        ngettext ("Working: %zu of %zu point", "Working: %zu of %zu points", expected), n, expected);
    case WW_STATE_DONE:
      return g_strdup_printf (ngettext ("Done: %zu point", "Done: %zu points", n), n);
    case WW_STATE_CANCELLED:
      return describe_stopped (curve);
    default:
      return ww_state_describe (state, message);
    }
}

static void
show_status_page (WwCurvesPage *self, WwState state, const char *message)
{
  g_autofree char *escaped = message != NULL ? g_markup_escape_text (message, -1) : NULL;
  gboolean offer = state == WW_STATE_EMPTY || state == WW_STATE_FAILED;
  WwSet *set = ww_session_get_set (self->session);

  adw_status_page_set_icon_name (self->status, ww_state_get_icon_name (state));
  adw_status_page_set_title (self->status, ww_state_get_name (state));
  adw_status_page_set_description (self->status, escaped);
  gtk_widget_set_visible (self->status_open, offer);
  gtk_widget_set_visible (self->status_sample, offer);
  gtk_widget_set_visible (self->status_rows, offer && set != NULL && ww_set_goes_by_numbers (set));
}

static void
update_state (WwCurvesPage *self)
{
  WwCurve *curve = ww_session_get_curve (self->session);
  const char *message;
  WwState state = get_state (self, &message);
  /* What was measured stays on screen, whatever went wrong afterwards. */
  gboolean figure = (curve != NULL && curve->n_points > 0) || state == WW_STATE_WORKING
                    || state == WW_STATE_DONE || state == WW_STATE_CANCELLED;

  g_free (self->state_words);
  self->state_words = describe_state (self, state, message);
  gtk_label_set_text (self->state_label, self->state_words);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->state_label), message);
  gtk_image_set_from_icon_name (self->state_icon, ww_state_get_icon_name (state));
  if (state == WW_STATE_FAILED || state == WW_STATE_EMPTY)
    gtk_widget_add_css_class (GTK_WIDGET (self->state_label), "warning");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->state_label), "warning");

  gtk_widget_set_visible (self->progress, state == WW_STATE_WORKING);
  gtk_widget_set_visible (self->cancel_button, state == WW_STATE_WORKING);
  show_status_page (self, state, message);
  gtk_stack_set_visible_child_name (self->stack, figure ? "figure" : "status");
}

static void
on_curve_changed (WwCurvesPage *self)
{
  ww_curve_view_set_curve (self->view, ww_session_get_curve (self->session));
  update_state (self);
}

const char *
ww_curves_page_get_state_words (WwCurvesPage *self)
{
  g_return_val_if_fail (WW_IS_CURVES_PAGE (self), NULL);

  return self->state_words;
}

gboolean
ww_curves_page_shows_figure (WwCurvesPage *self)
{
  g_return_val_if_fail (WW_IS_CURVES_PAGE (self), FALSE);

  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "figure") == 0;
}

/* ---- Which maps are shown ---- */

/* A map whose button is down is measured and shown. The three of the main figure go on being measured
 * while they are hidden; DRF, which takes its time, does not. */
static void
on_map_toggled (WwCurvesPage *self)
{
  guint hidden = 0, maps = WW_ALL_MAP_BITS;

  if (self->session == NULL)
    return;
  /* Both before either is set: each change makes the buttons follow. */
  for (guint m = 0; m < WW_N_MAPS; m++)
    if (!gtk_toggle_button_get_active (get_map_button (self, (WwMap) m)))
      *(m == WW_MAP_DRF ? &maps : &hidden) ^= WW_MAP_BIT (m);
  g_object_set (self->session, "maps", maps, NULL);
  g_object_set (self->view, "hidden", hidden, NULL);
}

static void
update_map_buttons (WwCurvesPage *self)
{
  guint maps = self->session != NULL ? ww_session_get_inputs (self->session)->maps : 0, hidden;

  g_object_get (self->view, "hidden", &hidden, NULL);
  for (guint m = 0; m < WW_N_MAPS; m++)
    {
      GtkToggleButton *button = get_map_button (self, (WwMap) m);

      g_signal_handlers_block_by_func (button, on_map_toggled, self);
      gtk_toggle_button_set_active (button, (maps & ~hidden & WW_MAP_BIT (m)) != 0);
      g_signal_handlers_unblock_by_func (button, on_map_toggled, self);
    }
}

static void
on_hidden_changed (WwCurvesPage *self)
{
  update_map_buttons (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HIDDEN]);
}

/* ---- Which laws are shown ---- */

static GtkCheckButton *
get_law_button (WwCurvesPage *self, WwLaw law)
{
  GtkCheckButton *buttons[WW_N_LAWS] = {
    [WW_LAW_INFINITE] = self->law_infinite,
    [WW_LAW_EDGE] = self->law_edge,
    [WW_LAW_FINITE] = self->law_finite,
    [WW_LAW_WEIGHTS] = self->law_weights,
  };

  return buttons[law];
}

static void
on_law_toggled (WwCurvesPage *self)
{
  guint laws = 0;

  for (guint law = 0; law < WW_N_LAWS; law++)
    if (gtk_check_button_get_active (get_law_button (self, (WwLaw) law)))
      laws |= WW_LAW_BIT (law);
  if (self->session != NULL)
    g_object_set (self->session, "laws", laws, NULL);
}

static void
update_laws (WwCurvesPage *self)
{
  guint laws = ww_session_get_inputs (self->session)->laws;

  for (guint law = 0; law < WW_N_LAWS; law++)
    {
      GtkCheckButton *button = get_law_button (self, (WwLaw) law);

      g_signal_handlers_block_by_func (button, on_law_toggled, self);
      gtk_check_button_set_active (button, (laws & WW_LAW_BIT (law)) != 0);
      g_signal_handlers_unblock_by_func (button, on_law_toggled, self);
    }
  g_object_set (self->view, "laws", laws, NULL);
}

/* ---- The object ---- */

void
ww_curves_page_set_session (WwCurvesPage *self, WwSession *session)
{
  static const char *const states[] = { "notify::set",           "notify::set-state",
                                        "notify::set-message",   "notify::curve-state",
                                        "notify::curve-message" };

  g_return_if_fail (WW_IS_CURVES_PAGE (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  ww_source_panel_set_session (self->source_panel, session);
  ww_sweep_panel_set_session (self->sweep_panel, session);
  g_signal_connect_object (session, "notify::curve", G_CALLBACK (on_curve_changed), self,
                           G_CONNECT_SWAPPED);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    g_signal_connect_object (session, states[i], G_CALLBACK (update_state), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::maps", G_CALLBACK (update_map_buttons), self,
                           G_CONNECT_SWAPPED);
  update_map_buttons (self);
  g_signal_connect_object (session, "notify::laws", G_CALLBACK (update_laws), self, G_CONNECT_SWAPPED);
  update_laws (self);
  g_object_bind_property (session, "curve-progress", self->progress, "fraction",
                          G_BINDING_SYNC_CREATE);
  on_curve_changed (self);
}

WwCurveView *
ww_curves_page_get_view (WwCurvesPage *self)
{
  g_return_val_if_fail (WW_IS_CURVES_PAGE (self), NULL);

  return self->view;
}

void
ww_curves_page_focus_text (WwCurvesPage *self)
{
  g_return_if_fail (WW_IS_CURVES_PAGE (self));

  gtk_revealer_set_reveal_child (self->sidebar, TRUE);
  ww_source_panel_focus_text (self->source_panel);
}

static void
ww_curves_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WwCurvesPage *self = WW_CURVES_PAGE (object);

  switch (id)
    {
    case PROP_X_LOG:
      g_value_set_boolean (value, gtk_toggle_button_get_active (self->x_log));
      break;
    case PROP_Y_LOG:
      g_value_set_boolean (value, gtk_toggle_button_get_active (self->y_log));
      break;
    case PROP_HIDDEN:
      g_object_get_property (G_OBJECT (self->view), "hidden", value);
      break;
    case PROP_SIDEBAR:
      g_value_set_boolean (value, gtk_revealer_get_reveal_child (self->sidebar));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ww_curves_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WwCurvesPage *self = WW_CURVES_PAGE (object);

  switch (id)
    {
    case PROP_X_LOG:
      gtk_toggle_button_set_active (self->x_log, g_value_get_boolean (value));
      break;
    case PROP_Y_LOG:
      gtk_toggle_button_set_active (self->y_log, g_value_get_boolean (value));
      break;
    case PROP_HIDDEN:
      g_object_set_property (G_OBJECT (self->view), "hidden", value);
      break;
    case PROP_SIDEBAR:
      gtk_revealer_set_reveal_child (self->sidebar, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
ww_curves_page_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ww_curves_page_parent_class)->realize (widget);
  ww_widget_scale_width_request (WW_CURVES_PAGE (widget)->sidebar_scroller, SIDEBAR_WIDTH);
}

static void
ww_curves_page_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (ww_curves_page_parent_class)->system_setting_changed (widget, setting);
  ww_widget_scale_width_request (WW_CURVES_PAGE (widget)->sidebar_scroller, SIDEBAR_WIDTH);
}

static void
ww_curves_page_dispose (GObject *object)
{
  WwCurvesPage *self = WW_CURVES_PAGE (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->session);
  g_clear_pointer (&self->state_words, g_free);
  G_OBJECT_CLASS (ww_curves_page_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, sidebar);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, sidebar_scroller);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, source_panel);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, sweep_panel);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, stack);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, status);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, status_open);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, status_sample);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, status_rows);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, map_rf);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, map_relu);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, map_softmax);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, map_drf);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, law_infinite);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, law_edge);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, law_finite);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, law_weights);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, x_log);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, y_log);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, view);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, readout);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, state_label);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, state_icon);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, progress);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, cancel_button);
  gtk_widget_class_bind_template_child (widget_class, WwCurvesPage, restart_button);
}

static void
ww_curves_page_class_init (WwCurvesPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = ww_curves_page_get_property;
  object_class->set_property = ww_curves_page_set_property;
  object_class->dispose = ww_curves_page_dispose;
  widget_class->realize = ww_curves_page_realize;
  widget_class->system_setting_changed = ww_curves_page_system_setting_changed;
  g_type_ensure (WW_TYPE_CURVE_VIEW);
  g_type_ensure (WW_TYPE_SOURCE_PANEL);
  g_type_ensure (WW_TYPE_SWATCH);
  g_type_ensure (WW_TYPE_SWEEP_PANEL);
  g_type_ensure (WW_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-curves-page.ui");
  bind_children (widget_class);

  properties[PROP_X_LOG] = g_param_spec_boolean ("x-log", NULL, NULL, FALSE, flags);
  properties[PROP_Y_LOG] = g_param_spec_boolean ("y-log", NULL, NULL, FALSE, flags);
  properties[PROP_HIDDEN]
    = g_param_spec_uint ("hidden", NULL, NULL, 0, WW_ALL_MAP_BITS, 0, flags);
  properties[PROP_SIDEBAR] = g_param_spec_boolean ("sidebar", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
notify_x_log (WwCurvesPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_X_LOG]);
}

static void
notify_y_log (WwCurvesPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_Y_LOG]);
}

static void
ww_curves_page_init (WwCurvesPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ww_compat_spare_from_wheel (GTK_WIDGET (self));
  ww_combo_keep_values (GTK_WIDGET (self));
  g_object_bind_property (self->view, "readout", self->readout, "label", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->x_log, "active", self->view, "x-log", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->y_log, "active", self->view, "y-log", G_BINDING_SYNC_CREATE);
  g_signal_connect_swapped (self->x_log, "notify::active", G_CALLBACK (notify_x_log), self);
  g_signal_connect_swapped (self->y_log, "notify::active", G_CALLBACK (notify_y_log), self);
  g_signal_connect_swapped (self->view, "notify::hidden", G_CALLBACK (on_hidden_changed), self);
  for (guint m = 0; m < WW_N_MAPS; m++)
    g_signal_connect_swapped (get_map_button (self, (WwMap) m), "toggled",
                              G_CALLBACK (on_map_toggled), self);
  for (guint law = 0; law < WW_N_LAWS; law++)
    g_signal_connect_swapped (get_law_button (self, (WwLaw) law), "toggled",
                              G_CALLBACK (on_law_toggled), self);
}

#include "ww-perturb-page.h"

#include <glib/gi18n.h>
#include <math.h>

#include "ww-bars-view.h"
#include "ww-colour-bar.h"
#include "ww-combo.h"
#include "ww-compat.h"
#include "ww-head-row.h"
#include "ww-nudge-slider.h"
#include "ww-readout.h"
#include "ww-seed-entry.h"
#include "ww-shown-maps.h"
#include "ww-state-words.h"
#include "ww-swap-panel.h"
#include "ww-swatch.h"
#include "ww-text-words.h"
#include "ww-token-strip.h"
#include "ww-wrap-layout.h"

#define SIDEBAR_WIDTH 340
/* Every tick of the slider passes through "working": only what lasts is worth a spinner. */
#define PATIENCE_MS 300

struct _WwPerturbPage
{
  GtkWidget parent_instance;

  GtkRevealer *sidebar;
  GtkWidget *sidebar_scroller;
  GtkStack *stack, *nudge_stack;
  AdwStatusPage *status, *nudge_status;
  GtkWidget *status_edit, *status_rows;
  WwReadout *readout_softmax, *readout_relu, *readout_rf;
  WwNudgeSlider *slider;
  GtkLabel *token_label, *colour_label, *colour_min, *colour_max, *state_label;
  GtkWidget *colour_bar;
  GtkSpinner *spinner;
  AdwComboRow *direction_row, *colour_row;
  AdwActionRow *n_row;
  GtkSpinButton *n_spin;
  GtkEntry *seed_entry;
  GtkScrolledWindow *strip_scroller;
  WwTokenStrip *strip;
  GtkToggleButton *view_before, *view_after, *view_difference, *view_all;
  WwHeatmapGrid *grid;
  WwSwapPanel *swap_panel;
  WwHeadRow *head_row;
  WwBarsView *bars;

  WwSession *session;
  WwShownNudge *shown;
  guint view;
  guint patience_source;
};

G_DEFINE_FINAL_TYPE (WwPerturbPage, ww_perturb_page, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_VIEW,
  PROP_SIDEBAR,
  N_PROPS
};
static GParamSpec *properties[N_PROPS];

/* ---- Heatmaps ---- */

static void
set_view (WwPerturbPage *self, guint view)
{
  GtkToggleButton *buttons[]
    = { self->view_before, self->view_after, self->view_difference, self->view_all };

  if (view == self->view)
    return;
  self->view = view;
  gtk_toggle_button_set_active (buttons[view], TRUE);
  ww_heatmap_grid_set_view (self->grid, view);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW]);
}

static void
on_view_toggled (WwPerturbPage *self, GtkToggleButton *button)
{
  if (!gtk_toggle_button_get_active (button))
    return;
  set_view (self, button == self->view_before       ? WW_NUDGE_VIEW_BEFORE
                  : button == self->view_after      ? WW_NUDGE_VIEW_AFTER
                  : button == self->view_difference ? WW_NUDGE_VIEW_DIFFERENCE
                                                    : WW_PERTURB_VIEW_ALL);
}

/* ---- The nudge ---- */

static void
update_readouts (WwPerturbPage *self)
{
  WwReadout *readouts[WW_N_SHOWN_MAPS]
    = { self->readout_rf, self->readout_relu, self->readout_softmax };
  const WwNudge *nudge = self->shown != NULL ? ww_shown_nudge_get_nudge (self->shown) : NULL;

  for (guint m = 0; m < WW_N_SHOWN_MAPS; m++)
    ww_readout_set_values (readouts[m], nudge != NULL, nudge != NULL ? nudge->change[m] : NAN,
                           ww_session_get_found_ws (self->session, (WwMap) m),
                           ww_session_get_bound_ws (self->session, (WwMap) m));
}

static void
update_token_label (WwPerturbPage *self)
{
  WwTokens *tokens = ww_session_get_perturb_tokens (self->session);
  guint token = ww_token_strip_get_token (self->strip);
  g_autofree char *words = NULL;

  if (tokens != NULL && token < tokens->n)
    /* Translators: the number of a token, how many there are, the token itself. */
    words = g_strdup_printf (_ ("Token %u of %zu: “%s”"), token + 1, tokens->n,
                             tokens->tokens[token].display);
  gtk_label_set_text (self->token_label, words != NULL ? words : "");
}

static void
on_nudge_changed (WwPerturbPage *self)
{
  g_clear_pointer (&self->shown, ww_shown_nudge_unref);
  self->shown = ww_shown_nudge_new (self->session);
  ww_heatmap_grid_set_shown (self->grid, self->shown);
  ww_bars_view_set_shown (self->bars, self->shown);
  ww_nudge_slider_set_shown (self->slider, self->shown);
  update_readouts (self);
}

/* ---- States ---- */

static void
update_facts (WwPerturbPage *self)
{
  const WwNudge *nudge = self->shown != NULL ? ww_shown_nudge_get_nudge (self->shown) : NULL;
  WwState state = ww_session_get_part_state (self->session, WW_PART_NUDGE);
  const char *message = ww_session_get_part_message (self->session, WW_PART_NUDGE);
  gboolean refining = FALSE;
  g_autofree char *words = NULL;

  g_object_get (self->session, "direction-refining", &refining, NULL);
  if (state == WW_STATE_FAILED)
    words = ww_state_describe (state, message);
  else if (nudge == NULL)
    words = g_strdup (ww_state_get_name (state));
  else if (refining)
    words = g_strdup_printf (_ ("n = %zu, d = %zu, ‖δ‖ = %.2f, searching on"), nudge->n, nudge->d,
                             nudge->delta_norm);
  else
    words = g_strdup_printf (_ ("n = %zu, d = %zu, ‖δ‖ = %.2f"), nudge->n, nudge->d,
                             nudge->delta_norm);
  gtk_label_set_text (self->state_label, words);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->state_label), words);
}

static gboolean
on_patience_over (gpointer user_data)
{
  WwPerturbPage *self = user_data;

  self->patience_source = 0;
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), TRUE);
  gtk_spinner_start (self->spinner);
  return G_SOURCE_REMOVE;
}

static void
update_spinner (WwPerturbPage *self, gboolean working)
{
  if (working && self->patience_source == 0
      && !gtk_widget_get_visible (GTK_WIDGET (self->spinner)))
    self->patience_source = g_timeout_add (PATIENCE_MS, on_patience_over, self);
  if (working)
    return;
  g_clear_handle_id (&self->patience_source, g_source_remove);
  if (gtk_widget_get_visible (GTK_WIDGET (self->spinner)))
    {
      gtk_spinner_stop (self->spinner);
      gtk_widget_set_visible (GTK_WIDGET (self->spinner), FALSE);
    }
}

static void
show_status (AdwStatusPage *page, WwState state, const char *message)
{
  g_autofree char *escaped = message != NULL ? g_markup_escape_text (message, -1) : NULL;

  adw_status_page_set_icon_name (page, ww_state_get_icon_name (state));
  adw_status_page_set_title (page, ww_state_get_name (state));
  adw_status_page_set_description (page, escaped);
}

/* Without a text there is nothing at all; without a nudge only its figures are missing. */
static void
update_state (WwPerturbPage *self)
{
  WwState state = ww_session_get_part_state (self->session, WW_PART_NUDGE);
  const char *message = ww_session_get_part_message (self->session, WW_PART_NUDGE);
  WwTokens *tokens = ww_session_get_perturb_tokens (self->session);
  WwSet *set = ww_session_get_set (self->session);
  WwState set_state = ww_session_get_set_state (self->session);
  gboolean offer, text = tokens != NULL && tokens->n >= 2;
  gboolean nudge = self->shown != NULL || (state != WW_STATE_EMPTY && state != WW_STATE_FAILED);

  show_status (self->nudge_status, state, message);
  gtk_stack_set_visible_child_name (self->nudge_stack, nudge ? "figures" : "status");
  update_spinner (self, state == WW_STATE_WORKING || state == WW_STATE_LOADING);
  update_facts (self);

  if (set == NULL
      && (set_state == WW_STATE_LOADING || set_state == WW_STATE_FAILED))
    {
      state = set_state;
      message = ww_session_get_set_message (self->session);
    }
  show_status (self->status, state, message);
  offer = state == WW_STATE_EMPTY || state == WW_STATE_FAILED;
  gtk_widget_set_visible (self->status_edit, offer);
  gtk_widget_set_visible (self->status_rows, offer && set != NULL && ww_set_goes_by_numbers (set));
  gtk_stack_set_visible_child_name (self->stack, text ? "figure" : "status");
}

gboolean
ww_perturb_page_shows_figure (WwPerturbPage *self)
{
  g_return_val_if_fail (WW_IS_PERTURB_PAGE (self), FALSE);

  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "figure") == 0
         && g_strcmp0 (gtk_stack_get_visible_child_name (self->nudge_stack), "figures") == 0;
}

/* ---- Tokens and their colours ---- */

static void
update_visible_tokens (WwPerturbPage *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->strip_scroller);
  double top = gtk_adjustment_get_value (adjustment);
  gsize first, last;

  ww_token_strip_set_viewport (self->strip, top, top + gtk_adjustment_get_page_size (adjustment));
  if (self->session != NULL
      && ww_token_strip_get_visible (self->strip, top,
                                     top + gtk_adjustment_get_page_size (adjustment), &first,
                                     &last))
    ww_session_set_visible_tokens (self->session, first, last);
}

static void
update_colour_legend (WwPerturbPage *self)
{
  WwSensitivity *sensitivity = ww_session_get_sensitivity (self->session);
  double min, max;
  gboolean known = sensitivity != NULL && ww_token_strip_get_range (self->strip, &min, &max);
  gboolean failed
    = ww_session_get_part_state (self->session, WW_PART_STRIP) == WW_STATE_FAILED;
  g_autofree char *words = NULL, *low = NULL, *high = NULL;

  if (failed)
    gtk_widget_add_css_class (GTK_WIDGET (self->colour_label), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->colour_label), "error");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->colour_label),
                               failed ? ww_session_get_part_message (self->session, WW_PART_STRIP)
                                      : NULL);
  gtk_widget_set_visible (self->colour_bar, known);
  gtk_widget_set_visible (GTK_WIDGET (self->colour_min), known);
  gtk_widget_set_visible (GTK_WIDGET (self->colour_max), known);
  if (failed)
    {
      gtk_label_set_text (self->colour_label,
                          ww_session_get_part_message (self->session, WW_PART_STRIP));
      return;
    }
  if (!known)
    {
      gtk_label_set_text (self->colour_label, _ ("Sensitivity per token: not computed yet"));
      return;
    }
  if (sensitivity->n_known < sensitivity->n)
    words = g_strdup_printf (_ ("Word sensitivity, %s (%zu of %zu tokens)"),
                             ww_map_get_name (sensitivity->map), sensitivity->n_known,
                             sensitivity->n);
  else
    words = g_strdup_printf (_ ("Word sensitivity, %s"), ww_map_get_name (sensitivity->map));
  low = g_strdup_printf ("%.3f", min);
  high = g_strdup_printf ("%.3f", max);
  gtk_label_set_text (self->colour_label, words);
  gtk_label_set_text (self->colour_min, low);
  gtk_label_set_text (self->colour_max, high);
}

static void
on_sensitivity_changed (WwPerturbPage *self)
{
  ww_token_strip_set_sensitivity (self->strip, ww_session_get_sensitivity (self->session));
  update_colour_legend (self);
  update_readouts (self);
}

static void
on_tokens_changed (WwPerturbPage *self)
{
  WwTokens *tokens = ww_session_get_perturb_tokens (self->session);

  ww_token_strip_set_tokens_among (self->strip, tokens, ww_session_get_tokens (self->session));
  adw_action_row_set_subtitle (self->n_row, _ ("The first n of the text"));
  if (tokens != NULL && tokens->n < gtk_spin_button_get_value (self->n_spin))
    {
      g_autofree char *words
        = ww_text_dup_rows_words (ww_session_get_inputs (self->session), tokens->n);

      adw_action_row_set_subtitle (self->n_row, words);
    }
  update_token_label (self);
  update_state (self);
}

static void
on_bar_activated (WwPerturbPage *self, guint token)
{
  ww_token_strip_set_token (self->strip, token);
}

/* ---- Controls ---- */

static void
on_direction_selected (WwPerturbPage *self)
{
  guint selected = adw_combo_row_get_selected (self->direction_row);

  if (self->session == NULL || selected > WW_N_SHOWN_MAPS + 1)
    return;
  if (selected == WW_N_SHOWN_MAPS + 1)
    {
      g_object_set (self->session, "direction", WW_DIRECTION_TOWARD, NULL);
      ww_swap_panel_focus_word (self->swap_panel);
    }
  else if (selected == WW_N_SHOWN_MAPS)
    g_object_set (self->session, "direction", WW_DIRECTION_RANDOM, NULL);
  else
    g_object_set (self->session, "direction-map", WW_N_SHOWN_MAPS - 1 - selected, "direction",
                  WW_DIRECTION_WORST, NULL);
}

static void
on_direction_changed (WwPerturbPage *self)
{
  const WwInputs *inputs = ww_session_get_inputs (self->session);

  g_signal_handlers_block_by_func (self->direction_row, on_direction_selected, self);
  adw_combo_row_set_selected (
    self->direction_row, inputs->direction == WW_DIRECTION_TOWARD   ? WW_N_SHOWN_MAPS + 1
                         : inputs->direction == WW_DIRECTION_RANDOM ? WW_N_SHOWN_MAPS
                                                                    : WW_N_SHOWN_MAPS - 1
                                                                        - inputs->direction_map);
  g_signal_handlers_unblock_by_func (self->direction_row, on_direction_selected, self);
  update_readouts (self);
}

/* The lists name softmax-RAF first, WwMap has it last. */
static gboolean
mirror_map (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  guint map = g_value_get_uint (from);

  if (map >= WW_N_SHOWN_MAPS)
    return FALSE;
  g_value_set_uint (to, WW_N_SHOWN_MAPS - 1 - map);
  return TRUE;
}

/* ---- The object ---- */

static void
tie (WwPerturbPage *self, const char *property, gpointer widget, const char *widget_property)
{
  g_object_bind_property (self->session, property, widget, widget_property,
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

static void
watch (WwPerturbPage *self, const char *signal, GCallback callback)
{
  g_signal_connect_object (self->session, signal, callback, self, G_CONNECT_SWAPPED);
}

void
ww_perturb_page_set_session (WwPerturbPage *self, WwSession *session)
{
  g_return_if_fail (WW_IS_PERTURB_PAGE (self));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  ww_swap_panel_set_session (self->swap_panel, session);
  ww_nudge_slider_set_session (self->slider, session);
  ww_head_row_set_session (self->head_row, session);
  tie (self, "perturb-n", self->n_spin, "value");
  ww_seed_entry_bind (self->seed_entry, session);
  tie (self, "token", self->strip, "token");
  g_object_bind_property_full (session, "sensitivity-map", self->colour_row, "selected",
                               G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, mirror_map,
                               mirror_map, NULL, NULL);
  watch (self, "notify::nudge", G_CALLBACK (on_nudge_changed));
  watch (self, "notify::nudge-state", G_CALLBACK (update_state));
  watch (self, "notify::nudge-message", G_CALLBACK (update_state));
  watch (self, "notify::nudge", G_CALLBACK (update_state));
  watch (self, "notify::set-state", G_CALLBACK (update_state));
  watch (self, "notify::direction-refining", G_CALLBACK (update_facts));
  watch (self, "notify::found-ws", G_CALLBACK (update_readouts));
  watch (self, "notify::perturb-tokens", G_CALLBACK (on_tokens_changed));
  watch (self, "notify::sensitivity", G_CALLBACK (on_sensitivity_changed));
  watch (self, "notify::strip-state", G_CALLBACK (update_colour_legend));
  watch (self, "notify::direction", G_CALLBACK (on_direction_changed));
  watch (self, "notify::direction-map", G_CALLBACK (on_direction_changed));
  on_direction_changed (self);
  on_nudge_changed (self);
  on_tokens_changed (self);
  on_sensitivity_changed (self);
}

WwShownNudge *
ww_perturb_page_get_shown (WwPerturbPage *self)
{
  g_return_val_if_fail (WW_IS_PERTURB_PAGE (self), NULL);

  return self->shown;
}

GtkAdjustment *
ww_perturb_page_get_length_adjustment (WwPerturbPage *self)
{
  g_return_val_if_fail (WW_IS_PERTURB_PAGE (self), NULL);

  return ww_nudge_slider_get_adjustment (self->slider);
}

WwHeatmapView *
ww_perturb_page_get_heatmap (WwPerturbPage *self, WwMap map, WwNudgeView view)
{
  g_return_val_if_fail (WW_IS_PERTURB_PAGE (self), NULL);

  return ww_heatmap_grid_get_heatmap (self->grid, map, view);
}

static void
ww_perturb_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WwPerturbPage *self = WW_PERTURB_PAGE (object);

  if (id == PROP_VIEW)
    g_value_set_uint (value, self->view);
  else if (id == PROP_SIDEBAR)
    g_value_set_boolean (value, gtk_revealer_get_reveal_child (self->sidebar));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_perturb_page_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WwPerturbPage *self = WW_PERTURB_PAGE (object);

  if (id == PROP_VIEW)
    set_view (self, g_value_get_uint (value));
  else if (id == PROP_SIDEBAR)
    gtk_revealer_set_reveal_child (self->sidebar, g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ww_perturb_page_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (ww_perturb_page_parent_class)->realize (widget);
  ww_widget_scale_width_request (WW_PERTURB_PAGE (widget)->sidebar_scroller, SIDEBAR_WIDTH);
}

static void
ww_perturb_page_system_setting_changed (GtkWidget *widget, GtkSystemSetting setting)
{
  GTK_WIDGET_CLASS (ww_perturb_page_parent_class)->system_setting_changed (widget, setting);
  ww_widget_scale_width_request (WW_PERTURB_PAGE (widget)->sidebar_scroller, SIDEBAR_WIDTH);
}

static void
ww_perturb_page_dispose (GObject *object)
{
  WwPerturbPage *self = WW_PERTURB_PAGE (object);
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (object));

  g_clear_handle_id (&self->patience_source, g_source_remove);
  if (child != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->shown, ww_shown_nudge_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ww_perturb_page_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, sidebar);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, sidebar_scroller);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, stack);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, status);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, status_edit);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, status_rows);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, readout_softmax);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, readout_relu);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, readout_rf);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, slider);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, nudge_stack);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, nudge_status);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, swap_panel);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, head_row);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, token_label);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, colour_label);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, colour_min);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, colour_max);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, colour_bar);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, state_label);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, direction_row);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, colour_row);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, n_row);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, n_spin);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, seed_entry);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, strip_scroller);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, strip);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, view_before);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, view_after);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, view_difference);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, view_all);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, grid);
  gtk_widget_class_bind_template_child (widget_class, WwPerturbPage, bars);
}

static void
ww_perturb_page_class_init (WwPerturbPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = ww_perturb_page_get_property;
  object_class->set_property = ww_perturb_page_set_property;
  object_class->dispose = ww_perturb_page_dispose;
  widget_class->realize = ww_perturb_page_realize;
  widget_class->system_setting_changed = ww_perturb_page_system_setting_changed;
  g_type_ensure (WW_TYPE_BARS_VIEW);
  g_type_ensure (WW_TYPE_COLOUR_BAR);
  g_type_ensure (WW_TYPE_READOUT);
  g_type_ensure (WW_TYPE_HEAD_ROW);
  g_type_ensure (WW_TYPE_HEATMAP_GRID);
  g_type_ensure (WW_TYPE_NUDGE_SLIDER);
  g_type_ensure (WW_TYPE_SWAP_PANEL);
  g_type_ensure (WW_TYPE_SWATCH);
  g_type_ensure (WW_TYPE_TOKEN_STRIP);
  g_type_ensure (WW_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-perturb-page.ui");
  bind_children (widget_class);

  properties[PROP_VIEW]
    = g_param_spec_uint ("view", NULL, NULL, 0, WW_PERTURB_VIEW_ALL, WW_NUDGE_VIEW_DIFFERENCE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SIDEBAR] = g_param_spec_boolean ("sidebar", NULL, NULL, TRUE,
                                                   G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ww_perturb_page_init (WwPerturbPage *self)
{
  GtkToggleButton *buttons[WW_PERTURB_VIEW_ALL + 1];
  GtkAdjustment *scrolled;

  gtk_widget_init_template (GTK_WIDGET (self));
  ww_compat_spare_from_wheel (GTK_WIDGET (self));
  ww_combo_keep_values (GTK_WIDGET (self));
  self->view = WW_NUDGE_VIEW_DIFFERENCE;
  gtk_toggle_button_set_active (self->view_difference, TRUE);

  buttons[0] = self->view_before;
  buttons[1] = self->view_after;
  buttons[2] = self->view_difference;
  buttons[3] = self->view_all;
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    g_signal_connect_swapped (buttons[i], "toggled", G_CALLBACK (on_view_toggled), self);
  g_signal_connect_swapped (self->direction_row, "notify::selected",
                            G_CALLBACK (on_direction_selected), self);
  g_signal_connect_swapped (self->strip, "notify::token", G_CALLBACK (update_token_label), self);
  g_signal_connect_swapped (self->bars, "token-activated", G_CALLBACK (on_bar_activated), self);
  scrolled = gtk_scrolled_window_get_vadjustment (self->strip_scroller);
  g_signal_connect_swapped (scrolled, "value-changed", G_CALLBACK (update_visible_tokens), self);
  g_signal_connect_swapped (scrolled, "changed", G_CALLBACK (update_visible_tokens), self);
}

/* The figures and the strip: crosshair, legend, slider, tokens, heatmaps, export. */
#include <glib/gstdio.h>
#include <math.h>

#include "app-fixture.h"
#include "ww-bars-view.h"
#include "ww-export-dialog.h"
#include "ww-heatmap-view.h"
#include "ww-readout.h"
#include "ww-token-chip.h"
#include "ww-token-strip.h"

/* ---- Curves ---- */

static void
test_crosshair (Fixture *fixture, gconstpointer data)
{
  WwCurveView *view = ww_curves_page_get_view (ww_window_get_curves_page (fixture->window));
  g_autofree char *expected = NULL, *spoken = NULL;
  g_autoptr (GArray) summaries = NULL;
  WwCurve *curve;

  fixture_finish_curve (fixture);
  curve = ww_session_get_curve (fixture->session);
  ww_curve_view_move_crosshair (view, 1);
  g_assert_true (g_str_has_prefix (ww_curve_view_get_readout (view), "n = 4 "));
  /* The exact median, not what a pixel is worth. */
  summaries = ww_curve_summarise (curve->points, curve->n_points, WW_MAP_SOFTMAX_RAF, 384);
  expected = g_strdup_printf ("softmax-RAF %.3f [",
                              g_array_index (summaries, WwCurveSummary, 0).median);
  g_assert_nonnull (strstr (ww_curve_view_get_readout (view), expected));
  /* As many decimals in the quartiles, also where they end in zeros. */
  g_assert_true (g_regex_match_simple ("softmax-RAF \\d\\.\\d{3} \\[\\d\\.\\d{3}\xe2\x80\x93\\d\\.\\d{3}\\]",
                                       ww_curve_view_get_readout (view), 0, 0));
  ww_curve_view_move_crosshair (view, G_MAXINT);
  g_assert_true (g_str_has_prefix (ww_curve_view_get_readout (view), "n = 12 "));
  ww_curve_view_move_crosshair (view, -1);
  g_assert_false (g_str_has_prefix (ww_curve_view_get_readout (view), "n = 12 "));
  spoken = gtk_test_accessible_check_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, "");
  g_assert_nonnull (strstr (spoken, "softmax-RAF: median "));
  ww_curve_view_clear_crosshair (view);
  g_assert_false (g_str_has_prefix (ww_curve_view_get_readout (view), "n ="));
}

static void
test_hide_map (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);
  WwCurveView *view = ww_curves_page_get_view (page);
  GtkToggleButton *button = find_widget (page, "map_relu");

  fixture_finish_curve (fixture);
  ww_curve_view_toggle_map (view, WW_MAP_RELU_RAF);
  g_assert_false (gtk_toggle_button_get_active (button));
  ww_curve_view_move_crosshair (view, 1);
  g_assert_null (strstr (ww_curve_view_get_readout (view), "ReLU-RAF"));
  gtk_toggle_button_set_active (button, TRUE);
  g_assert_nonnull (strstr (ww_curve_view_get_readout (view), "ReLU-RAF"));
}

static void
press_at (gpointer widget, double x, double y)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (widget));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE_CLICK (controller))
        g_signal_emit_by_name (controller, "pressed", 1, x, y);
    }
}

static void
test_legend_click (Fixture *fixture, gconstpointer data)
{
  WwCurveView *view = ww_curves_page_get_view (ww_window_get_curves_page (fixture->window));
  g_autoptr (WwScene) scene = NULL;
  WwCurvesLayout layout;
  WwCurveReport report;
  WwPlotStyle style;
  guint hidden;

  fixture_finish_curve (fixture);
  WAIT_FOR (ww_figure_view_get_n_drawn (WW_FIGURE_VIEW (view)) > 0);
  ww_figure_view_get_style (WW_FIGURE_VIEW (view), &style);
  ww_curve_view_get_report (view, &report);
  scene = ww_curve_report_get_scene (
    &report, gtk_widget_get_width (GTK_WIDGET (view)) / WW_PX_PER_PT,
    gtk_widget_get_height (GTK_WIDGET (view)) / WW_PX_PER_PT, &style, &layout);
  g_assert_cmpuint (layout.n_legend, ==, 3);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (view));
  press_at (view, (layout.legend[2].left + layout.legend[2].width / 2) * WW_PX_PER_PT,
            (layout.legend[2].top + layout.legend[2].height / 2) * WW_PX_PER_PT);
  g_object_get (view, "hidden", &hidden, NULL);
  g_assert_cmpuint (hidden, ==, 1u << WW_MAP_SOFTMAX_RAF);
}

static void
test_axes (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);
  WwCurveReport report;

  gtk_toggle_button_set_active (find_widget (page, "x_log"), FALSE);
  gtk_toggle_button_set_active (find_widget (page, "y_log"), TRUE);
  ww_curve_view_get_report (ww_curves_page_get_view (page), &report);
  g_assert_false (report.x_log);
  g_assert_true (report.y_log);
  g_assert_true (g_settings_get_boolean (fixture->settings, "y-log"));
}

/* ---- Perturb ---- */

static guint
count_map (Fixture *fixture, WwMap map)
{
  WwCurve *curve = ww_session_get_curve (fixture->session);
  guint n = 0;

  for (gsize i = 0; curve != NULL && i < curve->n_points; i++)
    n += curve->points[i].map == map;
  return n;
}

/* DRF is measured while its button is down, with its own controls beside. */
/* A choice in the row's list changes the session, which comes back to the row: the list that spoke stays. */
static void
test_layer_list (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = find_widget (fixture->window, "layer_row");
  GListModel *model;
  int layer;

  fixture_finish_curve (fixture);
  model = adw_combo_row_get_model (row);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 2);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 1);
  adw_combo_row_set_selected (row, 0);
  g_object_get (fixture->session, "layer", &layer, NULL);
  g_assert_cmpint (layer, ==, WW_LAYER_WORD);
  g_assert_true (adw_combo_row_get_model (row) == model);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 0);
}

static void
test_drf (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);
  GtkToggleButton *button = find_widget (page, "map_drf");
  GtkWidget *group = find_widget (page, "deep_group");

  fixture_finish_curve (fixture);
  g_assert_false (gtk_toggle_button_get_active (button));
  g_assert_false (gtk_widget_get_visible (group));
  g_assert_cmpuint (count_map (fixture, WW_MAP_DRF), ==, 0);

  adw_combo_row_set_selected (find_widget (page, "width_row"), 0);
  gtk_spin_button_set_value (find_widget (page, "depth_spin"), 2);
  gtk_widget_activate (GTK_WIDGET (button));
  WAIT_FOR (gtk_widget_get_visible (group));
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE
            && count_map (fixture, WW_MAP_DRF) == 6);
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->width, ==, 256);
  g_assert_cmpuint (g_settings_get_uint (fixture->settings, "maps"), ==, WW_ALL_MAP_BITS);
  ww_curve_view_move_crosshair (ww_curves_page_get_view (page), 1);
  g_assert_nonnull (strstr (ww_curve_view_get_readout (ww_curves_page_get_view (page)), "DRF"));

  ww_session_undo (fixture->session);
  g_assert_false (gtk_toggle_button_get_active (button));
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE
            && count_map (fixture, WW_MAP_DRF) == 0);
  g_assert_cmpuint (count_map (fixture, WW_MAP_RF), ==, 6);
}

static void
test_theory (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);
  WwCurveReport report;

  fixture_finish_curve (fixture);
  ww_curve_view_get_report (ww_curves_page_get_view (page), &report);
  g_assert_cmpuint (report.laws, ==, 0);
  gtk_menu_button_popup (find_widget (page, "theory"));
  WAIT_FOR (gtk_widget_get_mapped (find_widget (page, "law_weights")));
  gtk_widget_activate (find_widget (page, "law_weights"));
  WAIT_FOR (gtk_check_button_get_active (find_widget (page, "law_weights")));
  ww_curve_view_get_report (ww_curves_page_get_view (page), &report);
  g_assert_cmpuint (report.laws, ==, WW_LAW_BIT (WW_LAW_WEIGHTS));
  g_assert_cmpuint (g_settings_get_uint (fixture->settings, "laws"), ==, WW_LAW_BIT (WW_LAW_WEIGHTS));
  for (gsize i = 0; i < report.n_points; i++)
    g_assert_cmpint (report.points[i].predicted > 0, ==, report.points[i].map == WW_MAP_RF);
  /* Nothing is measured again for it, and it is undone as any other choice. */
  g_assert_cmpint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_DONE);
  ww_session_undo (fixture->session);
  g_assert_false (gtk_check_button_get_active (find_widget (page, "law_weights")));
  ww_curve_view_get_report (ww_curves_page_get_view (page), &report);
  g_assert_cmpuint (report.laws, ==, 0);
  gtk_menu_button_popdown (find_widget (page, "theory"));
}

/* Found and certified side by side, on screen and in what is exported. */
static void
test_bounds (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);
  WwCurveView *view = ww_curves_page_get_view (page);
  g_autofree char *csv = NULL;
  WwCurveReport report;

  fixture_finish_curve (fixture);
  ww_curve_view_move_crosshair (view, 1);
  g_assert_null (strstr (ww_curve_view_get_readout (view), "≤"));
  adw_combo_row_set_selected (find_widget (page, "bound_row"), WW_SWEEP_BOUND_TIGHT);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE
            && strstr (ww_curve_view_get_readout (view), "≤") != NULL);
  ww_curve_view_get_report (view, &report);
  g_assert_cmpuint (report.provenance->bound, ==, WW_SWEEP_BOUND_TIGHT);
  for (gsize i = 0; i < report.n_points; i++)
    if (report.points[i].map == WW_MAP_RF)
      g_assert_true (isnan (report.points[i].upper_bound));
    else
      g_assert_cmpfloat (report.points[i].upper_bound, >=, report.points[i].ws);
  csv = ww_curve_report_to_csv (&report);
  g_assert_nonnull (strstr (csv, "# upper bound: tight"));
}

/* What was stopped says which bounds are missing, not only that all points are there. */
static void
test_stopped_bounds (Fixture *fixture, gconstpointer data)
{
  WwCurvesPage *page = ww_window_get_curves_page (fixture->window);
  WwSession *session = fixture->session;
  const char *words;

  fixture_finish_curve (fixture);
  g_object_set (session, "trials", 40u, "bound", WW_SWEEP_BOUND_TIGHT, NULL);
  WAIT_FOR (ww_session_get_curve_state (session) == WW_STATE_WORKING
            && ww_session_get_curve (session)->inputs->trials == 40
            && ww_session_get_curve (session)->n_points == ww_session_get_curve (session)->n_expected);
  fixture_activate (fixture, "win.cancel");
  g_assert_cmpuint (ww_session_get_curve_state (session), ==, WW_STATE_CANCELLED);
  words = gtk_label_get_text (find_widget (page, "state_label"));
  g_assert_true (g_str_has_prefix (words, "Stopped: "));
  g_assert_true (g_str_has_suffix (words, " upper bounds known"));
}

static void
test_slider (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = ww_window_get_perturb_page (fixture->window);
  GtkAdjustment *adjustment = ww_perturb_page_get_length_adjustment (page);
  WwHeatmapView *heatmap
    = ww_perturb_page_get_heatmap (page, WW_MAP_SOFTMAX_RAF, WW_NUDGE_VIEW_DIFFERENCE);
  guint drawn;

  fixture_finish_nudge (fixture);
  WAIT_FOR (ww_figure_view_get_n_drawn (WW_FIGURE_VIEW (heatmap)) > 0);
  drawn = ww_figure_view_get_n_drawn (WW_FIGURE_VIEW (heatmap));
  gtk_adjustment_set_value (adjustment, 0.25);
  g_assert_cmpfloat (ww_session_get_inputs (fixture->session)->length, ==, 0.25);
  WAIT_FOR (fabs (ww_session_get_nudge (fixture->session)->delta_norm - 0.25 * sqrt (384))
            < 1e-3);
  WAIT_FOR (ww_figure_view_get_n_drawn (WW_FIGURE_VIEW (heatmap)) > drawn);
  g_assert_cmpstr (gtk_label_get_text (find_widget (page, "length_label")), ==, "0.25");

  gtk_adjustment_set_value (adjustment, 0);
  WAIT_FOR (ww_session_get_nudge (fixture->session)->delta_norm == 0);
  g_assert_cmpfloat (ww_session_get_nudge (fixture->session)->change[WW_MAP_SOFTMAX_RAF], ==, 0);
  g_assert_cmpstr (gtk_label_get_text (find_widget (find_widget (page, "readout_softmax"), "value")),
                   ==, "0.000");
}

/* Two words have four scores: under some seeds all are negative and ReLU-RAF has no features, while the other
 * maps go on. */
static void
test_undefined_readout (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = ww_window_get_perturb_page (fixture->window);
  GtkLabel *relu = find_widget (find_widget (page, "readout_relu"), "value");
  GtkLabel *softmax = find_widget (find_widget (page, "readout_softmax"), "value");
  gboolean undefined = FALSE;

  fixture_finish_nudge (fixture);
  g_assert_cmpstr (gtk_label_get_text (relu), !=, "undefined");
  for (guint64 seed = 1; seed <= 100 && !undefined; seed++)
    {
      const WwNudge *nudge = NULL;

      g_object_set (fixture->session, "text", "love her", "special", FALSE, "seed", seed, NULL);
      WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
                && (nudge = ww_session_get_nudge (fixture->session)) != NULL && nudge->n == 2
                && ww_session_get_nudge_inputs (fixture->session)->seed == seed);
      undefined = isnan (nudge->change[WW_MAP_RELU_RAF]);
      WAIT_FOR (g_str_equal (gtk_label_get_text (relu), "undefined") == undefined);
      g_assert_true (g_ascii_isdigit (gtk_label_get_text (softmax)[0]));
    }
  g_assert_true (undefined);
}

/* Found and certified, for the maps of attention; never shown below what was found. */
static void
test_bound_readout (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = ww_window_get_perturb_page (fixture->window);
  const char *const names[] = { "readout_softmax", "readout_relu" };
  const WwMap maps[] = { WW_MAP_SOFTMAX_RAF, WW_MAP_RELU_RAF };

  fixture_finish_nudge (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GtkLabel *label = find_widget (find_widget (page, names[i]), "bound");
      const char *number;

      WAIT_FOR (g_str_has_prefix (gtk_label_get_text (label), "certified at most "));
      number = gtk_label_get_text (label) + strlen ("certified at most ");
      g_assert_cmpfloat (g_ascii_strtod (number, NULL), >=, ww_session_get_found_ws (fixture->session, maps[i]));
    }
  g_assert_false (gtk_widget_get_visible (find_widget (find_widget (page, "readout_rf"), "bound")));
}

/* What a colour means stays while the slider moves. */
static void
test_slider_keeps_colours (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = ww_window_get_perturb_page (fixture->window);
  GtkAdjustment *adjustment = ww_perturb_page_get_length_adjustment (page);
  double change;

  g_object_set (fixture->session, "direction", WW_DIRECTION_RANDOM, NULL);
  fixture_finish_nudge (fixture);
  change = ww_shown_nudge_get_report (ww_perturb_page_get_shown (page))
             ->change_max[WW_MAP_SOFTMAX_RAF];
  g_assert_cmpfloat (change, >, 0);
  gtk_adjustment_set_value (adjustment, 0.1);
  WAIT_FOR (fabs (ww_session_get_nudge (fixture->session)->delta_norm - 0.1 * sqrt (384)) < 1e-3);
  g_assert_cmpfloat_with_epsilon (ww_shown_nudge_get_report (ww_perturb_page_get_shown (page))
                                    ->change_max[WW_MAP_SOFTMAX_RAF],
                                  change, 0.05 * change);
}

static void
test_radius_limits_slider (Fixture *fixture, gconstpointer data)
{
  GtkAdjustment *adjustment
    = ww_perturb_page_get_length_adjustment (ww_window_get_perturb_page (fixture->window));

  g_object_set (fixture->session, "radius", 2.0, NULL);
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), ==, 2);
  g_object_set (fixture->session, "radius", 0.5, NULL);
  g_assert_cmpfloat (gtk_adjustment_get_upper (adjustment), ==, 0.5);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), <=, 0.5);
}

static void
test_strip_keyboard (Fixture *fixture, gconstpointer data)
{
  WwTokenStrip *strip = find_widget (fixture->window, "strip");
  guint below;

  fixture_finish_nudge (fixture);
  WAIT_FOR (ww_token_strip_get_n_tokens (strip) == 16);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (strip));
  g_assert_true (ww_token_strip_press_key (strip, GDK_KEY_Right, 0));
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->token, ==, 1);
  g_assert_true (ww_token_strip_press_key (strip, GDK_KEY_Left, 0));
  g_assert_true (ww_token_strip_press_key (strip, GDK_KEY_Left, 0));
  g_assert_cmpuint (ww_token_strip_get_token (strip), ==, 0);
  g_assert_true (ww_token_strip_press_key (strip, GDK_KEY_End, 0));
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->token, ==, 15);
  g_assert_true (ww_token_strip_press_key (strip, GDK_KEY_Home, 0));
  g_assert_cmpuint (ww_token_strip_get_token (strip), ==, 0);
  g_assert_true (ww_token_strip_press_key (strip, GDK_KEY_Down, 0));
  below = ww_token_strip_get_token (strip);
  g_assert_true (ww_token_strip_press_key (strip, GDK_KEY_Up, 0));
  g_assert_cmpuint (ww_token_strip_get_token (strip), <=, below);
  g_assert_false (ww_token_strip_press_key (strip, GDK_KEY_Right, GDK_CONTROL_MASK));
  g_assert_true (WW_IS_TOKEN_CHIP (gtk_window_get_focus (GTK_WINDOW (fixture->window))));
}

static void
test_strip_names (Fixture *fixture, gconstpointer data)
{
  WwTokenStrip *strip = find_widget (fixture->window, "strip");
  WwTokens *tokens;
  g_autofree char *words = NULL;
  GtkWidget *chip;
  double min, max;

  fixture_finish_nudge (fixture);
  tokens = ww_session_get_perturb_tokens (fixture->session);
  chip = find_by_type (strip, WW_TYPE_TOKEN_CHIP, 1);
  gtk_test_accessible_assert_property (chip, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       tokens->tokens[1].display);
  gtk_test_accessible_assert_role (chip, GTK_ACCESSIBLE_ROLE_LIST_ITEM);
  ww_token_strip_set_token (strip, 1);
  gtk_test_accessible_assert_state (chip, GTK_ACCESSIBLE_STATE_SELECTED, TRUE);
  WAIT_FOR (ww_session_get_sensitivity (fixture->session) != NULL
            && ww_session_get_sensitivity (fixture->session)->n_known == 16);
  g_assert_true (ww_token_strip_get_range (strip, &min, &max));
  g_assert_cmpfloat (min, <, max);
  words = ww_token_chip_describe (WW_TOKEN_CHIP (chip));
  g_assert_nonnull (strstr (words, "Token 2 of 16."));
  g_assert_nonnull (strstr (words, "Word sensitivity"));
  g_assert_nonnull (strstr (words, "searched"));
  g_assert_cmpstr (gtk_label_get_text (find_widget (fixture->window, "token_label")), !=, "");
}

static void
test_directions (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = find_widget (fixture->window, "direction_row");
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);

  adw_combo_row_set_selected (row, 3);
  g_assert_cmpuint (inputs->direction, ==, WW_DIRECTION_RANDOM);
  adw_combo_row_set_selected (row, 1);
  g_assert_cmpuint (inputs->direction, ==, WW_DIRECTION_WORST);
  g_assert_cmpuint (inputs->direction_map, ==, WW_MAP_RELU_RAF);
  g_object_set (fixture->session, "direction-map", WW_MAP_RF, NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 2);
  adw_combo_row_set_selected (find_widget (fixture->window, "colour_row"), 2);
  g_assert_cmpuint (inputs->sensitivity_map, ==, WW_MAP_RF);
}

static void
test_heatmap_words (Fixture *fixture, gconstpointer data)
{
  WwHeatmapView *heatmap
    = ww_perturb_page_get_heatmap (ww_window_get_perturb_page (fixture->window),
                                   WW_MAP_SOFTMAX_RAF, WW_NUDGE_VIEW_DIFFERENCE);
  g_autofree char *words = NULL, *expected = NULL;
  WwNudge *nudge;

  fixture_finish_nudge (fixture);
  nudge = ww_session_get_nudge (fixture->session);
  words = ww_heatmap_view_describe_cell (heatmap, 2, 0);
  expected = g_strdup_printf ("%.4f before, %.4f after",
                              nudge->before[WW_MAP_SOFTMAX_RAF]->data[2 * nudge->n],
                              nudge->after[WW_MAP_SOFTMAX_RAF]->data[2 * nudge->n]);
  g_assert_nonnull (strstr (words, expected));
  g_assert_null (ww_heatmap_view_describe_cell (heatmap, nudge->n, 0));
  gtk_test_accessible_assert_role (heatmap, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_test_accessible_assert_property (heatmap, GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "Change of the attention, softmax-RAF");
  ww_heatmap_view_move_cell (heatmap, 0, 0);
  ww_heatmap_view_move_cell (heatmap, 2, 0);
  g_clear_pointer (&words, g_free);
  words = ww_heatmap_view_describe_cell (heatmap, 2, 0);
  gtk_test_accessible_assert_property (heatmap, GTK_ACCESSIBLE_PROPERTY_LABEL, words);
}

static void
test_bars_choose_token (Fixture *fixture, gconstpointer data)
{
  WwBarsView *bars = find_widget (fixture->window, "bars");
  g_autofree char *words = NULL;

  fixture_finish_nudge (fixture);
  words = ww_bars_view_describe_bar (bars, 3);
  g_assert_nonnull (strstr (words, "softmax-RAF"));
  g_signal_emit_by_name (bars, "token-activated", 3u);
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->token, ==, 3);
}

static void
test_views (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = ww_window_get_perturb_page (fixture->window);
  guint view;

  fixture_finish_nudge (fixture);
  gtk_toggle_button_set_active (find_widget (page, "view_all"), TRUE);
  g_object_get (page, "view", &view, NULL);
  g_assert_cmpuint (view, ==, WW_PERTURB_VIEW_ALL);
  for (guint v = 0; v < 3; v++)
    WAIT_FOR (gtk_widget_get_mapped (
      GTK_WIDGET (ww_perturb_page_get_heatmap (page, WW_MAP_RELU_RAF, (WwNudgeView) v))));
  gtk_toggle_button_set_active (find_widget (page, "view_before"), TRUE);
  WAIT_FOR (!gtk_widget_get_mapped (
    GTK_WIDGET (ww_perturb_page_get_heatmap (page, WW_MAP_RELU_RAF, WW_NUDGE_VIEW_AFTER))));
  g_assert_cmpuint (g_settings_get_uint (fixture->settings, "attention-view"), ==, 0);
}

/* ---- Export ---- */

static char *
export_to (Fixture *fixture, WwReportFormat format, guint part, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  WwExportDialog *dialog;
  char *contents;

  fixture_activate (fixture, "win.export");
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) != NULL);
  dialog = find_window (WW_TYPE_EXPORT_DIALOG);
  adw_combo_row_set_selected (find_widget (dialog, "format_row"), format);
  adw_combo_row_set_selected (find_widget (dialog, "part_row"), part);
  ww_export_dialog_save_to (dialog, file);
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) == NULL);
  g_file_get_contents (path, &contents, NULL, &error);
  g_assert_no_error (error);
  return contents;
}

static void
test_export_curves (Fixture *fixture, gconstpointer data)
{
  g_autofree char *svg = NULL, *csv = NULL, *json = NULL, *pdf = NULL, *png = NULL;

  fixture_finish_curve (fixture);
  svg = export_to (fixture, WW_REPORT_SVG, 0, "a.svg");
  g_assert_nonnull (strstr (svg, "<text"));
  g_assert_nonnull (strstr (svg, "softmax-RAF"));
  /* What made it: version, the set's digest, the seed. */
  g_assert_nonnull (strstr (svg, WW_VERSION));
  g_assert_nonnull (strstr (svg, ww_set_get_sha256 (ww_session_get_set (fixture->session), NULL,
                                                    NULL)));
  csv = export_to (fixture, WW_REPORT_CSV, 0, "a.csv");
  g_assert_nonnull (strstr (csv, "map,d,n,k,trial,seed,token,ws,upper_bound,evaluations\n"));
  json = export_to (fixture, WW_REPORT_JSON, 0, "a.json");
  g_assert_true (g_str_has_prefix (json, "{"));
  pdf = export_to (fixture, WW_REPORT_PDF, 0, "a.pdf");
  g_assert_true (g_str_has_prefix (pdf, "%PDF"));
  png = export_to (fixture, WW_REPORT_PNG, 0, "a.png");
  g_assert_true (g_str_has_prefix (png, "\x89PNG"));
  g_assert_cmpuint (g_settings_get_uint (fixture->settings, "export-format"), ==, WW_REPORT_PNG);
}

static void
test_export_nudge (Fixture *fixture, gconstpointer data)
{
  g_autofree char *page = NULL, *heatmap = NULL, *bars = NULL, *csv = NULL;

  fixture_finish_nudge (fixture);
  page = export_to (fixture, WW_REPORT_SVG, WW_EXPORT_PAGE, "page.svg");
  g_assert_nonnull (strstr (page, "ReLU-RAF, after"));
  heatmap = export_to (fixture, WW_REPORT_SVG, WW_EXPORT_SOFTMAX_HEATMAP, "heatmap.svg");
  g_assert_null (strstr (heatmap, "ReLU-RAF, after"));
  g_assert_nonnull (strstr (heatmap, WW_VERSION));
  bars = export_to (fixture, WW_REPORT_SVG, WW_EXPORT_BARS, "bars.svg");
  g_assert_nonnull (strstr (bars, "<text"));
  csv = export_to (fixture, WW_REPORT_CSV, WW_EXPORT_PAGE, "nudge.csv");
  g_assert_nonnull (strstr (csv, "# direction: worst"));
}

static void
test_export_failure (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "no-such-folder", "a.svg", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  fixture_finish_curve (fixture);
  fixture_activate (fixture, "win.export");
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) != NULL);
  ww_export_dialog_save_to (find_window (WW_TYPE_EXPORT_DIALOG), file);
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) == NULL);
  WAIT_FOR (find_by_type (fixture->window, g_type_from_name ("AdwToastWidget"), 0) != NULL);
  g_assert_false (g_file_query_exists (file, NULL));
}

static void
test_export_cancel (Fixture *fixture, gconstpointer data)
{
  fixture_finish_curve (fixture);
  fixture_activate (fixture, "win.export");
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) != NULL);
  gtk_window_close (GTK_WINDOW (find_window (WW_TYPE_EXPORT_DIALOG)));
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) == NULL);
  g_assert_null (find_by_type (fixture->window, g_type_from_name ("AdwToastWidget"), 0));
}

/* Which rows the dialog offers depends on the format. */
static void
test_export_rows (Fixture *fixture, gconstpointer data)
{
  WwExportDialog *dialog;
  WwReportOptions options;
  WwExportPart part;

  fixture_finish_curve (fixture);
  fixture_activate (fixture, "win.export");
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) != NULL);
  dialog = find_window (WW_TYPE_EXPORT_DIALOG);
  g_assert_false (gtk_widget_get_visible (find_widget (dialog, "dpi_row")));
  g_assert_false (gtk_widget_get_visible (find_widget (dialog, "part_row")));
  adw_combo_row_set_selected (find_widget (dialog, "format_row"), WW_REPORT_PNG);
  g_assert_true (gtk_widget_get_visible (find_widget (dialog, "dpi_row")));
  gtk_spin_button_set_value (find_widget (dialog, "width_spin"), 12.5);
  ww_export_dialog_get_options (dialog, &part, &options);
  g_assert_cmpfloat (options.width_cm, ==, 12.5);
  g_assert_cmpint (options.format, ==, WW_REPORT_PNG);
  adw_combo_row_set_selected (find_widget (dialog, "format_row"), WW_REPORT_CSV);
  g_assert_false (gtk_widget_get_visible (find_widget (dialog, "size_row")));
  gtk_window_close (GTK_WINDOW (dialog));
  WAIT_FOR (find_window (WW_TYPE_EXPORT_DIALOG) == NULL);
}

static void
test_copy_figure (Fixture *fixture, gconstpointer data)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->window));

  fixture_finish_curve (fixture);
  fixture_activate (fixture, "win.copy-figure");
  g_assert_true (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard),
                                                    GDK_TYPE_TEXTURE));
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;
  ADD_TEST ("/curves/crosshair", test_crosshair);
  ADD_TEST ("/curves/hide-map", test_hide_map);
  ADD_TEST ("/curves/legend-click", test_legend_click);
  ADD_TEST ("/curves/axes", test_axes);
  ADD_TEST ("/curves/layer-list", test_layer_list);
  ADD_TEST ("/curves/drf", test_drf);
  ADD_TEST ("/curves/theory", test_theory);
  ADD_TEST ("/curves/bounds", test_bounds);
  ADD_TEST ("/curves/stopped-bounds", test_stopped_bounds);
  ADD_TEST ("/perturb/slider", test_slider);
  ADD_TEST ("/perturb/undefined-readout", test_undefined_readout);
  ADD_TEST ("/perturb/bound-readout", test_bound_readout);
  ADD_TEST ("/perturb/slider-keeps-colours", test_slider_keeps_colours);
  ADD_TEST ("/perturb/radius", test_radius_limits_slider);
  ADD_TEST ("/perturb/strip-keyboard", test_strip_keyboard);
  ADD_TEST ("/perturb/strip-names", test_strip_names);
  ADD_TEST ("/perturb/directions", test_directions);
  ADD_TEST ("/perturb/heatmap-words", test_heatmap_words);
  ADD_TEST ("/perturb/bars", test_bars_choose_token);
  ADD_TEST ("/perturb/views", test_views);
  ADD_TEST ("/export/curves", test_export_curves);
  ADD_TEST ("/export/nudge", test_export_nudge);
  ADD_TEST ("/export/failure", test_export_failure);
  ADD_TEST ("/export/cancel", test_export_cancel);
  ADD_TEST ("/export/rows", test_export_rows);
  ADD_TEST ("/export/copy", test_copy_figure);
  return g_test_run ();
}

/* The Perturb page beyond random nudges: words of the set, trained attention. */
#include "app-fixture.h"

#include <math.h>
#include <string.h>

static WwPerturbPage *
get_page (Fixture *fixture)
{
  return ww_window_get_perturb_page (fixture->window);
}

static void
test_toward_a_word (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  AdwEntryRow *entry = find_widget (page, "word_row");
  GtkAdjustment *adjustment = ww_perturb_page_get_length_adjustment (page);
  const WwNudgeReport *report;
  GtkLabel *note = find_widget (page, "length_note");

  g_object_set (fixture->session, "length", 0.4, NULL);
  fixture_finish_nudge (fixture);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (note)));
  gtk_editable_set_text (GTK_EDITABLE (entry), "water");
  g_signal_emit_by_name (entry, "entry-activated");
  g_assert_cmpstr (ww_session_get_inputs (fixture->session)->toward_word, ==, "water");
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->direction, ==, WW_DIRECTION_TOWARD);
  g_assert_cmpuint (adw_combo_row_get_selected (find_widget (page, "direction_row")), ==, 4);
  WAIT_FOR (ww_session_get_nudge_state (fixture->session) == WW_STATE_DONE
            && gtk_widget_get_visible (GTK_WIDGET (note)));
  report = ww_shown_nudge_get_report (ww_perturb_page_get_shown (page));
  g_assert_nonnull (strstr (report->direction, "water"));
  /* Two rows of norm sqrt (d) are further apart than that unless they are much alike. */
  g_assert_cmpfloat (report->nudge->delta_norm, >, 0);
  g_assert_nonnull (strstr (gtk_label_get_text (note), "√d"));
  g_assert_nonnull (strstr (gtk_label_get_text (find_widget (page, "length_title")), "water"));

  /* The slider is the part of the way now, and the length again afterwards. */
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 1);
  gtk_adjustment_set_value (adjustment, 0.25);
  g_assert_cmpfloat (ww_session_get_inputs (fixture->session)->amount, ==, 0.25);
  g_assert_cmpfloat (ww_session_get_inputs (fixture->session)->length, ==, 0.4);
  adw_combo_row_set_selected (find_widget (page, "direction_row"), 3);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0.4);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (note)));
}

static void
test_unknown_word (Fixture *fixture, gconstpointer data)
{
  fixture_finish_nudge (fixture);
  ww_session_go_toward (fixture->session, "qxzqxzqxz");
  WAIT_FOR (ww_session_get_nudge_state (fixture->session) == WW_STATE_FAILED);
  g_assert_false (ww_perturb_page_shows_figure (get_page (fixture)));
  ww_session_undo (fixture->session);
  ww_session_undo (fixture->session);
  ww_session_undo (fixture->session);
  WAIT_FOR (ww_session_get_nudge_state (fixture->session) == WW_STATE_DONE);
  g_assert_true (ww_perturb_page_shows_figure (get_page (fixture)));
}

static void
test_completion (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  GtkListBox *list = find_widget (page, "word_list");
  AdwEntryRow *entry = find_widget (page, "word_row");
  GtkListBoxRow *row;
  g_autofree char *word = NULL;

  fixture_finish_nudge (fixture);
  g_assert_null (gtk_list_box_get_row_at_index (list, 0));
  do
    {
      wait_a_little ();
      gtk_editable_set_text (GTK_EDITABLE (entry), "");
      gtk_editable_set_text (GTK_EDITABLE (entry), "wat");
      row = gtk_list_box_get_row_at_index (list, 0);
    }
  while (row == NULL);
  word = g_strdup (g_object_get_data (G_OBJECT (row), "word"));
  g_assert_true (g_str_has_prefix (word, "wat"));
  g_signal_emit_by_name (list, "row-activated", row);
  g_assert_cmpstr (ww_session_get_inputs (fixture->session)->toward_word, ==, word);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, word);
}

static void
test_strongest_swaps (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  GtkListBox *list = find_widget (page, "word_list");
  GtkListBoxRow *row;
  WwSwaps *swaps;

  fixture_finish_nudge (fixture);
  gtk_switch_set_active (find_widget (page, "swap_switch"), TRUE);
  WAIT_FOR (ww_session_get_swap_state (fixture->session) == WW_STATE_DONE);
  swaps = ww_session_get_swaps (fixture->session);
  g_assert_true (swaps->complete);
  row = gtk_list_box_get_row_at_index (list, 0);
  g_assert_nonnull (row);
  g_assert_cmpstr (g_object_get_data (G_OBJECT (row), "word"), ==, swaps->words[0].word);
  g_signal_emit_by_name (list, "row-activated", row);
  WAIT_FOR (ww_session_get_nudge_state (fixture->session) == WW_STATE_DONE
            && ww_session_get_nudge_inputs (fixture->session)->direction == WW_DIRECTION_TOWARD);
  /* What the list says is what the figure shows. */
  g_assert_cmpfloat_with_epsilon (
    ww_session_get_nudge (fixture->session)->change[swaps->map], swaps->words[0].change,
    1e-6 * swaps->words[0].change);
}

static void
test_trained (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  WwHeatmapView *heatmap;
  AdwComboRow *row = find_widget (page, "head_row");
  g_autofree char *words = NULL;

  heatmap = ww_perturb_page_get_heatmap (page, WW_HEATMAP_TRAINED, WW_NUDGE_VIEW_DIFFERENCE);
  fixture_finish_nudge (fixture);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (row)));
  WAIT_FOR (ww_figure_view_get_n_drawn (WW_FIGURE_VIEW (heatmap)) > 0);
  words = ww_heatmap_view_describe_cell (heatmap, 1, 2);
  g_assert_nonnull (words);

  adw_combo_row_set_selected (row, 3);
  g_assert_cmpint (ww_session_get_inputs (fixture->session)->head, ==, 1);
  WAIT_FOR (strstr (ww_shown_nudge_get_report (ww_perturb_page_get_shown (page))->trained_name, "2")
            != NULL);
  adw_combo_row_set_selected (row, 0);
  WAIT_FOR (!gtk_widget_get_mapped (GTK_WIDGET (heatmap)));
  g_assert_null (ww_shown_nudge_get_report (ww_perturb_page_get_shown (page))->trained_after);

  /* No block takes word vectors in. */
  g_object_set (fixture->session, "head", WW_HEAD_MEAN, "layer", WW_LAYER_WORD, NULL);
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (row)));
}

static void
assert_spared (GtkWidget *widget, guint *n_spins)
{
  if (GTK_IS_SPIN_BUTTON (widget))
    {
      g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

      (*n_spins)++;
      for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
        {
          g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

          if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
            g_assert_cmpint (gtk_event_controller_get_propagation_phase (controller), ==,
                             GTK_PHASE_NONE);
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_spared (child, n_spins);
}

/* Scrolling a panel changes no number that passes under the pointer. */
static void
test_wheel (Fixture *fixture, gconstpointer data)
{
  guint n_spins = 0;

  assert_spared (GTK_WIDGET (fixture->window), &n_spins);
  g_assert_cmpuint (n_spins, >, 4);
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;

  ADD_TEST ("/perturb/toward-a-word", test_toward_a_word);
  ADD_TEST ("/perturb/unknown-word", test_unknown_word);
  ADD_TEST ("/perturb/completion", test_completion);
  ADD_TEST ("/perturb/strongest-swaps", test_strongest_swaps);
  ADD_TEST ("/perturb/trained-attention", test_trained);
  ADD_TEST ("/panels/wheel", test_wheel);
  return g_test_run ();
}

/* The Perturb page beyond random nudges: words of the set, trained attention. */
#include "app-fixture.h"
#include "ww-session-private.h"
#include "ww-list-words.h"
#include "ww-word-row.h"

#include <math.h>
#include <string.h>

static WwPerturbPage *
get_page (Fixture *fixture)
{
  return ww_window_get_perturb_page (fixture->window);
}

static void
type_word (Fixture *fixture, const char *word)
{
  AdwEntryRow *entry = find_widget (get_page (fixture), "word_entry");

  gtk_editable_set_text (GTK_EDITABLE (entry), word);
  g_signal_emit_by_name (entry, "entry-activated");
}

static void
test_toward_a_word (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  GtkAdjustment *adjustment = ww_perturb_page_get_length_adjustment (page);
  const WwNudgeReport *report;
  GtkLabel *note = find_widget (page, "length_note");

  g_object_set (fixture->session, "length", 0.4, NULL);
  fixture_finish_nudge (fixture);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (note)));
  type_word (fixture, "water");
  WAIT_FOR (g_str_equal (ww_session_get_inputs (fixture->session)->toward_word, "water"));
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->direction, ==, WW_DIRECTION_TOWARD);
  g_assert_cmpuint (adw_combo_row_get_selected (find_widget (page, "direction_row")), ==, 4);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
            && gtk_widget_get_visible (GTK_WIDGET (note)));
  report = ww_shown_nudge_get_report (ww_perturb_page_get_shown (page));
  g_assert_cmpstr (report->toward, ==, "water");
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

/* The sentence says when a word lies outside the ball. */
static void
test_beyond_the_ball (Fixture *fixture, gconstpointer data)
{
  GtkWidget *note = find_widget (get_page (fixture), "length_note");

  g_object_set (fixture->session, "radius", 0.1, NULL);
  fixture_finish_nudge (fixture);
  type_word (fixture, "water");
  WAIT_FOR (gtk_widget_get_visible (note) && gtk_widget_has_css_class (note, "warning"));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (note)), "r = 0.1"));
  g_object_set (fixture->session, "radius", 2.0, NULL);
  WAIT_FOR (!gtk_widget_has_css_class (note, "warning"));
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (note)), "r ="));
}

/* What was there stays; the entry says what is wrong, also to those who do not see it. */
/* Whether the panel around the widget is scrolled so that the whole widget is in it. */
static gboolean
is_in_sight (gpointer widget)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (widget, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t bounds;

  return gtk_widget_compute_bounds (widget, scrolled, &bounds) && bounds.size.height > 0
         && bounds.origin.y >= 0
         && bounds.origin.y + bounds.size.height <= gtk_widget_get_height (scrolled);
}

static void
test_unknown_word (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  AdwEntryRow *entry = find_widget (page, "word_entry");
  GtkLabel *error = find_widget (page, "word_error");
  GtkEditable *text;
  WwShownNudge *shown;

  fixture_finish_nudge (fixture);
  shown = ww_perturb_page_get_shown (page);
  text = gtk_editable_get_delegate (GTK_EDITABLE (entry));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (error)));
  type_word (fixture, "qxzqxzqxz");
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_WORD) == WW_STATE_FAILED);
  g_assert_true (ww_perturb_page_shows_figure (page));
  g_assert_true (ww_perturb_page_get_shown (page) == shown);
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_NUDGE), ==, WW_STATE_DONE);
  g_assert_cmpuint (adw_combo_row_get_selected (find_widget (page, "direction_row")), ==, 0);
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (error)));
  g_assert_nonnull (strstr (gtk_label_get_text (error), "qxzqxzqxz"));
  gtk_test_accessible_assert_role (error, GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_test_accessible_assert_state (text, GTK_ACCESSIBLE_STATE_INVALID, GTK_ACCESSIBLE_INVALID_TRUE);
  gtk_test_accessible_assert_property (text, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       gtk_label_get_text (error));
  WAIT_FOR (is_in_sight (error));

  /* Typing on takes the complaint back. */
  gtk_editable_set_text (GTK_EDITABLE (entry), "wate");
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (error)));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (entry), "error"));
}

/* A word that the next set lacks takes away the nudge, and nothing else of the page. */
static void
test_word_of_another_set (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);

  fixture_finish_nudge (fixture);
  g_object_set (fixture->session, "toward-word", "qxzqxzqxz", "direction", WW_DIRECTION_TOWARD, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_FAILED);
  g_assert_false (ww_perturb_page_shows_figure (page));
  WAIT_FOR (gtk_widget_get_mapped (find_widget (page, "nudge_status")));
  g_assert_true (gtk_widget_get_mapped (find_widget (page, "strip")));
  g_assert_true (gtk_widget_has_css_class (find_widget (page, "word_entry"), "error"));
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_STRIP) == WW_STATE_DONE);
  g_object_set (fixture->session, "direction", WW_DIRECTION_RANDOM, NULL);
  WAIT_FOR (ww_perturb_page_shows_figure (page));
}

/* Whatever goes wrong in one part is said there, and the figure stays. */
static void
test_parts_say_why (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  GtkLabel *colours = find_widget (page, "colour_label"), *heading = find_widget (page, "heading");
  AdwActionRow *head_row = find_widget (page, "head_row");

  fixture_finish_nudge (fixture);
  gtk_switch_set_active (find_widget (page, "swap_switch"), TRUE);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) == WW_STATE_DONE
            && ww_session_get_part_state (fixture->session, WW_PART_STRIP) == WW_STATE_DONE);
  ww_session_take_status (fixture->session, WW_PART_STRIP, WW_STATE_FAILED, "No colours.");
  ww_session_take_status (fixture->session, WW_PART_TRAINED, WW_STATE_FAILED, "No block.");
  ww_session_take_status (fixture->session, WW_PART_SWAPS, WW_STATE_FAILED, "No swaps.");
  g_assert_cmpstr (gtk_label_get_text (colours), ==, "No colours.");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (colours), "error"));
  g_assert_cmpstr (adw_action_row_get_subtitle (head_row), ==, "No block.");
  g_assert_cmpstr (gtk_label_get_text (heading), ==, "No swaps.");
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (heading), "error"));
  g_assert_true (ww_perturb_page_shows_figure (page));
  ww_session_take_status (fixture->session, WW_PART_STRIP, WW_STATE_DONE, NULL);
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (colours), "error"));
}

static void
test_completion (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  WwWordRow *row = find_widget (page, "word_row");
  GtkListBox *list = find_widget (page, "completion_list");
  GtkWidget *scroller = find_widget (page, "completion_scroller");
  AdwEntryRow *entry = find_widget (page, "word_entry");
  GtkListBoxRow *first;
  g_autofree char *word = NULL;
  int minimum, natural;

  fixture_finish_nudge (fixture);
  g_assert_true (ww_list_words_is_empty (list));
  ww_word_row_focus (row);
  do
    {
      wait_a_little ();
      gtk_editable_set_text (GTK_EDITABLE (entry), "");
      gtk_editable_set_text (GTK_EDITABLE (entry), "wat");
    }
  while (ww_list_words_is_empty (list));
  g_assert_true (gtk_widget_get_visible (scroller));
  first = gtk_list_box_get_row_at_index (list, 0);
  word = g_strdup (ww_list_words_get_word (first));
  g_assert_true (g_str_has_prefix (word, "wat"));
  gtk_test_accessible_assert_property (first, GTK_ACCESSIBLE_PROPERTY_LABEL, word);

  /* All of them are in sight, where there is no room to spare, too. */
  WAIT_FOR (gtk_widget_get_mapped (GTK_WIDGET (first)));
  gtk_widget_measure (GTK_WIDGET (list), GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL, NULL);
  gtk_widget_measure (scroller, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, >=, natural);
  WAIT_FOR (is_in_sight (scroller));
  /* Down and up again, and out. */
  g_assert_true (ww_word_row_press_key (row, GDK_KEY_Down, 0));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == GTK_WIDGET (first));
  g_assert_true (ww_word_row_press_key (row, GDK_KEY_Up, 0));
  g_assert_true (gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture->window)),
                                         GTK_WIDGET (entry)));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "wat");
  g_assert_true (ww_word_row_press_key (row, GDK_KEY_Escape, 0));
  g_assert_false (gtk_widget_get_visible (scroller));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "wat");
  /* Down opens them again; Enter or a click takes one. */
  g_assert_true (ww_word_row_press_key (row, GDK_KEY_Down, 0));
  first = gtk_list_box_get_row_at_index (list, 0);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == GTK_WIDGET (first));
  g_assert_true (gtk_widget_activate (GTK_WIDGET (first)));
  WAIT_FOR (g_str_equal (ww_session_get_inputs (fixture->session)->toward_word, word));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, word);
  g_assert_false (gtk_widget_get_visible (scroller));

  /* What is typed and not taken is given up with Escape. */
  gtk_editable_set_text (GTK_EDITABLE (entry), "qxz");
  g_assert_true (ww_word_row_press_key (row, GDK_KEY_Escape, 0));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, word);
  g_assert_false (ww_word_row_press_key (row, GDK_KEY_Escape, 0));
}

static void
test_strongest_swaps (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  GtkListBox *list = find_widget (page, "word_list");
  GtkLabel *heading = find_widget (page, "heading");
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  g_autofree char *count = NULL;
  GtkListBoxRow *row;
  WwSwaps *swaps;

  fixture_finish_nudge (fixture);
  g_assert_false (gtk_widget_get_visible (find_widget (page, "map_row")));
  gtk_switch_set_active (find_widget (page, "swap_switch"), TRUE);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) == WW_STATE_DONE);
  swaps = ww_session_get_swaps (fixture->session);
  g_assert_true (swaps->complete);
  /* The special tokens of the set are no words. */
  g_assert_cmpuint (swaps->n_ranked, <, swaps->n_entries);
  count = g_strdup_printf ("of %zu words", swaps->n_ranked);
  g_assert_nonnull (strstr (gtk_label_get_text (heading), count));
  g_assert_nonnull (strstr (gtk_label_get_text (heading), "ranked by softmax-RAF"));
  row = gtk_list_box_get_row_at_index (list, 0);
  g_assert_nonnull (row);
  g_assert_cmpstr (ww_list_words_get_word (row), ==, swaps->words[0].word);
  g_assert_true (gtk_widget_activate (GTK_WIDGET (row)));
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
            && ww_session_get_nudge_inputs (fixture->session)->direction == WW_DIRECTION_TOWARD);
  g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (gtk_list_box_get_row_at_index (list, 0)), "taken"));
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (gtk_list_box_get_row_at_index (list, 1)), "taken"));
  /* What the list says is what the figure shows. */
  g_assert_cmpfloat_with_epsilon (
    ww_session_get_nudge (fixture->session)->change[swaps->map], swaps->words[0].change,
    1e-6 * swaps->words[0].change);
  /* One step back. */
  ww_session_undo (fixture->session);
  g_assert_cmpuint (inputs->direction, ==, WW_DIRECTION_WORST);
  g_assert_cmpstr (inputs->toward_word, ==, "");
  g_assert_false (gtk_widget_has_css_class (GTK_WIDGET (gtk_list_box_get_row_at_index (list, 0)), "taken"));
}

/* The map that ranks is chosen where the words are, and is not that of the direction. */
static void
test_ranked_by (Fixture *fixture, gconstpointer data)
{
  WwPerturbPage *page = get_page (fixture);
  AdwComboRow *map_row = find_widget (page, "map_row");
  GtkLabel *heading = find_widget (page, "heading");
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);

  fixture_finish_nudge (fixture);
  g_object_set (fixture->session, "depth", 2, "width", 64, NULL);
  gtk_switch_set_active (find_widget (page, "swap_switch"), TRUE);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (map_row)));
  g_assert_cmpuint (g_list_model_get_n_items (adw_combo_row_get_model (map_row)), ==, WW_N_MAPS);
  for (guint i = 1; i < WW_N_MAPS; i++)
    {
      g_autofree char *words = NULL;

      adw_combo_row_set_selected (map_row, i);
      WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) == WW_STATE_DONE
                && ww_session_get_swaps (fixture->session)->map == inputs->swap_map);
      words = g_strdup_printf ("ranked by %s", ww_map_get_name ((WwMap) inputs->swap_map));
      g_assert_nonnull (strstr (gtk_label_get_text (heading), words));
    }
  g_assert_cmpuint (inputs->swap_map, ==, WW_MAP_DRF);
  g_assert_cmpuint (inputs->direction_map, ==, WW_MAP_SOFTMAX_RAF);
  g_assert_cmpuint (g_settings_get_uint (fixture->settings, "swap-map"), ==, WW_MAP_DRF);
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
  ADD_TEST ("/perturb/beyond-the-ball", test_beyond_the_ball);
  ADD_TEST ("/perturb/word-of-another-set", test_word_of_another_set);
  ADD_TEST ("/perturb/parts-say-why", test_parts_say_why);
  ADD_TEST ("/perturb/completion", test_completion);
  ADD_TEST ("/perturb/ranked-by", test_ranked_by);
  ADD_TEST ("/perturb/strongest-swaps", test_strongest_swaps);
  ADD_TEST ("/perturb/trained-attention", test_trained);
  ADD_TEST ("/panels/wheel", test_wheel);
  return g_test_run ();
}

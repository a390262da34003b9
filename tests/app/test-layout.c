/* Where things stand: lines that wrap, maps that fill their cards. */
#include "app-fixture.h"

#include "ww-wrap-layout.h"

static int
measure_height (GtkWidget *widget, int width)
{
  int minimum;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &minimum, NULL, NULL, NULL);
  return minimum;
}

/* As narrow as its widest child; in as many lines as the width makes necessary. */
static void
test_wrap (Fixture *fixture, gconstpointer data)
{
  GtkWidget *box = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  GtkWidget *children[3];
  int minimum, natural;

  gtk_widget_set_layout_manager (box, g_object_new (WW_TYPE_WRAP_LAYOUT, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      children[i] = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      gtk_widget_set_size_request (children[i], 100 + 10 * (int) i, 20);
      gtk_box_append (GTK_BOX (box), children[i]);
    }
  gtk_widget_set_halign (children[2], GTK_ALIGN_END);
  gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  g_assert_cmpint (minimum, ==, 120);
  g_assert_cmpint (natural, ==, 100 + 110 + 120 + 2 * 6);
  g_assert_cmpint (measure_height (box, natural), ==, 20);
  g_assert_cmpint (measure_height (box, natural - 1), ==, 2 * 20 + 6);
  g_assert_cmpint (measure_height (box, minimum), ==, 3 * 20 + 2 * 6);
  /* What is not there takes no room. */
  gtk_widget_set_visible (children[1], FALSE);
  g_assert_cmpint (measure_height (box, 230), ==, 20);
  g_object_unref (box);
}

/* The buttons of an empty page stand one below the other, as three of them side by side are wider than a small window
 * in some languages. */
static void
test_empty_pages (Fixture *fixture, gconstpointer data)
{
  gpointer pages[] = { ww_window_get_curves_page (fixture->window), ww_window_get_perturb_page (fixture->window) };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      GtkWidget *box = gtk_widget_get_parent (find_widget (pages[i], "status_rows"));
      int widest = 0, width;

      for (GtkWidget *child = gtk_widget_get_first_child (box); child != NULL; child = gtk_widget_get_next_sibling (child))
        {
          gtk_widget_set_visible (child, TRUE);
          gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
          widest = MAX (widest, width);
        }
      gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
      g_assert_cmpint (width, ==, widest);
    }
}

/* A map is square: a card much taller than wide would be empty for the most part. */
static void
test_maps_fill_their_cards (Fixture *fixture, gconstpointer data)
{
  static const int heights[] = { 440, 640, 760, 1000 };
  WwPerturbPage *page = ww_window_get_perturb_page (fixture->window);
  GtkWidget *bars = find_widget (page, "bars"), *grid = find_widget (page, "grid"), *map;

  fixture_finish_nudge (fixture);
  map = GTK_WIDGET (
    ww_perturb_page_get_heatmap (page, WW_MAP_SOFTMAX_RAF, WW_NUDGE_VIEW_DIFFERENCE));
  WAIT_FOR (gtk_widget_get_mapped (map));
  for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
    {
      graphene_rect_t bounds;

      gtk_widget_allocate (grid, 900, heights[i], -1, NULL);
      g_assert_cmpint (gtk_widget_get_height (map), <=, gtk_widget_get_width (map));
      g_assert_cmpint (gtk_widget_get_height (map), >=, 180);
      /* The bars stand below, to the end of the page. */
      g_assert_true (gtk_widget_compute_bounds (bars, grid, &bounds));
      g_assert_cmpfloat (bounds.origin.y, >, gtk_widget_get_height (map));
      g_assert_cmpfloat (bounds.origin.y + bounds.size.height, >, heights[i] - 12);
    }
  /* In a narrow page one map stands below the other. */
  gtk_widget_allocate (grid, 300, 1400, -1, NULL);
  g_assert_cmpint (gtk_widget_get_width (map), >, 250);
}

/* Numbers that pass under the pointer while a panel scrolls stay as they are. */
static void
check_spared (gpointer root, GType type)
{
  GtkWidget *widget;

  g_assert_nonnull (find_by_type (root, type, 0));
  for (guint n = 0; (widget = find_by_type (root, type, n)) != NULL; n++)
    {
      g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

      for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
        {
          g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

          if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
            g_assert_cmpuint (gtk_event_controller_get_propagation_phase (controller), ==, GTK_PHASE_NONE);
        }
    }
}

static void
test_wheel (Fixture *fixture, gconstpointer data)
{
  check_spared (ww_window_get_curves_page (fixture->window), GTK_TYPE_SPIN_BUTTON);
  check_spared (ww_window_get_perturb_page (fixture->window), GTK_TYPE_SPIN_BUTTON);
  check_spared (ww_window_get_perturb_page (fixture->window), GTK_TYPE_SCALE);
}

/* The label that shows what a row has chosen. */
static GtkLabel *
find_value (AdwComboRow *row)
{
  const char *name = gtk_string_list_get_string (GTK_STRING_LIST (adw_combo_row_get_model (row)),
                                                 adw_combo_row_get_selected (row));
  GtkLabel *label;

  for (guint n = 0; (label = find_by_type (row, GTK_TYPE_LABEL, n)) != NULL; n++)
    if (g_str_equal (gtk_label_get_text (label), name))
      return label;
  return NULL;
}

/* A number that is chosen can be read however long its title is. */
static void
test_values_keep_their_width (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = find_widget (ww_window_get_curves_page (fixture->window), "features_row");
  GtkLabel *label;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 "A title that is much longer than the whole panel beside the figure is wide");
  WAIT_FOR ((label = find_value (row)) != NULL && gtk_widget_get_mapped (GTK_WIDGET (label))
            && gtk_widget_get_width (GTK_WIDGET (label)) > 0);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (label)));
  adw_combo_row_set_selected (row, 1);
  WAIT_FOR ((label = find_value (row)) != NULL && gtk_widget_get_width (GTK_WIDGET (label)) > 0);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (label)));
}

/* With large text, too, the window keeps to the size it is given, and nothing falls out of it at the bottom. */
static void
test_large_text (Fixture *fixture, gconstpointer data)
{
  GtkSettings *settings = gtk_settings_get_default ();
  GtkWidget *content = find_widget (fixture->window, "content");
  g_autofree char *font = NULL;

  g_object_get (settings, "gtk-font-name", &font, NULL);
  fixture_finish_curve (fixture);
  g_object_set (settings, "gtk-font-name", "Cantarell 24", NULL);
  adw_view_switcher_bar_set_reveal (find_widget (fixture->window, "switcher_bar"), TRUE);
  g_assert_cmpint (measure_height (content, 960), <=, 600);
  g_object_set (settings, "gtk-font-name", font, NULL);
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;

  ADD_TEST ("/layout/wrap", test_wrap);
  ADD_TEST ("/layout/empty-pages", test_empty_pages);
  ADD_TEST ("/layout/wheel", test_wheel);
  ADD_TEST ("/layout/values-keep-their-width", test_values_keep_their_width);
  ADD_TEST ("/layout/maps-fill-their-cards", test_maps_fill_their_cards);
  ADD_TEST ("/layout/large-text", test_large_text);
  return g_test_run ();
}

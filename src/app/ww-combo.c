#include "ww-combo.h"

#include "ww-figure-view.h"

/* Longer names end in an ellipsis where the title has no room beside them; at twice the size of text, which the
 * panel does not grow with, half as long ones. */
#define WHOLE_CHARS 22
#define MAX_CHARS 20

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  const char *name = gtk_string_object_get_string (gtk_list_item_get_item (item));
  GtkLabel *label = GTK_LABEL (gtk_list_item_get_child (item));
  int chars = (int) g_utf8_strlen (name, -1);

  gtk_label_set_text (label, name);
  gtk_label_set_width_chars (
    label, MIN (chars, (int) (WHOLE_CHARS / MAX (1.0, ww_widget_get_text_scale (GTK_WIDGET (label))))));
}

/* The list that opens keeps the rows that the library makes, with a sign at the chosen one. */
static void
keep_value (AdwComboRow *row)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  adw_combo_row_set_list_factory (row, adw_combo_row_get_factory (row));
  adw_combo_row_set_factory (row, factory);
}

void
ww_combo_keep_values (GtkWidget *root)
{
  if (ADW_IS_COMBO_ROW (root))
    {
      keep_value (ADW_COMBO_ROW (root));
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    ww_combo_keep_values (child);
}

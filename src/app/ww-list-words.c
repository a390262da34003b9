#include "ww-list-words.h"

#define WORD_KEY "word"

gboolean
ww_list_words_is_empty (GtkListBox *list)
{
  return gtk_list_box_get_row_at_index (list, 0) == NULL;
}

void
ww_list_words_clear (GtkListBox *list)
{
  while (!ww_list_words_is_empty (list))
    gtk_list_box_remove (list, GTK_WIDGET (gtk_list_box_get_row_at_index (list, 0)));
}

const char *
ww_list_words_get_word (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), WORD_KEY);
}

void
ww_list_words_mark (GtkListBox *list, const char *word)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    {
      gboolean is_it = g_strcmp0 (ww_list_words_get_word (row), word) == 0;

      if (is_it)
        gtk_widget_add_css_class (GTK_WIDGET (row), "taken");
      else
        gtk_widget_remove_css_class (GTK_WIDGET (row), "taken");
      gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_SELECTED, is_it, -1);
    }
}

void
ww_list_words_append (GtkListBox *list, const char *word, const char *number, const char *words)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *left = gtk_label_new (word), *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (left), 0);
  gtk_label_set_ellipsize (GTK_LABEL (left), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (left, TRUE);
  gtk_box_append (GTK_BOX (box), left);
  if (number != NULL)
    {
      GtkWidget *right = gtk_label_new (number);

      gtk_widget_add_css_class (right, "numeric");
      gtk_widget_add_css_class (right, "dim-label");
      gtk_box_append (GTK_BOX (box), right);
    }
  gtk_widget_add_css_class (box, "word-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  words != NULL ? words : word, -1);
  g_object_set_data_full (G_OBJECT (row), WORD_KEY, g_strdup (word), g_free);
  gtk_list_box_append (list, row);
}

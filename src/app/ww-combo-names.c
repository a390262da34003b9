#include "ww-combo-names.h"

static gboolean
has_names (AdwComboRow *row, GtkStringList *names)
{
  GListModel *model = adw_combo_row_get_model (row);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (names));

  if (!GTK_IS_STRING_LIST (model) || g_list_model_get_n_items (model) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), i),
                      gtk_string_list_get_string (names, i)))
      return FALSE;

  return TRUE;
}

void
ww_combo_set_names (AdwComboRow *row, GtkStringList *names)
{
  g_return_if_fail (ADW_IS_COMBO_ROW (row));

  if (!has_names (row, names))
    adw_combo_row_set_model (row, G_LIST_MODEL (names));
}

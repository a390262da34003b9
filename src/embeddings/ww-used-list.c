/* Where the words of a set came from, in files of their own: a list, or those of a tokeniser. */
#include <glib/gi18n-lib.h>

#include "ww-set-private.h"

void
ww_used_list_clear (WwUsedList *list)
{
  g_clear_pointer (&list->name, g_free);
  g_clear_pointer (&list->column, g_free);
  g_clear_pointer (&list->source, ww_source_unref);
}

void
ww_set_take_list (WwSet *self, WwUsedList *list)
{
  g_autoptr (GPtrArray) sources = NULL;
  g_autofree char *shown = NULL, *name = NULL;

  if (list->source == NULL)
    return;

  sources = g_ptr_array_new_with_free_func ((GDestroyNotify) ww_source_unref);
  g_ptr_array_add (sources, g_steal_pointer (&list->source));
  shown = g_filename_display_name (list->name);
  name = list->column != NULL ? g_strdup_printf ("%s, column %s", shown, list->column) : g_strdup (shown);
  ww_set_set_list (self, name, sources);
  if (list->guessed)
    ww_set_add_warning (self, _("The words are in the column “%s” of %s (another one: --column on the command line)"),
                        list->column, list->name);
}

void
ww_set_take_tokeniser_files (WwSet *self, GPtrArray *files)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (files == NULL)
    return;

  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *name = g_path_get_basename (ww_source_get_name (g_ptr_array_index (files, i)));

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
    }
  ww_set_set_list (self, names->str, files);
  g_ptr_array_unref (files);
}

#include "ww-folder-names.h"

#include <string.h>

#define MAX_LOOKED_AT 10000
#define MAX_SHOWN 8

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
ww_folder_list_names (GFile *folder, GFileType type, gboolean (*matches) (const char *name))
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GFileEnumerator) files =
    g_file_enumerate_children (folder, G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                               G_FILE_QUERY_INFO_NONE, NULL, NULL);
  GFileInfo *info;

  for (guint i = 0; files != NULL && i < MAX_LOOKED_AT; i++)
    {
      if (!g_file_enumerator_iterate (files, &info, NULL, NULL, NULL) || info == NULL)
        break;
      if (g_file_info_get_file_type (info) == type && matches (g_file_info_get_name (info)))
        g_ptr_array_add (names, g_strdup (g_file_info_get_name (info)));
    }

  g_ptr_array_sort (names, compare_names);
  return names;
}

char *
ww_folder_show_names (const GPtrArray *names)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < MIN (names->len, MAX_SHOWN); i++)
    {
      g_autofree char *shown = g_filename_display_name (g_ptr_array_index (names, i));

      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", shown);
    }
  if (names->len > MAX_SHOWN)
    g_string_append (list, ", ...");
  return g_string_free (list, FALSE);
}

char *
ww_name_replace_ending (const char *name, const char *ending)
{
  const char *dot = strrchr (name, '.');
  gsize stem = dot != NULL && dot > name ? (gsize) (dot - name) : strlen (name);

  return g_strdup_printf ("%.*s%s", (int) stem, name, ending);
}

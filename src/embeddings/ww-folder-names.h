/* The names of what is in a folder. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Names in `folder` of files of this type (regular, or folders) that `matches`, sorted; none where it cannot be read.
 * Of a folder with more than 10,000 entries, not all are looked at. (char *) */
GPtrArray *ww_folder_list_names (GFile *folder, GFileType type, gboolean (*matches) (const char *name));
/* The first of them for a message: "a.txt, b.txt, ...". */
char *ww_folder_show_names (const GPtrArray *names);
/* What lies beside a file by its name: "a.npy" gives "a.words.txt" for ".words.txt". */
char *ww_name_replace_ending (const char *name, const char *ending);

G_END_DECLS

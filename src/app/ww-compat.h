/* What newer versions of GTK and libadwaita deprecate and Debian 12 needs, in one place. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef enum
{
  WW_CHOOSER_OPEN_SET,
  WW_CHOOSER_OPEN_FOLDER, /* a checkpoint is a folder */
  WW_CHOOSER_OPEN_TEXT,
  WW_CHOOSER_OPEN_WORDS, /* the list of the words of the rows of a set */
  WW_CHOOSER_SAVE,
} WwChooserPurpose;

/* `file` is NULL where the user thought better of it; called once. */
typedef void (*WwChooserFunc) (GFile *file, gpointer user_data);

/* `suggested_name` is for saving, `folder` is where it begins; both may be NULL. The chooser closes with
 * `parent`. */
void ww_compat_choose_file (GtkWindow       *parent,
                            WwChooserPurpose purpose,
                            const char      *suggested_name,
                            GFile           *folder,
                            WwChooserFunc    callback,
                            gpointer         user_data);

void ww_compat_show_about (GtkWindow *parent);

/* A wheel that scrolls a panel must not change the number that passes under the pointer: takes it
 * from every spin button and slider below `root`. Newer versions of GTK ask for the focus first. */
void ww_compat_spare_from_wheel (GtkWidget *root);

G_END_DECLS

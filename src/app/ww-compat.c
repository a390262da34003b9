#include "ww-compat.h"

#include <glib/gi18n.h>

typedef struct
{
  WwChooserFunc callback;
  gpointer user_data;
} Choice;

static void
on_response (GtkNativeDialog *dialog, int response, Choice *choice)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  choice->callback (file, choice->user_data);
  g_free (choice);
  g_object_unref (dialog);
}

/* Nobody is left who would take the answer. */
static void
on_parent_closed (GtkNativeDialog *dialog)
{
  gtk_native_dialog_hide (dialog);
  g_signal_emit_by_name (dialog, "response", GTK_RESPONSE_CANCEL);
}

static const char *
get_title (WwChooserPurpose purpose)
{
  switch (purpose)
    {
    case WW_CHOOSER_OPEN_SET:
      return _ ("Open an Embedding Set");
    case WW_CHOOSER_OPEN_FOLDER:
      return _ ("Open a Checkpoint Folder");
    case WW_CHOOSER_OPEN_TEXT:
      return _ ("Open a Text");
    case WW_CHOOSER_OPEN_WORDS:
      return _ ("Choose a List of Words");
    case WW_CHOOSER_SAVE:
      return _ ("Export");
    default:
      g_return_val_if_reached ("");
    }
}

static void
add_filter (GtkFileChooser *chooser, const char *name, const char *const *patterns)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  for (gsize i = 0; patterns[i] != NULL; i++)
    gtk_file_filter_add_pattern (filter, patterns[i]);
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
add_filters (GtkFileChooser *chooser, WwChooserPurpose purpose)
{
  static const char *const sets[]
    = { "*.txt", "*.vec", "*.bin", "*.npy", "*.npz", "*.safetensors", "*.gguf", "*.json", "*.tsv", "*.bytes",
        "*.gz",  "*.xz",  "*.zst", "*.bz2", "*.zip", NULL };
  static const char *const texts[] = { "*.txt", "*.md", NULL };
  static const char *const words[] = { "*.txt", "*.tsv", "*.json", "*.npy", NULL };
  static const char *const all[] = { "*", NULL };

  if (purpose == WW_CHOOSER_OPEN_SET)
    add_filter (chooser, _ ("Embedding sets"), sets);
  else if (purpose == WW_CHOOSER_OPEN_TEXT)
    add_filter (chooser, _ ("Texts"), texts);
  else if (purpose == WW_CHOOSER_OPEN_WORDS)
    add_filter (chooser, _ ("Lists of words"), words);
  else
    return;
  add_filter (chooser, _ ("All files"), all);
}

void
ww_compat_choose_file (GtkWindow       *parent,
                       WwChooserPurpose purpose,
                       const char      *suggested_name,
                       GFile           *folder,
                       WwChooserFunc    callback,
                       gpointer         user_data)
{
  GtkFileChooserAction action = purpose == WW_CHOOSER_SAVE ? GTK_FILE_CHOOSER_ACTION_SAVE
                                : purpose == WW_CHOOSER_OPEN_FOLDER
                                  ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                  : GTK_FILE_CHOOSER_ACTION_OPEN;
  GtkFileChooserNative *native;
  Choice *choice;

  g_return_if_fail (callback != NULL);

  native = gtk_file_chooser_native_new (get_title (purpose), parent, action,
                                        purpose == WW_CHOOSER_SAVE ? _ ("_Save") : _ ("_Open"),
                                        _ ("_Cancel"));
  choice = g_new (Choice, 1);
  choice->callback = callback;
  choice->user_data = user_data;
  add_filters (GTK_FILE_CHOOSER (native), purpose);
  if (suggested_name != NULL)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (native), suggested_name);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (native), folder, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  g_signal_connect (native, "response", G_CALLBACK (on_response), choice);
  g_signal_connect_object (parent, "unrealize", G_CALLBACK (on_parent_closed), native,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

void
ww_compat_show_about (GtkWindow *parent)
{
  const char *const developers[] = { _ ("The Wordsway authors"), NULL };

  adw_show_about_window (
    parent, "application-name", "Wordsway", "application-icon", "org.wordsway.Wordsway", "version",
    WW_VERSION, "developer-name", _ ("The Wordsway authors"), "developers", developers,
    "license-type", GTK_LICENSE_MIT_X11, "comments",
    _ ("How far the features of a text move when one of its words is nudged: word sensitivity, "
       "after Bombari and Mondelli, “Towards Understanding the Word Sensitivity of Attention "
       "Layers: A Study via Random Features” (ICML 2024)."),
    /* Translators: your names, one per line. */
    "translator-credits", _ ("translator-credits"), NULL);
}

/* ---- The wheel ---- */

static void
spare (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
    }
}

void
ww_compat_spare_from_wheel (GtkWidget *root)
{
  if (GTK_IS_SPIN_BUTTON (root) || GTK_IS_SCALE (root))
    spare (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    ww_compat_spare_from_wheel (child);
}

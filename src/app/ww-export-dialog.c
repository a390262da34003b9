#include "ww-export-dialog.h"

#include <glib/gi18n.h>

#include "ww-compat.h"
#include "ww-scene-preview.h"

struct _WwExportDialog
{
  AdwWindow parent_instance;

  WwScenePreview *preview;
  AdwComboRow *part_row, *format_row, *style_row;
  GtkScrolledWindow *scroller;
  GtkWidget *save_button, *size_row, *dpi_row;
  GtkSpinButton *width_spin, *height_spin, *dpi_spin;

  WwExportSourceFunc get_source;
  WwExportSource *source;
  GSettings *settings;
  WwExportFunc callback;
  gpointer user_data;
};

G_DEFINE_FINAL_TYPE (WwExportDialog, ww_export_dialog, ADW_TYPE_WINDOW)

static void
report_back (WwExportDialog *self, const char *title, const char *details)
{
  WwExportFunc callback = self->callback;

  self->callback = NULL;
  if (callback != NULL)
    callback (title, details, self->user_data);
}

/* ---- What is asked for ---- */

static const char *
get_style_name (WwExportDialog *self)
{
  const char *const *names = ww_plot_style_get_names ();
  guint selected = adw_combo_row_get_selected (self->style_row);

  for (guint i = 0; names[i] != NULL; i++)
    if (i == selected)
      return names[i];
  return names[0];
}

void
ww_export_dialog_get_options (WwExportDialog  *self,
                              WwExportPart    *ret_part,
                              WwReportOptions *ret_options)
{
  g_return_if_fail (WW_IS_EXPORT_DIALOG (self));

  ww_report_options_init (ret_options,
                          (WwReportFormat) adw_combo_row_get_selected (self->format_row));
  ret_options->width_cm = gtk_spin_button_get_value (self->width_spin);
  ret_options->height_cm = gtk_spin_button_get_value (self->height_spin);
  ret_options->dpi = gtk_spin_button_get_value (self->dpi_spin);
  ww_plot_style_from_name (get_style_name (self), &ret_options->style);
  *ret_part = ww_export_source_is_nudge (self->source)
                ? (WwExportPart) adw_combo_row_get_selected (self->part_row)
                : WW_EXPORT_PAGE;
}

static void
update_preview (WwExportDialog *self)
{
  g_autoptr (WwScene) scene = NULL;
  WwReportOptions options;
  WwExportPart part;

  if (self->source == NULL)
    return;
  ww_export_dialog_get_options (self, &part, &options);
  scene = ww_export_source_get_scene (self->source, part, options.width_cm, options.height_cm,
                                      &options.style);
  ww_scene_preview_set_scene (self->preview, scene, options.style.background);
}

/* As high as what it shows, and from its top: rows come and go with the format. */
static void
fit_height (WwExportDialog *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), width, -1);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
}

static void
update_rows (WwExportDialog *self)
{
  WwReportFormat format = (WwReportFormat) adw_combo_row_get_selected (self->format_row);
  gboolean figure = format != WW_REPORT_CSV && format != WW_REPORT_JSON;

  gtk_widget_set_visible (self->dpi_row, format == WW_REPORT_PNG);
  gtk_widget_set_visible (self->size_row, figure);
  gtk_widget_set_visible (GTK_WIDGET (self->style_row), figure);
  gtk_widget_set_visible (GTK_WIDGET (self->preview), figure);
  /* The data of a part is the data of the page. */
  gtk_widget_set_visible (GTK_WIDGET (self->part_row),
                          figure && self->source != NULL
                            && ww_export_source_is_nudge (self->source));
  fit_height (self);
}

static void
on_part_changed (WwExportDialog *self)
{
  double width, height;

  if (self->source == NULL)
    return;
  ww_export_source_get_default_size (
    self->source, (WwExportPart) adw_combo_row_get_selected (self->part_row), &width, &height);
  gtk_spin_button_set_value (self->width_spin, width);
  gtk_spin_button_set_value (self->height_spin, height);
  update_preview (self);
}

/* ---- Remembering ---- */

static void
fill_styles (WwExportDialog *self)
{
  const char *const *names = ww_plot_style_get_names ();
  g_autoptr (GtkStringList) styles = gtk_string_list_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    gtk_string_list_append (styles, g_str_equal (names[i], "default") ? _ ("Paper")
                                    : g_str_equal (names[i], "dark")  ? _ ("Dark")
                                    : g_str_equal (names[i], "large") ? _ ("Large, for a projector")
                                                                      : names[i]);
  adw_combo_row_set_model (self->style_row, G_LIST_MODEL (styles));
}

static void
restore_choices (WwExportDialog *self)
{
  g_autofree char *style = g_settings_get_string (self->settings, "export-style");
  const char *const *names = ww_plot_style_get_names ();

  adw_combo_row_set_selected (self->format_row,
                              g_settings_get_uint (self->settings, "export-format"));
  gtk_spin_button_set_value (self->dpi_spin, g_settings_get_double (self->settings, "export-dpi"));
  for (guint i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], style))
      adw_combo_row_set_selected (self->style_row, i);
  if (ww_export_source_is_nudge (self->source))
    return;
  gtk_spin_button_set_value (self->width_spin,
                             g_settings_get_double (self->settings, "export-width"));
  gtk_spin_button_set_value (self->height_spin,
                             g_settings_get_double (self->settings, "export-height"));
}

static void
remember_choices (WwExportDialog *self, const WwReportOptions *options)
{
  if (self->settings == NULL)
    return;
  g_settings_set_uint (self->settings, "export-format", options->format);
  g_settings_set_double (self->settings, "export-dpi", options->dpi);
  g_settings_set_string (self->settings, "export-style", get_style_name (self));
  if (ww_export_source_is_nudge (self->source))
    return;
  g_settings_set_double (self->settings, "export-width", options->width_cm);
  g_settings_set_double (self->settings, "export-height", options->height_cm);
}

/* ---- Writing ---- */

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (WwExportDialog) self = user_data;
  g_autoptr (GError) error = NULL;

  if (ww_export_source_write_finish (result, &error))
    report_back (self, _ ("Exported"), NULL);
  else
    report_back (self, _ ("The figure could not be exported"), error->message);
  gtk_window_destroy (GTK_WINDOW (self));
}

void
ww_export_dialog_refresh (WwExportDialog *self)
{
  g_autoptr (WwExportSource) source = NULL;

  g_return_if_fail (WW_IS_EXPORT_DIALOG (self));

  /* What was there last stays where the figure is gone, or the other page has come in front. */
  source = self->get_source (gtk_window_get_transient_for (GTK_WINDOW (self)));
  if (source == NULL || !gtk_widget_get_sensitive (GTK_WIDGET (self))
      || ww_export_source_is_nudge (source) != ww_export_source_is_nudge (self->source))
    return;
  ww_export_source_unref (self->source);
  self->source = g_steal_pointer (&source);
  update_preview (self);
}

static void
write_to (WwExportDialog *self, const char *path)
{
  WwReportOptions options;
  WwExportPart part;

  ww_export_dialog_refresh (self);
  ww_export_dialog_get_options (self, &part, &options);
  remember_choices (self, &options);
  gtk_widget_set_sensitive (GTK_WIDGET (self), FALSE);
  ww_export_source_write_async (self->source, part, path, &options, NULL, on_written,
                                g_object_ref (self));
}

typedef struct
{
  WwExportDialog *dialog;
  char *path;
} Replacing;

static void
on_replace_response (GtkWidget *question, const char *response, Replacing *replacing)
{
  if (g_str_equal (response, "replace"))
    write_to (replacing->dialog, replacing->path);
  g_object_unref (replacing->dialog);
  g_free (replacing->path);
  g_free (replacing);
}

/* The file chooser has asked about the name that was typed, not about the one with its ending. */
static void
ask_to_replace (WwExportDialog *self, const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  GtkWidget *question = adw_message_dialog_new (GTK_WINDOW (self), _ ("Replace File?"), NULL);
  Replacing *replacing = g_new (Replacing, 1);

  /* Translators: %s is the name of a file. */
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (question), _ ("“%s” exists already."), name);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (question), "cancel", _ ("_Cancel"), "replace",
                                    _ ("_Replace"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (question), "replace",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (question), "cancel");
  replacing->dialog = g_object_ref (self);
  replacing->path = g_strdup (path);
  g_signal_connect (question, "response", G_CALLBACK (on_replace_response), replacing);
  gtk_window_present (GTK_WINDOW (question));
}

void
ww_export_dialog_save_to (WwExportDialog *self, GFile *file)
{
  g_autofree char *typed = g_file_get_path (file);
  g_autofree char *path = NULL;
  WwReportFormat format;

  g_return_if_fail (WW_IS_EXPORT_DIALOG (self));

  if (typed == NULL)
    {
      report_back (self, _ ("The figure could not be exported"),
                   _ ("This place is not a folder of this computer."));
      gtk_window_destroy (GTK_WINDOW (self));
      return;
    }
  format = (WwReportFormat) adw_combo_row_get_selected (self->format_row);
  path = ww_report_settle_path (typed, &format);
  adw_combo_row_set_selected (self->format_row, format);
  if (!g_str_equal (path, typed) && g_file_test (path, G_FILE_TEST_EXISTS))
    ask_to_replace (self, path);
  else
    write_to (self, path);
}

static void
on_file_chosen (GFile *file, gpointer user_data)
{
  g_autoptr (WwExportDialog) self = user_data;

  if (file != NULL)
    ww_export_dialog_save_to (self, file);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WwExportDialog *self = WW_EXPORT_DIALOG (widget);
  g_autofree char *suggested = ww_export_source_suggest_name (
    self->source, (WwReportFormat) adw_combo_row_get_selected (self->format_row));

  ww_compat_choose_file (GTK_WINDOW (self), WW_CHOOSER_SAVE, suggested, NULL, on_file_chosen,
                         g_object_ref (self));
}

/* ---- The object ---- */

WwExportDialog *
ww_export_dialog_new (GtkWindow         *parent,
                      WwExportSourceFunc get_source,
                      GSettings         *settings,
                      WwExportFunc       callback,
                      gpointer           user_data)
{
  g_autoptr (WwExportSource) source = get_source (parent);
  WwExportDialog *self;

  if (source == NULL)
    return NULL;
  self = g_object_new (WW_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  self->get_source = get_source;
  self->source = g_steal_pointer (&source);
  self->callback = callback;
  self->user_data = user_data;
  on_part_changed (self);
  if (settings != NULL)
    {
      self->settings = g_object_ref (settings);
      restore_choices (self);
    }
  update_rows (self);
  update_preview (self);
  /* Return exports; the first widget, which would have the focus, cancels. */
  gtk_window_set_focus (GTK_WINDOW (self), self->save_button);
  return self;
}

static void
ww_export_dialog_dispose (GObject *object)
{
  WwExportDialog *self = WW_EXPORT_DIALOG (object);

  report_back (self, NULL, NULL);
  G_OBJECT_CLASS (ww_export_dialog_parent_class)->dispose (object);
}

static void
ww_export_dialog_finalize (GObject *object)
{
  WwExportDialog *self = WW_EXPORT_DIALOG (object);

  g_clear_pointer (&self->source, ww_export_source_unref);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (ww_export_dialog_parent_class)->finalize (object);
}

static void
ww_export_dialog_class_init (WwExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ww_export_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = ww_export_dialog_finalize;
  g_type_ensure (WW_TYPE_SCENE_PREVIEW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/wordsway/Wordsway/ui/ww-export-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, preview);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, part_row);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, format_row);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, style_row);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, save_button);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, scroller);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, size_row);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, dpi_row);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, width_spin);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, height_spin);
  gtk_widget_class_bind_template_child (widget_class, WwExportDialog, dpi_spin);
  gtk_widget_class_install_action (widget_class, "export.save", NULL, save);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
ww_export_dialog_init (WwExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_styles (self);
  g_signal_connect_swapped (self->part_row, "notify::selected", G_CALLBACK (on_part_changed),
                            self);
  g_signal_connect_swapped (self->format_row, "notify::selected", G_CALLBACK (update_rows), self);
  g_signal_connect_swapped (self->style_row, "notify::selected", G_CALLBACK (update_preview),
                            self);
  g_signal_connect_swapped (self->width_spin, "value-changed", G_CALLBACK (update_preview), self);
  g_signal_connect_swapped (self->height_spin, "value-changed", G_CALLBACK (update_preview), self);
}

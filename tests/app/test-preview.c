/* Files that need a choice, and files whose choice can be changed. */
#include "app-fixture.h"

#include <string.h>

#include "ww-preview-dialog.h"

static WwPreviewDialog *
find_preview (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (windows, i);

      if (WW_IS_PREVIEW_DIALOG (window))
        return WW_PREVIEW_DIALOG (window);
    }
  return NULL;
}

static void
open_file (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ww_window_open_file (fixture->window, file);
}

/* One float32 tensor after another, each 3 x 2. */
static char *
write_tensors (Fixture *fixture, const char *const *names)
{
  GString *header = g_string_new ("{");
  g_autofree char *path = g_build_filename (fixture->folder, "some.safetensors", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint n = 0;

  for (; names[n] != NULL; n++)
    g_string_append_printf (header,
                            "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[%u,%u]}",
                            n > 0 ? "," : "", names[n], 24 * n, 24 * n + 24);
  g_string_append_c (header, '}');
  while (header->len % 8 != 0)
    g_string_append_c (header, ' ');
  {
    guint64 length = GUINT64_TO_LE ((guint64) header->len);

    g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  }
  g_byte_array_append (bytes, (const guint8 *) header->str, (guint) header->len);
  for (guint i = 0; i < 6 * n; i++)
    {
      float value = (float) (i + 1) / 4;

      g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
    }
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  g_string_free (header, TRUE);
  return g_steal_pointer (&path);
}

static void
test_choice (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *path = write_tensors (fixture, names);
  g_autofree char *member = NULL;
  WwPreviewDialog *dialog;
  GtkWidget *open;

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  WAIT_FOR (find_preview () != NULL);
  dialog = find_preview ();
  open = find_widget (dialog, "open_button");
  /* The old set stays meanwhile. */
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 384);
  g_assert_true (gtk_widget_get_visible (find_widget (dialog, "member_row")));

  adw_combo_row_set_selected (find_widget (dialog, "member_row"), 1);
  WAIT_FOR (gtk_widget_get_sensitive (open));
  g_signal_emit_by_name (open, "clicked");
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 2);
  WAIT_FOR (find_preview () == NULL);
  member = g_settings_get_string (fixture->settings, "set-member");
  g_assert_nonnull (strstr (member, "beta"));
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *path = write_tensors (fixture, names);

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  WAIT_FOR (find_preview () != NULL);
  gtk_window_close (GTK_WINDOW (find_preview ()));
  WAIT_FOR (find_preview () == NULL);
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 384);
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);
}

static void
test_afterwards (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path
    = fixture_write_file (fixture, "words.vec", "red 1 0 0.5\ngreen 0 1 0\nblue 0.25 0 1\n");
  WwPreviewDialog *dialog;

  fixture_finish_curve (fixture);
  ww_session_set_text (fixture->session, "red green blue red");
  open_file (fixture, path);
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 3);
  g_assert_null (find_preview ());

  /* The controls are those that such a set has a use for. */
  g_assert_true (gtk_widget_get_visible (find_widget (fixture->window, "text_group")));
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_ancestor (
    find_widget (fixture->window, "special_switch"), ADW_TYPE_ACTION_ROW)));

  ww_window_preview_set (fixture->window);
  WAIT_FOR (find_preview () != NULL);
  dialog = find_preview ();
  g_assert_nonnull (gtk_grid_get_child_at (find_widget (dialog, "rows"), 1, 2));
  g_assert_cmpstr (
    gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (find_widget (dialog, "rows"), 0, 2))), ==,
    "blue");
  g_assert_true (gtk_widget_get_sensitive (find_widget (dialog, "open_button")));
  gtk_window_close (GTK_WINDOW (dialog));
  WAIT_FOR (find_preview () == NULL);
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;

  ADD_TEST ("/preview/choice", test_choice);
  ADD_TEST ("/preview/cancel", test_cancel);
  ADD_TEST ("/preview/afterwards", test_afterwards);
  return g_test_run ();
}

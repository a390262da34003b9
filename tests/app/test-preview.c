/* Files that need a choice, and files whose choice can be changed. */
#include "app-fixture.h"

#include <string.h>

static void
open_file (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ww_window_open_file (fixture->window, file);
}

static char *
get_data_path (const char *name)
{
  return g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", name, NULL);
}

/* A table of three words, of which a preview guesses what its lines hold. */
static char *
write_words (Fixture *fixture)
{
  return fixture_write_file (fixture, "words.vec", "red 1 0 0.5\ngreen 0 1 0\nblue 0.25 0 1\n");
}

/* The dialog, once it has looked into the file. */
static WwPreviewDialog *
wait_for_preview (void)
{
  WAIT_FOR (fixture_find_preview () != NULL
            && ww_preview_dialog_get_state (fixture_find_preview ()) != WW_STATE_LOADING);
  return fixture_find_preview ();
}

static void
wait_for_look (WwPreviewDialog *dialog)
{
  g_assert_cmpuint (ww_preview_dialog_get_state (dialog), ==, WW_STATE_LOADING);
  WAIT_FOR (ww_preview_dialog_get_state (dialog) != WW_STATE_LOADING);
}

static gboolean
is_shown (gpointer root, const char *id)
{
  return gtk_widget_get_visible (find_widget (root, id));
}

static const char *
get_guess (WwPreviewDialog *dialog)
{
  return adw_preferences_group_get_description (find_widget (dialog, "guess_group"));
}

static const char *
get_subtitle (gpointer root, const char *id)
{
  return adw_action_row_get_subtitle (find_widget (root, id));
}

static void
cancel_preview (void)
{
  gtk_window_close (GTK_WINDOW (fixture_find_preview ()));
  WAIT_FOR (fixture_find_preview () == NULL);
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

/* The first of several is shown, as no more than a suggestion. */
static void
test_choice (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *path = write_tensors (fixture, names);
  g_autofree char *member = NULL;
  WwPreviewDialog *dialog;

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  dialog = wait_for_preview ();
  /* The old set stays meanwhile. */
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 384);
  g_assert_true (is_shown (dialog, "member_row"));
  g_assert_nonnull (strstr (get_guess (dialog), "Nothing tells which of 2"));
  g_assert_null (strstr (get_guess (dialog), "You chose"));

  adw_combo_row_set_selected (find_widget (dialog, "member_row"), 1);
  wait_for_look (dialog);
  g_assert_nonnull (strstr (get_guess (dialog), "You chose"));
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 2);
  member = g_settings_get_string (fixture->settings, "set-member");
  g_assert_nonnull (strstr (member, "beta"));
}

static void
test_suggestion (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *path = write_tensors (fixture, names);
  g_autofree char *member = NULL;

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 2);
  member = g_settings_get_string (fixture->settings, "set-member");
  g_assert_cmpstr (member, ==, "alpha");
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *path = write_tensors (fixture, names);

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  wait_for_preview ();
  cancel_preview ();
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 384);
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);
}

/* Text says of itself neither where its words end nor what its numbers are. */
static void
test_before (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_words (fixture);
  WwPreviewDialog *dialog;

  fixture_finish_curve (fixture);
  ww_session_set_text (fixture->session, "red green blue red");
  open_file (fixture, path);
  dialog = wait_for_preview ();
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 384);
  g_assert_nonnull (strstr (get_guess (dialog), "a word and 3 numbers"));
  g_assert_cmpstr (get_subtitle (dialog, "format_row"), ==, "GloVe text");
  g_assert_cmpstr (
    gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (find_widget (dialog, "rows"), 0, 2))), ==,
    "blue");
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 3);
}

/* The same can be seen, and changed, once the set is open. */
static void
test_afterwards (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_words (fixture);
  WwPreviewDialog *dialog;

  fixture_finish_curve (fixture);
  /* Of the sample there is nothing to choose. */
  g_assert_false (is_shown (fixture->window, "preview_button"));
  open_file (fixture, path);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 3);

  /* The controls are those that such a set has a use for. */
  g_assert_true (is_shown (fixture->window, "text_group"));
  g_assert_false (gtk_widget_get_visible (gtk_widget_get_ancestor (
    find_widget (fixture->window, "special_switch"), ADW_TYPE_ACTION_ROW)));
  g_assert_true (is_shown (fixture->window, "preview_button"));

  fixture_activate (fixture, "win.preview-set");
  dialog = wait_for_preview ();
  g_assert_nonnull (gtk_grid_get_child_at (find_widget (dialog, "rows"), 1, 2));
  g_assert_true (gtk_widget_get_sensitive (find_widget (dialog, "open_button")));
  cancel_preview ();
}

/* What leaves no doubt costs no question, except where every file is to be shown. */
static void
test_no_doubt (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_data_path ("table-i4.npy");

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 8);
  g_assert_null (fixture_find_preview ());

  fixture_activate (fixture, "win.open-sample");
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 384);
  g_settings_set_boolean (fixture->settings, "always-preview", TRUE);
  open_file (fixture, path);
  g_assert_true (gtk_check_button_get_active (find_widget (wait_for_preview (), "always_check")));
  cancel_preview ();
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 384);
}

/* ---- Several contexts in one array ---- */

static void
test_texts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_data_path ("context-3d.npy");
  g_autofree char *member = NULL;
  GtkSpinButton *spin = find_widget (fixture->window, "text_spin");
  WwPreviewDialog *dialog;

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  dialog = wait_for_preview ();
  g_assert_true (is_shown (dialog, "text_row"));
  g_assert_nonnull (strstr (get_guess (dialog), "text 1 of 2"));
  gtk_spin_button_set_value (find_widget (dialog, "text_spin"), 2);
  wait_for_look (dialog);
  g_assert_nonnull (strstr (get_guess (dialog), "text 2 of 2"));
  fixture_confirm_preview ();

  WAIT_FOR (ww_set_get_n_texts (ww_session_get_set (fixture->session)) == 2);
  g_assert_cmpuint (ww_set_get_text (ww_session_get_set (fixture->session)), ==, 1);
  g_assert_true (is_shown (fixture->window, "text_row"));
  g_assert_cmpfloat (gtk_spin_button_get_value (spin), ==, 2);
  gtk_spin_button_set_value (spin, 1);
  WAIT_FOR (ww_set_get_text (ww_session_get_set (fixture->session)) == 0);
  member = g_settings_get_string (fixture->settings, "set-member");
  g_assert_cmpstr (member, ==, "1");

  fixture_activate (fixture, "win.undo");
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 384);
  g_assert_false (is_shown (fixture->window, "text_row"));
  fixture_activate (fixture, "win.redo");
  g_assert_cmpfloat (gtk_spin_button_get_value (spin), ==, 1);
}

/* The mask and the words of an archive are what they are, not something to open. */
static void
test_archive (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_data_path ("contexts-masked.npz");
  g_autofree char *member = NULL;
  WwPreviewDialog *dialog;

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  dialog = wait_for_preview ();
  g_assert_false (is_shown (dialog, "member_row"));
  g_assert_nonnull (strstr (get_subtitle (dialog, "others_row"), "used as the mask"));
  g_assert_nonnull (strstr (get_subtitle (dialog, "others_row"), "used as the words"));
  gtk_spin_button_set_value (find_widget (dialog, "text_spin"), 2);
  wait_for_look (dialog);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_n_entries (ww_session_get_set (fixture->session)) == 4);
  member = g_settings_get_string (fixture->settings, "set-member");
  g_assert_cmpstr (member, ==, "2");

  gtk_spin_button_set_value (find_widget (fixture->window, "text_spin"), 1);
  WAIT_FOR (ww_set_get_n_entries (ww_session_get_set (fixture->session)) == 6);
}

/* ---- Lists of words ---- */

static void
test_two_lists (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "metadata-a.tsv", "metadata-b.tsv" };
  g_autofree char *path = fixture_write_file (fixture, "projected.tsv", "1.5\t2.5\n3.5\t4.5\n0.5\t0.25\n");
  g_autofree char *words_uri = NULL;
  WwPreviewDialog *dialog;

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    g_free (fixture_write_file (fixture, names[i], i == 0 ? "one\ntwo\nthree\n" : "red\ngreen\nblue\n"));
  fixture_finish_curve (fixture);
  ww_session_set_text (fixture->session, "red green blue");
  open_file (fixture, path);
  dialog = wait_for_preview ();
  g_assert_true (is_shown (dialog, "list_row"));
  g_assert_nonnull (strstr (get_subtitle (dialog, "words_row"), "metadata-a.tsv"));
  adw_combo_row_set_selected (find_widget (dialog, "list_row"), 1);
  wait_for_look (dialog);
  g_assert_nonnull (strstr (get_subtitle (dialog, "words_row"), "metadata-b.tsv"));
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 2);
  WAIT_FOR (ww_session_get_tokens (fixture->session) != NULL);
  g_assert_cmpuint (ww_session_get_tokens (fixture->session)->n, ==, 3);
  g_assert_false (ww_session_get_tokens (fixture->session)->tokens[0].unknown);
  words_uri = g_settings_get_string (fixture->settings, "set-words-uri");
  g_assert_true (g_str_has_suffix (words_uri, "metadata-b.tsv"));
}

/* Rows with a list beside them may be meant as a ready context all the same. */
static void
test_without_words (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_data_path ("table-f4.npy");
  WwPreviewDialog *dialog;
  AdwComboRow *lists;
  guint none;

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  dialog = wait_for_preview ();
  lists = find_widget (dialog, "list_row");
  g_assert_cmpuint (adw_combo_row_get_selected (lists), ==, 0);
  none = g_list_model_get_n_items (adw_combo_row_get_model (lists)) - 1;
  adw_combo_row_set_selected (lists, none);
  wait_for_look (dialog);
  g_assert_cmpuint (adw_combo_row_get_selected (lists), ==, none);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 8);
  g_assert_cmpuint (ww_set_get_kind (ww_session_get_set (fixture->session)), ==,
                    WW_SET_KIND_CONTEXT);
  g_assert_true (g_settings_get_boolean (fixture->settings, "set-without-words"));
}

/* Of several sets in a folder one is chosen, and then what is in it. */
static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *array = get_data_path ("context-3d.npy");
  g_autofree char *copy = g_build_filename (fixture->folder, "texts.npy", NULL);
  g_autofree char *bytes = NULL, *uri = NULL;
  WwPreviewDialog *dialog;
  gsize length;

  g_free (fixture_write_file (fixture, "a.vec", "red 1 0 0.5\ngreen 0 1 0\nblue 0.25 0 1\n"));
  g_assert_true (g_file_get_contents (array, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (copy, bytes, (gssize) length, NULL));
  fixture_finish_curve (fixture);
  open_file (fixture, fixture->folder);
  dialog = wait_for_preview ();
  g_assert_true (is_shown (dialog, "member_row"));
  adw_combo_row_set_selected (find_widget (dialog, "member_row"), 1);
  wait_for_look (dialog);
  g_assert_true (is_shown (dialog, "text_row"));
  gtk_spin_button_set_value (find_widget (dialog, "text_spin"), 2);
  wait_for_look (dialog);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_n_texts (ww_session_get_set (fixture->session)) == 2);
  g_assert_cmpuint (ww_set_get_text (ww_session_get_set (fixture->session)), ==, 1);
  uri = g_settings_get_string (fixture->settings, "set-uri");
  g_assert_true (g_str_has_suffix (uri, "/texts.npy"));
}

/* Of a list with several columns the one that holds the words is chosen, and remembered. */
static void
test_columns (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "tensors.tsv", "1.5\t2.5\n3.5\t4.5\n0.5\t0.25\n");
  g_autofree char *remembered = NULL;
  g_autoptr (WwTokens) tokens = NULL;
  WwPreviewDialog *dialog;
  AdwComboRow *row;
  WwSession *session = fixture->session;

  g_free (fixture_write_file (fixture, "metadata.tsv", "rank\tlabel\tother\n1\tred\tun\n2\tgreen\tdeux\n3\tblue\ttrois\n"));
  fixture_finish_curve (fixture);
  ww_session_set_text (session, "un deux trois");
  open_file (fixture, path);
  dialog = wait_for_preview ();
  row = find_widget (dialog, "column_row");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (row)));
  g_assert_cmpuint (g_list_model_get_n_items (adw_combo_row_get_model (row)), ==, 3);
  g_assert_cmpstr (gtk_string_list_get_string (GTK_STRING_LIST (adw_combo_row_get_model (row)), 2), ==, "other");
  adw_combo_row_set_selected (row, 2);
  wait_for_look (dialog);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 2);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (session)) == 2);
  g_assert_cmpstr (ww_set_get_list_name (ww_session_get_set (session)), ==, "metadata.tsv, column other");
  tokens = ww_set_tokenise (ww_session_get_set (session), "un deux", FALSE, NULL);
  g_assert_nonnull (tokens);
  remembered = g_settings_get_string (fixture->settings, "set-column");
  g_assert_cmpstr (remembered, ==, "3");
  /* It is what a second look begins with. */
  ww_window_preview_set (fixture->window);
  dialog = wait_for_preview ();
  g_assert_cmpuint (adw_combo_row_get_selected (find_widget (dialog, "column_row")), ==, 2);
  cancel_preview ();
}

/* A list that does not fit says so, and the file is not opened with it. */
static void
test_wrong_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "projected.tsv", "1.5\t2.5\n3.5\t4.5\n0.5\t0.25\n");
  WwPreviewDialog *dialog;

  g_free (fixture_write_file (fixture, "metadata-a.tsv", "one\ntwo\nthree\n"));
  g_free (fixture_write_file (fixture, "metadata-b.tsv", "one\ntwo\nthree\nfour\nfive\n"));
  fixture_finish_curve (fixture);
  open_file (fixture, path);
  dialog = wait_for_preview ();
  adw_combo_row_set_selected (find_widget (dialog, "list_row"), 1);
  wait_for_look (dialog);
  g_assert_cmpuint (ww_preview_dialog_get_state (dialog), ==, WW_STATE_FAILED);
  g_assert_true (is_shown (dialog, "problem"));
  g_assert_false (gtk_widget_get_sensitive (find_widget (dialog, "open_button")));
  adw_combo_row_set_selected (find_widget (dialog, "list_row"), 0);
  wait_for_look (dialog);
  g_assert_cmpuint (ww_preview_dialog_get_state (dialog), ==, WW_STATE_DONE);
  g_assert_false (is_shown (dialog, "problem"));
  cancel_preview ();
}

/* A list beside the array that does not fit is shown with what is wrong, in place of an error without a way on; the
 * same for the only array of a folder. */
static void
test_unfit_list (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "made/folders/list-too-short/t.npy", "made/folders/list-too-short" };

  fixture_finish_curve (fixture);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = get_data_path (names[i]);
      WwPreviewDialog *dialog;
      AdwComboRow *lists;

      open_file (fixture, path);
      dialog = wait_for_preview ();
      g_assert_cmpuint (ww_preview_dialog_get_state (dialog), ==, WW_STATE_FAILED);
      g_assert_true (is_shown (dialog, "problem"));
      g_assert_false (gtk_widget_get_sensitive (find_widget (dialog, "open_button")));
      g_assert_true (is_shown (dialog, "list_row"));

      lists = find_widget (dialog, "list_row");
      g_assert_cmpuint (adw_combo_row_get_selected (lists), ==, 0);
      adw_combo_row_set_selected (lists, g_list_model_get_n_items (adw_combo_row_get_model (lists)) - 1);
      wait_for_look (dialog);
      g_assert_cmpuint (ww_preview_dialog_get_state (dialog), ==, WW_STATE_DONE);
      if (i == 0)
        {
          cancel_preview ();
          continue;
        }
      fixture_confirm_preview ();
      WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 2);
      g_assert_cmpuint (ww_set_get_kind (ww_session_get_set (fixture->session)), ==, WW_SET_KIND_CONTEXT);
    }
}

/* Of the only array of a folder, the list of words can be changed as if it were opened by its own name. */
static void
test_folder_list (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_data_path ("made/folders/usual");
  WwPreviewDialog *dialog;
  AdwComboRow *lists;

  fixture_finish_curve (fixture);
  open_file (fixture, path);
  dialog = wait_for_preview ();
  g_assert_nonnull (strstr (get_subtitle (dialog, "words_row"), "words.txt"));
  lists = find_widget (dialog, "list_row");
  g_assert_cmpuint (adw_combo_row_get_selected (lists), ==, 0);
  adw_combo_row_set_selected (lists, 1);
  wait_for_look (dialog);
  g_assert_null (strstr (get_subtitle (dialog, "words_row"), "words.txt"));
  adw_combo_row_set_selected (lists, 0);
  wait_for_look (dialog);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 2);
  g_assert_cmpuint (ww_set_get_kind (ww_session_get_set (fixture->session)), ==, WW_SET_KIND_WORDS);
}

static guint
count_windows (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (windows, i);

      n += g_type_is_a (G_OBJECT_TYPE (window), type);
    }
  return n;
}

static const char *
get_previewed (WwPreviewDialog *dialog)
{
  return adw_preferences_group_get_title (find_widget (dialog, "guess_group"));
}

static gboolean
is_previewed (const char *name)
{
  return fixture_find_preview () != NULL && g_strcmp0 (get_previewed (fixture_find_preview ()), name) == 0;
}

/* As the running program is told by one that was started with a file. */
static void
hand_over (Fixture *fixture, const char *path)
{
  GFile *file = g_file_new_for_path (path);

  g_application_open (G_APPLICATION (fixture->application), &file, 1, "");
  g_object_unref (file);
}

/* The file that is asked for last is the one that is seen. */
static void
test_second_file (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *first = write_tensors (fixture, names);
  g_autofree char *second = write_words (fixture);
  g_autofree char *bad = fixture_write_file (fixture, "bad.npy", "\x93NUMPY nothing more");
  g_autofree char *sure = get_data_path ("table-i4.npy");

  fixture_finish_curve (fixture);
  ww_session_set_text (fixture->session, "red green blue red");
  open_file (fixture, first);
  WAIT_FOR (is_previewed ("some.safetensors"));
  g_assert_true (fixture_drop (fixture, second));
  WAIT_FOR (is_previewed ("words.vec"));
  g_assert_cmpuint (count_windows (WW_TYPE_PREVIEW_DIALOG), ==, 1);
  g_assert_true (gtk_window_get_modal (GTK_WINDOW (fixture_find_preview ())));
  hand_over (fixture, first);
  WAIT_FOR (is_previewed ("some.safetensors"));
  g_assert_cmpuint (count_windows (WW_TYPE_PREVIEW_DIALOG), ==, 1);
  g_assert_cmpuint (count_windows (WW_TYPE_WINDOW), ==, 1);
  /* Two at once. */
  open_file (fixture, first);
  open_file (fixture, second);
  WAIT_FOR (is_previewed ("words.vec"));
  g_assert_cmpuint (count_windows (WW_TYPE_PREVIEW_DIALOG), ==, 1);
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 3);

  /* One without a question leaves none, and neither does one that fails. */
  open_file (fixture, first);
  WAIT_FOR (is_previewed ("some.safetensors"));
  hand_over (fixture, sure);
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 8);
  g_assert_null (fixture_find_preview ());
  open_file (fixture, first);
  WAIT_FOR (is_previewed ("some.safetensors"));
  open_file (fixture, bad);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_FAILED);
  g_assert_null (fixture_find_preview ());
}

static void
count_up (guint *count)
{
  (*count)++;
}

/* A list of the preview that is down as the second file comes is closed first: it holds a grab that would else stay, and
 * the window would take no more keys. */
static void
test_second_file_over_a_list (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *first = write_tensors (fixture, names);
  g_autofree char *second = write_words (fixture);
  GtkWidget *row, *list;
  guint closed = 0;

  fixture_finish_curve (fixture);
  open_file (fixture, first);
  WAIT_FOR (is_previewed ("some.safetensors") && gtk_widget_get_mapped (GTK_WIDGET (fixture_find_preview ())));
  row = find_widget (fixture_find_preview (), "member_row");
  g_signal_emit_by_name (row, "activate");
  WAIT_FOR ((list = find_open_list (row)) != NULL);
  g_signal_connect_swapped (list, "closed", G_CALLBACK (count_up), &closed);
  hand_over (fixture, second);
  WAIT_FOR (is_previewed ("words.vec"));
  g_assert_cmpuint (closed, ==, 1);
  cancel_preview ();
}

static guint
count_targets (gpointer widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      n += GTK_IS_DROP_TARGET (controller);
    }
  return n;
}

/* A list of words that is being chosen for the first goes with it; a text leaves it alone; files can be dropped on the
 * question itself. */
static void
test_second_file_beside (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "alpha", "beta", NULL };
  g_autofree char *first = write_tensors (fixture, names);
  g_autofree char *text = fixture_write_file (fixture, "some.txt", "A text that is no set.");
  g_autofree char *sure = get_data_path ("table-i4.npy");

  fixture_finish_curve (fixture);
  open_file (fixture, first);
  WAIT_FOR (is_previewed ("some.safetensors"));
  g_assert_cmpuint (count_targets (fixture_find_preview ()), ==, 1);
  open_file (fixture, text);
  WAIT_FOR (g_strcmp0 (ww_session_get_text (fixture->session), "A text that is no set.") == 0);
  g_assert_true (is_previewed ("some.safetensors"));

  g_signal_emit_by_name (find_widget (fixture_find_preview (), "words_button"), "clicked");
  WAIT_FOR (count_windows (GTK_TYPE_FILE_CHOOSER_DIALOG) == 1);
  open_file (fixture, sure);
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 8);
  WAIT_FOR (count_windows (GTK_TYPE_FILE_CHOOSER_DIALOG) == 0);
  g_assert_null (fixture_find_preview ());
}

static void
count_answer (const WwOrigin *origin, gpointer user_data)
{
  guint *answers = g_object_get_data (user_data, "answers");

  (*answers)++;
}

/* A dialog that came because the look into a file took long goes with it, unless the file leaves a doubt. */
static void
test_slow_look (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *file;
    gboolean doubt;
  } files[] = { { "checkpoints/bert-plain", FALSE }, { "glove.txt", TRUE }, { "table-i4.npy", FALSE } };
  guint answers = 0;

  g_object_set_data (G_OBJECT (fixture->window), "answers", &answers);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = get_data_path (files[i].file);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (WwOrigin) origin = ww_origin_new (file, NULL);
      WwPreviewDialog *dialog = ww_preview_dialog_new (GTK_WINDOW (fixture->window), origin, NULL, NULL, count_answer,
                                                       G_OBJECT (fixture->window));

      answers = 0;
      ww_preview_dialog_set_only_in_doubt (dialog);
      gtk_window_present (GTK_WINDOW (dialog));
      if (files[i].doubt)
        {
          WAIT_FOR (ww_preview_dialog_get_state (dialog) == WW_STATE_DONE);
          WAIT_FOR (gtk_window_get_focus (GTK_WINDOW (dialog)) == find_widget (dialog, "open_button"));
          g_assert_cmpuint (answers, ==, 0);
          cancel_preview ();
        }
      else
        WAIT_FOR (answers == 1 && fixture_find_preview () == NULL);
    }
  g_object_set_data (G_OBJECT (fixture->window), "answers", NULL);
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;

  ADD_TEST ("/preview/choice", test_choice);
  ADD_TEST ("/preview/slow-look", test_slow_look);
  ADD_TEST ("/preview/columns", test_columns);
  ADD_TEST ("/preview/suggestion", test_suggestion);
  ADD_TEST ("/preview/cancel", test_cancel);
  ADD_TEST ("/preview/before", test_before);
  ADD_TEST ("/preview/afterwards", test_afterwards);
  ADD_TEST ("/preview/no-doubt", test_no_doubt);
  ADD_TEST ("/preview/texts", test_texts);
  ADD_TEST ("/preview/archive", test_archive);
  ADD_TEST ("/preview/two-lists", test_two_lists);
  ADD_TEST ("/preview/without-words", test_without_words);
  ADD_TEST ("/preview/folder", test_folder);
  ADD_TEST ("/preview/wrong-list", test_wrong_list);
  ADD_TEST ("/preview/unfit-list", test_unfit_list);
  ADD_TEST ("/preview/folder-list", test_folder_list);
  ADD_TEST ("/preview/second-file", test_second_file);
  ADD_TEST ("/preview/second-file-over-a-list", test_second_file_over_a_list);
  ADD_TEST ("/preview/second-file-beside", test_second_file_beside);
  return g_test_run ();
}

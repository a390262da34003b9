/* Opening sets while other things happen, what goes wrong with it, and what becomes of unknown words. */
#include "app-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "ww-app-provenance.h"
#include "ww-problem.h"
#include "ww-token-strip.h"
#include "ww-window-private.h"

#define VECTORS "the 1 0 0.5\ncat 0 1 0.25\nsat 0.5 0.5 1\non 1 1 0\nmat 0.2 0.3 0.4\n"

static void
open_path (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  ww_window_open_file (fixture->window, file);
}

static void
open_vectors (Fixture *fixture)
{
  g_autofree char *path = fixture_write_file (fixture, "words.vec", VECTORS);

  open_path (fixture, path);
  fixture_confirm_preview ();
  WAIT_FOR (ww_session_get_set (fixture->session) != NULL
            && ww_set_get_dims (ww_session_get_set (fixture->session)) == 3
            && ww_session_get_tokens (fixture->session) != NULL);
}

/* A text of vectors that takes a while to read. */
static char *
write_long_vectors (Fixture *fixture)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (int i = 0; i < 400000; i++)
    g_string_append_printf (text, "w%d 0.125 -0.25 0.5 0.75 1.5 -2.25 3.5 0.0625\n", i);
  return fixture_write_file (fixture, "long.vec", text->str);
}

/* ---- What goes on meanwhile ---- */

/* Of this thread, in us: what others do on the same machine does not count. */
static gint64
get_own_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_long_vectors (fixture);
  gint64 start;
  WwSet *before;

  fixture_finish_curve (fixture);
  before = ww_session_get_set (fixture->session);
  open_path (fixture, path);
  fixture_confirm_preview ();
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_LOADING);
  g_assert_true (gtk_widget_get_visible (find_widget (fixture->window, "progress_row")));
  g_assert_nonnull (strstr (adw_action_row_get_subtitle (find_widget (fixture->window, "set_row")),
                            "Loading: long.vec"));

  start = get_own_time ();
  fixture_activate (fixture, "win.cancel");
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);
  g_assert_cmpint (get_own_time () - start, <, 50000);
  g_assert_true (ww_session_get_set (fixture->session) == before);
  g_assert_nonnull (fixture->window->toast);
  g_assert_nonnull (strstr (adw_toast_get_title (fixture->window->toast), "cancelled"));
  g_assert_nonnull (strstr (adw_toast_get_title (fixture->window->toast), "Sample"));
  g_assert_false (gtk_widget_get_visible (find_widget (fixture->window, "progress_row")));
}

/* Of two files the later one counts; the curve of the sample goes on until then. */
static void
test_two_at_once (Fixture *fixture, gconstpointer data)
{
  g_autofree char *first = write_long_vectors (fixture);
  g_autofree char *second = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "table-i4.npy", NULL);

  g_object_set (fixture->session, "trials", 50u, NULL);
  ww_window_open_remembered_set (fixture->window);
  WAIT_FOR (ww_session_get_curve (fixture->session) != NULL
            && ww_session_get_curve_state (fixture->session) == WW_STATE_WORKING);
  open_path (fixture, first);
  fixture_confirm_preview ();
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_LOADING);
  open_path (fixture, second);
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 8
            && ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  g_assert_cmpuint (ww_set_get_kind (ww_session_get_set (fixture->session)), ==, WW_SET_KIND_CONTEXT);
}

/* ---- What goes wrong ---- */

/* Each says which file it is about; the set and the figure stay. */
static void
check_failure (Fixture *fixture, const char *path, const char *name, const char *words)
{
  WwWindow *window = fixture->window;
  WwSet *before = ww_session_get_set (fixture->session);

  ww_window_dismiss_toast (window);
  open_path (fixture, path);
  WAIT_FOR (window->toast != NULL);
  g_assert_nonnull (strstr (adw_toast_get_title (window->toast), name));
  if (strstr (window->toast_details, words) == NULL)
    g_error ("%s: \"%s\" is missing in: %s", name, words, window->toast_details);
  g_assert_true (ww_session_get_set (fixture->session) == before);
  g_assert_true (ww_curves_page_shows_figure (ww_window_get_curves_page (window)));
}

static void
test_failures (Fixture *fixture, gconstpointer data)
{
  g_autofree char *gone = g_build_filename (fixture->folder, "gone.npy", NULL);
  g_autofree char *empty = fixture_write_file (fixture, "empty.bin", "");
  g_autofree char *folder = g_build_filename (fixture->folder, "hollow", NULL);
  g_autofree char *pipe = g_build_filename (fixture->folder, "pipe", NULL);

  fixture_finish_curve (fixture);
  check_failure (fixture, gone, "gone.npy", "gone.npy");
  check_failure (fixture, empty, "empty.bin", "empty");
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  check_failure (fixture, folder, "hollow", "hollow");
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  check_failure (fixture, pipe, "pipe", "pipe");
}

/* The lines that help are not broken elsewhere, and can be copied as they are to be run. */
static void
test_recipe (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "words.pkl", "\x80\x04\x95 and so on");
  GListModel *windows = gtk_window_get_toplevels ();
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->window));
  GtkWindow *window = NULL;
  WwProblem *problem;
  GValue copied = G_VALUE_INIT;

  fixture_finish_curve (fixture);
  check_failure (fixture, path, "words.pkl", "import pickle");
  g_assert_null (strstr (adw_action_row_get_subtitle (find_widget (fixture->window, "set_row")), "import"));
  g_signal_emit_by_name (fixture->window->toast, "button-clicked");
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) one = g_list_model_get_item (windows, i);

      if (gtk_window_get_transient_for (one) == GTK_WINDOW (fixture->window))
        window = one;
    }
  g_assert_nonnull (window);
  g_assert_nonnull (strstr (gtk_window_get_title (window), "words.pkl"));
  problem = find_by_type (window, WW_TYPE_PROBLEM, 0);
  g_assert_null (strstr (ww_problem_get_sentences (problem), "import"));
  g_assert_true (g_str_has_prefix (ww_problem_get_recipe (problem), "import pickle"));
  g_assert_nonnull (strstr (ww_problem_get_recipe (problem), "\nopen('out.txt'"));
  g_signal_emit_by_name (gtk_window_get_focus (window), "clicked");
  g_value_init (&copied, G_TYPE_STRING);
  g_assert_true (gdk_content_provider_get_value (gdk_clipboard_get_content (clipboard), &copied, NULL));
  g_assert_cmpstr (g_value_get_string (&copied), ==, ww_problem_get_recipe (problem));
  g_value_unset (&copied);
  gtk_window_destroy (window);
}

static void
test_problem_split (void)
{
  g_autofree char *sentences = NULL, *recipe = NULL, *alone = NULL, *none = NULL;

  ww_problem_split ("One. Convert:\n  a = 1\n    b = 2\n  c", &sentences, &recipe);
  g_assert_cmpstr (sentences, ==, "One. Convert:");
  g_assert_cmpstr (recipe, ==, "a = 1\n  b = 2\nc");
  ww_problem_split ("One.\nTwo.", &alone, &none);
  g_assert_cmpstr (alone, ==, "One.\nTwo.");
  g_assert_null (none);
}

static void
test_permission (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "secret.npy", "\x93NUMPY");

  if (geteuid () == 0)
    {
      g_test_skip ("the superuser may read everything");
      return;
    }
  fixture_finish_curve (fixture);
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  check_failure (fixture, path, "secret.npy", "ermission");
}

/* A file that cannot be opened at the start leaves nobody without a set, and what went wrong in sight. */
static void
test_falls_back (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "bad.npy", "\x93NUMPY nothing more");
  WwWindow *window = fixture->window;

  open_path (fixture, path);
  WAIT_FOR (ww_session_get_set (fixture->session) != NULL
            && ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  g_assert_nonnull (window->toast);
  g_assert_nonnull (strstr (adw_toast_get_title (window->toast), "bad.npy"));
  WAIT_FOR (ww_curves_page_shows_figure (ww_window_get_curves_page (window)));
}

/* Between the preview and the word of the user. */
static void
test_vanishes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "words.vec", VECTORS);
  WwSet *before;

  fixture_finish_curve (fixture);
  before = ww_session_get_set (fixture->session);
  open_path (fixture, path);
  WAIT_FOR (fixture_find_preview () != NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
  fixture_confirm_preview ();
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_FAILED);
  g_assert_true (ww_session_get_set (fixture->session) == before);
  g_assert_true (g_str_has_prefix (
    adw_action_row_get_subtitle (find_widget (fixture->window, "set_row")), "Failed: "));
}

/* The window shows all that it has above a message. */
static void
test_room_for_messages (Fixture *fixture, gconstpointer data)
{
  GtkWidget *content = find_widget (fixture->window, "content");

  g_assert_cmpint (gtk_widget_get_margin_bottom (content), ==, 0);
  ww_window_show_toast (fixture->window, "Something to read", NULL);
  g_assert_cmpint (gtk_widget_get_margin_bottom (content), >, 20);
  ww_window_show_toast (fixture->window, "Something else", NULL);
  g_assert_cmpint (gtk_widget_get_margin_bottom (content), >, 20);
  ww_window_dismiss_toast (fixture->window);
  WAIT_FOR (gtk_widget_get_margin_bottom (content) == 0);
}

/* ---- Drops ---- */

static void
test_drops (Fixture *fixture, gconstpointer data)
{
  g_autofree char *array = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "table-i4.npy", NULL);
  g_autofree char *vectors = fixture_write_file (fixture, "words.vec", VECTORS);
  g_autofree char *folder = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints",
                                              "bert-plain", NULL);

  fixture_finish_curve (fixture);
  g_assert_true (fixture_drop (fixture, array));
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 8);
  g_assert_true (fixture_drop (fixture, vectors));
  fixture_confirm_preview ();
  WAIT_FOR (ww_set_get_dims (ww_session_get_set (fixture->session)) == 3);
  g_assert_true (fixture_drop (fixture, folder));
  WAIT_FOR (ww_set_get_kind (ww_session_get_set (fixture->session)) == WW_SET_KIND_CHECKPOINT);
  g_assert_null (fixture_find_preview ());
}

/* The name of a file from another time need not be UTF-8; what the window says of it is. */
static void
test_odd_name (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = fixture_write_file (fixture, "caf\xe9.txt", "Dropped from an old disk.");

  fixture_finish_curve (fixture);
  g_assert_true (fixture_drop (fixture, path));
  WAIT_FOR (g_strcmp0 (ww_session_get_text (fixture->session), "Dropped from an old disk.") == 0);
  WAIT_FOR (fixture->window->toast != NULL);
  g_assert_true (g_utf8_validate (adw_toast_get_title (fixture->window->toast), -1, NULL));
  g_assert_nonnull (strstr (adw_toast_get_title (fixture->window->toast), "caf"));
}

/* ---- Unknown words ---- */

static gsize
count_rows (Fixture *fixture)
{
  return ww_inputs_get_n_rows (ww_session_get_inputs (fixture->session));
}

static void
check_offered (AdwComboRow *row, const char *names)
{
  GListModel *model = adw_combo_row_get_model (row);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    g_string_append_printf (found, "%s%s", i > 0 ? ", " : "",
                            gtk_string_list_get_string (GTK_STRING_LIST (model), i));
  g_assert_cmpstr (found->str, ==, names);
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = find_widget (fixture->window, "unknown_row");

  fixture_finish_curve (fixture);
  /* A checkpoint gives each its trained vector: no random rows there. */
  check_offered (row, "The set’s vector, Left out");
  ww_session_set_text (fixture->session, "the cat zebra sat on the mat");
  open_vectors (fixture);
  WAIT_FOR (count_rows (fixture) == 6);
  g_assert_nonnull (strstr (ww_session_get_text_message (fixture->session), "left out: “zebra”"));
  /* These vectors have none for unknown words: it is not offered, and what is shown is what happens. */
  check_offered (row, "Left out, Random rows");
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 0);
  g_assert_false (gtk_widget_get_visible (find_widget (fixture->window, "unknown_seed_row")));

  adw_combo_row_set_selected (row, 1);
  WAIT_FOR (count_rows (fixture) == 7);
  g_assert_nonnull (strstr (ww_session_get_text_message (fixture->session), "random rows: “zebra”"));
  g_assert_true (gtk_widget_get_visible (find_widget (fixture->window, "unknown_seed_row")));
  g_assert_cmpuint (g_settings_get_uint (fixture->settings, "unknown"), ==, WW_UNKNOWN_RANDOM);

  fixture_activate (fixture, "win.undo");
  WAIT_FOR (count_rows (fixture) == 6);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 0);
  fixture_activate (fixture, "win.redo");
  WAIT_FOR (count_rows (fixture) == 7);
}

/* A table with a row for what it lacks offers that, too. */
static void
test_unknown_vector (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = find_widget (fixture->window, "unknown_row");
  g_autofree char *path = fixture_write_file (fixture, "words.vec", VECTORS "<unk> 0.1 0.1 0.2\n");

  fixture_finish_curve (fixture);
  ww_session_set_text (fixture->session, "the cat zebra sat on the mat");
  open_path (fixture, path);
  fixture_confirm_preview ();
  WAIT_FOR (count_rows (fixture) == 7);
  check_offered (row, "The set’s vector, Left out, Random rows");
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 0);
  adw_combo_row_set_selected (row, 1);
  WAIT_FOR (count_rows (fixture) == 6);
}

/* A figure says what its rows for unknown words are. */
static void
test_provenance (Fixture *fixture, gconstpointer data)
{
  g_auto (WwProvenance) random = { 0 }, skip = { 0 };
  WwSession *session = fixture->session;

  ww_session_set_text (session, "the cat zebra sat on the mat");
  open_vectors (fixture);
  g_object_set (session, "unknown", WW_UNKNOWN_RANDOM, "unknown-seed", (guint64) 7, NULL);
  WAIT_FOR (count_rows (fixture) == 7 && ww_session_get_curve (session) != NULL
            && ww_session_get_curve_state (session) == WW_STATE_DONE
            && ww_session_get_curve (session)->inputs->unknown == WW_UNKNOWN_RANDOM);
  ww_app_provenance_of_curve (ww_session_get_curve (session), &random);
  g_assert_cmpstr (random.set_format, ==, "GloVe text, unknown words: random:7");

  g_object_set (session, "unknown", WW_UNKNOWN_SKIP, NULL);
  WAIT_FOR (ww_session_get_curve (session) != NULL
            && ww_session_get_curve_state (session) == WW_STATE_DONE
            && ww_session_get_curve (session)->inputs->unknown == WW_UNKNOWN_SKIP);
  ww_app_provenance_of_curve (ww_session_get_curve (session), &skip);
  g_assert_cmpstr (skip.set_format, ==, "GloVe text, unknown words: skip");
}

/* And how its file was taken, where that was chosen. */
static void
test_provenance_of_choices (Fixture *fixture, gconstpointer data)
{
  g_auto (WwProvenance) provenance = { 0 };
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "table-f4.npy", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const WwOpenOptions options = { .without_words = TRUE };
  g_autoptr (WwOrigin) origin = ww_origin_new (file, &options);
  WwSession *session = fixture->session;

  ww_session_open_origin (session, origin);
  WAIT_FOR (ww_session_get_set (session) != NULL && ww_session_get_curve (session) != NULL
            && ww_session_get_curve_state (session) == WW_STATE_DONE);
  ww_app_provenance_of_curve (ww_session_get_curve (session), &provenance);
  g_assert_cmpstr (provenance.set_format, ==, "NumPy context, words: none");
}

/* A table without words has a way on from a text of which it knows nothing. */
static void
test_rows_by_number (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path
    = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "made", "safetensors", "llama.safetensors", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  const WwOpenOptions options = { "model.embed_tokens.weight" };
  g_autoptr (WwOrigin) origin = ww_origin_new (file, &options);
  WwSession *session = fixture->session;

  ww_session_open_origin (session, origin);
  WAIT_FOR (ww_session_get_set (session) != NULL && ww_set_get_dims (ww_session_get_set (session)) == 2
            && ww_session_get_curve_state (session) == WW_STATE_EMPTY
            && ww_session_get_curve_message (session) != NULL
            && strstr (ww_session_get_curve_message (session), "go by their numbers") != NULL);
  for (guint page = 0; page < 2; page++)
    {
      gpointer shown = find_by_type (fixture->window, page == 0 ? WW_TYPE_CURVES_PAGE : WW_TYPE_PERTURB_PAGE, 0);

      ww_window_set_page (fixture->window, page == 0 ? "curves" : "perturb");
      WAIT_FOR (gtk_widget_get_mapped (find_widget (shown, "status_rows")));
    }

  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.first-rows", NULL);
  WAIT_FOR (ww_session_get_curve_state (session) == WW_STATE_DONE);
  g_assert_cmpuint (ww_session_get_tokens (session)->n, ==, 3);
  g_assert_cmpstr (ww_session_get_tokens (session)->tokens[2].text, ==, "2");
}

/* Of a checkpoint whose tokeniser is of another kind, the rows are measured by their numbers. */
static void
test_unfollowed_tokeniser (Fixture *fixture, gconstpointer data)
{
  static const char *const members[] = { "config.json", "model.safetensors", "vocab.txt", "tokenizer.json" };
  static const char unigram[] = "{\"model\": {\"type\": \"Unigram\", \"vocab\": []}}";
  g_autofree char *path = g_dir_make_tmp ("wordsway-XXXXXX", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  WwSession *session = fixture->session;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *from
        = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", "checkpoints", "bert-plain", members[i], NULL);
      g_autoptr (GFile) source = g_file_new_for_path (from);
      g_autoptr (GFile) copy = g_file_get_child (folder, members[i]);

      g_assert_true (g_file_copy (source, copy, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
    }
  {
    g_autofree char *tokeniser = g_build_filename (path, members[3], NULL);

    g_assert_true (g_file_set_contents (tokeniser, unigram, -1, NULL));
  }

  ww_session_open (session, folder);
  WAIT_FOR (ww_session_get_set (session) != NULL && ww_set_get_dims (ww_session_get_set (session)) == 16
            && ww_session_get_curve_state (session) == WW_STATE_EMPTY
            && ww_session_get_curve_message (session) != NULL
            && strstr (ww_session_get_curve_message (session), "tokeniser is not followed") != NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.first-rows", NULL);
  WAIT_FOR (ww_session_get_curve_state (session) == WW_STATE_DONE);
  g_assert_cmpint (ww_session_get_inputs (session)->layer, ==, 0);
  g_assert_cmpstr (ww_session_get_tokens (session)->tokens[2].text, ==, "2");

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      g_autoptr (GFile) file = g_file_get_child (folder, members[i]);

      g_assert_true (g_file_delete (file, NULL, NULL));
    }
  g_assert_true (g_file_delete (folder, NULL, NULL));
}

static guint
count_left_out (gpointer strip)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (strip); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += gtk_widget_has_css_class (child, "left-out") ? 1 : 0;
  return n;
}

/* Words that are no rows are seen in their places, and cannot be chosen. */
static void
test_strip (Fixture *fixture, gconstpointer data)
{
  WwTokenStrip *strip = find_by_type (fixture->window, WW_TYPE_TOKEN_STRIP, 0);

  ww_session_set_text (fixture->session, "the zebra cat sat on quagga mat");
  open_vectors (fixture);
  ww_window_set_page (fixture->window, "perturb");
  WAIT_FOR (ww_token_strip_get_n_tokens (strip) == 5);
  g_assert_cmpuint (count_left_out (strip), ==, 2);
  ww_token_strip_press_key (strip, GDK_KEY_End, 0);
  g_assert_cmpuint (ww_token_strip_get_token (strip), ==, 4);

  g_object_set (fixture->session, "unknown", WW_UNKNOWN_RANDOM, NULL);
  WAIT_FOR (ww_token_strip_get_n_tokens (strip) == 7);
  g_assert_cmpuint (count_left_out (strip), ==, 0);
}

/* ---- What a model makes of a text ---- */

static void
open_model (Fixture *fixture, const char *name)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", name, NULL);
  WwSet *before = ww_session_get_set (fixture->session);

  open_path (fixture, path);
  WAIT_FOR (ww_session_get_set (fixture->session) != before
            && ww_session_get_tokens (fixture->session) != NULL);
}

static const char *
get_text_words (Fixture *fixture)
{
  return gtk_label_get_text (find_widget (fixture->window, "text_label"));
}

/* A text that is longer than the model has positions for. */
static void
test_cut_text (Fixture *fixture, gconstpointer data)
{
  const char *subtitle;

  ww_session_set_text (fixture->session, "a b c d e f g h i j k l m n o p q r s t u v w x y z");
  open_model (fixture, "checkpoints/bert-plain");
  g_assert_cmpuint (ww_session_get_tokens (fixture->session)->n, ==, 28);
  g_assert_cmpuint (count_rows (fixture), ==, 16);
  g_assert_nonnull (strstr (get_text_words (fixture),
                            "28 tokens. The model has positions for the first 16, the others are left out."));
  g_assert_true (gtk_widget_has_css_class (find_widget (fixture->window, "text_label"), "warning"));
  g_object_set (fixture->session, "n-max", 20u, NULL);
  subtitle = adw_action_row_get_subtitle (find_widget (fixture->window, "n_max_row"));
  g_assert_cmpstr (subtitle, ==, "The model has positions for 16");
  /* The words alone take no positions. */
  g_object_set (fixture->session, "layer", WW_LAYER_WORD, NULL);
  WAIT_FOR (count_rows (fixture) == 28);
  g_assert_null (strstr (get_text_words (fixture), "left out"));
  g_object_set (fixture->session, "layer", 1, NULL);
  WAIT_FOR (strstr (get_text_words (fixture), "left out") != NULL);

  g_object_set (fixture->session, "perturb-n", 20u, NULL);
  ww_window_set_page (fixture->window, "perturb");
  WAIT_FOR (ww_session_get_perturb_tokens (fixture->session) != NULL
            && ww_session_get_nudge (fixture->session) != NULL);
  g_assert_cmpuint (ww_session_get_nudge (fixture->session)->n, ==, 16);
  g_assert_cmpstr (adw_action_row_get_subtitle (find_widget (fixture->window, "n_row")), ==,
                   "The model has positions for 16");
}

static void
check_special (Fixture *fixture, const char *words, gboolean any)
{
  AdwActionRow *row = find_widget (fixture->window, "special_row");

  g_assert_cmpstr (adw_action_row_get_subtitle (row), ==, words);
  g_assert_cmpint (gtk_widget_get_sensitive (GTK_WIDGET (row)), ==, any);
  g_assert_cmpint (gtk_widget_get_visible (find_widget (fixture->window, "special_switch")), ==, any);
}

/* The switch names what it is about, and is none where there is nothing to switch. */
static void
test_special_tokens (Fixture *fixture, gconstpointer data)
{
  ww_session_set_text (fixture->session, "the cat sat on the mat");
  fixture_finish_curve (fixture);
  check_special (fixture, "Keep [CLS] and [SEP]", TRUE);
  open_model (fixture, "checkpoints/roberta");
  check_special (fixture, "Keep <s> and </s>", TRUE);
  g_object_set (fixture->session, "special", FALSE, NULL);
  check_special (fixture, "Keep <s> and </s>", TRUE);
  g_object_set (fixture->session, "layer", 1, NULL);
  check_special (fixture, "Without <s> and </s> the model reads another text than those it was trained for", TRUE);
  open_model (fixture, "checkpoints/gpt2");
  check_special (fixture, "This set puts none around a text", FALSE);
  open_model (fixture, "made/gguf/model-gpt2.gguf");
  check_special (fixture, "Keep <|end|>", TRUE);
  open_model (fixture, "made/gguf/model-llama.gguf");
  check_special (fixture, "Keep <s>", TRUE);
}

int
main (int argc, char **argv)
{
  if (!app_test_init (&argc, &argv))
    return 0;

  ADD_TEST ("/opening/cancel", test_cancel);
  ADD_TEST ("/opening/two-at-once", test_two_at_once);
  ADD_TEST ("/opening/failures", test_failures);
  g_test_add_func ("/opening/problem-split", test_problem_split);
  ADD_TEST ("/opening/permission", test_permission);
  ADD_TEST ("/opening/falls-back", test_falls_back);
  ADD_TEST ("/opening/vanishes", test_vanishes);
  ADD_TEST ("/opening/room-for-messages", test_room_for_messages);
  ADD_TEST ("/opening/drops", test_drops);
  ADD_TEST ("/opening/odd-name", test_odd_name);
  ADD_TEST ("/opening/unknown", test_unknown);
  ADD_TEST ("/opening/unknown-vector", test_unknown_vector);
  ADD_TEST ("/opening/recipe", test_recipe);
  ADD_TEST ("/opening/provenance", test_provenance);
  ADD_TEST ("/opening/provenance-of-choices", test_provenance_of_choices);
  ADD_TEST ("/opening/rows-by-number", test_rows_by_number);
  ADD_TEST ("/opening/unfollowed-tokeniser", test_unfollowed_tokeniser);
  ADD_TEST ("/opening/strip", test_strip);
  ADD_TEST ("/opening/cut-text", test_cut_text);
  ADD_TEST ("/opening/special-tokens", test_special_tokens);
  return g_test_run ();
}

/* Where a set came from, and the choices that go with it. */
#include <glib/gstdio.h>

#include "session-fixture.h"
#include "ww-npy.h"

static char *
get_data_path (const char *name)
{
  return g_build_filename (WW_TEST_DATA_DIR, "data", "embeddings", name, NULL);
}

static void
check_member (const char *array, gsize text, const char *member)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/x.npz");
  g_autoptr (WwOrigin) origin = ww_origin_new (file, NULL);
  g_autofree char *array_back = NULL;
  gsize text_back;

  ww_origin_set_member (origin, array, text);
  g_assert_cmpstr (origin->member, ==, member);
  ww_origin_split_member (origin, &array_back, &text_back);
  g_assert_cmpstr (array_back, ==, array);
  g_assert_cmpuint (text_back, ==, text);
}

static void
test_members (Fixture *fixture, gconstpointer data)
{
  check_member (NULL, 0, NULL);
  check_member ("X", 0, "X");
  check_member (NULL, 2, "2");
  check_member ("X", 2, "X:2");
  check_member ("a:b", 0, "a:b");
  check_member ("a:b", 12, "a:b:12");
  check_member ("layer.0", 0, "layer.0");
}

static void
test_origins (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  const WwOrigin *origin;

  g_assert_null (ww_session_get_origin (fixture->session));
  g_assert_null (ww_session_get_asked_origin (fixture->session));
  open_path (fixture, fixture->path);
  origin = ww_session_get_origin (fixture->session);
  g_assert_true (g_file_equal (origin->file, file));
  g_assert_null (origin->member);

  /* The sample has no file; undo brings the file back. */
  ww_session_open_builtin (fixture->session, NULL);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  g_assert_null (ww_session_get_origin (fixture->session)->file);
  ww_session_undo (fixture->session);
  g_assert_true (g_file_equal (ww_session_get_origin (fixture->session)->file, file));
}

static void
test_texts (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { "context-3d.npy", "contexts-masked.npz" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = get_data_path (names[i]);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      const WwOpenOptions options = { .member = "1" };
      g_autoptr (WwOrigin) origin = ww_origin_new (file, &options);

      ww_session_open_origin (fixture->session, origin);
      WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
      g_assert_cmpuint (ww_set_get_n_texts (ww_session_get_set (fixture->session)), ==, 2);
      g_assert_cmpuint (ww_set_get_text (ww_session_get_set (fixture->session)), ==, 0);

      /* Nothing to do for the text that is there, nor for one that is not. */
      ww_session_open_text (fixture->session, 0);
      ww_session_open_text (fixture->session, 2);
      g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);

      ww_session_open_text (fixture->session, 1);
      g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_LOADING);
      WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
      g_assert_cmpuint (ww_set_get_text (ww_session_get_set (fixture->session)), ==, 1);
      g_assert_cmpstr (ww_session_get_origin (fixture->session)->member, ==, "2");
    }
}

/* Whoever asks afterwards can tell a cancelled opening from one that is done. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);

  ww_session_open (fixture->session, file);
  g_assert_false (ww_session_is_open_stopped (fixture->session));
  ww_session_cancel_open (fixture->session);
  g_assert_true (ww_session_is_open_stopped (fixture->session));
  g_assert_true (g_file_equal (ww_session_get_asked_origin (fixture->session)->file, file));
  open_path (fixture, fixture->path);
  g_assert_false (ww_session_is_open_stopped (fixture->session));
}

static void
test_unknown (Fixture *fixture, gconstpointer data)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  const WwTokens *tokens;

  open_path (fixture, fixture->path);
  ww_session_set_text (fixture->session, "w1 zebra w2");
  WAIT_FOR (ww_session_get_tokens (fixture->session) != NULL);
  g_assert_cmpuint (inputs->rows->n, ==, 2);
  g_object_set (fixture->session, "unknown", WW_UNKNOWN_RANDOM, "unknown-seed", (guint64) 9, NULL);
  WAIT_FOR (inputs->rows != NULL && inputs->rows->n == 3);
  tokens = ww_session_get_tokens (fixture->session);
  g_assert_true (tokens->tokens[1].unknown);
  g_assert_cmpuint (tokens->tokens[1].id, ==, WW_TOKEN_RANDOM_ROW);
  g_assert_cmpuint (tokens->unknown_seed, ==, 9);
  g_assert_cmpuint (ww_inputs_get_unknown (inputs), ==, WW_UNKNOWN_RANDOM);

  /* A checkpoint has a trained vector for them, whatever is asked for. */
  ww_session_open_builtin (fixture->session, NULL);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  g_assert_cmpuint (ww_inputs_get_unknown (inputs), ==, WW_UNKNOWN_VECTOR);
  g_object_set (fixture->session, "unknown", WW_UNKNOWN_SKIP, NULL);
  g_assert_cmpuint (ww_inputs_get_unknown (inputs), ==, WW_UNKNOWN_SKIP);
}

/* A ready context of one row is not asked for more text, which it does not take. */
static void
test_one_row (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "row.npy", NULL);
  g_autoptr (WwMatrix) row = ww_context_synthetic (1, 8, 1, 0, NULL);

  g_assert_true (ww_npy_save (path, row, NULL));
  open_path (fixture, path);
  WAIT_FOR (ww_session_get_text_message (fixture->session) != NULL);
  g_assert_nonnull (strstr (ww_session_get_text_message (fixture->session), "a single row"));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* Options are for who types them. */
static void
test_no_options (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = get_data_path ("context-3d.npy");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WwOrigin) origin = ww_origin_new (file, NULL);
  const char *message;

  ww_session_open_origin (fixture->session, origin);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_FAILED);
  message = ww_session_get_set_message (fixture->session);
  g_assert_true (g_str_has_suffix (message, "Choose one, from 1 on"));
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*function) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/session-open/members", test_members }, { "/session-open/origins", test_origins },
    { "/session-open/texts", test_texts },     { "/session-open/stopped", test_stopped },
    { "/session-open/unknown", test_unknown }, { "/session-open/one-row", test_one_row },
    { "/session-open/no-options", test_no_options },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up_empty, tests[i].function, tear_down);

  return g_test_run ();
}

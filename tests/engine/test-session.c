/* The session's inputs, set, text, states and undo. */
#include "session-fixture.h"

/* ---- Inputs ---- */

static double
get_number (GObject *object, const char *name)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_IS_PARAM_SPEC_BOOLEAN (pspec) ? G_TYPE_BOOLEAN : G_TYPE_DOUBLE);
  g_object_get_property (object, name, &value);

  return G_IS_PARAM_SPEC_BOOLEAN (pspec) ? g_value_get_boolean (&value)
                                         : g_value_get_double (&value);
}

static void
set_number (GObject *object, const char *name, double number)
{
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);

  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    g_object_set (object, name, number != 0.0, NULL);
  else if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    g_object_set (object, name, number, NULL);
  else if (G_IS_PARAM_SPEC_UINT64 (pspec))
    g_object_set (object, name, (guint64) number, NULL);
  else
    g_object_set (object, name, (int) number, NULL);
}

static void
test_defaults (Fixture *fixture, gconstpointer data)
{
  static const struct { const char *name; double value; } numbers[] = {
    { "special", 1 }, { "unknown", WW_UNKNOWN_VECTOR }, { "unknown-seed", 1 },
    { "normalisation", WW_NORMALISATION_PAPER }, { "dims", 0 }, { "n-min", 10 },
    { "n-max", 250 }, { "n-points", 8 }, { "trials", 5 }, { "seed", 1 }, { "token-all", 0 },
    { "effort", WW_EFFORT_QUICK }, { "radius", 1 }, { "features", 4096 }, { "synthetic", 0 },
    { "perturb-active", 0 }, { "perturb-n", 128 }, { "token", 0 }, { "length", 1 },
    { "direction", WW_DIRECTION_WORST }, { "direction-map", WW_MAP_SOFTMAX_RAF },
    { "sensitivity-map", WW_MAP_SOFTMAX_RAF }, { "set-state", WW_STATE_EMPTY },
    { "set-progress", 0 }, { "curve-state", WW_STATE_EMPTY }, { "curve-progress", 0 },
    { "nudge-state", WW_STATE_EMPTY }, { "can-undo", 0 }, { "can-redo", 0 },
    { "direction-refining", 0 }, { "direction-evaluations", 0 },
  };
  static const char *const nothing[] = {
    "set", "set-message", "tokens", "text-message", "curve", "nudge", "perturb-tokens",
    "sensitivity",
  };
  GObject *session = G_OBJECT (fixture->session);

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_assert_cmpfloat (get_number (session, numbers[i].name), ==, numbers[i].value);
  for (gsize i = 0; i < G_N_ELEMENTS (nothing); i++)
    {
      gpointer value = session;

      g_object_get (session, nothing[i], &value, NULL);
      g_assert_null (value);
    }
  g_assert_cmpstr (ww_session_get_text (fixture->session), ==, "");
  g_assert_true (isnan (ww_session_get_direction_ws (fixture->session)));
}

/* Every input: set, read back, one notification, none for the same value again, undone, redone. */
static void
test_each_input (Fixture *fixture, gconstpointer data)
{
  static const struct { const char *name; double value; } inputs[] = {
    { "special", 0 }, { "unknown", 2 }, { "unknown-seed", 5 }, { "layer", -1 }, { "normalisation", 1 }, { "dims", 7 }, { "n-min", 5 },
    { "n-max", 31 }, { "n-points", 4 }, { "trials", 9 }, { "seed", 77 }, { "token-all", 1 },
    { "effort", 2 }, { "features", 100 }, { "synthetic", 1 }, { "perturb-n", 64 }, { "token", 3 },
    { "length", 0.5 }, { "radius", 0.75 }, { "direction", 1 }, { "direction-map", 0 },
    { "sensitivity-map", 1 },
  };
  GObject *session = G_OBJECT (fixture->session);

  for (gsize i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      g_autofree char *signal = g_strdup_printf ("notify::%s", inputs[i].name);
      double before = get_number (session, inputs[i].name);
      Fixture counter = { 0 };
      gulong handler = g_signal_connect (session, signal, G_CALLBACK (count_notify), &counter);

      ww_session_forget_history (fixture->session);
      set_number (session, inputs[i].name, inputs[i].value);
      g_assert_cmpfloat (get_number (session, inputs[i].name), ==, inputs[i].value);
      g_assert_cmpuint (counter.n_notified, ==, 1);
      set_number (session, inputs[i].name, inputs[i].value);
      g_assert_cmpuint (counter.n_notified, ==, 1);

      ww_session_undo (fixture->session);
      g_assert_cmpfloat (get_number (session, inputs[i].name), ==, before);
      ww_session_redo (fixture->session);
      g_assert_cmpfloat (get_number (session, inputs[i].name), ==, inputs[i].value);
      g_assert_cmpuint (counter.n_notified, ==, 3);
      g_signal_handler_disconnect (session, handler);
    }
}

/* What is outside the range of a property GObject refuses itself. */
static void
test_length_stays_within_radius (Fixture *fixture, gconstpointer data)
{
  GObject *session = G_OBJECT (fixture->session);

  set_number (session, "length", 0.25);
  set_number (session, "radius", 0.5);
  set_number (session, "length", 7.0);
  g_assert_cmpfloat (get_number (session, "length"), ==, 0.5);

  set_number (session, "radius", 0.25);
  WAIT_FOR (get_number (session, "length") == 0.25);
}

/* ---- Set ---- */

static void
test_open (Fixture *fixture, gconstpointer data)
{
  g_assert_nonnull (ww_session_get_curve_message (fixture->session));
  g_assert_nonnull (ww_session_get_part_message (fixture->session, WW_PART_NUDGE));

  open_path (fixture, fixture->path);
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);
  g_assert_cmpuint (ww_set_get_n_entries (ww_session_get_set (fixture->session)), ==,
                    FIXTURE_WORDS);
  g_assert_false (ww_session_get_can_undo (fixture->session));
}

static void
test_loading_state (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);

  ww_session_open (fixture->session, file);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_LOADING
            || ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  /* No text yet. */
  WAIT_FOR (ww_session_get_text_message (fixture->session) != NULL);
  WAIT_FOR (g_strcmp0 (ww_session_get_curve_message (fixture->session),
                       ww_session_get_text_message (fixture->session)) == 0);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_EMPTY);
}

static void
test_open_failure_keeps_set (Fixture *fixture, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (fixture->folder, "missing.txt", NULL);
  WwSet *set = ww_session_get_set (fixture->session);
  WwCurve *curve = ww_session_get_curve (fixture->session);

  open_path (fixture, missing);
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_FAILED);
  g_assert_nonnull (strstr (ww_session_get_set_message (fixture->session), "missing.txt"));
  g_assert_true (ww_session_get_set (fixture->session) == set);
  g_assert_true (ww_session_get_curve (fixture->session) == curve);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_DONE);

  /* Everything else goes on, and the next file opens. */
  g_object_set (fixture->session, "seed", (guint64) 3, NULL);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_WORKING);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  open_path (fixture, fixture->path);
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);
}

static void
test_cancel_open (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  WwSet *set = ww_session_get_set (fixture->session);

  ww_session_open (fixture->session, file);
  ww_session_cancel_open (fixture->session);
  g_assert_cmpuint (ww_session_get_set_state (fixture->session), ==, WW_STATE_DONE);
  run_ready ();
  g_assert_true (ww_session_get_set (fixture->session) == set);

  /* Of two openings the later one counts. */
  ww_session_open (fixture->session, file);
  open_path (fixture, fixture->path);
  g_assert_true (ww_session_get_set (fixture->session) != set);
}

static void
test_replace_set_and_undo (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = write_words (fixture->folder, "other.txt", 40, 5);
  g_autoptr (WwSet) first = g_object_ref (ww_session_get_set (fixture->session));
  g_autoptr (GFile) file = g_file_new_for_path (other);

  open_path (fixture, other);
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 5);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->points[0].d, ==, 5);
  g_assert_true (ww_session_get_curve (fixture->session)->inputs->set
                 == ww_session_get_set (fixture->session));

  g_assert_true (ww_session_get_can_undo (fixture->session));
  ww_session_undo (fixture->session);
  g_assert_true (ww_session_get_set (fixture->session) == first);
  g_assert_cmpuint (ww_session_get_curve_state (fixture->session), ==, WW_STATE_WORKING);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  g_assert_cmpuint (ww_session_get_curve (fixture->session)->points[0].d, ==, FIXTURE_DIMS);
  ww_session_redo (fixture->session);
  g_assert_cmpuint (ww_set_get_dims (ww_session_get_set (fixture->session)), ==, 5);

  g_assert_true (g_file_delete (file, NULL, NULL));
}

static void
open_sample (Fixture *fixture)
{
  ww_session_open_builtin (fixture->session, NULL);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
}

/* Each set brings its layer until one is chosen, and again where it lacks the chosen one. */
static void
test_layers (Fixture *fixture, gconstpointer data)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  int chosen;

  open_sample (fixture);
  g_assert_cmpint (inputs->layer, ==, 0);
  open_path (fixture, fixture->path);
  g_assert_cmpint (inputs->layer, ==, WW_LAYER_WORD);
  open_sample (fixture);
  g_assert_cmpint (inputs->layer, ==, 0);
  g_assert_false (ww_session_get_chosen_layer (fixture->session, &chosen));

  g_object_set (fixture->session, "layer", WW_LAYER_WORD, NULL);
  g_assert_true (ww_session_get_chosen_layer (fixture->session, &chosen));
  g_assert_cmpint (chosen, ==, WW_LAYER_WORD);
  open_path (fixture, fixture->path);
  open_sample (fixture);
  g_assert_cmpint (inputs->layer, ==, WW_LAYER_WORD);

  /* Words have no other layer, and that is no choice. */
  g_object_set (fixture->session, "layer", 0, NULL);
  open_path (fixture, fixture->path);
  g_assert_cmpint (inputs->layer, ==, WW_LAYER_WORD);
  g_assert_true (ww_session_get_chosen_layer (fixture->session, &chosen));
  g_assert_cmpint (chosen, ==, 0);
  open_sample (fixture);
  g_assert_cmpint (inputs->layer, ==, 0);
  g_object_set (fixture->session, "layer", WW_LAYER_WORD, NULL);

  /* The same text through another layer: other rows, other numbers. */
  g_object_set (fixture->session, "text", "the ferry was late again", "n-min", 5, "n-max", 5,
                "trials", 1, "features", 64, NULL);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  {
    g_autoptr (WwCurve) before = ww_curve_ref (ww_session_get_curve (fixture->session));

    g_object_set (fixture->session, "layer", 0, NULL);
    WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
    g_assert_cmpfloat (ww_session_get_curve (fixture->session)->points[2].ws, !=,
                       before->points[2].ws);
    g_assert_cmpint (ww_session_get_curve (fixture->session)->inputs->layer, ==, 0);
    g_assert_cmpint (before->inputs->layer, ==, WW_LAYER_WORD);
  }
}

/* ---- Text ---- */

static void
test_texts_without_a_curve (Fixture *fixture, gconstpointer data)
{
  static const char *const texts[] = { "", "   ", "w1", "nothing known here", "w1 unknown" };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      ww_session_set_text (fixture->session, "w1 w2 w3");
      WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
      ww_session_set_text (fixture->session, texts[i]);
      WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_EMPTY);

      g_assert_nonnull (ww_session_get_curve_message (fixture->session));
      g_assert_cmpstr (ww_session_get_curve_message (fixture->session), ==,
                       ww_session_get_text_message (fixture->session));
      g_assert_null (ww_session_get_curve (fixture->session));
      g_assert_cmpfloat (ww_session_get_curve_progress (fixture->session), ==, 0.0);
    }
}

static void
test_unknown_words_are_named (Fixture *fixture, gconstpointer data)
{
  ww_session_set_text (fixture->session, "w1 zebra w2 apple w3 zebra");
  WAIT_FOR (ww_session_get_text_message (fixture->session) != NULL);
  g_assert_nonnull (strstr (ww_session_get_text_message (fixture->session), "“zebra”, “apple”"));
  g_assert_cmpuint (ww_session_get_tokens (fixture->session)->n, ==, 6);
  g_assert_cmpuint (ww_session_get_inputs (fixture->session)->rows->n, ==, 3);

  ww_session_set_text (fixture->session, "w1 w2 a b c d e f g w3");
  WAIT_FOR (ww_session_get_tokens (fixture->session)->n == 10);
  g_assert_nonnull (strstr (ww_session_get_text_message (fixture->session), "“a”, “b”, “c”, “d”, “e”"));
  g_assert_nonnull (strstr (ww_session_get_text_message (fixture->session), "2 more"));

  ww_session_set_text (fixture->session, "w1 w2");
  WAIT_FOR (ww_session_get_text_message (fixture->session) == NULL);
}

static void
test_token_is_clamped (Fixture *fixture, gconstpointer data)
{
  guint token;

  g_object_set (fixture->session, "token", 500, NULL);
  g_object_get (fixture->session, "token", &token, NULL);
  g_assert_cmpuint (token, ==, 19);

  ww_session_set_text (fixture->session, "w1 w2 w3");
  WAIT_FOR (ww_session_get_tokens (fixture->session)->n == 3);
  WAIT_FOR (ww_session_get_inputs (fixture->session)->token == 2);
  g_object_set (fixture->session, "perturb-n", 2, NULL);
  WAIT_FOR (ww_session_get_inputs (fixture->session)->token == 1);
  g_assert_cmpuint (ww_session_get_perturb_tokens (fixture->session)->n, ==, 2);
}

/* ---- Undo ---- */

static void
test_undo_sequence (Fixture *fixture, gconstpointer data)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);

  for (int i = 1; i <= 100; i++)
    g_object_set (fixture->session, "length", i / 200.0, NULL);
  g_object_set (fixture->session, "trials", 3, NULL);
  ww_session_set_text (fixture->session, "w1 w2");

  ww_session_undo (fixture->session);
  g_assert_cmpuint (strlen (inputs->text), >, 5);
  ww_session_undo (fixture->session);
  g_assert_cmpuint (inputs->trials, ==, 2);
  ww_session_undo (fixture->session);
  g_assert_cmpfloat (inputs->length, ==, 1.0);
  g_assert_false (ww_session_get_can_undo (fixture->session));
  g_assert_true (ww_session_get_can_redo (fixture->session));

  ww_session_redo (fixture->session);
  g_assert_cmpfloat (inputs->length, ==, 0.5);
  ww_session_redo (fixture->session);
  ww_session_redo (fixture->session);
  g_assert_cmpstr (inputs->text, ==, "w1 w2");
  g_assert_false (ww_session_get_can_redo (fixture->session));

  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  g_assert_cmpstr (ww_session_get_curve (fixture->session)->inputs->text, ==, "w1 w2");
}

int
main (int argc, char **argv)
{
  static const SessionCase cases[] = {
    { "/session/defaults", set_up_empty, test_defaults },
    { "/session/each-input", set_up_empty, test_each_input },
    { "/session/length-stays-within-radius", set_up_empty, test_length_stays_within_radius },
    { "/session/open", set_up_empty, test_open },
    { "/session/loading-state", set_up_empty, test_loading_state },
    { "/session/open-failure-keeps-set", set_up_ready, test_open_failure_keeps_set },
    { "/session/cancel-open", set_up_ready, test_cancel_open },
    { "/session/replace-set-and-undo", set_up_ready, test_replace_set_and_undo },
    { "/session/layers", set_up_empty, test_layers },
    { "/session/texts-without-a-curve", set_up_ready, test_texts_without_a_curve },
    { "/session/unknown-words-are-named", set_up_ready, test_unknown_words_are_named },
    { "/session/token-is-clamped", set_up_ready, test_token_is_clamped },
    { "/session/undo-sequence", set_up_ready, test_undo_sequence },
  };

  return run_cases (argc, argv, cases, G_N_ELEMENTS (cases));
}

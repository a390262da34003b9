/* Words in the place of a token: the session's rankings and nudges towards a word against straight
 * calls of core. */
#include "session-fixture.h"

static void
wait_nudge (Fixture *fixture)
{
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE);
}

static void
wait_swaps (Fixture *fixture)
{
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) == WW_STATE_DONE);
}

static void
wait_word (Fixture *fixture)
{
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_WORD) == WW_STATE_DONE);
}

/* The page is shown, and the swaps on it. */
static void
set_up_swaps (Fixture *fixture, gconstpointer data)
{
  set_up_ready (fixture, data);
  g_object_set (fixture->session, "perturb-active", TRUE, "swap-active", TRUE, NULL);
  wait_swaps (fixture);
}

static void
set_up_active (Fixture *fixture, gconstpointer data)
{
  set_up_ready (fixture, data);
  g_object_set (fixture->session, "perturb-active", TRUE, NULL);
  wait_nudge (fixture);
}

/* X, and every word's row as X has its rows. */
static WwMatrix *
get_rows (Fixture *fixture, WwMatrix **ret_x)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  g_autoptr (WwMatrix) raw = ww_set_get_context (inputs->set, inputs->rows, inputs->layer, NULL);
  g_autoptr (WwRowScale) scale = ww_row_scale_new (raw, inputs->dims, inputs->normalisation, NULL);
  g_autoptr (WwEntries) entries = ww_entries_new (inputs->set, NULL, NULL);
  WwEntryRows source = { entries, inputs->layer, NULL, 0 };
  g_autofree double *values = g_new (double, FIXTURE_WORDS * raw->cols);
  WwMatrix *rows = ww_matrix_new (FIXTURE_WORDS, ww_row_scale_get_dims (scale), NULL);

  g_assert_true (ww_entries_read_rows (0, FIXTURE_WORDS, values, &source, NULL));
  for (gsize v = 0; v < FIXTURE_WORDS; v++)
    g_assert_true (ww_row_scale_apply (scale, values + v * raw->cols, rows->data + v * rows->cols));
  *ret_x = ww_context_prepare (raw, inputs->dims, inputs->normalisation, NULL);
  return rows;
}

static double
evaluate (Fixture *fixture, WwMap map, const WwMatrix *x, const double *delta)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  double change = NAN;

  if (map == WW_MAP_RF)
    {
      g_autoptr (WwRf) rf = ww_rf_new_drawn (x, inputs->token, inputs->features, inputs->seed, 0,
                                             NULL, NULL);

      g_assert_true (ww_rf_evaluate (rf, delta, &change, NULL));
      return change;
    }

  g_autoptr (WwMatrix) w = ww_random_w (x->cols, inputs->seed, 0, NULL);
  g_autoptr (WwAttention) attention = ww_attention_new (map, (WwMatrix *) x, w, NULL);
  g_assert_true (ww_attention_evaluate (attention, inputs->token, delta, &change, NULL));
  return change;
}

/* Every word of the set, with the change by definition, in the order of the changes. */
static void
assert_swaps_are_straight (Fixture *fixture)
{
  const WwSwaps *swaps = ww_session_get_swaps (fixture->session);
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  g_autoptr (WwMatrix) x = NULL;
  g_autoptr (WwMatrix) rows = get_rows (fixture, &x);
  g_autofree double *delta = g_new (double, x->cols);
  gboolean seen[FIXTURE_WORDS] = { FALSE };

  g_assert_true (swaps->complete);
  g_assert_cmpuint (swaps->map, ==, inputs->swap_map);
  g_assert_cmpuint (swaps->token, ==, inputs->token);
  g_assert_cmpuint (swaps->n, ==, FIXTURE_WORDS);
  g_assert_cmpuint (swaps->n_entries, ==, FIXTURE_WORDS);
  for (gsize e = 0; e < swaps->n; e++)
    {
      guint32 id = swaps->words[e].id;
      g_autofree char *word = g_strdup_printf ("w%u", id);

      g_assert_cmpstr (swaps->words[e].word, ==, word);
      g_assert_false (seen[id]);
      seen[id] = TRUE;
      ww_swap_toward (x->data + inputs->token * x->cols, rows->data + id * x->cols, x->cols, 1, delta);
      g_assert_cmpfloat (swaps->words[e].change, ==, evaluate (fixture, swaps->map, x, delta));
      if (e > 0)
        g_assert_cmpfloat (swaps->words[e].change, <=, swaps->words[e - 1].change);
    }
  g_assert_cmpuint (swaps->words[swaps->n - 1].id, ==, inputs->token % FIXTURE_WORDS);
  g_assert_cmpfloat (swaps->words[swaps->n - 1].change, ==, 0);
}

static void
test_swaps (Fixture *fixture, gconstpointer data)
{
  double progress;

  assert_swaps_are_straight (fixture);
  g_object_get (fixture->session, "swap-progress", &progress, NULL);
  g_assert_cmpfloat (progress, ==, 1.0);
  g_assert_null (ww_session_get_part_message (fixture->session, WW_PART_SWAPS));
}

static void
test_swaps_follow (Fixture *fixture, gconstpointer data)
{
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    {
      g_object_set (fixture->session, "token", 3 + map, "swap-map", map, NULL);
      WAIT_FOR (ww_session_get_swaps (fixture->session)->token == 3 + map);
      wait_swaps (fixture);
      assert_swaps_are_straight (fixture);
    }

  g_object_set (fixture->session, "dims", 5, "normalisation", WW_NORMALISATION_CENTRE, "seed",
                (guint64) 4, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) != WW_STATE_DONE);
  wait_swaps (fixture);
  assert_swaps_are_straight (fixture);
}

/* A length changes nothing about swaps. */
static void
test_swaps_stay (Fixture *fixture, gconstpointer data)
{
  WwSwaps *swaps = ww_session_get_swaps (fixture->session);

  g_object_set (fixture->session, "length", 0.3, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_WORKING);
  wait_nudge (fixture);
  g_assert_true (ww_session_get_swaps (fixture->session) == swaps);

  /* Hidden and shown again: the ranking is still there. */
  g_object_set (fixture->session, "swap-active", FALSE, NULL);
  run_ready ();
  g_object_set (fixture->session, "swap-active", TRUE, NULL);
  run_ready ();
  g_assert_true (ww_session_get_swaps (fixture->session) == swaps);
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_SWAPS), ==, WW_STATE_DONE);
}

static void
test_no_swaps_unasked (Fixture *fixture, gconstpointer data)
{
  g_assert_null (ww_session_get_swaps (fixture->session));
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_SWAPS), ==, WW_STATE_EMPTY);

  g_object_set (fixture->session, "perturb-active", FALSE, "swap-active", TRUE, NULL);
  run_ready ();
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_SWAPS), ==, WW_STATE_EMPTY);
}

static void
test_swaps_of_other_text (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "text", "w7 w8 w9 w10", "token", 2, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) != WW_STATE_DONE);
  wait_swaps (fixture);
  g_assert_cmpstr (ww_session_get_swaps (fixture->session)->words[FIXTURE_WORDS - 1].word, ==, "w9");

  g_object_set (fixture->session, "text", "", NULL);
  WAIT_FOR (ww_session_get_swaps (fixture->session) == NULL);
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_SWAPS), ==, WW_STATE_EMPTY);
}

/* ---- Towards a word ---- */

static void
test_toward (Fixture *fixture, gconstpointer data)
{
  const double amounts[] = { 1.0, 0.25, 0.0 };
  const WwNudge *nudge;
  guint direction;

  ww_session_go_toward (fixture->session, "w33");
  wait_word (fixture);
  g_object_get (fixture->session, "direction", &direction, NULL);
  g_assert_cmpuint (direction, ==, WW_DIRECTION_TOWARD);
  g_object_set (fixture->session, "token", 6, NULL);
  for (gsize a = 0; a < G_N_ELEMENTS (amounts); a++)
    {
      g_autoptr (WwMatrix) x = NULL;
      g_autoptr (WwMatrix) rows = get_rows (fixture, &x);
      g_autofree double *delta = g_new (double, x->cols);
      double length = ww_swap_toward (x->data + 6 * x->cols, rows->data + 33 * x->cols, x->cols,
                                      amounts[a], delta);

      g_object_set (fixture->session, "amount", amounts[a], NULL);
      WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
                && ww_session_get_nudge_inputs (fixture->session)->amount == amounts[a]
                && ww_session_get_nudge_inputs (fixture->session)->token == 6);
      nudge = ww_session_get_nudge (fixture->session);
      g_assert_cmpfloat_with_epsilon (nudge->delta_norm / sqrt (x->cols), length, 1e-12);
      for (gsize c = 0; c < x->cols; c++)
        g_assert_cmpfloat_with_epsilon (nudge->delta[c], delta[c], 1e-12);
      for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
        g_assert_cmpfloat_with_epsilon (nudge->change[map], evaluate (fixture, map, x, delta), 1e-9);
    }
}

/* The slider of the length is out of use, and the radius no limit. */
static void
test_toward_leaves_the_ball (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "radius", 0.1, NULL);
  ww_session_go_toward (fixture->session, "w40");
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
            && ww_session_get_nudge_inputs (fixture->session)->direction == WW_DIRECTION_TOWARD);
  g_assert_cmpfloat (ww_session_get_nudge (fixture->session)->delta_norm, >, 0.5 * sqrt (FIXTURE_DIMS));
}

static void
test_toward_itself (Fixture *fixture, gconstpointer data)
{
  ww_session_go_toward (fixture->session, "w0");
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
            && ww_session_get_nudge_inputs (fixture->session)->direction == WW_DIRECTION_TOWARD);
  for (guint map = 0; map < WW_N_SESSION_MAPS; map++)
    g_assert_cmpfloat (ww_session_get_nudge (fixture->session)->change[map], ==, 0);
}

static void
test_toward_no_word (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "direction", WW_DIRECTION_TOWARD, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_EMPTY);
  g_assert_nonnull (ww_session_get_part_message (fixture->session, WW_PART_NUDGE));
  g_assert_null (ww_session_get_nudge (fixture->session));

  g_object_set (fixture->session, "toward-word", "zebra", NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_FAILED);
  g_assert_nonnull (strstr (ww_session_get_part_message (fixture->session, WW_PART_NUDGE), "zebra"));
  g_assert_null (ww_session_get_nudge (fixture->session));

  g_object_set (fixture->session, "toward-word", "w5", NULL);
  wait_nudge (fixture);
  g_assert_null (ww_session_get_part_message (fixture->session, WW_PART_NUDGE));

  ww_session_undo (fixture->session);
  g_assert_cmpstr (ww_session_get_inputs (fixture->session)->toward_word, !=, "w5");
  g_object_set (fixture->session, "toward-word", NULL, NULL);
  g_assert_cmpstr (ww_session_get_inputs (fixture->session)->toward_word, ==, "");
}

/* A word that is none leaves everything as it is, but for its own sentence. */
static void
test_unknown_word_stays_outside (Fixture *fixture, gconstpointer data)
{
  WwNudge *nudge = ww_session_get_nudge (fixture->session);
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  gboolean could_undo = ww_session_get_can_undo (fixture->session);

  ww_session_go_toward (fixture->session, "zebra");
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_WORD), ==, WW_STATE_WORKING);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_WORD) == WW_STATE_FAILED);
  g_assert_nonnull (strstr (ww_session_get_part_message (fixture->session, WW_PART_WORD), "zebra"));
  run_ready ();
  g_assert_true (ww_session_get_nudge (fixture->session) == nudge);
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_NUDGE), ==, WW_STATE_DONE);
  g_assert_cmpuint (inputs->direction, ==, WW_DIRECTION_WORST);
  g_assert_cmpstr (inputs->toward_word, ==, "");
  g_assert_cmpint (ww_session_get_can_undo (fixture->session), ==, could_undo);

  ww_session_forget_word (fixture->session);
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_WORD), ==, WW_STATE_EMPTY);
  g_assert_null (ww_session_get_part_message (fixture->session, WW_PART_WORD));
}

/* The way to a word is one step, and each word one of its own. */
static void
test_undo_of_a_word (Fixture *fixture, gconstpointer data)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);

  g_object_set (fixture->session, "length", 0.5, "amount", 0.5, NULL);
  ww_session_go_toward (fixture->session, "w5");
  wait_word (fixture);
  ww_session_go_toward (fixture->session, "w6");
  wait_word (fixture);
  g_assert_cmpstr (inputs->toward_word, ==, "w6");
  ww_session_undo (fixture->session);
  g_assert_cmpstr (inputs->toward_word, ==, "w5");
  g_assert_cmpuint (inputs->direction, ==, WW_DIRECTION_TOWARD);
  ww_session_undo (fixture->session);
  g_assert_cmpuint (inputs->direction, ==, WW_DIRECTION_WORST);
  g_assert_cmpstr (inputs->toward_word, ==, "");
  g_assert_cmpfloat (inputs->amount, ==, 0.5);
  ww_session_redo (fixture->session);
  g_assert_cmpstr (inputs->toward_word, ==, "w5");
  g_assert_cmpfloat (inputs->amount, ==, 1);
  g_assert_cmpuint (inputs->direction, ==, WW_DIRECTION_TOWARD);
}

/* What one part cannot do takes nothing away from the others. */
static void
test_parts_fail_alone (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "swap-active", TRUE, "direction", WW_DIRECTION_TOWARD, "toward-word",
                "zebra", NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_FAILED);
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_WORD), ==, WW_STATE_FAILED);
  wait_swaps (fixture);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_STRIP) == WW_STATE_DONE);
  g_assert_nonnull (ww_session_get_sensitivity (fixture->session));
  g_assert_nonnull (ww_session_get_perturb_tokens (fixture->session));
  g_assert_cmpuint (ww_session_get_part_state (fixture->session, WW_PART_TRAINED), ==, WW_STATE_EMPTY);
}

static gboolean
has_words (Fixture *fixture)
{
  g_auto (GStrv) some = ww_session_complete_word (fixture->session, "w", 1);

  return some[0] != NULL;
}

static void
test_completion (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) none = NULL;
  g_auto (GStrv) found = NULL;

  WAIT_FOR (has_words (fixture));
  found = ww_session_complete_word (fixture->session, "W5", 4);
  g_assert_cmpuint (g_strv_length (found), ==, 4);
  g_assert_cmpstr (found[0], ==, "w5");
  g_assert_cmpstr (found[1], ==, "w50");
  none = ww_session_complete_word (fixture->session, "zebra", 4);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
}

/* The sample at layer 0, where a row depends on its position. */
static void
test_sample (Fixture *fixture, gconstpointer data)
{
  const WwSwaps *swaps;
  double change;

  ww_session_open_builtin (fixture->session, NULL);
  g_object_set (fixture->session, "text", "I love her much", "token", 2, "features", 64, NULL);
  WAIT_FOR (ww_session_get_set_state (fixture->session) == WW_STATE_DONE);
  g_object_set (fixture->session, "perturb-active", TRUE, "swap-active", TRUE, NULL);
  wait_swaps (fixture);

  swaps = ww_session_get_swaps (fixture->session);
  g_assert_cmpuint (swaps->n, ==, 200);
  change = swaps->words[0].change;
  ww_session_go_toward (fixture->session, swaps->words[0].word);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE
            && ww_session_get_nudge_inputs (fixture->session)->direction == WW_DIRECTION_TOWARD);
  g_assert_cmpfloat_with_epsilon (ww_session_get_nudge (fixture->session)->change[WW_MAP_SOFTMAX_RAF],
                                  change, 1e-9);
}

/* Thrown away in the middle of it. */
static void
test_dispose_while_swapping (Fixture *fixture, gconstpointer data)
{
  ww_session_open_builtin (fixture->session, NULL);
  g_object_set (fixture->session, "text", "I love her much", "perturb-active", TRUE, "swap-active", TRUE,
                NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_SWAPS) == WW_STATE_WORKING);
  g_clear_object (&fixture->session);
}

int
main (int argc, char **argv)
{
  static const SessionCase cases[] = {
    { "/session-swap/swaps", set_up_swaps, test_swaps },
    { "/session-swap/follow", set_up_swaps, test_swaps_follow },
    { "/session-swap/stay", set_up_swaps, test_swaps_stay },
    { "/session-swap/unasked", set_up_active, test_no_swaps_unasked },
    { "/session-swap/other-text", set_up_swaps, test_swaps_of_other_text },
    { "/session-swap/toward", set_up_active, test_toward },
    { "/session-swap/toward-leaves-the-ball", set_up_active, test_toward_leaves_the_ball },
    { "/session-swap/toward-itself", set_up_active, test_toward_itself },
    { "/session-swap/toward-no-word", set_up_active, test_toward_no_word },
    { "/session-swap/unknown-word", set_up_active, test_unknown_word_stays_outside },
    { "/session-swap/undo-of-a-word", set_up_active, test_undo_of_a_word },
    { "/session-swap/parts-fail-alone", set_up_active, test_parts_fail_alone },
    { "/session-swap/completion", set_up_active, test_completion },
    { "/session-swap/sample", set_up_empty, test_sample },
    { "/session-swap/dispose", set_up_empty, test_dispose_while_swapping },
  };

  return run_cases (argc, argv, cases, G_N_ELEMENTS (cases));
}

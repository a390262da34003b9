/* A nudge seen through the trained attention of the sample's first block. */
#include "session-fixture.h"

#include "ww-compute.h"

#define N 12

static void
set_up_sample (Fixture *fixture, gconstpointer data)
{
  gsize n_texts;
  const WwExampleText *texts = ww_example_texts_get (&n_texts);

  set_up_empty (fixture, data);
  g_object_set (fixture->session, "text", texts[0].text, "n-max", 8, "n-points", 2, "trials", 1,
                "features", 64, "perturb-n", N, "direction", WW_DIRECTION_RANDOM, "token", 3, NULL);
  ww_session_open_builtin (fixture->session, NULL);
  WAIT_FOR (ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
}

static void
wait_nudge (Fixture *fixture)
{
  run_ready ();
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE);
}

static double
get_difference (const WwMatrix *a, const WwMatrix *b)
{
  double difference = 0;

  g_assert_cmpuint (a->rows, ==, b->rows);
  g_assert_cmpuint (a->cols, ==, b->cols);
  for (gsize i = 0; i < a->rows * a->cols; i++)
    difference = MAX (difference, fabs (a->data[i] - b->data[i]));

  return difference;
}

static void
test_before_and_after (Fixture *fixture, gconstpointer data)
{
  const WwInputs *inputs = ww_session_get_inputs (fixture->session);
  g_autoptr (WwTokens) head = NULL;
  g_autoptr (WwMatrix) expected = NULL;
  g_autoptr (WwMatrix) raw = NULL;
  g_autoptr (WwMatrix) moved = NULL;
  const WwTrained *trained;
  const WwNudge *nudge;
  double norm = 0;

  g_object_set (fixture->session, "perturb-active", TRUE, NULL);
  wait_nudge (fixture);
  trained = ww_session_get_nudge_trained (fixture->session);
  g_assert_nonnull (trained);
  g_assert_cmpint (trained->block, ==, 1);
  g_assert_cmpint (trained->head, ==, WW_HEAD_MEAN);

  head = ww_tokens_head (inputs->rows, N);
  expected = ww_set_get_trained_attention (inputs->set, head, 1, WW_HEAD_MEAN, NULL);
  g_assert_cmpfloat (get_difference (trained->before, expected), <, 1e-5);

  /* The raw row is moved by what its row of X is moved by, in proportion to their norms. */
  nudge = ww_session_get_nudge (fixture->session);
  raw = ww_set_get_context (inputs->set, head, 0, NULL);
  norm = ww_vector_norm (raw->data + 3 * raw->cols, raw->cols);
  for (gsize c = 0; c < raw->cols; c++)
    raw->data[3 * raw->cols + c] += nudge->delta[c] * norm / sqrt ((double) raw->cols);
  moved = ww_set_weigh_state (inputs->set, raw, 1, WW_HEAD_MEAN, NULL, NULL);
  g_assert_cmpfloat (get_difference (trained->after, moved), <, 1e-5);
  g_assert_cmpfloat (get_difference (trained->after, trained->before), >, 1e-3);
  g_assert_cmpfloat (ww_session_get_nudge_range (fixture->session)->trained_change, >=,
                     get_difference (trained->after, trained->before));
}

static void
test_no_length (Fixture *fixture, gconstpointer data)
{
  const WwTrained *trained;

  g_object_set (fixture->session, "length", 0.0, "perturb-active", TRUE, NULL);
  wait_nudge (fixture);
  trained = ww_session_get_nudge_trained (fixture->session);
  g_assert_cmpfloat (get_difference (trained->after, trained->before), ==, 0);
  /* The colours are those of the full length all the same. */
  g_assert_cmpfloat (ww_session_get_nudge_range (fixture->session)->trained_change, >, 1e-3);
}

static void
test_heads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (WwMatrix) mean = NULL;

  g_object_set (fixture->session, "perturb-active", TRUE, NULL);
  wait_nudge (fixture);
  mean = ww_matrix_ref (ww_session_get_nudge_trained (fixture->session)->before);

  g_object_set (fixture->session, "head", 2, NULL);
  wait_nudge (fixture);
  g_assert_cmpint (ww_session_get_nudge_trained (fixture->session)->head, ==, 2);
  g_assert_cmpfloat (get_difference (ww_session_get_nudge_trained (fixture->session)->before, mean), >,
                     1e-4);

  /* One that the set lacks is the mean. */
  g_object_set (fixture->session, "head", 900, NULL);
  wait_nudge (fixture);
  g_assert_cmpint (ww_session_get_nudge_trained (fixture->session)->head, ==, WW_HEAD_MEAN);

  g_object_set (fixture->session, "head", WW_HEAD_NONE, NULL);
  wait_nudge (fixture);
  g_assert_null (ww_session_get_nudge_trained (fixture->session));
}

static void
test_where_there_is_none (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->session, "layer", WW_LAYER_WORD, "perturb-active", TRUE, NULL);
  WAIT_FOR (ww_session_get_part_state (fixture->session, WW_PART_NUDGE) == WW_STATE_DONE);
  g_assert_null (ww_session_get_nudge_trained (fixture->session));

  open_path (fixture, fixture->path);
  ww_session_set_text (fixture->session, "w1 w2 w3 w4 w5");
  WAIT_FOR (ww_session_get_nudge (fixture->session) != NULL
            && ww_session_get_nudge (fixture->session)->n == 5);
  wait_nudge (fixture);
  g_assert_null (ww_session_get_nudge_trained (fixture->session));
}

/* The rows behind a block take a forward pass, which a cancelled job gives up. */
static void
test_cancelled_layer (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (WW_TEST_DATA_DIR, "data/embeddings/checkpoints/bert-plain", NULL);
  WwCompute *compute = ww_compute_new ();
  WwCancel cancel = { TRUE };
  const WwInputs *inputs;
  g_autoptr (GError) error = NULL;

  open_path (fixture, path);
  ww_session_set_text (fixture->session, "the rain and the dog");
  g_object_set (fixture->session, "layer", 1, NULL);
  WAIT_FOR (ww_session_get_inputs (fixture->session)->rows != NULL
            && ww_session_get_curve_state (fixture->session) == WW_STATE_DONE);
  inputs = ww_session_get_inputs (fixture->session);

  g_assert_null (ww_compute_get_x (compute, inputs, 1, &cancel, &error));
  g_assert_error (error, WW_CORE_ERROR, WW_CORE_ERROR_CANCELLED);
  g_clear_error (&error);
  ww_cancel_set (&cancel, FALSE);
  g_assert_nonnull (ww_compute_get_x (compute, inputs, 1, &cancel, &error));
  g_assert_no_error (error);
  ww_compute_free (compute);
}

int
main (int argc, char **argv)
{
  static const SessionCase cases[] = {
    { "/session/trained/before-and-after", set_up_sample, test_before_and_after },
    { "/session/trained/no-length", set_up_sample, test_no_length },
    { "/session/trained/heads", set_up_sample, test_heads },
    { "/session/trained/cancelled-layer", set_up_empty, test_cancelled_layer },
    { "/session/trained/none", set_up_sample, test_where_there_is_none },
  };

  return run_cases (argc, argv, cases, G_N_ELEMENTS (cases));
}

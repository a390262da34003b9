/* A set is immutable: several threads use one at the same time and get the same. */
#include "test-util.h"

static gpointer
use_set (gpointer data)
{
  WwSet *set = data;
  double sum = 0;

  for (int i = 0; i < 50; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "I love her smile", TRUE, &error);
      g_autoptr (WwMatrix) context = ww_set_get_context (set, tokens, 0, &error);
      g_autoptr (WwMatrix) attention = ww_set_get_trained_attention (set, tokens, 1, i % 12, &error);
      g_auto (GStrv) pairs = ww_set_describe (set);
      gsize n;

      g_assert_no_error (error);
      g_assert_cmpuint (context->rows, ==, 6);
      g_assert_cmpstr (pairs[0], ==, "Name");
      g_assert_cmpuint (strlen (ww_set_get_sha256 (set, NULL, &error)), ==, 64);
      g_assert_nonnull (ww_example_texts_get (&n)[i % 4].text);
      sum += context->data[i] + attention->data[i % 36];
    }

  return g_memdup2 (&sum, sizeof sum);
}

static void
test_one_set (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WwSet) set = ww_set_open_builtin (NULL, &error);
  GThread *threads[4];
  g_autofree double *first = NULL;

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", use_set, set);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree double *sum = g_thread_join (threads[i]);

      if (first == NULL)
        first = g_memdup2 (sum, sizeof *sum);
      g_assert_cmpfloat (*sum, ==, *first);
    }
}

static gpointer
run_model (gpointer data)
{
  WwSet *set = data;
  g_autoptr (GString) bytes = g_string_new (NULL);

  for (int i = 0; i < 20; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (WwTokens) tokens = ww_set_tokenise (set, "the duck said", TRUE, &error);
      g_autoptr (WwMatrix) state = ww_set_get_context (set, tokens, 2, &error);
      g_autoptr (WwMatrix) weights = ww_set_get_trained_attention (set, tokens, 1 + i % 2, WW_HEAD_ALL, &error);

      g_assert_no_error (error);
      g_string_append_len (bytes, (const char *) state->data, (gssize) (state->rows * state->cols * sizeof (double)));
      g_string_append_len (bytes, (const char *) weights->data,
                           (gssize) (weights->rows * weights->cols * sizeof (double)));
    }

  return g_string_free_to_bytes (g_steal_pointer (&bytes));
}

/* Forward passes share the files and nothing else. */
static void
test_one_model (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = test_data_file ("checkpoints/gpt2");
  g_autoptr (WwSet) set = ww_set_open (file, NULL, NULL, NULL, &error);
  GThread *threads[4];
  g_autoptr (GBytes) first = NULL;

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("model", run_model, set);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autoptr (GBytes) bytes = g_thread_join (threads[i]);

      if (first == NULL)
        first = g_bytes_ref (bytes);
      g_assert_true (g_bytes_equal (first, bytes));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/one-set", test_one_set);
  g_test_add_func ("/threads/one-model", test_one_model);
  return g_test_run ();
}

#include "ww-history.h"

#define SECOND G_USEC_PER_SEC

typedef struct
{
  WwHistory *history;
  const char *property; /* last applied */
  int value;
} Fixture;

static void
apply (const char *property, const GValue *value, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->property = property;
  fixture->value = g_value_get_int (value);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->history = ww_history_new (apply, fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  ww_history_free (fixture->history);
}

static void
record (Fixture *fixture, const char *property, int from, int to, gint64 now_us)
{
  GValue old_value = G_VALUE_INIT, new_value = G_VALUE_INIT;

  g_value_init (&old_value, G_TYPE_INT);
  g_value_init (&new_value, G_TYPE_INT);
  g_value_set_int (&old_value, from);
  g_value_set_int (&new_value, to);
  ww_history_record (fixture->history, property, &old_value, &new_value, now_us);
}

static void
assert_applied (Fixture *fixture, const char *property, int value)
{
  g_assert_cmpstr (fixture->property, ==, property);
  g_assert_cmpint (fixture->value, ==, value);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  g_assert_false (ww_history_can_undo (fixture->history));
  g_assert_false (ww_history_can_redo (fixture->history));
  g_assert_false (ww_history_undo (fixture->history));
  g_assert_false (ww_history_redo (fixture->history));
  g_assert_null (fixture->property);
}

/* What goes together comes back together, and continues nothing that stands alone. */
static void
test_groups (Fixture *fixture, gconstpointer data)
{
  record (fixture, "a", 0, 1, 0);
  ww_history_begin_group (fixture->history);
  record (fixture, "a", 1, 2, 1);
  record (fixture, "b", 5, 6, 1);
  ww_history_end_group (fixture->history);
  ww_history_begin_group (fixture->history);
  record (fixture, "b", 6, 7, 2);
  ww_history_end_group (fixture->history);

  g_assert_true (ww_history_undo (fixture->history));
  assert_applied (fixture, "b", 6);
  g_assert_true (ww_history_undo (fixture->history));
  assert_applied (fixture, "a", 1);
  g_assert_true (ww_history_redo (fixture->history));
  assert_applied (fixture, "b", 6);
  g_assert_true (ww_history_undo (fixture->history));
  g_assert_true (ww_history_undo (fixture->history));
  assert_applied (fixture, "a", 0);
  g_assert_false (ww_history_can_undo (fixture->history));
}

static void
test_back_and_forth (Fixture *fixture, gconstpointer data)
{
  record (fixture, "a", 0, 1, 0);
  record (fixture, "b", 5, 6, 1);
  record (fixture, "a", 1, 2, 2);

  g_assert_true (ww_history_undo (fixture->history));
  assert_applied (fixture, "a", 1);
  g_assert_true (ww_history_undo (fixture->history));
  assert_applied (fixture, "b", 5);
  g_assert_true (ww_history_redo (fixture->history));
  assert_applied (fixture, "b", 6);
  g_assert_true (ww_history_undo (fixture->history));
  g_assert_true (ww_history_undo (fixture->history));
  assert_applied (fixture, "a", 0);
  g_assert_false (ww_history_can_undo (fixture->history));
  g_assert_true (ww_history_can_redo (fixture->history));
}

static void
test_coalesces_within_a_second (Fixture *fixture, gconstpointer data)
{
  /* Each within a second of the one before, all together much longer. */
  for (int i = 0; i < 10; i++)
    record (fixture, "a", i, i + 1, i * (SECOND - 1));
  record (fixture, "a", 10, 11, 9 * (SECOND - 1) + SECOND + 1);

  ww_history_undo (fixture->history);
  assert_applied (fixture, "a", 10);
  ww_history_undo (fixture->history);
  assert_applied (fixture, "a", 0);
  g_assert_false (ww_history_can_undo (fixture->history));
  ww_history_redo (fixture->history);
  assert_applied (fixture, "a", 10);
}

static void
test_undo_ends_a_step (Fixture *fixture, gconstpointer data)
{
  record (fixture, "a", 0, 1, 0);
  record (fixture, "a", 1, 2, 2 * SECOND);
  ww_history_undo (fixture->history);
  /* Within a second of the first change, but not a continuation of it. */
  record (fixture, "a", 1, 7, 1);

  ww_history_undo (fixture->history);
  assert_applied (fixture, "a", 1);
  ww_history_undo (fixture->history);
  assert_applied (fixture, "a", 0);
}

static void
test_change_forgets_redo (Fixture *fixture, gconstpointer data)
{
  record (fixture, "a", 0, 1, 0);
  record (fixture, "b", 0, 1, 0);
  ww_history_undo (fixture->history);
  record (fixture, "c", 3, 4, 0);

  g_assert_false (ww_history_can_redo (fixture->history));
  ww_history_undo (fixture->history);
  assert_applied (fixture, "c", 3);
  ww_history_undo (fixture->history);
  assert_applied (fixture, "a", 0);
}

static void
test_clear (Fixture *fixture, gconstpointer data)
{
  record (fixture, "a", 0, 1, 0);
  record (fixture, "b", 0, 1, 0);
  ww_history_undo (fixture->history);
  ww_history_clear (fixture->history);

  g_assert_false (ww_history_can_undo (fixture->history));
  g_assert_false (ww_history_can_redo (fixture->history));
}

/* An hour of slider moves does not grow without end; the latest are kept. */
static void
test_bounded (Fixture *fixture, gconstpointer data)
{
  guint undone = 0;

  for (int i = 0; i < 2000; i++)
    record (fixture, i % 2 == 0 ? "a" : "b", i, i + 1, 0);
  while (ww_history_undo (fixture->history))
    undone++;

  g_assert_cmpuint (undone, ==, 500);
  assert_applied (fixture, "a", 1500);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *fixture, gconstpointer data);
  } cases[] = {
    { "/history/empty", test_empty },
    { "/history/back-and-forth", test_back_and_forth },
    { "/history/groups", test_groups },
    { "/history/coalesces-within-a-second", test_coalesces_within_a_second },
    { "/history/undo-ends-a-step", test_undo_ends_a_step },
    { "/history/change-forgets-redo", test_change_forgets_redo },
    { "/history/clear", test_clear },
    { "/history/bounded", test_bounded },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add (cases[i].path, Fixture, NULL, set_up, cases[i].test, tear_down);

  return g_test_run ();
}

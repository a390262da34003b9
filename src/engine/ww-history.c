#include "ww-history.h"

#define COALESCE_US G_USEC_PER_SEC
#define MAX_STEPS 500 /* enough for a lecture; a text of 100 kB each would still fit in memory */

typedef struct
{
  const char *property;
  GValue old_value, new_value;
  gint64 changed_at;
  guint group; /* of steps that go together; 0: alone */
} Step;

struct _WwHistory
{
  WwHistoryApply apply;
  gpointer user_data;
  GPtrArray *steps; /* of Step, oldest first */
  guint n_done;     /* steps that can be undone; those behind can be redone */
  guint group, n_groups;
  gboolean sealed;  /* the next change is a step of its own, whatever its property */
};

static void
step_free (gpointer data)
{
  Step *step = data;

  g_value_unset (&step->old_value);
  g_value_unset (&step->new_value);
  g_free (step);
}

static void
copy_value (const GValue *value, GValue *ret_copy)
{
  g_value_init (ret_copy, G_VALUE_TYPE (value));
  g_value_copy (value, ret_copy);
}

WwHistory *
ww_history_new (WwHistoryApply apply, gpointer user_data)
{
  WwHistory *history = g_new0 (WwHistory, 1);

  history->apply = apply;
  history->user_data = user_data;
  history->steps = g_ptr_array_new_with_free_func (step_free);

  return history;
}

void
ww_history_free (WwHistory *history)
{
  if (history == NULL)
    return;

  g_ptr_array_unref (history->steps);
  g_free (history);
}

/* The last step, if a change of `property` at `now_us` continues it. */
static Step *
get_continued_step (const WwHistory *history, const char *property, gint64 now_us)
{
  Step *last;

  if (history->n_done == 0 || history->sealed)
    return NULL;

  last = history->steps->pdata[history->n_done - 1];
  if (!g_str_equal (last->property, property) || last->group != history->group
      || now_us - last->changed_at > COALESCE_US)
    return NULL;

  return last;
}

void
ww_history_record (WwHistory *history, const char *property, const GValue *old_value,
                   const GValue *new_value, gint64 now_us)
{
  Step *step;

  g_return_if_fail (history != NULL && property != NULL);

  g_ptr_array_set_size (history->steps, (int) history->n_done);

  step = get_continued_step (history, property, now_us);
  if (step != NULL)
    {
      g_value_copy (new_value, &step->new_value);
      step->changed_at = now_us;
      return;
    }

  if (history->n_done == MAX_STEPS)
    g_ptr_array_remove_index (history->steps, 0);

  step = g_new0 (Step, 1);
  step->property = property;
  step->changed_at = now_us;
  step->group = history->group;
  copy_value (old_value, &step->old_value);
  copy_value (new_value, &step->new_value);
  g_ptr_array_add (history->steps, step);
  history->n_done = history->steps->len;
  history->sealed = FALSE;
}

void
ww_history_begin_group (WwHistory *history)
{
  g_return_if_fail (history != NULL && history->group == 0);

  history->group = ++history->n_groups;
}

void
ww_history_end_group (WwHistory *history)
{
  g_return_if_fail (history != NULL && history->group != 0);

  history->group = 0;
}

/* Whether the last step done and the first one undone are of one group. */
static gboolean
goes_together (const WwHistory *history)
{
  const Step *done, *undone;

  if (history->n_done == 0 || history->n_done == history->steps->len)
    return FALSE;

  done = history->steps->pdata[history->n_done - 1];
  undone = history->steps->pdata[history->n_done];
  return done->group != 0 && done->group == undone->group;
}

gboolean
ww_history_undo (WwHistory *history)
{
  Step *step;

  g_return_val_if_fail (history != NULL, FALSE);

  if (!ww_history_can_undo (history))
    return FALSE;

  history->sealed = TRUE;
  do
    {
      step = history->steps->pdata[--history->n_done];
      history->apply (step->property, &step->old_value, history->user_data);
    }
  while (goes_together (history));

  return TRUE;
}

gboolean
ww_history_redo (WwHistory *history)
{
  Step *step;

  g_return_val_if_fail (history != NULL, FALSE);

  if (!ww_history_can_redo (history))
    return FALSE;

  history->sealed = TRUE;
  do
    {
      step = history->steps->pdata[history->n_done++];
      history->apply (step->property, &step->new_value, history->user_data);
    }
  while (goes_together (history));

  return TRUE;
}

void
ww_history_clear (WwHistory *history)
{
  g_return_if_fail (history != NULL);

  g_ptr_array_set_size (history->steps, 0);
  history->n_done = 0;
}

gboolean
ww_history_can_undo (const WwHistory *history)
{
  return history->n_done > 0;
}

gboolean
ww_history_can_redo (const WwHistory *history)
{
  return history->n_done < history->steps->len;
}

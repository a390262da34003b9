/* Waiting for a condition by running the main loop, never for a time. */
#pragma once

#include <glib.h>

#define WAIT_LIMIT_US (240 * (gint64) G_USEC_PER_SEC)

static inline gboolean
wait_tick (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* The timer only wakes the loop, so that conditions which no source announces are seen, too. */
#define WAIT_FOR(condition)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 wait_end_ = g_get_monotonic_time () + WAIT_LIMIT_US;                                    \
    guint wait_timer_ = g_timeout_add (5, wait_tick, NULL);                                        \
    while (!(condition) && g_get_monotonic_time () < wait_end_)                                    \
      g_main_context_iteration (NULL, TRUE);                                                       \
    g_source_remove (wait_timer_);                                                                 \
    g_assert_true (condition);                                                                     \
  }                                                                                                \
  G_STMT_END

/* Everything that is ready now, and nothing later. */
static inline void
run_ready (void)
{
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

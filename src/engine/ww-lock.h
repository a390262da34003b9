/* The engine's only lock: a mutex with a condition. GMutex is a futex that ThreadSanitizer cannot
 * see, so under that sanitizer the same two primitives are pthread ones; everywhere else GLib's. */
#pragma once

#include <glib.h>

#if defined(__SANITIZE_THREAD__)
#define WW_LOCK_IS_PTHREAD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WW_LOCK_IS_PTHREAD 1
#endif
#endif

#ifdef WW_LOCK_IS_PTHREAD
#include <pthread.h>
#include <time.h>

typedef struct
{
  pthread_mutex_t mutex;
  pthread_cond_t cond;
} WwLock;

static inline void
ww_lock_init (WwLock *lock)
{
  pthread_condattr_t attributes;

  pthread_mutex_init (&lock->mutex, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC); /* the clock of the other variant */
  pthread_cond_init (&lock->cond, &attributes);
  pthread_condattr_destroy (&attributes);
}

static inline void
ww_lock_clear (WwLock *lock)
{
  pthread_cond_destroy (&lock->cond);
  pthread_mutex_destroy (&lock->mutex);
}

static inline void
ww_lock_acquire (WwLock *lock)
{
  pthread_mutex_lock (&lock->mutex);
}

static inline void
ww_lock_release (WwLock *lock)
{
  pthread_mutex_unlock (&lock->mutex);
}

static inline void
ww_lock_wait (WwLock *lock) /* held; may return for no reason */
{
  pthread_cond_wait (&lock->cond, &lock->mutex);
}

static inline void
ww_lock_wait_until (WwLock *lock, gint64 end_us) /* monotonic; held; may return early */
{
  const struct timespec end = { .tv_sec = end_us / G_USEC_PER_SEC,
                                .tv_nsec = end_us % G_USEC_PER_SEC * 1000 };

  pthread_cond_timedwait (&lock->cond, &lock->mutex, &end);
}

static inline void
ww_lock_wake_all (WwLock *lock)
{
  pthread_cond_broadcast (&lock->cond);
}

#else

typedef struct
{
  GMutex mutex;
  GCond cond;
} WwLock;

static inline void
ww_lock_init (WwLock *lock)
{
  g_mutex_init (&lock->mutex);
  g_cond_init (&lock->cond);
}

static inline void
ww_lock_clear (WwLock *lock)
{
  g_cond_clear (&lock->cond);
  g_mutex_clear (&lock->mutex);
}

static inline void
ww_lock_acquire (WwLock *lock)
{
  g_mutex_lock (&lock->mutex);
}

static inline void
ww_lock_release (WwLock *lock)
{
  g_mutex_unlock (&lock->mutex);
}

static inline void
ww_lock_wait (WwLock *lock) /* held; may return for no reason */
{
  g_cond_wait (&lock->cond, &lock->mutex);
}

static inline void
ww_lock_wait_until (WwLock *lock, gint64 end_us) /* monotonic; held; may return early */
{
  g_cond_wait_until (&lock->cond, &lock->mutex, end_us);
}

static inline void
ww_lock_wake_all (WwLock *lock)
{
  g_cond_broadcast (&lock->cond);
}

#endif

#include "ww-benchmark.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ww-figure-view.h"

#define N_CHANGES 300
#define N_WARM_UP 10
#define TIMEOUT_S 120
/* A pause of uneven length between two changes: they must not fall in step with the frames. */
#define PAUSE_MIN_MS 18
#define PAUSE_SPREAD_MS 17

typedef struct
{
  WwWindow *window;
  WwSession *session;
  GdkFrameClock *clock;
  gint64 changed_at; /* of the slider; 0: nothing is awaited */
  gboolean arrived;  /* the result is there, the frame is not */
  gboolean trained;  /* the trained map is among those shown */
  guint n_done;
  double times[N_CHANGES];

  gint64 mapped_at, first_at, done_at;
} Benchmark;

static void
end (Benchmark *benchmark, gboolean good)
{
  if (!good)
    {
      g_printerr ("wordsway: the measurement did not end within %d s\n", TIMEOUT_S);
      exit (1);
    }
  fflush (stdout);
  g_application_quit (g_application_get_default ());
}

static gboolean
on_timeout (gpointer user_data)
{
  end (user_data, FALSE);
  return G_SOURCE_REMOVE;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* ---- The slider ---- */

static void
print_slider (Benchmark *benchmark)
{
  const WwNudge *nudge = ww_session_get_nudge (benchmark->session);
  double *times = benchmark->times;

  qsort (times, N_CHANGES, sizeof *times, compare_doubles);
  g_print ("slider to drawn frame, n = %zu, d = %zu, %s, %d changes: median %.2f ms, 95th percentile "
           "%.2f ms, largest %.2f ms\n",
           nudge->n, nudge->d, benchmark->trained ? "trained map too" : "maps of random weights",
           N_CHANGES, times[N_CHANGES / 2], times[N_CHANGES * 95 / 100], times[N_CHANGES - 1]);
}

static void start_changes (Benchmark *benchmark);

static gboolean
change_slider (gpointer user_data)
{
  Benchmark *benchmark = user_data;
  GtkAdjustment *adjustment = ww_perturb_page_get_length_adjustment (
    ww_window_get_perturb_page (benchmark->window));
  /* There and back, as a hand would drag it. */
  double phase = (double) (benchmark->n_done % 60) / 30;

  benchmark->arrived = FALSE;
  benchmark->changed_at = g_get_monotonic_time ();
  gtk_adjustment_set_value (adjustment,
                            0.02 + 0.96 * (phase < 1 ? phase : 2 - phase)
                              + 0.0001 * benchmark->n_done);
  return G_SOURCE_REMOVE;
}

static void
on_nudge (Benchmark *benchmark)
{
  const WwNudge *nudge = ww_session_get_nudge (benchmark->session);
  double length;

  if (benchmark->changed_at == 0 || nudge == NULL)
    return;
  g_object_get (benchmark->session, "length", &length, NULL);
  benchmark->arrived
    = fabs (nudge->delta_norm - length * sqrt ((double) nudge->d)) <= 1e-4 * nudge->delta_norm;
}

static void
on_painted (Benchmark *benchmark)
{
  double time = (double) (g_get_monotonic_time () - benchmark->changed_at) / 1000;

  if (benchmark->changed_at == 0 || !benchmark->arrived)
    return;
  benchmark->changed_at = 0;
  if (benchmark->n_done >= N_WARM_UP)
    benchmark->times[benchmark->n_done - N_WARM_UP] = time;
  if (++benchmark->n_done == N_CHANGES + N_WARM_UP)
    {
      print_slider (benchmark);
      start_changes (benchmark);
      return;
    }
  g_timeout_add ((guint) g_random_int_range (PAUSE_MIN_MS, PAUSE_MIN_MS + PAUSE_SPREAD_MS),
                 change_slider, benchmark);
}

/* The slider is dragged once the direction is known and nothing else runs. */
static gboolean
wait_for_direction (gpointer user_data)
{
  Benchmark *benchmark = user_data;
  WwSensitivity *sensitivity = ww_session_get_sensitivity (benchmark->session);
  gboolean refining;

  g_object_get (benchmark->session, "direction-refining", &refining, NULL);
  if (refining || ww_session_get_nudge (benchmark->session) == NULL
      || ww_session_get_part_state (benchmark->session, WW_PART_NUDGE) != WW_STATE_DONE || sensitivity == NULL
      || sensitivity->n_known < sensitivity->n
      || ww_session_get_curve_state (benchmark->session) == WW_STATE_WORKING)
    return G_SOURCE_CONTINUE;
  if (benchmark->clock == NULL)
    {
      benchmark->clock = gtk_widget_get_frame_clock (GTK_WIDGET (benchmark->window));
      g_signal_connect_swapped (benchmark->clock, "after-paint", G_CALLBACK (on_painted), benchmark);
    }
  change_slider (benchmark);
  return G_SOURCE_REMOVE;
}

/* First with the two maps of random weights, then with the trained one as well. */
static void
start_changes (Benchmark *benchmark)
{
  if (benchmark->trained)
    {
      end (benchmark, TRUE);
      return;
    }

  benchmark->trained = benchmark->n_done > 0;
  benchmark->n_done = 0;
  g_object_set (benchmark->session, "head", benchmark->trained ? WW_HEAD_MEAN : WW_HEAD_NONE, NULL);
  g_timeout_add (50, wait_for_direction, benchmark);
}

static Benchmark *
benchmark_new (WwWindow *window)
{
  Benchmark *benchmark = g_new0 (Benchmark, 1);

  benchmark->window = window;
  benchmark->session = ww_window_get_session (window);
  g_timeout_add_seconds (TIMEOUT_S, on_timeout, benchmark);
  return benchmark;
}

void
ww_benchmark_slider (WwWindow *window)
{
  Benchmark *benchmark = benchmark_new (window);

  g_object_set (benchmark->session, "perturb-n", 128u, "dims", 0u, NULL);
  ww_window_set_page (window, "perturb");
  g_signal_connect_swapped (benchmark->session, "notify::nudge", G_CALLBACK (on_nudge), benchmark);
  start_changes (benchmark);
}

/* ---- The start ---- */

/* The largest resident size so far, in MiB; NaN where the system does not tell. */
static double
get_peak_memory (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return NAN;
  line = strstr (status, "VmHWM:");
  return line != NULL ? g_ascii_strtod (line + strlen ("VmHWM:"), NULL) / 1024 : NAN;
}

static void
on_start_painted (Benchmark *benchmark)
{
  WwCurve *curve = ww_session_get_curve (benchmark->session);
  gint64 now = g_get_monotonic_time ();

  if (curve != NULL && curve->n_points > 0 && benchmark->first_at == 0)
    benchmark->first_at = now;
  if (ww_session_get_curve_state (benchmark->session) != WW_STATE_DONE || benchmark->done_at != 0
      || benchmark->first_at == 0)
    return;
  benchmark->done_at = now;
  g_print ("first points drawn %.3f s after the window, %zu points complete after %.2f s, at most "
           "%.0f MiB resident\n",
           (double) (benchmark->first_at - benchmark->mapped_at) / 1e6, curve->n_points,
           (double) (benchmark->done_at - benchmark->mapped_at) / 1e6, get_peak_memory ());
  end (benchmark, TRUE);
}

static void
on_mapped (Benchmark *benchmark)
{
  benchmark->mapped_at = g_get_monotonic_time ();
  benchmark->clock = gtk_widget_get_frame_clock (GTK_WIDGET (benchmark->window));
  g_signal_connect_swapped (benchmark->clock, "after-paint", G_CALLBACK (on_start_painted),
                            benchmark);
}

void
ww_benchmark_start (WwWindow *window)
{
  Benchmark *benchmark = benchmark_new (window);

  ww_window_set_page (window, "curves");
  g_signal_connect_swapped (window, "map", G_CALLBACK (on_mapped), benchmark);
}
